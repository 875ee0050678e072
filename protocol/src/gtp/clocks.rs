//! How much time there is: the time systems of GTP and its extensions, with a clock of our own for each side
//! in case nobody tells us what is left.

use std::time::Duration;

use search::limits::Overtime;
use search::{Limits, Side, TimeLeft};

/// What the time settings said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum System {
    /// Nothing so far.
    Untold,
    /// That there is no limit.
    Unlimited,
    /// All moves in the main time.
    Absolute,
    /// After the main time so many moves in each period.
    Canadian(Duration, u32),
    /// After the main time so many periods, each renewed by a move within it.
    ByoYomi(Duration, u32),
    /// Something added for each move.
    Fischer(Duration, Caps),
}

/// What a Fischer clock may hold at most, and what a move may take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caps {
    main: Option<Duration>,
    of_move: Option<Duration>,
}

/// One side's clock.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Left {
    /// By the settings or, where none came, by what was left.
    system: System,
    /// Of the main time, or of the period once that has begun.
    time: Duration,
    /// Moves or periods left in overtime; 0 in the main time.
    overtime: u32,
}

/// The clocks of both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    system: System,
    main: Duration,
    left: [Left; 2],
}

impl Default for Clocks {
    fn default() -> Self {
        Clocks::new(System::Untold, Duration::ZERO)
    }
}

impl Clocks {
    /// Clocks at the start of a game.
    pub fn new(system: System, main: Duration) -> Clocks {
        let (time, overtime) = match system {
            System::Canadian(time, moves) if main.is_zero() => (time, moves),
            System::ByoYomi(time, periods) if main.is_zero() => (time, periods),
            _ => (main, 0),
        };
        let left = Left { system: system.clone(), time, overtime };
        Clocks { system, main, left: [left.clone(), left] }
    }

    /// The same clocks at the start of another game.
    pub fn afresh(&self) -> Clocks {
        Clocks::new(self.system.clone(), self.main)
    }

    /// Reads the arguments of `time_settings`: main time, time of a period, its stones.
    pub fn read(args: &[String]) -> Result<Clocks, String> {
        let [main, period, stones] = args else { return Err("not three integers".to_owned()) };
        let wrong = |_| "not three integers".to_owned();
        let (main, period) = (seconds(main).map_err(wrong)?, seconds(period).map_err(wrong)?);
        let stones: u32 = stones.parse().map_err(|_| "not three integers".to_owned())?;
        let system = match (period.is_zero(), stones) {
            (true, _) => System::Absolute,
            // A period without stones is the protocol's way of saying that there is no limit.
            (false, 0) => System::Unlimited,
            (false, stones) => System::Canadian(period, stones),
        };
        Ok(Clocks::new(system, main))
    }

    /// Reads the arguments of `kgs-time_settings` and `kata-time_settings`.
    pub fn read_named(args: &[String]) -> Result<Clocks, String> {
        let mut words = args.iter().map(String::as_str);
        let name = words.next().ok_or("syntax error")?;
        let numbers = words.map(signed).collect::<Result<Vec<_>, _>>()?;
        let times: Vec<Duration> = numbers.iter().map(|time| time.unwrap_or_default()).collect();
        let several = |time: Duration| match time.as_secs() as u32 {
            0 => Err("not a number of periods or stones".to_owned()),
            number => Ok(number),
        };
        let (system, main) = match (name, times.as_slice()) {
            ("none", []) => (System::Unlimited, Duration::ZERO),
            ("absolute", &[main]) => (System::Absolute, main),
            ("byoyomi", &[main, time, periods]) => (System::ByoYomi(time, several(periods)?), main),
            ("canadian", &[main, time, stones]) => (System::Canadian(time, several(stones)?), main),
            ("fischer", &[main, increment]) => (System::Fischer(increment, Caps::default()), main),
            ("fischer-capped", &[main, increment, _, _]) => {
                let caps = Caps { main: numbers[2], of_move: numbers[3] };
                (System::Fischer(increment, caps), main)
            }
            _ => return Err("unknown time system or wrong number of arguments".to_owned()),
        };
        Ok(Clocks::new(system, main))
    }

    /// What a side has left, as `time_left` says it: moves of the period, or periods in byo-yomi; 0 in the main time.
    ///
    /// Without settings it also tells the system: absolute time, or moves in a period as long as what is left of it.
    pub fn set(&mut self, side: Side, time: Duration, overtime: u32) {
        let system = match (&self.system, overtime) {
            (System::Untold, 0) => System::Absolute,
            (System::Untold, moves) => System::Canadian(time, moves),
            (known, _) => known.clone(),
        };
        self.left[side.index()] = Left { system, time, overtime };
    }

    /// Takes what a side used for a move off its clock.
    pub fn spend(&mut self, side: Side, used: Duration) {
        let left = &mut self.left[side.index()];
        let rest = left.time.checked_sub(used);
        match (&left.system, left.overtime) {
            (System::Untold | System::Unlimited, _) => {}
            (System::Fischer(increment, caps), _) => {
                let time = rest.unwrap_or_default() + *increment;
                left.time = caps.main.map_or(time, |most| time.min(most));
            }
            (System::Canadian(time, stones), begun) if begun > 0 || rest.is_none() => {
                // The move during which the main time ends is the first of the overtime.
                let (had, moves) = if begun > 0 { (left.time, begun) } else { (left.time + *time, *stones) };
                (left.time, left.overtime) = match moves {
                    1 => (*time, *stones),
                    _ => (had.saturating_sub(used), moves - 1),
                };
            }
            (System::ByoYomi(time, periods), begun) if begun > 0 || rest.is_none_or(|t| t.is_zero()) => {
                let had = if begun > 0 { begun } else { periods + 1 };
                // The main time or the current period, and every whole one after it.
                let ended = used.checked_sub(left.time).map_or(0, |beyond| 1 + whole_periods(beyond, *time));
                (left.time, left.overtime) = (*time, had.saturating_sub(ended).max(1));
            }
            _ => left.time = rest.unwrap_or_default(),
        }
    }

    /// What a side may spend on a move, if it will make about `moves` more of them; none without limits.
    pub fn limits(&self, side: Side, moves: u32) -> Option<Limits> {
        let left = &self.left[side.index()];
        let mut clock = TimeLeft { left: left.time, ..TimeLeft::default() };
        let mut move_time = None;
        match (&left.system, left.overtime) {
            (System::Untold | System::Unlimited, _) => return None,
            (System::Absolute, _) => clock.moves_to_go = Some(moves.max(2)),
            (System::Fischer(increment, caps), _) => {
                move_time = caps.of_move;
                clock.increment = *increment;
                clock.moves_to_go = Some(moves.max(2));
            }
            (System::Canadian(time, moves), 0) => {
                clock.overtime = Some(Overtime { time: here(*time), moves: *moves, periods: 1 });
            }
            // What the last move of a period leaves is lost, so all of it is this move's.
            (System::Canadian(..) | System::ByoYomi(..), 1) => {
                return Some(Limits::move_time(here(left.time)));
            }
            (System::Canadian(..), moves) => clock.moves_to_go = Some(moves),
            (System::ByoYomi(time, periods), 0) => {
                clock.overtime = Some(Overtime { time: here(*time), moves: 1, periods: *periods });
            }
            (System::ByoYomi(..), periods) => {
                clock.left = Duration::ZERO;
                clock.overtime = Some(Overtime { time: here(left.time), moves: 1, periods });
            }
        }
        Some(Limits { clock: Some(clock), move_time, ..Limits::default() })
    }
}

/// What of a period can be used here: a server that hears of a move too late calls the game lost, so an eighth of what is
/// longer than a second is left to the network, and a second at most. No network plays shorter periods.
fn here(period: Duration) -> Duration {
    period - (period.saturating_sub(Duration::from_secs(1)) / 8).min(Duration::from_secs(1))
}

/// How many periods of this length a time holds.
fn whole_periods(time: Duration, period: Duration) -> u32 {
    (time.as_secs_f64() / period.as_secs_f64().max(1e-3)) as u32
}

/// Reads a time in seconds; none for a negative one, which stands for no limit where there may be none.
fn signed(text: &str) -> Result<Option<Duration>, String> {
    let time = seconds(text)?;
    Ok((!text.starts_with('-')).then_some(time))
}

/// Reads a time in seconds, whole or not.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| format!("'{text}' is not a time"))?;
    // Servers round below zero; a year is enough for anybody.
    Duration::try_from_secs_f64(number.clamp(0.0, 3.2e7)).map_err(|_| format!("'{text}' is not a time"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn clock(clocks: &Clocks) -> Option<TimeLeft> {
        clocks.limits(Side::Black, 40).and_then(|limits| limits.clock)
    }

    #[test]
    fn time_settings_mean_what_the_protocol_says() {
        let read = |text: &str| Clocks::read(&words(text));
        assert_eq!(clock(&read("0 1 0").unwrap()), None);
        assert_eq!(clock(&read("300 0 0").unwrap()).unwrap().moves_to_go, Some(40));
        let canadian = clock(&read("0 60 5").unwrap()).unwrap();
        assert_eq!((canadian.left, canadian.moves_to_go), (Duration::from_secs(60), Some(5)));
        assert_eq!(clock(&read("10 60 5").unwrap()).unwrap().overtime.unwrap().moves, 5);
        for wrong in ["", "1 2", "a b c", "1 2 3 4", "1 2 -3", "nan 1 1"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn named_systems_are_told_apart() {
        let read = |text: &str| Clocks::read_named(&words(text));
        assert_eq!(clock(&read("none").unwrap()), None);
        assert_eq!(clock(&read("fischer 60 5").unwrap()).unwrap().increment, Duration::from_secs(5));
        let mut periods = read("byoyomi 0 30 3").unwrap();
        periods.set(Side::Black, Duration::from_secs(12), 2);
        let left = clock(&periods).unwrap();
        assert_eq!((left.left, left.overtime.unwrap().time), (Duration::ZERO, Duration::from_secs(11)));
        for wrong in ["sometimes 1", "byoyomi 1 2", "byoyomi 600 30 0", "canadian 600 30 -1"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn time_that_cannot_be_saved_is_spent_but_for_what_a_network_takes() {
        for (time, spent) in [("30", 29_000), ("5", 4500), ("1", 1000), ("0.02", 20)] {
            for text in [format!("byoyomi 0 {time} 1"), format!("canadian 0 {time} 1")] {
                let limits = Clocks::read_named(&words(&text)).unwrap().limits(Side::Black, 40).unwrap();
                assert_eq!(
                    (limits.move_time, limits.clock),
                    (Some(Duration::from_millis(spent)), None),
                    "{text}"
                );
            }
        }
        for (text, periods) in [("byoyomi 60 30 3", 3), ("byoyomi 0 30 3", 3), ("canadian 60 30 5", 1)] {
            let overtime = clock(&Clocks::read_named(&words(text)).unwrap()).unwrap().overtime.unwrap();
            assert_eq!((overtime.time, overtime.periods), (Duration::from_secs(29), periods), "{text}");
        }
    }

    #[test]
    fn another_game_begins_with_full_clocks() {
        let full = Clocks::read(&words("300 0 0")).unwrap();
        let mut used = full.clone();
        used.spend(Side::Black, Duration::from_secs(100));
        assert!(used != full && used.afresh() == full);
    }

    #[test]
    fn a_capped_clock_keeps_both_its_caps_unless_they_are_negative() {
        let seconds = Duration::from_secs;
        let mut capped = Clocks::read_named(&words("fischer-capped 60 10 65 20")).unwrap();
        assert_eq!(capped.limits(Side::Black, 40).unwrap().move_time, Some(seconds(20)));
        capped.spend(Side::Black, seconds(1));
        assert_eq!(clock(&capped).unwrap().left, seconds(65));
        let mut open = Clocks::read_named(&words("fischer-capped 60 10 -1 -1")).unwrap();
        assert_eq!(open.limits(Side::Black, 40).unwrap().move_time, None);
        open.spend(Side::Black, seconds(1));
        assert_eq!(clock(&open).unwrap().left, seconds(69));
    }

    #[test]
    fn periods_are_lost_by_who_oversteps_them() {
        let mut clocks = Clocks::read_named(&words("byoyomi 10 30 5")).unwrap();
        let mut periods = |used: u64| {
            clocks.spend(Side::Black, Duration::from_secs(used));
            let limits = clocks.limits(Side::Black, 40).unwrap();
            match limits.clock.and_then(|clock| clock.overtime) {
                Some(overtime) => (overtime.time.as_secs(), overtime.periods),
                None => (limits.move_time.unwrap().as_secs(), 1),
            }
        };
        assert_eq!(periods(4), (29, 5), "in the main time");
        assert_eq!(periods(6 + 29), (29, 5), "in the first period");
        assert_eq!(periods(29), (29, 5));
        assert_eq!(periods(31), (29, 4));
        assert_eq!(periods(61), (29, 2));
        assert_eq!(periods(1000), (29, 1), "the last one is the opponent's to claim");
    }

    #[test]
    fn our_own_clock_runs_when_nobody_tells() {
        let seconds = Duration::from_secs;
        let mut clocks = Clocks::read(&words("10 20 3")).unwrap();
        let left = |clocks: &Clocks| clock(clocks).map(|clock| (clock.left, clock.moves_to_go)).unwrap();
        clocks.spend(Side::Black, seconds(10));
        assert_eq!(left(&clocks), (Duration::ZERO, None), "the period has not begun");
        clocks.spend(Side::Black, seconds(1));
        assert_eq!(left(&clocks), (seconds(19), Some(2)), "its first move is made");
        clocks.spend(Side::Black, seconds(4));
        assert_eq!(clocks.limits(Side::Black, 40).unwrap().move_time, Some(seconds(14)));
        clocks.spend(Side::Black, seconds(5));
        assert_eq!(left(&clocks), (seconds(20), Some(3)));
        let mut single = Clocks::read(&words("10 20 1")).unwrap();
        single.spend(Side::Black, seconds(11));
        assert_eq!(single.limits(Side::Black, 40).unwrap().move_time, Some(seconds(19)));
    }

    #[test]
    fn without_settings_what_is_left_tells_the_system() {
        let seconds = Duration::from_secs;
        let mut clocks = Clocks::default();
        clocks.set(Side::Black, seconds(10), 0);
        assert_eq!(clock(&clocks).unwrap().left, seconds(10));
        assert_eq!(clocks.limits(Side::White, 40), None, "of White nothing is known");
        clocks.set(Side::Black, seconds(30), 5);
        assert_eq!(clock(&clocks).unwrap().moves_to_go, Some(5));
        assert_eq!(clock(&clocks.afresh()), None);
        for unlimited in [Clocks::read_named(&words("none")), Clocks::read(&words("0 1 0"))] {
            let mut clocks = unlimited.unwrap();
            clocks.set(Side::Black, seconds(10), 0);
            assert_eq!(clock(&clocks), None);
        }
    }
}
