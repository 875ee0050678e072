//! Wrong use of every program: exit code 2 and a line that names the culprit, with nothing done.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::process::Command;

/// Words after `quintet`, and what the complaint names. `DIR` holds `empty.pgn`, `wrong.pgn` and `token`.
const CASES: &[(&str, &str)] = &[
    ("nonsense", "nonsense"),
    ("engine", "Games:"),
    ("engine nope", "nope"),
    ("engine chess nonsense", "nonsense"),
    ("engine chess --set Nope=1", "Nope"),
    ("engine draughts --set Hash=x", "Hash"),
    ("engine go bench 1 2", "1 2"),
    ("match", "which game"),
    ("match chess", "two engines"),
    ("match nope --engine cmd=a --engine cmd=b", "nope"),
    ("lab run nope", "nope"),
    ("probe nope x", "nope"),
    ("probe chess x", "chess"),
    ("probe morris garbage", "garbage"),
    ("probe draughts W:W50:B51", "51"),
    ("probe neighbours garbage", "garbage"),
    ("probe morris --set Nope=1 x", "Nope"),
    ("probe morris --set Nope x", "Nope"),
    ("build endgame nope", "nope"),
    ("build endgame chess", "chess"),
    ("build endgame morris --only x", "x"),
    ("build endgame morris --set Rules=nope", "nope"),
    ("build endgame morris --set NoReturn=true", "NoReturn"),
    ("build endgame draughts --pieces 99", "pieces"),
    ("build endgame draughts --up-to 1,1", "--up-to"),
    ("build solve chess", "chess"),
    ("build book chess DIR/nofile --out DIR/book", "nofile"),
    ("build book chess DIR/empty.pgn --out DIR/no/book", "--out"),
    ("build book chess DIR/empty.pgn --out DIR/token", "no game"),
    ("build book draughts DIR/empty.pgn --out DIR/token", "no games"),
    ("analyse DIR/nofile.pgn", "nofile"),
    ("analyse DIR/empty.pgn", "no games"),
    ("analyse DIR/wrong.pgn", "Ke4"),
    ("analyse DIR/steering.pgn", "move 2 of the record"),
    ("analyse DIR/wrong.pgn --game nope", "nope"),
    ("analyse DIR/wrong.pgn --engine nope", "nope"),
    ("analyse DIR/wrong.pgn --protocol nope", "nope"),
    ("analyse DIR/wrong.pgn -o DIR/no/out.pgn", "--output"),
    ("join localhost:1 --game nope -- cat", "nope"),
    ("join localhost:1 --game chess -- nope", "nope"),
    ("join localhost:1 --game chess --token-file DIR/nofile -- cat", "nofile"),
    ("join localhost:1 --game chess --token-file DIR/token -- cat", "token"),
    ("serve --port 99999", "99999"),
    ("serve --data DIR/token", "token"),
    ("learn", "Usage"),
    ("learn nope", "nope"),
    ("learn chess games DIR/no/file --nodes 10", "no/file"),
    ("learn chess games DIR/token --nodes 10", "token"),
    ("learn chess games /dev/full --nodes 10", "/dev/full"),
    ("learn chess games DIR/new --nodes 10 --set Nope=1", "Nope"),
    ("learn chess info DIR/nofile", "nofile"),
    ("learn chess network DIR/nofile --out DIR/x", "nofile"),
    ("learn chess network DIR/token --out DIR/no/x", "--out"),
    ("learn chess fit DIR/nofile --out DIR/x", "nofile"),
    ("learn go fit DIR/nofile --out DIR/x", "nofile"),
    ("learn draughts DIR/no/weights", "weights"),
    ("learn draughts train DIR/no/w", "OUT"),
    ("learn draughts samuel DIR/w --rate 2", "the rate is 2"),
    ("learn draughts perceptron DIR/w --lambda 2", "lambda is 2"),
    ("learn draughts fit DIR/w DIR/nofile", "nofile"),
    ("learn draughts glem DIR/w DIR/token", "token"),
    ("learn draughts match Preset=Nope Preset=default", "Nope"),
    ("learn draughts seal DIR/w DIR/token", "token"),
    ("learn neighbours train DIR/no/t", "CHECKPOINT"),
    ("learn neighbours train DIR/t --rate 2 --method td", "the rate is 2"),
    ("learn neighbours train DIR/token", "token"),
    ("learn neighbours train DIR/t --board-size 9", "4 to 8"),
    ("learn neighbours train DIR/t --agent tcp://here:there", "tcp://here:there"),
    ("learn neighbours train DIR/t --join here", "here"),
    ("learn neighbours host tcp://here", "tcp://here"),
    ("learn neighbours show DIR/token", "token"),
    ("learn neighbours export DIR/nofile DIR/w", "nofile"),
    ("learn neighbours fit DIR/w --start nope", "nope"),
    ("learn neighbours match nope set1", "nope"),
    ("learn morris DIR/no/w", "WEIGHTS"),
    ("learn morris /proc/w", "WEIGHTS"),
    ("learn breakthrough games DIR/no/g", "no/g"),
];

#[test]
fn wrong_use_of_any_program_is_refused_with_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    let steering = format!("1. e4 \u{1b}[2J{} *\n", "x".repeat(100_000));
    for (name, text) in [
        ("empty.pgn", ""),
        ("wrong.pgn", "1. e4 e5 2. Ke4 *\n"),
        ("steering.pgn", &steering),
        ("token", "not a token, nor games\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let found = || {
        let entries =
            fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = entries.collect();
        names.sort();
        names
    };
    let before = found();
    for (words, named) in CASES {
        let words: Vec<String> = words.split(' ').map(|word| word.replace("DIR", dir)).collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_quintet"));
        let output = command.args(&words).env("QUINTET_DATA", dir).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {complaint}");
        assert!(complaint.contains(named), "{words:?}: {complaint}");
        let is_plain = complaint.chars().all(|c| c == '\n' || !c.is_control());
        assert!(is_plain && complaint.len() < 5000, "{words:?}: {complaint:?}");
    }
    assert_eq!(found(), before);
}
