//! The engine of a session, here or away with a job, and the game before it.
//!
//! A reader thread turns input into events, a search thread per job turns thinking into events; the session takes them
//! in order. During a search the engine is away with it, so what would change the engine waits for its return.

use std::io::{self, BufRead};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, unbounded};
use search::{Control, Engine, Game, OptionError, Root};

use super::log::Log;
use super::{Event, Job, MoveOf, Reports};
use crate::lines;
use crate::uci::write;

/// An engine, its game and its job.
pub struct Core<E: Engine> {
    /// Away while a job runs.
    engine: Option<E>,
    /// The game so far.
    pub root: Root<E::Game>,
    running: Option<Running<MoveOf<E>>>,
    events: Sender<Event<E>>,
    inbox: Receiver<Event<E>>,
}

/// The job under way.
struct Running<M> {
    control: Control,
    reports: Reports<M>,
}

impl<E: Engine> Core<E> {
    /// An engine at the start of its game.
    pub fn new(engine: E) -> Self {
        let (events, inbox) = unbounded();
        let root = Root::new(E::Game::start(&engine.rules()));
        Core { engine: Some(engine), root, running: None, events, inbox }
    }

    /// Lets a thread turn input into events.
    pub fn listen(&self, mut input: impl BufRead + Send + 'static) -> io::Result<()> {
        let events = self.events.clone();
        thread::Builder::new().name("reader".to_owned()).spawn(move || {
            while let Some(line) = lines::next(&mut input) {
                if events.send(Event::Line(line)).is_err() {
                    return;
                }
            }
            let _ = events.send(Event::End);
        })?;
        Ok(())
    }

    /// Waits for the next event.
    pub fn next(&self) -> Event<E> {
        self.inbox.recv().expect("the core holds a sender itself")
    }

    /// Waits for the next event until `deadline`.
    pub fn next_before(&self, deadline: Instant) -> Option<Event<E>> {
        self.inbox.recv_deadline(deadline).ok()
    }

    /// The engine, for commands that are carried out only while it is here.
    pub fn engine(&mut self) -> &mut E {
        self.engine.as_mut().expect("the engine is idle")
    }

    /// What the engine says for people about the position.
    pub fn explain(&mut self) -> String {
        self.engine.as_mut().expect("the engine is idle").explain(&self.root)
    }

    /// Sets an option; other rules begin another game.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let engine = self.engine();
        let rules = engine.rules();
        engine.set(name, value)?;
        if engine.rules() != rules {
            engine.forget();
            self.root = Root::new(E::Game::start(&self.engine().rules()));
        }
        Ok(())
    }

    /// Lets the log go where the option says, and says whether it is another one now; a file that cannot be had leaves
    /// it where it was.
    pub fn follow_log(&mut self, log: &mut Log) -> Result<bool, String> {
        let path = self.engine().common().log_file.clone();
        if path == log.path {
            return Ok(false);
        }
        log.reopen(&path, &write::title::<E>()).map(|()| true).map_err(|error| {
            self.engine().common_mut().log_file = log.path.clone();
            format!("cannot write the log file '{path}': {error}")
        })
    }

    /// Begins a job with the engine.
    pub fn start(&mut self, job: Job) -> io::Result<()> {
        let ponder = matches!(&job, Job::Think(limits) | Job::Wait(limits) if limits.ponder);
        let control = Control::new(ponder);
        let engine = self.engine.take().expect("the engine is idle");
        job.start(engine, self.root.clone(), control.clone(), self.events.clone())?;
        self.running = Some(Running { control, reports: Reports::new() });
        Ok(())
    }

    /// Takes the engine back after its job; what was reported comes with it.
    pub fn finish(&mut self, engine: E) -> Reports<MoveOf<E>> {
        self.engine = Some(engine);
        self.running.take().expect("only a running job ends").reports
    }

    /// Whether a job runs.
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Whether the running job was told to stop.
    pub fn is_stopping(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.control.stopped())
    }

    /// Tells the running job, if any, to stop.
    pub fn stop(&self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
    }

    /// Tells the running search, if any, that the pondered move was played.
    pub fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.control.ponder_hit();
        }
    }

    /// What the running search has reported.
    pub fn reports(&mut self) -> &mut Reports<MoveOf<E>> {
        &mut self.running.as_mut().expect("only a running search reports").reports
    }
}
