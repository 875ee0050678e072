//! Every method of Monte-Carlo tree search as a switch, so that experiments and play use the same code.

use std::time::Duration;

/// Which child a descent follows. AMAF, bias and priors act on `Uct` and `Tuned` alone, first-play urgency on `Puct`, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    /// No tree: every root move gets the same number of playouts, and the best mean is played (plain Monte-Carlo).
    Flat,
    /// UCB1 at every node (Kocsis and Szepesvári 2006).
    Uct,
    /// UCB1 with the measured variance (Gelly and Wang 2006).
    Tuned,
    /// By value and by the policy's probability, which weighs the more the less a move was tried (Rosin 2011; Silver
    /// and others 2017).
    Puct,
    /// Objective Monte-Carlo: by the chance that a move is better than it looks (Chaslot 2006).
    Omc,
    /// Probability to be better than the best move (Coulom 2006).
    Pbbm,
}

/// What is learned from moves that came later in the same iteration ("all moves as first").
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amaf {
    /// Nothing.
    Off,
    /// Everything: only these counts decide.
    All,
    /// A fixed mixture: this share of the AMAF value and the rest of the plain one.
    Alpha(f32),
    /// As `All`, but only from this many moves after the node.
    First(u32),
    /// As `All`, but only from this many first playouts.
    Cutoff(u64),
    /// A share that falls linearly to 0 at this many visits.
    Rave(f32),
    /// The share `sqrt(k / (3n + k))` with n visits of the parent, each side with its own bonus (Gelly and Silver).
    UctRave(f32),
    /// The share that minimises the squared error if AMAF's bias is worth this many playouts (Silver).
    MinError(f32),
}

/// How knowledge is added to a child's value, vanishing with its visits n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bias {
    /// Not at all.
    Off,
    /// `H / (n + 1)` (Mango).
    Mango,
    /// `H / ln(n + 2)` (MoGo).
    Mogo,
}

/// Progressive widening: only the best children by prior are open at first (Coulom 2007).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// Visits of the parent below which all children are open.
    pub after: u32,
    /// Children left open then.
    pub first: usize,
    /// Visits at which the first child more is opened, divided by `growth`.
    pub base: f32,
    /// The factor from one opening to the next.
    pub growth: f32,
    /// Children thought of less than this are hopeless: only where they are among the first are they opened at all.
    pub least: f32,
}

impl Default for Widening {
    fn default() -> Self {
        Widening { after: 50, first: 5, base: 50.0, growth: 1.3, least: f32::NEG_INFINITY }
    }
}

/// Which deviation of a child's value OMC and PBBM look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deviation {
    /// That of the mean, which fades with visits.
    Mean,
    /// That of single results, as the formulas are printed.
    Results,
}

/// When a leaf gets children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// Visits a leaf needs before it gets children.
    pub after: u32,
    /// Plies below the root that are expanded before the first playout.
    pub ahead: u32,
}

/// Which root move is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// The largest value.
    Max,
    /// The most visits.
    Robust,
    /// Largest value and most visits at once; the last fifth of the effort is spent only until they agree.
    MaxRobust,
    /// The largest lower bound: value minus this over the root of the visits.
    Secure(f32),
}

/// How several threads share the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallel {
    /// One tree without locks; virtual losses keep the threads apart.
    Tree,
    /// One tree, one lock for all of it outside the playouts.
    GlobalLock,
    /// One tree, locks for its nodes.
    LocalLocks,
    /// A tree for each thread, added up at the end.
    Root,
    /// All threads play out from the same leaf.
    Leaf,
    /// Both: groups of threads, each with a tree and a leaf of its own.
    RootLeaf,
}

/// All switches.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The rule of descent.
    pub select: Select,
    /// The weight of exploration, for values in [0, 1].
    pub exploration: f32,
    /// The weight of probabilities under `Puct`, for values in [0, 1].
    pub puct: f32,
    /// The value of a child without visits; none to try every child once first, under `Puct` to take its parent's.
    pub first_play: Option<f32>,
    /// How much less than its parent a child without visits is worth under `Puct`, times the root of the probability
    /// that was tried.
    pub reduction: f32,
    /// Under `Puct` a root move that was tried gets at least the root of this many visits, for each visit of the root
    /// that its probability claims; 0 forces nothing.
    pub forced: f32,
    /// When leaves get children.
    pub expansion: Expansion,
    /// What OMC and PBBM take for the deviation of a value.
    pub deviation: Deviation,
    /// All moves as first.
    pub amaf: Amaf,
    /// Progressive bias.
    pub bias: Bias,
    /// Progressive widening.
    pub widening: Option<Widening>,
    /// The weight of the policy's priors, 0 for none and 1 as the policy states them.
    pub priors: f32,
    /// The move played.
    pub choice: Choice,
    /// Work of several threads.
    pub parallel: Parallel,
    /// Search threads.
    pub threads: usize,
    /// The threads of a group under `RootLeaf`.
    pub group: usize,
    /// Whether playouts from a leaf that threads share are given up once half of them are over and lost.
    pub gives_up: bool,
    /// Leaves that a thread gathers before it asks what they are worth; one where all threads share a leaf.
    pub batch: usize,
    /// Lost visits that a thread on its way puts on a node, so that others, and its own of the same batch, go elsewhere.
    pub virtual_loss: u32,
    /// What the tree may take, in bytes.
    pub memory: usize,
    /// Whether what was found is kept for the next move.
    pub reuse: bool,
    /// Held back from every time limit.
    pub overhead: Duration,
    /// Time between two reports.
    pub report: Duration,
    /// Of the random numbers.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            select: Select::Uct,
            exploration: 0.0,
            puct: 1.0,
            first_play: None,
            reduction: 0.0,
            forced: 0.0,
            expansion: Expansion { after: 2, ahead: 0 },
            deviation: Deviation::Mean,
            amaf: Amaf::MinError(3500.0),
            bias: Bias::Off,
            widening: None,
            priors: 1.0,
            choice: Choice::Robust,
            parallel: Parallel::Tree,
            threads: 1,
            group: 2,
            gives_up: false,
            batch: 1,
            virtual_loss: 1,
            memory: 256 << 20,
            reuse: true,
            overhead: Duration::from_millis(10),
            report: Duration::from_millis(500),
            seed: 1,
        }
    }
}

impl Config {
    /// How the move is chosen: where every root move gets as many playouts as the others, visits say nothing.
    pub fn chooses(&self) -> Choice {
        match (self.select, self.choice) {
            (Select::Flat, Choice::Robust | Choice::MaxRobust) => Choice::Max,
            (_, choice) => choice,
        }
    }

    /// UCT as it was published, without any knowledge.
    pub fn plain() -> Config {
        Config {
            // 2 / sqrt(2) for results from -1 to 1; here they span half of that.
            exploration: std::f32::consts::FRAC_1_SQRT_2,
            amaf: Amaf::Off,
            priors: 0.0,
            expansion: Expansion { after: 1, ahead: 0 },
            ..Config::default()
        }
    }
}
