//! Go at a GTP console: the game on the board, the engine beside it, and what every command does.
//!
//! | commands | file |
//! |---|---|
//! | board, handicap, files, options | `setup.rs` |
//! | rules | `rules.rs` |
//! | moves, time | `play.rs` |
//! | analysis while thinking | `analyze.rs` |
//! | score, dead stones | `judge.rs` |
//! | GoGui's dialogs and drawings | `gogui.rs` |

mod analyze;
pub mod controller;
mod gogui;
mod judge;
mod play;
mod rules;
mod setup;

use std::io::{self, BufReader};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::estimate::Estimate;
use crate::orders::Orders;
use crate::{Colour, Go, Kifu, Move, Point, text};
use protocol::gtp::{self, Clocks, Command, Remark, Reply, Responder};
use protocol::program;
use search::{Control, Engine, Game, Limits, Search, Side};

use play::Task;

/// The answer to a command.
type Answer = Result<Reply<Task>, String>;
/// A command's name and what it does.
type Row = (&'static str, Run);

/// What a command does: without any arguments, or with those it reads itself.
#[derive(Clone, Copy)]
enum Run {
    Bare(fn(&mut Console) -> Answer),
    With(fn(&mut Console, &Command) -> Answer),
}

/// A game in progress.
pub struct Console {
    go: Go,
    kifu: Kifu,
    clocks: Clocks,
    /// What the search for the last move found out.
    told: String,
    /// Time spent so far, added up over threads.
    worked: Duration,
    /// The number of moves after which the game was said to be over.
    over: Option<usize>,
}

impl Console {
    /// An empty board for an engine.
    pub fn new(mut go: Go) -> Console {
        // No command of the protocol asks an engine to be ready: it is before its first answer.
        go.warm_up();
        let kifu = Kifu::new(go.rules());
        let (told, worked, over) = (String::new(), Duration::ZERO, None);
        Console { go, kifu, clocks: Clocks::default(), told, worked, over }
    }

    fn rows() -> impl Iterator<Item = Row> {
        [setup::ROWS, rules::ROWS, play::ROWS, analyze::ROWS, judge::ROWS, gogui::ROWS]
            .into_iter()
            .flatten()
            .copied()
    }

    /// What is to be said of the stones on the board.
    fn judged(&self) -> Estimate {
        self.go.judge.estimate(self.kifu.position())
    }

    fn size(&self) -> usize {
        self.kifu.position().rules().size()
    }

    /// Replaces the game; the engine forgets the old one.
    fn begin(&mut self, kifu: Kifu) {
        self.go.set_rules(kifu.position().rules());
        self.go.forget();
        self.kifu = kifu;
        self.clocks = self.clocks.afresh();
        self.told.clear();
        self.over = None;
    }

    /// Notes that nobody will move any more, unless somebody does.
    fn end(&mut self) {
        self.over = Some(self.kifu.len());
    }

    /// Does something on so many threads and counts the time.
    fn work<T>(&mut self, threads: usize, work: impl FnOnce(&mut Console) -> T) -> T {
        let begun = Instant::now();
        let result = work(self);
        self.worked += begun.elapsed() * threads as u32;
        result
    }

    /// Gives the game in progress other rules of the same size.
    fn set_rules(&mut self, rules: crate::Rules) {
        self.go.set_rules(rules);
        self.kifu.set_rules(rules);
    }
}

impl Responder for Console {
    type Task = Task;

    fn title(&self) -> (&'static str, &'static str) {
        (Go::NAME, env!("CARGO_PKG_VERSION"))
    }

    fn commands(&self) -> Vec<&'static str> {
        Console::rows().map(|(name, _)| name).collect()
    }

    fn answer(&mut self, command: &Command) -> Answer {
        let row = Console::rows().find(|(name, _)| *name == command.name);
        let (_, run) = row.ok_or("unknown command")?;
        self.work(1, |console| match run {
            Run::Bare(run) => command.none().and_then(|()| run(console)),
            Run::With(run) => run(console, command),
        })
    }

    fn think(
        &mut self,
        task: Task,
        control: &Control,
        say: &mut dyn FnMut(Remark),
    ) -> Result<String, String> {
        self.work(self.go.common().threads, |console| console.carry_out(&task, control, say))
    }

    fn ponders(&self) -> bool {
        let is_over = self.kifu.position().passes() >= 2 || self.over == Some(self.kifu.len());
        self.go.common().ponder && !self.kifu.is_empty() && !is_over
    }

    fn ponder(&mut self, control: &Control) {
        let root = self.kifu.root_for(self.kifu.position().turn());
        let limits = Limits { infinite: true, ..Limits::default() };
        self.go.set_orders(Orders::default());
        self.work(self.go.common().threads, |console| console.go.think(&root, &limits, control, &mut |_| {}));
    }

    fn log_file(&mut self) -> &mut String {
        &mut self.go.common_mut().log_file
    }
}

const MANUAL: program::Manual = program::Manual {
    protocol: "GTP",
    words: "",
    example: "\"boardsize 9\" \"genmove b\"",
    setting: "\"Move Time=2\"",
    commands: "Commands: those of GTP version 2 with the kgs-, cgos-, gogui-, lz- and kata- extensions;
'list_commands' names them all. quintet-param [name [value]] shows and sets the options below.",
};

/// Runs the engine with the words of its command line.
pub fn run(words: &[String]) -> ExitCode {
    program::run(words, &MANUAL, |go, commands| {
        if commands.is_empty() {
            gtp::serve(Console::new(go), BufReader::new(io::stdin()), io::stdout())
        } else {
            gtp::perform(Console::new(go), commands, io::stdout())
        }
    })
}

fn done() -> Answer {
    text_reply("")
}

fn text_reply(text: impl Into<String>) -> Answer {
    Ok(Reply::Text(text.into()))
}

fn read_side(text: &str) -> Result<Side, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::Black),
        "w" | "white" => Ok(Side::White),
        _ => Err("invalid color or coordinate".to_owned()),
    }
}

fn read_point(size: usize, vertex: &str) -> Result<Point, String> {
    text::read_point(size, vertex).ok_or_else(|| "invalid color or coordinate".to_owned())
}

fn read_move(size: usize, vertex: &str) -> Result<Move, String> {
    text::read_move(size, vertex).ok_or_else(|| "invalid color or coordinate".to_owned())
}

/// Points as the protocol lists them.
fn vertices(points: impl IntoIterator<Item = Point>) -> String {
    points.into_iter().map(|point| point.to_string()).collect::<Vec<_>>().join(" ")
}

fn colour_letter(side: Side) -> char {
    if side == Side::Black { 'B' } else { 'W' }
}

/// A margin for Black as SGF writes results.
fn result(margin: f64) -> String {
    let margin = crate::rules::rounded(margin);
    match Colour::of(if margin > 0.0 { Side::Black } else { Side::White }) {
        _ if margin == 0.0 => "0".to_owned(),
        Colour::Black => format!("B+{margin}"),
        _ => format!("W+{}", -margin),
    }
}
