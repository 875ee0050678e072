//! What the games of a match add up to: who scored what, and who spent what.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use search::Side;

use super::log::Entry;
use super::statistics::sprt::{Sprt, Verdict};
use super::statistics::{Estimate, Pentanomial, Tally};
use crate::record::GameResult;

/// Fewer games never end a match above a target: the first few are mostly luck.
const FEWEST_GAMES: u64 = 20;

/// What one engine spent on its moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spending {
    moves: u64,
    time: Duration,
    nodes: u64,
    /// Sum of the depths and the moves that had one.
    depths: (u64, u64),
    slowest: Duration,
}

/// What one engine achieved against all others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Achievement {
    /// With White and with Black.
    pub by_colour: [Tally; 2],
    /// By pairs of games.
    pub pairs: Pentanomial,
    /// Its time, nodes and depth.
    pub spending: Spending,
    /// Games lost by its own fault, by reason.
    pub faults: BTreeMap<String, u64>,
}

impl Achievement {
    /// With either colour.
    pub fn tally(&self) -> Tally {
        let mut sum = self.by_colour[0];
        sum += self.by_colour[1];
        sum
    }

    /// The estimate by pairs, or by games while no pair is whole.
    pub fn estimate(&self) -> Option<Estimate> {
        self.pairs.distribution().estimate().or_else(|| self.tally().distribution().estimate())
    }
}

/// The words for games lost by one's own fault.
pub const FAULTS: [&str; 5] = ["illegal move", "time forfeit", "disconnects", "stalls", "refuses"];

/// The table of a match.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    achievements: Vec<Achievement>,
    /// The first engine's half points in pairs that are half played.
    half_pairs: BTreeMap<(usize, usize), usize>,
    /// Time of all games that was nobody's thinking.
    overhead: Duration,
}

impl Standings {
    /// An empty table.
    pub fn new(names: &[String]) -> Self {
        Standings {
            names: names.to_vec(),
            achievements: vec![Achievement::default(); names.len()],
            half_pairs: BTreeMap::new(),
            overhead: Duration::ZERO,
        }
    }

    /// Counts a game; `source` tells apart matches whose games have the same numbers.
    pub fn add(&mut self, entry: &Entry, source: usize) {
        let index = |name: &str| self.names.iter().position(|n| n == name);
        let (Some(white), Some(black)) = (index(&entry.white), index(&entry.black)) else { return };
        let half_points = match entry.outcome() {
            GameResult::Won(Side::White) => 2,
            GameResult::Won(Side::Black) => 0,
            GameResult::Drawn => 1,
            GameResult::Open => return,
        };
        self.achievements[white].by_colour[0].add(half_points);
        self.achievements[black].by_colour[1].add(2 - half_points);
        if entry.is_fault() {
            let culprit = if half_points == 0 { white } else { black };
            *self.achievements[culprit].faults.entry(entry.reason.clone()).or_default() += 1;
        }
        self.add_to_pair((source, entry.pair), white, black, half_points);
        self.add_spending(entry, [white, black]);
    }

    fn add_to_pair(&mut self, pair: (usize, usize), white: usize, black: usize, half_points: usize) {
        let (first, second) = (white.min(black), white.max(black));
        let of_first = if first == white { half_points } else { 2 - half_points };
        match self.half_pairs.remove(&pair) {
            None => {
                self.half_pairs.insert(pair, of_first);
            }
            Some(earlier) => {
                self.achievements[first].pairs.add(earlier + of_first);
                self.achievements[second].pairs.add(4 - earlier - of_first);
            }
        }
    }

    fn add_spending(&mut self, entry: &Entry, engines: [usize; 2]) {
        let mut thinking = Duration::ZERO;
        for (m, ply) in entry.moves.iter().zip(usize::from(entry.black_first)..) {
            let Some(time) = m.time() else { continue };
            let spending = &mut self.achievements[engines[ply % 2]].spending;
            spending.moves += 1;
            spending.time += time;
            spending.nodes += m.nodes.unwrap_or(0);
            if let Some(depth) = m.depth {
                spending.depths.0 += u64::from(depth);
                spending.depths.1 += 1;
            }
            spending.slowest = spending.slowest.max(time);
            thinking += time;
        }
        if let Some(time) = entry.unplayed.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
            let mover = (usize::from(entry.black_first) + entry.moves.len()) % 2;
            let spending = &mut self.achievements[engines[mover]].spending;
            spending.moves += 1;
            spending.time += time;
            spending.slowest = spending.slowest.max(time);
            thinking += time;
        }
        let whole = Duration::try_from_secs_f64(entry.seconds).unwrap_or_default();
        self.overhead += whole.saturating_sub(thinking);
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.achievements.iter().map(|a| a.tally().games()).sum::<u64>() / 2
    }

    /// Whether any game was lost by a fault.
    pub fn has_faults(&self) -> bool {
        self.achievements.iter().any(|achievement| !achievement.faults.is_empty())
    }

    /// What an engine achieved, by its number.
    pub fn achievement(&self, engine: usize) -> &Achievement {
        &self.achievements[engine]
    }

    /// The verdict of a test of the first engine.
    pub fn verdict(&self, sprt: &Sprt) -> Option<Verdict> {
        sprt.verdict(&self.achievements[0].pairs.distribution())
    }

    /// Whether enough games put the first engine's score above `target` with 95 % certainty.
    pub fn is_above(&self, target: f64) -> bool {
        let tally = self.achievements[0].tally();
        tally.games() >= FEWEST_GAMES && tally.interval().0 > target
    }

    /// One line: the first engine's score with its interval, and on which side of the target that lies.
    pub fn against_target(&self, target: f64) -> String {
        let tally = self.achievements[0].tally();
        let (low, high) = tally.interval();
        let place = match () {
            () if low > target => "above",
            () if high < target => "below",
            () => "around",
        };
        format!(
            "Score {:.3}, 95 % interval {low:.3} to {high:.3}: {place} the target of {target}\n",
            tally.score()
        )
    }

    /// One line: games, score, Elo and likelihood ratio of the first engine.
    pub fn headline(&self, sprt: Option<&Sprt>) -> String {
        let first = &self.achievements[0];
        let tally = first.tally();
        let mut line = format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses);
        if let Some(e) = first.estimate() {
            let _ = write!(line, " [{:.3}] Elo {}", tally.score(), with_error(e.elo, e.error));
        }
        if let Some(sprt) = sprt {
            let _ = write!(line, " LLR {:.2}", sprt.ratio(&first.pairs.distribution()));
        }
        line
    }

    /// The whole table, for the end of a match.
    pub fn table(&self, sprt: Option<&Sprt>) -> String {
        let mut out = if self.names.len() == 2 { self.duel(sprt) } else { self.ranking() };
        out += &self.efforts();
        out
    }

    /// Two engines, from the first one's view.
    fn duel(&self, sprt: Option<&Sprt>) -> String {
        let first = &self.achievements[0];
        let tally = first.tally();
        let figures =
            |t: &Tally| format!("{} - {} - {}  [{:.3}] {}", t.wins, t.losses, t.draws, t.score(), t.games());
        let (name, other) = (&self.names[0], &self.names[1]);
        let mut out = format!("Score of {name} vs {other}: {}\n", figures(&tally));
        for (colour, tally) in ["White", "Black"].iter().zip(&first.by_colour) {
            let _ = writeln!(out, "...      {name} playing {colour}: {}", figures(tally));
        }
        if let Some(e) = first.estimate() {
            let _ = writeln!(
                out,
                "Elo: {}, nElo: {}, LOS: {:.1} %, draws: {:.1} %",
                with_error(e.elo, e.error),
                with_error(e.normalized, e.normalized_error),
                100.0 * e.superiority,
                100.0 * tally.draws as f64 / tally.games() as f64
            );
        }
        let _ = writeln!(out, "Pairs (0-2): {:?}", first.pairs.0);
        if let Some(sprt) = sprt {
            out += &self.test(sprt);
        }
        out
    }

    fn test(&self, sprt: &Sprt) -> String {
        let (lower, upper) = sprt.bounds();
        let verdict = match self.verdict(sprt) {
            Some(Verdict::H0) => ", H0 accepted",
            Some(Verdict::H1) => ", H1 accepted",
            None => "",
        };
        format!(
            "SPRT: LLR {:.2} ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]{verdict}\n",
            sprt.ratio(&self.achievements[0].pairs.distribution()),
            sprt.elo0,
            sprt.elo1
        )
    }

    /// Many engines, the best first.
    fn ranking(&self) -> String {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| {
            self.achievements[b].tally().score().total_cmp(&self.achievements[a].tally().score())
        });
        let width = self.name_width();
        let mut out = format!("Rank {:width$}  Elo vs all       Games     W     D     L  Score\n", "Name");
        for (rank, &i) in order.iter().enumerate() {
            let (tally, e) = (self.achievements[i].tally(), self.achievements[i].estimate());
            let elo = e.map(|e| with_error(e.elo, e.error)).unwrap_or_default();
            let _ = writeln!(
                out,
                "{:4} {:width$}  {elo:<16} {:5} {:5} {:5} {:5}  {:.3}",
                rank + 1,
                self.names[i],
                tally.games(),
                tally.wins,
                tally.draws,
                tally.losses,
                tally.score()
            );
        }
        out
    }

    /// Time, nodes, depth and faults of each engine, and the runner's own share.
    fn efforts(&self) -> String {
        let mut out = String::new();
        let width = self.name_width();
        for (name, achievement) in self.names.iter().zip(&self.achievements) {
            let s = &achievement.spending;
            let moves = s.moves.max(1);
            let millis = |time: Duration| 1e3 * time.as_secs_f64();
            let _ = write!(out, "{name:width$}  {:.1} ms", millis(s.time) / moves as f64);
            // Not every engine says what it does with its time.
            if s.nodes > 0 {
                let _ = write!(out, " and {} nodes", s.nodes / moves);
            }
            out += " a move";
            if s.depths.1 > 0 {
                let _ = write!(out, ", depth {:.1}", s.depths.0 as f64 / s.depths.1 as f64);
            }
            let _ = write!(out, ", slowest move {:.1} ms", millis(s.slowest));
            for (reason, count) in &achievement.faults {
                let _ = write!(out, ", {reason}: {count}");
            }
            out.push('\n');
        }
        let moves: u64 = self.achievements.iter().map(|a| a.spending.moves).sum();
        let _ = writeln!(
            out,
            "Overhead: {:.3} ms a move",
            1e3 * self.overhead.as_secs_f64() / moves.max(1) as f64
        );
        out
    }

    fn name_width(&self) -> usize {
        self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0)
    }
}

/// A number with its error, as `12.3 +/- 4.5`.
fn with_error(value: f64, error: f64) -> String {
    format!("{value:.1} +/- {error:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::log::Move;
    use crate::matches::statistics::sprt::Model;

    fn entry(game: usize, white: &str, black: &str, result: &str, reason: &str) -> Entry {
        let thought = |text: &str, seconds| Move {
            text: text.to_owned(),
            nodes: Some(100),
            depth: Some(4),
            seconds: Some(seconds),
            ..Move::default()
        };
        Entry {
            game,
            pair: (game - 1) / 2,
            date: String::new(),
            white: white.to_owned(),
            black: black.to_owned(),
            result: result.to_owned(),
            reason: reason.to_owned(),
            fen: None,
            black_first: false,
            book: 1,
            moves: vec![Move::default(), thought("x", 0.5), thought("y", 0.25)],
            seconds: 0.752,
            ..Entry::default()
        }
    }

    fn table(entries: &[Entry]) -> Standings {
        let mut standings = Standings::new(&["a".to_owned(), "b".to_owned()]);
        entries.iter().for_each(|entry| standings.add(entry, 0));
        standings
    }

    #[test]
    fn pairs_are_counted_from_the_first_engines_view() {
        let standings = table(&[
            entry(1, "a", "b", "1-0", ""),
            entry(4, "b", "a", "1-0", ""),
            entry(2, "b", "a", "1/2-1/2", ""),
            entry(3, "a", "b", "0-1", ""),
            entry(5, "a", "b", "1-0", ""),
        ]);
        assert_eq!(standings.achievement(0).pairs, Pentanomial([1, 0, 0, 1, 0]));
        assert_eq!(standings.achievement(1).pairs, Pentanomial([0, 1, 0, 0, 1]));
        assert_eq!(standings.achievement(0).tally(), Tally { wins: 2, draws: 1, losses: 2 });
        assert_eq!(standings.achievement(0).by_colour[1], Tally { wins: 0, draws: 1, losses: 1 });
        assert_eq!(standings.games(), 5);
    }

    #[test]
    fn faults_and_spending_belong_to_their_engine() {
        let standings = table(&[entry(1, "a", "b", "1-0", "time forfeit")]);
        assert_eq!(standings.achievement(1).faults["time forfeit"], 1);
        assert!(standings.achievement(0).faults.is_empty());
        assert_eq!(standings.achievement(1).spending.slowest, Duration::from_millis(500));
        assert_eq!(standings.achievement(0).spending.time, Duration::from_millis(250));
        let text = standings.table(None);
        assert!(text.contains("Score of a vs b: 1 - 0 - 0  [1.000] 1"), "{text}");
        assert!(text.contains("time forfeit: 1") && text.contains("Overhead: 1.000 ms a move"), "{text}");
        assert!(
            text.contains("a  250.0 ms and 100 nodes a move, depth 4.0, slowest move 250.0 ms\n"),
            "{text}"
        );
    }

    #[test]
    fn a_move_that_lost_the_game_counts_with_its_time() {
        let late = Entry { unplayed: Some(0.75), ..entry(1, "a", "b", "1-0", "time forfeit") };
        let text = table(&[late]).table(None);
        assert!(text.contains("b  625.0 ms and 50 nodes a move, depth 4.0, slowest move 750.0 ms"), "{text}");
    }

    #[test]
    fn what_an_engine_does_not_tell_is_left_out() {
        let mut silent = entry(1, "a", "b", "1-0", "");
        silent.moves[2] = Move { text: "y".to_owned(), seconds: Some(0.25), ..Move::default() };
        let text = table(&[silent]).table(None);
        assert!(text.contains("a  250.0 ms a move, slowest move 250.0 ms\n"), "{text}");
    }

    #[test]
    fn the_test_reports_its_verdict() {
        let sprt = Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        let results = ["1-0", "1/2-1/2", "1-0", "0-1", "1/2-1/2", "0-1"];
        let entries: Vec<Entry> = (1..=120)
            .map(|n| {
                let (white, black) = if n % 2 == 1 { ("a", "b") } else { ("b", "a") };
                entry(n, white, black, results[n % results.len()], "")
            })
            .collect();
        let standings = table(&entries);
        let text = standings.table(Some(&sprt));
        assert!(text.contains("H0 accepted") == (standings.verdict(&sprt) == Some(Verdict::H0)));
        assert!(text.contains("SPRT: LLR "), "{text}");
    }

    #[test]
    fn a_bar_is_passed_only_by_the_whole_interval() {
        let mut entries: Vec<Entry> = Vec::new();
        let mut place = |won: bool| {
            let game = entries.len() + 1;
            let (white, black) = if game % 2 == 1 { ("a", "b") } else { ("b", "a") };
            let result = if won == (white == "a") { "1-0" } else { "0-1" };
            entries.push(entry(game, white, black, result, ""));
            table(&entries)
        };
        // A few wins prove little although no pair was ever lost.
        let standings = (1..FEWEST_GAMES).map(|_| place(true)).last().unwrap();
        assert!(!standings.is_above(0.5) && place(true).is_above(0.5));
        let standings = (0..12).map(|_| place(true)).last().unwrap();
        assert!(standings.is_above(0.85) && !standings.is_above(0.9));
        assert!(standings.against_target(0.85).ends_with(": above the target of 0.85\n"));
        assert!(standings.against_target(0.95).ends_with(": around the target of 0.95\n"));
        let standings = (0..60).map(|_| place(false)).last().unwrap();
        assert!(standings.against_target(0.85).ends_with(": below the target of 0.85\n"));
    }

    #[test]
    fn many_engines_are_ranked() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let mut standings = Standings::new(&names);
        for entry in [entry(1, "a", "b", "0-1", ""), entry(3, "b", "c", "1-0", "")] {
            standings.add(&entry, 0);
        }
        let text = standings.table(None);
        let first = text.lines().nth(1).unwrap();
        assert!(first.starts_with("   1 b") && first.ends_with("1.000"), "{text}");
    }
}
