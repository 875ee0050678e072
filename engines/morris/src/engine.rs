//! The engine as its users see it: name, options, explanations.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use search::alphabeta::{AlphaBeta, Counters};
use search::options::{self, Audience, Options, Setting, check, combo, spin};
use search::strength::FULL_LEVEL;
use search::{
    Bench, Best, Common, Control, Engine, Game, Info, Limits, MoveError, Root, Score, Search, Spelling,
};

use crate::database::Database;
use crate::eval::{Evaluation, Evaluator};
use crate::tuning::{self, SeedWeights};
use crate::{Move, Position, Rules, Weights, bench, text};

const DEFAULT: &str = "default";
const SEED: &str = "Seed";
const MOVE: &str = "MOVE";
const PRESETS: [&str; 2] = [DEFAULT, SEED];
const EVALUATIONS: [&str; 4] = [DEFAULT, "PAWN", "MILL", MOVE];

/// The engine of nine men's morris.
pub struct Morris {
    search: AlphaBeta<Evaluator>,
    rules: Rules,
    split: bool,
    evaluation: &'static str,
    weights_file: String,
    endgame_path: String,
    /// Asks no database but one that it is pointed to.
    alone: bool,
    preset: &'static str,
    /// What a user should know of the database, said with the next search.
    remarks: Vec<String>,
}

impl Morris {
    /// An engine that asks no database, whatever lies on disk.
    pub fn alone() -> Morris {
        Morris::with(Evaluator::default())
    }

    fn with(evaluator: Evaluator) -> Morris {
        Morris {
            search: AlphaBeta::new(tuning::config(), evaluator),
            rules: Rules::default(),
            split: false,
            evaluation: DEFAULT,
            weights_file: String::new(),
            endgame_path: String::new(),
            alone: true,
            preset: DEFAULT,
            remarks: Vec::new(),
        }
    }

    /// The search with its counters, for experiments.
    pub fn search(&mut self) -> &mut AlphaBeta<Evaluator> {
        &mut self.search
    }

    fn change(&mut self, change: impl FnOnce(&mut Evaluator)) {
        let mut evaluator = self.search.eval().clone();
        change(&mut evaluator);
        self.search.set_eval(evaluator);
    }

    fn set_evaluation(&mut self, name: &'static str) {
        self.evaluation = name;
        self.weights_file.clear();
        self.change(|evaluator| {
            evaluator.evaluation = match name {
                "PAWN" => Evaluation::Pawn,
                "MILL" => Evaluation::Mill,
                MOVE => Evaluation::Move,
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
        self.change(|evaluator| evaluator.evaluation = Evaluation::Default(weights));
        self.weights_file = path.to_owned();
        Ok(())
    }

    fn set_preset(&mut self, name: &'static str) -> Result<(), String> {
        let seed = name == SEED;
        self.search.set_config(if seed { tuning::seed_config() } else { tuning::config() })?;
        self.set_evaluation(if seed { MOVE } else { DEFAULT });
        self.set_rules(if seed { Rules::SEED } else { Rules::STANDARD });
        self.preset = name;
        Ok(())
    }

    fn directory(&self) -> Option<PathBuf> {
        match self.endgame_path.as_str() {
            "" if self.alone => None,
            "" => Database::default_directory(),
            path => Some(PathBuf::from(path)),
        }
    }

    fn set_endgame_path(&mut self, path: &str) -> Result<(), String> {
        if !path.is_empty() && !Path::new(path).is_dir() {
            return Err(format!("'{path}' is not a directory"));
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
        self.change(|evaluator| evaluator.database = database);
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
        Morris { alone: false, remarks, ..Morris::with(Evaluator { database, ..Evaluator::default() }) }
    }

    fn options() -> Options<Self> {
        let mut own = own_options();
        own.extend(options::techniques(|e: &Self| &e.search, |e| &mut e.search));
        options::complete(own)
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.open_database(&self.directory());
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

    fn warm_up(&mut self) {
        self.search.warm_up::<Position>();
    }

    fn explain(&mut self, root: &Root<Position>) -> String {
        let evaluator = self.search.eval();
        let score = Score(evaluator.value(root.position())).opinion();
        format!("{}Evaluation: {} cp", evaluator.explain(root.position()), score.0)
    }

    fn counters(&self) -> Option<&Counters> {
        Some(self.search.counters())
    }

    fn bench(&self, control: &Control) -> Bench {
        search::bench::run(self, Morris::alone(), &bench::POSITIONS, bench::DEPTH, control)
    }

    /// A removal may stand as a word of its own; with `SplitRemovals` it may still be missing at the end.
    fn read_moves(&self, root: &mut Root<Position>, words: &[&str]) -> Result<(), MoveError> {
        text::read_moves(root, words, self.split)
    }

    fn spelling(&self) -> Spelling<Position> {
        if self.split { text::split } else { |position, m| vec![position.write(m)] }
    }
}

fn own_options() -> Options<Morris> {
    vec![
        check("SplitRemovals", "removals are moves of their own: d6-d5, then xb4", false)
            .by(|e: &Morris| e.split, |e, on| e.split = on)
            .meant_for(Audience::Protocol),
        combo("Evaluation", "the engine's own, or one of Wozniak's", &EVALUATIONS)
            .by(|e: &Morris| e.evaluation, Morris::set_evaluation),
        options::weights_file(|e: &Morris| e.weights_file.clone(), Morris::set_weights_file),
        combo(
            "Preset",
            "rules, search and evaluation at once: the engine at its best, or Wozniak's program",
            &PRESETS,
        )
        .by(|e: &Morris| e.preset, Morris::set_preset),
        options::endgame_path(|e: &Morris| e.endgame_path.clone(), Morris::set_endgame_path),
        weight("Weight Man", "the weight of a man in PAWN, MILL and MOVE", 1, |seed| &mut seed.man),
        weight("Weight Win", "the weight of the end of the game in PAWN, MILL and MOVE", 0, |seed| {
            &mut seed.win
        }),
        weight("Weight Mill", "the weight of a mill in MILL", 0, |seed| &mut seed.mill),
        weight("Weight Move", "the weight of a possible move in MOVE", 0, |seed| &mut seed.moves),
    ]
}

/// A weight of Wozniak's evaluations, and the least it may be.
fn weight(
    name: &'static str,
    help: &'static str,
    least: i32,
    of: fn(&mut SeedWeights) -> &mut i32,
) -> Setting<Morris> {
    let get = move |mut weights: SeedWeights| *of(&mut weights);
    spin(name, help, get(SeedWeights::default()), least..=10_000).by(
        move |e: &Morris| get(e.search.eval().seed),
        move |e, n| e.change(|evaluator| *of(&mut evaluator.seed) = n),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moves of a game by Wozniak's rules and evaluation, White searching with the algorithm named.
    fn game(algorithm: &str) -> Vec<Move> {
        let engine = |algorithm: &str| {
            let mut engine = Morris::alone();
            for (name, value) in [("Preset", SEED), ("Algorithm", algorithm), ("Evaluation", "PAWN")] {
                engine.set(name, value).unwrap();
            }
            engine
        };
        let mut engines = [engine(algorithm), engine("alpha-beta")];
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
        assert_eq!(moves, game("alpha-beta"));
    }

    #[test]
    fn a_mixture_of_rules_is_told_rule_by_rule() {
        let mut engine = Morris::alone();
        for (name, value) in [("Rules", "seed"), ("Flying", "false")] {
            engine.set(name, value).unwrap();
        }
        let state = protocol::uci::write::state(&engine, &Root::new(Position::start(&engine.rules())));
        let told: Vec<&str> = state.lines().filter_map(|line| line.strip_prefix("setoption name ")).collect();
        assert_eq!(told, ["RemoveAny value true", "NoReturn value man", "Flying value false"]);
    }
}
