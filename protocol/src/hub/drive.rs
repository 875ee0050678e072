//! The other end of Hub: drives someone else's engine. Never blocks for ever, whatever the engine does.

use std::time::{Duration, Instant};

use super::Line;
use crate::Best;
use crate::process::{DriveError, Heard, Process, Stamp};
use crate::report::MOST_OPTIONS;

/// What a thinking engine says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// On the way: `depth`, `score`, `pv` and more.
    Info(Line),
    /// At the end; moves are as written.
    Done(Best),
}

/// A Hub engine in a process of its own.
pub struct Driver {
    process: Process,
    /// As the engine calls itself; empty if it does not.
    pub name: String,
    /// The parameters declared: name, value, type and range of each.
    pub parameters: Vec<Line>,
    /// When the engine's clock was started.
    started: Stamp,
}

impl Driver {
    /// Takes up an engine that runs and waits for its introduction.
    pub fn greet(process: Process, patience: Duration) -> Result<Driver, DriveError> {
        let mut driver =
            Driver { process, name: String::new(), parameters: Vec::new(), started: Stamp::default() };
        driver.process.say("hub");
        let deadline = Instant::now() + patience;
        loop {
            let heard = driver.process.hear_in_time(deadline, "wait")?;
            let line = Line::read(&heard.text).unwrap_or_else(|| Line::new(""));
            match line.command.as_str() {
                "wait" => return Ok(driver),
                "id" => driver.name = line.get("name").unwrap_or("").to_owned(),
                "param" if driver.parameters.len() < MOST_OPTIONS => driver.parameters.push(line),
                "param" => {}
                _ => DriveError::unless_understood("Hub", &heard.text)?,
            }
        }
    }

    /// Whether the engine declared a parameter, with this value among its choices if it has any.
    pub fn takes(&self, name: &str, value: &str) -> bool {
        self.parameters.iter().filter(|line| line.get("name") == Some(name)).any(|line| {
            line.get("values").is_none_or(|values| values.split_whitespace().any(|known| known == value))
        })
    }

    /// Sets a parameter; false if the engine does not take it.
    pub fn set(&mut self, name: &str, value: &str) -> bool {
        let takes = self.takes(name, value);
        if takes {
            self.say(&Line::new("set-param").with("name", name).with("value", value));
        }
        takes
    }

    /// Lets the engine prepare itself with the parameters set.
    pub fn init(&mut self, patience: Duration) -> Result<(), DriveError> {
        self.process.say("init");
        self.await_word("ready", patience)
    }

    /// Waits until everything said so far has been handled.
    pub fn ping(&mut self, patience: Duration) -> Result<(), DriveError> {
        self.process.say("ping");
        self.await_word("pong", patience)
    }

    /// Tells the engine that another game begins.
    pub fn new_game(&mut self) {
        self.process.say("new-game");
    }

    /// Sets a game up: a position as Hub writes it and the moves played from there.
    pub fn position<S: AsRef<str>>(&mut self, position: &str, moves: &[S]) {
        let mut line = Line::new("pos").with("pos", position);
        if !moves.is_empty() {
            let moves: Vec<&str> = moves.iter().map(AsRef::as_ref).collect();
            line = line.with("moves", moves.join(" "));
        }
        self.say(&line);
    }

    /// Adds a limit such as `depth=9`.
    pub fn level(&mut self, limit: &Line) {
        self.say(limit);
    }

    /// Lets the engine `think`, `ponder` or `analyze`; listen with [`Driver::next`].
    pub fn go(&mut self, how: &str) {
        self.started = self.process.say_stamped(format!("go {how}"));
    }

    /// The pondered move was played; the time of the answer counts from here.
    pub fn ponder_hit(&mut self) {
        self.started = self.process.say_stamped("ponder-hit");
    }

    /// Asks for the answer now; it still comes through [`Driver::next`].
    pub fn stop(&mut self) {
        self.process.say("stop");
    }

    /// Waits until `deadline` for something that matters of what a thinking engine says; what is here already is heard,
    /// however late it came.
    pub fn next(&mut self, deadline: Instant) -> Result<Event, DriveError> {
        loop {
            let heard = self.process.hear(deadline, "done")?;
            match self.read(&heard)? {
                Some(event) => return Ok(event),
                // A flood must not stretch the time.
                None if heard.at > deadline => return Err(DriveError::Timeout { what: "done".to_owned() }),
                None => {}
            }
        }
    }

    /// Says goodbye, waits a while for the engine to leave, then ends it.
    pub fn quit(&mut self, grace: Duration) {
        self.process.say("quit");
        self.process.leave(grace);
    }

    fn say(&mut self, line: &Line) {
        self.process.say(line.to_string());
    }

    /// What matters of a line.
    fn read(&self, heard: &Heard) -> Result<Option<Event>, DriveError> {
        let Some(line) = Line::read(&heard.text) else { return Ok(None) };
        let garbage = || DriveError::Garbage { line: heard.text.clone() };
        Ok(match line.command.as_str() {
            "info" => Some(Event::Info(line)),
            "done" => {
                let text = Some(line.get("move").ok_or_else(garbage)?.to_owned());
                let ponder = line.get("ponder").map(str::to_owned);
                let time = self.started.until(heard.at);
                Some(Event::Done(Best { text, ponder, time, ..Best::default() }))
            }
            "error" => return Err(garbage()),
            _ => None,
        })
    }

    fn await_word(&self, word: &str, patience: Duration) -> Result<(), DriveError> {
        let deadline = Instant::now() + patience;
        let is_it = |text: &str| Line::read(text).is_some_and(|line| line.command == word);
        while !is_it(&self.process.hear_in_time(deadline, word)?.text) {}
        Ok(())
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    fn start(script: &str, patience: Duration) -> Result<Driver, DriveError> {
        Driver::greet(Process::start(&crate::Launch::new("sh").args(["-c", script]))?, patience)
    }

    #[test]
    fn a_conversation_goes_its_way() {
        let script = "read hub; echo noise; echo 'id name=\"Some Engine\" version=1';
            echo 'param name=variant value=a type=enum values=\"a b\"'; echo wait;
            read set; [ \"$set\" = 'set-param name=variant value=b' ] || exit 1; read init; echo ready;
            read pos; read level; read go; echo 'info depth=1 score=0.1'; echo 'done move=1-2 ponder=3-4'; read quit";
        let mut driver = start(script, PATIENCE).unwrap();
        assert_eq!(driver.name, "Some Engine");
        assert!(!driver.set("variant", "c") && !driver.set("other", "b") && driver.set("variant", "b"));
        driver.init(PATIENCE).unwrap();
        driver.position("Wwe", &["1-2"]);
        driver.level(&Line::new("level").with("depth", 3));
        driver.go("think");
        let deadline = Instant::now() + PATIENCE;
        assert!(matches!(driver.next(deadline), Ok(Event::Info(line)) if line.get("depth") == Some("1")));
        let Ok(Event::Done(answer)) = driver.next(deadline) else { panic!("no answer") };
        assert_eq!((answer.text.as_deref(), answer.ponder.as_deref()), (Some("1-2"), Some("3-4")));
        driver.quit(PATIENCE);
    }

    #[test]
    fn what_came_late_is_not_lost() {
        let script = "read hub; echo wait; read go; echo 'info depth=1'; echo 'done move=1-2'; read quit";
        let mut driver = start(script, PATIENCE).unwrap();
        let late = Instant::now();
        driver.go("think");
        let mut next = || loop {
            match driver.next(late) {
                Err(DriveError::Timeout { .. }) if late.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                heard => return heard.unwrap(),
            }
        };
        assert!(matches!(next(), Event::Info(_)) && matches!(next(), Event::Done(_)));
    }

    #[test]
    fn silence_and_death_are_noticed() {
        let error = start("sleep 60", Duration::from_millis(50)).err();
        assert_eq!(error, Some(DriveError::Timeout { what: "wait".to_owned() }));
        assert!(matches!(start("exit 1", PATIENCE).err(), Some(DriveError::Disconnected { .. })));
    }
}
