//! The numbers that the methods of the search are given, whether or not a method is switched on: a number chosen
//! beforehand is in force as soon as its method is.

use search::mcts::{Amaf, Choice, Config, Widening};

use crate::playout::Style;
use crate::policy::Knowledge;
use crate::recipes::Roulette;
use crate::tuning;

/// What AMAF does, without its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lesson {
    Error,
    Off,
    All,
    Rave,
    UctRave,
    Alpha,
    First,
    Cutoff,
}

impl Lesson {
    /// That of a search.
    pub(crate) fn of(amaf: Amaf) -> Lesson {
        match amaf {
            Amaf::Off => Lesson::Off,
            Amaf::All => Lesson::All,
            Amaf::Alpha(_) => Lesson::Alpha,
            Amaf::First(_) => Lesson::First,
            Amaf::Cutoff(_) => Lesson::Cutoff,
            Amaf::Rave(_) => Lesson::Rave,
            Amaf::UctRave(_) => Lesson::UctRave,
            Amaf::MinError(_) => Lesson::Error,
        }
    }
}

/// All numbers; shares and factors are in hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Methods {
    pub(crate) error: u32,
    pub(crate) alpha: u32,
    pub(crate) first_moves: u32,
    pub(crate) cutoff: u64,
    pub(crate) rave: u32,
    pub(crate) equivalence: u32,
    pub(crate) secure: u32,
    pub(crate) widening_after: u32,
    pub(crate) widening_first: usize,
    pub(crate) widening_base: u32,
    pub(crate) widening_growth: u32,
    pub(crate) widening_least: i64,
    /// Its opening is the stones of `opening`, or none.
    pub(crate) wheel: Roulette,
    pub(crate) opening: u32,
    pub(crate) group: usize,
    pub(crate) gives_up: bool,
}

/// A merit that every move has.
pub(crate) const NO_THRESHOLD: i64 = -100_000;

impl Default for Methods {
    fn default() -> Self {
        let Widening { after, first, base, growth, .. } = Widening::default();
        Methods {
            error: tuning::RAVE as u32,
            alpha: hundredths(tuning::ALPHA),
            first_moves: tuning::FIRST_MOVES,
            cutoff: tuning::CUTOFF,
            rave: tuning::RAVE as u32,
            equivalence: tuning::RAVE as u32,
            secure: hundredths(tuning::SECURE),
            widening_after: after,
            widening_first: first,
            widening_base: base as u32,
            widening_growth: hundredths(growth),
            widening_least: NO_THRESHOLD,
            wheel: Roulette::PUBLISHED,
            opening: Roulette::WITH_OPENING.opening,
            group: Config::default().group,
            gives_up: false,
        }
    }
}

impl Methods {
    /// What a search learns by this lesson.
    pub(crate) fn amaf(&self, lesson: Lesson) -> Amaf {
        match lesson {
            Lesson::Off => Amaf::Off,
            Lesson::All => Amaf::All,
            Lesson::Alpha => Amaf::Alpha(part(self.alpha)),
            Lesson::First => Amaf::First(self.first_moves),
            Lesson::Cutoff => Amaf::Cutoff(self.cutoff),
            Lesson::Rave => Amaf::Rave(self.rave as f32),
            Lesson::UctRave => Amaf::UctRave(self.equivalence as f32),
            Lesson::Error => Amaf::MinError(self.error as f32),
        }
    }

    /// How moves are opened.
    pub(crate) fn widening(&self) -> Widening {
        Widening {
            after: self.widening_after,
            first: self.widening_first,
            base: self.widening_base as f32,
            growth: part(self.widening_growth),
            least: self.widening_least as f32 / 100.0,
        }
    }

    /// Gives the methods that are switched on their numbers.
    pub(crate) fn tell(&self, config: &mut Config, knowledge: &mut Knowledge) {
        config.amaf = self.amaf(Lesson::of(config.amaf));
        config.widening = config.widening.map(|_| self.widening());
        if let Choice::Secure(width) = &mut config.choice {
            *width = part(self.secure);
        }
        (config.group, config.gives_up) = (self.group, self.gives_up);
        if let Style::Roulette(wheel) = &mut knowledge.style {
            let opening = if wheel.opening > 0 { self.opening } else { 0 };
            *wheel = Roulette { opening, ..self.wheel };
        }
    }
}

fn hundredths(number: f32) -> u32 {
    (number * 100.0).round() as u32
}

fn part(hundredths: u32) -> f32 {
    hundredths as f32 / 100.0
}
