//! The value of a placing position for certain: searched to the end of the placing phase, where databases know all.
//!
//! Gasser, "Solving Nine Men's Morris", 1996, did this with all 28 databases for the start position.

use std::sync::Arc;

use search::alphabeta::{AlphaBeta, Config, Ordering};
use search::{Game, Limits, Root, Score, Search};

use crate::database::Database;
use crate::eval::Evaluator;
use crate::{Move, Position, Rules};

/// Moves that lead to images of one position, with what they are worth.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The moves.
    pub moves: Vec<Move>,
    /// From the side that makes them.
    pub score: Score,
    /// Best play from the first of them to where the databases begin.
    pub line: Vec<Move>,
}

/// The value of every move of a position, best first, if the databases hold everything that can follow.
///
/// Nothing is pruned that could matter, and no depth is saved: a leaf is a database position or a finished game.
pub fn moves(
    position: Position,
    database: Arc<Database>,
    mib: usize,
    threads: usize,
) -> Result<Vec<Solved>, String> {
    let turn = position.turn();
    // The databases know no quiet limit, and with one in sight the search would not believe them.
    let rules = Rules { quiet_limit: 0, ..position.rules };
    let position = Position::new(rules, position.men, position.hand, turn, 0, position.memory);
    let groups = groups(&position);
    // The side with more men in hand places while the other moves already.
    let plies = (2 * position.hand(turn)).saturating_sub(1).max(2 * position.hand(!turn)).max(1);
    let mut search = AlphaBeta::new(config(), Evaluator { database: Some(database), ..Evaluator::default() });
    search.resize(mib)?;
    search.common.multipv = groups.len();
    search.common.threads = threads;
    let only = groups.iter().map(|group| position.pack(group[0])).collect();
    let (_, lines) = search.ask(&Root::new(position), &Limits { only, ..Limits::depth(plies) });
    let of = |moves: Vec<Move>| {
        let line = lines.iter().rfind(|line| line.pv.first() == Some(&moves[0]));
        let line = line.ok_or_else(|| format!("{} was not searched", position.write(moves[0])))?;
        Ok(Solved { moves, score: line.score, line: line.pv.clone() })
    };
    let mut solved = groups.into_iter().map(of).collect::<Result<Vec<_>, String>>()?;
    solved.sort_by_key(|solved| -solved.score.0);
    Ok(solved)
}

/// The value of a position from its side to move, from those of its moves.
pub fn value(moves: &[Solved]) -> Score {
    moves.first().map_or(Score::LOSS, |best| best.score)
}

/// The moves of a position, those together that lead to images of one another.
fn groups(position: &Position) -> Vec<Vec<Move>> {
    let mut groups: Vec<(u64, Vec<Move>)> = Vec::new();
    for m in position.list() {
        let next = position.after(m);
        let class = next.key() ^ next.salt();
        match groups.iter_mut().find(|(known, _)| *known == class) {
            Some((_, group)) => group.push(m),
            None => groups.push((class, vec![m])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Techniques that save work without touching the value.
fn config() -> Config {
    Config {
        fail_soft: true,
        pvs: true,
        deepening: true,
        table_cutoffs: true,
        table_ordering: true,
        etc: Some(2),
        ordering: Ordering::Heuristic,
        history: true,
        killers: true,
        ..Config::plain()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::Endgames;
    use search::endgame::{Format, Library};

    /// Plain minimax over the same leaves.
    fn minimax(position: &Position, database: &Database) -> i32 {
        if let Some(value) = database.value(position) {
            return i32::from(value.is_win()) - i32::from(value.is_loss());
        }
        let after = |&m: &Move| {
            let next = position.after(m);
            -minimax(&next, database)
        };
        position.list().iter().map(after).max().unwrap_or(-1)
    }

    #[test]
    fn the_value_of_a_placing_position_is_that_of_minimax_into_the_databases() {
        let directory = tempfile::tempdir().unwrap();
        let (mut library, _) = Library::open(Endgames::new(&Rules::STANDARD).unwrap(), directory.path());
        for men in [(3, 3), (4, 3)] {
            let unit = library.space().unit(men).unwrap();
            library.build(unit, Format::Distance, &|_| {}).unwrap();
        }
        let (database, _) = Database::open(&Rules::STANDARD, directory.path());
        let database = Arc::new(database.unwrap());
        assert_eq!(database.tables(), 2);
        for fen in [
            "w.w...../..b..b../........ w 2 1 0 -",
            "w....w../.bb...../........ w 1 2 0 -",
            "w..w.w../.bb...../........ b 0 1 0 -",
            "ww....../b......b/........ b 1 1 0 -",
        ] {
            let position = Position::read(&Rules::STANDARD, fen).unwrap();
            let solved = moves(position, Arc::clone(&database), 1, 2).unwrap();
            let found = value(&solved);
            assert_eq!(found.0.signum(), minimax(&position, &database), "{fen}: {found}");
            assert_eq!(solved.iter().map(|solved| solved.moves.len() as u64).sum::<u64>(), position.count());
            for Solved { moves, score, line } in solved {
                assert!(score == Score::DRAW || score.is_decisive(), "{fen}: {score}");
                assert_eq!(line[0], moves[0]);
                for m in moves {
                    let next = position.after(m);
                    assert_eq!(score.0.signum(), -minimax(&next, &database), "{fen}: {}", position.write(m));
                }
            }
            let limited = Rules { quiet_limit: 4, ..Rules::STANDARD };
            let limited = Position::read(&limited, fen).unwrap();
            let limited = moves(limited, Arc::clone(&database), 1, 2).unwrap();
            assert_eq!(value(&limited), found, "{fen}");
        }
    }

    #[test]
    fn the_first_moves_are_of_four_kinds() {
        let mut sizes: Vec<usize> = groups(&Position::start(&Rules::STANDARD)).iter().map(Vec::len).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [4, 4, 8, 8]);
    }
}
