//! What is said to an engine, in the words of `vampirc-uci` where its types can hold them.
//!
//! They cannot hold the moves of other games, a button (it is given a value), pondering on a clock, depths above 255:
//! those are written here. Its parser is not used on what comes from outside; `tests/crates.rs` shows why.

use vampirc_uci::{Duration, UciFen, UciMessage};

use super::Go;

/// `setoption`; an empty value is that of a button.
pub fn set_option(name: &str, value: &str) -> String {
    if value.is_empty() {
        return format!("setoption name {name}");
    }
    UciMessage::SetOption { name: name.to_owned(), value: Some(value.to_owned()) }.to_string()
}

/// `position`: a FEN, or none for the start, and the moves played from there.
pub fn position<S: AsRef<str>>(fen: Option<&str>, moves: &[S]) -> String {
    let start =
        UciMessage::Position { startpos: fen.is_none(), fen: fen.map(UciFen::from), moves: Vec::new() };
    let mut line = start.to_string();
    if !moves.is_empty() {
        line += " moves";
    }
    for m in moves {
        line += " ";
        line += m.as_ref();
    }
    line
}

/// `go`.
pub fn go(go: &Go) -> String {
    let move_time = go.move_time.map(Duration::milliseconds);
    let simple = match move_time {
        None if *go == (Go { infinite: true, ..Go::default() }) => Some(UciMessage::go_infinite()),
        Some(time) if *go == (Go { move_time: go.move_time, ..Go::default() }) => {
            Some(UciMessage::go_movetime(time))
        }
        _ => None,
    };
    // The crate ends its line with a blank.
    simple.map_or_else(|| go.to_string(), |message| message.to_string().trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_those_of_the_protocol() {
        assert_eq!(set_option("Clear Hash", ""), "setoption name Clear Hash");
        assert_eq!(set_option("Hash", "16"), "setoption name Hash value 16");
        assert_eq!(position::<&str>(None, &[]), "position startpos");
        assert_eq!(position(None, &["32-28", "0000"]), "position startpos moves 32-28 0000");
        assert_eq!(position(Some("8/8 w"), &["a1-b1"]), "position fen 8/8 w moves a1-b1");
    }

    #[test]
    fn whoever_writes_it_a_go_is_the_same() {
        let ponder = Go { ponder: true, time: [Some(1000); 2], ..Go::default() };
        let simple = [
            Go::default(),
            Go { infinite: true, ..Go::default() },
            Go { move_time: Some(100), ..Go::default() },
            Go { move_time: Some(i64::MAX), ..Go::default() },
            Go { move_time: Some(100), depth: Some(300), ..Go::default() },
            ponder,
        ];
        for limits in simple {
            assert_eq!(go(&limits), limits.to_string());
        }
    }
}
