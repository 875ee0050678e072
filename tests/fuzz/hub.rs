//! Hub.

use protocol::hub::Line;
use quintet::driver::Protocol;
use quintet::games::GAMES;

use super::{BATCH, Lines, Wire, is_dangerous, length, positions};

/// Lines to be mutated; `{}` stands for a position.
const SEEDS: &[&str] = &[
    "hub",
    "init",
    "ping",
    "stop",
    "ponder-hit",
    "new-game",
    "pos start",
    "pos pos={}",
    "pos pos={} moves=\"32-28 19-23\"",
    "pos pos={} moves=\"21-17 12-16 17-13\"",
    "level depth=3",
    "level nodes=500",
    "level move-time=0.003",
    "level moves=30 time=0.02 inc=0.001",
    "level infinite",
    "go think",
    "go ponder",
    "go analyze",
    "set-param name=hash value=1",
    "set-param name=threads value=2",
    "set-param name=skill-level value=5",
    "set-param name=square-order value=a1-moves",
    "set-param name=preset value=default",
    "set-param name=\"multipv\" value=\"3\"",
];

#[test]
fn random_and_mutated_lines_do_no_harm_to_hub() {
    for row in GAMES.iter().filter(|row| row.protocols.contains(&Protocol::Hub)) {
        let mut lines = Lines::new(SEEDS, positions("hub"));
        let mut talk = Talk { wire: Wire::new(&["engine", row.name, "hub"]), answers: 0 };
        for n in 1..=length() {
            talk.say(lines.next());
            if n % BATCH == 0 {
                talk.settle();
            }
        }
        talk.settle();
        talk.wire.end();
    }
}

/// A conversation in which no more is answered than was asked.
struct Talk {
    wire: Wire,
    answers: i64,
}

impl Talk {
    fn say(&mut self, line: Vec<u8>) {
        let read = Line::read(String::from_utf8_lossy(&line).trim_end_matches('\r'));
        let read = read.unwrap_or_else(|| Line::new(""));
        let [name, value] = ["name", "value"].map(|argument| read.get(argument).unwrap_or_default());
        match read.command.as_str() {
            "quit" => return,
            "set-param" if is_dangerous(name, value) => return,
            "go" => self.answers += 1,
            _ => {}
        }
        self.wire.say(line);
    }

    /// Ends the search, if there is one, and sees that another one is answered.
    fn settle(&mut self) {
        // Whatever waits for the end of a search has been done when this is refused, and no earlier.
        self.say(b"stop".to_vec());
        self.say(b"set-param name=nothing value=1".to_vec());
        self.listen(|line| line.starts_with("error ") && line.contains("'nothing'"));
        self.answers = 0;
        // A level that was set before holds for this search.
        for line in ["ping", "pos start", "go think", "stop"] {
            self.say(line.as_bytes().to_vec());
        }
        self.listen(|line| line == "pong");
        self.listen(|line| line.starts_with("done "));
        self.wire.said.clear();
    }

    fn listen(&mut self, is_wanted: impl Fn(&str) -> bool) {
        loop {
            let line = self.wire.hear("an answer");
            self.answers -= i64::from(line.starts_with("done "));
            assert!(self.answers >= 0, "an answer nobody asked for: {line}");
            if is_wanted(&line) {
                return;
            }
        }
    }
}
