//! The games as the board offers them: titles, pieces, rules and options to choose, formats to save in.

use search::options::{Kind, Setting};
use search::{Engine, OptionError};
use serde_json::{Value, json};

use super::mind::Language;
use super::start;
use crate::record::Format;

/// What users may choose on the board is not what concerns files, memory or the conversation itself.
const NOT_OFFERED: &[&str] = &[
    "Hash",
    "Clear Hash",
    "Ponder",
    "MultiPV",
    "Move Overhead",
    "Move Time",
    "Playouts",
    "Resign",
    "Skill Level",
    "SplitRemovals",
    "Tree Memory",
    "UCI_Elo",
    "UCI_LimitStrength",
    "UCI_ShowWDL",
    "UCI_AnalyseMode",
];

/// One declared option without its engine.
pub struct Row {
    /// As users spell it.
    pub name: &'static str,
    kind: Kind,
    help: &'static str,
    check: fn(&str, &str) -> Result<(), OptionError>,
}

/// A game on the board.
pub struct Entry {
    /// As programs spell it.
    pub name: &'static str,
    /// As people read it.
    pub title: &'static str,
    /// Our engine's name.
    pub engine: &'static str,
    /// What our engine speaks.
    pub language: Language,
    /// Who moves first: `white` or `black`.
    pub first: &'static str,
    /// The letters of its pieces with what to draw.
    pub pieces: &'static [(char, &'static str)],
    /// The options that are rules of the game; one that sets others stands first.
    pub rules: &'static [&'static str],
    /// How games are saved, the usual format first.
    pub formats: &'static [Format],
    options: fn() -> Vec<Row>,
}

/// All games, the one to begin with first.
pub const GAMES: &[Entry] = &[
    Entry {
        name: "chess",
        title: "Chess",
        engine: <chess::Chess as Engine>::NAME,
        language: Language::Uci,
        first: "white",
        pieces: &[
            ('K', "white king"),
            ('Q', "white queen"),
            ('R', "white rook"),
            ('B', "white bishop"),
            ('N', "white knight"),
            ('P', "white pawn"),
            ('k', "black king"),
            ('q', "black queen"),
            ('r', "black rook"),
            ('b', "black bishop"),
            ('n', "black knight"),
            ('p', "black pawn"),
        ],
        rules: &["UCI_Chess960", start::NUMBER],
        formats: &[Format::Pgn],
        options: chess_rows,
    },
    Entry {
        name: "go",
        title: "Go",
        engine: <go::Go as Engine>::NAME,
        language: Language::Gtp,
        first: "black",
        pieces: &[('b', "black stone"), ('w', "white stone")],
        rules: &["Rules", "BoardSize", "Komi", start::HANDICAP],
        formats: &[Format::Sgf],
        options: go_rows,
    },
    Entry {
        name: "draughts",
        title: "Draughts",
        engine: <draughts::Draughts as Engine>::NAME,
        language: Language::Uci,
        first: "white",
        pieces: &[
            ('w', "white man"),
            ('W', "white crowned man"),
            ('b', "black man"),
            ('B', "black crowned man"),
        ],
        rules: &["Variant", "DrawRules"],
        formats: &[Format::Pdn],
        options: declared::<draughts::Draughts>,
    },
    Entry {
        name: "neighbours",
        title: "Neighbours",
        engine: <neighbours::Neighbours as Engine>::NAME,
        language: Language::Uci,
        first: "white",
        pieces: &[('w', "white neighbour"), ('b', "black neighbour")],
        rules: &["BoardSize"],
        formats: &[Format::Pgn],
        options: declared::<neighbours::Neighbours>,
    },
    Entry {
        name: "morris",
        title: "Nine men's morris",
        engine: <morris::Morris as Engine>::NAME,
        language: Language::Uci,
        first: "white",
        pieces: &[('w', "white merel"), ('b', "black merel")],
        rules: &["Rules", "RemoveAny", "NoReturn", "DoubleRemoval", "Flying", "QuietLimit"],
        formats: &[Format::Pgn],
        options: declared::<morris::Morris>,
    },
];

/// Marks a row as a rule, which our engine hears otherwise.
fn is_rule(name: &str, value: &str) -> Result<(), OptionError> {
    Err(OptionError::Failed { name: name.to_owned(), why: format!("{value} is a rule of the game") })
}

/// The rows of chess with the start of Chess960.
fn chess_rows() -> Vec<Row> {
    let kind = Kind::Spin { default: -1, min: -1, max: 959 };
    let help = "the start of Chess960, 0 to 959; -1 for any";
    let mut rows = declared::<chess::Chess>();
    rows.push(Row { name: start::NUMBER, kind, help, check: is_rule });
    rows
}

/// The rows of Go: what other protocols set by option, GTP sets by a command.
fn go_rows() -> Vec<Row> {
    let size = Kind::Spin { default: 19, min: 2, max: 25 };
    let komi = Kind::Text { default: "7.5" };
    let mut rows = declared::<go::Go>();
    rows.push(Row { name: "BoardSize", kind: size, help: "lines of the board", check: is_rule });
    rows.push(Row { name: "Komi", kind: komi, help: "points for White, who moves second", check: is_rule });
    let stones = Kind::Spin { default: 0, min: 0, max: 9 };
    rows.push(Row {
        name: start::HANDICAP,
        kind: stones,
        help: "stones that Black begins with",
        check: is_rule,
    });
    rows
}

/// The game of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    GAMES.iter().find(|entry| entry.name == name)
}

/// The usual format of a game's records.
pub fn usual_format(name: &str) -> Format {
    find(name).map_or(Format::Pgn, |entry| entry.formats[0])
}

/// The games that are kept in a format.
pub fn kept_as(format: Format) -> impl Iterator<Item = &'static Entry> {
    GAMES.iter().filter(move |entry| entry.formats.contains(&format))
}

fn declared<E: Engine>() -> Vec<Row> {
    fn check<E: Engine>(name: &str, value: &str) -> Result<(), OptionError> {
        let rows = E::options();
        let row = rows.iter().find(|row: &&Setting<E>| row.name == name);
        row.ok_or_else(|| OptionError::Unknown(name.to_owned()))?.read(value).map(|_| ())
    }
    let row = |setting: Setting<E>| Row {
        name: setting.name,
        kind: setting.kind,
        help: setting.help,
        check: check::<E>,
    };
    E::options().into_iter().map(row).collect()
}

impl Entry {
    /// Whether users may give an option of our engine this value on the board.
    pub fn check_option(&self, name: &str, value: &str) -> Result<(), OptionError> {
        let row = self.offered().into_iter().find(|row| row.name == name);
        (row.ok_or_else(|| OptionError::Unknown(name.to_owned()))?.check)(name, value)
    }

    /// The rules chosen as options for our engine, whatever a preset has made of them before.
    pub fn rule_options(&self, chosen: &[(String, String)]) -> Vec<(String, String)> {
        let rows = (self.options)();
        let first = rows.iter().find(|row| Some(&row.name) == self.rules.first());
        let first = first.map(|row| (row.name.to_owned(), row.default()));
        let ordered = self.rules.iter().flat_map(|rule| chosen.iter().filter(move |(name, _)| name == rule));
        first.into_iter().chain(ordered.cloned()).collect()
    }

    /// What the page needs to know.
    pub fn describe(&self) -> Value {
        let rows = (self.options)();
        let rules = rows.iter().filter(|row| self.rules.contains(&row.name)).map(Row::describe);
        let pieces = self.pieces.iter().map(|(letter, name)| (letter.to_string(), json!(name)));
        json!({
            "name": self.name,
            "title": self.title,
            "first": self.first,
            "pieces": pieces.collect::<serde_json::Map<_, _>>(),
            "rules": rules.collect::<Vec<_>>(),
            "engine": self.offered().iter().map(Row::describe).collect::<Vec<_>>(),
            "formats": self.formats,
        })
    }

    /// The options for players, without those that are rules.
    fn offered(&self) -> Vec<Row> {
        let is_offered = |row: &Row| {
            let has_values = !matches!(row.kind, Kind::Text { .. } | Kind::Button);
            has_values && !NOT_OFFERED.contains(&row.name) && !self.rules.contains(&row.name)
        };
        (self.options)().into_iter().filter(is_offered).collect()
    }
}

impl Row {
    fn default(&self) -> String {
        match &self.kind {
            Kind::Check { default } => default.to_string(),
            Kind::Spin { default, .. } => default.to_string(),
            Kind::Combo { default, .. } | Kind::Text { default } => (*default).to_owned(),
            Kind::Button => String::new(),
        }
    }

    fn describe(&self) -> Value {
        let mut field = match &self.kind {
            Kind::Check { default } => json!({ "kind": "check", "default": default }),
            Kind::Spin { default, min, max } => {
                json!({ "kind": "spin", "default": default, "min": min, "max": max })
            }
            Kind::Combo { default, choices } => {
                json!({ "kind": "combo", "default": default, "choices": choices })
            }
            Kind::Text { default } => json!({ "kind": "text", "default": default }),
            Kind::Button => json!({ "kind": "button" }),
        };
        field["name"] = json!(self.name);
        field["help"] = json!(self.help);
        field
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee;

    #[test]
    fn every_game_has_a_referee_and_its_rules_are_declared() {
        for entry in GAMES {
            let referee = referee::open(entry.name, &[]).unwrap();
            let letters = referee.board().spots.into_iter().filter_map(|spot| spot.piece);
            for letter in letters {
                assert!(entry.pieces.iter().any(|(known, _)| *known == letter), "{letter} in {}", entry.name);
            }
            let rows = (entry.options)();
            for rule in entry.rules {
                assert!(rows.iter().any(|row| row.name == *rule), "{rule} of {}", entry.name);
            }
        }
    }

    #[test]
    fn rules_come_after_what_a_preset_sets() {
        let chosen = [("Flying".to_owned(), "false".to_owned())];
        let options = find("morris").unwrap().rule_options(&chosen);
        assert_eq!(options, [("Rules".to_owned(), "standard".to_owned()), chosen[0].clone()]);
    }

    #[test]
    fn files_and_unknown_options_cannot_be_set_from_the_page() {
        let entry = find("neighbours").unwrap();
        assert!(entry.check_option("Preset", "Thesis").is_ok());
        for (name, value) in
            [("Preset", "x\nquit"), ("Weights File", "/etc/passwd"), ("Debug Log File", "x"), ("Hash", "9")]
        {
            assert!(entry.check_option(name, value).is_err(), "{name}");
        }
    }
}
