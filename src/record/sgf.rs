//! SGF, the smart game format, of games of Go: a tree of nodes with properties.
//!
//! The form itself, and what its properties say of board and stones, is read by the engine's own crate, which loads
//! such files without us. Here the nodes become moves, and properties the tags that PGN has for them.

use std::collections::HashSet;

use go::sgf::collection::{self, Game};
use go::sgf::{SgfError, property};
use go::{Position, Rules};
use search::{Game as _, Side};

use super::comment::read_hours;
use super::{GameResult, Node, Record, Tree};
use crate::analysis::{self, Mark};
use crate::referee::Referee;

/// The tags of a record and their names in SGF, in the order they are written in.
const TAGS: [(&str, &str); 6] =
    [("White", "PW"), ("Black", "PB"), ("Date", "DT"), ("Event", "EV"), ("Round", "RO"), ("Site", "PC")];
/// What a root says about board, file and moves, which is written anew.
const KNOWN: [&str; 24] = [
    "FF", "GM", "CA", "AP", "SZ", "KM", "RU", "HA", "AB", "AW", "AE", "PL", "B", "W", "C", "V", "BL", "WL",
    "TE", "BM", "DO", "IT", "RE", "FEN",
];
/// Marks as SGF has them.
const MARKS: [(Mark, &str, &str); 6] = [
    (Mark::Good, "TE", "1"),
    (Mark::Brilliant, "TE", "2"),
    (Mark::Mistake, "BM", "1"),
    (Mark::Blunder, "BM", "2"),
    (Mark::Doubtful, "DO", ""),
    (Mark::Interesting, "IT", ""),
];
/// How a game was won, in letters and in words.
const CAUSES: [(&str, &str); 8] = [
    ("R", "resignation"),
    ("R", "resign adjudication"),
    ("Resign", "resignation"),
    ("T", "time"),
    ("T", "time forfeit"),
    ("Time", "time"),
    ("F", "forfeit"),
    ("Forfeit", "forfeit"),
];

/// Reads all records of a text.
pub(super) fn read(text: &str) -> Result<Vec<Record>, SgfError> {
    collection::read(text)?.iter().map(record).collect()
}

fn record(game: &Game) -> Result<Record, SgfError> {
    let played = go::sgf::main_line(game, Rules::default(), None)?;
    let start = played.root().start();
    let mut record = Record { tree: tree(game, start), ..Record::default() };
    let rules = start.rules();
    // The name of the rules sets the rest, so it stands first.
    if let Some(name) = rules.name() {
        record.set_tag("Rules", name);
    }
    record.set_tag("BoardSize", rules.size().to_string());
    record.set_tag("Komi", rules.komi.points().to_string());
    if *start != Position::start(&rules) {
        record.set_tag("FEN", start.to_string());
    }
    let value = |name: &str| game.main_line().iter().find_map(|node| node.value(name));
    for (tag, name) in TAGS {
        value(name).into_iter().for_each(|value| record.set_tag(tag, value));
    }
    match value("RE").map(|text| (text, read_result(text))) {
        Some((_, Some((result, cause)))) => {
            record.result = result;
            cause.into_iter().for_each(|cause| record.set_tag("Termination", cause));
        }
        // A result that was not understood stands until there is one.
        Some((text, None)) => record.set_tag("RE", text),
        None => {}
    }
    record.tags.extend(others(game));
    Ok(record)
}

/// What else the root says in one value; lists are drawings on the board.
fn others(game: &Game) -> Vec<(String, String)> {
    let mut seen: HashSet<&str> = TAGS.into_iter().map(|(_, name)| name).collect();
    let mut others = Vec::new();
    for property in game.nodes[0].properties.iter().filter(|property| is_other(&property.name)) {
        if seen.insert(&property.name) && property.values.len() == 1 {
            others.push((property.name.clone(), property.values[0].clone()));
        }
    }
    others
}

/// The moves of all lines from where the main line has its last stones set up; a line beside it ends where it sets up
/// others, or has a move that is none.
fn tree(game: &Game, start: &Position) -> Tree {
    let main = game.main_line();
    let first = main.iter().rposition(collection::Node::sets_up).unwrap_or(0);
    let mut tree = Tree::default();
    // For each node of the file the one that its moves lead to, and who is to move there.
    let mut places: Vec<Option<(usize, Side)>> = vec![None; game.nodes.len()];
    for (id, node) in game.nodes.iter().enumerate().skip(first) {
        let before = match places[node.parent] {
            _ if id == first => Some((0, start.turn())),
            place => place.filter(|_| !node.sets_up()),
        };
        places[id] = before.and_then(|place| play(&mut tree, place, node, start.rules().size()));
    }
    tree
}

/// Plays the moves of a node and takes what it says about the last of them.
fn play(
    tree: &mut Tree,
    mut place: (usize, Side),
    node: &collection::Node,
    size: usize,
) -> Option<(usize, Side)> {
    let mut mover = !place.1;
    for property in &node.properties {
        let Some(side) = go::sgf::mover(&property.name) else { continue };
        let text = go::sgf::read_move(property, size).ok()?.to_string();
        // Who is passed over has passed, since sides take turns here.
        let passed = (side != place.1).then(|| "pass".to_owned());
        for text in passed.into_iter().chain([text]) {
            place.0 = tree.add(Node { parent: place.0, text, ..Node::default() });
        }
        (place.1, mover) = (!side, side);
    }
    let here = &mut tree.nodes_mut()[place.0];
    annotate(here, node, mover);
    if place.0 == 0 {
        // Nobody has moved before the start.
        (here.mark, here.clock) = (None, None);
    }
    Some(place)
}

/// Takes what a node says about the position after its move.
fn annotate(node: &mut Node, said: &collection::Node, mover: Side) {
    let clock = if mover == Side::Black { "BL" } else { "WL" };
    for property in &said.properties {
        let value = property.values[0].as_str();
        match property.name.as_str() {
            "C" => {
                let both = format!("{}\n{}", node.comment, value.trim());
                node.comment = both.trim().to_owned();
            }
            // Positive is good for Black.
            "V" => {
                let value = value.trim().parse::<f64>().ok();
                node.score = value.and_then(|value| analysis::hundredths(-value)).or(node.score);
            }
            name if name == clock => node.clock = read_hours(value),
            name => {
                // A value that is none of ours says the less.
                let mut marks = MARKS.iter().filter(|(_, known, _)| *known == name);
                let mark = marks.clone().find(|(.., said)| *said == value).or_else(|| marks.next());
                node.mark = mark.map(|(mark, ..)| *mark).or(node.mark);
            }
        }
    }
    if let Some((depth, rest)) = node.score.and_then(|score| without_remark(score, &node.comment)) {
        (node.depth, node.comment) = (depth, rest.to_owned());
    }
}

/// The value as people read it in a comment, since few programs show it otherwise: `+0.31/12`.
fn remark(score: i32, depth: Option<u32>) -> String {
    analysis::pawns(score) + &depth.map(|depth| format!("/{depth}")).unwrap_or_default()
}

/// The depth and the rest of a comment that begins with the value.
fn without_remark(score: i32, comment: &str) -> Option<(Option<u32>, &str)> {
    let (first, rest) = comment.split_once(' ').unwrap_or((comment, ""));
    let depth = first.split_once('/').and_then(|(_, depth)| depth.parse().ok());
    (first == remark(score, depth)).then_some((depth, rest))
}

/// Writes a record; the referee stands at its start.
pub(super) fn write(record: &Record, start: &dyn Referee) -> String {
    let size = usize::from(start.board().columns);
    let continuations = record.tree.continuations();
    let nodes = record.tree.nodes();
    let mut out = format!("(;{}{}{}", start.sgf_root(), tags(record), said(&nodes[0], start.turn()));
    let mut steps = vec![Step::After(0, start.turn())];
    while let Some(step) = steps.pop() {
        let (at, side) = match step {
            Step::After(at, side) => (at, side),
            Step::Variation(id, side) => {
                out += &format!("\n({}", written(&nodes[id], side, size).trim_start());
                steps.push(Step::Close);
                (id, !side)
            }
            Step::Close => {
                out.push(')');
                continue;
            }
        };
        match continuations[at].as_slice() {
            [] => {}
            [only] => {
                out += &written(&nodes[*only], side, size);
                steps.push(Step::After(*only, !side));
            }
            several => steps.extend(several.iter().rev().map(|&id| Step::Variation(id, side))),
        }
    }
    out + ")\n"
}

/// What is still to be written, and who moves there.
enum Step {
    /// All that follows a node.
    After(usize, Side),
    /// The line that begins with a node.
    Variation(usize, Side),
    /// The end of a line.
    Close,
}

/// The tags by their names in SGF, and the result.
fn tags(record: &Record) -> String {
    let mut out = String::new();
    for (tag, name) in TAGS {
        // A date of ours has dots, one of SGF has hyphens.
        let value = record
            .tag(tag)
            .map(|value| if name == "DT" { value.replace('.', "-") } else { value.to_owned() });
        value.iter().for_each(|value| out += &property(name, [value.as_str()]));
    }
    let result = result(record.result, record.tag("Termination"));
    let result = result.as_deref().or(record.tag("RE"));
    result.into_iter().for_each(|result| out += &property("RE", [result]));
    let others = record.tags.iter().filter(|(name, _)| is_other(name));
    others.for_each(|(name, value)| out += &property(name, [value.as_str()]));
    out
}

/// Whether a tag is a property of SGF that nothing else stands for.
fn is_other(name: &str) -> bool {
    !name.is_empty() && !KNOWN.contains(&name) && name.bytes().all(|c| c.is_ascii_uppercase())
}

/// A move on a line of its own with what is said about it.
fn written(node: &Node, side: Side, size: usize) -> String {
    let m = go::text::read_move(size, &node.text).unwrap_or(go::Move::Pass);
    format!("\n;{}{}", go::sgf::write_move(side, m, size), said(node, side))
}

fn said(node: &Node, mover: Side) -> String {
    let mut out = String::new();
    let mark = MARKS.iter().find(|(mark, ..)| Some(*mark) == node.mark);
    mark.iter().for_each(|(_, name, value)| out += &property(name, [*value]));
    if let Some(clock) = node.clock {
        let name = if mover == Side::Black { "BL" } else { "WL" };
        out += &property(name, [clock.as_secs_f64().to_string().as_str()]);
    }
    if let Some(score) = node.score {
        out += &property("V", [(-f64::from(score) / 100.0).to_string().as_str()]);
    }
    let remark = node.score.map(|score| remark(score, node.depth)).unwrap_or_default();
    let comment = format!("{remark} {}", node.comment);
    if !comment.trim().is_empty() {
        out += &property("C", [comment.trim()]);
    }
    out
}

/// The result as SGF writes it: `B+3.5`, `W+R`, `0`, `Void`; none while the game goes on.
fn result(result: GameResult, cause: Option<&str>) -> Option<String> {
    let Some(winner) = result.winner()? else {
        let void = cause.is_some_and(|cause| cause.starts_with("no result"));
        return Some(if void { "Void" } else { "0" }.to_owned());
    };
    let points = |cause: &str| Some(cause.strip_prefix("by ")?.strip_suffix(" points")?.to_owned());
    let letter =
        |cause: &str| CAUSES.iter().find(|(_, known)| *known == cause).map(|(letter, _)| letter.to_string());
    let how = cause.map(|cause| points(cause).or_else(|| letter(cause)).unwrap_or_else(|| "F".to_owned()));
    Some(format!("{}+{}", go::sgf::initial(winner), how.unwrap_or_default()))
}

/// The result and its cause; none for what is no result.
fn read_result(text: &str) -> Option<(GameResult, Option<String>)> {
    let result = match text.as_bytes().first()? {
        b'W' | b'w' => GameResult::Won(Side::White),
        b'B' | b'b' => GameResult::Won(Side::Black),
        b'0' | b'D' | b'd' => GameResult::Drawn,
        _ => return None,
    };
    let cause = match text.split_once('+').map_or("", |(_, how)| how) {
        "" => None,
        how => {
            let known = CAUSES.iter().find(|(letter, _)| *letter == how);
            Some(known.map_or_else(|| format!("by {how} points"), |(_, cause)| cause.to_string()))
        }
    };
    Some((result, cause))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::record::Format;

    /// A record that was played out, and its text.
    fn written(record: &Record) -> (Record, String) {
        let row = crate::games::named("go").unwrap();
        let mut record = record.clone();
        let mut referee = row.open(&record.rules(row).unwrap()).unwrap();
        record.play_out(&mut *referee).unwrap();
        let text = Format::Sgf.write(&record, &*referee);
        (record, text)
    }

    #[test]
    fn whole_trees_are_read_back_as_written() {
        let text = "(;GM[1]SZ[9]KM[5.5]RU[Japanese]HA[2]AB[cc][gg]PB[A\\]da]RO[3]ON[x]RE[W+R]C[here \\[we\\]\n\\\\ go]\
                    ;W[ee]C[well: {so}]TE[2]WL[61.5](;B[ce]V[0.31]C[-0.31/12 hm];W[];B[tt])\
                    (;B[aa]DO[](;W[bb]BM[1]V[-2])(;W[ba]IT[]C[+1.00 is what I said])))\
                    (;SZ[5];B[cc];B[dd](;W[aa])(;AB[bb];W[ba])(;W[zz];B[ee]))";
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let records = Format::Sgf.read(&text).unwrap();
            let nodes = records[0].tree.nodes();
            assert_eq!((records.len(), nodes.len()), (2, 8));
            assert_eq!(
                (nodes[1].mark, nodes[1].clock),
                (Some(Mark::Brilliant), Some(Duration::from_millis(61_500)))
            );
            assert_eq!(
                (nodes[2].score, nodes[2].depth, nodes[2].comment.as_str()),
                (Some(-31), Some(12), "hm")
            );
            assert_eq!(
                (records[0].tag("Black"), records[0].tag("Termination")),
                (Some("A]da"), Some("resignation"))
            );
            let moves = |record: &Record| {
                record.tree.nodes().iter().map(|node| node.text.clone()).collect::<Vec<_>>()
            };
            assert_eq!(moves(&records[1]), ["", "C3", "pass", "D2", "A5"]);
            for record in &records {
                let (played, text) = written(record);
                let again = Format::Sgf.read(&text).unwrap().remove(0);
                assert_eq!((&again.tree, again.result), (&record.tree, record.result), "{text}");
                assert_eq!((&again.tags, written(&again)), (&record.tags, (played, text)));
            }
        }
    }

    #[test]
    fn stones_set_up_later_begin_the_game_anew() {
        let text = "(;SZ[5]PB[Ada];B[aa](;W[bb];AW[cc]PL[W]C[now];W[dd](;B[ee])(;B[ea]))(;W[ba]))";
        let record = Format::Sgf.read(text).unwrap().remove(0);
        let texts: Vec<_> = record.tree.nodes().iter().map(|node| node.text.as_str()).collect();
        assert_eq!((texts, record.tree.nodes()[0].comment.as_str()), (vec!["", "D2", "E1", "E5"], "now"));
        assert_eq!((record.tag("Black"), record.tag("FEN").is_some()), (Some("Ada"), true));
    }

    #[test]
    fn what_nobody_can_write_back_is_not_read() {
        let text = "(;SZ[5]b[x]TE[1]WL[3]V[1]C[here];B[aa]TE[1]BL[3])";
        let record = Format::Sgf.read(text).unwrap().remove(0);
        let [start, first] = record.tree.nodes() else { panic!("there is one move") };
        assert_eq!((start.mark, start.clock, start.score), (None, None, Some(-100)));
        assert_eq!((first.mark, first.clock), (Some(Mark::Good), Some(Duration::from_secs(3))));
        assert!(record.tags.iter().all(|(name, _)| !name.is_empty()));
        assert_eq!(Format::Sgf.read(&written(&record).1).unwrap()[0].tags, record.tags);
    }

    #[test]
    fn results_and_their_causes_are_read_back() {
        for re in ["B+R", "W+T", "B+F", "W+3.5", "0", "B+", "W+0.5"] {
            let (result, cause) = read_result(re).unwrap();
            assert_eq!(super::result(result, cause.as_deref()).as_deref(), Some(re));
        }
        assert_eq!(read_result("B+Resign"), read_result("B+R"));
        assert_eq!(
            (read_result("?"), read_result("Void"), super::result(GameResult::Open, None)),
            (None, None, None)
        );
    }

    /// A reader that counts anything once for each other thing would take minutes.
    #[test]
    fn large_and_deep_records_take_time_in_proportion_and_no_stack() {
        let stones = format!("(;SZ[19]AB{})", "[aa]".repeat(340_000));
        let name = |n: u32| {
            format!("Z{}", n.to_string().bytes().map(|c| (c - b'0' + b'A') as char).collect::<String>())
        };
        let root: String = (0..60_000).map(|n| format!("{}[x]", name(n))).collect();
        let same = "PB[x]".repeat(60_000);
        let deep = format!("(;SZ[9]{}{})", "(;B[aa]".repeat(60_000), ")".repeat(60_000));
        let wide = format!("(;SZ[9]{})", "(;B[aa])".repeat(60_000));
        for text in [stones, format!("(;SZ[19]{root})"), format!("(;SZ[19]{same})"), wide] {
            let (_, text) = written(&Format::Sgf.read(&text).unwrap()[0]);
            assert!(text.len() > 40);
        }
        assert!(Format::Sgf.read(&deep).unwrap_err().to_string().contains("illegal move"));
    }
}
