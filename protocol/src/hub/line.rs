//! Lines of Hub: a command with named arguments, each of which may lack a value.

use std::fmt;

/// A line taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The first word.
    pub command: String,
    /// Names and values in their order; a flag has no value.
    pub arguments: Vec<(String, Option<String>)>,
}

impl Line {
    /// A command without arguments.
    pub fn new(command: &str) -> Line {
        Line { command: command.to_owned(), arguments: Vec::new() }
    }

    /// The same with one more argument.
    pub fn with(mut self, name: &str, value: impl fmt::Display) -> Line {
        self.arguments.push((name.to_owned(), Some(value.to_string())));
        self
    }

    /// The same with one more argument, which has no value.
    pub fn flag(mut self, name: &str) -> Line {
        self.arguments.push((name.to_owned(), None));
        self
    }

    /// Reads a line; none if it is empty. There may be blanks around the `=` of an argument. A quote that is never
    /// closed ends with the line.
    pub fn read(text: &str) -> Option<Line> {
        let text = text.trim();
        let (command, arguments) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        (!command.is_empty()).then(|| Line { command: command.to_owned(), arguments: split(arguments) })
    }

    /// The value of an argument.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|(known, _)| known == name)?.1.as_deref()
    }

    /// Whether an argument is there, with or without a value.
    pub fn has(&self, name: &str) -> bool {
        self.arguments.iter().any(|(known, _)| known == name)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.command)?;
        for (name, value) in &self.arguments {
            match value {
                None => write!(f, " {name}")?,
                Some(value)
                    if value.is_empty() || value.contains(|c: char| c == '=' || c.is_whitespace()) =>
                {
                    write!(f, " {name}=\"{}\"", value.replace('"', "'"))?;
                }
                Some(value) => write!(f, " {name}={}", value.replace('"', "'"))?,
            }
        }
        Ok(())
    }
}

/// The words behind a command with the values behind their `=`. Hub cannot write a quote within a value, so it is none there.
fn split(text: &str) -> Vec<(String, Option<String>)> {
    let mut words = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let after = after.trim_start();
        let Some(after) = after.strip_prefix('=').map(str::trim_start) else {
            words.push((name.to_owned(), None));
            rest = after;
            continue;
        };
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_at(after.find(char::is_whitespace).unwrap_or(after.len())),
        };
        words.push((name.to_owned(), Some(value.replace('"', "'"))));
        rest = after.trim_start();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_with_quotes_flags_and_noise() {
        let line = Line::read("  level  infinite time=1.5 name=\"a b=c\" empty=\"\" \r").unwrap();
        assert_eq!(line.command, "level");
        assert!(line.has("infinite") && line.get("infinite").is_none());
        assert_eq!(
            (line.get("time"), line.get("name"), line.get("empty")),
            (Some("1.5"), Some("a b=c"), Some(""))
        );
        let wide = Line::read("level depth = 3 inc =0.5 moves= 9").unwrap();
        assert_eq!(wide, Line::read("level depth=3 inc=0.5 moves=9").unwrap());
        assert_eq!(Line::read(" \t"), None);
        assert_eq!(Line::read("=2 1"), Some(Line::new("=2").flag("1")));
        assert_eq!(Line::read("id name=\"never closed").unwrap().get("name"), Some("never closed"));
    }

    #[test]
    fn lines_are_written_so_that_they_are_read_back() {
        let line = Line::new("info").with("pv", "1-2 3-4").with("empty", "").with("depth", 3);
        assert_eq!(line.to_string(), "info pv=\"1-2 3-4\" empty=\"\" depth=3");
        assert_eq!(Line::read(&line.to_string()), Some(line));
        let line = Line::read("pos pos=Wbb\"e\" a=b=\"c").unwrap();
        assert_eq!((line.get("pos"), line.get("a")), (Some("Wbb'e'"), Some("b='c")));
        assert_eq!(Line::read(&line.to_string()), Some(line));
        assert_eq!(Line::new("level").flag("infinite").to_string(), "level infinite");
    }
}
