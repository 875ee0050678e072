//! One node of the tree: what is known at once, then the moves, each extended or reduced.

use super::config::{self, Driver};
use super::order;
use super::worker::{MAX_PLY, Worker};
use crate::busy::Busy;
use crate::table::{Entry, Moves};
use crate::{Aborted, Bound, Eval, Game, Known, MoveList, Score, Window};

/// A node between its arrival and its move loop.
struct Node {
    depth: i32,
    window: Window,
    table_move: u32,
    eval: Option<Score>,
    key: u64,
}

impl<'a, G: Game, E: Eval<G>> Worker<'a, G, E> {
    /// The value of a position searched `depth` plies deep, from its side to move, `ply` plies below the root.
    pub(super) fn node(
        &mut self,
        position: &G,
        depth: i32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Aborted> {
        let value = self.soft_node(position, depth, window, ply)?;
        Ok(if self.shared.config.is_soft() { value } else { value.clamp(window.alpha, window.beta) })
    }

    fn soft_node(
        &mut self,
        position: &G,
        mut depth: i32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Aborted> {
        self.sentry.visit(ply)?;
        self.pv.clear(ply);
        self.tainted = false;
        let config = self.shared.config;

        // The end of the game by a draw rule; having no move comes first.
        let earlier = self.earlier(position);
        if position.drawn(earlier).is_some() {
            self.counters.terminal += 1;
            if position.count() == 0 {
                return Ok(self.stuck(position, ply));
            }
            self.tainted = earlier > 0;
            return Ok(Score::DRAW);
        }
        match self.memory.eval.known(position) {
            Some(Known::Value(score)) => return Ok(self.database_value(score, ply)),
            Some(Known::Draw) => match config.draw_reduction {
                None => return Ok(self.database_value(Score::DRAW, ply)),
                Some(plies) => depth -= plies,
            },
            None => {}
        }
        // A static value taken while something hangs is wrong by what hangs: look one ply further.
        let hangs = depth == 0 && config.hanging_extension && self.memory.eval.hangs(position);
        if (depth <= 0 && !hangs) || ply >= MAX_PLY {
            return self.leaf(position, depth, window, ply);
        }

        let window = if config.one_bound { window.without_alpha() } else { window };
        let mut node = self.arrive(position, depth, window);
        if let Some(score) = self.look_up(&mut node, ply) {
            self.counters.table_cut += 1;
            return Ok(score);
        }
        if let Some(score) = self.cut_unmoved(position, &mut node, ply)? {
            self.counters.inner += 1;
            return Ok(score);
        }
        // Internal iterative reduction: without a move to try first a full search is wasteful; the next one has it.
        if config.internal_reduction && node.table_move == 0 && node.depth >= config::INTERNAL_REDUCTION_DEPTH
        {
            node.depth -= 1;
        }

        let mut moves = std::mem::take(&mut self.stack[ply].moves);
        moves.clear();
        self.memory.eval.moves(position, &mut moves);
        if moves.is_empty() {
            self.counters.terminal += 1;
            self.stack[ply].moves = moves;
            return Ok(self.stuck(position, ply));
        }
        self.counters.inner += 1;
        if config.scheme.moves() == Moves::Places && node.table_move > 0 {
            node.table_move = move_at(position, &moves, node.table_move);
        }
        // Forced extension: a single move costs no choice, so its ply is free.
        if config.forced_extension && moves.len() == 1 {
            node.depth += 1;
        }
        let value = match self.children_cut(position, &moves, &node) {
            Some(score) => score,
            None => self.search_moves(position, &moves, &node, ply)?,
        };
        self.stack[ply].moves = moves;
        Ok(value)
    }

    #[inline(always)]
    fn arrive(&self, position: &G, depth: i32, window: Window) -> Node {
        Node { depth, window, table_move: 0, eval: None, key: self.memory.eval.key(position) }
    }

    /// A position at the horizon, which the table may know; not one that lies beyond, for which it has no depth.
    fn leaf(&mut self, position: &G, depth: i32, window: Window, ply: usize) -> Result<Score, Aborted> {
        if self.shared.config.table_leaves && depth == 0 {
            return self.kept_leaf(position, window, ply);
        }
        self.counters.leaf += 1;
        self.horizon(position, window, ply)
    }

    #[cold]
    #[inline(never)]
    fn kept_leaf(&mut self, position: &G, window: Window, ply: usize) -> Result<Score, Aborted> {
        let mut node = self.arrive(position, 0, window);
        if let Some(score) = self.look_up(&mut node, ply) {
            self.counters.table_cut += 1;
            return Ok(score);
        }
        self.counters.leaf += 1;
        let value = self.horizon(position, node.window, ply)?;
        self.remember(position, &[], &node, value, None, ply);
        Ok(value)
    }

    /// The table's answer, or at least its move.
    #[inline(always)]
    fn look_up(&mut self, node: &mut Node, ply: usize) -> Option<Score> {
        let config = self.shared.config;
        if !config.uses_table() {
            return None;
        }
        let entry = self.shared.table.probe(node.key);
        self.counters.look(entry.is_some());
        let entry = entry?;
        node.table_move = entry.best;
        node.eval = entry.eval;
        if !config.table_cutoffs || !self.is_deep_enough(&entry, node.depth) {
            return None;
        }
        let score = entry.score.to_root(ply as u32);
        if config.table_narrowing {
            match entry.bound {
                Bound::Exact => return Some(score),
                Bound::Lower => node.window.alpha = node.window.alpha.max(score),
                Bound::Upper => node.window.beta = node.window.beta.min(score),
            }
            return (node.window.alpha >= node.window.beta).then_some(score);
        }
        let cuts = match entry.bound {
            // A cut inside an open window shortens the line shown.
            Bound::Exact => !config.pvs || config.open_cutoffs || node.window.is_zero(),
            Bound::Lower => score >= node.window.beta,
            Bound::Upper => score <= node.window.alpha,
        };
        cuts.then_some(score)
    }

    fn is_deep_enough(&self, entry: &Entry, depth: i32) -> bool {
        if self.shared.config.exact_depth { entry.depth == depth } else { entry.depth >= depth }
    }

    /// Cuts that need no move of ours: the static value far above the window, or a pass that holds it.
    fn cut_unmoved(&mut self, position: &G, node: &mut Node, ply: usize) -> Result<Option<Score>, Aborted> {
        let config = self.shared.config;
        let beta = node.window.beta;
        // With PVS an open window asks for the value itself.
        if (config.pvs && !node.window.is_zero())
            || beta.is_decisive()
            || (config.futility.is_none() && config.null_move.is_none())
        {
            return Ok(None);
        }
        let eval = *node.eval.get_or_insert_with(|| self.memory.eval.score(position));
        // Futility: a few plies will not lose what the static value is ahead.
        if let Some(margin) = config.futility
            && node.depth <= config::FUTILITY_DEPTH
            && eval - margin * node.depth >= beta
        {
            return Ok(Some(eval));
        }
        // Null move: if passing still fails high, a real move will too (Beal, 1989).
        if let Some(reduction) = config.null_move
            && node.depth >= config::NULL_MOVE_DEPTH
            && eval >= beta
            && let Some(passed) = self.memory.eval.pass(position)
        {
            return self.null_move(position, &passed, node, reduction, ply);
        }
        Ok(None)
    }

    fn null_move(
        &mut self,
        position: &G,
        passed: &G,
        node: &Node,
        reduction: i32,
        ply: usize,
    ) -> Result<Option<Score>, Aborted> {
        self.path.push(position.key(), true);
        self.memory.eval.push(position, None, passed);
        let depth = config::null_move_depth(node.depth, reduction);
        let value = self.node(passed, depth, Window::zero(node.window.beta).turned(), ply + 1);
        self.ascend();
        let value = -value?;
        Ok((value >= node.window.beta).then(|| if value.is_decisive() { node.window.beta } else { value }))
    }

    /// Enhanced transposition cutoffs: a child that the table knows to be bad enough ends the node.
    fn children_cut(&mut self, position: &G, moves: &[G::Move], node: &Node) -> Option<Score> {
        let config = self.shared.config;
        if config.etc.is_none_or(|least| node.depth < least) || config.driver == Driver::Minimax {
            return None;
        }
        moves.iter().find_map(|&m| {
            let child = position.after(m);
            let entry = self.shared.table.probe(self.memory.eval.key(&child));
            self.counters.look(entry.is_some());
            let entry = entry?;
            self.path.push(position.key(), position.irreversible(m));
            let earlier = self.earlier(&child);
            self.path.pop();
            let usable = entry.bound != Bound::Lower
                && !entry.score.is_decisive()
                && self.is_deep_enough(&entry, node.depth - 1)
                && child.drawn(earlier).is_none();
            (usable && -entry.score >= node.window.beta).then_some(-entry.score)
        })
    }

    /// The move loop; within its only caller it saves work that both would do.
    #[inline(always)]
    fn search_moves(
        &mut self,
        position: &G,
        moves: &MoveList<G::Move>,
        node: &Node,
        ply: usize,
    ) -> Result<Score, Aborted> {
        let config = self.shared.config;
        let mut ordered = self.order(position, moves, node.table_move, ply);
        let mut tried = std::mem::take(&mut self.stack[ply].tried);
        tried.clear();
        let mut window = node.window;
        let (mut best, mut best_move, mut tainted) = (Window::FULL.alpha, None, false);
        let mut turn = 0;
        while let Some((i, value, m, fresh)) = ordered.turn(turn) {
            turn += 1;
            let mark = self.mark(position, m, node, i);
            // Another thread is at this move: once it is done, the table answers for free.
            if fresh && mark.is_some_and(|(busy, name)| busy.is_marked(name)) {
                ordered.put_off(i);
                continue;
            }
            let quiet = order::is_quiet(value);
            let child = self.descend(position, m, ply);
            self.shared.table.prefetch(self.memory.eval.key(&child));
            mark.inspect(|(busy, name)| busy.mark(*name));
            let score = self.one_move(position, &child, m, node, window, (i, quiet), ply);
            mark.inspect(|(busy, name)| busy.free(*name));
            self.ascend();
            let score = score?;
            if score > best {
                (best, tainted) = (score, self.tainted);
                if score > window.alpha {
                    window.alpha = score;
                    best_move = Some(m);
                    self.pv.update(m, ply);
                }
                if score >= window.beta && config.driver != Driver::Minimax {
                    self.counters.cut(i);
                    if order::uses_lessons(config) {
                        self.learn_cutoff(position, m, &tried, node.depth, ply);
                    }
                    break;
                }
            }
            if quiet {
                tried.push(m);
            }
        }
        self.stack[ply].ordered = ordered;
        self.stack[ply].tried = tried;
        self.tainted = tainted;
        self.remember(position, moves, node, best, best_move, ply);
        Ok(best)
    }

    /// Where and under which name threads tell each other that they search this move, if that pays.
    fn mark(&self, position: &G, m: G::Move, node: &Node, index: usize) -> Option<(&'a Busy, u64)> {
        let busy = self.shared.busy.filter(|_| index > 0 && node.depth >= config::PUT_OFF_DEPTH)?;
        Some((busy, Busy::name(node.key, position.pack(m))))
    }

    /// One move: reduced and with a zero window first, where that may save work.
    #[allow(clippy::too_many_arguments)]
    fn one_move(
        &mut self,
        position: &G,
        child: &G,
        m: G::Move,
        node: &Node,
        window: Window,
        (index, quiet): (usize, bool),
        ply: usize,
    ) -> Result<Score, Aborted> {
        let config = self.shared.config;
        let depth = node.depth - 1;
        if config.driver == Driver::Minimax {
            return Ok(-self.node(child, depth, Window::FULL, ply + 1)?);
        }
        // Late-move reductions: with a good order a late move is seldom best; a surprise is searched again in full.
        let (moves, least) = config::LATE_MOVES;
        let late = quiet && index >= moves && node.depth >= least;
        let reduction =
            if config.late_move_reductions && late { self.reduction(position, m, node, index) } else { 0 };
        let scout = Window::zero(window.alpha + 1).turned();
        if reduction > 0 {
            let score = -self.node(child, depth - reduction, scout, ply + 1)?;
            if score <= window.alpha {
                return Ok(score);
            }
        }
        // PVS: the first move is probably best, so of the others ask only whether they are better (Marsland, 1982).
        if config.pvs && index > 0 && !window.is_zero() {
            let score = -self.node(child, depth, scout, ply + 1)?;
            if score <= window.alpha || score >= window.beta {
                return Ok(score);
            }
        }
        Ok(-self.node(child, depth, window.turned(), ply + 1)?)
    }

    /// By how many plies a late move is searched less deep at first.
    fn reduction(&self, position: &G, m: G::Move, node: &Node, index: usize) -> i32 {
        let base = config::reduction(node.depth, index as u32 + 1);
        let pv = i32::from(!node.window.is_zero());
        (base - pv - self.reputation(position, m)).clamp(0, node.depth - 2)
    }

    /// Stores what was found; an exact value that rests on a repetition belongs to this path only, so its move alone
    /// is kept.
    #[inline(always)]
    fn remember(
        &mut self,
        position: &G,
        moves: &[G::Move],
        node: &Node,
        best: Score,
        best_move: Option<G::Move>,
        ply: usize,
    ) {
        let config = self.shared.config;
        if !config.uses_table() {
            return;
        }
        let kept = |m: G::Move| match config.scheme.moves() {
            Moves::Packed => position.pack(m),
            Moves::Places => place_of::<G>(moves, m),
            Moves::None => 0,
        };
        let bound = node.window.bound(best);
        let pathbound = self.tainted && bound == Bound::Exact;
        let entry = Entry {
            best: best_move.map_or(0, kept),
            score: best.from_root(ply as u32),
            eval: node.eval,
            depth: if pathbound { -1 } else { node.depth },
            bound,
        };
        self.shared.table.store(node.key, entry);
    }

    /// The value of having no move.
    pub(super) fn stuck(&self, position: &G, ply: usize) -> Score {
        match position.stuck().winner {
            None => Score::DRAW,
            Some(winner) if winner == position.turn() => Score::win_in(ply as u32),
            Some(_) => Score::loss_in(ply as u32),
        }
    }

    fn database_value(&mut self, score: Score, ply: usize) -> Score {
        self.counters.database += 1;
        self.shared.watch.note_database_hit();
        score.to_root(ply as u32)
    }
}

/// The place of a move among those generated, from 1 on.
#[cold]
#[inline(never)]
fn place_of<G: Game>(moves: &[G::Move], m: G::Move) -> u32 {
    moves.iter().position(|&other| other == m).map_or(0, |place| place as u32 + 1)
}

/// The packed move of a place.
#[cold]
#[inline(never)]
fn move_at<G: Game>(position: &G, moves: &[G::Move], place: u32) -> u32 {
    moves.get(place as usize - 1).map_or(0, |&m| position.pack(m))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::worker::{Shared, Worker};
    use super::super::{AlphaBeta, Config};
    use crate::table::Entry;
    use crate::testing::minimax::Minimax;
    use crate::testing::{Pile, Size, Values};
    use crate::{Bound, Clock, Control, Game, Limits, Root, Score, Search, Stalls, Watch, Window};

    /// What the table's entry of this kind and value says to a node with the window -100 to 100: its answer, and the
    /// window in which the moves are searched without one.
    fn answered(config: &Config, bound: Bound, score: i32) -> (Option<i32>, [i32; 2]) {
        let root = Root::new(Pile::start(&Size::default()));
        let (limits, control, stalls) = (Limits::default(), Control::default(), Stalls::default());
        let clock = Clock::new(&limits, Instant::now(), Duration::ZERO, &stalls);
        let watch = Watch::new(&limits, &control, clock, &stalls, 1);
        let mut player = AlphaBeta::new(config.clone(), Values(vec![0.0; 14]));
        player.ready::<Pile>();
        let shared = Shared { config: &player.config, table: &player.table, watch: &watch, busy: None };
        let mut worker = Worker::new(&shared, &mut player.memories[0], &root, 0);
        let window = Window { alpha: Score(-100), beta: Score(100) };
        let mut node = worker.arrive(root.position(), 4, window);
        shared.table.store(node.key, Entry { best: 0, score: Score(score), eval: None, depth: 4, bound });
        let answer = worker.look_up(&mut node, 1).map(|score| score.0);
        (answer, [node.window.alpha.0, node.window.beta.0])
    }

    #[test]
    fn an_open_window_is_narrowed_or_answered_by_the_table_as_the_switches_say() {
        let usual = Config::default();
        let narrowing = Config { table_narrowing: true, ..usual.clone() };
        let open = Config { open_cutoffs: true, ..usual.clone() };
        assert!(usual.pvs && !usual.table_narrowing);
        let whole = [-100, 100];
        for (bound, score, wanted) in [
            (Bound::Lower, 50, [(None, whole), (None, [50, 100]), (None, whole)]),
            (Bound::Upper, 50, [(None, whole), (None, [-100, 50]), (None, whole)]),
            (Bound::Lower, 150, [(Some(150), whole), (Some(150), [150, 100]), (Some(150), whole)]),
            (Bound::Upper, -150, [(Some(-150), whole), (Some(-150), [-100, -150]), (Some(-150), whole)]),
            (Bound::Exact, 10, [(None, whole), (Some(10), whole), (Some(10), whole)]),
        ] {
            let found = [&usual, &narrowing, &open].map(|config| answered(config, bound, score));
            assert_eq!(found, wanted, "{bound:?} {score}");
        }
    }

    #[test]
    fn distances_to_the_end_pass_through_the_table() {
        let config = Config { late_move_reductions: false, internal_reduction: false, ..Config::default() };
        let mut player = AlphaBeta::new(config, Values(vec![0.0; 14]));
        let mut root = Root::new(Pile::start(&Size::default()));
        // The same pile is met at many plies of one search, and again after the next move.
        while root.outcome().is_none() {
            let depth = u32::from(root.position().left) + 2;
            let (best, lines) = player.ask(&root, &Limits::depth(depth));
            let wanted = Minimax::new(&mut Values(vec![0.0; 14]), 0).negamax(&root, depth);
            assert_eq!(lines.last().map(|line| line.score), Some(wanted), "{}", root.position());
            root.play(best.best.expect("the game goes on"));
        }
    }
}
