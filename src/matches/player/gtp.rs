//! A Go engine that speaks GTP.
//!
//! GTP engines keep the game themselves, so a player remembers what it has told: moves are played one by
//! one, and a game that does not continue the last one is told from its start.

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use protocol::DriveError;
use protocol::gtp::drive::Driver;
use search::{OptionError, Side};

use super::{Answer, FAREWELL, Fault, GRACE, MATCH, Player, StartError, Turn};
use crate::matches::plan::{Contestant, Patience};
use crate::matches::time::TimeControl;

/// What an engine of ours tells about the search for its last move.
const THOUGHT: &str = "quintet-thought";
/// What is in force unless the user says otherwise; engines differ in what they begin with.
const USUAL: [(&str, &str); 3] = [("BoardSize", "19"), ("Komi", "7.5"), ("Rules", "chinese")];

/// A GTP engine at the board.
pub struct GtpPlayer {
    /// Taken when it leaves.
    driver: Option<Driver>,
    patience: Patience,
    /// `boardsize`, `komi` and the rules, said before every game.
    setup: Vec<String>,
    /// The moves the engine knows of; none before its first game.
    told: Option<Vec<String>>,
    timed: bool,
    /// Why its last command has no answer; asked about dead stones it may fall silent after the game.
    lost: Option<Fault>,
    /// The last command it did not carry out, with its reason.
    refused: Option<String>,
    /// What it says about its parameters.
    settings: Vec<(String, String)>,
}

impl GtpPlayer {
    /// Starts an engine and sets its options; `halt` ends all waiting when it is disconnected.
    pub fn start(
        engine: &Contestant,
        patience: &Patience,
        halt: &Receiver<()>,
    ) -> Result<GtpPlayer, StartError> {
        let driver = Driver::start(&engine.launch(Some(halt)), patience.startup)?;
        let setup = setup(&driver, &engine.options);
        let (driver, patience, settings) = (Some(driver), patience.clone(), Vec::new());
        let (told, timed, lost, refused) = (None, false, None, None);
        let mut player = GtpPlayer { driver, patience, setup, told, timed, lost, refused, settings };
        for (name, value) in engine.options.iter().filter(|(name, _)| !is_rule(name)) {
            player.set(name, value)?;
        }
        if let Some(nodes) = engine.control.nodes {
            player.set("Playouts", &nodes.to_string())?;
        }
        if engine.ponder && player.driver().knows("quintet-param") {
            player.set("Ponder", "true")?;
        }
        // Only who learns has it.
        let _ = player.set(MATCH, "true");
        player.settings = player.parameters()?;
        Ok(player)
    }

    /// Name and value of all parameters of an engine of ours; others are not asked.
    fn parameters(&mut self) -> Result<Vec<(String, String)>, StartError> {
        if !self.driver().knows("quintet-param") {
            return Ok(Vec::new());
        }
        let deadline = Instant::now() + self.patience.ping;
        let list = self.driver().ask("quintet-param", deadline)?.result.unwrap_or_default();
        let pair = |line: &str| {
            let (name, value) = line.split_once("] ")?.1.split_once(' ')?;
            Some((name.replace('_', " "), value.to_owned()))
        };
        Ok(list.lines().filter_map(pair).collect())
    }

    /// What an engine of ours found out while it looked for its last move; asked when its clock stands.
    fn reflect(&mut self, answer: &mut Answer) -> Result<(), Fault> {
        if self.driver().knows(THOUGHT) {
            let text = self.command(THOUGHT)?;
            reflection(&text, answer);
            let room = text.lines().find_map(|line| line.strip_prefix("room "));
            self.settings.retain(|(name, _)| name != "Tree Nodes");
            self.settings.extend(room.map(|nodes| ("Tree Nodes".to_owned(), nodes.to_owned())));
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), StartError> {
        if !self.driver().knows("quintet-param") {
            return Err(OptionError::Unknown(name.to_owned()).into());
        }
        let ping = self.patience.ping;
        let command = format!("quintet-param {} {value}", name.replace(' ', "_"));
        match self.driver().ask(&command, Instant::now() + ping)?.result {
            Ok(_) => Ok(()),
            Err(why) => Err(option_error(name, &why).into()),
        }
    }

    /// Says any command and waits for its answer.
    pub fn ask(&mut self, command: &str, deadline: Instant) -> Result<Result<String, String>, DriveError> {
        Ok(self.driver().ask(command, deadline)?.result)
    }

    /// Whether it knows increments and reads fractions of seconds; others want whole ones.
    fn is_precise(&mut self) -> bool {
        self.driver().knows("kata-time_settings")
    }

    /// Tells the engine what it may spend, if that is a time.
    pub fn set_time(&mut self, control: &TimeControl) -> Result<(), Fault> {
        let settings = time_settings(control, self.is_precise());
        settings.map_or(Ok(()), |settings| self.command(&settings).map(|_| ()))
    }

    fn driver(&mut self) -> &mut Driver {
        self.driver.as_mut().expect("it is taken only when the player is dropped")
    }

    /// Says a command that must succeed; an engine that refuses one is of no use.
    fn command(&mut self, command: &str) -> Result<String, Fault> {
        let deadline = Instant::now() + self.patience.ping;
        let answer = self.driver().ask(command, deadline).map_err(|error| Fault::from(&error));
        self.lost = answer.as_ref().err().copied();
        answer?.result.map_err(|why| {
            self.refused = Some(format!("'{command}': {}", why.escape_debug()));
            Fault::Refuses
        })
    }

    /// Brings the engine to the position of a turn.
    fn tell(&mut self, turn: &Turn) -> Result<(), Fault> {
        let told = match &self.told {
            Some(told) if continues(turn.moves, told) => told.len(),
            _ => {
                self.new_game()?;
                0
            }
        };
        for number in told..turn.moves.len() {
            // The side to move is known, and sides alternate.
            let side = if (turn.moves.len() - number).is_multiple_of(2) { turn.side } else { !turn.side };
            self.command(&format!("play {} {}", colour(side), turn.moves[number]))?;
        }
        self.told = Some(turn.moves.to_vec());
        Ok(())
    }

    fn tell_clocks(&mut self, turn: &Turn) -> Result<(), Fault> {
        if !self.timed {
            self.set_time(turn.control)?;
            self.timed = true;
        }
        if !self.driver().knows("time_left") {
            return Ok(());
        }
        let precise = self.is_precise();
        for side in [Side::White, Side::Black] {
            if let Some(clock) = &turn.clocks[side.index()] {
                let stones = clock.moves_to_go.unwrap_or(0);
                let left = if precise { clock.left.as_secs_f64() } else { clock.left.as_secs() as f64 };
                self.command(&format!("time_left {} {left} {stones}", colour(side)))?;
            }
        }
        Ok(())
    }
}

impl Player for GtpPlayer {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.timed = false;
        for command in self.setup.clone() {
            self.command(&command)?;
        }
        self.command("clear_board")?;
        self.told = Some(Vec::new());
        Ok(())
    }

    fn think(&mut self, turn: &Turn) -> Result<Answer, Fault> {
        self.tell(turn)?;
        self.tell_clocks(turn)?;
        let patience = turn.longest.unwrap_or(self.patience.silence) + GRACE;
        // Engines of ours are asked afterwards; others that can say what they think do so on the way.
        let aloud = !self.driver().knows(THOUGHT) && self.driver().knows("lz-genmove_analyze");
        let command = if aloud { "lz-genmove_analyze" } else { "genmove" };
        let command = format!("{command} {}", colour(turn.side));
        let said =
            self.driver().ask(&command, Instant::now() + patience).map_err(|error| Fault::from(&error))?;
        let mut answer = Answer::default();
        answer.text = match said.result {
            Ok(text) if aloud => analysis(&text, &mut answer),
            Ok(text) => text.trim().to_owned(),
            Err(why) => format!("? {why}"),
        };
        answer.thought.time = said.time;
        answer.resigns = answer.text.eq_ignore_ascii_case("resign");
        self.told.get_or_insert_default().push(answer.text.clone());
        self.reflect(&mut answer)?;
        Ok(answer)
    }

    fn ponder(&mut self, _: &Turn) -> Result<(), Fault> {
        Ok(())
    }

    fn rest(&mut self) -> Result<(), Fault> {
        self.lost.map_or(Ok(()), Err)
    }

    fn dead_stones(&mut self, turn: &Turn) -> Result<Option<Vec<String>>, Fault> {
        self.tell(turn)?;
        if !self.driver().knows("final_status_list") {
            return Ok(None);
        }
        let list = self.command("final_status_list dead")?;
        let mut points: Vec<String> = list.split_whitespace().map(str::to_ascii_uppercase).collect();
        points.sort();
        Ok(Some(points))
    }

    fn refusal(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    fn gives_scores(&self) -> bool {
        false
    }

    fn settings(&self) -> Vec<(String, String)> {
        self.settings.clone()
    }
}

impl Drop for GtpPlayer {
    fn drop(&mut self) {
        if let Some(driver) = self.driver.take() {
            driver.quit(FAREWELL);
        }
    }
}

/// Why `quintet-param` does not set an option; it has named the option itself.
fn option_error(name: &str, why: &str) -> OptionError {
    if why.starts_with("no such option") {
        return OptionError::Unknown(name.to_owned());
    }
    let why = why.strip_prefix(&format!("option {name}: ")).unwrap_or(why).to_owned();
    OptionError::Failed { name: name.to_owned(), why }
}

/// Reads what an engine of ours tells about the search for its last move: a name and its value a line.
fn reflection(text: &str, answer: &mut Answer) {
    for (name, value) in text.lines().filter_map(|line| line.split_once(' ')) {
        let thought = &mut answer.thought;
        match name {
            "playouts" => thought.nodes = value.parse().ok(),
            "tree" => thought.tree = value.parse().ok(),
            "depth" => thought.depth = value.parse().ok(),
            "value" => thought.value = value.parse().ok(),
            "candidate" => answer.candidates.push(value.to_owned()),
            _ => {}
        }
    }
}

/// Reads the lines of `lz-genmove_analyze`: what was considered last, and the move played.
fn analysis(text: &str, answer: &mut Answer) -> String {
    let last = text.lines().rev().find(|line| line.starts_with("info "));
    for part in last.unwrap_or_default().split("info ").filter(|part| !part.trim().is_empty()) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let after = |key: &str| words.iter().position(|word| *word == key).and_then(|at| words.get(at + 1));
        let Some(point) = after("move") else { continue };
        let visits = after("visits").and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
        let value = after("winrate").and_then(|text| text.parse::<f64>().ok()).map(|rate| rate / 1e4);
        answer.thought.nodes = Some(answer.thought.nodes.unwrap_or(0) + visits);
        answer.thought.value = answer.thought.value.or(value);
        answer.candidates.push(format!("{point} {visits} {:.4}", value.unwrap_or_default()));
    }
    let played = text.lines().rev().find_map(|line| line.trim().strip_prefix("play "));
    played.unwrap_or(text).trim().to_owned()
}

/// Whether a game goes on from the moves told; engines differ in how they write a pass.
fn continues(moves: &[String], told: &[String]) -> bool {
    moves.len() >= told.len() && moves.iter().zip(told).all(|(a, b)| a.eq_ignore_ascii_case(b))
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

fn is_rule(name: &str) -> bool {
    USUAL.iter().any(|(rule, _)| rule.eq_ignore_ascii_case(name))
}

/// The commands that set board, komi and rules, as far as the engine knows them.
fn setup(driver: &Driver, options: &[(String, String)]) -> Vec<String> {
    let value = |rule: &str, usual: &'static str| {
        let chosen = options.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case(rule));
        chosen.map_or(usual, |(_, value)| value.as_str())
    };
    let [size, komi, rules] = USUAL.map(|(rule, usual)| value(rule, usual).to_owned());
    let mut commands = vec![format!("boardsize {size}"), format!("komi {komi}")];
    let set_rules = ["kata-set-rules", "kgs-rules"].into_iter().find(|command| driver.knows(command));
    commands.extend(set_rules.map(|command| format!("{command} {rules}")));
    commands
}

/// The clock as GTP has it: main time, then a period for so many stones. A precise engine knows increments and
/// fractions of seconds; for the others times are rounded up, and an increment is what `time_left` shows.
fn time_settings(control: &TimeControl, precise: bool) -> Option<String> {
    let seconds = |time: Duration| if precise { time.as_secs_f64() } else { time.as_secs_f64().ceil() };
    if let Some(time) = control.move_time {
        return Some(format!("time_settings 0 {} 1", seconds(time)));
    }
    let base = control.base.as_ref()?;
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
    use crate::matches::time::{Base, overtime};

    #[test]
    fn a_game_goes_on_whatever_the_case_of_its_moves() {
        let list = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert!(continues(&list("D4 pass E5"), &list("D4 PASS")));
        assert!(continues(&list("D4"), &[]));
        assert!(!continues(&list("D4"), &list("D4 E5")) && !continues(&list("D4 E5"), &list("E5")));
    }

    #[test]
    fn thoughts_are_read_from_ours_and_from_others() {
        let mut ours = Answer::default();
        reflection("playouts 500\ntree 900\ndepth 7\nvalue 0.53\ncandidate D4 300 0.5301\nodd", &mut ours);
        let thought = ours.thought;
        assert_eq!((thought.nodes, thought.tree, thought.depth), (Some(500), Some(900), Some(7)));
        assert_eq!(
            (thought.value, ours.candidates.as_slice()),
            (Some(0.53), ["D4 300 0.5301".to_owned()].as_slice())
        );
        let mut other = Answer::default();
        let text = "\ninfo move A1 visits 1 winrate 10 order 0 pv A1\ninfo move D4 visits 80 winrate 5300 prior 1 \
                    order 0 pv D4 C3 info move C3 visits 20 winrate 4000 order 1 pv C3\nplay D4";
        assert_eq!(analysis(text, &mut other), "D4");
        assert_eq!((other.thought.nodes, other.thought.value), (Some(100), Some(0.53)));
        assert_eq!(other.candidates, ["D4 80 0.5300", "C3 20 0.4000"]);
        assert_eq!(analysis("resign", &mut Answer::default()), "resign");
    }

    #[test]
    fn clocks_are_written_as_time_settings() {
        let base = |text: &str| text.parse::<Base>().unwrap();
        let settings =
            |base| time_settings(&TimeControl { base: Some(base), ..TimeControl::default() }, true).unwrap();
        assert_eq!(settings(base("60")), "time_settings 60 0 0");
        assert_eq!(settings(base("25/300")), "time_settings 0 300 25");
        assert_eq!(settings(Base { overtime: overtime("25/300"), ..base("60") }), "time_settings 60 300 25");
        let fixed = TimeControl { move_time: Some(Duration::from_secs(2)), ..TimeControl::default() };
        assert_eq!(settings(base("60+0.5")), "kata-time_settings fischer 60 0.5");
        assert_eq!(time_settings(&fixed, true).unwrap(), "time_settings 0 2 1");
        let short = TimeControl { move_time: Some(Duration::from_millis(200)), ..TimeControl::default() };
        assert_eq!(time_settings(&short, true).unwrap(), "time_settings 0 0.2 1");
        assert_eq!(time_settings(&short, false).unwrap(), "time_settings 0 1 1");
        assert_eq!(time_settings(&TimeControl::default(), true), None);
    }
}
