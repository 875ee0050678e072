//! Many numbers moved at once by matches: each pair of games is played between two settings on either side of the
//! present one, and all numbers go a little towards the winner's.
//!
//! Simultaneous perturbation stochastic approximation (Spall, 1992). Steps and distances shrink as OpenBench has it, whose
//! table of numbers is also read and written here.

use std::fmt::{self, Display, Formatter};

use crate::Random;
use crate::tunable::Tunable;

/// How fast steps and distances shrink with the pairs played, and for what part of all pairs the steps hardly do.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const STEADY: f64 = 0.1;
/// The distance at the end unless told otherwise, as a part of the range, and the rate.
const REACH: f64 = 1.0 / 20.0;
const RATE: f64 = 0.002;

/// A number on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// As its table spells it.
    pub name: String,
    /// Where it is now.
    pub value: f64,
    /// The least it may be.
    pub least: i32,
    /// The most.
    pub most: i32,
    /// How far from it the two settings are at the end.
    pub reach: f64,
    /// How far a pair moves it at the end, as a part of the square of that.
    pub rate: f64,
}

impl Part {
    /// A number that starts at its default.
    pub fn of<N>(row: &Tunable<N>) -> Self {
        let (least, most) = (*row.range.start(), *row.range.end());
        let reach = (f64::from(most - least) * REACH).max(0.5);
        Part { name: row.name.to_owned(), value: row.default.into(), least, most, reach, rate: RATE }
    }

    /// A line of the table: name, `int` or `float`, value, least, most, distance and rate at the end.
    pub fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split(',').map(str::trim).collect();
        let &[name, "int" | "float", value, least, most, reach, rate] = &words[..] else { return None };
        let number = |word: &str| word.parse().ok().filter(|number: &f64| number.is_finite());
        let [value, reach, rate] = [number(value)?, number(reach)?, number(rate)?];
        let [least, most] = [number(least)? as i32, number(most)? as i32];
        let makes_sense = least <= most && reach > 0.0 && rate > 0.0;
        let value = value.clamp(least.into(), f64::from(most).max(least.into()));
        makes_sense.then(|| Part { name: name.to_owned(), value, least, most, reach, rate })
    }

    /// The whole number it stands for.
    pub fn whole(&self) -> i32 {
        self.value.round() as i32
    }
}

impl Display for Part {
    /// As [`read`](Part::read) wants it.
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let Part { name, value, least, most, reach, rate } = self;
        let kind = if value.fract() == 0.0 { "int" } else { "float" };
        write!(f, "{name}, {kind}, {value}, {least}, {most}, {reach}, {rate}")
    }
}

/// Numbers on their way.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    /// The numbers.
    pub parts: Vec<Part>,
    /// Pairs of games in all.
    pub pairs: u64,
    /// Pairs that have counted.
    pub done: u64,
    /// Of the directions.
    pub seed: u64,
}

/// The two settings of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// For each number which way the first setting lies.
    signs: Vec<f64>,
    /// The first setting and the second, in the order of the numbers.
    pub settings: [Vec<i32>; 2],
}

impl Spsa {
    /// The settings of a pair, the same whenever it is asked for while the numbers stay.
    pub fn ask(&self, pair: u64) -> Question {
        let mut random = Random::new(self.seed ^ crate::zobrist::mix(pair));
        let shrunk = libm::pow(self.pairs as f64 / (pair + 1) as f64, GAMMA);
        let mut question = Question { signs: Vec::new(), settings: [Vec::new(), Vec::new()] };
        for part in &self.parts {
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            // Rounded by lot, so that a distance below 1 counts for what it is.
            let lot = f64::from(random.unit());
            for (settings, way) in question.settings.iter_mut().zip([sign, -sign]) {
                let value = part.value + way * part.reach * shrunk;
                settings.push(((value + lot).floor() as i32).clamp(part.least, part.most));
            }
            question.signs.push(sign);
        }
        question
    }

    /// Learns the result of the next pair: points won by the first setting less points won by the second, -2 to 2.
    pub fn tell(&mut self, question: &Question, result: i32) {
        let steady = STEADY * self.pairs as f64;
        let (all, now) = (self.pairs as f64, (self.done + 1) as f64);
        let slowed = libm::pow((steady + all) / (steady + now), ALPHA);
        let shrunk = libm::pow(all / now, GAMMA);
        for (part, sign) in self.parts.iter_mut().zip(&question.signs) {
            // The rate belongs to the square of the distance; divided by the distance it is a step.
            let step = part.rate * part.reach * slowed / shrunk;
            let value = part.value + step * f64::from(result) * sign;
            part.value = value.clamp(part.least.into(), part.most.into());
        }
        self.done += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str, value: f64) -> Part {
        Part { name: name.to_owned(), value, least: 0, most: 100, reach: 4.0, rate: 0.02 }
    }

    #[test]
    fn numbers_go_where_games_are_won() {
        let parts = vec![part("up", 20.0), part("down", 80.0), part("idle", 50.0)];
        let mut spsa = Spsa { parts, pairs: 4000, done: 0, seed: 1 };
        let mut random = Random::new(2);
        for pair in 0..4000 {
            let question = spsa.ask(pair);
            // Best are 60 and 40; the third does not matter.
            let [first, second] = [0, 1].map(|i| {
                let setting = &question.settings[i];
                -f64::from((setting[0] - 60).pow(2) + (setting[1] - 40).pow(2))
            });
            let noise = 2000.0 * f64::from(random.unit() - 0.5);
            spsa.tell(&question, if first + noise > second { 1 } else { -1 });
        }
        let [up, down, idle] = [0, 1, 2].map(|i| spsa.parts[i].value);
        assert!((up - 60.0).abs() < 8.0 && (down - 40.0).abs() < 8.0, "{up} {down}");
        assert!((idle - 50.0).abs() < 15.0, "{idle}");
    }

    #[test]
    fn a_pair_asks_the_same_again_and_stays_within_bounds() {
        let parts = vec![part("low", 1.0), part("high", 99.0)];
        let spsa = Spsa { parts, pairs: 100, done: 0, seed: 7 };
        assert_eq!(spsa.ask(3), spsa.ask(3));
        assert!((0..100).any(|pair| spsa.ask(pair).signs != spsa.ask(3).signs));
        for pair in 0..100 {
            assert!(spsa.ask(pair).settings.iter().flatten().all(|value| (0..=100).contains(value)));
        }
    }

    #[test]
    fn a_line_is_read_as_it_is_written() {
        for value in [20.0, 33.25] {
            let part = part("razor_base", value);
            assert_eq!(Part::read(&part.to_string()), Some(part));
        }
        let line = "lmr, int, 90, 10, 200, 8.5, 0.002";
        assert_eq!(Part::read(line).unwrap().to_string(), line);
        for line in [
            "",
            "a, int, 1, 2",
            "a, int, x, 0, 9, 1, 0.1",
            "a, int, 1, 9, 0, 1, 0.1",
            "a, int, 1, 0, 9, 0, 1",
        ] {
            assert_eq!(Part::read(line), None, "{line}");
        }
    }
}
