//! Games of Go as SGF, and what a game of Go was like at its end.

use anyhow::{Result, anyhow};
use go::point::points;
use go::rules::rounded;
use go::{Colour, Move, Position, Record, Rules, sgf, text};
use search::{Game, Rulebook, Side};

use super::archive;
use super::log::Entry;
use crate::record::GameResult;

/// A game of Go that is over.
pub struct Finished {
    /// All moves.
    pub record: Record,
    /// Black's lead in points, if the board was counted.
    pub margin: Option<f64>,
}

impl Finished {
    /// Plays a logged game again.
    pub fn new(entry: &Entry, rules: &[(String, String)]) -> Result<Finished> {
        let record = replayed(entry, rules)?;
        let counted = matches!(entry.reason.as_str(), "more points" | "equal points");
        let margin = counted.then(|| {
            let dead = entry.dead.clone().unwrap_or_default();
            let size = record.position().rules().size();
            let dead = points(size).filter(|point| dead.contains(&point.to_string())).collect();
            record.position().margin_without(&dead)
        });
        Ok(Finished { record, margin })
    }

    /// The position at the end.
    pub fn position(&self) -> &Position {
        self.record.position()
    }

    /// The number of stones of a colour on the board.
    pub fn stones(&self, colour: Colour) -> usize {
        self.position().number(colour)
    }
}

fn replayed(entry: &Entry, choices: &[(String, String)]) -> Result<Record> {
    let rules = Rules::chosen(choices)?;
    let mut record = Record::new(rules);
    for m in &entry.moves {
        let side = record.position().turn();
        let found = text::read_move(rules.size(), &m.text);
        record.play(side, found.ok_or_else(|| anyhow!("no such move: '{}'", m.text))?)?;
    }
    Ok(record)
}

/// A logged game as SGF, with what the players thought as comments.
pub fn write(entry: &Entry, event: &str, rules: &[(String, String)]) -> Result<String> {
    let finished = Finished::new(entry, rules)?;
    let (date, round) = (entry.date.replace('.', "-"), (entry.pair + 1).to_string());
    let result = result(entry, finished.margin);
    let tags = [
        ("PW", entry.white.as_str()),
        ("PB", entry.black.as_str()),
        ("DT", &date),
        ("EV", event),
        ("RO", &round),
        ("RE", &result),
        ("GC", &entry.reason),
    ];
    let root = finished.record.root();
    let mut out = format!("(;{}", sgf::write_root(root.start(), &tags));
    for ((side, m), thought) in finished.record.moves().into_iter().zip(&entry.moves) {
        let comment = sgf::property("C", [archive::comment(thought).as_str()]);
        out += &format!("\n;{}{comment}", sgf::write_move(side, m, root.start().rules().size()));
    }
    Ok(out + ")\n")
}

/// The result as SGF writes it: `B+3.5`, `W+R`, `0`, `Void`.
fn result(entry: &Entry, margin: Option<f64>) -> String {
    let GameResult::Won(winner) = entry.outcome() else {
        return if entry.reason == "no result by repetition" { "Void" } else { "0" }.to_owned();
    };
    let letter = if winner == Side::Black { 'B' } else { 'W' };
    let how = match (entry.reason.as_str(), margin) {
        (_, Some(margin)) => rounded(margin.abs()).to_string(),
        ("resignation" | "resign adjudication", _) => "R".to_owned(),
        ("time forfeit", _) => "T".to_owned(),
        _ => "F".to_owned(),
    };
    format!("{letter}+{how}")
}

/// The moves of every game of a file, as openings have them; `size` is that of the board.
pub fn openings(text: &str, size: usize) -> Result<Vec<Vec<String>>> {
    let mut list = Vec::new();
    for (record, number) in go::sgf::read_all(text, Rules::default())?.iter().zip(1..) {
        let root = record.root();
        let start = root.start();
        let wrong = |what: &str| anyhow!("game {number}: {what}");
        if start.rules().size() != size {
            let found = start.rules().size();
            return Err(wrong(&format!("a board of {found} by {found} points, not {size} by {size}")));
        }
        if start.number(Colour::Empty) != size * size {
            return Err(wrong("stones are set up; GTP engines take moves, not positions"));
        }
        // A match begins with Black, who passes where White moves first.
        let first = (start.turn() == Side::White).then_some(&Move::Pass);
        list.push(first.into_iter().chain(root.moves()).map(Move::to_string).collect());
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_of_an_opening_keep_their_colour() {
        let moves = |text: &str| openings(text, 9).unwrap().concat();
        assert_eq!(moves("(;SZ[9];B[cc];W[gg])"), ["C7", "G3"]);
        for text in ["(;SZ[9];W[cc];B[gg])", "(;SZ[9]PL[W];W[cc];B[gg])"] {
            assert_eq!(moves(text), ["pass", "C7", "G3"], "{text}");
        }
    }

    #[test]
    fn results_have_no_dust_and_a_game_without_one_is_void() {
        let ended = |outcome: &str, reason: &str, margin| {
            let (result, reason) = (outcome.to_owned(), reason.to_owned());
            super::result(&Entry { result, reason, ..Entry::default() }, margin)
        };
        assert_eq!(ended("0-1", "more points", Some(9.0 - 6.1)), "B+2.9");
        assert_eq!(ended("1-0", "more points", Some(0.1 - 0.4)), "W+0.3");
        assert_eq!(ended("1/2-1/2", "equal points", Some(0.0)), "0");
        assert_eq!(ended("1/2-1/2", "no result by repetition", None), "Void");
    }
}
