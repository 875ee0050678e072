//! Every switch plays a game that plain minimax can solve.

use std::sync::{Arc, Mutex};

use super::*;
use crate::testing::{Pile, Size};
use crate::{Random, Side};

/// Uniform playouts, or a network that knows no more than how a game has ended. A slot is the number taken, whatever is
/// left, so AMAF is easily misled.
#[derive(Clone, Default)]
struct Toy {
    is_network: bool,
    /// Looks after each playout whether others have made it idle.
    waits: bool,
    /// What the leaves that its threads were asked about are worth, in batches.
    asked: Arc<Mutex<Vec<Vec<f32>>>>,
}

impl Toy {
    fn answers(&self) -> usize {
        self.asked.lock().unwrap().iter().map(Vec::len).sum()
    }
}

fn network() -> Toy {
    Toy { is_network: true, ..Toy::default() }
}

/// Wrong ones: the more is taken the likelier.
fn opinions(board: &Pile) -> impl Iterator<Item = Candidate> {
    let opinion = |slot| {
        let taken = f32::from(slot);
        Candidate { slot, visits: 2.0, value: 0.5, bias: taken * 0.01, probability: taken }
    };
    (1..=u16::from(board.left.min(3))).map(opinion)
}

/// Black's result of a game that is over.
fn result(board: &Pile) -> f32 {
    if board.turn == Side::White { 1.0 } else { 0.0 }
}

impl Policy<Pile> for Toy {
    type Board = Pile;

    fn board(&mut self, root: &Root<Pile>) -> Pile {
        root.position().clone()
    }
    fn slots(&self) -> usize {
        4
    }
    fn slot(&self, m: u8) -> u16 {
        u16::from(m)
    }
    fn unslot(&self, slot: u16) -> u8 {
        slot as u8
    }
    fn turn(&self, board: &Pile) -> Side {
        board.turn
    }
    fn is_over(&self, board: &Pile) -> bool {
        board.left == 0
    }
    fn candidates(&mut self, board: &Pile, _: &[u16], out: &mut Vec<Candidate>) {
        if !self.is_network {
            out.extend(opinions(board));
        }
    }
    fn play(&mut self, board: &mut Pile, slot: u16) {
        board.play(slot as u8);
    }
    fn evaluate(&mut self, leaves: &mut [Leaf<Pile>], random: &mut Random) {
        for Leaf { board, trace, value, candidates, race, is_given_up, .. } in leaves.iter_mut() {
            if self.is_network {
                *value = if board.left > 0 { 0.5 } else { result(board) };
                candidates.extend(opinions(board));
                continue;
            }
            while board.left > 0 {
                let m = 1 + random.below(u32::from(board.left.min(3))) as u16;
                board.play(m as u8);
                trace.push(m);
            }
            *value = result(board);
            if let Some(race) = race.as_ref().filter(|_| self.waits) {
                (0..20).take_while(|_| !race.is_decided()).for_each(|_| std::thread::yield_now());
                *is_given_up = race.is_decided();
            }
        }
        self.asked.lock().unwrap().push(leaves.iter().map(|leaf| leaf.value).collect());
    }
}

fn search(config: Config, pile: u8, playouts: u64) -> (Mcts<Pile, Toy>, Option<u8>) {
    search_for(Side::Black, Toy::default(), config, pile, playouts)
}

fn search_for(
    turn: Side,
    toy: Toy,
    config: Config,
    pile: u8,
    playouts: u64,
) -> (Mcts<Pile, Toy>, Option<u8>) {
    let root = Root::new(Pile { left: pile, turn });
    let mut mcts = Mcts::new(config, toy);
    let best = mcts.think(&root, &Limits::nodes(playouts), &Control::default(), &mut |_| {});
    (mcts, best.best)
}

/// The move that leaves a multiple of four.
fn solution(pile: u8) -> u8 {
    pile % 4
}

#[test]
fn every_rule_of_selection_solves_the_pile() {
    let rules = [Select::Uct, Select::Tuned, Select::Puct, Select::Omc, Select::Pbbm];
    for select in rules {
        for pile in [5, 6, 7, 9, 10, 11] {
            let config = Config { select, ..Config::plain() };
            assert_eq!(search(config, pile, 4000).1, Some(solution(pile)), "{select:?} {pile}");
        }
    }
}

#[test]
fn every_switch_beside_it_still_solves_the_pile() {
    let plain = Config::plain();
    let variants = [
        Config { first_play: Some(1.1), ..plain.clone() },
        Config { expansion: Expansion { after: 8, ahead: 0 }, ..plain.clone() },
        Config { expansion: Expansion { after: 8, ahead: 3 }, ..plain.clone() },
        Config { amaf: Amaf::Rave(100.0), ..plain.clone() },
        Config { amaf: Amaf::UctRave(100.0), ..plain.clone() },
        Config { amaf: Amaf::MinError(50.0), ..plain.clone() },
        Config { amaf: Amaf::Alpha(0.1), ..plain.clone() },
        Config { amaf: Amaf::First(0), ..plain.clone() },
        Config { amaf: Amaf::Cutoff(50), ..plain.clone() },
        Config { bias: Bias::Mango, ..plain.clone() },
        Config { bias: Bias::Mogo, ..plain.clone() },
        Config { priors: 1.0, ..plain.clone() },
        Config {
            widening: Some(Widening { after: 4, first: 1, base: 4.0, ..Widening::default() }),
            ..plain.clone()
        },
        Config { choice: Choice::Max, ..plain.clone() },
        Config { choice: Choice::MaxRobust, ..plain.clone() },
        Config { choice: Choice::Secure(1.0), ..plain.clone() },
    ];
    for config in variants {
        for pile in [6, 7, 9] {
            assert_eq!(search(config.clone(), pile, 4000).1, Some(solution(pile)), "{config:?} {pile}");
        }
    }
}

const WAYS: [Parallel; 6] = [
    Parallel::Tree,
    Parallel::GlobalLock,
    Parallel::LocalLocks,
    Parallel::Root,
    Parallel::Leaf,
    Parallel::RootLeaf,
];

#[test]
fn every_way_of_sharing_work_tries_something_when_no_time_is_left() {
    let root = Root::new(Pile { left: 7, turn: Side::Black });
    for parallel in WAYS {
        let mut mcts = Mcts::new(Config { parallel, threads: 3, ..Config::plain() }, Toy::default());
        mcts.think(&root, &Limits::move_time(std::time::Duration::ZERO), &Control::default(), &mut |_| {});
        assert!(mcts.considered().iter().any(|m| m.visits > 0), "{parallel:?}");
    }
}

#[test]
fn trees_of_their_own_share_the_memory() {
    let room = |parallel| {
        let config = Config { parallel, threads: 4, memory: 64 << 20, ..Config::plain() };
        search(config, 7, 100).0.capacity()
    };
    assert!(4 * room(Parallel::Root) <= room(Parallel::Tree));
}

#[test]
fn threads_share_trees_where_the_memory_has_none_for_each() {
    for (mebibytes, count) in [(1, 1), (4, 5), (64, 24)] {
        let memory = mebibytes << 20;
        let config = Config { parallel: Parallel::Root, threads: 24, memory, ..Config::plain() };
        assert_eq!(threads::trees(&config).0, count);
        let (mcts, best) = search(config, 7, 5000);
        assert!(count * mcts.capacity() * size_of::<Node>() <= memory * 2 / 3);
        assert_eq!((best, u64::from(mcts.tree.root().visits())), (Some(3), mcts.summary().playouts));
    }
}

#[test]
fn shares_of_what_is_thought_beforehand_add_up_to_one() {
    for priors in [0.0, 1.0] {
        let list = search(Config { priors, ..Config::plain() }, 7, 100).0.considered();
        let total: f64 = list.iter().map(|m| m.prior).sum();
        assert!((total - 1.0).abs() < 1e-3, "{total}");
    }
}

#[test]
fn every_way_of_sharing_work_solves_the_pile() {
    for parallel in WAYS {
        let config = Config { parallel, threads: 3, ..Config::plain() };
        let (mcts, best) = search(config, 7, 5000);
        assert_eq!(best, Some(3), "{parallel:?}");
        assert!(mcts.summary().playouts >= 5000);
        let counted = u64::from(mcts.tree.root().visits());
        assert_eq!(counted, mcts.summary().playouts, "{parallel:?} loses none");
        let moves: u32 = root_children(&mcts.tree).iter().map(Node::visits).sum();
        let is_added = matches!(parallel, Parallel::Root | Parallel::RootLeaf);
        assert!(!is_added || u64::from(moves) == counted, "the moves are added up, too");
        assert_eq!(mcts.policy.answers() as u64, counted, "{parallel:?} counts every answer");
        assert!(root_children(&mcts.tree).iter().all(|child| child.in_flight() == 0));
    }
}

#[test]
fn groups_of_threads_have_trees_of_their_own() {
    let trees = |threads, group| {
        let config = Config { parallel: Parallel::RootLeaf, threads, group, ..Config::plain() };
        threads::trees(&config).0
    };
    assert_eq!([trees(4, 2), trees(5, 2), trees(4, 4), trees(4, 100), trees(4, 1)], [2, 3, 1, 1, 4]);
}

#[test]
fn a_race_is_decided_once_enough_are_over_and_all_lost() {
    for (mover, lost) in [(Side::Black, 0.0), (Side::White, 1.0)] {
        let race = Race::new(mover, 2);
        race.note(lost);
        assert!(!race.is_decided());
        race.note(lost);
        assert!(race.is_decided());
        race.note(1.0 - lost);
        assert!(!race.is_decided());
    }
}

#[test]
fn playouts_that_others_have_lost_are_given_up() {
    let answers = |gives_up| {
        let toy = Toy { waits: gives_up, ..Toy::default() };
        let config = Config { parallel: Parallel::Leaf, threads: 3, gives_up, ..Config::plain() };
        // So many are left that no leaf is the end of the game.
        let mcts = search_for(Side::Black, toy, config, 200, 1000).0;
        let counted = u64::from(mcts.tree.root().visits());
        assert_eq!(counted, mcts.summary().playouts);
        mcts.policy.answers() as u64 - counted
    };
    assert_eq!(answers(false), 0);
    assert!(answers(true) > 20);
}

#[test]
fn a_network_without_playouts_solves_the_pile_with_every_rule_and_way() {
    for parallel in WAYS {
        for select in [Select::Uct, Select::Puct] {
            for side in [Side::White, Side::Black] {
                let config = Config { select, parallel, threads: 2, ..Config::plain() };
                let (mcts, best) = search_for(side, network(), config, 6, 4000);
                assert_eq!(best, Some(2), "{select:?} {parallel:?} {side}");
                assert_eq!(mcts.policy.answers() as u64, mcts.summary().playouts);
            }
        }
    }
}

#[test]
fn what_comes_with_an_evaluation_obeys_the_switches() {
    let flat = Config { select: Select::Flat, ..Config::plain() };
    assert_eq!(search_for(Side::Black, network(), flat, 3, 300).0.summary().nodes, 4);
    let limits = Limits { only: vec![1, 2], ..Limits::nodes(50) };
    let mut mcts = Mcts::new(Config { select: Select::Puct, ..Config::plain() }, network());
    mcts.think(&Root::new(Pile::start(&Size::default())), &limits, &Control::default(), &mut |_| {});
    let mut priors: Vec<_> = mcts.considered().iter().map(|m| (m.pv[0], m.prior)).collect();
    priors.sort_by_key(|&(m, _)| m);
    assert!(
        matches!(priors[..], [(1, a), (2, b)] if (a - 1.0 / 3.0).abs() < 1e-6 && (a + b - 1.0).abs() < 1e-6)
    );
}

#[test]
fn a_single_look_of_a_network_plays_the_likeliest_move() {
    assert_eq!(search_for(Side::Black, network(), Config::plain(), 5, 1).1, Some(3));
}

#[test]
fn batches_are_gathered_and_none_of_their_answers_is_lost() {
    for (toy, batch, threads) in [(network(), 8, 1), (network(), 8, 3), (Toy::default(), 4, 1)] {
        let config = Config { select: Select::Puct, batch, threads, ..Config::plain() };
        let (mcts, best) = search_for(Side::Black, toy, config, 11, 8000);
        assert_eq!(best, Some(3));
        let asked = mcts.policy.asked.lock().unwrap();
        assert_eq!(asked.iter().map(Vec::len).max(), Some(batch));
        // The root counts results from White's view.
        let lost: f32 = asked.iter().flatten().map(|value| 1.0 - value).sum();
        let root = mcts.tree.root();
        assert_eq!((root.sum(), root.visits() as usize), (lost, asked.iter().map(Vec::len).sum()));
        assert!(root_children(&mcts.tree).iter().all(|child| child.in_flight() == 0));
    }
}

#[test]
fn a_batch_of_one_is_no_batch_and_a_larger_one_holds_no_leaf_twice() {
    let sizes = |batch, virtual_loss| {
        let config = Config { batch, virtual_loss, ..Config::plain() };
        let (mcts, _) = search_for(Side::Black, network(), config, 9, 500);
        let asked = mcts.policy.asked.lock().unwrap();
        (asked.iter().map(Vec::len).max(), mcts.considered())
    };
    let alone = sizes(1, 1);
    assert_eq!(alone.0, Some(1));
    // Without virtual losses every way ends at the same leaf.
    assert_eq!(sizes(8, 0), alone);
}

#[test]
fn values_approach_the_solution_for_either_side() {
    for side in [Side::White, Side::Black] {
        let value = |pile| search_for(side, Toy::default(), Config::plain(), pile, 20_000).0.summary().value;
        assert!(value(5) > 0.9 && value(8) < 0.1, "{side}");
        let learns = Config { amaf: Amaf::MinError(50.0), ..Config::plain() };
        assert_eq!(search_for(side, Toy::default(), learns, 7, 4000).1, Some(3), "{side}");
    }
}

#[test]
fn flat_search_grows_no_tree_and_shares_playouts_evenly() {
    let (mcts, best) = search(Config { select: Select::Flat, ..Config::plain() }, 3, 300);
    assert_eq!(best, Some(3));
    assert_eq!(mcts.summary().nodes, 4);
    assert!(root_children(&mcts.tree).iter().all(|child| child.visits() == 100));
}

#[test]
fn one_playout_more_does_not_choose_a_flat_search_s_move() {
    let best = |playouts| {
        let (mcts, best) = search(Config { select: Select::Flat, ..Config::plain() }, 3, playouts);
        let list = mcts.considered();
        assert!(list.iter().all(|other| other.value <= list[0].value), "{playouts}");
        best
    };
    // Of the three moves the remainder gives the first ones a playout more.
    assert!((300..310).all(|playouts| best(playouts) == Some(3)));
}

#[test]
fn mixtures_meet_their_ends() {
    let order = |amaf| {
        let (mcts, _) = search(Config { amaf, ..Config::plain() }, 11, 2000);
        mcts.considered().iter().map(|c| (c.pv[0], c.visits)).collect::<Vec<_>>()
    };
    assert_eq!(order(Amaf::Alpha(0.0)), order(Amaf::Off));
    assert_eq!(order(Amaf::Alpha(1.0)), order(Amaf::All));
    assert_eq!(order(Amaf::First(u32::MAX)), order(Amaf::All));
    assert_eq!(order(Amaf::Cutoff(u64::MAX)), order(Amaf::All));
    assert_eq!(order(Amaf::First(0)), order(Amaf::Off));
    assert_eq!(order(Amaf::Cutoff(0)), order(Amaf::Off));
}

#[test]
fn the_same_seed_grows_the_same_tree() {
    let run = || search(Config::default(), 13, 3000).0.considered();
    assert_eq!(run(), run());
}

#[test]
fn the_tree_is_kept_from_move_to_move_and_forgotten_on_request() {
    let mut root = Root::new(Pile { left: 13, turn: Side::Black });
    let mut mcts = Mcts::new(Config::plain(), Toy::default());
    let think = |mcts: &mut Mcts<Pile, Toy>, root: &Root<Pile>, playouts| {
        mcts.think(root, &Limits::nodes(playouts), &Control::default(), &mut |_| {});
        mcts.tree.root().visits()
    };
    think(&mut mcts, &root, 3000);
    root.play(1);
    root.play(2);
    let kept = think(&mut mcts, &root, 1);
    assert!(kept > 200, "{kept}");
    mcts.forget();
    assert_eq!(think(&mut mcts, &root, 1), 1);
}

#[test]
fn a_full_tree_is_thinned_and_stays_within_its_memory() {
    let config = Config { memory: 0, ..Config::plain() };
    let root = Root::new(Pile { left: 40, turn: Side::Black });
    let mut mcts = Mcts::new(config, Toy::default());
    mcts.think(&root, &Limits::nodes(60_000), &Control::default(), &mut |_| {});
    assert_eq!(mcts.summary().playouts, 60_000);
    assert_eq!(mcts.tree.root().visits(), 60_000, "what was found is kept");
    assert!(mcts.tree.len() <= mcts.tree.capacity() && mcts.tree.capacity() == 8192);
}

#[test]
fn plies_are_expanded_ahead_of_the_first_playout() {
    for (ahead, nodes) in [(0, 4), (1, 7), (2, 10)] {
        let config = Config { expansion: Expansion { after: 8, ahead }, ..Config::plain() };
        assert_eq!(search(config, 13, 1).0.summary().nodes, nodes);
    }
}

#[test]
fn making_room_in_the_tree_ends_with_the_search() {
    let (mcts, _) = search(Config::plain(), 9, 3000);
    let (tree, all) = (&mcts.tree, |_: u16| true);
    assert!(tree.rooted_at(tree.root(), &all, &|| true).is_none());
    assert_eq!(tree.rooted_at(tree.root(), &all, &|| false).unwrap().len(), tree.len());
    let stump = tree.stump(tree.root(), &all);
    let visits = |tree: &Tree| root_children(tree).iter().map(Node::visits).collect::<Vec<_>>();
    assert_eq!((stump.len(), visits(&stump)), (4, visits(tree)));
}

#[test]
fn only_the_moves_asked_for_are_considered() {
    let root = Root::new(Pile { left: 7, turn: Side::Black });
    let limits = Limits { only: vec![1, 2], ..Limits::nodes(500) };
    let mut mcts = Mcts::new(Config::plain(), Toy::default());
    assert!(mcts.think(&root, &limits, &Control::default(), &mut |_| {}).best.unwrap() < 3);
    assert_eq!(mcts.considered().len(), 2);
    // Once more about the same position, and now about all of it.
    assert_eq!(mcts.think(&root, &Limits::nodes(4000), &Control::default(), &mut |_| {}).best, Some(3));
}

#[test]
fn a_fixed_time_is_nearly_over_before_it_is_over() {
    let (control, stalls) = (Control::default(), Stalls::default());
    for (seconds, nearly) in [(0, true), (3600, false)] {
        let limits = Limits::move_time(std::time::Duration::from_secs(seconds));
        let clock = Clock::new(&limits, std::time::Instant::now(), std::time::Duration::ZERO, &stalls);
        let (limits, control, stalls) = (&limits, &control, &stalls);
        let bounds = Bounds { limits, clock, control, choice: Choice::MaxRobust, is_flat: false, stalls };
        assert_eq!(bounds.is_nearly_over(1), nearly);
    }
}

#[test]
fn a_lead_in_visits_ends_a_search_only_where_visits_choose() {
    let (mcts, _) = search(Config::plain(), 5, 1000);
    let (control, stalls) = (Control::default(), Stalls::default());
    // Nothing is left on the clock, so any lead is beyond reach.
    let limits = Limits { clock: Some(crate::TimeLeft::default()), ..Limits::default() };
    let cases = [
        (Choice::Robust, true),
        (Choice::MaxRobust, true),
        (Choice::Max, false),
        (Choice::Secure(1.0), false),
    ];
    for (choice, decided) in cases {
        let clock = Clock::new(&limits, std::time::Instant::now(), std::time::Duration::ZERO, &stalls);
        let bounds =
            Bounds { limits: &limits, clock, control: &control, choice, is_flat: false, stalls: &stalls };
        assert_eq!(bounds.is_decided(&mcts.tree, 1), decided, "{choice:?}");
    }
}

#[test]
fn a_pondering_search_waits_for_its_word() {
    let root = Root::new(Pile { left: 7, turn: Side::Black });
    let control = Control::new(true, std::time::Instant::now());
    let other = control.clone();
    let limits = Limits { ponder: true, ..Limits::nodes(100) };
    let thinker = std::thread::spawn(move || {
        let mut mcts = Mcts::new(Config::plain(), Toy::default());
        mcts.think(&root, &limits, &other, &mut |_| {});
        mcts.summary().playouts
    });
    std::thread::sleep(std::time::Duration::from_millis(30));
    assert!(!thinker.is_finished());
    control.ponder_hit(std::time::Instant::now());
    assert!(thinker.join().unwrap() >= 100);
}

#[test]
fn moves_are_listed_while_other_threads_add_to_them() {
    let tree = Tree::new(0);
    let candidate = |slot| Candidate { slot, visits: 1.0, value: 0.5, ..Candidate::default() };
    tree.expand(tree.root(), || (0..200).map(candidate).collect());
    std::thread::scope(|scope| {
        let adds = scope.spawn(|| {
            let mut random = Random::new(1);
            for _ in 0..20_000_000 {
                root_children(&tree)[random.below(200) as usize].add(1.0);
            }
        });
        while !adds.is_finished() {
            assert_eq!(considered::<Pile, Toy>(&tree, &Config::plain(), &Toy::default()).len(), 200);
        }
    });
}

#[test]
fn every_thread_sees_for_itself_that_the_search_must_end() {
    let (config, tree, board) = (Config::plain(), Tree::new(0), Pile { left: 7, turn: Side::Black });
    let (playouts, depth) = (AtomicU64::new(0), AtomicU32::new(0));
    let shared = worker::Shared::new(&config, &tree, &board, &|_| true, &playouts, &depth);
    let (limits, control, stalls) = (Limits::nodes(5), Control::default(), Stalls::default());
    let clock = Clock::new(&limits, std::time::Instant::now(), std::time::Duration::ZERO, &stalls);
    let choice = config.choice;
    let bounds =
        Bounds { limits: &limits, clock, control: &control, choice, is_flat: false, stalls: &stalls };
    let mut worker = worker::Worker::new(Toy::default(), &shared, 1);
    // Nobody says that it is done.
    let mut follow = || threads::follow::<Pile, Toy>(&shared, &mut worker, &bounds, &false.into());
    follow();
    assert_eq!(playouts.swap(0, Ordering::Relaxed), 5);
    control.stop();
    follow();
    assert_eq!(playouts.load(Ordering::Relaxed), 0);
}

#[test]
fn an_endless_search_ends_before_its_counts_run_over() {
    let (limits, control, stalls) =
        (Limits { infinite: true, ..Limits::default() }, Control::default(), Stalls::default());
    let clock = Clock::new(&limits, std::time::Instant::now(), std::time::Duration::ZERO, &stalls);
    let choice = Choice::Robust;
    let bounds =
        Bounds { limits: &limits, clock, control: &control, choice, is_flat: false, stalls: &stalls };
    let tree = Tree::new(0);
    tree.root().add(1.0);
    while tree.root().visits() < MOST {
        assert!(!bounds.is_over(&tree, 0, 0));
        tree.root().absorb(tree.root());
    }
    assert!(bounds.is_over(&tree, 0, 0));
    assert!(bounds.is_over(&Tree::new(0), MOST.into(), 0), "trees of their own");
}

#[test]
fn every_way_to_share_work_goes_on_with_the_threads_that_can_be_had() {
    let root = Root::new(Pile { left: 7, turn: Side::Black });
    for parallel in WAYS {
        for most in [0, 1] {
            crew::tests::MOST.set(Some(most));
            let mut player = Mcts::new(Config { threads: 4, parallel, ..Config::plain() }, Toy::default());
            let mut told = Vec::new();
            for _ in 0..2 {
                let best = player.think(&root, &Limits::nodes(50), &Control::default(), &mut |info| {
                    if let Info::Text(text) = info {
                        told.push(text.clone());
                    }
                });
                assert!(best.best.is_some());
            }
            assert_eq!((told, player.config.threads), (vec![crew::lack(1 + most, 4)], 1 + most));
        }
    }
}

#[test]
fn a_search_goes_on_with_the_memory_that_can_be_had() {
    let root = Root::new(Pile { left: 40, turn: Side::Black });
    let config = Config { memory: 64 << 20, ..Config::plain() };
    let mut player = Mcts::new(config, Toy::default());
    let mut told = Vec::new();
    tree::tests::MOST.set(Some(8));
    for _ in 0..2 {
        let best = player.think(&root, &Limits::nodes(60_000), &Control::default(), &mut |info| {
            if let Info::Text(text) = info {
                told.push(text.clone());
            }
        });
        assert!(best.best.is_some());
        assert_eq!(player.summary().playouts, 60_000);
    }
    tree::tests::MOST.set(None);
    // Of two thirds for the tree eight chunks were granted; two thirds of these are left for it.
    assert_eq!(told, ["only 2 of 42 MiB could be had for the tree; going on with these"]);
    assert_eq!((player.config.memory, player.capacity()), (2 << 20, 5 << 12));
}
