//! The terms of the evaluation and where each keeps its weights.

/// Two weights in one number: the middle game's in the lower half, the endgame's in the upper.
///
/// Sums and small multiples of pairs are pairs again as long as both halves fit 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Pair(i32);

impl Pair {
    /// A pair of weights in hundredths of a pawn.
    pub const fn new(middle: i32, end: i32) -> Pair {
        Pair(middle + end * 65_536)
    }

    /// The middle game's weight.
    #[inline]
    pub const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame's weight.
    #[inline]
    pub const fn end(self) -> i32 {
        (self.0.wrapping_add(0x8000)) >> 16
    }
}

impl std::ops::AddAssign for Pair {
    #[inline]
    fn add_assign(&mut self, other: Pair) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl std::ops::SubAssign for Pair {
    #[inline]
    fn sub_assign(&mut self, other: Pair) {
        self.0 = self.0.wrapping_sub(other.0);
    }
}

impl std::ops::Mul<i32> for Pair {
    type Output = Pair;

    #[inline]
    fn mul(self, count: i32) -> Pair {
        Pair(self.0.wrapping_mul(count))
    }
}

macro_rules! terms {
    ($($(#[$doc:meta])* $name:ident $text:literal $count:literal,)*) => {
        /// A group of weights that answer the same question.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Term { $($(#[$doc])* $name,)* }

        /// Every term with its name in weight files and its number of weights.
        pub const TERMS: &[(Term, &str, usize)] = &[$((Term::$name, $text, $count),)*];
    };
}

terms! {
    /// The piece itself, by kind.
    Piece "piece" 6,
    /// Where it stands, by kind and square; files mirrored.
    Place "place" 192,
    /// Squares a knight can go to.
    KnightMobility "knight mobility" 9,
    /// Squares a bishop can go to.
    BishopMobility "bishop mobility" 14,
    /// Squares a rook can go to.
    RookMobility "rook mobility" 15,
    /// Squares a queen can go to.
    QueenMobility "queen mobility" 28,
    /// A passed pawn, by rank.
    Passed "passed pawn" 8,
    /// A passed pawn whose next square is free, by rank.
    PassedFree "passed pawn free to advance" 8,
    /// A passed pawn whose next square the enemy does not attack, by rank.
    PassedSafe "passed pawn safe to advance" 8,
    /// The own king's distance from the square before a passed pawn past the middle.
    PassedOwnKing "own king from passed pawn" 8,
    /// The enemy king's distance from that square.
    PassedEnemyKing "enemy king from passed pawn" 8,
    /// A passed pawn that the enemy king cannot catch when he has nothing else.
    PassedUnstoppable "unstoppable pawn" 1,
    /// A pawn beside another, by rank.
    Phalanx "pawn beside pawn" 8,
    /// A pawn protected by another, by rank.
    Supported "pawn protected by pawn" 8,
    /// A pawn without own pawns on the next files: on a closed and on a half-open file.
    Isolated "isolated pawn" 2,
    /// A pawn that cannot be protected by pawns any more: on a closed and on a half-open file.
    Backward "backward pawn" 2,
    /// A pawn behind another of its own.
    Doubled "doubled pawn" 1,
    /// Two bishops.
    BishopPair "bishop pair" 1,
    /// An own pawn on the colour of the bishop.
    BishopPawns "pawn on the bishop's colour" 1,
    /// A bishop that sees both central squares of its diagonal.
    LongDiagonal "bishop on a long diagonal" 1,
    /// A minor piece safe from pawns and protected by one: knight, bishop.
    Outpost "outpost" 2,
    /// A minor piece behind a pawn.
    Sheltered "minor piece behind a pawn" 1,
    /// A rook on a half-open and on an open file.
    RookFile "rook on an open file" 2,
    /// A rook on the seventh rank while the king stands behind it.
    Seventh "rook on the seventh" 1,
    /// A rook behind a passed pawn: its own side's, the enemy's.
    RookBehind "rook behind a passed pawn" 2,
    /// A pawn attacks a piece, by kind of victim.
    PawnThreat "threat by a pawn" 6,
    /// A minor piece attacks something not protected by a pawn, by kind of victim.
    MinorThreat "threat by a minor piece" 6,
    /// A rook attacks something not protected by a pawn, by kind of victim.
    RookThreat "threat by a rook" 6,
    /// The king attacks something unprotected.
    KingThreat "threat by the king" 1,
    /// A piece attacked and not protected.
    Hanging "hanging piece" 1,
    /// A pawn that can go where it would attack a piece.
    PushThreat "threat of a pawn's advance" 1,
    /// A safe square in the own centre.
    Space "space" 1,
    /// The nearest own pawn before the king on each of three files, by rank; 0 for none.
    Shelter "shelter" 8,
    /// The same, on a file next to the edge of the board or on it.
    EdgeShelter "shelter at the edge" 8,
    /// The nearest enemy pawn on these files, by rank seen from the king's side; 0 for none.
    Storm "pawn storm" 8,
    /// The danger the own king is in, by degree.
    Danger "king danger" 48,
    /// The right to move.
    Tempo "tempo" 1,
}

const fn offsets() -> [usize; TERMS.len() + 1] {
    let mut out = [0; TERMS.len() + 1];
    let mut i = 0;
    while i < TERMS.len() {
        out[i + 1] = out[i] + TERMS[i].2;
        i += 1;
    }
    out
}

const OFFSETS: [usize; TERMS.len() + 1] = offsets();
/// The number of pairs of weights.
pub const COUNT: usize = OFFSETS[TERMS.len()];

impl Term {
    /// The index of one of the term's weights.
    #[inline]
    pub const fn at(self, i: usize) -> usize {
        OFFSETS[self as usize] + i
    }

    /// The number of the term's weights.
    pub const fn size(self) -> usize {
        TERMS[self as usize].2
    }
}

/// Every weight of the evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(pub Box<[Pair; COUNT]>);

/// A text that is not a set of weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct WeightsError {
    pub(super) line: usize,
    pub(super) why: String,
}

impl Weights {
    /// Reads the text form: one line for each term and phase, `name mg: ...` or `name eg: ...`, `#` for remarks.
    pub fn read(text: &str) -> Result<Weights, WeightsError> {
        let mut phases = [[None; COUNT]; 2];
        for (i, line) in text.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                read_line(line, &mut phases).map_err(|why| WeightsError { line: i + 1, why })?;
            }
        }
        let mut out = Box::new([Pair::default(); COUNT]);
        for (i, pair) in out.iter_mut().enumerate() {
            let missing =
                || WeightsError { line: text.lines().count(), why: format!("{} is missing", name_of(i)) };
            *pair = Pair::new(phases[0][i].ok_or_else(missing)?, phases[1][i].ok_or_else(missing)?);
        }
        Ok(Weights(out))
    }

    /// The text form of the weights.
    pub fn write(&self) -> String {
        let mut out = String::new();
        for &(term, name, count) in TERMS {
            for (phase, value) in [("mg", Pair::middle as fn(Pair) -> i32), ("eg", Pair::end)] {
                let values: Vec<String> = (0..count).map(|i| value(self.0[term.at(i)]).to_string()).collect();
                out += &format!("{name} {phase}: {}\n", values.join(" "));
            }
        }
        out
    }
}

fn name_of(index: usize) -> &'static str {
    TERMS.iter().find(|(term, _, count)| index < term.at(*count)).map_or("", |(_, name, _)| name)
}

fn read_line(line: &str, phases: &mut [[Option<i32>; COUNT]; 2]) -> Result<(), String> {
    let (head, values) = line.split_once(':').ok_or("no colon")?;
    let (name, phase) =
        head.rsplit_once(' ').ok_or_else(|| format!("'{head}' does not name a term and a phase"))?;
    let phase = match phase {
        "mg" => 0,
        "eg" => 1,
        other => return Err(format!("'{other}' is neither mg nor eg")),
    };
    let &(term, _, count) = TERMS
        .iter()
        .find(|(_, known, _)| *known == name)
        .ok_or_else(|| format!("no term is called '{name}'"))?;
    for (i, value) in read_numbers(name, values, count)?.into_iter().enumerate() {
        phases[phase][term.at(i)] = Some(value);
    }
    Ok(())
}

/// The numbers of one line; as many as its name promises.
pub(super) fn read_numbers(name: &str, values: &str, count: usize) -> Result<Vec<i32>, String> {
    let values: Vec<i32> = values
        .split_whitespace()
        .map(|word| {
            word.parse()
                .ok()
                .filter(|v: &i32| v.abs() < 8000)
                .ok_or_else(|| format!("'{word}' is not a weight"))
        })
        .collect::<Result<_, _>>()?;
    if values.len() != count {
        return Err(format!("{} weights for '{name}' instead of {count}", values.len()));
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_add_and_multiply_half_by_half() {
        for (m, e) in [(5, -7), (-300, 400), (-1, -1), (0, -900)] {
            let mut pair = Pair::new(m, e);
            assert_eq!((pair.middle(), pair.end()), (m, e));
            pair += Pair::new(-20, 30);
            pair -= Pair::new(1, 2);
            assert_eq!(((pair * -3).middle(), (pair * -3).end()), (-3 * (m - 21), -3 * (e + 28)));
        }
    }

    #[test]
    fn weights_are_written_as_they_are_read() {
        let weights = crate::tuning::weights();
        assert_eq!(Weights::read(&weights.write()), Ok(weights));
    }

    #[test]
    fn bad_weights_are_refused_by_name() {
        let why = |text: &str| Weights::read(text).unwrap_err().to_string();
        assert_eq!(why("tempo mg 3"), "line 1: no colon");
        assert_eq!(why("# x\nhope mg: 3"), "line 2: no term is called 'hope'");
        assert_eq!(why("tempo og: 3"), "line 1: 'og' is neither mg nor eg");
        assert_eq!(why("tempo mg: 3 4"), "line 1: 2 weights for 'tempo' instead of 1");
        assert_eq!(why("tempo mg: x"), "line 1: 'x' is not a weight");
        assert_eq!(why("tempo mg: 3"), "line 1: piece is missing");
    }
}
