//! The engine as its users see it: name, options, explanations.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use search::alphabeta::AlphaBeta;
use search::options::{self, Kind, Options, Setting, Value};
use search::strength::FULL_LEVEL;
use search::{
    Bench, Best, Common, Control, Engine, Game, Info, Limits, MoveError, Root, Score, Search, Spelling,
};

use crate::database::Database;
use crate::eval::{Evaluation, Opinions};
use crate::tuning::{self, Algorithm};
use crate::{Move, NoReturn, Position, Rules, Weights, bench, text};

const DEFAULT: &str = "default";
const SEED: &str = "Seed";
const RULES: [&str; 2] = ["standard", "seed"];
const BANS: [&str; 3] = ["off", "last", "man"];
const EVALUATIONS: [&str; 4] = [DEFAULT, "PAWN", "MILL", "MOVE"];
const ALGORITHMS: [&str; 4] = [DEFAULT, "alphabeta", "ordered", "minimax"];

/// The engine of nine men's morris.
pub struct Morris {
    search: AlphaBeta<Opinions>,
    rules: Rules,
    /// The rules chosen all at once, whatever was chosen one by one since.
    rule_set: usize,
    split: bool,
    evaluation: usize,
    algorithm: usize,
    weights_file: String,
    endgame_path: String,
    preset: &'static str,
    /// What a user should know of the database, said with the next search.
    remarks: Vec<String>,
}

impl Morris {
    /// An engine that asks no database, whatever lies on disk.
    pub fn alone() -> Morris {
        Morris::with(Opinions::default())
    }

    fn with(opinions: Opinions) -> Morris {
        Morris {
            search: AlphaBeta::new(tuning::config(), opinions),
            rules: Rules::default(),
            rule_set: 0,
            split: false,
            evaluation: 0,
            algorithm: 0,
            weights_file: String::new(),
            endgame_path: String::new(),
            preset: DEFAULT,
            remarks: Vec::new(),
        }
    }

    /// The search with its counters, for experiments.
    pub fn search(&mut self) -> &mut AlphaBeta<Opinions> {
        &mut self.search
    }

    fn change(&mut self, change: impl FnOnce(&mut Opinions)) {
        let mut opinions = self.search.eval().clone();
        change(&mut opinions);
        self.search.set_eval(opinions);
    }

    fn set_evaluation(&mut self, evaluation: usize) {
        self.evaluation = evaluation;
        self.weights_file.clear();
        self.change(|opinions| {
            opinions.evaluation = match evaluation {
                1 => Evaluation::Pawn,
                2 => Evaluation::Mill,
                3 => Evaluation::Move,
                _ => Evaluation::Default(tuning::weights()),
            };
        });
    }

    fn set_weights_file(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() {
            self.set_evaluation(self.evaluation);
            return Ok(());
        }
        let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        let weights = Weights::read(&text).map_err(|error| format!("{path}: {error}"))?;
        self.change(|opinions| opinions.evaluation = Evaluation::Default(weights));
        self.weights_file = path.to_owned();
        Ok(())
    }

    fn set_algorithm(&mut self, algorithm: usize) -> Result<(), String> {
        let all = [Algorithm::Default, Algorithm::AlphaBeta, Algorithm::Ordered, Algorithm::Minimax];
        self.search.set_config(tuning::config_of(all[algorithm]))?;
        self.algorithm = algorithm;
        Ok(())
    }

    fn set_preset(&mut self, name: &'static str) -> Result<(), String> {
        let seed = name == SEED;
        self.set_algorithm(if seed { 1 } else { 0 })?;
        self.set_evaluation(if seed { 3 } else { 0 });
        self.set_rule_set(usize::from(seed));
        self.preset = name;
        Ok(())
    }

    fn set_rule_set(&mut self, rule_set: usize) {
        self.rule_set = rule_set;
        self.set_rules([Rules::STANDARD, Rules::SEED][rule_set]);
    }

    fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.open_database(&self.directory());
    }

    fn directory(&self) -> Option<PathBuf> {
        match self.endgame_path.as_str() {
            "" => Database::default_directory(),
            path => Some(PathBuf::from(path)),
        }
    }

    fn set_endgame_path(&mut self, path: &str) -> Result<(), String> {
        if !path.is_empty() && !Path::new(path).is_dir() {
            return Err(format!("'{path}' is no directory"));
        }
        self.endgame_path = path.to_owned();
        self.open_database(&self.directory());
        let found = self.search.eval().database.as_ref().map_or(0, |database| database.tables());
        if !path.is_empty() {
            self.remarks.push(format!("{found} endgame tables fit the rules in {path}"));
        }
        Ok(())
    }

    /// Opens the tables for the rules in force; refused files are named, the others used.
    fn open_database(&mut self, directory: &Option<PathBuf>) {
        let (database, refused) = open(&self.rules, directory);
        self.remarks.extend(refused);
        self.change(|opinions| opinions.database = database);
    }

    /// A drawn root known to the database is steered to where the opponent can err most. Who analyses or looks at
    /// several lines wants all moves, and a weak player sets no traps.
    fn steered(&self, root: &Root<Position>, limits: &Limits) -> Option<Limits> {
        let common = &self.search.common;
        if common.analyse || common.multipv > 1 || common.skill < FULL_LEVEL {
            return None;
        }
        let database = self.search.eval().database.as_ref()?;
        let position = root.position();
        let only = database.traps(root)?.into_iter().map(|m| position.pack(m));
        let only: Vec<u32> = only.filter(|m| limits.only.is_empty() || limits.only.contains(m)).collect();
        (!only.is_empty()).then(|| Limits { only, ..limits.clone() })
    }
}

/// The tables that fit the rules, and what is to be said of files that had to be refused.
fn open(rules: &Rules, directory: &Option<PathBuf>) -> (Option<Arc<Database>>, Vec<String>) {
    let Some(directory) = directory else { return (None, Vec::new()) };
    let (database, refused) = Database::open(rules, directory);
    (database.map(Arc::new), refused.iter().map(ToString::to_string).collect())
}

/// The number of a choice.
fn chosen(choices: &[&str], value: &Value) -> usize {
    choices.iter().position(|&choice| choice == value.text()).unwrap_or(0)
}

impl Search<Position> for Morris {
    fn think(
        &mut self,
        root: &Root<Position>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<Move>),
    ) -> Best<Move> {
        for remark in self.remarks.drain(..) {
            report(&Info::Text(remark));
        }
        let limits = self.steered(root, limits).unwrap_or_else(|| limits.clone());
        let best = self.search.think(root, &limits, control, report);
        let damage = self.search.eval().database.as_ref().map(|database| database.damage());
        for error in damage.into_iter().flatten() {
            report(&Info::Text(error.to_string()));
        }
        best
    }

    fn forget(&mut self) {
        Search::<Position>::forget(&mut self.search);
    }
}

impl Engine for Morris {
    type Game = Position;

    const NAME: &'static str = "Quintet Morris";

    fn new() -> Self {
        // The tables come first: changing an engine's opinions empties its hash table, which takes a while.
        let (database, remarks) = open(&Rules::default(), &Database::default_directory());
        Morris { remarks, ..Morris::with(Opinions { database, ..Opinions::default() }) }
    }

    fn options() -> Options<Self> {
        options::common().into_iter().chain(rule_options()).chain(own_options()).collect()
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn common(&self) -> &Common {
        &self.search.common
    }

    fn common_mut(&mut self) -> &mut Common {
        &mut self.search.common
    }

    fn resize(&mut self, mib: usize) -> Result<(), String> {
        self.search.resize(mib)
    }

    fn explain(&mut self, root: &Root<Position>) -> String {
        let opinions = self.search.eval();
        let score = Score(opinions.value(root.position())).opinion();
        format!("{}Evaluation: {} cp", opinions.explain(root.position()), score.0)
    }

    fn bench(&self, control: &Control) -> Bench {
        bench::run(control)
    }

    /// A removal may stand as a word of its own; with `SplitRemovals` it may still be missing at the end.
    fn read_moves(&self, root: &mut Root<Position>, words: &[&str]) -> Result<(), MoveError> {
        text::read_moves(root, words, self.split)
    }

    fn spelling(&self) -> Spelling<Position> {
        if self.split { text::split } else { |position, m| vec![position.write(m)] }
    }
}

fn rule_options() -> Vec<Setting<Morris>> {
    vec![
        Setting {
            name: "Rules",
            kind: Kind::Combo { default: "standard", choices: &RULES },
            help: "all rules at once: those the world plays, or those of the source",
            get: |e| Value::Text(RULES[e.rule_set].to_owned()),
            set: |e, v| {
                e.set_rule_set(chosen(&RULES, &v));
                Ok(())
            },
        },
        Setting {
            name: "RemoveAny",
            kind: Kind::Check { default: false },
            help: "a mill may remove men that stand in mills",
            get: |e| Value::Check(e.rules.remove_any),
            set: |e, v| {
                e.set_rules(Rules { remove_any: v.is_on(), ..e.rules });
                Ok(())
            },
        },
        Setting {
            name: "NoReturn",
            kind: Kind::Combo { default: "off", choices: &BANS },
            help: "a man may not return to where it came from: on the next turn, or until it moved elsewhere",
            get: |e| Value::Text(BANS[e.rules.no_return as usize].to_owned()),
            set: |e, v| {
                let no_return = [NoReturn::Off, NoReturn::Last, NoReturn::Man][chosen(&BANS, &v)];
                e.set_rules(Rules { no_return, ..e.rules });
                Ok(())
            },
        },
        Setting {
            name: "DoubleRemoval",
            kind: Kind::Check { default: false },
            help: "closing two mills at once removes two men",
            get: |e| Value::Check(e.rules.double_removal),
            set: |e, v| {
                e.set_rules(Rules { double_removal: v.is_on(), ..e.rules });
                Ok(())
            },
        },
        Setting {
            name: "Flying",
            kind: Kind::Check { default: true },
            help: "three men may move anywhere",
            get: |e| Value::Check(e.rules.flying),
            set: |e, v| {
                e.set_rules(Rules { flying: v.is_on(), ..e.rules });
                Ok(())
            },
        },
        Setting {
            name: "QuietLimit",
            kind: Kind::Spin { default: 100, min: 0, max: 1000 },
            help: "plies without a removal that draw the game; 0 for no limit",
            get: |e| Value::Spin(i64::from(e.rules.quiet_limit)),
            set: |e, v| {
                e.set_rules(Rules { quiet_limit: v.number() as u16, ..e.rules });
                Ok(())
            },
        },
        Setting {
            name: "SplitRemovals",
            kind: Kind::Check { default: false },
            help: "a removal is a move of its own: answered d6-d5, then xb4",
            get: |e| Value::Check(e.split),
            set: |e, v| {
                e.split = v.is_on();
                Ok(())
            },
        },
    ]
}

fn own_options() -> Vec<Setting<Morris>> {
    let mut options: Vec<Setting<Morris>> = vec![
        Setting {
            name: "Evaluation",
            kind: Kind::Combo { default: DEFAULT, choices: &EVALUATIONS },
            help: "the engine's own, or one of the source's",
            get: |e| Value::Text(EVALUATIONS[e.evaluation].to_owned()),
            set: |e, v| {
                e.set_evaluation(chosen(&EVALUATIONS, &v));
                Ok(())
            },
        },
        Setting {
            name: "Weights File",
            kind: Kind::Text { default: "" },
            help: "weights read from a file; overrides Evaluation",
            get: |e| Value::Text(e.weights_file.clone()),
            set: |e, v| e.set_weights_file(v.text()),
        },
        Setting {
            name: "Algorithm",
            kind: Kind::Combo { default: DEFAULT, choices: &ALGORITHMS },
            help: "the engine's own search, or the source's: alpha-beta, the same with ordered children, min-max",
            get: |e| Value::Text(ALGORITHMS[e.algorithm].to_owned()),
            set: |e, v| e.set_algorithm(chosen(&ALGORITHMS, &v)),
        },
        Setting {
            name: "Preset",
            kind: Kind::Combo { default: DEFAULT, choices: &[DEFAULT, SEED] },
            help: "rules, search and evaluation at once: the engine at its best, or the program of the source",
            get: |e| Value::Text(e.preset.to_owned()),
            set: |e, v| e.set_preset([DEFAULT, SEED][chosen(&[DEFAULT, SEED], &v)]),
        },
        Setting {
            name: "EndgamePath",
            kind: Kind::Text { default: "" },
            help: "directory of the endgame databases; empty for that of quintet build",
            get: |e| Value::Text(e.endgame_path.clone()),
            set: |e, v| e.set_endgame_path(v.text()),
        },
    ];
    options.extend(weight_options());
    options
}

/// The weights of the source's evaluations.
fn weight_options() -> Vec<Setting<Morris>> {
    let spin = |default: i64| Kind::Spin { default, min: 0, max: 10_000 };
    let defaults = tuning::SeedWeights::default();
    vec![
        Setting {
            name: "Weight Man",
            kind: Kind::Spin { default: i64::from(defaults.man), min: 1, max: 10_000 },
            help: "of a man in PAWN, MILL and MOVE",
            get: |e| Value::Spin(i64::from(e.search.eval().seed.man)),
            set: |e, v| {
                e.change(|opinions| opinions.seed.man = v.number() as i32);
                Ok(())
            },
        },
        Setting {
            name: "Weight Win",
            kind: spin(i64::from(defaults.win)),
            help: "of the end of the game in PAWN, MILL and MOVE",
            get: |e| Value::Spin(i64::from(e.search.eval().seed.win)),
            set: |e, v| {
                e.change(|opinions| opinions.seed.win = v.number() as i32);
                Ok(())
            },
        },
        Setting {
            name: "Weight Mill",
            kind: spin(i64::from(defaults.mill)),
            help: "of a mill in MILL",
            get: |e| Value::Spin(i64::from(e.search.eval().seed.mill)),
            set: |e, v| {
                e.change(|opinions| opinions.seed.mill = v.number() as i32);
                Ok(())
            },
        },
        Setting {
            name: "Weight Move",
            kind: spin(i64::from(defaults.moves)),
            help: "of a possible move in MOVE",
            get: |e| Value::Spin(i64::from(e.search.eval().seed.moves)),
            set: |e, v| {
                e.change(|opinions| opinions.seed.moves = v.number() as i32);
                Ok(())
            },
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moves of a game by the source's rules and evaluation, White searching with the algorithm named.
    fn game(algorithm: &str) -> Vec<Move> {
        let engine = |algorithm: &str| {
            let mut engine = Morris::alone();
            for (name, value) in [("Preset", SEED), ("Algorithm", algorithm), ("Evaluation", "PAWN")] {
                engine.set(name, value).unwrap();
            }
            engine
        };
        let mut engines = [engine(algorithm), engine("alphabeta")];
        let mut root = Root::new(Position::start(&engines[0].rules()));
        while root.outcome().is_none() {
            let engine = &mut engines[root.position().turn().index()];
            let best = engine.think(&root, &Limits::depth(2), &Control::default(), &mut |_| {});
            root.play(best.best.unwrap());
        }
        root.moves().to_vec()
    }

    #[test]
    fn min_max_and_alpha_beta_choose_the_same_moves_at_every_turn() {
        let moves = game("minimax");
        assert!(moves.len() > 30);
        assert_eq!(moves, game("alphabeta"));
    }
}
