//! Records of games: what is read and can be played is written and read again as the same record.

use quintet::games::{Row, kept_as};
use quintet::record::{Format, Node, Record, Tree, text};
use quintet::serve::records::{export, import};

/// Records of a text that are looked at.
const MOST: usize = 4;

/// `p`, `s`, `d`: PGN, SGF, PDN; capital letters: the same as a page of the board gives and takes them.
pub fn run(data: &[u8]) {
    let Some((letter, rest)) = super::split(data) else { return };
    let format = match letter.to_ascii_lowercase() {
        'p' => Format::Pgn,
        's' => Format::Sgf,
        'd' => Format::Pdn,
        _ => return,
    };
    let text = text(rest.to_vec());
    if letter.is_ascii_uppercase() {
        return kept_as(format).for_each(|row| at_the_board(row, &text));
    }
    let Ok(records) = format.read(&text) else { return };
    for record in records.iter().take(MOST) {
        kept_as(format).for_each(|row| there_and_back(format, row, record));
    }
}

fn there_and_back(format: Format, row: &'static Row, record: &Record) {
    let mut played = record.clone();
    let Ok(mut referee) = played.rules(row).map_err(drop).and_then(|rules| row.open(&rules).map_err(drop))
    else {
        return;
    };
    if played.play_out(&mut *referee).is_err() {
        return;
    }
    let written = format.write(&played, &*referee);
    let mut again = format.read(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again.len(), 1, "{written}");
    let mut again = again.remove(0);
    let rules = again.rules(row).unwrap_or_else(|error| panic!("{error}\n{written}"));
    let mut referee = row.open(&rules).unwrap_or_else(|error| panic!("{error}\n{written}"));
    again.play_out(&mut *referee).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!((lines(&again.tree), again.result), (lines(&played.tree), played.result), "{written}");
    assert_eq!(format.write(&again, &*referee), written);
}

/// What a tree holds, however its nodes are numbered: the line that leads to each of them and what is known of it, the
/// main line apart.
fn lines(tree: &Tree) -> (Vec<String>, Vec<String>) {
    let told = |id: usize| {
        let known = Node { parent: 0, next: None, ..tree.nodes()[id].clone() };
        format!("{} {known:?}", tree.plays(id).join(" "))
    };
    let mut all: Vec<String> = (0..tree.nodes().len()).map(told).collect();
    all.sort_unstable();
    (all, tree.whole_line().into_iter().map(told).collect())
}

fn at_the_board(row: &'static Row, text: &str) {
    let Ok(kept) = import(row, text) else { return };
    for &format in row.formats {
        let referee = row.open(&kept.rules).expect("they were opened with it");
        let saved = export(&kept, &*referee, format).expect("what was loaded is saved");
        let saved = saved["text"].as_str().expect("a record is a text").to_owned();
        let again = import(row, &saved).unwrap_or_else(|error| panic!("{error:#}\n{saved}"));
        assert_eq!((lines(&again.tree), &again.fen), (lines(&kept.tree), &kept.fen), "{saved}");
        assert_eq!(
            again.result.map(|ended| ended.winner),
            kept.result.as_ref().map(|ended| ended.winner),
            "{saved}"
        );
    }
}
