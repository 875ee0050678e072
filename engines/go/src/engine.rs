//! The engine as its users see it: options, thinking, passing and resigning.

use std::time::Duration;

use search::mcts::Config;
use search::options::{Kind, Options, Setting, Value};
use search::{Bench, Best, Common, Considered, Control, Engine, Info, Limits, Mcts, Random, Root, Search};

use crate::estimate::estimate;
use crate::ownership::Ownership;
use crate::playout::Style;
use crate::policy::Knowledge;
use crate::rules::NAMES;
use crate::{Colour, Move, Position, Rules, Scoring, bench, tuning};

const DEFAULT: &str = "default";
const GO_GAME: &str = "GO GAME";

/// The Go engine.
pub struct Go {
    mcts: Mcts<Position, Knowledge>,
    common: Common,
    rules: Rules,
    preset: &'static str,
    memory: usize,
    move_time: Duration,
    /// In percent; 0 never resigns.
    resign: i64,
    playouts: u64,
    cleans_up: bool,
}

impl Go {
    /// The search with its switches, for experiments.
    pub fn search(&mut self) -> &mut Mcts<Position, Knowledge> {
        &mut self.mcts
    }

    /// The root moves of the last search, the best first.
    pub fn considered(&self) -> Vec<Considered<Move>> {
        self.mcts.considered()
    }

    /// Who owned which point at the end of the last search's playouts.
    pub fn ownership(&self) -> &Ownership {
        self.mcts.policy.ownership()
    }

    /// What to spend on a move when nobody says: playouts if they are limited, else the move time.
    pub fn limits(&self) -> Limits {
        match self.playouts {
            0 => Limits::move_time(self.move_time),
            playouts => Limits::nodes(playouts),
        }
    }

    /// Playouts a move, if the user limited them.
    pub fn playouts(&self) -> Option<u64> {
        (self.playouts > 0).then_some(self.playouts)
    }

    /// Takes the rules of the game that is being played.
    pub fn set_rules(&mut self, rules: Rules) {
        if rules != self.rules {
            self.rules = rules;
            self.forget();
        }
    }

    /// Time between two reports of a search.
    pub fn set_interval(&mut self, interval: Duration) {
        self.mcts.config.report = interval;
    }

    /// Starts another stream of random numbers.
    pub fn set_seed(&mut self, seed: u64) {
        self.mcts.config.seed = seed;
    }

    /// Whether dead stones must be taken before a pass, from now on.
    pub fn set_clean_up(&mut self, on: bool) {
        self.cleans_up = on;
    }

    /// Whether the position of the last search is not worth playing on.
    pub fn resigns(&self, root: &Root<Position>) -> bool {
        let early = root.moves().len() < root.position().rules().area() / 5;
        let summary = self.mcts.summary();
        !early && summary.playouts > 100 && summary.value * 100.0 < self.resign as f64
    }

    fn set_preset(&mut self, name: &'static str) {
        self.preset = name;
        let (config, knowledge) = match name {
            GO_GAME => (tuning::go_game_config(), Knowledge::new(tuning::go_game_style())),
            _ => (tuning::config(), Knowledge::new(Style::Heavy(tuning::PLAYOUT))),
        };
        self.mcts = Mcts::new(config, knowledge);
        self.configure();
    }

    /// Hands the user's choices to the search.
    fn configure(&mut self) {
        let config = Config {
            threads: self.common.threads,
            overhead: self.common.overhead,
            memory: self.memory << 20,
            ..self.mcts.config.clone()
        };
        self.mcts.config = config;
    }

    /// Weak levels see fewer playouts, and the weakest now and then play something else.
    fn weakened(&self, limits: &Limits) -> Limits {
        if self.common.skill >= 20 || limits.infinite {
            return limits.clone();
        }
        let most = 8u64 << (self.common.skill / 2);
        Limits { nodes: Some(limits.nodes.unwrap_or(most).min(most)), ..limits.clone() }
    }

    /// The move to play instead of the one found, where passing or not passing is the better end of the game.
    fn settled(&self, root: &Root<Position>, found: Move) -> Move {
        let position = root.position();
        let sign = if search::Game::turn(position) == search::Side::Black { 1.0 } else { -1.0 };
        let wins_as_it_stands = sign * position.margin() > 0.0;
        if found != Move::Pass && position.passes() == 1 && !self.cleans_up {
            let judged = estimate(position);
            let clean =
                position.rules().all_alive || sign * judged.margin > 0.0 && self.is_finished(position);
            if clean && (sign * judged.margin > 0.0) && (!position.rules().all_alive || wins_as_it_stands) {
                return Move::Pass;
            }
        }
        if position.rules().scoring == Scoring::Territory && !self.cleans_up && self.is_finished(position) {
            return Move::Pass;
        }
        if found == Move::Pass && !wins_as_it_stands {
            return self.second_best(root).unwrap_or(Move::Pass);
        }
        found
    }

    /// Whether the playouts agree on every point that is still empty, neutral points aside.
    fn is_finished(&self, position: &Position) -> bool {
        let ownership = self.ownership();
        ownership.count() > 20
            && crate::point::points(position.rules().size()).filter(|&p| position.at(p) == Colour::Empty).all(
                |point| {
                    ownership.at(point).abs() > 0.85
                        || point.neighbours().iter().all(|&p| position.at(p) != Colour::Empty)
                },
            )
    }

    /// The best move that is no pass and does not fill what is settled.
    fn second_best(&self, root: &Root<Position>) -> Option<Move> {
        let dead = estimate(root.position());
        let sign = if search::Game::turn(root.position()) == search::Side::Black { 1.0 } else { -1.0 };
        // If the count wins once the dead are gone, a pass loses nothing.
        if !root.position().rules().all_alive && !self.cleans_up && sign * dead.margin > 0.0 {
            return None;
        }
        self.considered().iter().map(|line| line.pv[0]).find(|&m| m != Move::Pass)
    }

    /// A weak level's slip: one of the better moves at random.
    fn slip(&self, root: &Root<Position>, found: Move) -> Move {
        let skill = self.common.skill;
        let mut random = Random::new(search::Game::key(root.position()) ^ self.mcts.config.seed);
        let list = self.considered();
        if skill >= 10 || list.len() < 2 || !random.chance(8 * (10 - skill)) {
            return found;
        }
        list[random.below(list.len().min(6) as u32) as usize].pv[0]
    }
}

impl Search<Position> for Go {
    fn think(
        &mut self,
        root: &Root<Position>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<Move>),
    ) -> Best<Move> {
        self.mcts.policy.reset();
        let limits = self.weakened(limits);
        let best = self.mcts.think(root, &limits, control, report);
        let Some(found) = best.best else { return best };
        let m = self.settled(root, self.slip(root, found));
        Best { best: Some(m), ponder: best.ponder.filter(|_| m == found) }
    }

    fn forget(&mut self) {
        self.mcts.forget();
    }
}

/// The spelling of a choice that outlives the text it was read from.
fn spelled(choices: &[&'static str], value: &Value) -> &'static str {
    choices.iter().find(|&&choice| choice == value.text()).copied().unwrap_or(choices[0])
}

impl Engine for Go {
    type Game = Position;

    const NAME: &'static str = "Quintet Go";

    fn new() -> Self {
        let mut go = Go {
            mcts: Mcts::new(tuning::config(), Knowledge::new(Style::Light)),
            common: Common::default(),
            rules: Rules::default(),
            preset: DEFAULT,
            memory: tuning::TREE_MEMORY,
            move_time: Duration::from_secs(5),
            resign: tuning::RESIGN,
            playouts: 0,
            cleans_up: false,
        };
        go.set_preset(DEFAULT);
        go
    }

    fn options() -> Options<Self> {
        vec![
            Setting {
                name: "Threads",
                kind: Kind::Spin { default: 1, min: 1, max: 1024 },
                help: "search threads",
                get: |e| Value::Spin(e.common.threads as i64),
                set: |e, v| {
                    e.common.threads = v.number() as usize;
                    e.configure();
                    Ok(())
                },
            },
            Setting {
                name: "Tree Memory",
                kind: Kind::Spin { default: tuning::TREE_MEMORY as i64, min: 1, max: 1 << 20 },
                help: "what the search tree may take, in MiB",
                get: |e| Value::Spin(e.memory as i64),
                set: |e, v| e.resize(v.number() as usize),
            },
            Setting {
                name: "Move Time",
                kind: Kind::Spin { default: 5, min: 0, max: 86_400 },
                help: "seconds a move when no time settings came",
                get: |e| Value::Spin(e.move_time.as_secs() as i64),
                set: |e, v| {
                    e.move_time = Duration::from_secs(v.number() as u64);
                    Ok(())
                },
            },
            Setting {
                name: "Playouts",
                kind: Kind::Spin { default: 0, min: 0, max: 1 << 40 },
                help: "playouts a move instead of time; 0 for no such limit",
                get: |e| Value::Spin(e.playouts as i64),
                set: |e, v| {
                    e.playouts = v.number() as u64;
                    Ok(())
                },
            },
            Setting {
                name: "Move Overhead",
                kind: Kind::Spin { default: 10, min: 0, max: 5000 },
                help: "milliseconds held back from every time limit",
                get: |e| Value::Spin(e.common.overhead.as_millis() as i64),
                set: |e, v| {
                    e.common.overhead = Duration::from_millis(v.number() as u64);
                    e.configure();
                    Ok(())
                },
            },
            Setting {
                name: "Ponder",
                kind: Kind::Check { default: false },
                help: "think on the opponent's time",
                get: |e| Value::Check(e.common.ponder),
                set: |e, v| {
                    e.common.ponder = v.is_on();
                    Ok(())
                },
            },
            Setting {
                name: "Rules",
                kind: Kind::Combo { default: "chinese", choices: &NAMES },
                help: "counting, ko and suicide",
                get: |e| Value::Text(e.rules.name().unwrap_or("chinese").to_owned()),
                set: |e, v| {
                    let rules = e.rules.with_name(v.text()).ok_or("no such rules")?;
                    e.set_rules(rules);
                    Ok(())
                },
            },
            Setting {
                name: "Resign",
                kind: Kind::Spin { default: tuning::RESIGN, min: 0, max: 50 },
                help: "resign below this chance to win, in percent; 0 for never",
                get: |e| Value::Spin(e.resign),
                set: |e, v| {
                    e.resign = v.number();
                    Ok(())
                },
            },
            Setting {
                name: "Skill Level",
                kind: Kind::Spin { default: 20, min: 0, max: 20 },
                help: "20 is full strength, 0 a beginner",
                get: |e| Value::Spin(i64::from(e.common.skill)),
                set: |e, v| {
                    e.common.skill = v.number() as u32;
                    Ok(())
                },
            },
            Setting {
                name: "Preset",
                kind: Kind::Combo { default: DEFAULT, choices: &[DEFAULT, GO_GAME] },
                help: "all switches at once: the engine at its best, or the program of the source",
                get: |e| Value::Text(e.preset.to_owned()),
                set: |e, v| {
                    e.set_preset(spelled(&[DEFAULT, GO_GAME], &v));
                    Ok(())
                },
            },
            Setting {
                name: "Debug Log File",
                kind: Kind::Text { default: "" },
                help: "write everything heard and said to this file",
                get: |e| Value::Text(e.common.log_file.clone()),
                set: |e, v| {
                    e.common.log_file = v.text().to_owned();
                    Ok(())
                },
            },
        ]
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn common(&self) -> &Common {
        &self.common
    }

    fn common_mut(&mut self) -> &mut Common {
        &mut self.common
    }

    fn resize(&mut self, mib: usize) -> Result<(), String> {
        self.memory = mib;
        self.configure();
        Ok(())
    }

    fn explain(&mut self, root: &Root<Position>) -> String {
        let judged = estimate(root.position());
        let sign = if search::Game::turn(root.position()) == search::Side::Black { 1.0 } else { -1.0 };
        let dead: Vec<String> = judged.dead.iter().map(|point| point.to_string()).collect();
        format!(
            "expected margin for Black: {:+.1}\nmargin if the game ended now: {:+.1}\ndead stones: {}\nEvaluation: {} cp",
            judged.ownership.margin() - root.position().rules().komi.points(),
            judged.margin,
            if dead.is_empty() { "none".to_owned() } else { dead.join(" ") },
            (sign * 100.0 * judged.margin) as i64
        )
    }

    fn bench(&self, control: &Control) -> Bench {
        bench::run(control)
    }
}
