//! The value of a placing position for certain: searched to the end of the placing phase, where databases know all.
//!
//! Gasser, "Solving Nine Men's Morris", 1996, did this with all 28 databases for the start position.

use std::sync::Arc;

use search::alphabeta::{AlphaBeta, Config, Ordering};
use search::{Game, Limits, Root, Score, Search};

use crate::database::Database;
use crate::eval::Evaluator;
use crate::{Position, Rules};

/// The value of a position from its side to move, if the databases hold everything that can follow.
///
/// Nothing is pruned that could matter, and no depth is saved: a leaf is a database position or a finished game.
pub fn value(position: Position, database: Arc<Database>, mib: usize) -> Result<Score, String> {
    let turn = position.turn();
    // The databases know no quiet limit, and with one in sight the search would not believe them.
    let rules = Rules { quiet_limit: 0, ..position.rules };
    let position = Position::new(rules, position.men, position.hand, turn, 0, position.memory);
    // The side with more men in hand places while the other moves already.
    let plies = (2 * position.hand(turn)).saturating_sub(1).max(2 * position.hand(!turn));
    let mut search = AlphaBeta::new(config(), Evaluator { database: Some(database), ..Evaluator::default() });
    search.resize(mib)?;
    let (_, lines) = search.ask(&Root::new(position), &Limits::depth(plies.max(1)));
    let unsearched = || if position.count() == 0 { Score::LOSS } else { Score::DRAW };
    Ok(lines.last().map_or_else(unsearched, |line| line.score))
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
        let moves = position.list();
        let after = |&m: &crate::Move| {
            let next = position.after(m);
            -minimax(&next, database)
        };
        moves.iter().map(after).max().unwrap_or(-1)
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
            let found = value(position, Arc::clone(&database), 1).unwrap();
            assert_eq!(found.0.signum(), minimax(&position, &database), "{fen}: {found}");
            assert!(found == Score::DRAW || found.is_decisive(), "{fen}: {found}");
            let limited = Rules { quiet_limit: 4, ..Rules::STANDARD };
            let limited = Position::read(&limited, fen).unwrap();
            assert_eq!(value(limited, Arc::clone(&database), 1), Ok(found), "{fen}");
        }
    }
}
