//! Playing endgames out against the database itself: the proof that knowing a value is enough to reach it.

use morris::database::Database;
use morris::{Morris, Move, Position};
use search::endgame::Value;
use search::{Control, Game, Limits, Outcome, Random, Root, Search, Side};

/// Nodes of a search that knows the root's value anyway.
const NODES: u64 = 500;

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
    /// Plays so many random won and as many random drawn positions out: the engine against the best replies.
    pub fn run(engine: &mut Morris, database: &Database, each: usize, random: &mut Random) -> Trial {
        let mut trial = Trial::default();
        let (mut wins, mut draws) = (0, 0);
        while wins < each || draws < each {
            let (start, value) = database.any(random);
            let count = if value.is_win() { &mut wins } else { &mut draws };
            if value.is_loss() || *count == each || start.count() == 0 {
                continue;
            }
            *count += 1;
            trial.note(&start, value, &play_out(engine, database, start, random));
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

/// Plays a position out: the engine for White against the best replies.
fn play_out(engine: &mut Morris, database: &Database, start: Position, random: &mut Random) -> Outcome {
    let mut root = Root::new(start);
    engine.forget();
    loop {
        if let Some(outcome) = root.outcome() {
            return outcome;
        }
        let m = if root.position().turn() == Side::White {
            let best = engine.think(&root, &Limits::nodes(NODES), &Control::default(), &mut |_| {});
            best.best.expect("the game is not over")
        } else {
            best_reply(database, &root, random)
        };
        root.play(m);
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
