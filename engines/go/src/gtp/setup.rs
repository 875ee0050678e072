//! The board before the first move: size, rules, komi, handicap, files.

use crate::handicap;
use crate::rules::Komi;
use crate::{Colour, Kifu, Point, sgf};
use protocol::encoding;
use protocol::gtp::Command;
use search::{Engine, Game, Kind, Side};

use super::Run::{Bare, With};
use super::gogui::{one_word, parameters};
use super::{Answer, Console, Row, done, read_point, read_side, text_reply, vertices};

/// The commands of this file.
pub(super) const ROWS: &[Row] = &[
    ("boardsize", With(boardsize)),
    ("clear_board", Bare(clear_board)),
    ("komi", With(komi)),
    ("get_komi", Bare(get_komi)),
    ("fixed_handicap", With(|console, command| give(console, command, handicap::fixed))),
    ("place_free_handicap", With(|console, command| give(console, command, handicap::free))),
    ("set_free_handicap", With(set_free_handicap)),
    ("loadsgf", With(loadsgf)),
    ("printsgf", With(printsgf)),
    ("showboard", Bare(showboard)),
    ("quintet-param", With(param)),
    ("set_random_seed", With(set_random_seed)),
    ("clear_cache", Bare(clear_cache)),
    ("gogui-setup", With(gogui_setup)),
    ("gogui-setup_player", With(gogui_setup_player)),
];

fn boardsize(console: &mut Console, command: &Command) -> Answer {
    // Some name both sides.
    let mut sides = Vec::new();
    for word in &command.args {
        sides.push(word.parse::<i64>().map_err(|_| "boardsize not an integer")?);
    }
    let size = match sides[..] {
        [size] => size,
        [width, height] if width == height => width,
        [width, height] => return Err(format!("unacceptable size: {width}x{height} is not square")),
        _ => return Err("syntax error".to_owned()),
    };
    let rules = usize::try_from(size).ok().and_then(|size| console.go.rules().with_size(size));
    let rules = rules.ok_or("unacceptable size")?;
    console.begin(Kifu::new(rules));
    done()
}

fn clear_board(console: &mut Console) -> Answer {
    console.begin(Kifu::new(console.go.rules()));
    done()
}

fn komi(console: &mut Console, command: &Command) -> Answer {
    let points: f64 = command.only()?.parse().map_err(|_| "komi not a float")?;
    let komi = Komi::new(points).ok_or("unacceptable komi")?;
    console.set_rules(console.go.rules().with_komi(komi));
    done()
}

fn get_komi(console: &mut Console) -> Answer {
    text_reply(console.go.rules().komi.points().to_string())
}

/// Places as many handicap stones as asked for on a board that must be empty, on the points that `choose` finds.
fn give(console: &mut Console, command: &Command, choose: fn(usize, usize) -> Option<Vec<Point>>) -> Answer {
    let number: i64 = command.only()?.parse().map_err(|_| "handicap not an integer")?;
    if !is_board_empty(console) {
        return Err("board not empty".to_owned());
    }
    let points = usize::try_from(number).ok().and_then(|number| choose(console.size(), number));
    place(console, points.ok_or("invalid number of stones")?)
}

fn is_board_empty(console: &Console) -> bool {
    let position = console.kifu.position();
    console.kifu.is_empty() && position.number(Colour::Empty) == position.rules().area()
}

fn place(console: &mut Console, points: Vec<Point>) -> Answer {
    let text = vertices(points.iter().copied());
    console.begin(Kifu::with_handicap(console.go.rules(), points));
    text_reply(text)
}

fn set_free_handicap(console: &mut Console, command: &Command) -> Answer {
    if !is_board_empty(console) {
        return Err("board not empty".to_owned());
    }
    let mut points = Vec::new();
    for vertex in &command.args {
        let point = read_point(console.size(), vertex).ok().filter(|point| !points.contains(point));
        points.push(point.ok_or("bad vertex list")?);
    }
    if points.len() < 2 || points.len() >= console.size() * console.size() {
        return Err("bad vertex list".to_owned());
    }
    place(console, points)?;
    done()
}

fn loadsgf(console: &mut Console, command: &Command) -> Answer {
    let (path, before) = match command.args.as_slice() {
        [path] => (path.clone(), None),
        [path @ .., number] => match number.parse() {
            Ok(number) => (path.join(" "), Some(number)),
            Err(_) => (command.rest(), None),
        },
        [] => return Err("syntax error".to_owned()),
    };
    let bytes = std::fs::read(&path).map_err(|error| format!("cannot load file '{path}': {error}"))?;
    let kifu = sgf::read(&encoding::text(bytes), console.go.rules(), before)
        .map_err(|error| format!("cannot load file '{path}': {error}"))?;
    console.begin(kifu);
    let turn = console.kifu.position().turn();
    text_reply(if turn == Side::Black { "black" } else { "white" })
}

fn printsgf(console: &mut Console, command: &Command) -> Answer {
    let text = sgf::write(&console.kifu);
    match command.args.first().map(String::as_str) {
        None | Some("-") => text_reply(text),
        Some(_) => {
            let path = command.rest();
            std::fs::write(&path, text).map_err(|error| format!("cannot write file '{path}': {error}"))?;
            done()
        }
    }
}

fn showboard(console: &mut Console) -> Answer {
    text_reply(format!("\n{}", console.kifu.position().picture()))
}

/// `quintet-param`: all options; with a name: its value; with a value too: sets it. Blanks in names and choices may
/// be `_`.
fn param(console: &mut Console, command: &Command) -> Answer {
    let Some(name) = command.args.first() else {
        return text_reply(parameters(&console.go));
    };
    let rows = crate::Go::options();
    let row = rows.iter().find(|row| row.is_called(name));
    let row = row.ok_or_else(|| format!("no such option: '{name}'"))?;
    if command.args.len() == 1 {
        return text_reply(row.get(&console.go).to_string());
    }
    let value = match (&row.kind, command.args[1..].join(" ").as_str()) {
        // GoGui writes truth values as 0 and 1.
        (Kind::Check { .. }, "1") => "true".to_owned(),
        (Kind::Check { .. }, "0") => "false".to_owned(),
        (Kind::Combo { choices, .. }, word) => {
            let choice = choices.iter().find(|choice| one_word(choice).eq_ignore_ascii_case(word));
            choice.copied().unwrap_or(word).to_owned()
        }
        // The protocol has no other word for nothing.
        (Kind::Text { .. }, "\"\"") => String::new(),
        (_, other) => other.to_owned(),
    };
    console.go.set(row.name, &value).map_err(|error| error.to_string())?;
    let rules = console.go.rules();
    if rules.size() != console.size() {
        console.begin(Kifu::new(rules));
    } else if rules != console.kifu.position().rules() {
        console.kifu.set_rules(rules);
    }
    done()
}

fn set_random_seed(console: &mut Console, command: &Command) -> Answer {
    let seed: i64 = command.only()?.parse().map_err(|_| "seed not an integer")?;
    console.go.mcts.config.seed = seed as u64;
    done()
}

fn clear_cache(console: &mut Console) -> Answer {
    search::Search::forget(&mut console.go);
    done()
}

/// Stones of any number and colour on an empty board, pairs of colour and vertex.
fn gogui_setup(console: &mut Console, command: &Command) -> Answer {
    let mut position = console.kifu.position().clone();
    if !console.kifu.is_empty() || !command.args.len().is_multiple_of(2) {
        return Err("syntax error".to_owned());
    }
    for pair in command.args.chunks(2) {
        position.set(read_point(console.size(), &pair[1])?, Colour::of(read_side(&pair[0])?));
    }
    if !position.is_possible() {
        return Err("a chain has no liberty".to_owned());
    }
    console.begin(Kifu::from_position(position));
    done()
}

fn gogui_setup_player(console: &mut Console, command: &Command) -> Answer {
    let side = read_side(command.only()?)?;
    if !console.kifu.is_empty() {
        return Err("board not empty".to_owned());
    }
    console.begin(Kifu::from_position(console.kifu.position().clone().with_turn(side)));
    done()
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::gtp::{Reply, Responder};

    /// The answer to the last of these commands, or the first error.
    fn said(lines: &[&str]) -> Result<String, String> {
        let mut console = Console::new(crate::Go::new());
        let mut last = String::new();
        for line in lines {
            if let Reply::Text(text) = console.answer(&Command::read(line).unwrap())? {
                last = text;
            }
        }
        Ok(last)
    }

    #[test]
    fn files_that_are_no_utf_8_are_blamed_by_the_byte() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("latin.sgf");
        std::fs::write(&path, b"(;SZ[9]PB[\xe9\xe8];B[ee];W[zz])").unwrap();
        let why = said(&[&format!("loadsgf {}", path.display())]).unwrap_err();
        assert!(why.contains("byte 21: "), "{why}");
    }

    #[test]
    fn black_stones_that_were_set_up_are_no_handicap_after_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.sgf").display().to_string();
        let (print, load) = (format!("printsgf {file}"), format!("loadsgf {file}"));
        let turn = said(&["boardsize 9", "gogui-setup b c3 b g7", &print, &load]);
        assert_eq!(turn, Ok("black".to_owned()));
    }

    #[test]
    fn options_are_set_as_the_dialog_writes_them() {
        let list = said(&["quintet-param Preset GO_GAME", "quintet-param"]).unwrap();
        assert!(list.contains("\n[list/default/GO_GAME] Preset GO_GAME\n"), "{list}");
        let after = |set: &str, name: &str| said(&[set, &format!("quintet-param {name}")]).unwrap();
        assert_eq!(after("quintet-param Preset go game", "Preset"), "GO GAME");
        assert_eq!(after("quintet-param Rules New_Zealand", "Rules"), "new_zealand");
        let log = ["quintet-param Debug_Log_File a b", "quintet-param Debug_Log_File \"\""];
        assert_eq!(after(log[0], "Debug_Log_File"), "a b");
        assert_eq!(said(&[log[0], log[1], "quintet-param Debug_Log_File"]), Ok(String::new()));
        let why = said(&["quintet-param Rules old_zealand"]).unwrap_err();
        assert!(why.contains("'old_zealand' is not one of"), "{why}");
    }

    #[test]
    fn a_size_that_is_set_as_an_option_begins_a_new_game() {
        let board = said(&["play b q16", "quintet-param BoardSize 9", "showboard"]).unwrap();
        assert_eq!(board, said(&["boardsize 9", "showboard"]).unwrap());
        assert!(!said(&["quintet-param"]).unwrap().contains("BoardSize"));
    }

    #[test]
    fn rules_without_a_name_are_shown_as_such() {
        let list = said(&["kata-set-rules {\"ko\":\"SIMPLE\"}", "quintet-param"]).unwrap();
        assert!(list.contains("/cgos/simple-ko/custom] Rules custom\n"), "{list}");
        assert!(said(&["quintet-param Rules custom"]).is_err());
    }

    #[test]
    fn a_komi_beyond_all_boards_is_refused() {
        assert_eq!(said(&["komi 1e308"]), Err("unacceptable komi".to_owned()));
        assert_eq!(said(&["komi -0", "get_komi"]), Ok("0".to_owned()));
    }

    #[test]
    fn small_boards_have_room_for_a_free_handicap() {
        assert_eq!(said(&["boardsize 5", "place_free_handicap 2"]), Ok("B2 D4".to_owned()));
        assert_eq!(said(&["boardsize 2", "place_free_handicap 3"]), Ok("A1 B2 B1".to_owned()));
        for number in ["1", "4"] {
            let why = said(&["boardsize 2", &format!("place_free_handicap {number}")]);
            assert_eq!(why, Err("invalid number of stones".to_owned()));
        }
    }
}
