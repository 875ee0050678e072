//! Positions and moves of all games: what is read is written and read again, plays on, and can be judged.

use std::cell::RefCell;

use quintet::referee::{self, Refereed};
use search::{Engine, Game, Limits, Random, Root, Rulebook};

/// Plies that are played at random from the end of the game that was read.
const PLIES: u32 = 6;
/// Moves of an input that are played.
const MOST_MOVES: usize = 60;
/// Nodes of a search for a move.
const NODES: u64 = 30;

macro_rules! games {
    ($($game:ident $engine:ident $protocol:ident),*) => {
        mod engines {
            use super::*;
            thread_local! {
                $(pub static $game: RefCell<Option<::$game::$engine>> = const { RefCell::new(None) };)*
            }
        }

        /// The first letter of a game; then rules as `Name=value`, a line; a FEN, a line; moves.
        pub fn run(data: &[u8]) {
            let Some((letter, rest)) = super::split(data) else { return };
            let Ok(text) = str::from_utf8(rest) else { return };
            $(if stringify!($game).starts_with(letter) {
                return engines::$game.with_borrow_mut(|engine| {
                    judge(stringify!($game), engine.get_or_insert_with(modest), text)
                });
            })*
        }
    };
}

quintet::for_each_game!(games);

/// An engine with little memory: others are fuzzed beside it.
fn modest<E: Engine>() -> E {
    let mut engine = E::new();
    engine.resize(1).expect("there is a megabyte");
    engine
}

fn judge<E: Engine>(name: &str, engine: &mut E, text: &str)
where
    E::Game: Refereed,
{
    let mut lines = text.splitn(3, '\n');
    let mut line = || lines.next().unwrap_or_default();
    let choices: Vec<(String, String)> = line()
        .split_whitespace()
        .filter_map(|word| word.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let Ok(rules) = <E::Game as Game>::Rules::chosen(&choices) else { return };
    let Ok(start) = <E::Game as Game>::read(&rules, line()) else { return };
    survives(&rules, &start);
    let mut root = Root::new(start);
    for word in line().split_whitespace().take(MOST_MOVES) {
        // What is refused changes nothing.
        if root.play_text(word).is_ok() {
            survives(&rules, root.position());
        }
    }
    walk(&rules, &mut root, &mut super::random(text.as_bytes()));
    looked_at(name, &choices, &root);
    if root.outcome().is_none() && !root.legal().is_empty() {
        think(engine, rules, &root);
    }
}

/// A position as text is the same position.
fn survives<G: Game>(rules: &G::Rules, position: &G) {
    let written = position.to_string();
    let again = G::read(rules, &written).unwrap_or_else(|error| panic!("{written}: {error}"));
    assert!(
        again == *position && again.key() == position.key() && again.same(position),
        "{written}: {again}"
    );
    assert_eq!(again.to_string(), written);
    if let Some(flipped) = position.flipped() {
        assert!(flipped.flipped().as_ref() == Some(position), "{written}: {flipped}");
        assert_eq!(flipped.count(), position.count(), "{written}: {flipped}");
    }
    assert!(!position.picture().is_empty());
}

/// Plays on at random; every legal move on the way is written and read.
fn walk<G: Game>(rules: &G::Rules, root: &mut Root<G>, random: &mut Random) {
    for _ in 0..PLIES {
        if root.outcome().is_some() {
            return;
        }
        let (position, legal) = (root.position(), root.legal());
        let mut packed: Vec<u32> = legal.iter().map(|&m| position.pack(m)).collect();
        packed.sort_unstable();
        packed.dedup();
        assert!(packed.len() == legal.len() && !packed.contains(&0), "{position}");
        for &m in &legal {
            let word = position.write(m);
            assert_eq!(position.parse(&word).ok(), Some(m), "{position}: {word}");
        }
        let Some(&m) = legal.get(random.below(legal.len().max(1) as u32) as usize) else { return };
        root.play(m);
        survives(rules, root.position());
    }
}

/// What a board shows of the game.
fn looked_at<G: Refereed>(name: &str, choices: &[(String, String)], root: &Root<G>) {
    let mut desk = referee::open(name, choices).expect("the rules were read with it");
    desk.set_up(Some(&root.start().to_string())).expect("it was read before");
    for (position, &m) in root.positions().iter().zip(root.moves()) {
        let word = position.written(m);
        let played = desk.play(&word).unwrap_or_else(|error| panic!("{position}: {word}: {error}"));
        assert_eq!(played, position.write(m), "{position}: {word}");
    }
    assert_eq!(desk.fen(), root.position().to_string());
    let board = desk.board();
    assert_eq!(desk.choices().len(), desk.legal().len());
    assert!(board.spots.iter().all(|spot| spot.column < board.columns && spot.row < board.rows));
    if let Some(spot) = board.spots.iter().find(|spot| spot.piece.is_some()) {
        assert!(desk.chain(&spot.name).contains(&spot.name));
    }
    let pieces: Vec<(String, char)> =
        board.spots.iter().filter_map(|spot| Some((spot.name.clone(), spot.piece?))).collect();
    // A position that pieces alone do not tell may be refused.
    let _ = desk.compose(&pieces, desk.turn());
}

fn think<E: Engine>(engine: &mut E, rules: <E::Game as Game>::Rules, root: &Root<E::Game>) {
    engine.set_rules(rules);
    engine.forget();
    assert!(engine.explain(root).contains("Evaluation: "), "{}", root.position());
    let (best, _) = engine.ask(root, &Limits::nodes(NODES));
    assert!(best.best.is_some_and(|m| root.legal().contains(&m)), "{}", root.position());
}
