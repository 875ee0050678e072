//! `train`: weights of a set of terms by TD or LSTD and self-play.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::{Context, Result};
use clap::{Args, Parser, ValueEnum};
use neighbours::{Evaluator, Position, Rules, Set, Weights, features, tuning};
use search::learn::{Course, Learner, Method, Opponent, Pupil, Reply, Scheme, Sigmoid, Training};
use search::{Game, Root};

use super::checkpoint::{Away, Checkpoint, named, points};
use super::client;
use super::guest::Guest;
use crate::misuse::{Asked, ask};
use crate::place;
use crate::progress::Progress;

/// Games between two checkpoints.
const SAVED_EVERY: usize = 500;
/// How much deeper a strong opponent looks.
const STRONG_PLIES: u32 = 2;

/// How a training is set up.
#[derive(Args)]
pub struct Arguments {
    /// Where to keep the training; an existing one resumes where it stopped
    checkpoint: PathBuf,
    /// The set of terms
    #[arg(long, default_value = "set2", value_parser = ["basic", "set1", "set2", "set3"])]
    set: String,
    /// How weights are learned
    #[arg(long, value_enum, default_value_t = MethodName::Windowed)]
    method: MethodName,
    /// Step size of TD
    #[arg(long, default_value_t = 0.03)]
    rate: f64,
    /// How slowly the credit of earlier moves fades in TD(lambda)
    #[arg(long, default_value_t = 0.7, allow_negative_numbers = true)]
    lambda: f64,
    /// The share of the past that windowed LSTD keeps at each period
    #[arg(long, default_value_t = 0.98)]
    keep: f64,
    /// Added to the diagonal of LSTD's system
    #[arg(long, default_value_t = 1.0)]
    ridge: f64,
    /// The discount: what a value is worth one move later
    #[arg(long, default_value_t = 0.95)]
    discount: f64,
    /// Moves between two solutions of LSTD and between two entries of the log
    #[arg(long, default_value_t = 1000)]
    period: usize,
    /// Learning games
    #[arg(long, default_value_t = 20_000)]
    games: usize,
    /// Stop after learning from this many moves, if that comes first
    #[arg(long)]
    moves: Option<usize>,
    /// Learning games between two matches with the opponent
    #[arg(long, default_value_t = 50)]
    block: usize,
    /// Plies searched
    #[arg(long, default_value_t = 2)]
    depth: u32,
    /// Who the learner plays against
    #[arg(long, value_enum, default_value_t = OpponentName::Copy)]
    opponent: OpponentName,
    /// Play against a network agent instead, which connects to tcp://HOST:PORT; see quintet join
    #[arg(long, value_name = "PLACE", conflicts_with_all = ["workers", "opponent"])]
    agent: Option<String>,
    /// Learn in games that a server leads, such as quintet learn neighbours host: connect to it twice, as the learner
    /// and as its opponent, a copy
    #[arg(long, value_name = "HOST:PORT", conflicts_with_all = ["workers", "opponent", "agent", "block", "opening"])]
    join: Option<String>,
    /// The opponent's chance of a random move at the beginning; 0 for no random moves
    #[arg(long, default_value_t = 0.0)]
    explore: f64,
    /// Which reply leads to the position learned from
    #[arg(long, value_enum, default_value_t = ReplyName::Actual)]
    reply: ReplyName,
    /// Random plies at the start of each learning game
    #[arg(long, default_value_t = 4)]
    opening: u32,
    /// The reward of a draw; a win is 1, a loss -1
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    draw: f64,
    /// Rows and columns of the board
    #[arg(long, default_value_t = 8)]
    board_size: u8,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    workers: usize,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodName {
    Td,
    TdLambda,
    Lstd,
    Windowed,
}

#[derive(Clone, Copy, ValueEnum)]
enum OpponentName {
    /// A copy of the learner, renewed when the learner wins a match
    Copy,
    /// All weights 0, one ply, for ever
    Weak,
    /// The hand-set weights, searched deeper than the learner, for ever
    Strong,
}

#[derive(Clone, Copy, ValueEnum)]
enum ReplyName {
    Predicted,
    Actual,
}

impl Arguments {
    fn scheme(&self) -> Scheme {
        Scheme {
            games: self.games,
            moves: self.moves,
            block: self.block,
            opponent: match self.opponent {
                _ if self.agent.is_some() => Opponent::Fixed { depth: self.depth },
                OpponentName::Copy => Opponent::Copy,
                OpponentName::Weak => Opponent::Fixed { depth: 1 },
                OpponentName::Strong => Opponent::Fixed { depth: self.depth + STRONG_PLIES },
            },
            exploration: (self.explore != 0.0).then(|| Sigmoid { high: self.explore, ..Sigmoid::default() }),
            reply: match self.reply {
                ReplyName::Predicted => Reply::Predicted,
                ReplyName::Actual => Reply::Actual,
            },
            depth: self.depth,
            opening: self.opening,
            draw: self.draw,
            workers: self.workers,
            seed: self.seed,
        }
    }

    fn course(&self) -> Course {
        let method = match self.method {
            MethodName::Td => Method::Td { rate: self.rate },
            MethodName::TdLambda => Method::TdLambda { rate: self.rate, lambda: self.lambda },
            MethodName::Lstd => Method::Lstd { keep: 1.0, ridge: self.ridge },
            MethodName::Windowed => Method::Lstd { keep: self.keep, ridge: self.ridge },
        };
        Course { method, discount: self.discount, period: self.period }
    }

    fn training(&self, set: Set) -> Result<Training> {
        let zeros = vec![0.0; set.terms().count()];
        let opponent = match self.opponent {
            OpponentName::Copy | OpponentName::Weak => zeros.clone(),
            OpponentName::Strong => {
                let hand_set = tuning::weights(set);
                hand_set.values().iter().map(|&w| f64::from(w) / super::checkpoint::WIN_POINTS).collect()
            }
        };
        Training::new(self.scheme(), Learner::new(self.course(), zeros), opponent).asked()
    }

    fn away(&self) -> Option<Away> {
        let agent = self.agent.clone().map(Away::Agent);
        agent.or_else(|| self.join.clone().map(Away::Server))
    }

    /// The training of the file, if its settings are those asked for, or a new one.
    fn resumed(&self, set: Set, rules: Rules) -> Result<Training> {
        let fresh = self.training(set)?;
        if !self.checkpoint.exists() {
            return Ok(fresh);
        }
        let found = Checkpoint::read(&self.checkpoint)?;
        let same = found.set() == set
            && found.rules() == rules
            && found.away == self.away()
            && found.training.scheme == fresh.scheme
            && found.training.learner.course == fresh.learner.course;
        ask!(same, "{} holds a training with different settings", self.checkpoint.display());
        Ok(found.training)
    }
}

/// Trains until all games are played or the user interrupts.
pub fn run(arguments: &Arguments) -> Result<()> {
    let set = named(&arguments.set).context("the set was checked by the command line")?;
    let rules = Rules::new(arguments.board_size).context("the board has 4 to 8 rows").asked()?;
    place::check("CHECKPOINT", &arguments.checkpoint)?;
    let mut checkpoint = Checkpoint::new(set, rules, arguments.away(), arguments.resumed(set, rules)?);
    if let Some(place) = &arguments.join {
        return client::run(place, &arguments.checkpoint, checkpoint);
    }
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    ctrlc::set_handler(move || flag.store(true, Relaxed))?;
    let progress = Progress::new(arguments.games as u64, "games", checkpoint.training.games as u64);
    let guest = arguments.agent.as_deref().map(|place| Guest::await_at(place, rules, arguments.depth));
    let pupil = Neighbour { set, rules, guest: guest.transpose()? };
    checkpoint.write(&arguments.checkpoint)?;
    let mut saved = checkpoint.training.games;
    while !checkpoint.training.is_done() && !interrupted.load(Relaxed) {
        checkpoint.training.round(&pupil);
        pupil.guest.as_ref().map_or(Ok(()), Guest::check)?;
        progress.set(checkpoint.training.games as u64);
        if checkpoint.training.games >= saved + SAVED_EVERY {
            saved = checkpoint.training.games;
            checkpoint.write(&arguments.checkpoint)?;
            progress.note(state(&checkpoint.training));
        }
    }
    checkpoint.write(&arguments.checkpoint)?;
    let games = checkpoint.training.games;
    progress.finish();
    progress.say(&format!("{games} games in {}", arguments.checkpoint.display()));
    Ok(())
}

/// A whole training in the words of the command, with nothing written; its set, and what came of it.
pub fn whole(line: &str) -> Result<(Set, Training)> {
    let Line { arguments } = Line::try_parse_from(line.split_whitespace())?;
    let set = named(&arguments.set).context("the set was checked by the command line")?;
    let rules = Rules::new(arguments.board_size).context("the board has 4 to 8 rows")?;
    let (pupil, mut training) = (Neighbour::alone(set, rules), arguments.training(set)?);
    while !training.is_done() {
        training.round(&pupil);
    }
    Ok((set, training))
}

/// A command line of its own.
#[derive(Parser)]
struct Line {
    #[command(flatten)]
    arguments: Arguments,
}

fn state(training: &Training) -> String {
    let change = training.log.periods.last().map_or(0.0, |period| period.change);
    format!("change {change:.4}, {} promotions", training.log.promotions())
}

/// Neighbours as self-play sees it.
pub(super) struct Neighbour {
    set: Set,
    rules: Rules,
    guest: Option<Guest>,
}

impl Neighbour {
    /// With opponents made of weights alone.
    pub(super) const fn alone(set: Set, rules: Rules) -> Neighbour {
        Neighbour { set, rules, guest: None }
    }
}

impl Pupil<Position> for Neighbour {
    type Eval = Evaluator;

    fn rules(&self) -> Rules {
        self.rules
    }

    fn terms(&self, position: &Position) -> Vec<f64> {
        let features = features::features(position, position.turn());
        self.set.terms().values(&features).map(f64::from).collect()
    }

    fn eval(&self, weights: &[f64]) -> Evaluator {
        let weights = Weights::new(self.set, &points(weights));
        Evaluator::new(weights.unwrap_or_else(|| Weights::zero(self.set)))
    }

    fn announce(&self, counts: bool) {
        if let Some(guest) = &self.guest {
            guest.announce(counts);
        }
    }

    fn guest_move(&self, root: &Root<Position>) -> Option<<Position as Game>::Move> {
        self.guest.as_ref()?.answer(root).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn training(workers: usize, method: Method) -> Training {
        let scheme = Scheme { games: 24, block: 8, workers, ..Scheme::default() };
        let course = Course { method, discount: 0.99, period: 100 };
        Training::new(scheme, Learner::new(course, vec![0.0; 21]), vec![0.0; 21]).unwrap()
    }

    static PUPIL: Neighbour = Neighbour::alone(Set::Two, Rules::EIGHT);
    const LSTD: Method = Method::Lstd { keep: 0.9, ridge: 1.0 };

    fn trained(workers: usize, method: Method) -> Training {
        let mut training = training(workers, method);
        while !training.is_done() {
            training.round(&PUPIL);
        }
        training
    }

    #[test]
    fn the_same_seed_gives_the_same_weights() {
        for (workers, method) in [(1, LSTD), (2, LSTD), (1, Method::Td { rate: 0.01 })] {
            let first = trained(workers, method);
            assert_eq!(first, trained(workers, method));
            assert!(first.learner.weights.iter().any(|&w| w != 0.0));
            assert_eq!(first.log.trials.len(), 3);
            assert!(!first.log.periods.is_empty());
        }
    }

    #[test]
    fn a_saved_training_goes_on_as_if_it_had_never_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("half.json");
        for method in [LSTD, Method::TdLambda { rate: 0.01, lambda: 0.5 }] {
            let mut half = training(1, method);
            while half.games < 11 {
                half.round(&PUPIL);
            }
            Checkpoint::new(Set::Two, Rules::EIGHT, None, half).write(&path).unwrap();
            let mut resumed = Checkpoint::read(&path).unwrap().training;
            while !resumed.is_done() {
                resumed.round(&PUPIL);
            }
            assert_eq!(resumed, trained(1, method));
        }
    }

    fn arguments(words: &str) -> Arguments {
        <Line as clap::Parser>::parse_from(words.split_whitespace()).arguments
    }

    #[test]
    fn a_checkpoint_knows_the_command_that_repeats_it() {
        for words in [
            "train FILE",
            "train FILE --set set3 --method td --rate 0.1 --opponent weak --explore 0.25 --moves 77",
            "train FILE --method td-lambda --lambda 0.5 --opponent strong --reply predicted --draw -0.5 --seed 9",
            "train FILE --agent tcp://127.0.0.1:9001 --depth 3 --explore 0.5 --block 7",
            "train FILE --join 127.0.0.1:9001 --explore 0.5 --reply predicted --depth 1 --games 70",
            "train FILE --method windowed --keep 0.5 --ridge 0.1 --games 70 --block 7 --depth 3 --opening 2",
        ] {
            let asked = arguments(words);
            let set = named(&asked.set).unwrap();
            let training = asked.training(set).unwrap();
            let command = Checkpoint::new(set, Rules::EIGHT, asked.away(), training).command();
            let repeated = arguments(command.strip_prefix("quintet learn neighbours ").unwrap());
            assert_eq!(repeated.training(set).unwrap(), asked.training(set).unwrap(), "{command}");
            assert_eq!((&repeated.set, repeated.away()), (&asked.set, asked.away()));
        }
    }

    #[test]
    fn parameters_out_of_range_are_refused_before_the_first_game() {
        for (words, why) in [
            ("--rate 2 --method td", "the rate is 2"),
            ("--lambda -1 --method td-lambda", "lambda is -1"),
            ("--keep 1.5", "the share to keep is 1.5"),
            ("--ridge NaN", "the ridge is NaN"),
            ("--discount 1.01", "the discount is 1.01"),
            ("--explore 1.5", "the chance of a random move is 1.5"),
            ("--depth 0", "the depth is 0"),
            ("--workers 0", "the number of workers is 0"),
            ("--opening 1000", "the opening is 1000"),
            ("--games 0", "the number of games is 0"),
            ("--period 0", "the period is 0"),
        ] {
            let error = arguments(&format!("train FILE {words}")).training(Set::Two).unwrap_err().to_string();
            assert!(error.starts_with(why), "{words}: {error}");
        }
    }

    #[test]
    fn both_replies_and_a_fixed_opponent_can_be_learned_from() {
        let scheme = Scheme {
            games: 4,
            reply: Reply::Actual,
            opponent: Opponent::Fixed { depth: 1 },
            exploration: None,
            ..Scheme::default()
        };
        let course = Course { method: LSTD, discount: 0.99, period: 20 };
        let learner = Learner::new(course, vec![0.0; 21]);
        let mut training = Training::new(scheme, learner, vec![0.0; 21]).unwrap();
        while !training.is_done() {
            training.round(&PUPIL);
        }
        assert!(training.learner.moves > 20 && training.games == 4);
    }

    #[test]
    fn a_broken_checkpoint_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("broken.json");
        Checkpoint::new(Set::Two, Rules::EIGHT, None, training(1, LSTD)).write(&path).unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        for (text, why) in [
            (whole[..whole.len() / 2].to_owned(), "is not a training checkpoint"),
            (whole.replace("set2", "set9"), "no set of terms is called 'set9'"),
            (whole.replace("set2", "set3"), "the terms are not those of set3"),
            (whole.replace("\"board\":8", "\"board\":9"), "no board has 9 rows"),
            (whole.replace("\"block\":", "\"block\":0,\"was\":"), "the block is 0"),
            (whole.replace("\"right\":[", "\"right\":[1.5,"), "the length of the right side is 22"),
            (
                whole.replace("\"opponent\":[", "\"opponent\":[1.5,"),
                "the length of the opponent's weights is 22",
            ),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = format!("{:#}", Checkpoint::read(&path).err().unwrap());
            assert!(error.contains(why) && error.contains("broken.json"), "{error}");
        }
    }
}
