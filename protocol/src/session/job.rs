//! What a search thread does: one job with an engine of its own, which goes back with the answer.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender};
use search::perft::{self, Division};
use search::{Aborted, Bench, Best, Control, Engine, Game, Info, Limits, Root};

/// The moves of an engine's game.
pub type MoveOf<E> = <<E as Engine>::Game as Game>::Move;

/// Deep recursion is an engine's daily bread.
const STACK: usize = 32 << 20;

/// What comes to a session, from all sides and in order.
pub enum Event<E: Engine> {
    /// A line of input, and when it was read.
    Line(String, Instant),
    /// No more input.
    End,
    /// A report of the running search.
    Info(Info<MoveOf<E>>),
    /// The job is done, and here is the engine again; none if it panicked.
    Done(Option<(E, Answer<MoveOf<E>>)>),
}

/// Something that takes time.
#[derive(Clone, Debug)]
pub enum Job {
    /// Find the best move.
    Think(Limits),
    /// There is no move to find: answer when the limits allow it.
    Wait(Limits),
    /// Count the leaves of the move tree.
    Perft(u32),
    /// Measure the speed.
    Bench,
}

/// What became of a job.
#[derive(Clone, Debug)]
pub enum Answer<M> {
    /// The move found.
    Best(Best<M>),
    /// The counts, unless stopped.
    Perft(Result<Division<M>, Aborted>),
    /// The figures, unless stopped.
    Bench(Result<Bench, Aborted>),
}

/// A job with all it takes.
pub struct Order<E: Engine> {
    pub job: Job,
    pub engine: E,
    pub root: Root<E::Game>,
    pub control: Control,
}

/// Starts the thread that carries out all jobs of a session, each ending with [`Event::Done`]. It is there before the
/// first `go`, whose clock runs, and no later lack of threads can keep a search from beginning.
pub fn work<E: Engine>(orders: Receiver<Order<E>>, events: Sender<Event<E>>) -> io::Result<()> {
    let carry_out = move |Order { job, mut engine, root, control }: Order<E>| {
        let run = || job.run(&mut engine, &root, &control, &events);
        let answer = catch_unwind(AssertUnwindSafe(run));
        // A session that has ended listens no more, and then nothing is lost.
        let _ = events.send(Event::Done(answer.ok().map(|answer| (engine, answer))));
    };
    let search = thread::Builder::new().name("search".to_owned()).stack_size(STACK);
    search.spawn(move || orders.into_iter().for_each(carry_out)).map_err(threadless)?;
    Ok(())
}

/// Why a session cannot begin.
pub fn threadless(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("no thread can be had: {error}"))
}

impl Job {
    fn run<E: Engine>(
        self,
        engine: &mut E,
        root: &Root<E::Game>,
        control: &Control,
        events: &Sender<Event<E>>,
    ) -> Answer<MoveOf<E>> {
        match self {
            Job::Think(limits) => {
                let mut report = |info: &Info<MoveOf<E>>| {
                    let _ = events.send(Event::Info(info.clone()));
                };
                let best = engine.think(root, &limits, control, &mut report);
                if engine.common().counters {
                    let counted = engine.counters().map_or(String::new(), ToString::to_string);
                    counted.lines().for_each(|line| report(&Info::Text(line.to_owned())));
                }
                // An answer found early is kept back until it is wanted.
                control.wait(limits.infinite);
                Answer::Best(best)
            }
            Job::Wait(limits) => {
                control.wait(limits.infinite);
                Answer::Best(Best { best: None, ponder: None })
            }
            Job::Perft(depth) => Answer::Perft(perft::divide(root.position(), depth, control)),
            Job::Bench => {
                let bench = engine.bench(control);
                Answer::Bench(if control.stopped() { Err(Aborted) } else { Ok(bench) })
            }
        }
    }
}
