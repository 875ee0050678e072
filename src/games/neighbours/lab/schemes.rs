//! Section 6.3, the three sets of terms, and the schemes of training that section 4.4 rejects.

use anyhow::{Context, Result};
use neighbours::tuning;

use super::training::{GAMES, OURS, Scheme, THESIS, Trained, score, trained};
use crate::lab::claim::Claim;
use crate::lab::estimate::Estimate;
use crate::lab::experiment::{Cell, Experiment, Figures, Scale};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;
use crate::matches::statistics::Tally;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "neighbours-schemes",
    about: "three sets of terms in Neighbours, trained two ways, and the schemes that the thesis rejects",
    source: "Skoulakis 2010, 4.4, 6.3 and table 6.1",
    time: "30 min",
    cells,
    page,
};

const SCHEMES: [Scheme; 2] = [THESIS, OURS];
const LSTD: &str = "--method windowed --keep 0.98";
const SETS: [&str; 3] = ["set1", "set2", "set3"];
/// The pairs of table 6.1 with the first one's games won, drawn and lost.
const PAIRS: [(usize, usize, Tally); 3] = [
    (0, 1, Tally { wins: 44, draws: 7, losses: 49 }),
    (0, 2, Tally { wins: 48, draws: 11, losses: 41 }),
    (1, 2, Tally { wins: 46, draws: 11, losses: 43 }),
];

/// The scheme that was kept, and those that were rejected.
const KEPT: &str = "its copy, erring at first";
const WEAK: &str = "a weak one, for ever the same";
const STRONG: &str = "a strong one, for ever the same";
const FLAWLESS: &str = "its copy, never erring";
const OPPONENTS: [(&str, &str); 4] = [
    (KEPT, "--opponent copy --explore 0.5"),
    (WEAK, "--opponent weak --explore 0"),
    (STRONG, "--opponent strong --explore 0"),
    (FLAWLESS, "--opponent copy --explore 0"),
];
const REJECTED: &str = "opponents";
/// Trained against each opponent.
const SET: &str = SETS[0];

fn against(first: &str, second: &str) -> String {
    format!("{first} against {second}")
}

const HAND: &str = "hand-set";

fn won(opponent: &str) -> String {
    format!("matches won in the second half against {opponent}")
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let (samples, lessons) = (scale.pick([1, 3, 6, 20]), scale.pick([20, 500, 20_000, 20_000]));
    let games = scale.pick([4, GAMES, GAMES, GAMES]);
    // The strong opponent looks two plies deeper, which takes its time.
    let fewer = scale.pick([10, 300, 4_000, 20_000]);
    let scale = *scale;
    let sets = |scheme: Scheme| {
        let words = scheme.words;
        Cell::new(scheme.name, samples, move |sample| of_sets(words, lessons, games, scale.seed_of(sample)))
    };
    let opponents =
        Cell::new(REJECTED, samples, move |sample| of_opponents(fewer, games, scale.seed_of(sample)));
    Ok(SCHEMES.into_iter().map(sets).chain([opponents]).collect())
}

/// Trains each set once; they meet each other.
fn of_sets(scheme: &str, lessons: usize, games: usize, seed: u64) -> Result<Figures> {
    let train = |set| trained(set, &format!("{scheme} {LSTD}"), lessons, seed);
    let all = SETS.iter().map(|set| train(set)).collect::<Result<Vec<Trained>>>()?;
    let mut figures = Figures::new();
    for (one, other, _) in PAIRS {
        let points = score(&all[one].weights, &all[other].weights, games, seed)?;
        figures.insert(against(SETS[one], SETS[other]), points);
    }
    Ok(figures)
}

/// Trains a set once against each opponent; the scheme that was kept meets the others.
fn of_opponents(lessons: usize, games: usize, seed: u64) -> Result<Figures> {
    let by_hand = tuning::weights(super::super::learn::checkpoint::named(SET).context("a set that exists")?);
    let train = |words| trained(SET, &format!("--reply predicted {words} {LSTD}"), lessons, seed);
    let all = OPPONENTS.iter().map(|(_, words)| train(words)).collect::<Result<Vec<Trained>>>()?;
    let mut figures = Figures::new();
    for ((name, _), trained) in OPPONENTS.iter().zip(&all) {
        figures.insert(against(name, HAND), score(&trained.weights, &by_hand, games, seed)?);
        if *name != KEPT {
            figures.insert(against(KEPT, name), score(&all[0].weights, &trained.weights, games, seed)?);
        }
        let late = &trained.log.trials[trained.log.trials.len() / 2..];
        if !late.is_empty() {
            let wins = late.iter().map(|trial| trial.wins).sum::<u32>();
            figures.insert(won(name), f64::from(wins) / (2 * late.len()) as f64);
        }
    }
    Ok(figures)
}

fn page(results: &Results, page: &mut Page) {
    page.say(&format!(
        "Each sample is a training of each set by windowed LSTD, then matches of {GAMES} games two plies deep with the \
         thesis' search, from openings of six random plies. Scores are the first one's in percent; their intervals are \
         those of independent trainings. The thesis trained each set once."
    ));
    let percent = |cell: &str, figure: &str| results.mean(cell, figure).map(|mean| mean.times(100.0));
    let rows = PAIRS.iter().map(|(one, other, published)| {
        let figure = against(SETS[*one], SETS[*other]);
        let theirs = Estimate::score(published).map(|score| score.times(100.0));
        let ours = SCHEMES.map(|scheme| or_dash(percent(scheme.name, &figure)));
        std::iter::once(figure).chain(ours).chain([or_dash(theirs)]).collect()
    });
    page.table(&["match", THESIS.name, OURS.name, "published"], rows.collect());
    page.say(&format!(
        "The schemes that the thesis tried, by the opponent that {SET} was trained against, learning from predicted \
         replies: what the kept scheme scores against each, what each scores against hand-set weights, and the games of \
         its matches against its opponent that the learner won in the second half of the training, in percent."
    ));
    let rows = OPPONENTS.iter().map(|(name, words)| {
        let figures = [against(KEPT, name), against(name, HAND), won(name)];
        let cells = figures.map(|figure| or_dash(percent(REJECTED, &figure)));
        [(*name).to_owned(), format!("`{words}`")].into_iter().chain(cells).collect()
    });
    page.table(
        &["opponent", "words", "the kept one scores", "against hand-set", "matches won"],
        rows.collect(),
    );
    for Scheme { name, .. } in SCHEMES {
        let mean = |one: usize, other: usize| results.mean(name, &against(SETS[one], SETS[other]));
        page.claim(Claim::below(format!("Set 2 is better than set 1 by {name}"), mean(0, 1), 0.5));
        page.claim(Claim::above(format!("Set 1 is better than set 3 by {name}"), mean(0, 2), 0.5));
        page.claim(Claim::above(format!("Set 2 is better than set 3 by {name}"), mean(1, 2), 0.5));
    }
    for other in [WEAK, STRONG, FLAWLESS] {
        let ours = results.mean(REJECTED, &against(KEPT, other));
        page.claim(Claim::above(
            format!("The kept scheme is better than learning against {other}"),
            ours,
            0.5,
        ));
    }
    let rate = |opponent| results.mean(REJECTED, &won(opponent));
    page.claim(Claim::above("The weak opponent soon loses nearly every game", rate(WEAK), 0.9));
    page.claim(Claim::below("The strong one loses hardly any", rate(STRONG), 0.1));
}
