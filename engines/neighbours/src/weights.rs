//! Linear value functions over the features: which terms, and what each is worth in hundredths of a piece.
//!
//! A weight file has one `name value` pair a line; `#` opens a comment; the first line that is not one
//! names the set: `set set2`.

use std::fmt;

use search::learn::{Cross, Terms};

use crate::features::{Features, NAMES};

const THREATS_ME: usize = 15;
const THREATS_OTHER: usize = 16;
/// Features that stand alone in every set; threats occur only in products.
const BASIC: usize = 15;

/// Which products join the fifteen basic terms (tables 4.2 to 4.4 of Skoulakis's thesis).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Set {
    /// None: 15 terms.
    #[default]
    Basic,
    /// Threats: 17 terms.
    One,
    /// Threats, lone pieces and enemy neighbours: 21 terms.
    Two,
    /// Threats, pairs and chain ends: 21 terms.
    Three,
}

impl Set {
    /// All sets with their names in weight files and options.
    pub const ALL: [(Set, &'static str); 4] =
        [(Set::Basic, "basic"), (Set::One, "set1"), (Set::Two, "set2"), (Set::Three, "set3")];

    /// As weight files and options spell it.
    pub fn name(self) -> &'static str {
        Set::ALL[self as usize].1
    }

    fn products(self) -> &'static [Cross] {
        match self {
            Set::Basic => &[],
            Set::One => &[Cross(THREATS_ME, 1), Cross(THREATS_OTHER, 0)],
            Set::Two => &[
                Cross(THREATS_ME, 1),
                Cross(THREATS_OTHER, 0),
                Cross(4, 2),
                Cross(5, 3),
                Cross(12, 1),
                Cross(13, 0),
            ],
            Set::Three => &[
                Cross(THREATS_ME, 1),
                Cross(THREATS_OTHER, 0),
                Cross(7, 1),
                Cross(6, 0),
                Cross(9, 1),
                Cross(8, 0),
            ],
        }
    }

    /// The terms with their names.
    pub fn terms(self) -> Terms {
        Terms { features: &NAMES, alone: BASIC, products: self.products() }
    }
}

/// A weight for every term of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    set: Set,
    values: Vec<f32>,
}

/// Why a text is not a weight file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsError {
    line: usize,
    why: String,
}

impl WeightsError {
    /// Refuses a line, or the whole text for line 0.
    pub(crate) fn new(line: usize, why: String) -> WeightsError {
        WeightsError { line, why }
    }
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 { f.write_str(&self.why) } else { write!(f, "line {}: {}", self.line, self.why) }
    }
}

impl std::error::Error for WeightsError {}

impl Weights {
    /// Weights for a set; none unless there is one finite value for each of its terms.
    pub fn new(set: Set, values: &[f32]) -> Option<Weights> {
        let fits = values.len() == set.terms().count() && values.iter().all(|v| v.is_finite());
        fits.then(|| Weights { set, values: values.to_vec() })
    }

    /// No opinion at all.
    pub fn zero(set: Set) -> Weights {
        Weights { set, values: vec![0.0; set.terms().count()] }
    }

    /// The terms they belong to.
    pub fn set(&self) -> Set {
        self.set
    }

    /// The weights, in the order of [`Terms::names`].
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The weighted sum, in hundredths of a piece from the player whose features these are.
    pub fn score(&self, features: &Features) -> f32 {
        let values = self.set.terms().values(features);
        values.zip(&self.values).fold(0.0, |sum, (value, weight)| sum + value * weight)
    }

    /// Reads a weight file of one of Skoulakis's sets.
    pub fn read(text: &str) -> Result<Weights, WeightsError> {
        let fail = WeightsError::new;
        let set = set_name(text)?;
        let set = Set::ALL
            .iter()
            .find(|(_, known)| *known == set.0)
            .map(|&(set, _)| set)
            .ok_or_else(|| fail(set.1, format!("no set of terms is called '{}'", set.0)))?;
        let names = set.terms().names();
        let mut values = vec![None; names.len()];
        for (line, n) in lines(text).skip(1) {
            let (name, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let index = names.iter().position(|known| known == name);
            let index =
                index.ok_or_else(|| fail(n, format!("no term of {} is called '{name}'", set.name())))?;
            let value = value.trim().parse::<f32>().ok().filter(|v| v.is_finite());
            let value = value.ok_or_else(|| fail(n, format!("'{line}' has no finite weight")))?;
            if values[index].replace(value).is_some() {
                return Err(fail(n, format!("'{name}' appears twice")));
            }
        }
        let missing = names.iter().zip(&values).find(|(_, value)| value.is_none());
        if let Some((name, _)) = missing {
            return Err(fail(0, format!("the weight of '{name}' is missing")));
        }
        Ok(Weights { set, values: values.into_iter().flatten().collect() })
    }
}

/// The lines of a weight file that say something, with their numbers.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (&str, usize)> {
    text.lines()
        .zip(1..)
        .map(|(line, n)| (line.split('#').next().unwrap_or("").trim(), n))
        .filter(|line| !line.0.is_empty())
}

/// The set that the first line of a weight file names, and the number of that line.
pub(crate) fn set_name(text: &str) -> Result<(&str, usize), WeightsError> {
    let (first, n) =
        lines(text).next().ok_or_else(|| WeightsError::new(0, "the file is empty".to_owned()))?;
    let named = first.strip_prefix("set ").map(|name| (name.trim(), n));
    named.ok_or_else(|| WeightsError::new(n, format!("'{first}' does not name a set such as 'set basic'")))
}

impl fmt::Display for Weights {
    /// As a weight file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "set {}", self.set.name())?;
        self.set
            .terms()
            .names()
            .iter()
            .zip(&self.values)
            .try_for_each(|(name, value)| writeln!(f, "{name} {value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sets_have_15_17_21_and_21_terms() {
        let terms: Vec<usize> = Set::ALL.iter().map(|(set, _)| set.terms().count()).collect();
        assert_eq!(terms, [15, 17, 21, 21]);
        assert_eq!(Set::One.terms().names()[15], "threatsForMe*(1-piecesForOther)");
    }

    #[test]
    fn a_file_is_read_back_as_written() {
        let values: Vec<f32> = (0..21).map(|i| i as f32 / 7.0 - 1.0).collect();
        let weights = Weights::new(Set::Two, &values).unwrap();
        assert_eq!(Weights::read(&format!("# by hand\n{weights}")), Ok(weights));
    }

    #[test]
    fn bad_files_are_refused_by_line() {
        let why = |text: &str| Weights::read(text).unwrap_err().to_string();
        let basic = Weights::new(Set::Basic, &[1.0; 15]).unwrap().to_string();
        assert_eq!(why(""), "the file is empty");
        assert_eq!(why("sett basic"), "line 1: 'sett basic' does not name a set such as 'set basic'");
        assert_eq!(why("# ours\nset 9"), "line 2: no set of terms is called '9'");
        assert_eq!(why("set basic\n\nqueens 9"), "line 3: no term of basic is called 'queens'");
        assert_eq!(why("set basic\npiecesForMe NaN"), "line 2: 'piecesForMe NaN' has no finite weight");
        assert_eq!(why("set basic\npiecesForMe"), "line 2: 'piecesForMe' has no finite weight");
        assert_eq!(why(&format!("{basic}piecesForMe 3")), "line 17: 'piecesForMe' appears twice");
        assert_eq!(why("set basic\npiecesForMe 1"), "the weight of 'piecesForOther' is missing");
    }
}
