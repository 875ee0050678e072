//! Solving one unit: every state's moves are looked at once, then values spread backwards, nearest end first.
//!
//! Each seat carries the number of its moves that are not yet known to lose. Level by level, a lost state makes
//! all seats before it won; a won state takes one move from each seat before it, and a seat without moves left is
//! lost. What is never reached is drawn. The work goes through the states in order and from each to the seats
//! before it, which a game keeps close; only a seat that is decided writes far away, once.

use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU64};

use rayon::prelude::*;

use super::{Exit, Observer, Progress, Prospect, Space, Value};

/// States handled between two reports and as one piece of parallel work.
const CHUNK: u64 = 1 << 16;
/// States that share a note of the levels found among them.
const GROUP: u64 = 1 << 10;

/// In place of a count: some move wins, perhaps not yet the quickest.
const WINS: u8 = u8::MAX - 1;
/// In place of a count: nothing can change any more.
const DECIDED: u8 = u8::MAX;

/// A unit has a state further from the end than a value can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an end is more than {} plies away", Value::DEEPEST)]
pub struct TooDeep;

/// Solves a unit; `lower` tells the values of those before it. The result has one value a state.
pub(crate) fn solve<S: Space>(
    space: &S,
    unit: usize,
    lower: &(impl Fn(usize, u64) -> Value + Sync),
    observer: Observer<'_>,
) -> Result<Vec<Value>, TooDeep> {
    let states = space.states(unit);
    let job = Job {
        space,
        unit,
        lower,
        observer,
        values: (0..states).map(|_| AtomicU16::new(Value::DRAW.code())).collect(),
        open: (0..space.seats(unit)).map(|_| AtomicU8::new(0)).collect(),
        levels: (0..states.div_ceil(GROUP)).map(|_| AtomicU64::new(0)).collect(),
        deepest: AtomicU16::new(0),
        stays: AtomicBool::new(false),
        too_deep: AtomicBool::new(false),
    };
    job.look_ahead();
    let mut level = 0;
    while job.stays.load(Relaxed) && level <= job.deepest.load(Relaxed) && !job.too_deep.load(Relaxed) {
        job.spread(level);
        level += 1;
    }
    if job.too_deep.load(Relaxed) {
        return Err(TooDeep);
    }
    Ok(job.values.into_iter().map(|value| Value::from_code(value.into_inner())).collect())
}

struct Job<'a, S, L> {
    space: &'a S,
    unit: usize,
    lower: &'a L,
    observer: Observer<'a>,
    /// A code for each state, [`Value::DRAW`] while unknown. A win may still become quicker until its level comes.
    values: Vec<AtomicU16>,
    /// For each seat, its moves not known to lose, or one of the marks above.
    open: Vec<AtomicU8>,
    /// For each group of states a bit for every level modulo 64 that may wait there to be carried back.
    levels: Vec<AtomicU64>,
    deepest: AtomicU16,
    /// Some move stays in the unit, so that there is something to be carried back.
    stays: AtomicBool,
    too_deep: AtomicBool,
}

impl<S: Space, L: Fn(usize, u64) -> Value + Sync> Job<'_, S, L> {
    /// Counts the moves of every seat and notes what those that leave the unit are worth.
    fn look_ahead(&self) {
        self.sweep(self.space.seats(self.unit), "looking ahead", |group| {
            for seat in group {
                let open = self.look_ahead_from(seat);
                self.open[seat as usize].store(open, Relaxed);
            }
        });
    }

    /// Settles a seat whose moves out of the unit decide it, and returns its count or mark.
    fn look_ahead_from(&self, seat: u64) -> u8 {
        let (prospect, stays) = self.leaving(seat);
        if stays > 0 && !self.stays.load(Relaxed) {
            self.stays.store(true, Relaxed);
        }
        match prospect {
            Prospect { win: Some(plies), .. } => {
                self.settle(seat, plies);
                WINS
            }
            Prospect { draws: false, resists, .. } if stays == 0 => {
                self.settle(seat, resists);
                DECIDED
            }
            Prospect { draws, .. } => (stays + u32::from(draws)) as u8,
        }
    }

    /// Carries the states that lie `level` plies from the end back to the seats before them.
    fn spread(&self, level: u16) {
        // Retrograde analysis: states settled at one level settle those a move before them (Thompson, 1986).
        let won = level % 2 == 1;
        let plies = u32::from(level) + 1;
        let stage = format!("{} in {level}", if won { "wins" } else { "losses" });
        self.sweep(self.space.states(self.unit), &stage, |group| {
            let levels = &self.levels[(group.start / GROUP) as usize];
            let bit = 1 << (level % 64);
            if levels.load(Relaxed) & bit == 0 {
                return;
            }
            // Whoever settles a state after this sets the bit again.
            levels.fetch_and(!bit, Acquire);
            let mut later = false;
            for state in group {
                let known = self.values[state as usize].load(Relaxed);
                later |= known > level && known <= Value::DEEPEST && known % 64 == level % 64;
                if known == level {
                    self.space.unsteps(self.unit, state, |seat| {
                        if won {
                            self.close(seat, plies);
                        } else {
                            self.win(seat, plies);
                        }
                    });
                }
            }
            if later {
                levels.fetch_or(bit, Relaxed);
            }
        });
    }

    /// A move of the seat wins in `plies`; levels come in order, so no quiet move wins sooner.
    fn win(&self, seat: u64, plies: u32) {
        let open = &self.open[seat as usize];
        if open.load(Relaxed) != DECIDED {
            open.store(DECIDED, Relaxed);
            self.settle(seat, plies);
        }
    }

    /// One more move of the seat loses, after `plies` at most.
    fn close(&self, seat: u64, plies: u32) {
        let open = &self.open[seat as usize];
        // While wins are carried back nothing is marked but here, so a count stays a count.
        if open.load(Relaxed) >= WINS {
            return;
        }
        let was = open.fetch_sub(1, Relaxed);
        debug_assert!(was > 0, "more ways back than moves");
        if was == 1 {
            open.store(DECIDED, Relaxed);
            self.settle(seat, plies.max(self.leaving(seat).0.resists));
        }
    }

    /// Notes a distance for all states of a seat unless a shorter one is known. Whoever else writes to one of them
    /// at the same time stands for an image of it and writes the same.
    fn settle(&self, seat: u64, plies: u32) {
        let Some(value) = Value::after(plies) else {
            self.too_deep.store(true, Relaxed);
            return;
        };
        self.space.seated(self.unit, seat, |state| {
            let known = &self.values[state as usize];
            if value.code() < known.load(Relaxed) {
                known.store(value.code(), Relaxed);
                self.levels[(state / GROUP) as usize].fetch_or(1 << (value.code() % 64), Release);
            }
        });
        if value.code() > self.deepest.load(Relaxed) {
            self.deepest.fetch_max(value.code(), Relaxed);
        }
    }

    fn leaving(&self, seat: u64) -> (Prospect, u32) {
        let mut prospect = Prospect::default();
        let stays = self.space.exits(self.unit, seat, |exit| {
            prospect.add(match exit {
                Exit::Won => Value::LOST,
                Exit::To { unit, index } => (self.lower)(unit, index),
            });
        });
        (prospect, stays)
    }

    fn sweep(&self, total: u64, stage: &str, each: impl Fn(Range<u64>) + Sync) {
        sweep(total, &self.space.label(self.unit), stage, self.observer, each);
    }
}

/// Runs over the groups of all states or seats of the unit of this label in parallel and reports on the way.
pub(crate) fn sweep(
    total: u64,
    label: &str,
    stage: &str,
    observer: Observer<'_>,
    each: impl Fn(Range<u64>) + Sync,
) {
    let done = AtomicU64::new(0);
    (0..total.div_ceil(CHUNK)).into_par_iter().for_each(|chunk| {
        let (start, end) = (chunk * CHUNK, ((chunk + 1) * CHUNK).min(total));
        (start..end).step_by(GROUP as usize).for_each(|from| each(from..(from + GROUP).min(end)));
        let done = done.fetch_add(end - start, Relaxed) + end - start;
        observer(&Progress { unit: label.to_owned(), stage: stage.to_owned(), done, total });
    });
}

#[cfg(test)]
mod tests {
    use super::super::tests::Heap;
    use super::*;

    fn solved(most: u64) -> [Vec<Value>; 2] {
        let space = Heap { most };
        let low = solve(&space, 0, &|_, _| unreachable!(), &|_| {}).unwrap();
        let high = solve(&space, 1, &|_, index| low[index as usize], &|_| {}).unwrap();
        [low, high]
    }

    #[test]
    fn distances_are_right_up_to_where_the_cycles_begin() {
        let [low, _] = solved(9);
        let text: Vec<String> = low.iter().map(|v| format!("{v:?}")).collect();
        assert_eq!(text[..4], ["loss in 0", "win in 1", "win in 1", "loss in 2"]);
        // Four and five stones take down to three; six could put one back for ever.
        assert_eq!(text[4..7], ["win in 3", "win in 3", "draw"]);
    }

    #[test]
    fn values_agree_with_plain_iteration() {
        let space = Heap { most: 12 };
        let [low, high] = solved(12);
        for (unit, values) in [(0, &low), (1, &high)] {
            for index in 0..space.states(unit) {
                let mut prospect = Prospect::default();
                space.exits(unit, index, |exit| {
                    prospect.add(match exit {
                        Exit::Won => Value::LOST,
                        Exit::To { index, .. } => low[index as usize],
                    });
                });
                space.steps(unit, index, |next| prospect.add(values[next as usize]));
                assert_eq!(prospect.plies(), values[index as usize].plies(), "unit {unit} state {index}");
            }
        }
    }
}
