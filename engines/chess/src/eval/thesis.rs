//! The payoff function of Kushnir's thesis: material, squares, and a king table for each of two phases.
//!
//! A king is in its endgame when its own side has fewer than six pieces, whatever the enemy has.

use ::search::Side;

use super::terms::{WeightsError, read_numbers};
use crate::attacks::squares;
use crate::position::{Position, Role};

/// Pieces of a side, king and pawns included, below which its king table changes.
const FEW_PIECES: u32 = 6;
/// The tables in the order of their text, with their sizes.
const PARTS: [(&str, usize); 8] = [
    ("values", 5),
    ("pawn", 64),
    ("knight", 64),
    ("bishop", 64),
    ("rook", 64),
    ("queen", 64),
    ("king among many", 64),
    ("king among few", 64),
];
const VALUES: usize = PARTS[0].1;
const KINGS: usize = VALUES + 5 * 64;
const COUNT: usize = KINGS + 2 * 64;

/// The tables of the payoff function, squares as White sees them, in the order of `PARTS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables(Box<[i32; COUNT]>);

impl Tables {
    /// Tables of these numbers, in order.
    ///
    /// # Panics
    /// If there are more or fewer than a payoff function has.
    pub fn from_numbers(numbers: &[i32]) -> Tables {
        Tables(Box::new(numbers.try_into().expect("as many numbers as the tables hold")))
    }

    /// All numbers in order.
    pub fn numbers(&self) -> &[i32] {
        &*self.0
    }

    /// Reads the text form: one line `name: ...` for each table, `#` for remarks.
    pub fn read(text: &str) -> Result<Tables, WeightsError> {
        let mut parts = PARTS.map(|_| None);
        for (i, line) in text.lines().map(str::trim).enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (part, values) = read_part(line).map_err(|why| WeightsError { line: i + 1, why })?;
            parts[part] = Some(values);
        }
        let mut numbers = Vec::with_capacity(COUNT);
        for ((name, _), part) in PARTS.iter().zip(parts) {
            let missing = || WeightsError { line: text.lines().count(), why: format!("{name} is missing") };
            numbers.extend(part.ok_or_else(missing)?);
        }
        Ok(Tables::from_numbers(&numbers))
    }

    /// The text form.
    pub fn write(&self) -> String {
        let mut rest = self.numbers();
        let mut out = String::new();
        for (name, count) in PARTS {
            let (part, after) = rest.split_at(count);
            let numbers: Vec<String> = part.iter().map(i32::to_string).collect();
            out += &format!("{name}: {}\n", numbers.join(" "));
            rest = after;
        }
        out
    }
}

fn read_part(line: &str) -> Result<(usize, Vec<i32>), String> {
    let (name, values) = line.split_once(':').ok_or("no colon")?;
    let part = PARTS.iter().position(|(known, _)| *known == name);
    let part = part.ok_or_else(|| format!("no table is called '{name}'"))?;
    Ok((part, read_numbers(name, values, PARTS[part].1)?))
}

/// The value from White's view.
pub fn value(p: &Position, tables: &Tables) -> i32 {
    let mut sum = 0;
    count(p, |index, count| sum += tables.0[index] * count);
    sum
}

/// Its three terms from White's view.
pub fn terms(p: &Position, tables: &Tables) -> [(&'static str, i32); 3] {
    let mut terms = [("material", 0), ("squares", 0), ("kings", 0)];
    count(p, |index, count| {
        let term = usize::from(index >= VALUES) + usize::from(index >= KINGS);
        terms[term].1 += tables.0[index] * count;
    });
    terms
}

/// Tells which numbers count, for White (1) or Black (-1).
#[inline]
pub fn count(p: &Position, mut tell: impl FnMut(usize, i32)) {
    for (side, sign) in [(Side::White, 1), (Side::Black, -1)] {
        for role in &Role::ALL[..5] {
            for square in squares(p.pieces(side, *role)) {
                tell(role.index(), sign);
                tell(VALUES + role.index() * 64 + square.seen_by(side).index(), sign);
            }
        }
        let few = usize::from(p.side(side).count_ones() < FEW_PIECES);
        tell(KINGS + few * 64 + p.king(side).seen_by(side).index(), sign);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, tuning};
    use ::search::Game;

    #[test]
    fn each_king_has_its_own_phase() {
        let tables = tuning::thesis();
        let p = Position::read(&Rules::default(), "rnbqkbnr/pppppppp/8/8/4K3/8/8/8 w kq - 0 1").unwrap();
        let start = Position::start(&Rules::default());
        let mut black = 0;
        count(&start, |index, n| black += if n < 0 { tables.0[index] } else { 0 });
        let few = tables.0[KINGS + 64 + p.king(Side::White).index()];
        assert_eq!(value(&p, &tables), few - black);
    }

    #[test]
    fn the_three_terms_make_the_value() {
        let tables = tuning::thesis();
        let p = Position::read(&Rules::default(), "7k/5ppp/1p6/p1pR4/P1P2r2/1P4P1/5P1P/4Q1K1 w - - 0 30")
            .unwrap();
        let [material, squares, kings] = terms(&p, &tables);
        assert_eq!(material, ("material", tables.0[Role::Queen.index()]));
        assert_eq!(material.1 + squares.1 + kings.1, value(&p, &tables));
        assert!(squares.1 != 0 && kings.1 != 0);
    }

    #[test]
    fn tables_are_read_as_written_or_refused_by_name() {
        let tables = tuning::thesis();
        assert_eq!(Tables::read(&tables.write()), Ok(tables.clone()));
        let why = |text: &str| Tables::read(text).unwrap_err().to_string();
        assert_eq!(why("# x\nbishops: 3"), "line 2: no table is called 'bishops'");
        assert_eq!(why("values: 1 2"), "line 1: 2 weights for 'values' instead of 5");
        let short = tables.write().replace("king among few", "# king among few");
        assert!(why(&short).ends_with("king among few is missing"));
    }
}
