//! `quintet learn go loop` from outside: it goes through its stages, and takes up whatever is left of them.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::Command;

const QUINTET: &str = env!("CARGO_BIN_EXE_quintet");

/// What the loop prints, at a size that teaches nothing and takes a second or two.
fn round(dir: &Path, generations: u32) -> String {
    let words = format!(
        "learn go loop --generations {generations} --games 40 --first 40 --sizes 3 --full 12 --fast 4 --full-share 60 \
         --blocks 1 --channels 16 --passes 1 --batch 16 --match-games 4 --match-visits 4 --match-size 3 --threads 2"
    );
    let mut command = Command::new(QUINTET);
    let output = command.args(words.split(' ')).arg(dir).env("QUINTET_DATA", dir).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn state(dir: &Path) -> String {
    fs::read_to_string(dir.join("state.json")).unwrap()
}

#[test]
fn a_loop_goes_through_games_training_and_match_and_on_from_wherever_it_was_ended() {
    let folder = tempfile::tempdir().unwrap();
    let dir = &folder.path().join("loop");
    let first = round(dir, 1);
    assert!(
        first.contains("games guided by playouts") && first.contains("best network is that of generation 0")
    );
    assert_eq!(state(dir), "{\"generation\":1,\"stage\":\"games\",\"best\":0}\n");
    let second = round(dir, 2);
    assert!(second.contains("games guided by the network of generation 0") && second.contains("training"));
    let after = state(dir);
    assert!(after.starts_with("{\"generation\":2,\"stage\":\"games\",\"best\":"), "{after}");
    // What is done is not done again.
    assert_eq!(round(dir, 2), "");
    let file = |name: &str| dir.join(name);
    let bytes = |name: &str| fs::read(file(name)).unwrap();
    let [games, network, log] = ["0001.games", "0001.network", "0001.match.jsonl"].map(bytes);
    // Killed in a match, behind its first game; then in a training; then among games.
    fs::write(file("state.json"), "{\"generation\":1,\"stage\":\"match\",\"best\":0}\n").unwrap();
    let lines: Vec<&[u8]> = log.split_inclusive(|&byte| byte == b'\n').take(2).collect();
    fs::write(file("0001.match.jsonl"), lines.concat()).unwrap();
    round(dir, 2);
    let count = |log: &[u8]| log.iter().filter(|&&byte| byte == b'\n').count();
    assert_eq!((state(dir), count(&bytes("0001.match.jsonl"))), (after.clone(), count(&log)));
    fs::write(file("state.json"), "{\"generation\":1,\"stage\":\"training\",\"best\":0}\n").unwrap();
    fs::remove_file(file("0001.network")).unwrap();
    round(dir, 2);
    assert_eq!((state(dir), bytes("0001.network")), (after.clone(), network));
    fs::write(file("state.json"), "{\"generation\":1,\"stage\":\"games\",\"best\":0}\n").unwrap();
    fs::write(file("0001.games"), &games[..games.len() * 2 / 3]).unwrap();
    for name in ["0001.network", "0001.network.training"] {
        fs::remove_file(file(name)).unwrap();
    }
    round(dir, 2);
    assert_eq!(bytes("0001.games").len(), games.len());
}
