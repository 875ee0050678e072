//! Learning by playing: blocks of games against an opponent that errs at random, then a match with swapped
//! sides; a learner that wins both of its games becomes the opponent.
//!
//! The scheme of Skoulakis, 2010, section 4.4, with the schemes it rejects as settings: an opponent that never
//! changes, and no random moves. Every game has random numbers of its own, so a training is repeatable for a
//! given number of workers, and a saved one goes on as if it had never stopped.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::exploration::Sigmoid;
use super::log::{Log, Trial};
use super::lookahead::Lookahead;
use super::student::{Student, stray};
use super::temporal::{CourseError, Learner, Transition, same_length};
use crate::{Eval, Game, Outcome, Root, Side};

/// Random plies that a game may begin with.
const LONGEST_OPENING: u32 = 100;

/// What the scheme asks of a game.
pub trait Pupil<G: Game>: Sync {
    /// The opinions of a player.
    type Eval: Eval<G>;

    /// The rules of the games.
    fn rules(&self) -> G::Rules;
    /// The values of the terms, from the side to move.
    fn terms(&self, position: &G) -> Vec<f64>;
    /// The opinions that these weights make, in units of the reward of a win.
    fn eval(&self, weights: &[f64]) -> Self::Eval;
    /// A game begins; `counts` if it belongs to a match and is no lesson.
    fn announce(&self, _counts: bool) {}
    /// The move of an opponent who is not made of weights; none if there is no such opponent.
    fn guest_move(&self, _root: &Root<G>) -> Option<G::Move> {
        None
    }
}

/// Which reply leads to the position whose value is learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// The one the learner's search expects: learn against the best play it knows.
    Predicted,
    /// The one the opponent plays: learn to beat this opponent.
    Actual,
}

/// Who the learner plays against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Opponent {
    /// A copy of the learner, renewed whenever the learner wins a match.
    Copy,
    /// The same weights for ever, searched to this depth.
    Fixed {
        /// Plies.
        depth: u32,
    },
}

/// How games are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scheme {
    /// Learning games in all.
    pub games: usize,
    /// Moves to learn from after which it ends with the game under way, if sooner.
    pub moves: Option<usize>,
    /// Learning games between two matches.
    pub block: usize,
    /// The other side.
    pub opponent: Opponent,
    /// Its random moves, if any.
    pub exploration: Option<Sigmoid>,
    /// Which positions are learned from.
    pub reply: Reply,
    /// Plies searched.
    pub depth: u32,
    /// Random plies at the start of each game: they vary games as a random order of equal moves would.
    pub opening: u32,
    /// The reward of a draw; a win is 1, a loss -1.
    pub draw: f64,
    /// Games played at the same time; with more than one, weights change between games only.
    pub workers: usize,
    /// Where all random numbers come from.
    pub seed: u64,
}

impl Default for Scheme {
    fn default() -> Self {
        Scheme {
            games: 20_000,
            moves: None,
            block: 50,
            opponent: Opponent::Copy,
            exploration: Some(Sigmoid::default()),
            reply: Reply::Predicted,
            depth: 2,
            opening: 4,
            draw: 0.0,
            workers: 1,
            seed: 1,
        }
    }
}

impl Scheme {
    /// Refuses parameters outside their ranges.
    pub fn check(&self) -> Result<(), CourseError> {
        let least = |name, value: usize| {
            let refused = || Err(CourseError::new(name, value as f64, "at least 1"));
            if value > 0 { Ok(()) } else { refused() }
        };
        least("the number of games", self.games)?;
        least("the number of moves", self.moves.unwrap_or(1))?;
        least("the block", self.block)?;
        least("the depth", self.depth as usize)?;
        least("the number of workers", self.workers)?;
        if self.opening > LONGEST_OPENING {
            return Err(CourseError::new("the opening", f64::from(self.opening), "at most 100 plies"));
        }
        if !(-1.0..=1.0).contains(&self.draw) {
            return Err(CourseError::new("the reward of a draw", self.draw, "in -1..=1"));
        }
        self.exploration.map_or(Ok(()), |sigmoid| sigmoid.check())
    }

    /// What the learner gets at the end of a game.
    pub fn reward(&self, outcome: &Outcome, learner: Side) -> f64 {
        outcome.winner.map_or(self.draw, |winner| if winner == learner { 1.0 } else { -1.0 })
    }

    /// The step from what the learner knew before its move to this position.
    pub(super) fn transition<G: Game>(
        &self,
        pupil: &impl Pupil<G>,
        root: &Root<G>,
        before: Vec<f64>,
        own: Side,
    ) -> Transition {
        match root.outcome() {
            Some(outcome) => Transition { before, reward: self.reward(&outcome, own), after: None },
            None => Transition { before, reward: 0.0, after: Some(pupil.terms(root.position())) },
        }
    }
}

/// A training under way: everything needed to go on with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// How games are arranged.
    pub scheme: Scheme,
    /// The value function being learned.
    pub learner: Learner,
    first: Vec<f64>,
    opponent: Vec<f64>,
    /// The learning games played.
    pub games: usize,
    /// What happened so far.
    pub log: Log,
}

impl Training {
    /// A training from its first game on; learner and opponent begin with their given weights.
    pub fn new(scheme: Scheme, learner: Learner, opponent: Vec<f64>) -> Result<Training, CourseError> {
        scheme.check()?;
        learner.course.check()?;
        let first = learner.weights.clone();
        Ok(Training { scheme, learner, first, opponent, games: 0, log: Log::default() })
    }

    /// Refuses what cannot be gone on with.
    pub fn check(&self) -> Result<(), CourseError> {
        self.scheme.check()?;
        self.learner.check()?;
        same_length("the length of the first weights", &self.first, &self.learner.weights)?;
        same_length("the length of the opponent's weights", &self.opponent, &self.learner.weights)
    }

    /// Whether all games are played.
    pub fn is_done(&self) -> bool {
        self.progress(self.games) >= 1.0
    }

    /// The part of the training that lies before a game, 0 to 1.
    fn progress(&self, game: usize) -> f64 {
        let moves = self.scheme.moves.map_or(0.0, |all| self.learner.moves as f64 / all as f64);
        (game as f64 / self.scheme.games as f64).max(moves)
    }

    /// Plays the next games, one for each worker, and the match that is due after them.
    pub fn round<G: Game>(&mut self, pupil: &impl Pupil<G>) {
        let block_left = self.scheme.block - self.games % self.scheme.block;
        let count = self.scheme.workers.min(block_left).min(self.scheme.games - self.games);
        if count == 1 {
            self.learn_in_game(pupil)
        } else {
            self.learn_between_games(pupil, count)
        }
        if self.games.is_multiple_of(self.scheme.block) {
            self.trial(pupil);
        }
    }

    /// One game whose every move teaches at once.
    fn learn_in_game<G: Game>(&mut self, pupil: &impl Pupil<G>) {
        let lesson = self.lesson(self.games);
        let (start, opponent) = (self.learner.weights.clone(), self.opponent.clone());
        self.learner.begin();
        lesson.play(pupil, &start, &opponent, |student, transition| {
            if self.learn(&transition) {
                student.player.eval = pupil.eval(&self.learner.weights);
            }
        });
        self.games += 1;
    }

    /// Learns from a move; whether the weights have changed.
    pub fn learn(&mut self, transition: &Transition) -> bool {
        let is_changed = self.learner.observe(transition);
        if self.learner.ends_period() {
            self.log.note(self.learner.moves, self.games, &self.learner.weights, &self.first);
        }
        is_changed
    }

    /// Games played at the same time with the same weights, learned from in their order.
    fn learn_between_games<G: Game>(&mut self, pupil: &impl Pupil<G>, count: usize) {
        let gathered: Vec<Vec<Transition>> = std::thread::scope(|scope| {
            let games: Vec<_> = (self.games..self.games + count)
                .map(|game| {
                    let (lesson, weights, opponent) =
                        (self.lesson(game), &self.learner.weights, &self.opponent);
                    scope.spawn(move || {
                        let mut transitions = Vec::new();
                        lesson.play(pupil, weights, opponent, |_, transition| transitions.push(transition));
                        transitions
                    })
                })
                .collect();
            games.into_iter().map(|game| game.join().expect("a game does not panic")).collect()
        });
        for transitions in gathered {
            self.learner.begin();
            for transition in transitions {
                self.learn(&transition);
            }
            self.games += 1;
        }
    }

    fn lesson(&self, game: usize) -> Lesson {
        Lesson { scheme: self.scheme, game, deal: game, counts: false, chance: self.chance(game) }
    }

    /// The opponent's chance of a random move in a learning game.
    pub fn chance(&self, game: usize) -> f64 {
        self.scheme.exploration.map_or(0.0, |sigmoid| sigmoid.chance(self.progress(game)))
    }

    /// What the opponent thinks by.
    pub fn opponent(&self) -> &[f64] {
        &self.opponent
    }

    /// Two games from one opening, sides swapped, without random moves; a learner that wins both is copied.
    fn trial<G: Game>(&mut self, pupil: &impl Pupil<G>) {
        let scheme = self.scheme;
        let (mut wins, mut losses) = (0, 0);
        for game in 0..2 {
            // Without an opening of its own every match against the same opponent would be the same.
            let lesson = Lesson { scheme, game, deal: usize::MAX - self.games, counts: true, chance: 0.0 };
            let reward = lesson.play(pupil, &self.learner.weights, &self.opponent, |_, _| {});
            wins += u32::from(reward > scheme.draw);
            losses += u32::from(reward < scheme.draw);
        }
        self.note_trial(wins, losses);
    }

    /// Takes note of a match; a learner that has won both games is copied.
    pub fn note_trial(&mut self, wins: u32, losses: u32) {
        let trial = Trial { games: self.games, wins, losses };
        if trial.is_promotion() && self.scheme.opponent == Opponent::Copy {
            self.opponent = self.learner.weights.clone();
        }
        self.log.trials.push(trial);
    }
}

/// One game of the learner, who has White in even games.
struct Lesson {
    scheme: Scheme,
    game: usize,
    /// Which random numbers it is played with.
    deal: usize,
    /// Whether it belongs to a match.
    counts: bool,
    /// Of a random move by the opponent.
    chance: f64,
}

impl Lesson {
    /// Plays the game, hands what each of the learner's moves teaches to `observe`, and returns the learner's reward.
    fn play<G: Game, P: Pupil<G>>(
        &self,
        pupil: &P,
        weights: &[f64],
        opponent: &[f64],
        mut observe: impl FnMut(&mut Student<P::Eval>, Transition),
    ) -> f64 {
        let mut random = random_of_game(self.scheme.seed, self.deal);
        pupil.announce(self.counts);
        let mut player =
            |weights| Lookahead::new(pupil.eval(weights), Xoshiro256PlusPlus::from_rng(&mut random));
        let (mut student, mut other) = (Student::new(self.scheme, player(weights)), player(opponent));
        let own = if self.game.is_multiple_of(2) { Side::White } else { Side::Black };
        let mut root: Root<G> = opening(&pupil.rules(), self.scheme.opening, &mut random);
        loop {
            let ours = root.position().turn() == own;
            let outcome = root.outcome();
            if (ours || outcome.is_some())
                && let Some(transition) = student.see(pupil, &root, own)
            {
                observe(&mut student, transition);
            }
            if let Some(outcome) = outcome {
                return self.scheme.reward(&outcome, own);
            }
            if ours {
                if let Some(transition) = student.play(pupil, &mut root) {
                    observe(&mut student, transition);
                }
                continue;
            }
            let depth = match self.scheme.opponent {
                Opponent::Copy => self.scheme.depth,
                Opponent::Fixed { depth } => depth,
            };
            // Whoever the opponent is, it errs as the scheme wants it to.
            let erring = stray(&root, self.chance, &mut random);
            let reply = erring.or_else(|| pupil.guest_move(&root));
            root.play(reply.unwrap_or_else(|| other.best(&root, depth).0));
        }
    }
}

/// The random numbers of one game of a training or match.
pub fn random_of_game(seed: u64, game: usize) -> Xoshiro256PlusPlus {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(GOLDEN).wrapping_add(game as u64))
}

/// A game after this many random plies, none of which ended it. Where hardly any game lasts that long, it gets
/// fewer.
pub fn opening<G: Game>(rules: &G::Rules, plies: u32, random: &mut Xoshiro256PlusPlus) -> Root<G> {
    const PATIENCE: u32 = 100;
    for attempt in 0.. {
        let mut root = Root::new(G::start(rules));
        for _ in 0..plies.saturating_sub(attempt / PATIENCE) {
            let legal = root.legal();
            if legal.is_empty() {
                break;
            }
            root.play(legal[random.random_range(0..legal.len())]);
        }
        if root.outcome().is_none() {
            return root;
        }
    }
    unreachable!("the start position is not the end of a game")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Course, Method};
    use crate::testing::{Pile, Size, Values};

    const PILES: usize = 14;
    const DISCOUNT: f64 = 0.9;

    /// One term for each size of the pile.
    struct Piles;

    impl Pupil<Pile> for Piles {
        type Eval = Values;

        fn rules(&self) -> Size {
            Size::default()
        }

        fn terms(&self, position: &Pile) -> Vec<f64> {
            (0..PILES).map(|n| f64::from(u8::from(n == position.left as usize))).collect()
        }

        fn eval(&self, weights: &[f64]) -> Values {
            Values(weights.to_vec())
        }
    }

    fn trained(method: Method, scheme: Scheme) -> Training {
        let course = Course { method, discount: DISCOUNT, period: 100 };
        let zeros = vec![0.0; PILES];
        let mut training = Training::new(scheme, Learner::new(course, zeros.clone()), zeros).unwrap();
        while !training.is_done() {
            training.round(&Piles);
        }
        training
    }

    /// Multiples of four are lost for the mover, all other piles won, one move later for every four more.
    fn truth(pile: usize) -> f64 {
        let value = DISCOUNT.powi(pile.div_ceil(4) as i32 - 1);
        if pile.is_multiple_of(4) { -value } else { value }
    }

    #[test]
    fn both_colours_learn_the_true_values_of_a_solved_game() {
        let methods = [Method::Lstd { keep: 0.5, ridge: 1e-3 }, Method::Td { rate: 0.1 }];
        for (method, reply) in methods.into_iter().flat_map(|m| [(m, Reply::Predicted), (m, Reply::Actual)]) {
            let scheme = Scheme { games: 3000, opening: 2, reply, exploration: None, ..Scheme::default() };
            let training = trained(method, scheme);
            for (pile, &found) in training.learner.weights.iter().enumerate().take(12).skip(1) {
                let wanted = truth(pile);
                assert!((found - wanted).abs() < 0.3, "{method:?} {reply:?} {pile}: {found}, not {wanted}");
            }
            assert!(training.log.promotions() > 0);
        }
    }

    /// An opponent who is not made of weights, and counts how often it is asked.
    struct Visited(std::sync::atomic::AtomicU32);

    impl Pupil<Pile> for Visited {
        type Eval = Values;

        fn rules(&self) -> Size {
            Size::default()
        }

        fn terms(&self, position: &Pile) -> Vec<f64> {
            Piles.terms(position)
        }

        fn eval(&self, weights: &[f64]) -> Values {
            Piles.eval(weights)
        }

        fn guest_move(&self, root: &Root<Pile>) -> Option<<Pile as Game>::Move> {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            root.legal().first().copied()
        }
    }

    #[test]
    fn a_guest_errs_as_any_opponent_does() {
        let asked = |high| {
            let exploration = Some(Sigmoid { high, middle: 1e9, width: 1.0 });
            let scheme = Scheme { games: 40, block: 1000, opening: 0, exploration, ..Scheme::default() };
            let course = Course { method: Method::Td { rate: 0.1 }, discount: DISCOUNT, period: 100 };
            let learner = Learner::new(course, vec![0.0; PILES]);
            let mut training = Training::new(scheme, learner, vec![0.0; PILES]).unwrap();
            let pupil = Visited(std::sync::atomic::AtomicU32::new(0));
            while !training.is_done() {
                training.round(&pupil);
            }
            pupil.0.into_inner()
        };
        let (always, seldom) = (asked(0.0), asked(0.75));
        assert!(asked(1.0) == 0 && seldom > 0 && seldom * 2 < always, "{seldom} of {always}");
    }

    #[test]
    fn an_opening_longer_than_any_game_is_cut() {
        let root: Root<Pile> = opening(&Size::default(), 30, &mut random_of_game(1, 0));
        assert!(root.outcome().is_none() && !root.moves().is_empty());
    }

    #[test]
    fn schemes_out_of_range_are_refused_by_name() {
        let why = |scheme: Scheme| scheme.check().unwrap_err().to_string();
        let plain = Scheme::default();
        assert_eq!(why(Scheme { games: 0, ..plain }), "the number of games is 0, not at least 1");
        assert_eq!(why(Scheme { moves: Some(0), ..plain }), "the number of moves is 0, not at least 1");
        assert_eq!(why(Scheme { depth: 0, ..plain }), "the depth is 0, not at least 1");
        assert_eq!(why(Scheme { opening: 101, ..plain }), "the opening is 101, not at most 100 plies");
        assert_eq!(why(Scheme { draw: f64::NAN, ..plain }), "the reward of a draw is NaN, not in -1..=1");
    }

    #[test]
    fn a_training_ends_with_the_game_of_its_last_move() {
        let scheme = Scheme { moves: Some(500), ..Scheme::default() };
        let training = trained(Method::Td { rate: 0.1 }, scheme);
        assert!((500..510).contains(&training.learner.moves), "{}", training.learner.moves);
        assert!(training.games < scheme.games);
    }
}
