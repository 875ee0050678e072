//! Someone else's engine as a child process or an agent on the network: lines in, lines out, whatever the
//! protocol.
//!
//! Reading and writing happen on threads of their own, so a child that neither reads nor writes nor dies
//! cannot hold its parent up; and however it is let go, it is ended and reaped.

use std::collections::VecDeque;
use std::io::{BufReader, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded, never, select, unbounded};

use crate::family::Family;
use crate::{agent, lines};

/// Lines of output kept for a parent that does not listen; then the child has to wait.
const UNHEARD: usize = 4096;
/// Lines of the error stream kept.
const COMPLAINTS: usize = 20;
/// How long to wait for the end of the error stream once the output has ended.
const LAST_WORDS: Duration = Duration::from_millis(100);
/// How long an agent that does not read may hold its writer up.
const UNREAD: Duration = Duration::from_secs(10);

/// What went wrong with an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DriveError {
    /// It could not be started.
    #[error("cannot start {program}: {why}")]
    NotStarted {
        /// The program.
        program: String,
        /// The reason.
        why: String,
    },
    /// It did not answer in time.
    #[error("no {what} in time")]
    Timeout {
        /// What was awaited.
        what: String,
    },
    /// It closed its output, which mostly means that it died.
    #[error("the engine exited{}", last_words(.complaints))]
    Disconnected {
        /// The last lines of its error stream.
        complaints: Vec<String>,
    },
    /// We were told to wait no longer.
    #[error("interrupted")]
    Halted,
    /// It speaks another protocol.
    #[error("it does not speak {protocol}: it answered the greeting with '{line}'")]
    Foreign {
        /// The protocol it was greeted in.
        protocol: &'static str,
        /// The answer.
        line: String,
    },
    /// Its answer makes no sense.
    #[error("the engine answered '{line}'")]
    Garbage {
        /// The answer.
        line: String,
    },
    /// It does not carry out a command.
    #[error("the engine answered '{command}: {why}'")]
    Refused {
        /// The command.
        command: String,
        /// Its reason.
        why: String,
    },
}

impl DriveError {
    /// Refuses an engine that did not understand a greeting, as the engines of all our protocols say it.
    pub(crate) fn unless_understood(protocol: &'static str, line: &str) -> Result<(), DriveError> {
        let line = line.trim();
        let says_no = ["?", "=", "error"].iter().any(|no| line.starts_with(no));
        if says_no || line.to_ascii_lowercase().contains("unknown command") {
            return Err(DriveError::Foreign { protocol, line: line.to_owned() });
        }
        Ok(())
    }
}

fn last_words(complaints: &[String]) -> String {
    complaints.last().map(|line| format!("; its last words: {line}")).unwrap_or_default()
}

/// How to start a program.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// The program, a path or a name to be found as a shell would; a path may be relative to `dir`. With
    /// `tcp://HOST:PORT` the next agent that comes there is the engine.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The directory it runs in; none for ours.
    pub dir: Option<PathBuf>,
    /// All waiting for the child ends when this is disconnected.
    pub halt: Option<Receiver<()>>,
}

impl Launch {
    /// A program without arguments.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Launch { program: program.into(), ..Launch::default() }
    }

    /// The same with these arguments.
    pub fn args<S: Into<String>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// The path to start; systems differ in what they take a relative one to be relative to.
    fn resolved(&self) -> PathBuf {
        let is_bare_name = self.program.components().count() == 1;
        match &self.dir {
            Some(dir) if dir.join(&self.program).is_file() => {
                std::path::absolute(dir.join(&self.program)).unwrap_or_else(|_| self.program.clone())
            }
            Some(_) if !is_bare_name => {
                std::path::absolute(&self.program).unwrap_or_else(|_| self.program.clone())
            }
            _ => self.program.clone(),
        }
    }
}

/// A line and the moment it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// Taken when the line was read.
    pub at: Instant,
    /// The line without its end.
    pub text: String,
}

/// The moment at which a line is written, set by the thread that writes it: what a busy parent needs to get
/// there is not the child's time.
#[derive(Clone, Debug, Default)]
pub struct Stamp(Arc<OnceLock<Instant>>);

impl Stamp {
    /// The time from writing to `later`; none has passed if the line is still to be written.
    pub fn until(&self, later: Instant) -> Duration {
        self.0.get().map_or(Duration::ZERO, |&written| later.saturating_duration_since(written))
    }
}

/// A line to be written.
struct Spoken {
    bytes: Vec<u8>,
    stamp: Stamp,
}

/// Who is at the other end.
enum Engine {
    Child(Family),
    Agent,
}

/// A running engine.
pub struct Process {
    engine: Engine,
    input: Option<Sender<Spoken>>,
    output: Receiver<Heard>,
    halt: Receiver<()>,
    complaints: Arc<Mutex<VecDeque<String>>>,
    /// Closed when the error stream has ended.
    complained: Receiver<()>,
}

impl Process {
    /// Starts a program, or takes an agent for it.
    pub fn start(launch: &Launch) -> Result<Process, DriveError> {
        let not_started = |why: std::io::Error| DriveError::NotStarted {
            program: launch.program.display().to_string(),
            why: why.to_string(),
        };
        let halt = launch.halt.clone().unwrap_or_else(never);
        let address = launch.program.to_str().and_then(|program| program.strip_prefix(agent::SCHEME));
        let started = match address {
            Some(address) => agent::wait_for(address, &halt).and_then(|stream| Self::meet(stream, halt)),
            None => Self::spawn(launch, halt),
        };
        started.map_err(not_started)
    }

    /// Takes up the conversation with an agent that was welcomed.
    pub fn with_agent(stream: TcpStream) -> Result<Process, DriveError> {
        Self::meet(stream, never()).map_err(|_| DriveError::Disconnected { complaints: Vec::new() })
    }

    /// An engine that says all this at once, whatever it is told, and leaves.
    #[cfg(any(test, feature = "testing"))]
    pub fn that_says(output: impl std::io::Read + Send + 'static) -> std::io::Result<Process> {
        let silent = (Arc::default(), bounded(0).1);
        Self::listen(Engine::Agent, never(), silent, (std::io::sink(), || ()), output)
    }

    fn spawn(launch: &Launch, halt: Receiver<()>) -> std::io::Result<Process> {
        let mut command = Command::new(launch.resolved());
        command.args(&launch.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &launch.dir {
            command.current_dir(dir);
        }
        let mut family = Family::start(&mut command)?;
        let child = family.child();
        let input = child.stdin.take().expect("it was piped");
        let stdout = child.stdout.take().expect("it was piped");
        let stderr = child.stderr.take().expect("it was piped");
        let complaints = Arc::new(Mutex::new(VecDeque::new()));
        let kept = complaints.clone();
        let (open, complained) = bounded(0);
        let process =
            Self::listen(Engine::Child(family), halt, (complaints, complained), (input, || ()), stdout)?;
        thread::Builder::new().spawn(move || keep_last(stderr, &kept, open))?;
        Ok(process)
    }

    fn meet(stream: TcpStream, halt: Receiver<()>) -> std::io::Result<Process> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(UNREAD))?;
        let (input, whole) = (stream.try_clone()?, stream.try_clone()?);
        let silent = (Arc::default(), bounded(0).1);
        // Whoever has hung up already needs no goodbye.
        let hang_up = move || drop(whole.shutdown(Shutdown::Both));
        Self::listen(Engine::Agent, halt, silent, (input, hang_up), agent::Paced::new(stream))
    }

    fn listen(
        engine: Engine,
        halt: Receiver<()>,
        (complaints, complained): (Arc<Mutex<VecDeque<String>>>, Receiver<()>),
        (input, hang_up): (impl Write + Send + 'static, impl FnOnce() + Send + 'static),
        output: impl std::io::Read + Send + 'static,
    ) -> std::io::Result<Process> {
        let (said, to_say) = unbounded();
        let (heard, lines) = bounded(UNHEARD);
        let process = Process { engine, input: Some(said), output: lines, halt, complaints, complained };
        thread::Builder::new().spawn(move || {
            write_lines(input, &to_say);
            hang_up();
        })?;
        thread::Builder::new().spawn(move || pass_on(output, &heard))?;
        Ok(process)
    }

    /// Says a line; returns at once, also if nobody listens.
    pub fn say(&self, line: impl AsRef<[u8]>) {
        self.say_stamped(line);
    }

    /// Says a line and lets the writing thread note when.
    pub fn say_stamped(&self, line: impl AsRef<[u8]>) -> Stamp {
        let stamp = Stamp::default();
        if let Some(input) = &self.input {
            let bytes = [line.as_ref(), b"\n"].concat();
            // If the writer has given up, the child has left, and reading will tell.
            let _ = input.send(Spoken { bytes, stamp: stamp.clone() });
        }
        stamp
    }

    /// Waits for the next line until `deadline`; `what` names it in the error. Lines that have come before
    /// are heard also after it.
    pub fn hear(&self, deadline: Instant, what: &str) -> Result<Heard, DriveError> {
        // A flood must not keep the halt from being noticed.
        if self.halt.try_recv() == Err(TryRecvError::Disconnected) {
            return Err(DriveError::Halted);
        }
        select! {
            recv(self.output) -> heard => heard.map_err(|_| {
                // The two streams end at the same time but are read apart.
                let _ = self.complained.recv_timeout(LAST_WORDS);
                DriveError::Disconnected { complaints: self.complaints() }
            }),
            recv(self.halt) -> _ => Err(DriveError::Halted),
            default(deadline.saturating_duration_since(Instant::now())) =>
                Err(DriveError::Timeout { what: what.to_owned() }),
        }
    }

    /// The next line, if it comes before `deadline`: a flood of others must not stretch the time.
    pub fn hear_in_time(&self, deadline: Instant, what: &str) -> Result<Heard, DriveError> {
        let heard = self.hear(deadline, what)?;
        let timeout = || DriveError::Timeout { what: what.to_owned() };
        (heard.at <= deadline).then_some(heard).ok_or_else(timeout)
    }

    /// The last lines of the error stream.
    pub fn complaints(&self) -> Vec<String> {
        lock(&self.complaints).iter().cloned().collect()
    }

    /// Tells the child that nothing more will be said.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Closes the input, waits a while for the child to leave, then ends it and whatever it has started. How it left,
    /// if it could be told.
    pub fn leave(&mut self, grace: Duration) -> Option<ExitStatus> {
        self.close();
        match &mut self.engine {
            Engine::Child(family) => family.leave(grace),
            // Its writer hangs up after the last line; nobody waits for an agent to leave.
            Engine::Agent => None,
        }
    }
}

fn write_lines(mut input: impl Write, to_say: &Receiver<Spoken>) {
    for line in to_say {
        // Before writing: the child may answer before this thread runs again.
        let _ = line.stamp.0.set(Instant::now());
        if input.write_all(&line.bytes).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn pass_on(stdout: impl std::io::Read, heard: &Sender<Heard>) {
    let mut input = BufReader::new(stdout);
    while let Some(text) = lines::next(&mut input) {
        if heard.send(Heard { at: Instant::now(), text }).is_err() {
            return;
        }
    }
}

/// Holds `_open` until the stream has ended.
fn keep_last(stderr: impl std::io::Read, kept: &Mutex<VecDeque<String>>, _open: Sender<()>) {
    let mut input = BufReader::new(stderr);
    while let Some(text) = lines::next(&mut input) {
        let mut kept = lock(kept);
        if kept.len() == COMPLAINTS {
            kept.pop_front();
        }
        kept.push_back(text);
    }
}

fn lock(kept: &Mutex<VecDeque<String>>) -> std::sync::MutexGuard<'_, VecDeque<String>> {
    kept.lock().expect("no holder of the lock panics")
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Process {
        Process::start(&Launch::new("sh").args(["-c", script])).unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn lines_go_both_ways_with_their_time() {
        let process = shell("read line; echo \"you said $line\"");
        let before = Instant::now();
        let stamp = process.say_stamped("hello");
        let heard = process.hear(soon(), "echo").unwrap();
        assert_eq!(heard.text, "you said hello");
        assert!(heard.at >= before && heard.at <= Instant::now());
        assert!(stamp.until(heard.at) <= before.elapsed());
        assert_eq!(Stamp::default().until(heard.at), Duration::ZERO);
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = Process::start(&Launch::new("no/such/engine")).err().unwrap();
        assert!(matches!(error, DriveError::NotStarted { program, .. } if program == "no/such/engine"));
    }

    #[test]
    fn silence_is_a_timeout_and_death_a_disconnection() {
        let process = shell("echo oops >&2; read line");
        let error = process.hear(Instant::now() + Duration::from_millis(30), "answer").unwrap_err();
        assert_eq!(error, DriveError::Timeout { what: "answer".to_owned() });
        process.say("go on");
        let error = process.hear(soon(), "answer").unwrap_err();
        assert_eq!(error.to_string(), "the engine exited; its last words: oops");
    }

    #[test]
    fn the_last_words_of_a_crash_are_not_lost() {
        for _ in 0..20 {
            let error = shell("echo crash >&2; exit 3").hear(soon(), "answer").unwrap_err();
            assert_eq!(error, DriveError::Disconnected { complaints: vec!["crash".to_owned()] });
        }
    }

    #[test]
    fn a_child_that_does_not_read_cannot_hold_us_up() {
        let mut process = shell("sleep 60");
        for _ in 0..100 {
            process.say("x".repeat(10_000));
        }
        assert!(!process.leave(Duration::from_millis(10)).unwrap().success());
    }

    #[test]
    fn a_child_leaves_by_itself_when_its_input_ends() {
        assert!(shell("cat").leave(Duration::from_secs(20)).unwrap().success());
    }

    #[test]
    fn a_relative_program_is_found_in_its_directory() {
        let dir = std::env::current_dir().unwrap().join("src");
        let launch = |program| Launch { dir: Some(dir.clone()), ..Launch::new(program) };
        assert_eq!(launch("uci.rs").resolved(), dir.join("uci.rs"));
        assert_eq!(launch("./uci.rs").resolved(), dir.join("uci.rs"));
        assert_eq!(launch("sh").resolved(), PathBuf::from("sh"));
    }
}
