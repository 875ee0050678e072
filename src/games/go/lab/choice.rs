//! Table 6.4 and figure 6.12: which move at the root is played, in games against GNU Go.

use anyhow::Result;

use super::tournament::{BLACK_POINTS, Limit, WHITE_POINTS, against_gnugo, terms};
use crate::lab::claim::Claim;
use crate::lab::estimate::Estimate;
use crate::lab::experiment::{Cell, Experiment, Scale};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;
use crate::learn::chart::{Curve, Upright};
use crate::matches::statistics::Tally;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "go-choice",
    about: "four ways to choose the final move, against GNU Go on four boards",
    source: "Śliwa 2013, table 6.4 and figure 6.12",
    time: "60 min",
    cells,
    page,
};

/// A criterion, its name in the thesis, its option, and the games of 50 won there on each board.
struct Criterion {
    name: &'static str,
    polish: &'static str,
    options: &'static [&'static str],
    won: Option<[u64; 4]>,
}

const SECURE: Criterion = Criterion {
    name: "secure",
    polish: "Bezpieczny",
    options: &["option.Final Choice=secure"],
    won: Some([43, 40, 40, 31]),
};
const MAX: Criterion = Criterion {
    name: "max",
    polish: "Maksymalny",
    options: &["option.Final Choice=max"],
    won: Some([46, 48, 45, 37]),
};
const ROBUST: Criterion = Criterion {
    name: "robust",
    polish: "Silny",
    options: &["option.Final Choice=robust"],
    won: Some([42, 46, 48, 38]),
};
const MAX_ROBUST: Criterion = Criterion {
    name: "max-robust",
    polish: "Zrównoważony",
    options: &["option.Final Choice=max-robust"],
    won: None,
};
const CRITERIA: [Criterion; 4] = [SECURE, MAX, ROBUST, MAX_ROBUST];
const SIZES: [usize; 4] = [7, 9, 11, 13];
const GAMES: u64 = 50;
const LIMIT: Limit = Limit { playouts: 2_000, seconds: 5 };

fn cell_name(criterion: &Criterion, size: usize) -> String {
    format!("{}, {size}x{size}", criterion.name)
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let games = [[1, 4, GAMES, GAMES], [1, 2, GAMES, GAMES], [0, 1, GAMES, GAMES], [0, 1, GAMES, GAMES]];
    let of = |criterion: Criterion| {
        SIZES.into_iter().zip(games).map(move |(size, games)| {
            let name = cell_name(&criterion, size);
            against_gnugo(name, criterion.options, size, LIMIT.hurried(scale), scale.pick(games), scale)
        })
    };
    Ok(CRITERIA.into_iter().flat_map(of).collect())
}

/// The games of a criterion on all these boards.
fn pooled(results: &Results, criterion: &Criterion, sizes: &[usize]) -> Tally {
    let mut sum = Tally::default();
    sizes.iter().for_each(|&size| sum += results.tally(&cell_name(criterion, size)));
    sum
}

fn page(results: &Results, page: &mut Page) {
    page.say(&terms(LIMIT, results));
    page.say(
        "GO GAME's score in percent, and the percentage of games won that the thesis prints. Its fourth criterion was \
         not tried there. Its secure child is printed with a plus, an upper bound; ours is the lower one that its text \
         describes.",
    );
    let percent = |score: Option<Estimate>| or_dash(score.map(|score| score.times(100.0)));
    let heads: Vec<String> = SIZES.map(|size| format!("{size}x{size}")).into();
    let all = ["criterion", "in the thesis"].into_iter().map(str::to_owned);
    let heads: Vec<String> =
        all.chain(heads.iter().flat_map(|size| [size.clone(), "published".to_owned()])).collect();
    let rows = CRITERIA.iter().map(|criterion| {
        let cells = SIZES.iter().enumerate().flat_map(|(i, &size)| {
            let theirs = criterion.won.map(|won| (won[i] * 100 / GAMES).to_string());
            [percent(results.score(&cell_name(criterion, size))), or_dash(theirs)]
        });
        [criterion.name, criterion.polish].map(str::to_owned).into_iter().chain(cells).collect()
    });
    page.table(&heads.iter().map(String::as_str).collect::<Vec<_>>(), rows.collect());
    page.say("Points by which the games that were counted were won, in all, by Black and by White:");
    let rows = CRITERIA.iter().map(|criterion| {
        let cells = SIZES.iter().map(|&size| {
            let of = |figure| or_dash(results.sum(&cell_name(criterion, size), figure));
            format!("{} : {}", of(BLACK_POINTS), of(WHITE_POINTS))
        });
        std::iter::once(criterion.name.to_owned()).chain(cells).collect()
    });
    page.table(&["criterion", "7x7", "9x9", "11x11", "13x13"], rows.collect());
    let lead = |one: &Criterion, other: &Criterion, sizes: &[usize]| {
        let score = |criterion| Estimate::score(&pooled(results, criterion, sizes));
        Some(score(one)?.minus(score(other)?))
    };
    page.claim(Claim::above("Max is better than secure", lead(&MAX, &SECURE, &SIZES), 0.0));
    page.claim(Claim::above("Robust is better than secure", lead(&ROBUST, &SECURE, &SIZES), 0.0));
    page.claim(Claim::above(
        "On 7x7 and 9x9 max is better than robust",
        lead(&MAX, &ROBUST, &SIZES[..2]),
        0.0,
    ));
    page.claim(Claim::above(
        "On 11x11 and 13x13 robust is better than max",
        lead(&ROBUST, &MAX, &SIZES[2..]),
        0.0,
    ));
    let curves = CRITERIA.iter().map(|criterion| {
        let point =
            |&size: &usize| Some((size as f64, results.score(&cell_name(criterion, size))?.value * 100.0));
        Curve { name: criterion.name.to_owned(), points: SIZES.iter().filter_map(point).collect() }
    });
    page.chart(
        "Score against GNU Go by final choice",
        ["lines of the board", "score, %"],
        Upright::Linear,
        curves.collect(),
    );
}
