//! What was learned, built or downloaded: whatever the numbers of a file are, those who ask it get an answer.
//!
//! A fuzzer does not guess checksums, so those of an input are made right before it is read.

use std::sync::{Arc, LazyLock};

use chess::eval::network::Pieces;
use chess::eval::terms;
use chess::eval::thesis::Tables;
use chess::learn::chances::Curve;
use search::network::{self, Network};
use search::{Eval, Game, Random, Root, Side};
use xxhash_rust::xxh3::xxh3_64;

/// Positions that every reader's numbers are tried on, by game; chess without those that are no game's.
const CHESS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 9 40",
    "QQQQQQQk/QQ6/8/8/8/8/8/K7 b - - 0 1",
];
const DRAUGHTS: [&str; 4] = [
    "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    "B:WK32,21:BK1,12",
    "W:WK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12:B20",
    "B:W13:BK29,K30,K31,K32",
];
const NEIGHBOURS: [&str; 3] =
    ["bbbbbbbb/8/8/8/8/8/8/wwwwwwww w 0", "6b1/6b1/5b2/8/5b2/2w3w1/3ww3/8 b 7", "8/8/3w4/8/8/5b2/8/8 w 90"];
const MORRIS: [&str; 3] = [
    "......../......../........ w 9 9 0 -",
    "wb.bw.wb/.w.bw.b./bw..b.w. w 0 0 0 -",
    "ww...w../...bb.b./....b... b 0 0 9 -",
];
/// What a patch of a large file takes: three bytes of a place, and the byte that is written there.
const PATCH: usize = 4;
/// Moves that are drawn from a book.
const DRAWN: u64 = 4;

/// The letters of the readers are those of [`READERS`].
pub fn run(data: &[u8]) {
    let Some((letter, rest)) = super::split(data) else { return };
    if let Some((_, read)) = READERS.iter().find(|(known, _)| *known == letter) {
        read(rest);
    }
}

type Reader = fn(&[u8]);

const READERS: [(char, Reader); 17] = [
    ('a', chess_weights),
    ('b', chess_thesis),
    ('c', chess_chances),
    ('d', chess_network),
    ('e', chess_book),
    ('f', super::tables::syzygy),
    ('g', draughts_patterns),
    ('h', draughts_patched),
    ('i', draughts_learned),
    ('j', draughts_book),
    ('k', neighbours_weights),
    ('l', morris_weights),
    ('m', go_strengths),
    ('n', super::tables::draughts),
    ('o', super::tables::neighbours),
    ('p', super::tables::morris),
    ('q', go_network),
];

/// Positions of a game by its usual rules.
fn positions<G: Game>(texts: &[&str]) -> Vec<G> {
    let read = |text: &&str| G::read(&G::Rules::default(), text).unwrap_or_else(|error| panic!("{error}"));
    texts.iter().map(read).collect()
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap_or_default()
}

/// The bytes with their own checksum behind them.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    [bytes, &xxh3_64(bytes).to_le_bytes()].concat()
}

static BOARDS: LazyLock<Vec<chess::Position>> = LazyLock::new(|| positions(&CHESS));
static DAMES: LazyLock<Vec<draughts::Position>> = LazyLock::new(|| positions(&DRAUGHTS));

/// The value of a position and of those after it, as a search sees them.
fn judged<E: Eval<G>, G: Game>(eval: &mut E, positions: &[G]) {
    for position in positions {
        eval.enter(position);
        eval.score(position);
        for &m in position.list().iter() {
            let after = position.after(m);
            eval.push(position, Some(m), &after);
            eval.score(&after);
            eval.pop();
        }
    }
}

fn chess_weights(bytes: &[u8]) {
    let Ok(weights) = terms::Weights::read(text(bytes)) else { return };
    let written = weights.write();
    assert_eq!(terms::Weights::read(&written).map(|weights| weights.write()).as_ref(), Ok(&written));
    let mut eval =
        chess::Evaluator::new(chess::Evaluation::Full, Arc::new(weights), Arc::new(chess::tuning::thesis()));
    judged(&mut eval, &BOARDS);
    BOARDS.iter().for_each(|position| drop(eval.explain(position)));
}

fn chess_thesis(bytes: &[u8]) {
    let Ok(tables) = Tables::read(text(bytes)) else { return };
    let written = tables.write();
    assert_eq!(Tables::read(&written).map(|tables| tables.write()).as_ref(), Ok(&written));
    let mut eval = chess::Evaluator::new(
        chess::Evaluation::Thesis,
        Arc::new(chess::tuning::weights()),
        Arc::new(tables),
    );
    judged(&mut eval, &BOARDS);
    BOARDS.iter().for_each(|position| drop(eval.explain(position)));
}

fn chess_chances(bytes: &[u8]) {
    let Ok(curve) = Curve::read(text(bytes)) else { return };
    let _ = curve.write();
}

fn chess_network(bytes: &[u8]) {
    let Ok(network) = Network::read::<Pieces>(&sealed(bytes)) else { return };
    assert_eq!(Network::read::<Pieces>(&network.write::<Pieces>("")).as_ref(), Ok(&network));
    let (weights, thesis) = (Arc::new(chess::tuning::weights()), Arc::new(chess::tuning::thesis()));
    let eval = chess::Evaluator::new(chess::Evaluation::Full, weights, thesis);
    let mut eval = eval.with_network(Arc::new(network.clone()));
    judged(&mut eval, &BOARDS);
    for position in BOARDS.iter() {
        let [own, other] = network::seen::<Pieces>(position);
        network.judge(&own, &other, 0);
        eval.explain(position);
    }
}

fn chess_book(bytes: &[u8]) {
    let Ok(book) = super::in_file("book", bytes, |path| chess::book::Book::open(&path)) else { return };
    assert!(book.positions() <= bytes.len());
    for position in BOARDS.iter() {
        for seed in 0..DRAWN {
            let game = Root::new(*position);
            assert!(book.choose(&game, seed).is_none_or(|m| game.legal().contains(&m)));
        }
    }
}

fn draughts_patterns(bytes: &[u8]) {
    let Ok(patterns) = draughts::Patterns::read(&sealed(bytes)) else { return };
    assert_eq!(draughts::Patterns::read(&patterns.write()).as_ref(), Ok(&patterns));
    judge_draughts(draughts::Evaluation::Patterns(Arc::new(patterns)));
}

/// The file is large: the input says what to change in the one that comes with the engine.
fn draughts_patched(patches: &[u8]) {
    static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| draughts::Patterns::built_in().write());
    let mut bytes = WHOLE[..WHOLE.len() - 8].to_vec();
    patch(&mut bytes, patches);
    draughts_patterns(&bytes);
}

pub(super) fn patch(bytes: &mut [u8], patches: &[u8]) {
    for patch in patches.chunks_exact(PATCH) {
        let place = usize::from(patch[0]) << 16 | usize::from(patch[1]) << 8 | usize::from(patch[2]);
        let length = bytes.len();
        bytes[place % length] = patch[3];
    }
}

fn judge_draughts(evaluation: draughts::Evaluation) {
    let mut eval = draughts::Evaluator::new(evaluation);
    judged(&mut eval, &DAMES);
    DAMES.iter().for_each(|position| drop(eval.explain(position)));
}

/// Positions of Go that a network sees.
const GO: [&str; 3] =
    ["2/2 b - 0 0 0", "1w3/bw3/1bw2/b1bw1/1bw2 b - 0 0 0", "9/9/9/9/3wb4/9/9/9/9 w - 1 2 0"];

fn go_network(bytes: &[u8]) {
    let Ok(network) = go::network::Network::read(&sealed(bytes)) else { return };
    assert_eq!(go::network::Network::read(&network.write("")).as_ref(), Ok(&network));
    let mut knowledge = go::policy::Knowledge::new(go::playout::Style::Light);
    knowledge.advisor = Some(go::policy::Advisor::new(Arc::new(network), 0.0, 1));
    for text in GO {
        let size = text.find('/').expect("a board has rows");
        let size = text[..size].chars().map(|c| c.to_digit(10).unwrap_or(1)).sum::<u32>() as usize;
        let rules = go::Rules::default().with_size(size).expect("a board of this size");
        let root = Root::new(go::Position::read(&rules, text).unwrap_or_else(|error| panic!("{error}")));
        let board = search::mcts::Policy::board(&mut knowledge, &root);
        let said = knowledge.judged(&board, &[]).expect("there is a network");
        assert!((0.0..=1.0).contains(&said.win) && said.owners.len() == size * size, "{text}");
    }
}

fn draughts_learned(bytes: &[u8]) {
    let Some(Ok(learned)) = draughts::eval::learned::Learned::read(text(bytes)) else { return };
    judge_draughts(draughts::Evaluation::Learned(Arc::new(learned)));
}

fn draughts_book(bytes: &[u8]) {
    let Ok(book) = draughts::book::Book::read(text(bytes)) else { return };
    assert_eq!(draughts::book::Book::read(&book.write()).as_ref(), Ok(&book));
    for &position in DAMES.iter() {
        let game = Root::new(position);
        for seed in 0..DRAWN {
            let chosen = book.choose(&game, &mut Random::new(seed));
            assert!(chosen.is_none_or(|m| game.legal().contains(&m)));
        }
    }
}

fn neighbours_weights(bytes: &[u8]) {
    let Ok(mut eval) = neighbours::Evaluator::read(text(bytes)) else { return };
    for position in positions(&NEIGHBOURS) {
        let _ = [Side::White, Side::Black].map(|agent| eval.value(&position, agent));
        eval.explain(&position);
        judged(&mut eval, &[position]);
    }
}

fn morris_weights(bytes: &[u8]) {
    let Ok(weights) = morris::Weights::read(text(bytes)) else { return };
    assert_eq!(morris::Weights::read(&weights.to_string()), Ok(weights));
    let evaluation = morris::Evaluation::Default(weights);
    let mut eval = morris::Evaluator { evaluation, ..Default::default() };
    for position in positions(&MORRIS) {
        eval.explain(&position);
        judged(&mut eval, &[position]);
    }
}

fn go_strengths(bytes: &[u8]) {
    let Ok(strengths) = go::strengths::Strengths::read(text(bytes)) else { return };
    for feature in 0..4 {
        let team = [feature; go::features::COLUMNS.len()];
        assert!(!strengths.tactical(&team).is_nan());
    }
}
