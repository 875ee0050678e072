//! A Go engine that speaks GTP.
//!
//! GTP engines keep the game themselves, so a player remembers what it has told: moves are played one by
//! one, and a game that does not continue the last one is told from its start.

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use protocol::Launch;
use protocol::gtp::drive::Driver;
use search::{OptionError, Side};

use super::{Answer, Fault, MATCH, Player, StartError, Thought, Turn};
use crate::matches::plan::{Contestant, Patience};
use crate::matches::time::TimeControl;

/// Beyond its time a move is only waited for to tell late engines from silent ones.
const GRACE: Duration = Duration::from_secs(3);
/// How long an engine may take to leave.
const FAREWELL: Duration = Duration::from_secs(1);
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
}

impl GtpPlayer {
    /// Starts an engine and sets its options; `halt` ends all waiting when it is disconnected.
    pub fn start(
        engine: &Contestant,
        patience: &Patience,
        halt: &Receiver<()>,
    ) -> Result<GtpPlayer, StartError> {
        let launch = Launch {
            program: engine.program.clone(),
            args: engine.args.clone(),
            dir: engine.dir.clone(),
            halt: Some(halt.clone()),
        };
        let driver = Driver::start(&launch, patience.startup)?;
        let setup = setup(&driver, &engine.options);
        let mut player =
            GtpPlayer { driver: Some(driver), patience: patience.clone(), setup, told: None, timed: false };
        for (name, value) in engine.options.iter().filter(|(name, _)| !is_rule(name)) {
            player.set(name, value)?;
        }
        // Only who learns has it.
        let _ = player.set(MATCH, "true");
        Ok(player)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), StartError> {
        if !self.driver().knows("quintet-param") {
            return Err(OptionError::Unknown(name.to_owned()).into());
        }
        let ping = self.patience.ping;
        let command = format!("quintet-param {} {value}", name.replace(' ', "_"));
        match self.driver().ask(&command, Instant::now() + ping)?.result {
            Ok(_) => Ok(()),
            Err(why) => Err(OptionError::Failed { name: name.to_owned(), why }.into()),
        }
    }

    fn driver(&mut self) -> &mut Driver {
        self.driver.as_mut().expect("it is taken only when the player is dropped")
    }

    /// Says a command that must succeed; an engine that refuses one is of no use.
    fn command(&mut self, command: &str) -> Result<String, Fault> {
        let deadline = Instant::now() + self.patience.ping;
        let answer = self.driver().ask(command, deadline).map_err(|error| Fault::from(&error))?;
        answer.result.map_err(|_| Fault::Disconnects)
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
            if let Some(settings) = time_settings(turn.control) {
                self.command(&settings)?;
            }
            self.timed = true;
        }
        if !self.driver().knows("time_left") {
            return Ok(());
        }
        for side in [Side::White, Side::Black] {
            if let Some(clock) = &turn.clocks[side.index()] {
                let stones = clock.moves_to_go.unwrap_or(0);
                self.command(&format!("time_left {} {} {stones}", colour(side), clock.left.as_secs()))?;
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
        let command = format!("genmove {}", colour(turn.side));
        let answer =
            self.driver().ask(&command, Instant::now() + patience).map_err(|error| Fault::from(&error))?;
        let text = match answer.result {
            Ok(text) => text.trim().to_owned(),
            Err(why) => format!("? {why}"),
        };
        self.told.get_or_insert_default().push(text.clone());
        let thought = Thought { time: answer.time, ..Thought::default() };
        let resigns = text.eq_ignore_ascii_case("resign");
        Ok(Answer { text, resigns, ponder: None, line: Vec::new(), thought })
    }

    fn ponder(&mut self, _: &Turn) -> Result<(), Fault> {
        Ok(())
    }

    fn rest(&mut self) -> Result<(), Fault> {
        Ok(())
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
}

impl Drop for GtpPlayer {
    fn drop(&mut self) {
        if let Some(driver) = self.driver.take() {
            driver.quit(FAREWELL);
        }
    }
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

/// The clock as GTP has it: main time, then a period for so many stones.
fn time_settings(control: &TimeControl) -> Option<String> {
    // Whole seconds where they will do: not every engine reads fractions.
    let seconds = |time: Duration| time.as_secs_f64();
    if let Some(time) = control.move_time {
        return Some(format!("time_settings 0 {} 1", seconds(time)));
    }
    let base = control.base.as_ref()?;
    Some(match (&base.overtime, base.moves) {
        (Some(over), _) => {
            format!("time_settings {} {} {}", seconds(base.time), seconds(over.time), over.moves)
        }
        (None, Some(moves)) => format!("time_settings 0 {} {moves}", seconds(base.time)),
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
    fn clocks_are_written_as_time_settings() {
        let base = |text: &str| text.parse::<Base>().unwrap();
        let settings =
            |base| time_settings(&TimeControl { base: Some(base), ..TimeControl::default() }).unwrap();
        assert_eq!(settings(base("60")), "time_settings 60 0 0");
        assert_eq!(settings(base("25/300")), "time_settings 0 300 25");
        assert_eq!(settings(Base { overtime: overtime("25/300"), ..base("60") }), "time_settings 60 300 25");
        let fixed = TimeControl { move_time: Some(Duration::from_secs(2)), ..TimeControl::default() };
        assert_eq!(time_settings(&fixed).unwrap(), "time_settings 0 2 1");
        let short = TimeControl { move_time: Some(Duration::from_millis(200)), ..TimeControl::default() };
        assert_eq!(time_settings(&short).unwrap(), "time_settings 0 0.2 1");
        assert_eq!(time_settings(&TimeControl::default()), None);
    }
}
