//! Games in SGF: reading any game's main line, writing one that everybody can read.

pub mod collection;

use search::{Game as _, Side};

use crate::rules::{Bonus, Komi, SIMPLE_KO};
use crate::{Colour, Kifu, Move, Point, Position, Rules};
use collection::{Game, Node, Property};

/// What we call ourselves in a file.
const APPLICATION: &str = "Quintet";

/// Why a file cannot be played, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: {why}")]
pub struct SgfError {
    /// Bytes from the start of the file.
    pub at: usize,
    /// What is wrong there.
    pub why: String,
}

/// Reads the main line of the first game up to the position before move `before`, counted from 1.
///
/// Size, komi and rules come from the file where it has them, else from `rules`.
pub fn read(text: &str, rules: Rules, before: Option<usize>) -> Result<Kifu, SgfError> {
    main_line(&collection::read(text)?[0], rules, before)
}

/// Plays the main line of a game, as [`read`] does.
pub fn main_line(game: &Game, rules: Rules, before: Option<usize>) -> Result<Kifu, SgfError> {
    let nodes = game.main_line();
    let record = Kifu::new(game_rules(&nodes[0], rules)?);
    let most = before.map_or(usize::MAX, |number| number.max(1) - 1);
    let mut reader = Reader { record, has_handicap: has_handicap(nodes), most, played: 0 };
    for node in nodes {
        if let Some(next) = reader.node(node)? {
            reader.record.hand_over(next);
            break;
        }
    }
    Ok(reader.record)
}

/// Whether black stones set up are a handicap, if the root says so; they are none if Black moves first.
fn has_handicap(nodes: &[Node]) -> Option<bool> {
    // Less than two is no value of it, and means none.
    let said =
        nodes[0].value("HA").and_then(|value| value.trim().parse::<i64>().ok()).map(|stones| stones > 1);
    let mut moves = nodes.iter().flat_map(|node| &node.properties).filter_map(|p| mover(&p.name));
    said.or((moves.next() == Some(Side::Black)).then_some(false))
}

/// The side whose move a property is.
pub fn mover(name: &str) -> Option<Side> {
    match name {
        "B" => Some(Side::Black),
        "W" => Some(Side::White),
        _ => None,
    }
}

/// The komi that a file of others means: the Fox server and its copies write hundredths, of points or of the stones
/// that Chinese counting takes for two.
fn komi_meant(points: f64) -> f64 {
    match points {
        250.0..=400.0 => points / 50.0,
        500.0..=800.0 => points / 100.0,
        _ => points,
    }
}

fn game_rules(root: &Node, mut rules: Rules) -> Result<Rules, SgfError> {
    rules = rules.with_size(19).expect("the usual board");
    let is_ours = root.value("AP").and_then(|value| value.split(':').next()) == Some(APPLICATION);
    if let Some(size) = root.get("SZ") {
        rules = read_size(size, rules)?;
    }
    if let Some(name) = root.value("RU") {
        rules = read_rules(rules, name).unwrap_or(rules);
    }
    // Some editors write an empty one where nobody told them.
    if let Some(komi) = root.get("KM").filter(|komi| !komi.values[0].trim().is_empty()) {
        // Half the world writes its decimals behind a comma.
        let points = komi.values[0].trim().replace(',', ".").parse().map_err(|_| komi.invalid())?;
        let meant = Komi::new(if is_ours { points } else { komi_meant(points) });
        rules.komi = meant.ok_or_else(|| komi.blame(format!("a komi of {points:e} points")))?;
    }
    Ok(rules)
}

/// Rules for a board of the size that a property says, `9` or `9:9`.
fn read_size(property: &Property, rules: Rules) -> Result<Rules, SgfError> {
    let value = &property.values[0];
    let (columns, rows) = value.split_once(':').unwrap_or((value, value));
    let number = |text: &str| text.trim().parse::<u8>().map_err(|_| property.invalid());
    let (columns, rows) = (number(columns)?, number(rows)?);
    let fits = rules.with_size(usize::from(columns)).filter(|_| columns == rows);
    fits.ok_or_else(|| property.blame(format!("a board of {columns} by {rows} points")))
}

/// The spelling of rules in SGF where it has one of its own.
const SPELLINGS: [(&str, &str); 3] = [("japanese", "Japanese"), ("aga", "AGA"), ("new_zealand", "NZ")];

/// Rules by their name; a mixture without one rule by rule.
fn write_rules(rules: Rules) -> String {
    let Some(name) = rules.name().filter(|&name| name != SIMPLE_KO) else { return rule_by_rule(rules) };
    let spelled = SPELLINGS.iter().find(|(ours, _)| *ours == name);
    spelled.map_or(name, |(_, spelled)| spelled).to_owned()
}

/// Rules as KataGo writes them.
fn rule_by_rule(rules: Rules) -> String {
    let ko = format!("{:?}", rules.ko).to_uppercase();
    let scoring = format!("{:?}", rules.scoring).to_uppercase();
    let bonus = match rules.bonus {
        Bonus::None => String::new(),
        paid => format!("whb{}", paid.name()),
    };
    let alive = if rules.all_alive { "fpok0" } else { "" };
    format!("ko{ko}score{scoring}tax{}sui{}{bonus}{alive}", rules.tax(), u8::from(rules.suicide))
}

/// Reads what [`write_rules`] writes, and all names that rules have.
fn read_rules(rules: Rules, text: &str) -> Option<Rules> {
    // KataGo's word for what we leave out: dead stones may be left on the board.
    let listed = text.trim().trim_end_matches("fpok1");
    let named = rules.with_name(text);
    named.or_else(|| rules.mixtures().find(|&mixture| rule_by_rule(mixture) == listed))
}

struct Reader {
    record: Kifu,
    has_handicap: Option<bool>,
    /// Moves to be played at most.
    most: usize,
    played: usize,
}

impl Reader {
    /// Sets up and plays what a node says; the side of the first move that is not to be played, if it has one.
    fn node(&mut self, node: &Node) -> Result<Option<Side>, SgfError> {
        self.set_up(node)?;
        for property in &node.properties {
            let Some(side) = mover(&property.name) else { continue };
            if self.played == self.most {
                return Ok(Some(side));
            }
            let m = read_move(property, self.size())?;
            self.played += 1;
            let number = self.played;
            let played = self.record.follow(side, m);
            played.map_err(|error| property.blame(format!("move {number}: {error}")))?;
        }
        Ok(None)
    }

    /// Stones set up begin a new game, a turn alone does not.
    fn set_up(&mut self, node: &Node) -> Result<(), SgfError> {
        let turn = node.get("PL").map(turn).transpose()?;
        if let Some(position) = self.changed(node)? {
            let culprit = node.get("AB").or_else(|| node.get("AW"));
            if let Some(culprit) = culprit.filter(|_| !position.is_possible()) {
                return Err(culprit.blame("stones without a liberty are set up"));
            }
            let black = position.number(Colour::Black);
            // Black stones alone before the first move are a handicap unless Black is to move.
            let is_handicap = self.has_handicap.unwrap_or(turn != Some(Side::Black))
                && self.played == 0
                && black > 1
                && position.number(Colour::White) == 0;
            self.record = Kifu::from_position(if is_handicap {
                position.with_handicap(black).with_turn(Side::White)
            } else {
                position
            });
        }
        if let Some(side) = turn {
            self.record.hand_over(side);
        }
        Ok(())
    }

    /// The position with the stones that a node sets up; none if it leaves them alone.
    fn changed(&self, node: &Node) -> Result<Option<Position>, SgfError> {
        let before = self.record.position();
        let mut changed: Option<Position> = None;
        for property in &node.properties {
            let colour = match property.name.as_str() {
                "AB" => Colour::Black,
                "AW" => Colour::White,
                "AE" => Colour::Empty,
                _ => continue,
            };
            let position = changed.get_or_insert_with(|| before.resumed(before.turn()));
            for value in &property.values {
                let (from, to) = value.split_once(':').unwrap_or((value, value));
                let [from, to] = [from, to].map(|text| read_point(property, text, self.size()));
                let (from, to) = (from?, to?);
                for column in from.column()..=to.column() {
                    // The first corner is the upper left one.
                    (to.row()..=from.row()).for_each(|row| position.set(Point::new(column, row), colour));
                }
            }
        }
        Ok(changed)
    }

    fn size(&self) -> usize {
        self.record.position().rules().size()
    }
}

/// The side that a property gives the turn to.
fn turn(property: &Property) -> Result<Side, SgfError> {
    match property.values[0].trim().to_ascii_lowercase().as_str() {
        "b" | "black" | "1" => Ok(Side::Black),
        "w" | "white" | "2" => Ok(Side::White),
        _ => Err(property.invalid()),
    }
}

/// The move that a property makes on a board of this size.
pub fn read_move(property: &Property, size: usize) -> Result<Move, SgfError> {
    match property.values.as_slice() {
        [value] if value.trim().is_empty() => Ok(Move::Pass),
        // The old way to write a pass.
        [value] if value.trim() == "tt" && size <= 19 => Ok(Move::Pass),
        [value] => read_point(property, value, size).map(Move::At),
        _ => Err(property.invalid()),
    }
}

fn read_point(property: &Property, text: &str, size: usize) -> Result<Point, SgfError> {
    let number = |letter: u8| match letter {
        b'a'..=b'z' => Some(usize::from(letter - b'a')),
        b'A'..=b'Z' => Some(usize::from(letter - b'A') + 26),
        _ => None,
    };
    let &[column, from_top] = text.trim().as_bytes() else { return Err(property.invalid()) };
    let (column, from_top) = number(column).zip(number(from_top)).ok_or_else(|| property.invalid())?;
    if column >= size || from_top >= size {
        return Err(property.blame(format!("a point outside the board of {size} by {size}")));
    }
    Ok(Point::new(column, size - 1 - from_top))
}

/// The letter of a side.
pub fn initial(side: Side) -> &'static str {
    match side {
        Side::Black => "B",
        Side::White => "W",
    }
}

/// A property with its values.
pub fn property<'a>(name: &str, values: impl IntoIterator<Item = &'a str>) -> String {
    let written = |value: &str| format!("[{}]", value.replace('\\', "\\\\").replace(']', "\\]"));
    name.to_owned() + &values.into_iter().map(written).collect::<String>()
}

/// A move as a property of its side.
pub fn write_move(side: Side, m: Move, size: usize) -> String {
    property(initial(side), [m.point().map(|point| letters(point, size)).unwrap_or_default().as_str()])
}

fn letters(point: Point, size: usize) -> String {
    [point.column(), size - 1 - point.row()].iter().map(|&n| char::from(b'a' + n as u8)).collect()
}

/// The properties of a root from which a game begins so.
pub fn write_root(start: &Position) -> String {
    let rules = start.rules();
    let size = rules.size();
    let version = env!("CARGO_PKG_VERSION");
    let mut out = format!("FF[4]GM[1]CA[UTF-8]AP[{APPLICATION}:{version}]SZ[{size}]");
    out += &format!("KM[{}]RU[{}]", rules.komi.points(), write_rules(rules));
    let alone = start.number(Colour::White) == 0 && start.number(Colour::Black) > 1;
    // Black stones alone before White's move would be read as a handicap.
    if start.handicap() > 0 || (alone && start.turn() == Side::White) {
        out += &format!("HA[{}]", start.handicap());
    }
    for (name, colour) in [("AB", Colour::Black), ("AW", Colour::White)] {
        let stones = crate::point::points(size).filter(|&point| start.at(point) == colour);
        let stones: Vec<String> = stones.map(|point| letters(point, size)).collect();
        if !stones.is_empty() {
            out += &property(name, stones.iter().map(String::as_str));
        }
    }
    // Without it whose turn it is would be guessed from the stones.
    if start.turn() == Side::White || start.number(Colour::Empty) < rules.area() {
        out += &format!("PL[{}]", initial(start.turn()));
    }
    out
}

/// Writes a game as it was played at a table.
pub fn write(record: &Kifu) -> String {
    let size = record.position().rules().size();
    let mut out = format!("(;{}", write_root(record.root().start()));
    let (moves, turn) = (record.moves(), record.position().turn());
    moves.iter().for_each(|&(side, m)| out += &format!("\n;{}", write_move(side, m, size)));
    if moves.last().is_some_and(|&(side, _)| side == turn) {
        out += &format!("\n;PL[{}]", initial(turn));
    }
    out + ")\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str, before: Option<usize>) -> Result<Kifu, SgfError> {
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
        let mut record = Kifu::with_handicap(rules, vec![Point::new(2, 2), Point::new(6, 6)]);
        record.play(Side::White, Move::At(Point::new(4, 4))).unwrap();
        record.play(Side::White, Move::At(Point::new(0, 8))).unwrap();
        record.play(Side::Black, Move::Pass).unwrap();
        let text = write(&record);
        let again = load(&text, None).unwrap();
        assert_eq!(again.position(), record.position());
        assert_eq!((again.moves(), again.handicap()), (record.moves(), 2));
        let both = collection::read(&text.repeat(2)).unwrap();
        let moves = |game: &Game| main_line(game, Rules::default(), None).unwrap().moves();
        assert!(both.len() == 2 && both.iter().all(|game| moves(game) == record.moves()));
    }

    #[test]
    fn stones_that_were_set_up_are_read_back_with_the_side_to_move() {
        let mut start = Position::empty(Rules::default().with_size(9).unwrap());
        [(2, 2), (6, 6)].iter().for_each(|&(x, y)| start.set(Point::new(x, y), Colour::Black));
        for side in [Side::Black, Side::White] {
            let start = start.clone().with_turn(side);
            let again = load(&write(&Kifu::from_position(start.clone())), None).unwrap();
            assert_eq!(*again.position(), start);
        }
        let empty = Kifu::new(Rules::default());
        assert!(!write(&empty).contains("PL["));
    }

    #[test]
    fn stones_of_several_nodes_are_all_set_up() {
        let number = |text: &str, colour| load(text, None).unwrap().position().number(colour);
        let record = load("(;SZ[9]AB[aa][bb];AB[cc][dd];W[ee])", None).unwrap();
        assert_eq!((record.handicap(), record.position().number(Colour::Black)), (4, 4));
        assert_eq!(number("(;SZ[9]AB[aa][bb][cc]AE[cc])", Colour::Black), 2);
        let both = "(;SZ[9]AW[dd];AB[aa][bb])";
        assert_eq!((number(both, Colour::Black), number(both, Colour::White)), (2, 1));
        // Before the first move stands what its own node sets up.
        let record = load("(;SZ[9]AB[aa][bb]W[ee])", Some(1)).unwrap();
        assert_eq!((record.len(), record.handicap()), (0, 2));
    }

    #[test]
    fn a_handicap_is_what_the_root_says_or_black_stones_before_white_moves() {
        let handicap = |text: &str| load(text, None).unwrap().handicap();
        assert_eq!(handicap("(;SZ[9]AB[aa][bb])"), 2);
        assert_eq!(handicap("(;SZ[9]HA[2]AB[aa][bb]PL[B])"), 2);
        for text in [
            "(;SZ[9]AB[aa][bb]PL[B])",
            "(;SZ[9]HA[0]AB[aa][bb])",
            "(;SZ[9]AB[aa])",
            "(;SZ[9]AB[aa][bb]AW[cc])",
            "(;SZ[9];B[ee];AB[aa][bb])",
            "(;SZ[9]AB[aa][bb];B[cc];W[dd])",
        ] {
            assert_eq!(handicap(text), 0, "{text}");
        }
    }

    #[test]
    fn reading_ends_between_two_moves_of_a_node() {
        let text = "(;SZ[9];B[aa]W[bb];B[cc];W[dd])";
        for number in 1..=4 {
            let record = load(text, Some(number)).unwrap();
            let turn = if number % 2 == 1 { Side::Black } else { Side::White };
            assert_eq!((record.len(), record.position().turn()), (number - 1, turn));
        }
        assert_eq!(load(text, Some(5)).unwrap().len(), 4);
    }

    #[test]
    fn whose_move_is_left_out_is_to_move() {
        let turn = |text: &str, before| load(text, before).unwrap().position().turn();
        assert_eq!(turn("(;SZ[9]AB[aa]AW[bb][cc];W[dd])", Some(1)), Side::White);
        assert_eq!(turn("(;SZ[9]AB[aa][bb];B[dd])", Some(1)), Side::Black);
        assert_eq!(turn("(;SZ[9];B[aa];B[bb])", Some(2)), Side::Black);
    }

    #[test]
    fn moves_that_our_rules_forbid_are_played() {
        // Black retakes a ko at once, then White fills its own last liberty.
        let text = "(;SZ[5]AB[ba][ab][cb][bc][ed][de]AW[ca][db][cc]PL[W];W[bb];B[cb];W[ee];B[])";
        let mut record = load(text, None).unwrap();
        assert_eq!((record.len(), record.position().prisoners(Side::Black)), (4, 2));
        let again = load(&write(&record), None).unwrap();
        assert_eq!((again.moves(), again.position()), (record.moves(), record.position()));
        assert!((0..4).all(|_| record.undo().is_some()) && record.undo().is_none());
    }

    #[test]
    fn a_turn_alone_keeps_the_game() {
        let text = "(;SZ[9];B[aa];W[bb];C[x]PL[B];B[cc])";
        let mut record = load(text, None).unwrap();
        assert_eq!(record.len(), 3);
        assert!(!write(&record).contains("AB["));
        assert!((0..3).all(|_| record.undo().is_some()));
        let record = load("(;SZ[9];B[aa];W[bb];PL[W])", None).unwrap();
        assert_eq!((record.len(), record.position().turn()), (2, Side::White));
        let text = write(&record);
        assert!(text.ends_with(";W[bb]\n;PL[W])\n"), "{text}");
        let again = load(&text, None).unwrap();
        assert_eq!((again.moves(), again.position()), (record.moves(), record.position()));
    }

    #[test]
    fn values_may_be_written_loosely() {
        let record = load("(;SZ[ 9 ]KM[ 6.5 ]RU[ new-zealand ]PL[white];W[ aa ])", None).unwrap();
        let rules = record.position().rules();
        assert_eq!((rules.size(), rules.komi.points(), rules.name()), (9, 6.5, Some("new_zealand")));
        assert_eq!(record.moves(), [(Side::White, Move::At(Point::new(0, 8)))]);
        let turn = |text: &str| load(&format!("(;SZ[9]PL[{text}])"), None).unwrap().position().turn();
        assert_eq!(["1", "B", "Black", "b "].map(turn), [Side::Black; 4]);
        assert_eq!(["2", "W", "WHITE", " w"].map(turn), [Side::White; 4]);
        let why = load("(;SZ[9]PL[green])", None).unwrap_err().to_string();
        assert_eq!(why, "byte 9: 'green' is not a value of PL");
    }

    #[test]
    fn broken_files_are_blamed_by_the_byte() {
        let why = |text: &str| load(text, None).unwrap_err().to_string();
        assert_eq!(why("(;B[aa"), "byte 3: a value has no end");
        assert_eq!(why("(;B[aa]"), "byte 7: the game has no end");
        assert_eq!(why(";B[aa])"), "byte 0: it contains no game");
        assert_eq!(why("(;B[aa]é)"), "byte 7: 'é' does not belong here");
        assert_eq!(why("(;B[aa](W[bb]))"), "byte 8: 'W' does not belong here");
        assert_eq!(why("(;GM[2])"), "byte 4: Unexpected game type");
        assert_eq!(why("(;SZ[30])"), "byte 4: a board of 30 by 30 points");
        assert_eq!(why("(;SZ[9];B[aa];W[aa])"), "byte 15: move 2: illegal move 'A9'");
        assert_eq!(why("(;SZ[9];B[jj])"), "byte 9: a point outside the board of 9 by 9");
        assert_eq!(why("(;SZ[9];B[aa];W[d])"), "byte 15: 'd' is not a value of W");
        assert_eq!(why("(;SZ[9]KM[much])"), "byte 9: 'much' is not a value of KM");
        assert_eq!(why("(;SZ[nine])"), "byte 4: 'nine' is not a value of SZ");
        assert_eq!(why("(;SZ[9]KM[1e300])"), "byte 9: a komi of 1e300 points");
        assert_eq!(why("(;GM[1])(;GM[1])(;GM[2])"), "byte 20: Unexpected game type");
        assert_eq!(
            why("(;SZ[9]AW[aa]C[x](;AB[ba]C[x]AB[ab]))"),
            "byte 21: stones without a liberty are set up"
        );
        assert_eq!(why("(;SZ[9]C[x]AW[aa:ii])"), "byte 13: stones without a liberty are set up");
    }

    #[test]
    fn what_is_blamed_fits_in_a_line() {
        let why = |text: &str| load(text, None).unwrap_err().to_string();
        assert_eq!(why("(;SZ[9];B[aa]\x1b)"), "byte 13: '\\u{1b}' does not belong here");
        assert_eq!(why("(;SZ[9];B[a\n\nb])"), "byte 9: 'a\\n\\nb' is not a value of B");
        assert!(why(&format!("(;SZ[9];B[{}])", "a".repeat(1000))).len() < 80);
    }

    #[test]
    fn blanks_of_every_kind_and_the_end_of_a_file_do_no_harm() {
        for text in ["(;SZ[9]\x0b;B[aa]\x0b)\x0b", "(;SZ[9];B[aa])\r\n\x1a", "(;SZ[9];B[aa])\0\0\n"] {
            assert_eq!(load(text, None).unwrap().len(), 1, "{text:?}");
        }
    }

    #[test]
    fn passes_before_stones_are_set_up_do_not_end_the_game_after_them() {
        let passes = |text: &str| load(text, None).unwrap().position().passes();
        assert_eq!(passes("(;SZ[9];B[];W[];AB[aa])"), 0);
        assert_eq!(passes("(;SZ[9];B[];AW[aa];W[])"), 1);
    }

    #[test]
    fn of_a_doubled_root_property_the_first_counts_and_stones_add_up() {
        let text =
            "(;GM[1]GM[1]SZ[9]SZ[13]KM[5.5]KM[0]RU[Japanese]RU[Chinese]HA[4]AB[aa][bb]AB[cc][dd]HA[0])";
        let record = load(text, None).unwrap();
        let rules = record.position().rules();
        assert_eq!((rules.size(), rules.komi.points(), rules.name()), (9, 5.5, Some("japanese")));
        assert_eq!((record.handicap(), record.position().number(Colour::Black)), (4, 4));
    }

    #[test]
    fn an_empty_komi_says_nothing() {
        let komi = |text: &str| load(text, None).unwrap().position().rules().komi;
        assert_eq!(komi("(;SZ[9]KM[])"), Rules::default().komi);
        assert_eq!(komi("(;SZ[9]KM[ ])"), Rules::default().komi);
    }

    #[test]
    fn a_komi_in_hundredths_is_understood_unless_we_wrote_it() {
        let komi = |text: &str| load(text, None).unwrap().position().rules().komi.points();
        assert_eq!(komi("(;SZ[19]KM[375]HA[0]RU[Chinese]AP[foxwq])"), 7.5);
        assert_eq!(["650", "0", "7.5"].map(|text| komi(&format!("(;SZ[19]KM[{text}])"))), [6.5, 0.0, 7.5]);
        let ours = Kifu::new(Rules::default().with_komi(Komi::new(375.0).unwrap()));
        assert_eq!(komi(&write(&ours)), 375.0);
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
        let name = |text: &str| read_rules(Rules::default(), text).and_then(|rules| rules.name());
        for text in ["nz", "New Zealand", " NEW_ZEALAND "] {
            assert_eq!(name(text), Some("new_zealand"), "{text}");
        }
        assert_eq!((name("Korean"), name("Chinese")), (Some("japanese"), Some("chinese")));
        assert_eq!(name("koPOSITIONALscoreAREAtaxNONEsui0whbN"), Some("chinese"));
        assert_eq!(name("koPOSITIONALscoreAREAtaxNONEsui0whbNfpok1"), Some("chinese"));
        assert_eq!(name("koSIMPLEscoreTERRITORYtaxSEKIsui0"), Some("japanese"));
    }
}
