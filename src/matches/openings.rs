//! Where games begin: positions or moves from a file, and random moves on top of them.
//!
//! Everything is a function of file, seed and number, so the shards of a match agree without talking.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search::zobrist::mix;

use crate::games;
use crate::record::{self, Record};
use crate::referee::Referee;

/// Random openings that end the game, or give one side too much, are drawn anew this often.
const ATTEMPTS: usize = 100;
/// Nodes by which our own engine judges an opening.
const NODES: u64 = 5000;

/// How a file writes its openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A FEN a line, or EPD with operations.
    Epd,
    /// Game records.
    Records(record::Format),
    /// A line of moves from the start.
    Moves,
}

impl Format {
    /// The format of this name, which is also the ending of its files.
    pub fn named(name: &str) -> Option<Format> {
        match name {
            "epd" | "fen" => Some(Format::Epd),
            "moves" => Some(Format::Moves),
            other => record::Format::of_ending(other).map(Format::Records),
        }
    }
}

/// In which order openings are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As in the file.
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// What the user said about the file of openings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The file; none for the usual start only.
    pub file: Option<std::path::PathBuf>,
    /// Told by name and content if not given.
    pub format: Option<Format>,
    /// In which order.
    pub order: Order,
    /// Moves of a record or line that belong to the opening.
    pub plies: Option<usize>,
    /// The first opening to use, from 1.
    pub first: usize,
    /// Random moves played on top.
    pub random_plies: usize,
    /// The most that our own engine may see for either side after them, in hundredths of a piece.
    pub balance: Option<i32>,
    /// Decides order and random moves.
    pub seed: u64,
}

/// Where a game begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The position; none for the usual start.
    pub fen: Option<String>,
    /// Moves from there, as protocols write them.
    pub moves: Vec<String>,
}

/// The openings of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Openings {
    list: Vec<Opening>,
    random_plies: usize,
    balance: Option<i32>,
    seed: u64,
}

impl Openings {
    /// Reads and checks what the user asked for.
    pub fn load(source: &Source, referee: &mut dyn Referee) -> Result<Openings> {
        let mut list = match &source.file {
            None => vec![Opening::default()],
            Some(path) => {
                let text = std::fs::read(path)
                    .map(record::text)
                    .with_context(|| format!("openings: cannot read '{}'", path.display()))?;
                read(&text, path, source, referee)
                    .with_context(|| format!("openings: '{}'", path.display()))?
            }
        };
        if source.order == Order::Random {
            list.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(source.seed));
        }
        let skip = source.first.saturating_sub(1) % list.len();
        list.rotate_left(skip);
        let &Source { random_plies, balance, seed, .. } = source;
        Ok(Openings { list, random_plies, balance, seed })
    }

    /// Different openings; random moves are not counted.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether any of them begins elsewhere than at the usual start.
    pub fn have_positions(&self) -> bool {
        self.list.iter().any(|opening| opening.fen.is_some())
    }

    /// Never, since without a file there is the usual start.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The opening of the `number`-th pair of games, from 0.
    pub fn get(&self, number: usize, referee: &mut dyn Referee) -> Opening {
        let opening = &self.list[number % self.list.len()];
        if self.random_plies == 0 {
            return opening.clone();
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(mix(self.seed) ^ number as u64);
        (0..ATTEMPTS)
            .find_map(|_| self.with_random_moves(opening, referee, &mut random))
            .unwrap_or_else(|| opening.clone())
    }

    fn with_random_moves(
        &self,
        opening: &Opening,
        referee: &mut dyn Referee,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<Opening> {
        set_up(opening, referee).expect("openings are checked when they are read");
        for _ in 0..self.random_plies {
            let legal = referee.legal();
            if legal.is_empty() {
                return None;
            }
            referee.play(&legal[random.random_range(0..legal.len())]).ok()?;
        }
        let open = referee.outcome().is_none();
        let open = open && self.balance.is_none_or(|most| is_balanced(referee, most));
        open.then(|| Opening { fen: opening.fen.clone(), moves: referee.moves() })
    }
}

fn is_balanced(referee: &dyn Referee, most: i32) -> bool {
    referee.value(NODES).is_some_and(|value| value.0.abs() <= most)
}

/// Puts an opening before the referee.
pub fn set_up(opening: &Opening, referee: &mut dyn Referee) -> Result<()> {
    referee.set_up(opening.fen.as_deref())?;
    for text in &opening.moves {
        referee.play(text)?;
    }
    Ok(())
}

fn read(text: &str, path: &Path, source: &Source, referee: &mut dyn Referee) -> Result<Vec<Opening>> {
    // Editors of Windows begin a file with a mark of its encoding.
    let text = text.trim_start_matches('\u{feff}');
    let plies = source.plies.unwrap_or(usize::MAX);
    let list = match source.format.unwrap_or_else(|| guess(text, path, referee)) {
        Format::Epd => read_lines(text, |line| read_position(line, referee))?,
        Format::Moves => read_lines(text, |line| read_moves(line, plies, referee))?,
        Format::Records(format) => read_records(text, format, plies, referee)?,
    };
    if list.is_empty() {
        bail!("it contains no openings");
    }
    Ok(list)
}

/// The format by the file's name, or else by its first line.
fn guess(text: &str, path: &Path, referee: &mut dyn Referee) -> Format {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    if let Some(format) = Format::named(&ending) {
        return format;
    }
    let usual = referee.row().formats[0];
    match lines(text).next() {
        Some((_, line)) if line.starts_with('[') && usual == record::Format::Pdn => Format::Records(usual),
        Some((_, line)) if line.starts_with('[') => Format::Records(record::Format::Pgn),
        Some((_, line)) if read_position(line, referee).is_ok() => Format::Epd,
        Some((_, line)) => record::Format::of_text(line).map_or(Format::Moves, Format::Records),
        None => Format::Moves,
    }
}

/// The lines that say something, with their numbers from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

fn read_lines(text: &str, mut read: impl FnMut(&str) -> Result<Opening>) -> Result<Vec<Opening>> {
    lines(text).map(|(number, line)| read(line).with_context(|| format!("line {number}"))).collect()
}

/// A FEN, or the part of an EPD line before its operations.
fn read_position(line: &str, referee: &mut dyn Referee) -> Result<Opening> {
    let fen = position_part(line, referee)?;
    check_open(referee)?;
    Ok(Opening { fen: Some(filled_in(&fen, referee)), moves: Vec::new() })
}

/// The FEN that the referee was set up with. EPD has no counters, but not every engine or reader of records can do
/// without them.
pub fn filled_in(fen: &str, referee: &dyn Referee) -> String {
    let written = referee.start();
    let fields = |text: &str| text.split_whitespace().count();
    if fields(fen) < fields(&written) { written } else { fen.to_owned() }
}

/// Sets the referee to the longest beginning of an EPD line that is a position, and returns it.
pub fn position_part(line: &str, referee: &mut dyn Referee) -> Result<String> {
    let error = match referee.set_up(Some(line)) {
        Ok(()) => return Ok(line.to_owned()),
        Err(error) => error,
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let fits = (1..words.len())
        .rev()
        .map(|n| words[..n].join(" "))
        .find(|part| line.contains(';') && referee.set_up(Some(part)).is_ok());
    fits.ok_or_else(|| error.into())
}

fn read_moves(line: &str, plies: usize, referee: &mut dyn Referee) -> Result<Opening> {
    referee.set_up(None)?;
    for word in line.split_whitespace().take(plies) {
        referee.play(word)?;
    }
    check_open(referee)?;
    Ok(Opening { fen: None, moves: referee.moves() })
}

fn read_records(
    text: &str,
    format: record::Format,
    plies: usize,
    referee: &mut dyn Referee,
) -> Result<Vec<Opening>> {
    check_format(format, referee.game())?;
    let mut list = Vec::new();
    for (record, number) in format.read(text)?.iter().zip(1..) {
        let place =
            || if record.line > 0 { format!("line {}", record.line) } else { format!("game {number}") };
        let opening = match format {
            record::Format::Sgf => moves_alone(record, plies, referee).with_context(place)?,
            _ => opening(record, plies, referee)?,
        };
        check_open(referee).with_context(place)?;
        list.push(opening);
    }
    Ok(list)
}

/// Formats of one world are no records of another; what looks like PGN may be of any game.
fn check_format(format: record::Format, game: &str) -> Result<()> {
    let games: Vec<_> = games::kept_as(format).map(|entry| entry.name).collect();
    let fits = format == record::Format::Pgn || games.contains(&game);
    ensure!(fits, "{format} holds games of {}, not of {game}", games.join(" and "));
    Ok(())
}

/// Plays a record; its position is written anew where it is not the usual one.
fn opening(record: &Record, plies: usize, referee: &mut dyn Referee) -> Result<Opening> {
    record.replay(referee, plies)?;
    let fen = record.tag("FEN").map(|fen| filled_in(fen, referee));
    Ok(Opening { fen, moves: referee.moves() })
}

/// Plays a record of a game whose engines take moves, not positions: it must begin with this board, and empty.
fn moves_alone(record: &Record, plies: usize, referee: &mut dyn Referee) -> Result<Opening> {
    let size = referee.board().columns.to_string();
    let found = record.tag("BoardSize").unwrap_or(&size);
    ensure!(found == size, "a board of {found} by {found} points, not {size} by {size}");
    let first = referee.another().turn();
    referee.set_up(record.tag("FEN"))?;
    let is_empty = referee.board().spots.iter().all(|spot| spot.piece.is_none());
    ensure!(is_empty, "stones are set up; GTP engines take moves, not positions");
    // Who would have begun passes where the other moves first.
    let passes = (referee.turn() != first).then_some("pass");
    let moves = record.moves();
    let texts = passes.into_iter().chain(moves.iter().map(|m| m.text.as_str()));
    referee.set_up(None)?;
    for text in texts.take(plies) {
        referee.play(text)?;
    }
    Ok(Opening { fen: None, moves: referee.moves() })
}

fn check_open(referee: &dyn Referee) -> Result<()> {
    if let Some(outcome) = referee.outcome() {
        bail!("the game is over there ({})", outcome.reason);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::open;

    const FEN: &str = "bbbbbbbb/8/8/8/8/1w6/8/1wwwwwww b 4";

    fn load(name: &str, text: impl AsRef<[u8]>, source: Source) -> Result<Openings> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        let mut referee = open("neighbours", &[]).unwrap();
        Openings::load(&Source { file: Some(path), ..source }, referee.as_mut())
    }

    fn why(name: &str, text: &str) -> String {
        let error = load(name, text, Source::default()).unwrap_err();
        format!("{error:#}").split_once("': ").unwrap().1.to_owned()
    }

    #[test]
    fn three_formats_are_told_apart() {
        let moves = |name, text: &str| load(name, text, Source::default()).unwrap().list;
        let fen = Opening { fen: Some(FEN.to_owned()), moves: Vec::new() };
        let line = Opening { fen: None, moves: vec!["a1b2".to_owned(), "a8b7".to_owned()] };
        assert_eq!(moves("x.epd", &format!("# start\n\n{FEN}\n")), std::slice::from_ref(&fen));
        assert_eq!(moves("x", &format!("{FEN} bm b8c7; id \"a b\";\n{FEN}")), [fen.clone(), fen]);
        assert_eq!(moves("x.txt", "a1b2  a8b7\n"), std::slice::from_ref(&line));
        assert_eq!(moves("x", "[Event \"?\"]\n1. a1b2 {hm} a8b7 *"), [line]);
    }

    #[test]
    fn what_a_position_leaves_out_is_filled_in() {
        let board = "4k3/8/8/8/8/8/8/R3K3";
        let begun = |name: &str, text: String| of_game("chess", &[], name, &text).unwrap().remove(0).fen;
        let filled = Some(format!("{board} w Q - 0 1"));
        assert_eq!(begun("x.epd", format!("{board} w Q - id \"a\";")), filled);
        assert_eq!(begun("x.pgn", format!("[FEN \"{board} w Q -\"]\n1. Ra5 *")), filled);
        assert_eq!(begun("x.epd", format!("{board} b Q - 5 40")), Some(format!("{board} b Q - 5 40")));
    }

    #[test]
    fn names_that_are_no_utf_8_and_marks_of_encodings_do_no_harm() {
        let openings = load("x.pgn", b"[White \"\xe9\"]\n1. a1b2 *", Source::default()).unwrap();
        assert_eq!(openings.list[0].moves, ["a1b2"]);
        let openings = load("x.epd", format!("\u{feff}{FEN}\n"), Source::default()).unwrap();
        assert_eq!(openings.list[0].fen.as_deref(), Some(FEN));
    }

    /// The openings of a file, or what is wrong with it.
    fn of_game(game: &str, rules: &[(&str, &str)], name: &str, text: &str) -> Result<Vec<Opening>, String> {
        let rules: Vec<_> = rules.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
        let mut referee = open(game, &rules).unwrap();
        let source = Source { plies: Some(2), ..Source::default() };
        read(text, Path::new(name), &source, referee.as_mut()).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn pdn_is_read_with_its_numbering_and_positions() {
        let text =
            "[GameType \"26,W,8,8,A0,0\"]\n1. a3-b4 h6-g5 2. b4-c5 2-0\n\n[FEN \"B:WK29:B12\"]\n1... 12-16 *";
        let line = Opening { fen: None, moves: vec!["21-17".to_owned(), "12-16".to_owned()] };
        let position = Opening { fen: Some("B:WK29:B12".to_owned()), moves: vec!["12-16".to_owned()] };
        for name in ["x.pdn", "x"] {
            assert_eq!(of_game("draughts", &[], name, text), Ok(vec![line.clone(), position.clone()]));
        }
        assert_eq!(
            of_game("draughts", &[], "x.pdn", "1. 22-99").unwrap_err(),
            "line 1: '22-99' is not a move"
        );
        assert!(of_game("chess", &[], "x.pdn", text).unwrap_err().starts_with("PDN holds games of draughts"));
    }

    #[test]
    fn sgf_is_read_game_by_game() {
        let nine = [("BoardSize", "9")];
        let text = "(;SZ[9];B[ee];W[ce];B[aa])(;SZ[9];B[cc];B[dd])";
        let opening = |a: &str, b: &str| Opening { fen: None, moves: vec![a.to_owned(), b.to_owned()] };
        let wanted = vec![opening("E5", "C5"), opening("C7", "pass")];
        for name in ["x.sgf", "x"] {
            assert_eq!(of_game("go", &nine, name, text), Ok(wanted.clone()));
        }
        let why = |text: &str| of_game("go", &nine, "x.sgf", text).unwrap_err();
        assert_eq!(why("(;SZ[9];B[ee])(;B[ee])"), "game 2: a board of 19 by 19 points, not 9 by 9");
        assert!(why("(;SZ[9]AB[ee][cc];W[aa])").starts_with("game 1: stones are set up"));
        assert_eq!(why("(;SZ[9];B[];W[])"), "game 1: the game is over there (more points)");
        assert_eq!(why("(;SZ[9];B[ee"), "byte 9: a value has no end");
    }

    #[test]
    fn stones_of_an_opening_keep_their_colour() {
        let moves = |text: &str| {
            let mut referee = open("go", &[("BoardSize".to_owned(), "9".to_owned())]).unwrap();
            let list = read(text, Path::new("x.sgf"), &Source::default(), referee.as_mut()).unwrap();
            list.into_iter().flat_map(|opening| opening.moves).collect::<Vec<_>>()
        };
        assert_eq!(moves("(;SZ[9];B[cc];W[gg])"), ["C7", "G3"]);
        for text in ["(;SZ[9];W[cc];B[gg])", "(;SZ[9]PL[W];W[cc];B[gg])"] {
            assert_eq!(moves(text), ["pass", "C7", "G3"], "{text}");
        }
    }

    #[test]
    fn bad_lines_are_named() {
        assert_eq!(why("x.moves", "a1b2\n\na1a3"), "line 3: illegal move 'a1a3'");
        assert!(why("x.epd", "8/8 w").starts_with("line 1: bad position '8/8 w'"));
        assert_eq!(why("x.epd", "8/8/8/8/8/8/8/w6b w"), "line 1: the game is over there (no legal move)");
        assert_eq!(why("x.pgn", "\n\n[Event \"?\"]\n1. a1a3 *"), "line 3: illegal move 'a1a3'");
        assert_eq!(why("x.epd", "# nothing"), "it contains no openings");
    }

    #[test]
    fn plies_cut_and_first_rotates() {
        let source = Source { plies: Some(1), first: 2, ..Source::default() };
        let openings = load("x", "a1b2 a8b7\na1a2", source).unwrap();
        assert_eq!(openings.list[0].moves, ["a1a2"]);
        assert_eq!(openings.list[1].moves, ["a1b2"]);
    }

    #[test]
    fn the_seed_decides_order_and_random_moves() {
        let text = "a1b2\na1a2\nb1b3\nb1d3\nc1c3\nc1e3";
        let mut referee = open("neighbours", &[]).unwrap();
        let mut all = |seed| {
            let source = Source { order: Order::Random, random_plies: 5, seed, ..Source::default() };
            let openings = load("x", text, source).unwrap();
            (0..12).map(|n| openings.get(n, referee.as_mut())).collect::<Vec<_>>()
        };
        assert_eq!(all(1), all(1));
        assert_ne!(all(1), all(2));
        let list = all(3);
        assert!(list.iter().all(|opening| opening.moves.len() == 6));
        assert_ne!(list[0], list[6], "the second round draws other moves");
    }

    #[test]
    fn balanced_openings_give_neither_side_a_piece() {
        for game in ["chess", "draughts", "neighbours", "morris"] {
            let mut referee = open(game, &[]).unwrap();
            let value = |balance, referee: &mut dyn Referee| {
                let source = Source { random_plies: 8, balance, ..Source::default() };
                let openings = Openings::load(&source, referee).unwrap();
                let values = (0..8).map(|number| {
                    let opening = openings.get(number, referee);
                    assert_eq!(opening.moves.len(), 8);
                    set_up(&opening, referee).unwrap();
                    referee.value(NODES).unwrap().0.abs()
                });
                values.max().unwrap()
            };
            assert!(value(Some(60), referee.as_mut()) <= 60 && value(None, referee.as_mut()) > 60, "{game}");
        }
    }
}
