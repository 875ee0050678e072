//! What an engine's `info` line says, read with tolerance: what is missing is none, what is unknown is
//! skipped, and a number that is none spoils only itself.

use std::str::FromStr;

use search::{Bound, Score};

use crate::{LONGEST_LINE, Report};

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
            // A remark for people runs to the end of the line.
            "" | "string" => return Some(report),
            "pv" => {
                report.pv = after.split_whitespace().take(LONGEST_LINE).map(str::to_owned).collect();
                return Some(report);
            }
            _ => rest = field(&mut report, word, after),
        }
    }
}

/// Parts a line before the answer that some engines, Sanmill among them, put at the end of their last `info`; a remark
/// runs to the end of the line, whatever it says.
pub fn part(line: &str) -> (&str, &str) {
    let mut rest = line;
    loop {
        let (word, after) = next_word(rest);
        match word {
            "" | "string" => return (line, ""),
            "bestmove" => return line.split_at(line.len() - after.len() - word.len()),
            _ => rest = after,
        }
    }
}

/// Reads what belongs to one word and returns what follows.
fn field<'a>(report: &mut Report, word: &str, rest: &'a str) -> &'a str {
    match word {
        "depth" => number(rest, &mut report.depth),
        "multipv" => number(rest, &mut report.rank),
        "nodes" => number(rest, &mut report.nodes),
        "nps" => number(rest, &mut report.speed),
        "score" => score(rest, &mut report.score),
        "wdl" => chances(rest, &mut report.wdl),
        _ => rest,
    }
}

/// `cp x` or `mate y`, then perhaps a bound.
fn score<'a>(rest: &'a str, slot: &mut Option<(Score, Bound)>) -> &'a str {
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
    *slot = Some((score, bound));
    after
}

fn chances<'a>(rest: &'a str, slot: &mut Option<[u64; 3]>) -> &'a str {
    let mut chances = [None; 3];
    let after = chances.iter_mut().fold(rest, |rest, slot| number(rest, slot));
    if let [Some(win), Some(draw), Some(loss)] = chances {
        *slot = Some([win, draw, loss]);
    }
    after
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
fn number<'a, N: FromStr>(rest: &'a str, slot: &mut Option<N>) -> &'a str {
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
        super::read(line).unwrap()
    }

    #[test]
    fn all_fields_are_read() {
        let line = "info depth 300 seldepth 400 multipv 2 score cp 13 upperbound wdl 3 5 2 nodes 1234567890123 \
                    nps 5 hashfull 70000 tbhits 1 time 17 pv e2e4 e7e5";
        let expected = Report {
            depth: Some(300),
            rank: Some(2),
            score: Some((Score(13), Bound::Upper)),
            wdl: Some([3, 5, 2]),
            nodes: Some(1_234_567_890_123),
            speed: Some(5),
            pv: vec!["e2e4".to_owned(), "e7e5".to_owned()],
            ..Report::default()
        };
        assert_eq!(read(line), expected);
    }

    #[test]
    fn noise_between_the_fields_is_skipped() {
        let report = read(
            "  info  depth x foo nodes 5 score mate -200 bar time 1.5 currmove a1a2 currmovenumber 3 nps 7",
        );
        assert_eq!((report.depth, report.nodes, report.speed), (None, Some(5), Some(7)));
        assert_eq!(report.score, Some((Score::loss_in(400), Bound::Exact)));
    }

    #[test]
    fn a_remark_runs_to_the_end_of_the_line() {
        assert_eq!(read("info string depth 5  pv x"), Report::default());
        assert_eq!(read("info depth 3 string a b nodes 5"), Report { depth: Some(3), ..Report::default() });
        assert_eq!(super::read("information"), None);
        assert_eq!(super::read("bestmove a1a2"), None);
    }

    #[test]
    fn a_line_of_play_without_end_is_cut() {
        assert_eq!(read(&format!("info depth 5 pv{}", " e2e4".repeat(50_000))).pv.len(), LONGEST_LINE);
    }

    #[test]
    fn an_answer_is_no_part_of_what_stands_before_it() {
        assert_eq!(part("info depth 7 pv f4 d2 bestmove f4"), ("info depth 7 pv f4 d2 ", "bestmove f4"));
        for whole in ["info string the bestmove is f4", "info depth 7", "info pv bestmoves", ""] {
            assert_eq!(part(whole), (whole, ""));
        }
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
            let _ = super::read(&format!("info {tail}"));
            let _ = super::read(&format!("info score cp {tail}"));
        }
    }
}
