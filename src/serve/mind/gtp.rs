//! Talking GTP to an engine that plays Go.
//!
//! A game is told anew for each question; an engine that knows its own mind keeps what it can of its tree.

use std::time::{Duration, Instant};

use go::point::points;
use go::{Colour, Position, Rules, rules};
use protocol::DriveError;
use protocol::gtp::drive::Driver;
use protocol::uci::info::{Judgement, Report};
use search::{Bound, Game, Rulebook, Side};

use super::{Heard, LEAVING, PATIENCE, Question, Recipe, Talk};
use crate::analysis;

/// How long a command that needs no thinking may take.
const PROMPT: Duration = Duration::from_secs(10);
/// How much longer a first opinion is waited for.
const LATE: Duration = Duration::from_secs(10);
/// Milliseconds for an engine that is told neither a time nor a number it can count to.
const UNTOLD: i64 = 1000;

/// A conversation in GTP.
pub struct Gtp {
    driver: Driver,
    /// What is played by.
    rules: Rules,
    /// The letter of the side to move in the last question.
    turn: char,
    /// What is being waited for.
    waits: Waits,
    /// Heard with the last thoughts, to be told after them.
    owners: Option<Vec<f32>>,
}

enum Waits {
    /// Nothing.
    Nothing,
    /// A move, by `genmove` or its analysing form.
    Move,
    /// Analysis without an end, or until a moment; the best move so far.
    Analysis { until: Option<Instant>, best: Option<String>, stopping: bool },
}

impl Gtp {
    /// Starts an engine and tells it the rules.
    pub fn begin(recipe: &Recipe) -> Result<Self, DriveError> {
        let driver = Driver::greet(recipe.process()?, PATIENCE)?;
        let mut rules = Rules::default();
        let is_rule = |(name, value): &&(String, String)| rules.choose(name, value).is_ok();
        let (_, others): (Vec<_>, Vec<_>) = recipe.options.iter().partition(is_rule);
        let mut talk = Gtp { driver, rules, turn: 'b', waits: Waits::Nothing, owners: None };
        for (name, value) in others {
            talk.offer(&format!("quintet-param {} {value}", name.replace(' ', "_")))?;
        }
        // The rules come last, whatever a preset has made of them. What goes without saying here need not be so for an
        // engine of another hand.
        talk.offer(&format!("boardsize {}", rules.size()))?;
        talk.offer(&format!("komi {}", rules.komi.points()))?;
        rules.name().map_or(Ok(()), |name| talk.offer(&format!("kata-set-rules {name}")))?;
        Ok(talk)
    }

    /// Gives a command to an engine that knows it.
    fn offer(&mut self, command: &str) -> Result<(), DriveError> {
        let is_known = command.split(' ').next().is_some_and(|name| self.driver.knows(name));
        if is_known { self.tell(command) } else { Ok(()) }
    }

    /// Gives a command that must succeed.
    fn tell(&mut self, command: &str) -> Result<(), DriveError> {
        let answer = self.driver.ask(command, Instant::now() + PROMPT)?.result;
        answer.map(|_| ()).map_err(|why| DriveError::Garbage { line: format!("{command}: {why}") })
    }

    /// Puts the position of a question on the engine's board; returns the letter of the side to move.
    fn set_up(&mut self, question: &Question) -> Result<char, DriveError> {
        self.tell("clear_board")?;
        let start = question.fen.as_ref().and_then(|fen| Position::read(&self.rules, fen).ok());
        if let Some(start) = &start {
            self.place(start)?;
        }
        let mut turn = letter(start.map_or(Side::Black, |start| start.turn()));
        for vertex in &question.moves {
            self.tell(&format!("play {turn} {vertex}"))?;
            turn = if turn == 'b' { 'w' } else { 'b' };
        }
        Ok(turn)
    }

    /// Puts stones on the empty board that nobody played.
    fn place(&mut self, start: &Position) -> Result<(), DriveError> {
        let [black, white] = [Colour::Black, Colour::White].map(|colour| vertices(start, colour));
        let is_given = start.handicap() == black.len() && white.is_empty() && start.turn() == Side::White;
        if start.handicap() > 0 && is_given && self.driver.knows("set_free_handicap") {
            return self.tell(&format!("set_free_handicap {}", black.join(" ")));
        }
        self.tell(&format!("komi {}", komi(start)))?;
        let mut stones = black.iter().map(|v| format!("b {v}")).chain(white.iter().map(|v| format!("w {v}")));
        if self.driver.knows("gogui-setup") {
            if !(black.is_empty() && white.is_empty()) {
                self.tell(&format!("gogui-setup {}", Vec::from_iter(stones).join(" ")))?;
            }
            return self.offer(&format!("gogui-setup_player {}", letter(start.turn())));
        }
        // No stone is taken on the way: with fewer stones on the board each chain has more liberties.
        stones.try_for_each(|stone| self.tell(&format!("play {stone}")))
    }

    /// Says how much time there is.
    fn set_time(&mut self, question: &Question, turn: char) -> Result<(), DriveError> {
        let go = &question.go;
        if let Some(nodes) = go.nodes.filter(|_| self.driver.knows("quintet-param")) {
            return self.tell(&format!("quintet-param Playouts {nodes}"));
        }
        if let Some(ms) = go.move_time {
            let seconds = ms as f64 / 1000.0;
            return if self.driver.knows("kgs-time_settings") {
                self.tell(&format!("kgs-time_settings byoyomi 0 {seconds} 1"))
            } else {
                self.tell(&format!("time_settings 0 {} 1", seconds.ceil()))
            };
        }
        let left = go.time[usize::from(turn == 'b')].unwrap_or(UNTOLD);
        self.tell(&format!("time_settings {} 0 0", (left / 1000).max(1)))?;
        self.tell(&format!("time_left {turn} {} 0", left / 1000))
    }

    fn line(&mut self, line: &str) -> Option<Heard> {
        let line = line.trim();
        if line.starts_with("info move") {
            let reports = reports(line);
            self.owners = owners(line, self.turn);
            if let (Waits::Analysis { best, .. }, Some(first)) = (&mut self.waits, reports.first()) {
                *best = first.pv.first().cloned();
            }
            return Some(Heard::Thoughts(reports));
        }
        match &mut self.waits {
            Waits::Nothing => None,
            Waits::Move => {
                let text = line.strip_prefix("play ").or_else(|| line.strip_prefix('='))?.trim();
                if text.is_empty() {
                    return None;
                }
                self.waits = Waits::Nothing;
                Some(Heard::Best(Some(written(text))))
            }
            Waits::Analysis { best, stopping, .. } if *stopping && line.is_empty() => {
                let best = best.take();
                self.waits = Waits::Nothing;
                Some(Heard::Best(best))
            }
            Waits::Analysis { .. } => None,
        }
    }
}

impl Talk for Gtp {
    fn ask(&mut self, question: &Question) -> Result<(), DriveError> {
        let turn = self.set_up(question)?;
        self.turn = turn;
        let go = &question.go;
        let is_analysis = go.infinite || question.lines > 1 || question.analyses;
        // An analysis has no end of its own; a search for a move ends after so many playouts.
        let is_counted = go.nodes.is_some() && !go.infinite && self.driver.knows("quintet-param");
        if is_analysis && !is_counted && self.driver.knows("kata-analyze") {
            let time = Duration::from_millis(go.move_time.unwrap_or(UNTOLD).max(1) as u64);
            let until = (!go.infinite).then(|| Instant::now() + time);
            self.waits = Waits::Analysis { until, best: None, stopping: false };
            self.driver.process().say(format!("kata-analyze {turn} 10 ownership true"));
            return Ok(());
        }
        self.set_time(question, turn)?;
        self.waits = Waits::Move;
        let command = if self.driver.knows("kata-genmove_analyze") {
            format!("kata-genmove_analyze {turn} 10")
        } else {
            format!("genmove {turn}")
        };
        self.driver.process().say(&command);
        Ok(())
    }

    fn next(&mut self, deadline: Instant) -> Result<Heard, DriveError> {
        if let Some(owners) = self.owners.take() {
            return Ok(Heard::Owners(owners));
        }
        loop {
            // An opinion is wanted even where the machine was too busy for one in time.
            if let Waits::Analysis { until: Some(until), stopping: false, best } = &self.waits
                && Instant::now() >= if best.is_some() { *until } else { *until + LATE }
            {
                self.stop();
            }
            let heard = self.driver.process().hear(deadline, "move")?;
            if heard.text.starts_with('?') {
                return Err(DriveError::Garbage { line: heard.text.trim().to_owned() });
            }
            if let Some(said) = self.line(&heard.text) {
                return Ok(said);
            }
            // A flood must not stretch the time.
            if heard.at > deadline {
                return Err(DriveError::Timeout { what: "move".to_owned() });
            }
        }
    }

    fn stop(&mut self) {
        match &mut self.waits {
            Waits::Nothing => {}
            Waits::Move => self.driver.process().say("# interrupt"),
            Waits::Analysis { stopping, .. } => {
                *stopping = true;
                self.driver.process().say("");
            }
        }
    }

    fn quit(self: Box<Self>) {
        self.driver.quit(LEAVING);
    }
}

/// A vertex as referees write it.
fn written(text: &str) -> String {
    match text.to_ascii_lowercase().as_str() {
        word @ ("pass" | "resign") => word.to_owned(),
        _ => text.to_ascii_uppercase(),
    }
}

fn letter(side: Side) -> char {
    if side == Side::Black { 'b' } else { 'w' }
}

/// Where the stones of a colour stand.
fn vertices(position: &Position, colour: Colour) -> Vec<String> {
    let stones = points(position.rules().size()).filter(|&point| position.at(point) == colour);
    stones.map(|point| point.to_string()).collect()
}

/// The komi for a board that has the stones of a position but neither its prisoners nor its handicap.
fn komi(position: &Position) -> f64 {
    let mut bare = Position::empty(position.rules());
    points(position.rules().size()).for_each(|point| bare.set(point, position.at(point)));
    rules::rounded(position.rules().komi.points() + bare.margin() - position.margin())
}

/// The moves of an analysis line, the best first, each with the playouts of all.
fn reports(line: &str) -> Vec<Report> {
    let line = line.split(" ownership ").next().unwrap_or_default();
    let moves = line.split("info move ").skip(1);
    let list: Vec<_> = moves.zip(1..).filter_map(|(text, rank)| report(text, rank)).collect();
    let nodes = list.iter().filter_map(|report| report.nodes).reduce(u64::saturating_add);
    list.into_iter().map(|report| Report { nodes, ..report }).collect()
}

/// Whose every point will be, 1 for Black's, row by row from the bottom; the line has the top row first, and 1 for
/// the side to move.
fn owners(line: &str, turn: char) -> Option<Vec<f32>> {
    let sign = if turn == 'w' { -1.0 } else { 1.0 };
    let values: Result<Vec<f32>, _> =
        line.split_once(" ownership ")?.1.split_whitespace().map(str::parse).collect();
    let values = values.ok()?;
    let size = values.len().isqrt();
    let is_square = size > 0 && size * size == values.len();
    is_square.then(|| values.chunks(size).rev().flatten().map(|value| sign * value).collect())
}

fn report(text: &str, rank: u64) -> Option<Report> {
    let (facts, pv) = text.split_once(" pv ")?;
    let words: Vec<&str> = facts.split_whitespace().collect();
    let value = |name: &str| words.iter().position(|word| *word == name).and_then(|i| words.get(i + 1));
    let share: f64 = value("winrate")?.parse().ok()?;
    let share = share.clamp(0.001, 0.999);
    let points = i64::from(analysis::score(share));
    let wins = (share * 1000.0) as u64;
    Some(Report {
        multipv: Some(rank),
        score: Some((Judgement::Points(points), Bound::Exact)),
        wdl: Some([wins, 0, 1000 - wins]),
        nodes: value("visits").and_then(|word| word.parse().ok()),
        pv: pv.split_whitespace().map(written).collect(),
        ..Report::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_analysis_line_is_read_move_by_move() {
        let line = "info move D4 visits 83 winrate 0.5000 prior 0.1 order 0 pv D4 Q16 \
                    info move pass visits 2 winrate 0.2500 order 1 pv pass D4 ownership 0.1 0.2";
        let reports = reports(line);
        assert_eq!(reports.len(), 2);
        assert_eq!((reports[0].nodes, &reports[0].pv), (Some(85), &vec!["D4".to_owned(), "Q16".to_owned()]));
        assert_eq!(reports[0].score, Some((Judgement::Points(0), Bound::Exact)));
        assert_eq!((reports[1].multipv, reports[1].wdl), (Some(2), Some([250, 0, 750])));
        assert_eq!(reports[1].pv, ["pass", "D4"]);
        assert_eq!(owners(line, 'b'), None);
        let line = "info move A1 ownership 1 2 3 4";
        assert_eq!(owners(line, 'b'), Some(vec![3.0, 4.0, 1.0, 2.0]));
        assert_eq!(owners(line, 'w'), Some(vec![-3.0, -4.0, -1.0, -2.0]));
    }

    #[test]
    fn a_board_set_up_is_counted_as_the_game_was() {
        let komi_of = |name: &str, fen: &str| {
            let rules = Rules::default().with_size(5).and_then(|rules| rules.with_name(name)).unwrap();
            komi(&Position::read(&rules, fen).unwrap())
        };
        let fen = "5/bbbbb/5/wwwww/5 b - 0 3 1";
        assert_eq!((komi_of("chinese", fen), komi_of("japanese", fen)), (7.5, 5.5));
        assert_eq!(komi_of("chinese", &format!("{fen} 2")), 9.5);
    }
}
