//! What the board offers of a game: rules and options to choose, pieces to draw, formats to save in.

use search::OptionError;
use search::options::Kind;
use serde_json::{Value, json};

use crate::games::{Field, Row};

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

impl Row {
    /// Whether users may give an option of our engine this value on the board.
    pub fn check_option(&self, name: &str, value: &str) -> Result<(), OptionError> {
        let field = self.offered().into_iter().find(|field| field.name == name);
        field.ok_or_else(|| OptionError::Unknown(name.to_owned()))?.check(value)
    }

    /// The rules chosen as options for our engine, whatever a preset has made of them before.
    pub fn rule_options(&self, chosen: &[(String, String)]) -> Vec<(String, String)> {
        let rows = self.fields();
        let first = rows.iter().find(|row| Some(&row.name) == self.rules.first());
        let first = first.map(|row| (row.name.to_owned(), row.default()));
        let ordered = self.rules.iter().flat_map(|rule| chosen.iter().filter(move |(name, _)| name == rule));
        first.into_iter().chain(ordered.cloned()).collect()
    }

    /// What the page needs to know.
    pub fn describe(&self) -> Value {
        let rows = self.fields();
        let rules = rows.iter().filter(|row| self.rules.contains(&row.name)).map(Field::describe);
        let pieces = self.pieces.iter().map(|(letter, name)| (letter.to_string(), json!(name)));
        json!({
            "name": self.name,
            "title": self.title,
            "first": self.first.to_string().to_lowercase(),
            "pieces": pieces.collect::<serde_json::Map<_, _>>(),
            "rules": rules.collect::<Vec<_>>(),
            "engine": self.offered().iter().map(Field::describe).collect::<Vec<_>>(),
            "formats": self.formats,
        })
    }

    /// All that can be chosen: the options of our engine, and where the game begins.
    fn fields(&self) -> Vec<Field> {
        let start = self.start.iter().map(|start| start.field());
        (self.options)().into_iter().chain(start).collect()
    }

    /// The options for players, without those that are rules.
    fn offered(&self) -> Vec<Field> {
        let is_offered = |row: &Field| {
            let has_values = !matches!(row.kind, Kind::Text { .. } | Kind::Button);
            has_values && !NOT_OFFERED.contains(&row.name) && !self.rules.contains(&row.name)
        };
        (self.options)().into_iter().filter(is_offered).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::games::{GAMES, find};

    #[test]
    fn every_game_has_a_referee_and_its_rules_are_declared() {
        for entry in GAMES {
            let referee = entry.open(&[]).unwrap();
            let letters = referee.board().spots.into_iter().filter_map(|spot| spot.piece);
            for letter in letters {
                assert!(entry.pieces.iter().any(|(known, _)| *known == letter), "{letter} in {}", entry.name);
            }
            let rows = entry.fields();
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
