//! Which child a descent follows, and which root move is played.

use super::config::{Amaf, Bias, Choice, Config, Select};
use super::tree::Node;

/// Above every value: a child that must be tried first.
const FIRST: f32 = 1e6;

/// The number of the child to follow below a parent with this many visits.
pub(super) fn select(config: &Config, parent: &Node, children: &[Node]) -> usize {
    let open = &children[..open_children(config, parent.visits(), children.len())];
    match config.select {
        Select::Flat => best(open, |child| -((child.visits() + child.in_flight()) as f32)),
        Select::Uct | Select::Tuned => {
            let view = View::new(config, parent, children);
            best(open, |child| view.urgency(child))
        }
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
fn open_children(config: &Config, visits: u32, count: usize) -> usize {
    let Some(widening) = config.widening.filter(|w| visits >= w.after) else { return count };
    let (mut open, mut next) = (widening.first.max(1), widening.base * widening.growth);
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
            share = (k / (3.0 * visits as f32 + k)).sqrt();
            let total: u32 = children.iter().map(|child| child.amaf_visits()).sum();
            amaf_log = if config.exploration > 0.0 { libm::logf(total.max(1) as f32) } else { 0.0 };
        }
        View { config, log, amaf_log, share }
    }

    /// How much a child deserves the next playout.
    fn urgency(&self, child: &Node) -> f32 {
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
            Amaf::MinError(worth) => amaf / (amaf + visits + amaf * visits / worth),
        }
    }

    /// The reward of being tried seldom.
    fn bonus(&self, child: &Node, visits: f32) -> f32 {
        if self.config.exploration == 0.0 {
            return 0.0;
        }
        let per_visit = self.log / visits;
        let spread = match self.config.select {
            Select::Tuned => (child.variance() + (2.0 * per_visit).sqrt()).min(0.25),
            _ => 1.0,
        };
        self.config.exploration * (per_visit * spread).sqrt()
    }

    fn bias(&self, child: &Node) -> f32 {
        let visits = child.visits() as f32;
        match self.config.bias {
            Bias::Off => 0.0,
            Bias::Mango => child.bias() / (visits + 1.0),
            Bias::Mogo => child.bias() / libm::logf(visits + 2.0),
        }
    }
}

/// The child that has had least of its due: urgency over visits (objective Monte-Carlo and its relative).
fn fairest(config: &Config, children: &[Node]) -> usize {
    if let Some(fresh) = children.iter().position(|child| child.visits() + child.in_flight() == 0) {
        return fresh;
    }
    let value = |child: &Node| child.mean().unwrap_or(0.5);
    let lead = &children[best(children, value)];
    // The error of a mean; half a result is assumed where all playouts ended alike.
    let error =
        |child: &Node| (child.variance().max(0.25 / child.visits().max(1) as f32)) / child.visits() as f32;
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
    let mean = |child: &Node| child.mean().unwrap_or(-1.0);
    // Of equally many visits the better value wins; that is all flat search has to go by.
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
