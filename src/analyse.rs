//! `quintet analyse`: an engine looks over recorded games; they come back with scores and marks.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use crossbeam_channel::{Receiver, unbounded};
use protocol::{Launch, Process};

use crate::analysis::{self, Lines, Verdict};
use crate::driver::{Engine, Message, Protocol, Question, Spend};
use crate::games::{self, Row};
use crate::matches::plan::find_program;
use crate::misuse::Asked;
use crate::place;
use crate::progress::say;
use crate::record::{self, Format, Record};
use crate::referee::Referee;

/// Rules as name and value.
type Rules = Vec<(String, String)>;

/// What to look over, and how long.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The records: PGN, SGF, PDN or our own text; marks already on the main line are replaced
    file: PathBuf,
    /// The engine: a program with its arguments [default: ours for the game]
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// The engine's protocol: uci, gtp or hub [default: the game's]
    #[arg(long)]
    protocol: Option<String>,
    /// The game [default: by the file's extension; chess for .pgn]
    #[arg(long)]
    game: Option<String>,
    /// Nodes per position, in Go playouts
    #[arg(long, conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds per position [default: 500]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Where to write [default: NAME.analysed.EXT beside the file; - for standard output]
    #[arg(long, short)]
    output: Option<PathBuf>,
}

/// Looks over all games of the file.
pub fn run(arguments: &Arguments) -> Result<()> {
    let row = row(arguments).asked()?;
    let (launch, protocol) = (launch(arguments, row).asked()?, protocol(arguments, row).asked()?);
    let path = arguments.output.clone().unwrap_or_else(|| beside(&arguments.file));
    let is_shown = path.as_os_str() == "-";
    if !is_shown {
        place::check("--output", &path)?;
    }
    let mut out = String::new();
    for (mut game, number) in read(arguments, row).asked()?.into_iter().zip(1..) {
        analyse(arguments, (&launch, protocol), &mut game).with_context(|| named(arguments, number))?;
        out += &row.formats[0].write(&game.record, &*game.referee);
    }
    if is_shown {
        return say(&out);
    }
    place::write(&path, &out)
}

/// The game that was named, or else the first one that is kept in files of this ending.
fn row(arguments: &Arguments) -> Result<&'static Row> {
    if let Some(game) = &arguments.game {
        return Ok(games::named(game)?);
    }
    let ending = arguments.file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let format = Format::of_ending(ending).unwrap_or(Format::Pgn);
    games::kept_as(format).next().with_context(|| format!("no game has records in {format}"))
}

/// The games of the file: one that cannot be read is found before an engine thinks for hours about the others.
fn read(arguments: &Arguments, row: &'static Row) -> Result<Vec<Opened>> {
    let name = || arguments.file.display().to_string();
    let text = record::read_file(&arguments.file).with_context(name)?;
    let records = row.formats[0].read(&text).with_context(name)?;
    ensure!(!records.is_empty(), "{} contains no games", name());
    let opened = |(record, number)| opened(row, record).with_context(|| named(arguments, number));
    records.into_iter().zip(1..).map(opened).collect()
}

fn named(arguments: &Arguments, number: usize) -> String {
    format!("{}, game {number}", arguments.file.display())
}

/// A record, its rules and a referee who has seen all its lines and stands at its start.
struct Opened {
    record: Record,
    rules: Rules,
    referee: Box<dyn Referee>,
}

fn opened(row: &'static Row, mut record: Record) -> Result<Opened> {
    let rules = record.rules(row)?;
    let mut referee = row.open(&rules)?;
    record.play_out(&mut *referee)?;
    Ok(Opened { record, rules, referee })
}

/// The usual place for what was said about the games of a file.
fn beside(file: &Path) -> PathBuf {
    file.with_extension("analysed").with_added_extension(file.extension().unwrap_or_default())
}

/// Gives the moves of the main line their values and marks; the referee stands at the start, before and afterwards.
fn analyse(
    arguments: &Arguments,
    (launch, protocol): (&Launch, Protocol),
    Opened { record, rules, referee }: &mut Opened,
) -> Result<()> {
    let (tell, heard) = unbounded();
    let launch = launch.clone();
    let engine = Engine::start(
        move || Ok((Process::start(&launch)?, ())),
        protocol,
        referee.row().rule_options(rules),
        move |message| {
            // Who does not listen any more has all it wanted.
            let _ = tell.send(message);
        },
    );
    let from_start = record.tag("FEN").is_none();
    let mut expert = Expert { arguments, engine, heard, ticket: 0, from_start };
    let mut before = expert.look(&**referee)?.0;
    for id in record.tree.whole_line() {
        let mover = referee.turn();
        let node = record.tree.node_mut(id).context("the line is in the tree")?;
        referee.play(&node.play)?;
        let (here, depth) = expert.look(&**referee)?;
        (node.score, node.depth) = (here.first, depth);
        node.mark = before.judge(mover, &node.play, here.first);
        before = here;
    }
    while referee.undo() {}
    Ok(())
}

fn protocol(arguments: &Arguments, row: &Row) -> Result<Protocol> {
    let Some(name) = &arguments.protocol else { return Ok(row.protocols[0]) };
    Protocol::from_str(name, false)
        .ok()
        .with_context(|| format!("--protocol {name}: expected uci, gtp or hub"))
}

fn launch(arguments: &Arguments, row: &Row) -> Result<Launch> {
    let ours = || -> Result<Launch> {
        let program = std::env::current_exe().context("cannot find this program")?;
        Ok(Launch::new(program).args(["engine", row.name]))
    };
    match &arguments.engine {
        Some(command) if command != row.name => {
            let mut words = command.split_whitespace();
            let program = words.next().context("--engine names no program")?;
            let found = find_program(program, None)
                .with_context(|| format!("--engine: {program}: no such program"))?;
            Ok(Launch::new(found).args(words))
        }
        _ => ours(),
    }
}

/// The engine that is asked.
struct Expert<'a> {
    arguments: &'a Arguments,
    engine: Engine,
    heard: Receiver<Message>,
    ticket: u64,
    /// Whether the game begins where games usually do.
    from_start: bool,
}

impl Expert<'_> {
    /// What the position before the referee is worth, and how many plies were looked ahead.
    fn look(&mut self, referee: &dyn Referee) -> Result<(Verdict, Option<u32>)> {
        if let first @ Some(_) = analysis::final_score(referee) {
            return Ok((Verdict { first, ..Verdict::default() }, None));
        }
        self.ticket += 1;
        let time = self.arguments.time.or(self.arguments.nodes.is_none().then_some(500));
        let (nodes, move_time) = (self.arguments.nodes, time.map(Duration::from_millis));
        let spend = Spend { nodes, move_time, ..Spend::default() };
        let fen = (!self.from_start).then(|| referee.start());
        let question = Question::new(fen, referee.moves(), referee.turn(), spend);
        self.engine.ask(self.ticket, Question { lines: 2, analyses: true, ..question });
        let mut lines = Lines::default();
        loop {
            match self.heard.recv().context("the engine exited")? {
                Message::Report(_, report) => lines.take(&report, referee.turn()),
                Message::Best(..) => break,
                Message::Failed(why) => bail!("{why}"),
            }
        }
        Ok((lines.verdict(), lines.depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_place_keeps_the_ending() {
        assert_eq!(beside(Path::new("a/my.games.pgn")), Path::new("a/my.games.analysed.pgn"));
        assert_eq!(beside(Path::new("games")), Path::new("games.analysed"));
    }

    #[test]
    fn a_place_that_will_not_do_is_named_before_an_engine_thinks() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.pgn");
        std::fs::write(&file, "1. e4 *").unwrap();
        let arguments = Arguments {
            file,
            engine: None,
            protocol: None,
            game: None,
            nodes: Some(1),
            time: None,
            output: Some(folder.path().join("no/such.pgn")),
        };
        let why = run(&arguments).unwrap_err().to_string();
        assert!(why.ends_with("no such directory"), "{why}");
    }
}
