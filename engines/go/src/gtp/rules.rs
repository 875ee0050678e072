//! Rules by name and, as KataGo's commands have them, one by one or as JSON.

use crate::rules::Bonus;
use crate::{Ko, Rules, Scoring};
use protocol::gtp::Command;
use search::Engine;
use serde_json::{Map, Value};

use super::Run::{Bare, With};
use super::{Answer, Console, Row, done, text_reply};

/// The commands of this file.
pub(super) const ROWS: &[Row] = &[
    ("kgs-rules", With(named)),
    ("kata-set-rules", With(set_rules)),
    ("kata-set-rule", With(set_rule)),
    ("kata-get-rules", Bare(get_rules)),
];

fn named(console: &mut Console, command: &Command) -> Answer {
    let rules = by_name(console.go.rules(), &command.rest())?;
    console.set_rules(rules);
    done()
}

fn by_name(rules: Rules, name: &str) -> Result<Rules, String> {
    rules.with_name(name).ok_or_else(|| format!("unknown rules '{name}'"))
}

/// A name or an object such as `{"ko":"SIMPLE","scoring":"TERRITORY"}`; what it does not mention stays.
fn set_rules(console: &mut Console, command: &Command) -> Answer {
    let text = command.rest();
    let mut rules = console.go.rules();
    if text.trim_start().starts_with('{') {
        let read: Map<String, Value> = serde_json::from_str(&text)
            .map_err(|error| format!("the rules are not a JSON object: {error}"))?;
        // Which tax there is hangs on the way of counting.
        let (tax, others): (Vec<_>, Vec<_>) = read.iter().partition(|(key, _)| key.starts_with("tax"));
        for (key, value) in others.into_iter().chain(tax) {
            rules = with(rules, key, value)?;
        }
    } else {
        rules = by_name(rules, &text)?;
    }
    console.set_rules(rules);
    done()
}

fn set_rule(console: &mut Console, command: &Command) -> Answer {
    let [key, value] = command.args.as_slice() else { return Err("syntax error".to_owned()) };
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.clone()));
    let rules = with(console.go.rules(), key, &value)?;
    console.set_rules(rules);
    done()
}

/// The rules with one of them changed; what we do not play is refused unless it is off.
fn with(mut rules: Rules, key: &str, value: &Value) -> Result<Rules, String> {
    let wrong = || format!("rule '{key}' cannot be {value}");
    let word = value.as_str().unwrap_or_default().to_ascii_uppercase();
    match key {
        "ko" | "koRule" => rules.ko = ko(&word).ok_or_else(wrong)?,
        "score" | "scoring" | "scoringRule" => rules.scoring = scoring(&word).ok_or_else(wrong)?,
        "suicide" | "multiStoneSuicideLegal" => rules.suicide = value.as_bool().ok_or_else(wrong)?,
        "friendlyPassOk" => rules.all_alive = !value.as_bool().ok_or_else(wrong)?,
        "tax" | "taxRule" => (word == rules.tax()).then_some(()).ok_or_else(wrong)?,
        "hasButton" => (*value == Value::Bool(false)).then_some(()).ok_or_else(wrong)?,
        "whiteHandicapBonus" => {
            let name = if *value == 0 { "0" } else { word.as_str() };
            rules.bonus = Bonus::ALL.into_iter().find(|bonus| bonus.name() == name).ok_or_else(wrong)?;
        }
        _ => return Err(format!("no such rule: '{key}'")),
    }
    // Where territory counts KataGo never calls a pass friendly, and yet takes dead stones off.
    rules.all_alive &= rules.scoring == Scoring::Area;
    Ok(rules)
}

const KOS: [(&str, Ko); 3] =
    [("SIMPLE", Ko::Simple), ("POSITIONAL", Ko::Positional), ("SITUATIONAL", Ko::Situational)];

fn ko(word: &str) -> Option<Ko> {
    KOS.iter().find(|(name, _)| *name == word).map(|(_, ko)| *ko)
}

const SCORINGS: [(&str, Scoring); 2] = [("AREA", Scoring::Area), ("TERRITORY", Scoring::Territory)];

fn scoring(word: &str) -> Option<Scoring> {
    SCORINGS.iter().find(|(name, _)| *name == word).map(|(_, scoring)| *scoring)
}

fn get_rules(console: &mut Console) -> Answer {
    let rules = console.go.rules();
    let ko = KOS.iter().find(|(_, ko)| *ko == rules.ko).map_or("", |(name, _)| name);
    let scoring = SCORINGS.iter().find(|(_, scoring)| *scoring == rules.scoring).map_or("", |(name, _)| name);
    text_reply(format!(
        "{{\"friendlyPassOk\":{},\"hasButton\":false,\"ko\":\"{ko}\",\"scoring\":\"{scoring}\",\"suicide\":{},\
         \"tax\":\"{}\",\"whiteHandicapBonus\":\"{}\"}}",
        !rules.all_alive,
        rules.suicide,
        rules.tax(),
        rules.bonus.name()
    ))
}

#[cfg(test)]
mod tests {
    use protocol::gtp::Responder;

    use super::*;

    /// The name of what an object makes of the rules at the start.
    fn made(object: &str) -> Result<Option<&'static str>, String> {
        let mut console = Console::new(crate::Go::new());
        console.answer(&Command::read(&format!("kata-set-rules {object}")).unwrap())?;
        Ok(console.go.rules().name())
    }

    #[test]
    fn japanese_rules_as_katago_tells_them_are_ours() {
        let told = r#"{"friendlyPassOk":false,"hasButton":false,"ko":"SIMPLE","scoring":"TERRITORY","suicide":false,"tax":"SEKI","whiteHandicapBonus":"0"}"#;
        assert_eq!(made(told), Ok(Some("japanese")));
    }

    #[test]
    fn a_tax_goes_with_the_way_of_counting() {
        let other = [r#"{"tax":"SEKI"}"#, r#"{"tax":"NONE","scoring":"TERRITORY"}"#, r#"{"tax":"ALL"}"#];
        assert!(other.iter().all(|object| made(object).is_err()));
        assert_eq!(made(r#"{"tax":"NONE","score":"AREA"}"#), Ok(Some("chinese")));
    }
}
