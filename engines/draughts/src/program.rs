//! The engine's command line: UCI, or Hub when started with that word.

use std::io::{self, BufReader};
use std::process::ExitCode;

use protocol::{hub, program};

use crate::Draughts;

const MANUAL: program::Manual = program::Manual {
    protocol: "UCI or Hub",
    words: "  hub                               speak Hub instead of UCI\n",
    ..program::UCI
};

/// Runs the engine with the words of its command line.
pub fn run(words: &[String]) -> ExitCode {
    // The other arguments may stand before or after it.
    let others: Vec<String> = words.iter().filter(|word| *word != "hub").cloned().collect();
    if others.len() == words.len() {
        program::run(words, &MANUAL, program::talk_uci::<Draughts>)
    } else {
        program::run(&others, &MANUAL, talk_hub)
    }
}

fn talk_hub(engine: Draughts, commands: &[String]) -> io::Result<()> {
    if !commands.is_empty() {
        return Err(program::refusal(format!("hub takes no commands: '{}'", commands.join(" "))));
    }
    hub::serve(engine, crate::hub::dialect(), BufReader::new(io::stdin()), io::stdout())
}
