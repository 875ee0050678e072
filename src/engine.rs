//! The engines as programs: which there are, and how their command lines read.

use std::io::{self, BufReader, Write};
use std::process::ExitCode;

use protocol::{hub, uci};
use search::Engine;

use crate::{cpu, gtp};

/// A game we play: its name on the command line and the engine's entry point.
pub type Entry = (&'static str, fn(&[String]) -> ExitCode);

/// All games we play.
#[rustfmt::skip]
pub const GAMES: &[Entry] = &[
    ("chess", run::<chess::Chess>),
    ("go", run_go),
    ("draughts", run_draughts),
    ("neighbours", run::<neighbours::Neighbours>),
    ("morris", run::<morris::Morris>),
];

/// The whole of an engine binary.
///
/// It names its own entry point, not the game, so that the others are not linked into it.
pub fn main(run: fn(&[String]) -> ExitCode) -> ExitCode {
    if let Err(why) = cpu::check() {
        return fail(&why);
    }
    run(&arguments())
}

/// What was written on the command line after the program's name, whatever bytes it holds.
pub fn arguments() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Starts the engine of a game with the words of its command line.
pub fn start(game: &str, words: &[String]) -> ExitCode {
    match GAMES.iter().find(|(name, _)| *name == game) {
        Some((_, run)) => run(words),
        None => {
            let names: Vec<_> = GAMES.iter().map(|(name, _)| *name).collect();
            fail(&format!("no engine plays '{game}'; there is {}", names.join(", ")))
        }
    }
}

/// Runs a UCI engine: on its command line if that has commands, otherwise on standard input.
pub fn run<E: Engine>(words: &[String]) -> ExitCode {
    run_uci::<E>(words, &UCI)
}

fn run_uci<E: Engine>(words: &[String], manual: &Manual) -> ExitCode {
    let result = match read::<E>(words, manual) {
        Ok(Task::Print(text)) => io::stdout().write_all(text.as_bytes()),
        Ok(Task::Serve(engine)) => uci::serve(*engine, BufReader::new(io::stdin()), io::stdout()),
        Ok(Task::Perform(engine, commands)) => match understand::<E>(&commands) {
            Ok(()) => uci::perform(*engine, &commands, io::stdout()),
            Err(why) => return fail(&why.to_string()),
        },
        Err(why) => return fail(&why),
    };
    ended(result)
}

/// Refuses what is no command before any is carried out: a script must not take nonsense for success.
fn understand<E: Engine>(commands: &[String]) -> Result<(), uci::CommandError> {
    for line in commands {
        let is_own = line.split_whitespace().next().is_some_and(|word| E::COMMANDS.contains(&word));
        if !is_own {
            uci::Command::read(line)?;
        }
    }
    Ok(())
}

/// The end of a program.
fn ended(result: io::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever closed our output knows already.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string()),
    }
}

/// Runs the Go engine, which speaks GTP.
pub fn run_go(words: &[String]) -> ExitCode {
    let result = match read::<go::Go>(words, &GTP) {
        Ok(Task::Print(text)) => io::stdout().write_all(text.as_bytes()),
        Ok(Task::Serve(engine)) => gtp::run(*engine, &[]),
        Ok(Task::Perform(engine, commands)) => gtp::run(*engine, &commands),
        Err(why) => return fail(&why),
    };
    ended(result)
}

/// Runs the draughts engine, which speaks Hub when started with that word.
pub fn run_draughts(words: &[String]) -> ExitCode {
    // The other arguments may stand before or after it.
    let others: Vec<String> = words.iter().filter(|word| *word != "hub").cloned().collect();
    if others.len() == words.len() {
        return run_uci::<draughts::Draughts>(words, &DRAUGHTS);
    }
    let result = match read::<draughts::Draughts>(&others, &DRAUGHTS) {
        Ok(Task::Print(text)) => io::stdout().write_all(text.as_bytes()),
        Ok(Task::Serve(engine)) => {
            hub::serve(*engine, hub_of_draughts(), BufReader::new(io::stdin()), io::stdout())
        }
        Ok(Task::Perform(_, commands)) => {
            return fail(&format!("hub takes no commands: '{}'", commands.join(" ")));
        }
        Err(why) => return fail(&why),
    };
    ended(result)
}

/// How draughts is written in Hub.
pub fn hub_of_draughts() -> hub::Dialect<draughts::Draughts> {
    hub::Dialect {
        orders: &draughts::hub::ORDERS,
        names: &[("variant", "Variant"), ("draw-rules", "DrawRules"), ("bb-path", "EndgamePath")],
        position: draughts::hub::read,
        parse: draughts::hub::parse,
        write: draughts::hub::write,
    }
}

/// What a command line asks for.
enum Task<E> {
    Print(String),
    Serve(Box<E>),
    Perform(Box<E>, Vec<String>),
}

/// What the help of an engine says about its protocol.
struct Manual {
    protocol: &'static str,
    /// Lines about words that only this engine knows.
    words: &'static str,
    /// Two commands on a command line.
    example: &'static str,
    /// A setting.
    setting: &'static str,
    commands: &'static str,
}

const UCI: Manual = Manual {
    protocol: "UCI",
    words: "",
    example: "\"position startpos\" \"go depth 9\"",
    setting: "\"Hash=64\"",
    commands: uci::write::HELP,
};

const DRAUGHTS: Manual = Manual {
    protocol: "UCI or Hub",
    words: "  hub                               read commands of Hub instead of UCI\n",
    ..UCI
};

const GTP: Manual = Manual {
    protocol: "GTP",
    words: "",
    example: "\"boardsize 9\" \"genmove b\"",
    setting: "\"Move Time=2\"",
    commands: "Commands: those of GTP version 2 with the kgs-, cgos-, gogui-, lz- and kata- extensions;
'list_commands' names them all. quintet-param [name [value]] shows and sets the options below.",
};

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
    let commands = commands(words.as_slice());
    let engine = Box::new(engine);
    Ok(if commands.is_empty() { Task::Serve(engine) } else { Task::Perform(engine, commands) })
}

fn set<E: Engine>(engine: &mut E, setting: &str) -> Result<(), String> {
    let (name, value) = setting.split_once('=').ok_or(format!("--set \"{setting}\" lacks its '='"))?;
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
{words}  bench                             carry out this command and leave
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

/// Says on the error stream why the program ends.
pub fn fail(why: &str) -> ExitCode {
    // With nobody listening there is nothing left to do.
    let _ = writeln!(io::stderr(), "{why}");
    ExitCode::FAILURE
}
