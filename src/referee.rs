//! Any game through one boxed door, text in and text out: what `match` and `serve` know of rules.
//!
//! Written once for every [`search::Game`]; what differs from game to game beyond its rules stands in
//! [`Refereed`], implemented beside the game's row in `games/`.

use search::{
    Control, Engine, Game, Info, Limits, MoveError, OptionError, Outcome, PositionError, Root, Rulebook,
    Score, Side,
};

use crate::games::{self, Choices, Opened, Row};
use crate::record::Record;

/// The judge of one game at a time.
pub trait Referee: Send + Sync {
    /// The row of the game.
    fn row(&self) -> &'static Row;
    /// The game as users name it: `neighbours`.
    fn game(&self) -> &'static str {
        self.row().name
    }
    /// Begins a new game from the usual start, or from a FEN; on an error the old game stays.
    fn set_up(&mut self, fen: Option<&str>) -> Result<(), PositionError>;
    /// The FEN the game began with.
    fn start(&self) -> String;
    /// The FEN of the current position.
    fn fen(&self) -> String;
    /// The side to move.
    fn turn(&self) -> Side;
    /// What our own engine thinks of the position after so many nodes, from the side to move; none where it gives
    /// no scores.
    fn value(&self, nodes: u64) -> Option<Score>;
    /// The legal moves as protocols write them.
    fn legal(&self) -> Vec<String>;
    /// Plays a move in any notation of the game and returns it as protocols write it.
    fn play(&mut self, text: &str) -> Result<String, MoveError>;
    /// Takes the last move back; false if there was none.
    fn undo(&mut self) -> bool;
    /// The end of the game, if this is it.
    fn outcome(&self) -> Option<Outcome>;
    /// The end of a game that is counted, with these stones taken off as dead; none if the game is not over,
    /// or knows no dead stones.
    fn settled(&self, dead: &[String]) -> Option<Outcome>;
    /// Black's points minus White's with these stones taken off; none where points are not counted.
    fn margin(&self, dead: &[String]) -> Option<f64>;
    /// Which stones are dead and whose the points will be; none where stones do not die.
    fn judge_stones(&self) -> Option<Judged>;
    /// The stones joined with the one on this spot, itself among them; empty if there is none.
    fn chain(&self, spot: &str) -> Vec<String>;
    /// The moves so far as protocols write them.
    fn moves(&self) -> Vec<String>;
    /// The moves so far as game records write them.
    fn written(&self) -> Vec<String>;
    /// The last move as game records write it; none at the start.
    fn last_written(&self) -> Option<String>;
    /// The tags by which other programs know the game and its rules in a record.
    fn tags(&self) -> Vec<(&'static str, String)>;
    /// The rules that a record tells by tags which are not named like them; the error says what it is not.
    fn rules_told(&self, record: &Record) -> Result<Vec<(String, String)>, String>;
    /// What an SGF file says of the rules and the current position, where the game begins in it; empty where games
    /// are not kept so.
    fn sgf_root(&self) -> String;
    /// The legal moves with the spots that a player touches to make them.
    fn choices(&self) -> Vec<Choice>;
    /// The spots that the last move touched; empty at the start.
    fn last(&self) -> Vec<String>;
    /// How a line of play from here is written in game records, as far as it is legal.
    fn line(&self, moves: &[String]) -> Vec<Choice>;
    /// The FEN of a position with these pieces and this side to move; what else it needs is guessed.
    fn compose(&self, pieces: &[(String, char)], turn: Side) -> Result<String, PositionError>;
    /// Where everything stands, for drawing.
    fn board(&self) -> Board;
    /// The board as text lines, for people.
    fn picture(&self) -> String;
    /// Another judge of the same game and rules, at the start.
    fn another(&self) -> Box<dyn Referee>;
}

/// What programs ask of a game beyond its rules.
pub trait Refereed: Game {
    /// What our own engine thinks of a game after so many nodes, from the side to move.
    fn value(_root: &Root<Self>, _nodes: u64) -> Option<Score> {
        None
    }
    /// A legal move as game records write it.
    fn written(&self, m: Self::Move) -> String;
    /// The tags by which other programs know the game and its rules in a record.
    fn tags(row: &Row, _rules: &Self::Rules) -> Vec<(&'static str, String)> {
        vec![("Variant", row.name.to_owned())]
    }
    /// The rules that a record tells by tags which are not named like them.
    fn rules_told(_record: &Record) -> Result<Vec<(String, String)>, String> {
        Ok(Vec::new())
    }
    /// What an SGF file says of a game that begins here.
    fn sgf_root(&self) -> String {
        String::new()
    }
    /// The end of a game that is counted, with these stones taken off as dead.
    fn settled(&self, _dead: &[String]) -> Option<Outcome> {
        None
    }
    /// Black's points minus White's with these stones taken off.
    fn margin(&self, _dead: &[String]) -> Option<f64> {
        None
    }
    /// Which stones are dead and whose the points will be.
    fn judge_stones(&self) -> Option<Judged> {
        None
    }
    /// Where everything stands.
    fn board(&self) -> Board;
    /// The spots a player touches to make a move, in order; none for a pass.
    fn steps(&self, m: Self::Move) -> Vec<String>;
    /// The FEN of these pieces with this side to move; it need not be a possible position.
    fn compose(rules: &Self::Rules, pieces: &[(String, char)], turn: Side) -> String;
}

/// The value an engine finds; the same on every machine if the engine has one thread and no tables of the user's.
pub(crate) fn searched<E: Engine>(mut engine: E, root: &Root<E::Game>, nodes: u64) -> Option<Score> {
    let mut value = None;
    let mut note = |info: &Info<<E::Game as Game>::Move>| {
        if let Info::Line(line) = info {
            value = Some(line.score);
        }
    };
    engine.think(root, &Limits::nodes(nodes), &Control::default(), &mut note);
    value
}

/// A legal move as a player makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// As protocols or game records write it.
    pub text: String,
    /// The spots touched, in order.
    pub steps: Vec<String>,
}

/// An opinion on the stones of a game that is to be counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Stones to be taken off.
    pub dead: Vec<String>,
    /// Whose each spot will be, from -1 for White to 1 for Black, in the order of [`Board::spots`].
    pub owners: Vec<f32>,
}

/// What pieces stand on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// Squares of two colours.
    #[default]
    Squares,
    /// The crossings of lines that run through the whole board.
    Grid,
    /// Points joined by lines of their own.
    Lines,
}

/// A place where a piece can stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// As moves name it: `a1`.
    pub name: String,
    /// From the left, 0 first.
    pub column: u8,
    /// From the bottom, 0 first.
    pub row: u8,
    /// The letter its FEN has for the piece; none if empty.
    pub piece: Option<char>,
}

/// Everything one needs to draw a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// What to draw below the pieces.
    pub ground: Ground,
    /// Places from left to right.
    pub columns: u8,
    /// Places from bottom to top.
    pub rows: u8,
    /// All places, the bottom left one first.
    pub spots: Vec<Spot>,
    /// The lines of [`Ground::Lines`], each from spot to spot.
    pub lines: Vec<(String, String)>,
    /// Spots marked on the ground.
    pub stars: Vec<String>,
    /// What to say of White and of Black beside the board: prisoners, men in hand; empty for nothing.
    pub notes: [String; 2],
    /// The spot of a piece under threat that the rules care about.
    pub check: Option<String>,
}

/// One row of a FEN: the letters of the pieces, and the numbers of the empty places between them.
pub(crate) fn placed(names: impl Iterator<Item = String>, pieces: &[(String, char)]) -> String {
    let (mut row, mut empty) = (String::new(), 0);
    for name in names {
        match pieces.iter().find(|(spot, _)| *spot == name) {
            Some((_, letter)) => {
                row += &count(empty);
                row.push(*letter);
                empty = 0;
            }
            None => empty += 1,
        }
    }
    row + &count(empty)
}

fn count(empty: usize) -> String {
    if empty == 0 { String::new() } else { empty.to_string() }
}

/// The side to move as FENs write it.
pub(crate) fn turn_letter(turn: Side) -> char {
    match turn {
        Side::White => 'w',
        Side::Black => 'b',
    }
}

/// Why no referee could be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefereeError {
    /// No game has this name.
    #[error("no such game: '{0}' (the games are {games})", games = games::names(|_| true))]
    Game(String),
    /// The game has no such rule, or the rule no such value.
    #[error(transparent)]
    Rule(#[from] OptionError),
}

/// A referee of the game named, under the rules chosen.
pub fn open(game: &str, rules: &Choices) -> Opened {
    games::named(game)?.open(rules)
}

/// The referee of a row.
pub(crate) fn desk<G: Refereed>(row: &'static Row, choices: &Choices) -> Opened {
    Ok(Box::new(Desk::<G>::new(row, G::Rules::chosen(choices)?)))
}

/// One referee for every game.
struct Desk<G: Game> {
    row: &'static Row,
    rules: G::Rules,
    root: Root<G>,
}

impl<G: Refereed> Desk<G> {
    fn new(row: &'static Row, rules: G::Rules) -> Self {
        let root = Root::new(G::start(&rules));
        Desk { row, rules, root }
    }

    /// The moves so far, each written by `write` from the position it was played in.
    fn write_moves(&self, write: impl Fn(&G, G::Move) -> String) -> Vec<String> {
        self.root.positions().iter().zip(self.root.moves()).map(|(p, &m)| write(p, m)).collect()
    }
}

impl<G: Refereed> Referee for Desk<G> {
    fn row(&self) -> &'static Row {
        self.row
    }

    fn set_up(&mut self, fen: Option<&str>) -> Result<(), PositionError> {
        self.root = Root::new(match fen {
            Some(text) => G::read(&self.rules, text)?,
            None => G::start(&self.rules),
        });
        Ok(())
    }

    fn start(&self) -> String {
        self.root.start().to_string()
    }

    fn fen(&self) -> String {
        self.root.position().to_string()
    }

    fn turn(&self) -> Side {
        self.root.position().turn()
    }

    fn value(&self, nodes: u64) -> Option<Score> {
        G::value(&self.root, nodes)
    }

    fn legal(&self) -> Vec<String> {
        self.root.legal().into_iter().map(|m| self.root.position().write(m)).collect()
    }

    fn play(&mut self, text: &str) -> Result<String, MoveError> {
        let before = self.root.position().clone();
        self.root.play_text(text).map(|m| before.write(m))
    }

    fn undo(&mut self) -> bool {
        self.root.undo().is_some()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.root.outcome()
    }

    fn settled(&self, dead: &[String]) -> Option<Outcome> {
        self.root.position().settled(dead)
    }

    fn margin(&self, dead: &[String]) -> Option<f64> {
        self.root.position().margin(dead)
    }

    fn judge_stones(&self) -> Option<Judged> {
        self.root.position().judge_stones()
    }

    fn chain(&self, spot: &str) -> Vec<String> {
        let spots = self.root.position().board().spots;
        let Some(first) = spots.iter().find(|s| s.name == spot && s.piece.is_some()) else {
            return Vec::new();
        };
        let mut chain = vec![first];
        let mut next = 0;
        while let Some(&stone) = chain.get(next) {
            let touches = |s: &&Spot| s.column.abs_diff(stone.column) + s.row.abs_diff(stone.row) == 1;
            let joined: Vec<_> = spots.iter().filter(|s| s.piece == first.piece && touches(s)).collect();
            for spot in joined {
                if !chain.contains(&spot) {
                    chain.push(spot);
                }
            }
            next += 1;
        }
        chain.into_iter().map(|spot| spot.name.clone()).collect()
    }

    fn moves(&self) -> Vec<String> {
        self.write_moves(G::write)
    }

    fn written(&self) -> Vec<String> {
        self.write_moves(G::written)
    }

    fn last_written(&self) -> Option<String> {
        match (self.root.positions(), self.root.moves()) {
            ([.., before, _], [.., m]) => Some(before.written(*m)),
            _ => None,
        }
    }

    fn tags(&self) -> Vec<(&'static str, String)> {
        G::tags(self.row, &self.rules)
    }

    fn rules_told(&self, record: &Record) -> Result<Vec<(String, String)>, String> {
        G::rules_told(record)
    }

    fn sgf_root(&self) -> String {
        self.root.position().sgf_root()
    }

    fn choices(&self) -> Vec<Choice> {
        let here = self.root.position();
        let choice = |m| Choice { text: here.write(m), steps: here.steps(m) };
        self.root.legal().into_iter().map(choice).collect()
    }

    fn last(&self) -> Vec<String> {
        match (self.root.positions(), self.root.moves()) {
            ([.., before, _], [.., m]) => before.steps(*m),
            _ => Vec::new(),
        }
    }

    fn line(&self, moves: &[String]) -> Vec<Choice> {
        let mut root = self.root.clone();
        let mut line = Vec::new();
        for text in moves {
            let before = root.position().clone();
            let Ok(m) = root.play_text(text) else { break };
            line.push(Choice { text: before.written(m), steps: before.steps(m) });
        }
        line
    }

    fn compose(&self, pieces: &[(String, char)], turn: Side) -> Result<String, PositionError> {
        let fen = G::compose(&self.rules, pieces, turn);
        G::read(&self.rules, &fen).map(|position| position.to_string())
    }

    fn board(&self) -> Board {
        self.root.position().board()
    }

    fn picture(&self) -> String {
        self.root.position().picture()
    }

    fn another(&self) -> Box<dyn Referee> {
        Box::new(Desk::<G>::new(self.row, self.rules.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_played_and_taken_back_in_text() {
        let mut referee = open("neighbours", &[]).unwrap();
        let start = referee.fen();
        assert_eq!((referee.legal().len(), referee.turn()), (20, Side::White));
        assert_eq!(referee.play("a1b2").unwrap(), "a1b2");
        assert_eq!(referee.play("a1b2"), Err(MoveError::Illegal("a1b2".to_owned())));
        assert_eq!((referee.moves(), referee.turn()), (vec!["a1b2".to_owned()], Side::Black));
        assert_eq!(referee.start(), start);
        assert!(referee.undo() && !referee.undo());
        assert_eq!(referee.fen(), start);
    }

    #[test]
    fn a_bad_position_leaves_the_game_as_it_was() {
        let mut referee = open("neighbours", &[]).unwrap();
        referee.play("a1b2").unwrap();
        let here = referee.fen();
        assert!(referee.set_up(Some("nonsense")).is_err());
        assert_eq!(referee.fen(), here);
        referee.set_up(Some("8/8/8/8/8/8/8/w6b w 0")).unwrap();
        assert_eq!(referee.outcome().unwrap().reason, "no legal move");
        referee.set_up(None).unwrap();
        assert_eq!(referee.outcome(), None);
    }

    #[test]
    fn moves_come_with_the_spots_to_touch() {
        let mut referee = open("neighbours", &[]).unwrap();
        assert!(referee.last().is_empty());
        let choice = Choice { text: "a1b2".to_owned(), steps: vec!["a1".to_owned(), "b2".to_owned()] };
        assert!(referee.choices().contains(&choice));
        referee.play("a1b2").unwrap();
        assert_eq!(referee.last(), choice.steps);
    }

    #[test]
    fn a_position_is_composed_of_pieces() {
        let referee = open("neighbours", &[]).unwrap();
        let pieces = [("a1".to_owned(), 'w'), ("h8".to_owned(), 'b'), ("c8".to_owned(), 'b')];
        assert_eq!(referee.compose(&pieces, Side::Black).unwrap(), "2b4b/8/8/8/8/8/8/w7 b 0");
    }

    #[test]
    fn unknown_games_and_rules_are_refused_by_name() {
        let why = |game, rules: &[(&str, &str)]| {
            let rules: Vec<_> = rules.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
            open(game, &rules).err().unwrap().to_string()
        };
        assert!(why("halma", &[]).starts_with("no such game: 'halma' (the games are "));
        assert_eq!(
            why("neighbours", &[("BoardSize", "9")]),
            "option BoardSize: '9' is not a number from 4 to 8"
        );
        assert_eq!(why("neighbours", &[("komi", "7")]), "no such rule: 'komi' (the rules are BoardSize)");
    }
}
