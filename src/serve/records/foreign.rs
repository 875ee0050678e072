//! Records in the formats of two other worlds: SGF for Go, PDN for draughts.

use anyhow::{Context, Result, ensure};
use draughts::{Notation, pdn};
use go::{Position, Record as GoRecord, Rules, sgf};
use search::{Game, Side};

use super::{Loaded, MOST_MOVES};
use crate::analysis::Mark;
use crate::record::{GameResult, Record};
use crate::referee::Refereed;
use crate::serve::store::{Ended, Kept};
use crate::serve::tree::Tree;

/// The tags of a record and their names in SGF.
const TAGS: [(&str, &str); 5] =
    [("White", "PW"), ("Black", "PB"), ("Event", "EV"), ("Date", "DT"), ("Site", "PC")];

/// Writes a game of Go; `record` has its tags, comments and marks.
pub(super) fn write_sgf(kept: &Kept, record: &Record) -> Result<String> {
    let mut rules = Rules::default();
    for (name, value) in &kept.rules {
        Position::choose(&mut rules, name, value).map_err(anyhow::Error::msg)?;
    }
    let start = match &kept.fen {
        Some(fen) => Position::read(&rules, fen)?,
        None => Position::start(&rules),
    };
    let mut game = GoRecord::from_position(start);
    let line = kept.tree.whole_line();
    for &id in &line {
        let here = game.position();
        let (side, m) = (here.turn(), here.parse(&kept.tree.nodes()[id].play)?);
        game.play(side, m)?;
    }
    let result = kept.result.as_ref().map(sgf_result);
    let mut tags: Vec<(&str, &str)> =
        TAGS.iter().filter_map(|(tag, name)| Some((*name, record.tag(tag)?))).collect();
    tags.extend(result.as_deref().map(|result| ("RE", result)));
    let text = sgf::write(&game, &tags);
    // One line a move, the tags before them: what was said goes to the end of its move's line.
    let mut lines = text.trim_end().trim_end_matches(')').lines();
    let mut out = lines.next().unwrap_or_default().to_owned();
    for ((line, m), &id) in lines.zip(&record.moves).zip(&line) {
        let mark = kept.tree.nodes()[id].mark.map_or("", property);
        let comment = match m.comment.replace('\\', "\\\\").replace(']', "\\]") {
            comment if comment.is_empty() => comment,
            comment => format!("C[{comment}]"),
        };
        out += &format!("\n{line}{mark}{comment}");
    }
    Ok(out + ")\n")
}

/// A mark as SGF has it.
fn property(mark: Mark) -> &'static str {
    match mark {
        Mark::Doubtful => "DO[]",
        Mark::Mistake => "BM[1]",
        Mark::Blunder => "BM[2]",
        Mark::Good => "TE[1]",
    }
}

fn sgf_result(ended: &Ended) -> String {
    let Some(winner) = ended.winner else {
        return if ended.reason.starts_with("no result") { "Void" } else { "0" }.to_owned();
    };
    let by = match ended.reason.as_str() {
        "resignation" => "R",
        "time" => "T",
        reason => reason.strip_prefix("by ").and_then(|rest| rest.strip_suffix(" points")).unwrap_or(""),
    };
    format!("{}+{by}", ["W", "B"][winner.min(1)])
}

/// Reads the main line of a game of Go.
pub(super) fn read_sgf(text: &str) -> Result<Loaded> {
    let game = sgf::read(text, Rules::default(), None)?;
    ensure!(game.len() <= MOST_MOVES, "the game has more than {MOST_MOVES} moves");
    let start = game.root().start();
    let rules = start.rules();
    let mut chosen = vec![
        ("BoardSize".to_owned(), rules.size().to_string()),
        ("Komi".to_owned(), rules.komi.points().to_string()),
    ];
    // The name of the rules sets the rest, so it stands first.
    chosen.splice(0..0, rules.name().map(|name| ("Rules".to_owned(), name.to_owned())));
    let fen = (*start != Position::start(&rules)).then(|| start.to_string());
    let mut tree = Tree::default();
    let mut turn = start.turn();
    for ((side, m), number) in game.moves().into_iter().zip(1..) {
        ensure!(side == turn, "move {number}: the same side moves twice, which is no game here");
        tree.play(m.to_string(), m.to_string());
        turn = !turn;
    }
    let said = comments(text);
    for id in tree.line(tree.at()) {
        if let (Some(node), Some(comment)) = (tree.node_mut(id), said.get(id - 1)) {
            node.comment = comment.clone();
        }
    }
    let tags = TAGS.iter().filter_map(|(tag, name)| Some(((*tag).to_owned(), value(text, name)?))).collect();
    Ok(Loaded { rules: chosen, fen, tree, result: value(text, "RE").and_then(|re| ended(&re)), tags })
}

fn ended(text: &str) -> Option<Ended> {
    let winner = match text.as_bytes().first()? {
        b'W' | b'w' => Some(Side::White.index()),
        b'B' | b'b' => Some(Side::Black.index()),
        b'0' | b'D' | b'd' => None,
        _ => return None,
    };
    let reason = match text.split_once('+').map_or("", |(_, by)| by) {
        "R" | "Resign" => "resignation".to_owned(),
        "T" | "Time" => "time".to_owned(),
        "" => "as recorded".to_owned(),
        points => format!("by {points} points"),
    };
    Some(Ended { winner, reason })
}

/// The first value of a property of the text.
fn value(text: &str, name: &str) -> Option<String> {
    properties(text).into_iter().find(|(_, found, _)| found == name).map(|(_, _, value)| value)
}

/// What was said about each move of the main line.
fn comments(text: &str) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    let mut last = usize::MAX;
    for (node, name, value) in properties(text) {
        if matches!(name.as_str(), "B" | "W") {
            said.push(String::new());
            last = node;
        } else if name == "C"
            && last == node
            && let Some(comment) = said.last_mut()
        {
            *comment = value;
        }
    }
    said
}

/// The properties of the main line in their order: the number of the node, the name, the value.
fn properties(text: &str) -> Vec<(usize, String, String)> {
    let mut found = Vec::new();
    let (mut node, mut name) = (0, String::new());
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        match c {
            ';' => node += 1,
            '[' => {
                let mut value = String::new();
                while let Some(c) = letters.next().filter(|&c| c != ']') {
                    value.push(if c == '\\' { letters.next().unwrap_or(c) } else { c });
                }
                found.push((node, std::mem::take(&mut name), value));
            }
            // The main line ends with its first end of a line.
            ')' => break,
            c if c.is_ascii_uppercase() => name.push(c),
            _ => {}
        }
    }
    found
}

/// Gives a record the tag by which other programs know what kind of draughts it is.
pub(super) fn mark_as_draughts(record: &mut Record) -> Result<()> {
    let mut rules = draughts::Rules::default();
    for name in ["Variant", "DrawRules"] {
        if let Some(value) = record.tag(name) {
            draughts::Position::choose(&mut rules, name, value).map_err(anyhow::Error::msg)?;
        }
    }
    record.set_tag("GameType", pdn::game_type(rules.variant, Notation::Numeric));
    Ok(())
}

/// Reads what PDN writes otherwise than PGN: kinds of draughts, results, algebraic squares.
pub(super) fn read_as_draughts(record: &mut Record, text: &str) -> Result<()> {
    let games = pdn::read(&draughts::Rules::default(), text)?;
    let game = games.first().context("there is no game in this text")?;
    let start = game.game.start();
    let positions = game.game.positions().iter();
    let texts: Vec<_> = positions.zip(game.game.moves()).map(|(here, &m)| here.write(m)).collect();
    record.moves.resize_with(texts.len(), Default::default);
    for (m, text) in record.moves.iter_mut().zip(texts) {
        m.text = text;
    }
    record.set_tag("Variant", start.rules().variant.name());
    if record.tag("FEN").is_some() {
        record.set_tag("FEN", start.to_string());
    }
    record.result = match game.result {
        Some(pdn::Verdict::White) => GameResult::Won(Side::White),
        Some(pdn::Verdict::Black) => GameResult::Won(Side::Black),
        Some(pdn::Verdict::Draw) => GameResult::Drawn,
        None => GameResult::Open,
    };
    Ok(())
}
