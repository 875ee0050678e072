//! `quintet learn`: weights from games that our own engines play.

pub(crate) mod chart;
pub mod games;
pub(crate) mod generation;
pub mod network;
pub(crate) mod series;
pub mod tune;
pub(crate) mod versus;

use anyhow::{Context, Result};
use clap::{ArgMatches, Command, Error, FromArgMatches, Subcommand};

use search::learn::network::Pupil;

use self::games::Author;
use self::tune::Tuned;
use crate::games::GAMES;
use crate::misuse::Asked;

/// What can be learned of a game: a word after `quintet learn`, the game's name.
pub struct Learn {
    /// One line for people.
    pub about: &'static str,
    /// What is the game's own.
    pub own: Option<Own>,
    /// What is done alike for every game whose engine can be asked for it.
    pub shared: Option<Shared>,
}

/// Commands of one game.
pub struct Own {
    /// Adds their arguments to a command.
    pub arguments: fn(Command) -> Command,
    /// Does what they ask for.
    pub run: fn(&ArgMatches) -> Result<()>,
}

/// Commands of many games.
pub struct Shared {
    games: fn(&str, &games::Arguments) -> Result<()>,
    info: fn(&games::Info) -> Result<()>,
    network: Option<fn(&str, &network::Arguments) -> Result<()>>,
    tune: Option<fn(&str, &tune::Arguments) -> Result<()>>,
}

impl Shared {
    /// Those for an engine.
    pub const fn of<E: Author>() -> Shared {
        Shared { games: games::run::<E>, info: games::info::<E::Game>, network: None, tune: None }
    }

    /// The same and networks of these inputs.
    pub const fn with_network<P: Pupil>(self) -> Shared {
        Shared { network: Some(network::run::<P>), ..self }
    }

    /// The same and a search with numbers to tune.
    pub const fn with_numbers<E: Tuned>(self) -> Shared {
        Shared { tune: Some(tune::run::<E>), ..self }
    }

    fn run(&self, game: &str, task: &SharedTask) -> Result<()> {
        match task {
            SharedTask::Games(arguments) => (self.games)(game, arguments),
            SharedTask::Info(arguments) => (self.info)(arguments),
            SharedTask::Network(arguments) => {
                let network = self.network.with_context(|| format!("{game} has no network")).asked()?;
                network(game, arguments)
            }
            SharedTask::Tune(arguments) => {
                let tune = self.tune.with_context(|| format!("{game} has no numbers to tune")).asked()?;
                tune(game, arguments)
            }
        }
    }
}

/// What can be asked of many games.
#[derive(Subcommand)]
enum SharedTask {
    /// Play games against itself and add them to a file
    Games(games::Arguments),
    /// Say what files of games hold
    Info(games::Info),
    /// Learn a network from games
    Network(network::Arguments),
    /// Move the numbers of the search by many fast games
    Tune(tune::Arguments),
}

/// What a command line asks to be learned.
pub struct Task {
    game: &'static str,
    lesson: &'static Learn,
    matches: ArgMatches,
}

impl Task {
    /// Does it.
    pub fn run(&self) -> Result<()> {
        match (&self.lesson.shared, SharedTask::from_arg_matches(&self.matches), &self.lesson.own) {
            (Some(shared), Ok(task), _) => shared.run(self.game, &task),
            (.., Some(own)) => (own.run)(&self.matches),
            (.., Err(error), None) => Err(error.into()),
            (None, Ok(_), None) => unreachable!("a game without lessons is no word of the command line"),
        }
    }
}

impl FromArgMatches for Task {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let (name, matches) = matches.subcommand().expect("clap asks for a game");
        let (game, lesson) = lessons().find(|(game, _)| *game == name).expect("clap knows no other game");
        Ok(Task { game, lesson, matches: matches.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Task::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Task {
    fn augment_subcommands(command: Command) -> Command {
        let game = |(name, lesson): (&'static str, &Learn)| {
            let command = Command::new(name).about(lesson.about).arg_required_else_help(true);
            let command = lesson.own.iter().fold(command, |command, own| (own.arguments)(command));
            match lesson.shared {
                // Where the own command has no further words, the shared ones stand in for its arguments.
                Some(Shared { network, tune, .. }) => SharedTask::augment_subcommands(command)
                    .mut_subcommand("network", |command| command.hide(network.is_none()))
                    .mut_subcommand("tune", |command| command.hide(tune.is_none()))
                    .args_conflicts_with_subcommands(true)
                    .subcommand_negates_reqs(true),
                None => command,
            }
        };
        command.subcommand_required(true).arg_required_else_help(true).subcommands(lessons().map(game))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Task::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        lessons().any(|(game, _)| game == name)
    }
}

fn lessons() -> impl Iterator<Item = (&'static str, &'static Learn)> {
    GAMES.iter().filter_map(|row| Some((row.name, row.learn.as_ref()?)))
}

/// Reads which part of a job is wanted, and of how many: `1/4` to `4/4`.
pub(crate) fn read_shard(text: &str) -> Result<(u64, u64), String> {
    let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    numbers
        .filter(|&(i, n)| 1 <= i && i <= n)
        .ok_or_else(|| format!("'{text}' is not I/N with I from 1 to N"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_game_does_not_have_is_not_offered() {
        let command = Task::augment_subcommands(Command::new("learn"));
        for (game, shared) in lessons().filter_map(|(game, lesson)| Some((game, lesson.shared.as_ref()?))) {
            let help = command.find_subcommand(game).unwrap();
            for (words, is_there, thing) in [
                (
                    &["network", "some.games", "--out", "some.network"][..],
                    shared.network.is_some(),
                    "network",
                ),
                (&["tune", "some.numbers"], shared.tune.is_some(), "numbers to tune"),
            ] {
                let offered = help.find_subcommand(words[0]).is_some_and(|word| !word.is_hide_set());
                assert_eq!(offered, is_there, "{game} {thing}");
                if offered {
                    continue;
                }
                let words = [&["learn", game], words].concat();
                let matches = command.clone().try_get_matches_from(words);
                let why = Task::from_arg_matches(&matches.unwrap()).unwrap().run().unwrap_err().to_string();
                assert_eq!(why, format!("{game} has no {thing}"));
            }
        }
    }

    #[test]
    fn parts_of_a_job_are_read_or_refused() {
        assert_eq!(read_shard("2/4"), Ok((2, 4)));
        for text in ["0/4", "5/4", "x", "1"] {
            assert!(read_shard(text).unwrap_err().contains(text));
        }
    }
}
