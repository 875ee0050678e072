//! The rules a user may choose: size, komi, ko, suicide, the way of counting and what handicap stones cost.

use search::options::{Audience, CUSTOM, Options, Rulebook, combo, spin, text};

use crate::point::MAX_SIZE;

/// Lines of the smallest board.
const MIN_SIZE: usize = 2;

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

/// What White is given for Black's handicap stones, in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bonus {
    /// Nothing.
    None,
    /// One for each stone.
    Stones,
    /// One for each stone but the first.
    StonesButOne,
}

impl Bonus {
    /// All of them.
    pub const ALL: [Bonus; 3] = [Bonus::None, Bonus::Stones, Bonus::StonesButOne];

    /// As KataGo spells it, N for the number of stones.
    pub fn name(self) -> &'static str {
        match self {
            Bonus::None => "0",
            Bonus::Stones => "N",
            Bonus::StonesButOne => "N-1",
        }
    }

    /// In points, for so many stones.
    pub fn points(self, stones: usize) -> usize {
        match self {
            Bonus::None => 0,
            Bonus::Stones => stones,
            Bonus::StonesButOne => stones.saturating_sub(1),
        }
    }
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
    /// Whether every stone left on the board at the end counts as alive.
    pub all_alive: bool,
    /// What handicap stones cost.
    pub bonus: Bonus,
}

/// The rule sets by name, as option `Rules` and `kgs-rules` spell them.
pub const NAMES: [&str; 7] = ["chinese", "japanese", "aga", "new_zealand", "tromp-taylor", "cgos", SIMPLE_KO];

/// Those of a fresh engine.
pub const DEFAULT_RULES: &str = NAMES[0];

/// Area scoring that only forbids to retake a ko at once, as older programs play; nobody else has a word for it.
pub const SIMPLE_KO: &str = "simple-ko";

/// Names that others give to rules of ours, both without hyphens and blanks.
const ALIASES: [(&str, &str); 6] = [
    ("chineseogs", "chinese"),
    ("chinesekgs", "chinese"),
    ("korean", "japanese"),
    ("bga", "aga"),
    ("french", "aga"),
    ("nz", "newzealand"),
];

impl Rules {
    /// The same rules on another board; none unless 2 to 25.
    pub fn with_size(self, size: usize) -> Option<Rules> {
        (MIN_SIZE..=MAX_SIZE).contains(&size).then_some(Rules { size: size as u8, ..self })
    }

    /// The same rules with this komi.
    pub fn with_komi(self, komi: Komi) -> Rules {
        Rules { komi, ..self }
    }

    /// The same size and komi under the rule set of this name, ours or another's; case, hyphens, `_` and blanks aside.
    pub fn with_name(self, name: &str) -> Option<Rules> {
        use {Ko::*, Scoring::*};
        let name = name.trim().to_ascii_lowercase().replace(['-', ' ', '_'], "");
        let ours = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name.as_str(), |(_, ours)| ours);
        let (scoring, ko, suicide, bonus) = match ours {
            "chinese" | "cgos" => (Area, Positional, false, Bonus::Stones),
            "japanese" => (Territory, Simple, false, Bonus::None),
            "aga" => (Area, Situational, false, Bonus::StonesButOne),
            "newzealand" => (Area, Situational, true, Bonus::None),
            "tromptaylor" => (Area, Positional, true, Bonus::None),
            "simpleko" => (Area, Simple, false, Bonus::None),
            _ => return None,
        };
        let all_alive = matches!(ours, "cgos" | "tromptaylor");
        Some(Rules { scoring, ko, suicide, all_alive, bonus, ..self })
    }

    /// The name of the rule set, if it is one that has a name.
    pub fn name(&self) -> Option<&'static str> {
        NAMES.into_iter().find(|name| self.with_name(name) == Some(*self))
    }

    /// Whose eyes are no points, as KataGo spells it: where territory counts, those of stones in seki.
    pub fn tax(&self) -> &'static str {
        match self.scoring {
            Scoring::Area => "NONE",
            Scoring::Territory => "SEKI",
        }
    }

    /// All rules of this size and komi, with a name and without.
    pub fn mixtures(self) -> impl Iterator<Item = Rules> {
        let mut all = Vec::new();
        for ko in [Ko::Simple, Ko::Positional, Ko::Situational] {
            for scoring in [Scoring::Area, Scoring::Territory] {
                for (suicide, all_alive) in [(false, false), (false, true), (true, false), (true, true)] {
                    let of = |bonus| Rules { ko, scoring, suicide, all_alive, bonus, ..self };
                    all.extend(Bonus::ALL.map(of));
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

impl Rulebook for Rules {
    fn rows() -> Options<Rules> {
        let usual = Rules::default();
        vec![
            combo("Rules", "counting, ko and suicide", &NAMES).by(
                |rules: &Rules| rules.name().unwrap_or(CUSTOM),
                |rules, name| *rules = rules.with_name(name).expect("every choice is a rule set"),
            ),
            spin("BoardSize", "lines of the board", usual.size(), MIN_SIZE..=MAX_SIZE)
                .by(Rules::size, |rules, size| rules.size = size as u8),
            text("Komi", "points for White, who moves second", "7.5")
                .by(
                    |rules: &Rules| rules.komi.points().to_string(),
                    |rules, text| {
                        let komi = text.parse().ok().and_then(Komi::new);
                        rules.komi = komi.ok_or_else(|| format!("'{text}' is not a number of points"))?;
                        Ok(())
                    },
                )
                .meant_for(Audience::Player),
        ]
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
            bonus: Bonus::Stones,
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
    fn names_of_others_are_known() {
        let name = |text: &str| Rules::default().with_name(text).and_then(|rules| rules.name());
        for text in ["New Zealand", "NZ", " new-zealand ", "NewZealand"] {
            assert_eq!(name(text), Some("new_zealand"), "{text}");
        }
        assert_eq!((name("Korean"), name("Chinese-OGS")), (Some("japanese"), Some("chinese")));
        assert_eq!((name("TrompTaylor"), name("French")), (Some("tromp-taylor"), Some("aga")));
    }

    #[test]
    fn a_handicap_costs_what_the_rules_say() {
        let points = NAMES.map(|name| Rules::default().with_name(name).unwrap().bonus.points(4));
        assert_eq!(points, [4, 0, 3, 0, 0, 4, 0]);
        assert!(Bonus::ALL.iter().all(|bonus| bonus.points(0) == 0));
    }

    #[test]
    fn dead_stones_stay_where_the_rules_know_none() {
        let all_alive = NAMES.map(|name| Rules::default().with_name(name).unwrap().all_alive);
        assert_eq!(all_alive, [false, false, false, false, true, true, false]);
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
