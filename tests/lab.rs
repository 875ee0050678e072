//! `quintet lab` from outside: every experiment on its tiniest scale, resumption, shards, bad input.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use quintet::lab::experiment::{Scale, Size};
use quintet::lab::experiments;

const QUINTET: &str = env!("CARGO_BIN_EXE_quintet");
/// An experiment that takes no time.
const SHORT: &str = "draughts-branching";

fn lab(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(QUINTET);
    command.arg("lab").args(line.split_whitespace()).env("QUINTET_DATA", folder);
    command.output().expect("quintet runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The output of a run that must succeed.
fn succeed(folder: &Path, line: &str) -> String {
    let output = lab(folder, line);
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// What is said of a run that must be refused.
fn refused(folder: &Path, line: &str) -> String {
    let output = lab(folder, line);
    assert_eq!(output.status.code(), Some(2), "{line}: {}", text(&output.stdout));
    let said = text(&output.stderr);
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

#[test]
fn every_experiment_runs_and_its_page_has_a_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let mut build = Command::new(QUINTET);
    build.args(["build", "endgame", "draughts", "--pieces", "3"]).env("QUINTET_DATA", folder.path());
    assert!(build.output().unwrap().status.success());
    for experiment in experiments() {
        let line = format!("run {} --tiny", experiment.name);
        let output = lab(folder.path(), &line);
        if output.status.code() == Some(2) {
            // Other people's engines are not on every machine.
            let said = text(&output.stderr);
            assert!(said.contains("no such program"), "{line}: {said}");
            continue;
        }
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        let page = fs::read_to_string(folder.path().join(format!("lab/{}.md", experiment.name))).unwrap();
        assert!(page.contains("## Verdict") && page.contains("--seed 1"), "{page}");
        for picture in page.lines().filter_map(|line| line.strip_prefix("![")?.split_once("](")) {
            let file = picture.1.trim_end_matches(')');
            assert!(folder.path().join("lab").join(file).is_file(), "{file} is missing");
        }
    }
}

#[test]
fn cells_are_told_apart_by_their_names() {
    for experiment in experiments() {
        for size in [Size::Quick, Size::Usual, Size::Full] {
            let Ok(cells) = (experiment.cells)(&Scale { size, seed: 1 }) else { continue };
            let mut names: Vec<&str> = cells.iter().map(|cell| cell.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), cells.len(), "{} has two cells of one name", experiment.name);
        }
    }
}

#[test]
fn a_missing_peer_ends_a_run_unless_other_rows_are_left() {
    let folder = tempfile::tempdir().unwrap();
    let alone = |name: &str| {
        let mut command = Command::new(QUINTET);
        command
            .args(["lab", "run", name, "--tiny"])
            .env("QUINTET_DATA", folder.path())
            .env("PATH", folder.path());
        command.output().unwrap()
    };
    let refused = alone("go-uct");
    let said = text(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.lines().count() == 1, "{said}");
    assert!(said.contains("UCT") && said.contains("cmd=gnugo: no such program"), "{said}");
    assert!(!folder.path().join("lab/go-uct.jsonl").exists());
    let measured = alone("speed");
    let said = text(&measured.stderr);
    assert!(measured.status.success(), "{said}");
    assert!(said.contains("Chess: bench beside Stockfish is left out: stockfish: no such program"), "{said}");
    assert!(text(&measured.stdout).contains("| Chess: perft 6 | million leaves a second |"));
}

#[test]
fn the_list_has_every_experiment_with_its_source_and_time() {
    let folder = tempfile::tempdir().unwrap();
    let list = succeed(folder.path(), "list");
    for experiment in experiments() {
        let is_named = |line: &&str| line.split_whitespace().next() == Some(experiment.name);
        let own: Vec<&str> = list.lines().skip_while(|line| !is_named(line)).take(2).collect();
        assert!(own[0].contains(experiment.about), "{}: {own:?}", experiment.name);
        assert!(own[1].contains(experiment.source) && own[1].contains(experiment.time));
    }
}

#[test]
fn parts_make_the_same_page_as_the_whole() {
    let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    succeed(whole.path(), &format!("run {SHORT} --tiny"));
    for part in 1..=3 {
        succeed(parts.path(), &format!("run {SHORT} --tiny --shard {part}/3"));
    }
    succeed(parts.path(), "report");
    let page = |folder: &Path| fs::read_to_string(folder.join(format!("lab/{SHORT}.md"))).unwrap();
    assert_eq!(page(whole.path()), page(parts.path()));
    let index = fs::read_to_string(parts.path().join("lab/README.md")).unwrap();
    assert!(index.contains(&format!("[{SHORT}]({SHORT}.md)")), "{index}");
}

#[test]
fn a_run_that_was_torn_goes_on_and_ends_as_if_nothing_had_happened() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("run {SHORT} --tiny --concurrency 1");
    let page = succeed(folder.path(), &line);
    let records = folder.path().join(format!("lab/{SHORT}.jsonl"));
    let whole = fs::read(&records).unwrap();
    for kept in [0, 5, whole.len() / 2, whole.len() - 1] {
        fs::write(&records, &whole[..kept]).unwrap();
        assert_eq!(succeed(folder.path(), &line), page);
        assert_eq!(fs::read(&records).unwrap(), whole);
    }
}

#[test]
fn wrong_use_is_named_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    assert!(refused(folder.path(), "run nonsense").contains("'nonsense'"));
    assert!(refused(folder.path(), "report nonsense").contains("'nonsense'"));
    assert!(refused(folder.path(), "report").contains("no samples"));
    succeed(folder.path(), &format!("run {SHORT} --tiny"));
    let records = folder.path().join(format!("lab/{SHORT}.jsonl"));
    let before = fs::read_to_string(&records).unwrap();
    assert!(refused(folder.path(), &format!("run {SHORT} --tiny --seed 2")).contains("its seed is 1, not 2"));
    assert!(refused(folder.path(), &format!("run {SHORT} --quick")).contains("its size is tiny, not quick"));
    assert_eq!(fs::read_to_string(&records).unwrap(), before);
    let old = before.replacen(
        &format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION")),
        "\"version\":\"0.0.1\"",
        1,
    );
    fs::write(&records, &old).unwrap();
    assert!(refused(folder.path(), &format!("run {SHORT} --tiny")).contains("its version is 0.0.1, not"));
    assert_eq!(fs::read_to_string(&records).unwrap(), old);
    let file = folder.path().join("a file");
    fs::write(&file, "kept").unwrap();
    let output =
        Command::new(QUINTET).args(["lab", "run", SHORT, "--tiny", "--out"]).arg(&file).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("a file"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
}

/// The runner is stopped once it has kept a sample.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_what_is_finished() {
    use std::process::Stdio;
    use std::thread::sleep;
    use std::time::Duration;

    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(QUINTET)
        .args(["lab", "run", SHORT, "--concurrency", "1"])
        .env("QUINTET_DATA", folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let records = folder.path().join(format!("lab/{SHORT}.jsonl"));
    let lines = || fs::read_to_string(&records).map_or(0, |text| text.lines().count());
    while lines() < 2 && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(20));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(text(&output.stdout).contains("the same command goes on"));
    let kept = fs::read_to_string(&records).unwrap();
    assert!(kept.ends_with("}\n") && kept.lines().count() >= 2, "{kept}");
}
