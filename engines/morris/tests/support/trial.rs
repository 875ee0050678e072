//! Playing endgames out against the database itself: the proof that knowing a value is enough to reach it.

use morris::database::Database;
use morris::{Morris, Move, Position};
use search::endgame::Value;
use search::{Control, Game, Limits, Outcome, Random, Root, Search, Side};

/// Who plays against the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Knows the tables.
    Best,
    /// Plays any move.
    Random,
}

/// How positions are played out.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Won positions, and as many drawn ones.
    pub each: usize,
    /// Nodes of each search of the engine; few do where it knows the root's value anyway.
    pub nodes: u64,
    /// Who plays against it.
    pub opponent: Opponent,
    /// Whether the engine knows distances, so that every win must be as quick as can be.
    pub exact: bool,
}

/// What the games of a trial came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trial {
    /// Won positions that were won.
    pub won: usize,
    /// Drawn positions that were drawn.
    pub held: usize,
    /// Drawn positions that were won, the opponent having been led astray.
    pub gained: usize,
    /// What should not be: the position, its value and what became of it.
    pub failed: Vec<String>,
}

impl Trial {
    /// Plays random won and random drawn positions of the tables out.
    pub fn run(engine: &mut Morris, database: &Database, terms: Terms, random: &mut Random) -> Trial {
        let mut trial = Trial::default();
        let (mut wins, mut draws) = (0, 0);
        while wins < terms.each || draws < terms.each {
            let (start, value) = database.any(random);
            let count = if value.is_win() { &mut wins } else { &mut draws };
            if value.is_loss() || *count == terms.each || start.count() == 0 {
                continue;
            }
            *count += 1;
            match play_out(engine, database, start, terms, random) {
                Ok(outcome) => trial.note(&start, value, &outcome),
                Err(why) => trial.failed.push(format!("{start}, {value:?}: {why}")),
            }
        }
        trial
    }

    fn note(&mut self, start: &Position, value: Value, outcome: &Outcome) {
        match outcome.winner {
            Some(Side::White) if value.is_win() => self.won += 1,
            Some(Side::White) => self.gained += 1,
            None if value == Value::DRAW => self.held += 1,
            _ => self.failed.push(format!("{start}, {value:?}: {outcome:?}")),
        }
    }
}

/// Plays a position out with the engine for White; an error names a move after which less is left than before.
fn play_out(
    engine: &mut Morris,
    database: &Database,
    start: Position,
    terms: Terms,
    random: &mut Random,
) -> Result<Outcome, String> {
    let mut root = Root::new(start);
    engine.forget();
    loop {
        if let Some(outcome) = root.outcome() {
            return Ok(outcome);
        }
        let m = if root.position().turn() == Side::White {
            let limits = Limits::nodes(terms.nodes);
            let best = engine.think(&root, &limits, &Control::default(), &mut |_| {});
            let m = best.best.expect("the game is not over");
            check(database, root.position(), m, terms.exact)?;
            m
        } else if terms.opponent == Opponent::Best {
            best_reply(database, &root, random)
        } else {
            let moves = root.legal();
            moves[random.below(moves.len() as u32) as usize]
        };
        root.play(m);
    }
}

/// Whether a move keeps what the tables promise: a win, one ply nearer if distances are known, or a draw.
fn check(database: &Database, position: &Position, m: Move, exact: bool) -> Result<(), String> {
    let next = position.after(m);
    if next.drawn(0).is_some() {
        return Ok(());
    }
    let after = if next.count() == 0 { Some(Value::LOST) } else { database.value(&next) };
    let (Some(before), Some(after)) = (database.value(position), after) else { return Ok(()) };
    let keeps = match before.plies() {
        None => after == Value::DRAW,
        Some(plies) => after.is_loss() && (!exact || after.plies() == Some(plies - 1)),
    };
    if keeps {
        Ok(())
    } else {
        Err(format!("{} in {position} turned {before:?} into {after:?}", position.write(m)))
    }
}

/// The reply that the database likes best, by chance among equals.
fn best_reply(database: &Database, root: &Root<Position>, random: &mut Random) -> Move {
    let worth = |m: Move| {
        let next = root.position().after(m);
        match if next.count() == 0 { Some(Value::LOST) } else { database.value(&next) } {
            Some(value) if value.is_loss() => 1000 - value.plies().unwrap_or(0) as i32,
            Some(value) if value.is_win() => value.plies().unwrap_or(0) as i32 - 1000,
            _ => 0,
        }
    };
    let moves = root.legal();
    let best = moves.iter().map(|&m| worth(m)).max();
    let equal: Vec<Move> = moves.into_iter().filter(|&m| Some(worth(m)) == best).collect();
    equal[random.below(equal.len() as u32) as usize]
}
