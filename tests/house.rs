//! The house is in order: a game is known in its own rooms and nowhere else.

use std::fs;
use std::path::{Path, PathBuf};

use quintet::games::GAMES;
use regex::Regex;

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// A source without its tests, which may take any game as their example.
fn program(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.split("\n#[cfg(test)]").next().unwrap_or_default().to_owned()
}

/// The lines of a text in which a literal has the name of a game as a word.
fn literals(text: &str) -> Vec<String> {
    let named = GAMES.iter().map(|row| match row.name {
        // UCI has a command of this name.
        short if short.len() < 3 => format!("\"{short}\"|'{short}'"),
        name => format!("[\"'`][^\"'`]*(?-u:\\b){name}(?-u:\\b)[^\"'`]*[\"'`]"),
    });
    let pattern = Regex::new(&named.collect::<Vec<_>>().join("|")).expect("the pattern is well formed");
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    text.lines().filter(is_code).filter(|line| pattern.is_match(line)).map(str::to_owned).collect()
}

fn is_room_of_a_game(path: &Path) -> bool {
    GAMES.iter().any(|row| {
        let room = Path::new("src/games").join(row.name);
        path.starts_with(&room) || path == room.with_extension("rs")
    })
}

#[test]
fn no_game_is_named_outside_its_own_rooms() {
    let programs = files(Path::new("src")).into_iter().filter(|path| !is_room_of_a_game(path));
    let kernel = files(Path::new("search/src"));
    let mut found = Vec::new();
    for path in programs.chain(kernel) {
        found.extend(literals(&program(&path)).iter().map(|line| format!("{}: {line}", path.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_script_or_bench_lists_the_games() {
    let mut found = Vec::new();
    for path in files(Path::new("scripts")).into_iter().chain(files(Path::new("benches"))) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let names = |line: &&str| {
            let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).collect();
            GAMES.iter().filter(|row| words.contains(&row.name)).count() > 2
        };
        found.extend(text.lines().filter(names).map(|line| format!("{}: {line}", path.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_literal_is_found_whatever_it_is_quoted_with() {
    let longest = GAMES.iter().max_by_key(|row| row.name.len()).expect("there are games").name;
    for quote in ['"', '\'', '`'] {
        assert_eq!(literals(&format!("x = {quote}a {longest} b{quote};")).len(), 1);
    }
    assert!(literals(&format!("x = {longest}::new(); // \"{longest}s\"")).is_empty());
}
