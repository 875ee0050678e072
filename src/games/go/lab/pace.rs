//! Playouts a second of our default engine, from the empty board, and what a network takes for a position.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use go::network::{Network, Shape};
use go::playout::{Simulator, Style};
use go::policy::{Advisor, Knowledge};
use go::{Board, Go, Point, Position, Rules};
use search::mcts::Policy;
use search::{Control, Engine, Limits, Random, Root, Search};

use crate::lab::experiment::{Figures, figures};
use crate::lab::speed::{Pace, Take, ready};

/// What is measured of Go.
pub(super) const SPEED: &[Pace] = &[
    Pace { name: "light playouts on 9x9", samples: SAMPLES, measure: light::<9>, check: ready },
    Pace { name: "light playouts on 19x19", samples: SAMPLES, measure: light::<19>, check: ready },
    Pace { name: "default search on 9x9", samples: SAMPLES, measure: searched::<9>, check: ready },
    Pace { name: "default search on 19x19", samples: SAMPLES, measure: searched::<19>, check: ready },
    Pace { name: "network on 9x9", samples: SAMPLES, measure: judged::<9>, check: ready },
    Pace { name: "network on 19x19", samples: SAMPLES, measure: judged::<19>, check: ready },
];
const SAMPLES: [u64; 4] = [1, 2, 5, 5];
/// Of each sample.
const SECONDS: f64 = 3.0;
const UNIT: &str = "playouts a second";

fn start(size: usize) -> Result<Position> {
    Ok(Position::empty(Rules::default().with_size(size).context("a board of this size")?))
}

/// Playouts of the uniform policy, counted at their end.
fn light<const SIZE: usize>(take: Take) -> Result<Figures> {
    let start = Board::new(&start(SIZE)?, [Point::NONE; 2]);
    let (mut simulator, mut random) = (Simulator::new(Style::Light, &start), Random::new(take.seed));
    let (mut board, mut trace) = (start.clone(), Vec::new());
    let (begun, mut playouts, mut black) = (Instant::now(), 0u64, 0i64);
    while begun.elapsed() < take.time(SECONDS) {
        for _ in 0..100 {
            board.clone_from(&start);
            trace.clear();
            simulator.finish(&mut board, &mut random, &mut trace);
            // The results are used, so that nobody may leave the counting out.
            black += i64::from(board.area() > 0);
            playouts += 1;
        }
    }
    std::hint::black_box(black);
    Ok(figures([(UNIT, playouts as f64 / begun.elapsed().as_secs_f64())]))
}

/// Playouts of the default search with one thread, and how many times as many two make.
fn searched<const SIZE: usize>(take: Take) -> Result<Figures> {
    let root = Root::new(start(SIZE)?);
    let mut speeds = [0.0; 2];
    for (threads, speed) in (1..=2).zip(&mut speeds) {
        let mut go = Go::new();
        go.set("Threads", &threads.to_string())?;
        let begun = Instant::now();
        go.think(&root, &Limits::move_time(take.time(SECONDS)), &Control::default(), &mut |_| {});
        *speed = go.search().summary().playouts as f64 / begun.elapsed().as_secs_f64();
    }
    Ok(figures([(UNIT, speeds[0]), ("times as many with two threads", speeds[1] / speeds[0])]))
}

/// Judgements of a network of 5 blocks of 32 channels that has learned nothing, with all that it is shown.
fn judged<const SIZE: usize>(take: Take) -> Result<Figures> {
    let shape = Shape::new(5, 32).context("the shape of a network")?;
    let mut root = Root::new(start(SIZE)?);
    ["D4", "F6", "C6", "F4", "F3", "G4", "C3"]
        .into_iter()
        .try_for_each(|text| root.play_text(text).map(drop))?;
    let mut knowledge = Knowledge::new(Style::Light);
    knowledge.advisor = Some(Advisor::new(Arc::new(Network::random(shape, take.seed)), 0.0, 1));
    let board = knowledge.board(&root);
    let (begun, mut count) = (Instant::now(), 0u64);
    while begun.elapsed() < take.time(SECONDS) {
        std::hint::black_box(knowledge.judged(&board, &[]));
        count += 1;
    }
    Ok(figures([("milliseconds a position", 1000.0 * begun.elapsed().as_secs_f64() / count as f64)]))
}
