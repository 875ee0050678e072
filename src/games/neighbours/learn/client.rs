//! A training whose games are led elsewhere: `--join HOST:PORT` connects twice to a server such as `host`, first as the
//! learner, then as its opponent, a copy of the learner that errs at random except in matches.

use std::io::{BufReader, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread;

use anyhow::{Context, Result, ensure};
use neighbours::{Evaluator, Position, Rules};
use protocol::agent::Introduction;
use protocol::lines;
use protocol::uci::Command;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use search::learn::selfplay::random_of_game;
use search::learn::student::{Student, stray};
use search::learn::{Lookahead, Pupil, Training};
use search::{Game, Root, Side};

use super::checkpoint::Checkpoint;
use super::train::Neighbour;
use crate::driver::MATCH;
use crate::join;
use crate::progress::Progress;

/// Games between two checkpoints.
const SAVED_EVERY: usize = 500;

/// Learns until all games are played, the server leaves or the user interrupts.
pub fn run(place: &str, path: &Path, mut checkpoint: Checkpoint) -> Result<()> {
    let (set, rules) = (checkpoint.set(), checkpoint.rules());
    let training = checkpoint.training.clone();
    let progress = Progress::new(training.scheme.games as u64, "games", training.games as u64);
    let desk = Arc::new(Mutex::new(Desk::new(training, Neighbour::alone(set, rules))));
    let learner = connect(place, "learner")?;
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let (flag, line) = (is_interrupted.clone(), learner.try_clone()?);
    ctrlc::set_handler(move || {
        flag.store(true, Relaxed);
        drop(line.shutdown(Shutdown::Both));
    })?;
    let mut saved = 0;
    let mut keep = |training: &Training| -> Result<()> {
        progress.set(training.games as u64);
        if training.games >= saved + SAVED_EVERY {
            saved = training.games;
            checkpoint.training = training.clone();
            checkpoint.write(path)?;
        }
        Ok(())
    };
    // The server listens for the opponent once the learner has introduced itself.
    let (copy, far) = (desk.clone(), place.to_owned());
    let opponent = thread::spawn(move || -> Result<()> {
        let stream = connect(&far, "copy")?;
        talk(&stream, &copy, Seat::Opponent, &mut |_| Ok(()))
    });
    let talked = talk(&learner, &desk, Seat::Learner, &mut keep);
    let _ = learner.shutdown(Shutdown::Both);
    checkpoint.training = desk.lock().expect("no holder of the lock panics").training.clone();
    checkpoint.write(path)?;
    talked?;
    let Training { games, .. } = checkpoint.training;
    progress.finish();
    if checkpoint.training.is_done() || is_interrupted.load(Relaxed) {
        progress.say(&format!("{games} games in {}", path.display()));
        return Ok(());
    }
    // It left both: what the other one heard says more than the silence here.
    if let Ok(heard) = opponent.join() {
        heard?;
    }
    ensure!(checkpoint.training.is_done(), "{place} has left after {games} games; the same command goes on");
    Ok(())
}

fn connect(place: &str, name: &str) -> Result<TcpStream> {
    let me = Introduction { game: "neighbours".to_owned(), name: name.to_owned(), token: None };
    let stream = join::arrive(place, &me)?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Which of the two players a connection is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seat {
    Learner,
    Opponent,
}

/// What both players know.
struct Desk {
    training: Training,
    pupil: Neighbour,
    student: Student<Evaluator>,
    other: Lookahead<Evaluator>,
    /// What the opponent errs by.
    errors: Xoshiro256PlusPlus,
    /// The learner's side, once it has been asked for a move.
    own: Option<Side>,
    /// What the learner got in the games of the match under way.
    results: Vec<f64>,
}

impl Desk {
    fn new(training: Training, pupil: Neighbour) -> Desk {
        let mut random = random_of_game(training.scheme.seed, training.games);
        let mut player =
            |weights: &[f64]| Lookahead::new(pupil.eval(weights), Xoshiro256PlusPlus::from_rng(&mut random));
        let student = Student::new(training.scheme, player(&training.learner.weights));
        let other = player(training.opponent());
        Desk { training, pupil, student, other, errors: random, own: None, results: Vec::new() }
    }

    /// The learner hears of a new game.
    fn begin(&mut self, counts: bool) {
        let Training { scheme, games, learner, .. } = &mut self.training;
        let deal = if counts { usize::MAX - 2 * *games - self.results.len() } else { *games };
        if !counts {
            learner.begin();
        }
        let mut random = random_of_game(scheme.seed, deal);
        let mut player = |weights: &[f64]| {
            Lookahead::new(self.pupil.eval(weights), Xoshiro256PlusPlus::from_rng(&mut random))
        };
        self.student = Student::new(*scheme, player(&learner.weights));
        self.other = player(self.training.opponent());
        (self.errors, self.own) = (random, None);
    }

    /// The learner is shown a position at its turn or the end of a game: what it learns from that.
    fn see(&mut self, root: &Root<Position>, own: Side) {
        let seen = self.student.see(&self.pupil, root, own);
        seen.iter().for_each(|transition| self.learn(transition));
    }

    fn learn(&mut self, transition: &search::learn::Transition) {
        if self.training.learn(transition) {
            self.student.player.eval = self.pupil.eval(&self.training.learner.weights);
        }
    }

    /// The learner's move.
    fn learners_move(&mut self, root: &mut Root<Position>, counts: bool) {
        let own = root.position().turn();
        self.own = Some(own);
        if counts {
            self.student.play(&self.pupil, root);
            return;
        }
        self.see(root, own);
        let taught = self.student.play(&self.pupil, root);
        taught.iter().for_each(|transition| self.learn(transition));
    }

    /// The opponent's move.
    fn opponents_move(&mut self, root: &mut Root<Position>, counts: bool) {
        let chance = if counts { 0.0 } else { self.training.chance(self.training.games) };
        let erring = stray(root, chance, &mut self.errors);
        let depth = self.training.scheme.depth;
        root.play(erring.unwrap_or_else(|| self.other.best(root, depth).0));
    }

    /// The learner is shown the end of a game.
    fn end(&mut self, root: &Root<Position>, counts: bool) {
        let Some(outcome) = root.outcome() else { return };
        // Who was never asked is the one whose turn it would be.
        let own = self.own.unwrap_or_else(|| root.position().turn());
        if !counts {
            self.see(root, own);
            self.training.games += 1;
            return;
        }
        let scheme = self.training.scheme;
        self.results.push(scheme.reward(&outcome, own));
        if let [first, second] = self.results[..] {
            let count = |passes: fn(f64, f64) -> bool| {
                [first, second].into_iter().filter(|&reward| passes(reward, scheme.draw)).count() as u32
            };
            let (wins, losses) = (count(|reward, draw| reward > draw), count(|reward, draw| reward < draw));
            self.training.note_trial(wins, losses);
            self.results.clear();
        }
    }
}

/// Answers what a server says to one of the players until it leaves or, to the learner, until all is learned.
fn talk(
    stream: &TcpStream,
    desk: &Mutex<Desk>,
    seat: Seat,
    keep: &mut dyn FnMut(&Training) -> Result<()>,
) -> Result<()> {
    let (mut input, mut output) = (BufReader::new(stream.try_clone()?), stream);
    let desk = || desk.lock().expect("no holder of the lock panics");
    let (mut counts, mut root) = (false, Root::new(Position::start(&desk().pupil.rules())));
    while let Some(line) = lines::next(&mut input) {
        let answer = match Command::read(&line) {
            Ok(Some(Command::Uci)) => {
                let rows = desk().pupil.rules().size();
                format!(
                    "id name Quintet {}\noption name {MATCH} type check default false\n\
                     option name BoardSize type spin default {rows} min {rows} max {rows}\nuciok\n",
                    if seat == Seat::Learner { "learner" } else { "copy" }
                )
            }
            Ok(Some(Command::IsReady)) => "readyok\n".to_owned(),
            Ok(Some(Command::SetOption { name, value })) => {
                if name.eq_ignore_ascii_case(MATCH) {
                    counts = value == "true";
                }
                String::new()
            }
            Ok(Some(Command::NewGame)) => {
                let mut desk = desk();
                if seat == Seat::Learner {
                    keep(&desk.training)?;
                    if !counts && desk.training.is_done() {
                        return Ok(());
                    }
                    desk.begin(counts);
                }
                String::new()
            }
            Ok(Some(Command::Position { fen, moves })) => {
                let mut desk = desk();
                root = read(desk.pupil.rules(), fen.as_deref(), &moves).with_context(|| line.clone())?;
                if seat == Seat::Learner {
                    desk.end(&root, counts);
                }
                String::new()
            }
            Ok(Some(Command::Go(go))) => {
                let mut desk = desk();
                let own = i64::from(desk.training.scheme.depth);
                let depth = go.depth.unwrap_or(own);
                ensure!(depth == own, "the server asks for {depth} plies; --depth {depth} learns with them");
                let before = *root.position();
                match seat {
                    Seat::Learner => desk.learners_move(&mut root, counts),
                    Seat::Opponent => desk.opponents_move(&mut root, counts),
                }
                let m = root.moves().last().map_or_else(|| "(none)".to_owned(), |&m| before.write(m));
                format!("bestmove {m}\n")
            }
            Ok(Some(Command::Quit)) => break,
            // Anything else is of no meaning to who learns.
            _ => String::new(),
        };
        output.write_all(answer.as_bytes())?;
    }
    keep(&desk().training)
}

/// The game that a server sets up.
fn read(rules: Rules, fen: Option<&str>, moves: &[String]) -> Result<Root<Position>> {
    let start = fen.map_or_else(|| Ok(Position::start(&rules)), |fen| Position::read(&rules, fen))?;
    let mut root = Root::new(start);
    for text in moves {
        root.play_text(text)?;
    }
    Ok(root)
}
