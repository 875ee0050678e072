//! The steps of GTP: its syntax, the commands every controller needs, and those it uses where they are known.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use protocol::Process;

use super::{Check, Steps, leaves, leaves_at_end_of_input, until};
use crate::referee::Referee;

/// Commands without which no game can be played.
const NEEDED: [&str; 11] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
];

/// Runs all steps.
pub(super) fn run(mut check: Check, steps: &mut Steps) {
    let greeting = "the engine starts and says protocol_version 2";
    let mut talk = match Conversation::start(&check) {
        Ok(talk) => talk,
        Err(why) => return steps.report(greeting, &Err(why)),
    };
    steps.report(greeting, &Ok(()));
    introduction(&mut talk, steps);
    syntax(&mut talk, steps);
    board(&mut talk, steps);
    moves(&mut talk, check.referee.as_mut(), steps);
    extras(&mut talk, steps);
    let quiet = match &talk.noise {
        None => Ok(()),
        Some(line) => Err(anyhow!("'{line}' is not part of an answer")),
    };
    steps.report("nothing is printed outside answers", &quiet);
    steps.report("quit is answered and ends the engine", &talk.quit());
    steps.report("the end of input ends the engine", &leaves_at_end_of_input(&check.engine));
}

fn introduction(talk: &mut Conversation, steps: &mut Steps) {
    for what in ["name", "version"] {
        let told = talk.ask(what).and_then(|text| {
            ensure!(!text.is_empty(), "it is empty");
            Ok(())
        });
        steps.report(&format!("{what} is given"), &told);
    }
    let list = talk.ask("list_commands").unwrap_or_default();
    talk.known = list.lines().map(|line| line.trim().to_owned()).collect();
    for command in NEEDED {
        let result = if talk.knows(command) { Ok(()) } else { Err(anyhow!("it is missing")) };
        steps.report(&format!("list_commands has {command}"), &result);
    }
    steps.report("known_command play is true", &talk.expect("known_command play", "true"));
    steps.report("known_command of nonsense is false", &talk.expect("known_command no_such_thing", "false"));
}

fn syntax(talk: &mut Conversation, steps: &mut Steps) {
    steps.report("an id is repeated in the answer", &talk.numbered("17 protocol_version", "=17 2"));
    let refused = talk.raw("18 no_such_thing").and_then(|line| {
        ensure!(line.starts_with("?18"), "'{line}' instead of ?18");
        Ok(())
    });
    steps.report("an unknown command is refused with its id", &refused);
    for blank in ["", "  \t ", "# a remark"] {
        talk.say(blank);
    }
    let unanswered = talk.numbered("19 protocol_version # a remark", "=19 2");
    steps.report("empty lines and comments are not answered", &unanswered);
    steps.report(
        "tabs and carriage returns count as blanks",
        &talk.numbered("20\tprotocol_version\r", "=20 2"),
    );
    talk.say("21 protocol_version\n22 protocol_version");
    let both = talk.next().and_then(|first| Ok((first, talk.next()?))).and_then(|(first, second)| {
        ensure!(first.starts_with("=21") && second.starts_with("=22"), "'{first}', then '{second}'");
        Ok(())
    });
    steps.report("two commands at once are answered in order", &both);
}

fn board(talk: &mut Conversation, steps: &mut Steps) {
    let done = |talk: &mut Conversation, command: &str| talk.ask(command).map(|_| ());
    for command in ["boardsize 9", "clear_board", "komi 6.5", "komi -3", "komi 6.5"] {
        let result = done(talk, command);
        steps.report(command, &result);
    }
    for command in ["boardsize 99", "boardsize x", "komi x"] {
        let result = talk.refuses(command);
        steps.report(&format!("{command} is refused"), &result);
    }
    for command in ["play b D4", "play white e5", "play W F6", "play black PASS"] {
        let result = done(talk, command);
        steps.report(command, &result);
    }
    for command in ["play w D4", "play b I5", "play b Z9", "play b K10", "play green D5", "play b"] {
        let result = talk.refuses(command);
        steps.report(&format!("{command} is refused"), &result);
    }
}

fn moves(talk: &mut Conversation, referee: &mut dyn Referee, steps: &mut Steps) {
    let quick = "time_settings 0 1 1";
    let cleared = talk.ask("clear_board").map(|_| ());
    steps.report("the board is cleared", &cleared);
    if talk.knows("time_settings") {
        let result = talk.ask(quick).map(|_| ());
        steps.report(quick, &result);
    }
    for colour in ["b", "w", "black"] {
        let result = talk.generated(colour, referee);
        steps.report(&format!("genmove {colour} is a legal move"), &result);
    }
    if talk.knows("time_left") {
        let result = talk.ask("time_left w 1 1").map(|_| ());
        steps.report("time_left w 1 1", &result);
    }
    let result = talk.generated("w", referee);
    steps.report("genmove w again", &result);
    if talk.knows("undo") {
        let result = talk.ask("undo").map(|_| ()).and_then(|()| talk.played_again(referee));
        steps.report("undo takes the move back", &result);
    }
    if talk.knows("reg_genmove") {
        let result =
            talk.ask("reg_genmove b").and_then(|point| talk.ask(&format!("play b {point}")).map(|_| ()));
        steps.report("reg_genmove leaves the board alone", &result);
    }
    let result = talk.refuses("genmove green");
    steps.report("genmove with an unknown colour is refused", &result);
}

/// Commands that controllers use where they are known.
fn extras(talk: &mut Conversation, steps: &mut Steps) {
    for command in ["final_status_list dead", "showboard", "fixed_handicap 2", "time_settings 60 0 0"] {
        let name = command.split(' ').next().unwrap_or_default();
        if !talk.knows(name) {
            continue;
        }
        if name == "fixed_handicap" {
            let refused = talk.refuses(command);
            steps.report("handicap stones on a board in use are refused", &refused);
            let _ = talk.ask("clear_board");
        }
        let result = talk.ask(command).map(|_| ());
        steps.report(command, &result);
    }
    if talk.knows("final_score") {
        let _ = talk.ask("clear_board");
        let result = talk.ask("final_score").and_then(|score| {
            let is_score = score == "0" || score.starts_with("B+") || score.starts_with("W+");
            ensure!(is_score, "'{score}' is not a score such as W+6.5");
            Ok(())
        });
        steps.report("final_score of an empty board", &result);
    }
}

/// A conversation with an engine, answer by answer.
struct Conversation {
    process: Process,
    ping: Duration,
    known: Vec<String>,
    /// The last move it found, in the referee's words.
    last: String,
    /// The first line that belonged to no answer.
    noise: Option<String>,
}

impl Conversation {
    fn start(check: &Check) -> Result<Conversation> {
        let process = Process::start(&check.engine.launch(None))?;
        let mut talk = Conversation {
            process,
            ping: check.startup,
            known: Vec::new(),
            last: String::new(),
            noise: None,
        };
        talk.expect("protocol_version", "2")?;
        talk.ping = check.ping;
        for (name, value) in &check.engine.options {
            talk.ask(&format!("quintet-param {} {value}", name.replace(' ', "_")))?;
        }
        Ok(talk)
    }

    fn say(&mut self, line: &str) {
        self.process.say(line);
    }

    fn knows(&self, command: &str) -> bool {
        self.known.iter().any(|known| known == command)
    }

    /// The next answer with its sign and number.
    fn next(&mut self) -> Result<String> {
        let is_answer = |line: &str| line.starts_with(['=', '?']);
        let before = until(&self.process, self.ping, "answer", is_answer)?;
        let (first, noise) = before.split_last().context("there is a line")?;
        // An engine may end its answers with more than one empty line.
        let noise = noise.iter().find(|line| !line.trim().is_empty());
        self.noise = self.noise.take().or(noise.cloned());
        let rest = until(&self.process, self.ping, "end of the answer", |line| line.trim().is_empty())?;
        let lines = std::iter::once(first.clone()).chain(rest);
        Ok(lines.collect::<Vec<_>>().join("\n").trim().to_owned())
    }

    fn raw(&mut self, command: &str) -> Result<String> {
        self.say(command);
        self.next()
    }

    /// What an answer says if it is no refusal.
    fn ask(&mut self, command: &str) -> Result<String> {
        let answer = self.raw(command)?;
        match answer.strip_prefix('=') {
            Some(text) => Ok(text.trim().to_owned()),
            None => bail!("'{answer}'"),
        }
    }

    fn expect(&mut self, command: &str, wanted: &str) -> Result<()> {
        let found = self.ask(command)?;
        ensure!(found == wanted, "'{found}' instead of {wanted}");
        Ok(())
    }

    fn numbered(&mut self, command: &str, wanted: &str) -> Result<()> {
        let answer = self.raw(command)?;
        ensure!(answer == wanted, "'{answer}' instead of '{wanted}'");
        Ok(())
    }

    fn refuses(&mut self, command: &str) -> Result<()> {
        let answer = self.raw(command)?;
        ensure!(answer.starts_with('?'), "'{answer}'");
        Ok(())
    }

    /// Asks for a move and plays it before the referee.
    fn generated(&mut self, colour: &str, referee: &mut dyn Referee) -> Result<()> {
        let found = self.ask(&format!("genmove {colour}"))?;
        self.last = referee.play(&found).with_context(|| format!("'{found}'"))?;
        Ok(())
    }

    /// Plays the last move again, which works only if it was taken back.
    fn played_again(&mut self, referee: &mut dyn Referee) -> Result<()> {
        self.ask(&format!("play w {}", self.last))?;
        ensure!(referee.moves().last() == Some(&self.last), "the referee has lost the game");
        Ok(())
    }

    fn quit(mut self) -> Result<()> {
        self.ask("quit")?;
        leaves(self.process)
    }
}
