//! Games of an engine against itself for others to learn from: varied openings, short searches, ends that both agree on.

use super::Played;
use crate::walk::open_walk;
use crate::{Control, Game, Info, Limits, Random, Root, Search, Side};

/// For how many plies both players must agree on the winner, and on a draw.
const SURE_PLIES: i32 = 4;
const EVEN_PLIES: i32 = 16;
/// No game is drawn by agreement before this ply.
const EARLY: usize = 80;

/// How games begin: by moves drawn by lot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The fewest moves.
    pub plies: u32,
    /// From how many numbers of moves, the fewest being the first, one is drawn.
    pub choices: u32,
    /// The largest value for either side of an opening that is played; none if any is.
    pub balance: Option<i32>,
}

/// How the games of an engine against itself are played; values are in the unit of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Before the players take over.
    pub opening: Opening,
    /// One later move in so many is drawn by lot, to see what the players would avoid; 0 for none.
    pub lots: u32,
    /// The value at which a game counts as decided, once both players have seen it for a while; none if games are
    /// always played out.
    pub decided: Option<i32>,
    /// The value up to which a game counts as drawn in the same way.
    pub even: Option<i32>,
    /// A game is drawn at this length.
    pub longest: usize,
}

/// A game after moves drawn by lot that is still open and, by a search without memories, balanced.
pub fn open<G: Game>(
    player: &mut dyn Search<G>,
    start: &G,
    opening: Opening,
    limits: &Limits,
    random: &mut Random,
) -> Root<G> {
    loop {
        let game = open_walk(start, (opening.plies + random.below(opening.choices)) as usize, random);
        if opening.balance.is_none_or(|balance| judge(player, &game, limits).abs() <= balance) {
            return game;
        }
    }
}

/// What a search without memories says of the last position, from its mover's view.
pub fn judge<G: Game>(player: &mut dyn Search<G>, game: &Root<G>, limits: &Limits) -> i32 {
    player.forget();
    chosen(player, game, limits).1
}

/// The game of this seed.
pub fn play<G: Game>(
    player: &mut dyn Search<G>,
    start: &G,
    style: &Style,
    limits: &Limits,
    seed: u64,
) -> Played<G> {
    let mut random = Random::new(seed);
    let mut game = open(player, start, style.opening, limits, &mut random);
    player.forget();
    let mut played = Played::opened(seed, &game);
    let mut referee = Agreement::default();
    played.winner = loop {
        if let Some(outcome) = game.outcome() {
            break outcome.winner;
        }
        if game.moves().len() >= style.longest {
            break None;
        }
        let turn = if style.lots > 0 && random.below(style.lots) == 0 {
            let legal = game.legal();
            (legal[random.below(legal.len() as u32) as usize], None)
        } else {
            let (m, value) = chosen(player, &game, limits);
            let white = if game.position().turn() == Side::White { value } else { -value };
            if let Some(winner) = referee.hear(style, game.moves().len(), white) {
                break winner;
            }
            (m, Some(value))
        };
        played.turns.push(turn);
        game.play(turn.0);
    };
    played
}

/// Who wins a game between White's player and Black's; both begin without memories.
pub fn contest<G: Game>(
    mut players: [&mut dyn Search<G>; 2],
    mut game: Root<G>,
    style: &Style,
    limits: &Limits,
) -> Option<Side> {
    players.iter_mut().for_each(|player| player.forget());
    let mut referee = Agreement::default();
    loop {
        if let Some(outcome) = game.outcome() {
            return outcome.winner;
        }
        if game.moves().len() >= style.longest {
            return None;
        }
        let turn = game.position().turn();
        let (m, value) = chosen(players[turn.index()], &game, limits);
        let white = if turn == Side::White { value } else { -value };
        if let Some(winner) = referee.hear(style, game.moves().len(), white) {
            return winner;
        }
        game.play(m);
    }
}

/// The move to play and its value from the mover's view.
pub fn chosen<G: Game>(player: &mut dyn Search<G>, game: &Root<G>, limits: &Limits) -> (G::Move, i32) {
    let mut value = 0;
    let mut note = |info: &Info<G::Move>| {
        if let Info::Line(line) = info {
            value = line.score.0;
        }
    };
    let best = player.think(game, limits, &Control::default(), &mut note).best;
    (best.expect("the game is not over"), value)
}

/// What the players have said on end.
#[derive(Default)]
struct Agreement {
    /// For how many plies both have said who wins: above 0 White, below it Black.
    sure: i32,
    /// For how many plies both have seen no difference.
    even: i32,
}

impl Agreement {
    /// Hears a value for White; the winner, or nobody, if that settles the game.
    fn hear(&mut self, style: &Style, ply: usize, white: i32) -> Option<Option<Side>> {
        let sign =
            if style.decided.is_some_and(|decided| white.abs() >= decided) { white.signum() } else { 0 };
        self.sure = if sign * self.sure > 0 { self.sure + sign } else { sign };
        let is_even = ply >= EARLY && style.even.is_some_and(|even| white.abs() <= even);
        self.even = if is_even { self.even + 1 } else { 0 };
        if self.sure.abs() >= SURE_PLIES {
            return Some(Some(if self.sure > 0 { Side::White } else { Side::Black }));
        }
        (self.even >= EVEN_PLIES).then_some(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabeta::{AlphaBeta, Config};
    use crate::testing::{Pile, Size, Values};

    const STYLE: Style = Style {
        opening: Opening { plies: 2, choices: 3, balance: Some(0) },
        lots: 0,
        decided: None,
        even: None,
        longest: 100,
    };

    fn game(style: &Style, seed: u64) -> Played<Pile> {
        let mut player = AlphaBeta::new(Config::default(), Values(vec![0.0; 256]));
        play(&mut player, &Pile::start(&Size(40)), style, &Limits::depth(3), seed)
    }

    #[test]
    fn a_seed_fixes_a_game() {
        assert_eq!(game(&STYLE, 3), game(&STYLE, 3));
        assert!((4..20).any(|seed| game(&STYLE, seed).turns != game(&STYLE, 3).turns));
    }

    #[test]
    fn openings_are_balanced_and_as_long_as_asked() {
        let by_lot = |game: &Played<Pile>| game.turns.iter().take_while(|turn| turn.1.is_none()).count();
        let lengths: Vec<usize> = (0..50).map(|seed| by_lot(&game(&STYLE, seed))).collect();
        assert_eq!((lengths.iter().min(), lengths.iter().max()), (Some(&2), Some(&4)));
        // A start that is decided for its mover leaves only the openings that give it away.
        let first = game(&Style { opening: Opening { plies: 1, choices: 1, balance: Some(0) }, ..STYLE }, 1);
        assert_eq!(first.turns[1].1, Some(0));
    }

    #[test]
    fn some_moves_are_drawn_by_lot() {
        let lots =
            game(&Style { lots: 3, ..STYLE }, 1).turns.iter().skip(4).filter(|t| t.1.is_none()).count();
        let none = game(&STYLE, 1).turns.iter().skip(4).filter(|t| t.1.is_none()).count();
        assert!(lots > 0 && none == 0);
    }

    #[test]
    fn a_game_ends_when_both_have_agreed_for_long_enough() {
        let style = Style { decided: Some(500), even: Some(5), ..STYLE };
        let ends = |values: &[i32], ply: usize| {
            let mut referee = Agreement::default();
            values.iter().position(|&white| referee.hear(&style, ply, white).is_some())
        };
        assert_eq!(ends(&[600, 500, 600, 600, 600], 0), Some(3));
        assert_eq!(ends(&[600, 600, -600, -600, -600, -600], 0), Some(5));
        assert_eq!(ends(&[600, 600, 600, 400, 600, 600], 0), None);
        assert_eq!(
            (ends(&[3; 20], EARLY), ends(&[3; 20], EARLY - 1), ends(&[6; 20], EARLY)),
            (Some(15), None, None)
        );
        let mut referee = Agreement::default();
        let said: Vec<_> = (0..4).map(|_| referee.hear(&style, 0, -700)).collect();
        assert_eq!(said[3], Some(Some(Side::Black)));
    }
}
