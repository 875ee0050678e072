//! The other end of UCI: drives someone else's engine. Never blocks for ever, whatever the engine does, and
//! takes the time of an answer when it arrives, not when it is looked at.

use std::time::{Duration, Instant};

use search::OptionError;
use vampirc_uci::UciMessage;

use super::command::Go;
use super::compose;
use super::declared::Declared;
use super::info;
use crate::process::{DriveError, Heard, Process, Stamp};
use crate::report::MOST_OPTIONS;
use crate::{Best, Report};

/// What a thinking engine says.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// On the way.
    Info(Report),
    /// At the end.
    Best(Best),
}

/// A UCI engine in a process of its own.
pub struct Driver {
    process: Process,
    /// As the engine calls itself; empty if it does not.
    pub name: String,
    /// The options it declared.
    pub options: Vec<Declared>,
    /// When the engine's clock was started.
    started: Stamp,
    /// An answer that came with the last of its thoughts, still to be told.
    answered: Option<Best>,
}

impl Driver {
    /// Takes up an engine that runs and waits for its introduction.
    pub fn greet(process: Process, patience: Duration) -> Result<Driver, DriveError> {
        let mut driver = Driver {
            process,
            name: String::new(),
            options: Vec::new(),
            started: Stamp::default(),
            answered: None,
        };
        driver.say(&UciMessage::Uci);
        let deadline = Instant::now() + patience;
        loop {
            let heard = driver.process.hear_in_time(deadline, "uciok")?;
            let line = heard.text.trim();
            if line == "uciok" {
                return Ok(driver);
            } else if let Some(name) = line.strip_prefix("id name ") {
                driver.name = name.trim().to_owned();
            } else if let Some(option) = Declared::read(line) {
                if driver.options.len() < MOST_OPTIONS {
                    driver.options.push(option);
                }
            } else {
                DriveError::unless_understood("UCI", line)?;
            }
        }
    }

    /// Sets an option, if it is declared and the value fits.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let option = self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let option = option.ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let value = option.fit(value)?;
        self.process.say(compose::set_option(&option.name, &value));
        Ok(())
    }

    /// Waits until everything said so far has been handled; what comes before that is dropped.
    pub fn ready(&mut self, patience: Duration) -> Result<(), DriveError> {
        let deadline = Instant::now() + patience;
        self.say(&UciMessage::IsReady);
        while self.process.hear_in_time(deadline, "readyok")?.text.trim() != "readyok" {}
        Ok(())
    }

    /// Tells the engine that another game begins, and waits until it is prepared.
    pub fn new_game(&mut self, patience: Duration) -> Result<(), DriveError> {
        self.say(&UciMessage::UciNewGame);
        self.ready(patience)
    }

    /// Sets a game up: a FEN, or none for the start, and the moves played from there.
    pub fn position<S: AsRef<str>>(&mut self, fen: Option<&str>, moves: &[S]) {
        self.process.say(compose::position(fen, moves));
    }

    /// Lets the engine think; listen with [`Driver::next`].
    pub fn go(&mut self, go: &Go) {
        self.answered = None;
        self.started = self.process.say_stamped(compose::go(go));
    }

    /// The pondered move was played; the time of the answer counts from here.
    pub fn ponder_hit(&mut self) {
        self.started = self.process.say_stamped(UciMessage::PonderHit.to_string());
    }

    /// Asks for the answer now; it still comes through [`Driver::next`].
    pub fn stop(&mut self) {
        self.say(&UciMessage::Stop);
    }

    /// Says a message without arguments.
    fn say(&mut self, message: &UciMessage) {
        self.process.say(message.to_string());
    }

    /// Waits until `deadline` for something that matters of what a thinking engine says; what is here already is heard,
    /// however late it came.
    pub fn next(&mut self, deadline: Instant) -> Result<Event, DriveError> {
        if let Some(best) = self.answered.take() {
            return Ok(Event::Best(best));
        }
        loop {
            let heard = self.process.hear(deadline, "bestmove")?;
            match self.read(&heard)? {
                Some(event) => return Ok(event),
                // A flood must not stretch the time.
                None if heard.at > deadline => return Err(timeout("bestmove")),
                None => {}
            }
        }
    }

    /// What matters of a line.
    fn read(&mut self, heard: &Heard) -> Result<Option<Event>, DriveError> {
        let time = self.started.until(heard.at);
        let (thoughts, end) = info::part(&heard.text);
        match info::read(thoughts) {
            Some(report) => {
                self.answered = answer(end, time)?;
                Ok(Some(Event::Info(report)))
            }
            None => Ok(answer(&heard.text, time)?.map(Event::Best)),
        }
    }

    /// Waits until `deadline` for the answer; what is said on the way goes to `listen`.
    pub fn answer(&mut self, deadline: Instant, mut listen: impl FnMut(Report)) -> Result<Best, DriveError> {
        loop {
            match self.next(deadline)? {
                Event::Best(best) => return Ok(best),
                Event::Info(_) if Instant::now() > deadline => return Err(timeout("bestmove")),
                Event::Info(report) => listen(report),
            }
        }
    }

    /// Says goodbye, waits a while for the engine to leave, then ends it.
    pub fn quit(&mut self, grace: Duration) {
        self.say(&UciMessage::Stop);
        self.say(&UciMessage::Quit);
        self.process.leave(grace);
    }
}

/// Finds an answer, also behind noise on its line; none if there is none. No move is `(none)`, `0000` or `NULL`.
fn answer(line: &str, time: Duration) -> Result<Option<Best>, DriveError> {
    let mut words = line.split_whitespace();
    if !words.any(|word| word == "bestmove") {
        return Ok(None);
    }
    let is_move = |word: &&str| !matches!(*word, "(none)" | "0000" | "NULL");
    let best = words.next().ok_or_else(|| DriveError::Garbage { line: line.to_owned() })?;
    let text = Some(best).filter(is_move).map(str::to_owned);
    let ponder = match words.next() {
        Some("ponder") => words.next().filter(is_move).map(str::to_owned),
        _ => None,
    };
    Ok(Some(Best { text, ponder, time, ..Best::default() }))
}

fn timeout(what: &str) -> DriveError {
    DriveError::Timeout { what: what.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(Option<String>, Option<String>)> {
        answer(line, Duration::ZERO).unwrap().map(|best| (best.text, best.ponder))
    }

    #[test]
    fn answers_are_found_in_noise() {
        let plain = Some((Some("e2e4".to_owned()), Some("e7e5".to_owned())));
        assert_eq!(read("bestmove e2e4 ponder e7e5"), plain);
        assert_eq!(read(" \tfoo bestmove e2e4  ponder e7e5 bar"), plain);
        assert_eq!(read("bestmove e2e4 ponder (none)"), Some((Some("e2e4".to_owned()), None)));
        assert_eq!(read("bestmove (none)"), Some((None, None)));
        assert_eq!(read("bestmoves e2e4"), None);
        assert!(matches!(answer("bestmove ", Duration::ZERO), Err(DriveError::Garbage { .. })));
    }

    #[cfg(unix)]
    mod with_scripts {
        use super::*;
        use crate::Launch;

        const PATIENCE: Duration = Duration::from_secs(20);

        fn start(script: &str, patience: Duration) -> Result<Driver, DriveError> {
            Driver::greet(Process::start(&Launch::new("sh").args(["-c", script]))?, patience)
        }

        #[test]
        fn a_noisy_introduction_is_understood() {
            let script = "echo banner; read line; echo 'id name Some  Engine 1'; echo 'id author A. N. Other';
                echo 'info string hello'; echo 'option name Hash type spin default 1 min 1 max 8'; echo ' uciok ';
                read line; [ \"$line\" = 'setoption name Hash value 8' ] || exit 1; echo noise; read line; echo readyok; read line";
            let mut driver = start(script, PATIENCE).unwrap();
            assert_eq!((driver.name.as_str(), driver.options.len()), ("Some  Engine 1", 1));
            assert!(driver.set("Threads", "2").is_err() && driver.set("hash", "9").is_err());
            driver.set("hash", "8").unwrap();
            driver.ready(PATIENCE).unwrap();
            driver.quit(PATIENCE);
        }

        #[test]
        fn an_engine_that_never_answers_is_given_up() {
            let error = start("sleep 60", Duration::from_millis(50)).err();
            assert_eq!(error, Some(DriveError::Timeout { what: "uciok".to_owned() }));
        }

        #[test]
        fn a_flood_does_not_stretch_the_time() {
            let short = Duration::from_millis(100);
            let noise = "while :; do echo noise; echo info depth 1; done";
            assert_eq!(start(noise, short).err(), Some(DriveError::Timeout { what: "uciok".to_owned() }));
            let mut driver = start(&format!("echo uciok; {noise}"), PATIENCE).unwrap();
            assert_eq!(driver.ready(short), Err(DriveError::Timeout { what: "readyok".to_owned() }));
            let error = driver.answer(Instant::now() + short, |_| {}).unwrap_err();
            assert_eq!(error, DriveError::Timeout { what: "bestmove".to_owned() });
        }

        #[test]
        fn what_came_late_is_not_lost() {
            let script = "echo uciok; read uci; read go; echo info depth 1; echo bestmove x; read quit";
            let mut driver = start(script, PATIENCE).unwrap();
            let late = Instant::now();
            driver.go(&Go::default());
            let mut next = || loop {
                match driver.next(late) {
                    Err(DriveError::Timeout { .. }) if late.elapsed() < PATIENCE => {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    heard => return heard.unwrap(),
                }
            };
            assert!(matches!(next(), Event::Info(_)) && matches!(next(), Event::Best(_)));
        }

        #[test]
        fn the_answer_at_the_end_of_an_info_line_of_sanmill_is_heard() {
            let script = "echo uciok; read uci; read go; \
                          echo info depth 7 score cp 3 nodes 46711 bestmove f4; read quit";
            let mut driver = start(script, PATIENCE).unwrap();
            driver.go(&Go::default());
            let mut nodes = None;
            let answer = driver.answer(Instant::now() + PATIENCE, |report| nodes = report.nodes).unwrap();
            assert_eq!((answer.text.as_deref(), nodes), (Some("f4"), Some(46711)));
        }

        #[test]
        fn a_halt_ends_all_waiting() {
            let (bell, halt) = crossbeam_channel::bounded(0);
            let launch =
                Launch { halt: Some(halt), ..Launch::new("sh").args(["-c", "echo uciok; sleep 60"]) };
            let mut driver = Driver::greet(Process::start(&launch).unwrap(), PATIENCE).unwrap();
            let ringing = std::thread::spawn(move || drop(bell));
            assert_eq!(driver.ready(PATIENCE), Err(DriveError::Halted));
            assert_eq!(driver.next(Instant::now() + PATIENCE), Err(DriveError::Halted));
            ringing.join().unwrap();
        }

        #[test]
        fn an_engine_that_dies_is_noticed() {
            let mut driver = start("echo uciok; read uci; read go", PATIENCE).unwrap();
            driver.go(&Go { depth: Some(3), ..Go::default() });
            let error = driver.answer(Instant::now() + PATIENCE, |_| {}).unwrap_err();
            assert_eq!(error, DriveError::Disconnected { complaints: Vec::new() });
        }

        #[test]
        fn the_time_of_an_answer_is_that_of_its_arrival() {
            let script =
                "echo uciok; read uci; read go; echo info depth 1; sleep 0.05; echo bestmove x; read quit";
            let mut driver = start(script, PATIENCE).unwrap();
            driver.go(&Go::default());
            std::thread::sleep(Duration::from_secs(1));
            let mut reports = 0;
            let answer = driver.answer(Instant::now() + PATIENCE, |_| reports += 1).unwrap();
            assert_eq!((answer.text.as_deref(), reports), (Some("x"), 1));
            assert!(answer.time >= Duration::from_millis(50) && answer.time < Duration::from_millis(900));
        }
    }
}
