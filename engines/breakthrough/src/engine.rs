//! The engine as its users see it: name, options, explanations.

use search::alphabeta::AlphaBeta;
use search::options::{self, Kind, Options, Setting, Value};
use search::{Bench, Best, Common, Control, Engine, Info, Limits, Root, Search};

use crate::{Move, Opinions, Position, Rules, bench, tuning};

const EVALUATIONS: [&str; 2] = ["default", "men"];

/// The Breakthrough engine.
pub struct Breakthrough {
    search: AlphaBeta<Opinions>,
    rules: Rules,
    evaluation: &'static str,
}

impl Breakthrough {
    fn set_evaluation(&mut self, name: &'static str) {
        self.evaluation = name;
        self.search.set_eval(if name == EVALUATIONS[0] { Opinions::default() } else { Opinions::men() });
    }
}

impl Search<Position> for Breakthrough {
    fn think(
        &mut self,
        root: &Root<Position>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<Move>),
    ) -> Best<Move> {
        self.search.think(root, limits, control, report)
    }

    fn forget(&mut self) {
        Search::<Position>::forget(&mut self.search);
    }
}

impl Engine for Breakthrough {
    type Game = Position;

    const NAME: &'static str = "Quintet Breakthrough";

    fn new() -> Self {
        Breakthrough {
            search: AlphaBeta::new(tuning::config(), Opinions::default()),
            rules: Rules::default(),
            evaluation: EVALUATIONS[0],
        }
    }

    fn options() -> Options<Self> {
        let own: [Setting<Self>; 2] = [
            Setting {
                name: "Evaluation",
                kind: Kind::Combo { default: EVALUATIONS[0], choices: &EVALUATIONS },
                help: "the engine's own, or the number of men only",
                get: |e| Value::Text(e.evaluation.to_owned()),
                set: |e, v| {
                    e.set_evaluation(v.word(&EVALUATIONS));
                    Ok(())
                },
            },
            Setting {
                name: "BoardSize",
                kind: Kind::Spin { default: 8, min: 5, max: 8 },
                help: "rows and columns of the board",
                get: |e| Value::Spin(i64::from(e.rules.size())),
                set: |e, v| {
                    e.rules = Rules::new(v.number() as u8).expect("the option's range is that of the rules");
                    Ok(())
                },
            },
        ];
        options::common().into_iter().chain(own).collect()
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
        let (eval, position) = (self.search.eval(), root.position());
        format!("{}Evaluation: {} cp", eval.explain(position), eval.value(position).0)
    }

    fn bench(&self, control: &Control) -> Bench {
        bench::run(control)
    }
}
