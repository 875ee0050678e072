//! Games in SGF: reading any game's main line, writing one that everybody can read.

mod places;

use search::{Game, Side};
use sgf_parse::go::{Move as SgfMove, Point as SgfPoint, Prop};
use sgf_parse::{Color, SgfNode};

use crate::rules::Komi;
use crate::{Colour, Move, Point, Position, Record, Rules};
use places::{MainLine, Places};

/// Properties without which a game would be another one: a wrong value is an error.
const BOARD: [&str; 7] = ["B", "W", "AB", "AW", "AE", "PL", "SZ"];

/// Why a file cannot be played, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: {why}")]
pub struct SgfError {
    /// Bytes from the start of the file.
    pub at: usize,
    /// What is wrong there.
    pub why: String,
}

impl SgfError {
    fn new(at: usize, why: impl Into<String>) -> SgfError {
        SgfError { at, why: why.into() }
    }
}

/// Reads the main line of the first game up to the position before move `before`, counted from 1.
///
/// Size, komi and rules come from the file where it has them, else from `rules`.
pub fn read(text: &str, rules: Rules, before: Option<usize>) -> Result<Record, SgfError> {
    let (places, games) = parse(text)?;
    main_line(&games[0], &places[0], rules, before)
}

/// Reads the main lines of all games.
pub fn read_all(text: &str, rules: Rules) -> Result<Vec<Record>, SgfError> {
    let (places, games) = parse(text)?;
    games.iter().zip(&places).map(|(root, places)| main_line(root, places, rules, None)).collect()
}

/// The games of a file and the places of their main lines' properties; at least one of each.
fn parse(text: &str) -> Result<(Vec<MainLine>, Vec<SgfNode<Prop>>), SgfError> {
    let start = places::start(text).ok_or_else(|| SgfError::new(0, "no game begins in it"))?;
    let places = places::find(text, start)?;
    let games = sgf_parse::go::parse(&text[start..]).map_err(|error| {
        // The form is good, so it can only be another game.
        let culprit = places.iter().flatten().find_map(|node| node.at("GM"));
        SgfError::new(culprit.unwrap_or(start), error.to_string())
    })?;
    Ok((places, games))
}

fn main_line(
    root: &SgfNode<Prop>,
    places: &MainLine,
    rules: Rules,
    before: Option<usize>,
) -> Result<Record, SgfError> {
    let rules = game_rules(root, &places[0], rules)?;
    let mut reader = Reader { record: Record::new(rules), left: before.map(|n| n.max(1) - 1) };
    for (node, places) in root.main_variation().zip(places) {
        if reader.left == Some(0) && node.properties().any(|prop| matches!(prop, Prop::B(_) | Prop::W(_))) {
            break;
        }
        reader.node(node, places)?;
    }
    Ok(reader.record)
}

fn game_rules(root: &SgfNode<Prop>, places: &Places, mut rules: Rules) -> Result<Rules, SgfError> {
    rules = rules.with_size(19).expect("the usual board");
    for prop in root.properties() {
        match prop {
            Prop::SZ((columns, rows)) => {
                let size = usize::from(*columns);
                let fits = if columns == rows { rules.with_size(size) } else { None };
                rules =
                    fits.ok_or_else(|| places.blame("SZ", format!("a board of {columns} by {rows} points")))?;
            }
            Prop::KM(points) => {
                let komi = Komi::new(*points);
                rules.komi =
                    komi.ok_or_else(|| places.blame("KM", format!("a komi of {points:e} points")))?;
            }
            // Some editors write an empty one where nobody told them.
            Prop::Invalid(name, values) if name == "KM" && values.concat().trim().is_empty() => {}
            Prop::Invalid(name, values) if name == "KM" => {
                // Half the world writes its decimals behind a comma.
                let komi = values.first().and_then(|text| text.replace(',', ".").parse().ok());
                rules.komi = komi.and_then(Komi::new).ok_or_else(|| invalid(places, name, values))?;
            }
            Prop::RU(name) => rules = read_rules(rules, &name.text).unwrap_or(rules),
            _ => {}
        }
    }
    Ok(rules)
}

fn invalid(places: &Places, name: &str, values: &[String]) -> SgfError {
    places.blame(name, format!("'{}' is no value of {name}", values.join("][")))
}

/// The spelling of rules in SGF where it has one of its own.
const SPELLINGS: [(&str, &str); 3] = [("japanese", "Japanese"), ("aga", "AGA"), ("new_zealand", "NZ")];

/// Rules by their name; a mixture without one rule by rule, as KataGo writes it.
fn write_rules(rules: Rules) -> String {
    if let Some(name) = rules.name() {
        let spelled = SPELLINGS.iter().find(|(ours, _)| *ours == name);
        return spelled.map_or(name, |(_, spelled)| spelled).to_owned();
    }
    let ko = format!("{:?}", rules.ko).to_uppercase();
    let scoring = format!("{:?}", rules.scoring).to_uppercase();
    let alive = if rules.all_alive { "fpok0" } else { "" };
    format!("ko{ko}score{scoring}taxNONEsui{}{alive}", u8::from(rules.suicide))
}

/// Reads what [`write_rules`] writes, and the names of rules in any case.
fn read_rules(rules: Rules, text: &str) -> Option<Rules> {
    let spelled = SPELLINGS.iter().find(|(_, spelled)| spelled.eq_ignore_ascii_case(text));
    let by_name = rules.with_name(spelled.map_or(text, |(ours, _)| ours));
    by_name.or_else(|| rules.mixtures().find(|&mixture| write_rules(mixture) == text))
}

struct Reader {
    record: Record,
    /// Moves still to be played.
    left: Option<usize>,
}

impl Reader {
    fn node(&mut self, node: &SgfNode<Prop>, places: &Places) -> Result<(), SgfError> {
        self.set_up(node, places)?;
        for prop in node.properties() {
            match prop {
                Prop::B(m) => self.play(Side::Black, m, places)?,
                Prop::W(m) => self.play(Side::White, m, places)?,
                Prop::Invalid(name, values) if BOARD.contains(&name.as_str()) => {
                    return Err(invalid(places, name, values));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Stones set up begin a new game; black ones alone before the first move are a handicap.
    fn set_up(&mut self, node: &SgfNode<Prop>, places: &Places) -> Result<(), SgfError> {
        let Some((position, mut stones)) = self.changed(node, places)? else { return Ok(()) };
        if !position.is_possible() {
            return Err(places.blame("AB", "stones without a liberty are set up"));
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

    /// The position as a node sets it up, with the black stones it adds; none if it sets nothing up.
    fn changed(
        &self,
        node: &SgfNode<Prop>,
        places: &Places,
    ) -> Result<Option<(Position, Vec<Point>)>, SgfError> {
        let mut changed: Option<Position> = None;
        let mut black = Vec::new();
        for prop in node.properties() {
            let (name, colour, stones) = match prop {
                Prop::AB(points) => ("AB", Colour::Black, points),
                Prop::AW(points) => ("AW", Colour::White, points),
                Prop::AE(points) => ("AE", Colour::Empty, points),
                Prop::PL(colour) => {
                    let position = changed.unwrap_or_else(|| self.record.position().clone());
                    changed = Some(position.with_turn(side(*colour)));
                    continue;
                }
                _ => continue,
            };
            let position = changed.get_or_insert_with(|| self.record.position().clone());
            for stone in stones {
                let point = self.point(*stone).map_err(|why| places.blame(name, why))?;
                position.set(point, colour);
                if colour == Colour::Black {
                    black.push(point);
                }
            }
        }
        Ok(changed.map(|position| (position, black)))
    }

    fn play(&mut self, side: Side, m: &SgfMove, places: &Places) -> Result<(), SgfError> {
        let name = if side == Side::Black { "B" } else { "W" };
        let size = self.record.position().rules().size();
        let m = match m {
            SgfMove::Pass => Move::Pass,
            // The old way to write a pass.
            SgfMove::Move(SgfPoint { x: 19, y: 19 }) if size <= 19 => Move::Pass,
            SgfMove::Move(point) => Move::At(self.point(*point).map_err(|why| places.blame(name, why))?),
        };
        let number = self.record.len() + 1;
        self.record.play(side, m).map_err(|error| places.blame(name, format!("move {number}: {error}")))?;
        self.left = self.left.map(|left| left - 1);
        Ok(())
    }

    fn point(&self, point: SgfPoint) -> Result<Point, String> {
        let size = self.record.position().rules().size();
        let (column, from_top) = (usize::from(point.x), usize::from(point.y));
        if column >= size || from_top >= size {
            return Err(format!("a point outside the board of {size} by {size}"));
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
    out += &format!("KM[{}]RU[{}]", rules.komi.points(), write_rules(rules));
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
    // Black stones alone would be read as a handicap, with White to move.
    if start.turn() == Side::White || start.number(Colour::Empty) < rules.area() {
        out += if start.turn() == Side::White { "PL[W]" } else { "PL[B]" };
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
    fn stones_that_were_set_up_are_read_back_with_the_side_to_move() {
        let mut start = Position::empty(Rules::default().with_size(9).unwrap());
        [(2, 2), (6, 6)].iter().for_each(|&(x, y)| start.set(Point::new(x, y), Colour::Black));
        for side in [Side::Black, Side::White] {
            let start = start.clone().with_turn(side);
            let again = load(&write(&Record::from_position(start.clone()), &[]), None).unwrap();
            assert_eq!(*again.position(), start);
        }
        let empty = Record::new(Rules::default());
        assert!(!write(&empty, &[]).contains("PL["));
    }

    #[test]
    fn broken_files_are_blamed_by_the_byte() {
        let why = |text: &str| load(text, None).unwrap_err().to_string();
        assert_eq!(why("(;B[aa"), "byte 3: a value has no end");
        assert_eq!(why("(;B[aa]"), "byte 7: the game has no end");
        assert_eq!(why(";B[aa])"), "byte 0: no game begins in it");
        assert_eq!(why("(;B[aa]))"), "byte 8: ')' closes nothing");
        assert_eq!(why("(;B[aa]é)"), "byte 7: 'é' does not belong here");
        assert_eq!(why("(;B[aa](W[bb]))"), "byte 8: 'W' does not belong here");
        assert_eq!(why("(;GM[2])"), "byte 4: Unexpected game type");
        assert_eq!(why("(;SZ[30])"), "byte 4: a board of 30 by 30 points");
        assert_eq!(why("(;SZ[9];B[aa];W[aa])"), "byte 15: move 2: illegal move 'A9'");
        assert_eq!(why("(;SZ[9];B[jj])"), "byte 9: a point outside the board of 9 by 9");
        assert_eq!(why("(;SZ[9];B[aa];W[d])"), "byte 15: 'd' is no value of W");
        assert_eq!(why("(;SZ[9]KM[much])"), "byte 9: 'much' is no value of KM");
        assert_eq!(why("(;SZ[nine])"), "byte 4: 'nine' is no value of SZ");
        assert_eq!(why("(;SZ[9]KM[1e300])"), "byte 9: a komi of 1e300 points");
    }

    #[test]
    fn a_line_of_too_many_nodes_is_blamed_before_it_can_break_the_stack() {
        let nodes = |number: usize| ";C[x]".repeat(number);
        let why = |text: String| load(&text, None).unwrap_err().to_string();
        assert_eq!(why(format!("({})", nodes(200_000))), "byte 50001: more than 10000 nodes in a line");
        let branches = |a, b| format!("(;({})({}))", nodes(a), nodes(b));
        assert_eq!(why(branches(9_999, 10_000)), "byte 99995: more than 10000 nodes in a line");
        assert!(load(&branches(9_999, 9_999), None).is_ok());
    }

    #[test]
    fn an_empty_komi_says_nothing() {
        let komi = |text: &str| load(text, None).unwrap().position().rules().komi;
        assert_eq!(komi("(;SZ[9]KM[])"), Rules::default().komi);
        assert_eq!(komi("(;SZ[9]KM[ ])"), Rules::default().komi);
    }

    #[test]
    fn a_mark_or_a_letter_before_the_game_does_no_harm() {
        let record = load("\u{feff}Dear (all),\n(\n;SZ[9]KM[6,5]MN[1]B[ee])", None).unwrap();
        assert_eq!((record.len(), record.position().rules().komi.points()), (1, 6.5));
        assert_eq!(load("\u{feff}(;W[d])", None).unwrap_err().at, 6);
    }

    #[test]
    fn all_rules_are_read_back_as_they_were_written() {
        let written: Vec<String> = Rules::default().mixtures().map(write_rules).collect();
        assert!(written.contains(&"NZ".to_owned()) && written.contains(&"Japanese".to_owned()));
        for (mixture, text) in Rules::default().mixtures().zip(&written) {
            assert_eq!(read_rules(Rules::default(), text), Some(mixture), "{text}");
        }
        assert_eq!(read_rules(Rules::default(), "nz").and_then(|rules| rules.name()), Some("new_zealand"));
    }
}
