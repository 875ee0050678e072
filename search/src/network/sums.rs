//! The hidden units of both views, carried along the line that a search follows.
//!
//! A move notes what it changes; sums are made when a value is asked for, from the nearest position below that has
//! some. Positions whose value nobody asks for cost next to nothing.

use std::sync::Arc;

use super::{Inputs, Network, kernels};
use crate::{Game, Score, Side};

/// More changes than this are told anew.
const MOST_CHANGES: usize = 8;

/// What a move changes as one view sees it.
#[derive(Clone, Copy, Default)]
struct Changes {
    off: [u16; MOST_CHANGES],
    on: [u16; MOST_CHANGES],
    /// How many of each.
    counts: [usize; 2],
    /// They are too many, or the sums hang together with nothing below.
    anew: bool,
    /// The sums are made.
    made: bool,
}

impl Changes {
    fn off(&self) -> &[u16] {
        &self.off[..self.counts[0]]
    }

    fn on(&self) -> &[u16] {
        &self.on[..self.counts[1]]
    }
}

/// Notes an input if there is room.
fn note(list: &mut [u16; MOST_CHANGES], count: &mut usize, input: usize) {
    if let Some(place) = list.get_mut(*count) {
        *place = input as u16;
    }
    *count += 1;
}

/// A stack of sums for one search thread.
#[derive(Clone)]
pub struct Sums<I> {
    network: Arc<Network>,
    /// For each position of the line both views, White's first.
    changes: Vec<[Changes; 2]>,
    /// Their sums, one after the other.
    units: Vec<i16>,
    inputs: std::marker::PhantomData<I>,
}

impl<I: Inputs> Sums<I> {
    /// An empty stack.
    pub fn new(network: Arc<Network>) -> Self {
        Sums { network, changes: Vec::new(), units: Vec::new(), inputs: std::marker::PhantomData }
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Begins at a root.
    pub fn enter(&mut self) {
        self.changes.clear();
        self.lay([Changes { anew: true, ..Changes::default() }; 2]);
    }

    /// Follows a move or a pass.
    pub fn push(&mut self, before: &I::Game, after: &I::Game) {
        let changes = [Side::White, Side::Black].map(|view| {
            let mut changes = Changes::default();
            let Changes { off, on, counts: [gone, come], .. } = &mut changes;
            let few = I::changes(before, after, view, |i| note(off, gone, i), |i| note(on, come, i));
            changes.anew = !few || changes.counts.iter().any(|&count| count > MOST_CHANGES);
            changes
        });
        self.lay(changes);
    }

    /// Follows it back.
    pub fn pop(&mut self) {
        self.changes.pop();
    }

    fn lay(&mut self, changes: [Changes; 2]) {
        self.changes.push(changes);
        let needed = self.changes.len() * 2 * self.network.hidden;
        if self.units.len() < needed {
            self.units.resize(needed, 0);
        }
    }

    /// The value of the position on top of the stack for its mover.
    pub fn score(&mut self, position: &I::Game) -> Score {
        let top = self.changes.len() - 1;
        for view in [Side::White, Side::Black] {
            self.make(position, top, view);
        }
        let turn = position.turn();
        let [own, other] =
            [turn, !turn].map(|view| &self.units[self.place(top, view)..][..self.network.hidden]);
        self.network.value(own, other, I::bucket(position))
    }

    /// Where the sums of a position begin.
    fn place(&self, index: usize, view: Side) -> usize {
        (2 * index + view.index()) * self.network.hidden
    }

    /// Makes the sums of the top of the stack, and those on the way to it.
    fn make(&mut self, position: &I::Game, top: usize, view: Side) {
        let mut first = top;
        while !self.changes[first][view.index()].made {
            if self.changes[first][view.index()].anew {
                let place = self.place(top, view);
                let sums = &mut self.units[place..][..self.network.hidden];
                self.network.sum(sums, |tell| I::active(position, view, tell));
                let changes = &mut self.changes[top][view.index()];
                (changes.made, changes.anew) = (true, true);
                return;
            }
            first -= 1;
        }
        for index in first + 1..=top {
            self.follow(index, view);
        }
    }

    /// Makes the sums of a position from those of the one before it.
    fn follow(&mut self, index: usize, view: Side) {
        let (network, place) = (&self.network, self.place(index, view));
        let (below, here) = self.units.split_at_mut(place);
        let from = &below[place - 2 * network.hidden..][..network.hidden];
        let to = &mut here[..network.hidden];
        let changes = &mut self.changes[index][view.index()];
        let row = |&input: &u16| network.row(input.into());
        match (changes.off(), changes.on()) {
            ([off], [on]) => kernels::moved(to, from, row(off), row(on)),
            ([off, gone], [on]) => kernels::captured(to, from, [row(off), row(gone)], row(on)),
            (off, on) => {
                to.copy_from_slice(from);
                off.iter().for_each(|input| kernels::subtract(to, row(input)));
                on.iter().for_each(|input| kernels::add(to, row(input)));
            }
        }
        changes.made = true;
    }
}
