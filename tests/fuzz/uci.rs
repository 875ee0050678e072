//! UCI and its dialects.

use protocol::uci::Command;

use super::{BATCH, Lines, Wire, is_dangerous, length, positions};

/// Lines to be mutated; `{}` stands for a position of the game.
const SEEDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "debug off",
    "register later",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "flip",
    "help",
    "bench",
    "perft 2",
    "go perft 3",
    "go",
    "go infinite",
    "go depth 3",
    "go nodes 500",
    "go movetime 3",
    "go ponder wtime 20 btime 20 winc 1 binc 1",
    "go wtime 30 btime 30 movestogo 3",
    "go mate 2",
    "go depth 2 searchmoves a1a2 a1b2",
    "position startpos",
    "position startpos moves a1a2 a8a7",
    "position startpos moves a1b2 h8g7 b2b3",
    "position fen {}",
    "position fen {} moves a1a2",
    "setoption name Hash value 1",
    "setoption name Clear Hash",
    "setoption name MultiPV value 3",
    "setoption name Threads value 2",
    "setoption name Skill Level value 5",
    "setoption name Move Overhead value 5",
];

macro_rules! fuzz {
    ($($game:ident $engine:ident $protocol:ident),*) => { $(fuzz!(@ $game $protocol);)* };
    (@ $game:ident uci) => {
        #[test]
        fn $game() {
            super::fuzz(stringify!($game));
        }
    };
    // A mutated line of another protocol is tried with that protocol's session.
    (@ $game:ident $other:ident) => {};
}

mod random_and_mutated_lines_do_no_harm_to {
    quintet::for_each_game!(fuzz);
}

fn fuzz(game: &str) {
    let mut lines = Lines::new(SEEDS, positions(game));
    let mut talk = Talk::new(game);
    for n in 1..=length() {
        talk.say(lines.next());
        if n % BATCH == 0 {
            talk.say(b"isready".to_vec());
            // The last search may have no end; those before it were ended by their successors.
            talk.listen(|talk| talk.ready == 0 && talk.answers <= 1);
        }
    }
    talk.say(b"stop".to_vec());
    talk.listen(|talk| talk.ready == 0 && talk.answers == 0);
    talk.wire.end();
}

/// A conversation with the books kept of what is owed to us.
struct Talk {
    wire: Wire,
    ready: i64,
    answers: i64,
}

impl Talk {
    fn new(game: &str) -> Self {
        Talk { wire: Wire::new(&["engine", game]), ready: 0, answers: 0 }
    }

    fn say(&mut self, line: Vec<u8>) {
        match Command::read(String::from_utf8_lossy(&line).trim_end_matches('\r')) {
            Ok(Some(Command::Quit)) => return,
            Ok(Some(Command::SetOption { name, value })) if is_dangerous(&name, &value) => return,
            Ok(Some(Command::IsReady)) => self.ready += 1,
            Ok(Some(Command::Go(_))) => self.answers += 1,
            _ => {}
        }
        self.wire.say(line);
    }

    /// Listens until the books are balanced.
    fn listen(&mut self, done: impl Fn(&Talk) -> bool) {
        while !done(self) {
            let line = self.wire.hear(&format!("{} ready and {} answers", self.ready, self.answers));
            self.note(&line);
        }
        self.wire.said.clear();
    }

    fn note(&mut self, line: &str) {
        if line == "readyok" {
            self.ready -= 1;
        } else if line.starts_with("bestmove ") {
            self.answers -= 1;
        } else if !line.starts_with("info string ") {
            assert!(!line.contains("readyok") && !line.contains("bestmove"), "two lines in one: {line}");
        }
        assert!(self.ready >= 0 && self.answers >= 0, "an answer nobody asked for: {line}");
    }
}
