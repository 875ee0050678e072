//! Games as GO GAME's tournament module played them: GNU Go has Black in all of them, GO GAME White, komi is 6.5.

use anyhow::Result;
use search::{Random, Side};

use crate::lab::estimate::number;
use crate::lab::experiment::{Cell, Figures, Scale, Size, figures};
use crate::lab::games;
use crate::lab::results::Results;
use crate::matches::csv;
use crate::matches::log::{Entry, Head};
use crate::record::GameResult;

/// What GO GAME may spend on a move.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    /// With all sizes but the full one.
    pub(super) playouts: u64,
    /// With the full one, as published.
    pub(super) seconds: u64,
}

impl Limit {
    /// With fewer playouts where there is no time for more.
    pub(super) fn hurried(self, scale: &Scale) -> Limit {
        Limit { playouts: self.playouts.min(scale.pick([20, 500, u64::MAX, u64::MAX])), ..self }
    }
}

/// Games of GO GAME with these options against GNU Go's level 10 on a board of this size; one is a sample. GNU Go gets
/// another seed in each, so that no two of them need be the same.
pub(super) fn against_gnugo(
    name: String,
    options: &'static [&'static str],
    size: usize,
    limit: Limit,
    games: u64,
    scale: &Scale,
) -> Cell {
    let scale = *scale;
    let is_full = scale.size == Size::Full;
    let spends = if is_full { format!("st={}", limit.seconds) } else { format!("nodes={}", limit.playouts) };
    let words = move |sample| -> Vec<String> {
        // GNU Go reads a seed as a whole number of 31 bits.
        let seed = Random::new(scale.seed_of(sample)).bits() >> 33;
        let gnugo = format!("args=--mode gtp --level 10 --chinese-rules --seed {seed}");
        let ours = ["go", "--engine", "go", "name=GO GAME", "option.Preset=GO GAME", &spends];
        let theirs = ["--engine", "cmd=gnugo", &gnugo, "tc=inf", "--referee", "cmd=gnugo", &gnugo];
        let board = format!("BoardSize={size}");
        // The first engine has White in all games.
        let rest = ["--rules", &board, "Komi=6.5", "Rules=simple-ko", "--noswap"];
        let all = [ours.as_slice(), options, &theirs, &rest].concat();
        all.into_iter().map(str::to_owned).collect()
    };
    let cell = games::games(name, games, &scale, 1, words, told);
    if is_full { cell.timed() } else { cell }
}

/// The fields of the module's table.
fn told(entry: &Entry, head: &Head) -> Result<Figures> {
    let position = csv::at_the_end(entry, &head.rules)?;
    let margin = csv::margin(entry, &position);
    let is = |happens: bool| f64::from(u8::from(happens));
    let resigned = |winner| entry.outcome() == GameResult::Won(winner) && entry.reason == "resignation";
    let counted = entry.counted().is_some();
    // White passes last where the number of moves is even.
    let black_began = entry.moves.len().is_multiple_of(2);
    let mut told = figures([
        (BLACK_RESIGNED, is(resigned(Side::White))),
        (WHITE_RESIGNED, is(resigned(Side::Black))),
        (BLACK_PASSED_FIRST, is(counted && black_began)),
        (WHITE_PASSED_FIRST, is(counted && !black_began)),
        (BLACK_CAPTURED, f64::from(position.prisoners(Side::White))),
        (WHITE_CAPTURED, f64::from(position.prisoners(Side::Black))),
    ]);
    if let Some(margin) = margin {
        let points =
            [(MARGIN, margin.abs()), (BLACK_POINTS, margin.max(0.0)), (WHITE_POINTS, (-margin).max(0.0))];
        told.extend(figures(points));
    }
    Ok(told)
}

pub(super) const BLACK_RESIGNED: &str = "Black resigned";
pub(super) const WHITE_RESIGNED: &str = "White resigned";
pub(super) const BLACK_PASSED_FIRST: &str = "passes Black, White";
pub(super) const WHITE_PASSED_FIRST: &str = "passes White, Black";
pub(super) const BLACK_CAPTURED: &str = "black stones captured";
pub(super) const WHITE_CAPTURED: &str = "white stones captured";
/// Of games that were counted.
pub(super) const MARGIN: &str = "margin";
/// The margins of games that Black won, and of those that White won.
pub(super) const BLACK_POINTS: &str = "points of Black";
pub(super) const WHITE_POINTS: &str = "points of White";
pub(super) const MOVES: &str = "plies";

/// What a page says of how its games were played.
pub(super) fn terms(limit: Limit, results: &Results) -> String {
    let Limit { seconds, .. } = limit;
    let size = results.heads()[0].size;
    let spent = match size {
        Size::Full => format!("{seconds} s a move, as published, on one thread"),
        _ => {
            let playouts = number(limit.hurried(&Scale { size, seed: 0 }).playouts as f64);
            format!("{playouts} playouts a move, where the thesis has {seconds} s on up to eight threads")
        }
    };
    format!(
        "GO GAME is our preset of that name and has White, GNU Go's level 10 has Black; komi 6.5. GO GAME has {spent}. \
         GNU Go says which stones are dead where the two disagree."
    )
}
