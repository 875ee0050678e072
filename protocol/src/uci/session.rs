//! A UCI session: one queue of events, one owner of the engine, one writer.
//!
//! A reader thread turns input into events, a search thread per job turns thinking into events; the loop
//! here takes them in order. During a search the engine is away with it, so what would change the engine
//! waits for its return.

use std::io::{self, BufRead, Write};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use search::{Control, Engine, Game, Info, Root, Side, Spelling};

use super::command::{Command, Go};
use super::job::{Answer, Event, Job, MoveOf};
use super::queue::{Queue, is_job};
use super::reports::Reports;
use super::voice::Voice;
use super::write;
use crate::lines;

/// How long a search may take to end once the session is over.
const GRACE: Duration = Duration::from_secs(5);

/// Lets an engine speak UCI until `quit` or the end of input.
pub fn serve<E: Engine>(
    engine: E,
    mut input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let mut session = Session::new(engine, output)?;
    let events = session.events.clone();
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        while let Some(line) = lines::next(&mut input) {
            if events.send(Event::Line(line)).is_err() {
                return;
            }
        }
        let _ = events.send(Event::End);
    })?;
    while !session.over {
        session.step()?;
    }
    session.close()
}

/// Carries out some commands, each to its end, and returns. A search that would never end is stopped by `quit` and by
/// the end of the commands.
pub fn perform<E: Engine>(engine: E, commands: &[String], output: impl Write) -> io::Result<()> {
    let mut session = Session::new(engine, output)?;
    let mut is_endless = false;
    for line in commands {
        let command = Command::read(line);
        let hurries = match &command {
            Ok(Some(Command::Stop | Command::PonderHit)) => true,
            Ok(Some(Command::Quit)) => is_endless,
            _ => false,
        };
        if !hurries {
            session.settle()?;
        }
        if let Ok(Some(Command::Go(go))) = &command {
            is_endless = go.limits(Side::White).waits();
        }
        session.hear(line)?;
        if session.over {
            break;
        }
    }
    if is_endless { session.close() } else { session.settle() }
}

/// The job under way.
struct Running<G: Game> {
    control: Control,
    reports: Reports<G::Move>,
    spelling: Spelling<G>,
    chances: Option<write::Chances>,
}

struct Session<E: Engine, W: Write> {
    /// Away while a job runs.
    engine: Option<E>,
    running: Option<Running<E::Game>>,
    root: Root<E::Game>,
    /// Commands that wait for the end of the job, in order.
    waiting: Queue,
    voice: Voice<W>,
    events: Sender<Event<E>>,
    inbox: Receiver<Event<E>>,
    debug: bool,
    over: bool,
}

impl<E: Engine, W: Write> Session<E, W> {
    fn new(engine: E, output: W) -> io::Result<Self> {
        let (events, inbox) = unbounded();
        let root = Root::new(E::Game::start(&engine.rules()));
        let mut session = Session {
            engine: Some(engine),
            running: None,
            root,
            waiting: Queue::default(),
            voice: Voice::new(output),
            events,
            inbox,
            debug: false,
            over: false,
        };
        session.follow_log()?;
        Ok(session)
    }

    /// Waits for the next event and handles it.
    fn step(&mut self) -> io::Result<()> {
        let event = self.inbox.recv().expect("the session holds a sender itself");
        self.handle(event)
    }

    fn handle(&mut self, event: Event<E>) -> io::Result<()> {
        match event {
            Event::Line(line) => self.hear(&line),
            Event::End => {
                self.over = true;
                Ok(())
            }
            Event::Info(info) => self.report(info),
            Event::Done(Some((engine, answer))) => self.finish(engine, answer),
            Event::Done(None) => Err(io::Error::other("the search panicked")),
        }
    }

    /// Waits for the end of the running job.
    fn settle(&mut self) -> io::Result<()> {
        while self.running.is_some() {
            self.step()?;
        }
        Ok(())
    }

    /// Ends the running job, if any, and lets it answer.
    fn close(mut self) -> io::Result<()> {
        self.waiting.clear();
        self.stop();
        let deadline = Instant::now() + GRACE;
        while self.running.is_some() {
            let Ok(event) = self.inbox.recv_deadline(deadline) else { break };
            if !matches!(event, Event::Line(_)) {
                self.handle(event)?;
            }
        }
        Ok(())
    }

    fn hear(&mut self, line: &str) -> io::Result<()> {
        self.voice.log.heard(line);
        if line.split_whitespace().next().is_some_and(|word| E::COMMANDS.contains(&word)) {
            return self.obey(Command::Own(line.to_owned()));
        }
        match Command::read(line) {
            Ok(Some(command)) => self.obey(command),
            Ok(None) => Ok(()),
            Err(error) => self.voice.remark(&error.to_string()),
        }
    }

    /// Carries a command out, now or after the running job.
    fn obey(&mut self, command: Command) -> io::Result<()> {
        if !self.must_wait(&command) {
            return self.carry_out(command);
        }
        if is_job(&command) {
            self.stop();
        }
        self.waiting.push(command);
        Ok(())
    }

    fn must_wait(&self, command: &Command) -> bool {
        use Command::*;
        match command {
            Uci | Debug(_) | IsReady | Register | Quit | Show | Help => false,
            // They may be meant for a search that has not begun yet.
            Stop | PonderHit => self.waiting.has_job(),
            SetOption { .. }
            | NewGame
            | Position { .. }
            | Go(_)
            | Perft(_)
            | Bench
            | Eval
            | Flip
            | Own(_) => self.running.is_some(),
        }
    }

    fn carry_out(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Uci => self.voice.say(&write::introduction::<E>()),
            Command::IsReady => self.voice.say("readyok"),
            Command::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            Command::Register => Ok(()),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Own(line) => {
                let answer = self.engine().command(&line);
                self.voice.say(&answer)
            }
            Command::NewGame => {
                self.engine().forget();
                Ok(())
            }
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Go(go) => self.go(&go),
            Command::Perft(depth) => self.start(Job::Perft(depth)),
            Command::Bench => self.start(Job::Bench),
            Command::Stop => {
                self.stop();
                Ok(())
            }
            Command::PonderHit => {
                if let Some(running) = &self.running {
                    running.control.ponder_hit();
                }
                Ok(())
            }
            Command::Quit => {
                self.over = true;
                Ok(())
            }
            Command::Show => self.voice.say(&write::board(self.root.position())),
            Command::Eval => {
                let engine = self.engine.as_mut().expect("the engine is idle");
                let text = engine.explain(&self.root);
                self.voice.say(text.trim_end())
            }
            Command::Flip => self.flip(),
            Command::Help => self.voice.say(write::HELP),
        }
    }

    /// The engine, for commands that are carried out only while it is here.
    fn engine(&mut self) -> &mut E {
        self.engine.as_mut().expect("the engine is idle")
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        let rules = self.engine().rules();
        if let Err(error) = self.engine().set(name, value) {
            return self.voice.remark(&error.to_string());
        }
        let engine = self.engine();
        if engine.rules() != rules {
            engine.forget();
            self.root = Root::new(E::Game::start(&engine.rules()));
        }
        self.confirm(&format!("{name} is set"))?;
        self.follow_log()
    }

    /// Lets the log go where the option says, and begins it with the state of this session.
    fn follow_log(&mut self) -> io::Result<()> {
        let engine = self.engine.as_mut().expect("the engine is idle");
        let path = engine.common().log_file.clone();
        if path == self.voice.log.path() {
            return Ok(());
        }
        if let Err(error) = self.voice.log.reopen(&path, &write::title::<E>()) {
            engine.common_mut().log_file = self.voice.log.path().to_owned();
            return self.voice.remark(&format!("cannot write the log file '{path}': {error}"));
        }
        self.voice.log.heard(&write::state(engine, &self.root));
        Ok(())
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> io::Result<()> {
        match self.read_position(fen, moves) {
            Ok(root) => {
                self.root = root;
                self.confirm("the position is set")
            }
            Err(error) => self.voice.remark(&error),
        }
    }

    fn read_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<Root<E::Game>, String> {
        let engine = self.engine();
        let rules = engine.rules();
        let start = match fen {
            None => E::Game::start(&rules),
            Some(fen) => E::Game::read(&rules, fen).map_err(|error| error.to_string())?,
        };
        let mut root = Root::new(start);
        let words: Vec<&str> = moves.iter().map(String::as_str).collect();
        engine.read_moves(&mut root, &words).map_err(|error| error.to_string())?;
        Ok(root)
    }

    fn flip(&mut self) -> io::Result<()> {
        match self.root.position().flipped() {
            Some(position) => {
                self.root = Root::new(position);
                Ok(())
            }
            None => self.voice.remark("this game has no such symmetry"),
        }
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let mut limits = go.limits(self.root.position().turn());
        let legal = self.root.legal();
        let mut nothing = legal.is_empty();
        if let Some(words) = &go.search_moves {
            for word in words {
                match self.root.position().parse(word) {
                    Ok(m) if legal.contains(&m) => limits.only.push(self.root.position().pack(m)),
                    Ok(_) => self.voice.remark(&format!("illegal move '{word}'"))?,
                    Err(error) => self.voice.remark(&error.to_string())?,
                }
            }
            nothing |= limits.only.is_empty() && !words.is_empty();
        }
        self.start(if nothing { Job::Wait(limits) } else { Job::Think(limits) })
    }

    fn start(&mut self, job: Job) -> io::Result<()> {
        let ponder = matches!(&job, Job::Think(limits) | Job::Wait(limits) if limits.ponder);
        let control = Control::new(ponder);
        let engine = self.engine.take().expect("the engine is idle");
        let (spelling, chances) = (engine.spelling(), engine.chances());
        job.start(engine, self.root.clone(), control.clone(), self.events.clone())?;
        self.running = Some(Running { control, reports: Reports::new(), spelling, chances });
        Ok(())
    }

    fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
    }

    fn report(&mut self, info: Info<MoveOf<E>>) -> io::Result<()> {
        let running = self.running.as_mut().expect("only a running search reports");
        match info {
            Info::Line(line) if running.reports.line(&line) => {
                self.voice.say_line(&write::line(&mut self.root, &line, running.spelling, running.chances))
            }
            Info::Current(m, number) if running.reports.current() => {
                self.voice.say(&write::current(&self.root, m, number, running.spelling))
            }
            Info::Text(text) => self.voice.remark(&text),
            _ => Ok(()),
        }
    }

    /// Takes the engine back, says its answer, and turns to what has waited for it.
    fn finish(&mut self, engine: E, answer: Answer<MoveOf<E>>) -> io::Result<()> {
        let running = self.running.take().expect("only a running job ends");
        self.engine = Some(engine);
        match answer {
            Answer::Best(best) if best.best.is_none() => {
                let outcome = self.root.legal().is_empty().then(|| self.root.position().stuck());
                self.voice.say(&write::no_move(outcome, self.root.position().turn()))?;
                self.voice.say(&write::best(&mut self.root, &best, running.spelling))?;
            }
            Answer::Best(best) => {
                for line in running.reports.last(&best, self.voice.scored()) {
                    self.voice.say_line(&write::line(
                        &mut self.root,
                        &line,
                        running.spelling,
                        running.chances,
                    ))?;
                }
                self.voice.say(&write::best(&mut self.root, &best, running.spelling))?;
            }
            Answer::Perft(Ok(counts)) => self.voice.say(&write::division(self.root.position(), &counts))?,
            Answer::Perft(Err(_)) => self.voice.remark("perft was stopped")?,
            Answer::Bench(Ok(bench)) => self.voice.say(&write::bench(&bench))?,
            Answer::Bench(Err(_)) => self.voice.remark("bench was stopped")?,
        }
        self.resume()
    }

    /// Carries out what has waited, up to the next job and with what is meant for that one.
    fn resume(&mut self) -> io::Result<()> {
        while self.running.is_none() {
            let Some(command) = self.waiting.pop() else { return Ok(()) };
            self.carry_out(command)?;
        }
        for hint in self.waiting.take_hints() {
            self.carry_out(hint)?;
        }
        // A job that waits ends the one before it.
        if self.waiting.has_job() {
            self.stop();
        }
        Ok(())
    }

    /// Says what went well to those who asked for more words.
    fn confirm(&mut self, text: &str) -> io::Result<()> {
        if self.debug { self.voice.remark(text) } else { Ok(()) }
    }
}
