//! Records in the formats of two other worlds: SGF for Go, PDN for draughts.

use anyhow::{Context, Result, ensure};
use draughts::{Notation, pdn};
use go::{Position, Record as GoRecord, Rules, sgf};
use search::{Game, Root, Rulebook, Side};

use super::{AS_RECORDED, Loaded, MOST_MOVES};
use crate::analysis::Mark;
use crate::record::{GameResult, Record};
use crate::serve::store::{Ended, Kept};
use crate::serve::tree::Tree;

/// The tags of a record and their names in SGF.
const TAGS: [(&str, &str); 5] =
    [("White", "PW"), ("Black", "PB"), ("Event", "EV"), ("Date", "DT"), ("Site", "PC")];
/// What a root says about the board and the file, which is written anew.
const KNOWN: [&str; 14] = ["FF", "GM", "CA", "AP", "SZ", "KM", "RU", "HA", "AB", "AW", "AE", "PL", "B", "W"];

/// Writes a game of Go; `record` has its tags, comments and marks.
pub(super) fn write_sgf(kept: &Kept, record: &Record) -> Result<String> {
    let rules = Rules::chosen(&kept.rules)?;
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
    let text = sgf::write(&game);
    // One line for the root and one a move: what was said goes to the end of its line.
    let mut lines = text.trim_end().trim_end_matches(')').lines();
    let mut out = lines.next().unwrap_or_default().to_owned() + &root_properties(kept, record);
    for ((line, m), &id) in lines.zip(&record.moves).zip(&line) {
        let mark = kept.tree.nodes()[id].mark.map_or("", property);
        let comment = if m.comment.is_empty() { String::new() } else { written("C", &m.comment) };
        out += &format!("\n{line}{mark}{comment}");
    }
    Ok(out + ")\n")
}

/// The tags by their names in SGF, the result, and what the root said when it was read.
fn root_properties(kept: &Kept, record: &Record) -> String {
    let is_property = |name: &str| name.bytes().all(|c| c.is_ascii_uppercase());
    let tags = TAGS.iter().filter_map(|(tag, name)| {
        let value = record.tag(tag)?;
        // A date of ours has dots, one of SGF has hyphens.
        Some(if *name == "DT" { written(name, &value.replace('.', "-")) } else { written(name, value) })
    });
    let result = kept.result.iter().map(|ended| written("RE", &sgf_result(ended)));
    let others = kept.tags.iter().filter(|(name, _)| {
        // A result that was not understood stands until there is one.
        is_property(name) && (name != "RE" || kept.result.is_none())
    });
    tags.chain(result).chain(others.map(|(name, value)| written(name, value))).collect()
}

/// A property with its value.
fn written(name: &str, value: &str) -> String {
    format!("{name}[{}]", value.replace('\\', "\\\\").replace(']', "\\]"))
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
        "forfeit" => "F",
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
    let mut judge = Root::new(start.clone());
    for ((side, m), number) in game.moves().into_iter().zip(1..) {
        ensure!(side == turn, "move {number}: the same side moves twice, which is no game here");
        judge.play_text(&m.to_string()).with_context(|| format!("move {number}"))?;
        tree.play(m.to_string(), m.to_string());
        turn = !turn;
    }
    let said = comments(text);
    for id in tree.line(tree.at()) {
        if let (Some(node), Some(comment)) = (tree.node_mut(id), said.get(id - 1)) {
            node.comment = comment.clone();
        }
    }
    let result = value(text, "RE").and_then(|re| ended(&re));
    let mut tags: Vec<_> =
        TAGS.iter().filter_map(|(tag, name)| Some(((*tag).to_owned(), value(text, name)?))).collect();
    tags.extend(others(text).into_iter().filter(|(name, _)| name != "RE" || result.is_none()));
    Ok(Loaded { rules: chosen, fen, tree, result, tags })
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
        "F" | "Forfeit" => "forfeit".to_owned(),
        "" => AS_RECORDED.to_owned(),
        points => format!("by {points} points"),
    };
    Some(Ended { winner, reason })
}

/// The first value of a property of the text.
fn value(text: &str, name: &str) -> Option<String> {
    properties(text).into_iter().find(|(_, found, _)| found == name).map(|(_, _, value)| value)
}

/// What else the root says in one value; lists are drawings on the board.
fn others(text: &str) -> Vec<(String, String)> {
    let root: Vec<_> = properties(text).into_iter().take_while(|(node, ..)| *node == 1).collect();
    let values = |name: &str| root.iter().filter(|(_, known, _)| known == name).count();
    // A comment beside a move is about the move.
    let has_move = values("B") + values("W") > 0;
    let is_other = |name: &str| {
        values(name) == 1
            && !KNOWN.contains(&name)
            && !(has_move && name == "C")
            && TAGS.iter().all(|(_, known)| *known != name)
    };
    root.iter()
        .filter(|(_, name, _)| is_other(name))
        .map(|(_, name, value)| (name.clone(), value.clone()))
        .collect()
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

/// The properties of the main line in their order: the number of the node, the name, a value.
fn properties(text: &str) -> Vec<(usize, String, String)> {
    let mut found = Vec::new();
    let (mut node, mut name, mut is_whole) = (0, String::new(), false);
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        match c {
            ';' => node += 1,
            '[' => {
                let mut value = String::new();
                while let Some(c) = letters.next().filter(|&c| c != ']') {
                    value.push(if c == '\\' { letters.next().unwrap_or(c) } else { c });
                }
                found.push((node, name.clone(), value));
                is_whole = true;
            }
            // The main line ends with its first end of a line.
            ')' => break,
            c if c.is_ascii_uppercase() => {
                if std::mem::take(&mut is_whole) {
                    name.clear();
                }
                name.push(c);
            }
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
            rules.choose(name, value)?;
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
