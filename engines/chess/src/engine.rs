//! The engine as its users see it: name, options, explanations.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use ::search::alphabeta::AlphaBeta;
use ::search::options::{self, Kind, Options, Setting, Value};
use ::search::{
    Bench, Best, Bound, Common, Control, Engine, Eval, Info, Limits, Line, Root, Score, Search, Strength,
};

use crate::book::Book;
use crate::eval::{Judge, Opinion, endgames};
use crate::learn::chances::shown;
use crate::queem;
use crate::search::{Config, Searcher};
use crate::syzygy::{self, Tablebases};
use crate::tuning::strength::{self, ELO};
use crate::{Move, Position, Rules, bench, tuning};

const DEFAULT: &str = "default";
const THESIS: &str = "thesis";
const QUEEM: &str = "Queem";
const EVALUATIONS: [&str; 2] = [DEFAULT, THESIS];
const PRESETS: [&str; 2] = [DEFAULT, QUEEM];
const ABOUT: &str = "Quintet Chess, by the Quintet authors, GPL-3.0-or-later";

/// The chess engine.
pub struct Chess {
    searcher: Searcher,
    /// The source's program, while its preset is chosen.
    queem: Option<AlphaBeta<Judge>>,
    rules: Rules,
    evaluation: &'static str,
    /// The opinions of the weights file, while there is one.
    loaded: Option<Judge>,
    weights_file: String,
    preset: &'static str,
    switched_off: String,
    limit_strength: bool,
    elo: i64,
    show_wdl: bool,
    opponent: String,
    own_book: bool,
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
        self.hand_out_opinions()
    }

    fn set_weights_file(&mut self, path: &str) -> Result<(), String> {
        self.loaded = if path.is_empty() { None } else { Some(tuning::read_judge(Path::new(path))?) };
        self.weights_file = path.to_owned();
        self.hand_out_opinions()
    }

    /// Gives the players the opinions that were chosen; those of a file come first.
    fn hand_out_opinions(&mut self) -> Result<(), String> {
        let opinion = if self.evaluation == THESIS { Opinion::Thesis } else { Opinion::Full };
        let judge = self.loaded.clone().unwrap_or_else(|| tuning::judge(opinion));
        if let Some(queem) = &mut self.queem {
            *queem = queem::player(judge.clone());
            queem.resize(self.searcher.common.hash)?;
        }
        self.searcher.set_eval(judge);
        Ok(())
    }

    fn set_preset(&mut self, name: &'static str) -> Result<(), String> {
        self.preset = name;
        self.queem = (name == QUEEM).then(|| queem::player(tuning::judge(Opinion::Thesis)));
        self.searcher.set_config(Config::default());
        self.switched_off.clear();
        self.weights_file.clear();
        self.loaded = None;
        self.set_evaluation(if name == QUEEM { THESIS } else { DEFAULT })
    }

    /// Turns these techniques off and all others on; a name that is none changes nothing.
    fn switch_off(&mut self, names: &str) -> Result<(), String> {
        let mut config = Config::default();
        for name in names.split([',', ' ']).filter(|name| !name.is_empty()) {
            if !config.turn(name, false) {
                let known: Vec<&str> = Config::SWITCHES.iter().map(|(known, _)| *known).collect();
                return Err(format!("no technique is called '{name}'; there are {}", known.join(", ")));
            }
        }
        self.switched_off = names.to_owned();
        self.searcher.set_config(config);
        Ok(())
    }

    fn set_strength(&mut self) {
        self.searcher.strength =
            if self.limit_strength { strength::of_elo(self.elo) } else { Strength::FULL };
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
            return queem.think(root, limits, control, &mut show);
        }
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
        let mut searcher = Searcher::new(Config::default(), tuning::judge(Opinion::Full));
        searcher.luck = RandomState::new().hash_one(0);
        Chess {
            searcher,
            queem: None,
            rules: Rules::default(),
            evaluation: DEFAULT,
            loaded: None,
            weights_file: String::new(),
            preset: DEFAULT,
            switched_off: String::new(),
            limit_strength: false,
            elo: *ELO.end(),
            show_wdl: false,
            opponent: String::new(),
            own_book: false,
            book_file: String::new(),
            book: None,
            syzygy_path: String::new(),
            syzygy: syzygy::Rules::default(),
            remarks: Vec::new(),
        }
    }

    fn options() -> Options<Self> {
        options::common().into_iter().chain(play_options()).chain(file_options()).collect()
    }

    fn rules(&self) -> Rules {
        self.rules
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

    fn explain(&mut self, root: &Root<Position>) -> String {
        let judge = self.searcher.eval_mut();
        let value = shown(judge.score(root.position()));
        format!("{}Evaluation: {} cp", judge.explain(root.position()), value.0)
    }

    fn bench(&self, control: &Control) -> Bench {
        bench::run(control)
    }

    fn chances(&self) -> Option<fn(Score) -> [u32; 3]> {
        self.show_wdl.then_some(crate::learn::chances)
    }

    fn command(&mut self, line: &str) -> String {
        crate::openings::genfens(line)
    }
}

/// How to play and how to show it.
fn play_options() -> Vec<Setting<Chess>> {
    vec![
        Setting {
            name: "Evaluation",
            kind: Kind::Combo { default: EVALUATIONS[0], choices: &EVALUATIONS },
            help: "the engine's own evaluation, or the three terms of the source",
            get: |e| Value::Text(e.evaluation.to_owned()),
            set: |e, v| e.set_evaluation(v.word(&EVALUATIONS)),
        },
        Setting {
            name: "Weights File",
            kind: Kind::Text { default: "" },
            help: "weights read from a file; overrides Evaluation",
            get: |e| Value::Text(e.weights_file.clone()),
            set: |e, v| e.set_weights_file(v.text()),
        },
        Setting {
            name: "Preset",
            kind: Kind::Combo { default: PRESETS[0], choices: &PRESETS },
            help: "all switches at once: the engine at its best, or the program of the source",
            get: |e| Value::Text(e.preset.to_owned()),
            set: |e, v| e.set_preset(v.word(&PRESETS)),
        },
        Setting {
            name: "Switch Off",
            kind: Kind::Text { default: "" },
            help: "techniques of the search to do without, for experiments: null_move, probcut",
            get: |e| Value::Text(e.switched_off.clone()),
            set: |e, v| e.switch_off(v.text()),
        },
        Setting {
            name: "UCI_Chess960",
            kind: Kind::Check { default: false },
            help: "castling is written as the king taking its rook",
            get: |e| Value::Check(e.rules.chess960),
            set: |e, v| {
                e.rules.chess960 = v.is_on();
                Ok(())
            },
        },
        Setting {
            name: "UCI_ShowWDL",
            kind: Kind::Check { default: false },
            help: "show the chances of win, draw and loss, per mille",
            get: |e| Value::Check(e.show_wdl),
            set: |e, v| {
                e.show_wdl = v.is_on();
                Ok(())
            },
        },
        Setting {
            name: "UCI_LimitStrength",
            kind: Kind::Check { default: false },
            help: "play at the strength of UCI_Elo",
            get: |e| Value::Check(e.limit_strength),
            set: |e, v| {
                e.limit_strength = v.is_on();
                e.set_strength();
                Ok(())
            },
        },
        Setting {
            name: "UCI_Elo",
            kind: Kind::Spin { default: *ELO.end(), min: *ELO.start(), max: *ELO.end() },
            help: "the strength to play at when UCI_LimitStrength is on",
            get: |e| Value::Spin(e.elo),
            set: |e, v| {
                e.elo = v.number();
                e.set_strength();
                Ok(())
            },
        },
        Setting {
            name: "UCI_Opponent",
            kind: Kind::Text { default: "" },
            help: "who plays against the engine; changes nothing",
            get: |e| Value::Text(e.opponent.clone()),
            set: |e, v| {
                e.opponent = v.text().to_owned();
                Ok(())
            },
        },
        Setting {
            name: "UCI_EngineAbout",
            kind: Kind::Text { default: ABOUT },
            help: "who made the engine; cannot be changed",
            get: |_| Value::Text(ABOUT.to_owned()),
            set: |_, _| Ok(()),
        },
    ]
}

/// Books and tables.
fn file_options() -> Vec<Setting<Chess>> {
    vec![
        Setting {
            name: "OwnBook",
            kind: Kind::Check { default: false },
            help: "play the opening from the book",
            get: |e| Value::Check(e.own_book),
            set: |e, v| {
                e.own_book = v.is_on();
                Ok(())
            },
        },
        Setting {
            name: "Book File",
            kind: Kind::Text { default: "" },
            help: "an opening book in Polyglot's format",
            get: |e| Value::Text(e.book_file.clone()),
            set: |e, v| e.set_book(v.text()),
        },
        Setting {
            name: "SyzygyPath",
            kind: Kind::Text { default: "" },
            help: "directories of Syzygy endgame tables",
            get: |e| Value::Text(e.syzygy_path.clone()),
            set: |e, v| {
                e.set_tables(v.text());
                Ok(())
            },
        },
        Setting {
            name: "SyzygyProbeDepth",
            kind: Kind::Spin { default: 1, min: 1, max: 100 },
            help: "the least depth at which the largest tables are asked",
            get: |e| Value::Spin(i64::from(e.syzygy.depth)),
            set: |e, v| {
                e.set_table_rules(syzygy::Rules { depth: v.number() as i32, ..e.syzygy });
                Ok(())
            },
        },
        Setting {
            name: "Syzygy50MoveRule",
            kind: Kind::Check { default: true },
            help: "wins that take too long count as draws",
            get: |e| Value::Check(e.syzygy.fifty_moves),
            set: |e, v| {
                e.set_table_rules(syzygy::Rules { fifty_moves: v.is_on(), ..e.syzygy });
                Ok(())
            },
        },
        Setting {
            name: "SyzygyProbeLimit",
            kind: Kind::Spin { default: 7, min: 0, max: 7 },
            help: "the most pieces of a position that is looked up",
            get: |e| Value::Spin(i64::from(e.syzygy.limit)),
            set: |e, v| {
                e.set_table_rules(syzygy::Rules { limit: v.number() as u32, ..e.syzygy });
                Ok(())
            },
        },
    ]
}
