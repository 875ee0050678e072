//! All programs under one name.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use protocol::{cpu, program};
use quintet::misuse::{is_misuse, told};
use quintet::progress::say;
use quintet::{analyse, build, games, join, lab, learn, matches, probe, serve};

#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Run the engine of a game, as a graphical program starts it
    // The engine has a --help of its own.
    #[command(disable_help_flag = true, after_help = games())]
    Engine {
        /// The game and the arguments for its engine; try --help
        #[arg(value_names = ["GAME", "WORDS"], num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Let engines play each other
    #[command(disable_help_flag = true)]
    Match {
        /// The game, the engines and their limits; try --help
        #[arg(value_name = "WORDS", num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Play in the browser; the default without a command
    Serve(serve::Flags),
    /// Let an engine on this machine play as an agent elsewhere
    Join(join::Arguments),
    /// Analyse recorded games and write them with scores and marks
    Analyse(analyse::Arguments),
    /// Learn weights from games that our own engines play
    Learn {
        #[command(subcommand)]
        task: learn::Task,
    },
    /// Measure again what was published, and write pages about it
    Lab(lab::Arguments),
    /// Build endgame databases and opening books, and solve games with them
    Build(build::Arguments),
    /// Tell what the endgame databases know of a position: value, moves, line
    Probe(probe::Arguments),
}

fn main() -> ExitCode {
    if let Err(why) = cpu::check() {
        return program::fail(&why);
    }
    match Arguments::parse().command {
        Some(Command::Engine { words }) => engine(&words),
        Some(Command::Match { words }) => matches::main(&words),
        Some(Command::Learn { task }) => or_fail(task.run()),
        Some(Command::Lab(arguments)) => lab::main(&arguments),
        Some(Command::Build(arguments)) => or_fail(build::run(&arguments)),
        Some(Command::Probe(arguments)) => or_fail(probe::run(&arguments)),
        Some(Command::Join(arguments)) => or_fail(join::run(&arguments)),
        Some(Command::Analyse(arguments)) => or_fail(analyse::run(&arguments)),
        Some(Command::Serve(flags)) => or_fail(serve::run(&flags)),
        None => or_fail(serve::run(&serve::Flags::default())),
    }
}

/// Starts the engine of the game that the first word names with the rest of its command line.
fn engine(words: &[String]) -> ExitCode {
    let Some((game, words)) = words.split_first() else { return program::refuse(&help_on("engine")) };
    if ["-h", "--help"].contains(&game.as_str()) {
        return or_fail(say(&help_on("engine")));
    }
    match games::named(game) {
        Ok(row) => (row.run)(words),
        Err(error) => program::refuse(&error.to_string()),
    }
}

fn or_fail(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_misuse(&error) => program::refuse(&told(&error)),
        Err(error) => program::fail(&told(&error)),
    }
}

fn help_on(command: &str) -> String {
    let mut arguments = Arguments::command();
    arguments.build();
    arguments.find_subcommand_mut(command).expect("it is declared above").render_help().to_string()
}

fn games() -> String {
    format!("Games: {}", games::names(|_| true))
}
