//! An engine as a program: how its command line reads and how it ends, whatever the game.

use std::io::{self, BufReader, Write};
use std::process::ExitCode;

use search::Engine;

use crate::{cpu, uci};

/// The exit code of a program that was asked for what it cannot do.
pub const WRONG_USE: u8 = 2;

/// What the help of an engine says about its protocol.
pub struct Manual {
    /// The protocols it speaks.
    pub protocol: &'static str,
    /// Lines about words that only this engine knows.
    pub words: &'static str,
    /// Two commands on a command line.
    pub example: &'static str,
    /// A setting.
    pub setting: &'static str,
    /// The commands of the protocol.
    pub commands: &'static str,
}

/// The manual of an engine that speaks UCI.
pub const UCI: Manual = Manual {
    protocol: "UCI",
    words: "",
    example: "\"position startpos\" \"go depth 9\"",
    setting: "\"Hash=64\"",
    commands: uci::write::HELP,
};

/// The whole of an engine binary, from its entry point.
pub fn main(run: fn(&[String]) -> ExitCode) -> ExitCode {
    match cpu::check() {
        Ok(()) => run(&arguments()),
        Err(why) => fail(&why),
    }
}

/// What was written on the command line after the program's name, whatever bytes it holds.
fn arguments() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Runs a UCI engine with the words of its command line.
pub fn run_uci<E: Engine>(words: &[String]) -> ExitCode {
    run::<E>(words, &UCI, talk_uci)
}

/// Reads a command line and lets the engine `talk`: carry out the commands named there or, if there are none, those
/// that standard input brings.
pub fn run<E: Engine>(
    words: &[String],
    manual: &Manual,
    talk: impl FnOnce(E, &[String]) -> io::Result<()>,
) -> ExitCode {
    let ended = match read::<E>(words, manual) {
        Ok(Task::Print(text)) => io::stdout().write_all(text.as_bytes()),
        Ok(Task::Talk(engine, commands)) => talk(*engine, &commands),
        Err(why) => return refuse(&why),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever closed our output knows already.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => refuse(&error.to_string()),
        Err(error) => fail(&error.to_string()),
    }
}

/// Talks UCI, to the command line or to standard input.
pub fn talk_uci<E: Engine>(engine: E, commands: &[String]) -> io::Result<()> {
    if commands.is_empty() {
        return uci::serve(engine, BufReader::new(io::stdin()), io::stdout());
    }
    // What is no command is refused before any is carried out: a script must not take nonsense for success.
    for line in commands {
        let is_own = line.split_whitespace().next().is_some_and(|word| E::COMMANDS.contains(&word));
        if !is_own {
            uci::Command::read_whole(line).map_err(|error| refusal(error.to_string()))?;
        }
    }
    uci::perform(engine, commands, io::stdout())
}

/// Says on the error stream why the program ends.
pub fn fail(why: &str) -> ExitCode {
    // With nobody listening there is nothing left to do.
    let _ = writeln!(io::stderr(), "{why}");
    ExitCode::FAILURE
}

/// Says on the error stream what was wrong with the command line.
pub fn refuse(why: &str) -> ExitCode {
    fail(why);
    ExitCode::from(WRONG_USE)
}

/// The error by which talk ends at a command that cannot be carried out.
pub fn refusal(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

/// What a command line asks for.
enum Task<E> {
    Print(String),
    Talk(Box<E>, Vec<String>),
}

fn read<E: Engine>(words: &[String], manual: &Manual) -> Result<Task<E>, String> {
    let mut engine = E::new();
    let mut words = words.iter();
    while let Some(word) = words.as_slice().first().filter(|word| word.starts_with('-')) {
        words.next();
        match word.split_once('=').unwrap_or((word, "")) {
            ("--help" | "-h", _) => return Ok(Task::Print(help::<E>(manual))),
            ("--version" | "-V", _) => return Ok(Task::Print(uci::write::title::<E>() + "\n")),
            ("--set", "") => {
                let setting = words.next().ok_or("--set needs \"Name=value\"")?;
                set(&mut engine, setting)?;
            }
            ("--set", setting) => set(&mut engine, setting)?,
            _ => return Err(format!("unknown argument '{word}'; try --help")),
        }
    }
    Ok(Task::Talk(Box::new(engine), commands(words.as_slice())))
}

fn set<E: Engine>(engine: &mut E, setting: &str) -> Result<(), String> {
    let (name, value) = setting.split_once('=').ok_or(format!("--set \"{setting}\" has no '='"))?;
    engine.set(name.trim(), value.trim()).map_err(|error| error.to_string())
}

/// The words are one command, unless one of them contains a blank: then each is a command of its own.
fn commands(words: &[String]) -> Vec<String> {
    if words.is_empty() {
        Vec::new()
    } else if words.iter().any(|word| word.contains(char::is_whitespace)) {
        words.to_vec()
    } else {
        vec![words.join(" ")]
    }
}

fn help<E: Engine>(manual: &Manual) -> String {
    let Manual { protocol, words, example, setting, commands } = manual;
    let (name, set) = (E::NAME, format!("--set {setting}"));
    let mut text = format!(
        "{name} is an engine without a board of its own: a graphical program talks to it in {protocol}.

Arguments: [--set \"Name=value\"]... [command]
  (none)                            read commands from standard input until 'quit'
{words}  bench                             run this command and exit
  {example:32}  several commands, each in quotes
  {set:32}  set an option first; may be repeated
  --help, --version

{commands}

Options:
"
    );
    let rows = E::options();
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    for row in &rows {
        let default = row.default_value().to_string();
        let default = if default.is_empty() { default } else { format!("; {default}") };
        text += &format!("  {:width$}  {} ({}{default})\n", row.name, row.help, row.kind);
    }
    text
}
