//! All programs under one name.

use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use protocol::{cpu, program};
use quintet::{analyse, build, games, join, learn, matches, serve};

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
    /// Build endgame databases and opening books, and solve games with them
    Build(build::Arguments),
}

fn main() -> ExitCode {
    if let Err(why) = cpu::check() {
        return program::fail(&why);
    }
    let shown = match Arguments::parse().command {
        Some(Command::Engine { words }) => match words.split_first() {
            Some((game, words)) if !game.starts_with('-') => return start(game, words),
            _ => help_on("engine"),
        },
        Some(Command::Match { words }) => return matches::main(&words),
        Some(Command::Learn { task }) => return or_fail(task.run()),
        Some(Command::Build(arguments)) => return or_fail(build::run(&arguments)),
        Some(Command::Join(arguments)) => return or_fail(join::run(&arguments)),
        Some(Command::Analyse(arguments)) => return or_fail(analyse::run(&arguments)),
        Some(Command::Serve(flags)) => return or_fail(serve::run(&flags)),
        None => return or_fail(serve::run(&serve::Flags::default())),
    };
    match shown {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => program::fail(&error.to_string()),
    }
}

/// Starts the engine of a game with the words of its command line.
fn start(game: &str, words: &[String]) -> ExitCode {
    match games::named(game) {
        Ok(row) => (row.run)(words),
        Err(error) => program::fail(&error.to_string()),
    }
}

fn or_fail(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => program::fail(&format!("{error:#}")),
    }
}

fn help_on(command: &str) -> io::Result<()> {
    let mut arguments = Arguments::command();
    arguments.build();
    arguments.find_subcommand_mut(command).expect("it is declared above").print_help()
}

fn games() -> String {
    format!("Games: {}", games::names(|_| true))
}
