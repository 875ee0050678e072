//! `quintet analyse`: an engine looks over recorded games; they come back with scores and marks.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use crossbeam_channel::{Receiver, unbounded};
use protocol::{Launch, Process};

use crate::analysis::{self, Verdict};
use crate::driver::{Engine, Message, Protocol, Question, Spend};
use crate::games::{self, Row};
use crate::place;
use crate::record;
use crate::referee::{self, Referee};
use crate::serve::live::view::Lines;
use crate::serve::records::{self, Loaded};
use crate::serve::store::Kept;

/// What to look over, and how long.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The records: PGN, SGF, PDN or our text; variations and the signs of others are left out
    file: PathBuf,
    /// Who looks: a program with its arguments [default: our engine of the game]
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// What the program speaks: uci, gtp or hub [default: that of the game]
    #[arg(long)]
    protocol: Option<String>,
    /// The game [default: by the ending of the file; chess for .pgn]
    #[arg(long)]
    game: Option<String>,
    /// Nodes a position, in Go playouts
    #[arg(long, conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds a position [default: 500]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Where to write [default: NAME.analysed.EXT beside the file; - for standard output]
    #[arg(long, short)]
    output: Option<PathBuf>,
}

/// Looks over all games of the file.
pub fn run(arguments: &Arguments) -> Result<()> {
    let name = arguments.file.display().to_string();
    let text = record::text(fs::read(&arguments.file).with_context(|| name.clone())?);
    let game = arguments.game.clone().unwrap_or_else(|| usual_game(&name));
    let entry = games::named(&game)?;
    // Some editors begin a file with a sign nobody sees.
    let text = text.trim_start_matches('\u{feff}');
    let texts = records::games(entry.name, text).with_context(|| name.clone())?;
    ensure!(!texts.is_empty(), "there is no game in {name}");
    let path = arguments.output.clone().unwrap_or_else(|| beside(&arguments.file));
    let is_shown = path.as_os_str() == "-";
    if !is_shown {
        place::check("--output", &path)?;
    }
    let named = |number: usize| format!("{name}, game {number}");
    // A game that cannot be read is found before an engine thinks for hours about the others.
    let mut games = Vec::new();
    for (text, number) in texts.into_iter().zip(1..) {
        let loaded = records::import(entry.name, &entry.rule_names(), text);
        games.push(loaded.with_context(|| named(number))?);
    }
    let mut out = String::new();
    for (loaded, number) in games.into_iter().zip(1..) {
        out += &analysed(arguments, entry, loaded).with_context(|| named(number))?;
    }
    if is_shown {
        io::stdout().write_all(out.as_bytes())?;
        return Ok(());
    }
    put(&path, &out).with_context(|| path.display().to_string())
}

/// The usual place for what was said about the games of a file.
fn beside(file: &Path) -> PathBuf {
    file.with_extension("analysed").with_added_extension(file.extension().unwrap_or_default())
}

/// Writes a file beside its place and moves it there, so that a kill or a full disk leaves the old one.
fn put(path: &Path, text: &str) -> io::Result<()> {
    // A pipe or a device is written to, never replaced.
    if path.exists() && !path.is_file() {
        return fs::write(path, text);
    }
    // Who names a link means the file behind it.
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let draft = place.with_added_extension("part");
    fs::write(&draft, text).and_then(|()| fs::rename(&draft, &place)).inspect_err(|_| {
        // What is left of the attempt only takes room; the error that matters is the first one.
        let _ = fs::remove_file(&draft);
    })
}

fn usual_game(file: &str) -> String {
    let ending = file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "sgf" => "go",
        "pdn" => "draughts",
        _ => "chess",
    }
    .to_owned()
}

fn analysed(arguments: &Arguments, entry: &Row, loaded: Loaded) -> Result<String> {
    let mut kept = loaded.kept(String::new(), entry.name);
    let mut referee = referee::open(entry.name, &kept.rules)?;
    referee.set_up(kept.fen.as_deref())?;
    let (tell, heard) = unbounded();
    let (launch, protocol) = (launch(arguments, entry)?, protocol(arguments, entry)?);
    let options = entry.rule_options(&kept.rules);
    let engine = Engine::start(
        move || Process::start(&launch),
        protocol,
        options,
        move |message| {
            // Who does not listen any more has all it wanted.
            let _ = tell.send(message);
        },
    );
    let mut expert = Expert { arguments, engine, heard, ticket: 0 };
    let mut before = expert.look(&*referee, &kept)?.0;
    for id in kept.tree.whole_line() {
        let (play, mover) = (kept.tree.nodes()[id].play.clone(), referee.turn());
        referee.play(&play)?;
        let (here, remark) = expert.look(&*referee, &kept)?;
        let node = kept.tree.node_mut(id).context("the line is in the tree")?;
        node.score = here.first;
        node.mark = before.judge(mover, &play, here.first);
        node.comment = [remark, node.comment.clone()].join(" ").trim().to_owned();
        before = here;
    }
    let saved = records::export(&kept, &*referee, entry.formats[0])?;
    Ok(saved["text"].as_str().unwrap_or_default().to_owned())
}

fn protocol(arguments: &Arguments, entry: &Row) -> Result<Protocol> {
    let Some(name) = &arguments.protocol else { return Ok(entry.protocols[0]) };
    Protocol::named(name).with_context(|| format!("--protocol {name}: it is uci, gtp or hub"))
}

fn launch(arguments: &Arguments, entry: &Row) -> Result<Launch> {
    let ours = || -> Result<Launch> {
        let program = std::env::current_exe().context("cannot find this program")?;
        Ok(Launch::new(program).args(["engine", entry.name]))
    };
    match &arguments.engine {
        Some(command) if command != entry.name => {
            let mut words = command.split_whitespace();
            let program = words.next().context("--engine names no program")?;
            Ok(Launch::new(program).args(words))
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
}

impl Expert<'_> {
    /// What the position before the referee is worth, and the same for people.
    fn look(&mut self, referee: &dyn Referee, kept: &Kept) -> Result<(Verdict, String)> {
        if let first @ Some(_) = analysis::final_score(referee) {
            return Ok((Verdict { first, ..Verdict::default() }, String::new()));
        }
        self.ticket += 1;
        let time = self.arguments.time.or(self.arguments.nodes.is_none().then_some(500));
        let (nodes, move_time) = (self.arguments.nodes, time.map(Duration::from_millis));
        let spend = Spend { nodes, move_time, ..Spend::default() };
        let fen = kept.fen.as_ref().map(|_| referee.start());
        let question = Question::new(fen, referee.moves(), referee.turn(), spend);
        self.engine.ask(self.ticket, Question { lines: 2, analyses: true, ..question });
        let mut lines = Lines::default();
        loop {
            match self.heard.recv().context("the engine has left")? {
                Message::Report(_, report) => lines.take(&report, referee.turn()),
                Message::Best(..) => break,
                Message::Failed(why) => bail!("{why}"),
            }
        }
        let depth = lines.depth().map(|depth| format!("/{depth}")).unwrap_or_default();
        let score = lines.score().map(|score| format!("{}{depth}", analysis::pawns(score)));
        Ok((lines.verdict(), score.unwrap_or_default()))
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
        fs::write(&file, "1. e4 *").unwrap();
        let arguments = Arguments {
            file,
            engine: Some("no-such-engine".to_owned()),
            protocol: None,
            game: None,
            nodes: Some(1),
            time: None,
            output: Some(folder.path().join("no/such.pgn")),
        };
        let why = run(&arguments).unwrap_err().to_string();
        assert!(why.ends_with("no such directory"), "{why}");
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.pgn");
        put(&file, "first").unwrap();
        put(&file, "second").unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // Where a folder lies nothing can be written.
        fs::create_dir(folder.path().join("games.pgn.part")).unwrap();
        assert!(put(&file, "third").is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "second");
    }
}
