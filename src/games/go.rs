//! Go.

use anyhow::{Context, Result};
use go::point::points;
use go::{Colour, Go, Move, Point, PointSet, Position, Rules, handicap};
use search::options::Kind;
use search::{Engine, Game, Outcome, Side};

use super::field::{options, rules};
use super::{Choices, Row, Start};
use crate::build::Build;
use crate::driver::Protocol;
use crate::record::Format;
use crate::referee::{Board, Ground, Judged, Referee, Refereed, Spot, desk, placed, turn_letter};

mod lab;
mod learn;

/// The option that names the stones Black begins with.
const HANDICAP: &str = "Handicap";

pub(super) const ROW: Row = Row {
    name: "go",
    title: "Go",
    engine: <Go as Engine>::NAME,
    run: go::gtp::run,
    protocols: &[Protocol::Gtp],
    formats: &[Format::Sgf],
    first: Side::Black,
    pieces: &[('b', "black stone"), ('w', "white stone")],
    options: options::<Go>,
    rules: rules::<Rules>,
    referee: desk::<Position>,
    quick: &[("BoardSize", "9"), ("Komi", "6.5")],
    start: Some(Start {
        name: HANDICAP,
        kind: Kind::Spin { default: 0, min: 0, max: 9 },
        help: "handicap stones for Black",
        position: begin,
    }),
    build: Build::NOTHING,
    learn: Some(learn::LEARN),
    lab: lab::LAB,
};

/// Handicap stones on their usual points, with White to move.
fn begin(referee: &dyn Referee, _: &Choices, stones: Option<&str>, _: u64) -> Result<Option<String>> {
    let stones = stones.map_or(Ok(0), str::parse::<usize>).context("a handicap is a number of stones")?;
    if stones < 2 {
        return Ok(None);
    }
    let size = usize::from(referee.board().columns);
    let points = handicap::fixed(size, stones)
        .with_context(|| format!("a board of size {size} has no room for {stones} handicap stones"))?;
    let pieces: Vec<_> = points.into_iter().map(|point| (point.to_string(), 'b')).collect();
    Ok(Some(format!("{} {stones}", referee.compose(&pieces, Side::White)?)))
}

impl Refereed for Position {
    fn sgf_root(&self) -> String {
        go::sgf::write_root(self)
    }

    fn settled(&self, dead: &[String]) -> Option<Outcome> {
        if self.rules().all_alive || self.count() > 0 {
            return None;
        }
        Some(match self.margin_without(&named(self, dead)) {
            margin if margin > 0.0 => Outcome::win(Side::Black, "more points"),
            margin if margin < 0.0 => Outcome::win(Side::White, "more points"),
            _ => Outcome::draw("equal points"),
        })
    }

    fn margin(&self, dead: &[String]) -> Option<f64> {
        Some(self.margin_without(&named(self, dead)))
    }

    fn judge_stones(&self) -> Option<Judged> {
        let judged = go::estimate::estimate(self);
        let spots = self.board().spots;
        let at = |name: &str| points(self.rules().size()).find(|point| point.to_string() == name);
        let owner = |spot: &Spot| at(&spot.name).map_or(0.0, |point| judged.ownership.at(point) as f32);
        Some(Judged {
            dead: judged.dead.iter().map(|point| point.to_string()).collect(),
            owners: spots.iter().map(owner).collect(),
        })
    }

    fn board(&self) -> Board {
        let size = self.rules().size();
        let spot = |point: Point| {
            let piece = match self.at(point) {
                Colour::Black => Some('b'),
                Colour::White => Some('w'),
                _ => None,
            };
            Spot { name: point.to_string(), column: point.column() as u8, row: point.row() as u8, piece }
        };
        let note = |side| match self.prisoners(side) {
            0 => String::new(),
            1 => "1 prisoner".to_owned(),
            taken => format!("{taken} prisoners"),
        };
        let mut spots: Vec<_> = points(size).map(spot).collect();
        spots.sort_by_key(|spot| (spot.row, spot.column));
        Board {
            ground: Ground::Grid,
            columns: size as u8,
            rows: size as u8,
            spots,
            stars: handicap::stars(size).into_iter().map(|point| point.to_string()).collect(),
            notes: [note(Side::White), note(Side::Black)],
            ..Board::default()
        }
    }

    fn steps(&self, m: Move) -> Vec<String> {
        m.point().map(|point| point.to_string()).into_iter().collect()
    }

    fn compose(rules: &Rules, pieces: &[(String, char)], turn: Side) -> String {
        let name = |column: u8, row: u8| Point::new(column.into(), row.into()).to_string();
        format!("{} {} - 0 0 0", placed(rules.size() as u8, name, pieces), turn_letter(turn))
    }
}

/// The points of these names.
fn named(position: &Position, names: &[String]) -> PointSet {
    points(position.rules().size()).filter(|point| names.contains(&point.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::open;

    #[test]
    fn the_board_is_a_grid_with_stars() {
        let rules = [("BoardSize".to_owned(), "9".to_owned())];
        let board = open("go", &rules).unwrap().board();
        assert_eq!((board.spots.len(), board.columns, board.ground), (81, 9, Ground::Grid));
        assert_eq!(board.spots[8].name, "J1");
        assert!(board.stars.contains(&"E5".to_owned()));
    }

    #[test]
    fn a_stone_is_one_touch_and_a_pass_is_none() {
        let choices = open("go", &[("BoardSize".to_owned(), "9".to_owned())]).unwrap().choices();
        assert_eq!(choices.len(), 82);
        assert!(choices.iter().any(|choice| choice.text == "D4" && choice.steps == ["D4"]));
        assert!(choices.iter().any(|choice| choice.text == "pass" && choice.steps.is_empty()));
    }

    #[test]
    fn dead_stones_are_named_with_their_chains() {
        let mut referee = open("go", &[("BoardSize".to_owned(), "5".to_owned())]).unwrap();
        referee.set_up(Some("5/bbbbb/5/wwwww/1b3 b - 0 0 0")).unwrap();
        assert_eq!((referee.chain("A2").len(), referee.chain("B1")), (5, vec!["B1".to_owned()]));
        assert!(referee.chain("A3").is_empty() && referee.chain("Z9").is_empty());
        let judged = referee.judge_stones().unwrap();
        assert_eq!((judged.dead, judged.owners.len()), (vec!["B1".to_owned()], 25));
        let margin = |dead: &[String]| referee.margin(dead).unwrap();
        assert!(margin(&["B1".to_owned()]) < margin(&[]));
    }

    #[test]
    fn stones_are_composed_into_a_position() {
        let referee = open("go", &[("BoardSize".to_owned(), "5".to_owned())]).unwrap();
        let stones = [("A1".to_owned(), 'b'), ("E5".to_owned(), 'w')];
        assert_eq!(referee.compose(&stones, Side::White).unwrap(), "4w/5/5/5/b4 w - 0 0 0");
    }

    #[test]
    fn handicap_stones_stand_and_white_moves() {
        let referee = open("go", &[("BoardSize".to_owned(), "9".to_owned())]).unwrap();
        let fen = begin(&*referee, &[], Some("2"), 0).unwrap().unwrap();
        assert!(fen.contains(" w ") && fen.matches('b').count() == 2);
        assert_eq!(begin(&*referee, &[], None, 0).unwrap(), None);
        assert!(begin(&*referee, &[], Some("99"), 0).is_err());
    }
}
