//! Our speed beside Stockfish's, each by its own `bench` and `go perft`.

use std::path::PathBuf;

use anyhow::{Context, Result};
use chess::Chess;

use crate::lab::experiment::{Figures, Size, figures};
use crate::lab::speed::{Pace, Take, depth, leaves, ready, said, second_thread, there_is};
use crate::matches::plan::find_program;

/// What is measured of chess.
pub(super) const SPEED: &[Pace] = &[
    Pace { name: "perft 6", samples: [1, 1, 5, 5], measure: leaves::<Chess, 6>, check: ready },
    Pace {
        name: "depth in 1 s, middle game",
        samples: [1, 3, 20, 20],
        measure: depth::<Chess, 1, 8, 40>,
        check: ready,
    },
    Pace {
        name: "second thread, middle game",
        samples: [0, 2, 20, 20],
        measure: second_thread::<Chess, 8, 40>,
        check: ready,
    },
    Pace {
        name: "bench beside Stockfish",
        samples: [0, 1, 3, 3],
        measure: bench,
        check: || there_is(STOCKFISH),
    },
    Pace {
        name: "perft beside Stockfish",
        samples: [1, 1, 3, 3],
        measure: perft,
        check: || there_is(STOCKFISH),
    },
];
const STOCKFISH: &str = "stockfish";

fn programs() -> Result<[(PathBuf, Vec<&'static str>); 2]> {
    let theirs = find_program(STOCKFISH, None).context("stockfish: no such program")?;
    Ok([(std::env::current_exe()?, vec!["engine", "chess"]), (theirs, Vec::new())])
}

fn bench(_: Take) -> Result<Figures> {
    let mut speeds = [0.0; 2];
    for ((program, words), speed) in programs()?.into_iter().zip(&mut speeds) {
        let (text, _) = said(&program, &[words, vec!["bench"]].concat())?;
        let line = text.lines().find(|line| line.starts_with("Nodes/second"));
        let number = line.and_then(|line| line.rsplit(':').next()?.trim().parse::<f64>().ok());
        *speed = number.with_context(|| format!("{} tells no speed", program.display()))?;
    }
    Ok(figures([("times Stockfish's nodes a second", speeds[0] / speeds[1])]))
}

fn perft(take: Take) -> Result<Figures> {
    let depth = if take.size == Size::Tiny { "1" } else { "6" };
    let mut seconds = [0.0; 2];
    for ((program, words), time) in programs()?.into_iter().zip(&mut seconds) {
        *time = said(&program, &[words, vec!["go", "perft", depth]].concat())?.1;
    }
    Ok(figures([("times as fast as Stockfish", seconds[1] / seconds[0])]))
}
