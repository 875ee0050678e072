//! Files that programs of this project write for themselves, and that people edit, cut and mix up.

use quintet::games;
use quintet::games::neighbours::learn::checkpoint::Checkpoint;
use quintet::lab::records::{Records, gather};
use quintet::matches::archive::Archive;
use quintet::matches::log::{self, Log};
use quintet::matches::standings::Standings;
use quintet::matches::{csv, plot::Plot};
use quintet::record::Format;
use quintet::serve::{installed, token};
use search::Game;
use search::learn::played::{self, Played};

/// Rows and games of a log that are written out.
const MOST: usize = 8;

/// `m`: the log of a match; `l`: samples of the lab; `k`: a checkpoint; `s`: a saved game of the board; `i`: installed
/// engines; `t`: a token; `p`: games that were played to learn from, after the first letter of their game.
pub fn run(data: &[u8]) {
    let Some((letter, rest)) = super::split(data) else { return };
    match letter {
        'm' => match_log(rest),
        'l' => lab(rest),
        'k' => checkpoint(rest),
        's' => super::talk::saved(rest),
        'i' => {
            drop(super::in_file("engines.toml", rest, |path| installed::read(&path).map(installed_engines)))
        }
        't' => drop(super::in_file("token", rest, |path| token::read(&path))),
        'p' => played_games(rest),
        _ => {}
    }
}

fn match_log(bytes: &[u8]) {
    let Ok(contents) = super::in_file("match.jsonl", bytes, |path| log::read(&path)) else { return };
    let head = &contents.head;
    head.engines.iter().for_each(|name| drop(head.limit(name)));
    let mut standings = Standings::new(&head.engines);
    let mut plot = Plot::default();
    for entry in &contents.entries {
        standings.add(entry, 0);
        plot.add(&standings);
        entry.moves.iter().for_each(|m| _ = m.time());
    }
    if head.engines.len() > 1 {
        standings.headline(None);
        standings.table(None);
        standings.has_faults();
    }
    super::in_file("plot.svg", b"", |path| plot.write(&path, &head.engines)).expect("it can be drawn");
    let is_go = games::find(&head.game).is_some_and(|row| row.formats[0] == Format::Sgf);
    for entry in contents.entries.iter().take(MOST) {
        if is_go {
            // What cannot be played is refused.
            let _ = csv::row(entry, head);
        }
        let _ = super::in_file("games", b"", |path| {
            Archive::open(&path, true, "fuzz", head).and_then(|mut archive| archive.add(entry))
        });
    }
    // What was read goes on as it is.
    let resumed = super::in_file("match.jsonl", bytes, |path| Log::resume(&path, head)).expect("it was read");
    assert_eq!(resumed.1, contents.entries);
}

fn lab(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("the machine gives a temporary folder");
    let path = quintet::lab::records::file(folder.path(), "x", (1, 1));
    std::fs::write(&path, bytes).expect("the temporary folder takes files");
    let Ok(Some((heads, samples))) = gather(folder.path(), "x") else { return };
    let results = quintet::lab::results::Results::new(heads.clone(), samples.clone());
    for cell in results.cells() {
        results.tally(cell);
        for figure in results.figures(cell) {
            results.sum(cell, figure);
            results.mean(cell, figure);
            results.ratio((cell, figure), (cell, figure));
        }
    }
    assert!(heads.iter().all(|head| Records::open(&path, head).is_ok()));
}

fn checkpoint(bytes: &[u8]) {
    super::in_file("checkpoint", bytes, |path| {
        let Ok(found) = Checkpoint::read(&path) else { return };
        let _ = (found.set(), found.rules(), found.weights(), found.command(), found.origin());
        let _ = found.training.is_done();
        found.write(&path).expect("what was read is written");
        let again = Checkpoint::read(&path).expect("what was written is read");
        assert_eq!(again.training, found.training);
    });
}

fn installed_engines(engines: Vec<installed::Installed>) {
    for engine in engines {
        let _ = (engine.launch(), engine.protocol(), engine.options());
    }
}

macro_rules! played_games {
    ($($game:ident $engine:ident $protocol:ident),*) => {
        fn played_games(bytes: &[u8]) {
            let Some((letter, rest)) = super::split(bytes) else { return };
            $(if stringify!($game).starts_with(letter) {
                return read_played::<$game::Position>(rest);
            })*
        }
    };
}

quintet::for_each_game!(played_games);

fn read_played<G: Game>(mut bytes: &[u8]) {
    let rules = G::Rules::default();
    while let Some(record) = played::record(bytes) {
        let _ = (played::seed(record), played::likeness(record));
        if let Ok(game) = Played::<G>::read(&rules, record) {
            assert_eq!(game.write(&rules), record);
            game.valued(|_, _, _| ());
        }
        bytes = &bytes[record.len()..];
    }
}
