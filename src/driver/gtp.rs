//! Talking GTP to an engine that plays Go.
//!
//! GTP engines keep the game themselves. In a match the conversation remembers what it has told: moves are played one
//! by one, and a game that does not continue the last one is told from its start. At a board, where games are taken
//! back and branch, each question tells its game anew; an engine that knows its own mind keeps what it can of its tree.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use go::gtp::controller;
use go::{Position, Rules};
use protocol::gtp::drive::{Answer, Driver, Event as Heard};
use protocol::{DriveError, LONGEST_LINE, Process};
use search::{Bound, Game, OptionError, Rulebook, Score, Side};

use super::time::Base;
use super::{Best, Conversation, Event, Occasion, Patience, Question, Report, Setup, Spend, StartError};
use crate::analysis;

/// By which an engine of ours is set up.
const PARAMETER: &str = "quintet-param";
/// What an engine of ours tells about the search for its last move.
const THOUGHT: &str = "quintet-thought";
/// How much longer a first opinion is waited for.
const LATE: Duration = Duration::from_secs(10);
/// For an engine at a board that is told neither a time nor a number it can count to.
const UNTOLD: Duration = Duration::from_secs(1);

/// How often an engine tells what it thinks while it looks for a move, in hundredths of a second.
const INTERVAL: u32 = 10;

/// A conversation in GTP.
pub struct Gtp {
    driver: Driver,
    occasion: Occasion,
    patience: Patience,
    rules: Rules,
    /// The moves the engine knows of; none before its first game.
    told: Option<Vec<String>>,
    /// Whether it knows the clock of the game.
    timed: bool,
    /// What it says about its parameters.
    settings: Vec<(String, String)>,
    /// Whose move was asked for.
    side: Side,
    /// How the engine is asked for its moves.
    asking: Asking,
    /// The analysis under way; none while a move is waited for.
    analysis: Option<Analysis>,
    /// Heard, and still to be told.
    pending: VecDeque<Event>,
}

/// Ways to ask for a move, the most telling first. Engines differ in what they take behind a command that they know:
/// Pachi wants an interval, others refuse it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asking {
    Interval(&'static str),
    Bare(&'static str),
    Plain,
}

impl Asking {
    /// What to try when an engine refuses this; none if it has refused everything.
    fn next(self) -> Option<Asking> {
        match self {
            Asking::Interval(command) => Some(Asking::Bare(command)),
            Asking::Bare(_) => Some(Asking::Plain),
            Asking::Plain => None,
        }
    }

    fn command(self, side: Side) -> String {
        let colour = colour(side);
        match self {
            Asking::Interval(command) => format!("{command} {colour} {INTERVAL}"),
            Asking::Bare(command) => format!("{command} {colour}"),
            Asking::Plain => format!("genmove {colour}"),
        }
    }
}

/// An analysis, which has no end of its own.
struct Analysis {
    /// When to end it; none for never.
    until: Option<Instant>,
    /// The best move so far.
    best: Option<String>,
    stopping: bool,
}

impl Gtp {
    /// Asks an engine for its name and its commands.
    pub fn greet(process: Process, setup: &Setup) -> Result<Gtp, DriveError> {
        let Setup { occasion, patience, .. } = setup.clone();
        let driver = Driver::greet(process, patience.startup)?;
        Ok(Gtp {
            asking: asking(&driver, occasion),
            driver,
            occasion,
            patience,
            rules: Rules::default(),
            told: None,
            timed: false,
            settings: Vec::new(),
            side: Side::Black,
            analysis: None,
            pending: VecDeque::new(),
        })
    }

    /// Says any command and waits for its answer.
    pub fn answer(&mut self, command: &str, deadline: Instant) -> Result<Result<String, String>, DriveError> {
        Ok(self.driver.ask(command, deadline)?.result)
    }

    /// Says a command that must succeed.
    fn command(&mut self, command: &str) -> Result<String, DriveError> {
        let answer = self.answer(command, Instant::now() + self.patience.ping)?;
        answer.map_err(|why| DriveError::Refused { command: command.to_owned(), why })
    }

    /// Name and value of all parameters of an engine of ours; others are not asked.
    fn parameters(&mut self) -> Result<Vec<(String, String)>, DriveError> {
        if !self.driver.knows(PARAMETER) {
            return Ok(Vec::new());
        }
        let list = self.answer(PARAMETER, Instant::now() + self.patience.ping)?.unwrap_or_default();
        let pair = |line: &str| {
            let (name, value) = line.split_once("] ")?.1.split_once(' ')?;
            Some((name.replace('_', " "), value.to_owned()))
        };
        Ok(list.lines().filter_map(pair).collect())
    }

    /// Brings the engine to the position of a question.
    fn tell(&mut self, question: &Question) -> Result<(), DriveError> {
        let known = self.told.take().filter(|told| continues(question, told));
        if known.is_none() {
            self.clear(question)?;
        }
        let (moves, known) = (&question.moves, known.map_or(0, |told| told.len()));
        for number in known..moves.len() {
            // The side to move is known, and sides alternate.
            let is_own = (moves.len() - number).is_multiple_of(2);
            let side = if is_own { question.side } else { !question.side };
            self.command(&format!("play {} {}", colour(side), moves[number]))?;
        }
        self.told = (self.occasion == Occasion::Match).then(|| moves.clone());
        Ok(())
    }

    /// Empties the board but for the stones that nobody played.
    fn clear(&mut self, question: &Question) -> Result<(), DriveError> {
        match self.occasion {
            Occasion::Match => self.new_game()?,
            Occasion::Board => self.command("clear_board").map(|_| ())?,
        }
        let start = question.fen.as_ref().and_then(|fen| Position::read(&self.rules, fen).ok());
        let commands = start.map(|start| controller::place(&start, |command| self.driver.knows(command)));
        commands.unwrap_or_default().iter().try_for_each(|command| self.command(command).map(|_| ()))
    }

    /// Whether it knows increments and reads fractions of seconds; others want whole ones.
    fn is_precise(&self) -> bool {
        self.driver.knows("kata-time_settings")
    }

    /// Tells the engine the clock of the game, or the time of each move, if there is one.
    pub fn set_time(&mut self, base: Option<&Base>, move_time: Option<Duration>) -> Result<(), DriveError> {
        let settings = time_settings(base, move_time, self.is_precise());
        settings.map_or(Ok(()), |settings| self.command(&settings).map(|_| ()))
    }

    /// Tells the engine both clocks as they stand.
    fn tell_clocks(&mut self, spend: &Spend) -> Result<(), DriveError> {
        if !self.timed {
            self.set_time(spend.base.as_ref(), spend.move_time)?;
            self.timed = true;
        }
        if !self.driver.knows("time_left") {
            return Ok(());
        }
        for side in [Side::White, Side::Black] {
            if let Some(clock) = &spend.clocks[side.index()] {
                let stones = clock.moves_to_go.unwrap_or(0);
                let left = clock.left;
                let left = if self.is_precise() { left.as_secs_f64() } else { left.as_secs() as f64 };
                self.command(&format!("time_left {} {left} {stones}", colour(side)))?;
            }
        }
        Ok(())
    }

    /// Tells an engine at a board what it may spend on one move.
    fn tell_spending(&mut self, spend: &Spend, side: Side) -> Result<(), DriveError> {
        if let Some(nodes) = spend.nodes.filter(|_| self.driver.knows(PARAMETER)) {
            return self.command(&format!("{PARAMETER} Playouts {nodes}")).map(|_| ());
        }
        if let Some(time) = spend.move_time {
            let seconds = time.as_secs_f64();
            let command = if self.driver.knows("kgs-time_settings") {
                format!("kgs-time_settings byoyomi 0 {seconds} 1")
            } else {
                format!("time_settings 0 {} 1", seconds.ceil())
            };
            return self.command(&command).map(|_| ());
        }
        let left = spend.clocks[side.index()].as_ref().map_or(UNTOLD, |clock| clock.left).as_secs();
        self.command(&format!("time_settings {} 0 0", left.max(1)))?;
        self.command(&format!("time_left {} {left} 0", colour(side))).map(|_| ())
    }

    /// Whether a question is answered by an analysis rather than by a move.
    fn analyses(&self, question: &Question) -> bool {
        let Question { spend, lines, analyses, .. } = question;
        // An analysis has no end of its own; a search for a move ends after so many playouts.
        let is_counted = spend.nodes.is_some() && !spend.infinite && self.driver.knows(PARAMETER);
        let is_wanted = spend.infinite || *lines > 1 || *analyses;
        is_wanted && !is_counted && self.driver.knows("kata-analyze")
    }

    /// Ends an analysis whose time is up; an opinion is wanted even where the machine was too busy for one in time.
    fn end_in_time(&mut self) {
        if let Some(Analysis { until: Some(until), best, stopping: false }) = &self.analysis
            && Instant::now() >= if best.is_some() { *until } else { *until + LATE }
        {
            self.stop();
        }
    }

    /// Takes a line that an engine says on the way.
    fn take_line(&mut self, line: &str) {
        let at_board = self.occasion == Occasion::Board;
        // What was asked for by `kata-` ends at 1, by `lz-` at 10000.
        let moves = considered(line, if at_board { 1.0 } else { 1e4 });
        if moves.is_empty() {
            return;
        }
        if let Some(analysis) = &mut self.analysis {
            analysis.best = moves[0].pv.first().cloned();
        }
        let reports = if at_board { lines(moves, owners(line, self.side)) } else { vec![summary(&moves)] };
        self.pending.push_back(Event::Reports(reports));
    }

    /// Takes an answer at its end.
    fn take_answer(&mut self, answer: Answer) -> Result<(), DriveError> {
        let text = match answer.result {
            Ok(text) => text,
            Err(why) => return self.take_refusal(&why),
        };
        let text = match self.analysis.take() {
            Some(analysis) => analysis.best,
            None => Some(played(&text)),
        };
        if let Some(told) = &mut self.told {
            told.extend(text.clone());
        }
        if self.occasion == Occasion::Match && self.driver.knows(THOUGHT) {
            self.ask_thought()?;
        }
        let resigns = text.as_deref().is_some_and(|text| text.eq_ignore_ascii_case("resign"));
        self.pending.push_back(Event::Best(Best { text, resigns, ponder: None, time: answer.time }));
        Ok(())
    }

    /// Asks in another way where there is one, and remembers it: an engine may refuse how it is asked, and can move all
    /// the same.
    fn take_refusal(&mut self, why: &str) -> Result<(), DriveError> {
        match self.asking.next().filter(|_| self.analysis.is_none()) {
            Some(next) => {
                self.asking = next;
                self.driver.say(&next.command(self.side));
                Ok(())
            }
            None => Err(DriveError::Garbage { line: format!("? {why}") }),
        }
    }

    /// What an engine of ours found out while it looked for its last move; asked when its clock stands.
    fn ask_thought(&mut self) -> Result<(), DriveError> {
        let text = self.command(THOUGHT)?;
        let room = text.lines().find_map(|line| line.strip_prefix("room "));
        self.settings.retain(|(name, _)| name != "Tree Nodes");
        self.settings.extend(room.map(|nodes| ("Tree Nodes".to_owned(), nodes.to_owned())));
        self.pending.push_back(Event::Reports(vec![thought(&text)]));
        Ok(())
    }
}

impl Conversation for Gtp {
    fn set(&mut self, name: &str, value: &str) -> Result<(), StartError> {
        // The rules are told before the first game, whatever a preset has made of them.
        if self.rules.choose(name, value).is_ok() {
            return Ok(());
        }
        if !self.driver.knows(PARAMETER) {
            return Err(OptionError::Unknown(name.to_owned()).into());
        }
        let command = format!("{PARAMETER} {} {value}", name.replace(' ', "_"));
        let answer = self.answer(&command, Instant::now() + self.patience.ping)?;
        answer.map(|_| ()).map_err(|why| option_error(name, &why).into())
    }

    fn prepare(&mut self, setup: &Setup) -> Result<(), StartError> {
        if let Some(nodes) = setup.nodes {
            self.set("Playouts", &nodes.to_string())?;
        }
        if setup.ponder && self.driver.knows(PARAMETER) {
            self.set("Ponder", "true")?;
        }
        if self.occasion == Occasion::Match {
            self.settings = self.parameters()?;
        }
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), DriveError> {
        self.timed = false;
        let commands = controller::rules(&self.rules, |command| self.driver.knows(command));
        for command in commands {
            let is_known = command.split(' ').next().is_some_and(|name| self.driver.knows(name));
            if is_known || self.occasion == Occasion::Match {
                self.command(&command)?;
            }
        }
        self.command("clear_board")?;
        self.told = Some(Vec::new());
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<(), DriveError> {
        self.tell(question)?;
        self.side = question.side;
        let spend = &question.spend;
        if self.occasion == Occasion::Match {
            self.tell_clocks(spend)?;
            self.driver.say(&self.asking.command(self.side));
        } else if self.analyses(question) {
            let until = (!spend.infinite).then(|| Instant::now() + spend.move_time.unwrap_or(UNTOLD));
            self.analysis = Some(Analysis { until, best: None, stopping: false });
            self.driver.say(&format!("kata-analyze {} {INTERVAL} ownership true", colour(self.side)));
        } else {
            self.tell_spending(spend, question.side)?;
            self.driver.say(&self.asking.command(self.side));
        }
        Ok(())
    }

    fn ponder_hit(&mut self) {}

    fn next(&mut self, deadline: Instant) -> Result<Event, DriveError> {
        loop {
            if let Some(event) = self.pending.pop_front() {
                return Ok(event);
            }
            self.end_in_time();
            match self.driver.next(deadline)? {
                Heard::Answer(answer) => self.take_answer(answer)?,
                Heard::Line(line) => self.take_line(&line),
            }
            // A flood must not stretch the time.
            if self.pending.is_empty() && Instant::now() > deadline {
                return Err(DriveError::Timeout { what: "move".to_owned() });
            }
        }
    }

    fn stop(&mut self) {
        match &mut self.analysis {
            // Not every engine of a match takes it for the comment that it is.
            None if self.occasion == Occasion::Match => {}
            None => self.driver.hint("# interrupt"),
            Some(analysis) => {
                analysis.stopping = true;
                self.driver.hint("");
            }
        }
    }

    fn quit(&mut self, grace: Duration) {
        self.driver.quit(grace);
    }

    fn ponders(&self) -> bool {
        false
    }

    fn dead_stones(&mut self, question: &Question) -> Result<Option<Vec<String>>, DriveError> {
        self.tell(question)?;
        if !self.driver.knows("final_status_list") {
            return Ok(None);
        }
        let list = self.command("final_status_list dead")?;
        let mut points: Vec<String> = list.split_whitespace().map(str::to_ascii_uppercase).collect();
        points.sort();
        Ok(Some(points))
    }

    fn gives_scores(&self) -> bool {
        false
    }

    fn settings(&self) -> Vec<(String, String)> {
        self.settings.clone()
    }
}

/// The most telling way to ask an engine for a move.
fn asking(driver: &Driver, occasion: Occasion) -> Asking {
    let knows = |command| driver.knows(command);
    match occasion {
        // Engines of ours are asked afterwards; others that can say what they think do so on the way.
        Occasion::Match if !knows(THOUGHT) && knows("lz-genmove_analyze") => {
            Asking::Interval("lz-genmove_analyze")
        }
        Occasion::Board if knows("kata-genmove_analyze") => Asking::Interval("kata-genmove_analyze"),
        _ => Asking::Plain,
    }
}

/// Why an engine of ours does not take an option; it has named the option itself.
fn option_error(name: &str, why: &str) -> OptionError {
    if why.starts_with("no such option") {
        return OptionError::Unknown(name.to_owned());
    }
    let why = why.strip_prefix(&format!("option {name}: ")).unwrap_or(why).to_owned();
    OptionError::Failed { name: name.to_owned(), why }
}

/// Whether a game goes on from the moves told; engines differ in how they write a pass.
fn continues(question: &Question, told: &[String]) -> bool {
    let moves = &question.moves;
    let is_same = moves.len() >= told.len() && moves.iter().zip(told).all(|(a, b)| a.eq_ignore_ascii_case(b));
    // Stones that nobody played are put on the board before the first move.
    is_same && (question.fen.is_none() || !told.is_empty())
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// A vertex as referees write it.
fn written(text: &str) -> String {
    match text.to_ascii_lowercase().as_str() {
        word @ ("pass" | "resign") => word.to_owned(),
        _ => text.to_ascii_uppercase(),
    }
}

/// The move of an answer, which may stand behind an analysis.
fn played(answer: &str) -> String {
    let found = answer.lines().rev().find_map(|line| line.trim().strip_prefix("play "));
    found.unwrap_or(answer).trim().to_owned()
}

/// Reads what an engine of ours tells about the search for its last move: a name and its value a line.
fn thought(text: &str) -> Report {
    let mut report = Report::default();
    for (name, value) in text.lines().filter_map(|line| line.split_once(' ')) {
        match name {
            "playouts" => report.nodes = value.parse().ok(),
            "tree" => report.tree = value.parse().ok(),
            "depth" => report.depth = value.parse().ok(),
            "value" => report.value = value.parse().ok(),
            "candidate" => report.candidates.push(value.to_owned()),
            _ => {}
        }
    }
    report
}

/// The moves of a line of analysis, the best first, each with its own visits; `sure` is the winrate of a won game.
fn considered(line: &str, sure: f64) -> Vec<Report> {
    let line = line.trim().split(" ownership ").next().unwrap_or_default();
    let moves = line.split("info move ").skip(1).zip(1..);
    moves.filter_map(|(text, rank)| one_considered(text, rank, sure)).collect()
}

fn one_considered(text: &str, rank: usize, sure: f64) -> Option<Report> {
    let (facts, pv) = text.split_once(" pv ").unwrap_or((text, ""));
    let words: Vec<&str> = facts.split_whitespace().collect();
    let value = |name: &str| words.iter().position(|word| *word == name).and_then(|at| words.get(at + 1));
    let value = |name: &str| value(name).and_then(|word| word.parse::<f64>().ok());
    let share = value("winrate")? / sure;
    let likely = share.clamp(0.001, 0.999);
    let wins = (likely * 1000.0) as u64;
    let visits = value("visits").unwrap_or(0.0) as u64;
    Some(Report {
        rank: Some(rank),
        score: Some((Score(analysis::score(likely)), Bound::Exact)),
        wdl: Some([wins, 0, 1000 - wins]),
        nodes: Some(visits),
        value: Some(share),
        candidates: vec![format!("{} {visits} {share:.4}", words.first()?)],
        pv: pv.split_whitespace().take(LONGEST_LINE).map(written).collect(),
        ..Report::default()
    })
}

/// The playouts of all moves.
fn visits(moves: &[Report]) -> Option<u64> {
    moves.iter().filter_map(|report| report.nodes).reduce(u64::saturating_add)
}

/// What a match keeps of an analysis; engines that give no score elsewhere are not judged by one here.
fn summary(moves: &[Report]) -> Report {
    Report {
        nodes: visits(moves),
        value: moves.first().and_then(|report| report.value),
        candidates: moves.iter().flat_map(|report| report.candidates.clone()).collect(),
        ..Report::default()
    }
}

/// What a board shows of an analysis: each line with the playouts of all.
fn lines(moves: Vec<Report>, owners: Option<Vec<f32>>) -> Vec<Report> {
    let nodes = visits(&moves);
    let owners = std::iter::once(owners.unwrap_or_default()).chain(std::iter::repeat(Vec::new()));
    moves.into_iter().zip(owners).map(|(report, owners)| Report { nodes, owners, ..report }).collect()
}

/// Whose every point will be, 1 for Black's, row by row from the bottom; the line has the top row first, and 1 for
/// the side to move.
fn owners(line: &str, side: Side) -> Option<Vec<f32>> {
    let sign = if side == Side::White { -1.0 } else { 1.0 };
    let values: Result<Vec<f32>, _> =
        line.split_once(" ownership ")?.1.split_whitespace().map(str::parse).collect();
    let values = values.ok()?;
    let size = values.len().isqrt();
    let is_square = size > 0 && size * size == values.len();
    is_square.then(|| values.chunks(size).rev().flatten().map(|value| sign * value).collect())
}

/// The clock as GTP has it: main time, then a period for so many stones. A precise engine knows increments and
/// fractions of seconds; for the others times are rounded up, and an increment is what `time_left` shows.
fn time_settings(base: Option<&Base>, move_time: Option<Duration>, precise: bool) -> Option<String> {
    let seconds = |time: Duration| if precise { time.as_secs_f64() } else { time.as_secs_f64().ceil() };
    if let Some(time) = move_time {
        return Some(format!("time_settings 0 {} 1", seconds(time)));
    }
    let base = base?;
    Some(match (&base.overtime, base.moves) {
        (Some(over), _) => {
            format!("time_settings {} {} {}", seconds(base.time), seconds(over.time), over.moves)
        }
        (None, Some(moves)) => format!("time_settings 0 {} {moves}", seconds(base.time)),
        (None, None) if precise && !base.increment.is_zero() => {
            format!("kata-time_settings fischer {} {}", seconds(base.time), seconds(base.increment))
        }
        (None, None) => format!("time_settings {} 0 0", seconds(base.time + base.increment)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::time::overtime;

    fn list(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_game_goes_on_whatever_the_case_of_its_moves() {
        let continues = |moves: &str, told: &str| {
            let question = Question::new(None, list(moves), Side::Black, Spend::default());
            continues(&question, &list(told))
        };
        assert!(continues("D4 pass E5", "D4 PASS"));
        assert!(continues("D4", ""));
        assert!(!continues("D4", "D4 E5") && !continues("D4 E5", "E5"));
    }

    #[test]
    fn thoughts_are_read_from_ours_and_from_others() {
        let ours = thought("playouts 500\ntree 900\ndepth 7\nvalue 0.53\ncandidate D4 300 0.5301\nodd");
        assert_eq!((ours.nodes, ours.tree, ours.depth), (Some(500), Some(900), Some(7)));
        assert_eq!((ours.value, ours.candidates), (Some(0.53), vec!["D4 300 0.5301".to_owned()]));
        let line = "info move D4 visits 80 winrate 5300 prior 1 order 0 pv D4 C3 info move C3 visits 20 winrate 4000 \
                    order 1 pv C3";
        let other = summary(&considered(line, 1e4));
        assert_eq!((other.nodes, other.value), (Some(100), Some(0.53)));
        assert_eq!(other.candidates, ["D4 80 0.5300", "C3 20 0.4000"]);
        assert_eq!(played(&format!("\n{line}\nplay D4")), "D4");
        assert_eq!(played("resign"), "resign");
    }

    #[test]
    fn an_analysis_line_is_read_move_by_move() {
        let line = "info move D4 visits 83 winrate 0.5000 prior 0.1 order 0 pv D4 Q16 \
                    info move pass visits 2 winrate 0.2500 order 1 pv pass D4 ownership 0.1 0.2";
        let reports = lines(considered(line, 1.0), None);
        assert_eq!(reports.len(), 2);
        assert_eq!((reports[0].nodes, &reports[0].pv), (Some(85), &list("D4 Q16")));
        assert_eq!(reports[0].score, Some((Score(0), Bound::Exact)));
        assert_eq!((reports[1].rank, reports[1].wdl), (Some(2), Some([250, 0, 750])));
        assert_eq!(reports[1].pv, ["pass", "D4"]);
        assert_eq!(owners(line, Side::Black), None);
        let line = "info move A1 ownership 1 2 3 4";
        assert_eq!(owners(line, Side::Black), Some(vec![3.0, 4.0, 1.0, 2.0]));
        assert_eq!(owners(line, Side::White), Some(vec![-3.0, -4.0, -1.0, -2.0]));
        assert!(considered("information", 1.0).is_empty());
    }

    #[test]
    fn clocks_are_written_as_time_settings() {
        let base = |text: &str| text.parse::<Base>().unwrap();
        let settings = |base: Base| time_settings(Some(&base), None, true).unwrap();
        assert_eq!(settings(base("60")), "time_settings 60 0 0");
        assert_eq!(settings(base("25/300")), "time_settings 0 300 25");
        assert_eq!(settings(Base { overtime: overtime("25/300"), ..base("60") }), "time_settings 60 300 25");
        assert_eq!(settings(base("60+0.5")), "kata-time_settings fischer 60 0.5");
        let fixed =
            |millis, precise| time_settings(None, Some(Duration::from_millis(millis)), precise).unwrap();
        assert_eq!(fixed(2000, true), "time_settings 0 2 1");
        assert_eq!(fixed(200, true), "time_settings 0 0.2 1");
        assert_eq!(fixed(200, false), "time_settings 0 1 1");
        assert_eq!(time_settings(None, None, true), None);
    }

    /// Asks for two moves in a match; the second word of an answer counts how often the engine was asked.
    #[cfg(unix)]
    fn two_moves(answers: &str) -> [Result<Option<String>, DriveError>; 2] {
        let script = format!(
            "while read line; do case $line in *genmove*) n=$((n + 1));; esac; case $line in \
             *list_commands) printf '= genmove\\nlz-genmove_analyze\\n\\n';; {answers} *) printf '=\\n\\n';; \
             esac; done"
        );
        let patience = Duration::from_secs(60);
        let setup = Setup {
            patience: Patience::of(patience),
            ..Setup::new(super::super::Protocol::Gtp, Occasion::Match, Vec::new())
        };
        let process = Process::start(&protocol::Launch::new("sh").args(["-c", &script])).unwrap();
        let mut talk = super::super::open_gtp(process, &setup).unwrap();
        ["", "D3 E5"].map(|moves| {
            talk.ask(&Question::new(None, list(moves), Side::Black, Spend::default()))?;
            loop {
                if let Event::Best(best) = talk.next(Instant::now() + patience)? {
                    return Ok(best.text);
                }
            }
        })
    }

    #[cfg(unix)]
    #[test]
    fn an_engine_like_pachi_is_asked_in_the_way_it_takes() {
        let refusal = |way: &str| format!("{way}) printf '? argument missing\\n\\n';;");
        let answer = |way: &str| format!("{way}) printf '=\\nplay D%s\\n\\n' $n;;");
        let (interval, bare) = ("'lz-genmove_analyze black 10'", "'lz-genmove_analyze black'");
        let asked = |cases: &[String]| two_moves(&cases.join(" ")).map(|answer| answer.unwrap().unwrap());
        // Pachi, an engine that takes no interval, and one that only claims to know the command.
        assert_eq!(asked(&[answer(interval), refusal("*genmove*")]), ["D1", "D2"]);
        assert_eq!(asked(&[answer(bare), refusal("*genmove*")]), ["D2", "D3"]);
        assert_eq!(asked(&[refusal("lz*"), "genmove*) printf '= D%s\\n\\n' $n;;".to_owned()]), ["D3", "D4"]);
        // Whoever refuses everything gives no move.
        let line = "? argument missing".to_owned();
        assert_eq!(two_moves(&refusal("*genmove*"))[0], Err(DriveError::Garbage { line }));
    }
}
