//! A game of an engine against itself, with what the players thought of each position.
//!
//! As data it is a record of two to three bytes a position: the seed it can be played again from, the result, and
//! every move as its number among the legal ones with the change of the value its player gave it. Where the players
//! were studied, it also has what the search thought of each move and what is to be known of the end. Files of such
//! records only grow, so a run that was ended is taken up where it stopped, and those of several machines are put
//! together.

use xxhash_rust::xxh3::xxh3_64;

use crate::{Game, Root, Side};

/// Winners by the number that stands for them, with White's share of the point.
const RESULTS: [(Option<Side>, f64); 3] = [(None, 0.5), (Some(Side::White), 1.0), (Some(Side::Black), 0.0)];
/// Added to that number where a game began elsewhere than others of its rules.
const ELSEWHERE: u64 = 4;
/// Added to it where the game was studied.
const STUDIED: u64 = 8;
/// No record is longer; what says so is damaged.
pub const LONGEST: usize = 1 << 18;

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played<G: Game> {
    /// What its random numbers came from.
    pub seed: u64,
    /// Where it began.
    pub start: G,
    /// Its moves, each with what the player expected of it in the unit of the game; nothing where it was drawn by lot.
    pub turns: Vec<(G::Move, Option<i32>)>,
    /// Who won; none if it was drawn.
    pub winner: Option<Side>,
    /// What was studied, if anything.
    pub study: Option<Study<G>>,
}

/// What those who learn how a player thinks want to know of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Study<G: Game> {
    /// For each turn the moves that were looked into, each with its share of the search; none where it was not searched
    /// in full.
    pub thoughts: Vec<Thought<G>>,
    /// Of the end, as the game keeps it.
    pub end: Vec<u8>,
}

/// The moves that were looked into, each with its share of the search.
pub type Thought<G> = Vec<(<G as Game>::Move, u16)>;

impl<G: Game> Played<G> {
    /// A game whose opening was drawn by lot.
    pub fn opened(seed: u64, opening: &Root<G>) -> Self {
        let turns = opening.moves().iter().map(|&m| (m, None)).collect();
        Played { seed, start: opening.start().clone(), turns, winner: None, study: None }
    }

    /// White's share of the point.
    pub fn result(&self) -> f64 {
        RESULTS[self.number()].1
    }

    fn number(&self) -> usize {
        RESULTS.iter().position(|(winner, _)| *winner == self.winner).expect("every result has a number")
    }

    /// Visits every position that a player valued, with the move chosen and its value for the side to move.
    pub fn valued(&self, mut visit: impl FnMut(&Root<G>, G::Move, i32)) {
        let mut root = Root::new(self.start.clone());
        for &(m, value) in &self.turns {
            if let Some(value) = value {
                visit(&root, m, value);
            }
            root.play(m);
        }
    }

    /// The record of a game by these rules.
    pub fn write(&self, rules: &G::Rules) -> Vec<u8> {
        let mut body = Vec::with_capacity(8 + 3 * self.turns.len());
        put(&mut body, self.seed);
        let is_usual = self.start == G::start(rules);
        let marks = [(!is_usual, ELSEWHERE), (self.study.is_some(), STUDIED)];
        put(
            &mut body,
            self.number() as u64 + marks.map(|(is_so, mark)| u64::from(is_so) * mark).iter().sum::<u64>(),
        );
        if !is_usual {
            put_bytes(&mut body, self.start.to_string().as_bytes());
        }
        if let Some(study) = &self.study {
            put_bytes(&mut body, &study.end);
        }
        let mut thoughts = self.study.iter().flat_map(|study| &study.thoughts);
        let (mut root, mut last) = (Root::new(self.start.clone()), 0);
        for &(m, value) in &self.turns {
            let list = ordered(&root);
            let number = |m| list.iter().position(|&other| other == m).expect("it is legal") as u64;
            put(&mut body, number(m));
            put(&mut body, value.map_or(0, |value| 1 + folded(value.wrapping_add(last))));
            if let Some(thought) = thoughts.next() {
                put(&mut body, thought.len() as u64);
                for &(m, share) in thought {
                    put(&mut body, number(m));
                    put(&mut body, share.into());
                }
            }
            last = value.unwrap_or(last.wrapping_neg());
            root.play(m);
        }
        let mut record = Vec::with_capacity(body.len() + 5);
        put(&mut record, body.len() as u64);
        record.extend(checksum(&body, root.position()));
        record.extend(body);
        record
    }

    /// Reads the record of a game by these rules; says what is wrong with it.
    pub fn read(rules: &G::Rules, record: &[u8]) -> Result<Self, String> {
        let bytes = &mut &record[..];
        take(bytes).ok_or("it is empty")?;
        let sum = bytes.split_off(..2).ok_or("it has no checksum")?;
        let body = *bytes;
        let cut = "it ends too early";
        let seed = take(bytes).ok_or(cut)?;
        let number = take(bytes).ok_or(cut)?;
        let row = RESULTS.get((number % ELSEWHERE) as usize).filter(|_| number < 2 * STUDIED);
        let &(winner, _) = row.ok_or_else(|| format!("{number} is not a result"))?;
        let start = if number & ELSEWHERE == 0 {
            G::start(rules)
        } else {
            let text = take_bytes(bytes).and_then(|text| str::from_utf8(text).ok());
            G::read(rules, text.ok_or("its start is no text")?).map_err(|error| error.to_string())?
        };
        let mut study = None;
        if number & STUDIED != 0 {
            study = Some(Study { thoughts: Vec::new(), end: take_bytes(bytes).ok_or(cut)?.to_vec() });
        }
        let (mut root, mut turns, mut last) = (Root::new(start.clone()), Vec::new(), 0);
        while !bytes.is_empty() {
            let (m, value) = take(bytes).zip(take(bytes)).ok_or(cut)?;
            let list = ordered(&root);
            let legal = |number: u64| {
                let found = list.get(number as usize).copied();
                found.ok_or_else(|| format!("there is no move {number} in {}", root.position()))
            };
            let m = legal(m)?;
            let value = value.checked_sub(1).map(|folded| unfolded(folded).wrapping_sub(last));
            last = value.unwrap_or(last.wrapping_neg());
            turns.push((m, value));
            if let Some(study) = &mut study {
                let count = take(bytes).filter(|&count| count <= list.len() as u64).ok_or(cut)?;
                let mut thought = Vec::with_capacity(count as usize);
                for _ in 0..count {
                    let (m, share) = take(bytes).zip(take(bytes)).ok_or(cut)?;
                    thought.push((legal(m)?, share as u16));
                }
                study.thoughts.push(thought);
            }
            root.play(m);
        }
        if sum != checksum(body, root.position()) {
            return Err("its checksum is wrong".to_owned());
        }
        Ok(Played { seed, start, turns, winner, study })
    }
}

/// The record that some bytes begin with; none if it is cut short, or if they are something else.
pub fn record(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes;
    let length = take(&mut rest).filter(|&length| 0 < length && length < LONGEST as u64)? as usize;
    let head = bytes.len() - rest.len();
    bytes.get(..head + 2 + length)
}

/// The seed of the game of a record.
pub fn seed(record: &[u8]) -> Option<u64> {
    take(&mut content(record)?)
}

/// A number of the game of a record: the same where nothing but the seed differs.
pub fn likeness(record: &[u8]) -> u64 {
    let mut body = content(record).unwrap_or_default();
    take(&mut body);
    xxh3_64(body)
}

/// A record without its length and checksum.
fn content(mut record: &[u8]) -> Option<&[u8]> {
    take(&mut record)?;
    record.get(2..)
}

/// What shows that a game is read as it was written: it must come to the same end by the same bytes.
fn checksum<G: Game>(body: &[u8], end: &G) -> [u8; 2] {
    let sum = xxh3_64(body) ^ xxh3_64(end.to_string().as_bytes());
    (sum as u16).to_le_bytes()
}

/// The legal moves in the order of their packed numbers, which outlives changes of the move generator.
fn ordered<G: Game>(root: &Root<G>) -> Vec<G::Move> {
    let mut list = root.legal();
    list.sort_unstable_by_key(|&m| root.position().pack(m));
    list
}

/// Small numbers of either sign as small numbers without one.
fn folded(value: i32) -> u64 {
    u64::from((value << 1 ^ value >> 31) as u32)
}

fn unfolded(value: u64) -> i32 {
    let value = value as u32;
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

/// Seven bits a byte, the lowest first; the eighth says that more follow.
fn put(out: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Bytes behind their number.
fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend(bytes);
}

fn take_bytes<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(take(bytes)?).ok()?;
    bytes.split_off(..length)
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.split_off_first()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Pile, Size};

    const RULES: Size = Size(13);

    fn game() -> Played<Pile> {
        let turns = vec![(2, None), (1, Some(-7)), (3, Some(30_900)), (1, None), (2, Some(-12))];
        Played { seed: 1 << 40, start: Pile::start(&RULES), turns, winner: Some(Side::Black), study: None }
    }

    /// The same game, studied.
    fn studied() -> Played<Pile> {
        let thoughts =
            vec![vec![], vec![(1, 40_000), (3, 0)], vec![(3, 7)], vec![], vec![(1, 1), (2, 65_535)]];
        Played { study: Some(Study { thoughts, end: vec![0, 255, 3] }), ..game() }
    }

    #[test]
    fn a_game_is_read_back_as_written() {
        let elsewhere = Pile { left: 99, turn: Side::Black };
        let games = [
            game(),
            Played { start: elsewhere.clone(), winner: None, ..game() },
            studied(),
            Played { start: elsewhere, ..studied() },
        ];
        for game in games {
            let record = game.write(&RULES);
            assert_eq!(Played::read(&RULES, &record), Ok(game.clone()));
            let behind = [&record[..], &record[..7]].concat();
            assert_eq!((seed(&record), super::record(&behind)), (Some(game.seed), Some(&record[..])));
        }
        let mut seen = Vec::new();
        game().valued(|root, _, value| seen.push((root.position().to_string(), value)));
        assert_eq!(seen, [("11 b", -7), ("10 w", 30_900), ("6 w", -12)].map(|(p, v)| (p.to_owned(), v)));
        assert_eq!(game().result(), 0.0);
    }

    #[test]
    fn any_value_is_read_back() {
        for value in [i32::MIN, i32::MAX, 0, -1, 1, 63, -64] {
            assert_eq!(unfolded(folded(value)), value);
        }
    }

    #[test]
    fn what_is_left_of_a_record_is_not_taken_for_one() {
        let whole = game().write(&RULES);
        for end in 0..whole.len() {
            assert_eq!(record(&whole[..end]), None);
        }
    }

    #[test]
    fn a_damaged_record_is_refused() {
        for game in [game(), studied()] {
            let record = game.write(&RULES);
            let read = |at: usize, by: u8| {
                let mut damaged = record.clone();
                damaged[at] ^= by;
                Played::<Pile>::read(&RULES, &damaged)
            };
            // The length, which finds the record, is not looked at again.
            let mut bits = (1..record.len()).flat_map(|at| (0..8).map(move |bit| (at, 1 << bit)));
            assert!(bits.all(|(at, by)| read(at, by).is_err()));
        }
        let record = game().write(&RULES);
        // By other rules the same bytes are another game.
        assert!(Played::<Pile>::read(&Size(20), &record).unwrap_err().contains("checksum"));
        assert!(Played::<Pile>::read(&Size(5), &record).unwrap_err().contains("no move 2 in 2 w"));
    }

    #[test]
    fn games_alike_but_for_their_seed_are_known() {
        let number = |game: Played<Pile>| likeness(&game.write(&RULES));
        assert_eq!(number(game()), number(Played { seed: 2, ..game() }));
        assert_ne!(number(game()), number(Played { winner: None, ..game() }));
    }
}
