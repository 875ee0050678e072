//! Takes the samples of an experiment, several at once, and keeps each as it comes.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result};
use crossbeam_channel::{Receiver, Sender, select, unbounded};

use super::experiment::Cell;
use super::records::{Records, Sample};
use crate::matches::interrupt::Interrupt;
use crate::progress::Progress;

/// A sample to be taken: the number of its cell and its own.
type Task = (usize, u64);

/// All samples of some cells in the order in which they are taken: the first of each cell, the second of each, ...
fn tasks(cells: &[Cell]) -> Vec<Task> {
    let longest = cells.iter().map(|cell| cell.samples).max().unwrap_or(0);
    let of = |number| {
        let has = move |(_, cell): &(usize, &Cell)| number < cell.samples;
        cells.iter().enumerate().filter(has).map(move |(cell, _)| (cell, number))
    };
    (0..longest).flat_map(of).collect()
}

/// What is wanted of a run.
pub struct Wanted {
    /// Which part, from 1, of how many.
    pub shard: (u64, u64),
    /// Samples at once, except of what is timed.
    pub concurrency: usize,
    /// Leave out what is timed.
    pub counts: bool,
}

/// Takes the samples that are left; ends early when the interrupt is raised. Whether all were taken.
pub fn run(
    cells: Vec<Cell>,
    old: &[Sample],
    wanted: &Wanted,
    records: &mut Records,
    interrupt: &Interrupt,
) -> Result<bool> {
    let (part, parts) = wanted.shard;
    let done: BTreeSet<(&str, u64)> =
        old.iter().map(|sample| (sample.cell.as_str(), sample.number)).collect();
    let own = tasks(&cells).into_iter().zip(0..).filter(|(_, place)| place % parts == part - 1);
    let own: Vec<Task> =
        own.map(|(task, _)| task).filter(|&(cell, _)| !(wanted.counts && cells[cell].timed)).collect();
    let is_left = |&(cell, number): &Task| !done.contains(&(cells[cell].name.as_str(), number));
    let (timed, counted): (Vec<Task>, Vec<Task>) =
        own.iter().copied().filter(is_left).partition(|&(cell, _)| cells[cell].timed);
    let progress =
        Progress::new(own.len() as u64, "samples", (own.len() - timed.len() - counted.len()) as u64);
    let cells = Arc::new(cells);
    for (tasks, concurrency) in [(counted, wanted.concurrency), (timed, 1)] {
        let (samples, count) = (take(&cells, &tasks, concurrency), tasks.len());
        for _ in 0..count {
            let sample = select! {
                recv(samples) -> sample => sample.context("a measurement broke off")??,
                recv(interrupt.bell()) -> _ => {
                    progress.finish();
                    return Ok(false);
                }
            };
            records.append(&sample)?;
            progress.inc(1);
        }
    }
    progress.finish();
    Ok(true)
}

/// Starts threads that take the samples. They are left alone when nobody listens any more: the end of the program ends
/// them, and a sample half taken is worth nothing.
fn take(cells: &Arc<Vec<Cell>>, tasks: &[Task], concurrency: usize) -> Receiver<Result<Sample>> {
    let (queue, left) = unbounded();
    tasks.iter().for_each(|&task| queue.send(task).expect("the other end is here"));
    let (results, samples) = unbounded();
    for _ in 0..concurrency.min(tasks.len()) {
        let (cells, left, results) = (Arc::clone(cells), left.clone(), results.clone());
        thread::spawn(move || work(&cells, &left, &results));
    }
    samples
}

fn work(cells: &[Cell], left: &Receiver<Task>, results: &Sender<Result<Sample>>) {
    for (cell, number) in left.try_iter() {
        let cell = &cells[cell];
        let measured = cell.measure(number).with_context(|| format!("{}, sample {number}", cell.name));
        let sample = measured.map(|figures| Sample { cell: cell.name.clone(), number, figures });
        if results.send(sample).is_err() {
            return;
        }
    }
}
