//! Solving one unit: every state's moves are looked at once, then values spread backwards, nearest end first.
//!
//! Each state carries the number of its moves that are not yet known to lose. Level by level, a lost state makes
//! all states before it won; a won state takes one move from each state before it, and a state without moves left
//! is lost. What is never reached is drawn.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::{Exit, Progress, Prospect, Space, Value, Watch};

/// States handled between two reports and as one piece of parallel work.
const CHUNK: u64 = 1 << 16;

/// A unit has a state further from the end than a value can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an end lies more than {} plies away; without distances (--wdl) the unit can be built",
    Value::DEEPEST
)]
pub struct TooDeep;

/// Solves a unit; `lower` tells the values of those before it. The result has one code a state.
pub(crate) fn solve<S: Space>(
    space: &S,
    unit: usize,
    lower: &(impl Fn(usize, u64) -> Value + Sync),
    watch: Watch<'_>,
) -> Result<Vec<u8>, TooDeep> {
    let states = space.states(unit);
    let empty = || (0..states).map(|_| AtomicU8::new(0)).collect();
    let job = Job {
        space,
        unit,
        lower,
        watch,
        values: empty(),
        open: empty(),
        deepest: AtomicU8::new(0),
        too_deep: AtomicBool::new(false),
    };
    job.look_ahead();
    let mut level = 0;
    while level <= job.deepest.load(Relaxed) && !job.too_deep.load(Relaxed) {
        job.spread(level);
        level += 1;
    }
    if job.too_deep.load(Relaxed) {
        return Err(TooDeep);
    }
    Ok(job.values.into_iter().map(AtomicU8::into_inner).collect())
}

struct Job<'a, S, L> {
    space: &'a S,
    unit: usize,
    lower: &'a L,
    watch: Watch<'a>,
    /// A code for each state, [`Value::DRAW`] while unknown. A win may still become quicker until its level comes.
    values: Vec<AtomicU8>,
    /// For each state, its moves not known to lose.
    open: Vec<AtomicU8>,
    deepest: AtomicU8,
    too_deep: AtomicBool,
}

impl<S: Space, L: Fn(usize, u64) -> Value + Sync> Job<'_, S, L> {
    /// Counts the moves of every state and notes what those that leave the unit are worth.
    fn look_ahead(&self) {
        self.sweep("looking ahead", |index| {
            let (prospect, stays) = self.leaving(index);
            let decided = stays == 0 && !prospect.draws || prospect.win.is_some();
            let plies = if decided { prospect.plies() } else { None };
            self.open[index as usize].store((stays + u32::from(prospect.draws)) as u8, Relaxed);
            self.values[index as usize].store(Value::DRAW.code(), Relaxed);
            if let Some(plies) = plies {
                self.settle(index, plies);
            }
        });
    }

    /// Carries the states that lie `level` plies from the end back to those before them.
    fn spread(&self, level: u8) {
        let won = level % 2 == 1;
        let stage = format!("{} in {level}", if won { "wins" } else { "losses" });
        self.sweep(&stage, |index| {
            if self.values[index as usize].load(Relaxed) != level {
                return;
            }
            self.space.unsteps(self.unit, index, |before| {
                if won {
                    self.close(before, u32::from(level) + 1);
                } else {
                    self.settle(before, u32::from(level) + 1);
                }
            });
        });
    }

    /// One more move of the state loses, after `plies` at most.
    fn close(&self, index: u64, plies: u32) {
        let was = self.open[index as usize].fetch_sub(1, Relaxed);
        debug_assert!(was > 0, "more ways back than moves");
        if was == 1 && self.values[index as usize].load(Relaxed) == Value::DRAW.code() {
            self.settle(index, plies.max(self.leaving(index).0.resists));
        }
    }

    /// Notes a distance unless a shorter one is known; levels come in order, so a loss is noted once.
    fn settle(&self, index: u64, plies: u32) {
        match Value::after(plies) {
            Some(value) => {
                self.values[index as usize].fetch_min(value.code(), Relaxed);
                self.deepest.fetch_max(value.code(), Relaxed);
            }
            None => self.too_deep.store(true, Relaxed),
        }
    }

    fn leaving(&self, index: u64) -> (Prospect, u32) {
        let mut prospect = Prospect::default();
        let stays = self.space.exits(self.unit, index, |exit| {
            prospect.add(match exit {
                Exit::Won => Value::LOST,
                Exit::To { unit, index } => (self.lower)(unit, index),
            });
        });
        (prospect, stays)
    }

    fn sweep(&self, stage: &str, each: impl Fn(u64) + Sync) {
        sweep(self.space, self.unit, stage, self.watch, each);
    }
}

/// Runs over all states of a unit in parallel and reports on the way.
pub(crate) fn sweep<S: Space>(
    space: &S,
    unit: usize,
    stage: &str,
    watch: Watch<'_>,
    each: impl Fn(u64) + Sync,
) {
    let total = space.states(unit);
    let label = space.label(unit);
    let done = AtomicU64::new(0);
    (0..total.div_ceil(CHUNK)).into_par_iter().for_each(|chunk| {
        let range = chunk * CHUNK..((chunk + 1) * CHUNK).min(total);
        let length = range.end - range.start;
        range.for_each(&each);
        let done = done.fetch_add(length, Relaxed) + length;
        watch(&Progress { unit: label.clone(), stage: stage.to_owned(), done, total });
    });
}

#[cfg(test)]
mod tests {
    use super::super::tests::Heap;
    use super::*;

    fn solved(most: u64) -> [Vec<Value>; 2] {
        let space = Heap { most };
        let values = |codes: Vec<u8>| codes.into_iter().map(Value::from_code).collect::<Vec<_>>();
        let low = values(solve(&space, 0, &|_, _| unreachable!(), &|_| {}).unwrap());
        let high = values(solve(&space, 1, &|_, index| low[index as usize], &|_| {}).unwrap());
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
