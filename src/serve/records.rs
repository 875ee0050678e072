//! Games to and from text: what users save, load and paste.

mod foreign;

use anyhow::{Context, Result, ensure};
use search::Side;
use serde_json::{Value, json};

use super::catalogue::Format;
use super::seat::Seat;
use super::store::{Ended, Kept};
use super::tree::{Node, Tree};
use crate::analysis::{self, Mark};
use crate::record::{GameResult, Record, RecordMove, pgn};
use crate::referee::{self, Referee};

/// Moves of a record that is loaded.
const MOST_MOVES: usize = 5000;
/// Why a game ended whose record does not say it.
const AS_RECORDED: &str = "as recorded";

/// The game's main line as text; `referee` is one of this game.
pub fn export(kept: &Kept, referee: &dyn Referee, format: Format) -> Result<Value> {
    let mut judge = referee.another();
    judge.set_up(kept.fen.as_deref())?;
    let black_first = judge.turn() == Side::Black;
    let mut record = record_of(kept, &*judge);
    let (text, ending) = match format {
        Format::Pgn => (pgn::write(&record, black_first), "pgn"),
        Format::Pdn => {
            foreign::mark_as_draughts(&mut record)?;
            (pgn::write(&record, black_first), "pdn")
        }
        Format::Sgf => (foreign::write_sgf(kept, &record)?, "sgf"),
    };
    Ok(json!({ "type": "record", "text": text, "name": format!("{}-{}.{ending}", kept.game, kept.id) }))
}

fn record_of(kept: &Kept, start: &dyn Referee) -> Record {
    let mut record = Record { result: result_of(kept.result.as_ref()), ..Record::default() };
    for (name, value) in &kept.tags {
        record.set_tag(name, value.clone());
    }
    if kept.tags.is_empty() {
        record.set_tag("Event", "Quintet");
        if !kept.date.is_empty() {
            record.set_tag("Date", kept.date.clone());
        }
        for (name, seat) in ["White", "Black"].into_iter().zip(&kept.seats) {
            record.set_tag(name, seat.name("Quintet"));
        }
    }
    if kept.fen.is_some() {
        record.set_tag("SetUp", "1");
        record.set_tag("FEN", start.fen());
    }
    for (name, value) in &kept.rules {
        record.set_tag(name, value.clone());
    }
    if let Some(ended) = kept.result.as_ref().filter(|ended| ended.reason != AS_RECORDED) {
        record.set_tag("Termination", ended.reason.clone());
    }
    if is_960(&kept.rules) {
        record.set_tag("Variant", "Chess960");
    }
    record.comment = kept.tree.nodes()[0].comment.clone();
    let line = kept.tree.whole_line();
    record.moves = line.into_iter().map(|id| annotated(&kept.tree.nodes()[id])).collect();
    record
}

/// Whether chess begins elsewhere than usual.
fn is_960(rules: &[(String, String)]) -> bool {
    rules.iter().any(|(name, value)| name == "UCI_Chess960" && value == "true")
}

/// A move with its mark, what was said about it, and its value.
fn annotated(node: &Node) -> RecordMove {
    let sign = node.mark.map_or("", Mark::sign);
    let comment = match node.score {
        // What was written into the comment once is not written again.
        Some(score) if node.mark.is_some() || node.comment.is_empty() => {
            let value = analysis::pawns(score);
            if node.comment.contains(&value) {
                node.comment.clone()
            } else {
                format!("{value} {}", node.comment)
            }
        }
        _ => node.comment.clone(),
    };
    RecordMove { text: format!("{}{sign}", node.text), comment: comment.trim().to_owned() }
}

fn result_of(ended: Option<&Ended>) -> GameResult {
    match ended.map(|ended| ended.winner) {
        None => GameResult::Open,
        Some(None) => GameResult::Drawn,
        Some(Some(0)) => GameResult::Won(Side::White),
        Some(Some(_)) => GameResult::Won(Side::Black),
    }
}

/// What a text from outside says.
#[derive(Clone)]
pub struct Loaded {
    /// The rules its tags name.
    pub rules: Vec<(String, String)>,
    /// Where it begins.
    pub fen: Option<String>,
    /// Its moves, the game standing at their end.
    pub tree: Tree,
    /// How it ended.
    pub result: Option<Ended>,
    /// The tags that are left.
    pub tags: Vec<(String, String)>,
}

impl Loaded {
    /// As a game between two people.
    pub fn kept(self, id: String, game: &str) -> Kept {
        let Loaded { rules, fen, tree, result, tags } = self;
        Kept {
            id,
            game: game.to_owned(),
            date: String::new(),
            rules,
            fen,
            seats: [Seat::Human, Seat::Human],
            clock: None,
            tree,
            result,
            paused: false,
            dead: None,
            tags,
        }
    }
}

/// The games of a file, a text each.
pub fn games<'a>(game: &str, text: &'a str) -> Result<Vec<&'a str>> {
    if game == "go" {
        return Ok(collection(text));
    }
    let records = pgn::read(text)?;
    let lines: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect();
    let mut starts: Vec<usize> = records.iter().map(|record| lines[record.line - 1]).collect();
    starts.push(text.len());
    ensure!(starts.is_sorted_by(|a, b| a < b), "two games begin in one line");
    Ok(starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect())
}

/// The games of an SGF file, from bracket to bracket; one that does not end is the last.
fn collection(text: &str) -> Vec<&str> {
    let mut games = Vec::new();
    let (mut start, mut depth, mut in_value, mut escaped) = (0, 0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_value => escaped = true,
            ']' if in_value => in_value = false,
            _ if in_value => {}
            '[' => in_value = depth > 0,
            // Some files begin with a letter to the reader.
            '(' if depth > 0 || text[at + 1..].trim_start().starts_with(';') => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            ')' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    games.push(&text[start..=at]);
                }
            }
            _ => {}
        }
    }
    if depth > 0 {
        games.push(&text[start..]);
    }
    games
}

/// Reads a record or a FEN; `rules` are the names of the game's rules.
pub fn import(game: &str, rules: &[&str], text: &str) -> Result<Loaded> {
    let text = text.trim();
    if let Some(loaded) = position(game, rules, text) {
        return Ok(loaded);
    }
    if game == "go" && text.starts_with('(') {
        return foreign::read_sgf(text);
    }
    let mut record = pgn::read(text)?.into_iter().next().context("there is no game in this text")?;
    if game == "draughts" {
        foreign::read_as_draughts(&mut record, text)?;
    }
    if record.tag("Variant").is_some_and(|name| name.to_ascii_lowercase().replace(' ', "") == "chess960") {
        record.set_tag("UCI_Chess960", "true");
    }
    ensure!(record.moves.len() <= MOST_MOVES, "the game has more than {MOST_MOVES} moves");
    replay(game, rules, &record)
}

/// A position alone, on the usual board or on one of as many rows as it has.
fn position(game: &str, names: &[&str], text: &str) -> Option<Loaded> {
    let rows = text.split_whitespace().next()?.split('/').count();
    let sized = names.contains(&"BoardSize").then(|| vec![("BoardSize".to_owned(), rows.to_string())]);
    std::iter::once(Vec::new()).chain(sized).find_map(|rules| {
        let mut referee = referee::open(game, &rules).ok()?;
        referee.set_up(Some(text)).ok()?;
        let fen = Some(referee.fen());
        Some(Loaded { rules, fen, tree: Tree::default(), result: None, tags: Vec::new() })
    })
}

fn replay(game: &str, names: &[&str], record: &Record) -> Result<Loaded> {
    let is_rule = |name: &str| names.iter().find(|rule| rule.eq_ignore_ascii_case(name));
    let rules: Vec<_> = record
        .tags
        .iter()
        .filter_map(|(name, value)| Some(((*is_rule(name)?).to_owned(), value.clone())))
        .collect();
    let mut referee = referee::open(game, &rules)?;
    referee.set_up(record.tag("FEN"))?;
    let fen = record.tag("FEN").map(|_| referee.fen());
    let mut tree = Tree::default();
    if let Some(start) = tree.node_mut(0) {
        start.comment = record.comment.clone();
    }
    for (m, number) in record.moves.iter().zip(1..) {
        let play = referee.play(&m.text).with_context(|| format!("move {number} of the record"))?;
        let text = referee.written().pop().unwrap_or_else(|| play.clone());
        tree.play(play, text);
        let at = tree.at();
        if let Some(node) = tree.node_mut(at) {
            node.comment = m.comment.clone();
        }
    }
    let reason = record.tag("Termination").unwrap_or(AS_RECORDED).to_owned();
    let winner = match record.result {
        GameResult::Open => None,
        GameResult::Drawn => Some(None),
        GameResult::Won(side) => Some(Some(side.index())),
    };
    let special = |name: &str| match name {
        "FEN" | "SetUp" | "Result" => true,
        // A game that is not over may say why.
        "Termination" => winner.is_some(),
        _ => is_rule(name).is_some(),
    };
    let tags = record.tags.iter().filter(|(name, _)| !special(name)).cloned().collect();
    Ok(Loaded { rules, fen, tree, result: winner.map(|winner| Ended { winner, reason }), tags })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_exported_is_imported() {
        let text = "[White \"A\"]\n[BoardSize \"5\"]\n\n{at last} 1. a1b2 {well} a5b4 1-0";
        let loaded = import("neighbours", &["BoardSize"], text).unwrap();
        assert_eq!(loaded.rules, [("BoardSize".to_owned(), "5".to_owned())]);
        assert_eq!(loaded.tree.plays(loaded.tree.at()), ["a1b2", "a5b4"]);
        let kept = loaded.clone().kept("x".to_owned(), "neighbours");
        let referee = referee::open("neighbours", &kept.rules).unwrap();
        let saved = export(&kept, &*referee, Format::Pgn).unwrap();
        let again = import("neighbours", &["BoardSize"], saved["text"].as_str().unwrap()).unwrap();
        assert_eq!((again.tree, again.result, again.rules), (loaded.tree, loaded.result, loaded.rules));
        assert!(again.tags.contains(&("White".to_owned(), "A".to_owned())));
    }

    #[test]
    fn records_of_other_programs_go_in_and_out() {
        let sgf = "(;GM[1]SZ[9]KM[5.5]RU[japanese]HA[2]AB[cc][gg]PB[Ada]RE[W+3.5];W[ee]C[well];B[ce](;W[tt])(;W[aa]))";
        let pdn = "[White \"Ada\"]\n[GameType \"26\"]\n\n1. 22-18 {hm} 11-15 2. 18x11 2-0";
        let chess = "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/1R2K3 w B - 0 1\"]\n\n1. O-O-O! Ke7 *";
        for (game, format, text) in
            [("go", Format::Sgf, sgf), ("draughts", Format::Pdn, pdn), ("chess", Format::Pgn, chess)]
        {
            let rules = crate::games::find(game).unwrap().rule_names();
            let loaded = import(game, &rules, text).unwrap();
            let referee = referee::open(game, &loaded.rules).unwrap();
            let saved = export(&loaded.clone().kept("x".to_owned(), game), &*referee, format).unwrap();
            let again = import(game, &rules, saved["text"].as_str().unwrap()).unwrap();
            assert_eq!((&again.tree, &again.fen, &again.rules), (&loaded.tree, &loaded.fen, &loaded.rules));
            assert_eq!(again.result.map(|r| r.winner), loaded.result.map(|r| r.winner), "{game}");
        }
        let go = import("go", &["Rules", "BoardSize", "Komi"], sgf).unwrap();
        assert_eq!(go.tree.plays(go.tree.at()), ["E5", "C5", "pass"]);
        assert_eq!((go.result.unwrap().winner, go.tree.nodes()[1].comment.as_str()), (Some(0), "well"));
    }

    #[test]
    fn a_forfeit_is_not_a_number_of_points() {
        let kept = import("go", &[], "(;GM[1]SZ[5]RE[B+F];B[cc])").unwrap().kept("x".to_owned(), "go");
        assert_eq!(kept.result.as_ref().unwrap().reason, "forfeit");
        let referee = referee::open("go", &kept.rules).unwrap();
        let saved = export(&kept, &*referee, Format::Sgf).unwrap();
        assert!(saved["text"].as_str().unwrap().contains("RE[B+F]"), "{saved}");
    }

    #[test]
    fn what_a_record_does_not_say_is_not_added() {
        let saved = |text: &str| {
            let kept = import("neighbours", &[], text).unwrap().kept("x".to_owned(), "neighbours");
            let referee = referee::open("neighbours", &[]).unwrap();
            export(&kept, &*referee, Format::Pgn).unwrap()["text"].as_str().unwrap().to_owned()
        };
        assert!(!saved("[White \"A\"]\n\n1. a1b2 1-0").contains("Termination"));
        assert!(saved("[Termination \"time\"]\n\n1. a1b2 1-0").contains("[Termination \"time\"]"));
        assert!(saved("[Termination \"adjourned\"]\n\n1. a1b2 *").contains("[Termination \"adjourned\"]"));
    }

    #[test]
    fn a_game_of_the_board_has_its_day() {
        for (game, fen, format, said) in [
            ("neighbours", "2b4b/8/8/8/8/8/8/w7 b 0", Format::Pgn, "[Date \"2026.01.31\"]"),
            ("go", "3/1b1/3 w - 0 0 0", Format::Sgf, "DT[2026-01-31]"),
        ] {
            let loaded = import(game, &["BoardSize"], fen).unwrap();
            let referee = referee::open(game, &loaded.rules).unwrap();
            let kept = Kept { date: "2026.01.31".to_owned(), ..loaded.kept("x".to_owned(), game) };
            let saved = export(&kept, &*referee, format).unwrap();
            assert!(saved["text"].as_str().unwrap().contains(said), "{saved}");
        }
    }

    #[test]
    fn what_a_root_says_survives() {
        let sgf = "(;GM[1]SZ[9]HA[2]AB[cc][gg]RO[3]GC[two\nlines \\] ;B[aa\\]]C[hello]TR[aa][bb]RE[?]\
                   ;W[ee]C[well])";
        let loaded = import("go", &[], sgf).unwrap();
        let referee = referee::open("go", &loaded.rules).unwrap();
        let saved = export(&loaded.clone().kept("x".to_owned(), "go"), &*referee, Format::Sgf).unwrap();
        let text = saved["text"].as_str().unwrap();
        for said in ["HA[2]", "RO[3]", "GC[two\nlines \\] ;B[aa\\]]", "C[hello]", "RE[?]", "\n;W[ee]C[well]"]
        {
            assert_eq!(text.matches(said).count(), 1, "{said} in {text}");
        }
        assert!(!text.contains("TR["), "{text}");
        let again = import("go", &[], text).unwrap();
        assert_eq!((again.tags, again.tree, again.fen), (loaded.tags, loaded.tree, loaded.fen));
    }

    #[test]
    fn a_text_is_cut_into_its_games() {
        let text = "[A \"1\"]\n\n1. e4 {so\n[%clk 1]} e5\n*\n\n[A \"2\"]\n\n1. d4 *\n1. c4 *\n";
        let cut = games("chess", text).unwrap();
        assert_eq!(cut.concat(), text);
        assert_eq!(cut[1..], ["[A \"2\"]\n\n1. d4 *\n", "1. c4 *\n"]);
        assert!(games("chess", "1. e4 * 1. d4 *").is_err());
        assert!(games("chess", "\n").unwrap().is_empty());
        let sgf = "Dear (all),\n(;C[\\]) (];B[aa](;W[bb])(;W[cc]))\n( ;B[aa])\n(;B[bb]";
        assert_eq!(games("go", sgf).unwrap(), ["(;C[\\]) (];B[aa](;W[bb])(;W[cc]))", "( ;B[aa])", "(;B[bb]"]);
    }

    #[test]
    fn a_position_alone_is_a_game_too() {
        let fen = "2b4b/8/8/8/8/8/8/w7 b 0";
        assert_eq!(import("neighbours", &[], fen).unwrap().fen.as_deref(), Some(fen));
        for (game, fen, size) in [("go", "3/1b1/3 w - 0 0 0", "3"), ("neighbours", "b3/4/4/3w w 0", "4")] {
            let loaded = import(game, &["BoardSize"], fen).unwrap();
            assert_eq!(loaded.rules, [("BoardSize".to_owned(), size.to_owned())], "{game}");
            assert_eq!(loaded.fen.as_deref(), Some(fen));
        }
    }

    #[test]
    fn bad_records_are_refused_with_the_place() {
        let error = |text| format!("{:#}", import("neighbours", &[], text).err().unwrap());
        assert_eq!(error("1. a1b2 a1b2"), "move 2 of the record: illegal move 'a1b2'");
        assert_eq!(error(""), "there is no game in this text");
    }
}
