//! The manuals say what the programs do.

use std::collections::BTreeSet;

use search::alphabeta::Algorithm;
use search::alphabeta::techniques::{TECHNIQUES, Technique};
use search::{Engine, Setting, options};

const UCI: &str = include_str!("../docs/uci.md");
const GO: &str = include_str!("../docs/go.md");

/// The rows of the first table under a heading of a page.
fn table<'a>(page: &'a str, heading: &str) -> Vec<&'a str> {
    let (_, section) = page.split_once(&format!("{heading}\n")).expect("the page has this heading");
    let is_row = |line: &&str| line.starts_with('|');
    section.lines().skip_while(|line| !is_row(line)).take_while(is_row).skip(2).collect()
}

/// The first word of each code quote in a column of the commands' table.
fn commands(page: &'static str, column: usize) -> BTreeSet<&'static str> {
    let cells = table(page, "## Commands").into_iter().filter_map(|row| row.split('|').nth(column));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).filter_map(first_word).collect()
}

fn first_word(text: &str) -> Option<&str> {
    text.split_whitespace().next()
}

/// An option as the manual lists it.
fn row<E>(setting: &Setting<E>) -> String {
    let default = setting.default_value().to_string();
    let default = if default.is_empty() { default } else { format!(" {default}") };
    format!("| `{}` | {} |{default} | {} |", setting.name, setting.kind, setting.help)
}

/// The README of an engine lists its options; those that all UCI engines have stand in the manual of UCI.
fn options_are_listed<E: Engine>(readme: &str) {
    let common: Vec<String> = options::common::<E>().iter().map(row).collect();
    let mut own: Vec<String> = E::options().iter().map(row).collect();
    assert_eq!(table(UCI, "## Options"), common);
    if common.iter().all(|row| own.contains(row)) {
        own.retain(|row| !common.contains(row));
    }
    assert_eq!(table(readme, "## Options"), own);
}

macro_rules! all_options_are_listed {
    ($($game:ident $engine:ident $protocol:ident),*) => {
        #[test]
        fn every_option_is_listed() {
            $(options_are_listed::<$game::$engine>(
                include_str!(concat!("../engines/", stringify!($game), "/README.md")),
            );)*
        }
    };
}

quintet::for_each_game!(all_options_are_listed);

#[test]
fn every_technique_is_explained() {
    let (_, section) = UCI.split_once("\n| technique |").expect("the page has the table");
    let listed: Vec<&str> = section.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    let row = |technique: &Technique| format!("| `{}` | {} |", technique.name, technique.help);
    assert_eq!(listed, TECHNIQUES.iter().map(row).collect::<Vec<_>>());
    let words =
        table(UCI, "## Algorithms and techniques").into_iter().filter_map(|row| row.split('|').nth(1));
    let words: Vec<&str> = words.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert_eq!(words, Algorithm::WORDS.map(|(word, _)| word));
}

#[test]
fn every_uci_command_is_explained() {
    let standard = "uci debug isready setoption register ucinewgame position go stop ponderhit quit";
    let own = "perft bench d eval counters flip help";
    let known: BTreeSet<&str> = standard.split(' ').chain(own.split(' ')).collect();
    assert_eq!(commands(UCI, 1), known);
}

#[test]
fn every_gtp_command_is_listed() {
    let mut output = Vec::new();
    let console = go::gtp::Console::new(go::Go::new());
    protocol::gtp::perform(console, &["list_commands".to_owned()], &mut output).unwrap();
    let known = String::from_utf8(output).unwrap();
    assert_eq!(commands(GO, 2), known.lines().collect::<BTreeSet<_>>());
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest = include_str!("../Cargo.toml");
    let (_, section) = manifest.split_once("[workspace.dependencies]\n").expect("the manifest lists them");
    let reasons = include_str!("../docs/dependencies.md");
    let listed: Vec<&str> = reasons
        .lines()
        .filter_map(|row| row.strip_prefix("| ")?.split_once(" |"))
        .flat_map(|(names, _)| names.split(", "))
        .collect();
    let foreign = section.lines().take_while(|line| !line.is_empty()).filter(|line| !line.contains("path ="));
    for line in foreign {
        let (name, _) = line.split_once(" =").expect("a line is NAME = VERSION");
        assert!(listed.contains(&name), "docs/dependencies.md gives no reason for {name}");
    }
}
