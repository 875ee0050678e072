//! The engine as its users see it: options, thinking, passing and resigning.

use std::sync::Arc;
use std::time::{Duration, Instant};

use search::mcts::{Bias, Config, is_possible};
use search::options::Options;
use search::{
    Bench, Best, Common, Considered, Control, Engine, Game, Info, Limits, Mcts, Random, Root, Search, Side,
};

use crate::ending::allotted;
use crate::estimate::{EFFORT, Judge, Patience};
use crate::guidance::Guidance;
use crate::methods::Methods;
use crate::orders::Orders;
use crate::ownership::Ownership;
use crate::playout::Style;
use crate::policy::Knowledge;
use crate::recipes::Heuristics;
use crate::rules::{DEFAULT_RULES, SIMPLE_KO};
use crate::strengths::Strengths;
use crate::{Board, Colour, Move, Point, Position, Rules, bench, options, patterns, tuning};

/// The Go engine.
pub struct Go {
    pub(crate) mcts: Mcts<Position, Knowledge>,
    pub(crate) common: Common,
    pub(crate) rules: Rules,
    pub(crate) preset: &'static str,
    pub(crate) memory: usize,
    pub(crate) move_time: Duration,
    /// In percent; 0 never resigns.
    pub(crate) resign: i64,
    /// In percent of the board's points: moves before which it never resigns.
    pub(crate) resign_move: i64,
    pub(crate) playouts: u64,
    /// Whether the user wants drawings while the engine thinks.
    pub(crate) live: bool,
    /// Whether the heuristics of Śliwa's program play alone, without a search.
    pub(crate) alone: bool,
    /// Those of them that are switched on.
    pub(crate) heuristics: Heuristics,
    /// What the methods of the search are given, switched on or not.
    pub(crate) methods: Methods,
    /// Strengths of moves from a file, and where it lies; of none the learned ones.
    pub(crate) strengths: (String, Arc<Strengths>),
    /// The network, if there is one, and how it is asked.
    pub(crate) guidance: Guidance,
    /// How dead stones are found.
    pub(crate) judge: Judge,
    /// Whether White is lent points in handicap games.
    pub(crate) lends: bool,
    /// Whether dead stones must be taken before a pass.
    pub(crate) cleans_up: bool,
    /// What a judgement of the position will take, by the pace of the last search.
    pub(crate) judging: Duration,
}

impl Go {
    /// The search with its switches, for experiments.
    pub fn search(&mut self) -> &mut Mcts<Position, Knowledge> {
        &mut self.mcts
    }

    /// The root moves of the last search, the best first, those never tried last.
    pub fn considered(&self) -> Vec<Considered<Move>> {
        self.mcts.considered()
    }

    /// Who owned which point at the end of the last search's playouts; goes on counting while a search does.
    pub fn ownership(&self) -> &Arc<Ownership> {
        &self.mcts.policy.ownership
    }

    /// What to spend on a move when nobody says: playouts if they are limited, else the move time.
    pub fn limits(&self) -> Limits {
        match self.playouts {
            0 => Limits::move_time(self.move_time),
            playouts => Limits::nodes(playouts),
        }
    }

    /// Playouts a move, if the user limited them.
    pub fn playouts(&self) -> Option<u64> {
        (self.playouts > 0).then_some(self.playouts)
    }

    /// What searches may look at, from now on.
    pub fn set_orders(&mut self, orders: Orders) {
        if orders != self.mcts.policy.orders {
            self.mcts.policy.orders = orders;
            // A tree grown by other orders lacks moves, or has too many.
            self.mcts.forget();
        }
    }

    /// Thinks until stopped about the game as it is: at full strength, with nothing lent.
    pub fn analyze(&mut self, root: &Root<Position>, control: &Control, report: &mut dyn FnMut(&Info<Move>)) {
        self.prepare(0.0, false);
        let limits = Limits { infinite: true, ..Limits::default() };
        self.search_by(root, &limits, control, report);
    }

    /// Thinks so that the same game gets the same answer, always: afresh, on one thread, by playouts.
    pub fn think_repeatably(&mut self, root: &Root<Position>, control: &Control) -> Best<Move> {
        self.forget();
        let threads = std::mem::replace(&mut self.common.threads, 1);
        let limits = Limits::nodes(self.playouts().unwrap_or(tuning::REPEATABLE));
        let best = self.think(root, &limits, control, &mut |_| {});
        self.common.threads = threads;
        best
    }

    /// Whether the position of the last search is not worth playing on.
    pub fn resigns(&self, root: &Root<Position>) -> bool {
        let early = root.moves().len() < root.position().rules().area() * self.resign_move as usize / 100;
        // What White is lent is no part of the game's score.
        let lent = self.mcts.policy.shift != 0.0;
        let summary = self.mcts.summary();
        !early
            && !lent
            && !self.alone
            && summary.playouts >= tuning::RESIGN_PLAYOUTS
            && summary.value * 100.0 < self.resign as f64
    }

    pub(crate) fn set_preset(&mut self, name: &'static str) {
        self.preset = name;
        (self.alone, self.heuristics) = (false, Heuristics::ALL);
        self.methods = Methods::default();
        let seed = self.mcts.config.seed;
        let is_published = name == options::GO_GAME;
        let (config, style, margin_share, rules) = if is_published {
            (tuning::go_game_config(), tuning::go_game_style(), 0.0, SIMPLE_KO)
        } else {
            (tuning::config(), Style::Heavy(tuning::PLAYOUT), tuning::MARGIN_SHARE, DEFAULT_RULES)
        };
        self.judge = if is_published { Judge::Atari } else { Judge::Search };
        self.resign = if is_published { 0 } else { tuning::RESIGN };
        self.lends = !is_published;
        self.rules = self.rules.with_name(rules).expect("both sets of rules exist");
        let mut knowledge = Knowledge::new(style);
        knowledge.margin_share = margin_share;
        knowledge.strengths = Arc::clone(&self.strengths.1);
        self.guidance.preset(!is_published);
        self.mcts = Mcts::new(Config { seed, memory: self.memory << 20, ..config }, knowledge);
        self.consult(|_| ());
    }

    /// Reads strengths of moves from a file; without one the learned ones are in force again.
    pub(crate) fn set_strengths(&mut self, path: &str) -> Result<(), String> {
        let strengths = if path.is_empty() {
            Strengths::learned()
        } else {
            let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
            Arc::new(Strengths::read(&text).map_err(|error| format!("{path}: {error}"))?)
        };
        self.mcts.policy.strengths = Arc::clone(&strengths);
        self.strengths = (path.to_owned(), strengths);
        self.forget();
        Ok(())
    }

    /// Readies the knowledge for a search in which White is lent so many points, without a pass that loses.
    pub(crate) fn prepare(&mut self, shift: f64, pass_loses: bool) {
        let Knowledge { shift: before, pass_loses: without, .. } = self.mcts.policy;
        // Results with and without a loan do not mix; a tree that has the pass keeps it, and one without never gets it.
        if (shift != 0.0) != (before != 0.0) || pass_loses || without {
            self.mcts.forget();
        }
        let Mcts { config, policy, .. } = &mut self.mcts;
        config.threads = self.common.threads;
        policy.pass_loses = pass_loses;
        policy.ownership.clear();
        policy.advisor.iter_mut().for_each(|advisor| advisor.begin(self.common.skill));
        policy.shift = shift;
        policy.has_bias = config.bias != Bias::Off;
        policy.has_opinions = policy.has_bias || config.priors > 0.0 || config.widening.is_some();
    }

    /// Switches heuristics on and off, alone and in playouts.
    pub(crate) fn set_heuristics(&mut self, heuristics: Heuristics) {
        self.heuristics = heuristics;
        if let Style::Heuristics(known) = &mut self.mcts.policy.style {
            *known = heuristics;
            self.mcts.forget();
        }
    }

    /// The move of the heuristics alone, which look at the whole board; any other stone where the game does not
    /// allow what they find.
    fn by_heuristics(&self, root: &Root<Position>) -> Option<Move> {
        let mut random = Random::new(root.position().key() ^ self.mcts.config.seed);
        let mut board = Board::new(root.position(), [Point::NONE; 2]);
        let everywhere = Heuristics { everywhere: true, ..self.heuristics };
        let legal = root.legal();
        let is_allowed = |point: Point| point == Point::NONE || legal.contains(&Move::At(point));
        let found = match everywhere.choose(&mut board, &mut random) {
            point if is_allowed(point) => point,
            _ => board.random_point(&mut random, |_, point| is_allowed(point)),
        };
        let m = if found == Point::NONE { Move::Pass } else { Move::At(found) };
        legal.contains(&m).then_some(m)
    }

    /// Weak levels see fewer playouts, and the weakest now and then play something else.
    fn weakened(&self, limits: &Limits) -> Limits {
        if limits.infinite { limits.clone() } else { tuning::strength(self.common.skill).weaken(limits) }
    }

    /// The root moves that the orders leave, packed; without orders those wanted anyway.
    fn ordered(&self, root: &Root<Position>, wanted: &[u32]) -> Vec<u32> {
        let (orders, position) = (&self.mcts.policy.orders, root.position());
        if *orders == Orders::default() {
            return wanted.to_vec();
        }
        let mut left = root.legal();
        left.retain(|&m| orders.permit(position.turn(), m, 0));
        left.into_iter().map(|m| position.pack(m)).collect()
    }

    /// A weak level's slip: one of the better moves at random.
    fn slip(&self, root: &Root<Position>, found: Move) -> Move {
        if self.mcts.policy.advisor.is_some() {
            return self.warmly(found);
        }
        let chance = tuning::SLIP * tuning::SLIPS_BELOW.saturating_sub(self.common.skill);
        let mut random = Random::new(root.position().key() ^ self.mcts.config.seed);
        let mut list = self.considered();
        list.retain(|line| line.visits > 0);
        if list.len() < 2 || !random.chance(chance) {
            return found;
        }
        list[random.below(list.len().min(tuning::SLIP_MOVES) as u32) as usize].pv[0]
    }
}

/// What White is lent in playouts of a handicap game, in points: it makes the result open, and is due by mid-game.
fn balance(root: &Root<Position>) -> f64 {
    let start = root.start();
    // Any other start is a position that was set up: nobody owes anything.
    let is_handicap = start.turn() == Side::White && start.number(Colour::White) == 0;
    let extra = if is_handicap { start.number(Colour::Black).saturating_sub(1) } else { 0 };
    let due = root.position().rules().area() / 2;
    let left = due.saturating_sub(root.moves().len()) as f64 / due as f64;
    (tuning::STONE * extra as f64 * left).floor()
}

impl Search<Position> for Go {
    fn think(
        &mut self,
        root: &Root<Position>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<Move>),
    ) -> Best<Move> {
        if self.alone {
            let best = self.by_heuristics(root);
            control.wait(limits.infinite);
            return Best { best, ponder: None };
        }
        let asked = control.asked();
        let ending = self.ending(root.position(), limits, control);
        // A judgement takes time before the search as well as after it.
        let later = ending.is_none() && self.judge == Judge::Search && self.may_be_the_end(root.position());
        let judging = if later { self.judging * 3 / 2 } else { Duration::ZERO };
        self.mcts.config.overhead = self.common.overhead + judging;
        let loan = if self.lends { balance(root) } else { 0.0 };
        self.prepare(loan, ending == Some(false));
        let limits = Limits { only: self.ordered(root, &limits.only), ..self.weakened(limits) };
        let searched = Instant::now();
        let best = self.search_by(root, &limits, control, report);
        self.common.threads = self.mcts.config.threads;
        self.memory = self.memory.min((self.mcts.config.memory >> 20).max(1));
        // Games that end within the tree take next to no time, and a judgement has none of them.
        let pace = searched.elapsed() / self.ownership().seen().max(1);
        let pace = self.pace_beside_network(root).unwrap_or(pace);
        let effort = (EFFORT * self.common.threads as u64) as u32;
        self.judging = pace.saturating_mul(effort).min(tuning::LONGEST_JUDGING);
        // Who says stop wants the answer now, and not a judgement of the position first.
        let Some(found) = best.best.filter(|_| !control.stopped()) else { return best };
        let m = self.slip(root, found);
        let until =
            allotted(&limits).and_then(|all| asked.checked_add(all.saturating_sub(self.common.overhead)));
        let patience = Patience { control: control.clone(), until };
        let m = self.settled(root.position(), m, ending, &patience).unwrap_or_else(|| self.unjudged(m));
        let m = if self.mcts.policy.orders.permit(root.position().turn(), m, 0) { m } else { found };
        Best { best: Some(m), ponder: best.ponder.filter(|_| m == found) }
    }

    fn forget(&mut self) {
        self.mcts.forget();
    }
}

impl Engine for Go {
    type Game = Position;

    const NAME: &'static str = "Quintet Go";

    fn new() -> Self {
        let mut go = Go {
            mcts: Mcts::new(tuning::config(), Knowledge::new(Style::Light)),
            common: Common { overhead: tuning::OVERHEAD, ..Common::default() },
            rules: Rules::default(),
            preset: options::DEFAULT,
            memory: tuning::TREE_MEMORY,
            move_time: tuning::MOVE_TIME,
            resign: tuning::RESIGN,
            resign_move: tuning::RESIGN_MOVE,
            playouts: 0,
            live: false,
            alone: false,
            heuristics: Heuristics::ALL,
            methods: Methods::default(),
            strengths: (String::new(), Strengths::learned()),
            guidance: Guidance::default(),
            judge: Judge::Search,
            lends: true,
            cleans_up: false,
            judging: tuning::LONGEST_JUDGING / 2,
        };
        go.set_preset(options::DEFAULT);
        go
    }

    fn options() -> Options<Self> {
        options::all()
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn set_rules(&mut self, rules: Rules) {
        if rules != self.rules {
            self.rules = rules;
            self.forget();
        }
    }

    fn common(&self) -> &Common {
        &self.common
    }

    fn common_mut(&mut self) -> &mut Common {
        &mut self.common
    }

    fn resize(&mut self, mib: usize) -> Result<(), String> {
        if !mib.checked_mul(1 << 20).is_some_and(is_possible) {
            return Err(format!("cannot allocate a tree of {mib} MiB; keeping the old size"));
        }
        self.memory = mib;
        self.mcts.config.memory = mib << 20;
        Ok(())
    }

    fn explain(&mut self, root: &Root<Position>) -> String {
        let judged = self.judge.estimate(root.position());
        let sign = if root.position().turn() == Side::Black { 1.0 } else { -1.0 };
        let advice = self.advice_in_words(root);
        let dead: Vec<String> = judged.dead.iter().map(|point| point.to_string()).collect();
        format!(
            "{advice}expected margin for Black: {:+.1}\nmargin if the game ended now: {:+.1}\ndead stones: {}\nEvaluation: {} cp",
            root.position().margin_of_area(judged.ownership.margin()),
            judged.margin,
            if dead.is_empty() { "none".to_owned() } else { dead.join(" ") },
            (sign * 100.0 * judged.margin) as i64
        )
    }

    fn bench(&self, control: &Control) -> Bench {
        bench::run(self, control)
    }

    /// The strengths of moves are read when there is an engine; here the shapes of playouts are made.
    fn warm_up(&mut self) {
        patterns::make();
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::ending::tests::{FINISHED, WALLS};
    use crate::orders::Order;
    use crate::rules::Komi;
    use crate::text::drawn;

    pub(crate) fn best(go: &mut Go, position: Position, before: &[Move], playouts: u64) -> Move {
        let mut root = Root::new(position);
        before.iter().for_each(|&m| root.play(m));
        go.think(&root, &Limits::nodes(playouts), &Control::default(), &mut |_| {}).best.unwrap()
    }

    #[test]
    fn three_by_three_is_solved_by_the_centre() {
        // Black owns all nine points after the centre, and after nothing else.
        let komi = Komi::new(8.5).unwrap();
        let rules = Rules::default().with_size(3).unwrap().with_komi(komi);
        let mut go = Go::new();
        assert_eq!(best(&mut go, Position::empty(rules), &[], 4000), Move::At(Point::new(1, 1)));
        assert!(go.search().summary().value > 0.6, "{:?}", go.search().summary());
    }

    #[test]
    fn nothing_is_lent_in_a_position_that_was_set_up() {
        let walls = drawn(WALLS, "chinese");
        assert_eq!(balance(&Root::new(walls.clone().with_turn(Side::White))), 0.0);
        let only_black = drawn(&WALLS.replace('O', "."), "chinese");
        assert_eq!(balance(&Root::new(only_black.clone())), 0.0);
        assert!(balance(&Root::new(only_black.with_turn(Side::White))) > 0.0);
    }

    #[test]
    fn nobody_resigns_for_a_komi_that_is_only_lent() {
        let rules = Rules::default().with_size(9).unwrap();
        for (stones, resigns) in [(Vec::new(), true), (crate::handicap::fixed(9, 9).unwrap(), false)] {
            let mut record = crate::Kifu::with_handicap(rules, stones);
            for number in 0..9 {
                record.play(Side::White, Move::At(Point::new(number, 0))).unwrap();
                record.play(Side::Black, Move::At(Point::new(number, 3))).unwrap();
            }
            let root = record.root_for(Side::Black);
            // Whatever the chances.
            let mut go = Go { resign: 101, ..Go::new() };
            go.think(&root, &Limits::nodes(200), &Control::default(), &mut |_| {});
            assert_eq!(go.resigns(&root), resigns);
        }
    }

    #[test]
    fn a_tree_that_no_machine_has_room_for_is_refused() {
        let mut go = Go::new();
        for mib in [1 << 43, usize::MAX] {
            let why = go.resize(mib).unwrap_err();
            assert_eq!(why, format!("cannot allocate a tree of {mib} MiB; keeping the old size"));
        }
        assert_eq!((go.memory, go.mcts.config.memory), (tuning::TREE_MEMORY, tuning::TREE_MEMORY << 20));
    }

    #[test]
    fn the_same_seed_plays_the_same_move() {
        let rules = Rules::default().with_size(9).unwrap();
        let run = || {
            let mut go = Go::new();
            let m = best(&mut go, Position::empty(rules), &[], 500);
            (m, go.search().summary().moves)
        };
        assert_eq!(run(), run());
    }

    /// Plain Monte-Carlo as it was published.
    const FLAT: [(&str, &str); 5] = [
        ("Selection", "flat"),
        ("Playout", "light"),
        ("AMAF", "off"),
        ("Priors", "0"),
        ("Expand After", "1"),
    ];

    #[test]
    fn plain_monte_carlo_plays_the_best_mean_whatever_the_playouts_leave_over() {
        let rules = Rules::default().with_size(9).unwrap().with_komi(Komi::new(6.5).unwrap());
        let before = ["E5", "C3"].map(|vertex| crate::text::read_move(9, vertex).unwrap());
        let answer = |playouts| {
            let mut go = Go::new();
            FLAT.into_iter().for_each(|(name, value)| go.set(name, value).unwrap());
            best(&mut go, Position::empty(rules), &before, playouts)
        };
        assert_eq!(answer(40_000), answer(40_001));
    }

    #[test]
    fn heuristics_play_alone_and_each_can_be_switched_off() {
        let rows = "O X . . . / . . . . . / . X O . . / . X O X . / . . X . .";
        let mut go = Go::new();
        go.set("Strategy", "heuristics").unwrap();
        let attack = best(&mut go, drawn(rows, "chinese"), &[], 1);
        assert!([Point::new(3, 2), Point::new(2, 3)].map(Move::At).contains(&attack), "{attack}");
        for name in ["Attack Heuristic", "Defence Heuristic", "Squeeze Heuristic"] {
            go.set(name, "false").unwrap();
        }
        assert_eq!(best(&mut go, drawn(rows, "chinese"), &[], 1), Move::At(Point::new(0, 3)));
        go.set("Playout", "heuristics").unwrap();
        assert_eq!(go.mcts.policy.style, Style::Heuristics(go.heuristics));
    }

    #[test]
    fn the_published_program_is_played_as_published() {
        let mut go = Go::new();
        go.set("Preset", options::GO_GAME).unwrap();
        assert_eq!((go.rules.name(), go.judge, go.resign), (Some(SIMPLE_KO), Judge::Atari, 0));
        // Every playout is won, whatever its margin, and each adds one position.
        let rules = go.rules.with_size(5).unwrap().with_komi(Komi::new(-81.0).unwrap());
        best(&mut go, Position::empty(rules), &[], 500);
        assert!(go.considered().iter().filter(|line| line.visits > 0).all(|line| line.value == 1.0));
        assert_eq!((go.search().summary().playouts, go.search().positions()), (500, 500));
        // In handicap games nothing is lent.
        let record =
            crate::Kifu::with_handicap(rules.with_size(9).unwrap(), crate::handicap::fixed(9, 4).unwrap());
        go.think(record.root(), &Limits::nodes(10), &Control::default(), &mut |_| {});
        assert_eq!(go.mcts.policy.shift, 0.0);
        go.set("Preset", options::DEFAULT).unwrap();
        let fresh = Go::new();
        assert!(options::all().iter().all(|row| row.get(&go) == row.get(&fresh)));
    }

    #[test]
    fn strengths_are_read_from_a_file_and_wrong_ones_change_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("strengths.txt");
        let root = Root::new(Position::empty(Rules::default().with_size(7).unwrap()));
        let thought = |go: &mut Go| {
            go.forget();
            go.think(&root, &Limits::nodes(1), &Control::default(), &mut |_| {});
            go.considered().iter().map(|line| (line.pv[0], line.prior.to_bits())).collect::<Vec<_>>()
        };
        let mut go = Go::new();
        let usual = thought(&mut go);
        std::fs::write(&path, "# made by hand\nline 9 1 1 1 1\n").unwrap();
        go.set("Strengths File", path.to_str().unwrap()).unwrap();
        let other = thought(&mut go);
        assert_ne!(other, usual);
        std::fs::write(&path, "nonsense\n").unwrap();
        let why = go.set("Strengths File", path.to_str().unwrap()).unwrap_err().to_string();
        assert!(why.contains("strengths.txt: line 1: no such column: 'nonsense'"), "{why}");
        assert_eq!(thought(&mut go), other);
        go.set("Strengths File", "").unwrap();
        assert_eq!(thought(&mut go), usual);
    }

    #[test]
    fn a_preset_keeps_the_seed() {
        let mut go = Go::new();
        go.mcts.config.seed = 77;
        go.set("Preset", options::GO_GAME).unwrap();
        assert_eq!(go.mcts.config.seed, 77);
    }

    #[test]
    fn a_repeatable_answer_depends_neither_on_threads_nor_on_what_was_thought_before() {
        let root = Root::new(Position::empty(Rules::default().with_size(7).unwrap()));
        let mut go = Go { playouts: 300, ..Go::new() };
        let first = go.think_repeatably(&root, &Control::default());
        let counted = go.considered();
        go.set("Threads", "2").unwrap();
        go.think(&root, &Limits::nodes(200), &Control::default(), &mut |_| {});
        assert_eq!(go.think_repeatably(&root, &Control::default()), first);
        assert_eq!((go.considered(), go.common.threads), (counted, 2));
    }

    #[test]
    fn an_analysis_lends_nothing() {
        let rules = Rules::default().with_size(9).unwrap();
        let record = crate::Kifu::with_handicap(rules, crate::handicap::fixed(9, 4).unwrap());
        let control = Control::default();
        let mut go = Go::new();
        go.think(record.root(), &Limits::nodes(10), &control, &mut |_| {});
        assert!(go.mcts.policy.shift > 0.0);
        control.stop();
        go.analyze(record.root(), &control, &mut |_| {});
        assert_eq!((go.mcts.policy.shift, go.search().summary().playouts), (0.0, 1));
    }

    #[test]
    fn moves_that_are_ordered_away_are_found_again_later() {
        let root = Root::new(Position::empty(Rules::default().with_size(5).unwrap()));
        let centre = Move::At(Point::new(2, 2));
        let mut go = Go::new();
        let order = Order { side: Side::Black, allows: false, moves: vec![centre], plies: 1 };
        let mut answer = |orders| {
            go.set_orders(orders);
            go.think(&root, &Limits::nodes(300), &Control::default(), &mut |_| {}).best
        };
        assert_ne!(answer(Orders(vec![order])), Some(centre));
        assert_eq!(answer(Orders::default()), Some(centre));
    }

    #[test]
    fn orders_are_followed_where_another_move_is_better() {
        let rules = drawn(FINISHED, "chinese").rules().with_komi(Komi::new(-9.5).unwrap());
        let position = drawn(FINISHED, "chinese").with_rules(rules).with_turn(Side::White);
        // The game is won by a pass, and no search looks at a move into an own eye.
        let eye = Move::At(Point::new(0, 4));
        let mut go = Go::new();
        go.set_orders(Orders(vec![Order { side: Side::Black, allows: true, moves: vec![eye], plies: 1 }]));
        assert_eq!(best(&mut go, position, &[Move::Pass], 100), eye);
    }

    #[test]
    fn a_handicap_is_lent_back_to_white_until_mid_game() {
        let rules = Rules::default().with_size(9).unwrap();
        let start = crate::Kifu::with_handicap(rules, crate::handicap::fixed(9, 4).unwrap());
        assert_eq!(balance(start.root()), 21.0);
        assert_eq!(balance(&Root::new(Position::empty(rules))), 0.0);
    }
}
