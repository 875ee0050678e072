//! Reading a line of GTP and writing the answer to it.

use crate::lines;

/// A command with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Command {
    /// The number to be repeated in the answer.
    pub id: Option<String>,
    /// Its name.
    pub name: String,
    /// What follows, parted at blanks.
    pub args: Vec<String>,
}

impl Command {
    /// Reads a line: control characters are dropped, tabs are blanks, `#` begins a remark.
    ///
    /// None if nothing is left: such a line gets no answer.
    pub fn read(line: &str) -> Option<Command> {
        let code = line.split('#').next().unwrap_or_default();
        let clean: String =
            code.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect();
        let mut words = clean.split_whitespace().map(str::to_owned).peekable();
        let is_id = |word: &String| word.bytes().all(|c| c.is_ascii_digit());
        let id = words.next_if(is_id);
        match words.next() {
            None => id.map(|id| Command { id: Some(id), ..Command::default() }),
            Some(name) => Some(Command { id, name, args: words.collect() }),
        }
    }

    /// The argument at this place, or the error that one is missing.
    pub fn arg(&self, place: usize) -> Result<&str, String> {
        self.args.get(place).map(String::as_str).ok_or_else(|| "syntax error".to_owned())
    }

    /// The only argument, or the error that it is missing or not the only one.
    pub fn only(&self) -> Result<&str, String> {
        if self.args.len() == 1 { self.arg(0) } else { Err("syntax error".to_owned()) }
    }

    /// Nothing, or the error that there are arguments.
    pub fn none(&self) -> Result<(), String> {
        if self.args.is_empty() { Ok(()) } else { Err("syntax error".to_owned()) }
    }

    /// All arguments as one text.
    pub fn rest(&self) -> String {
        self.args.join(" ")
    }
}

/// Writes the head of an answer: `=` or `?` and the number of the command.
pub fn head(command: &Command, success: bool) -> String {
    format!("{}{}", if success { '=' } else { '?' }, command.id.as_deref().unwrap_or(""))
}

/// Writes a whole answer. An empty line would end it, so the text's own are dropped, but for one at its start: a
/// picture begins below the sign.
pub fn answer(command: &Command, result: &Result<String, String>) -> String {
    let (success, text) = match result {
        Ok(text) => (true, text.clone()),
        Err(why) => (false, lines::brief(why)),
    };
    let full: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let start = if text.starts_with('\n') { "\n" } else { "" };
    format!("{} {start}{}\n\n", head(command, success), full.join("\n"))
}

/// Whether the line is GoGui's way of ending a search.
pub fn is_interrupt(line: &str) -> bool {
    line.trim() == "# interrupt"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cleaned_before_they_are_read() {
        let command = Command::read("  12\tplay\x07  B  d4 # a remark \r").unwrap();
        assert_eq!(command.id.as_deref(), Some("12"));
        assert_eq!((command.name.as_str(), command.rest().as_str()), ("play", "B d4"));
        for nothing in ["", "   ", "# remark", "\t\r", "\x01"] {
            assert_eq!(Command::read(nothing), None, "{nothing:?}");
        }
        assert_eq!(
            Command::read("007").unwrap(),
            Command { id: Some("007".to_owned()), ..Command::default() }
        );
    }

    #[test]
    fn a_second_argument_is_no_only_one() {
        let only = |line: &str| Command::read(line).unwrap().only().map(str::to_owned);
        assert_eq!(only("boardsize 9"), Ok("9".to_owned()));
        assert!(only("boardsize").is_err() && only("boardsize 9 9").is_err());
        assert!(
            Command::read("undo").unwrap().none().is_ok() && Command::read("undo 3").unwrap().none().is_err()
        );
    }

    #[test]
    fn answers_never_contain_an_empty_line() {
        let command = Command::read("3 showboard").unwrap();
        assert_eq!(answer(&command, &Ok("a\n\nb\n".to_owned())), "=3 a\nb\n\n");
        assert_eq!(answer(&command, &Ok("\n\na\nb".to_owned())), "=3 \na\nb\n\n");
        assert_eq!(answer(&command, &Err("no".to_owned())), "?3 no\n\n");
        assert_eq!(answer(&Command::default(), &Ok(String::new())), "= \n\n");
        let long = answer(&command, &Err(format!("unknown rules '{}'", "x".repeat(100_000))));
        assert!(long.starts_with("?3 unknown rules 'xxx") && long.ends_with("x...\n\n") && long.len() < 400);
    }
}
