//! A real browser at the board: Chromium, driven by its own driver. Every wait is for something the page shows;
//! whatever fails says what the page showed instead.

// Helpers of tests fail by panicking, as tests do; not every user needs all of them.
#![allow(clippy::unwrap_used, dead_code)]

use std::future::Future;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::server::{PATIENCE, Server};

/// How often a page is looked at.
const GLANCE: Duration = Duration::from_millis(15);

/// Chromium's driver, on a port of its own; it goes with everything it started.
pub struct Driver {
    child: Child,
    address: String,
    runtime: Runtime,
}

impl Driver {
    pub fn start() -> Driver {
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().unwrap_or_else(|error| {
            panic!("chromedriver: {error}; Debian: apt install chromium chromium-driver, elsewhere see docs/serve.md")
        });
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let port = lines
            .find_map(|line| {
                Some(line.split("successfully on port ").nth(1)?.trim_end_matches('.').to_owned())
            })
            .expect("chromedriver says its port");
        // It may say more, and must not be stopped by nobody listening.
        std::thread::spawn(move || lines.for_each(drop));
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        Driver { child, address: format!("http://127.0.0.1:{port}"), runtime }
    }

    /// A fresh browser on a desk, or on a phone.
    pub fn open(&self, server: &Server, screen: Screen) -> Tab<'_> {
        let profile = tempfile::tempdir().unwrap();
        let mut arguments: Vec<String> = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--enable-logging",
            "--hide-scrollbars",
            "--window-size=1280,900",
        ]
        .map(str::to_owned)
        .to_vec();
        arguments.push(format!("--user-data-dir={}", profile.path().display()));
        if screen == Screen::Dark {
            arguments.push("--force-dark-mode".to_owned());
        }
        let mut options = json!({ "args": arguments });
        if screen == Screen::Phone {
            options["mobileEmulation"] =
                json!({ "deviceMetrics": { "width": 390, "height": 844, "pixelRatio": 2 } });
        }
        let capabilities = json!({ "goog:chromeOptions": options });
        let Value::Object(capabilities) = capabilities else { unreachable!() };
        let connect = async {
            ClientBuilder::new(HttpConnector::new()).capabilities(capabilities).connect(&self.address).await
        };
        let client = self.runtime.block_on(connect).expect("a browser starts");
        let root = format!("http://{}/", server.address);
        Tab { driver: self, client: Some(client), profile, root }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Its browsers are in its group.
        #[cfg(unix)]
        let _ = Command::new("kill").args(["-9", "--", &format!("-{}", self.child.id())]).status();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the browser runs on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    Desk,
    Dark,
    Phone,
}

/// An open page.
pub struct Tab<'a> {
    driver: &'a Driver,
    client: Option<Client>,
    profile: tempfile::TempDir,
    root: String,
}

impl Drop for Tab<'_> {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            // The driver ends what does not close.
            let _ = self.driver.runtime.block_on(client.close());
        }
    }
}

impl Tab<'_> {
    fn client(&self) -> &Client {
        self.client.as_ref().expect("it is closed only at the end")
    }

    fn run<T>(&self, what: impl Future<Output = T>) -> T {
        self.driver.runtime.block_on(what)
    }

    /// Goes to a link of the board, such as `#game=ID`.
    pub fn load(&self, link: &str) {
        // A link that differs after the # only would not load the page again.
        self.run(self.client().goto("about:blank")).unwrap();
        self.run(self.client().goto(&format!("{}{link}", self.root))).unwrap();
    }

    /// Goes to a link and waits for it to show a game.
    pub fn goto(&self, link: &str) {
        self.load(link);
        self.wait("stage.dataset.id !== undefined", "a game is shown");
    }

    pub fn refresh(&self) {
        self.run(self.client().refresh()).unwrap();
        self.wait("stage.dataset.id !== undefined", "a game is shown");
    }

    /// What a script returns; it knows `stage`.
    pub fn script(&self, script: &str) -> Value {
        let script = format!("const stage = document.getElementById('stage'); {script}");
        self.run(self.client().execute(&script, Vec::new()))
            .unwrap_or_else(|error| self.fail(&error.to_string()))
    }

    /// What a script returns in the end that may wait in between.
    pub fn script_async(&self, script: &str) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; (async () => {{ {script} }})().then(done);"
        );
        self.run(self.client().execute_async(&script, Vec::new()))
            .unwrap_or_else(|error| self.fail(&error.to_string()))
    }

    /// Waits for a condition in the page's own language.
    pub fn wait(&self, condition: &str, what: &str) {
        let deadline = Instant::now() + PATIENCE;
        let script = format!("const stage = document.getElementById('stage'); return Boolean({condition});");
        loop {
            // While a page loads there is nothing to ask.
            if matches!(self.run(self.client().execute(&script, Vec::new())), Ok(Value::Bool(true))) {
                return;
            }
            if Instant::now() > deadline {
                self.fail(what);
            }
            sleep(GLANCE);
        }
    }

    /// Clicks what a selector finds, as soon as it can be clicked.
    pub fn click(&self, selector: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let clicked = self.run(async { self.client().find(Locator::Css(selector)).await?.click().await });
            match clicked {
                Ok(()) => return,
                Err(error) if Instant::now() > deadline => self.fail(&format!("click {selector}: {error}")),
                Err(_) => sleep(GLANCE),
            }
        }
    }

    /// Types into what has the focus.
    pub fn keys(&self, text: &str) {
        let mut actions = KeyActions::new("keys".to_owned());
        for value in text.chars() {
            actions = actions.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        let typed = self.run(self.client().perform_actions(actions));
        typed.unwrap_or_else(|error| self.fail(&format!("keys {text:?}: {error}")));
    }

    /// Touches spots of the board, and waits for the game to move.
    pub fn play(&self, spots: &[&str]) {
        let at = self.at();
        for spot in spots {
            self.click(&format!("[data-spot='{spot}']"));
        }
        self.wait(&format!("stage.dataset.at !== '{at}'"), &format!("{spots:?} is played"));
    }

    /// The node the game stands at, as shown.
    pub fn at(&self) -> String {
        self.shown("at")
    }

    pub fn shown(&self, name: &str) -> String {
        self.script(&format!("return stage.dataset.{name};")).as_str().unwrap_or_default().to_owned()
    }

    pub fn wait_at(&self, at: usize) {
        self.wait(&format!("stage.dataset.at === '{at}'"), &format!("the game stands at {at}"));
    }

    /// Waits until the human is to move, or the game needs no more moves.
    pub fn wait_turn(&self, side: usize) {
        let human = format!("(stage.dataset.turn === '{side}' && stage.dataset.state === 'waiting')");
        self.wait(
            &format!("{human} || ['over', 'counting'].includes(stage.dataset.state)"),
            "the human's turn",
        );
    }

    /// Fills a field of the open dialog as a user would leave it.
    pub fn fill(&self, field: &str, value: &str) {
        let script = format!(
            "const node = document.querySelector(`dialog {field}`); \
             if (node.type === 'checkbox') node.checked = '{value}' === 'true'; else node.value = '{value}'; \
             node.dispatchEvent(new Event('change', {{ bubbles: true }}));"
        );
        self.wait(&format!("document.querySelector(`dialog {field}`)"), &format!("the field {field}"));
        self.script(&script);
    }

    pub fn screenshot(&self) -> Vec<u8> {
        self.run(self.client().screenshot()).unwrap()
    }

    /// Ends the test with everything the page shows.
    pub fn fail(&self, what: &str) -> ! {
        let look = "const s = document.getElementById('stage'); return JSON.stringify({ stage: s && { ...s.dataset }, \
                    message: document.getElementById('message')?.textContent, text: document.body?.innerText, \
                    dialogs: document.getElementById('dialogs')?.innerHTML, link: location.href });";
        let page = self.run(self.client().execute(look, Vec::new()));
        let log = std::fs::read_to_string(self.profile.path().join("chrome_debug.log")).unwrap_or_default();
        let console: Vec<_> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
        panic!("not seen: {what}\npage: {page:?}\nconsole: {console:#?}");
    }
}
