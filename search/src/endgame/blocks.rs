//! Values packed into small blocks: prefix codes that depend on the value before.
//!
//! States that follow each other mostly have similar values, so the class of one value (drawn; won or lost soon,
//! later, late) chooses the code of the next. A block of [`STATES`] values is unpacked up to the one asked for in
//! well under a microsecond, so that nothing needs to be kept unpacked.
//!
//! A packed unit is a header of code lengths, the bit offset of every block, and the bits. A block begins with a
//! bit that says whether all its values are the same, and its first value in eight.
//!
//! Huffman, "A method for the construction of minimum-redundancy codes", 1952.

use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;

use super::Value;
use super::file::Packing;

/// Values in a block.
pub(super) const STATES: usize = 256;
/// The longest code in bits; a table of this many bits decodes it in one look.
const LONGEST: usize = 12;
/// Classes of values that choose the code of the next.
const CLASSES: usize = 15;
/// Bytes of the code lengths.
const LENGTHS: usize = CLASSES * 256;
/// Bytes of a block's offset.
const OFFSET: usize = 5;
/// Bits before the second value of a block.
const LEAD: u64 = 9;
/// The most bits from one block to the next: its values with the longest codes, and up to the next byte.
const MOST_BITS: u64 = LEAD + (STATES as u64 - 1) * LONGEST as u64 + 7;

const DRAW: u8 = u8::MAX;

/// The class of a code: drawn, or won or lost at one of seven distances.
fn class(code: u8) -> usize {
    if code == DRAW {
        return 0;
    }
    let distance = match code {
        0..=3 => 0,
        4..=7 => 1,
        8..=11 => 2,
        12..=17 => 3,
        18..=25 => 4,
        26..=37 => 5,
        _ => 6,
    };
    1 + 2 * distance + usize::from(code % 2)
}

/// How to unpack the values of one unit.
pub(super) struct Codes {
    lengths: Box<[u8]>,
    /// The bit at which every block begins, [`OFFSET`] bytes each.
    offsets: Box<[u8]>,
    /// For each class and the next bits: the value in the low byte, the length of its code in the high one. Filled
    /// when the first value is asked for, as few units of a large database are.
    tables: OnceLock<Box<[u16]>>,
    classes: [u8; 256],
    states: usize,
    /// The length of all.
    bytes: usize,
}

impl Codes {
    /// The bytes before the bits, for so many states: code lengths and offsets.
    pub(super) fn header(states: u64) -> u64 {
        LENGTHS as u64 + states.div_ceil(STATES as u64) * OFFSET as u64
    }

    /// The most bytes that so many states can take.
    pub(super) fn most(states: u64) -> u64 {
        Codes::header(states) + states.div_ceil(STATES as u64) * MOST_BITS.div_ceil(8)
    }

    /// Reads the header of packed values that take `bytes` in all. Whatever it says, a header that is not refused
    /// leads to bits within those bytes only.
    pub(super) fn read(header: &[u8], states: u64, bytes: u64) -> Result<Codes, String> {
        if header.len() as u64 != Codes::header(states) || !(header.len() as u64..).contains(&bytes) {
            return Err("its codes are cut off".to_owned());
        }
        let (lengths, offsets) = header.split_at(LENGTHS);
        if !lengths.chunks(256).all(is_code) {
            return Err("its code lengths make no code".to_owned());
        }
        let codes = Codes {
            lengths: lengths.into(),
            offsets: offsets.into(),
            tables: OnceLock::new(),
            classes: classes(),
            states: states as usize,
            bytes: bytes as usize,
        };
        match (0..codes.blocks()).find(|&block| !codes.is_placed(block)) {
            Some(block) => Err(format!("the offset of its packed block {block} is wrong")),
            None => Ok(codes),
        }
    }

    fn blocks(&self) -> usize {
        self.states.div_ceil(STATES)
    }

    /// Whether a block begins where the one before may end, and ends within the bytes.
    fn is_placed(&self, block: usize) -> bool {
        let (start, end) = (self.offset(block), self.offset(block + 1));
        (block > 0 || start == 0) && (start + LEAD..=start + MOST_BITS).contains(&end)
    }

    fn extent_of(&self, block: usize) -> Range<usize> {
        let start = LENGTHS + self.offsets.len();
        start + (self.offset(block) / 8) as usize..start + self.offset(block + 1).div_ceil(8) as usize
    }

    /// The bit at which a block begins; behind the last one, where the bits end.
    fn offset(&self, block: usize) -> u64 {
        if block == self.blocks() {
            return 8 * (self.bytes - LENGTHS - self.offsets.len()) as u64;
        }
        let mut eight = [0; 8];
        eight[..OFFSET].copy_from_slice(&self.offsets[block * OFFSET..][..OFFSET]);
        u64::from_le_bytes(eight)
    }

    fn tables(&self) -> &[u16] {
        self.tables.get_or_init(|| {
            let mut tables = vec![0; CLASSES << LONGEST];
            for (lengths, table) in self.lengths.chunks(256).zip(tables.chunks_mut(1 << LONGEST)) {
                fill(lengths, table);
            }
            tables.into()
        })
    }

    /// Visits the first values of a block, from the bytes of its extent.
    #[inline]
    fn walk(&self, extent: &[u8], block: usize, count: usize, mut visit: impl FnMut(usize, u8)) {
        let mut bits = Bits { bytes: extent, at: self.offset(block) % 8 };
        let lead = bits.peek();
        bits.at += LEAD;
        let mut code = (lead >> 1) as u8;
        visit(0, code);
        if lead & 1 == 1 {
            (1..count).for_each(|at| visit(at, code));
            return;
        }
        let tables = self.tables();
        let (mut window, mut left) = (bits.peek(), 57);
        for at in 1..count {
            if left < LONGEST as u32 {
                (window, left) = (bits.peek(), 57);
            }
            let class = usize::from(self.classes[usize::from(code)]);
            let entry = tables[class << LONGEST | window as usize & ((1 << LONGEST) - 1)];
            let length = u32::from(entry >> 8);
            window >>= length;
            left -= length;
            bits.at += u64::from(length);
            code = entry as u8;
            visit(at, code);
        }
    }
}

impl Packing for Codes {
    fn extent(&self, index: u64) -> Range<usize> {
        self.extent_of(index as usize / STATES)
    }

    fn value(&self, extent: &[u8], index: u64) -> Option<Value> {
        let mut code = 0;
        let (block, within) = (index as usize / STATES, index as usize % STATES);
        self.walk(extent, block, within + 1, |_, found| code = found);
        Value::told(code)
    }

    fn unpack(&self, bytes: &[u8]) -> Vec<u8> {
        let mut codes = vec![0; self.states];
        codes.par_chunks_mut(STATES).enumerate().for_each(|(block, codes)| {
            self.walk(&bytes[self.extent_of(block)], block, codes.len(), |at, code| codes[at] = code);
        });
        codes
    }
}

/// Bits read from the lowest on.
struct Bits<'a> {
    bytes: &'a [u8],
    at: u64,
}

impl Bits<'_> {
    /// The next bits, at least 57 of them; zeros beyond the end.
    #[inline]
    fn peek(&self) -> u64 {
        let (byte, shift) = ((self.at / 8) as usize, self.at % 8);
        let word = match self.bytes.get(byte..byte + 8) {
            Some(eight) => u64::from_le_bytes(eight.try_into().expect("eight bytes")),
            None => {
                let mut eight = [0; 8];
                let rest = self.bytes.get(byte..).unwrap_or_default();
                eight[..rest.len()].copy_from_slice(rest);
                u64::from_le_bytes(eight)
            }
        };
        word >> shift
    }
}

fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    (0..=u8::MAX).for_each(|code| table[usize::from(code)] = class(code) as u8);
    table
}

/// Packs the values of a unit.
pub(super) fn pack(codes: &[u8]) -> Vec<u8> {
    let classes = classes();
    let lengths: Vec<[u8; 256]> = frequencies(codes, &classes).iter().map(lengths_of).collect();
    let words: Vec<Vec<u32>> = lengths.iter().map(|lengths| words_of(lengths)).collect();
    let parts: Vec<(Vec<u64>, Writer)> = codes
        .par_chunks(STATES << 10)
        .map(|part| {
            let mut out = Writer::default();
            let offsets = part
                .chunks(STATES)
                .map(|block| {
                    let offset = out.length;
                    write_block(block, &classes, &lengths, &words, &mut out);
                    offset
                })
                .collect();
            out.align();
            (offsets, out)
        })
        .collect();
    let mut packed: Vec<u8> = lengths.concat();
    let mut base = 0;
    for (offsets, out) in &parts {
        packed.extend(offsets.iter().flat_map(|offset| {
            let bytes = (base + offset).to_le_bytes();
            <[u8; OFFSET]>::try_from(&bytes[..OFFSET]).expect("five bytes")
        }));
        base += out.length;
    }
    parts.iter().for_each(|(_, out)| packed.extend(&out.bytes));
    packed
}

fn frequencies(codes: &[u8], classes: &[u8; 256]) -> Vec<[u64; 256]> {
    let none = || vec![[0; 256]; CLASSES];
    codes
        .par_chunks(STATES)
        .fold(none, |mut counts, block| {
            if block.iter().any(|&code| code != block[0]) {
                for pair in block.windows(2) {
                    counts[usize::from(classes[usize::from(pair[0])])][usize::from(pair[1])] += 1;
                }
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

fn write_block(
    block: &[u8],
    classes: &[u8; 256],
    lengths: &[[u8; 256]],
    words: &[Vec<u32>],
    out: &mut Writer,
) {
    let same = block.iter().all(|&code| code == block[0]);
    out.write(u32::from(same) | u32::from(block[0]) << 1, LEAD as u8);
    if same {
        return;
    }
    for pair in block.windows(2) {
        let class = usize::from(classes[usize::from(pair[0])]);
        let code = usize::from(pair[1]);
        out.write(words[class][code], lengths[class][code]);
    }
}

/// Bits written from the lowest on.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    length: u64,
}

impl Writer {
    fn write(&mut self, mut word: u32, mut length: u8) {
        while length > 0 {
            let at = (self.length % 8) as u8;
            if at == 0 {
                self.bytes.push(0);
            }
            let taken = length.min(8 - at);
            let bits = (word & ((1 << taken) - 1)) as u8;
            *self.bytes.last_mut().expect("one was pushed") |= bits << at;
            word >>= taken;
            length -= taken;
            self.length += u64::from(taken);
        }
    }

    fn align(&mut self) {
        self.length = self.length.div_ceil(8) * 8;
    }
}

/// The lengths of a prefix code for values that occur so often, 0 for those that do not.
fn lengths_of(counts: &[u64; 256]) -> [u8; 256] {
    let mut counts = *counts;
    loop {
        let lengths = huffman(&counts);
        if lengths.iter().all(|&length| usize::from(length) <= LONGEST) {
            return lengths;
        }
        // Too long: rare values are made more frequent until all codes fit.
        counts.iter_mut().filter(|count| **count > 0).for_each(|count| *count = *count / 2 + 1);
    }
}

fn huffman(counts: &[u64; 256]) -> [u8; 256] {
    let mut lengths = [0; 256];
    let mut trees: Vec<(u64, Vec<u8>)> = (0..=u8::MAX)
        .zip(counts)
        .filter(|(_, count)| **count > 0)
        .map(|(code, &count)| (count, vec![code]))
        .collect();
    if let [(_, only)] = &trees[..] {
        lengths[usize::from(only[0])] = 1;
    }
    while trees.len() > 1 {
        trees.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| b.1[0].cmp(&a.1[0])));
        let (a, b) = (trees.pop().expect("two are left"), trees.pop().expect("one is left"));
        let joined: Vec<u8> = [a.1, b.1].concat();
        joined.iter().for_each(|&code| lengths[usize::from(code)] += 1);
        trees.push((a.0 + b.0, joined));
    }
    lengths
}

/// The words of the code with these lengths, lowest bit first.
fn words_of(lengths: &[u8]) -> Vec<u32> {
    let mut words = vec![0; 256];
    let mut next = 0u32;
    for length in 1..=LONGEST as u32 {
        next <<= 1;
        for code in (0..256).filter(|&code| u32::from(lengths[code]) == length) {
            words[code] = next.reverse_bits() >> (32 - length);
            next += 1;
        }
    }
    words
}

/// Whether there is a prefix code of these lengths.
fn is_code(lengths: &[u8]) -> bool {
    let room = |length: u8| (1usize << LONGEST) >> length;
    lengths.iter().all(|&length| usize::from(length) <= LONGEST)
        && lengths.iter().filter(|&&length| length > 0).map(|&length| room(length)).sum::<usize>()
            <= 1 << LONGEST
}

/// Fills a table by which the code of these lengths is read.
fn fill(lengths: &[u8], table: &mut [u16]) {
    let words = words_of(lengths);
    for code in (0..256).filter(|&code| lengths[code] > 0) {
        let step = 1 << lengths[code];
        for slot in (words[code] as usize..1 << LONGEST).step_by(step) {
            table[slot] = u16::from(lengths[code]) << 8 | code as u16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    fn read(packed: &[u8], states: usize) -> Result<Codes, String> {
        let header = packed.get(..Codes::header(states as u64) as usize).unwrap_or_default();
        Codes::read(header, states as u64, packed.len() as u64)
    }

    fn check(codes: &[u8]) -> usize {
        let packed = pack(codes);
        let read = read(&packed, codes.len()).unwrap();
        assert!(packed.len() as u64 <= Codes::most(codes.len() as u64));
        assert_eq!(read.unpack(&packed), codes);
        for index in (0..codes.len()).step_by(37) {
            let extent = &packed[read.extent(index as u64)];
            assert_eq!(read.value(extent, index as u64), Value::told(codes[index]));
        }
        packed.len()
    }

    #[test]
    fn values_come_back_as_they_were() {
        let mut random = Random::new(1);
        check(&[]);
        check(&[7]);
        check(&[255; 1000]);
        let any: Vec<u8> = (0..100_000).map(|_| random.below(256) as u8).collect();
        check(&any);
        // Seldom values get long codes: the limit must hold.
        let skew: Vec<u8> = (0..300_000).map(|_| random.bits().trailing_zeros() as u8).collect();
        check(&skew);
    }

    #[test]
    fn runs_of_like_values_become_small() {
        let runs: Vec<u8> =
            (0..1_000_000u32).map(|i| if i / 700 % 3 == 0 { 255 } else { (i / 90 % 16) as u8 }).collect();
        assert!(check(&runs) < runs.len() / 5);
    }

    #[test]
    fn lengths_that_no_code_has_are_refused() {
        let mut packed = pack(&[1, 2, 3, 255, 7]);
        assert_eq!(read(&packed[..100], 5).err().unwrap(), "its codes are cut off");
        packed[..256].fill(1);
        assert_eq!(read(&packed, 5).err().unwrap(), "its code lengths make no code");
        packed[..256].fill(0);
        packed[0] = 200;
        assert_eq!(read(&packed, 5).err().unwrap(), "its code lengths make no code");
    }

    #[test]
    fn offsets_that_no_blocks_have_are_refused() {
        let codes: Vec<u8> = (0..1000u32).map(|i| (i * i % 23) as u8).collect();
        let packed = pack(&codes);
        let with = |block: usize, offset: u64| {
            let mut packed = packed.clone();
            packed[LENGTHS + block * OFFSET..][..OFFSET].copy_from_slice(&offset.to_le_bytes()[..OFFSET]);
            read(&packed, codes.len()).err()
        };
        let end = 8 * (packed.len() as u64 - Codes::header(1000));
        for (block, offset) in
            [(0, 1), (1, 0), (1, 8), (1, end), (2, 5), (3, end), (3, 1 << 39), (3, (1 << 40) - 1)]
        {
            assert!(with(block, offset).unwrap().starts_with("the offset of its packed block "));
        }
        let cut = read(&packed[..packed.len() - 200], codes.len()).err().unwrap();
        assert_eq!(cut, "the offset of its packed block 3 is wrong");
        let long = [&packed[..], &[0; 400]].concat();
        assert_eq!(read(&long, codes.len()).err().unwrap(), "the offset of its packed block 3 is wrong");
    }
}
