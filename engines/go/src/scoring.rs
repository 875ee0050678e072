//! Whose is which point? Six direct methods, from the narrowest to the widest, and two ways to combine them.
//!
//! All are blind to life and death: dead stones must be taken off first. Values are Black's if positive and White's
//! if negative. Sources: Zobrist 1970 (influence), Bouzy 1995 (dilation and erosion), van der Werf 2004 (the survey).

use crate::point::{Grid, Point, points};
use crate::{Colour, Position};

/// The value of a stone in Zobrist's method.
const ZOBRIST_STONE: i32 = 64;
/// How often influence spreads.
const ZOBRIST_ROUNDS: usize = 4;
/// The value of a stone in Bouzy's method.
const BOUZY_STONE: i32 = 128;

/// A number for every point.
#[derive(Clone, Debug)]
pub struct Field {
    size: usize,
    values: Grid<i32>,
}

impl Field {
    fn new(size: usize, value: impl Fn(Point) -> i32) -> Field {
        let mut values = Grid::filled(0);
        points(size).for_each(|point| values[point] = value(point));
        Field { size, values }
    }

    /// The value at a point.
    pub fn at(&self, point: Point) -> i32 {
        self.values[point]
    }

    /// Points of Black and points of White.
    pub fn counts(&self) -> (usize, usize) {
        let count = |sign| points(self.size).filter(|&point| self.at(point).signum() == sign).count();
        (count(1), count(-1))
    }

    /// The neighbours' values, those off the board left out.
    fn around(&self, position: &Position, point: Point) -> impl Iterator<Item = i32> {
        let inside = point.neighbours().map(|p| (position.at(p) != Colour::Border).then(|| self.at(p)));
        inside.into_iter().flatten()
    }
}

/// A method of scoring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Only points wholly surrounded by one colour: single eyes.
    ExplicitControl,
    /// Empty points that touch one colour only.
    DirectControl,
    /// Empty regions that touch one colour only.
    FloodFill,
    /// Points nearer to stones of one colour.
    Distance,
    /// Zobrist's influence.
    Influence,
    /// Bouzy's dilations, then erosions.
    Bouzy(u32, u32),
    /// Bouzy's territory; what it leaves open goes to the nearer side.
    Combined,
}

/// The methods as users name them.
pub const METHODS: [(&str, Method); 12] = [
    ("explicit", Method::ExplicitControl),
    ("direct", Method::DirectControl),
    ("flood", Method::FloodFill),
    ("distance", Method::Distance),
    ("zobrist", Method::Influence),
    ("moyo", Method::Bouzy(5, 10)),
    ("territory", Method::TERRITORY),
    // For the middle of a game.
    ("quick", Method::Bouzy(4, 13)),
    ("influence", Method::Bouzy(4, 0)),
    // As Bouzy's operators see them.
    ("liberties", Method::Bouzy(1, 0)),
    // Beyond doubt.
    ("strong", Method::Bouzy(2, 2)),
    ("combined", Method::Combined),
];

impl Method {
    /// Bouzy's territory, as precise as it gets.
    pub const TERRITORY: Method = Method::Bouzy(5, 21);

    /// The method of this name, in any case.
    pub fn by_name(name: &str) -> Option<Method> {
        METHODS.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, method)| method)
    }

    /// The value of every point; stones count for their colour except where the method looks at eyes only.
    pub fn field(self, position: &Position) -> Field {
        match self {
            Method::ExplicitControl => {
                touched(position, |black, white, empty| empty == 0 && black * white == 0)
            }
            Method::DirectControl => touched(position, |black, white, _| black * white == 0),
            Method::FloodFill => flooded(position),
            Method::Distance => nearest(position),
            Method::Influence => influence(position),
            Method::Bouzy(dilations, erosions) => bouzy(position, dilations, erosions),
            Method::Combined => combined(position),
        }
    }
}

fn stone(position: &Position, point: Point, value: i32) -> i32 {
    match position.at(point) {
        Colour::Black => value,
        Colour::White => -value,
        _ => 0,
    }
}

/// Empty points by the colours of their neighbours, where `counts` finds them one-sided; stones are left out.
fn touched(position: &Position, counts: impl Fn(usize, usize, usize) -> bool) -> Field {
    Field::new(position.rules().size(), |point| {
        if position.at(point) != Colour::Empty {
            return 0;
        }
        let number = |colour| point.neighbours().iter().filter(|&&p| position.at(p) == colour).count();
        let (black, white) = (number(Colour::Black), number(Colour::White));
        if counts(black, white, number(Colour::Empty)) {
            (black as i32).signum() - (white as i32).signum()
        } else {
            0
        }
    })
}

fn flooded(position: &Position) -> Field {
    Field::new(position.rules().size(), |point| match position.at(point) {
        Colour::Empty => {
            let touches = |colour| i32::from(!position.region(point, colour).1.is_empty());
            touches(Colour::Black) - touches(Colour::White)
        }
        _ => stone(position, point, 1),
    })
}

fn nearest(position: &Position) -> Field {
    let size = position.rules().size();
    let all = |colour| points(size).filter(move |&p| position.at(p) == colour).collect::<Vec<_>>();
    let (black, white) = (all(Colour::Black), all(Colour::White));
    let distance = |stones: &[Point], from: Point| {
        stones.iter().map(|&p| p.distance(from)).min().map_or(i32::MAX, |steps| steps as i32)
    };
    Field::new(size, |point| {
        (distance(&white, point) as i64 - distance(&black, point) as i64).signum() as i32
    })
}

fn influence(position: &Position) -> Field {
    let mut field = Field::new(position.rules().size(), |point| stone(position, point, ZOBRIST_STONE));
    for _ in 0..ZOBRIST_ROUNDS {
        let before = field.clone();
        field = Field::new(before.size, |point| {
            let signs: i32 = before.around(position, point).map(i32::signum).sum();
            before.at(point) + signs
        });
    }
    field
}

fn bouzy(position: &Position, dilations: u32, erosions: u32) -> Field {
    let mut field = Field::new(position.rules().size(), |point| stone(position, point, BOUZY_STONE));
    for _ in 0..dilations {
        field = Field::new(field.size, |point| dilated(&field, position, point));
    }
    for _ in 0..erosions {
        field = Field::new(field.size, |point| eroded(&field, position, point));
    }
    field
}

/// A point grows by its neighbours of one sign, unless one of the other sign is among them.
fn dilated(field: &Field, position: &Position, point: Point) -> i32 {
    let value = field.at(point);
    let count = |sign: i32| field.around(position, point).filter(|v| v.signum() == sign).count() as i32;
    let (plus, minus) = (count(1), count(-1));
    match value.signum() {
        1 if minus == 0 => value + plus,
        -1 if plus == 0 => value - minus,
        0 if minus == 0 => plus,
        0 if plus == 0 => -minus,
        _ => value,
    }
}

/// A point shrinks by its neighbours that are not of its sign, and not beyond 0.
fn eroded(field: &Field, position: &Position, point: Point) -> i32 {
    let value = field.at(point);
    let sign = value.signum();
    let foreign = field.around(position, point).filter(|v| v.signum() != sign).count() as i32;
    sign * (value.abs() - foreign).max(0)
}

fn combined(position: &Position) -> Field {
    let (sure, near) = (Method::TERRITORY.field(position), Method::Distance.field(position));
    Field::new(sure.size, |point| if sure.at(point) == 0 { near.at(point) } else { sure.at(point).signum() })
}

/// Whether flood fill and distance agree on every point: if not, dead stones remain or the game is not over.
pub fn is_finished(position: &Position) -> bool {
    let (flood, near) = (Method::FloodFill.field(position), Method::Distance.field(position));
    points(flood.size).all(|point| flood.at(point) == near.at(point))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::drawn;

    /// Twelve stones each, 13 points for Black and 12 for White: Śliwa's example of both ways to count.
    const WORKED: &str = ". . X O . . . / . X X O . O . / . . X O . . O / . X . X O O . / X . X X O . O / . X . X O O . / . . . X O . .";

    #[test]
    fn methods_grow_from_eyes_to_regions() {
        let rows = ". X . . . / X X . . . / . . . O O / . . . O . / . . . O O";
        let position = drawn(rows, "chinese");
        assert_eq!(Method::ExplicitControl.field(&position).counts(), (1, 1));
        assert_eq!(Method::DirectControl.field(&position).counts(), (5, 6));
        assert_eq!(Method::FloodFill.field(&position).counts(), (4, 6));
        assert!(!is_finished(&position));
    }

    #[test]
    fn distance_gives_every_point_to_the_nearer_stone() {
        let position = drawn("X . . . O / . . . . . / . . . . . / . . . . . / . . . . .", "chinese");
        let field = Method::Distance.field(&position);
        assert_eq!(field.counts(), (10, 10));
        assert_eq!(field.at(Point::new(2, 0)), 0);
    }

    #[test]
    fn zobrist_influence_spreads_four_times() {
        let position = drawn(". . . . . / . . . . . / . . X . . / . . . . . / . . . . .", "chinese");
        let field = Method::Influence.field(&position);
        assert_eq!(field.at(Point::new(2, 2)), 64 + 3 * 4);
        assert_eq!(field.at(Point::new(2, 3)).signum(), 1);
        assert!(field.at(Point::new(4, 4)) > 0);
    }

    #[test]
    fn the_right_number_of_erosions_undoes_the_dilations_of_a_lone_stone() {
        let mut position = crate::Position::empty(crate::Rules::default().with_size(25).unwrap());
        let centre = Point::new(12, 12);
        position.set(centre, Colour::Black);
        for d in 1..=5 {
            let field = Method::Bouzy(d, 1 + d * (d - 1)).field(&position);
            assert_eq!((field.at(centre), field.counts()), (BOUZY_STONE, (1, 0)), "{d}");
        }
    }

    #[test]
    fn territory_and_area_give_the_same_margin_in_the_worked_example() {
        let komi = crate::rules::Komi::new(6.5).unwrap();
        for (name, black, white) in [("chinese", 25.0, 30.5), ("japanese", 13.0, 18.5)] {
            let position = drawn(WORKED, name);
            let rules = position.rules().with_komi(komi);
            assert_eq!(position.with_rules(rules).margin(), black - white, "{name}");
        }
        assert_eq!(Method::FloodFill.field(&drawn(WORKED, "chinese")).counts(), (25, 24));
        assert_eq!(Method::Combined.field(&drawn(WORKED, "chinese")).counts(), (25, 24));
    }

    #[test]
    fn a_closed_board_is_finished() {
        let position = drawn(". X O . . / X X O O . / . X X O . / X X O O . / . X O . .", "chinese");
        assert!(is_finished(&position));
        assert_eq!(Method::Combined.field(&position).counts(), (11, 14));
    }
}
