//! What a comment says to programs: `[%eval 0.31,12]`, `[%clk 0:01:02]`, `[%emt 0:00:05]` among its words.
//!
//! Commands that we do not know stay where they are, as words.

use std::time::Duration;

use super::Node;
use crate::analysis;

/// A clock never shows more seconds than this.
const MOST_SECONDS: f64 = 1e9;

/// Takes the commands out of what all comments together have said about a node.
pub(super) fn obey(node: &mut Node) {
    let said = std::mem::take(&mut node.comment);
    let (mut words, mut rest) = (String::new(), said.as_str());
    while let Some((before, begun)) = rest.split_once("[%") {
        let Some((command, after)) = begun.split_once(']') else { break };
        words.push_str(before);
        words.push_str(if take(node, command) { " " } else { &rest[before.len()..rest.len() - after.len()] });
        rest = after;
    }
    words.push_str(rest);
    add(&mut node.comment, &words);
}

/// Adds the words of a text to a comment.
pub(super) fn add(comment: &mut String, text: &str) {
    for word in text.split_whitespace() {
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(word);
    }
}

/// The words of a node's comment, commands first, each of them one word.
pub(super) fn words(node: &Node) -> Vec<String> {
    let command = |name: &str, value: String| format!("[%{name} {value}]");
    let score = node.score.map(|score| command("eval", evaluation(score, node.depth)));
    let clock = node.clock.map(|time| command("clk", hours(time)));
    let spent = node.spent.map(|time| command("emt", hours(time)));
    let words = node.comment.split_whitespace().map(str::to_owned);
    [score, clock, spent].into_iter().flatten().chain(words).collect()
}

/// Takes the value of a command; false if it is not one that we know, or its place is taken.
fn take(node: &mut Node, command: &str) -> bool {
    let Some((name, value)) = command.split_once(char::is_whitespace) else { return false };
    let time = match name {
        "eval" => {
            let Some((score, depth)) = read_evaluation(value).filter(|_| node.score.is_none()) else {
                return false;
            };
            (node.score, node.depth) = (Some(score), depth);
            return true;
        }
        "clk" => &mut node.clock,
        "emt" => &mut node.spent,
        _ => return false,
    };
    let told = read_hours(value).filter(|_| time.is_none());
    *time = time.or(told);
    told.is_some()
}

/// Pawns, or `#` and the moves to a forced end, from White's view; the depth behind a comma.
fn evaluation(score: i32, depth: Option<u32>) -> String {
    let value = match analysis::moves_to_end(score) {
        Some(moves) => format!("#{}{moves}", if score < 0 { "-" } else { "" }),
        None => format!("{:.2}", f64::from(score) / 100.0),
    };
    depth.map_or(value.clone(), |depth| format!("{value},{depth}"))
}

fn read_evaluation(text: &str) -> Option<(i32, Option<u32>)> {
    let (value, depth) = text.split_once(',').map_or((text, None), |(value, depth)| (value, Some(depth)));
    let depth = match depth {
        Some(depth) => Some(depth.trim().parse().ok()?),
        None => None,
    };
    let score = match value.trim().strip_prefix('#') {
        Some(moves) => {
            let lost = moves.strip_prefix('-');
            let forced = analysis::forced(lost.unwrap_or(moves).trim_start_matches('+').parse().ok()?);
            if lost.is_some() { -forced } else { forced }
        }
        None => analysis::hundredths(value.trim().parse().ok()?)?,
    };
    Some((score, depth))
}

/// Hours, minutes and seconds: `0:01:02`, `0:00:05.25`.
fn hours(time: Duration) -> String {
    let seconds = time.as_secs();
    let whole = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match time.subsec_millis() {
        0 => whole,
        part => format!("{whole}.{part:03}").trim_end_matches('0').to_owned(),
    }
}

/// A time in seconds, or in hours, minutes and seconds with colons between.
pub(super) fn read_hours(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.split(':') {
        let number: f64 = part.trim().parse().ok().filter(|number| (0.0..=MOST_SECONDS).contains(number))?;
        seconds = 60.0 * seconds + number;
    }
    let is_sensible = seconds <= MOST_SECONDS;
    is_sensible.then(|| Duration::from_millis((1000.0 * seconds).round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(text: &str) -> Node {
        let mut node = Node { comment: text.to_owned(), ..Node::default() };
        obey(&mut node);
        node
    }

    #[test]
    fn values_and_clocks_are_told_from_words() {
        let read = node("well [%eval 0.31,12] [%clk 0:01:02.5]\n[%csl Ga1] played [%emt 5] [%eval 9]");
        assert_eq!((read.score, read.depth), (Some(31), Some(12)));
        assert_eq!(
            (read.clock, read.spent),
            (Some(Duration::from_millis(62_500)), Some(Duration::from_secs(5)))
        );
        assert_eq!(read.comment, "well [%csl Ga1] played [%eval 9]");
        let written = words(&read).join(" ");
        assert_eq!(
            written,
            "[%eval 0.31,12] [%clk 0:01:02.5] [%emt 0:00:05] well [%csl Ga1] played [%eval 9]"
        );
        assert_eq!(node(&written), read);
    }

    #[test]
    fn a_forced_end_is_a_number_of_moves() {
        for (text, score) in
            [("#3", 29_997), ("#-3", -29_997), ("#-0", -30_000), ("-1.05", -105), ("0.00", 0)]
        {
            let read = node(&format!("[%eval {text}]"));
            assert_eq!(read.score, Some(score), "{text}");
            assert_eq!(words(&read), [format!("[%eval {text}]")]);
        }
        assert_eq!(node("[%eval 99999]").score, node("[%eval 289.99]").score);
    }

    #[test]
    fn what_is_no_value_stays_a_word() {
        for text in [
            "[%eval much]",
            "[%eval 1,x]",
            "[%clk -1]",
            "[%clk 1e300]",
            "[%emt]",
            "[%eval 1",
            "[%]",
            "50 % [x]",
            "[%eval x]much [%eval y]",
        ] {
            assert_eq!(words(&node(text)).join(" "), text);
        }
    }

    #[test]
    fn times_are_written_without_dust() {
        let times = [0, 59_000, 3_600_000, 36_000_000, 61_040].map(|ms| hours(Duration::from_millis(ms)));
        assert_eq!(times, ["0:00:00", "0:00:59", "1:00:00", "10:00:00", "0:01:01.04"]);
    }
}
