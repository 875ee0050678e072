//! What an engine may spend, and the clock that watches it. The runner's clock decides.
//!
//! A clock starts at base plus increment, as in fastchess; a move is late when it took longer than what
//! was left and the margin together.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use search::TimeLeft;
use search::limits::Overtime;

use super::Spend;

/// A time for many moves: `40/60+0.5` is forty moves in sixty seconds and half a second for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// The main time.
    pub time: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves after which the main time comes again; none for once and for all.
    pub moves: Option<u32>,
    /// What follows the main time.
    pub overtime: Option<Overtime>,
}

/// What an engine may spend on a move; several limits may be combined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// A clock for many moves (`tc`, `byoyomi`).
    pub base: Option<Base>,
    /// A fixed time for each move (`st`).
    pub move_time: Option<Duration>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// What a move may take beyond its time (`timemargin`, milliseconds).
    pub margin: Duration,
}

impl TimeControl {
    /// Whether anything at all limits a move.
    pub fn is_limited(&self) -> bool {
        self.base.is_some() || self.move_time.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// What may be spent on a move while the clocks stand so.
    pub fn spend(&self, clocks: [Option<TimeLeft>; 2]) -> Spend {
        Spend {
            clocks,
            base: self.base.clone(),
            move_time: self.move_time,
            nodes: self.nodes,
            depth: self.depth,
            infinite: false,
            longest: self.move_time.map(|time| time + self.margin),
        }
    }
}

/// Seconds in people's writing: `90`, `0.5`, `1:30`, `1:00:00`.
pub fn seconds(text: &str) -> Option<Duration> {
    let mut total = 0.0;
    for part in text.split(':') {
        let is_number = !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit() || c == b'.');
        total = total * 60.0 + part.parse::<f64>().ok().filter(|_| is_number)?;
    }
    Duration::try_from_secs_f64(total).ok().filter(|d| d.as_secs() < 1 << 32)
}

impl FromStr for Base {
    type Err = ();

    /// Reads `[moves/]time[+increment]`.
    fn from_str(text: &str) -> Result<Base, ()> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().ok().filter(|&n| n > 0).ok_or(())?), rest),
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let base = Base {
            time: seconds(time).ok_or(())?,
            increment: seconds(increment).ok_or(())?,
            moves,
            overtime: None,
        };
        if base.time + base.increment > Duration::ZERO { Ok(base) } else { Err(()) }
    }
}

/// Reads Canadian overtime: `25/300` is 25 moves in each 300 seconds.
pub fn overtime(text: &str) -> Option<Overtime> {
    let (moves, time) = text.split_once('/')?;
    let moves = moves.parse().ok().filter(|&n| n > 0)?;
    Some(Overtime { time: seconds(time).filter(|t| !t.is_zero())?, moves, periods: 1 })
}

impl fmt::Display for TimeControl {
    /// As the flags write it, without the margin.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        if let Some(base) = &self.base {
            let moves = base.moves.map(|n| format!("{n}/")).unwrap_or_default();
            words.push(format!("tc={moves}{}+{}", base.time.as_secs_f64(), base.increment.as_secs_f64()));
            if let Some(overtime) = &base.overtime {
                words.push(format!("byoyomi={}/{}", overtime.moves, overtime.time.as_secs_f64()));
            }
        }
        words.extend(self.move_time.map(|t| format!("st={}", t.as_secs_f64())));
        words.extend(self.nodes.map(|n| format!("nodes={n}")));
        words.extend(self.depth.map(|n| format!("depth={n}")));
        f.write_str(&words.join(" "))
    }
}

/// The clock of one side in one game.
#[derive(Clone, Debug)]
pub struct SideClock {
    base: Base,
    left: Duration,
    /// Moves to the next refill.
    to_go: Option<u32>,
    in_overtime: bool,
}

impl SideClock {
    /// A clock before the first move.
    pub fn new(base: &Base) -> Self {
        SideClock {
            left: base.time + base.increment,
            to_go: base.moves,
            in_overtime: false,
            base: base.clone(),
        }
    }

    /// What protocols tell the engine.
    pub fn time_left(&self) -> TimeLeft {
        TimeLeft {
            left: self.left,
            increment: self.base.increment,
            moves_to_go: self.to_go,
            overtime: self.base.overtime.clone(),
        }
    }

    /// The longest a move may take now.
    pub fn longest(&self) -> Duration {
        match &self.base.overtime {
            Some(overtime) if !self.in_overtime => self.left + overtime.time,
            _ => self.left,
        }
    }

    /// Charges a move that was not late: takes its time, adds the increment, refills.
    pub fn charge(&mut self, spent: Duration) {
        if let (Some(overtime), false) = (&self.base.overtime, self.in_overtime)
            && spent > self.left
        {
            // The move during which the main time ends is the first of the overtime.
            self.left += overtime.time;
            self.to_go = Some(overtime.moves);
            self.in_overtime = true;
        }
        self.left = self.left.saturating_sub(spent) + self.base.increment;
        let Some(to_go) = &mut self.to_go else { return };
        *to_go -= 1;
        if *to_go == 0 {
            match (&self.base.overtime, self.in_overtime) {
                (Some(overtime), true) => {
                    (self.left, self.to_go) = (overtime.time, Some(overtime.moves));
                }
                _ => {
                    self.left += self.base.time;
                    self.to_go = self.base.moves;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn base(text: &str) -> Base {
        text.parse().unwrap()
    }

    #[test]
    fn cutechess_notation_is_read() {
        assert_eq!(
            base("40/1:30+0.5"),
            Base { time: ms(90_000), increment: ms(500), moves: Some(40), overtime: None }
        );
        assert_eq!(base("5+0.05").increment, ms(50));
        assert_eq!(base("1:00:00").time, ms(3_600_000));
        assert_eq!(base("0+0.1").time, ms(0));
        let bad = ["", "x", "5+", "+1", "0/5", "-1", "5+-1", "1e9", "nan", "inf", "0", "0+0", "1:x"];
        for bad in bad {
            assert!(bad.parse::<Base>().is_err(), "{bad}");
        }
        assert_eq!(overtime("25/300").map(|o| (o.moves, o.time)), Some((25, ms(300_000))));
        assert!(["25", "0/300", "25/0", "x/3"].iter().all(|text| overtime(text).is_none()));
    }

    #[test]
    fn a_time_control_writes_itself_as_flags() {
        let control = TimeControl {
            base: Some(base("40/60+0.5")),
            nodes: Some(7),
            depth: Some(3),
            move_time: Some(ms(250)),
            ..TimeControl::default()
        };
        assert_eq!(control.to_string(), "tc=40/60+0.5 st=0.25 nodes=7 depth=3");
        assert!(control.is_limited() && !TimeControl::default().is_limited());
    }

    #[test]
    fn the_increment_is_there_from_the_first_move() {
        let mut clock = SideClock::new(&base("1+0.1"));
        assert_eq!(clock.longest(), ms(1100));
        clock.charge(ms(300));
        assert_eq!(clock.time_left().left, ms(900));
        clock.charge(ms(5000));
        assert_eq!(clock.time_left().left, ms(100));
    }

    #[test]
    fn the_main_time_comes_again_after_its_moves() {
        let mut clock = SideClock::new(&base("2/10"));
        clock.charge(ms(4000));
        assert_eq!((clock.time_left().left, clock.time_left().moves_to_go), (ms(6000), Some(1)));
        clock.charge(ms(1000));
        assert_eq!((clock.time_left().left, clock.time_left().moves_to_go), (ms(15_000), Some(2)));
    }

    #[test]
    fn canadian_overtime_begins_in_mid_move_and_refills() {
        let canadian = Base { overtime: overtime("2/30"), ..base("10") };
        let mut clock = SideClock::new(&canadian);
        assert_eq!((clock.longest(), clock.time_left().moves_to_go), (ms(40_000), None));
        clock.charge(ms(9000));
        assert_eq!((clock.time_left().left, clock.time_left().moves_to_go), (ms(1000), None));
        clock.charge(ms(5000));
        assert_eq!((clock.time_left().left, clock.time_left().moves_to_go), (ms(26_000), Some(1)));
        assert_eq!(clock.longest(), ms(26_000));
        clock.charge(ms(20_000));
        assert_eq!((clock.time_left().left, clock.time_left().moves_to_go), (ms(30_000), Some(2)));
    }
}
