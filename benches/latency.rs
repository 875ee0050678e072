//! How long an engine keeps its user waiting, in milliseconds; see `scripts/latency`.

use std::io::Write;
use std::time::{Duration, Instant};

use protocol::uci::{Driver, Go};
use protocol::{Launch, Process};
use quintet::driver::Protocol;
use quintet::games::{GAMES, Row};

const PATIENCE: Duration = Duration::from_secs(10);
const TRIALS: usize = 50;

fn main() {
    // Cargo passes words of its own, which begin with dashes.
    let games: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let speaks_uci = |row: &&Row| row.protocols.contains(&Protocol::Uci);
    let all = || GAMES.iter().filter(speaks_uci).map(|row| row.name.to_owned()).collect();
    let games: Vec<String> = if games.is_empty() { all() } else { games };
    for game in games {
        let launch = Launch::new(env!("CARGO_BIN_EXE_quintet")).args(["engine", &game]);
        say(&format!("{game}, {TRIALS} times each{:29}median    worst", ""));
        measure("start to uciok", || start_to_uciok(&launch));
        measure("isready to readyok in mid-search", || ready_in_mid_search(&launch));
        measure("stop to bestmove", || stop_to_bestmove(&launch));
        measure("end of input to exit in mid-search", || end_to_exit(&launch));
    }
}

fn say(line: &str) {
    writeln!(std::io::stdout(), "{line}").expect("someone reads the figures");
}

fn measure(what: &str, trial: impl Fn() -> Duration) {
    let mut times: Vec<Duration> = (0..TRIALS).map(|_| trial()).collect();
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    say(&format!("  {what:36} {:12.2} ms {:6.2} ms", ms(times[TRIALS / 2]), ms(times[TRIALS - 1])));
}

fn start(launch: &Launch) -> Driver {
    let process = Process::start(launch).expect("the engine starts");
    Driver::greet(process, PATIENCE).expect("it introduces itself")
}

fn start_to_uciok(launch: &Launch) -> Duration {
    let begun = Instant::now();
    start(launch);
    begun.elapsed()
}

/// An engine that has been thinking for a while.
fn thinking(launch: &Launch) -> Driver {
    let mut driver = start(launch);
    driver.go(&Go { infinite: true, ..Go::default() });
    std::thread::sleep(Duration::from_millis(30));
    driver
}

fn ready_in_mid_search(launch: &Launch) -> Duration {
    let mut driver = thinking(launch);
    let begun = Instant::now();
    driver.ready(PATIENCE).expect("it is ready");
    begun.elapsed()
}

fn stop_to_bestmove(launch: &Launch) -> Duration {
    let mut driver = thinking(launch);
    let begun = Instant::now();
    driver.stop();
    driver.answer(begun + PATIENCE, |_| {}).expect("it answers");
    begun.elapsed()
}

fn end_to_exit(launch: &Launch) -> Duration {
    let mut process = Process::start(launch).expect("the engine starts");
    process.say("go infinite");
    std::thread::sleep(Duration::from_millis(30));
    let begun = Instant::now();
    process.leave(PATIENCE);
    begun.elapsed()
}
