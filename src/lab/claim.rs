//! What a source claims, and what our intervals say about it.

use super::estimate::{Estimate, number};

/// What a measurement says about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The interval lies where the source says.
    Confirmed,
    /// It lies elsewhere.
    Contradicted,
    /// It is too wide to tell.
    Noise,
    /// It was not measured, or not the same thing was.
    Incomparable,
}

impl Verdict {
    fn words(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Contradicted => "contradicted",
            Verdict::Noise => "within noise",
            Verdict::Incomparable => "cannot be compared",
        }
    }
}

/// Values that agree in all but this part of them count as the same; where the interval is wider, nothing is said.
const SAME: f64 = 0.1;

/// A statement of the source, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    what: String,
    verdict: Verdict,
    reason: String,
}

impl Claim {
    /// The source has this value, itself measured with some error.
    pub fn equal(what: impl Into<String>, ours: Option<Estimate>, published: Estimate) -> Claim {
        let judge = |ours: Estimate| match () {
            () if ours.low > published.high || ours.high < published.low => Verdict::Contradicted,
            () if ours.half_width() > SAME * published.value.abs() => Verdict::Noise,
            () => Verdict::Confirmed,
        };
        Claim::judged(what, ours, &format!("published {published}"), judge)
    }

    /// The source says that a value is above this one.
    pub fn above(what: impl Into<String>, ours: Option<Estimate>, bound: f64) -> Claim {
        let judge = |ours: Estimate| match () {
            () if ours.low > bound => Verdict::Confirmed,
            () if ours.high <= bound => Verdict::Contradicted,
            () => Verdict::Noise,
        };
        Claim::judged(what, ours, &format!("claimed above {}", number(bound)), judge)
    }

    /// The source says that a value is below this one.
    pub fn below(what: impl Into<String>, ours: Option<Estimate>, bound: f64) -> Claim {
        let judge = |ours: Estimate| match () {
            () if ours.high < bound => Verdict::Confirmed,
            () if ours.low >= bound => Verdict::Contradicted,
            () => Verdict::Noise,
        };
        Claim::judged(what, ours, &format!("claimed below {}", number(bound)), judge)
    }

    /// What the source counted is counted again: whether all of so many agree.
    pub fn all(what: impl Into<String>, agreeing: usize, of: usize) -> Claim {
        let verdict = match of {
            0 => Verdict::Incomparable,
            _ if agreeing == of => Verdict::Confirmed,
            _ => Verdict::Contradicted,
        };
        Claim { what: what.into(), verdict, reason: format!("{agreeing} of {of} agree") }
    }

    /// The source claims something that was not, or cannot be, measured here.
    pub fn incomparable(what: impl Into<String>, why: impl Into<String>) -> Claim {
        Claim { what: what.into(), verdict: Verdict::Incomparable, reason: why.into() }
    }

    fn judged(
        what: impl Into<String>,
        ours: Option<Estimate>,
        theirs: &str,
        judge: impl Fn(Estimate) -> Verdict,
    ) -> Claim {
        match ours {
            None => Claim::incomparable(what, "not measured in this run"),
            Some(ours) => {
                let reason = format!("measured {ours}, {theirs}");
                Claim { what: what.into(), verdict: judge(ours), reason }
            }
        }
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// One sentence.
    pub fn sentence(&self) -> String {
        format!("{} - **{}** ({}).", self.what, self.verdict.words(), self.reason)
    }
}

/// All claims in one sentence.
pub fn summary(claims: &[Claim]) -> String {
    let mut verdicts: Vec<Verdict> = claims.iter().map(Claim::verdict).collect();
    verdicts.sort_unstable();
    let groups: Vec<&[Verdict]> = verdicts.chunk_by(|a, b| a == b).collect();
    match (claims, &groups[..]) {
        ([], _) => "The source claims nothing that was measured.".to_owned(),
        ([only], _) => only.sentence(),
        (_, [all]) => format!("All {} claims: {}.", all.len(), all[0].words()),
        _ => {
            let parts: Vec<String> =
                groups.iter().map(|group| format!("{} {}", group.len(), group[0].words())).collect();
            format!("Of {} claims: {}.", claims.len(), parts.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(low: f64, high: f64) -> Option<Estimate> {
        Some(Estimate { value: (low + high) / 2.0, low, high })
    }

    #[test]
    fn a_verdict_follows_from_the_interval() {
        let equal = |low, high| Claim::equal("x", measured(low, high), Estimate::exact(100.0)).verdict();
        assert_eq!(equal(98.0, 103.0), Verdict::Confirmed);
        assert_eq!(equal(103.0, 105.0), Verdict::Contradicted);
        assert_eq!(equal(60.0, 150.0), Verdict::Noise);
        let above = |low, high| Claim::above("x", measured(low, high), 8.0).verdict();
        assert_eq!(
            [above(8.1, 9.0), above(7.0, 8.0), above(7.0, 9.0)],
            [Verdict::Confirmed, Verdict::Contradicted, Verdict::Noise]
        );
        let below = |low, high| Claim::below("x", measured(low, high), 8.0).verdict();
        assert_eq!(
            [below(8.1, 9.0), below(7.0, 7.9), below(7.0, 9.0), below(8.0, 8.0)],
            [Verdict::Contradicted, Verdict::Confirmed, Verdict::Noise, Verdict::Contradicted]
        );
        assert_eq!(Claim::above("x", None, 1.0).verdict(), Verdict::Incomparable);
        assert_eq!(Claim::all("x", 7, 8).verdict(), Verdict::Contradicted);
    }

    #[test]
    fn claims_are_summed_up_in_one_sentence() {
        let yes = || Claim::all("The sizes agree", 2, 2);
        let no = || Claim::above("a", measured(0.0, 1.0), 2.0);
        assert_eq!(summary(&[yes()]), "The sizes agree - **confirmed** (2 of 2 agree).");
        assert_eq!(summary(&[yes(), yes()]), "All 2 claims: confirmed.");
        assert_eq!(summary(&[no(), yes(), yes()]), "Of 3 claims: 2 confirmed, 1 contradicted.");
    }
}
