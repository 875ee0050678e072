//! What comes over pipes and the network: lines of engines, of those who drive engines, of agents, and what pages ask.

use std::io::Cursor;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use protocol::agent::Introduction;
use protocol::gtp::{self, Responder};
use protocol::uci::{self, Declared};
use protocol::{Process, hub, lines};
use quintet::driver::{self, Occasion, Patience, Protocol, Question, Setup, Spend};
use quintet::record::{Format, text};
use quintet::serve::agents::Agents;
use quintet::serve::books::Books;
use quintet::serve::limits::Limits;
use quintet::serve::lobby::{Lobby, Task};
use quintet::serve::order::Order;
use quintet::serve::players::Players;
use quintet::serve::store::Store;
use quintet::serve::token::Token;
use search::{Engine, Game, Root, Side};
use serde_json::Value;
use tokio::runtime::Runtime;

/// Longer than an engine takes that has said everything already.
const PATIENCE: Duration = Duration::from_secs(5);
/// What an engine may say before nobody listens any more.
const EVENTS: usize = 200;
/// Lines of an input that are heard.
const LINES: usize = 60;
/// How commands of GTP begin that read or write files, set options that do, or look at a board for long.
const NOT_ASKED: [&str; 5] = ["loadsgf", "printsgf", "quintet-", "final_", "estimate_"];

/// `a`: an agent's first line; `o`: what pages ask, the first line a [`Task`], the others each an [`Order`]; `u`, `g`,
/// `h`: an engine that speaks UCI, GTP or Hub, after the first letter of its game; `v`: lines to our UCI engine of a
/// game, after the game's first letter; `c`: to our engine of Go; `d`: to our engine that speaks Hub.
pub fn run(data: &[u8]) {
    let Some((letter, rest)) = super::split(data) else { return };
    match letter {
        'a' => introduction(&text(rest.to_vec())),
        'o' => board(rest),
        'u' => converse(Protocol::Uci, rest),
        'g' => converse(Protocol::Gtp, rest),
        'h' => converse(Protocol::Hub, rest),
        'v' => uci_engine(rest),
        'c' => console(rest),
        'd' => hub_engine(rest),
        _ => {}
    }
}

/// The lines of an input as a session reads them.
fn spoken(mut bytes: &[u8]) -> Vec<String> {
    std::iter::from_fn(|| lines::next(&mut bytes)).take(LINES).collect()
}

fn introduction(line: &str) {
    let Ok(read) = Introduction::read(line) else { return };
    let token = read.token.as_deref().unwrap_or_default();
    let written = format!("agent {} {} {token}", read.game, read.name);
    assert_eq!(Introduction::read(&written), Ok(read));
}

/// An engine that says all this, whatever it is asked.
fn converse(protocol: Protocol, data: &[u8]) {
    let Some((letter, said)) = super::split(data) else { return };
    let Some(row) = quintet::games::GAMES.iter().find(|row| row.name.starts_with(letter)) else { return };
    for line in spoken(said) {
        uci::info::read(&line);
        if let Some(declared) = Declared::read(&line) {
            ["", "1", "true", "x"].iter().for_each(|value| drop(declared.fit(value)));
        }
    }
    let process = Process::that_says(Cursor::new(said.to_vec())).expect("there are threads");
    let options = vec![("Hash".to_owned(), "1".to_owned())];
    let setup = Setup { patience: Patience::of(PATIENCE), ..Setup::new(protocol, Occasion::Board, options) };
    let Ok(mut talk) = driver::open(process, &setup) else { return };
    let _ = talk.new_game();
    let spend = Spend::time(Duration::from_millis(1));
    let question = Question { lines: 3, analyses: true, ..Question::new(None, Vec::new(), row.first, spend) };
    if talk.ask(&question).is_ok() {
        let deadline = Instant::now() + PATIENCE;
        let _ = (0..EVENTS).take_while(|_| talk.next(deadline).is_ok()).count();
    }
    talk.settings();
    let _ = talk.dead_stones(&question);
    talk.quit(Duration::ZERO);
}

macro_rules! engines {
    ($($game:ident $engine:ident $protocol:ident),*) => {
        fn uci_engine(data: &[u8]) {
            let Some((letter, rest)) = super::split(data) else { return };
            $(if stringify!($game).starts_with(letter) {
                return with_engine::<$game::$engine>(|engine| hear(engine, rest));
            })*
        }
    };
}

quintet::for_each_game!(engines);

/// Calls with a new engine that has little memory.
fn with_engine<E: Engine>(f: impl FnOnce(&E)) {
    let mut engine = E::new();
    engine.resize(1).expect("there is a megabyte");
    f(&engine);
}

/// What a session makes of lines before it searches.
fn hear<E: Engine>(engine: &E, data: &[u8]) {
    let rules = engine.rules();
    let mut root = Root::new(E::Game::start(&rules));
    for line in spoken(data) {
        let _ = uci::Command::read_whole(&line);
        match uci::Command::read(&line) {
            Ok(Some(uci::Command::Position { fen, moves })) => {
                let start = fen.map_or_else(|| Ok(E::Game::start(&rules)), |fen| E::Game::read(&rules, &fen));
                let Ok(start) = start else { continue };
                let words: Vec<&str> = moves.iter().map(String::as_str).collect();
                let mut game = Root::new(start);
                if engine.read_moves(&mut game, &words).is_ok() {
                    root = game;
                }
            }
            Ok(Some(uci::Command::SetOption { name, value })) => {
                let rows = E::options();
                if let Some(row) = rows.iter().find(|row| row.is_called(&name)) {
                    let _ = row.read(&value);
                }
            }
            Ok(Some(uci::Command::Go(go))) => drop([Side::White, Side::Black].map(|side| go.limits(side))),
            _ => {}
        }
    }
    assert!(!root.position().to_string().is_empty());
}

/// Commands to a board of Go; what it would have to think about is left.
fn console(data: &[u8]) {
    let mut console = go::gtp::Console::new(go::Go::new());
    for line in spoken(data) {
        let Some(command) = gtp::Command::read(&line) else { continue };
        let is_known = console.commands().contains(&command.name.as_str());
        if is_known && !NOT_ASKED.iter().any(|name| command.name.starts_with(name)) {
            let _ = console.answer(&command);
        }
        gtp::command::is_interrupt(&line);
    }
}

fn hub_engine(data: &[u8]) {
    let rules = draughts::Rules::default();
    let mut position = draughts::Position::start(&rules);
    for text in spoken(data) {
        let Some(line) = hub::Line::read(&text) else { continue };
        let written = line.to_string();
        assert_eq!(hub::Line::read(&written).as_ref(), Some(&line), "{written}");
        if let Some(Ok(found)) = line.get("pos").map(|pos| draughts::hub::read(&rules, pos)) {
            assert_eq!(draughts::hub::read(&rules, &draughts::hub::position(&found)).as_ref(), Ok(&found));
            position = found;
        }
        for word in line.get("moves").unwrap_or_default().split_whitespace() {
            for order in draughts::hub::ORDERS {
                if let Ok(m) = draughts::hub::parse(&position, word, order) {
                    let written = draughts::hub::write(&position, m, order);
                    assert_eq!(
                        draughts::hub::parse(&position, &written, order).as_ref(),
                        Ok(&m),
                        "{written}"
                    );
                }
            }
        }
    }
}

/// Nobody plays but people: no engine of this path can be started.
static PLAYERS: LazyLock<Arc<Players>> = LazyLock::new(|| {
    let agents = Arc::new(Agents::new(Token::default()));
    let nowhere = Path::new("nobody/plays/here");
    Arc::new(Players::new(
        nowhere.into(),
        Vec::new(),
        agents,
        Books::new(nowhere),
        nowhere.into(),
        Limits::default(),
    ))
});

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.expect("there are threads")
});

/// A board with its folder.
fn empty_board() -> (tempfile::TempDir, Arc<Lobby>) {
    let folder = tempfile::tempdir().expect("the machine gives a temporary folder");
    let store = Store::open(folder.path().to_owned()).expect("the folder is there");
    (folder, Arc::new(Lobby::new(store, PLAYERS.clone())))
}

/// Where pages begin games of their own.
static BOARD: LazyLock<(tempfile::TempDir, Arc<Lobby>)> = LazyLock::new(empty_board);

/// A saved game as the store finds it; a game calls itself by the name of its file, so an input has this one. It has a
/// board to itself: one of the same name that is just being closed would take it along.
pub fn saved(bytes: &[u8]) {
    const ID: &str = "game";
    let (folder, lobby) = empty_board();
    let path = folder.path().join(format!("{ID}.json"));
    std::fs::write(&path, bytes).expect("the folder takes files");
    RUNTIME.block_on(async {
        lobby.run(Task::Games).await.expect("there is a list");
        if lobby.order(ID, Order::Watch).await.is_ok() {
            for format in [Format::Pgn, Format::Sgf, Format::Pdn] {
                // Not every game is written in every format.
                let _ = lobby.order(ID, Order::Export { format }).await;
            }
            lobby.order(ID, Order::Watch).await.expect("the game is still there");
        }
        lobby.run(Task::Delete { id: ID.to_owned() }).await.expect("the game is deleted");
    });
}

fn board(data: &[u8]) {
    let (_, lobby) = &*BOARD;
    let said = text(data.to_vec());
    let mut said = said.lines();
    let Some(task) = said.next().and_then(|line| serde_json::from_str::<Task>(line).ok()) else { return };
    RUNTIME.block_on(async {
        let Ok(answer) = lobby.run(task).await else { return };
        let Some(id) = answer["id"].as_str() else { return };
        for line in said.take(LINES) {
            if let Ok(order) = serde_json::from_str::<Order>(line) {
                // An order may be refused, but it is answered.
                let _: Result<Value, _> = lobby.order(id, order).await;
            }
        }
        lobby.order(id, Order::Watch).await.expect("the game is still there");
        lobby.run(Task::Delete { id: id.to_owned() }).await.expect("the game is deleted");
    });
}
