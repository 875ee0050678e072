//! Which child a descent follows, and which root move is played.

use super::config::{Amaf, Bias, Choice, Config, Deviation, Select};
use super::tree::Node;

/// Above every value: a child that must be tried first.
const FIRST: f32 = 1e6;

/// The number of the child to follow below a parent with this many visits.
pub(super) fn select(config: &Config, parent: &Node, children: &[Node], is_root: bool) -> usize {
    let open = &children[..open_children(config, parent.visits(), children)];
    match config.select {
        Select::Flat => best(open, |child| -((child.visits() + child.in_flight()) as f32)),
        Select::Uct | Select::Tuned => {
            let view = View::new(config, parent, children);
            best(open, |child| view.urgency(child))
        }
        Select::Puct => most_promising(config, parent, open, is_root),
        Select::Omc | Select::Pbbm => fairest(config, open),
    }
}

/// The index of the child for which `worth` is largest, the first of equals.
fn best(children: &[Node], worth: impl Fn(&Node) -> f32) -> usize {
    let mut found = (0, f32::NEG_INFINITY);
    for (i, child) in children.iter().enumerate() {
        let value = worth(child);
        if value > found.1 {
            found = (i, value);
        }
    }
    found.0
}

/// How many children are open; they lie in the order of their priors.
fn open_children(config: &Config, visits: u32, children: &[Node]) -> usize {
    // Progressive widening: few playouts cannot tell many moves apart, so the best by priors go first (Coulom, 2007).
    let Some(widening) = config.widening.filter(|w| visits >= w.after) else { return children.len() };
    let (mut open, mut next) = (widening.first.max(1), widening.base * widening.growth);
    let count =
        children.partition_point(|child| child.merit() >= widening.least).max(open).min(children.len());
    while open < count && visits as f32 >= next {
        open += 1;
        next *= widening.growth;
    }
    open.min(count)
}

/// What all children of one parent share.
struct View<'a> {
    config: &'a Config,
    /// ln of the parent's visits, and of its children's AMAF visits.
    log: f32,
    amaf_log: f32,
    /// The AMAF share where it is the same for all children.
    share: f32,
}

impl View<'_> {
    fn new<'a>(config: &'a Config, parent: &Node, children: &[Node]) -> View<'a> {
        let visits = parent.visits();
        let log = if config.exploration > 0.0 { libm::logf(visits.max(1) as f32) } else { 0.0 };
        let (mut amaf_log, mut share) = (0.0, 0.0);
        if let Amaf::UctRave(k) = config.amaf {
            // RAVE's schedule: AMAF is quick but biased, so its share fades as visits grow (Gelly and Silver, 2007).
            share = (k / (3.0 * visits as f32 + k)).sqrt();
            let total: u64 = children.iter().map(|child| u64::from(child.amaf_visits())).sum();
            amaf_log = if config.exploration > 0.0 { libm::logf(total.max(1) as f32) } else { 0.0 };
        }
        View { config, log, amaf_log, share }
    }

    /// How much a child deserves the next playout.
    fn urgency(&self, child: &Node) -> f32 {
        // Virtual loss: a playout under way counts as lost, which sends other threads elsewhere (Chaslot et al., 2008).
        let lost = child.in_flight() as f32;
        let weight = self.config.priors * child.prior_visits();
        let visits = child.visits() as f32 + lost + weight;
        let amaf = child.amaf_visits() as f32;
        let mixed = match self.config.amaf {
            Amaf::Off => None,
            _ if amaf == 0.0 => None,
            _ => Some(child.amaf_sum() / amaf),
        };
        if visits == 0.0 && mixed.is_none() {
            // First-play urgency: below 1 it lets good moves be revisited before all were tried (Gelly and Wang, 2006).
            return self.config.first_play.unwrap_or(FIRST) + self.bias(child);
        }
        let plain = if visits > 0.0 {
            (child.sum() + weight * child.prior_value()) / visits + self.bonus(child, visits)
        } else {
            self.config.first_play.unwrap_or(FIRST)
        };
        let value = mixed.map_or(plain, |mean| {
            let share = self.share(child, visits, amaf);
            let bonus = match self.config.amaf {
                Amaf::UctRave(_) => self.config.exploration * (self.amaf_log / amaf).sqrt(),
                _ => self.bonus(child, visits.max(1.0)),
            };
            if share >= 1.0 { mean + bonus } else { share * (mean + bonus) + (1.0 - share) * plain }
        });
        value + self.bias(child)
    }

    /// The part of the value that AMAF decides.
    fn share(&self, child: &Node, visits: f32, amaf: f32) -> f32 {
        match self.config.amaf {
            Amaf::Off => 0.0,
            Amaf::All | Amaf::First(_) | Amaf::Cutoff(_) => 1.0,
            Amaf::Alpha(alpha) => alpha,
            Amaf::Rave(limit) => ((limit - child.visits() as f32) / limit).max(0.0),
            Amaf::UctRave(_) => self.share,
            // The share that minimises the mean squared error of the mixture (Silver, 2009).
            Amaf::MinError(worth) => amaf / (amaf + visits + amaf * visits / worth),
        }
    }

    /// The reward of being tried seldom.
    fn bonus(&self, child: &Node, visits: f32) -> f32 {
        if self.config.exploration == 0.0 {
            return 0.0;
        }
        // UCT: a bonus that grows with ln n keeps regret logarithmic (Auer et al., 2002; Kocsis and Szepesvari, 2006).
        let per_visit = self.log / visits;
        let spread = match self.config.select {
            // UCB1-tuned: a child whose results hardly vary needs less exploration.
            Select::Tuned => (child.variance() + (2.0 * per_visit).sqrt()).min(0.25),
            _ => 1.0,
        };
        self.config.exploration * (per_visit * spread).sqrt()
    }

    fn bias(&self, child: &Node) -> f32 {
        let visits = child.visits() as f32;
        // Progressive bias: knowledge guides the first visits and gives way to results (Chaslot et al., 2008).
        match self.config.bias {
            Bias::Off => 0.0,
            Bias::Mango => child.bias() / (visits + 1.0),
            Bias::Mogo => child.bias() / libm::logf(visits + 2.0),
        }
    }
}

/// The child with the best sum of its value and of what its probability claims.
fn most_promising(config: &Config, parent: &Node, children: &[Node], is_root: bool) -> usize {
    let untried = config.first_play.unwrap_or_else(|| {
        let tried = || children.iter().filter(|child| child.visits() > 0).map(Node::probability);
        // What was likely has been tried: the rest is rather worse than what was found (Tian and others, 2019).
        let reduction =
            if config.reduction > 0.0 { config.reduction * tried().sum::<f32>().sqrt() } else { 0.0 };
        1.0 - parent.mean().unwrap_or(0.5) - reduction
    });
    let forces = is_root && config.forced > 0.0;
    // PUCT: exploration in proportion to the prior, so that unlikely moves cost few visits (Rosin, 2011).
    let weight = weight(config, parent);
    best(children, |child| {
        let visits = (child.visits() + child.in_flight()) as f32;
        if forces && visits > 0.0 && visits < least(config, parent, child) {
            return FIRST;
        }
        let value = if visits > 0.0 { child.sum() / visits } else { untried };
        value + weight * child.probability() / (1.0 + visits)
    })
}

/// What a probability of 1 adds to the value of a child without visits.
fn weight(config: &Config, parent: &Node) -> f32 {
    config.puct * (parent.visits().max(1) as f32).sqrt()
}

/// The visits that a root move is forced to have, once it was tried.
fn least(config: &Config, root: &Node, child: &Node) -> f32 {
    (config.forced * child.probability() * root.visits() as f32).sqrt()
}

/// The visits of the root's moves without those that were only forced, so that what is learned from them is not that
/// bad moves are tried (Wu, 2019): of each move but the most visited one as many are taken off as it was forced to have,
/// as long as it would still have been followed in its turn.
pub(super) fn unforced(config: &Config, root: &Node, children: &[Node]) -> Vec<u32> {
    let visits = || children.iter().map(Node::visits);
    let Some(most) = choose(Choice::Robust, children).filter(|_| config.forced > 0.0) else {
        return visits().collect();
    };
    let weight = weight(config, root);
    let value = |child: &Node| child.mean().unwrap_or(0.0);
    let top = &children[most];
    let bar = value(top) + weight * top.probability() / (1.0 + top.visits() as f32);
    let due = |(i, child): (usize, &Node)| {
        let had = child.visits();
        let gap = bar - value(child);
        if i == most || gap <= 0.0 {
            return had;
        }
        let earned = (weight * child.probability() / gap - 1.0).max(0.0) as u32;
        let left = had.saturating_sub(least(config, root, child) as u32).max(earned).min(had);
        if left > 1 { left } else { 0 }
    };
    children.iter().enumerate().map(due).collect()
}

/// The child that has had least of its due: urgency over visits (objective Monte-Carlo and its relative).
fn fairest(config: &Config, children: &[Node]) -> usize {
    if let Some(fresh) = children.iter().position(|child| child.visits() + child.in_flight() == 0) {
        return fresh;
    }
    let value = |child: &Node| child.mean().unwrap_or(0.5);
    let lead = &children[best(children, value)];
    // Half a result is assumed where all playouts ended alike.
    let variance = |child: &Node| child.variance().max(0.25 / child.visits().max(1) as f32);
    let error = |child: &Node| match config.deviation {
        Deviation::Mean => variance(child) / child.visits() as f32,
        Deviation::Results => variance(child),
    };
    let urgency = |child: &Node| {
        let gap = value(lead) - value(child);
        match config.select {
            Select::Omc => libm::erfcf(gap / (2.0 * error(child)).sqrt()),
            _ => libm::expf(-2.4 * gap / (2.0 * (error(lead) + error(child))).sqrt()),
        }
    };
    // The parent's visits and the sum of urgencies are the same for all children.
    best(children, |child| urgency(child) / (child.visits() + child.in_flight()) as f32)
}

/// A bound below which the true value of a child is unlikely to lie; minus infinity without visits.
pub(super) fn lower_bound(child: &Node, width: f32) -> f32 {
    child.mean().map_or(f32::NEG_INFINITY, |mean| mean - width / (child.visits() as f32).sqrt())
}

/// The number of the child to play; none without children.
pub(super) fn choose(choice: Choice, children: &[Node]) -> Option<usize> {
    // Below all that were tried stand the others, the likeliest first.
    let mean = |child: &Node| child.mean().unwrap_or(child.probability() - 2.0);
    // Of equally many visits the better value wins.
    let visits = |child: &Node| child.visits() as f32 + 0.5 * mean(child);
    (!children.is_empty()).then(|| match choice {
        Choice::Max => best(children, mean),
        Choice::Robust | Choice::MaxRobust => best(children, visits),
        Choice::Secure(width) => best(children, |child| lower_bound(child, width)),
    })
}

/// Whether the most visited child also has the largest value.
pub(super) fn is_settled(children: &[Node]) -> bool {
    choose(Choice::Max, children) == choose(Choice::Robust, children)
}

#[cfg(test)]
mod tests {
    use super::super::config::Widening;
    use super::super::tree::{Results, Tree};
    use super::super::{Candidate, root_children};
    use super::*;

    /// A root with a child for each pair of visits and wins; the second is likelier than the others.
    fn family(results: &[(u32, u32)]) -> Tree {
        let tree = Tree::new(0);
        let candidate = |slot: usize| Candidate {
            slot: slot as u16,
            visits: 6.0,
            value: 0.75,
            bias: 0.5,
            probability: if slot == 1 { 0.8 } else { 0.2 },
        };
        tree.expand(tree.root(), || (0..results.len()).map(candidate).collect());
        for (child, &(visits, wins)) in root_children(&tree).iter().zip(results) {
            for i in 0..visits {
                child.add(if i < wins { 1.0 } else { 0.0 });
                tree.root().add(0.5);
            }
        }
        tree
    }

    #[test]
    fn urgencies_follow_their_formulas() {
        let tree = family(&[(40, 30), (2000, 200), (0, 0)]);
        let children = root_children(&tree);
        let n = 2040.0f32;
        // As first moves the first child's was made twenty times and won ten.
        for i in 0..20 {
            children[0].add_amaf(Results::of((i % 2) as f32));
        }
        let c = 0.5f32;
        let bonus = |visits: f32| c * (n.ln() / visits).sqrt();
        let (plain, amaf) = (0.75 + bonus(40.0), 0.5 + bonus(40.0));
        let mixed = |share: f32| share * amaf + (1.0 - share) * plain;
        let uct = Config { exploration: c, ..Config::plain() };
        let tuned = Config { select: Select::Tuned, ..uct.clone() };
        let with = |amaf| Config { amaf, ..uct.clone() };
        let cases = [
            (uct.clone(), 0, plain),
            (tuned.clone(), 0, 0.75 + bonus(40.0) * 0.5),
            (tuned, 1, 0.1 + bonus(2000.0) * (0.09 + (2.0 * n.ln() / 2000.0).sqrt()).sqrt()),
            (uct.clone(), 2, FIRST),
            (Config { first_play: Some(1.1), ..uct.clone() }, 2, 1.1),
            (Config { priors: 1.0, ..uct.clone() }, 0, (30.0 + 6.0 * 0.75) / 46.0 + bonus(46.0)),
            (Config { bias: Bias::Mango, ..uct.clone() }, 0, plain + 0.5 / 41.0),
            (Config { bias: Bias::Mogo, ..uct.clone() }, 0, plain + 0.5 / 42.0f32.ln()),
            (with(Amaf::All), 0, amaf),
            (with(Amaf::Alpha(0.25)), 0, mixed(0.25)),
            (with(Amaf::Rave(50.0)), 0, mixed(0.2)),
            (with(Amaf::Rave(30.0)), 0, plain),
            (with(Amaf::MinError(100.0)), 0, mixed(20.0 / (20.0 + 40.0 + 20.0 * 40.0 / 100.0))),
            // As many visits as the parameter says: half of each, and AMAF with a bonus of its own.
            (with(Amaf::UctRave(n)), 0, 0.5 * (0.5 + c * (20.0f32.ln() / 20.0).sqrt()) + 0.5 * plain),
        ];
        for (config, child, wanted) in cases {
            let urgency = View::new(&config, tree.root(), children).urgency(&children[child]);
            assert!((urgency - wanted).abs() < 1e-4, "{urgency} instead of {wanted}: {config:?}");
        }
        children[0].enter(2);
        let urgency = View::new(&uct, tree.root(), children).urgency(&children[0]);
        assert!((urgency - 30.0 / 42.0 - bonus(42.0)).abs() < 1e-4, "two virtual losses: {urgency}");
    }

    #[test]
    fn a_worse_move_is_tried_as_long_as_it_is_due() {
        // The best move won 60 of 100, the other one half: it has had its due at 29, at 23 and at 85 visits.
        for (rule, due, paid) in [(Select::Omc, 28, 30), (Select::Pbbm, 22, 24), (Select::Puct, 84, 86)] {
            let config = Config { select: rule, ..Config::plain() };
            let follows = |visits: u32| {
                let tree = family(&[(100, 60), (visits, visits / 2)]);
                select(&config, tree.root(), root_children(&tree), false)
            };
            assert_eq!((follows(due), follows(paid)), (1, 0), "{rule:?}");
        }
    }

    #[test]
    fn a_likely_move_is_worth_what_its_parent_is_until_it_is_tried() {
        let tree = family(&[(10, 6), (0, 0)]);
        let follows = |puct, first_play| {
            let config = Config { select: Select::Puct, puct, first_play, ..Config::plain() };
            select(&config, tree.root(), root_children(&tree), false)
        };
        assert_eq!((follows(0.0, None), follows(0.0, Some(0.7)), follows(0.1, None)), (0, 1, 1));
    }

    #[test]
    fn what_was_not_tried_is_worth_less_the_more_likely_what_was_tried() {
        let follows = |reduction| {
            let config = Config { select: Select::Puct, puct: 0.0, reduction, ..Config::plain() };
            let tree = family(&[(0, 0), (10, 4)]);
            select(&config, tree.root(), root_children(&tree), true)
        };
        // Half, less a fifth or a tenth times the root of 0.8.
        assert_eq!((follows(0.2), follows(0.1)), (1, 0));
    }

    #[test]
    fn a_root_move_is_forced_to_its_visits_and_loses_them_again() {
        let config = Config { select: Select::Puct, puct: 0.05, forced: 2.0, ..Config::plain() };
        let follows = |visits, is_root| {
            let tree = family(&[(visits, 0), (200, 150)]);
            select(&config, tree.root(), root_children(&tree), is_root)
        };
        // The root of 2 * 0.2 * 209 is 9.1.
        assert_eq!((follows(9, true), follows(10, true), follows(9, false), follows(0, true)), (0, 1, 1, 1));
        let left = |config: &Config, results: &[(u32, u32)]| {
            let tree = family(results);
            unforced(config, tree.root(), root_children(&tree))
        };
        assert_eq!(left(&config, &[(9, 0), (200, 150)]), [0, 200]);
        // A move as good keeps what its probability earned it.
        assert_eq!(left(&config, &[(100, 75), (200, 150)]), [100 - 10, 200]);
        assert_eq!(left(&Config { forced: 0.0, ..config.clone() }, &[(9, 0), (200, 150)]), [9, 200]);
        assert!(left(&config, &[]).is_empty());
    }

    #[test]
    fn moves_are_opened_at_the_thresholds_of_the_literature() {
        let config = Config { widening: Some(Widening::default()), ..Config::plain() };
        let tree = family(&[(0, 0); 20]);
        let open = |visits| open_children(&config, visits, root_children(&tree));
        assert_eq!([0, 49, 50, 64].map(open), [20, 20, 5, 5]);
        assert_eq!([65, 84, 85, 109, 110, 142, 143, 185, 186].map(open), [6, 6, 7, 7, 8, 8, 9, 9, 10]);
        assert_eq!(open(1_000_000), 20);
    }

    #[test]
    fn hopeless_moves_stay_closed_but_for_the_first() {
        // Each move is given six playouts of which it has won four and a half, and half a point of bias: two in all.
        let tree = family(&[(0, 0); 20]);
        let open = |least, visits| {
            let widening = Some(Widening { least, ..Widening::default() });
            open_children(&Config { widening, ..Config::plain() }, visits, root_children(&tree))
        };
        assert_eq!([open(2.0, 1_000_000), open(2.1, 1_000_000), open(2.1, 49)], [20, 5, 20]);
    }

    #[test]
    fn the_deviation_of_results_leaves_more_to_doubt_than_that_of_a_mean() {
        for select in [Select::Omc, Select::Pbbm] {
            let follows = |deviation| {
                let config = Config { select, deviation, ..Config::plain() };
                let tree = family(&[(100, 60), (60, 30)]);
                super::select(&config, tree.root(), root_children(&tree), false)
            };
            assert_eq!([Deviation::Mean, Deviation::Results].map(follows), [0, 1], "{select:?}");
        }
    }

    #[test]
    fn each_choice_has_its_own_winner() {
        let tree = family(&[(4, 4), (400, 300), (300, 240), (0, 0)]);
        let chosen = |choice| choose(choice, root_children(&tree));
        assert_eq!(chosen(Choice::Max), Some(0));
        assert_eq!(chosen(Choice::Robust), Some(1));
        assert_eq!(chosen(Choice::MaxRobust), Some(1));
        assert_eq!(chosen(Choice::Secure(1.0)), Some(2));
        assert_eq!(chosen(Choice::Secure(0.1)), Some(0));
        assert!(!is_settled(root_children(&tree)));
        let bound = lower_bound(&root_children(&tree)[1], 2.0);
        assert!((bound - (0.75 - 2.0 / 20.0)).abs() < 1e-6, "{bound}");
        let even = family(&[(10, 3), (10, 4)]);
        assert_eq!(choose(Choice::Robust, root_children(&even)), Some(1));
        assert_eq!(choose(Choice::Robust, &[]), None);
    }
}
