//! A GTP session: a reader thread feeds lines to one loop, which alone writes.
//!
//! While a player thinks on its own thread the loop listens: `# interrupt` stops it, an analysis ends at any line and
//! at the end of input, a count at `quit` and at the end of input, and everything else waits its turn. Moves that were
//! asked for before the input ended are found whole, so that files of commands can be piped in.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::thread;

use crossbeam_channel::{Receiver, never, select, unbounded};
use search::Control;

use super::command::{self, Command};
use super::player::{Player, Remark, Reply, Think};
use crate::lines;
use crate::uci::log::Log;

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

/// Lets a player speak GTP until `quit` or the end of input.
pub fn serve(
    player: impl Player,
    mut input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let (sender, inbox) = unbounded();
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        while let Some(line) = lines::next(&mut input) {
            if sender.send(line).is_err() {
                return;
            }
        }
    })?;
    let mut session = Session::new(player, inbox, output);
    while !session.over {
        session.step()?;
    }
    Ok(())
}

/// Carries out some commands and returns; answers come without the protocol's signs, the first error ends it.
pub fn perform(player: impl Player, commands: &[String], output: impl Write) -> io::Result<()> {
    let mut session = Session::new(player, never(), output);
    for line in commands {
        let Some(command) = Command::read(line) else { continue };
        let text = session.result(&command)?.map_err(|why| io::Error::other(format!("{line}: {why}")))?;
        session.output.write_all(text.trim_start_matches('\n').as_bytes())?;
        session.output.write_all(b"\n")?;
        if session.over {
            break;
        }
    }
    session.output.flush()
}

struct Session<P: Player, W: Write> {
    player: P,
    inbox: Receiver<String>,
    /// Lines that arrived during a search.
    waiting: VecDeque<String>,
    output: W,
    log: Log,
    over: bool,
}

impl<P: Player, W: Write> Session<P, W> {
    fn new(player: P, inbox: Receiver<String>, output: W) -> Self {
        Session { player, inbox, waiting: VecDeque::new(), output, log: Log::default(), over: false }
    }

    /// Waits for a line and answers it.
    fn step(&mut self) -> io::Result<()> {
        let Some(line) = self.next_line()? else {
            self.over = true;
            return Ok(());
        };
        self.follow_log();
        self.log.heard(&line);
        match Command::read(&line) {
            Some(_) if line.len() > lines::LONGEST => self.say("? line too long\n\n"),
            Some(command) => self.carry_out(&command),
            None => Ok(()),
        }
    }

    fn next_line(&mut self) -> io::Result<Option<String>> {
        if let Some(line) = self.waiting.pop_front() {
            return Ok(Some(line));
        }
        if self.player.ponders() && self.inbox.is_empty() {
            let _nothing = self.search(Think::UntilInput, |player, control, _| {
                player.ponder(control);
                Ok(String::new())
            })?;
            if let Some(line) = self.waiting.pop_front() {
                return Ok(Some(line));
            }
        }
        Ok(self.inbox.recv().ok())
    }

    fn carry_out(&mut self, command: &Command) -> io::Result<()> {
        let reply = match self.own(command) {
            Some(result) => result.map(Reply::Text),
            None => self.player.answer(command),
        };
        let result = match reply {
            Ok(Reply::Think(way @ (Think::Quietly | Think::UntilQuit))) => self.think(way)?,
            Ok(Reply::Think(way)) => {
                self.say(&format!("{}\n", command::head(command, true)))?;
                let last = self.think(way)?.unwrap_or_default();
                let last = if last.is_empty() { last } else { last + "\n" };
                return self.say(&(last + "\n"));
            }
            Ok(Reply::Text(text)) => Ok(text),
            Err(why) => Err(why),
        };
        self.say(&command::answer(command, &result))
    }

    /// The bare result of a command, its lines on the way left out.
    fn result(&mut self, command: &Command) -> io::Result<Result<String, String>> {
        let reply = match self.own(command) {
            Some(result) => result.map(Reply::Text),
            None => self.player.answer(command),
        };
        match reply {
            Ok(Reply::Text(text)) => Ok(Ok(text)),
            Ok(Reply::Think(Think::UntilInput)) => Ok(Err("it would never end".to_owned())),
            Ok(Reply::Think(_)) => self.think(Think::Quietly),
            Err(why) => Ok(Err(why)),
        }
    }

    /// Answers what every player answers alike.
    fn own(&mut self, command: &Command) -> Option<Result<String, String>> {
        let (name, version) = self.player.title();
        let known = || self.player.commands().into_iter().chain(OWN);
        Some(match command.name.as_str() {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok(name.to_owned()),
            "version" => Ok(version.to_owned()),
            "known_command" => {
                let asked = command.args.first().map(String::as_str).unwrap_or_default();
                Ok(known().any(|name| name == asked).to_string())
            }
            "list_commands" => {
                let mut names: Vec<&str> = known().collect();
                names.sort_unstable();
                Ok(names.join("\n"))
            }
            "gogui-interrupt" => Ok(String::new()),
            "gogui-version" => Ok("1.5.0".to_owned()),
            "quit" => {
                self.over = true;
                Ok(String::new())
            }
            other if !self.player.commands().contains(&other) => Err("unknown command".to_owned()),
            _ => return None,
        })
    }

    fn think(&mut self, way: Think) -> io::Result<Result<String, String>> {
        self.search(way, |player, control, say| player.think(control, say))
    }

    /// Lets the player work on another thread and listens meanwhile.
    fn search(
        &mut self,
        way: Think,
        work: impl FnOnce(&mut P, &Control, &mut dyn FnMut(Remark)) -> Result<String, String> + Send,
    ) -> io::Result<Result<String, String>> {
        let control = Control::new(false);
        let (remarks, heard) = unbounded();
        let Session { player, inbox, waiting, output, log, .. } = self;
        // What has come already is input, too.
        if waiting.iter().any(|line| ends(way, line)) {
            control.stop();
        }
        thread::scope(|scope| {
            let worker = {
                let control = control.clone();
                scope.spawn(move || work(player, &control, &mut |remark| drop(remarks.send(remark))))
            };
            let mut open = inbox.clone();
            loop {
                select! {
                    recv(heard) -> remark => match remark {
                        Ok(remark) => tell(output, log, way, remark)?,
                        // The worker has let go of its end: it is done.
                        Err(_) => break,
                    },
                    recv(open) -> line => match line {
                        Ok(line) => {
                            if ends(way, &line) || command::is_interrupt(&line) {
                                control.stop();
                            }
                            waiting.push_back(line);
                        }
                        Err(_) => {
                            if matches!(way, Think::UntilInput | Think::UntilQuit) {
                                control.stop();
                            }
                            open = never();
                        }
                    },
                }
            }
            worker.join().map_err(|_| io::Error::other("the search panicked"))
        })
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        say(&mut self.output, &mut self.log, text)
    }

    /// Opens or closes the log as the player's option says; a file that cannot be had is left alone.
    fn follow_log(&mut self) {
        if self.log.path() != self.player.log_file() {
            let (name, version) = self.player.title();
            let _ = self.log.reopen(self.player.log_file(), &format!("{name} {version}"));
        }
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

fn say(output: &mut impl Write, log: &mut Log, text: &str) -> io::Result<()> {
    log.said(text);
    output.write_all(text.as_bytes())?;
    output.flush()
}

fn tell(output: &mut impl Write, log: &mut Log, way: Think, remark: Remark) -> io::Result<()> {
    match remark {
        // An empty line would end the answer.
        Remark::Line(line) if matches!(way, Think::Aloud | Think::UntilInput) && !line.is_empty() => {
            say(output, log, &format!("{line}\n"))
        }
        Remark::Line(_) => Ok(()),
        Remark::Aside(line) => writeln!(io::stderr(), "{line}"),
    }
}
