//! `quintet match` from outside: engines that misbehave, kills, interruptions, bad input.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use serde_json::Value;

const QUINTET: &str = env!("CARGO_BIN_EXE_quintet");
/// A position in which the spoiler knows its moves.
const SHUFFLE: &str = "8/8/8/8/8/8/8/ww4bb w 0";
/// The same in draughts.
const KINGS: &str = "W:WK32:BK1";
/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);
/// The game that the spoiler plays over each protocol.
const SPOILED: [(&str, &str); 3] = [
    ("uci", "neighbours --openings shuffle.epd"),
    ("hub", "draughts --openings kings.epd"),
    ("gtp", "go --rules BoardSize=5 Komi=0"),
];

fn spoiler() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/spoiler").display().to_string()
}

/// A directory to play in, with a file of openings.
struct Ring {
    dir: tempfile::TempDir,
}

impl Ring {
    fn new() -> Ring {
        let ring = Ring { dir: tempfile::tempdir().expect("a directory for the test") };
        ring.write("shuffle.epd", SHUFFLE);
        ring.write("kings.epd", KINGS);
        ring
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("the directory can be written");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(QUINTET);
        command.arg("match").args(line.split_whitespace()).current_dir(self.dir.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn start(&self, line: &str) -> Child {
        self.command(line).spawn().expect("quintet starts")
    }

    fn run(&self, line: &str) -> Output {
        self.command(line).output().expect("quintet runs")
    }

    /// The output of a run that must succeed.
    fn succeed(&self, line: &str) -> String {
        let output = self.run(line);
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// The games of a log whose lines must all be whole.
    fn games(&self, log: &str) -> Vec<Value> {
        let text = self.read(log);
        let lines = text.lines().skip(1).map(serde_json::from_str::<Value>);
        lines.map(|line| line.expect("a whole line")["game"].clone()).collect()
    }

    /// Number, opening, colours, moves, result and reason of each game.
    fn essence(&self, log: &str) -> BTreeSet<String> {
        let games = self.games(log);
        let set: BTreeSet<String> = games.iter().map(essence).collect();
        assert_eq!(set.len(), games.len(), "no game is there twice");
        set
    }
}

fn essence(game: &Value) -> String {
    let moves = game["moves"].as_array().map(Vec::as_slice).unwrap_or_default();
    let moves: Vec<&str> = moves.iter().filter_map(|m| m["text"].as_str()).collect();
    let fields = ["game", "fen", "white", "black", "result", "reason"].map(|name| game[name].to_string());
    format!("{} {}", fields.join(" "), moves.join(" "))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The processes whose parent is `parent`.
fn children(parent: u32) -> Vec<u32> {
    let output = Command::new("ps").args(["-e", "-o", "pid=,ppid="]).output().expect("ps runs");
    let text = text(&output.stdout);
    let pairs = text.lines().filter_map(|line| {
        let mut numbers = line.split_whitespace().map(|word| word.parse::<u32>());
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    });
    pairs.filter(|&(_, ppid)| ppid == parent).map(|(pid, _)| pid).collect()
}

/// Whether a process still runs; one that only waits to be reaped does not.
fn is_alive(pid: u32) -> bool {
    let output = Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().expect("ps runs");
    let state = text(&output.stdout);
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

/// Who won each game of a good spoiler against one with a fault, and why.
fn against(game: &str, protocol: &str, fault: &str) -> Vec<String> {
    let ring = Ring::new();
    let spoiler = spoiler();
    // Only those whose fault is slowness get little time: a busy machine makes every engine slow.
    let slow = ["stall", "freeze", "flood", "babble", "late"].contains(&fault);
    let control = if slow { "tc=0.3" } else { "tc=100" };
    let startup = if fault == "mute" { 3000 } else { 100_000 };
    ring.succeed(&format!(
        "{game} --engine cmd={spoiler} name=good tc=100 --engine cmd={spoiler} name=bad args={fault} {control} \
         --each proto={protocol} --games 2 --log log --startup-ms {startup}"
    ));
    let verdict = |game: &Value| {
        let won = match (game["result"].as_str(), game["white"].as_str()) {
            (Some("1/2-1/2"), _) => "draw",
            (Some("1-0"), Some("good")) | (Some("0-1"), Some("bad")) => "good",
            _ => "bad",
        };
        format!("{won}: {}", game["reason"].as_str().unwrap_or("?"))
    };
    ring.games("log").iter().map(verdict).collect()
}

/// Runs the spoilers side by side, since most of them waste time, and checks both games of each.
fn expect(faults: &[(&str, &str)], (protocol, game): (&str, &str)) {
    let began = Instant::now();
    std::thread::scope(|scope| {
        for (fault, verdict) in faults {
            scope.spawn(move || {
                let games = against(game, protocol, fault);
                assert_eq!(games, [*verdict, *verdict], "{fault} over {protocol}");
            });
        }
    });
    assert!(began.elapsed() < PATIENCE, "a spoiler held the match up");
}

#[test]
fn every_engine_plays_itself_without_a_remark() {
    for row in quintet::games::GAMES {
        let game = row.name;
        let rules: Vec<String> = row.quick.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let rules = if rules.is_empty() { String::new() } else { format!("--rules {}", rules.join(" ")) };
        Ring::new().succeed(&format!(
            "{game} --engine {game} name=first --engine {game} name=second --each nodes=200 {rules} \
             --random-plies 4 --games 2 --seed 1 --strict --quiet"
        ));
    }
}

#[test]
fn every_fault_loses_with_its_reason_and_in_time() {
    let faults = [
        ("crash", "good: disconnects"),
        ("killed", "good: disconnects"),
        ("closed", "good: disconnects"),
        ("dead", "good: disconnects"),
        ("mute", "good: stalls"),
        ("stall", "good: stalls"),
        ("freeze", "good: stalls"),
        ("flood", "good: stalls"),
        ("babble", "good: stalls"),
        ("late", "good: time forfeit"),
        ("illegal", "good: illegal move"),
        ("none", "good: illegal move"),
        ("garbage", "good: illegal move"),
    ];
    SPOILED.into_iter().for_each(|spoiled| expect(&faults, spoiled));
}

#[test]
fn engines_of_another_protocol_are_refused_before_the_first_game() {
    let ring = Ring::new();
    for (engine, game, refusal) in [
        ("go", "chess", "it does not speak UCI: it answered the greeting with '? unknown command'"),
        (
            "go",
            "draughts proto=hub",
            "it does not speak Hub: it answered the greeting with '? unknown command'",
        ),
        ("chess", "go", "it does not speak GTP: it answered the greeting with 'info string unknown command"),
    ] {
        ring.write("stranger", &format!("exec {QUINTET} engine {engine}"));
        let (game, protocol) = game.split_once(' ').unwrap_or((game, ""));
        let output = ring.run(&format!(
            "{game} --engine cmd=sh args=stranger {protocol} --engine {game} --each nodes=1 --log log"
        ));
        let said = text(&output.stderr);
        assert!(said.contains(&format!("--engine 1 (sh): {refusal}")), "{engine} in {game}: {said}");
        assert_eq!(output.status.code(), Some(2));
        assert!(!ring.path("log").exists());
    }
}

#[test]
fn an_engine_that_does_not_take_the_board_is_refused_before_the_first_game() {
    let ring = Ring::new();
    ring.write("small", &format!("sed -u 's/boardsize 5/boardsize 99/' | {QUINTET} engine go"));
    let output =
        ring.run("go --engine cmd=sh args=small --engine go --each st=1 --rules BoardSize=5 --log log");
    let said = text(&output.stderr);
    assert!(said.contains("--engine 1 (sh): it refuses 'boardsize 5': unacceptable size"), "{said}");
    assert!(output.status.code() == Some(2) && !ring.path("log").exists());
    let output =
        ring.run("go --engine go --engine go --each nodes=1 --referee cmd=sh args=small --rules BoardSize=5");
    let said = text(&output.stderr);
    assert!(said.contains("--referee (sh): it refuses 'boardsize 5': unacceptable size"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn oddities_that_break_no_rule_lose_nothing() {
    for (protocol, game) in SPOILED {
        let end = if protocol == "gtp" { "draw: equal points" } else { "draw: threefold repetition" };
        expect(&["twice", "noise", "stubborn"].map(|oddity| (oddity, end)), (protocol, game));
    }
}

#[test]
fn a_stall_without_a_clock_ends_by_silence_or_by_patience_with_noise() {
    let ring = Ring::new();
    let spoiler = spoiler();
    ring.succeed(&format!(
        "neighbours --engine cmd={spoiler} args=stall --engine cmd={spoiler} args=flood --each nodes=1 \
         --openings shuffle.epd --games 2 --concurrency 2 --log log --stall-ms 100"
    ));
    assert!(ring.games("log").iter().all(|game| game["reason"] == "stalls"));
}

#[test]
fn a_lost_game_names_its_last_move_and_no_standing_is_printed_unless_wanted() {
    let ring = Ring::new();
    let spoiler = spoiler();
    let line = format!(
        "neighbours --engine cmd={spoiler} name=good --engine cmd={spoiler} name=bad args=illegal --each nodes=1 \
         --openings shuffle.epd --games 1 --ratinginterval"
    );
    let output = ring.succeed(&format!("{line} 0"));
    assert!(output.contains("Remark in game 1: Black: illegal move a1h8\n"), "{output}");
    assert!(!output.contains("After ") && ring.succeed(&format!("{line} 1")).contains("After 1 games: "));
}

#[test]
fn a_killed_match_resumes_to_the_games_of_an_undisturbed_one() {
    let ring = Ring::new();
    let line = "neighbours --engine neighbours name=a --engine neighbours name=b nodes=150 --each nodes=300 \
                --games 24 --random-plies 4 --seed 5 --concurrency 2 --quiet";
    ring.succeed(&format!("{line} --log whole"));
    let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(3);
    for _ in 0..20 {
        let mut child = ring.start(&format!("{line} --log broken --pgn broken.pgn --resume"));
        sleep(Duration::from_millis(random.random_range(5..150)));
        let engines = children(child.id());
        child.kill().unwrap();
        child.wait().unwrap();
        // They are gone within a second where nothing else runs: scripts/check-kill measures it.
        let deadline = Instant::now() + PATIENCE;
        while engines.iter().any(|&pid| is_alive(pid)) {
            assert!(Instant::now() < deadline, "an engine outlived its runner");
            sleep(Duration::from_millis(10));
        }
    }
    ring.succeed(&format!("{line} --log broken --pgn broken.pgn --resume"));
    assert_eq!(ring.essence("broken"), ring.essence("whole"));
    assert_eq!(ring.read("broken.pgn").matches("[Event ").count(), 24);
}

#[test]
fn ctrl_c_ends_cleanly() {
    let ring = Ring::new();
    let child = ring.start(
        "neighbours --engine neighbours name=a --engine neighbours name=b --each nodes=300 --games 100000 \
         --random-plies 4 --log log --concurrency 2",
    );
    let deadline = Instant::now() + PATIENCE;
    while ring.games_so_far("log") < 3 {
        assert!(Instant::now() < deadline, "no games are played");
        sleep(Duration::from_millis(20));
    }
    let engines = children(child.id());
    assert!(!engines.is_empty());
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(text(&output.stdout).contains("Score of a vs b: "));
    assert!(engines.iter().all(|&pid| !is_alive(pid)), "an engine was left behind");
    assert!(ring.games("log").len() >= 3);
}

impl Ring {
    fn games_so_far(&self, log: &str) -> usize {
        self.read(log).lines().count().saturating_sub(1)
    }
}

/// Whoever cannot start an engine must not call its game lost.
#[test]
fn a_machine_without_room_for_engines_ends_the_match() {
    let ring = Ring::new();
    let line =
        "neighbours --engine neighbours --engine neighbours --each nodes=1 --games 20 --log log --resume";
    let script = format!("ulimit -n 14; exec '{QUINTET}' match {line} --concurrency 10");
    let output =
        Command::new("sh").args(["-c", &script]).current_dir(ring.dir.path()).output().expect("sh runs");
    let said = text(&output.stderr);
    assert!(said.contains("cannot start ") && said.contains("Too many open files"), "{said}");
    assert_eq!(output.status.code(), Some(1));
    ring.succeed(line);
    assert!(ring.games("log").iter().all(|game| game["reason"] != "disconnects"));
}

/// A library that is missing, a weight file that is not there: the engine knows, and its user should.
#[test]
fn the_last_words_of_an_engine_are_told() {
    let ring = Ring::new();
    ring.write("unborn", "echo no library >&2; exit 127");
    let greets = "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) echo no weights >&2; \
                  exit 1;; esac; done";
    ring.write("dying", greets);
    for (engine, remark) in [
        ("unborn", "White: the engine exited; its last words: no library"),
        ("dying", "White: disconnects with 'no weights'"),
    ] {
        let line =
            format!("neighbours --engine cmd=sh args={engine} --engine neighbours --each nodes=1 --games 1");
        let output = ring.succeed(&line);
        assert!(output.contains(&format!("Remark in game 1: {remark}\n")), "{output}");
        // More workers than games have nothing to do, and no thread.
        assert!(ring.succeed(&format!("{line} --concurrency 1000000000")).contains(remark));
    }
}

#[test]
fn a_test_stops_by_itself() {
    let ring = Ring::new();
    let spoiler = spoiler();
    let output = ring.succeed(&format!(
        "neighbours --engine cmd={spoiler} name=good --engine cmd={spoiler} name=bad args=illegal --each nodes=1 \
         --openings shuffle.epd --games 1000 --sprt elo0=0 elo1=200 --quiet"
    ));
    assert!(output.contains("H1 accepted"), "{output}");
    assert!(!output.contains("] 1000\n"), "{output}");
}

#[test]
fn a_match_ends_once_its_bar_is_passed() {
    let ring = Ring::new();
    let spoiler = spoiler();
    let output = ring.succeed(&format!(
        "neighbours --engine cmd={spoiler} name=good --engine cmd={spoiler} name=bad args=illegal --each nodes=1 \
         --openings shuffle.epd --games 1000 --until-above 0.7 --quiet"
    ));
    assert!(output.contains("Score of good vs bad: 20 - 0 - 0  [1.000] 20\n"), "{output}");
    assert!(
        output.ends_with("Score 1.000, 95 % interval 0.839 to 1.000: above the target of 0.7\n"),
        "{output}"
    );
}

#[test]
fn draughts_over_hub_are_the_same_games_and_are_kept_as_pdn() {
    let ring = Ring::new();
    let line = |proto: &str| {
        format!(
            "draughts --engine draughts name=a proto={proto} --engine draughts name=b nodes=100 --each nodes=200 \
             --random-plies 4 --games 2 --strict --quiet"
        )
    };
    ring.succeed(&format!("{} --log uci", line("uci")));
    ring.succeed(&format!("{} --log hub --records games.pdn", line("hub")));
    assert_eq!(ring.essence("hub"), ring.essence("uci"));
    let text = ring.read("games.pdn");
    assert!(text.contains("[GameType \"26,W,8,8,A0,0\"]") && text.matches("[Event ").count() == 2, "{text}");
    ring.succeed(&format!(
        "{} --log again --openings games.pdn plies=6",
        line("hub").replace("--random-plies 4", "")
    ));
    assert_eq!(opening(&ring.games("again")[0], 6), opening(&ring.games("hub")[0], 6));
}

#[test]
fn go_is_kept_as_sgf_and_as_a_table_with_what_the_engine_thought() {
    let ring = Ring::new();
    let line = "go --engine go name=a --engine go name=b nodes=10 --each nodes=20 --rules BoardSize=5 Komi=3.5 \
                --games 2 --strict --quiet";
    ring.succeed(&format!("{line} --random-plies 2 --log log --records games.sgf"));
    let games = ring.games("log");
    let thought = |key: &str| games[0]["moves"][2][key].clone();
    assert!(thought("nodes").as_u64() >= Some(1) && thought("tree").as_u64() >= Some(1), "{}", games[0]);
    assert!(thought("value").is_f64() && thought("candidates").is_array(), "{}", games[0]);
    let text = ring.read("games.sgf");
    assert!(text.matches("SZ[5]KM[3.5]").count() == 2 && text.contains("s; 10 playouts, "), "{text}");
    ring.succeed("report log --csv table.csv");
    let table = ring.read("table.csv");
    let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split(',').collect()).collect();
    assert!(rows.len() == 3 && rows.iter().all(|row| row.len() == 25), "{table}");
    assert_eq!((rows[1][6], rows[1][7], rows[1][10]), ("5", "nodes=20", "3.5"), "{table}");
    assert!(rows[1][4].parse::<u64>().is_ok() && rows[1][19].parse::<u64>().is_ok(), "{table}");
    ring.succeed(&format!("{line} --log again --openings games.sgf plies=2"));
    assert_eq!(opening(&ring.games("again")[0], 2), opening(&games[0], 2));
}

/// The first moves of a game.
fn opening(game: &Value, plies: usize) -> Vec<String> {
    let moves = game["moves"].as_array().expect("a game has moves");
    moves[..plies].iter().map(|m| m["text"].to_string()).collect()
}

#[test]
fn timed_games_with_pondering_have_no_fault_and_no_remark() {
    let ring = Ring::new();
    // The margin is for busy machines; scripts/check-games plays without one.
    let output = ring.succeed(
        "neighbours --engine neighbours name=a --engine neighbours name=b --each tc=1+0.05 timemargin=20000 \
         ponder --games 2 --random-plies 6 --strict --log log",
    );
    assert!(!output.contains("Remark"), "{output}");
    let games = ring.games("log");
    assert!(games.iter().all(|game| game["moves"].as_array().is_some_and(|moves| moves.len() > 10)));
}

#[test]
fn shards_make_the_whole_and_are_reported_together() {
    let ring = Ring::new();
    let line = "neighbours --engine neighbours name=a --engine neighbours name=b nodes=50 --engine neighbours \
                name=c nodes=20 --each nodes=200 --games 4 --random-plies 4 --quiet";
    ring.succeed(&format!("{line} --log whole"));
    ring.succeed(&format!("{line} --log one --shard 1/2"));
    ring.succeed(&format!("{line} --log two --shard 2/2"));
    let mut parts = ring.essence("one");
    parts.extend(ring.essence("two"));
    assert_eq!(parts, ring.essence("whole"));
    let ranking = |report: String| report.lines().take(4).map(str::to_owned).collect::<Vec<_>>();
    let merged = ring.succeed("report one two one --pgn all.pgn --plot all.svg");
    assert_eq!(ranking(merged), ranking(ring.succeed("report whole")));
    assert_eq!(ring.read("all.pgn").matches("[Event ").count(), 12);
    assert!(ring.read("all.svg").starts_with("<svg"));
    let log = ring.read("one");
    let output = ring.run("report one two --pgn ./one");
    assert!(
        text(&output.stderr).contains("--pgn: './one' is one of the logs to read"),
        "{}",
        text(&output.stderr)
    );
    assert!(output.status.code() == Some(2) && ring.read("one") == log);
}

#[test]
fn records_of_one_match_are_openings_of_another() {
    let ring = Ring::new();
    let engines = "neighbours --engine neighbours name=a --engine neighbours name=b --each nodes=50 --quiet";
    ring.succeed(&format!("{engines} --games 2 --random-plies 3 --log first --pgn games.pgn"));
    ring.succeed(&format!("{engines} --games 2 --openings games.pgn plies=5 --log second"));
    assert_eq!(opening(&ring.games("first")[0], 5), opening(&ring.games("second")[0], 5));
    assert_eq!(ring.games("second")[0]["book"], 5);
}

#[test]
fn a_match_goes_on_only_with_what_decided_its_games_and_leaves_other_records_alone() {
    let ring = Ring::new();
    let line = "neighbours --engine neighbours name=a --engine neighbours name=b --engine neighbours name=c \
                --each nodes=20 --rules BoardSize=4 --log log --pgn games.pgn --resume --quiet";
    ring.write("games.pgn", "[Event \"mine\"]\n\n*\n\n");
    ring.succeed(&format!("{line} --games 1"));
    let records = ring.read("games.pgn");
    assert!(records.contains("mine") && records.matches("[Event ").count() == 4, "{records}");
    for (change, difference) in [
        ("--games 2", "games is 1 there, nothing here"),
        ("--games 1 --each ponder", "BoardSize=4 there, "),
        ("--games 1 --each timemargin=50", "BoardSize=4 timemargin=50 here"),
    ] {
        let output = ring.run(&format!("{line} {change}"));
        assert!(text(&output.stderr).contains(difference), "{change}: {}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{change}");
    }
    assert_eq!(ring.games("log").len(), 3);
}

#[test]
fn a_file_can_hold_the_whole_match() {
    let ring = Ring::new();
    let toml = "game = \"neighbours\"\ngames = 2\nlog = \"log\"\nrules = { BoardSize = 5 }\n[each]\nnodes = 50\n\
                [[engine]]\ncmd = \"neighbours\"\nname = \"a\"\n[[engine]]\ncmd = \"neighbours\"\nname = \"b\"\n";
    ring.write("match.toml", toml);
    ring.succeed("--config match.toml");
    let games = ring.games("log");
    assert_eq!(games.len(), 2);
    let squares = games.iter().flat_map(|game| game["moves"].as_array().unwrap());
    assert!(squares.clone().count() > 2);
    assert!(
        squares.into_iter().all(|m| !m["text"].as_str().unwrap().contains(['f', 'g', 'h', '6', '7', '8']))
    );
}

#[test]
fn our_engine_passes_the_check_and_spoilers_fail_at_their_step() {
    let ring = Ring::new();
    let output = ring.succeed("check neighbours");
    assert!(output.ends_with("Compliant: all 40 steps passed\n"), "{output}");
    let spoiler = spoiler();
    let failed = |fault: &str| {
        let output = ring.run(&format!(
            "check --game neighbours --startup-ms 500 --ping-ms 1000 cmd={spoiler} args={fault}"
        ));
        assert_eq!(output.status.code(), Some(1), "{fault}");
        let text = text(&output.stdout);
        text.lines().find(|line| line.starts_with("Failed")).unwrap_or_default().to_owned()
    };
    assert!(failed("mute").starts_with("Failed step 1: the engine starts"));
    assert!(failed("illegal").starts_with("Failed step 11: a legal bestmove follows"));
    assert!(failed("stall").starts_with("Failed step 11: a legal bestmove follows"));
}

#[test]
fn our_engines_pass_the_checks_of_gtp_and_hub_and_spoilers_do_not() {
    let ring = Ring::new();
    let spoiler = spoiler();
    for (engine, game) in [("go", "go"), ("draughts proto=hub", "draughts proto=hub")] {
        let output = ring.succeed(&format!("check {engine}"));
        assert!(output.contains("Compliant: all ") && !output.contains("Failed"), "{output}");
        let output = ring.run(&format!("check --game {game} cmd={spoiler} args=illegal --ping-ms 2000"));
        let text = text(&output.stdout);
        assert!(output.status.code() == Some(1) && text.contains("Failed"), "{text}");
    }
    let output = ring.run(&format!("check --game go cmd={spoiler} args=mute --startup-ms 500"));
    assert!(text(&output.stdout).starts_with("Failed step 1: the engine starts"));
}

#[test]
fn a_suite_of_commands_is_run_where_it_lies() {
    let ring = Ring::new();
    std::fs::create_dir(ring.path("suite")).expect("the directory can be written");
    ring.write("suite/game.sgf", "(;SZ[5];B[cc];W[bb])");
    // Old suites name people in letters of another encoding.
    let suite = b"# M\xfcller\nloadsgf game.sgf\n10 is_legal b C3\n#? [0]\n20 is_legal b A1\n#? [0|2]*\n\
                  30 is_legal b A1\n#? [!1]&\n";
    std::fs::write(ring.path("suite/all.tst"), suite).expect("the directory can be written");
    let output = ring.succeed("suite suite/all.tst -- go nodes=10");
    assert!(output.contains("solved  10 is_legal b C3: 0\n"), "{output}");
    assert!(output.contains("failed  20 is_legal b A1: 1 (wanted 0|2), as expected\n"), "{output}");
    assert!(output.ends_with("Solved 1 of 2, 0 not as expected\n"), "{output}");
}

#[test]
fn a_suite_is_counted() {
    let ring = Ring::new();
    ring.write(
        "suite.epd",
        "# two easy ones and an impossible one\n8/8/8/8/8/8/8/wb6 w 0 bm a1b1; id \"take\";\n\
         8/8/8/8/8/8/8/wb6 w 0 dm 1; id \"win\";\n8/8/8/8/8/8/8/wb6 w 0 am a1b1; id \"refuse\";\n",
    );
    let output = ring.succeed("suite suite.epd -- neighbours depth=3");
    assert!(output.contains("solved  take: a1b1") && output.contains("failed  refuse: a1b1"), "{output}");
    assert!(output.ends_with("Solved 2 of 3\n"), "{output}");
}

#[test]
fn bad_input_is_named_and_nothing_is_started() {
    let ring = Ring::new();
    ring.write("bad.epd", "8/8/8/8/8/8/8/ww4bb w 0\nnonsense\n");
    ring.write("bad.toml", "games = \n");
    let two = "neighbours --log log --engine neighbours --engine neighbours";
    for (line, culprit) in [
        ("halma --engine a --engine b".to_owned(), "no such game: 'halma'"),
        (format!("{two} --each nodes=1 --oops"), "--oops"),
        (format!("{two} --each nodes=1 --games x"), "--games"),
        (format!("{two} --each nodes=1 --games 1000000000000"), "--games: too many"),
        (format!("{two} --each nodes=0"), "--engine 1: nodes=0 is not a number of nodes"),
        (format!("{two} --each tc=fast"), "--engine 1: tc=fast is not a time control"),
        (two.to_owned(), "--engine 1: no limit"),
        (format!("{two} --each nodes=1 proto=gtp"), "--engine 1: proto=gtp is not a protocol for neighbours"),
        (format!("{two} --each tc=inf"), "--engine 1: no limit"),
        (format!("{two} --each tc=5 byoyomi=5/10"), "--engine 1: byoyomi=: only GTP has it"),
        (
            format!("{two} --each nodes=1 --until-above 2"),
            "--until-above: expected a score from 0 to below 1",
        ),
        (
            format!("{two} --each nodes=1 --openings bad.epd format=pdn"),
            "PDN holds games of draughts, not of",
        ),
        (
            "draughts --engine draughts proto=hub option.Hsh=1 --engine draughts --each nodes=1".to_owned(),
            "--engine 1 (draughts): no such option: 'Hsh'",
        ),
        (
            "go --engine go --engine go".to_owned(),
            "--engine 1: no limit: give tc, st or nodes; tc=inf leaves it to the engine",
        ),
        (
            "go --engine go --engine go --each nodes=1 option.Playouts=x".to_owned(),
            "--engine 1 (go): option Playouts: 'x' is not a number",
        ),
        (
            "go --engine go --engine go --each nodes=1 option.Hsh=1".to_owned(),
            "--engine 1 (go): no such option: 'Hsh'",
        ),
        ("go --engine go --engine go --each depth=3".to_owned(), "--engine 1: depth=: GTP has no such limit"),
        ("suite bad.epd -- go".to_owned(), "'bad.epd': line 1: test 8 has no pattern"),
        (
            format!("{two} --each nodes=1 --records no/such/x.pgn"),
            "--records: 'no/such/x.pgn': no such directory",
        ),
        (format!("{two} --each nodes=1 --plot ."), "--plot: '.' is a directory"),
        (format!("{two} --each nodes=1 --records ./log"), "--records: './log' is also the file of --log"),
        (format!("{two} --each nodes=1 proto=xboard"), "--engine 1: proto=xboard is not a protocol we speak"),
        (
            format!("{two} cmd=no/such/program --each nodes=1"),
            "--engine 2: cmd=no/such/program: no such program",
        ),
        (
            format!("{two} cmd=tcp://here:there --each nodes=1"),
            "--engine 2: cmd=tcp://here:there: invalid port value",
        ),
        (format!("{two} colour=red --each nodes=1"), "--engine 2: unknown word 'colour=red'"),
        (format!("{two} dir=nowhere --each nodes=1"), "--engine 2: dir=nowhere is not a directory"),
        (format!("{two} option.Hsh=1 --each nodes=1"), "--engine 2 (neighbours 2): no such option: 'Hsh'"),
        (format!("{two} option.Hash=x --each nodes=1"), "--engine 2 (neighbours 2): option Hash: 'x'"),
        (format!("{two} --each nodes=1 --openings bad.epd"), "line 2: bad position 'nonsense'"),
        (format!("{two} --each nodes=1 --openings none.epd"), "cannot read 'none.epd'"),
        (format!("{two} --each nodes=1 --sprt elo0=5 elo1=0"), "--sprt: elo0=5 is not below elo1=0"),
        (format!("{two} --each nodes=1 --shard 3/2"), "--shard: '3/2'"),
        (
            format!("{two} --each nodes=1 --resign movecount=0 score=400"),
            "--resign: movecount=0 is not a number of moves",
        ),
        (
            format!("{two} --each nodes=1 --resign score=-400"),
            "--resign: score=-400 is not a score from 0 up",
        ),
        (format!("{two} --each nodes=1 --draw movecount=0"), "--draw: movecount=0 is not a number of moves"),
        (
            format!("go --engine go --engine go --each nodes=1 --referee cmd={} args=dead", spoiler()),
            "--referee (spoiler): ",
        ),
        (format!("{two} --each nodes=1 --balance 50"), "--balance: needs --random-plies"),
        (format!("{two} --each nodes=1 --random-plies 4 --balance 0"), "--balance: must be above 0"),
        (
            "go --engine go --engine go --each nodes=1 --random-plies 4 --balance 50".to_owned(),
            "--balance: our engine for go gives no scores",
        ),
        (
            format!("{two} --each nodes=1 --rules BoardSize=9"),
            "option BoardSize: '9' is not a number from 4 to 8",
        ),
        (format!("{two} --each nodes=1 --config bad.toml"), "--config bad.toml"),
        ("neighbours --engine neighbours nodes=1".to_owned(), "--engine: a match needs two engines, 1 given"),
        ("report nothing.jsonl".to_owned(), "cannot read 'nothing.jsonl'"),
        ("check cmd=nothing --game neighbours".to_owned(), "cmd=nothing: no such program"),
        ("suite bad.epd -- neighbours nodes=1".to_owned(), "'bad.epd' line 1: no bm, am or dm"),
    ] {
        let output = ring.run(&line);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {message}");
        assert!(message.contains(culprit), "{line}: {message}");
        assert!(output.stdout.is_empty() && !ring.path("log").exists(), "{line}: something was started");
    }
}
