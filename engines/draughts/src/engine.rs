//! The engine as its users see it: name, options, explanations.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use search::alphabeta::{AlphaBeta, Counters};
use search::options::{self, Options, combo, spin, text};
use search::{Bench, Best, Common, Control, Engine, Info, Limits, Random, Root, Search};

use crate::book::Book;
use crate::endgame::Database;
use crate::eval::{Evaluation, Evaluator, Learned, Patterns};
use crate::{Move, Position, Rules, bench, tuning};

const DEFAULT: &str = "default";
const MATERIAL: &str = "material";
const EVALUATIONS: [&str; 2] = [DEFAULT, MATERIAL];
const LITTLE_POLISH: &str = "Little Polish";
const PRESETS: [&str; 2] = [DEFAULT, LITTLE_POLISH];

/// The draughts engine.
pub struct Draughts {
    search: AlphaBeta<Evaluator>,
    patterns: Arc<Patterns>,
    rules: Rules,
    evaluation: &'static str,
    weights_file: String,
    preset: &'static str,
    endgame_path: String,
    /// Asks no databases but those that it is pointed to, and so is the same on every machine.
    bare: bool,
    /// The databases are opened when a search first needs them: who only asks for the name need not wait.
    opened: bool,
    own_book: bool,
    book_file: String,
    book: Book,
    random: Random,
    /// What the user will be told when the next search begins.
    remarks: Vec<String>,
}

impl Draughts {
    /// An engine without databases, whatever lies on disk.
    pub fn bare() -> Draughts {
        let patterns = Arc::new(Patterns::built_in());
        let evaluation = Evaluation::Patterns(Arc::clone(&patterns));
        let evaluator = Evaluator { evaluation, database: None };
        Draughts {
            search: AlphaBeta::new(tuning::config(), evaluator),
            patterns,
            rules: Rules::default(),
            evaluation: DEFAULT,
            weights_file: String::new(),
            preset: DEFAULT,
            endgame_path: String::new(),
            bare: true,
            opened: true,
            own_book: false,
            book_file: String::new(),
            book: Book::default(),
            random: Random::new(1),
            remarks: Vec::new(),
        }
    }

    /// The search with its counters, for experiments.
    pub fn search(&mut self) -> &mut AlphaBeta<Evaluator> {
        &mut self.search
    }

    /// Plays by these weights.
    pub fn set_patterns(&mut self, patterns: Patterns) {
        self.play_by(Evaluation::Patterns(Arc::new(patterns)));
    }

    fn set_evaluation(&mut self, name: &'static str) {
        self.evaluation = name;
        let evaluation = if name == MATERIAL {
            Evaluation::Material
        } else {
            Evaluation::Patterns(Arc::clone(&self.patterns))
        };
        self.play_by(evaluation);
    }

    fn play_by(&mut self, evaluation: Evaluation) {
        let evaluator = Evaluator { evaluation, ..self.search.eval().clone() };
        self.search.set_eval(evaluator);
    }

    fn set_endgame_path(&mut self, path: &str) -> Result<(), String> {
        if !path.is_empty() && !Path::new(path).is_dir() {
            return Err(format!("'{path}' is not a directory"));
        }
        self.endgame_path = path.to_owned();
        self.opened = false;
        Ok(())
    }

    fn set_book_file(&mut self, path: &str) -> Result<(), String> {
        self.book = if path.is_empty() {
            Book::default()
        } else {
            let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
            Book::read(&text).map_err(|error| format!("{path}: {error}"))?
        };
        self.book_file = path.to_owned();
        Ok(())
    }

    /// The book's move, where the user wants one and is in a game.
    fn book_move(&mut self, root: &Root<Position>, limits: &Limits) -> Option<Move> {
        let wanted =
            self.own_book && !limits.waits() && limits.only.is_empty() && !self.search.common.analyse;
        if wanted { self.book.choose(root, &mut self.random) } else { None }
    }

    /// Opens the databases of the variant in force; refused files are named, the others used.
    fn open_database(&mut self) {
        self.opened = true;
        let directory = match self.endgame_path.as_str() {
            "" if self.bare => None,
            "" => search::data::directory().map(|data| data.join("endgame")),
            path => Some(PathBuf::from(path)),
        };
        let opened = directory.map(|directory| Database::open(self.rules.variant, &directory));
        let database = opened.and_then(|(database, refused)| {
            self.remarks.extend(refused.iter().map(ToString::to_string));
            (database.pieces() > 0).then_some(database)
        });
        if let Some(database) = &database {
            let (complete, pieces) = (database.complete(), database.pieces());
            let known = match complete {
                _ if complete == pieces => format!("endgames of up to {pieces} pieces are known"),
                // One piece makes no ending.
                ..2 => format!("some endgames of up to {pieces} pieces are known"),
                _ => format!("some endgames of up to {pieces} pieces are known, all of up to {complete}"),
            };
            self.remarks.push(known);
        }
        // Changing opinions empties the table, which takes a while.
        if database.is_some() || self.search.eval().database.is_some() {
            let evaluator = Evaluator { database, ..self.search.eval().clone() };
            self.search.set_eval(evaluator);
        }
    }

    fn set_weights_file(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() {
            self.set_evaluation(self.evaluation);
        } else {
            let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
            let evaluation = read_evaluation(&bytes).map_err(|why| format!("{path}: {why}"))?;
            self.play_by(evaluation);
        }
        self.weights_file = path.to_owned();
        Ok(())
    }

    fn set_preset(&mut self, name: &'static str) -> Result<(), String> {
        self.preset = name;
        self.weights_file.clear();
        self.own_book = name == LITTLE_POLISH;
        if name == LITTLE_POLISH {
            self.search.set_config(tuning::little_polish_config())?;
            self.search.set_entries(tuning::LITTLE_POLISH_ENTRIES)?;
            self.set_evaluation(MATERIAL);
        } else {
            self.search.set_config(tuning::config())?;
            self.search.resize(self.search.common.hash)?;
            self.set_evaluation(DEFAULT);
        }
        Ok(())
    }
}

/// What a file of learned values holds: patterns, configurations or a perceptron.
fn read_evaluation(bytes: &[u8]) -> Result<Evaluation, String> {
    let learned = std::str::from_utf8(bytes).ok().and_then(Learned::read);
    match learned {
        Some(learned) => learned.map(|learned| Evaluation::Learned(Arc::new(learned))),
        None => Patterns::read(bytes)
            .map(|patterns| Evaluation::Patterns(Arc::new(patterns)))
            .map_err(|error| error.to_string()),
    }
}

impl Search<Position> for Draughts {
    fn think(
        &mut self,
        root: &Root<Position>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<Move>),
    ) -> Best<Move> {
        if !self.opened {
            self.open_database();
        }
        for remark in self.remarks.drain(..) {
            report(&Info::Text(remark));
        }
        if self.own_book && self.book_file.is_empty() && root.moves().len() < 2 {
            report(&Info::Text(options::NO_BOOK.to_owned()));
        }
        if let Some(m) = self.book_move(root, limits) {
            report(&Info::Text("a book move".to_owned()));
            return Best { best: Some(m), ponder: None };
        }
        let best = self.search.think(root, limits, control, report);
        let damage = self.search.eval().database.as_ref().map(Database::damage);
        for error in damage.into_iter().flatten() {
            report(&Info::Text(error.to_string()));
        }
        best
    }

    fn forget(&mut self) {
        // A game is about to begin, and no clock runs yet.
        if !self.opened {
            self.open_database();
        }
        Search::<Position>::forget(&mut self.search);
    }
}

impl Engine for Draughts {
    type Game = Position;

    const NAME: &'static str = "Quintet Draughts";

    fn new() -> Self {
        Draughts { bare: false, opened: false, ..Draughts::bare() }
    }

    fn options() -> Options<Self> {
        let mut own = vec![
            combo("Evaluation", "learned patterns, or Beling's count of men and kings", &EVALUATIONS).by(
                |e: &Self| e.evaluation,
                |e, name| {
                    e.weights_file.clear();
                    e.set_evaluation(name);
                },
            ),
            options::weights_file(|e: &Self| e.weights_file.clone(), Self::set_weights_file),
            options::preset(&PRESETS, |e: &Self| e.preset, Self::set_preset),
            options::endgame_path(|e: &Self| e.endgame_path.clone(), Self::set_endgame_path),
            spin(
                "DrawReduction",
                "reduce the search of database draws by this many plies; -1 accepts them at once",
                tuning::DRAW_REDUCTION,
                -1..=30,
            )
            .by(
                |e: &Self| e.search.config().draw_reduction.unwrap_or(-1),
                |e, plies| e.search.set_draw_reduction((plies >= 0).then_some(plies)),
            ),
            options::own_book(|e: &Self| e.own_book, |e, on| e.own_book = on),
            text("Book File", "an opening book written by quintet build book", "")
                .by(|e: &Self| e.book_file.clone(), |e, path| e.set_book_file(&path)),
        ];
        own.extend(options::techniques(|e: &Self| &e.search, |e| &mut e.search));
        options::complete(own)
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    /// Other rules make other values of the same positions.
    fn set_rules(&mut self, rules: Rules) {
        let other_game = rules.variant != self.rules.variant;
        if rules != self.rules {
            self.rules = rules;
            self.opened &= !other_game;
            self.forget();
        }
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
        let value = eval.value(root.position());
        format!("{}Evaluation: {} cp", eval.explain(root.position()), value.0)
    }

    fn counters(&self) -> Option<&Counters> {
        Some(self.search.counters())
    }

    fn bench(&self, control: &Control) -> Bench {
        search::bench::run(self, Draughts::bare(), &bench::POSITIONS, bench::DEPTH, control)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Game;
    use search::walk::open_walk;

    /// Mean nodes above the horizon to depth 10, one position for each number of random moves from 6 to 40.
    fn mean_nodes(preset: &str) -> u64 {
        let mut engine = Draughts::bare();
        engine.set("Preset", preset).unwrap();
        let nodes = (0..35).map(|i| {
            let start = Position::start(&Rules::default());
            let root = open_walk(&start, 6 + i as usize, &mut Random::new(i));
            engine.forget();
            engine.think(&root, &Limits::depth(10), &Control::default(), &mut |_| {});
            let counters = engine.search().counters();
            counters.nodes() - counters.quiescence
        });
        nodes.sum::<u64>() / 35
    }

    #[test]
    fn little_polish_visits_about_as_many_nodes_as_its_source() {
        // The source's 29 043 at depth 10, without a database, is a mean of 8750 positions: so few differ more than the
        // bench may.
        let source = mean_nodes(LITTLE_POLISH);
        assert!((29_043 * 65 / 100..29_043 * 135 / 100).contains(&source), "{source}");
        assert!(mean_nodes(DEFAULT) < source);
    }
}
