//! What an engine's `info` line says, read with tolerance: what is missing is none, what is unknown is
//! skipped, and a number that is none spoils only itself.

use std::time::Duration;

use search::{Bound, Score};

/// The fields of an `info` line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Plies of nominal depth.
    pub depth: Option<u64>,
    /// Plies of the longest line looked at.
    pub seldepth: Option<u64>,
    /// 1 for the best line.
    pub multipv: Option<u64>,
    /// The value from the side to move, and how sure it is.
    pub score: Option<(Score, Bound)>,
    /// Chances to win, draw and lose, per mille.
    pub wdl: Option<[u64; 3]>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Positions a second.
    pub nps: Option<u64>,
    /// Used part of the table, per mille.
    pub hashfull: Option<u64>,
    /// Database positions met.
    pub tbhits: Option<u64>,
    /// By the engine's own stopwatch.
    pub time: Option<Duration>,
    /// The root move being looked at.
    pub current: Option<String>,
    /// The line of play; empty if there is none.
    pub pv: Vec<String>,
    /// A remark for people.
    pub text: Option<String>,
}

impl Report {
    /// Reads a line; none if it is no `info` line.
    pub fn read(line: &str) -> Option<Report> {
        let mut rest = line.trim().strip_prefix("info")?;
        if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
            return None;
        }
        let mut report = Report::default();
        loop {
            let (word, after) = next_word(rest);
            match word {
                "" => return Some(report),
                "string" => {
                    report.text = Some(after.trim().to_owned());
                    return Some(report);
                }
                "pv" => {
                    report.pv = after.split_whitespace().map(str::to_owned).collect();
                    return Some(report);
                }
                _ => rest = report.field(word, after),
            }
        }
    }

    /// Reads what belongs to one word and returns what follows.
    fn field<'a>(&mut self, word: &str, rest: &'a str) -> &'a str {
        match word {
            "depth" => number(rest, &mut self.depth),
            "seldepth" => number(rest, &mut self.seldepth),
            "multipv" => number(rest, &mut self.multipv),
            "nodes" => number(rest, &mut self.nodes),
            "nps" => number(rest, &mut self.nps),
            "hashfull" => number(rest, &mut self.hashfull),
            "tbhits" => number(rest, &mut self.tbhits),
            "time" => {
                let mut time = None;
                let rest = number(rest, &mut time);
                self.time = time.map(Duration::from_millis).or(self.time);
                rest
            }
            "currmove" => {
                let (word, rest) = next_word(rest);
                self.current = Some(word.to_owned());
                rest
            }
            "score" => self.score(rest),
            "wdl" => self.chances(rest),
            _ => rest,
        }
    }

    /// `cp x` or `mate y`, then perhaps a bound.
    fn score<'a>(&mut self, rest: &'a str) -> &'a str {
        let (kind, after) = next_word(rest);
        let (value, after) = next_word(after);
        let score = match (kind, value.parse()) {
            ("cp", Ok(n)) => points(n),
            ("mate", Ok(n)) => mate(n),
            _ => return rest,
        };
        let (bound, after) = match next_word(after) {
            ("lowerbound", after) => (Bound::Lower, after),
            ("upperbound", after) => (Bound::Upper, after),
            _ => (Bound::Exact, after),
        };
        self.score = Some((score, bound));
        after
    }

    fn chances<'a>(&mut self, rest: &'a str) -> &'a str {
        let mut chances = [None; 3];
        let after = chances.iter_mut().fold(rest, |rest, slot| number(rest, slot));
        if let [Some(win), Some(draw), Some(loss)] = chances {
            self.wdl = Some([win, draw, loss]);
        }
        after
    }
}

/// An opinion in hundredths, however far an engine carries it.
fn points(n: i64) -> Score {
    Score(n.clamp(i64::from((-Score::OPINION).0), i64::from(Score::OPINION.0)) as i32)
}

/// So many moves to a forced win; negative or zero to a forced loss.
fn mate(moves: i64) -> Score {
    let plies = u32::try_from(moves.unsigned_abs().saturating_mul(2)).unwrap_or(u32::MAX);
    if moves > 0 { Score::win_in(plies - 1) } else { Score::loss_in(plies) }
}

fn next_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// Puts the next word into the slot if it is a number; otherwise it is left for the next reader.
fn number<'a>(rest: &'a str, slot: &mut Option<u64>) -> &'a str {
    let (word, after) = next_word(rest);
    match word.parse() {
        Ok(n) => {
            *slot = Some(n);
            after
        }
        Err(_) => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(line: &str) -> Report {
        Report::read(line).unwrap()
    }

    #[test]
    fn all_fields_are_read() {
        let line = "info depth 300 seldepth 400 multipv 2 score cp 13 upperbound wdl 3 5 2 nodes 1234567890123 \
                    nps 5 hashfull 70000 tbhits 1 time 17 pv e2e4 e7e5";
        let expected = Report {
            depth: Some(300),
            seldepth: Some(400),
            multipv: Some(2),
            score: Some((Score(13), Bound::Upper)),
            wdl: Some([3, 5, 2]),
            nodes: Some(1_234_567_890_123),
            nps: Some(5),
            hashfull: Some(70000),
            tbhits: Some(1),
            time: Some(Duration::from_millis(17)),
            current: None,
            pv: vec!["e2e4".to_owned(), "e7e5".to_owned()],
            text: None,
        };
        assert_eq!(read(line), expected);
    }

    #[test]
    fn noise_between_the_fields_is_skipped() {
        let report =
            read("  info  depth x foo nodes 5 score mate -200 bar time 1.5 currmove a1a2 currmovenumber 3");
        assert_eq!((report.depth, report.nodes, report.time), (None, Some(5), None));
        assert_eq!(report.score, Some((Score::loss_in(400), Bound::Exact)));
        assert_eq!(report.current.as_deref(), Some("a1a2"));
    }

    #[test]
    fn a_remark_runs_to_the_end_of_the_line() {
        assert_eq!(read("info string depth 5  pv x").text.as_deref(), Some("depth 5  pv x"));
        assert_eq!(read("info depth 3 string a b").depth, Some(3));
        assert_eq!(Report::read("information"), None);
        assert_eq!(Report::read("bestmove a1a2"), None);
    }

    #[test]
    fn mates_are_counted_in_plies_inside() {
        for text in ["mate 3", "mate 1", "mate -2", "mate 0", "cp -15"] {
            let score = read(&format!("info score {text}")).score.unwrap().0;
            assert_eq!(score.to_string(), text);
        }
        assert_eq!(points(i64::MAX), Score::OPINION);
        assert!(mate(i64::MIN).is_decisive());
    }

    proptest! {
        #[test]
        fn no_line_panics(tail in "[ a-z0-9.-]{0,60}") {
            let _ = Report::read(&format!("info {tail}"));
            let _ = Report::read(&format!("info score cp {tail}"));
        }
    }
}
