//! The manuals say what the programs do.

use std::collections::BTreeSet;

use search::{Engine, Setting, options};

const UCI: &str = include_str!("../docs/uci.md");
const GO: &str = include_str!("../docs/go.md");
const GO_README: &str = include_str!("../engines/go/README.md");

/// The rows of the first table under a heading of a page.
fn table(page: &'static str, heading: &str) -> Vec<&'static str> {
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

fn options_are_listed<E: Engine>(heading: &str) {
    let common: Vec<String> = options::common::<E>().iter().map(row).collect();
    let all: Vec<String> = E::options().iter().map(row).collect();
    assert_eq!(table(UCI, "### Every engine"), common);
    let own: Vec<&String> = all.iter().filter(|row| !common.contains(row)).collect();
    assert_eq!(table(UCI, heading), own);
    assert_eq!(own.len() + common.len(), all.len(), "an option of every engine is missing");
}

#[test]
fn every_uci_option_is_listed() {
    options_are_listed::<chess::Chess>("### Chess");
    options_are_listed::<draughts::Draughts>("### Draughts");
    options_are_listed::<morris::Morris>("### Morris");
    options_are_listed::<neighbours::Neighbours>("### Neighbours");
}

#[test]
fn every_option_of_go_is_listed() {
    let rows: Vec<String> = go::Go::options().iter().map(row).collect();
    assert_eq!(table(GO_README, "## Options"), rows);
}

#[test]
fn every_uci_command_is_explained() {
    let standard = "uci debug isready setoption register ucinewgame position go stop ponderhit quit";
    let own = "perft bench d eval flip help";
    let known: BTreeSet<&str> = standard.split(' ').chain(own.split(' ')).collect();
    assert_eq!(commands(UCI, 1), known);
}

#[test]
fn every_gtp_command_is_listed() {
    let mut output = Vec::new();
    let table = quintet::gtp::Table::new(go::Go::new());
    protocol::gtp::perform(table, &["list_commands".to_owned()], &mut output).unwrap();
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
