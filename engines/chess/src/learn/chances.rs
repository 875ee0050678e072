//! What a value says about the result: chances of win, draw and loss, learned from our own games.
//!
//! Two numbers make the curve: the value at which a win is as likely as not, and how fast chances change with
//! the value. The first is also the unit shown to users: a hundred points win one game in two.

use ::search::Score;
use ::search::learn::logistic::sigmoid;

use super::Example;
use crate::tuning;

/// Values are counted in steps of this many hundredths of a pawn, up to `STEPS` of them on either side.
const STEP: i32 = 10;
const STEPS: i32 = 200;

/// The chances that belong to a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// The value at which a win is as likely as not.
    pub even: f64,
    /// The change of the value that multiplies the odds by e.
    pub spread: f64,
}

impl Curve {
    /// The chances of win and loss of the side whose value it is.
    fn parts(self, value: f64) -> [f64; 2] {
        [value, -value].map(|value| sigmoid((value - self.even) / self.spread))
    }

    /// The curve that makes the results of the records most likely, by trying smaller and smaller steps.
    pub fn of(records: &[Example]) -> Curve {
        let counts = count(records);
        let mut best = Curve { even: 150.0, spread: 100.0 };
        let mut least = best.surprise(&counts);
        let mut step = 1.5;
        while step > 1.0005 {
            let tries = [(step, 1.0), (1.0 / step, 1.0), (1.0, step), (1.0, 1.0 / step)];
            let found =
                tries.map(|(even, spread)| Curve { even: best.even * even, spread: best.spread * spread });
            let better = found.into_iter().map(|curve| (curve, curve.surprise(&counts)));
            match better.filter(|(_, value)| *value < least).min_by(|a, b| a.1.total_cmp(&b.1)) {
                Some((curve, value)) => (best, least) = (curve, value),
                None => step = step.sqrt(),
            }
        }
        best
    }

    /// The mean surprise at the counted results.
    fn surprise(self, counts: &[[u64; 3]]) -> f64 {
        let (mut sum, mut all) = (0.0, 0);
        for (i, results) in counts.iter().enumerate() {
            let [win, loss] = self.parts(f64::from((i as i32 - STEPS) * STEP));
            for (chance, &n) in [win, 1.0 - win - loss, loss].into_iter().zip(results) {
                sum -= n as f64 * libm::log(chance.max(1e-9));
                all += n;
            }
        }
        sum / all.max(1) as f64
    }

    /// Reads the two numbers of a file, `even N` and `spread N`; `#` for remarks.
    pub fn read(text: &str) -> Result<Curve, String> {
        let find = |name: &str| -> Result<f64, String> {
            let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            let value = value.ok_or_else(|| format!("{name} is missing"))?;
            let number = value.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
            number.ok_or_else(|| format!("{name}: '{value}' is not a number above 0"))
        };
        Ok(Curve { even: find("even")?, spread: find("spread")? })
    }

    /// The text form.
    pub fn write(self) -> String {
        format!("even {:.1}\nspread {:.1}\n", self.even, self.spread)
    }
}

/// Wins, draws and losses by value, both from the side to move.
fn count(records: &[Example]) -> Vec<[u64; 3]> {
    use ::search::{Game, Side};
    let mut counts = vec![[0; 3]; 2 * STEPS as usize + 1];
    for record in records {
        let white = record.position.turn() == Side::White;
        let score = if white { record.score } else { -record.score };
        let points = if white { record.result } else { 1.0 - record.result };
        let slot = (score as f64 / f64::from(STEP)).round() as i32;
        counts[(slot.clamp(-STEPS, STEPS) + STEPS) as usize][(2.0 - 2.0 * points) as usize] += 1;
    }
    counts
}

/// The chances of win, draw and loss, per mille, at a value as users see it.
pub fn chances(score: Score) -> [u32; 3] {
    if let Some(plies) = score.plies_to_end() {
        return if plies > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let curve = tuning::curve();
    let [win, loss] =
        curve.parts(f64::from(score.0) * curve.even / 100.0).map(|part| (1000.0 * part).round() as u32);
    [win, 1000 - win.min(1000 - loss) - loss, loss]
}

/// A value of the search in the unit that users see: at a hundred a win is as likely as not.
pub fn shown(score: Score) -> Score {
    if score.0.abs() > Score::OPINION.0 {
        return score;
    }
    Score((f64::from(score.0) * 100.0 / tuning::curve().even).round() as i32).opinion()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use ::search::{Game, Random};

    #[test]
    fn chances_add_up_and_grow_with_the_value() {
        for value in [-30_000, -900, -50, 0, 50, 900, 30_000] {
            assert_eq!(chances(Score(value)).iter().sum::<u32>(), 1000);
        }
        assert_eq!(chances(Score(0))[0], chances(Score(0))[2]);
        assert_eq!(chances(Score(100))[0], 500);
        assert!(chances(Score(200))[0] > chances(Score(100))[0]);
        assert_eq!(chances(Score::win_in(3)), [1000, 0, 0]);
        assert_eq!(shown(Score::win_in(3)), Score::win_in(3));
    }

    #[test]
    fn the_curve_of_known_games_is_found() {
        let truth = Curve { even: 120.0, spread: 70.0 };
        let position = Position::start(&crate::Rules::default());
        let mut random = Random::new(4);
        let records: Vec<Example> = (0..40_000)
            .map(|_| {
                let score = random.below(800) as i32 - 400;
                let [win, loss] = truth.parts(f64::from(score));
                let drawn = f64::from(random.unit());
                let result = if drawn < win {
                    1.0
                } else if drawn < win + loss {
                    0.0
                } else {
                    0.5
                };
                Example { position, result, score }
            })
            .collect();
        let found = Curve::of(&records);
        assert!((found.even - truth.even).abs() < 6.0, "{found:?}");
        assert!((found.spread - truth.spread).abs() < 6.0, "{found:?}");
        let again = Curve::read(&found.write()).unwrap();
        assert!((again.even - found.even).abs() < 0.06);
        assert_eq!(Curve::read("even 3").unwrap_err(), "spread is missing");
        assert!(Curve::read("even x\nspread 3").unwrap_err().contains("'x'"));
    }
}
