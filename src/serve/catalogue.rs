//! What the board offers of a game: rules and options to choose, pieces to draw, formats to save in.

use search::OptionError;
use search::options::{Audience, Field, Kind};
use serde_json::{Value, json};

use crate::games::Row;

/// The option by which an engine takes processors.
const THREADS: &str = "Threads";

impl Row {
    /// Whether users may give an option of our engine this value on a board that allows so many threads.
    pub fn check_option(&self, name: &str, value: &str, threads: usize) -> Result<(), OptionError> {
        let field = self.offered(threads).into_iter().find(|field| field.name == name);
        field.ok_or_else(|| OptionError::Unknown(name.to_owned()))?.read(value).map(|_| ())
    }

    /// The rules chosen as options for our engine, whatever a preset has made of them before.
    pub fn rule_options(&self, chosen: &[(String, String)]) -> Vec<(String, String)> {
        let rules = (self.rules)();
        let first = rules.first().map(|rule| (rule.name.to_owned(), rule.default_value().to_string()));
        let ordered = rules.iter().flat_map(|rule| chosen.iter().filter(|(name, _)| name == rule.name));
        first.into_iter().chain(ordered.cloned()).collect()
    }

    /// What the page needs to know on a board that allows an engine so many threads.
    pub fn describe(&self, threads: usize) -> Value {
        let described = |fields: Vec<Field>| fields.iter().map(describe).collect::<Vec<_>>();
        let pieces = self.pieces.iter().map(|(letter, name)| (letter.to_string(), json!(name)));
        json!({
            "name": self.name,
            "title": self.title,
            "first": self.first.to_string().to_lowercase(),
            "pieces": pieces.collect::<serde_json::Map<_, _>>(),
            "rules": described(self.choices()),
            "engine": described(self.offered(threads)),
            "formats": self.formats,
        })
    }

    /// The options for players.
    fn offered(&self, threads: usize) -> Vec<Field> {
        let mut fields = (self.options)();
        fields.retain(|field| field.audience == Audience::Player);
        for field in fields.iter_mut().filter(|field| field.name == THREADS) {
            if let Kind::Spin { max, .. } = &mut field.kind {
                *max = threads as i64;
            }
        }
        fields
    }
}

/// What a form needs to know.
fn describe(field: &Field) -> Value {
    let mut described = match &field.kind {
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
    described["name"] = json!(field.name);
    described["help"] = json!(field.help);
    described
}

#[cfg(test)]
mod tests {
    use super::THREADS;
    use crate::games::{GAMES, find};

    #[test]
    fn every_game_has_a_referee_and_its_pieces_are_drawn() {
        for entry in GAMES {
            let referee = entry.open(&[]).unwrap();
            let letters = referee.board().spots.into_iter().filter_map(|spot| spot.piece);
            for letter in letters {
                assert!(entry.pieces.iter().any(|(known, _)| *known == letter), "{letter} in {}", entry.name);
            }
        }
    }

    #[test]
    fn players_are_offered_what_concerns_the_game() {
        let names = |fields: Vec<search::Field>| fields.iter().map(|f| f.name).collect::<Vec<_>>().join(", ");
        let lines = GAMES.iter().map(|row| {
            format!("{}\n  rules: {}\n  engine: {}\n", row.name, names(row.choices()), names(row.offered(1)))
        });
        assert_eq!(lines.collect::<String>(), include_str!("../../tests/data/offered.txt"));
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
        assert!(entry.check_option("Preset", "Thesis", 4).is_ok());
        assert!(entry.check_option(THREADS, "4", 4).is_ok() && entry.check_option(THREADS, "5", 4).is_err());
        for (name, value) in
            [("Preset", "x\nquit"), ("Weights File", "/etc/passwd"), ("Debug Log File", "x"), ("Hash", "9")]
        {
            assert!(entry.check_option(name, value, 4).is_err(), "{name}");
        }
    }
}
