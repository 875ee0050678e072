//! `quintet match suite`: how many problems of a file an engine solves. GTP suites are in `tst.rs`.
//!
//! EPD: `bm` names the moves that solve a position, `am` those that fail it, `dm` the moves to a forced end.

mod tst;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use search::Score;

use super::Task;
use super::check::game_of;
use super::interrupt::Interrupt;
use super::openings::{filled_in, lines, position_part};
use super::plan::{Contestant, contestant};
use super::words::Words;
use crate::driver::player::{Answer, Driven};
use crate::driver::{Patience, Player, Protocol, Question};
use crate::progress::say;
use crate::record;
use crate::referee::Referee;

/// What the user asked for.
#[derive(Debug, Parser)]
#[command(name = "quintet match suite", about = "Count the problems of a file that an engine solves", long_about = None)]
#[command(no_binary_name = true)]
struct Flags {
    /// Positions in EPD with bm, am or dm; or, for Go, a .tst file of GTP commands
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The game; not needed for our engines
    #[arg(long)]
    game: Option<String>,
    /// The engine: the name of one of ours, or cmd=PROGRAM; and arg= args= dir= option.NAME= st= nodes= depth=
    #[arg(last = true, required = true, value_name = "WORDS")]
    engine: Vec<String>,
}

/// Reads the words after `suite` and the file they name.
pub fn prepare(words: &[String]) -> Result<Task> {
    let flags = Flags::try_parse_from(words)?;
    let row = game_of(flags.game.as_deref(), &flags.engine)?;
    if row.protocols[0] == Protocol::Gtp {
        // Without a limit the engine decides for itself.
        let words = [&["tc=inf".to_owned()], flags.engine.as_slice()].concat();
        let engine = contestant(Words::new("the engine", &words), row.name)?;
        let tests = tst::prepare(&flags.file, engine)?;
        return Ok(Box::new(|| tests.run()));
    }
    let mut referee = row.open(&[])?;
    let engine = contestant(Words::new("the engine", &flags.engine), row.name)?;
    ensure!(engine.control.base.is_none(), "the engine: tc= is for games; give st, nodes or depth");
    let problems = read(&flags.file, referee.as_mut())?;
    Ok(Box::new(|| Positions { engine, referee, problems }.run()))
}

/// An engine and the positions it is to solve.
struct Positions {
    engine: Contestant,
    referee: Box<dyn Referee>,
    problems: Vec<Problem>,
}

/// A position with its solution.
#[derive(Debug, PartialEq, Eq)]
struct Problem {
    name: String,
    fen: String,
    /// As protocols write them.
    best: Vec<String>,
    avoid: Vec<String>,
    /// Moves to the end.
    mate: Option<u32>,
}

impl Positions {
    fn run(mut self) -> Result<ExitCode> {
        let interrupt = Interrupt::default();
        let mut player = self.engine.start(&Patience::default(), interrupt.bell())?;
        let mut solved = 0;
        for problem in &self.problems {
            let answer = ask(&mut player, problem, &self.engine, self.referee.as_mut())
                .with_context(|| format!("{}: the engine", problem.name))?;
            let good = problem.solved_by(&answer, self.referee.as_mut());
            solved += usize::from(good);
            let word = if good { "solved" } else { "failed" };
            say(&format!("{word}  {}: {}\n", problem.name, answer.text))?;
        }
        say(&format!("Solved {solved} of {}\n", self.problems.len()))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn ask(
    player: &mut Driven,
    problem: &Problem,
    engine: &Contestant,
    referee: &mut dyn Referee,
) -> Result<Answer> {
    referee.set_up(Some(&problem.fen))?;
    player.new_game()?;
    let spend = engine.control.spend([None, None]);
    let question = Question::new(Some(problem.fen.clone()), Vec::new(), referee.turn(), spend);
    Ok(player.think(&question)?)
}

impl Problem {
    fn solved_by(&self, answer: &Answer, referee: &mut dyn Referee) -> bool {
        if referee.set_up(Some(&self.fen)).is_err() {
            return false;
        }
        let Ok(text) = referee.play(&answer.text) else { return false };
        let right = self.best.is_empty() || self.best.contains(&text);
        let seen = |moves: u32| {
            let plies = answer.thought.score.and_then(Score::plies_to_end);
            plies.is_some_and(|plies| plies > 0 && (plies as u32).div_ceil(2) <= moves)
        };
        right && !self.avoid.contains(&text) && self.mate.is_none_or(seen)
    }
}

fn read(path: &Path, referee: &mut dyn Referee) -> Result<Vec<Problem>> {
    let text = record::read_file(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    let read = |(number, line)| {
        problem(line, number, referee).with_context(|| format!("'{}' line {number}", path.display()))
    };
    let problems = lines(&text).map(read).collect::<Result<Vec<_>>>()?;
    ensure!(!problems.is_empty(), "'{}' contains no problems", path.display());
    Ok(problems)
}

fn problem(line: &str, number: usize, referee: &mut dyn Referee) -> Result<Problem> {
    let fen = position_part(line, referee)?;
    let mut rest = line;
    for _ in fen.split_whitespace() {
        rest = rest.trim_start();
        rest = &rest[rest.find(char::is_whitespace).unwrap_or(rest.len())..];
    }
    let mut problem = Problem {
        name: format!("line {number}"),
        fen: filled_in(&fen, referee),
        best: Vec::new(),
        avoid: Vec::new(),
        mate: None,
    };
    for operation in operations(rest) {
        let (name, operands) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        match name {
            "bm" => problem.best = moves(operands, referee)?,
            "am" => problem.avoid = moves(operands, referee)?,
            "dm" => problem.mate = Some(operands.trim().parse().context("dm is not a number of moves")?),
            "id" => problem.name = operands.trim_matches('"').to_owned(),
            _ => {}
        }
    }
    if problem.best.is_empty() && problem.avoid.is_empty() && problem.mate.is_none() {
        bail!("no bm, am or dm");
    }
    Ok(problem)
}

/// The operations of a line; a text in quotes may have semicolons of its own.
fn operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let is_end = move |c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    };
    text.split(is_end).map(str::trim).filter(|text| !text.is_empty())
}

/// Moves of the position before the referee, as protocols write them.
fn moves(operands: &str, referee: &mut dyn Referee) -> Result<Vec<String>> {
    let read = |word: &str| {
        let text = referee.play(word)?;
        referee.undo();
        Ok(text)
    };
    operands.split_whitespace().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::player::Thought;
    use crate::games;

    fn read_line(line: &str) -> Result<Problem> {
        problem(line, 7, games::find("neighbours").unwrap().open(&[]).unwrap().as_mut())
    }

    #[test]
    fn operations_are_read() {
        let fen = "8/8/8/8/8/8/8/wb6 w 0";
        let found =
            read_line(&format!("{fen} bm a1b1; am a1a2 a1b2; dm 1; id \"now; take\"; c0 \"x; bm y\";"))
                .unwrap();
        assert_eq!((found.name.as_str(), found.fen.as_str(), found.mate), ("now; take", fen, Some(1)));
        assert_eq!((found.best, found.avoid.len()), (vec!["a1b1".to_owned()], 2));
        let short = read_line("8/8/8/8/8/8/8/wb6 w bm a1b1;").unwrap();
        assert_eq!((short.name.as_str(), short.fen.as_str()), ("line 7", "8/8/8/8/8/8/8/wb6 w 0"));
        assert_eq!(read_line(fen).unwrap_err().to_string(), "no bm, am or dm");
        assert_eq!(read_line(&format!("{fen} bm a1a8;")).unwrap_err().to_string(), "illegal move 'a1a8'");
        assert!(read_line(&format!("{fen} dm x;")).is_err());
    }

    #[test]
    fn an_answer_must_fulfil_all_of_them() {
        let mut referee = games::find("neighbours").unwrap().open(&[]).unwrap();
        let mut solved = |line: &str, text: &str, score: Option<Score>| {
            let problem = problem(line, 1, referee.as_mut()).unwrap();
            let thought = Thought { score, ..Thought::default() };
            let answer = Answer { text: text.to_owned(), thought, ..Answer::default() };
            problem.solved_by(&answer, referee.as_mut())
        };
        let fen = "8/8/8/8/8/8/8/wb6 w 0";
        assert!(solved(&format!("{fen} bm a1b1;"), "a1b1", None));
        assert!(!solved(&format!("{fen} bm a1b1;"), "a1b2", None));
        assert!(!solved(&format!("{fen} bm a1b1;"), "nonsense", None));
        assert!(!solved(&format!("{fen} am a1b2;"), "a1b2", None));
        assert!(solved(&format!("{fen} am a1b2;"), "a1b1", None));
        assert!(solved(&format!("{fen} dm 1;"), "a1b1", Some(Score::win_in(1))));
        assert!(!solved(&format!("{fen} dm 1;"), "a1b1", Some(Score::win_in(3))));
        assert!(!solved(&format!("{fen} dm 1;"), "a1b1", Some(Score(900))));
    }
}
