//! The board's bars: how soon it can be played on, how fast it answers and draws. What it bears is for
//! `scripts/check-serve`.
//!
//! `cargo bench --bench serve` prints the bars, `-- malformed NUMBER` sends nonsense, `-- pictures` makes
//! docs/pictures.

// A bench fails by panicking, as a test does.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../tests/support/browser.rs"]
mod browser;
#[path = "../tests/support/server.rs"]
mod server;

use std::time::{Duration, Instant};

use quintet::games::GAMES;
use serde_json::{Value, json};
use tungstenite::Message;

use browser::{Driver, Screen};
use server::{Page, Server};

fn main() {
    // Cargo passes words of its own, which begin with dashes.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let number = |usual: usize| words.get(1).map_or(usual, |word| word.parse().expect("a number"));
    match words.first().map(String::as_str) {
        None => bars(),
        Some("malformed") => malformed(number(100_000)),
        Some("pictures") => pictures(),
        Some(other) => panic!("{other}: it is malformed or pictures"),
    }
}

fn humans() -> Value {
    json!([{ "kind": "human" }, { "kind": "human" }])
}

fn engine(limit: Value) -> Value {
    json!({ "kind": "engine", "level": 6, "limit": limit })
}

fn bars() {
    let data = tempfile::tempdir().unwrap();
    let mut starts: Vec<Duration> = (0..9).map(|_| cold_start()).collect();
    starts.sort();
    println!("cold start to a playable board   {:7.1} ms (bar 1000)", ms(starts[starts.len() / 2]));
    let server = Server::start(data.path());
    answers(&server);
    let files = quintet::serve::page::FILES;
    let weight: usize = files.iter().map(|file| file.text.len()).sum();
    println!("page weight                      {:7.1} KB (bar 300)", weight as f64 / 1000.0);
    redraw(&server);
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// From starting the program to a game whose legal moves a page has.
fn cold_start() -> Duration {
    let data = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let id = page.begin("chess", json!([{ "kind": "human" }, engine(json!({ "time": 100 }))]));
    assert_eq!(page.state(&id)["position"]["legal"].as_array().unwrap().len(), 20);
    begun.elapsed()
}

/// From a human's move to the engine's answer in the page, beyond the engine's own time.
fn answers(server: &Server) {
    const TIME: u64 = 100;
    let mut page = Page::open(server);
    let mut beyond = Vec::new();
    for row in GAMES {
        let own = engine(json!({ "time": TIME }));
        let human = row.first.index();
        let mut seats = [own.clone(), own];
        seats[human] = json!({ "kind": "human" });
        let id = page.begin(row.name, json!(seats));
        // The first answer includes the start of the engine, the others do not.
        for ply in [0, 2, 4, 6] {
            let state = page.wait(&id, |state| state["at"] == ply && state["position"]["turn"] == human);
            let m = state["position"]["legal"][0][0].clone();
            let begun = Instant::now();
            page.ask("play", json!({ "id": id, "node": ply, "at": ply, "move": m }));
            while page.hear()["at"] != ply + 2 {}
            beyond.push(begun.elapsed().saturating_sub(Duration::from_millis(TIME)));
        }
    }
    beyond.sort();
    let (median, worst) = (beyond[beyond.len() / 2], beyond[beyond.len() - 1]);
    println!("answer beyond the engine's time  {:7.1} ms, worst {:.1} ms (bar 100)", ms(median), ms(worst));
}

/// The browser's own measure of drawing a full board anew, script and layout.
fn redraw(server: &Server) {
    let mut page = Page::open(server);
    // Every row is a chain with one liberty; the page then fills that too.
    let rows: Vec<String> = (0..19).map(|n| ["b", "w"][n % 2].repeat(18) + "1").collect();
    let fen = format!("{} b - 0 0 0", rows.join("/"));
    let id = page.begin_with("go", json!([]), json!(fen), humans());
    let driver = Driver::start();
    let tab = driver.open(server, Screen::Desk);
    tab.goto(&format!("#game={id}"));
    let script = "
        const { Board } = await import('/page/board.js');
        const host = document.getElementById('board');
        const letters = [...document.querySelectorAll('.cell')].map((c) =>
          c.getAttribute('aria-label').includes('black') ? 'b' : c.getAttribute('aria-label').includes('white') ? 'w' : 'b').join('');
        const spots = [...document.querySelectorAll('.cell')].map((c, i) => [c.dataset.spot, i % 19, Math.floor(i / 19)]);
        const board = new Board(host, () => {}, () => false);
        board.shape({ kind: 'grid', columns: 19, rows: 19, spots, lines: [], stars: [] }, { b: 'black stone', w: 'white stone' }, false, true);
        const swapped = letters.replace(/[bw]/g, (c) => (c === 'b' ? 'w' : 'b'));
        const times = [];
        for (let i = 0; i < 40; i++) {
          performance.mark('begin');
          board.show({ letters: i % 2 ? letters : swapped });
          host.getBoundingClientRect();
          times.push(performance.measure('redraw', 'begin').duration);
          await new Promise(requestAnimationFrame);
        }
        return times.sort((a, b) => a - b);";
    let times = tab.script_async(script);
    let times: Vec<f64> = times.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    let worst = times[times.len() - 1];
    println!(
        "all 361 stones drawn anew        {:7.1} ms, worst {worst:.1} ms (bar 16)",
        times[times.len() / 2]
    );
}

/// Nonsense of many kinds; the server must answer it and go on.
fn malformed(count: usize) {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let id = page.begin("chess", humans());
    let whole = json!({ "do": "play", "id": id, "node": 0, "at": 0, "move": "e2e4" }).to_string();
    let mut random = 88_172_645_463_325_252u64;
    let begun = Instant::now();
    for number in 0..count {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let mut bytes = whole.clone().into_bytes();
        let place = random as usize % bytes.len();
        match number % 4 {
            0 => bytes.truncate(place),
            1 => bytes[place] = (random >> 32) as u8 & 0x7f,
            2 => bytes.insert(place, b'{'),
            _ => {
                bytes = format!(
                    "{{\"do\":\"{}\",\"id\":\"{id}\",\"node\":{random}}}",
                    ["look", "hint", "think", "x"][place % 4]
                )
                .into_bytes()
            }
        }
        page.socket.send(Message::text(String::from_utf8_lossy(&bytes).into_owned())).unwrap();
        loop {
            if !page.hear()["type"].is_null() {
                break;
            }
        }
    }
    let again = Page::open(&server).begin("chess", humans());
    println!(
        "{count} malformed messages in {:.1} s; a new game can be begun: {again}",
        begun.elapsed().as_secs_f64()
    );
}

fn pictures() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let driver = Driver::start();
    let folder =
        std::env::var_os("PICTURES").map_or_else(|| "docs/pictures".into(), std::path::PathBuf::from);
    for (name, screen) in [("", Screen::Desk), ("-dark", Screen::Dark), ("-phone", Screen::Phone)] {
        // The tree keeps one picture a game; the others are for whoever looks the page over.
        if !name.is_empty() && std::env::var_os("PICTURES").is_none() {
            continue;
        }
        let tab = driver.open(&server, screen);
        for row in GAMES {
            let game = row.name;
            let text = std::fs::read_to_string(format!("tests/data/shown/{game}.txt")).unwrap();
            let loaded = page.ask("import", json!({ "game": game, "text": text }));
            let id = loaded["id"].as_str().unwrap_or_else(|| panic!("{loaded}"));
            page.ask("sweep", json!({ "id": id }));
            page.wait(id, |state| state["sweeping"].is_null());
            if screen == Screen::Dark {
                tab.goto("");
                tab.script("localStorage.setItem('quintet-aids', JSON.stringify({ theme: 'dark' }));");
            }
            tab.goto(&format!("#game={id}"));
            tab.click("#do-think");
            tab.wait("document.querySelectorAll('#thinking li').length > 1", "the engine's thoughts");
            std::fs::write(folder.join(format!("{game}{name}.png")), tab.screenshot()).unwrap();
            page.ask("think", json!({ "id": id, "node": null }));
        }
    }
}
