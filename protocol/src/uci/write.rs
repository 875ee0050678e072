//! What a UCI engine says, as text. Every function returns whole lines without their last line end.

use search::perft::Division;
use search::{
    Bench, Best, Bound, Engine, Game, Kind, Line, Outcome, Root, Score, Setting, Side, Spelling, options,
};

use crate::lines;

/// What `help` prints.
pub const HELP: &str = "\
This engine speaks UCI; a graphical program drives it. By hand:
  position startpos | fen F [moves m1 m2 ...]   set the position up
  go [depth N] [movetime MS] [nodes N] ...      think; without a limit until 'stop'
  stop                                          answer now
  d, eval, flip                                 draw, explain, exchange colours
  go perft N, bench, counters                   count moves, measure speed, tell what the last search did
  uci                                           list the options
  setoption name N value V                      change one
  quit                                          leave";

/// The engine's name and version.
pub fn title<E: Engine>() -> String {
    format!("{} {}", E::NAME, env!("CARGO_PKG_VERSION"))
}

/// The answer to `uci`.
pub fn introduction<E: Engine>() -> String {
    let mut lines =
        vec![format!("id name {}", title::<E>()), format!("id author {}", env!("CARGO_PKG_AUTHORS"))];
    lines.extend(E::options().iter().map(option));
    lines.push("uciok".to_owned());
    lines.join("\n")
}

/// The announcement of an option.
fn option<E>(row: &Setting<E>) -> String {
    let kind = match &row.kind {
        Kind::Check { default } => format!("check default {default}"),
        Kind::Spin { default, min, max } => format!("spin default {default} min {min} max {max}"),
        Kind::Combo { default, choices } => {
            let choices: Vec<&str> = choices.iter().map(|choice| announced(choice)).collect();
            format!("combo default {} var {}", announced(default), choices.join(" var "))
        }
        Kind::Text { default: "" } => "string default <empty>".to_owned(),
        Kind::Text { default } => format!("string default {default}"),
        Kind::Button => "button".to_owned(),
    };
    format!("option name {} type {kind}", row.name)
}

/// A choice as the announcement spells it: `default` is a word of the line itself, at which many readers stop.
fn announced(choice: &str) -> &str {
    if choice == "default" { "Default" } else { choice }
}

/// A remark for people.
pub fn remark(text: &str) -> String {
    format!("info string {}", lines::brief(text))
}

/// How a score reads as chances of win, draw and loss per mille.
pub type Chances = fn(Score) -> [u32; 3];

/// A line of play; its moves are written as far as they are legal and the game goes on.
pub fn line<G: Game>(
    root: &mut Root<G>,
    line: &Line<G::Move>,
    spelling: Spelling<G>,
    chances: Option<Chances>,
) -> String {
    let time = line.time.as_millis();
    let speed = u128::from(line.nodes) * 1000 / time.max(1);
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let (words, end) = variation(root, &line.pv, spelling);
    let chances = chances.map_or(String::new(), |chances| {
        // Where a rule ends the game, nothing is left to chance.
        let is_drawn = line.score == Score::DRAW && end.drawn(0).is_some();
        let [win, draw, loss] = if is_drawn { [0, 1000, 0] } else { chances(line.score) };
        format!(" wdl {win} {draw} {loss}")
    });
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{chances} nodes {} nps {speed} hashfull {} tbhits {} time {time}",
        line.depth,
        line.seldepth.max(line.depth),
        line.multipv,
        line.score,
        line.nodes,
        line.hashfull,
        line.database_hits,
    );
    if !words.is_empty() {
        text += " pv ";
        text += &words.join(" ");
    }
    text
}

/// The moves of a variation up to the end of the game, and the position after them; a root drawn by rule still has its
/// first move.
fn variation<G: Game>(root: &mut Root<G>, pv: &[G::Move], spelling: Spelling<G>) -> (Vec<String>, G) {
    let mut words = Vec::new();
    let mut played = 0;
    for &m in pv {
        let over = played > 0 && root.outcome().is_some();
        if over || !root.legal().contains(&m) {
            break;
        }
        words.extend(unsaid(root, m, spelling));
        root.play(m);
        played += 1;
    }
    let end = root.position().clone();
    for _ in 0..played {
        root.undo();
    }
    (words, end)
}

/// The words of a move that are still to be said.
fn unsaid<G: Game>(root: &Root<G>, m: G::Move, spelling: Spelling<G>) -> Vec<String> {
    let mut words = spelling(root.position(), m);
    words.retain(|word| !root.said().contains(word));
    words
}

/// The root move being looked at.
pub fn current<G: Game>(root: &Root<G>, m: G::Move, number: usize, spelling: Spelling<G>) -> String {
    let word = unsaid(root, m, spelling).into_iter().next().unwrap_or_default();
    format!("info currmove {word} currmovenumber {number}")
}

/// The value of a root without a move to choose, lost or won if that ends the game.
pub fn no_move(outcome: Option<Outcome>, turn: Side) -> String {
    let score = match outcome.and_then(|outcome| outcome.winner) {
        None => Score::DRAW,
        Some(winner) if winner == turn => Score::win_in(0),
        Some(_) => Score::loss_in(0),
    };
    format!("info depth 0 score {score}")
}

/// The answer to `go`: one word. A reply that is illegal, ends the game or takes several words is nothing to
/// ponder on, nor is the rest of our own turn.
pub fn best<G: Game>(root: &mut Root<G>, best: &Best<G::Move>, spelling: Spelling<G>) -> String {
    let Some(m) = best.best else { return "bestmove (none)".to_owned() };
    let mut words = unsaid(root, m, spelling).into_iter();
    let text = format!("bestmove {}", words.next().unwrap_or_default());
    if words.next().is_some() {
        return text;
    }
    root.play(m);
    let reply = best.ponder.filter(|&m| goes_on_after(root, m)).map(|m| spelling(root.position(), m));
    root.undo();
    match reply.as_deref() {
        Some([reply]) => format!("{text} ponder {reply}"),
        _ => text,
    }
}

fn goes_on_after<G: Game>(root: &mut Root<G>, m: G::Move) -> bool {
    if root.outcome().is_some() || !root.legal().contains(&m) {
        return false;
    }
    root.play(m);
    let goes_on = root.outcome().is_none();
    root.undo();
    goes_on
}

/// The answer to `perft`.
pub fn division<G: Game>(position: &G, counts: &Division<G::Move>) -> String {
    let mut lines: Vec<String> =
        counts.iter().map(|&(m, count)| format!("{}: {count}", position.write(m))).collect();
    lines.push(format!("Nodes searched: {}", counts.iter().map(|(_, count)| count).sum::<u64>()));
    lines.join("\n")
}

/// The answer to `bench`; test benches look for the last three lines.
pub fn bench(bench: &Bench) -> String {
    let time = bench.time.as_millis();
    let speed = u128::from(bench.nodes) * 1000 / time.max(1);
    let mut lines = bench.remarks.clone();
    lines.push(format!("Total time (ms) : {time}"));
    lines.push(format!("Nodes searched  : {}", bench.nodes));
    lines.push(format!("Nodes/second    : {speed}"));
    lines.join("\n")
}

/// The answer to `d`.
pub fn board<G: Game>(position: &G) -> String {
    format!("{}\nFen: {position}\nKey: {:016X}", position.picture().trim_end(), position.key())
}

/// The commands that bring a fresh engine into the state of this one.
pub fn state<E: Engine>(engine: &E, root: &Root<E::Game>) -> String {
    // The log does not log itself.
    let chosen = options::chosen(engine).into_iter().filter(|(name, _)| *name != "Debug Log File");
    let mut lines: Vec<String> =
        chosen.map(|(name, value)| format!("setoption name {name} value {value}")).collect();
    let mut position = format!("position fen {}", root.start());
    if !root.moves().is_empty() {
        position += " moves";
    }
    for (before, &m) in root.positions().iter().zip(root.moves()) {
        position += " ";
        position += &before.write(m);
    }
    lines.push(position);
    lines.join("\n")
}
