//! A declared option without its engine, as a form or a check needs it.

use search::options::{Kind, Setting};
use search::{Engine, OptionError};
use serde_json::{Value, json};

/// One declared option.
pub struct Field {
    /// As users spell it.
    pub name: &'static str,
    /// Values and default.
    pub kind: Kind,
    help: &'static str,
    check: fn(&str, &str) -> Result<(), OptionError>,
}

/// The options of an engine.
pub fn fields<E: Engine>() -> Vec<Field> {
    fn check<E: Engine>(name: &str, value: &str) -> Result<(), OptionError> {
        let rows = E::options();
        let row = rows.iter().find(|row: &&Setting<E>| row.name == name);
        row.ok_or_else(|| OptionError::Unknown(name.to_owned()))?.read(value).map(|_| ())
    }
    let field = |setting: Setting<E>| Field {
        name: setting.name,
        kind: setting.kind,
        help: setting.help,
        check: check::<E>,
    };
    E::options().into_iter().map(field).collect()
}

impl Field {
    /// A rule that is no option of our engine.
    pub fn rule(name: &'static str, kind: Kind, help: &'static str) -> Field {
        let check = |name: &str, value: &str| {
            Err(OptionError::Failed { name: name.to_owned(), why: format!("{value} is a rule of the game") })
        };
        Field { name, kind, help, check }
    }

    /// Whether a value fits.
    pub fn check(&self, value: &str) -> Result<(), OptionError> {
        (self.check)(self.name, value)
    }

    /// The value it starts with.
    pub fn default(&self) -> String {
        match &self.kind {
            Kind::Check { default } => default.to_string(),
            Kind::Spin { default, .. } => default.to_string(),
            Kind::Combo { default, .. } | Kind::Text { default } => (*default).to_owned(),
            Kind::Button => String::new(),
        }
    }

    /// What a form needs to know.
    pub fn describe(&self) -> Value {
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
