//! The end of the game: score, dead and living stones, and opinions before it.

use go::estimate::{Estimate, estimate};
use go::moves::Chain;
use go::{Colour, Point, PointSet, Position};
use protocol::gtp::Command;
use search::{Engine, Game};

use super::{Answer, Row, Table, read_point, result, text_reply, vertices};

/// The commands of this file.
pub(super) const ROWS: &[Row] = &[
    ("final_score", final_score),
    ("final_status", final_status),
    ("final_status_list", final_status_list),
    ("estimate_score", estimate_score),
    ("d", d),
    ("eval", eval),
];

fn final_score(table: &mut Table, command: &Command) -> Answer {
    command.none()?;
    text_reply(result(estimate(table.record.position()).margin))
}

fn estimate_score(table: &mut Table, command: &Command) -> Answer {
    command.none()?;
    let position = table.record.position();
    let margin = position.margin_of_area(estimate(position).ownership.margin());
    text_reply(result((margin * 10.0).round() / 10.0))
}

fn chains(table: &Table) -> Vec<Chain> {
    [Colour::Black, Colour::White].iter().flat_map(|&c| table.record.position().chains(c)).collect()
}

fn status(judged: &Estimate, chain: &PointSet) -> &'static str {
    if !chain.is_disjoint(&judged.dead) {
        "dead"
    } else if !chain.is_disjoint(&judged.seki) {
        "seki"
    } else {
        "alive"
    }
}

/// Whose territory an empty point is, as the score counts it: by the stones around its region.
fn territory(position: &Position, point: Point) -> &'static str {
    let touches = |colour| !position.region(point, colour).1.is_empty();
    match (touches(Colour::Black), touches(Colour::White)) {
        (true, false) => "black_territory",
        (false, true) => "white_territory",
        _ => "dame",
    }
}

fn final_status(table: &mut Table, command: &Command) -> Answer {
    let point = read_point(table.size(), command.only()?)?;
    let position = table.record.position();
    let judged = estimate(position);
    let chain = chains(table).into_iter().find(|chain| chain.stones.contains(point));
    text_reply(match chain {
        Some(chain) => status(&judged, &chain.stones),
        None => territory(&position.without(&judged.dead), point),
    })
}

fn final_status_list(table: &mut Table, command: &Command) -> Answer {
    let wanted = command.only()?;
    if !["dead", "alive", "seki"].contains(&wanted) {
        return Err("invalid status".to_owned());
    }
    let judged = estimate(table.record.position());
    let listed = chains(table).into_iter().filter(|chain| status(&judged, &chain.stones) == wanted);
    let lines: Vec<String> = listed.map(|chain| vertices(chain.stones.iter())).collect();
    text_reply(lines.join("\n"))
}

fn d(table: &mut Table, command: &Command) -> Answer {
    command.none()?;
    let position = table.record.position();
    text_reply(format!("\n{}Fen: {position}\nKey: {:016x}", position.picture(), position.key()))
}

fn eval(table: &mut Table, command: &Command) -> Answer {
    command.none()?;
    let root = table.record.root().clone();
    text_reply(table.go.explain(&root))
}
