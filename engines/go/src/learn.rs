//! What games teach about moves: which features the chosen moves have and the others lack.

use std::collections::BTreeMap;

use search::learn::{Contests, Played};
use search::mcts::Policy;
use search::{Random, Root};

use crate::features::{COLUMNS, Scene, TACTICAL, Team};
use crate::games::lessons;
use crate::playout::Style;
use crate::point::points;
use crate::policy::Knowledge;
use crate::shapes::{RINGS, Shape, ShapeMap};
use crate::tactics::Reader;
use crate::{Board, Move, Point, Position};

/// A shape is learned if it was chosen this often.
const CHOSEN: u32 = 6;
/// Weaker features are written so: a strength of 0 is none.
const WEAKEST: f64 = 0.0001;
/// Moves that a chosen one is compared with at most, drawn from all others.
const OTHERS: usize = 60;

/// Strengths found, as the lines of their file, and how well they tell the moves chosen.
pub struct Lesson {
    /// The lines.
    pub text: String,
    /// Choices learned from.
    pub choices: usize,
    /// The shares of choices in games held back whose move is the strongest, and is among the ten strongest; none if no
    /// choice was held back.
    pub predicted: Option<[f64; 2]>,
}

/// Learns from games in this many passes; every tenth game is held back to be predicted.
///
/// `watch` hears of each pass the mean probability given to the moves chosen.
pub fn fit(games: &[Played<Position>], passes: usize, watch: &mut dyn FnMut(usize, f64)) -> Lesson {
    let taught = || games.iter().enumerate().filter(|(i, _)| i % 10 != 9).flat_map(|(_, game)| lessons(game));
    let shapes = harvest(taught());
    let mut random = Random::new(1);
    let mut contests = Contests::new(COLUMNS.len());
    for (root, chosen) in taught() {
        let mut teams = teams(&root, &shapes);
        let Some(winner) = teams.iter().position(|&(point, _)| Move::At(point) == chosen) else { continue };
        teams.swap(0, winner);
        // A fair sample of what was not chosen teaches the same strengths in less time.
        for i in 1..teams.len().min(OTHERS + 1) {
            let other = i + random.below((teams.len() - i) as u32) as usize;
            teams.swap(i, other);
        }
        teams.truncate(OTHERS + 1);
        contests.add(teams.iter().map(|(_, team)| team.as_slice()));
    }
    let strengths = contests.fit(passes, watch);
    let text = write(&strengths, &shapes);
    let predicted = predict(games, &text);
    Lesson { text, choices: contests.len(), predicted }
}

/// The board on which a position's features are read.
fn board(root: &Root<Position>) -> Board {
    Knowledge::new(Style::Light).board(root)
}

/// The moves to choose from.
fn candidates(board: &Board) -> impl Iterator<Item = Point> + '_ {
    points(board.size()).filter(|&point| board.is_legal(point) && !board.is_eye(point, board.turn()))
}

/// The shapes that were chosen often, smaller ones first, each with its number in its ring's column.
fn harvest(lessons: impl Iterator<Item = (Root<Position>, Move)>) -> BTreeMap<(usize, Shape), u32> {
    let mut chosen: ShapeMap<u32> = ShapeMap::default();
    for (root, m) in lessons {
        let (board, Some(point)) = (board(&root), m.point()) else { continue };
        Scene::new(&board, &mut Reader::new(&board)).shapes(point, |shape| {
            *chosen.entry(shape.standard()).or_default() += 1;
            true
        });
    }
    let often = chosen.into_iter().filter(|&(_, count)| count >= CHOSEN);
    let mut kept: BTreeMap<(usize, Shape), u32> =
        often.map(|(shape, _)| ((shape.rings(), shape), 0)).collect();
    let mut numbers = [0; RINGS];
    for ((rings, _), number) in &mut kept {
        numbers[rings - 1] += 1;
        *number = numbers[rings - 1];
    }
    kept
}

/// Every move with its features.
fn teams(root: &Root<Position>, shapes: &BTreeMap<(usize, Shape), u32>) -> Vec<(Point, Team)> {
    let board = board(root);
    let scene = Scene::new(&board, &mut Reader::new(&board));
    let full = |point| {
        let mut team = scene.team(point);
        let mut rings = 0;
        scene.shapes(point, |shape| {
            rings += 1;
            let number = shapes.get(&(rings, shape.standard()));
            number.inspect(|&&number| team[TACTICAL + rings - 1] = number).is_some()
        });
        (point, team)
    };
    candidates(&board).map(full).collect()
}

fn write(strengths: &search::learn::Strengths, shapes: &BTreeMap<(usize, Shape), u32>) -> String {
    let word = |strength: f64| format!("{:.4}", strength.max(WEAKEST));
    let mut lines = Vec::new();
    for (name, column) in COLUMNS.iter().zip(strengths).take(TACTICAL) {
        let words: Vec<String> = column.iter().skip(1).map(|&strength| word(strength)).collect();
        lines.push(format!("{name} {}", words.join(" ")));
    }
    for ((rings, shape), &number) in shapes {
        let strength = strengths[TACTICAL + rings - 1].get(number as usize).copied().unwrap_or(1.0);
        lines.push(format!("shape {} {}", shape.write(), word(strength)));
    }
    lines.join("\n") + "\n"
}

/// How often the strongest move, and the ten strongest, are the one chosen in games held back.
fn predict(games: &[Played<Position>], text: &str) -> Option<[f64; 2]> {
    let strengths = crate::strengths::Strengths::read(text).expect("written a moment ago");
    let (mut first, mut tenth, mut all) = (0, 0, 0);
    for (root, chosen) in games.iter().skip(9).step_by(10).flat_map(lessons) {
        let board = board(&root);
        let scene = Scene::new(&board, &mut Reader::new(&board));
        let strength = |point| scene.strength(point, &strengths);
        let Some(own) = chosen.point().map(strength) else { continue };
        let stronger = candidates(&board).filter(|&point| strength(point) > own).count();
        (first, tenth, all) = (first + u32::from(stronger == 0), tenth + u32::from(stronger < 10), all + 1);
    }
    (all > 0).then(|| [first, tenth].map(|count| f64::from(count) / f64::from(all)))
}

#[cfg(test)]
mod tests {
    use search::Game;

    use super::*;

    #[test]
    fn what_is_hardly_ever_chosen_can_be_read_back() {
        let mut strengths = vec![vec![1.0]; COLUMNS.len()];
        strengths[0].push(1e-6);
        strengths[TACTICAL].push(1e-6);
        let shape = Shape::read("X.......").unwrap();
        let text = write(&strengths, &BTreeMap::from([((1, shape), 1)]));
        let read = crate::strengths::Strengths::read(&text).unwrap();
        assert_eq!(read.shape(shape), Some(WEAKEST as f32));
    }

    #[test]
    fn the_same_games_teach_the_same() {
        let start = Position::start(&crate::games::rules(5).unwrap());
        let games: Vec<_> = (1..=10).map(|seed| crate::games::play(&start, seed, 30)).collect();
        let learn = || fit(&games, 5, &mut |_, _| {});
        let (a, b) = (learn(), learn());
        assert_eq!((&a.text, a.choices), (&b.text, b.choices));
        let [first, tenth] = a.predicted.unwrap();
        assert!(a.choices > 50 && tenth >= first, "{} {first} {tenth}", a.choices);
        assert_eq!(fit(&games[..9], 1, &mut |_, _| {}).predicted, None);
        assert!(crate::strengths::Strengths::read(&a.text).is_ok());
    }
}
