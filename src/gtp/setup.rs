//! The board before the first move: size, rules, komi, handicap, files.

use go::handicap;
use go::rules::Komi;
use go::{Colour, Point, Record, sgf};
use protocol::gtp::Command;
use search::{Engine, Game, Side};

use super::{Answer, Row, Table, done, read_point, read_side, text_reply, vertices};

/// The commands of this file.
pub(super) const ROWS: &[Row] = &[
    ("boardsize", boardsize),
    ("clear_board", clear_board),
    ("komi", komi),
    ("get_komi", get_komi),
    ("fixed_handicap", fixed_handicap),
    ("place_free_handicap", place_free_handicap),
    ("set_free_handicap", set_free_handicap),
    ("loadsgf", loadsgf),
    ("printsgf", printsgf),
    ("showboard", showboard),
    ("quintet-param", param),
    ("set_random_seed", set_random_seed),
    ("clear_cache", clear_cache),
    ("gogui-setup", gogui_setup),
    ("gogui-setup_player", gogui_setup_player),
];

fn boardsize(table: &mut Table, command: &Command) -> Answer {
    let size: usize = command.only()?.parse().map_err(|_| "boardsize not an integer")?;
    let rules = table.go.rules().with_size(size).ok_or("unacceptable size")?;
    table.begin(Record::new(rules));
    done()
}

fn clear_board(table: &mut Table, _: &Command) -> Answer {
    table.begin(Record::new(table.go.rules()));
    done()
}

fn komi(table: &mut Table, command: &Command) -> Answer {
    let points: f64 = command.only()?.parse().map_err(|_| "komi not a float")?;
    let komi = Komi::new(points).ok_or("komi not a float")?;
    table.set_rules(table.go.rules().with_komi(komi));
    done()
}

fn get_komi(table: &mut Table, _: &Command) -> Answer {
    text_reply(table.go.rules().komi.points().to_string())
}

/// The number of handicap stones asked for, on a board that must be empty.
fn stones(table: &Table, command: &Command) -> Result<usize, String> {
    let number = command.only()?.parse().map_err(|_| "handicap not an integer")?;
    is_board_empty(table).then_some(number).ok_or_else(|| "board not empty".to_owned())
}

fn is_board_empty(table: &Table) -> bool {
    let position = table.record.position();
    table.record.is_empty() && position.number(Colour::Empty) == position.rules().area()
}

fn place(table: &mut Table, points: Vec<Point>) -> Answer {
    let text = vertices(points.iter().copied());
    table.begin(Record::with_handicap(table.go.rules(), points));
    text_reply(text)
}

fn fixed_handicap(table: &mut Table, command: &Command) -> Answer {
    let number = stones(table, command)?;
    let points = handicap::fixed(table.size(), number).ok_or("invalid number of stones")?;
    place(table, points)
}

fn place_free_handicap(table: &mut Table, command: &Command) -> Answer {
    let number = stones(table, command)?;
    let points = handicap::free(table.size(), number);
    if number < 2 || points.len() < 2 {
        return Err("invalid number of stones".to_owned());
    }
    place(table, points)
}

fn set_free_handicap(table: &mut Table, command: &Command) -> Answer {
    if !is_board_empty(table) {
        return Err("board not empty".to_owned());
    }
    let mut points = Vec::new();
    for vertex in &command.args {
        let point = read_point(table.size(), vertex).map_err(|_| "bad vertex list")?;
        if points.contains(&point) {
            return Err("bad vertex list".to_owned());
        }
        points.push(point);
    }
    if points.len() < 2 || points.len() >= table.size() * table.size() {
        return Err("bad vertex list".to_owned());
    }
    place(table, points)?;
    done()
}

fn loadsgf(table: &mut Table, command: &Command) -> Answer {
    let (path, before) = match command.args.as_slice() {
        [path] => (path.clone(), None),
        [path @ .., number] => match number.parse() {
            Ok(number) => (path.join(" "), Some(number)),
            Err(_) => (command.rest(), None),
        },
        [] => return Err("syntax error".to_owned()),
    };
    let bytes = std::fs::read(&path).map_err(|error| format!("cannot load file '{path}': {error}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let record = sgf::read(&text, table.go.rules(), before)
        .map_err(|error| format!("cannot load file '{path}': {error}"))?;
    table.begin(record);
    let turn = table.record.position().turn();
    text_reply(if turn == Side::Black { "black" } else { "white" })
}

fn printsgf(table: &mut Table, command: &Command) -> Answer {
    let text = sgf::write(&table.record, &[]);
    match command.args.first().map(String::as_str) {
        None | Some("-") => text_reply(text),
        Some(_) => {
            let path = command.rest();
            std::fs::write(&path, text).map_err(|error| format!("cannot write file '{path}': {error}"))?;
            done()
        }
    }
}

fn showboard(table: &mut Table, _: &Command) -> Answer {
    text_reply(format!("\n{}", table.record.position().picture()))
}

/// `quintet-param`: all options; with a name: its value; with a value too: sets it. Blanks in names are `_`.
fn param(table: &mut Table, command: &Command) -> Answer {
    let Some(name) = command.args.first() else {
        return text_reply(super::gogui::parameters(&table.go));
    };
    let name = name.replace('_', " ");
    let rows = go::Go::options();
    let row = rows.iter().find(|row| row.name.eq_ignore_ascii_case(&name));
    let row = row.ok_or_else(|| format!("no such option: '{name}'"))?;
    if command.args.len() == 1 {
        return text_reply((row.get)(&table.go).to_string());
    }
    // GoGui writes truth values as 0 and 1.
    let value = match (&row.kind, command.args[1..].join(" ").as_str()) {
        (search::Kind::Check { .. }, "1") => "true".to_owned(),
        (search::Kind::Check { .. }, "0") => "false".to_owned(),
        (_, other) => other.to_owned(),
    };
    table.go.set(row.name, &value).map_err(|error| error.to_string())?;
    let rules = table.go.rules();
    if rules != table.record.position().rules() {
        table.record.set_rules(rules);
    }
    done()
}

fn set_random_seed(table: &mut Table, command: &Command) -> Answer {
    let seed: i64 = command.only()?.parse().map_err(|_| "seed not an integer")?;
    table.go.set_seed(seed as u64);
    done()
}

fn clear_cache(table: &mut Table, _: &Command) -> Answer {
    search::Search::forget(&mut table.go);
    done()
}

/// Stones of any number and colour on an empty board, pairs of colour and vertex.
fn gogui_setup(table: &mut Table, command: &Command) -> Answer {
    let mut position = table.record.position().clone();
    if !table.record.is_empty() || !command.args.len().is_multiple_of(2) {
        return Err("syntax error".to_owned());
    }
    for pair in command.args.chunks(2) {
        position.set(read_point(table.size(), &pair[1])?, Colour::of(read_side(&pair[0])?));
    }
    if !position.is_possible() {
        return Err("a chain has no liberty".to_owned());
    }
    table.begin(Record::from_position(position));
    done()
}

fn gogui_setup_player(table: &mut Table, command: &Command) -> Answer {
    let side = read_side(command.only()?)?;
    if !table.record.is_empty() {
        return Err("board not empty".to_owned());
    }
    table.begin(Record::from_position(table.record.position().clone().with_turn(side)));
    done()
}
