//! The options that someone else's engine declares.

use search::OptionError;

/// What values a declared option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeclaredKind {
    /// `true` or `false`.
    Check,
    /// A whole number within a range.
    Spin {
        /// The least allowed.
        min: i64,
        /// The most allowed.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// All that are allowed.
        choices: Vec<String>,
    },
    /// Any text; also for kinds we do not know.
    Text,
    /// An action.
    Button,
}

/// An option of someone else's engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// As the engine spells it.
    pub name: String,
    /// What it takes.
    pub kind: DeclaredKind,
    /// Its value at the start, as written.
    pub default: String,
}

impl Declared {
    /// Reads an `option` line; none if it is none, or has no name or type.
    pub fn read(line: &str) -> Option<Declared> {
        let mut words = line.split_whitespace();
        if words.next()? != "option" {
            return None;
        }
        let (mut name, mut kind, mut default) = (None, None, None);
        let (mut min, mut max, mut choices) = (None, None, Vec::new());
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            // A name such as "My type" ends only where a type follows, a text only where a field does.
            let mut text = Vec::new();
            while let Some(next) = words.next_if(|next| !is_field(word, next, &text)) {
                text.push(next);
            }
            let text = text.join(" ");
            match word {
                "name" => name = Some(text),
                "type" => kind = Some(text),
                "default" => default = Some(text),
                "min" => min = text.parse().ok(),
                "max" => max = text.parse().ok(),
                "var" => choices.push(text),
                _ => {}
            }
        }
        let kind = match kind?.as_str() {
            "check" => DeclaredKind::Check,
            "spin" => DeclaredKind::Spin { min: min.unwrap_or(i64::MIN), max: max.unwrap_or(i64::MAX) },
            "combo" => DeclaredKind::Combo { choices },
            "button" => DeclaredKind::Button,
            _ => DeclaredKind::Text,
        };
        let name = name.filter(|name| !name.is_empty())?;
        Some(Declared { name, kind, default: default.unwrap_or_default() })
    }

    /// The value as this engine wants to read it.
    pub fn fit(&self, value: &str) -> Result<String, OptionError> {
        let wrong =
            |wanted: String| OptionError::Value { name: self.name.clone(), value: value.to_owned(), wanted };
        match &self.kind {
            DeclaredKind::Check => match value.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" => Ok("true".to_owned()),
                "false" | "off" | "0" => Ok("false".to_owned()),
                _ => Err(wrong("true or false".to_owned())),
            },
            DeclaredKind::Spin { min, max } => match value.parse::<i64>() {
                Ok(n) if (*min..=*max).contains(&n) => Ok(n.to_string()),
                _ => Err(wrong(format!("a number from {min} to {max}"))),
            },
            DeclaredKind::Combo { choices } => choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(value))
                .cloned()
                .ok_or_else(|| wrong(format!("one of {}", choices.join(", ")))),
            DeclaredKind::Text if value.is_empty() => Ok("<empty>".to_owned()),
            DeclaredKind::Text => Ok(value.to_owned()),
            DeclaredKind::Button => Ok(String::new()),
        }
    }
}

/// Whether `next` begins a new field after the words of `field`.
fn is_field(field: &str, next: &str, so_far: &[&str]) -> bool {
    match field {
        "name" => next == "type" && !so_far.is_empty(),
        "type" => !so_far.is_empty(),
        // Some announce a choice of this name.
        "default" | "var" if so_far.is_empty() && next == "default" => false,
        _ => matches!(next, "default" | "min" | "max" | "var"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Declared {
        Declared::read(line).unwrap()
    }

    #[test]
    fn all_kinds_are_read() {
        let spin = read("option name Hash type spin default 16 min 1 max 1024");
        assert_eq!((spin.name.as_str(), spin.default.as_str()), ("Hash", "16"));
        assert_eq!(spin.kind, DeclaredKind::Spin { min: 1, max: 1024 });
        let combo =
            read("option name Analysis Contempt type combo default Both var Off var White Side var Both");
        assert_eq!(combo.name, "Analysis Contempt");
        let choices = vec!["Off".to_owned(), "White Side".to_owned(), "Both".to_owned()];
        assert_eq!(combo.kind, DeclaredKind::Combo { choices });
        let preset = read("option name Preset type combo default default var default var Old");
        let choices = vec!["default".to_owned(), "Old".to_owned()];
        assert_eq!((preset.default.as_str(), preset.kind), ("default", DeclaredKind::Combo { choices }));
        assert_eq!(read("option name Clear Hash type button").kind, DeclaredKind::Button);
        assert_eq!(read("option name Path type string default").default, "");
        assert_eq!(read("option name Path type string default a b").default, "a b");
        assert_eq!(read("option name Book type filename default <empty>").kind, DeclaredKind::Text);
    }

    #[test]
    fn what_is_no_option_is_none() {
        for line in [
            "",
            "option",
            "option name type check",
            "option name X",
            "id name X",
            "options name X type check",
        ] {
            assert_eq!(Declared::read(line), None, "{line}");
        }
    }

    #[test]
    fn values_are_fitted_or_refused() {
        assert_eq!(read("option name A type check default true").fit("TRUE"), Ok("true".to_owned()));
        assert_eq!(read("option name A type string default x").fit(""), Ok("<empty>".to_owned()));
        assert_eq!(read("option name A type combo default x var Xy").fit("xY"), Ok("Xy".to_owned()));
        let error = read("option name A type spin default 1 min 0 max 5").fit("6").unwrap_err();
        assert_eq!(error.to_string(), "option A: '6' is not a number from 0 to 5");
    }
}
