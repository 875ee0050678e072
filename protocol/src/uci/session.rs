//! A UCI session: what is done now, what waits for the end of a search, and what is said of it.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use search::{Engine, Game, Info, Limits, Line, Root, Side, Spelling};

use super::command::{Command, Go};
use super::write;
use crate::program;
use crate::session::{Answer, Core, Event, Job, MoveOf, Queue, Voice};

/// How long a search may take to end once the session is over.
const GRACE: Duration = Duration::from_secs(5);

/// Lets an engine speak UCI until `quit` or the end of input.
pub fn serve<E: Engine>(
    engine: E,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let mut session = Session::new(engine, output, false)?;
    session.core.listen(input)?;
    while !session.over {
        session.step()?;
    }
    session.close()
}

/// Carries out some commands, each to its end, and returns. A search that would never end is stopped by the next of
/// them, `ponderhit` aside, and by their end. The first command that cannot be obeyed ends it: nobody asked for what the
/// others would do in a state that is not the one described.
pub fn perform<E: Engine>(engine: E, commands: &[String], output: impl Write) -> io::Result<()> {
    let mut session = Session::new(engine, output, true)?;
    // Of the search under way.
    let mut limits = Limits::default();
    for line in commands {
        let command = Command::read(line);
        match &command {
            Ok(Some(Command::Stop)) => limits = Limits::default(),
            Ok(Some(Command::PonderHit)) => limits.ponder = false,
            _ => session.settle(&std::mem::take(&mut limits))?,
        }
        if let Ok(Some(Command::Go(go))) = &command {
            limits = go.limits(Side::White);
        }
        session.hear(line, Instant::now())?;
        if session.over {
            break;
        }
    }
    session.settle(&limits)
}

struct Session<E: Engine, W: Write> {
    core: Core<E>,
    /// How the engine wants its moves and its chances written, kept for when it is away.
    spelling: Spelling<E::Game>,
    chances: Option<write::Chances>,
    /// Commands that wait for the end of the job, in order.
    waiting: Queue<Command>,
    voice: Voice<W>,
    debug: bool,
    /// Whether a command that cannot be obeyed ends the session.
    strict: bool,
    over: bool,
}

impl<E: Engine, W: Write> Session<E, W> {
    fn new(engine: E, output: W, strict: bool) -> io::Result<Self> {
        let mut session = Session {
            spelling: engine.spelling(),
            chances: engine.chances(),
            core: Core::new(engine)?,
            waiting: Queue::default(),
            voice: Voice::new(output),
            debug: false,
            strict,
            over: false,
        };
        session.follow_log()?;
        Ok(session)
    }

    /// Waits for the next event and handles it.
    fn step(&mut self) -> io::Result<()> {
        let event = self.core.next(!self.waiting.is_full());
        self.handle(event)
    }

    fn handle(&mut self, event: Event<E>) -> io::Result<()> {
        match event {
            Event::Line(line, read) => self.hear(&line, read),
            Event::End => {
                self.over = true;
                Ok(())
            }
            Event::Info(info) => self.report(info),
            Event::Done(Some((engine, answer))) => self.finish(engine, answer),
            Event::Done(None) => Err(io::Error::other("the search panicked")),
        }
    }

    /// Waits for the end of the running job; a search that would wait for us is stopped.
    fn settle(&mut self, limits: &Limits) -> io::Result<()> {
        if limits.waits() {
            self.core.stop();
        }
        while self.core.is_busy() {
            self.step()?;
        }
        Ok(())
    }

    /// Ends the running job, if any, and lets it answer.
    fn close(mut self) -> io::Result<()> {
        self.waiting.clear();
        self.core.stop();
        let deadline = Instant::now() + GRACE;
        while self.core.is_busy() {
            let Some(event) = self.core.said_before(deadline) else { break };
            self.handle(event)?;
        }
        Ok(())
    }

    fn hear(&mut self, line: &str, read: Instant) -> io::Result<()> {
        self.voice.log.heard(line);
        let command = match line.split_whitespace().next() {
            Some(word) if E::COMMANDS.contains(&word) => Ok(Some(Command::Own(line.to_owned()))),
            _ => Command::read(line),
        };
        match command {
            Ok(Some(command)) if self.must_wait(&command) => {
                self.waiting.push(command, read, line.len());
                self.hurry();
                Ok(())
            }
            Ok(Some(command)) => self.carry_out(command, read),
            Ok(None) => Ok(()),
            Err(error) => self.refuse(&error.to_string()),
        }
    }

    /// Ends the running job if another one waits, or so much else that nothing more is heard until it ends.
    fn hurry(&self) {
        if self.waiting.has_job() || self.waiting.is_full() {
            self.core.stop();
        }
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
            | Counters
            | Flip
            | Own(_) => self.core.is_busy(),
        }
    }

    fn carry_out(&mut self, command: Command, read: Instant) -> io::Result<()> {
        match command {
            Command::Uci => self.voice.say(&write::introduction::<E>()),
            Command::IsReady => {
                self.core.warm_up();
                self.voice.say("readyok")
            }
            Command::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            Command::Register => Ok(()),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Own(line) => match self.core.engine().command(&line) {
                Ok(answer) => self.voice.say(&answer),
                Err(why) => self.refuse(&why),
            },
            Command::NewGame => {
                self.core.engine().forget();
                Ok(())
            }
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Go(go) => self.go(&go, read),
            Command::Perft(depth) => self.start(Job::Perft(depth), read),
            Command::Bench => self.start(Job::Bench, read),
            Command::Stop => {
                self.core.stop();
                Ok(())
            }
            Command::PonderHit => {
                self.core.ponder_hit(read);
                Ok(())
            }
            Command::Quit => {
                self.over = true;
                Ok(())
            }
            Command::Show => self.voice.say(&write::board(self.core.root.position())),
            Command::Eval => {
                let text = self.core.explain();
                self.voice.say(text.trim_end())
            }
            Command::Counters => match self.core.engine().counters().map(ToString::to_string) {
                Some(counted) => self.voice.say(&counted),
                None => self.refuse("this engine counts nothing"),
            },
            Command::Flip => self.flip(),
            Command::Help => self.voice.say(write::HELP),
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        if let Err(error) = self.core.set(name, value) {
            return self.refuse(&error.to_string());
        }
        self.confirm(&format!("{name} is set"))?;
        self.follow_log()
    }

    /// Lets the log go where the option says, and begins it with the state of this session.
    fn follow_log(&mut self) -> io::Result<()> {
        match self.core.follow_log(&mut self.voice.log) {
            Ok(false) => Ok(()),
            Ok(true) => {
                let root = self.core.root.clone();
                self.voice.log.heard(&write::state(self.core.engine(), &root));
                Ok(())
            }
            Err(why) => self.refuse(&why),
        }
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> io::Result<()> {
        match self.read_position(fen, moves) {
            Ok(root) => {
                self.core.root = root;
                self.confirm("the position is set")
            }
            Err(error) => self.refuse(&error),
        }
    }

    fn read_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<Root<E::Game>, String> {
        let engine = self.core.engine();
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
        match self.core.root.position().flipped() {
            Some(position) => {
                self.core.root = Root::new(position);
                Ok(())
            }
            None => self.refuse("this game has no such symmetry"),
        }
    }

    fn go(&mut self, go: &Go, read: Instant) -> io::Result<()> {
        let mut limits = go.limits(self.core.root.position().turn());
        let legal = self.core.root.legal();
        let mut nothing = legal.is_empty();
        if let Some(words) = &go.search_moves {
            for word in words {
                match self.core.root.position().parse(word) {
                    Ok(m) if legal.contains(&m) => limits.only.push(self.core.root.position().pack(m)),
                    Ok(_) => self.refuse(&format!("illegal move '{word}'"))?,
                    Err(error) => self.refuse(&error.to_string())?,
                }
            }
            nothing |= limits.only.is_empty() && !words.is_empty();
        }
        self.start(if nothing { Job::Wait(limits) } else { Job::Think(limits) }, read)
    }

    fn start(&mut self, job: Job, asked: Instant) -> io::Result<()> {
        let engine = self.core.engine();
        (self.spelling, self.chances) = (engine.spelling(), engine.chances());
        self.core.start(job, asked)
    }

    fn report(&mut self, info: Info<MoveOf<E>>) -> io::Result<()> {
        match info {
            Info::Line(line) if self.core.reports().line(&line) => self.say_line(&line),
            Info::Current(m, number) if self.core.reports().current() => {
                self.voice.say(&write::current(&self.core.root, m, number, self.spelling))
            }
            Info::Total(total) => {
                self.core.reports().total(total);
                Ok(())
            }
            Info::Text(text) => self.remark(&text),
            _ => Ok(()),
        }
    }

    /// Takes the engine back, says its answer, and turns to what has waited for it.
    fn finish(&mut self, engine: E, answer: Answer<MoveOf<E>>) -> io::Result<()> {
        let reports = self.core.finish(engine);
        match answer {
            Answer::Best(best) if best.best.is_none() => {
                let outcome = self.core.root.legal().is_empty().then(|| self.core.root.position().stuck());
                self.voice.say(&write::no_move(outcome, self.core.root.position().turn()))?;
                self.voice.say(&write::best(&mut self.core.root, &best, self.spelling))?;
            }
            Answer::Best(best) => {
                for line in reports.last(&best, self.voice.scored) {
                    self.say_line(&line)?;
                }
                self.voice.say(&write::best(&mut self.core.root, &best, self.spelling))?;
            }
            Answer::Perft(Ok(counts)) => {
                self.voice.say(&write::division(self.core.root.position(), &counts))?
            }
            Answer::Perft(Err(_)) => self.remark("perft was stopped")?,
            Answer::Bench(Ok(bench)) => self.voice.say(&write::bench(&bench))?,
            Answer::Bench(Err(_)) => self.remark("bench was stopped")?,
        }
        self.resume()
    }

    /// Carries out what has waited, up to the next job and with what is meant for that one.
    fn resume(&mut self) -> io::Result<()> {
        while !self.core.is_busy() {
            let Some((command, read)) = self.waiting.pop() else { return Ok(()) };
            self.carry_out(command, read)?;
        }
        for (hint, read) in self.waiting.take_hints() {
            self.carry_out(hint, read)?;
        }
        self.hurry();
        Ok(())
    }

    fn say_line(&mut self, line: &Line<MoveOf<E>>) -> io::Result<()> {
        self.voice.say_line(&write::line(&mut self.core.root, line, self.spelling, self.chances))
    }

    /// Says what cannot be obeyed: a session goes on after it, a script does not.
    fn refuse(&mut self, why: &str) -> io::Result<()> {
        if self.strict { Err(program::refusal(why.to_owned())) } else { self.remark(why) }
    }

    /// Says something for people.
    fn remark(&mut self, text: &str) -> io::Result<()> {
        self.voice.say(&write::remark(text))
    }

    /// Says what went well to those who asked for more words.
    fn confirm(&mut self, text: &str) -> io::Result<()> {
        if self.debug { self.remark(text) } else { Ok(()) }
    }
}
