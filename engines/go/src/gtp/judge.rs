//! The end of the game: score, dead and living stones, and opinions before it.

use crate::estimate::Estimate;
use crate::point::points;
use crate::scoring::is_finished;
use crate::{Colour, Point, PointSet, Position};
use protocol::gtp::Command;
use search::{Engine, Game, Side};

use super::Run::{Bare, With};
use super::{Answer, Console, Row, read_point, result, text_reply, vertices};

/// The commands of this file.
pub(super) const ROWS: &[Row] = &[
    ("final_score", Bare(final_score)),
    ("final_status", With(final_status)),
    ("final_status_list", With(final_status_list)),
    ("estimate_score", Bare(estimate_score)),
    ("d", Bare(d)),
    ("eval", Bare(eval)),
    ("quintet-finished", Bare(finished)),
];

fn final_score(console: &mut Console) -> Answer {
    text_reply(result(console.judged().margin))
}

fn estimate_score(console: &mut Console) -> Answer {
    let position = console.kifu.position();
    let margin = position.margin_of_area(console.judged().ownership.margin());
    text_reply(result((margin * 10.0).round() / 10.0))
}

/// What GTP calls the state of a stone, and of an empty point.
const OF_STONES: [&str; 3] = ["alive", "dead", "seki"];
const OF_POINTS: [&str; 3] = ["black_territory", "white_territory", "dame"];

/// A board with a word for every point of it.
struct Judged {
    estimate: Estimate,
    cleaned: Position,
    barren: PointSet,
}

impl Judged {
    fn new(console: &Console) -> Judged {
        let (position, estimate) = (console.kifu.position(), console.judged());
        let cleaned = position.without(&estimate.dead);
        Judged { barren: cleaned.barren(), estimate, cleaned }
    }

    /// The state of the stone here, or whose territory the empty point is, as the score counts it.
    fn status(&self, point: Point) -> &'static str {
        if self.estimate.dead.contains(point) {
            return "dead";
        }
        if self.estimate.seki.contains(point) {
            return "seki";
        }
        if self.cleaned.at(point) != Colour::Empty {
            return "alive";
        }
        match self.cleaned.owner(point, &self.barren).1 {
            Some(Side::Black) => "black_territory",
            Some(Side::White) => "white_territory",
            None => "dame",
        }
    }
}

fn final_status(console: &mut Console, command: &Command) -> Answer {
    let point = read_point(console.size(), command.only()?)?;
    text_reply(Judged::new(console).status(point))
}

/// Stones by chains, a line each; points in one line.
fn final_status_list(console: &mut Console, command: &Command) -> Answer {
    let wanted = command.only()?;
    let position = console.kifu.position();
    if OF_POINTS.contains(&wanted) {
        let judged = Judged::new(console);
        return text_reply(vertices(points(console.size()).filter(|&point| judged.status(point) == wanted)));
    }
    if !OF_STONES.contains(&wanted) {
        return Err("invalid status".to_owned());
    }
    let judged = Judged::new(console);
    let chains = [Colour::Black, Colour::White].into_iter().flat_map(|colour| position.chains(colour));
    let listed = chains.filter(|chain| chain.stones.iter().all(|stone| judged.status(stone) == wanted));
    let lines: Vec<String> = listed.map(|chain| vertices(chain.stones.iter())).collect();
    text_reply(lines.join("\n"))
}

/// Whether whose the points are is beyond doubt: if not, the game is not over or dead stones are still on the board.
fn finished(console: &mut Console) -> Answer {
    text_reply(is_finished(console.kifu.position()).to_string())
}

fn d(console: &mut Console) -> Answer {
    let position = console.kifu.position();
    text_reply(format!("\n{}Fen: {position}\nKey: {:016x}", position.picture(), position.key()))
}

fn eval(console: &mut Console) -> Answer {
    let root = console.kifu.root().clone();
    text_reply(console.go.explain(&root))
}
