//! The engine with a network: reading one, searching by it, saying what it thinks, and playing below its strength.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use search::mcts::{Config, Policy};
use search::{Best, Control, Game, Info, Limits, Random, Root, Search, Side, zobrist};

use crate::network::{Judgement, Network};
use crate::policy::Advisor;
use crate::{Go, Move, Position, tuning};

/// A network and how it is asked.
pub(crate) struct Guidance {
    /// Where it lies.
    pub(crate) file: String,
    pub(crate) network: Option<Arc<Network>>,
    /// Whether it is asked.
    pub(crate) is_on: bool,
    /// The part of a leaf's value that playouts decide beside it, in percent.
    pub(crate) playout_share: u32,
    /// The visit of a node at which it is asked, if playouts have a share.
    pub(crate) after: u32,
}

impl Default for Guidance {
    fn default() -> Self {
        let (playout_share, after) = (tuning::PLAYOUT_SHARE, tuning::NETWORK_AFTER);
        Guidance { file: String::new(), network: None, is_on: true, playout_share, after }
    }
}

impl Guidance {
    /// Sets everything back but the network itself.
    pub(crate) fn preset(&mut self, is_on: bool) {
        let (file, network) = (std::mem::take(&mut self.file), self.network.take());
        *self = Guidance { file, network, is_on, ..Guidance::default() };
    }

    fn advisor(&self) -> Option<Advisor> {
        let network = self.network.clone().filter(|_| self.is_on)?;
        Some(Advisor::new(network, self.playout_share as f32 / 100.0, self.after))
    }
}

impl Go {
    /// Reads a network from a file; without one there is none.
    pub(crate) fn set_network(&mut self, path: &str) -> Result<(), String> {
        let network = if path.is_empty() {
            None
        } else {
            let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
            Some(Arc::new(Network::read(&bytes).map_err(|error| format!("{path}: {error}"))?))
        };
        self.consult(|guidance| (guidance.file, guidance.network) = (path.to_owned(), network));
        Ok(())
    }

    /// Changes which network is asked, and how; a tree that has grown otherwise is of no use.
    pub(crate) fn consult(&mut self, change: impl FnOnce(&mut Guidance)) {
        change(&mut self.guidance);
        self.mcts.policy.advisor = self.guidance.advisor();
        self.forget();
    }

    /// What the network says of a position in which nothing is lent, and how likely it finds each move; none without
    /// one.
    pub fn advice(&self, root: &Root<Position>) -> Option<(Judgement, Vec<(Move, f32)>)> {
        let mut knowledge = self.mcts.policy.clone();
        (knowledge.shift, knowledge.pass_loses) = (0.0, false);
        let advisor = knowledge.advisor.as_mut()?;
        (advisor.heat, advisor.noise) = (1.0, None);
        knowledge.ownership = Arc::default();
        let board = knowledge.board(root);
        let said = knowledge.judged(&board, &[])?;
        let mut list = Vec::new();
        knowledge.candidates(&board, &[], &mut list);
        Some((said, list.iter().map(|found| (knowledge.unslot(found.slot), found.probability)).collect()))
    }

    /// What it says, in lines of their own.
    pub(crate) fn advice_in_words(&self, root: &Root<Position>) -> String {
        let sign = if root.position().turn() == Side::Black { 1.0 } else { -1.0 };
        self.advice(root).map_or(String::new(), |(said, _)| {
            let (chance, margin) = (100.0 * said.win, sign * said.score);
            format!(
                "network, chance to win for the side to move: {chance:.1} %\nnetwork, margin for Black: {margin:+.1}\n"
            )
        })
    }

    /// What a playout takes, where a network is asked and the time of searches says nothing of it.
    pub(crate) fn pace_beside_network(&self, root: &Root<Position>) -> Option<Duration> {
        self.mcts.policy.advisor.as_ref().map(|_| tuning::PACE * root.position().rules().area() as u32)
    }

    /// Positions that the network judged in the last search.
    pub(crate) fn evaluations(&self) -> u64 {
        self.mcts.policy.advisor.as_ref().map_or(0, |advisor| advisor.asked.load(Relaxed))
    }

    /// Searches by the switches in force, which a network overrules.
    pub(crate) fn search_by(
        &mut self,
        root: &Root<Position>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<Move>),
    ) -> Best<Move> {
        let usual = self.mcts.config.clone();
        if let Some(Advisor { network, .. }) = &self.mcts.policy.advisor {
            let memory = usual.memory.saturating_sub(network.needs(usual.threads));
            self.mcts.config = Config { memory, ..tuning::guided(&usual) };
        }
        let given = self.mcts.config.memory;
        let best = self.mcts.think(root, limits, control, report);
        let Config { threads, memory, .. } = self.mcts.config;
        // What could not be had is not asked for again.
        let memory = if memory == given { usual.memory } else { memory };
        self.mcts.config = Config { threads, memory, ..usual };
        best
    }

    /// Searches this position for others to learn from: by so many visits, with nothing lent and nothing judged at its
    /// end. In full, from nothing, with noise of this seed on the probabilities.
    #[cfg(any(test, feature = "learn"))]
    pub(crate) fn study(
        &mut self,
        root: &Root<Position>,
        visits: u64,
        noise: Option<u64>,
        forced: f32,
    ) -> Option<Move> {
        self.prepare(0.0, false);
        if noise.is_some() || forced > 0.0 {
            self.mcts.forget();
        }
        if let Some(advisor) = &mut self.mcts.policy.advisor {
            advisor.noise = noise;
        }
        self.mcts.config.forced = forced;
        self.search_by(root, &Limits::nodes(visits), &Control::default(), &mut |_| {}).best
    }

    /// A weak level's choice with a network, which knows good moves too well to be made weak by a short search: one of
    /// those it visited, drawn by visits that are flattened like its probabilities.
    pub(crate) fn warmly(&self, found: Move) -> Move {
        let spread = tuning::heat(self.common.skill) - 1.0;
        if spread <= 0.0 {
            return found;
        }
        let list: Vec<_> = self.considered().into_iter().filter(|line| line.visits > 0).collect();
        let most = list.iter().map(|line| line.visits).max().unwrap_or(1) as f32;
        let weight = |visits: u64| (1e6 * libm::powf(visits as f32 / most, 1.0 / spread)) as u32;
        let weighted: Vec<(Move, u32)> = list.iter().map(|line| (line.pv[0], weight(line.visits))).collect();
        let total = list.iter().map(|line| line.visits).sum::<u64>();
        let mut random = Random::new(self.mcts.config.seed ^ zobrist::mix(total ^ list.len() as u64));
        random.weighted(&weighted).unwrap_or(found)
    }
}

#[cfg(test)]
mod tests {
    use search::{Bench, Engine};

    use super::*;
    use crate::Rules;
    use crate::engine::tests::best;

    /// An engine with a small random network, and the file it lies in.
    fn with_network() -> (Go, tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.network").display().to_string();
        let network = Network::random(crate::network::tests::SMALL, 5);
        std::fs::write(&path, network.write("by hand")).unwrap();
        let mut go = Go::new();
        go.set("Network File", &path).unwrap();
        (go, folder, path)
    }

    fn start(size: usize) -> Position {
        Position::empty(Rules::default().with_size(size).unwrap())
    }

    /// The root moves of a search with their visits and probabilities.
    fn thought(go: &mut Go, size: usize, visits: u64) -> Vec<(Move, u64, u64)> {
        go.forget();
        best(go, start(size), &[], visits);
        go.considered().iter().map(|line| (line.pv[0], line.visits, line.prior.to_bits())).collect()
    }

    #[test]
    fn a_network_guides_the_search_until_it_is_switched_off() {
        let (mut go, ..) = with_network();
        let usual = thought(&mut Go::new(), 5, 60);
        let guided = thought(&mut go, 5, 60);
        assert_ne!(guided, usual);
        // The root is judged to have moves, and every new node once that does not end the game.
        let most = go.search().summary().playouts + 1;
        assert!((20..=most).contains(&go.evaluations()) && go.ownership().seen() == 0);
        assert_eq!(u64::from(go.ownership().count()), go.evaluations());
        assert_eq!(go.mcts.config.select, tuning::config().select);
        let again = thought(&mut go, 5, 60);
        assert_eq!(again, thought(&mut with_network().0, 5, 60));
        go.set("Network", "false").unwrap();
        assert_eq!(thought(&mut go, 5, 60), usual);
        go.set("Network", "true").unwrap();
        assert_eq!(thought(&mut go, 5, 60), guided);
        go.set("Network File", "").unwrap();
        assert_eq!(thought(&mut go, 5, 60), usual);
    }

    #[test]
    fn files_that_are_no_networks_are_refused_by_name_and_the_engine_plays_on() {
        let (mut go, folder, path) = with_network();
        let guided = thought(&mut go, 5, 30);
        let refused = |go: &mut Go, path: &str, bytes: &[u8]| {
            std::fs::write(path, bytes).unwrap();
            go.set("Network File", path).unwrap_err().to_string()
        };
        let other = folder.path().join("other").display().to_string();
        let bytes = std::fs::read(&path).unwrap();
        for damaged in [b"nonsense".to_vec(), bytes[..bytes.len() - 1].to_vec(), [&bytes[..], b"x"].concat()]
        {
            let why = refused(&mut go, &other, &damaged);
            assert!(why.contains("other: it"), "{why}");
        }
        let why = go.set("Network File", &folder.path().join("none").display().to_string()).unwrap_err();
        assert!(why.to_string().contains("none: "), "{why}");
        assert_eq!((thought(&mut go, 5, 30), &go.guidance.file), (guided, &path));
    }

    #[test]
    fn playouts_share_in_the_value_and_the_cost() {
        let (mut go, ..) = with_network();
        go.set("Playout Share", "50").unwrap();
        let every = thought(&mut go, 5, 200);
        let asked = go.evaluations();
        assert!(asked > 100 && u64::from(go.ownership().seen()) == asked - 1, "{asked}");
        go.set("Network After", "4").unwrap();
        assert_ne!(thought(&mut go, 5, 200), every);
        assert!((2..asked / 2).contains(&go.evaluations()), "{}", go.evaluations());
        go.set("Threads", "2").unwrap();
        thought(&mut go, 5, 200);
        assert!(go.search().summary().playouts >= 200);
    }

    #[test]
    fn the_memory_limit_includes_the_network() {
        let (mut go, ..) = with_network();
        go.resize(2).unwrap();
        thought(&mut go, 9, 10);
        let guided = go.search().capacity();
        assert_eq!(go.mcts.config.memory, 2 << 20);
        go.set("Network", "false").unwrap();
        thought(&mut go, 9, 10);
        assert!(guided < go.search().capacity());
    }

    #[test]
    fn what_the_network_says_is_told_and_counted() {
        let (mut go, _folder, _) = with_network();
        let root = Root::new(start(5));
        let (said, likely) = go.advice(&root).unwrap();
        assert!(
            (likely.iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-5 && likely.len() == 26
        );
        let text = go.explain(&root);
        let wanted = format!("network, chance to win for the side to move: {:.1} %\n", 100.0 * said.win);
        assert!(text.starts_with(&wanted) && text.contains("\nnetwork, margin for Black: "), "{text}");
        assert!(!Go::new().explain(&root).contains("network"));
        go.set("BoardSize", "4").unwrap();
        go.set("Skill Level", "8").unwrap();
        let Bench { remarks, .. } = go.bench(&Control::default());
        assert!(remarks.last().unwrap().ends_with(" evaluations"), "{remarks:?}");
    }

    #[test]
    fn weak_levels_spread_over_what_is_likely() {
        let moves = |level: &str| {
            let (mut go, ..) = with_network();
            go.set("Skill Level", level).unwrap();
            let mut found = |seed| {
                go.mcts.config.seed = seed;
                go.forget();
                best(&mut go, start(5), &[], 400)
            };
            (0..12).map(&mut found).collect::<std::collections::HashSet<Move>>().len()
        };
        assert_eq!(moves("20"), 1);
        assert!(moves("4") > 2);
    }
}
