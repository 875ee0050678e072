//! Monte-Carlo tree search: a tree grown move by move towards what playouts find promising.
//!
//! Blind to games: a [`Policy`] brings the board to play on, the moves with what is thought of them beforehand,
//! and the worth of leaves, by playouts or otherwise. Every method is a switch in [`Config`]; results lie in [0, 1] and every value is the mover's.
//!
//! | question | file |
//! |---|---|
//! | which methods are there? | `mcts/config.rs` |
//! | what is asked of a game? | `mcts/policy.rs` |
//! | which move is followed, which one played? | `mcts/select.rs` |
//! | what does one playout learn? | `mcts/worker.rs` |
//! | how do threads share the work? | `mcts/threads.rs` |
//! | what is kept, and in how much room? | `mcts/tree.rs` |

mod config;
mod policy;
mod select;
mod threads;
mod tree;
mod worker;

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

pub use config::{Amaf, Bias, Choice, Config, Deviation, Expansion, Parallel, Select, Widening};
pub use policy::{Candidate, Leaf, Policy, Race};

use crate::report::{Best, Considered, Info};
use crate::{Clock, Control, Game, Limits, Root, Search, Stalls, crew};
use tree::{Node, Tree};

/// Plies shown of a line of play.
const PV: usize = 16;
/// The width of the bound reported with a move: one standard error of a coin.
const BOUND: f32 = 0.5;

/// Visits of the root after which a search ends, however long it may take: counts must not run over.
const MOST: u32 = 1 << 31;

/// Parts of the time after which it is asked whether the rest can change the choice.
const SHARES: [f64; 4] = [0.4, 0.55, 0.7, 0.85];

/// What a search found out besides its move.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Summary {
    /// Playouts of this search.
    pub playouts: u64,
    /// Moves made in its tree and playouts.
    pub moves: u64,
    /// Nodes of the tree at its end, with what was kept from earlier searches.
    pub nodes: usize,
    /// Plies of the longest way into the tree.
    pub depth: u32,
    /// The side to move's probability to win with the move chosen.
    pub value: f64,
}

/// A searcher with its tree.
pub struct Mcts<G: Game, P: Policy<G>> {
    /// All switches; changed between searches only.
    pub config: Config,
    /// Where every thread's policy is cloned from.
    pub policy: P,
    tree: Tree,
    /// The game the tree belongs to.
    game: Option<(G, Vec<G::Move>)>,
    /// The only root moves that it was to consider, if not empty.
    only: Vec<u32>,
    /// The switches it was grown by.
    grown: Config,
    stalls: Stalls,
    summary: Summary,
}

/// What bounds one search.
struct Bounds<'a> {
    limits: &'a Limits,
    clock: Clock,
    control: &'a Control,
    choice: Choice,
    /// Whether visits say nothing, because all root moves get as many.
    is_flat: bool,
    stalls: &'a Stalls,
}

impl<G: Game, P: Policy<G>> Mcts<G, P> {
    /// A searcher with an empty tree.
    pub fn new(config: Config, policy: P) -> Self {
        let tree = Tree::new(0);
        Mcts {
            grown: config.clone(),
            config,
            policy,
            tree,
            game: None,
            only: Vec::new(),
            stalls: Stalls::default(),
            summary: Summary::default(),
        }
    }

    /// What the last search found out.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The moves of this game since the last search; none if that was another game.
    pub fn since<'r>(&self, root: &'r Root<G>) -> Option<&'r [G::Move]> {
        let (start, moves) = self.game.as_ref()?;
        root.moves().strip_prefix(&moves[..]).filter(|_| start == root.start())
    }

    /// The nodes the tree of the last search had room for.
    pub fn capacity(&self) -> usize {
        self.tree.capacity()
    }

    /// The positions of the tree below its root that were looked at; its nodes are these and their siblings.
    pub fn positions(&self) -> usize {
        self.tree.visited()
    }

    /// The root moves of the last search, the best first, those never tried last.
    pub fn considered(&self) -> Vec<Considered<G::Move>> {
        considered(&self.tree, &self.grown, &self.policy)
    }

    /// The root moves of the last search with their visits, those taken off that were only forced.
    pub fn unforced(&self) -> Vec<(G::Move, u32)> {
        let children = root_children(&self.tree);
        let moves = children.iter().map(|child| self.policy.unslot(child.slot()));
        moves.zip(select::unforced(&self.grown, self.tree.root(), children)).collect()
    }

    /// Makes the tree one of this game's position, with what is known of it from the last search, or as much of that
    /// as there is time for.
    fn prepare(
        &mut self,
        root: &Root<G>,
        only: &[u32],
        allowed: &dyn Fn(u16) -> bool,
        ends: &dyn Fn() -> bool,
    ) {
        let (_, room) = threads::trees(&self.config);
        // A root that was to consider some moves only lacks the others for good.
        let lacks = !self.only.is_empty() && self.only != only;
        let later = self.since(root).filter(|later| self.config.reuse && !(lacks && later.is_empty()));
        let kept = later.and_then(|later| {
            later.iter().try_fold(self.tree.root(), |node, &m| self.tree.child(node, self.policy.slot(m)))
        });
        // A tree made for another memory limit is not carried on.
        let fits = self.tree.capacity() == tree::capacity(room);
        self.tree = match kept.filter(|_| fits) {
            Some(node) => {
                let whole = self.tree.rooted_at(node, allowed, ends);
                whole.unwrap_or_else(|| self.tree.stump(node, allowed))
            }
            None => Tree::new(room),
        };
        self.game = Some((root.start().clone(), root.moves().to_vec()));
        self.only = only.to_vec();
        self.grown = self.config.clone();
    }

    /// Searches until a bound is reached, making room in the tree when it is full.
    fn run(
        &mut self,
        board: &P::Board,
        allowed: &(dyn Fn(u16) -> bool + Sync),
        bounds: &Bounds<'_>,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) {
        let (playouts, depth) = (AtomicU64::new(0), AtomicU32::new(0));
        loop {
            let shared = worker::Shared::new(&self.config, &self.tree, board, allowed, &playouts, &depth);
            let (moves, threads) = threads::run::<G, P>(&shared, &self.policy, bounds, report);
            self.summary.moves += moves;
            // Those that could not be had are not asked for again before the user does.
            if threads < self.config.threads {
                report(&Info::Text(crew::lack(threads, self.config.threads)));
                self.config.threads = threads;
            }
            if bounds.is_over(&self.tree, playouts.load(Ordering::Relaxed), depth.load(Ordering::Relaxed)) {
                break;
            }
            if let Some(had) = self.tree.shortage() {
                self.do_with(had, allowed, report);
                continue;
            }
            let ends = || bounds.must_end();
            let Some(thinned) = self.tree.rooted_at(self.tree.root(), allowed, &ends) else { break };
            self.tree = thinned;
        }
        self.summary.playouts = playouts.into_inner();
        self.summary.depth = depth.into_inner();
        self.summary.nodes = self.tree.len();
    }

    /// Goes on with the memory that the system has given. A copy of the tree needs memory, too, so all of it but the
    /// root's moves is given back.
    fn do_with(&mut self, had: usize, allowed: &dyn Fn(u16) -> bool, report: &mut dyn FnMut(&Info<G::Move>)) {
        let (trees, room) = threads::trees(&self.config);
        report(&Info::Text(lack(had.saturating_mul(trees), room.saturating_mul(trees))));
        self.config.memory = had * trees;
        let (_, room) = threads::trees(&self.config);
        self.tree = self.tree.stump_within(room, self.tree.root(), allowed);
    }

    /// The move to play and the reply expected.
    fn answer(&mut self) -> Best<G::Move> {
        let list = self.considered();
        self.summary.value = list.first().map_or(0.5, |first| first.value);
        let pv = list.first().map(|first| first.pv.as_slice()).unwrap_or_default();
        Best { best: pv.first().copied(), ponder: pv.get(1).copied() }
    }
}

impl<G: Game, P: Policy<G>> Search<G> for Mcts<G, P> {
    fn think(
        &mut self,
        root: &Root<G>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Best<G::Move> {
        let stalls = self.stalls.of(root.position().turn());
        let clock = Clock::new(limits, control.asked(), self.config.overhead, &stalls);
        let board = self.policy.board(root);
        let mut legal: Vec<u16> = Vec::new();
        for m in root.legal() {
            if limits.only.is_empty() || limits.only.contains(&root.position().pack(m)) {
                legal.push(self.policy.slot(m));
            }
        }
        let allowed = |slot: u16| legal.contains(&slot);
        self.prepare(root, &limits.only, &allowed, &|| control.stopped() || clock.expired(control));
        self.summary = Summary::default();
        let (choice, is_flat) = (self.config.chooses(), self.config.select == Select::Flat);
        let bounds = Bounds { limits, clock, control, choice, is_flat, stalls: &stalls };
        if !self.policy.is_over(&board) {
            self.run(&board, &allowed, &bounds, report);
        }
        control.wait(limits.infinite);
        bounds.clock.answered(control, &stalls);
        report(&Info::Considered(self.considered()));
        let best = self.answer();
        let fallback = || legal.first().map(|&slot| self.policy.unslot(slot));
        Best { best: best.best.or_else(fallback), ..best }
    }

    fn forget(&mut self) {
        self.game = None;
        self.tree = Tree::new(0);
    }
}

impl Bounds<'_> {
    /// Whether the search must end whatever it has found.
    fn must_end(&self) -> bool {
        self.control.stopped() || self.clock.expired(self.control)
    }

    /// Whether nothing is left to spend, whatever the search has found.
    fn is_used_up(&self, playouts: u64) -> bool {
        self.must_end() || !self.waits() && self.limits.nodes.is_some_and(|most| playouts >= most)
    }

    /// Whether only a word from outside ends the search.
    fn waits(&self) -> bool {
        self.limits.waits() && (self.limits.infinite || self.control.pondering())
    }

    /// Whether the search must end now.
    fn is_over(&self, tree: &Tree, playouts: u64, depth: u32) -> bool {
        if self.is_used_up(playouts) || playouts.max(tree.root().visits().into()) >= MOST.into() {
            return true;
        }
        if self.waits() {
            return false;
        }
        let spent = |share: f64| {
            self.limits.nodes.is_some_and(|most| playouts as f64 >= most as f64 * share)
                || self.clock.satisfied(self.control, share)
        };
        spent(1.0) && !self.wants_more(tree)
            || self.limits.depth.is_some_and(|most| depth >= most)
            || self.choice == Choice::MaxRobust && self.is_nearly_over(playouts) && is_settled(tree)
            || self.is_decided(tree, playouts)
    }

    /// Whether four fifths of the effort are spent; a fixed time is an effort, too.
    fn is_nearly_over(&self, playouts: u64) -> bool {
        self.limits.nodes.is_some_and(|most| playouts as f64 >= most as f64 * 0.8)
            || self.clock.exceeds(self.control, 1.25)
    }

    /// Whether visits choose the move, and none can overtake the most visited one in what is left of the time.
    fn is_decided(&self, tree: &Tree, playouts: u64) -> bool {
        let by_visits = match self.choice {
            Choice::Robust => true,
            Choice::MaxRobust => is_settled(tree),
            Choice::Max | Choice::Secure(_) => false,
        };
        let beyond_reach = |share: f64| lead(tree) as f64 > playouts as f64 * (1.0 - share) / share;
        by_visits
            && playouts > 0
            && SHARES
                .into_iter()
                .any(|share| self.clock.satisfied(self.control, share) && beyond_reach(share))
    }

    /// Whether the soft bound may be overstepped because value and visits disagree.
    fn wants_more(&self, tree: &Tree) -> bool {
        let has_time = self.choice == Choice::MaxRobust || !self.clock.satisfied(self.control, 1.6);
        has_time && !self.is_flat && !is_settled(tree)
    }
}

/// Whether a tree of so many bytes can be promised.
pub fn is_possible(bytes: usize) -> bool {
    tree::is_possible(bytes)
}

/// What is said where only so many of the bytes that a tree may take could be had.
fn lack(had: usize, asked: usize) -> String {
    let [had, asked] = [had, asked].map(|bytes| bytes >> 20);
    format!("only {had} of {asked} MiB could be had for the tree; going on with these")
}

fn root_children(tree: &Tree) -> &[Node] {
    tree.children(tree.root()).map_or(&[], |(_, children)| children)
}

fn is_settled(tree: &Tree) -> bool {
    select::is_settled(root_children(tree))
}

/// How many visits the most visited move has more than any other.
fn lead(tree: &Tree) -> u32 {
    let (mut most, mut second) = (0, 0);
    for visits in root_children(tree).iter().map(Node::visits) {
        if visits > most {
            (most, second) = (visits, most);
        } else {
            second = second.max(visits);
        }
    }
    most - second
}

/// The root moves, the one to play first, the others by visits, of equals the one thought better beforehand first.
fn considered<G: Game, P: Policy<G>>(tree: &Tree, config: &Config, policy: &P) -> Vec<Considered<G::Move>> {
    let children = root_children(tree);
    let thought = |child: &Node| match config.select {
        Select::Puct => child.probability(),
        _ => child.prior_wins(),
    };
    // Other threads go on counting: a sort that looked twice would find no order.
    let mut counts: Vec<_> =
        children.iter().enumerate().map(|(i, child)| (i, child.visits(), thought(child))).collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(b.2.total_cmp(&a.2)));
    let mut order: Vec<usize> = counts.into_iter().map(|(i, ..)| i).collect();
    if let Some(chosen) = select::choose(config.chooses(), children) {
        order.retain(|&i| i != chosen);
        order.insert(0, chosen);
    }
    // The share of a move in all that is thought of moves beforehand.
    let total: f32 = children.iter().map(thought).sum();
    let prior = |child: &Node| if total > 0.0 { thought(child) / total } else { 1.0 / children.len() as f32 };
    order.iter().map(|&i| consider::<G, P>(tree, &children[i], prior(&children[i]), policy)).collect()
}

fn consider<G: Game, P: Policy<G>>(tree: &Tree, child: &Node, prior: f32, policy: &P) -> Considered<G::Move> {
    let mut pv = vec![policy.unslot(child.slot())];
    let mut pv_visits = vec![u64::from(child.visits())];
    let mut node = child;
    while let Some((_, children)) = tree.children(node).filter(|_| pv.len() < PV) {
        let Some(next) = select::choose(Choice::Robust, children).map(|i| &children[i]) else { break };
        if next.visits() == 0 {
            break;
        }
        pv.push(policy.unslot(next.slot()));
        pv_visits.push(u64::from(next.visits()));
        node = next;
    }
    let value = child.mean().unwrap_or_else(|| child.prior_value());
    Considered {
        visits: u64::from(child.visits()),
        value: f64::from(value),
        lower: f64::from(select::lower_bound(child, BOUND).max(0.0)),
        prior: f64::from(prior),
        pv,
        pv_visits,
    }
}

#[cfg(test)]
#[path = "mcts/tests.rs"]
mod tests;
