//! A game small enough to be read at a glance, and an engine for it whose behaviour is known beforehand.
//!
//! Nim with one heap: take one to three; who cannot take loses. A heap of thirteen is a draw.

use std::fmt;
use std::time::Duration;

use search::options::{self, Setting};
use search::*;

/// A heap and who is to take from it: `7 w`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nim {
    heap: u32,
    turn: Side,
}

/// The size of the heap at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules(u32);

impl Default for Rules {
    fn default() -> Self {
        Rules(7)
    }
}

impl fmt::Display for Nim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.heap, if self.turn == Side::White { 'w' } else { 'b' })
    }
}

impl Game for Nim {
    type Rules = Rules;
    type Move = u32;

    fn start(rules: &Rules) -> Nim {
        Nim { heap: rules.0, turn: Side::White }
    }

    fn read(_: &Rules, text: &str) -> Result<Nim, PositionError> {
        let refuse = || PositionError::new(text, "not a heap and a side");
        let (heap, turn) = text.split_once(' ').ok_or_else(refuse)?;
        let turn = match turn {
            "w" => Side::White,
            "b" => Side::Black,
            _ => return Err(refuse()),
        };
        Ok(Nim { heap: heap.parse().map_err(|_| refuse())?, turn })
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn key(&self) -> u64 {
        zobrist::mix(u64::from(self.heap) * 2 + self.turn.index() as u64)
    }

    fn salt(&self) -> u64 {
        0
    }

    fn same(&self, other: &Nim) -> bool {
        self == other
    }

    fn moves(&self, out: &mut MoveList<u32>) {
        out.extend(1..=self.heap.min(3));
    }

    fn allowed(&self, _: u32, _: &History) -> bool {
        true
    }

    fn pack(&self, m: u32) -> u32 {
        m
    }

    fn play(&mut self, m: u32) {
        self.heap -= m;
        self.turn = !self.turn;
    }

    fn irreversible(&self, _: u32) -> bool {
        true
    }

    fn stuck(&self) -> Outcome {
        Outcome::win(!self.turn, "nothing to take")
    }

    fn drawn(&self, _: usize) -> Option<&'static str> {
        (self.heap == 13).then_some("unlucky heap")
    }

    fn parse(&self, text: &str) -> Result<u32, MoveError> {
        let m = text.parse().map_err(|_| MoveError::Syntax(text.to_owned()))?;
        if (1..=self.heap.min(3)).contains(&m) { Ok(m) } else { Err(MoveError::Illegal(text.to_owned())) }
    }

    fn write(&self, m: u32) -> String {
        m.to_string()
    }

    fn picture(&self) -> String {
        format!("{}\n", "o".repeat(self.heap as usize))
    }

    fn flipped(&self) -> Option<Nim> {
        Some(Nim { heap: self.heap, turn: !self.turn })
    }
}

/// Looks twenty plies ahead at most, however long it has, and always takes the least it may.
pub struct Toy {
    common: Common,
    rules: Rules,
    /// Panic when asked to think.
    crash: bool,
    /// Reports of each depth.
    flood: u32,
}

impl Search<Nim> for Toy {
    fn think(
        &mut self,
        root: &Root<Nim>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<u32>),
    ) -> Best<u32> {
        assert!(!self.crash, "told to crash");
        let clock = Clock::new(limits, self.common.overhead, &Stalls::default());
        let timed = limits.clock.is_some() || limits.move_time.is_some();
        let best = if limits.only.is_empty() { 1 } else { limits.only[0] };
        for depth in 1..=limits.depth.unwrap_or(20).min(20) * self.flood {
            report(&Info::Current(best, 1));
            report(&Info::Line(Line {
                depth,
                seldepth: depth,
                multipv: 1,
                score: Score(depth as i32),
                bound: Bound::Exact,
                nodes: u64::from(depth) * 10,
                time: Duration::from_millis(u64::from(depth)),
                hashfull: 0,
                database_hits: 0,
                // Far beyond the end of the game: the session must cut it.
                pv: [best].into_iter().chain([1; 20]).collect(),
            }));
            if control.stopped() || clock.expired(control) {
                break;
            }
        }
        while timed && !control.stopped() && !clock.expired(control) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = root;
        Best { best: Some(best), ponder: Some(1) }
    }

    fn forget(&mut self) {}
}

impl Engine for Toy {
    type Game = Nim;

    const NAME: &'static str = "Toy";

    fn new() -> Self {
        Toy { common: Common::default(), rules: Rules::default(), crash: false, flood: 1 }
    }

    fn options() -> Options<Self> {
        let mut rows = options::common();
        rows.push(Setting {
            name: "Heap",
            kind: Kind::Spin { default: 7, min: 0, max: 100 },
            help: "what there is to take at the start",
            get: |e: &Toy| Value::Spin(i64::from(e.rules.0)),
            set: |e, v| {
                e.rules = Rules(v.number() as u32);
                Ok(())
            },
        });
        rows.push(Setting {
            name: "Mood",
            kind: Kind::Combo { default: "calm", choices: &["calm", "crashing", "talkative"] },
            help: "how it behaves",
            get: |e: &Toy| Value::Text(if e.crash { "crashing" } else { "calm" }.to_owned()),
            set: |e, v| {
                e.crash = v.text() == "crashing";
                e.flood = if v.text() == "talkative" { 1000 } else { 1 };
                Ok(())
            },
        });
        rows
    }

    fn rules(&self) -> Rules {
        self.rules.clone()
    }

    fn common(&self) -> &Common {
        &self.common
    }

    fn common_mut(&mut self) -> &mut Common {
        &mut self.common
    }

    fn resize(&mut self, mib: usize) -> Result<(), String> {
        if mib > 1024 { Err(format!("no room for {mib} MiB")) } else { Ok(()) }
    }

    fn explain(&mut self, root: &Root<Nim>) -> String {
        format!("heap {}\nEvaluation: 0 cp\n", root.position().heap)
    }

    fn bench(&self, control: &Control) -> Bench {
        for _ in 0..20 {
            if control.stopped() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Bench { nodes: 1234, time: Duration::from_millis(20), remarks: Vec::new() }
    }
}
