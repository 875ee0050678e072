//! What the user chooses: the variant of the game and the code that says when it is drawn.

use crate::Position;
use crate::board::MAIN_ROAD;
use search::Side;
use search::options::{Options, Rulebook, choice};

/// One of the games of the family: flying kings, men that step forward and capture both ways, 12 men a side.
/// What differs is data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its number in PDN's GameType tag.
    pub game_type: u8,
    /// Of several captures one that takes the most pieces must be played.
    pub majority: bool,
    /// A man that reaches the last row during a capture goes on as a king.
    pub crowns_in_passing: bool,
}

impl Variant {
    /// Also called classical or "little Polish" draughts.
    pub const BRAZILIAN: Variant = Variant { game_type: 26, majority: true, crowns_in_passing: false };
    /// Shashki: free choice of captures, and a man is crowned where it touches the last row.
    pub const RUSSIAN: Variant = Variant { game_type: 25, majority: false, crowns_in_passing: true };
    /// Every variant, the default first.
    pub const ALL: [Variant; 2] = [Variant::BRAZILIAN, Variant::RUSSIAN];
    /// As options and protocols spell them.
    const NAMED: [(&'static str, Variant); 2] =
        [("brazilian", Variant::BRAZILIAN), ("russian", Variant::RUSSIAN)];

    /// The variant of this name.
    pub fn named(name: &str) -> Option<Variant> {
        Variant::NAMED
            .into_iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, variant)| variant)
    }

    /// As options and protocols spell it.
    pub fn name(self) -> &'static str {
        Variant::NAMED.into_iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }
}

/// The code that says when a game is drawn; in all but `None` the third occurrence of a position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DrawRules {
    /// The Brazilian confederation's: 20 moves each by kings only; 5 moves each in five small endings.
    #[default]
    Cbd,
    /// The world federation's for 64 squares, articles 7.2.4 to 7.2.8.
    Fmjd64,
    /// Only repetition, as in Beling's thesis, which counts no moves.
    None,
}

impl DrawRules {
    /// As the option spells them.
    const NAMED: [(&'static str, DrawRules); 3] =
        [("cbd", DrawRules::Cbd), ("fmjd64", DrawRules::Fmjd64), ("none", DrawRules::None)];

    /// Plies of kings alone, without a capture, that end the game here.
    pub fn quiet_limit(self, position: &Position) -> Option<u32> {
        match self {
            DrawRules::Cbd => Some(40),
            DrawRules::Fmjd64 => position.both_have_kings().then_some(30),
            DrawRules::None => None,
        }
    }

    /// Plies since the present ending arose that end the game here.
    pub fn ending_limit(self, position: &Position) -> Option<u32> {
        if position.kings() == 0 {
            return None;
        }
        match self {
            DrawRules::Cbd => is_small_ending(position).then_some(10),
            DrawRules::Fmjd64 => fmjd64_limit(position),
            DrawRules::None => None,
        }
    }
}

/// What a user may choose about the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The game of the family.
    pub variant: Variant,
    /// The code of draws.
    pub draws: DrawRules,
}

impl Default for Rules {
    fn default() -> Self {
        Rules { variant: Variant::BRAZILIAN, draws: DrawRules::default() }
    }
}

impl Rulebook for Rules {
    fn rows() -> Options<Rules> {
        vec![
            choice("Variant", "which game of the draughts family", &Variant::NAMED)
                .by(|rules: &Rules| rules.variant, |rules, variant| rules.variant = variant),
            choice("DrawRules", "the rules that say when a game is drawn", &DrawRules::NAMED)
                .by(|rules: &Rules| rules.draws, |rules, draws| rules.draws = draws),
        ]
    }
}

/// Kings and men of both sides, the side with more pieces (then with more kings) first.
fn forces(position: &Position) -> [(u32, u32); 2] {
    let of = |side: Side| {
        let pieces = position.pieces(side);
        let kings = (pieces & position.kings()).count_ones();
        (kings, pieces.count_ones() - kings)
    };
    let (a, b) = (of(Side::White), of(Side::Black));
    if (a.0 + a.1, a.0) >= (b.0 + b.1, b.0) { [a, b] } else { [b, a] }
}

/// King against king, king against king and man, two kings against one, against two, or against king and man.
fn is_small_ending(position: &Position) -> bool {
    matches!(
        forces(position),
        [(1, 0), (1, 0)] | [(1, 1), (1, 0)] | [(2, 0), (1, 0)] | [(2, 0), (2, 0)] | [(2, 0), (1, 1)]
    )
}

fn fmjd64_limit(position: &Position) -> Option<u32> {
    let [(kings, men), weaker] = forces(position);
    match (kings, men, weaker) {
        // 7.2.8: at most two pieces with a king against a lone king.
        (1.., _, (1, 0)) if kings + men <= 2 => Some(10),
        // 7.2.7: three pieces with a king against a lone king on the main road.
        (1.., _, (1, 0)) if kings + men == 3 && lone_king_on_road(position) => Some(10),
        // 7.2.4: three kings or more against a lone king.
        (3.., 0, (1, 0)) => Some(30),
        // 7.2.6: no change of forces while both have kings.
        (1.., _, (1.., _)) => match position.occupied().count_ones() {
            4 | 5 => Some(60),
            6 | 7 => Some(120),
            _ => None,
        },
        _ => None,
    }
}

/// Whether one side has nothing but a king on the long diagonal.
fn lone_king_on_road(position: &Position) -> bool {
    [Side::White, Side::Black].into_iter().any(|side| {
        let pieces = position.pieces(side);
        pieces.is_power_of_two() && pieces & position.kings() & MAIN_ROAD != 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Game;

    fn limits(draws: DrawRules, fen: &str) -> (Option<u32>, Option<u32>) {
        let position = Position::read(&Rules { draws, ..Rules::default() }, fen).unwrap();
        (draws.quiet_limit(&position), draws.ending_limit(&position))
    }

    #[test]
    fn the_brazilian_code_counts_five_small_endings() {
        for fen in ["W:WK1:BK32", "W:WK1:BK32,12", "B:WK1,K2:BK32", "W:WK1,K2:BK32,K31", "W:WK1,20:BK32,K31"]
        {
            assert_eq!(limits(DrawRules::Cbd, fen), (Some(40), Some(10)), "{fen}");
        }
        for fen in ["W:WK1,K2,K3:BK32", "W:WK1:B12", "W:WK1,K2:BK32,12,13", "W:W32:B1"] {
            assert_eq!(limits(DrawRules::Cbd, fen), (Some(40), None), "{fen}");
        }
    }

    #[test]
    fn the_federation_code_has_its_articles() {
        let fmjd = |fen| limits(DrawRules::Fmjd64, fen);
        assert_eq!(fmjd("W:WK1,21:BK32"), (Some(30), Some(10)));
        assert_eq!(fmjd("W:WK1,K2,K3:BK29"), (Some(30), Some(10)));
        assert_eq!(fmjd("W:WK1,K2,K3:BK32"), (Some(30), Some(30)));
        assert_eq!(fmjd("W:WK1,K2,21:BK32"), (Some(30), Some(60)));
        assert_eq!(fmjd("W:WK1,K2,21:BK32,7,8"), (Some(30), Some(120)));
        assert_eq!(fmjd("W:WK1,K2,21:B7,8"), (None, None));
        assert_eq!(limits(DrawRules::None, "W:WK1:BK32"), (None, None));
    }

    /// The main road runs from 29 to 4.
    #[test]
    fn a_lone_king_off_or_on_the_road_is_another_ending_only_against_three() {
        let ending = |fen: &str, text: &str| {
            let rules = Rules { draws: DrawRules::Fmjd64, ..Rules::default() };
            let mut position = Position::read(&rules, fen).unwrap();
            position.play(position.parse(text).unwrap());
            position.ending()
        };
        assert_eq!(ending("B:WK1,K5:BK4:H7", "4-8"), 8);
        assert_eq!(ending("B:WK1,K5:BK8:H7", "8-3"), 8);
        assert_eq!(ending("B:WK1,K5,K9:BK4:H7", "4-8"), 8);
        assert_eq!(ending("B:WK1,K5,K9:BK8:H7", "8-3"), 0);
        assert_eq!(ending("B:WK1,K5,K9,K13:BK8:H7", "8-3"), 8);
    }
}
