//! What the endgame databases know of a position: `quintet probe` tells it in a terminal, the board in the browser.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use search::Game;
use search::endgame::Value;

use crate::build::{self, Settings};
use crate::games;
use crate::misuse::Asked;
use crate::progress::say;

/// The arguments of `quintet probe`.
#[derive(Args)]
pub struct Arguments {
    #[arg(help = build::which(|row| row.build.consult.is_some()))]
    game: String,
    /// The position
    fen: String,
    #[command(flatten)]
    rules: Settings,
    /// The data directory [default: $QUINTET_DATA, or the platform's]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Prints what the arguments ask for.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { game, fen, rules, data } = arguments;
    let consult = build::offered(game, "endgames", |row| row.build.consult)?;
    // What is wrong with the words is told before what the machine lacks.
    games::named(game)?.open(&rules.choices()?).asked()?.set_up(Some(fen)).asked()?;
    say(&consult(&build::directory(data.as_deref())?, rules)?.tell(fen)?)
}

/// The tables of a game under certain rules, asked about positions in text.
pub trait Oracle: Send + Sync {
    /// The value of a position, of its moves, and the line of best play, for people.
    fn tell(&self, fen: &str) -> Result<String>;
    /// The value of a position and of each of its moves, best first; none if no table holds the position.
    fn judge(&self, fen: &str) -> Option<Judged>;
}

/// What tables say of a position, in words.
pub struct Judged {
    /// Its value: `win in 23`.
    pub value: String,
    /// Its moves, as protocols write them, with theirs.
    pub moves: Vec<(String, String)>,
}

/// What a table says of a position for its side to move, and whether the distance counts.
pub type Told = (Value, bool);

/// The tables that `told` asks.
pub fn oracle<G: Game>(
    rules: G::Rules,
    told: impl Fn(&G) -> Option<Told> + Send + Sync + 'static,
) -> Box<dyn Oracle> {
    Box::new(Tables { rules, told })
}

struct Tables<G: Game, F> {
    rules: G::Rules,
    told: F,
}

/// A move with what is known of the position after it.
struct Choice<G: Game> {
    m: G::Move,
    /// From the side that replies.
    reply: Option<Told>,
    /// After a move that holds a draw, how many of the replies lose, and of how many.
    losing: (usize, usize),
}

impl<G: Game, F: Fn(&G) -> Option<Told> + Send + Sync> Oracle for Tables<G, F> {
    fn tell(&self, fen: &str) -> Result<String> {
        let position = G::read(&self.rules, fen).asked()?;
        let known = self.value(&position).with_context(|| format!("no table holds {position}"))?;
        let mut out = format!("{}\n{position}: {}\n", position.picture().trim_end(), word(known));
        let choices = self.choices(&position);
        let texts: Vec<String> = choices.iter().map(|choice| position.write(choice.m)).collect();
        let width = texts.iter().map(String::len).max().unwrap_or(0);
        for (text, choice) in texts.iter().zip(&choices) {
            writeln!(out, "{text:width$}  {}", choice.word())?;
        }
        if let (Some(plies), true) = (known.0.plies(), known.1) {
            writeln!(out, "line: {}", self.line(position, plies).join(" "))?;
        }
        Ok(out)
    }

    fn judge(&self, fen: &str) -> Option<Judged> {
        let position = G::read(&self.rules, fen).ok()?;
        let value = word(self.value(&position)?);
        let choices = self.choices(&position);
        let moves = choices.iter().map(|choice| (position.write(choice.m), choice.word()));
        Some(Judged { value, moves: moves.collect() })
    }
}

impl<G: Game, F: Fn(&G) -> Option<Told>> Tables<G, F> {
    /// Who cannot move has lost, in every game whose endings are kept.
    fn value(&self, position: &G) -> Option<Told> {
        if position.count() == 0 { Some((Value::LOST, true)) } else { (self.told)(position) }
    }

    fn choices(&self, position: &G) -> Vec<Choice<G>> {
        let choice = |m: G::Move| {
            let next = position.after(m);
            let reply = self.value(&next);
            let is_draw = matches!(reply, Some((Value::DRAW, _)));
            let replies = if is_draw { next.list() } else { Vec::new() };
            let loses =
                |&&reply: &&G::Move| self.value(&next.after(reply)).is_some_and(|(value, _)| value.is_win());
            let losing = replies.iter().filter(loses).count();
            Choice { m, reply, losing: (losing, replies.len()) }
        };
        let mut choices: Vec<Choice<G>> = position.list().into_iter().map(choice).collect();
        choices.sort_by_key(|choice| rank(choice.reply, choice.losing));
        choices
    }

    /// The moves that win soonest and resist longest, for so many plies: to the end of the game.
    fn line(&self, mut position: G, plies: u32) -> Vec<String> {
        let next = |_| {
            let rank_after = |m: &G::Move| rank(self.value(&position.after(*m)), (0, 0));
            let m = position.list().into_iter().min_by_key(rank_after)?;
            let text = position.write(m);
            position.play(m);
            Some(text)
        };
        (0..plies).map_while(next).collect()
    }
}

impl<G: Game> Choice<G> {
    /// What it is worth to who makes it.
    fn word(&self) -> String {
        let (losing, all) = self.losing;
        match self.reply {
            None => "unknown".to_owned(),
            Some((Value::DRAW, _)) => format!("draw, {losing} of {all} replies lose"),
            Some((value, exact)) if value.is_win() => end("loss", (value, exact), 1),
            Some(told) => end("win", told, 1),
        }
    }
}

/// A value as people say it.
fn word(told: Told) -> String {
    match told.0 {
        Value::DRAW => "draw".to_owned(),
        value => end(if value.is_win() { "win" } else { "loss" }, told, 0),
    }
}

fn end(result: &str, (value, exact): Told, later: u32) -> String {
    match value.plies().filter(|_| exact) {
        Some(plies) => format!("{result} in {}", plies + later),
        None => result.to_owned(),
    }
}

/// Quick wins first, then draws in which most replies lose, then long losses, then what is unknown.
fn rank(reply: Option<Told>, (losing, all): (usize, usize)) -> (u8, i64) {
    match reply {
        None => (3, 0),
        Some((reply, _)) => match reply.plies().map(i64::from) {
            Some(plies) if reply.is_loss() => (0, plies),
            Some(plies) => (2, -plies),
            None => (1, -(1000 * losing as i64 / all.max(1) as i64)),
        },
    }
}
