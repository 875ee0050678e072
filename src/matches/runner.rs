//! Plays the games of a plan, several at once, each worker with engines of its own.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;

use anyhow::{Context, Result, anyhow};
use crossbeam_channel::Sender;
use protocol::DriveError;
use search::Side;

use super::game::{self, Played, Seat, Stopped};
use super::interrupt::Interrupt;
use super::log::Entry;
use super::openings::Opening;
use super::plan::{Contestant, Plan};
use super::schedule::Slot;
use crate::driver::player::{Driven, Fault};
use crate::driver::{Player, Protocol, StartError};
use crate::referee::Referee;

/// Starts every engine once, to see whether it speaks its protocol, has the options it is given and takes the board of
/// the match. A player that does not start is no concern here: it will lose its games.
pub fn check_engines(plan: &Plan, interrupt: &Interrupt) -> Result<()> {
    for (engine, number) in plan.engines.iter().zip(1..) {
        let why = match engine.start(&plan.patience, interrupt.bell()) {
            Err(error @ (StartError::Option(_) | StartError::Drive(DriveError::Foreign { .. }))) => {
                error.to_string()
            }
            // Only GTP has words for the board, and for a refusal.
            Ok(mut player) if engine.protocol == Protocol::Gtp => match refusal(&mut player) {
                Some(why) => why,
                None => continue,
            },
            _ => continue,
        };
        return Err(anyhow!("--engine {number} ({}): {why}", engine.name));
    }
    if let Some(arbiter) = &plan.arbiter {
        // It loses no games: nobody would notice that it is missing.
        let wrong = |why: String| anyhow!("--referee ({}): {why}", arbiter.name);
        let started = arbiter.start(&plan.patience, interrupt.bell());
        let mut player = started.map_err(|error| wrong(error.to_string()))?;
        refusal(&mut player).map_or(Ok(()), |why| Err(wrong(why)))?;
    }
    Ok(())
}

/// What an engine does not take of the board, komi and rules of the match.
fn refusal(player: &mut Driven) -> Option<String> {
    let is_refused = player.new_game() == Err(Fault::Refuses);
    is_refused
        .then(|| format!("it refuses {}", player.last_words().unwrap_or_else(|| "the board".to_owned())))
}

/// Plays all games of `slots` and hands each to `finished` as it ends; returns when all are played, the interrupt is
/// raised or the machine has no room for an engine.
pub fn run(
    plan: &Plan,
    slots: impl Iterator<Item = Slot> + Send,
    interrupt: &Interrupt,
    mut finished: impl FnMut(Entry) -> Result<()>,
) -> Result<()> {
    let queue = Mutex::new(slots);
    let (results, entries) = crossbeam_channel::unbounded();
    thread::scope(|scope| {
        for number in 0..plan.concurrency.min(plan.schedule.total()) {
            let (queue, results) = (&queue, results.clone());
            let worker = Worker::new(plan, interrupt);
            let begun = thread::Builder::new().spawn_scoped(scope, move || worker.work(queue, &results));
            match begun {
                Err(error) if number == 0 => return Err(error).context("no thread can be had"),
                Err(_) => break,
                Ok(_) => {}
            }
        }
        drop(results);
        for entry in entries {
            if let Err(error) = entry.and_then(&mut finished) {
                interrupt.raise();
                return Err(error);
            }
        }
        Ok(())
    })
}

/// Plays one game after the other.
struct Worker<'a> {
    plan: &'a Plan,
    interrupt: &'a Interrupt,
    referee: Box<dyn Referee>,
    /// The engines that are running, by their number.
    players: BTreeMap<usize, Driven>,
    arbiter: Option<Driven>,
}

impl<'a> Worker<'a> {
    fn new(plan: &'a Plan, interrupt: &'a Interrupt) -> Self {
        Worker { plan, interrupt, referee: plan.referee.another(), players: BTreeMap::new(), arbiter: None }
    }

    fn work(mut self, queue: &Mutex<impl Iterator<Item = Slot>>, results: &Sender<Result<Entry>>) {
        while !self.interrupt.is_raised() {
            let next = queue.lock().expect("no holder of the lock panics").next();
            let Some(slot) = next else { return };
            let Some(entry) = self.play(slot).transpose() else { return };
            let is_over = entry.is_err();
            if results.send(entry).is_err() || is_over {
                return;
            }
        }
    }

    /// Plays a game; none if it was stopped.
    fn play(&mut self, slot: Slot) -> Result<Option<Entry>> {
        let opening = self.plan.openings.get(slot.opening, self.referee.as_mut());
        let engines = [slot.white, slot.black];
        self.players.retain(|number, _| engines.contains(number));
        if let Some(engine) = &self.plan.arbiter {
            let fit = self.arbiter.as_mut().is_some_and(|arbiter| arbiter.new_game().is_ok());
            if !fit {
                self.arbiter = self.start(engine).ok();
            }
        }
        let played = match self.seat(engines) {
            Ok(()) => match self.meet(engines, &opening) {
                Ok(played) => played,
                Err(Stopped) => return Ok(None),
            },
            Err((_, StartError::Drive(DriveError::Halted))) => return Ok(None),
            // It was there before the match: what is missing is memory, a process or a file. An agent has not come.
            Err((side, StartError::Drive(why @ DriveError::NotStarted { .. })))
                if !self.plan.engines[engines[side.index()]].is_agent() =>
            {
                return Err(why.into());
            }
            Err((side, why)) => game::unplayed(self.referee.as_mut(), &opening, side, &why),
        };
        for (number, _) in engines.iter().zip(played.unfit).filter(|(_, unfit)| *unfit) {
            self.players.remove(number);
        }
        self.players.retain(|&number, _| !self.plan.engines[number].restart);
        let names = engines.map(|number| self.plan.engines[number].name.as_str());
        Ok(Some(Entry::new(slot.game, slot.pair, names, &opening, &played)))
    }

    /// Starts the engines that are not running.
    fn seat(&mut self, engines: [usize; 2]) -> Result<(), (Side, StartError)> {
        for (number, side) in engines.into_iter().zip([Side::White, Side::Black]) {
            if !self.players.contains_key(&number) {
                let player = self.start(&self.plan.engines[number]).map_err(|why| (side, why))?;
                self.players.insert(number, player);
            }
        }
        Ok(())
    }

    fn start(&self, engine: &Contestant) -> Result<Driven, StartError> {
        engine.start(&self.plan.patience, self.interrupt.bell())
    }

    fn meet(&mut self, engines: [usize; 2], opening: &Opening) -> Result<Played, Stopped> {
        let mut running = self.players.iter_mut().map(|(&number, player)| (number, player));
        let mut seat = || {
            let (number, player) = running.next().expect("both engines are running");
            let engine = &self.plan.engines[number];
            (number, Seat { player, control: &engine.control, ponder: engine.ponder })
        };
        let (first, second) = (seat(), seat());
        let seats = if first.0 == engines[0] { [first.1, second.1] } else { [second.1, first.1] };
        let arbiter = self.arbiter.as_mut().map(|arbiter| arbiter as &mut dyn Player);
        game::play(self.referee.as_mut(), opening, seats, arbiter, &self.plan.oversight)
    }
}
