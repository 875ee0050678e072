//! The steps of Hub: its greeting, its levels, and what must be answered in the middle of a search.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use draughts::{Position, Rules, hub as notation};
use protocol::Process;
use protocol::hub::Line;
use search::{Game, Root};

use super::{Check, Steps, leaves, leaves_at_end_of_input, until};

/// The game of the check after its first position.
const OPENING: [&str; 2] = ["22-18", "11-15"];
/// A position with Black to move.
const BLACK: &str = "B:W21,22,23,24,25,26,27,28,29,30,31,18:B1,2,3,4,5,6,7,8,9,10,11,12";
/// Ways to limit a search.
const LEVELS: [&str; 5] = [
    "level depth=3",
    "level nodes=2000",
    "level move-time=0.1",
    "level time=1 inc=0.1",
    "level moves=10 time=2",
];

/// Runs all steps.
pub(super) fn run(check: Check, steps: &mut Steps) {
    let greeting = "the engine starts and says wait";
    let mut talk = match Conversation::start(&check) {
        Ok(talk) => talk,
        Err(why) => return steps.report(greeting, &Err(why)),
    };
    steps.report(greeting, &Ok(()));
    introduction(&mut talk, steps);
    searches(&mut talk, steps);
    interruptions(&mut talk, steps);
    steps.report("quit ends the engine", &talk.quit());
    steps.report("the end of input ends the engine", &leaves_at_end_of_input(&check.engine));
}

fn introduction(talk: &mut Conversation, steps: &mut Steps) {
    for what in ["name", "version", "author"] {
        let told = talk
            .introduction
            .iter()
            .any(|line| line.command == "id" && line.get(what).is_some_and(|value| !value.trim().is_empty()));
        let result = told.then_some(()).with_context(|| format!("no line 'id {what}=...' before wait"));
        steps.report(&format!("id has a {what}"), &result);
    }
    let parameters = talk.introduction.iter().filter(|line| line.command == "param");
    let result = parameters.map(sound).collect::<Result<Vec<()>>>().map(|_| ());
    steps.report("every param has name, value and type", &result);
    steps.report("init is answered with ready", &talk.answered("init", "ready"));
    steps.report("ping is answered with pong", &talk.answered("ping", "pong"));
    talk.say("new-game");
    steps.report("new-game, then ping is answered", &talk.answered("ping", "pong"));
    talk.say("no-such-thing a=1 b");
    steps.report("an unknown command is ignored", &talk.answered("ping", "pong"));
}

/// Whether a parameter is declared well.
fn sound(line: &Line) -> Result<()> {
    let name = line.get("name").context("a param without a name")?;
    line.get("value").with_context(|| format!("{name} has no value"))?;
    let kind = line.get("type").with_context(|| format!("{name} has no type"))?;
    let known = ["bool", "int", "real", "string", "enum"].contains(&kind);
    ensure!(known, "{name} has the unknown type '{kind}'");
    ensure!(kind != "enum" || line.get("values").is_some(), "{name} has no values");
    Ok(())
}

fn searches(talk: &mut Conversation, steps: &mut Steps) {
    let start = Root::new(Position::start(&Rules::default()));
    let mut moved = start.clone();
    for text in OPENING {
        moved.play_text(text).expect("the opening is legal");
    }
    let black = Root::new(Position::read(&Rules::default(), BLACK).expect("the position is sound"));
    for (place, root) in
        [("the start", &start), ("a position after moves", &moved), ("Black to move", &black)]
    {
        for level in LEVELS {
            talk.set_up(root);
            talk.say(level);
            talk.say("go think");
            let result = talk.done(root);
            steps.report(&format!("{place}, {level}: done with a legal move"), &result);
        }
        steps.report("info with a whole depth and a score came before it", &talk.informed());
    }
    talk.say("pos pos=nonsense");
    steps.report("a bad position does not end the engine", &talk.answered("ping", "pong"));
}

fn interruptions(talk: &mut Conversation, steps: &mut Steps) {
    let start = Root::new(Position::start(&Rules::default()));
    talk.set_up(&start);
    talk.say("level infinite");
    talk.say("go analyze");
    steps.report("ping is answered in the middle of a search", &talk.answered("ping", "pong"));
    talk.say("stop");
    steps.report("stop ends a search with a move", &talk.done(&start));
    talk.set_up(&start);
    talk.say("level move-time=0.1");
    talk.say("go ponder");
    talk.say("ponder-hit");
    steps.report("ponder-hit lets pondering end with a move", &talk.done(&start));
    let quiet = talk.answered("ping", "pong").and_then(|()| {
        ensure!(!talk.lines.iter().any(|line| line.command == "done"), "a second done");
        Ok(())
    });
    steps.report("there was one done for each go", &quiet);
}

/// A conversation with an engine, line by line.
struct Conversation {
    process: Process,
    ping: Duration,
    introduction: Vec<Line>,
    /// What was said since the last question.
    lines: Vec<Line>,
}

impl Conversation {
    fn start(check: &Check) -> Result<Conversation> {
        let process = Process::start(&check.engine.launch(None))?;
        let (introduction, lines) = (Vec::new(), Vec::new());
        let mut talk = Conversation { process, ping: check.startup, introduction, lines };
        talk.answered("hub", "wait")?;
        talk.introduction = std::mem::take(&mut talk.lines);
        talk.ping = check.ping;
        for (name, value) in &check.engine.options {
            talk.say(&Line::new("set-param").with("name", name).with("value", value).to_string());
        }
        Ok(talk)
    }

    fn say(&mut self, line: &str) {
        self.process.say(line);
    }

    /// Says a line and waits for the command that answers it.
    fn answered(&mut self, line: &str, wanted: &str) -> Result<()> {
        self.say(line);
        self.await_command(wanted)
    }

    fn await_command(&mut self, wanted: &str) -> Result<()> {
        let is_wanted = |text: &str| Line::read(text).is_some_and(|line| line.command == wanted);
        let texts = until(&self.process, self.ping, wanted, is_wanted)?;
        self.lines = texts.iter().filter_map(|text| Line::read(text)).collect();
        Ok(())
    }

    fn set_up(&mut self, root: &Root<Position>) {
        let order = notation::ORDERS[0];
        let moves = root.positions().iter().zip(root.moves()).map(|(p, &m)| notation::write(p, m, order));
        let moves = moves.collect::<Vec<_>>().join(" ");
        let line = Line::new("pos").with("pos", notation::position(root.start()));
        let line = if moves.is_empty() { line } else { line.with("moves", moves) };
        self.say(&line.to_string());
    }

    /// Waits for the end of a search and judges its move.
    fn done(&mut self, root: &Root<Position>) -> Result<()> {
        self.await_command("done")?;
        let done = self.lines.last().context("the wanted line comes last")?;
        let text = done.get("move").with_context(|| format!("no move in '{done}'"))?;
        notation::parse(root.position(), text, notation::ORDERS[0]).with_context(|| format!("'{done}'"))?;
        Ok(())
    }

    fn informed(&self) -> Result<()> {
        let info = self.lines.iter().rev().find(|line| line.command == "info").context("there was none")?;
        let depth = info.get("depth").with_context(|| format!("no depth in '{info}'"))?;
        ensure!(depth.parse::<u32>().is_ok(), "depth={depth}");
        let score = info.get("score").with_context(|| format!("no score in '{info}'"))?;
        ensure!(score.parse::<f64>().is_ok(), "score={score}");
        Ok(())
    }

    fn quit(self) -> Result<()> {
        self.process.say("quit");
        leaves(self.process)
    }
}
