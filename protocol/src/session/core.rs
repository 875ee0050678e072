//! The engine of a session, here or away with a job, and the game before it.
//!
//! A reader thread stamps lines of input, a search thread turns thinking into events; the session takes both in order. During a search the engine is away with it, so what would change the engine waits for its return.

use std::io::{self, BufRead};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded, never, select, unbounded};
use search::{Control, Engine, Game, OptionError, Root};

use super::job::{self, Order, threadless};
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
    /// What the search thread does next, and what it says.
    orders: Sender<Order<E>>,
    events: Receiver<Event<E>>,
    /// Lines of input and when they were read.
    lines: Receiver<(String, Instant)>,
}

/// The job under way.
struct Running<M> {
    control: Control,
    reports: Reports<M>,
}

impl<E: Engine> Core<E> {
    /// An engine at the start of its game.
    pub fn new(engine: E) -> io::Result<Self> {
        let ((orders, work), (said, events)) = (unbounded(), unbounded());
        job::work(work, said)?;
        let root = Root::new(E::Game::start(&engine.rules()));
        Ok(Core { engine: Some(engine), root, running: None, orders, events, lines: never() })
    }

    /// Lets a thread read the input.
    pub fn listen(&mut self, input: impl BufRead + Send + 'static) -> io::Result<()> {
        self.lines = read(input)?;
        Ok(())
    }

    /// Waits for the next event; input stays where it is while nobody `hears` it.
    pub fn next(&self, hears: bool) -> Event<E> {
        let deaf = never();
        select! {
            recv(self.events) -> event => event.unwrap_or(Event::Done(None)),
            recv(if hears { &self.lines } else { &deaf }) -> line => {
                line.map_or(Event::End, |(line, read)| Event::Line(line, read))
            }
        }
    }

    /// Waits for what the search says next until `deadline`.
    pub fn said_before(&self, deadline: Instant) -> Option<Event<E>> {
        self.events.recv_deadline(deadline).ok()
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

    /// Lets the log go where the option says, and says whether it is another one now.
    pub fn follow_log(&mut self, log: &mut Log) -> Result<bool, String> {
        log.follow(&mut self.engine().common_mut().log_file, &write::title::<E>())
    }

    /// Begins a job with the engine, asked for at this moment.
    pub fn start(&mut self, job: Job, asked: Instant) -> io::Result<()> {
        let ponder = matches!(&job, Job::Think(limits) | Job::Wait(limits) if limits.ponder);
        let control = Control::new(ponder, asked);
        let engine = self.engine.take().expect("the engine is idle");
        let order = Order { job, engine, root: self.root.clone(), control: control.clone() };
        self.orders.send(order).map_err(|_| io::Error::other("the search thread has ended"))?;
        self.running = Some(Running { control, reports: Reports::new() });
        Ok(())
    }

    /// Makes the engine ready to search at once, if it is here.
    pub fn warm_up(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.warm_up();
        }
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

    /// Tells the running search, if any, that the pondered move was played, as was said at this moment.
    pub fn ponder_hit(&self, said: Instant) {
        if let Some(running) = &self.running {
            running.control.ponder_hit(said);
        }
    }

    /// What the running search has reported.
    pub fn reports(&mut self) -> &mut Reports<MoveOf<E>> {
        &mut self.running.as_mut().expect("only a running search reports").reports
    }
}

/// Lines read and not yet taken; then the reader waits, and whoever writes to us.
const AHEAD: usize = 64;

/// Starts the thread that reads input and notes when a line was read.
pub fn read(mut input: impl BufRead + Send + 'static) -> io::Result<Receiver<(String, Instant)>> {
    let (lines, taken) = bounded(AHEAD);
    let reading = thread::Builder::new().name("reader".to_owned()).spawn(move || {
        while let Some(line) = lines::next(&mut input) {
            if lines.send((line, Instant::now())).is_err() {
                return;
            }
        }
    });
    reading.map_err(threadless)?;
    Ok(taken)
}
