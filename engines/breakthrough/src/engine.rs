//! The engine as its users see it: name, options, explanations.

use search::alphabeta::{AlphaBeta, Counters};
use search::options::{self, Options, combo};
use search::{Bench, Best, Common, Control, Engine, Info, Limits, Root, Search};

use crate::{Evaluator, Move, Position, Rules, bench, tuning};

const EVALUATIONS: [&str; 2] = ["default", "men"];

/// The Breakthrough engine.
pub struct Breakthrough {
    search: AlphaBeta<Evaluator>,
    rules: Rules,
    evaluation: &'static str,
}

impl Breakthrough {
    fn set_evaluation(&mut self, name: &'static str) {
        self.evaluation = name;
        self.search.set_eval(if name == EVALUATIONS[0] { Evaluator::default() } else { Evaluator::men() });
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
            search: AlphaBeta::new(tuning::config(), Evaluator::default()),
            rules: Rules::default(),
            evaluation: EVALUATIONS[0],
        }
    }

    fn options() -> Options<Self> {
        let mut own = vec![
            combo("Evaluation", "the engine's own, or just the number of men", &EVALUATIONS)
                .by(|e: &Self| e.evaluation, Self::set_evaluation),
        ];
        own.extend(options::techniques(|e: &Self| &e.search, |e| &mut e.search));
        options::complete(own)
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
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
        let (eval, position) = (self.search.eval(), root.position());
        format!("{}Evaluation: {} cp", eval.explain(position), eval.value(position).0)
    }

    fn counters(&self) -> Option<&Counters> {
        Some(self.search.counters())
    }

    fn bench(&self, control: &Control) -> Bench {
        search::bench::run(self, Breakthrough::new(), &bench::POSITIONS, bench::DEPTH, control)
    }
}
