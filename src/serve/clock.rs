//! The clock of a game on the board: two times, one of them running.

use std::time::{Duration, Instant};

use search::Side;
use serde::{Deserialize, Serialize};

/// What a game allows, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// For the whole game.
    pub base: u64,
    /// Added after each move.
    pub increment: u64,
}

/// The longest time anybody may ask for: a day.
const LONGEST: u64 = 86_400_000;

/// What no player can have left, however many moves have added to it.
const TOO_MUCH: u64 = 1 << 50;

impl Control {
    /// Whether a player could make a move under it, and see its end.
    pub fn is_sensible(&self) -> bool {
        self.base <= LONGEST && self.increment <= LONGEST && self.base + self.increment > 0
    }

    /// What a player begins with.
    fn first(&self) -> u64 {
        self.base.max(self.increment)
    }
}

/// Both players' times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameClock {
    /// What was agreed.
    pub control: Control,
    /// Milliseconds left when nobody's time runs.
    pub left: [u64; 2],
    #[serde(skip)]
    running: Option<(Side, Instant)>,
}

impl GameClock {
    /// A clock before the first move.
    pub fn new(control: Control) -> Self {
        GameClock { control, left: [control.first(); 2], running: None }
    }

    /// Whether a game could have led to it.
    pub fn is_sound(&self) -> bool {
        self.control.is_sensible() && self.left.iter().all(|&left| left < TOO_MUCH)
    }

    /// Whose time runs.
    pub fn running(&self) -> Option<Side> {
        self.running.map(|(side, _)| side)
    }

    /// What is left of a side's time at this moment.
    pub fn left(&self, side: Side, now: Instant) -> Duration {
        let left = Duration::from_millis(self.left[side.index()]);
        match self.running {
            Some((running, since)) if running == side => {
                left.saturating_sub(now.saturating_duration_since(since))
            }
            _ => left,
        }
    }

    /// When the running time ends.
    pub fn deadline(&self) -> Option<Instant> {
        self.running.map(|(side, since)| since + Duration::from_millis(self.left[side.index()]))
    }

    /// A move was made: charges the side whose time ran, and adds its increment.
    pub fn press(&mut self, now: Instant) {
        if let Some(side) = self.running() {
            self.stop(now);
            self.left[side.index()] += self.control.increment;
        }
    }

    /// Lets a side's time run.
    pub fn run(&mut self, side: Side, now: Instant) {
        if self.running() != Some(side) {
            self.stop(now);
            self.running = Some((side, now));
        }
    }

    /// Stops the time that runs.
    pub fn stop(&mut self, now: Instant) {
        if let Some(side) = self.running() {
            self.left[side.index()] = self.left(side, now).as_millis() as u64;
            self.running = None;
        }
    }

    /// Who has no time left begins anew: a loss on time that is taken back would come again at once.
    pub fn revive(&mut self) {
        let first = self.control.first();
        for left in self.left.iter_mut().filter(|left| **left == 0) {
            *left = first;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_side_to_move_pays() {
        let mut clock = GameClock::new(Control { base: 10_000, increment: 500 });
        let start = Instant::now();
        clock.run(Side::White, start);
        let later = start + Duration::from_secs(3);
        assert_eq!(clock.left(Side::White, later), Duration::from_secs(7));
        assert_eq!(clock.deadline(), Some(start + Duration::from_secs(10)));
        clock.press(later);
        clock.run(Side::Black, later);
        clock.stop(later + Duration::from_secs(20));
        assert_eq!((clock.left, clock.running()), ([7_500, 0], None));
        clock.revive();
        assert_eq!(clock.left, [7_500, 10_000]);
    }

    #[test]
    fn a_clock_without_time_is_refused() {
        assert!(!Control { base: 0, increment: 0 }.is_sensible());
        assert!(Control { base: 0, increment: 100 }.is_sensible());
        assert!(!Control { base: u64::MAX, increment: 0 }.is_sensible());
        let clock = GameClock::new(Control { base: 1000, increment: 100 });
        assert!(clock.is_sound() && !GameClock { left: [0, u64::MAX], ..clock }.is_sound());
    }
}
