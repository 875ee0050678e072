//! Ways to find the squares that a sliding piece attacks: section 6.1 of the thesis has a look-up by rank for rooks and
//! Hyperbola Quintessence for bishops.

use std::hint::black_box;
use std::time::Instant;

use anyhow::Result;
use chess::attacks::Square;
use chess::attacks::sliders::{Fastest, Hyperbola, Magic, RankTable, Sliders};
use search::Random;

use crate::lab::claim::Claim;
use crate::lab::estimate::number;
use crate::lab::experiment::{Cell, Experiment, Figures, Scale, figures};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "chess-generators",
    about: "ways to find the attacks of sliding pieces in chess: whether they agree, and how fast they are",
    source: "Kushnir, 6.1",
    time: "1 min",
    cells,
    page,
};

/// A generator: its name, whether it attacks as the fastest one does, and how long so many queens take it.
type Generator = (&'static str, fn(u64, u64) -> u64, fn(u64) -> f64);

fn generators() -> Vec<Generator> {
    fn of<S: Sliders>() -> Generator {
        (S::NAME, differing::<S>, seconds::<S>)
    }
    let mut list = vec![of::<Fastest>(), of::<Magic>(), of::<RankTable>(), of::<Hyperbola>()];
    // On some machines the fastest one is the second.
    list.dedup_by_key(|generator| generator.0);
    list
}

const EACH: u64 = 100_000;
const DIFFERING: &str = "differing";
const NANOSECONDS: &str = "ns";

fn timed_name(name: &str) -> String {
    format!("{name}, timed")
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let (samples, rounds) =
        (scale.pick([1, 5, 20, 100]), scale.pick([1_000, 2_000_000, 10_000_000, 20_000_000]));
    let scale = *scale;
    let mut cells = Vec::new();
    for (name, differing, seconds) in generators() {
        let compare = move |sample| -> Result<Figures> {
            let count = differing(scale.seed_of(sample), EACH);
            Ok(figures([(DIFFERING, count as f64), ("compared", EACH as f64)]))
        };
        let time = move |_| Ok(figures([(NANOSECONDS, seconds(rounds) * 1e9 / rounds as f64)]));
        cells.push(Cell::new(name, samples, compare));
        cells.push(Cell::new(timed_name(name), samples, time).timed());
    }
    Ok(cells)
}

/// On how many of so many random boards a queen attacks other squares than by the fastest generator.
fn differing<S: Sliders>(seed: u64, boards: u64) -> u64 {
    let mut random = Random::new(seed);
    let mut count = 0;
    for _ in 0..boards {
        let (from, occupied) = (Square((random.bits() & 63) as u8), random.bits() & random.bits());
        let is_same = S::rook(from, occupied) == Fastest::rook(from, occupied)
            && S::bishop(from, occupied) == Fastest::bishop(from, occupied);
        count += u64::from(!is_same);
    }
    count
}

fn seconds<S: Sliders>(rounds: u64) -> f64 {
    // What is made at first use is no part of it.
    let (mut occupied, mut sum) = (0x00ff_1234_5678_ff00u64, S::rook(Square(0), 0));
    let begun = Instant::now();
    for i in 0..rounds {
        let from = Square((i & 63) as u8);
        sum = sum.wrapping_add(S::rook(from, occupied) ^ S::bishop(from, occupied));
        occupied = occupied.rotate_left(7) ^ i;
    }
    black_box(sum);
    begun.elapsed().as_secs_f64()
}

fn page(results: &Results, page: &mut Page) {
    page.say(
        "A queen on random boards. The thesis names its generators, not their speed; what is compared is whether all \
         find the same squares.",
    );
    let sum = |name: &str, figure| results.sum(name, figure);
    let row = |(name, ..): Generator| {
        let differing = sum(name, DIFFERING).zip(sum(name, "compared"));
        let differing = differing.map(|(differing, of)| format!("{} of {}", number(differing), number(of)));
        vec![name.to_owned(), or_dash(differing), or_dash(results.mean(&timed_name(name), NANOSECONDS))]
    };
    page.table(
        &["generator", "boards with other squares", "ns a queen"],
        generators().into_iter().map(row).collect(),
    );
    let agreeing = generators().iter().filter(|(name, ..)| sum(name, DIFFERING) == Some(0.0)).count();
    page.claim(Claim::all(
        "Look-up by rank and Hyperbola Quintessence find every attack",
        agreeing,
        generators().len(),
    ));
}
