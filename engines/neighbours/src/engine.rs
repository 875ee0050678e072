//! The engine as its users see it: name, options, explanations.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use search::alphabeta::{AlphaBeta, Counters};
use search::options::{self, Options, combo};
use search::{Bench, Best, Common, Control, Engine, Game, Info, Limits, Root, Search, Side};

use crate::database::Database;
use crate::tuning::DEFAULT;
use crate::{Evaluator, Move, Position, Rules, bench, tuning};

const EVALUATIONS: [&str; 5] = [DEFAULT, "basic", "set1", "set2", "set3"];
const THESIS: &str = "Thesis";
const PRESETS: [&str; 2] = [DEFAULT, THESIS];

/// The Neighbours engine.
pub struct Neighbours {
    search: AlphaBeta<Evaluator>,
    rules: Rules,
    evaluation: &'static str,
    weights_file: String,
    preset: &'static str,
    /// The player at the root of the last search.
    agent: Option<Side>,
    endgame_path: String,
    /// Asks no database but one that it is pointed to.
    alone: bool,
    /// What a user should know of the database, said with the next search.
    remarks: Vec<String>,
}

impl Neighbours {
    /// An engine that asks no database, whatever lies on disk.
    pub fn alone() -> Neighbours {
        Neighbours {
            search: AlphaBeta::new(
                tuning::config(),
                tuning::evaluator(DEFAULT).expect("every choice is an evaluation"),
            ),
            rules: Rules::default(),
            evaluation: DEFAULT,
            weights_file: String::new(),
            preset: DEFAULT,
            agent: None,
            endgame_path: String::new(),
            alone: true,
            remarks: Vec::new(),
        }
    }

    /// The search with its counters, for experiments.
    pub fn search(&mut self) -> &mut AlphaBeta<Evaluator> {
        &mut self.search
    }

    /// Changes the opinions, not what is known.
    fn set_eval(&mut self, mut evaluator: Evaluator) {
        evaluator.database.clone_from(&self.search.eval().database);
        self.search.set_eval(evaluator);
    }

    fn set_evaluation(&mut self, name: &'static str) {
        self.evaluation = name;
        self.set_eval(tuning::evaluator(name).expect("every choice is an evaluation"));
    }

    fn directory(&self) -> Option<PathBuf> {
        match self.endgame_path.as_str() {
            "" if self.alone => None,
            "" => search::data::directory().map(|data| data.join("endgame")),
            path => Some(PathBuf::from(path)),
        }
    }

    fn set_endgame_path(&mut self, path: &str) -> Result<(), String> {
        if !path.is_empty() && !Path::new(path).is_dir() {
            return Err(format!("'{path}' is not a directory"));
        }
        self.endgame_path = path.to_owned();
        self.open_database();
        let found = self.search.eval().database.as_ref().map_or(0, |database| database.tables());
        if !path.is_empty() {
            self.remarks.push(format!("{found} endgame tables fit the board in {path}"));
        }
        Ok(())
    }

    /// Opens the tables for the board in use; refused files are named, the others used. The thesis's program has none.
    fn open_database(&mut self) {
        let directory = self.directory().filter(|_| self.preset == DEFAULT);
        let opened = directory.map(|directory| Database::open(self.rules, &directory));
        let (database, refused) = opened.unwrap_or_default();
        self.remarks.extend(refused.iter().map(ToString::to_string));
        if database.is_some() || self.search.eval().database.is_some() {
            let mut evaluator = self.search.eval().clone();
            evaluator.database = database.map(Arc::new);
            self.search.set_eval(evaluator);
        }
    }

    fn set_weights_file(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() {
            self.set_evaluation(self.evaluation);
        } else {
            let text =
                std::fs::read_to_string(Path::new(path)).map_err(|error| format!("{path}: {error}"))?;
            let evaluator = Evaluator::read(&text).map_err(|error| format!("{path}: {error}"))?;
            self.set_eval(evaluator);
        }
        self.weights_file = path.to_owned();
        Ok(())
    }

    fn set_preset(&mut self, name: &'static str) -> Result<(), String> {
        self.preset = name;
        self.weights_file.clear();
        if name == THESIS {
            self.search.set_config(tuning::thesis_config())?;
            self.search.set_entries(tuning::THESIS_ENTRIES)?;
            self.set_evaluation("set2");
        } else {
            self.search.set_config(tuning::config())?;
            self.search.resize(self.search.common.hash)?;
            self.set_evaluation(DEFAULT);
        }
        self.open_database();
        Ok(())
    }
}

impl Search<Position> for Neighbours {
    fn think(
        &mut self,
        root: &Root<Position>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<Move>),
    ) -> Best<Move> {
        let agent = root.position().turn();
        let before = self.agent.replace(agent);
        // What the table keeps of such a search is the other player's opinion.
        if self.search.eval().is_the_agents() && before.is_some_and(|side| side != agent) {
            self.forget();
        }
        for remark in self.remarks.drain(..) {
            report(&Info::Text(remark));
        }
        let best = self.search.think(root, limits, control, report);
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

impl Engine for Neighbours {
    type Game = Position;

    const NAME: &'static str = "Quintet Neighbours";

    fn new() -> Self {
        let mut engine = Neighbours { alone: false, ..Neighbours::alone() };
        engine.open_database();
        engine
    }

    fn options() -> Options<Self> {
        let mut own = vec![
            combo(
                "Evaluation",
                "the engine's own weights, or those of one of Skoulakis's sets of terms",
                &EVALUATIONS,
            )
            .by(
                |e: &Self| e.evaluation,
                |e, name| {
                    e.weights_file.clear();
                    e.set_evaluation(name);
                },
            ),
            options::weights_file(|e: &Self| e.weights_file.clone(), Self::set_weights_file),
            options::preset(&PRESETS, |e: &Self| e.preset, Self::set_preset),
            options::endgame_path(|e: &Self| e.endgame_path.clone(), Self::set_endgame_path),
        ];
        own.extend(options::techniques(|e: &Self| &e.search, |e| &mut e.search));
        options::complete(own)
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.open_database();
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
        let eval = self.search.eval();
        let position = root.position();
        let value = eval.value(position, position.turn());
        format!("{}Evaluation: {} cp", eval.explain(position), value.0)
    }

    fn counters(&self) -> Option<&Counters> {
        Some(self.search.counters())
    }

    fn bench(&self, control: &Control) -> Bench {
        search::bench::run(self, Neighbours::alone(), &bench::POSITIONS, bench::DEPTH, control)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const POSITIONS: [&str; 3] = [
        "bbbbbbbb/8/8/8/8/8/8/wwwwwwww w 0",
        "6b1/6b1/5b2/8/5b2/2w3w1/3ww3/8 b 12",
        "8/3bb3/2b3b1/5w2/8/5w2/6w1/6w1 w 55",
    ];

    /// What an evaluation says of the test positions, term by term.
    fn opinions(evaluator: &Evaluator) -> Vec<String> {
        let read = |fen: &&str| Position::read(&Rules::default(), fen).unwrap();
        let positions: Vec<Position> = POSITIONS.iter().map(read).collect();
        positions
            .iter()
            .map(|p| format!("{}{:?}", evaluator.explain(p), evaluator.value(p, p.turn())))
            .collect()
    }

    #[test]
    fn every_weight_file_of_the_tree_is_in_play_under_its_name() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("learned");
        let mut seen = Vec::new();
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let text = fs::read_to_string(&path).unwrap();
            assert!(
                text.starts_with("# Learned by `quintet learn neighbours "),
                "{name} says where it is from"
            );
            let mut engine = Neighbours::alone();
            engine.set("Evaluation", "basic").unwrap();
            engine.set("Evaluation", &name).unwrap();
            assert_eq!(opinions(engine.search.eval()), opinions(&Evaluator::read(&text).unwrap()), "{name}");
            if name == DEFAULT {
                assert_eq!(opinions(Neighbours::alone().search.eval()), opinions(engine.search.eval()));
            }
            seen.push(name);
        }
        seen.sort();
        assert_eq!(seen, ["basic", "default", "set1", "set2", "set3"]);
    }

    #[test]
    fn what_was_thought_for_one_player_does_not_count_for_the_other() {
        let engine = || {
            let mut engine = Neighbours::alone();
            engine.set("Evaluation", "set2").unwrap();
            engine
        };
        let think = |engine: &mut Neighbours, root: &Root<Position>| {
            let (best, lines) = engine.ask(root, &Limits::depth(5));
            (best.best.unwrap(), lines.last().unwrap().nodes)
        };
        let (mut both, mut root) = (engine(), Root::new(Position::start(&Rules::default())));
        let (best, _) = think(&mut both, &root);
        root.play(best);
        assert_eq!(think(&mut both, &root), think(&mut engine(), &root));
    }

    #[test]
    fn a_bad_weight_file_is_refused_by_name_and_line_and_changes_nothing() {
        let path = std::env::temp_dir().join(format!("neighbours-{}.txt", std::process::id()));
        let good = include_str!("../learned/default.txt");
        let mut engine = Neighbours::alone();
        let before = opinions(engine.search.eval());
        let mut lines: Vec<&str> = good.lines().collect();
        lines[2] = "us-safe-stuck-a1 1/2 NaN/0";
        for (text, why) in [
            (lines.join("\n"), "line 3: 'NaN/0' is not a pair of weights"),
            (good.replace("us-reach", "us-rich"), "no row of patterns is called 'us-rich'"),
            (good[..good.len() / 2].to_owned(), "line "),
            (String::new(), "the file is empty"),
        ] {
            fs::write(&path, text).unwrap();
            let error = engine.set("Weights File", path.to_str().unwrap()).unwrap_err().to_string();
            assert!(error.contains(why) && error.contains(path.to_str().unwrap()), "{error}");
            assert_eq!(opinions(engine.search.eval()), before);
        }
        fs::remove_file(&path).unwrap();
        assert!(engine.set("Weights File", path.to_str().unwrap()).is_err());
        assert_eq!(opinions(engine.search.eval()), before);
    }
}
