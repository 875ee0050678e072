//! Proof-number search: can one side force a win? It goes where the least seems missing for an answer, without an
//! opinion on anything, and knows nothing of draws but that they are no wins.
//!
//! Each position has two numbers from its side to move: how much must still be shown for it to reach its aim, and how
//! much for it to fail. The attacker's aim is to win, the other's not to lose. A position that comes up again on its own
//! path helps nobody to win, but what follows from that is true of this path only: it turns the search elsewhere and
//! never counts as an answer. So every answer is right, and where both sides can repeat there may be none.
//!
//! Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002.

use std::io::{self, Read, Write};
use std::marker::PhantomData;

use xxhash_rust::xxh3::Xxh3;

use crate::{Game, Side, zobrist};

/// Never.
const NEVER: u32 = u32::MAX;
/// Not on this path.
const STUCK: u32 = NEVER - 1;
/// Longer paths are given up.
const LONGEST: usize = 400;
/// Entries that share a place.
const WAYS: usize = 4;
/// Bytes of an entry on disk and in memory.
const ENTRY: usize = 24;
const BLACK: u64 = zobrist::mix(0x9d);
const MARKS: usize = 1 << 12;
const MAGIC: &[u8; 16] = b"quintet proof 1\n";

/// What is still missing for a side to move to reach its aim, and to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Positions to be shown for reaching it; 0 if that is shown.
    pub reach: u32,
    /// Positions to be shown for failing; 0 if that is shown.
    pub fail: u32,
}

impl Numbers {
    /// Of a position that nothing is known of.
    pub const OPEN: Numbers = Numbers { reach: 1, fail: 1 };
    const REACHED: Numbers = Numbers { reach: 0, fail: NEVER };
    const FAILED: Numbers = Numbers { reach: NEVER, fail: 0 };

    /// Whether the aim is reached, if that is known.
    pub fn answer(self) -> Option<bool> {
        match self {
            Numbers { reach: 0, .. } => Some(true),
            Numbers { fail: 0, .. } => Some(false),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    numbers: Numbers,
    /// Positions looked at below it.
    work: u32,
    /// The round in which a path that returned was met; numbers that rest on one count in this round only.
    round: u32,
}

const EMPTY: Entry = Entry { key: 0, numbers: Numbers::OPEN, work: 0, round: 0 };

/// What has been found out about a game, for either attacker; it can be kept in a file.
pub struct Proof {
    entries: Vec<Entry>,
    /// Positions looked at.
    pub nodes: u64,
    round: u32,
}

/// A search for one attacker.
struct Attack<'a, G, K, V> {
    proof: &'a mut Proof,
    attacker: Side,
    key: &'a K,
    known: &'a V,
    path: Vec<u64>,
    /// How many of the path share the last bits of their keys, so that few need to be compared.
    marks: Vec<u16>,
    /// When to stop.
    last: u64,
    game: PhantomData<G>,
}

/// A move's position, and its numbers before anything below it was looked at.
struct Child<G> {
    position: G,
    key: u64,
    first: Numbers,
}

impl Proof {
    /// Nothing found out yet; the table takes so many MiB.
    pub fn new(mib: usize) -> Proof {
        let places = ((mib << 20) / (ENTRY * WAYS)).max(1);
        Proof { entries: vec![EMPTY; places * WAYS], nodes: 0, round: 1 }
    }

    /// Looks at so many more positions, unless it is known before whether `attacker` wins from a position; the numbers
    /// are those of its side to move. `key` tells positions apart, `known` tells of some whether the attacker wins.
    pub fn attack<G: Game>(
        &mut self,
        root: &G,
        attacker: Side,
        nodes: u64,
        key: &impl Fn(&G) -> u64,
        known: &impl Fn(&G, Side) -> Option<bool>,
    ) -> Numbers {
        let last = self.nodes + nodes;
        loop {
            let (path, marks) = (Vec::new(), vec![0; MARKS]);
            let proof = &mut *self;
            let mut attack = Attack { proof, attacker, key, known, path, marks, last, game: PhantomData };
            let numbers =
                attack.position(root, salted(key(root), attacker), Numbers { reach: STUCK, fail: STUCK });
            if numbers.answer().is_some() || self.nodes >= last {
                return numbers;
            }
            // With nothing left but paths that return, another round looks for what they hid.
            self.round += 1;
        }
    }

    /// What is known of a position for an attacker so far.
    pub fn numbers<G: Game>(
        &self,
        position: &G,
        attacker: Side,
        key: &impl Fn(&G) -> u64,
    ) -> Option<Numbers> {
        self.find(salted(key(position), attacker)).map(|entry| entry.numbers)
    }

    fn place(&self, key: u64) -> usize {
        let places = (self.entries.len() / WAYS) as u64;
        ((u128::from(key) * u128::from(places)) >> 64) as usize * WAYS
    }

    fn find(&self, key: u64) -> Option<&Entry> {
        let place = self.place(key);
        self.entries[place..place + WAYS].iter().find(|entry| entry.key == key && entry.work > 0)
    }

    /// Keeps what is known of a position; of those that share its place the one with least work gives way.
    fn keep(&mut self, key: u64, numbers: Numbers, work: u64) {
        let place = self.place(key);
        let ways = &mut self.entries[place..place + WAYS];
        let same = ways.iter().position(|entry| entry.key == key);
        let slot =
            same.unwrap_or_else(|| (0..WAYS).min_by_key(|&way| ways[way].work).expect("there are some"));
        let before = if same.is_some() { ways[slot].work } else { 0 };
        let work = before.saturating_add(u32::try_from(work).unwrap_or(u32::MAX)).max(1);
        ways[slot] = Entry { key, numbers, work, round: self.round };
    }

    /// Writes all of it.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut sum = Xxh3::new();
        let mut put = |bytes: &[u8]| {
            sum.update(bytes);
            out.write_all(bytes)
        };
        put(MAGIC)?;
        [self.nodes, u64::from(self.round), self.entries.len() as u64]
            .iter()
            .try_for_each(|n| put(&n.to_le_bytes()))?;
        for Entry { key, numbers: Numbers { reach, fail }, work, round } in &self.entries {
            put(&key.to_le_bytes())?;
            [reach, fail, work, round].iter().try_for_each(|n| put(&n.to_le_bytes()))?;
        }
        let sum = sum.digest();
        out.write_all(&sum.to_le_bytes())
    }

    /// Reads what was written; the size of the table is that of then.
    pub fn read(input: &mut impl Read) -> Result<Proof, String> {
        let mut sum = Xxh3::new();
        let mut bytes = [0; ENTRY];
        let mut take = |count: usize, sum: Option<&mut Xxh3>| {
            input.read_exact(&mut bytes[..count]).map_err(|_| "it is cut off".to_owned())?;
            sum.into_iter().for_each(|sum| sum.update(&bytes[..count]));
            Ok::<_, String>(bytes)
        };
        if take(16, Some(&mut sum))?[..16] != MAGIC[..] {
            return Err("it is no search for a proof, or one of another version".to_owned());
        }
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"));
        let half = |bytes: &[u8]| u32::from_le_bytes(bytes[..4].try_into().expect("four bytes"));
        let [nodes, round, count] = [(); 3].map(|()| take(8, Some(&mut sum)).map(|bytes| word(&bytes)));
        let (nodes, round, count) = (nodes?, round?, count?);
        let mut entries = Vec::new();
        for _ in 0..count {
            let bytes = take(ENTRY, Some(&mut sum))?;
            let numbers = Numbers { reach: half(&bytes[8..]), fail: half(&bytes[12..]) };
            entries.push(Entry {
                key: word(&bytes),
                numbers,
                work: half(&bytes[16..]),
                round: half(&bytes[20..]),
            });
        }
        let told = word(&take(8, None)?);
        if told != sum.digest() || entries.is_empty() || !entries.len().is_multiple_of(WAYS) {
            return Err("its checksum is wrong".to_owned());
        }
        Ok(Proof { entries, nodes, round: round as u32 })
    }
}

impl<G: Game, K: Fn(&G) -> u64, V: Fn(&G, Side) -> Option<bool>> Attack<'_, G, K, V> {
    /// Searches below a position until its numbers reach one of the bounds.
    fn position(&mut self, position: &G, key: u64, bounds: Numbers) -> Numbers {
        let begun = self.proof.nodes;
        self.proof.nodes += 1;
        let children: Vec<Child<G>> = position
            .list()
            .into_iter()
            .map(|m| {
                let position = position.after(m);
                let key = salted((self.key)(&position), self.attacker);
                let first = self.first(&position);
                Child { position, key, first }
            })
            .collect();
        self.path.push(key);
        self.marks[key as usize % MARKS] += 1;
        let numbers = loop {
            let (numbers, best, second) = self.weigh(position, &children);
            let out =
                self.proof.nodes >= self.last || numbers.reach >= bounds.reach || numbers.fail >= bounds.fail;
            let Some(best) = best.filter(|_| !out) else { break numbers };
            let Child { position: next, key, .. } = &children[best];
            let of_best = self.look_up(&children[best]);
            // What the others need is theirs; a quarter more than the second best needs keeps the search from hopping
            // between two moves.
            let bounds = Numbers {
                reach: bounds.fail.saturating_sub(numbers.fail - of_best.reach).min(STUCK),
                fail: bounds.reach.min(second.saturating_add(second / 4).saturating_add(1)).min(STUCK),
            };
            self.position(next, *key, bounds);
        };
        self.path.pop();
        self.marks[key as usize % MARKS] -= 1;
        self.proof.keep(key, numbers, self.proof.nodes - begun);
        numbers
    }

    /// The numbers of a position from those of its moves, the move that needs least, and what the second best needs.
    fn weigh(&self, position: &G, children: &[Child<G>]) -> (Numbers, Option<usize>, u32) {
        let attacks = position.turn() == self.attacker;
        let mut numbers = Numbers::FAILED;
        let (mut best, mut second) = (None, NEVER);
        let mut stuck = false;
        for (at, child) in children.iter().enumerate() {
            let returns = self.marks[child.key as usize % MARKS] > 0 && self.path.contains(&child.key);
            let of_child = if returns || self.path.len() >= LONGEST {
                // Who defends is content to return.
                stuck |= !attacks;
                Numbers { reach: 1, fail: STUCK }
            } else {
                self.look_up(child)
            };
            if of_child.fail < numbers.reach {
                (second, best) = (numbers.reach, Some(at));
                numbers.reach = of_child.fail;
            } else {
                second = second.min(of_child.fail);
            }
            numbers.fail = match (numbers.fail, of_child.reach) {
                (NEVER, _) | (_, NEVER) => NEVER,
                (sum, more) => sum.saturating_add(more).min(STUCK),
            };
        }
        if stuck && numbers.answer().is_none() {
            return (Numbers { reach: 1, fail: STUCK }, None, second);
        }
        (numbers, best, second)
    }

    fn look_up(&self, child: &Child<G>) -> Numbers {
        let Some(Entry { numbers, round, .. }) = self.proof.find(child.key) else { return child.first };
        let is_of_a_path = numbers.answer().is_none() && numbers.reach.max(numbers.fail) >= STUCK;
        if is_of_a_path && *round != self.proof.round { child.first } else { *numbers }
    }

    fn first(&self, position: &G) -> Numbers {
        if let Some(wins) = (self.known)(position, self.attacker) {
            let reached = (position.turn() == self.attacker) == wins;
            return if reached { Numbers::REACHED } else { Numbers::FAILED };
        }
        // Whoever has many moves is hard to beat.
        match position.count() {
            0 => Numbers::FAILED,
            moves => Numbers { reach: 1, fail: moves as u32 },
        }
    }
}

/// What is found out about one attacker is not for the other.
fn salted(key: u64, attacker: Side) -> u64 {
    key ^ if attacker == Side::Black { BLACK } else { 0 }
}
