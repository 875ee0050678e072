//! When a search should stop: a soft bound that growing certainty may move, and a hard one that nothing may.
//!
//! The runner measures from its side, so every bound keeps a reserve: the user's overhead and, within a bounded share,
//! the delays of the last moves, in their searches and around them.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::{Control, Limits, Side, TimeLeft};

/// A pause between two looks at the clock that is not ordinary searching.
const STALL: Duration = Duration::from_millis(3);
/// A machine that stood still for longer was asleep, which says nothing about the next moves.
const ASLEEP: Duration = Duration::from_secs(10);

/// Held back beside the user's overhead: machines take a moment now and then that no earlier move has shown.
const HICCUP: Duration = Duration::from_millis(5);

/// What a clock may lose between two moves; a greater loss is the clock of another game.
const LAG: Duration = Duration::from_secs(1);

/// Moves whose delays are remembered; with each move a delay counts half as much as before.
const RECENT: usize = 3;
/// The part of a time that delays hold back at most: an engine that was stopped for seconds must not stop thinking.
const MOST: u32 = 4;

/// The part of a fixed time that overhead and pause take at most, as long as the overhead is no larger than a guess.
const SHORT: u32 = 8;
const GUESS: Duration = Duration::from_millis(50);

/// The delays of the last moves, kept by an engine from one to the next, as the side to move sees them.
#[derive(Clone, Debug)]
pub struct Stalls {
    seen: Arc<Mutex<Seen>>,
    side: Side,
}

/// What both sides have met: the machine is the same, the clocks are not.
#[derive(Debug, Default)]
struct Seen {
    /// The move under way and those before it, the latest first.
    moves: [Delay; 1 + RECENT],
    /// What each side's clock should show when its next move begins, if that can be told.
    expected: [Option<Duration>; 2],
}

/// What one move lost.
#[derive(Clone, Copy, Debug, Default)]
struct Delay {
    /// The longest pause within its search.
    within: Duration,
    /// What the clock lost beside the time of the search.
    around: Duration,
}

impl Default for Stalls {
    fn default() -> Self {
        Stalls { seen: Arc::default(), side: Side::White }
    }
}

impl Stalls {
    /// The same delays for the clock of this side: one engine may play both.
    pub fn of(&self, side: Side) -> Stalls {
        Stalls { seen: Arc::clone(&self.seen), side }
    }

    /// What to hold back of this time for delays like those of the last moves.
    pub fn reserve(&self, time: Duration) -> Duration {
        let most = time / MOST;
        let faded = |(age, delay): (usize, &Delay)| (delay.within + delay.around).min(most) / (1 << age);
        self.lock().moves[1..].iter().enumerate().map(faded).max().unwrap_or_default()
    }

    /// Notes a pause between two looks at the clock.
    pub fn note(&self, pause: Duration) {
        if pause > STALL && pause < ASLEEP {
            let within = &mut self.lock().moves[0].within;
            *within = pause.max(*within);
        }
    }

    /// Notes what our clock should show next, if that can be told.
    fn expect(&self, left: Option<Duration>) {
        self.lock().expected[self.side.index()] = left;
    }

    /// Notes that a move begins, and what our clock shows, if there is one.
    fn begin(&self, left: Option<Duration>) {
        let mut seen = self.lock();
        let expected = seen.expected[self.side.index()].take();
        let lost =
            expected.zip(left).map_or(Duration::ZERO, |(expected, left)| expected.saturating_sub(left));
        if lost < LAG {
            seen.moves[0].around = lost;
        }
        seen.moves.rotate_right(1);
        seen.moves[0] = Delay::default();
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("no holder of the lock panics")
    }
}

/// The time bounds of one search.
#[derive(Clone, Debug)]
pub struct Clock {
    started: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
    /// What our clock will show after a move made at once; unknown where unused time is not kept.
    kept: Option<Duration>,
}

impl Clock {
    /// The clock for these limits, which runs since `started`, with what must be held back in any case.
    pub fn new(limits: &Limits, started: Instant, overhead: Duration, stalls: &Stalls) -> Self {
        stalls.begin(limits.clock.as_ref().map(|time| time.left));
        let reserve = |time: Duration| overhead + stalls.reserve(time) + HICCUP;
        let mut clock = Clock { started, soft: None, hard: None, kept: None };
        if let Some(left) = &limits.clock {
            clock.kept = left.overtime.is_none().then(|| left.left + left.increment);
            let (soft, hard) = share(left, &reserve);
            (clock.soft, clock.hard) = (Some(soft), Some(hard));
        }
        if let Some(time) = limits.move_time {
            let time = spare(time, reserve(time) - spared(time, overhead));
            clock.soft = Some(clock.soft.map_or(time, |t| t.min(time)));
            clock.hard = Some(clock.hard.map_or(time, |t| t.min(time)));
        }
        // A fixed time is meant to be used whole.
        if limits.move_time.is_some() && limits.clock.is_none() {
            clock.soft = None;
        }
        clock
    }

    /// Since the search began, pondering included.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the time is up for good: also when the move was pondered for as long as it should take.
    pub fn expired(&self, control: &Control) -> bool {
        let pondered = control.hit().map(|hit| hit.saturating_duration_since(self.started));
        let pondered_enough = self.soft.zip(pondered).is_some_and(|(soft, pondered)| pondered >= soft);
        let is_used_up = |hard| pondered_enough || self.used(control) >= hard;
        self.hard.is_some_and(|hard| !control.pondering() && is_used_up(hard))
    }

    /// Whether a new iteration should not be begun, with `share` of the soft bound to spend. Pondering counts.
    pub fn satisfied(&self, control: &Control, share: f64) -> bool {
        self.soft.is_some_and(|soft| !control.pondering() && self.elapsed() >= soft.mul_f64(share))
    }

    /// Whether `factor` times what was spent would exceed the time meant for this move. Pondering counts.
    pub fn exceeds(&self, control: &Control, factor: f64) -> bool {
        let meant = self.soft.or(self.hard);
        meant.is_some_and(|time| !control.pondering() && self.elapsed().mul_f64(factor) >= time)
    }

    /// Notes what the time left should be after an answer at this moment.
    pub fn answered(&self, control: &Control, stalls: &Stalls) {
        let kept = self.kept.filter(|_| !control.pondering());
        stalls.expect(kept.map(|left| left.saturating_sub(self.used(control))));
    }

    /// What has been used of our own time.
    fn used(&self, control: &Control) -> Duration {
        control.hit().unwrap_or(self.started).elapsed()
    }
}

/// The soft and hard share of one move in the time left.
fn share(time: &TimeLeft, reserve: &dyn Fn(Duration) -> Duration) -> (Duration, Duration) {
    let left = spare(time.left, reserve(time.left));
    if let Some(overtime) = &time.overtime {
        // Overtime is lost if unused: spend a little of the main time on top of it.
        let period = spare(overtime.time, reserve(overtime.time)) / overtime.moves.max(1);
        let soft = left / 20 + period.mul_f64(0.9);
        // Where periods are left over, a choice in doubt may use one up.
        let longest = if overtime.periods > 1 { period + overtime.time } else { period };
        return (soft, (left / 4 + longest).max(soft));
    }
    // What is lost around each move comes out of its increment, most of it if need be, else a low clock would sink to
    // nothing.
    let increment = time.increment.saturating_sub(reserve(3 * time.increment)).mul_f64(0.7);
    match time.moves_to_go.unwrap_or(0) {
        0 => {
            let soft = (left / 25 + increment).min(left.mul_f64(0.7));
            (soft, (soft * 4).min(left / 3).max(soft))
        }
        1 => (left, left),
        moves => {
            let soft = (left / moves + increment).min(left.mul_f64(0.7));
            (soft, (soft * 4).min(left.mul_f64(0.7)).max(soft))
        }
    }
}

/// What of the overhead and the pause is not held back of a short fixed time. A network is told of by a larger overhead,
/// which is held back whole.
fn spared(time: Duration, overhead: Duration) -> Duration {
    (overhead.min(GUESS) + HICCUP).saturating_sub(time / SHORT)
}

/// What may be spent of `time`: the reserve is held back, but a little is always left to think with.
fn spare(time: Duration, reserve: Duration) -> Duration {
    time.saturating_sub(reserve).max(time / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(limits: Limits, overhead: u64) -> (Option<Duration>, Option<Duration>) {
        let clock = Clock::new(&limits, Instant::now(), Duration::from_millis(overhead), &Stalls::default());
        (clock.soft, clock.hard)
    }

    #[test]
    fn no_mode_spends_its_last_milliseconds() {
        for left in [0, 1, 20, 100, 1000, 60_000] {
            for (increment, moves_to_go) in
                [(0, None), (10, None), (0, Some(1)), (0, Some(300)), (1000, Some(0))]
            {
                let left = Duration::from_millis(left);
                let clock = TimeLeft {
                    left,
                    increment: Duration::from_millis(increment),
                    moves_to_go,
                    overtime: None,
                };
                let (soft, hard) = bounds(Limits { clock: Some(clock), ..Limits::default() }, 10);
                assert!(soft <= hard && hard.unwrap() + left.min(Duration::from_millis(20)) / 2 <= left);
            }
        }
    }

    #[test]
    fn a_clock_that_loses_time_around_every_move_does_not_run_out() {
        let (increment, lag) = (Duration::from_millis(10), Duration::from_millis(9));
        let mut left = Duration::from_secs(1);
        let stalls = Stalls::default();
        for _ in 0..300 {
            let time = TimeLeft { left, increment, moves_to_go: None, overtime: None };
            let limits = Limits { clock: Some(time), ..Limits::default() };
            let clock = Clock::new(&limits, Instant::now(), Duration::from_millis(10), &stalls);
            left = left.checked_sub(clock.hard.unwrap() + lag).expect("no forfeit") + increment;
        }
    }

    #[test]
    fn a_period_is_overstepped_only_where_another_is_left() {
        let hard = |periods| {
            let time = Duration::from_secs(10);
            let overtime = Some(crate::limits::Overtime { time, moves: 1, periods });
            let clock = Some(TimeLeft { overtime, ..TimeLeft::default() });
            bounds(Limits { clock, ..Limits::default() }, 10).1.unwrap().as_secs()
        };
        assert_eq!((hard(1), hard(2), hard(9)), (9, 19, 19));
    }

    #[test]
    fn a_fixed_time_keeps_the_overhead_back_unless_it_is_short() {
        let hard = |time, overhead| {
            let (soft, hard) = bounds(Limits::move_time(Duration::from_millis(time)), overhead);
            assert_eq!(soft, None);
            hard.unwrap().as_micros()
        };
        assert_eq!([hard(1000, 10), hard(1000, 50), hard(1000, 500)], [985_000, 945_000, 495_000]);
        for (time, overhead) in [(20, 10), (50, 10), (100, 10), (20, 50), (100, 50)] {
            assert_eq!(hard(time, overhead), u128::from(time) * 875);
        }
        assert_eq!(hard(200, 120), 105_000, "seventy milliseconds more than a guess");
    }

    #[test]
    fn the_clock_runs_since_the_search_was_asked_for() {
        let limits = Limits::move_time(Duration::from_secs(10));
        let asked = Instant::now() - Duration::from_secs(9);
        let clock = |asked| Clock::new(&limits, asked, Duration::from_secs(1), &Stalls::default());
        assert!(clock(asked).expired(&Control::default()));
        assert!(!clock(Instant::now()).expired(&Control::default()));
    }

    #[test]
    fn time_pondered_counts() {
        let clock = TimeLeft {
            left: Duration::from_secs(60),
            increment: Duration::ZERO,
            moves_to_go: None,
            overtime: None,
        };
        let limits = Limits { clock: Some(clock), ponder: true, ..Limits::default() };
        let mut clock = Clock::new(&limits, Instant::now(), Duration::ZERO, &Stalls::default());
        let control = Control::new(true, Instant::now());
        clock.started -= Duration::from_secs(30);
        assert!(!clock.expired(&control) && !clock.satisfied(&control, 1.0), "still pondering");
        control.ponder_hit(Instant::now());
        assert!(clock.expired(&control) && clock.satisfied(&control, 1.0));
    }

    #[test]
    fn a_stall_widens_the_reserve() {
        let stalls = Stalls::default();
        let hard = || {
            let limits = Limits::move_time(Duration::from_millis(200));
            Clock::new(&limits, Instant::now(), Duration::ZERO, &stalls).hard.unwrap() + HICCUP
        };
        stalls.note(Duration::from_millis(1));
        assert_eq!(hard(), Duration::from_millis(200), "an ordinary pause");
        stalls.note(Duration::from_millis(30));
        assert_eq!(hard(), Duration::from_millis(170));
    }

    #[test]
    fn a_process_that_was_stopped_for_seconds_soon_thinks_as_long_as_before() {
        let milliseconds = Duration::from_millis;
        let time = |left, increment, overtime: Option<u64>| TimeLeft {
            left: milliseconds(left),
            increment: milliseconds(increment),
            moves_to_go: None,
            overtime: overtime.map(|time| crate::limits::Overtime {
                time: milliseconds(time),
                moves: 1,
                periods: 1,
            }),
        };
        let fixed = [20, 50, 100, 1000].map(|time| Limits::move_time(milliseconds(time)));
        let clocks = [time(60_000, 1000, None), time(500, 50, None), time(0, 0, Some(5000))];
        let clocks = clocks.map(|clock| Limits { clock: Some(clock), ..Limits::default() });
        for limits in fixed.into_iter().chain(clocks) {
            let stalls = Stalls::default();
            let used = || {
                let clock = Clock::new(&limits, Instant::now(), Duration::ZERO, &stalls);
                clock.soft.or(clock.hard).unwrap()
            };
            let before = used();
            // SIGSTOP, three seconds, SIGCONT.
            stalls.note(Duration::from_secs(3));
            let after = [used(), used(), used(), used()];
            assert!(after[0] < before && after[0] >= before / 3, "{limits:?}: {before:?} {after:?}");
            assert!(
                after[2] >= before.mul_f64(0.8) && after[3] == before,
                "{limits:?}: {before:?} {after:?}"
            );
        }
    }

    /// The limits of a clock with so many seconds and no increment.
    fn seconds(left: f64) -> Limits {
        let clock = TimeLeft { left: Duration::from_secs_f64(left), ..TimeLeft::default() };
        Limits { clock: Some(clock), ..Limits::default() }
    }

    /// Plays a move at once on a clock that shows so many seconds; what is held back for delays, in milliseconds.
    fn play(stalls: &Stalls, left: f64) -> u128 {
        Clock::new(&seconds(left), Instant::now(), Duration::ZERO, stalls)
            .answered(&Control::default(), stalls);
        stalls.reserve(Duration::from_secs(100)).as_millis()
    }

    #[test]
    fn what_the_clock_lost_around_a_search_widens_the_reserve() {
        let stalls = Stalls::default();
        let play = |left: f64| play(&stalls, left);
        assert_eq!([play(9.0), play(12.0)], [0, 0], "a clock that gained has no lag");
        assert!((150..=200).contains(&play(11.8)), "200 ms were lost, less what the test itself took");
        assert!((75..=100).contains(&play(5.0)), "another game's clock");
        Clock::new(&seconds(3.0), Instant::now(), Duration::ZERO, &stalls)
            .answered(&Control::new(true, Instant::now()), &stalls);
        assert_eq!(play(2.5), 0, "a clock may stand while we ponder");
    }

    #[test]
    fn one_process_that_plays_both_colours_has_two_clocks() {
        let stalls = Stalls::default();
        let [white, black] = [Side::White, Side::Black].map(|side| stalls.of(side));
        for (left_white, left_black) in [(9.0, 8.5), (9.0, 8.5), (9.0, 8.5)] {
            assert_eq!(play(&white, left_white), 0);
            assert_eq!(play(&black, left_black), 0);
        }
        assert!((250..=300).contains(&play(&white, 8.7)));
    }

    #[test]
    fn pondering_costs_nothing_until_the_hit() {
        let control = Control::new(true, Instant::now());
        let clock = Clock::new(
            &Limits::move_time(Duration::ZERO),
            Instant::now(),
            Duration::ZERO,
            &Stalls::default(),
        );
        assert!(!clock.expired(&control));
        control.ponder_hit(Instant::now());
        assert!(clock.expired(&control));
    }
}
