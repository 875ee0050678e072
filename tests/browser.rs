//! The board in a real browser, used as people use it: clicks, keys, a phone, two at once.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]

#[path = "support/browser.rs"]
mod browser;
#[path = "support/server.rs"]
mod server;

use std::sync::{Mutex, MutexGuard, PoisonError};

use quintet::games;
use serde_json::{Value, json};

use browser::{Driver, Screen, Tab};
use server::{Page, Server};

/// Browsers are heavy: one test at a time.
static TURN: Mutex<()> = Mutex::new(());

/// A server with games of its own, and a browser.
struct Scene {
    driver: Driver,
    server: Server,
    data: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Scene {
    fn set() -> Scene {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let data = tempfile::tempdir().unwrap();
        Scene { driver: Driver::start(), server: Server::start(data.path()), data, _turn: turn }
    }

    fn tab(&self) -> Tab<'_> {
        self.driver.open(&self.server, Screen::Desk)
    }

    /// A game of two humans, unless told otherwise, and a tab that shows it.
    fn game(&self, game: &str, fen: Value, seats: Value) -> (Page, String, Tab<'_>) {
        let mut page = Page::open(&self.server);
        let id = page.begin_with(game, json!([]), fen, seats);
        let tab = self.tab();
        tab.goto(&format!("#game={id}"));
        (page, id, tab)
    }
}

fn humans() -> Value {
    json!([{ "kind": "human" }, { "kind": "human" }])
}

/// Moves after which a game that does not end is a defect.
const LONGEST: usize = 250;
/// What the engine may search.
const NODES: &str = "200";

/// Begins a game by its form and plays it to its end: always the first legal move that is made by touches of
/// its own, from the third on a pass where there is one, against a short but sound search.
fn play_to_the_end(game: &str) {
    let row = games::find(game).unwrap();
    let scene = Scene::set();
    let tab = scene.tab();
    tab.goto("");
    tab.click("#new");
    tab.fill("[name=game]", game);
    for (name, value) in row.quick {
        tab.fill(&format!("[name=\"{name}\"]"), value);
    }
    let human = row.first.index();
    let form = "fieldset:has([name=who] option[value=engine]:checked)";
    tab.fill(&format!("{form} [name=level]"), "6");
    tab.fill(&format!("{form} [name=unit]"), "nodes");
    tab.fill(&format!("{form} [name=amount]"), NODES);
    tab.click("dialog button[type=submit]");
    tab.wait(
        &format!("stage.dataset.game === '{game}' && !document.querySelector('dialog')"),
        "the new game",
    );
    let id = tab.shown("id");
    let mut page = Page::open(&scene.server);
    for number in 0..LONGEST {
        tab.wait_turn(human);
        match tab.shown("state").as_str() {
            "over" => {
                let message = tab.script("return document.getElementById('message').textContent;");
                let message = message.as_str().unwrap().to_owned();
                assert!(message.contains("wins: ") || message.contains("Drawn: "), "{message}");
                assert!(number > 0);
                return;
            }
            "counting" => {
                tab.click("#do-agree");
                tab.wait("stage.dataset.state === 'over'", "the count is agreed on");
            }
            _ => make_a_move(&tab, &mut page, &id, number > 1),
        }
    }
    tab.fail("the end of the game");
}

fn make_a_move(tab: &Tab, page: &mut Page, id: &str, may_pass: bool) {
    let position = page.state(id)["position"].clone();
    let legal = position["legal"].as_array().unwrap();
    let steps = |choice: &Value| choice.as_array().unwrap()[1..].to_vec();
    let starts = |long: &[Value], short: &[Value]| long.starts_with(short);
    let is_plain = |choice: &&Value| {
        let own = steps(choice);
        !own.is_empty() && legal.iter().filter(|other| starts(&steps(other), &own)).count() == 1
    };
    let is_pass = |choice: &&Value| may_pass && steps(choice).is_empty();
    let choice = legal.iter().find(is_pass).or_else(|| legal.iter().find(is_plain)).unwrap_or(&legal[0]);
    let spots: Vec<String> = steps(choice).iter().map(|spot| spot.as_str().unwrap().to_owned()).collect();
    if spots.is_empty() {
        let at = tab.at();
        tab.click("#do-pass");
        tab.wait(&format!("stage.dataset.at !== '{at}'"), "the pass");
    } else {
        tab.play(&spots.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

macro_rules! played_by_clicking {
    ($($game:ident $engine:ident $protocol:ident),*) => {$(
        #[test]
        fn $game() {
            super::play_to_the_end(stringify!($game));
        }
    )*};
}

mod a_game_is_played_by_clicking {
    quintet::for_each_game!(played_by_clicking);
}

#[test]
fn players_are_changed_in_mid_game_and_moves_taken_back() {
    let scene = Scene::set();
    let (mut page, id, tab) = scene.game("neighbours", Value::Null, humans());
    tab.play(&["a1", "b2"]);
    tab.play(&["a8", "b7"]);
    // Black is given to the engine while White is to move.
    tab.click("button[data-side=black]");
    tab.fill("[name=who]", "engine");
    tab.fill("[name=unit]", "nodes");
    tab.fill("[name=amount]", "100");
    tab.click("dialog button[type=submit]");
    tab.wait("!document.querySelector('dialog')", "the dialog closes");
    page.wait(&id, |game| game["seats"][1]["kind"] == "engine");
    tab.play(&["h1", "g2"]);
    tab.wait_at(4);
    tab.wait("stage.dataset.state === 'waiting'", "the engine has answered");
    // Its move and ours are taken back together, and come back together.
    tab.click("#do-undo");
    tab.wait_at(2);
    tab.click("#do-redo");
    tab.wait_at(4);
    tab.wait("stage.dataset.state === 'waiting'", "the game rests");
    // The engine is sent home again; a move is taken back alone.
    tab.click("button[data-side=black]");
    tab.fill("[name=who]", "human");
    tab.click("dialog button[type=submit]");
    page.wait(&id, |game| game["seats"][1]["kind"] == "human");
    tab.wait("!document.querySelector('dialog')", "the dialog closes");
    tab.click("#do-undo");
    tab.wait_at(3);
    // Another move there is a variation; the old one stays in the list.
    let game = page.state(&id);
    let old = &game["nodes"][4]["text"];
    let legal = game["position"]["legal"].as_array().unwrap();
    let other = legal.iter().find(|choice| choice[0] != *old).unwrap();
    tab.play(&[other[1].as_str().unwrap(), other[2].as_str().unwrap()]);
    tab.wait(
        "document.querySelectorAll('#moves .variation .move').length === 1",
        "the old move as a variation",
    );
}

#[test]
fn a_variation_is_walked_through_and_the_focus_stays() {
    let scene = Scene::set();
    let (mut page, id, tab) = scene.game("chess", Value::Null, humans());
    for (node, at, text) in [(0, 0, "e4"), (1, 1, "e5"), (0, 2, "d4")] {
        page.ask("play", json!({ "id": id, "node": node, "at": at, "move": text }));
    }
    tab.wait_at(3);
    tab.click("#moves .variation .move");
    tab.wait("stage.dataset.node === '1' && document.activeElement.textContent === 'e4'", "the first move");
    tab.keys("\u{e014}");
    tab.wait("stage.dataset.node === '2'", "the second move");
}

#[test]
fn an_undo_in_the_middle_of_thinking_is_never_misunderstood() {
    let scene = Scene::set();
    let thinker = json!({ "kind": "engine", "level": 6, "limit": { "time": 600_000 } });
    let (mut page, id, tab) = scene.game("neighbours", Value::Null, json!([{ "kind": "human" }, thinker]));
    tab.play(&["a1", "b2"]);
    tab.wait("stage.dataset.state === 'thinking'", "the engine thinks");
    tab.click("#do-undo");
    tab.wait_at(0);
    tab.play(&["h1", "g2"]);
    tab.wait("stage.dataset.state === 'thinking'", "the engine thinks again");
    let game = page.state(&id);
    assert_eq!((game["nodes"].as_array().unwrap().len(), &game["at"]), (3, &json!(2)));
}

#[test]
fn a_game_is_saved_and_loaded_and_survives_a_reload() {
    let scene = Scene::set();
    let (_, id, tab) = scene.game("chess", Value::Null, humans());
    tab.play(&["e2", "e4"]);
    tab.play(&["e7", "e5"]);
    tab.refresh();
    tab.wait_at(2);
    assert_eq!(tab.shown("id"), id);
    tab.click("#save");
    tab.wait("document.querySelector('dialog textarea')?.value.includes('1. e4 e5')", "the record");
    let record = tab.script("return document.querySelector('dialog textarea').value;");
    let link = tab.script("return document.querySelector('dialog [aria-label=Link]').value;");
    tab.click("dialog .buttons:last-child button");
    tab.wait("!document.querySelector('dialog')", "the dialog closes");
    tab.click("#load");
    tab.wait("document.querySelector('dialog textarea')", "the dialog");
    tab.script(&format!("document.querySelector('dialog textarea').value = {record};"));
    tab.click("dialog button[type=submit]");
    tab.wait(&format!("stage.dataset.id !== '{id}' && stage.dataset.at === '2'"), "the loaded game");
    let link = link.as_str().unwrap();
    tab.goto(&link[link.find('#').unwrap()..]);
    tab.wait(
        "stage.dataset.fen.startsWith('rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w')",
        "the position linked",
    );
}

#[test]
fn a_position_is_set_up_by_clicking() {
    let scene = Scene::set();
    let (_, id, tab) = scene.game("neighbours", Value::Null, humans());
    tab.click("#setup");
    tab.wait("document.querySelector('.palette')", "the palette");
    tab.script(
        "[...document.querySelectorAll('#moves button')].find((b) => b.textContent === 'Clear').click();",
    );
    tab.click("[data-piece=w]");
    tab.wait(
        "document.querySelector('[data-piece=w]').getAttribute('aria-pressed') === 'true'",
        "White's piece is chosen",
    );
    for spot in ["c3", "e5"] {
        tab.click(&format!("[data-spot={spot}]"));
        tab.wait(
            &format!(
                "document.querySelector('[data-spot={spot}]').getAttribute('aria-label').includes('white')"
            ),
            spot,
        );
    }
    tab.click("[data-piece=b]");
    tab.wait(
        "document.querySelector('[data-piece=b]').getAttribute('aria-pressed') === 'true'",
        "Black's piece is chosen",
    );
    tab.click("[data-spot=d4]");
    tab.wait("document.querySelector('[data-spot=d4]').getAttribute('aria-label').includes('black')", "d4");
    tab.click("#use");
    tab.wait("document.querySelector('dialog [name=who]')", "the form");
    tab.click("dialog button[type=submit]");
    tab.wait(&format!("stage.dataset.id !== '{id}'"), "the new game");
    tab.wait("stage.dataset.fen.startsWith('8/8/8/4w3/3b4/2w5/8/8 ')", "the position set up");
}

#[test]
fn a_new_game_ends_the_setting_up_and_every_move_is_told() {
    let scene = Scene::set();
    let (_, id, tab) = scene.game("chess", Value::Null, humans());
    tab.click("#setup");
    tab.wait("document.querySelector('.palette')", "the palette");
    tab.click("#new");
    tab.fill("fieldset:has([name=who] option[value=engine]:checked) [name=who]", "human");
    tab.click("dialog button[type=submit]");
    tab.wait(&format!("stage.dataset.id !== '{id}' && !document.querySelector('dialog')"), "the new game");
    tab.play(&["e2", "e4"]);
    tab.wait(
        "document.getElementById('message').textContent === 'White: e4. Black to move.'",
        "the move in words",
    );
    tab.click("#do-undo");
    tab.wait_at(0);
}

#[test]
fn a_game_is_deleted_once_that_is_confirmed() {
    let scene = Scene::set();
    let (_, _, tab) = scene.game("chess", Value::Null, humans());
    tab.click("#games");
    tab.click(".games .delete");
    tab.wait("document.querySelectorAll('dialog').length === 2", "the question");
    tab.wait("document.querySelectorAll('.games li').length === 1", "the game is still there");
    tab.click("dialog button[type=submit]");
    tab.wait("document.querySelectorAll('.games li').length === 0", "the game is gone");
    tab.wait("document.getElementById('message').textContent.includes('deleted')", "the page says so");
}

#[test]
fn a_damaged_game_is_shown_as_such_and_the_board_stays() {
    let scene = Scene::set();
    let (_, id, tab) = scene.game("chess", Value::Null, humans());
    std::fs::write(scene.data.path().join("games/half.json"), "{").unwrap();
    tab.click("#games");
    tab.wait("document.querySelectorAll('.games li').length === 2", "both are listed");
    tab.script("[...document.querySelectorAll('.games .open')].find((e) => e.textContent.startsWith('Damaged half')).click()");
    tab.wait("document.querySelectorAll('dialog')[1].textContent.includes('games/half.json')", "where it is");
    tab.wait(&format!("location.hash === '#game={id}'"), "the game that was open");
}

#[test]
fn two_browsers_watch_one_game() {
    let scene = Scene::set();
    let (_, id, first) = scene.game("chess", Value::Null, humans());
    let second = scene.tab();
    second.goto(&format!("#game={id}"));
    first.play(&["d2", "d4"]);
    second.wait_at(1);
    second.play(&["d7", "d5"]);
    first.wait_at(2);
    assert_eq!(first.shown("fen"), second.shown("fen"));
}

#[test]
fn a_phone_shows_and_plays_everything() {
    let scene = Scene::set();
    let mut page = Page::open(&scene.server);
    let tab = scene.driver.open(&scene.server, Screen::Phone);
    for row in games::GAMES {
        let (game, id) = (row.name, page.begin(row.name, humans()));
        tab.goto(&format!("#game={id}"));
        make_a_move(&tab, &mut page, &id, false);
        let fits = "return document.documentElement.scrollWidth <= innerWidth \
                    && document.getElementById('board').getBoundingClientRect().width > 0.85 * innerWidth;";
        assert_eq!(tab.script(fits), true, "{game} on a phone");
    }
}

#[test]
fn a_keyboard_is_enough() {
    let scene = Scene::set();
    let (_, _, tab) = scene.game("chess", Value::Null, humans());
    // By walking the board: the first stop is a1.
    tab.script("document.querySelector('[data-spot=a1]').focus();");
    tab.keys("\u{e015}\u{e013}\u{e013}\u{e014}");
    tab.wait(
        "document.activeElement.dataset.spot === 'b2' || document.activeElement.dataset.spot === 'b3'",
        "the walk",
    );
    tab.script("document.querySelector('[data-spot=e2]').focus();");
    tab.keys("\u{e007}");
    tab.wait("document.activeElement.getAttribute('aria-label').includes('chosen')", "the pawn is chosen");
    tab.keys("\u{e00c}");
    tab.wait("!document.activeElement.getAttribute('aria-label').includes('chosen')", "the pawn is let go");
    tab.keys("\u{e007}");
    tab.wait("document.activeElement.getAttribute('aria-label').includes('chosen')", "the pawn again");
    tab.keys("\u{e013}");
    tab.keys("\u{e013}");
    tab.keys("\u{e007}");
    tab.wait_at(1);
    // By typing.
    tab.script("document.getElementById('typed').focus();");
    tab.keys("e5\u{e007}");
    tab.wait_at(2);
    tab.keys("nonsense\u{e007}");
    tab.wait("document.getElementById('message').classList.contains('error')", "the complaint");
    // Stepping through the game.
    tab.script("document.getElementById('do-flip').focus();");
    tab.keys("\u{e012}");
    tab.wait("stage.dataset.node === '1'", "a step back");
    tab.keys("\u{e014}");
    tab.wait("stage.dataset.node === '2'", "a step forward");
    // Everything that can be touched has a name.
    let nameless = "return [...document.querySelectorAll('button, [role=button], input, select')] \
        .filter((n) => !(n.textContent.trim() || n.getAttribute('aria-label') || n.labels?.length)).length;";
    assert_eq!(tab.script(nameless), 0);
}

#[test]
fn aids_are_switched_and_remembered() {
    let scene = Scene::set();
    let (_, _, tab) = scene.game("chess", Value::Null, humans());
    tab.wait("document.querySelector('.label')", "coordinates");
    tab.click("#settings");
    tab.wait("document.querySelectorAll('dialog [type=checkbox]').length === 12", "a switch for every aid");
    tab.click("dialog [name=coordinates]");
    tab.click("dialog [name=moves]");
    tab.wait("!document.querySelector('.label')", "no coordinates");
    tab.refresh();
    tab.wait(
        "!document.querySelector('.label') && document.getElementById('moves').classList.contains('off')",
        "as before",
    );
    tab.click("[data-spot=e2]");
    tab.wait("document.querySelectorAll('.next').length === 2", "two destinations");
    tab.click("#settings");
    tab.click("dialog [name=destinations]");
    tab.wait("document.querySelectorAll('.next').length === 0", "no destinations");
}

#[test]
fn a_loaded_game_is_analysed_and_hints_are_given() {
    let scene = Scene::set();
    let mut page = Page::open(&scene.server);
    let text = "1. e4 e5 2. Qh5 Ke7 {oh no} 3. Qxe5# 1-0";
    let id = page.ask("import", json!({ "game": "chess", "text": text }))["id"].as_str().unwrap().to_owned();
    let tab = scene.tab();
    tab.goto(&format!("#game={id}"));
    tab.click("#do-sweep");
    tab.wait(
        "[...document.querySelectorAll('#moves .blunder')].some((m) => m.textContent === 'Ke7??')",
        "the blunder",
    );
    tab.wait(
        "document.querySelector('#graph .course') && document.querySelector('#graph .blunder')",
        "the graph",
    );
    tab.wait(
        "document.getElementById('do-sweep').getAttribute('aria-pressed') === 'false'",
        "the end of the analysis",
    );
    tab.script(
        "[...document.querySelectorAll('#moves .move')].find((m) => m.textContent === 'Ke7??').click();",
    );
    tab.wait("document.getElementById('message').textContent.includes('oh no')", "what was said about it");
    tab.goto(&format!("#position=chess&fen={}", "4k3/8/8/8/8/8/3Q4/4K2R%20w%20K%20-%200%201"));
    tab.click("#do-hint");
    tab.wait("document.querySelector('.arrow')", "the hint's arrow");
    tab.click("#do-think");
    tab.wait("document.querySelector('#thinking .score')", "the engine's thoughts");
}

#[test]
fn dead_stones_are_marked_by_clicking() {
    let scene = Scene::set();
    let mut page = Page::open(&scene.server);
    let fen = json!("5/bbbbb/5/wwwww/1b3 b - 0 0 0");
    let id = page.begin_with("go", json!([["BoardSize", "5"]]), fen, humans());
    let tab = scene.tab();
    tab.goto(&format!("#game={id}"));
    tab.click("#do-pass");
    tab.wait_at(1);
    tab.click("#do-pass");
    tab.wait(
        "stage.dataset.state === 'counting' && document.querySelectorAll('path.dead').length === 1",
        "a dead stone",
    );
    tab.click("[data-spot=B1]");
    tab.wait("document.querySelectorAll('path.dead').length === 0", "it lives");
    tab.click("[data-spot=B1]");
    tab.wait(
        "document.querySelectorAll('path.dead').length === 1 && document.querySelector('.owner')",
        "it is dead",
    );
    tab.click("#do-agree");
    tab.wait("document.getElementById('message').textContent.includes('White wins: by ')", "the result");
}

#[test]
fn the_token_is_asked_for_and_is_in_no_address() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let data = tempfile::tempdir().unwrap();
    let server = Server::start_with(data.path(), &["--host", "0.0.0.0"]);
    let token = std::fs::read_to_string(data.path().join("token")).unwrap().trim().to_owned();
    let driver = Driver::start();
    let tab = driver.open(&server, Screen::Desk);
    tab.load("");
    tab.wait("document.querySelector('dialog [name=token]')", "the token is asked for");
    tab.fill("[name=token]", "some-other-token");
    tab.click("dialog button[type=submit]");
    tab.wait("document.querySelector('dialog [name=token]')?.value === ''", "it is asked for again");
    tab.fill("[name=token]", &token);
    tab.click("dialog button[type=submit]");
    tab.wait("stage.dataset.fen", "the board");
    tab.refresh();
    tab.wait("stage.dataset.fen && !document.querySelector('dialog')", "the board remembers it");
    tab.click("#save");
    tab.wait("document.querySelector('[aria-label=Link]')", "the link");
    let shown = tab.script("return location.href + document.querySelector('[aria-label=Link]').value;");
    assert!(!shown.as_str().unwrap().contains(&token), "{shown}");
}
