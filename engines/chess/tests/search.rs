//! The search from outside: what it finds, that it is repeatable, and that what it says is legal.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use chess::book::{self, Book, Entry};
use chess::eval::network::Pieces;
use chess::search::{Config, Searcher};
use chess::{Chess, Position, Rules};
use search::testing::Checked;
use search::testing::network::network;
use search::walk::open_walk;
use search::{Control, Engine, Game, Info, Limits, Random, Root, Score, Search};

fn read(fen: &str) -> Root<Position> {
    Root::new(Position::read(&Rules::default(), fen).unwrap())
}

fn score(fen: &str, nodes: u64) -> Score {
    Chess::new().ask(&read(fen), &Limits::nodes(nodes)).1.last().unwrap().score
}

#[test]
fn mates_are_found_with_their_distance() {
    assert_eq!(score("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 5_000), Score::win_in(1));
    // Morphy's problem: the rook goes to a6.
    assert_eq!(score("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 60_000), Score::win_in(3));
    assert_eq!(score("k7/8/1K6/8/8/8/8/7R b - - 0 1", 5_000), Score::loss_in(2));
}

#[test]
fn mates_are_found_with_any_technique_switched_off() {
    let root = read("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    for name in Config::SWITCHES.iter().map(|switch| switch.name) {
        let mut engine = Chess::new();
        let mut config = engine.searcher().config().clone();
        assert!(config.turn(name, false));
        engine.searcher().set_config(config);
        let (best, _) = engine.ask(&root, &Limits::depth(4));
        assert_eq!(best.best.map(|m| root.position().write(m)).as_deref(), Some("d1d8"), "without {name}");
    }
}

#[test]
fn a_mate_in_the_first_line_leaves_the_others_to_be_searched() {
    let mut engine = Chess::new();
    engine.set("MultiPV", "2").unwrap();
    let (_, lines) = engine.ask(&read("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), &Limits::depth(12));
    assert_eq!(lines.last().map(|line| (line.depth, line.multipv)), Some((12, 2)));
}

#[test]
fn a_weak_player_shows_one_line() {
    let mut engine = Chess::new();
    engine.set("Skill Level", "3").unwrap();
    let (_, lines) = engine.ask(&Root::new(Position::start(&Rules::default())), &Limits::depth(5));
    assert!(!lines.is_empty() && lines.iter().all(|line| line.multipv == 1));
}

#[test]
fn a_weak_player_shows_the_score_of_the_move_it_plays() {
    let mut engine = Chess::new();
    engine.set("Skill Level", "9").unwrap();
    engine.set("MultiPV", "4").unwrap();
    let root = Root::new(Position::start(&Rules::default()));
    let mut lesser = 0;
    for luck in 0..30 {
        engine.forget();
        engine.searcher().luck = luck;
        let (best, lines) = engine.ask(&root, &Limits::depth(2));
        let shown = lines.iter().rfind(|line| line.multipv == 1).unwrap();
        assert_eq!(shown.pv.first().copied(), best.best);
        let ranked = lines.iter().find(|line| (line.depth, &line.pv) == (2, &shown.pv)).unwrap();
        assert_eq!(ranked.score, shown.score);
        lesser += u32::from(ranked.multipv > 1);
    }
    assert!(lesser > 0, "at this level it errs now and then");
}

/// What an option is set to.
fn value(engine: &Chess, name: &str) -> String {
    let row = Chess::options().into_iter().find(|row| row.name == name).unwrap();
    row.get(engine).text().to_owned()
}

#[test]
fn options_mean_the_same_in_any_order() {
    let root = read("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10");
    let explain = |settings: &[(&str, &str)]| {
        let mut engine = Chess::new();
        settings.iter().for_each(|(name, value)| engine.set(name, value).unwrap());
        engine.explain(&root)
    };
    let thesis = explain(&[("Evaluation", "thesis")]);
    assert_eq!(explain(&[("Evaluation", "thesis"), ("Preset", "default")]), thesis);
    assert_eq!(explain(&[("Preset", "Queem")]), thesis);
    assert_eq!(explain(&[("Preset", "Queem"), ("Evaluation", "classical")]), explain(&[]));
    // A file comes before the evaluation, and may hold the weights of either.
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), chess::tuning::thesis().write()).unwrap();
    let path = file.path().to_str().unwrap();
    assert_eq!(explain(&[("Weights File", path), ("Evaluation", "classical")]), thesis);
    std::fs::write(file.path(), chess::tuning::weights().write()).unwrap();
    assert_eq!(explain(&[("Weights File", path), ("Evaluation", "thesis")]), explain(&[]));
    // Of a file of weights and one of a network the last one named counts, and no name at all takes neither away.
    std::fs::write(file.path(), network::<Pieces>(8, 1).write::<Pieces>("by lot")).unwrap();
    let by_network = explain(&[("Network File", path)]);
    assert!(by_network.starts_with("what each piece is worth"), "{by_network}");
    let weights = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(weights.path(), chess::tuning::thesis().write()).unwrap();
    let first = ("Weights File", weights.path().to_str().unwrap());
    assert_eq!(explain(&[first, ("Network File", path), ("Weights File", "")]), by_network);
    assert_eq!(explain(&[("Network File", path), first]), thesis);
    assert_eq!(explain(&[("Network File", path), ("Network File", "")]), explain(&[]));
    let mut engine = Chess::new();
    assert!(engine.set("Network File", first.1).unwrap_err().to_string().contains("is no network"));
    assert_eq!(engine.explain(&root), explain(&[]), "a refused file changes nothing");
    std::fs::write(file.path(), "piece mg: 1").unwrap();
    assert!(engine.set("Weights File", path).unwrap_err().to_string().contains(path));
    assert_eq!(value(&engine, "Weights File"), "");
}

#[test]
fn the_same_question_gets_the_same_answer() {
    let root = read("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10");
    let ask = || {
        let (best, lines) = Chess::new().ask(&root, &Limits::nodes(20_000));
        (best, lines.into_iter().map(|line| (line.nodes, line.score, line.pv)).collect::<Vec<_>>())
    };
    assert_eq!(ask(), ask());
}

#[test]
fn a_node_limit_is_met_exactly() {
    let (_, lines) = Chess::new().ask(&read("8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1"), &Limits::nodes(7_777));
    assert!(lines.iter().all(|line| line.nodes <= 7_777));
}

#[test]
fn lines_are_legal_and_begin_with_the_answer() {
    let mut engine = Chess::new();
    engine.set("MultiPV", "3").unwrap();
    for seed in 0..12 {
        let start = Position::start(&Rules { chess960: seed % 2 == 1 });
        let root = open_walk(&start, 10 + 4 * seed as usize, &mut Random::new(seed));
        let (best, lines) = engine.ask(&root, &Limits::nodes(3_000));
        let first = lines.iter().rev().find(|line| line.multipv == 1).unwrap();
        assert_eq!(first.pv.first().copied(), best.best);
        for depth in lines.chunk_by(|a, b| a.depth == b.depth && a.multipv < b.multipv) {
            assert!(depth.is_sorted_by_key(|line| std::cmp::Reverse(line.score)), "{}", root.position());
        }
        for line in &lines {
            let mut game = root.clone();
            for &m in &line.pv {
                assert!(game.legal().contains(&m), "{} {:?}", root.position(), line.pv);
                game.play(m);
            }
        }
        let reply = best.ponder.map(|reply| {
            let mut game = root.clone();
            game.play(best.best.unwrap());
            game.legal().contains(&reply)
        });
        assert_ne!(reply, Some(false));
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let root = read("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let wanted = root.position().parse("h2h3").unwrap();
    let limits = Limits { only: vec![root.position().pack(wanted)], ..Limits::depth(5) };
    assert_eq!(Chess::new().ask(&root, &limits).0.best, Some(wanted));
}

#[test]
fn a_repetition_is_sought_when_losing_and_shunned_when_winning() {
    // Black can check for ever on e1 and h4.
    let drawn = score("6k1/8/8/8/3q4/8/5QP1/7K b - - 0 1", 30_000);
    assert!(drawn > Score(-600), "{drawn}");
    let mut root = read("7k/8/8/8/8/8/8/KQ6 w - - 0 1");
    for text in ["b1c1", "h8g8", "c1b1", "g8h8", "b1c1", "h8g8"] {
        root.play_text(text).unwrap();
    }
    let (best, _) = Chess::new().ask(&root, &Limits::nodes(5_000));
    assert_ne!(root.position().write(best.best.unwrap()), "c1b1");
}

#[test]
fn two_threads_answer_too() {
    let mut engine = Chess::new();
    engine.set("Threads", "2").unwrap();
    let root = read("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10");
    let (best, lines) = engine.ask(&root, &Limits::depth(6));
    assert!(best.best.is_some() && lines.last().unwrap().depth >= 6);
}

#[test]
fn the_program_of_the_source_plays() {
    let mut engine = Chess::new();
    engine.set("Preset", "Queem").unwrap();
    let root = read("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let (best, _) = engine.ask(&root, &Limits::depth(3));
    assert_eq!(root.position().write(best.best.unwrap()), "d1d8");
}

#[test]
fn the_program_of_the_source_shows_its_scores_in_the_unit_of_all() {
    let root = read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1");
    let mut engine = Chess::new();
    engine.set("Preset", "Queem").unwrap();
    let (_, lines) = engine.ask(&root, &Limits::depth(2));
    let mut player = chess::queem::player(chess::tuning::evaluator(chess::Evaluation::Thesis));
    let scores: Vec<Score> = player.ask(&root, &Limits::depth(2)).1.iter().map(|line| line.score).collect();
    assert!(scores.iter().all(|score| *score < Score(-100)), "{scores:?}");
    let shown = scores.into_iter().map(chess::learn::chances::shown);
    assert_eq!(lines.iter().map(|line| line.score).collect::<Vec<_>>(), shown.collect::<Vec<_>>());
}

#[test]
fn weak_levels_still_play_legal_moves() {
    let mut engine = Chess::new();
    for level in ["0", "7", "19"] {
        engine.set("Skill Level", level).unwrap();
        let root = open_walk(&Position::start(&Rules::default()), 12, &mut Random::new(4));
        let (best, _) = engine.ask(&root, &Limits::depth(8));
        assert!(root.legal().contains(&best.best.unwrap()));
    }
}

#[test]
fn stop_ends_a_first_iteration_of_too_many_captures() {
    let root = read("kqqqqqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQK w - - 0 1");
    let control = Control::default();
    control.stop();
    let best = Chess::new().think(&root, &Limits::default(), &control, &mut |_| {});
    assert!(root.legal().contains(&best.best.unwrap()));
}

/// Tables of a king and one piece against a king, see tests/data/syzygy/README.md.
fn with_tables() -> Chess {
    let mut engine = Chess::new();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy");
    assert!(std::path::Path::new(path).join("KQvK.rtbw").exists(), "{path} lacks its tables");
    engine.set("SyzygyPath", path).unwrap();
    engine
}

#[test]
fn tables_keep_the_moves_that_keep_their_promise() {
    // One move alone keeps White's king from the square before his pawn for good.
    let root = read("8/4k3/8/4PK2/8/8/8/8 b - - 0 1");
    let (best, _) = with_tables().ask(&root, &Limits::depth(1));
    assert_eq!(root.position().write(best.best.unwrap()), "e7f7");
    // A rook's mate makes progress: the game ends within the fifty moves, even at depth 1.
    let mut engine = with_tables();
    let mut game = read("8/8/8/3k4/8/8/8/R3K3 w - - 0 1");
    while game.outcome().is_none() {
        let (best, _) = engine.ask(&game, &Limits::depth(1));
        game.play(best.best.unwrap());
    }
    assert_eq!(game.outcome().unwrap().reason, "checkmate");
}

#[test]
fn a_third_occurrence_draws_whatever_the_tables_promise() {
    let mut root = read("8/8/8/8/4k3/8/8/R3K3 w - - 0 1");
    for text in ["a1a2", "e4d5", "a2a1", "d5e4", "a1a2", "e4d5", "a2a1"] {
        root.play_text(text).unwrap();
    }
    // Other moves would lose more slowly.
    let (best, _) = with_tables().ask(&root, &Limits::depth(2));
    assert_eq!(root.position().write(best.best.unwrap()), "d5e4");
}

#[test]
fn several_lines_are_shown_whatever_the_tables_promise() {
    let mut engine = with_tables();
    engine.set("MultiPV", "9").unwrap();
    // One of five moves draws, the others lose.
    let root = read("8/4k3/8/4PK2/8/8/8/8 b - - 0 1");
    let (best, lines) = engine.ask(&root, &Limits::depth(4));
    let last = &lines[lines.len() - 5..];
    assert!(last.iter().zip(1..).all(|(line, rank)| line.depth == 4 && line.multipv == rank), "{last:?}");
    assert!(last[0].score == Score::DRAW && last[0].pv.first() == best.best.as_ref(), "{last:?}");
    assert!(last[1..].iter().all(|line| line.score < -Score::OPINION), "{last:?}");
    assert_eq!(root.position().write(best.best.unwrap()), "e7f7");
    // A weak player errs only among moves that keep the promise.
    engine.set("Skill Level", "0").unwrap();
    for luck in 0..20 {
        engine.searcher().luck = luck;
        assert_eq!(engine.ask(&root, &Limits::depth(4)).0.best, best.best);
    }
}

#[test]
fn tables_are_asked_in_the_tree_as_the_options_say() {
    let fen = "8/8/8/8/8/k7/p1K5/8 w - - 0 1";
    let hits = |settings: &[(&str, &str)]| {
        let mut engine = with_tables();
        settings.iter().for_each(|(name, value)| engine.set(name, value).unwrap());
        engine.ask(&read(fen), &Limits::depth(6)).1.last().unwrap().database_hits
    };
    assert!(hits(&[]) > 0);
    assert_eq!(hits(&[("SyzygyProbeLimit", "2")]), 0);
    assert_eq!(hits(&[("SyzygyPath", "")]), 0);
    assert!(hits(&[("SyzygyProbeDepth", "5")]) < hits(&[]));
}

#[test]
fn what_tables_know_is_shown() {
    let (_, lines) = with_tables().ask(&read("8/8/8/3k4/8/8/8/R3K3 w - - 0 1"), &Limits::depth(6));
    assert!(lines.iter().all(|line| line.score > Score::OPINION), "{lines:?}");
    // Too late to mate within the fifty moves.
    let root = read("8/8/8/3k4/8/8/8/R3K3 w - - 95 100");
    let (_, lines) = with_tables().ask(&root, &Limits::depth(6));
    assert!(lines.iter().all(|line| line.score == Score::DRAW), "{lines:?}");
    let (_, lines) = Chess::new().ask(&root, &Limits::depth(1));
    assert!(lines[0].score > Score(500), "{lines:?}");
}

/// What the engine remarks on when it thinks.
fn remarks(engine: &mut Chess) -> Vec<String> {
    let mut remarks = Vec::new();
    let root = Root::new(Position::start(&Rules::default()));
    let best = engine.think(&root, &Limits::depth(2), &Control::default(), &mut |info| {
        if let Info::Text(text) = info {
            remarks.push(text.clone());
        }
    });
    assert!(best.best.is_some());
    remarks
}

#[test]
fn a_path_without_tables_is_told_once_and_play_goes_on() {
    let mut engine = Chess::new();
    engine.set("SyzygyPath", "/nowhere at all").unwrap();
    engine.set("Syzygy50MoveRule", "false").unwrap();
    let told = remarks(&mut engine);
    assert!(told.len() == 1 && told[0].contains("/nowhere at all"), "{told:?}");
    engine.set("SyzygyPath", "/nowhere at all").unwrap();
    engine.set("SyzygyProbeDepth", "3").unwrap();
    assert_eq!(remarks(&mut engine), [""; 0]);
}

#[test]
fn a_path_that_was_replaced_is_not_remarked_on() {
    for path in ["", concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy")] {
        let mut engine = Chess::new();
        engine.set("SyzygyPath", "/nowhere at all").unwrap();
        engine.set("SyzygyPath", path).unwrap();
        assert_eq!(remarks(&mut engine), [""; 0]);
    }
}

#[test]
fn opinions_are_told_the_way_to_every_position_they_are_asked_about() {
    let classical = chess::tuning::evaluator(chess::Evaluation::Full);
    let by_network = classical.clone().with_network(Arc::new(network::<Pieces>(8, 1)));
    for (eval, threads) in [(&classical, 1), (&classical, 2), (&by_network, 1), (&by_network, 2)] {
        let mut searcher = Searcher::new(Config::default(), Checked::new(eval.clone()));
        searcher.common.threads = threads;
        for fen in [
            // A mate is near, a pawn promotes, passing loses.
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            "8/1P3k2/8/2r5/8/3N4/5KPP/8 w - - 0 1",
            "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
        ] {
            let best = searcher.think(&read(fen), &Limits::nodes(60_000), &Control::default(), &mut |_| {});
            assert!(best.best.is_some());
        }
    }
}

#[test]
fn techniques_are_switched_off_by_name_or_refused() {
    let mut engine = Chess::new();
    engine.set("Switch Off", "null_move, probcut").unwrap();
    assert!(!engine.searcher().config().null_move && !engine.searcher().config().probcut);
    assert!(engine.searcher().config().killers);
    let why = engine.set("Switch Off", "killers magic").unwrap_err().to_string();
    assert!(why.contains("'magic'") && why.contains("null_move"), "{why}");
    assert!(engine.searcher().config().killers, "a refused list changes nothing");
    engine.set("Switch Off", "").unwrap();
    assert!(engine.searcher().config().null_move);
}

#[test]
fn only_queem_has_algorithms_and_techniques_to_switch_on() {
    let mut engine = Chess::new();
    let why = engine.set("Algorithm", "minimax").unwrap_err().to_string();
    assert_eq!(why, "option Algorithm: only Preset Queem has algorithms to choose from");
    let why = engine.set("Switch On", "probcut").unwrap_err().to_string();
    assert!(why.ends_with("'probcut' cannot be switched on: it is on already"), "{why}");
    engine.set("Preset", "Queem").unwrap();
    engine.set("Algorithm", "minimax").unwrap();
    engine.set("Evaluation", "classical").unwrap();
    assert_eq!(value(&engine, "Algorithm"), "minimax", "another evaluation leaves the search as it is");
    engine.set("Preset", "default").unwrap();
    assert_eq!(value(&engine, "Algorithm"), "default");
}

#[test]
fn null_move_is_switched_off_under_queem() {
    let nodes = |off: &str| {
        let mut engine = Chess::new();
        engine.set("Preset", "Queem").unwrap();
        engine.set("Switch Off", off).unwrap();
        engine.ask(&Root::new(Position::start(&Rules::default())), &Limits::depth(5)).1.last().unwrap().nodes
    };
    assert_ne!(nodes("null_move"), nodes(""));
    assert_ne!(nodes("quiescence"), nodes(""));
}

#[test]
fn every_node_is_counted_as_one_kind() {
    let mut engine = Chess::new();
    let root = read("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10");
    let (_, lines) = engine.ask(&root, &Limits::depth(9));
    let counters = engine.counters().unwrap();
    // The root is no node of its own.
    let roots = lines.last().unwrap().nodes - counters.nodes();
    assert!((9..100).contains(&roots), "{roots} {counters:?}");
    let [first, others @ ..] = counters.cutoffs;
    assert!(first > 3 * others.iter().sum::<u64>(), "{counters:?}");
    assert!(counters.hits > 0 && counters.table_cut <= counters.hits && counters.hits < counters.probes);
}

#[test]
fn every_technique_is_listed_in_the_manual() {
    let manual = include_str!("../../../docs/chess.md");
    for switch in Config::SWITCHES {
        let row = format!("\n| `{}` | {} |\n", switch.name, switch.help);
        assert!(manual.contains(&row), "{row}");
    }
}

/// An engine whose book knows one move of the start.
fn with_book(text: &str) -> Chess {
    let start = Position::start(&Rules::default());
    let packed = book::pack(start.parse(text).unwrap());
    let entry = Entry { key: book::key(&start, None).unwrap(), packed, weight: 1 };
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), Book::new(vec![entry]).bytes()).unwrap();
    let mut engine = Chess::new();
    engine.set("Book File", file.path().to_str().unwrap()).unwrap();
    engine.set("OwnBook", "true").unwrap();
    engine
}

#[test]
fn lesson_02_an_analysis_takes_no_move_from_the_book() {
    let root = Root::new(Position::start(&Rules::default()));
    for ponder in [false, true] {
        let limits = Limits { infinite: !ponder, ponder, ..Limits::depth(2) };
        let (_, lines) = with_book("a2a3").ask(&root, &limits);
        assert!(lines.iter().all(|line| line.nodes > 0), "{lines:?}");
    }
}

#[test]
fn lesson_04_a_book_move_has_a_scored_line_too() {
    let root = Root::new(Position::start(&Rules::default()));
    let (best, lines) = with_book("a2a3").ask(&root, &Limits::depth(8));
    assert_eq!(best.best, root.position().parse("a2a3").ok());
    assert_eq!(lines.iter().map(|line| line.pv.first().copied()).collect::<Vec<_>>(), [best.best]);
}

#[test]
fn lesson_15_a_found_mate_does_not_flood() {
    let root = read("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let (_, lines) = Chess::new().ask(&root, &Limits::depth(200));
    assert!(lines.len() < 20, "{} lines", lines.len());
}

#[test]
fn a_soft_limit_of_nodes_ends_between_iterations() {
    let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    let last = |limits: &Limits| Chess::new().ask(&read(fen), limits).1.pop().unwrap();
    let soft = last(&Limits::about_nodes(3000));
    assert!((2000..24_000).contains(&soft.nodes), "{}", soft.nodes);
    let whole = last(&Limits::depth(soft.depth));
    assert_eq!((soft.nodes, soft.score, soft.pv), (whole.nodes, whole.score, whole.pv));
}
