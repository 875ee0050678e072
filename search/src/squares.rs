//! Boards of up to eight by eight squares as bits of a word, and how people write and draw them.
//!
//! a1 = 0, b1 = 1, a2 = 8; smaller boards use the lower left corner.

use std::fmt;

use crate::Side;

/// A square of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub u8);

impl Square {
    /// The square on a file and a rank, both from 0 to 7.
    pub const fn at(file: u8, rank: u8) -> Square {
        Square(rank * 8 + file)
    }

    /// The square as a bit.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// The square as an index below 64.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// 0 for the a-file.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The square as `side` sees it from its own end of a board of eight ranks.
    #[inline]
    pub fn seen_by(self, side: Side) -> Square {
        Square(if side == Side::White { self.0 } else { self.0 ^ 56 })
    }

    /// Reads a square of a board of `size` by `size`, such as `e4`.
    pub fn read(size: u8, text: &str) -> Option<Square> {
        let &[file, rank] = text.as_bytes() else { return None };
        let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
        (file < size && rank < size).then(|| Square::at(file, rank))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

/// The squares of a set, lowest first.
#[inline]
pub fn squares(set: u64) -> impl Iterator<Item = Square> {
    bits(set).map(Square)
}

/// The numbers of the bits of a set, lowest first.
#[inline]
pub fn bits(set: u64) -> Bits {
    Bits(set)
}

/// What is left of a set.
pub struct Bits(u64);

impl Iterator for Bits {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let bit = self.0.trailing_zeros();
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            bit as u8
        })
    }
}

/// Writes a board as a FEN does: ranks from the top, pieces as letters, empty squares as their number.
pub fn write_board(size: u8, letter: impl Fn(Square) -> Option<char>) -> String {
    let row = |rank: u8| {
        let mut out = String::new();
        let mut empty = 0;
        for letter in (0..size).map(|file| letter(Square::at(file, rank))) {
            match letter {
                Some(letter) => {
                    out += &gap(empty);
                    out.push(letter);
                    empty = 0;
                }
                None => empty += 1,
            }
        }
        out + &gap(empty)
    };
    (0..size).rev().map(row).collect::<Vec<_>>().join("/")
}

fn gap(empty: u32) -> String {
    if empty == 0 { String::new() } else { empty.to_string() }
}

/// Reads a board as [`write_board`] writes it: every square that is not empty, with what `piece` reads its letter as.
pub fn read_board<P>(
    size: u8,
    text: &str,
    piece: impl Fn(char) -> Result<P, String>,
) -> Result<Vec<(Square, P)>, String> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != size as usize {
        return Err(format!("{} ranks instead of {size}", rows.len()));
    }
    let mut found = Vec::new();
    for (row, rank) in rows.iter().zip((0..size).rev()) {
        let mut file = 0u8;
        for letter in row.chars() {
            if let '1'..='8' = letter {
                file = file.saturating_add(letter as u8 - b'0');
                continue;
            }
            let piece = piece(letter)?;
            if file < size {
                found.push((Square::at(file, rank), piece));
            }
            file = file.saturating_add(1);
        }
        if file != size {
            return Err(format!("rank {} has {file} files instead of {size}", rank + 1));
        }
    }
    Ok(found)
}

/// Draws a board as people see it.
pub fn picture(size: u8, letter: impl Fn(Square) -> Option<char>) -> String {
    let line = |name: String, signs: &mut dyn Iterator<Item = char>| {
        signs.fold(format!("{name} "), |line, sign| line + " " + &sign.to_string()) + "\n"
    };
    let signs =
        |rank| (0..size).map(move |file| Square::at(file, rank)).map(|square| letter(square).unwrap_or('.'));
    let ranks = (0..size).rev().map(|rank| line((rank + 1).to_string(), &mut signs(rank)));
    let files = line(" ".to_owned(), &mut (b'a'..b'a' + size).map(char::from));
    ranks.chain([files]).collect()
}
