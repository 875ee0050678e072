//! An engine for the smallest of games whose behaviour is known beforehand.

use std::time::Duration;

use search::options::{self, combo, spin};
use search::testing::{Pile, Size};
use search::*;

/// Looks twenty plies ahead at most, however long it has, and always takes the least it may.
pub struct Toy {
    common: Common,
    rules: Size,
    /// Panic when asked to think.
    crash: bool,
    /// Reports of each depth.
    flood: u32,
}

impl Search<Pile> for Toy {
    fn think(
        &mut self,
        root: &Root<Pile>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<u8>),
    ) -> Best<u8> {
        assert!(!self.crash, "told to crash");
        let clock = Clock::new(limits, control.asked(), self.common.overhead, &Stalls::default());
        let timed = limits.clock.is_some() || limits.move_time.is_some();
        let best = limits.only.first().map_or(1, |&packed| packed as u8);
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
    type Game = Pile;

    const NAME: &'static str = "Toy";

    fn new() -> Self {
        Toy { common: Common::default(), rules: Size(7), crash: false, flood: 1 }
    }

    fn options() -> Options<Self> {
        options::complete(vec![
            spin("Pile", "what there is to take at the start", 7, 0..=100)
                .by(|e: &Toy| e.rules.0, |e, pile| e.rules = Size(pile)),
            combo("Mood", "how it behaves", &["calm", "crashing", "talkative"]).by(
                |e: &Toy| if e.crash { "crashing" } else { "calm" },
                |e, mood| {
                    e.crash = mood == "crashing";
                    e.flood = if mood == "talkative" { 1000 } else { 1 };
                },
            ),
        ])
    }

    fn rules(&self) -> Size {
        self.rules.clone()
    }

    fn set_rules(&mut self, rules: Size) {
        self.rules = rules;
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

    fn explain(&mut self, root: &Root<Pile>) -> String {
        format!("pile {}\nEvaluation: 0 cp\n", root.position().left)
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
