//! The manual says what the programs do.

use search::{Engine, Setting, options};

const MANUAL: &str = include_str!("../docs/uci.md");

/// The rows of the table under a heading of the manual.
fn table(heading: &str) -> Vec<&'static str> {
    let (_, section) = MANUAL.split_once(&format!("### {heading}\n")).expect("the manual has this heading");
    section.lines().take_while(|line| line.starts_with('|')).skip(2).collect()
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
    assert_eq!(table("Every engine"), common);
    let own: Vec<&String> = all.iter().filter(|row| !common.contains(row)).collect();
    assert_eq!(table(heading), own);
    assert_eq!(own.len() + common.len(), all.len(), "an option of every engine is missing");
}

#[test]
fn every_option_is_listed() {
    options_are_listed::<chess::Chess>("Chess");
    options_are_listed::<draughts::Draughts>("Draughts");
    options_are_listed::<morris::Morris>("Morris");
    options_are_listed::<neighbours::Neighbours>("Neighbours");
}

#[test]
fn every_command_is_explained() {
    for command in
        ["uci", "isready", "setoption", "position", "go", "stop", "perft", "bench", "d", "eval", "flip"]
    {
        assert!(MANUAL.contains(&format!("`{command}")), "{command} is missing");
    }
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
