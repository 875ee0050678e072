//! Analysis streams: what the engine considers, while it considers it.

use std::time::Duration;

use crate::orders::{Order, Orders};
use crate::ownership::Ownership;
use crate::{Move, Point, Position};
use protocol::gtp::{Command, Remark, Reply, Think};
use search::{Considered, Control, Game, Info, Side};
use serde_json::{Value, json};

use super::Run::{Bare, With};
use super::play::Task;
use super::{Answer, Console, Row, read_move, read_side, text_reply};

/// The commands of this file.
pub(super) const ROWS: &[Row] = &[
    ("lz-analyze", With(|console, command| analyze(console, command, Dialect::Lz))),
    ("analyze", With(|console, command| analyze(console, command, Dialect::Lz))),
    ("kata-analyze", With(|console, command| analyze(console, command, Dialect::Kata))),
    ("lz-genmove_analyze", With(|console, command| genmove(console, command, Dialect::Lz))),
    ("genmove_analyze", With(|console, command| genmove(console, command, Dialect::Lz))),
    ("kata-genmove_analyze", With(|console, command| genmove(console, command, Dialect::Kata))),
    ("cgos-genmove_analyze", With(|console, command| genmove(console, command, Dialect::Cgos))),
    ("quintet-thought", Bare(thought)),
];

/// Moves shown at most.
const MOST: usize = 40;
/// Moves told at most once a search is over.
const TOLD: usize = 5;

/// The letters of owners in the form of CGOS, from the enemy's to one's own.
const OWNERS: &[u8; 63] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";

/// A form of analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    /// Leela Zero's: probabilities are ten-thousandths. Sabaki, which prefers it, shows the lead too.
    Lz,
    /// KataGo's.
    Kata,
    /// An object for the viewers of CGOS, once the search is over.
    Cgos,
}

/// How analysis lines look and how often they come.
#[derive(Clone, Debug)]
pub struct Style {
    pub interval: Duration,
    dialect: Dialect,
    ownership: bool,
    root: bool,
    pv_visits: bool,
    /// Moves to show even if they were never tried.
    least: usize,
    most: usize,
    /// What the search may look at.
    pub orders: Orders,
}

impl Default for Style {
    fn default() -> Self {
        Style {
            interval: Duration::from_millis(500),
            dialect: Dialect::Lz,
            ownership: false,
            root: false,
            pv_visits: false,
            least: 0,
            most: MOST,
            orders: Orders::default(),
        }
    }
}

impl Style {
    /// Reads a colour, a number of centiseconds and the named arguments, in any order.
    fn read(console: &Console, command: &Command, dialect: Dialect) -> Result<(Side, Style), String> {
        let mut side = console.kifu.position().turn();
        let mut style = Style { dialect, ..Style::default() };
        let mut words = command.args.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| "syntax error".to_owned());
            match word {
                "interval" => style.interval = centiseconds(value()?)?,
                "minmoves" => style.least = value()?.parse().map_err(|_| "syntax error")?,
                "maxmoves" => style.most = value()?.parse().map_err(|_| "syntax error")?,
                "ownership" => style.ownership = switch(value()?)?,
                "rootInfo" => style.root = switch(value()?)?,
                "pvVisits" => style.pv_visits = switch(value()?)?,
                "movesOwnership"
                | "movesOwnershipStdev"
                | "ownershipStdev"
                | "pvEdgeVisits"
                | "noResultValue" => {
                    switch(value()?)?;
                }
                "avoid" | "allow" => {
                    let side = read_side(value()?)?;
                    let moves = read_moves(console, value()?)?;
                    let plies = value()?.parse().map_err(|_| "syntax error")?;
                    style.orders.0.push(Order { side, allows: word == "allow", moves, plies });
                }
                word if word.starts_with(|c: char| c.is_ascii_digit()) => {
                    style.interval = centiseconds(word)?;
                }
                word => side = read_side(word).map_err(|_| "syntax error")?,
            }
        }
        let legal = console.kifu.root_for(side).legal();
        if !legal.into_iter().any(|m| style.orders.permit(side, m, 0)) {
            return Err("no move is left".to_owned());
        }
        if dialect == Dialect::Cgos {
            style.interval = Duration::MAX;
        }
        Ok((side, style))
    }

    /// One line with all moves of a position, as its side to move sees them.
    pub(super) fn line(
        &self,
        list: &[Considered<Move>],
        position: &Position,
        ownership: &Ownership,
    ) -> String {
        let size = position.rules().size();
        let sign = if position.turn() == Side::Black { 1.0 } else { -1.0 };
        let lead = sign * position.margin_of_area(ownership.margin());
        let spread = ownership.deviation();
        let rows = (0..size).rev().flat_map(|row| (0..size).map(move |column| Point::new(column, row)));
        let owners = rows.map(|point| sign * ownership.at(point));
        if self.dialect == Dialect::Cgos {
            return self.object(list, lead, owners).to_string();
        }
        let moves = list.iter().enumerate().filter(|(order, m)| m.visits > 0 || *order < self.least);
        let shown = moves.take(self.most.min(MOST));
        let mut line: Vec<String> = shown.map(|(order, m)| self.one(order, m, lead, spread)).collect();
        if let Some(best) = list.first().filter(|_| self.dialect == Dialect::Kata && self.root) {
            let visits: u64 = list.iter().map(|m| m.visits).sum();
            let utility = 2.0 * best.value - 1.0;
            line.push(format!(
                "rootInfo visits {visits} utility {utility:.4} winrate {:.4} scoreLead {lead:.2} scoreStdev {spread:.2}",
                best.value
            ));
        }
        if self.ownership {
            let values: Vec<String> = owners.map(|owner| format!("{owner:.3}")).collect();
            line.push(format!("ownership {}", values.join(" ")));
        }
        line.join(" ")
    }

    /// The whole analysis as an object; a move's line of play leaves out the move itself.
    fn object(&self, list: &[Considered<Move>], lead: f64, owners: impl Iterator<Item = f64>) -> Value {
        let rounded = |number: f64| (number * 10_000.0).round() / 10_000.0;
        let shown = list.iter().filter(|m| m.visits > 0).take(self.most.min(MOST)).map(|m| {
            json!({
                "move": m.pv[0].to_string(),
                "visits": m.visits,
                "winrate": rounded(m.value),
                "score": rounded(lead),
                "prior": rounded(m.prior),
                "pv": joined(&m.pv[1..]),
            })
        });
        let letter =
            |owner: f64| char::from(OWNERS[((owner.clamp(-1.0, 1.0) + 1.0) * 31.0).round() as usize]);
        json!({
            "winrate": list.first().map(|m| rounded(m.value)),
            "score": rounded(lead),
            "visits": list.iter().map(|m| m.visits).sum::<u64>(),
            "moves": shown.collect::<Vec<Value>>(),
            "ownership": owners.map(letter).collect::<String>(),
        })
    }

    fn one(&self, order: usize, m: &Considered<Move>, lead: f64, spread: f64) -> String {
        let head = format!("info move {} visits {}", m.pv[0], m.visits);
        let kata = self.dialect == Dialect::Kata;
        let mut pv = joined(&m.pv);
        if kata && self.pv_visits {
            pv += " pvVisits";
            m.pv_visits.iter().for_each(|visits| pv += &format!(" {visits}"));
        }
        if kata {
            let Considered { value, lower, prior, .. } = m;
            let (utility, least) = (2.0 * value - 1.0, 2.0 * lower - 1.0);
            let score = format!(
                "scoreMean {lead:.2} scoreStdev {spread:.2} scoreLead {lead:.2} scoreSelfplay {lead:.2}"
            );
            let weight = m.visits;
            format!(
                "{head} utility {utility:.4} winrate {value:.4} {score} prior {prior:.4} lcb {lower:.4} utilityLcb {least:.4} weight {weight} order {order} pv {pv}"
            )
        } else {
            let parts = |p: f64| (p * 10_000.0) as u32;
            let (value, prior, lower) = (parts(m.value), parts(m.prior), parts(m.lower));
            format!(
                "{head} winrate {value} prior {prior} lcb {lower} scoreLead {lead:.2} order {order} pv {pv}"
            )
        }
    }
}

fn joined(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

fn centiseconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "syntax error")?;
    let time = Duration::try_from_secs_f64(number / 100.0).map_err(|_| "syntax error")?;
    // More than ten lines a second drown whoever reads them.
    Ok(time.max(Duration::from_millis(100)))
}

fn switch(text: &str) -> Result<bool, String> {
    text.to_ascii_lowercase().parse().map_err(|_| "syntax error".to_owned())
}

fn read_moves(console: &Console, text: &str) -> Result<Vec<Move>, String> {
    text.split(',').map(|vertex| read_move(console.size(), vertex)).collect()
}

impl Console {
    pub(super) fn analyze(
        &mut self,
        side: Side,
        style: &Style,
        control: &Control,
        say: &mut dyn FnMut(Remark),
    ) {
        let root = self.kifu.root_for(side);
        self.go.mcts.config.report = style.interval;
        let ownership = self.go.ownership().clone();
        let mut report = |info: &Info<Move>| match info {
            Info::Considered(list) => {
                say(Remark::Line(style.line(list, root.position(), &ownership)));
            }
            Info::Text(text) => say(Remark::Aside(text.clone())),
            _ => {}
        };
        self.go.analyze(&root, control, &mut report);
    }

    /// What the last search found out: a name and its value a line, then the moves considered, the best first.
    pub(super) fn findings(&mut self) -> String {
        let summary = self.go.search().summary().clone();
        let mut lines = vec![
            format!("playouts {}", summary.playouts),
            format!("tree {}", summary.nodes),
            format!("room {}", self.go.search().capacity()),
            format!("depth {}", summary.depth),
            format!("value {:.4}", summary.value),
        ];
        let list = self.go.considered();
        let told = list.iter().filter(|m| m.visits > 0).take(TOLD);
        lines.extend(told.map(|m| format!("candidate {} {} {:.4}", m.pv[0], m.visits, m.value)));
        lines.join("\n")
    }
}

fn analyze(console: &mut Console, command: &Command, dialect: Dialect) -> Answer {
    let (side, style) = Style::read(console, command, dialect)?;
    Ok(Reply::Think(Task::Analyze { side, style }, Think::UntilInput))
}

fn genmove(console: &mut Console, command: &Command, dialect: Dialect) -> Answer {
    let (side, style) = Style::read(console, command, dialect)?;
    Ok(Reply::Think(Task::Genmove { side, cleans_up: false, aloud: Some(style) }, Think::Aloud))
}

/// What the search for the last move found out, whatever the engine has pondered since; nothing if there was none.
fn thought(console: &mut Console) -> Answer {
    text_reply(console.told.as_str())
}

#[cfg(test)]
mod tests {
    use search::Engine;

    use super::*;

    #[test]
    fn every_switch_of_katago_is_read() {
        let console = Console::new(crate::Go::new());
        let reads = |words: &str| {
            let command = Command::read(&format!("kata-analyze b 10 {words}")).unwrap();
            Style::read(&console, &command, Dialect::Kata).is_ok()
        };
        for name in ["ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev"] {
            assert!(reads(&format!("{name} true")), "{name}");
        }
        assert!(reads("rootInfo true pvVisits true pvEdgeVisits true noResultValue false"));
        assert!(!reads("pvEdgeVisits") && !reads("ownershipDeviation true"));
    }
}
