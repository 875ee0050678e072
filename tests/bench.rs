//! The bench of every engine: one number each, a checksum of its behaviour.

use std::process::Command;

/// The number after `Nodes searched  :` in the output of `quintet engine GAME bench`.
fn nodes(game: &str) -> u64 {
    let output = Command::new(env!("CARGO_BIN_EXE_quintet")).args(["engine", game, "bench"]).output();
    let text = String::from_utf8(output.expect("the program starts").stdout).expect("it prints text");
    let lines: Vec<&str> = text.lines().collect();
    let [.., time, nodes, speed] = lines[..] else { panic!("bench of {game} printed '{text}'") };
    assert!(time.starts_with("Total time (ms) : ") && speed.starts_with("Nodes/second    : "), "{text}");
    let nodes =
        nodes.strip_prefix("Nodes searched  : ").unwrap_or_else(|| panic!("no node count in '{text}'"));
    nodes.parse().expect("the count is a number")
}

#[test]
fn every_engine_searches_as_many_nodes_as_noted() {
    let table = include_str!("data/bench.txt");
    let noted: Vec<(&str, u64)> = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once(' ').expect("a line is GAME NODES"))
        .map(|(game, nodes)| (game, nodes.trim().parse().expect("the count is a number")))
        .collect();
    let games: Vec<&str> = quintet::games::GAMES.iter().map(|row| row.name).collect();
    assert_eq!(noted.iter().map(|(game, _)| *game).collect::<Vec<_>>(), games, "tests/data/bench.txt");
    for (game, count) in noted {
        assert_eq!(
            nodes(game),
            count,
            "a change of this number belongs into tests/data/bench.txt and its commit"
        );
    }
}
