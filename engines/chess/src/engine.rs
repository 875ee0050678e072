//! The engine as its users see it: name, options, explanations.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use ::search::alphabeta::{Algorithm, AlphaBeta, Choice, Counters};
use ::search::options::{self, Audience, Options, check, combo, spin, text};
use ::search::tunable::{Tunable, Tunables};
use ::search::{
    Bench, Best, Bound, Common, Control, Engine, Eval, Info, Limits, Line, Root, Score, Search, Strength,
};

use crate::book::Book;
use crate::eval::{Evaluation, Evaluator, endgames};
use crate::learn::chances::shown;
use crate::queem;
use crate::search::{Config, Searcher};
use crate::syzygy::{self, Tablebases};
use crate::tuning::search::Numbers;
use crate::tuning::strength::{self, ELO};
use crate::{Move, Position, Rules, bench, tuning};

const DEFAULT: &str = "default";
const THESIS: &str = "thesis";
const QUEEM: &str = "Queem";
const CLASSICAL: &str = "classical";
const EVALUATIONS: [&str; 2] = [CLASSICAL, THESIS];
const PRESETS: [&str; 2] = [DEFAULT, QUEEM];
const ABOUT: &str = "Quintet Chess, by the Quintet authors, GPL-3.0-or-later";

/// The chess engine.
pub struct Chess {
    searcher: Searcher,
    /// The source's program, while its preset is chosen.
    queem: Option<AlphaBeta<Evaluator>>,
    rules: Rules,
    evaluation: &'static str,
    /// The evaluator of the weights file or the network file, whichever was named last, while there is one.
    loaded: Option<Evaluator>,
    weights_file: String,
    network_file: String,
    preset: &'static str,
    /// Techniques of the engine's own search that the user switched off.
    switched_off: String,
    limit_strength: bool,
    elo: i64,
    show_wdl: bool,
    opponent: String,
    own_book: bool,
    /// It is still to be said if there is no book.
    bookless: bool,
    book_file: String,
    book: Option<Book>,
    syzygy_path: String,
    syzygy: syzygy::Rules,
    /// What is wrong with the path of the tables, until it is told.
    remarks: Vec<String>,
}

impl Chess {
    /// The search with its switches, for experiments.
    pub fn searcher(&mut self) -> &mut Searcher {
        &mut self.searcher
    }

    fn set_evaluation(&mut self, name: &'static str) -> Result<(), String> {
        self.evaluation = name;
        self.hand_out_evaluator()
    }

    fn set_weights_file(&mut self, path: &str) -> Result<(), String> {
        self.load(path, |e| &mut e.weights_file, tuning::read_evaluator)
    }

    fn set_network_file(&mut self, path: &str) -> Result<(), String> {
        self.load(path, |e| &mut e.network_file, tuning::read_network)
    }

    /// Plays by the evaluator of a file, and no other.
    fn load(
        &mut self,
        path: &str,
        option: fn(&mut Chess) -> &mut String,
        read: fn(&Path) -> Result<Evaluator, String>,
    ) -> Result<(), String> {
        // Some send all options before every game: no file of one kind does not take that of the other away.
        if path.is_empty() && option(self).is_empty() {
            return Ok(());
        }
        self.loaded = if path.is_empty() { None } else { Some(read(Path::new(path))?) };
        self.weights_file.clear();
        self.network_file.clear();
        path.clone_into(option(self));
        self.hand_out_evaluator()
    }

    /// Gives the players the evaluator that was chosen; that of a file comes first.
    fn hand_out_evaluator(&mut self) -> Result<(), String> {
        let evaluation = if self.evaluation == THESIS { Evaluation::Thesis } else { Evaluation::Full };
        let evaluator = self.loaded.clone().unwrap_or_else(|| tuning::evaluator(evaluation));
        if let Some(queem) = &mut self.queem {
            queem.set_eval(evaluator.clone());
        }
        self.searcher.set_eval(evaluator);
        Ok(())
    }

    fn set_preset(&mut self, name: &'static str) -> Result<(), String> {
        self.preset = name;
        self.queem = (name == QUEEM).then(|| queem::player(tuning::evaluator(Evaluation::Thesis)));
        if let Some(queem) = &mut self.queem {
            queem.resize(self.searcher.common.hash)?;
        }
        self.searcher.set_config(Config::default());
        self.switched_off.clear();
        self.weights_file.clear();
        self.network_file.clear();
        self.loaded = None;
        self.set_evaluation(if name == QUEEM { THESIS } else { CLASSICAL })
    }

    /// What the user changed about the search.
    fn choice(&self) -> Choice {
        match &self.queem {
            Some(queem) => queem.choice().clone(),
            None => Choice { off: self.switched_off.clone(), ..Choice::default() },
        }
    }

    /// Changes it; what is refused changes nothing.
    fn choose(&mut self, choice: Choice) -> Result<(), String> {
        if let Some(queem) = &mut self.queem {
            return queem.choose::<Position>(choice);
        }
        if choice.algorithm != Algorithm::Default {
            return Err(format!("only Preset {QUEEM} has algorithms to choose from"));
        }
        let config = Config::switched(&choice.off, &choice.on).map_err(|error| error.to_string())?;
        self.switched_off = choice.off;
        self.searcher.set_config(config);
        Ok(())
    }

    fn set_book(&mut self, path: &str) -> Result<(), String> {
        self.book = match path {
            "" => None,
            path => Some(Book::open(Path::new(path)).map_err(|error| format!("{path}: {error}"))?),
        };
        self.book_file = path.to_owned();
        Ok(())
    }

    /// Opens the tables of another path; what is wrong with it is told at the next search and no reason to refuse it.
    fn set_tables(&mut self, path: &str) {
        // Some send all options before every game.
        if path == self.syzygy_path {
            return;
        }
        self.syzygy_path = path.to_owned();
        self.remarks.clear();
        self.searcher.tablebases = Tablebases::open(path, self.syzygy, &mut self.remarks);
    }

    fn set_table_rules(&mut self, rules: syzygy::Rules) {
        self.syzygy = rules;
        if let Some(tables) = &mut self.searcher.tablebases {
            tables.rules = rules;
        }
    }

    /// A move of the book, if one is used and knows the position.
    fn book_move(&self, root: &Root<Position>, limits: &Limits) -> Option<Move> {
        let analyses = limits.waits() || !limits.only.is_empty() || self.searcher.common.analyse;
        if !self.own_book || analyses || root.outcome().is_some() {
            return None;
        }
        self.book.as_ref()?.choose(root, self.searcher.luck)
    }
}

impl Search<Position> for Chess {
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
        if std::mem::take(&mut self.bookless) && self.book.is_none() {
            report(&Info::Text(options::BOOKLESS.to_owned()));
        }
        if let Some(m) = self.book_move(root, limits) {
            report(&Info::Line(book_line(m)));
            return Best { best: Some(m), ponder: None };
        }
        let mut show = |info: &Info<Move>| match info {
            Info::Line(line) => report(&Info::Line(Line { score: shown(line.score), ..line.clone() })),
            other => report(other),
        };
        if let Some(queem) = &mut self.queem {
            queem.common.clone_from(&self.searcher.common);
            let best = queem.think(root, limits, control, &mut show);
            self.searcher.common.threads = queem.common.threads;
            return best;
        }
        self.searcher.strength =
            if self.limit_strength { strength::of_elo(self.elo) } else { Strength::FULL };
        self.searcher.think(root, limits, control, &mut show)
    }

    fn forget(&mut self) {
        self.searcher.luck = self.searcher.luck.wrapping_add(1);
        self.searcher.forget();
        if let Some(queem) = &mut self.queem {
            Search::<Position>::forget(queem);
        }
    }
}

/// What is shown of a move that was not searched.
fn book_line(m: Move) -> Line<Move> {
    Line {
        depth: 1,
        seldepth: 1,
        multipv: 1,
        score: Score::DRAW,
        bound: Bound::Exact,
        nodes: 0,
        time: std::time::Duration::ZERO,
        hashfull: 0,
        database_hits: 0,
        pv: vec![m],
    }
}

impl Engine for Chess {
    type Game = Position;

    const NAME: &'static str = "Quintet Chess";

    const COMMANDS: &'static [&'static str] = &["genfens"];

    fn new() -> Self {
        endgames::prepare();
        let mut searcher = Searcher::new(Config::default(), tuning::evaluator(Evaluation::Full));
        searcher.luck = RandomState::new().hash_one(0);
        Chess {
            searcher,
            queem: None,
            rules: Rules::default(),
            evaluation: CLASSICAL,
            loaded: None,
            weights_file: String::new(),
            network_file: String::new(),
            preset: DEFAULT,
            switched_off: String::new(),
            limit_strength: false,
            elo: *ELO.end(),
            show_wdl: false,
            opponent: String::new(),
            own_book: false,
            bookless: false,
            book_file: String::new(),
            book: None,
            syzygy_path: String::new(),
            syzygy: syzygy::Rules::default(),
            remarks: Vec::new(),
        }
    }

    fn options() -> Options<Self> {
        options::complete(play_options().into_iter().chain(file_options()).chain(number_options()).collect())
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    fn common(&self) -> &Common {
        &self.searcher.common
    }

    fn common_mut(&mut self) -> &mut Common {
        &mut self.searcher.common
    }

    fn resize(&mut self, mib: usize) -> Result<(), String> {
        if let Some(queem) = &mut self.queem {
            queem.resize(mib)?;
        }
        self.searcher.resize(mib)
    }

    fn warm_up(&mut self) {
        match &mut self.queem {
            Some(queem) => queem.warm_up::<Position>(),
            None => self.searcher.warm_up(),
        }
    }

    fn explain(&mut self, root: &Root<Position>) -> String {
        let evaluator = self.searcher.eval_mut();
        evaluator.enter(root.position());
        let value = shown(evaluator.score(root.position()));
        format!("{}Evaluation: {} cp", evaluator.explain(root.position()), value.0)
    }

    fn bench(&self, control: &Control) -> Bench {
        let mut fresh = Chess::new();
        fresh.searcher.luck = 0;
        ::search::bench::run(self, fresh, &bench::POSITIONS, bench::DEPTH, control)
    }

    fn counters(&self) -> Option<&Counters> {
        Some(self.queem.as_ref().map_or(self.searcher.counters(), AlphaBeta::counters))
    }

    fn chances(&self) -> Option<fn(Score) -> [u32; 3]> {
        self.show_wdl.then_some(crate::learn::chances)
    }

    fn command(&mut self, line: &str) -> Result<String, String> {
        crate::openings::genfens(line)
    }
}

/// How to play and how to show it.
fn play_options() -> Options<Chess> {
    vec![
        combo("Evaluation", "a weighted sum of many terms, or the three of Kushnir's thesis", &EVALUATIONS)
            .by(|e: &Chess| e.evaluation, Chess::set_evaluation),
        options::weights_file(|e: &Chess| e.weights_file.clone(), Chess::set_weights_file),
        options::network_file(|e: &Chess| e.network_file.clone(), Chess::set_network_file),
        options::preset(&PRESETS, |e: &Chess| e.preset, Chess::set_preset),
        options::algorithm(
            |e: &Chess| e.choice().algorithm,
            |e, algorithm| e.choose(Choice { algorithm, ..e.choice() }),
        )
        .meant_for(Audience::Expert),
        options::switch_off(|e: &Chess| e.choice().off, |e, off| e.choose(Choice { off, ..e.choice() })),
        options::switch_on(|e: &Chess| e.choice().on, |e, on| e.choose(Choice { on, ..e.choice() })),
        check("UCI_ShowWDL", "show the chances of win, draw and loss, per mille", false)
            .by(|e: &Chess| e.show_wdl, |e, on| e.show_wdl = on)
            .meant_for(Audience::Protocol),
        check("UCI_LimitStrength", "play at the strength of UCI_Elo", false)
            .by(|e: &Chess| e.limit_strength, |e, on| e.limit_strength = on)
            .meant_for(Audience::Protocol),
        spin("UCI_Elo", "the strength to play at when UCI_LimitStrength is on", *ELO.end(), ELO)
            .by(|e: &Chess| e.elo, |e, elo| e.elo = elo)
            .meant_for(Audience::Protocol),
        text("UCI_Opponent", "the opponent's name; has no effect", "")
            .by(|e: &Chess| e.opponent.clone(), |e, name| e.opponent = name)
            .meant_for(Audience::Protocol),
        text("UCI_EngineAbout", "who made the engine; cannot be changed", ABOUT)
            .by(|_: &Chess| ABOUT.to_owned(), |_, _| ())
            .meant_for(Audience::Protocol),
    ]
}

/// The numbers of the search, in a build for those who tune them.
fn number_options() -> Options<Chess> {
    let rows = if cfg!(feature = "tune") { Numbers::ROWS } else { &[] };
    let option = |row: &'static Tunable<Numbers>| {
        spin(row.name, row.help, row.default, row.range.clone())
            .by(
                |e: &Chess| *(row.field)(&mut e.searcher.numbers().clone()),
                |e, value| {
                    let mut numbers = e.searcher.numbers().clone();
                    *(row.field)(&mut numbers) = value;
                    e.searcher.set_numbers(numbers);
                },
            )
            .meant_for(Audience::Expert)
    };
    rows.iter().map(option).collect()
}

/// Books and tables.
fn file_options() -> Options<Chess> {
    let usual = syzygy::Rules::default();
    vec![
        options::own_book(|e: &Chess| e.own_book, |e, on| (e.own_book, e.bookless) = (on, on)),
        text("Book File", "an opening book in Polyglot format", "")
            .by(|e: &Chess| e.book_file.clone(), |e, text| e.set_book(&text)),
        text("SyzygyPath", "directories of Syzygy endgame tables", "")
            .by(|e: &Chess| e.syzygy_path.clone(), |e, text| e.set_tables(&text)),
        spin(
            "SyzygyProbeDepth",
            "the least depth at which the largest tables are probed",
            usual.depth,
            1..=100,
        )
        .by(|e: &Chess| e.syzygy.depth, |e, depth| e.set_table_rules(syzygy::Rules { depth, ..e.syzygy })),
        check("Syzygy50MoveRule", "count wins that the fifty-move rule prevents as draws", usual.fifty_moves)
            .by(
                |e: &Chess| e.syzygy.fifty_moves,
                |e, fifty_moves| e.set_table_rules(syzygy::Rules { fifty_moves, ..e.syzygy }),
            ),
        spin("SyzygyProbeLimit", "probe positions of at most this many pieces", usual.limit, 0..=7).by(
            |e: &Chess| e.syzygy.limit,
            |e, limit| e.set_table_rules(syzygy::Rules { limit, ..e.syzygy }),
        ),
    ]
}
