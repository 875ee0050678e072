//! Games in SGF: reading any game's main line, writing one that everybody can read.

use search::{Game, Side};
use sgf_parse::go::{Move as SgfMove, Point as SgfPoint, Prop};
use sgf_parse::{Color, SgfNode};

use crate::rules::Komi;
use crate::{Colour, Move, Point, Position, Record, Rules};

/// Why a file cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// Not SGF: what is wrong, and at which byte.
    #[error("byte {at}: {why}")]
    Syntax {
        /// Bytes from the start of the file.
        at: usize,
        /// What is wrong there.
        why: String,
    },
    /// SGF, but not of a game of Go that we can play.
    #[error("{0}")]
    Game(String),
}

/// Reads the main line of the first game up to the position before move `before`, counted from 1.
///
/// Size, komi and rules come from the file where it has them, else from `rules`.
pub fn read(text: &str, rules: Rules, before: Option<usize>) -> Result<Record, SgfError> {
    let games = parse(text)?;
    main_line(games.first().ok_or_else(|| SgfError::Game("no game in it".to_owned()))?, rules, before)
}

/// Reads the main lines of all games.
pub fn read_all(text: &str, rules: Rules) -> Result<Vec<Record>, SgfError> {
    parse(text)?.iter().map(|root| main_line(root, rules, None)).collect()
}

fn parse(text: &str) -> Result<Vec<SgfNode<Prop>>, SgfError> {
    check(text)?;
    let wrong = |error: &dyn std::fmt::Display| SgfError::Syntax { at: text.len(), why: error.to_string() };
    sgf_parse::go::parse(text).map_err(|error| wrong(&error))
}

fn main_line(root: &SgfNode<Prop>, rules: Rules, before: Option<usize>) -> Result<Record, SgfError> {
    let mut reader =
        Reader { record: Record::new(game_rules(root, rules)?), left: before.map(|n| n.max(1) - 1) };
    for node in root.main_variation() {
        if reader.left == Some(0) && node.get_move().is_some() {
            break;
        }
        reader.node(node)?;
    }
    Ok(reader.record)
}

/// Looks at brackets only, so that a broken file can be blamed by the byte.
fn check(text: &str) -> Result<(), SgfError> {
    let (mut depth, mut value, mut escaped) = (0usize, None, false);
    for (at, c) in text.char_indices() {
        match (value, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(_), ']') => value = None,
            (Some(_), _) => {}
            (None, '[') => value = Some(at),
            (None, '(') => depth += 1,
            (None, ')' | ']') if depth == 0 || c == ']' => {
                return Err(SgfError::Syntax { at, why: format!("'{c}' closes nothing") });
            }
            (None, ')') => depth -= 1,
            _ => {}
        }
    }
    match value {
        Some(at) => Err(SgfError::Syntax { at, why: "a value has no end".to_owned() }),
        None if depth > 0 => Err(SgfError::Syntax { at: text.len(), why: "the game has no end".to_owned() }),
        None => Ok(()),
    }
}

fn game_rules(root: &SgfNode<Prop>, mut rules: Rules) -> Result<Rules, SgfError> {
    rules = rules.with_size(19).expect("the usual board");
    for prop in root.properties() {
        match prop {
            Prop::SZ((columns, rows)) => {
                let size = usize::from(*columns);
                let fits = if columns == rows { rules.with_size(size) } else { None };
                rules =
                    fits.ok_or_else(|| SgfError::Game(format!("a board of {columns} by {rows} points")))?;
            }
            Prop::KM(points) => rules.komi = Komi::new(*points).unwrap_or(rules.komi),
            Prop::RU(name) => rules = rules.with_name(&name.text).unwrap_or(rules),
            _ => {}
        }
    }
    Ok(rules)
}

struct Reader {
    record: Record,
    /// Moves still to be played.
    left: Option<usize>,
}

impl Reader {
    fn node(&mut self, node: &SgfNode<Prop>) -> Result<(), SgfError> {
        let mut setup: Option<Position> = None;
        let mut handicap = Vec::new();
        for prop in node.properties() {
            let (colour, stones) = match prop {
                Prop::AB(points) => (Colour::Black, points),
                Prop::AW(points) => (Colour::White, points),
                Prop::AE(points) => (Colour::Empty, points),
                Prop::PL(colour) => {
                    let position = setup.take().unwrap_or_else(|| self.record.position().clone());
                    setup = Some(position.with_turn(side(*colour)));
                    continue;
                }
                _ => continue,
            };
            let mut position = setup.take().unwrap_or_else(|| self.record.position().clone());
            for stone in stones {
                let point = self.point(*stone)?;
                position.set(point, colour);
                if colour == Colour::Black {
                    handicap.push(point);
                }
            }
            setup = Some(position);
        }
        if let Some(position) = setup {
            self.set_up(node, position, handicap)?;
        }
        match node.get_move() {
            Some(Prop::B(m)) => self.play(Side::Black, m),
            Some(Prop::W(m)) => self.play(Side::White, m),
            _ => Ok(()),
        }
    }

    /// Stones set up begin a new game; black ones alone before the first move are a handicap.
    fn set_up(
        &mut self,
        node: &SgfNode<Prop>,
        position: Position,
        mut stones: Vec<Point>,
    ) -> Result<(), SgfError> {
        if !position.is_possible() {
            return Err(SgfError::Game("stones without a liberty are set up".to_owned()));
        }
        let is_handicap = self.record.is_empty()
            && node.get_property("AW").is_none()
            && self.record.position().number(Colour::White) == 0;
        let white_begins = node.get_property("PL").is_none() || position.turn() == Side::White;
        if is_handicap && white_begins && stones.len() > 1 {
            stones.sort();
            self.record = Record::with_handicap(position.rules(), stones);
        } else {
            self.record = Record::from_position(position);
        }
        Ok(())
    }

    fn play(&mut self, side: Side, m: &SgfMove) -> Result<(), SgfError> {
        let size = self.record.position().rules().size();
        let m = match m {
            SgfMove::Pass => Move::Pass,
            // The old way to write a pass.
            SgfMove::Move(SgfPoint { x: 19, y: 19 }) if size <= 19 => Move::Pass,
            SgfMove::Move(point) => Move::At(self.point(*point)?),
        };
        let number = self.record.len() + 1;
        self.record.play(side, m).map_err(|error| SgfError::Game(format!("move {number}: {error}")))?;
        self.left = self.left.map(|left| left - 1);
        Ok(())
    }

    fn point(&self, point: SgfPoint) -> Result<Point, SgfError> {
        let size = self.record.position().rules().size();
        let (column, from_top) = (usize::from(point.x), usize::from(point.y));
        if column >= size || from_top >= size {
            return Err(SgfError::Game(format!("a point outside the board of {size} by {size}")));
        }
        Ok(Point::new(column, size - 1 - from_top))
    }
}

fn side(colour: Color) -> Side {
    match colour {
        Color::Black => Side::Black,
        Color::White => Side::White,
    }
}

/// Writes a game; `tags` are further properties of its root, such as players and result.
pub fn write(record: &Record, tags: &[(&str, &str)]) -> String {
    write_with(record, tags, &[])
}

/// The same with a comment for each move as far as they go; an empty one says nothing.
pub fn write_with(record: &Record, tags: &[(&str, &str)], comments: &[String]) -> String {
    let escaped = |value: &str| value.replace('\\', "\\\\").replace(']', "\\]");
    let rules = record.position().rules();
    let size = rules.size();
    let letters = |point: Point| {
        let letter = |n: usize| (b'a' + n as u8) as char;
        format!("{}{}", letter(point.column()), letter(size - 1 - point.row()))
    };
    let mut out = format!("(;FF[4]GM[1]CA[UTF-8]AP[Quintet:{}]SZ[{size}]", env!("CARGO_PKG_VERSION"));
    out += &format!("KM[{}]RU[{}]", rules.komi.points(), rules.name().unwrap_or("chinese"));
    for (name, value) in tags {
        out += &format!("{name}[{}]", escaped(value));
    }
    let start = record.root().start();
    if record.handicap().len() > 1 {
        out += &format!("HA[{}]", record.handicap().len());
    }
    for (name, colour) in [("AB", Colour::Black), ("AW", Colour::White)] {
        let stones: Vec<Point> = crate::point::points(size).filter(|&p| start.at(p) == colour).collect();
        if !stones.is_empty() {
            out += name;
            stones.iter().for_each(|&point| out += &format!("[{}]", letters(point)));
        }
    }
    if start.turn() == Side::White {
        out += "PL[W]";
    }
    for (number, (side, m)) in record.moves().into_iter().enumerate() {
        let colour = if side == Side::Black { 'B' } else { 'W' };
        out += &format!("\n;{colour}[{}]", m.point().map(letters).unwrap_or_default());
        if let Some(comment) = comments.get(number).filter(|comment| !comment.is_empty()) {
            out += &format!("C[{}]", escaped(comment));
        }
    }
    out + ")\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str, before: Option<usize>) -> Result<Record, SgfError> {
        read(text, Rules::default(), before)
    }

    #[test]
    fn the_main_line_is_read_up_to_the_move_asked_for() {
        let text = "(;GM[1]SZ[9]KM[5.5]RU[Japanese];B[ee];W[ce](;B[tt];W[])(;B[aa]))";
        let record = load(text, None).unwrap();
        assert_eq!(record.len(), 4);
        assert_eq!(record.position().rules().name(), Some("japanese"));
        assert_eq!(record.position().rules().komi.points(), 5.5);
        assert_eq!(load(text, Some(2)).unwrap().len(), 1);
        assert_eq!(load(text, Some(1)).unwrap().len(), 0);
        assert_eq!(load(text, Some(99)).unwrap().len(), 4);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let rules = Rules::default().with_size(9).unwrap();
        let mut record = Record::with_handicap(rules, vec![Point::new(2, 2), Point::new(6, 6)]);
        record.play(Side::White, Move::At(Point::new(4, 4))).unwrap();
        record.play(Side::White, Move::At(Point::new(0, 8))).unwrap();
        record.play(Side::Black, Move::Pass).unwrap();
        let text = write(&record, &[("PB", "a]b\\c"), ("RE", "B+3.5")]);
        let again = load(&text, None).unwrap();
        assert_eq!(again.position(), record.position());
        assert_eq!((again.moves(), again.handicap().len()), (record.moves(), 2));
        let commented = write_with(&record, &[], &["a]b".to_owned(), String::new(), "c\\".to_owned()]);
        assert_eq!(commented.matches("C[").count(), 2);
        let both = read_all(&format!("{text}{commented}"), Rules::default()).unwrap();
        assert!(both.len() == 2 && both.iter().all(|game| game.moves() == record.moves()));
    }

    #[test]
    fn broken_files_are_blamed_by_the_byte() {
        let why = |text: &str| load(text, None).unwrap_err().to_string();
        assert_eq!(why("(;B[aa"), "byte 3: a value has no end");
        assert_eq!(why("(;B[aa]"), "byte 7: the game has no end");
        assert_eq!(why(";B[aa])"), "byte 6: ')' closes nothing");
        assert!(why("").starts_with("byte 0: "));
        assert_eq!(why("(;SZ[30])"), "a board of 30 by 30 points");
        assert_eq!(why("(;SZ[9];B[aa];W[aa])"), "move 2: illegal move 'A9'");
        assert_eq!(why("(;SZ[9];B[jj])"), "a point outside the board of 9 by 9");
    }
}
