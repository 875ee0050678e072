//! What may be said to a UCI engine, read with tolerance: tokens in any order, absurd numbers brought
//! within reach, unknown tokens skipped one at a time.

use std::fmt;
use std::time::Duration;

use search::{Limits, Side, TimeLeft};

use crate::session::Waiting;

/// Depths, mate distances and moves to go beyond this mean no more than this.
const MOST_MOVES: i64 = 9999;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Introduce yourself.
    Uci,
    /// Say more, or less again.
    Debug(bool),
    /// Answer when all earlier input has been handled.
    IsReady,
    /// Change an option.
    SetOption {
        /// As given; case does not matter.
        name: String,
        /// The rest of the line; empty for a button.
        value: String,
    },
    /// Of no meaning to a free program.
    Register,
    /// The next position belongs to another game.
    NewGame,
    /// Set the game up.
    Position {
        /// A FEN; none for the start position.
        fen: Option<String>,
        /// The moves played from there.
        moves: Vec<String>,
    },
    /// Think.
    Go(Go),
    /// Count the leaves of the move tree to this depth.
    Perft(u32),
    /// Search fixed positions.
    Bench,
    /// Answer now.
    Stop,
    /// The pondered move was played.
    PonderHit,
    /// Leave.
    Quit,
    /// Draw the board.
    Show,
    /// Explain the evaluation.
    Eval,
    /// Tell what the last search did.
    Counters,
    /// Exchange the colours of the players.
    Flip,
    /// List the commands.
    Help,
    /// A line that the engine answers itself.
    Own(String),
}

/// A line that is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// No word of the line is a command.
    #[error("unknown command '{0}'; try 'help'")]
    Unknown(String),
    /// The command lacks something.
    #[error("'{command}' needs {what}")]
    Missing {
        /// The command.
        command: &'static str,
        /// What it lacks.
        what: &'static str,
    },
    /// The command takes no words after it.
    #[error("'{command}' takes no arguments: '{words}'")]
    Bare {
        /// The command.
        command: &'static str,
        /// What came after it.
        words: String,
    },
    /// A word that would be skipped.
    #[error("'{word}' means nothing in '{command}'")]
    Skipped {
        /// The word.
        word: String,
        /// The line.
        command: String,
    },
    /// Longer than any command.
    #[error("a line of more than {} bytes was ignored", crate::lines::LONGEST)]
    TooLong,
}

impl Command {
    /// Reads a line; none if it is blank or a comment.
    pub fn read(line: &str) -> Result<Option<Command>, CommandError> {
        Command::read_and_skip(line, &mut Vec::new())
    }

    /// Reads a line of which every word must mean something, as on a command line.
    pub fn read_whole(line: &str) -> Result<Option<Command>, CommandError> {
        let mut skipped = Vec::new();
        let command = Command::read_and_skip(line, &mut skipped)?;
        match skipped.first() {
            None => Ok(command),
            Some(&word) => {
                Err(CommandError::Skipped { word: word.to_owned(), command: line.trim().to_owned() })
            }
        }
    }

    /// Reads a line and collects the words that mean nothing.
    fn read_and_skip<'a>(line: &'a str, skipped: &mut Vec<&'a str>) -> Result<Option<Command>, CommandError> {
        if line.len() > crate::lines::LONGEST {
            return Err(CommandError::TooLong);
        }
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let mut rest = line;
        while !rest.is_empty() {
            let (word, after) = split_word(rest);
            if let Some(command) = read_known(word, after, skipped) {
                return command.map(Some);
            }
            skipped.push(word);
            rest = after;
        }
        Err(CommandError::Unknown(split_word(line).0.to_owned()))
    }
}

impl Waiting for Command {
    fn is_job(&self) -> bool {
        matches!(self, Command::Go(_) | Command::Perft(_) | Command::Bench)
    }

    fn is_hint(&self) -> bool {
        matches!(self, Command::Stop | Command::PonderHit)
    }
}

/// Reads what follows a command's word; none if the word is no command.
fn read_known<'a>(
    word: &str,
    rest: &'a str,
    skipped: &mut Vec<&'a str>,
) -> Option<Result<Command, CommandError>> {
    let words = || rest.split_whitespace();
    Some(match word {
        "debug" => {
            skipped.extend(words().skip(1));
            Ok(Command::Debug(split_word(rest).0 != "off"))
        }
        "setoption" => read_option(rest),
        "register" => Ok(Command::Register),
        "position" => read_position(rest),
        "go" => read_go(&words().collect::<Vec<_>>(), skipped),
        // Test benches of other engines give it sizes and depths, and would take our number for theirs.
        "bench" if !rest.is_empty() => Err(CommandError::Bare { command: "bench", words: rest.to_owned() }),
        "perft" => {
            skipped.extend(words().skip(1));
            read_perft(split_word(rest).0)
        }
        _ => {
            let command = bare(word)?;
            skipped.extend(words());
            Ok(command)
        }
    })
}

/// The command that is this one word.
fn bare(word: &str) -> Option<Command> {
    Some(match word {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "bench" => Command::Bench,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "d" => Command::Show,
        "eval" => Command::Eval,
        "counters" => Command::Counters,
        "flip" => Command::Flip,
        "help" => Command::Help,
        _ => return None,
    })
}

/// The first word of a trimmed text and what follows it, trimmed.
fn split_word(text: &str) -> (&str, &str) {
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, ""),
    }
}

/// `name N [value V]`, where N may contain blanks and V is all the rest.
fn read_option(rest: &str) -> Result<Command, CommandError> {
    let mut rest = match split_word(rest) {
        ("name", after) => after,
        _ => rest,
    };
    let mut name = Vec::new();
    while !rest.is_empty() {
        let (word, after) = split_word(rest);
        rest = after;
        if word == "value" {
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(CommandError::Missing { command: "setoption", what: "the name of an option" });
    }
    Ok(Command::SetOption { name: name.join(" "), value: rest.to_owned() })
}

/// `startpos [moves ...]` or `fen F [moves ...]`.
fn read_position(rest: &str) -> Result<Command, CommandError> {
    let mut words = rest.split_whitespace();
    let kind = words.next();
    let before: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    let moves = words.map(str::to_owned).collect();
    match kind {
        Some("startpos") if !before.is_empty() => {
            Err(CommandError::Missing { command: "position startpos", what: "'moves' before its moves" })
        }
        Some("startpos") => Ok(Command::Position { fen: None, moves }),
        Some("fen") => Ok(Command::Position { fen: Some(before.join(" ")), moves }),
        _ => Err(CommandError::Missing { command: "position", what: "'startpos' or 'fen'" }),
    }
}

fn read_perft(word: &str) -> Result<Command, CommandError> {
    number(word)
        .map(|depth| Command::Perft(depth.clamp(1, MOST_MOVES) as u32))
        .ok_or(CommandError::Missing { command: "perft", what: "a depth" })
}

fn read_go<'a>(words: &[&'a str], skipped: &mut Vec<&'a str>) -> Result<Command, CommandError> {
    match words.iter().position(|&word| word == "perft") {
        Some(at) => {
            skipped.extend(words.iter().take(at).chain(words.iter().skip(at + 2)));
            read_perft(words.get(at + 1).copied().unwrap_or(""))
        }
        None => Ok(Command::Go(Go::read(words, skipped))),
    }
}

/// The limits of a `go`, as given; times in milliseconds, possibly negative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// `wtime` and `btime`.
    pub time: [Option<i64>; 2],
    /// `winc` and `binc`.
    pub increment: [Option<i64>; 2],
    /// `movestogo`.
    pub moves_to_go: Option<i64>,
    /// `movetime`.
    pub move_time: Option<i64>,
    /// `depth`.
    pub depth: Option<i64>,
    /// `nodes`.
    pub nodes: Option<i64>,
    /// `mate`.
    pub mate: Option<i64>,
    /// `infinite`.
    pub infinite: bool,
    /// `ponder`.
    pub ponder: bool,
    /// `searchmoves`, if given.
    pub search_moves: Option<Vec<String>>,
}

/// The limits that are numbers, in the order in which they are written.
const NUMBERS: [&str; 9] =
    ["wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth", "nodes", "mate"];

impl Go {
    fn read<'a>(words: &[&'a str], skipped: &mut Vec<&'a str>) -> Go {
        let mut go = Go::default();
        let mut at = 0;
        while let Some(&word) = words.get(at) {
            at += 1;
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    let count = words[at..].iter().take_while(|word| !is_go_word(word)).count();
                    let list = go.search_moves.get_or_insert_default();
                    list.extend(words[at..at + count].iter().map(|&word| word.to_owned()));
                    at += count;
                }
                _ => {
                    // A limit without its number is no limit, and the next word is looked at by itself.
                    match (go.slot(word), words.get(at).and_then(|word| number(word))) {
                        (Some(slot), Some(value)) => {
                            *slot = Some(value);
                            at += 1;
                        }
                        _ => skipped.push(word),
                    }
                }
            }
        }
        go
    }

    /// Where the number after this word belongs.
    fn slot(&mut self, word: &str) -> Option<&mut Option<i64>> {
        Some(match word {
            "wtime" => &mut self.time[0],
            "btime" => &mut self.time[1],
            "winc" => &mut self.increment[0],
            "binc" => &mut self.increment[1],
            "movestogo" => &mut self.moves_to_go,
            "movetime" => &mut self.move_time,
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "mate" => &mut self.mate,
            _ => return None,
        })
    }

    /// What the side to move may spend; `only` is left to those who can read moves.
    pub fn limits(&self, turn: Side) -> Limits {
        let count = |n: i64| n.clamp(1, MOST_MOVES) as u32;
        let mut limits = Limits {
            clock: self.clock(turn),
            move_time: self.move_time.map(milliseconds),
            depth: self.depth.map(count),
            nodes: self.nodes.map(|n| n.max(1) as u64),
            soft_nodes: None,
            mate: self.mate.map(count),
            infinite: false,
            ponder: self.ponder,
            only: Vec::new(),
        };
        let unlimited = Limits { ponder: self.ponder, ..Limits::default() };
        limits.infinite = self.infinite || limits == unlimited;
        limits
    }

    /// A GUI that names only one clock means it for both.
    fn clock(&self, turn: Side) -> Option<TimeLeft> {
        let (own, other) = (turn.index(), (!turn).index());
        let side = if self.time[own].is_some() { own } else { other };
        Some(TimeLeft {
            left: milliseconds(self.time[side]?),
            increment: milliseconds(self.increment[side].unwrap_or(0)),
            moves_to_go: self.moves_to_go.filter(|&n| n > 0).map(|n| n.min(MOST_MOVES) as u32),
            overtime: None,
        })
    }
}

impl fmt::Display for Go {
    /// The line that is read as this.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        let mut go = self.clone();
        for word in NUMBERS {
            if let Some(Some(number)) = go.slot(word) {
                write!(f, " {word} {number}")?;
            }
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        // Last, since some engines take all the rest of the line for moves.
        if let Some(moves) = &self.search_moves {
            write!(f, " searchmoves {}", moves.join(" "))?;
        }
        Ok(())
    }
}

fn is_go_word(word: &str) -> bool {
    matches!(word, "infinite" | "ponder" | "searchmoves") || NUMBERS.contains(&word)
}

fn milliseconds(count: i64) -> Duration {
    Duration::from_millis(count.max(0) as u64)
}

/// A whole number, brought within 64 bits; what follows a decimal point is dropped.
fn number(word: &str) -> Option<i64> {
    let whole = word.split_once('.').map_or(word, |(whole, _)| whole);
    let digits = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    if digits.is_empty() || !digits.bytes().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse().unwrap_or(i64::MAX);
    Some(if whole.starts_with('-') { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(line: &str) -> Command {
        Command::read(line).unwrap().unwrap()
    }

    fn go(line: &str) -> Go {
        match read(line) {
            Command::Go(go) => go,
            other => panic!("{other:?}"),
        }
    }

    fn option(name: &str, value: &str) -> Command {
        Command::SetOption { name: name.to_owned(), value: value.to_owned() }
    }

    #[test]
    fn blank_lines_and_comments_say_nothing() {
        for line in ["", "   ", "\t\r", "# quit"] {
            assert_eq!(Command::read(line), Ok(None));
        }
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(read("joho debug on"), Command::Debug(true));
        assert_eq!(read("\t isready \t"), Command::IsReady);
        assert_eq!(Command::read("isreadyfoo now"), Err(CommandError::Unknown("isreadyfoo".to_owned())));
    }

    #[test]
    fn on_a_command_line_every_word_means_something() {
        let culprit = |line: &str| match Command::read_whole(line) {
            Err(CommandError::Skipped { word, .. }) => word,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(culprit("joho debug on"), "joho");
        assert_eq!(culprit("go dpeth 5"), "dpeth");
        assert_eq!(culprit("go depth five"), "depth");
        assert_eq!(culprit("go perft 3 4"), "4");
        for line in
            ["go", "go searchmoves e2e4 depth 5 infinite", "debug off", "perft 3", "register later", "d"]
        {
            assert_eq!(Command::read_whole(line), Command::read(line), "{line}");
        }
    }

    #[test]
    fn a_bench_of_another_kind_is_refused() {
        let error = Command::read("bench 16 1 4").unwrap_err();
        assert_eq!(error.to_string(), "'bench' takes no arguments: '16 1 4'");
    }

    #[test]
    fn option_names_and_values_may_contain_blanks() {
        assert_eq!(read("setoption name Move  Overhead value 30"), option("Move Overhead", "30"));
        assert_eq!(read("setoption name Clear Hash"), option("Clear Hash", ""));
        assert_eq!(read("setoption name ValueScale value 3"), option("ValueScale", "3"));
        assert_eq!(
            read("setoption name Debug Log File value my  logs/ü.txt "),
            option("Debug Log File", "my  logs/ü.txt")
        );
        assert!(Command::read("setoption").is_err());
        assert!(Command::read("setoption name value 3").is_err());
    }

    #[test]
    fn positions_keep_their_moves_whatever_the_blanks() {
        let expected = Command::Position { fen: None, moves: vec!["e2e4".to_owned()] };
        assert_eq!(read("position startpos  moves  e2e4"), expected);
        let expected = Command::Position { fen: Some("8/8 w 0".to_owned()), moves: Vec::new() };
        assert_eq!(read("position fen 8/8  w\t0 moves"), expected);
        assert!(Command::read("position").is_err());
        assert!(Command::read("position startpos e2e4").is_err());
        assert!(Command::read("position 8/8 w 0").is_err());
    }

    #[test]
    fn go_words_come_in_any_order_and_unknown_ones_are_skipped() {
        let forth = go("go ponder wtime 1000 foo btime 500 winc 3 binc 4 movestogo 300 depth 256");
        let back = go("go depth 256 movestogo 300 binc 4 winc 3 btime 500 bar wtime 1000 ponder");
        assert_eq!(forth, back);
        assert!(forth.ponder && forth.time == [Some(1000), Some(500)] && forth.depth == Some(256));
    }

    #[test]
    fn search_moves_end_at_the_next_go_word() {
        let go = go("go searchmoves e2e4 d2d4 nodes 5 infinite");
        assert_eq!(go.search_moves, Some(vec!["e2e4".to_owned(), "d2d4".to_owned()]));
        assert!(go.nodes == Some(5) && go.infinite);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let line = "go ponder wtime 1 btime -2 winc 3 binc 4 movestogo 5 movetime 6 depth 7 nodes 8 mate 9 \
                    infinite searchmoves a1a2 b1b2";
        assert_eq!(go(line).to_string(), line);
    }

    #[test]
    fn absurd_numbers_are_brought_within_reach() {
        let limits =
            go("go depth 99999999999999999999 nodes 99999999999999999999 mate 0").limits(Side::White);
        assert_eq!(limits.depth, Some(9999));
        assert_eq!(limits.nodes, Some(i64::MAX as u64));
        assert_eq!(limits.mate, Some(1));
        assert_eq!(go("go movetime 100.5").move_time, Some(100));
        assert_eq!(
            go("go movetime -99999999999999999999").limits(Side::White).move_time,
            Some(Duration::ZERO)
        );
        assert_eq!(go("go depth wtime 5").time[0], Some(5));
    }

    #[test]
    fn the_clock_is_that_of_the_side_to_move_or_the_only_one() {
        let clock = |line: &str, side| go(line).limits(side).clock.map(|clock| clock.left.as_millis());
        assert_eq!(clock("go wtime 100 btime 200", Side::Black), Some(200));
        assert_eq!(clock("go wtime 100", Side::Black), Some(100));
        assert_eq!(clock("go wtime -30", Side::White), Some(0));
        assert_eq!(clock("go winc 30", Side::White), None);
        let limits = go("go wtime 100 movestogo 0").limits(Side::White);
        assert_eq!(limits.clock.unwrap().moves_to_go, None);
    }

    #[test]
    fn a_go_without_a_limit_is_infinite() {
        for line in
            ["go", "go infinite depth 3", "go mate", "go ponder", "go searchmoves a1a2", "go movestogo 3"]
        {
            assert!(go(line).limits(Side::White).infinite, "{line}");
        }
        assert!(!go("go ponder wtime 100").limits(Side::White).infinite);
    }

    #[test]
    fn perft_stands_alone_or_after_go() {
        assert_eq!(read("go perft 5"), Command::Perft(5));
        assert_eq!(read("perft 0"), Command::Perft(1));
        assert!(Command::read("go perft").is_err());
    }

    #[test]
    fn a_giant_line_is_refused() {
        assert_eq!(Command::read(&"x".repeat(crate::lines::LONGEST + 1)), Err(CommandError::TooLong));
    }

    proptest! {
        #[test]
        fn no_line_panics(line in any::<String>()) {
            let _ = Command::read(&line);
        }

        #[test]
        fn no_mixture_of_words_panics(words in proptest::collection::vec(
            prop_oneof![
                Just("go".to_owned()), Just("position".to_owned()), Just("setoption".to_owned()),
                Just("name".to_owned()), Just("value".to_owned()), Just("fen".to_owned()),
                Just("moves".to_owned()), Just("wtime".to_owned()), Just("depth".to_owned()),
                Just("searchmoves".to_owned()), Just("perft".to_owned()), Just("-".to_owned()),
                any::<i128>().prop_map(|n| n.to_string()), any::<String>(),
            ], 0..12)) {
            if let Ok(Some(Command::Go(go))) = Command::read(&words.join(" ")) {
                let _ = (go.limits(Side::White), go.limits(Side::Black));
            }
        }
    }
}
