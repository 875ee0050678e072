//! Where the properties of an SGF file stand: the reader of games does not say, and a broken file is blamed by the byte.

use super::SgfError;

/// The properties of a node, each with the byte of its first value.
#[derive(Debug, Default)]
pub(super) struct Places(Vec<(String, usize)>);

/// The nodes of a game's main line; it has at least one.
pub(super) type MainLine = Vec<Places>;

impl Places {
    /// The byte of a property's first value.
    pub fn at(&self, name: &str) -> Option<usize> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, at)| *at)
    }

    /// The error that something is wrong with a property, or else with the whole node.
    pub fn blame(&self, name: &str, why: impl Into<String>) -> SgfError {
        let first = || self.0.first().map(|(_, at)| *at);
        SgfError::new(self.at(name).or_else(first).unwrap_or(0), why)
    }
}

/// Where the first game begins; what comes before it is not ours to judge.
pub(super) fn start(text: &str) -> Option<usize> {
    let mut brackets = text.match_indices('(').map(|(at, _)| at);
    brackets.find(|&at| text[at + 1..].trim_start().starts_with(';'))
}

/// Nodes from the root to the end of a line: each holds the next, and all must fit on the stack of a thread.
const LONGEST: usize = 10_000;

/// What was read last, blanks aside.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    Open,
    Node,
    Name,
    Value,
    Close,
}

/// The places of all games from `start` on; an error if the file has not the form of SGF.
pub(super) fn find(text: &str, start: usize) -> Result<Vec<MainLine>, SgfError> {
    let (games, open) = (Vec::new(), Vec::new());
    let mut finder = Finder { games, open, length: 0, on_main_line: false, last: Last::Close };
    let (mut value, mut escaped, mut name) = (None, false, String::new());
    for (at, c) in text[start..].char_indices().map(|(at, c)| (start + at, c)) {
        match (value, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(_), ']') => value = None,
            (Some(_), _) => {}
            (None, '[') if matches!(finder.last, Last::Name | Last::Value) => {
                finder.value(&mut name, at);
                value = Some(at);
            }
            (None, _) => finder.sign(at, c, &mut name)?,
        }
    }
    match value {
        Some(at) => Err(SgfError::new(at, "a value has no end")),
        None if !finder.open.is_empty() => Err(SgfError::new(text.len(), "the game has no end")),
        None => Ok(finder.games),
    }
}

struct Finder {
    games: Vec<MainLine>,
    /// For each bracket that is open the length of the line before it.
    open: Vec<usize>,
    /// The nodes of the line so far, from the root on.
    length: usize,
    /// The main line ends with the first bracket that closes.
    on_main_line: bool,
    last: Last,
}

impl Finder {
    /// Takes a character outside of values.
    fn sign(&mut self, at: usize, c: char, name: &mut String) -> Result<(), SgfError> {
        use Last::*;
        match (c, self.last) {
            (' ' | '\t' | '\r' | '\n' | '\x0c', _) => {}
            (')', _) if self.open.is_empty() => return Err(SgfError::new(at, "')' closes nothing")),
            ('(', Node | Value | Close) => self.open(),
            (')', Node | Value | Close) => {
                self.length = self.open.pop().expect("a bracket is open");
                (self.on_main_line, self.last) = (false, Close);
            }
            (';', Open | Node | Value) => self.node(at)?,
            (c, Node | Name | Value) if c.is_ascii_alphanumeric() => {
                self.last = Name;
                // Small letters mean nothing: older files have whole words.
                name.extend(Some(c).filter(|c| !c.is_ascii_lowercase()));
            }
            _ => return Err(SgfError::new(at, format!("{c:?} does not belong here"))),
        }
        Ok(())
    }

    fn open(&mut self) {
        if self.open.is_empty() {
            self.games.push(MainLine::new());
            self.on_main_line = true;
        }
        self.open.push(self.length);
        self.last = Last::Open;
    }

    fn node(&mut self, at: usize) -> Result<(), SgfError> {
        self.length += 1;
        if self.length > LONGEST {
            return Err(SgfError::new(at, format!("more than {LONGEST} nodes in a line")));
        }
        if self.on_main_line {
            self.games.last_mut().expect("a bracket is open").push(Places::default());
        }
        self.last = Last::Node;
        Ok(())
    }

    /// Notes where a value begins, if it is the first of its property.
    fn value(&mut self, name: &mut String, at: usize) {
        if self.last == Last::Name && self.on_main_line {
            let node = self.games.last_mut().and_then(|game| game.last_mut()).expect("a node has begun");
            node.0.push((std::mem::take(name), at));
        }
        name.clear();
        self.last = Last::Value;
    }
}
