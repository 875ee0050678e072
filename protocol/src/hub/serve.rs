//! Serving an engine over Hub.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use search::{Best, Engine, Game, Info, Kind, Limits, MoveError, PositionError, Root, TimeLeft};

use super::{Line, score};
use crate::lines;
use crate::session::{Answer, Core, Event, Job, MoveOf, Queue, Reports, Voice, Waiting};

/// Which square is the first; dialects name their orders.
pub type Order = &'static str;

/// How a game writes positions and moves in Hub, and which of its options are Hub parameters of another name.
#[allow(clippy::type_complexity)]
pub struct Dialect<E: Engine> {
    /// Orders of squares, the usual one first.
    pub orders: &'static [Order],
    /// Parameters that the world names otherwise than our options: Hub's name and ours.
    pub names: &'static [(&'static str, &'static str)],
    /// Reads a position.
    pub position: fn(&<E::Game as Game>::Rules, &str) -> Result<E::Game, PositionError>,
    /// Reads a move.
    pub parse: fn(&E::Game, &str, Order) -> Result<MoveOf<E>, MoveError>,
    /// Writes a move.
    pub write: fn(&E::Game, MoveOf<E>, Order) -> String,
}

/// The parameter that chooses the order of squares.
const ORDER: &str = "square-order";

/// Lets an engine speak Hub until `quit` or the end of input.
pub fn serve<E: Engine>(
    engine: E,
    dialect: Dialect<E>,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let mut session = Session::new(engine, dialect, output)?;
    session.or_complain(|session| session.follow_log())?;
    session.core.listen(input)?;
    while !session.over {
        let event = session.core.next(!session.waiting.is_full());
        session.handle(event)?;
    }
    session.core.stop();
    Ok(())
}

impl Waiting for Line {
    fn is_job(&self) -> bool {
        self.command == "go"
    }

    fn is_hint(&self) -> bool {
        ["stop", "ponder-hit"].contains(&self.command.as_str())
    }
}

struct Session<E: Engine, W: Write> {
    core: Core<E>,
    dialect: Dialect<E>,
    order: Order,
    limits: Limits,
    /// What the engine was told before the search of analysis rather than a game.
    analyse: bool,
    /// Lines that came between `stop` and its answer, in order.
    waiting: Queue<Line>,
    voice: Voice<W>,
    over: bool,
}

impl<E: Engine, W: Write> Session<E, W> {
    fn new(engine: E, dialect: Dialect<E>, output: W) -> io::Result<Self> {
        Ok(Session {
            core: Core::new(engine)?,
            order: dialect.orders[0],
            dialect,
            limits: Limits::default(),
            analyse: false,
            waiting: Queue::default(),
            voice: Voice::new(output),
            over: false,
        })
    }

    fn handle(&mut self, event: Event<E>) -> io::Result<()> {
        match event {
            Event::Line(text, read) => {
                self.voice.log.heard(&text);
                Line::read(&text).map_or(Ok(()), |line| self.hear(line, read, text.len()))
            }
            Event::End => {
                self.over = true;
                Ok(())
            }
            Event::Info(info) => self.report(info),
            Event::Done(Some((engine, answer))) => self.finish(engine, answer),
            Event::Done(None) => Err(io::Error::other("the search panicked")),
        }
    }

    /// Carries a line out, now or after the search that was stopped: its user need not wait for the answer.
    fn hear(&mut self, line: Line, read: Instant, bytes: usize) -> io::Result<()> {
        if self.core.is_stopping() && !["ping", "quit"].contains(&line.command.as_str()) {
            self.waiting.push(line, read, bytes);
            return Ok(());
        }
        self.obey(&line, read)
    }

    fn obey(&mut self, line: &Line, read: Instant) -> io::Result<()> {
        match line.command.as_str() {
            "ping" => return self.say(&Line::new("pong")),
            "stop" => self.core.stop(),
            "ponder-hit" => self.core.ponder_hit(read),
            "quit" => self.over = true,
            "hub" | "init" | "set-param" | "new-game" | "pos" | "level" | "go" if self.core.is_busy() => {
                return self.complain(&format!("'{}' has to wait for the end of the search", line.command));
            }
            "hub" => return self.introduce(),
            "init" => {
                self.core.warm_up();
                return self.say(&Line::new("ready"));
            }
            "set-param" => return self.or_complain(|session| session.set(line)),
            "new-game" => self.core.engine().forget(),
            "pos" => return self.or_complain(|session| session.set_up(line)),
            "level" => return self.or_complain(|session| session.limit(line)),
            "go" => return self.go(line, read),
            _ => {}
        }
        Ok(())
    }

    fn or_complain(&mut self, action: impl FnOnce(&mut Self) -> Result<(), String>) -> io::Result<()> {
        action(self).or_else(|why| self.complain(&why))
    }

    fn complain(&mut self, why: &str) -> io::Result<()> {
        self.say(&Line::new("error").with("message", lines::brief(why)))
    }

    fn say(&mut self, line: &Line) -> io::Result<()> {
        self.voice.say(&line.to_string())
    }

    fn introduce(&mut self) -> io::Result<()> {
        let id = Line::new("id")
            .with("name", E::NAME)
            .with("version", env!("CARGO_PKG_VERSION"))
            .with("author", "The Quintet authors")
            .with("country", "-");
        self.say(&id)?;
        for line in self.parameters() {
            self.say(&line)?;
        }
        self.say(&Line::new("wait"))
    }

    fn parameters(&mut self) -> Vec<Line> {
        let names = self.dialect.names;
        let engine = self.core.engine();
        let mut lines: Vec<Line> = E::options()
            .iter()
            .filter(|row| row.kind != Kind::Button)
            .map(|row| {
                let value = row.get(engine).to_string();
                let value = if let Kind::Combo { .. } = row.kind { hyphened(&value) } else { value };
                let line = Line::new("param").with("name", public(names, row.name)).with("value", value);
                described(line, &row.kind)
            })
            .collect();
        let order = Line::new("param").with("name", ORDER).with("value", self.order).with("type", "enum");
        lines.push(order.with("values", self.dialect.orders.join(" ")));
        lines
    }

    fn set(&mut self, line: &Line) -> Result<(), String> {
        let name = line.get("name").ok_or("set-param has no name")?;
        let value = line.get("value").unwrap_or("");
        if name == ORDER {
            let known = self.dialect.orders.iter().find(|order| **order == value);
            self.order = known.ok_or_else(|| format!("no such order of squares: '{value}'"))?;
            return Ok(());
        }
        let (names, options) = (self.dialect.names, E::options());
        let row = options.iter().find(|row| public(names, row.name) == name);
        let row = row.ok_or_else(|| format!("no such parameter: '{name}'"))?;
        self.core.set(row.name, private(&row.kind, value)).map_err(|error| error.to_string())?;
        self.follow_log()
    }

    fn follow_log(&mut self) -> Result<(), String> {
        self.core.follow_log(&mut self.voice.log).map(|_| ())
    }

    fn set_up(&mut self, line: &Line) -> Result<(), String> {
        let rules = self.core.engine().rules();
        let start = match line.get("pos") {
            Some(text) => (self.dialect.position)(&rules, text).map_err(|error| error.to_string())?,
            None if line.has("start") => E::Game::start(&rules),
            None => return Err("pos has no position".to_owned()),
        };
        let mut root = Root::new(start);
        for word in line.get("moves").unwrap_or("").split_whitespace() {
            let m =
                (self.dialect.parse)(root.position(), word, self.order).map_err(|error| error.to_string())?;
            root.play(m);
        }
        self.core.root = root;
        Ok(())
    }

    /// Adds a limit to those of the next search.
    fn limit(&mut self, line: &Line) -> Result<(), String> {
        let number = |name: &str| line.get(name).map(|text| count(name, text)).transpose();
        let time = |name: &str| line.get(name).map(|text| seconds(name, text)).transpose();
        let narrowed = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let mut limits = self.limits.clone();
        limits.depth = number("depth")?.map(narrowed).or(limits.depth);
        limits.nodes = number("nodes")?.or(limits.nodes);
        limits.move_time = time("move-time")?.or(limits.move_time);
        limits.infinite |= line.has("infinite");
        if let Some(left) = time("time")? {
            let increment = time("inc")?.unwrap_or_default();
            let moves_to_go = number("moves")?.map(narrowed);
            // In Hub the increment comes before the move, so it is there to be spent.
            limits.clock = Some(TimeLeft { left: left + increment, increment, moves_to_go, overtime: None });
        }
        self.limits = limits;
        Ok(())
    }

    fn go(&mut self, line: &Line, read: Instant) -> io::Result<()> {
        let mut limits = std::mem::take(&mut self.limits);
        let analyses = line.has("analyze");
        // With a level an analysis ends by itself, as a search does.
        limits.infinite |= analyses && limits == Limits::default();
        limits.ponder = line.has("ponder");
        let job = if self.core.root.legal().is_empty() { Job::Wait(limits) } else { Job::Think(limits) };
        let common = self.core.engine().common_mut();
        self.analyse = common.analyse;
        common.analyse |= analyses;
        self.core.start(job, read)
    }

    fn report(&mut self, info: Info<MoveOf<E>>) -> io::Result<()> {
        match info {
            Info::Line(line) if line.multipv == 1 && self.core.reports().line(&line) => self.say_line(&line),
            Info::Total(total) => {
                self.core.reports().total(total);
                Ok(())
            }
            // The protocol has no line for it.
            Info::Text(text) => {
                let _ = writeln!(io::stderr(), "{text}");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn say_line(&mut self, line: &search::Line<MoveOf<E>>) -> io::Result<()> {
        self.voice.say_line(&self.line(line).to_string())
    }

    fn line(&self, line: &search::Line<MoveOf<E>>) -> Line {
        let time = line.time.as_secs_f64();
        let speed = if time > 0.0 { line.nodes as f64 / time / 1e6 } else { 0.0 };
        Line::new("info")
            .with("depth", line.depth)
            .with("mean-depth", format!("{:.1}", f64::from(line.depth)))
            .with("score", score::write(line.score))
            .with("nodes", line.nodes)
            .with("time", format!("{time:.2}"))
            .with("nps", format!("{speed:.1}"))
            .with("pv", self.spelled(&line.pv).join(" "))
    }

    /// Moves from the root on as the dialect writes them.
    fn spelled(&self, moves: &[MoveOf<E>]) -> Vec<String> {
        let mut position = self.core.root.position().clone();
        let mut words = Vec::new();
        for &m in moves {
            words.push((self.dialect.write)(&position, m, self.order));
            position.play(m);
        }
        words
    }

    fn finish(&mut self, mut engine: E, answer: Answer<MoveOf<E>>) -> io::Result<()> {
        engine.common_mut().analyse = self.analyse;
        let reports = self.core.finish(engine);
        self.answer(answer, reports)?;
        while !self.core.is_stopping() {
            let Some((line, read)) = self.waiting.pop() else { break };
            self.obey(&line, read)?;
        }
        Ok(())
    }

    fn answer(&mut self, answer: Answer<MoveOf<E>>, reports: Reports<MoveOf<E>>) -> io::Result<()> {
        let Answer::Best(found) = answer else { return Ok(()) };
        if let Some(line) = reports.last(&found, self.voice.scored).first().filter(|line| line.multipv == 1) {
            self.say_line(line)?;
        }
        let Best { best, ponder } = found;
        let Some(best) = best else { return self.complain("there is no move in this position") };
        let line: Vec<MoveOf<E>> = std::iter::once(best).chain(ponder).collect();
        let words = self.spelled(&line);
        let done = Line::new("done").with("move", &words[0]);
        self.say(&words.get(1).map_or(done.clone(), |reply| done.with("ponder", reply)))
    }
}

/// An option's name in Hub: that of the table, or ours with hyphens.
fn public(names: &[(&'static str, &'static str)], option: &str) -> String {
    match names.iter().find(|(_, own)| *own == option) {
        Some((public, _)) => (*public).to_owned(),
        None => hyphened(&option.to_ascii_lowercase()),
    }
}

/// A name or a choice in Hub, where blanks part the choices of a list.
fn hyphened(text: &str) -> String {
    text.replace(' ', "-")
}

/// A value as our option spells it.
fn private<'a>(kind: &Kind, value: &'a str) -> &'a str {
    let Kind::Combo { choices, .. } = kind else { return value };
    let meant = choices.iter().find(|choice| hyphened(choice).eq_ignore_ascii_case(value));
    meant.copied().unwrap_or(value)
}

fn described(line: Line, kind: &Kind) -> Line {
    match kind {
        Kind::Check { .. } => line.with("type", "bool"),
        Kind::Spin { min, max, .. } => line.with("type", "int").with("min", min).with("max", max),
        Kind::Combo { choices, .. } => {
            let choices: Vec<String> = choices.iter().map(|choice| hyphened(choice)).collect();
            line.with("type", "enum").with("values", choices.join(" "))
        }
        Kind::Text { .. } | Kind::Button => line.with("type", "string"),
    }
}

fn count(name: &str, text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("level: {name} is '{text}', not a number"))
}

/// A time in seconds; below zero it is used up.
fn seconds(name: &str, text: &str) -> Result<Duration, String> {
    let value: Option<f64> = text.parse().ok().filter(|seconds: &f64| seconds.is_finite());
    let value = value.ok_or_else(|| format!("level: {name} is '{text}', not a number of seconds"))?;
    Ok(Duration::from_secs_f64(value.clamp(0.0, 1e9)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_levels_are_refused() {
        assert!(count("depth", "-3").is_err() && seconds("time", "nan").is_err());
        assert_eq!(seconds("time", "-0.5"), Ok(Duration::ZERO));
    }
}
