//! `quintet build` from outside: killed, out of room, with strange files in the way, and asked what is missing.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use protocol::{Launch, Process};

const QUINTET: &str = env!("CARGO_BIN_EXE_quintet");
/// How long to wait for what takes a second on an idle machine.
const PATIENCE: Duration = Duration::from_secs(300);

fn build(data: &Path, words: &str) -> Command {
    let mut command = Command::new(QUINTET);
    command.arg("build").args(words.split_whitespace()).arg("--data").arg(data);
    command
}

fn run(data: &Path, words: &str) -> Output {
    build(data, words).output().unwrap()
}

/// What a command that should succeed prints.
fn said(data: &Path, words: &str) -> String {
    let output = run(data, words);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What a command that should fail complains of.
fn complaint(output: &Output) -> String {
    failure(output, 1)
}

/// What a command that asks for what cannot be complains of.
fn refusal(output: &Output) -> String {
    failure(output, 2)
}

fn failure(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn table(data: &Path, unit: &str) -> PathBuf {
    data.join("endgame").join(format!("morris-protected-flying-{unit}.qeg"))
}

/// The tables, and what else a build should not have left.
fn files(data: &Path) -> Vec<String> {
    let entries = fs::read_dir(data.join("endgame")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != "builder.lock");
    names.sort();
    names
}

#[test]
fn a_build_killed_at_any_moment_goes_on_where_it_was() {
    let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    said(whole.path(), "endgame morris --men 8");
    // Killed as soon as a first, a second, ... table is there: in the midst of the next.
    for unit in ["3-3", "4-3", "4-4"] {
        let mut child = build(broken.path(), "endgame morris --men 8").stdout(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while !table(broken.path(), unit).exists() && child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < PATIENCE, "{unit} does not come");
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let last = said(broken.path(), "endgame morris --men 8");
    assert!(last.starts_with("3-3: already built\n4-3: already built\n4-4: already built\n"), "{last}");
    assert_eq!(files(broken.path()), files(whole.path()));
    for unit in ["3-3", "4-3", "4-4", "5-3"] {
        let read = |data: &Path| fs::read(table(data, unit)).unwrap();
        assert!(read(whole.path()) == read(broken.path()), "{unit} differs");
    }
    let proven = said(broken.path(), "endgame morris --men 8 --verify");
    assert_eq!(proven.matches("verified").count(), 4, "{proven}");
    let missing = said(broken.path(), "solve morris");
    assert!(missing.starts_with("unknown: 24 endgame tables are missing: 5-4 6-3 "), "{missing}");
}

#[test]
fn a_full_disk_loses_nothing_that_is_finished() {
    let data = tempfile::tempdir().unwrap();
    // No file may grow beyond half a mebibyte or so: 3-3 fits, 4-3 does not.
    let limited = format!(
        "trap '' XFSZ; ulimit -f 1000; exec '{QUINTET}' build endgame morris --men 8 --data '{}'",
        data.path().display()
    );
    let full = Command::new("sh").arg("-c").arg(limited).output().unwrap();
    assert!(complaint(&full).contains("morris-protected-flying-4-3.part: "), "{full:?}");
    assert_eq!(files(data.path()), ["morris-protected-flying-3-3.qeg"]);
    let later = said(data.path(), "endgame morris --up-to 4,3 --wdl");
    assert!(later.starts_with("3-3: already built\n4-3: built 1,808,610 states"), "{later}");
    let small = fs::metadata(table(data.path(), "4-3")).unwrap().len();
    assert!(small < 130_000, "half a bit a state, not {small} bytes");
}

#[test]
fn a_folder_has_one_builder() {
    let data = tempfile::tempdir().unwrap();
    let mut first = build(data.path(), "endgame morris --men 9").stdout(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while !table(data.path(), "3-3").exists() {
        assert!(begun.elapsed() < PATIENCE && first.try_wait().unwrap().is_none(), "nothing was built");
        std::thread::sleep(Duration::from_millis(2));
    }
    let second = complaint(&run(data.path(), "endgame draughts --pieces 2"));
    assert!(second.contains("another build is at work in ") && second.contains("builder.lock"), "{second}");
    first.kill().unwrap();
    first.wait().unwrap();
    said(data.path(), "endgame draughts --pieces 2");
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_is_cut_off_in_use_is_given_up_and_the_engine_plays_on() {
    let data = tempfile::tempdir().unwrap();
    said(data.path(), "endgame morris --men 6");
    let path = table(data.path(), "3-3");
    let mut engine = Process::start(&Launch::new(QUINTET).args(["engine", "morris"])).unwrap();
    engine.say(format!("setoption name EndgamePath value {}", path.parent().unwrap().display()));
    // White's men stay, Black's wander over the whole board, and so over the whole file.
    let look_everywhere = || {
        for place in 0..22 {
            let mut points = [b'.'; 24];
            [0, 9, 18].iter().for_each(|&point| points[point] = b'w');
            let free: Vec<usize> = (0..24).filter(|&point| points[point] == b'.').collect();
            [0, 7, 14].iter().for_each(|step| points[free[(place + step) % free.len()]] = b'b');
            let rings = points.chunks(8).map(|ring| std::str::from_utf8(ring).unwrap());
            engine.say(format!("position fen {} w 0 0 0 -", rings.collect::<Vec<_>>().join("/")));
            engine.say("go depth 2");
            let deadline = Instant::now() + PATIENCE;
            while !engine.hear(deadline, "bestmove").unwrap().text.starts_with("bestmove ") {}
        }
    };
    look_everywhere();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(8192).unwrap();
    look_everywhere();
    engine.say("quit");
    assert!(engine.leave(PATIENCE).unwrap().success());
}

/// How a file is spoilt.
type Spoil = fn(&mut Vec<u8>);

#[test]
fn strange_files_are_named_and_left_alone() {
    let data = tempfile::tempdir().unwrap();
    said(data.path(), "endgame morris --men 6");
    let path = table(data.path(), "3-3");
    let good = fs::read(&path).unwrap();
    let spoils: [(&str, Spoil); 5] = [
        ("its checksum is wrong", |bytes| *bytes.last_mut().unwrap() ^= 1),
        ("block 2 is damaged", |bytes| bytes[4096 + 2 * 65536] ^= 1),
        ("it has 150000 bytes instead of", |bytes| bytes.truncate(150_000)),
        ("it is not an endgame database", |bytes| bytes[0] = b'Q'),
        ("it is of version 2, which is not ours (1)", |bytes| bytes[16] = b'2'),
    ];
    for (why, spoil) in spoils {
        let mut bytes = good.clone();
        spoil(&mut bytes);
        fs::write(&path, &bytes).unwrap();
        let refused = complaint(&run(data.path(), "endgame morris --men 7"));
        assert!(refused.contains("morris-protected-flying-3-3.qeg: ") && refused.contains(why), "{refused}");
        assert!(fs::read(&path).unwrap() == bytes, "{why}: the file was changed");
        assert_eq!(files(data.path()).len(), 1);
    }
    fs::write(&path, &good).unwrap();
    fs::copy(&path, table(data.path(), "4-3")).unwrap();
    let foreign = complaint(&run(data.path(), "endgame morris --men 7"));
    assert!(foreign.contains("4-3.qeg: it belongs to something else"), "{foreign}");
}

#[test]
fn what_cannot_be_built_is_said() {
    let data = tempfile::tempdir().unwrap();
    let refused = |words: &str| refusal(&run(data.path(), words));
    assert!(refused("endgame morris --men 5").contains("three to nine men a side"));
    assert!(refused("endgame morris --up-to 9,2").contains("three to nine men a side"));
    assert!(refused("endgame draughts --pieces 1").contains("at least two pieces"));
    assert!(refused("endgame draughts --pieces 0 --compare").contains("at least two pieces"));
    assert!(refused("endgame neighbours --men 1").contains("at least one piece a side"));
    assert!(refused("endgame draughts --up-to 1,1").contains("limited by --pieces"));
    assert!(refused("endgame morris --set Rules=seed").contains("without a ban on returning"));
    assert!(refused("endgame morris --placing --set DoubleRemoval=true").contains("remove one man"));
    assert!(refused("endgame draughts --placing").contains("no men are placed in this game"));
    assert!(refused("endgame neighbours --placing 6").contains("no men are placed in this game"));
    assert!(refused("solve morris --minutes 5").contains("only at its end"));
    assert!(refused("endgame chess").contains("there are no endgames for chess, only for draughts, "));
    assert!(said(data.path(), "solve morris").contains("holds no endgame tables for these rules"));
}

#[test]
fn a_plan_tells_what_is_missing_and_builds_nothing() {
    let data = tempfile::tempdir().unwrap();
    said(data.path(), "endgame morris --men 6");
    let plan = said(data.path(), "endgame morris --dry-run");
    assert!(plan.contains("| 9-9 | 414814400 | 395.60 MiB | 1.16 GiB | "), "{plan}");
    assert!(
        plan.contains("9,193,416,267 states, 8.56 GiB on disk, at most 3.01 GiB in memory, about "),
        "{plan}"
    );
    assert!(!plan.contains("| 3-3 |") && plan.contains("free: "), "{plan}");
    assert_eq!(files(data.path()).len(), 1);
}

#[test]
fn the_placing_phase_is_built_after_what_it_leads_to_and_a_page_tells_the_longest_wins() {
    let data = tempfile::tempdir().unwrap();
    said(data.path(), "endgame morris --men 7");
    let placing = said(data.path(), "endgame morris --men 7 --placing");
    assert!(placing.contains("\n2-3+1-0: built ") && placing.contains("\n3-2+1-1: built "), "{placing}");
    let proven = said(data.path(), "endgame morris --men 7 --placing --verify");
    assert_eq!(proven.matches("verified").count(), placing.lines().count() - 1, "{proven}");
    let page = said(data.path(), "endgame morris --men 7 --placing --report");
    assert!(page.starts_with("# Endgames: morris-protected-flying\n"), "{page}");
    let longest = page.split("## The longest wins and losses").nth(1).unwrap();
    let row = longest.lines().find(|line| line.starts_with("| 4-3 | 33 | `")).unwrap();
    let fen = row.split('`').nth(1).unwrap();
    let told =
        Command::new(QUINTET).args(["probe", "morris", fen, "--data"]).arg(data.path()).output().unwrap();
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(told.contains(&format!("{fen}: win in 33\n")), "{told}");
    let early = complaint(&run(data.path(), "endgame morris --men 9 --placing --only 3-4+1-1"));
    assert!(early.contains("unit 3-4+1-1 needs "), "{early}");
}

#[test]
fn two_builds_share_the_tables_and_are_put_together() {
    let [whole, one, two] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    said(whole.path(), "endgame morris --men 8");
    said(one.path(), "endgame morris --men 7");
    for unit in ["3-3", "4-3"] {
        fs::create_dir_all(two.path().join("endgame")).unwrap();
        fs::copy(table(one.path(), unit), table(two.path(), unit)).unwrap();
    }
    let mut other = build(two.path(), "endgame morris --only 4-4").stdout(Stdio::null()).spawn().unwrap();
    let here = said(one.path(), "endgame morris --only 5-3");
    assert!(here.starts_with("5-3: built 5,957,412 states"), "{here}");
    assert!(other.wait().unwrap().success());
    fs::copy(table(two.path(), "4-4"), table(one.path(), "4-4")).unwrap();
    for unit in ["3-3", "4-3", "4-4", "5-3"] {
        let read = |data: &Path| fs::read(table(data, unit)).unwrap();
        assert!(read(whole.path()) == read(one.path()), "{unit} differs");
    }
    let early = complaint(&run(two.path(), "endgame morris --only 6-4"));
    assert!(early.contains("unit 6-4 needs 5-4, which is not built"), "{early}");
    let unknown = refusal(&run(two.path(), "endgame morris --only 4-4,10-3"));
    assert!(unknown.contains("there is no table '10-3' here"), "{unknown}");
}

#[test]
fn a_position_is_told_with_its_moves_and_the_line_to_the_end() {
    let data = tempfile::tempdir().unwrap();
    let probe = |fen: &str| {
        let words = ["probe", "morris", fen, "--data"];
        Command::new(QUINTET).args(words).arg(data.path()).output().unwrap()
    };
    let fen = ".w..b.b./.....w../..w...b. w 0 0 0 -";
    assert!(complaint(&probe(fen)).contains("holds no endgame tables for these rules"));
    said(data.path(), "endgame morris --men 7");
    let text = String::from_utf8(probe(fen).stdout).unwrap();
    assert!(text.contains(&format!("{fen}: win in 23\n")), "{text}");
    let line = text.lines().last().unwrap().strip_prefix("line: ").unwrap();
    assert_eq!(line.split(' ').count(), 23, "{text}");
    // Every move of the line is the best one where it is made.
    let winning = text.lines().find(|line| line.ends_with("  win in 23")).unwrap();
    assert_eq!(winning.split(' ').next(), line.split(' ').next(), "{text}");
    let drawn = String::from_utf8(probe("ww.w..../b.b...b./b....... w 0 0 0 -").stdout).unwrap();
    assert!(!drawn.contains("line: "), "{drawn}");
    let placing = complaint(&probe("ww....../......../........ w 7 9 0 -"));
    assert!(placing.contains("no table holds"), "{placing}");
    assert!(refusal(&probe("nonsense")).contains("nonsense"));
    // A copy for players knows who wins, and no more.
    let small = tempfile::tempdir().unwrap();
    let copied = said(
        data.path(),
        &format!("endgame morris --men 7 --wdl --shrink {}/endgame", small.path().display()),
    );
    assert!(copied.starts_with("3-3: written 210,140 states"), "{copied}");
    let words = ["probe", "morris", fen, "--data"];
    let told = Command::new(QUINTET).args(words).arg(small.path()).output().unwrap();
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(told.contains(&format!("{fen}: win\n")) && !told.contains("line: "), "{told}");
}

#[test]
fn a_search_for_a_proof_goes_on_where_it_was() {
    let data = tempfile::tempdir().unwrap();
    let solve = "solve neighbours --set BoardSize=5 --memory 1 --minutes 0";
    let positions = |said: &str| {
        let line = said.lines().last().unwrap().replace(',', "");
        let numbers: Vec<u64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert!(line.contains(" down to 0 tables; kept in "), "{line}");
        (numbers[0], *numbers.iter().rev().nth(1).unwrap())
    };
    let first = said(data.path(), solve);
    assert!(first.contains("White wins: unknown, ") && first.contains("\na1b2: White wins: "), "{first}");
    let (here, all) = positions(&first);
    assert_eq!(here, all);
    let second = positions(&said(data.path(), solve));
    assert_eq!((second.0 > 0, second.1), (true, all + second.0));
    let path = data.path().join("endgame/neighbours-5x5.proof");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let refused = complaint(&run(data.path(), solve));
    assert!(refused.contains("neighbours-5x5.proof: its checksum is wrong"), "{refused}");
    assert!(fs::read(&path).unwrap() == bytes, "the file was changed");
    // The smallest board is won.
    let small = said(data.path(), "solve neighbours --set BoardSize=4");
    assert!(small.contains("White wins: proved\n") && small.contains("b1b3: White wins: proved"), "{small}");
}
