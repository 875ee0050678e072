//! `quintet analyse`: an engine looks over recorded games; they come back with scores and marks.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use crossbeam_channel::{Receiver, unbounded};
use protocol::Launch;
use protocol::uci::command::Go;
use search::Side;

use crate::analysis::Verdict;
use crate::referee::{self, Referee};
use crate::serve::catalogue::{self, Entry};
use crate::serve::live::view::Lines;
use crate::serve::mind::{Language, Mind, Question, Recipe, Said, Source};
use crate::serve::records;
use crate::serve::store::Kept;

/// What a game that is over is worth, in hundredths.
const WON: i32 = 30_000;

/// What to look over, and how long.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The records: PGN, SGF, PDN or our text
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
    /// Nodes a position
    #[arg(long, conflicts_with = "time")]
    nodes: Option<i64>,
    /// Milliseconds a position [default: 500]
    #[arg(long)]
    time: Option<i64>,
    /// Where to write [default: into the file itself; - for standard output]
    #[arg(long, short)]
    output: Option<PathBuf>,
}

/// Looks over all games of the file.
pub fn run(arguments: &Arguments) -> Result<()> {
    let name = arguments.file.display().to_string();
    let text = fs::read_to_string(&arguments.file).with_context(|| name.clone())?;
    let game = arguments.game.clone().unwrap_or_else(|| usual_game(&name));
    let entry = catalogue::find(&game).with_context(|| format!("there is no game {game}"))?;
    let mut out = String::new();
    for (part, number) in parts(&text, &game).into_iter().zip(1..) {
        let place = || format!("{name}, game {number}");
        out += &analysed(arguments, entry, part).with_context(place)?;
    }
    ensure!(!out.is_empty(), "there is no game in {name}");
    match &arguments.output {
        Some(path) if path.as_os_str() == "-" => io::stdout().write_all(out.as_bytes())?,
        Some(path) => fs::write(path, out).with_context(|| path.display().to_string())?,
        None => fs::write(&arguments.file, out).with_context(|| name.clone())?,
    }
    Ok(())
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

/// The games of a text: in SGF all of it is one, elsewhere each begins with its first tag.
fn parts<'a>(text: &'a str, game: &str) -> Vec<&'a str> {
    let mut starts = vec![0];
    let mut in_moves = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let is_tag = line.starts_with('[') && game != "go";
        if is_tag && in_moves {
            starts.push(at);
        }
        in_moves = !is_tag && (in_moves || !line.trim().is_empty());
        at += line.len();
    }
    starts.push(text.len());
    starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).filter(|part| !part.trim().is_empty()).collect()
}

fn analysed(arguments: &Arguments, entry: &Entry, text: &str) -> Result<String> {
    let mut kept = records::import(entry.name, entry.rules, text)?.kept(String::new(), entry.name);
    let mut referee = referee::open(entry.name, &kept.rules)?;
    referee.set_up(kept.fen.as_deref())?;
    let (tell, heard) = unbounded();
    let mind = Mind::start(recipe(arguments, entry, &kept.rules)?, move |said| {
        // Who does not listen any more has all it wanted.
        let _ = tell.send(said);
    });
    let mut expert = Expert { arguments, mind, heard, ticket: 0 };
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

fn recipe(arguments: &Arguments, entry: &Entry, rules: &[(String, String)]) -> Result<Recipe> {
    let language = match arguments.protocol.as_deref() {
        None => entry.language,
        Some("uci") => Language::Uci,
        Some("gtp") => Language::Gtp,
        Some("hub") => Language::Hub,
        Some(other) => bail!("--protocol {other}: it is uci, gtp or hub"),
    };
    let ours = || -> Result<Launch> {
        let program = std::env::current_exe().context("cannot find this program")?;
        Ok(Launch::new(program).args(["engine", entry.name]))
    };
    let launch = match &arguments.engine {
        Some(command) if command != entry.name => {
            let mut words = command.split_whitespace();
            let program = words.next().context("--engine names no program")?;
            Launch::new(program).args(words)
        }
        _ => ours()?,
    };
    Ok(Recipe { language, source: Source::Program(launch), options: entry.rule_options(rules) })
}

/// The engine that is asked.
struct Expert<'a> {
    arguments: &'a Arguments,
    mind: Mind,
    heard: Receiver<Said>,
    ticket: u64,
}

impl Expert<'_> {
    /// What the position before the referee is worth, and the same for people.
    fn look(&mut self, referee: &dyn Referee, kept: &Kept) -> Result<(Verdict, String)> {
        if let Some(outcome) = referee.outcome() {
            let first = outcome.winner.map_or(0, |side| if side == Side::White { WON } else { -WON });
            return Ok((Verdict { first: Some(first), ..Verdict::default() }, String::new()));
        }
        self.ticket += 1;
        let time = self.arguments.time.or(self.arguments.nodes.is_none().then_some(500));
        let go = Go { nodes: self.arguments.nodes, move_time: time, ..Go::default() };
        self.mind.ask(Question {
            ticket: self.ticket,
            fen: kept.fen.as_ref().map(|_| referee.start()),
            moves: referee.moves(),
            go,
            lines: 2,
            analyses: true,
        });
        let mut lines = Lines::default();
        loop {
            match self.heard.recv().context("the engine has left")? {
                Said::Thought(_, report) => lines.take(&report, referee.turn()),
                Said::Owners(..) => {}
                Said::Best(..) => break,
                Said::Failed(why) => bail!("{why}"),
            }
        }
        let depth = lines.depth().map(|depth| format!("/{depth}")).unwrap_or_default();
        let score = lines.score().map(|score| format!("{}{depth}", crate::analysis::pawns(score)));
        Ok((lines.verdict(), score.unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_into_its_games() {
        let text = "[A \"1\"]\n[B \"2\"]\n\n1. e4 e5\n*\n\n[A \"2\"]\n\n1. d4 *\n";
        let cut = parts(text, "chess");
        assert_eq!(cut.len(), 2);
        assert!(cut[0].contains("e4") && cut[1].starts_with("[A \"2\"]"));
        assert_eq!(parts("1. e4 *\n", "chess").len(), 1);
        assert_eq!(parts("(;B[aa]\n;W[bb])", "go").len(), 1);
    }
}
