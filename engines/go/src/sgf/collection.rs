//! The form of SGF: games of nodes, nodes of properties, properties of values, and the byte where each one stands.
//!
//! Reading takes time in proportion to the text, and no stack, since files come from anywhere.

use super::SgfError;

/// A property with its values, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its capital letters.
    pub name: String,
    /// What it says, without escapes.
    pub values: Vec<String>,
    /// The byte of its first value.
    at: usize,
}

/// A node of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// The node before it; the root names itself.
    pub parent: usize,
    /// In the order of the file.
    pub properties: Vec<Property>,
}

/// A game: its nodes with the root first, each followed by all that continues it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// At least the root.
    pub nodes: Vec<Node>,
}

impl Node {
    /// The first property of this name: of several the first counts, as in other readers. Only stones set up and
    /// comments add up, whether they stand in one list or in several.
    pub fn get(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// The first value of a property.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.get(name).map(|property| property.values[0].as_str())
    }

    /// Whether it puts stones on the board or takes them off.
    pub fn sets_up(&self) -> bool {
        self.properties.iter().any(|property| matches!(property.name.as_str(), "AB" | "AW" | "AE"))
    }
}

impl Property {
    /// The error that something is wrong with it.
    pub fn blame(&self, why: impl Into<String>) -> SgfError {
        SgfError { at: self.at, why: why.into() }
    }

    /// The error that this is no value of it: enough to know it by, in one line.
    pub fn invalid(&self) -> SgfError {
        let value: String = self.values.join("][").chars().take(40).collect();
        self.blame(format!("'{}' is not a value of {}", value.escape_debug(), self.name))
    }
}

impl Game {
    /// The nodes of the main line.
    pub fn main_line(&self) -> &[Node] {
        let follows = |(id, node): &(usize, &Node)| node.parent == *id;
        let length = self.nodes[1..].iter().enumerate().take_while(follows).count();
        &self.nodes[..=length]
    }
}

/// Reads all games of a text, at least one; what stands around them is not ours to judge, be it letters or brackets.
pub fn read(text: &str) -> Result<Vec<Game>, SgfError> {
    // Old systems end a file with signs of their own.
    let text = text.trim_end_matches(|c: char| c.is_control() || c.is_whitespace());
    let start = start(text).ok_or_else(|| SgfError { at: 0, why: "it contains no game".to_owned() })?;
    let mut reader = Reader { games: Vec::new(), open: Vec::new(), here: None, last: Last::Close };
    let mut letters = text[start..].char_indices().map(|(at, c)| (start + at, c)).peekable();
    let mut name = String::new();
    while let Some((at, c)) = letters.next() {
        match c {
            '[' if reader.last == Last::Name || reader.last == Last::Value => {
                let value = value(&mut letters).ok_or_else(|| wrong(at, "a value has no end"))?;
                reader.value(&mut name, at, value);
            }
            _ if reader.open.is_empty() && !begins_game(&text[at..]) => {}
            _ => reader.sign(at, c, &mut name)?,
        }
    }
    if !reader.open.is_empty() {
        return Err(wrong(text.len(), "the game has no end"));
    }
    let mut kinds = reader.games.iter().filter_map(|game| game.nodes[0].get("GM"));
    match kinds.find(|kind| kind.values[0].trim() != "1") {
        Some(kind) => Err(kind.blame("Unexpected game type")),
        None => Ok(reader.games),
    }
}

/// Where the first game begins.
fn start(text: &str) -> Option<usize> {
    text.match_indices('(').map(|(at, _)| at).find(|&at| begins_game(&text[at..]))
}

fn begins_game(text: &str) -> bool {
    text.strip_prefix('(').is_some_and(|inside| inside.trim_start().starts_with(';'))
}

fn wrong(at: usize, why: impl Into<String>) -> SgfError {
    SgfError { at, why: why.into() }
}

/// The rest of a value up to the bracket that closes it.
fn value(letters: &mut std::iter::Peekable<impl Iterator<Item = (usize, char)>>) -> Option<String> {
    let mut value = String::new();
    loop {
        match letters.next()?.1 {
            ']' => return Some(value),
            '\\' => match letters.next()?.1 {
                // The line was broken by its writer, not by what it says.
                '\r' => drop(letters.next_if(|&(_, c)| c == '\n')),
                '\n' => {}
                escaped => value.push(escaped),
            },
            c => value.push(c),
        }
    }
}

/// What was read last, blanks aside.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    Open,
    Node,
    Name,
    Value,
    Close,
}

struct Reader {
    games: Vec<Game>,
    /// For each bracket that is open the node before it; none before a root.
    open: Vec<Option<usize>>,
    /// The node that is read, or continued.
    here: Option<usize>,
    last: Last,
}

impl Reader {
    /// Takes a character outside of values.
    fn sign(&mut self, at: usize, c: char, name: &mut String) -> Result<(), SgfError> {
        use Last::*;
        match (c, self.last) {
            (' ' | '\t' | '\r' | '\n' | '\x0b' | '\x0c', _) => {}
            ('(', Node | Value | Close) => {
                self.open.push(self.here);
                self.last = Open;
            }
            (')', Node | Value | Close) => {
                self.here = self.open.pop().expect("a bracket is open");
                self.last = Close;
            }
            (';', Open | Node | Value) => self.node(),
            (c, Node | Name | Value) if c.is_ascii_alphanumeric() => {
                self.last = Name;
                // Small letters mean nothing: older files have whole words.
                name.extend(Some(c).filter(|c| !c.is_ascii_lowercase()));
            }
            _ => return Err(wrong(at, format!("{c:?} does not belong here"))),
        }
        Ok(())
    }

    fn node(&mut self) {
        if self.here.is_none() {
            self.games.push(Game { nodes: Vec::new() });
        }
        let nodes = &mut self.games.last_mut().expect("a game has begun").nodes;
        nodes.push(Node { parent: self.here.unwrap_or(0), properties: Vec::new() });
        (self.here, self.last) = (Some(nodes.len() - 1), Last::Node);
    }

    fn value(&mut self, name: &mut String, at: usize, value: String) {
        let nodes = &mut self.games.last_mut().expect("a game has begun").nodes;
        let properties = &mut nodes.last_mut().expect("a node has begun").properties;
        match properties.last_mut().filter(|_| self.last == Last::Value) {
            Some(property) => property.values.push(value),
            None => properties.push(Property { name: std::mem::take(name), values: vec![value], at }),
        }
        self.last = Last::Value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_a_tree_in_the_order_of_the_file() {
        let games = read("(;A[1](;B[2][3];C[])(;D[4](;E[5])))( ;F[a\\]b\\\\\\\nc])").unwrap();
        let parents: Vec<usize> = games[0].nodes.iter().map(|node| node.parent).collect();
        assert_eq!((parents, games[0].main_line().len()), (vec![0, 0, 1, 0, 3], 3));
        assert_eq!(games[0].nodes[1].get("B").unwrap().values, ["2", "3"]);
        assert_eq!(games[1].nodes[0].value("F"), Some("a]b\\c"));
    }

    #[test]
    fn letters_before_between_and_after_games_do_no_harm() {
        let games =
            read("Dear (all),\n(;C[\\]) (];B[aa](;W[bb])(;W[cc]))\nand [again]\n( ;B[aa]) bye :-) (all)");
        assert_eq!(games.map(|games| games.iter().map(|game| game.nodes.len()).collect()), Ok(vec![4, 1]));
    }

    /// Files of servers end with mail headers, remarks, one bracket too many.
    #[test]
    fn whatever_follows_the_last_game_is_not_read() {
        for rest in ["\nbye", ")", "))\n;B[aa]", "[x]", "\n-- \nsent by 'x' (y)", ";", "\\"] {
            let games = read(&format!("(;GM[1]FF[4]SZ[9];B[ee];W[cc]){rest}"));
            assert_eq!(games.map(|games| games[0].nodes.len()), Ok(3), "{rest}");
        }
    }

    #[test]
    fn long_lines_and_deep_trees_take_no_stack() {
        for text in [format!("({})", ";C[x]".repeat(100_000)), "(;".repeat(100_000) + &")".repeat(100_000)] {
            assert_eq!(read(&text).unwrap()[0].main_line().len(), 100_000);
        }
    }
}
