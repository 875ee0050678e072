//! Measured values with their 95 % intervals, and how people read them.

use std::fmt;

use crate::matches::statistics::{QUANTILE_95, Tally};

/// A value and the interval that holds the true one in 95 of 100 experiments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The best guess.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// A value without doubt.
    pub fn exact(value: f64) -> Estimate {
        Estimate { value, low: value, high: value }
    }

    /// A value with the deviation of its error.
    pub fn spread(value: f64, deviation: f64) -> Estimate {
        let half = QUANTILE_95 * deviation;
        Estimate { value, low: value - half, high: value + half }
    }

    /// The mean of independent samples; none without any. One alone is what it is.
    pub fn mean(samples: &[f64]) -> Option<Estimate> {
        let ones = vec![1.0; samples.len()];
        Estimate::ratio(samples, &ones)
    }

    /// The ratio of the sums of pairs of samples, with the error that the pairs' spread about it implies.
    pub fn ratio(upper: &[f64], lower: &[f64]) -> Option<Estimate> {
        let n = upper.len() as f64;
        let (above, below) = (upper.iter().sum::<f64>(), lower.iter().sum::<f64>());
        if below == 0.0 || n == 0.0 {
            return None;
        }
        let ratio = above / below;
        let squares: f64 = upper.iter().zip(lower).map(|(a, b)| (a - ratio * b).powi(2)).sum();
        let variance = if n > 1.0 { squares * n / (n - 1.0) } else { 0.0 };
        Some(Estimate::spread(ratio, student(n - 1.0) * variance.sqrt() / below.abs()))
    }

    /// A published mean of `theirs` random samples, if these scatter as the `ours` samples behind this one do.
    pub fn published(&self, value: f64, ours: usize, theirs: usize) -> Estimate {
        let half = self.half_width() * (ours as f64 / theirs as f64).sqrt();
        Estimate { value, low: value - half, high: value + half }
    }

    /// The points a game of games won, drawn and lost.
    pub fn score(tally: &Tally) -> Option<Estimate> {
        let (low, high) = tally.interval();
        (tally.games() > 0).then(|| Estimate { value: tally.score(), low, high })
    }

    /// How much larger it is than another one that was measured independently: Newcombe's interval, which for scores
    /// keeps what Wilson's knows of their ends.
    pub fn minus(self, other: Estimate) -> Estimate {
        let value = self.value - other.value;
        let low = value - (self.value - self.low).hypot(other.high - other.value);
        let high = value + (self.high - self.value).hypot(other.value - other.low);
        Estimate { value, low, high }
    }

    /// The same with another unit, such as percent.
    pub fn times(self, factor: f64) -> Estimate {
        Estimate { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }

    /// Half of the interval's width.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// How much wider an interval is that has its deviation from few samples: Student's distribution, to the first order.
fn student(freedom: f64) -> f64 {
    1.0 + (QUANTILE_95 * QUANTILE_95 + 1.0) / (4.0 * freedom.max(1.0))
}

/// The value alone where it is without doubt.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Estimate { value, low, high } = *self;
        let digits = decimals(value, self.half_width());
        write!(f, "{}", fixed(value, digits))?;
        if low == high { Ok(()) } else { write!(f, " ({} to {})", fixed(low, digits), fixed(high, digits)) }
    }
}

/// A number as people read it: whole where it is large, thousands apart.
pub fn number(value: f64) -> String {
    let text = fixed(value, decimals(value, 0.0));
    if text.contains('.') { text.trim_end_matches('0').to_owned() } else { text }
}

/// Digits behind the point that mean something, given half the width of the interval.
fn decimals(value: f64, half: f64) -> usize {
    let is_whole = half == 0.0 && value == value.round();
    let least = if half > 0.0 { half } else { value.abs() / 1000.0 };
    match least {
        _ if is_whole || value.abs() >= 10_000.0 => 0,
        least if least >= 1.0 => 0,
        least if least > 0.0 => (-least.log10().floor()).clamp(0.0, 5.0) as usize,
        _ => 0,
    }
}

/// A number with so many digits behind the point and its thousands apart.
fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut out = String::new();
    for (i, digit) in whole.chars().enumerate() {
        // Four digits need no help.
        if i > 0 && (whole.len() - i) % 3 == 0 && whole.len() > 4 {
            out.push(' ');
        }
        out.push(digit);
    }
    let is_negative = value < 0.0 && text.chars().any(|c| ('1'..='9').contains(&c));
    format!("{}{out}{rest}", if is_negative { "-" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        let written = [423_307.0, 1510.0, 5.345, 0.25, -12.5, 1e6, 0.0].map(number);
        assert_eq!(written, ["423 307", "1510", "5.345", "0.25", "-12.5", "1 000 000", "0"]);
        assert_eq!(Estimate::exact(27_492.0).to_string(), "27 492");
        assert_eq!(Estimate::spread(0.5, 0.01).to_string(), "0.50 (0.48 to 0.52)");
        assert_eq!(Estimate::spread(5.3451, 0.000_5).to_string(), "5.3451 (5.3441 to 5.3461)");
    }

    #[test]
    fn a_mean_has_the_error_of_its_samples() {
        let mean = Estimate::mean(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert!((mean.value - 2.5).abs() < 1e-12);
        // The samples' variance is 5/3.
        // Student's 97.5 % quantile for three degrees of freedom is 3.18, to the first order 2.75.
        let half = 2.7508 * (5.0 / 3.0 / 4.0f64).sqrt();
        assert!((mean.half_width() - half).abs() < 1e-3);
        assert_eq!(Estimate::mean(&[]), None);
        assert_eq!(Estimate::mean(&[7.0]), Some(Estimate::exact(7.0)));
    }

    #[test]
    fn a_difference_is_less_certain_than_what_it_is_made_of() {
        let score = |wins, losses| Estimate::score(&Tally { wins, draws: 0, losses }).unwrap();
        // Newcombe's own example: 56 of 70 and 48 of 80.
        let difference = score(56, 14).minus(score(48, 32));
        assert!((difference.value - 0.2).abs() < 1e-9);
        assert!(
            (difference.low - 0.0524).abs() < 1e-3 && (difference.high - 0.3339).abs() < 1e-3,
            "{difference}"
        );
    }

    #[test]
    fn pairs_that_agree_make_a_ratio_certain() {
        let ratio = Estimate::ratio(&[2.0, 20.0, 6.0], &[1.0, 10.0, 3.0]).unwrap();
        assert!((ratio.value - 2.0).abs() < 1e-12 && ratio.half_width() < 1e-9);
        let loose = Estimate::ratio(&[2.0, 20.0, 6.0], &[3.0, 8.0, 3.0]).unwrap();
        assert!(loose.low < 2.0 && loose.high > 2.0);
        assert_eq!(Estimate::ratio(&[1.0], &[0.0]), None);
    }
}
