//! Fixed positions searched with a fixed number of playouts: a checksum of behaviour and a measure of speed.

use std::time::Instant;

use search::{Bench, Control, Engine, Limits, Root, Search, bench};

use crate::{Go, Kifu, Position, Rules, text};

/// Size, playouts, and the moves that lead to the position, Black first.
const GAMES: [(usize, u64, &str); 5] = [
    (9, 20_000, ""),
    (9, 20_000, "E5 C3 G3 C6 G7 D8 F8 C5 D2"),
    (13, 8_000, "D4 K10 K4 D10 G3 C6 F4 G11 J11 J10 L11"),
    (19, 4_000, ""),
    (19, 4_000, "Q16 D4 Q4 D16 C6 F3 C12 R6 P3 R10 O17 C14 E12 R14 Q13 R13 Q12"),
];

/// Options that a bench does not obey: what its searches may spend is its own, and nobody looks on.
const LEFT_ASIDE: [&str; 8] = [
    "Threads",
    "Tree Memory",
    "Move Time",
    "Playouts",
    "Move Overhead",
    "Ponder",
    "Live Graphics",
    "Debug Log File",
];

/// Runs the bench with fresh engines that are given the options of another one. With another size of board than the
/// usual the empty board is all there is.
pub(crate) fn run(given: &Go, control: &Control) -> Bench {
    let begun = Instant::now();
    let mut remarks = bench::obey(given, &mut Go::new(), &LEFT_ASIDE);
    let mut nodes = 0;
    for (size, playouts, moves) in games(given.rules().size()) {
        let mut go = Go::new();
        bench::obey(given, &mut go, &LEFT_ASIDE);
        let root = position(go.rules(), size, moves);
        go.set_rules(root.position().rules());
        let started = Instant::now();
        go.think(&root, &Limits::nodes(playouts), control, &mut |_| {});
        let evaluations = go.evaluations();
        let summary = go.search().summary();
        nodes += summary.moves + evaluations;
        let speed = summary.playouts as f64 / started.elapsed().as_secs_f64();
        let asked = if evaluations > 0 { format!(", {evaluations} evaluations") } else { String::new() };
        remarks
            .push(format!("{size}x{size}: {} playouts, {speed:.0} playouts/second{asked}", summary.playouts));
    }
    Bench { nodes, time: begun.elapsed(), remarks }
}

fn games(size: usize) -> Vec<(usize, u64, &'static str)> {
    if size == Rules::default().size() {
        return GAMES.to_vec();
    }
    let nearest = GAMES.into_iter().find(|&(of, ..)| of >= size).unwrap_or(GAMES[3]);
    vec![(size, nearest.1, "")]
}

fn position(rules: Rules, size: usize, moves: &str) -> Root<Position> {
    let rules = rules.with_size(size).expect("a size that exists");
    let mut record = Kifu::new(rules);
    for vertex in moves.split_whitespace() {
        let m = text::read_move(size, vertex).expect("a vertex");
        record.play(search::Game::turn(record.position()), m).expect("a legal move");
    }
    record.root().clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_obeyed_and_named() {
        let mut go = Go::new();
        let options = [("BoardSize", "5"), ("Playout", "light"), ("Threads", "2"), ("Skill Level", "0")];
        options.into_iter().for_each(|(name, value)| go.set(name, value).unwrap());
        let Bench { nodes, remarks, .. } = run(&go, &Control::default());
        assert_eq!(remarks[0], "Options          : BoardSize=5, Skill Level=0, Playout=light");
        assert_eq!(remarks[1], "Not obeyed       : Threads=2");
        assert!(remarks[2].starts_with("5x5: 8 playouts, ") && remarks.len() == 3, "{remarks:?}");
        go.set("Playout", "urgency").unwrap();
        assert_ne!(run(&go, &Control::default()).nodes, nodes);
    }

    #[test]
    fn boards_of_every_size_have_a_bench() {
        assert_eq!(games(19), GAMES);
        assert_eq!([2, 9, 10, 18, 25].map(|size| games(size)[0].1), [20_000, 20_000, 8_000, 4_000, 4_000]);
    }
}
