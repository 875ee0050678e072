//! Win, draw and loss packed as small as a probe of some microseconds allows: each value is guessed from those before.
//!
//! The last eight values choose how likely win, draw and loss are for the next, and a range coder spends as many bits
//! as the surprise deserves: a third of a bit for a state where two would hold any. A block of [`STATES`] values is
//! unpacked up to the one asked for.
//!
//! A packed unit is a header, of the shares of each context and the offset of every block, and the blocks. A block of
//! one word has the same value throughout.
//!
//! Duda, "Asymmetric numeral systems", 2013.

use std::ops::Range;

use rayon::prelude::*;

use super::Value;
use super::file::Packing;

/// Values in a block.
pub(super) const STATES: usize = 1024;
/// Combinations of the last eight values.
const CONTEXTS: usize = 3usize.pow(8);
/// What the shares of a context add up to.
const WHOLE: u32 = 1 << 16;
/// Bytes of the shares: of each context, those of the first value and of the first two.
const SHARES: usize = CONTEXTS * 4;
/// Bytes of a block's offset.
const OFFSET: usize = 4;
/// Bytes of a word, the unit of offsets.
const WORD: usize = 2;
/// The most words of a block: a value costs sixteen bits at most.
const MOST_WORDS: u32 = STATES as u32 + 2;

/// The values as the coder numbers them.
const KINDS: [Value; 3] = [Value::DRAW, Value::WON, Value::LOST];

fn kind(value: Value) -> usize {
    usize::from(value.is_win()) + 2 * usize::from(value.is_loss())
}

/// The context of the value that comes after one of this kind.
#[inline(always)]
fn follow(context: usize, kind: usize) -> usize {
    (3 * context + kind) % CONTEXTS
}

/// How often each kind comes in a context, as parts of [`WHOLE`]; the last takes what the others leave.
#[derive(Clone, Copy)]
struct Shares {
    /// Where the second and the third kind begin.
    starts: [u16; 2],
}

impl Shares {
    fn of(counts: [u64; 3]) -> Shares {
        let all = counts.iter().sum::<u64>().max(1);
        // What occurs gets a share; the last kind always does.
        let share =
            |kind: usize| (counts[kind] * u64::from(WHOLE - 3) / all) as u16 + u16::from(counts[kind] > 0);
        Shares { starts: [share(0), share(0) + share(1)] }
    }

    #[inline(always)]
    fn range(self, kind: usize) -> Range<u32> {
        let [second, third] = self.starts.map(u32::from);
        match kind {
            0 => 0..second,
            1 => second..third,
            _ => third..WHOLE,
        }
    }
}

/// How to unpack the values of one unit.
pub(super) struct Model {
    shares: Vec<Shares>,
    /// The word at which every block begins, and where the last one ends.
    offsets: Vec<u32>,
    states: usize,
}

impl Model {
    /// The bytes before the blocks, for so many states: shares and offsets.
    pub(super) fn header(states: u64) -> u64 {
        SHARES as u64 + states.div_ceil(STATES as u64) * OFFSET as u64
    }

    /// The most bytes that so many states can take.
    pub(super) fn most(states: u64) -> u64 {
        let block = u64::from(MOST_WORDS) * WORD as u64;
        Model::header(states) + states.div_ceil(STATES as u64) * block
    }

    /// Reads the header of packed values that take `bytes` in all. Whatever it says, a header that is not refused
    /// leads to words within those bytes only.
    pub(super) fn read(header: &[u8], states: u64, bytes: u64) -> Result<Model, String> {
        let rest = bytes.checked_sub(Model::header(states));
        let words = rest.filter(|rest| rest.is_multiple_of(WORD as u64)).map(|rest| rest / WORD as u64);
        let end = words.and_then(|words| u32::try_from(words).ok());
        let (Some(end), true) = (end, header.len() as u64 == Model::header(states)) else {
            return Err("its codes are cut off".to_owned());
        };
        let (shares, offsets) = header.split_at(SHARES);
        let word = |bytes: &[u8], at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let shares: Vec<Shares> =
            shares.chunks(4).map(|four| Shares { starts: [word(four, 0), word(four, 2)] }).collect();
        if shares.iter().any(|shares| shares.starts[0] > shares.starts[1]) {
            return Err("its shares make no code".to_owned());
        }
        let four = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let offsets: Vec<u32> = offsets.chunks(OFFSET).map(four).chain([end]).collect();
        let fits = |pair: &[u32]| {
            (pair[0].saturating_add(1)..=pair[0].saturating_add(MOST_WORDS)).contains(&pair[1])
        };
        let wrong = (0..offsets.len() - 1)
            .find(|&block| (block == 0 && offsets[0] != 0) || !fits(&offsets[block..block + 2]));
        match wrong {
            Some(block) => Err(format!("the offset of its packed block {block} is wrong")),
            None => Ok(Model { shares, offsets, states: states as usize }),
        }
    }

    fn extent_of(&self, block: usize) -> Range<usize> {
        let start = SHARES + (self.offsets.len() - 1) * OFFSET;
        let [from, to] = [block, block + 1].map(|block| start + self.offsets[block] as usize * WORD);
        from..to
    }

    /// Visits the first values of a block, from the bytes of its extent.
    #[inline]
    fn walk(&self, extent: &[u8], count: usize, mut visit: impl FnMut(usize, usize)) {
        let mut words = extent.chunks_exact(WORD).map(|two| u32::from(u16::from_le_bytes([two[0], two[1]])));
        let mut next = || words.next().unwrap_or(0);
        let first = next();
        if extent.len() == WORD {
            let kind = first.min(2) as usize;
            return (0..count).for_each(|at| visit(at, kind));
        }
        let mut state = first << 16 | next();
        let mut context = 0;
        for at in 0..count {
            let [second, third] = self.shares[context].starts.map(u32::from);
            let slot = state % WHOLE;
            let kind = usize::from(slot >= second) + usize::from(slot >= third);
            let range = self.shares[context].range(kind);
            state = (range.end - range.start) * (state / WHOLE) + slot - range.start;
            if state < WHOLE {
                state = state << 16 | next();
            }
            context = follow(context, kind);
            visit(at, kind);
        }
    }
}

impl Packing for Model {
    fn extent(&self, index: u64) -> Range<usize> {
        self.extent_of(index as usize / STATES)
    }

    fn value(&self, extent: &[u8], index: u64) -> Option<Value> {
        let mut last = 0;
        self.walk(extent, index as usize % STATES + 1, |_, kind| last = kind);
        Some(KINDS[last])
    }

    fn unpack(&self, bytes: &[u8]) -> Vec<u8> {
        let codes = KINDS.map(|value| value.byte().expect("no distance is kept"));
        let mut values = vec![0; self.states];
        values.par_chunks_mut(STATES).enumerate().for_each(|(block, values)| {
            self.walk(&bytes[self.extent_of(block)], values.len(), |at, kind| values[at] = codes[kind]);
        });
        values
    }
}

/// Packs the values of a unit; distances are dropped.
pub(super) fn pack(values: &[Value]) -> Vec<u8> {
    let shares: Vec<Shares> = frequencies(values).into_iter().map(Shares::of).collect();
    let blocks: Vec<Vec<u16>> = values.par_chunks(STATES).map(|block| write_block(block, &shares)).collect();
    let mut packed: Vec<u8> =
        shares.iter().flat_map(|shares| shares.starts).flat_map(u16::to_le_bytes).collect();
    let mut offset = 0;
    for block in &blocks {
        packed.extend(u32::to_le_bytes(offset));
        offset += block.len() as u32;
    }
    packed.extend(blocks.iter().flatten().flat_map(|word| word.to_le_bytes()));
    packed
}

fn is_uniform(block: &[Value]) -> bool {
    block.iter().all(|&value| kind(value) == kind(block[0]))
}

fn frequencies(values: &[Value]) -> Vec<[u64; 3]> {
    let none = || vec![[0; 3]; CONTEXTS];
    values
        .par_chunks(STATES)
        .filter(|block| !is_uniform(block))
        .fold(none, |mut counts, block| {
            let mut context = 0;
            for kind in block.iter().map(|&value| kind(value)) {
                counts[context][kind] += 1;
                context = follow(context, kind);
            }
            counts
        })
        .reduce(none, |mut sum, part| {
            for (sum, part) in sum.iter_mut().flatten().zip(part.iter().flatten()) {
                *sum += part;
            }
            sum
        })
}

fn write_block(block: &[Value], shares: &[Shares]) -> Vec<u16> {
    if is_uniform(block) {
        return vec![kind(block[0]) as u16];
    }
    let mut context = 0;
    let ranges: Vec<Range<u32>> = block
        .iter()
        .map(|&value| {
            let range = shares[context].range(kind(value));
            context = follow(context, kind(value));
            range
        })
        .collect();
    // The coder is a stack: what is read first is written last.
    let mut words = Vec::new();
    let mut state = WHOLE;
    for range in ranges.iter().rev() {
        let share = range.end - range.start;
        if u64::from(state) >= u64::from(share) << 16 {
            words.push(state as u16);
            state >>= 16;
        }
        state = (state / share) * WHOLE + state % share + range.start;
    }
    words.extend([state as u16, (state >> 16) as u16]);
    words.reverse();
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    fn read(packed: &[u8], states: usize) -> Result<Model, String> {
        let header = packed.get(..Model::header(states as u64) as usize).unwrap_or_default();
        Model::read(header, states as u64, packed.len() as u64)
    }

    fn check(kinds: &[usize]) -> usize {
        let values: Vec<Value> = kinds.iter().map(|&kind| KINDS[kind]).collect();
        let packed = pack(&values);
        assert!(packed.len() as u64 <= Model::most(values.len() as u64));
        let model = read(&packed, values.len()).unwrap();
        let bytes: Vec<u8> = values.iter().map(|value| value.byte().unwrap()).collect();
        assert_eq!(model.unpack(&packed), bytes);
        for index in (0..values.len()).step_by(37) {
            assert_eq!(model.value(&packed[model.extent(index as u64)], index as u64), Some(values[index]));
        }
        packed.len()
    }

    #[test]
    fn values_come_back_as_they_were() {
        let mut random = Random::new(1);
        check(&[]);
        (0..3).for_each(|kind| {
            check(&[kind]);
        });
        check(&(0..100_000).map(|_| random.below(3) as usize).collect::<Vec<_>>());
        // One kind in a hundred thousand still has a code.
        for rare in 0..3 {
            let seldom = |_| if random.below(100_000) == 0 { rare } else { (rare + 1) % 3 };
            check(&(0..300_000).map(seldom).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_can_be_guessed_takes_little_room() {
        let header = Model::header(1_000_000) as usize;
        let periodic: Vec<usize> = (0..1_000_000).map(|i| i / 7 % 3).collect();
        assert!(check(&periodic) - header < 1_000_000 / 100);
        assert_eq!(check(&vec![2; 1_000_000]) - header, 2 * 977);
    }

    #[test]
    fn headers_that_no_units_have_are_refused() {
        let mut random = Random::new(3);
        let values: Vec<Value> = (0..5000).map(|_| KINDS[random.below(3) as usize]).collect();
        let packed = pack(&values);
        let why = |spoil: &dyn Fn(&mut Vec<u8>)| {
            let mut spoiled = packed.clone();
            spoil(&mut spoiled);
            read(&spoiled, 5000).err().unwrap()
        };
        assert_eq!(why(&|bytes| bytes.truncate(100)), "its codes are cut off");
        assert_eq!(why(&|bytes| bytes.push(0)), "its codes are cut off");
        assert_eq!(why(&|bytes| bytes[..4].copy_from_slice(&[2, 0, 1, 0])), "its shares make no code");
        assert_eq!(why(&|bytes| bytes[SHARES] = 1), "the offset of its packed block 0 is wrong");
        let second = SHARES + OFFSET;
        assert_eq!(why(&|bytes| bytes[second..][..4].fill(0)), "the offset of its packed block 0 is wrong");
        assert_eq!(why(&|bytes| bytes[second..][..4].fill(255)), "the offset of its packed block 0 is wrong");
    }
}
