//! The options of the Go engine, one row each, and the words they take.

use std::time::Duration;

use search::mcts::{Bias, Choice, Config, Deviation, Parallel, Select};
use search::options::{self, Audience, Declared, Options, Setting, check, choice, spin, text};
use search::{Engine, Mcts, Search};

use crate::bias::Weights;
use crate::estimate::Judge;
use crate::methods::{Lesson, Methods, NO_THRESHOLD};
use crate::playout::Style;
use crate::recipes::{Heuristics, Roulette};
use crate::{Go, tuning};

/// The engine at its best.
pub(crate) const DEFAULT: &str = "default";
/// Śliwa's program.
pub(crate) const GO_GAME: &str = "GO GAME";

const PRESETS: [&str; 2] = [DEFAULT, GO_GAME];
/// What finds the moves, and whether that is the heuristics alone.
const STRATEGIES: &Words<bool> = &[("search", false), ("heuristics", true)];

/// A switch of the search by its words.
type Words<T> = [(&'static str, T)];

const PLAYOUTS: &Words<Style> = &[
    ("heavy", Style::Heavy(tuning::PLAYOUT)),
    ("light", Style::Light),
    ("heuristics", Style::Heuristics(Heuristics::ALL)),
    ("roulette", Style::Roulette(Roulette::PUBLISHED)),
    ("roulette-opening", Style::Roulette(Roulette::WITH_OPENING)),
    ("urgency", Style::Urgency),
    ("sequence", Style::Sequence),
];
const SELECTIONS: &Words<Select> = &[
    ("uct", Select::Uct),
    ("tuned", Select::Tuned),
    ("omc", Select::Omc),
    ("pbbm", Select::Pbbm),
    ("flat", Select::Flat),
];
const LESSONS: &Words<Lesson> = &[
    ("error", Lesson::Error),
    ("off", Lesson::Off),
    ("all", Lesson::All),
    ("rave", Lesson::Rave),
    ("uct-rave", Lesson::UctRave),
    ("alpha", Lesson::Alpha),
    ("first", Lesson::First),
    ("cutoff", Lesson::Cutoff),
];
const CHOICES: &Words<Choice> = &[
    ("robust", Choice::Robust),
    ("max", Choice::Max),
    ("max-robust", Choice::MaxRobust),
    ("secure", Choice::Secure(tuning::SECURE)),
];
const BIASES: &Words<Bias> = &[("off", Bias::Off), ("mango", Bias::Mango), ("mogo", Bias::Mogo)];
const PARALLELS: &Words<Parallel> = &[
    ("tree", Parallel::Tree),
    ("global-lock", Parallel::GlobalLock),
    ("local-locks", Parallel::LocalLocks),
    ("root", Parallel::Root),
    ("leaf", Parallel::Leaf),
    ("root-leaf", Parallel::RootLeaf),
];
const DEVIATIONS: &Words<Deviation> = &[("mean", Deviation::Mean), ("results", Deviation::Results)];
const JUDGES: &Words<Judge> = &[("search", Judge::Search), ("atari", Judge::Atari)];

/// All rows, in the order in which they are shown.
pub(crate) fn all() -> Options<Go> {
    let rows = general().into_iter().chain(options::rules()).chain(playing());
    rows.chain(switches()).chain(numbers()).collect()
}

/// What the search may spend.
fn general() -> Options<Go> {
    vec![
        options::threads(),
        spin("Tree Memory", "memory for the search tree, in MiB", tuning::TREE_MEMORY, 1..=1 << 20)
            .by(|e: &Go| e.memory, Go::resize)
            .meant_for(Audience::Expert),
        spin(
            "Move Time",
            "seconds per move when no time settings were given",
            tuning::MOVE_TIME.as_secs(),
            0..=86_400,
        )
        .by(|e: &Go| e.move_time.as_secs(), |e, seconds| e.move_time = Duration::from_secs(seconds))
        .meant_for(Audience::Protocol),
        spin("Playouts", "playouts per move instead of time; 0 for no limit", 0, 0..=1 << 40)
            .by(|e: &Go| e.playouts, |e, playouts| e.playouts = playouts)
            .meant_for(Audience::Protocol),
        options::overhead(tuning::OVERHEAD),
        check("Ponder", "think on the opponent's time", false)
            .by(|e: &Go| e.common.ponder, |e, on| e.common.ponder = on)
            .meant_for(Audience::Protocol),
    ]
}

/// How to play and how to show it.
fn playing() -> Options<Go> {
    vec![
        spin(
            "Resign",
            "resign below this chance of winning, in percent; 0 for never",
            tuning::RESIGN,
            0..=50,
        )
        .by(|e: &Go| e.resign, |e, percent| e.resign = percent)
        .meant_for(Audience::Protocol),
        spin(
            "Resign Move",
            "never resign before this many moves for every hundred points of the board",
            tuning::RESIGN_MOVE,
            0..=100,
        )
        .by(|e: &Go| e.resign_move, |e, percent| e.resign_move = percent),
        options::skill(),
        options::preset(&PRESETS, |e: &Go| e.preset, Go::set_preset),
        check("Live Graphics", "send GoGui's live graphics to the error stream while thinking", false)
            .by(|e: &Go| e.live, |e, on| e.live = on),
        text("Strengths File", "strengths of moves read from a file; without one the learned ones", "")
            .by(|e: &Go| e.strengths.0.clone(), |e, path: String| e.set_strengths(&path)),
        check("Network", "ask the network, if there is one, and search by its probabilities (PUCT)", true)
            .by(|e: &Go| e.guidance.is_on, |e, on| e.consult(|guidance| guidance.is_on = on))
            .meant_for(Audience::Expert),
        text("Network File", "a network that `quintet learn go network` made; without one there is none", "")
            .by(|e: &Go| e.guidance.file.clone(), |e, path: String| e.set_network(&path)),
        spin(
            "Playout Share",
            "what playouts decide of a leaf's value beside the network, in percent; 0 for no playouts",
            tuning::PLAYOUT_SHARE,
            0..=100,
        )
        .by(
            |e: &Go| e.guidance.playout_share,
            |e, share| e.consult(|guidance| guidance.playout_share = share),
        )
        .meant_for(Audience::Expert),
        spin(
            "Network After",
            "the visit of a node at which the network is asked about it, where playouts have a share",
            tuning::NETWORK_AFTER,
            1..=1000,
        )
        .by(|e: &Go| e.guidance.after, |e, visits| e.consult(|guidance| guidance.after = visits))
        .meant_for(Audience::Expert),
        choice(
            "Dead Stones",
            "how dead stones are found: by searches, or, as GO GAME does, every chain with a single liberty",
            JUDGES,
        )
        .by(|e: &Go| e.judge, |e, judge| e.judge = judge)
        .meant_for(Audience::Expert),
        check("Handicap Loan", "lend White points in handicap games until the middle of the game", true)
            .by(|e: &Go| e.lends, |e, lends| e.lends = lends)
            .meant_for(Audience::Expert),
        options::log_file(),
    ]
}

/// The switches of the search, for experiments.
fn switches() -> Options<Go> {
    let usual = tuning::config();
    let expansion = usual.expansion;
    vec![
        choice("Playout", "how much playouts know", PLAYOUTS).by(
            |e: &Go| match e.mcts.policy.style {
                Style::Heuristics(_) => Style::Heuristics(Heuristics::ALL),
                Style::Roulette(Roulette { opening: 0, .. }) => Style::Roulette(Roulette::PUBLISHED),
                Style::Roulette(_) => Style::Roulette(Roulette::WITH_OPENING),
                style => style,
            },
            |e, style| {
                e.mcts.policy.style = style;
                e.set_heuristics(e.heuristics);
                e.retell(|_| ());
            },
        ),
        choice(
            "Strategy",
            "what chooses the moves: the search, or the heuristics of GO GAME alone",
            STRATEGIES,
        )
        .by(|e: &Go| e.alone, |e, alone| e.alone = alone),
        heuristic("Attack Heuristic", "the heuristics put enemy chains in atari", |h| &mut h.attack),
        heuristic("Defence Heuristic", "the heuristics save own chains in atari", |h| &mut h.defence),
        heuristic(
            "Squeeze Heuristic",
            "the heuristics take liberties from the enemy chain that has fewest",
            |h| &mut h.squeeze,
        ),
        heuristic("Capture Heuristic", "the heuristics take enemy chains in atari", |h| &mut h.capture),
        growth(
            choice(
                "Selection",
                "the rule by which the search descends; AMAF, priors, bias and First Play act on uct and tuned",
                SELECTIONS,
            ),
            |config| &mut config.select,
        ),
        choice("AMAF", "what a playout's later moves teach about earlier ones", LESSONS).by(
            |e: &Go| Lesson::of(e.mcts.config.amaf),
            |e, lesson| e.regrow(|config, methods| config.amaf = methods.amaf(lesson)),
        ),
        hundredths(
            "Exploration",
            "the weight of rarely tried moves, in hundredths; at 0 uct and tuned are the same; 71 was published",
            500,
            |config| &mut config.exploration,
        ),
        first_play(),
        growth(
            spin("Expand After", "visits before a leaf is expanded", expansion.after, 0..=1000),
            |config| &mut config.expansion.after,
        ),
        growth(
            spin(
                "Expand Ahead",
                "plies below the root that are expanded before the first playout",
                expansion.ahead,
                0..=4,
            ),
            |config| &mut config.expansion.ahead,
        ),
        switch(check("Tree Reuse", "keep the tree for the next move", usual.reuse), |config| {
            &mut config.reuse
        }),
        switch(
            spin(
                "Virtual Loss",
                "lost visits that keep other threads off a thread's path",
                usual.virtual_loss,
                0..=100,
            ),
            |config| &mut config.virtual_loss,
        ),
        hundredths("Priors", "how much prior knowledge of moves counts, in percent", 1000, |config| {
            &mut config.priors
        }),
        growth(
            choice("Progressive Bias", "how knowledge is added to a move's value besides the priors", BIASES),
            |config| &mut config.bias,
        ),
        check(
            "Progressive Widening",
            "open the moves of a position one by one, the best by priors first",
            usual.widening.is_some(),
        )
        .by(
            |e: &Go| e.mcts.config.widening.is_some(),
            |e, on| e.regrow(|config, methods| config.widening = on.then(|| methods.widening())),
        ),
        choice(
            "Final Choice",
            "which move at the root is played; flat search plays the best value instead of the most visits",
            CHOICES,
        )
        .by(
            |e: &Go| match e.mcts.config.choice {
                Choice::Secure(_) => Choice::Secure(tuning::SECURE),
                choice => choice,
            },
            |e, choice| {
                e.mcts.config.choice = choice;
                e.retell(|_| ());
            },
        ),
        switch(choice("Parallel", "how threads share the work", PARALLELS), |config| &mut config.parallel),
    ]
}

/// The numbers of the methods, which act once their method is switched on.
fn numbers() -> Options<Go> {
    let usual = Methods::default();
    let wheel = usual.wheel;
    let number = number::<u32>;
    let rows = vec![
        number(
            spin("AMAF Error", "playouts that AMAF's bias is worth under error", usual.error, 1..=MILLION),
            |m| &mut m.error,
        ),
        number(
            spin(
                "AMAF Alpha",
                "share of AMAF under alpha, in percent; none was published",
                usual.alpha,
                0..=100,
            ),
            |m| &mut m.alpha,
        ),
        number(
            spin(
                "AMAF Moves",
                "moves after a node that it learns from under first (m; none was published)",
                usual.first_moves,
                0..=MILLION,
            ),
            |m| &mut m.first_moves,
        ),
        self::number(
            spin(
                "AMAF Playouts",
                "playouts learned from under cutoff (k; none was published)",
                usual.cutoff,
                0..=1 << 40,
            ),
            |m| &mut m.cutoff,
        ),
        number(
            spin(
                "RAVE Visits",
                "visits at which AMAF's share is gone under rave (P; none was published)",
                usual.rave,
                1..=MILLION,
            ),
            |m| &mut m.rave,
        ),
        number(
            spin(
                "RAVE Equivalence",
                "visits at which AMAF's share is half under uct-rave (k; none was published)",
                usual.equivalence,
                1..=MILLION,
            ),
            |m| &mut m.equivalence,
        ),
        number(
            spin(
                "Secure Width",
                "width of the lower bound under secure, in hundredths (A; none was published)",
                usual.secure,
                0..=100_000,
            ),
            |m| &mut m.secure,
        ),
        number(
            spin(
                "Widening After",
                "visits from which widening closes moves (T; none was published)",
                usual.widening_after,
                0..=MILLION,
            ),
            |m| &mut m.widening_after,
        ),
        self::number(
            spin(
                "Widening First",
                "moves that widening leaves open; 5 was published",
                usual.widening_first,
                1..=625,
            ),
            |m| &mut m.widening_first,
        ),
        number(
            spin(
                "Widening Base",
                "visits at which the next move is opened, divided by the growth; 50 was published",
                usual.widening_base,
                1..=MILLION,
            ),
            |m| &mut m.widening_base,
        ),
        number(
            spin(
                "Widening Growth",
                "factor of visits from one opening to the next, in hundredths; 130 was published",
                usual.widening_growth,
                101..=10_000,
            ),
            |m| &mut m.widening_growth,
        ),
        self::number(
            spin(
                "Widening Threshold",
                "moves whose priors and bias have fewer playouts won over, in hundredths, are never opened",
                usual.widening_least,
                NO_THRESHOLD..=-NO_THRESHOLD,
            ),
            |m| &mut m.widening_least,
        ),
        growth(
            choice(
                "Deviation",
                "what omc and pbbm take for deviation: that of a mean, or of results, as printed",
                DEVIATIONS,
            ),
            |config| &mut config.deviation,
        ),
        number(wheel_part("Roulette Random", "random moves; 10 of 20 was published", wheel.random), |m| {
            &mut m.wheel.random
        }),
        number(
            wheel_part(
                "Roulette Proximity",
                "moves near the last one; 4 of 20 was published",
                wheel.proximity,
            ),
            |m| &mut m.wheel.proximity,
        ),
        number(
            wheel_part(
                "Roulette Inside",
                "moves off the two outer lines; 3 of 20 was published",
                wheel.inside,
            ),
            |m| &mut m.wheel.inside,
        ),
        number(
            wheel_part(
                "Roulette Move",
                "the tree's most frequent move; 2 of 20 was published",
                wheel.best_move,
            ),
            |m| &mut m.wheel.best_move,
        ),
        number(
            wheel_part("Roulette Reply", "its most frequent reply; 1 of 20 was published", wheel.best_reply),
            |m| &mut m.wheel.best_reply,
        ),
        number(
            spin(
                "Opening Stones",
                "stones that roulette-opening puts on the fourth and fifth lines; 5 to 10 was published",
                usual.opening,
                1..=100,
            ),
            |m| &mut m.opening,
        ),
        weight("Bias Capture", "a stone taken, in hundredths; capture weighs most", |w| &mut w.taken),
        weight("Bias Escape", "a stone saved, in hundredths; none was published", |w| &mut w.saved),
        weight("Bias Fight", "a liberty of the weakest enemies, in hundredths; none was published", |w| {
            &mut w.fight
        }),
        weight("Bias Pattern", "the strength of the shape, in hundredths; none was published", |w| {
            &mut w.shape
        }),
        check(
            "Bias Steps",
            "progressive bias counts steps to the last moves, not the straight distance",
            false,
        )
        .by(
            |e: &Go| e.mcts.policy.weights.by_steps,
            |e, on| {
                e.mcts.policy.weights.by_steps = on;
                e.forget();
            },
        ),
        spin(
            "Margin Share",
            "how much of a result is its margin, in percent; 0 was published",
            (tuning::MARGIN_SHARE * 100.0).round() as i64,
            0..=100,
        )
        .by(
            |e: &Go| (e.mcts.policy.margin_share * 100.0).round() as i64,
            |e, percent| {
                e.mcts.policy.margin_share = percent as f32 / 100.0;
                e.forget();
            },
        ),
        self::number(
            spin("Leaf Threads", "threads that share a leaf under root-leaf", usual.group, 1..=1024),
            |m| &mut m.group,
        ),
        self::number(
            check(
                "Leaf Abort",
                "give up playouts from a shared leaf once half are over and lost",
                usual.gives_up,
            ),
            |m| &mut m.gives_up,
        ),
    ];
    rows.into_iter().map(|row| row.meant_for(Audience::Expert)).collect()
}

const MILLION: u32 = 1_000_000;

/// A number of a method.
fn number<T: Copy + 'static>(declared: Declared<T>, of: fn(&mut Methods) -> &mut T) -> Setting<Go> {
    declared.by(
        move |e: &Go| *of(&mut e.methods.clone()),
        move |e, value| e.retell(|methods| *of(methods) = value),
    )
}

/// A part of the roulette, in parts of all of them.
fn wheel_part(name: &'static str, help: &'static str, usual: u32) -> Declared<u32> {
    spin(name, help, usual, 0..=1000)
}

/// What a part of progressive bias weighs.
fn weight(name: &'static str, help: &'static str, of: fn(&mut Weights) -> &mut f32) -> Setting<Go> {
    let get = move |mut weights: Weights| (*of(&mut weights) * 100.0).round() as i64;
    spin(name, help, get(Weights::DEFAULT), 0..=10_000).by(
        move |e: &Go| get(e.mcts.policy.weights),
        move |e, n| {
            *of(&mut e.mcts.policy.weights) = n as f32 / 100.0;
            e.forget();
        },
    )
}

/// A switch of the search.
fn switch<T: Copy + 'static>(declared: Declared<T>, of: fn(&mut Config) -> &mut T) -> Setting<Go> {
    declared
        .by(move |e: &Go| *of(&mut e.mcts.config.clone()), move |e, value| *of(&mut e.mcts.config) = value)
}

/// A switch by which trees grow.
fn growth<T: Copy + 'static>(declared: Declared<T>, of: fn(&mut Config) -> &mut T) -> Setting<Go> {
    declared.by(
        move |e: &Go| *of(&mut e.mcts.config.clone()),
        move |e, value| e.regrow(|config, _| *of(config) = value),
    )
}

/// A factor by which trees grow.
fn hundredths(
    name: &'static str,
    help: &'static str,
    most: i64,
    of: fn(&mut Config) -> &mut f32,
) -> Setting<Go> {
    let get = move |mut config: Config| (*of(&mut config) * 100.0).round() as i64;
    spin(name, help, get(tuning::config()), 0..=most).by(
        move |e: &Go| get(e.mcts.config.clone()),
        move |e, n| e.regrow(|config, _| *of(config) = n as f32 / 100.0),
    )
}

fn first_play() -> Setting<Go> {
    let help = "the value of an unvisited move, in hundredths, 110 as published; 0 to try all first; priors replace it";
    let get = |config: &Config| config.first_play.map_or(0, |value| (value * 100.0).round() as i64);
    spin("First Play", help, get(&tuning::config()), 0..=1000).by(
        move |e: &Go| get(&e.mcts.config),
        |e, n| e.regrow(|config, _| config.first_play = (n > 0).then_some(n as f32 / 100.0)),
    )
}

/// One of the heuristics of Śliwa's program.
fn heuristic(name: &'static str, help: &'static str, of: fn(&mut Heuristics) -> &mut bool) -> Setting<Go> {
    let is_on = move |mut heuristics: Heuristics| *of(&mut heuristics);
    check(name, help, is_on(Heuristics::ALL)).by(
        move |e: &Go| is_on(e.heuristics),
        move |e, on| {
            let mut heuristics = e.heuristics;
            *of(&mut heuristics) = on;
            e.set_heuristics(heuristics);
        },
    )
}

impl Go {
    /// Changes how trees grow; one that has grown otherwise is of no use.
    fn regrow(&mut self, change: impl FnOnce(&mut Config, &Methods)) {
        change(&mut self.mcts.config, &self.methods);
        self.forget();
    }

    /// Changes the numbers of methods, and tells them to those that are switched on.
    fn retell(&mut self, change: impl FnOnce(&mut Methods)) {
        change(&mut self.methods);
        let Mcts { config, policy, .. } = &mut self.mcts;
        self.methods.tell(config, policy);
        self.forget();
    }
}

#[cfg(test)]
mod tests {
    use search::{Control, Kind, Limits, Root};

    use super::*;
    use crate::{Position, Rules};

    /// Options with their values.
    type Settings = [(&'static str, &'static str)];

    /// Each number with what switches its method on and another value than the usual one.
    const NUMBERS: [(&str, &Settings, &str); 26] = [
        ("AMAF Error", &[], "10"),
        ("AMAF Alpha", &[("AMAF", "alpha")], "90"),
        ("AMAF Moves", &[("AMAF", "first")], "1"),
        ("AMAF Playouts", &[("AMAF", "cutoff")], "10"),
        ("RAVE Visits", &[("AMAF", "rave")], "10"),
        ("RAVE Equivalence", &[("AMAF", "uct-rave")], "10"),
        ("Widening After", WIDENED, "1"),
        ("Widening First", WIDENED, "1"),
        ("Widening Base", WIDENED, "1"),
        ("Widening Growth", WIDENED, "1000"),
        ("Widening Threshold", WIDENED, "100000"),
        ("Roulette Random", WHEEL, "0"),
        ("Roulette Proximity", WHEEL, "0"),
        ("Roulette Inside", WHEEL, "0"),
        ("Roulette Move", WHEEL, "0"),
        ("Roulette Reply", WHEEL, "0"),
        ("Opening Stones", &[("Playout", "roulette-opening")], "60"),
        ("Bias Capture", BIASED, "1000"),
        ("Bias Escape", BIASED, "1000"),
        ("Bias Fight", BIASED, "1000"),
        ("Bias Pattern", BIASED, "1000"),
        ("Bias Steps", BIASED, "true"),
        ("Margin Share", &[], "0"),
        ("Deviation", &[("Selection", "omc")], "results"),
        ("Secure Width", &[("Final Choice", "secure"), ("Exploration", "0")], "1000"),
        ("Leaf Threads", &[("Parallel", "root-leaf"), ("Threads", "4")], "4"),
    ];
    const WIDENED: &Settings = &[("Progressive Widening", "true")];
    const WHEEL: &Settings = &[("Playout", "roulette")];
    const BIASED: &Settings = &[("Progressive Bias", "mango")];

    /// What a search found of a position in which stones can be taken and saved.
    fn found(settings: &[(&str, &str)]) -> String {
        let mut go = Go::new();
        settings.iter().for_each(|(name, value)| go.set(name, value).unwrap());
        let rules = Rules::default().with_size(9).unwrap();
        let mut root = Root::new(Position::empty(rules));
        for vertex in ["E5", "E4", "D4", "F4", "F3", "D5", "E3", "E6"] {
            root.play_text(vertex).unwrap();
        }
        go.think(&root, &Limits::nodes(400), &Control::default(), &mut |_| {});
        // How threads meet is left to chance, how much room a tree has is not.
        let counted = if settings.iter().any(|(name, _)| *name == "Threads") {
            String::new()
        } else {
            let tried = go.considered().into_iter().filter(|line| line.visits > 0);
            tried.map(|line| format!("{} {} {:.4}, ", line.pv[0], line.visits, line.value)).collect()
        };
        format!("{counted} {}", go.search().capacity())
    }

    #[test]
    fn every_number_changes_what_its_method_finds_in_whichever_order_they_are_set() {
        for (name, with, value) in NUMBERS {
            let first: Vec<_> = [&[(name, value)], with].concat();
            let last: Vec<_> = [with, &[(name, value)]].concat();
            let changed = found(&first);
            assert_ne!(changed, found(with), "{name} has no effect");
            assert_eq!(changed, found(&last), "{name}");
        }
        let named = |name: &str| NUMBERS.iter().any(|(known, ..)| *known == name);
        // What it does hangs on which thread is the fastest; the search has a test of it.
        assert!(numbers().iter().all(|row| named(row.name) || row.name == "Leaf Abort"));
    }

    #[test]
    fn every_number_is_told_to_its_method() {
        let mut go = Go::new();
        go.set("Leaf Abort", "true").unwrap();
        assert!(go.mcts.config.gives_up);
        go.set("Final Choice", "secure").unwrap();
        go.set("Secure Width", "250").unwrap();
        assert_eq!(go.mcts.config.choice, Choice::Secure(2.5));
    }

    #[test]
    fn every_word_an_option_offers_can_be_set_and_read() {
        for row in all() {
            let mut go = Go::new();
            if let Kind::Combo { choices, .. } = &row.kind {
                for choice in choices {
                    go.set(row.name, choice).unwrap();
                    assert_eq!(row.get(&go).text(), *choice, "{}", row.name);
                }
            }
        }
    }
}
