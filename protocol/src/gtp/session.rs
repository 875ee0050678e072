//! A GTP session: a reader thread feeds lines to one loop, which alone writes.
//!
//! While an engine thinks on its own thread the loop listens: `# interrupt` stops it, an analysis ends at any line and
//! at the end of input, a count at `quit` and at the end of input, and everything else waits its turn. Moves that were
//! asked for before the input ended are found whole, so that files of commands can be piped in.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, never, select, unbounded};
use search::Control;

use super::command::{self, Command};
use super::responder::{Remark, Reply, Responder, Think};
use crate::session::{MOST_WAITING, Voice, core};
use crate::{lines, program};

/// How long nobody must have spoken before the engine ponders. Commands come in bursts, and a pondering that the next
/// one cuts short as it begins would lose the tree that it was to carry on.
const PAUSE: Duration = Duration::from_millis(100);

/// The commands a session answers itself.
const OWN: [&str; 8] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "gogui-interrupt",
    "gogui-version",
];

/// The answer to anything else.
const UNKNOWN: &str = "unknown command";

/// Lets an engine speak GTP until `quit` or the end of input.
pub fn serve(
    responder: impl Responder,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let mut session = Session::new(responder, core::read(input)?, output);
    if let Err(why) = session.follow_log() {
        // Nobody has asked for an answer yet.
        let _ = writeln!(io::stderr(), "{why}");
    }
    while !session.over {
        session.step()?;
    }
    Ok(())
}

/// Carries out some commands and returns; answers come without the protocol's signs, the first error ends it.
pub fn perform(responder: impl Responder, commands: &[String], output: impl Write) -> io::Result<()> {
    let refusal = |line: &str, why: &str| program::refusal(format!("{line}: {why}"));
    let mut session = Session::new(responder, never(), output);
    session.follow_log().map_err(program::refusal)?;
    // What is no command is refused before any is carried out: a script must not take nonsense for success.
    for line in commands {
        if Command::read(line).is_some_and(|command| !session.knows(&command.name)) {
            return Err(refusal(line, UNKNOWN));
        }
    }
    for line in commands {
        let Some(command) = Command::read(line) else { continue };
        let text = session.result(&command)?.map_err(|why| refusal(line, &why))?;
        session.voice.say(text.trim_start_matches('\n'))?;
        if session.over {
            break;
        }
    }
    Ok(())
}

struct Session<R: Responder, W: Write> {
    responder: R,
    inbox: Receiver<(String, Instant)>,
    /// Lines that arrived during a search, and when.
    waiting: VecDeque<(String, Instant)>,
    /// Since when nobody waits for what the command before this one asked: a clock runs since then or since the command
    /// was read, for commands may be sent ahead.
    asked: Instant,
    voice: Voice<W>,
    over: bool,
}

impl<R: Responder, W: Write> Session<R, W> {
    fn new(responder: R, inbox: Receiver<(String, Instant)>, output: W) -> Self {
        let (waiting, voice) = (VecDeque::new(), Voice::new(output));
        Session { responder, inbox, waiting, asked: Instant::now(), voice, over: false }
    }

    /// Waits for a line and answers it.
    fn step(&mut self) -> io::Result<()> {
        let answered = Instant::now();
        let Some((line, read)) = self.next_line()? else {
            self.over = true;
            return Ok(());
        };
        self.asked = read.max(answered);
        self.voice.log.heard(&line);
        match Command::read(&line) {
            Some(command) if line.len() > lines::LONGEST => {
                self.voice.put(&command::answer(&command, &Err("line too long".to_owned())))
            }
            Some(command) => self.carry_out(&command),
            None => Ok(()),
        }
    }

    fn next_line(&mut self) -> io::Result<Option<(String, Instant)>> {
        if let Some(line) = self.waiting.pop_front() {
            return Ok(Some(line));
        }
        if self.responder.ponders() {
            match self.inbox.recv_timeout(PAUSE) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let _nothing = self.search(Think::UntilInput, |responder, control, _| {
                responder.ponder(control);
                Ok(String::new())
            })?;
            if let Some(line) = self.waiting.pop_front() {
                return Ok(Some(line));
            }
        }
        Ok(self.inbox.recv().ok())
    }

    fn carry_out(&mut self, command: &Command) -> io::Result<()> {
        let result = match self.reply(command) {
            Ok(Reply::Think(task, way @ (Think::Quietly | Think::UntilQuit))) => self.think(task, way)?,
            Ok(Reply::Think(task, way)) => {
                self.voice.put(&format!("{}\n", command::head(command, true)))?;
                let last = self.think(task, way)?.unwrap_or_default();
                let last = if last.is_empty() { last } else { last + "\n" };
                return self.voice.put(&(last + "\n"));
            }
            Ok(Reply::Text(text)) => self.follow_log().map(|()| text),
            Err(why) => Err(why),
        };
        self.voice.put(&command::answer(command, &result))
    }

    /// The bare result of a command, its lines on the way left out.
    fn result(&mut self, command: &Command) -> io::Result<Result<String, String>> {
        match self.reply(command) {
            Ok(Reply::Text(text)) => Ok(self.follow_log().map(|()| text)),
            Ok(Reply::Think(_, Think::UntilInput)) => {
                Ok(Err("it would run until the next command".to_owned()))
            }
            Ok(Reply::Think(task, _)) => self.think(task, Think::Quietly),
            Err(why) => Ok(Err(why)),
        }
    }

    fn reply(&mut self, command: &Command) -> Result<Reply<R::Task>, String> {
        match self.own(command) {
            Some(result) => result.map(Reply::Text),
            None => self.responder.answer(command),
        }
    }

    /// The names of all commands.
    fn known(&self) -> impl Iterator<Item = &'static str> {
        self.responder.commands().into_iter().chain(OWN)
    }

    fn knows(&self, name: &str) -> bool {
        self.known().any(|known| known == name)
    }

    /// Answers what every engine answers alike.
    fn own(&mut self, command: &Command) -> Option<Result<String, String>> {
        let (name, version) = self.responder.title();
        Some(match command.name.as_str() {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok(name.to_owned()),
            "version" => Ok(version.to_owned()),
            "known_command" => {
                let asked = command.args.first().map(String::as_str).unwrap_or_default();
                Ok(self.knows(asked).to_string())
            }
            "list_commands" => {
                let mut names: Vec<&str> = self.known().collect();
                names.sort_unstable();
                Ok(names.join("\n"))
            }
            "gogui-interrupt" => Ok(String::new()),
            "gogui-version" => Ok("1.5.0".to_owned()),
            "quit" => {
                self.over = true;
                Ok(String::new())
            }
            other if !self.knows(other) => Err(UNKNOWN.to_owned()),
            _ => return None,
        })
    }

    fn think(&mut self, task: R::Task, way: Think) -> io::Result<Result<String, String>> {
        self.search(way, |responder, control, say| responder.think(task, control, say))
    }

    /// Lets the engine work on another thread and listens meanwhile.
    fn search(
        &mut self,
        way: Think,
        work: impl FnOnce(&mut R, &Control, &mut dyn FnMut(Remark)) -> Result<String, String> + Send,
    ) -> io::Result<Result<String, String>> {
        let control = Control::new(false, self.asked);
        let (remarks, heard) = unbounded();
        let Session { responder, inbox, waiting, voice, .. } = self;
        // What has come already is input, too.
        if waiting.iter().any(|(line, _)| ends(way, line)) {
            control.stop();
        }
        thread::scope(|scope| {
            let worker = {
                let control = control.clone();
                let work = move || work(responder, &control, &mut |remark| drop(remarks.send(remark)));
                thread::Builder::new().spawn_scoped(scope, work)
            };
            let Ok(worker) = worker else { return Ok(Err("no thread can be had for a search".to_owned())) };
            let mut bytes: usize = waiting.iter().map(|(line, _)| line.len()).sum();
            let mut open = if bytes > MOST_WAITING { never() } else { inbox.clone() };
            let told = loop {
                select! {
                    recv(heard) -> remark => match remark {
                        Ok(remark) => if let Err(error) = tell(voice, way, remark) {
                            // The worker would go on for ever: from here on nobody listens to it, or to the input.
                            control.stop();
                            break Err(error);
                        },
                        // The worker has let go of its end: it is done.
                        Err(_) => break Ok(()),
                    },
                    recv(open) -> line => match line {
                        Ok(line) => {
                            if ends(way, &line.0) || command::is_interrupt(&line.0) {
                                control.stop();
                            }
                            bytes += line.0.len();
                            waiting.push_back(line);
                            if bytes > MOST_WAITING {
                                open = never();
                            }
                        }
                        Err(_) => {
                            if matches!(way, Think::UntilInput | Think::UntilQuit) {
                                control.stop();
                            }
                            open = never();
                        }
                    },
                }
            };
            let result = worker.join().map_err(|_| io::Error::other("the search panicked"))?;
            told.map(|()| result)
        })
    }

    /// Opens or closes the log as the engine's option says.
    fn follow_log(&mut self) -> Result<(), String> {
        let (name, version) = self.responder.title();
        self.voice.log.follow(self.responder.log_file(), &format!("{name} {version}")).map(|_| ())
    }
}

/// Whether a line ends thinking of this kind.
fn ends(way: Think, line: &str) -> bool {
    match way {
        Think::UntilInput => true,
        Think::UntilQuit => Command::read(line).is_some_and(|command| command.name == "quit"),
        Think::Quietly | Think::Aloud => false,
    }
}

fn tell(voice: &mut Voice<impl Write>, way: Think, remark: Remark) -> io::Result<()> {
    match remark {
        // An empty line would end the answer.
        Remark::Line(line) if matches!(way, Think::Aloud | Think::UntilInput) && !line.is_empty() => {
            voice.say(&line)
        }
        Remark::Line(_) => Ok(()),
        Remark::Aside(line) => {
            // The game goes on though nobody looks at its drawings.
            let _ = writeln!(io::stderr(), "{line}");
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor, PipeWriter};
    use std::sync::{Arc, Mutex};
    use std::time::Instant;

    use super::*;

    /// Thinks until it is stopped, and talks all the time.
    #[derive(Default)]
    struct Talker {
        ponders: bool,
        /// When a command was last answered, and how long after it the engine pondered.
        answered: Option<Instant>,
        pondered: Arc<Mutex<Option<Duration>>>,
        log_file: String,
    }

    impl Responder for Talker {
        type Task = ();

        fn title(&self) -> (&'static str, &'static str) {
            ("Talker", "1")
        }

        fn commands(&self) -> Vec<&'static str> {
            vec!["analyze", "genmove_analyze", "play"]
        }

        fn answer(&mut self, command: &Command) -> Result<Reply<()>, String> {
            self.answered = Some(Instant::now());
            Ok(match command.name.as_str() {
                "analyze" => Reply::Think((), Think::UntilInput),
                "genmove_analyze" => Reply::Think((), Think::Aloud),
                _ => Reply::Text(String::new()),
            })
        }

        fn think(
            &mut self,
            (): (),
            control: &Control,
            say: &mut dyn FnMut(Remark),
        ) -> Result<String, String> {
            while !control.stopped() {
                say(Remark::Line("info".to_owned()));
                thread::sleep(Duration::from_millis(1));
            }
            Ok(String::new())
        }

        fn ponders(&self) -> bool {
            self.ponders && self.answered.is_some()
        }

        fn ponder(&mut self, control: &Control) {
            let since = self.answered.map(|answered| answered.elapsed());
            *self.pondered.lock().expect("nobody panics") = since;
            control.wait(true);
        }

        fn log_file(&mut self) -> &mut String {
            &mut self.log_file
        }
    }

    /// An output that is closed after so many lines.
    struct Closing(u32);

    impl Write for Closing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// An input that holds these lines and does not end before its writer is dropped.
    fn open(lines: &str) -> (BufReader<io::PipeReader>, PipeWriter) {
        let (reader, mut writer) = io::pipe().expect("there are pipes");
        writer.write_all(lines.as_bytes()).expect("there is room for a line");
        (BufReader::new(reader), writer)
    }

    #[test]
    fn an_output_that_is_closed_ends_every_search() {
        for line in ["analyze\n", "genmove_analyze\n"] {
            let (input, _writer) = open(line);
            let error = serve(Talker::default(), input, Closing(3)).expect_err("nobody listens");
            assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_refused_by_its_number() {
        let mut output = Vec::new();
        let line = format!("7 play{}\n", " pass".repeat(lines::LONGEST / 5));
        serve(Talker::default(), Cursor::new(line), &mut output).expect("a vector takes everything");
        assert_eq!(output, b"?7 line too long\n\n");
    }

    #[test]
    fn nobody_ponders_before_a_burst_of_commands_is_over() {
        let talker = Talker { ponders: true, ..Talker::default() };
        let pondered = talker.pondered.clone();
        let (input, writer) = open("play\n");
        let session = thread::spawn(move || serve(talker, input, Vec::new()));
        while pondered.lock().expect("nobody panics").is_none() {
            thread::yield_now();
        }
        drop(writer);
        session.join().expect("nobody panics").expect("a vector takes everything");
        assert!(pondered.lock().expect("nobody panics").is_some_and(|since| since >= PAUSE));
    }
}
