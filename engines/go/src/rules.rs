//! The rules a user may choose: size, komi, ko, suicide and the way of counting.

/// What a repetition of the board means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ko {
    /// A single stone that took a single stone may not be retaken at once.
    Simple,
    /// No earlier board may recur.
    Positional,
    /// No earlier board may recur with the same side to move.
    Situational,
}

/// How a finished game is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// Living stones and surrounded points.
    Area,
    /// Surrounded points and prisoners.
    Territory,
}

/// What White is given for moving second, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Komi(f64);

impl Komi {
    /// Nothing.
    pub const ZERO: Komi = Komi(0.0);
    /// More would drown the points of any board.
    const MOST: f64 = 10_000.0;

    /// A number of points up to 10 000 either way; none for what is more or no number.
    pub fn new(points: f64) -> Option<Komi> {
        // The sum takes the sign off a zero.
        (points.abs() <= Komi::MOST).then_some(Komi(points + 0.0))
    }

    /// In points.
    pub fn points(self) -> f64 {
        self.0
    }
}

// A komi is never NaN.
impl Eq for Komi {}

/// Points to the thousandth: a komi in fractions of a point leaves dust behind.
pub fn rounded(points: f64) -> f64 {
    (points * 1000.0).round() / 1000.0
}

/// Everything a user may choose before a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    size: u8,
    /// Points for White.
    pub komi: Komi,
    /// The rule of repetition.
    pub ko: Ko,
    /// Whether a move may take its own chain off the board.
    pub suicide: bool,
    /// The way of counting.
    pub scoring: Scoring,
    /// Whether every stone left on the board at the end counts as alive, as CGOS has it.
    pub all_alive: bool,
}

/// The rule sets by name, as option `Rules` and `kgs-rules` spell them.
pub const NAMES: [&str; 6] = ["chinese", "japanese", "aga", "new_zealand", "tromp-taylor", "cgos"];

impl Rules {
    /// The same rules on another board; none unless 2 to 25.
    pub fn with_size(self, size: usize) -> Option<Rules> {
        (2..=crate::point::MAX_SIZE).contains(&size).then_some(Rules { size: size as u8, ..self })
    }

    /// The same rules with this komi.
    pub fn with_komi(self, komi: Komi) -> Rules {
        Rules { komi, ..self }
    }

    /// The same size and komi under the rule set of this name, case and hyphens aside.
    pub fn with_name(self, name: &str) -> Option<Rules> {
        use {Ko::*, Scoring::*};
        let (scoring, ko, suicide) = match name.to_ascii_lowercase().replace('-', "_").as_str() {
            "chinese" | "cgos" => (Area, Positional, false),
            "japanese" => (Territory, Simple, false),
            "aga" => (Area, Situational, false),
            "new_zealand" => (Area, Situational, true),
            "tromp_taylor" => (Area, Positional, true),
            _ => return None,
        };
        let all_alive = name.eq_ignore_ascii_case("cgos");
        Some(Rules { scoring, ko, suicide, all_alive, ..self })
    }

    /// The name of the rule set, if it is one that has a name.
    pub fn name(&self) -> Option<&'static str> {
        NAMES.into_iter().find(|name| self.with_name(name) == Some(*self))
    }

    /// All rules of this size and komi, with a name and without.
    pub fn mixtures(self) -> impl Iterator<Item = Rules> {
        let mut all = Vec::new();
        for ko in [Ko::Simple, Ko::Positional, Ko::Situational] {
            for scoring in [Scoring::Area, Scoring::Territory] {
                for (suicide, all_alive) in [(false, false), (false, true), (true, false), (true, true)] {
                    all.push(Rules { ko, scoring, suicide, all_alive, ..self });
                }
            }
        }
        all.into_iter()
    }

    /// Rows and columns.
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// The number of points.
    pub fn area(&self) -> usize {
        self.size() * self.size()
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            size: 19,
            komi: Komi(7.5),
            ko: Ko::Positional,
            suicide: false,
            scoring: Scoring::Area,
            all_alive: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_comes_back() {
        for name in NAMES {
            assert_eq!(Rules::default().with_name(name).unwrap().name(), Some(name));
        }
        assert_eq!(Rules::default().name(), Some("chinese"));
        assert_eq!(Rules::default().with_name("New-Zealand").unwrap().name(), Some("new_zealand"));
        assert_eq!(Rules::default().with_name("ing"), None);
    }

    #[test]
    fn a_komi_is_a_number_of_points_that_a_game_can_have() {
        assert!(
            [1e308, -10_001.0, f64::INFINITY, f64::NAN].iter().all(|&points| Komi::new(points).is_none())
        );
        assert!([10_000.0, -10_000.0, 6.5].iter().all(|&points| Komi::new(points).is_some()));
        assert_eq!(Komi::new(-0.0).unwrap().points().to_string(), "0");
    }

    #[test]
    fn rounded_points_have_no_dust() {
        assert_eq!([9.0 - 6.1, -0.1 - 0.2, 7.125].map(rounded), [2.9, -0.3, 7.125]);
    }

    #[test]
    fn sizes_outside_2_to_25_are_refused() {
        assert!([0, 1, 26, 1000].iter().all(|&size| Rules::default().with_size(size).is_none()));
        assert!([2, 25].iter().all(|&size| Rules::default().with_size(size).is_some()));
    }
}
