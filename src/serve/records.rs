//! Games to and from text: what users save, load and paste.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::store::{Ended, Kept};
use crate::games::Row;
use crate::record::{Format, Record, Tree};
use crate::referee::Referee;

/// Moves of a record that is loaded.
const MOST_MOVES: usize = 5000;
/// Moves in all lines of a record; of one that has more only the main line is loaded.
const MOST_NODES: usize = 10_000;
/// Why a game ended whose record does not say it.
const AS_RECORDED: &str = "as recorded";

/// The game with all its lines as text; `referee` is one of this game.
pub fn export(kept: &Kept, referee: &dyn Referee, format: Format) -> Result<Value> {
    let mut start = referee.another();
    start.set_up(kept.fen.as_deref())?;
    let text = format.write(&record_of(kept, &*start), &*start);
    let name = format!("{}-{}.{}", kept.game, kept.id, format.ending());
    Ok(json!({ "type": "record", "text": text, "name": name }))
}

fn record_of(kept: &Kept, start: &dyn Referee) -> Record {
    let (tags, tree) = (kept.tags.clone(), kept.tree.clone());
    let mut record = Record { tags, tree, result: Ended::result(kept.result.as_ref()), line: 0 };
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
    for (name, value) in start.tags() {
        record.set_tag(name, value);
    }
    if let Some(ended) = kept.result.as_ref().filter(|ended| ended.reason != AS_RECORDED) {
        record.set_tag("Termination", ended.reason.clone());
    }
    record
}

/// Reads a record or a FEN as a game between two people.
pub fn import(row: &'static Row, text: &str) -> Result<Kept> {
    let text = text.trim();
    if let Some(kept) = position(row, text) {
        return Ok(kept);
    }
    let format = Format::of_text(text).unwrap_or(row.formats[0]);
    let is_ours = row.formats.contains(&format);
    ensure!(
        is_ours,
        "this is a record in {}, which holds no game of {}",
        format.ending().to_uppercase(),
        row.name
    );
    let mut record = format.read(text)?.into_iter().next().context("there is no game in this text")?;
    let main = record.moves();
    ensure!(main.len() <= MOST_MOVES, "the game has more than {MOST_MOVES} moves");
    if record.tree.nodes().len() > MOST_NODES {
        record.tree = Tree::of_line(main.into_iter().cloned().collect::<Vec<_>>());
    }
    let rules = record.rules(row)?;
    let mut referee = row.open(&rules)?;
    record.play_out(&mut *referee)?;
    let fen = record.tag("FEN").map(|_| referee.fen());
    let reason = record.tag("Termination").unwrap_or(AS_RECORDED).to_owned();
    let winner = record.result.winner();
    let result = winner.map(|winner| Ended { winner: winner.map(|side| side.index()), reason });
    let names = row.rule_names();
    let is_rule = |name: &str| names.iter().any(|rule| rule.eq_ignore_ascii_case(name));
    record.tags.retain(|(name, _)| match name.as_str() {
        "FEN" | "SetUp" => false,
        // A game that is not over may say why.
        "Termination" => winner.is_none(),
        name => !is_rule(name),
    });
    let Record { tags, tree, .. } = record;
    Ok(Kept { game: row.name.to_owned(), rules, fen, tree, result, tags, ..Kept::default() })
}

/// A position alone, on the usual board or on one of as many rows as it has.
fn position(row: &'static Row, text: &str) -> Option<Kept> {
    let rows = text.split_whitespace().next()?.split('/').count();
    let sized =
        row.rule_names().contains(&"BoardSize").then(|| vec![("BoardSize".to_owned(), rows.to_string())]);
    std::iter::once(Vec::new()).chain(sized).find_map(|rules| {
        let mut referee = row.open(&rules).ok()?;
        referee.set_up(Some(text)).ok()?;
        Some(Kept { game: row.name.to_owned(), rules, fen: Some(referee.fen()), ..Kept::default() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    /// What a text says, with the rules that the game has.
    fn load(game: &str, text: &str) -> Kept {
        import(games::named(game).unwrap(), text).unwrap()
    }

    /// The record of a game in its usual format.
    fn save(kept: &Kept) -> String {
        let row = games::named(&kept.game).unwrap();
        let saved = export(kept, &*row.open(&kept.rules).unwrap(), row.formats[0]).unwrap();
        saved["text"].as_str().unwrap().to_owned()
    }

    #[test]
    fn what_is_exported_is_imported() {
        let text = "[White \"A\"]\n[BoardSize \"5\"]\n\n{at last} 1. a1b2 {well} a5b4 1-0";
        let loaded = load("neighbours", text);
        assert_eq!(loaded.rules, [("BoardSize".to_owned(), "5".to_owned())]);
        assert_eq!(loaded.tree.plays(loaded.tree.at()), ["a1b2", "a5b4"]);
        let again = load("neighbours", &save(&loaded));
        assert_eq!((again.tree, again.result, again.rules), (loaded.tree, loaded.result, loaded.rules));
        assert!(again.tags.contains(&("White".to_owned(), "A".to_owned())));
    }

    #[test]
    fn a_record_in_the_format_of_another_game_is_refused_by_name() {
        let why = import(games::named("chess").unwrap(), "(;GM[1]SZ[9])").unwrap_err().to_string();
        assert_eq!(why, "this is a record in SGF, which holds no game of chess");
    }

    #[test]
    fn records_of_other_programs_go_in_and_out() {
        let sgf = "(;GM[1]SZ[9]KM[5.5]RU[japanese]HA[2]AB[cc][gg]PB[Ada]RE[W+3.5];W[ee]C[well];B[ce](;W[tt])(;W[aa]))";
        let pdn = "[White \"Ada\"]\n[GameType \"26\"]\n\n1. 22-18 {hm} 11-15 2. 18x11 2-0";
        let chess = "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/1R2K3 w B - 0 1\"]\n\n1. O-O-O! Ke7 *";
        for (game, text) in [("go", sgf), ("draughts", pdn), ("chess", chess)] {
            let loaded = load(game, text);
            let again = load(game, &save(&loaded));
            assert_eq!((&again.tree, &again.fen, &again.rules), (&loaded.tree, &loaded.fen, &loaded.rules));
            assert_eq!(again.result.map(|r| r.winner), loaded.result.map(|r| r.winner), "{game}");
        }
        let go = load("go", sgf);
        assert_eq!(go.tree.plays(go.tree.at()), ["E5", "C5", "pass"]);
        assert_eq!((go.result.unwrap().winner, go.tree.nodes()[1].comment.as_str()), (Some(0), "well"));
    }

    #[test]
    fn variations_signs_values_and_clocks_are_kept_and_written_back() {
        let text = "1. e4! {[%eval 0.31] [%clk 0:01:02]} (1. d4 d5 (1... Nf6 $14 {solid})) \
                    (1. Nf3 {maybe} Ra3 {no move} e5) 1... e5 {[%eval #-3]} *";
        let loaded = load("chess", text);
        let plays = |node: usize| loaded.tree.plays(node).join(" ");
        assert_eq!([2, 3, 4, 5, 6].map(plays), ["d2d4", "d2d4 d7d5", "d2d4 g8f6", "g1f3", "e2e4 e7e5"]);
        assert_eq!(loaded.tree.at(), 6);
        let first = &loaded.tree.nodes()[1];
        assert_eq!((first.score, first.clock.map(|time| time.as_secs())), (Some(31), Some(62)));
        let saved = save(&loaded);
        let written = "1. e4! {[%eval 0.31] [%clk 0:01:02]} (1. d4 d5 (1... Nf6 $14 {solid})) (1. Nf3 {maybe}) \
                       1... e5 {[%eval #-3]} *";
        assert!(saved.replace('\n', " ").contains(written), "{saved}");
        assert_eq!(load("chess", &saved).tree, loaded.tree);
    }

    #[test]
    fn a_line_that_was_left_is_a_variation_of_the_record() {
        let mut kept = load("chess", "1. e4 e5 2. Nf3 Nc6 *");
        assert!(kept.tree.go(2));
        kept.tree.play("f2f4".to_owned(), "f4".to_owned());
        let text = save(&kept);
        assert!(text.contains("1. e4 e5 2. f4 (2. Nf3 Nc6) *"), "{text}");
    }

    #[test]
    fn of_a_record_without_end_the_main_line_is_loaded() {
        let text = format!("1. e4 {} e5 *", "(1. d4 d5) ".repeat(MOST_NODES));
        assert_eq!(load("chess", &text).tree.nodes().len(), 3);
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(MOST_MOVES / 4);
        assert_eq!(load("chess", &shuffle).tree.at(), MOST_MOVES);
        assert!(import(games::named("chess").unwrap(), &(shuffle + "e4")).is_err());
    }

    #[test]
    fn no_record_keeps_the_board_waiting() {
        let name = |n: u32| n.to_string().bytes().map(|c| char::from(c - b'0' + b'A')).collect::<String>();
        let root: String = (0..60_000).map(|n| format!("Z{}[x]", name(n))).collect();
        let tags: String = (0..70_000).map(|n| format!("[T{n} \"x\"]\n")).collect();
        let stones = "[aa]".repeat(340_000);
        for (game, text) in [
            ("go", format!("(;SZ[19]AB{stones})")),
            ("go", format!("(;SZ[19]{root})")),
            ("chess", tags + "1. e4 *"),
        ] {
            let begun = std::time::Instant::now();
            assert!(!save(&load(game, &text)).is_empty());
            assert!(begun.elapsed().as_secs() < 5, "{} bytes of {game}", text.len());
        }
    }

    #[test]
    fn a_forfeit_is_not_a_number_of_points() {
        let kept = load("go", "(;GM[1]SZ[5]RE[B+F];B[cc])");
        assert_eq!(kept.result.as_ref().unwrap().reason, "forfeit");
        let text = save(&kept);
        assert!(text.contains("RE[B+F]"), "{text}");
    }

    #[test]
    fn what_a_record_does_not_say_is_not_added() {
        let saved = |text: &str| save(&load("neighbours", text));
        assert!(!saved("[White \"A\"]\n\n1. a1b2 1-0").contains("Termination"));
        assert!(saved("[Termination \"time\"]\n\n1. a1b2 1-0").contains("[Reason \"time\"]"));
        assert!(saved("[Termination \"adjourned\"]\n\n1. a1b2 *").contains("[Reason \"adjourned\"]"));
    }

    #[test]
    fn a_game_of_the_board_has_its_day() {
        for (game, fen, said) in [
            ("neighbours", "2b4b/8/8/8/8/8/8/w7 b 0", "[Date \"2026.01.31\"]"),
            ("go", "3/1b1/3 w - 0 0 0", "DT[2026-01-31]"),
        ] {
            let text = save(&Kept { date: "2026.01.31".to_owned(), ..load(game, fen) });
            assert!(text.contains(said), "{text}");
        }
    }

    #[test]
    fn what_a_root_says_survives() {
        let sgf = "(;GM[1]SZ[9]HA[2]AB[cc][gg]RO[3]GC[two\nlines \\] ;B[aa\\]]C[hello]TR[aa][bb]RE[?]\
                   ;W[ee]C[well])";
        let loaded = load("go", sgf);
        let text = save(&loaded);
        for said in ["HA[2]", "RO[3]", "GC[two\nlines \\] ;B[aa\\]]", "C[hello]", "RE[?]", "\n;W[ee]C[well]"]
        {
            assert_eq!(text.matches(said).count(), 1, "{said} in {text}");
        }
        assert!(!text.contains("TR["), "{text}");
        let again = load("go", &text);
        assert_eq!((again.tags, again.tree, again.fen), (loaded.tags, loaded.tree, loaded.fen));
    }

    #[test]
    fn a_position_alone_is_a_game_too() {
        let fen = "2b4b/8/8/8/8/8/8/w7 b 0";
        assert_eq!(load("neighbours", fen).fen.as_deref(), Some(fen));
        for (game, fen, size) in [("go", "3/1b1/3 w - 0 0 0", "3"), ("neighbours", "b3/4/4/3w w 0", "4")] {
            let loaded = load(game, fen);
            assert_eq!(loaded.rules, [("BoardSize".to_owned(), size.to_owned())], "{game}");
            assert_eq!(loaded.fen.as_deref(), Some(fen));
        }
    }

    #[test]
    fn bad_records_are_refused_with_the_place() {
        let error = |text| format!("{:#}", import(games::named("neighbours").unwrap(), text).err().unwrap());
        assert_eq!(error("1. a1b2 a1b2"), "move 2 of the record: illegal move 'a1b2'");
        assert_eq!(error(""), "there is no game in this text");
    }
}
