//! The engine's own evaluation: tables of what each piece is worth by its square, its neighbours, its freedom
//! and its danger, and of what both sides can do as a whole.
//!
//! Every entry has two weights, for a full and for an empty board, and belongs to the side to move ("us") or to
//! the other ("them"). The board has no direction, so squares that mirror each other share their weights.
//! One walk over a position serves evaluation and learning alike: [`visit`].

use std::fmt;

use search::squares::squares;
use search::{Game, Side};

use crate::Position;
use crate::moves::{Survey, survey};
use crate::weights::{self, WeightsError};

/// The set's name in weight files.
pub const NAME: &str = "patterns";
/// Pieces on a full board.
const FULL: i32 = 16;

/// Counts of neighbours that are told apart.
const FRIENDS: usize = 6;
const ENEMIES: usize = 5;
/// Squares that no mirror makes equal.
const CLASSES: [&str; 10] = ["a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4"];
/// Numbers of moves that are told apart.
const MOVES: usize = 32;
const STEPS: usize = 6;
const REACH: usize = 4;
const HANGING: usize = 4;
const SIDE: usize = 9;

const PIECES_OF_SIDE: usize = 4 * CLASSES.len() * FRIENDS * ENEMIES;
const SUMS_OF_SIDE: usize = MOVES + STEPS + REACH + HANGING;
const SUMS: usize = 2 * PIECES_OF_SIDE;
const MATERIAL: usize = SUMS + 2 * SUMS_OF_SIDE;
/// The number of features.
pub const COUNT: usize = MATERIAL + SIDE * SIDE;

/// The squares around each square.
const AROUND: [u64; 64] = around_each();
/// The class of each square of a board of each size.
const CLASS: [[u8; 64]; 9] = classes();

const fn around_each() -> [u64; 64] {
    let mut out = [0; 64];
    let mut i = 0usize;
    while i < 64 * 64 {
        let (a, b) = (i / 64, i % 64);
        if a != b && (a / 8).abs_diff(b / 8) <= 1 && (a % 8).abs_diff(b % 8) <= 1 {
            out[a] |= 1 << b;
        }
        i += 1;
    }
    out
}

const fn classes() -> [[u8; 64]; 9] {
    let mut out = [[0; 64]; 9];
    let mut i = 0;
    while i < 9 * 64 {
        let (size, file, rank) = (i / 64, i % 8, i / 8 % 8);
        if file < size && rank < size {
            let (x, y) = (edge_distance(file, size), edge_distance(rank, size));
            let (near, far) = if x < y { (x, y) } else { (y, x) };
            // a1 b1 c1 d1, b2 c2 d2, c3 d3, d4.
            out[size][i % 64] = [0, 4, 7, 9][near] + (far - near) as u8;
        }
        i += 1;
    }
    out
}

const fn edge_distance(line: usize, size: usize) -> usize {
    if line < size - 1 - line { line } else { size - 1 - line }
}

/// Tells `see` every feature of a position that is not zero, with its value, from the side to move.
#[inline(always)]
pub fn visit(position: &Position, mut see: impl FnMut(usize, i32)) {
    let (us, them) = (position.turn(), !position.turn());
    let (ours, theirs) = (survey(position, us), survey(position, them));
    visit_side(position, us, 0, &ours, &theirs, &mut see);
    visit_side(position, them, 1, &theirs, &ours, &mut see);
    let count = |side: Side| position.pieces(side).count_ones() as usize;
    see(MATERIAL + count(us) * SIDE + count(them), 1);
}

#[inline(always)]
fn visit_side(
    position: &Position,
    side: Side,
    index: usize,
    own: &Survey,
    other: &Survey,
    see: &mut impl FnMut(usize, i32),
) {
    let (friends, enemies) = (position.pieces(side), position.pieces(!side));
    let class = &CLASS[position.rules().size() as usize];
    for square in squares(friends) {
        let at = square.0 as usize;
        let bit = |set: u64| (set >> at & 1) as usize;
        let near = |set: u64| (AROUND[at] & set).count_ones() as usize;
        let state = 2 * bit(other.cover) + bit(own.movers);
        let place = (4 * index + state) * CLASSES.len() + class[at] as usize;
        see((place * FRIENDS + near(friends).min(FRIENDS - 1)) * ENEMIES + near(enemies).min(ENEMIES - 1), 1);
    }
    let first = SUMS + index * SUMS_OF_SIDE;
    see(first + (own.moves.iter().sum::<u32>() as usize).min(MOVES - 1), 1);
    for (i, &moves) in own.moves.iter().enumerate() {
        see(first + MOVES + i, moves as i32);
    }
    // Empty squares within reach: in safety or in danger, beside a piece or alone.
    let (empty, beside) = (own.cover & !friends & !enemies, crate::moves::around(friends | enemies));
    let danger = other.cover;
    let kinds = [
        empty & !danger & beside,
        empty & !danger & !beside,
        empty & danger & beside,
        empty & danger & !beside,
    ];
    for (i, kind) in kinds.into_iter().enumerate() {
        see(first + MOVES + STEPS + i, kind.count_ones() as i32);
    }
    let hanging = (friends & other.cover & !own.cover).count_ones() as usize;
    see(first + MOVES + STEPS + REACH + hanging.min(HANGING - 1), 1);
}

/// How full the board is, from 16 down to 0 pieces.
fn fullness(position: &Position) -> i32 {
    position.occupied().count_ones() as i32
}

/// The phase of a position for a tapered fit: 1 on a full board.
pub fn phase(position: &Position) -> f32 {
    fullness(position) as f32 / FULL as f32
}

/// The names and lengths of the rows of a weight file, in the order of the features.
fn rows() -> Vec<(String, usize)> {
    let mut rows = Vec::new();
    for side in ["us", "them"] {
        for state in ["safe-stuck", "safe-free", "attacked-stuck", "attacked-free"] {
            rows.extend(CLASSES.iter().map(|class| (format!("{side}-{state}-{class}"), FRIENDS * ENEMIES)));
        }
    }
    for side in ["us", "them"] {
        for (name, length) in [("moves", MOVES), ("steps", STEPS), ("reach", REACH), ("hanging", HANGING)] {
            rows.push((format!("{side}-{name}"), length));
        }
    }
    rows.extend((0..SIDE).map(|count| (format!("material-{count}"), SIDE)));
    rows
}

/// Two weights in one word: that of a full board above that of an empty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair(i32);

impl Pair {
    fn new(full: i16, empty: i16) -> Pair {
        Pair((i32::from(full) << 16) + i32::from(empty))
    }

    fn full(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }

    fn empty(self) -> i32 {
        i32::from(self.0 as i16)
    }
}

/// A weight for every pattern.
#[derive(Clone, PartialEq, Eq)]
pub struct Patterns {
    weights: Box<[Pair; COUNT]>,
}

impl Patterns {
    /// Weights in hundredths of a piece: those of a full board first, then those of an empty one; none unless
    /// there are as many as needed, all of them within 16 bits.
    pub fn new(weights: &[f64]) -> Option<Patterns> {
        let rounded = |w: f64| (w.abs() < f64::from(i16::MAX)).then(|| w.round() as i16);
        let (full, empty) = weights.split_at_checked(COUNT)?;
        let pairs: Option<Vec<Pair>> =
            full.iter().zip(empty).map(|(&f, &e)| Some(Pair::new(rounded(f)?, rounded(e)?))).collect();
        Patterns::of(pairs?)
    }

    fn of(pairs: Vec<Pair>) -> Option<Patterns> {
        Some(Patterns { weights: pairs.into_boxed_slice().try_into().ok()? })
    }

    /// The weights as [`Patterns::new`] takes them.
    pub fn weights(&self) -> Vec<f64> {
        let full = self.weights.iter().map(|pair| f64::from(pair.full()));
        full.chain(self.weights.iter().map(|pair| f64::from(pair.empty()))).collect()
    }

    /// The value in hundredths of a piece from the side to move.
    pub fn value(&self, position: &Position) -> i32 {
        let mut sum = 0;
        visit(position, |index, value| sum += self.weights[index].0 * value);
        tapered(Pair(sum), fullness(position))
    }

    /// What each row of the tables says about a position.
    pub fn explain(&self, position: &Position) -> String {
        let mut found = Vec::new();
        visit(position, |index, value| found.push((index, value)));
        let mut out = format!("{:<28} {:>8}\n", "row", "points");
        let mut first = 0;
        for (name, length) in rows() {
            let here = || found.iter().filter(|(index, _)| (first..first + length).contains(index));
            let sum = here().map(|&(index, value)| self.weights[index].0 * value).sum();
            if here().any(|&(_, value)| value != 0) {
                out += &format!("{name:<28} {:>8}\n", tapered(Pair(sum), fullness(position)));
            }
            first += length;
        }
        out
    }

    /// Reads a weight file of patterns.
    pub fn read_file(text: &str) -> Result<Patterns, WeightsError> {
        let (name, n) = weights::set_name(text)?;
        if name != NAME {
            return Err(WeightsError::new(n, format!("'{name}' is not the set '{NAME}'")));
        }
        Patterns::read(weights::lines(text).skip(1))
    }

    /// Reads the rows of a weight file; `lines` are those after the set's name, with their numbers.
    fn read<'a>(lines: impl Iterator<Item = (&'a str, usize)>) -> Result<Patterns, WeightsError> {
        let fail = WeightsError::new;
        let rows = rows();
        let mut found: Vec<Option<Vec<Pair>>> = vec![None; rows.len()];
        for (line, n) in lines {
            let mut words = line.split_whitespace();
            let name = words.next().unwrap_or("");
            let index = rows.iter().position(|(known, _)| known == name);
            let index = index.ok_or_else(|| fail(n, format!("no row of {NAME} is called '{name}'")))?;
            let pairs: Vec<Pair> = words
                .map(|word| {
                    read_pair(word).ok_or_else(|| fail(n, format!("'{word}' is not a pair of weights")))
                })
                .collect::<Result<_, _>>()?;
            if pairs.len() != rows[index].1 {
                return Err(fail(
                    n,
                    format!("'{name}' has {} pairs instead of {}", pairs.len(), rows[index].1),
                ));
            }
            if found[index].replace(pairs).is_some() {
                return Err(fail(n, format!("'{name}' appears twice")));
            }
        }
        let missing = rows.iter().zip(&found).find(|(_, pairs)| pairs.is_none());
        if let Some(((name, _), _)) = missing {
            return Err(fail(0, format!("the row '{name}' is missing")));
        }
        let pairs = found.into_iter().flatten().flatten().collect();
        Ok(Patterns::of(pairs).expect("the rows hold all features"))
    }
}

fn tapered(sum: Pair, fullness: i32) -> i32 {
    (sum.full() * fullness + sum.empty() * (FULL - fullness)) / FULL
}

fn read_pair(word: &str) -> Option<Pair> {
    let (full, empty) = word.split_once('/')?;
    Some(Pair::new(full.parse().ok()?, empty.parse().ok()?))
}

impl fmt::Display for Patterns {
    /// As a weight file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "set {NAME}")?;
        let mut pairs = self.weights.iter();
        for (name, length) in rows() {
            f.write_str(&name)?;
            for pair in pairs.by_ref().take(length) {
                write!(f, " {}/{}", pair.full(), pair.empty())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Patterns({COUNT})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    fn seen(fen: &str) -> Vec<(usize, i32)> {
        let position = Position::read(&Rules::default(), fen).unwrap();
        let mut found = Vec::new();
        visit(&position, |index, value| {
            if value != 0 {
                found.push((index, value));
            }
        });
        found.sort();
        found
    }

    #[test]
    fn the_rows_hold_all_features() {
        assert_eq!(rows().iter().map(|row| row.1).sum::<usize>(), COUNT);
    }

    #[test]
    fn mirrored_positions_are_the_same() {
        let one = seen("6b1/6b1/5b2/8/5b2/2w3w1/3ww3/8 w 0");
        assert_eq!(one, seen("1b6/1b6/2b5/8/2b5/1w3w2/3ww3/8 w 0"));
        assert_eq!(one, seen("8/3bb3/2b3b1/5w2/8/5w2/6w1/6w1 b 0"));
        assert_ne!(one, seen("6b1/6b1/5b2/8/5b2/2w3w1/3ww3/8 b 0"));
    }

    #[test]
    fn a_file_is_read_back_as_written() {
        let weights: Vec<f64> = (0..2 * COUNT).map(|i| (i as f64 * 7.0) % 401.0 - 200.0).collect();
        let patterns = Patterns::new(&weights).unwrap();
        assert_eq!(patterns.weights(), weights);
        let text = patterns.to_string();
        let lines = text.lines().zip(1..).skip(1);
        assert!(Patterns::read(lines) == Ok(patterns));
    }

    #[test]
    fn bad_rows_are_refused_by_line() {
        let why = |text: &str| Patterns::read(text.lines().zip(1..)).unwrap_err().to_string();
        assert_eq!(why("queens 1/2"), "line 1: no row of patterns is called 'queens'");
        assert_eq!(why("us-reach 1/2 3/4"), "line 1: 'us-reach' has 2 pairs instead of 4");
        assert_eq!(why("us-reach 1/2 3/4 5/NaN 6/7"), "line 1: '5/NaN' is not a pair of weights");
        let row = "us-reach 1/2 3/4 5/6 7/8";
        assert_eq!(why(&format!("{row}\n{row}")), "line 2: 'us-reach' appears twice");
        assert_eq!(why(row), "the row 'us-safe-stuck-a1' is missing");
        assert!(Patterns::new(&[f64::NAN; 2 * COUNT]).is_none() && Patterns::new(&[0.0; 7]).is_none());
    }

    #[test]
    fn an_extra_piece_counts_by_the_fullness_of_the_board() {
        let mut weights = vec![0.0; 2 * COUNT];
        weights[MATERIAL + 2 * SIDE + 1] = 160.0;
        weights[COUNT + MATERIAL + 2 * SIDE + 1] = 80.0;
        let patterns = Patterns::new(&weights).unwrap();
        let value = |fen: &str| patterns.value(&Position::read(&Rules::default(), fen).unwrap());
        assert_eq!(value("8/8/8/8/8/8/8/ww5b w 0"), (160 * 3 + 80 * 13) / 16);
        assert_eq!(value("8/8/8/8/8/8/8/ww5b b 0"), 0);
    }
}
