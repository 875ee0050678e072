//! `quintet probe`: what the endgame databases know of a position, for people.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use search::Game;
use search::endgame::Value;

use crate::build::{self, Settings};
use crate::progress::say;

/// The arguments of `quintet probe`.
#[derive(Args)]
pub struct Arguments {
    #[arg(help = build::which(|row| row.build.probe.is_some()))]
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
    let probe = build::offered(game, "endgames", |row| row.build.probe)?;
    say(&probe(&build::directory(data.as_deref())?, rules, fen)?)
}

/// A move with what is known of the position after it.
struct Choice<G: Game> {
    m: G::Move,
    /// From the side that replies.
    reply: Option<Value>,
    /// How many of the replies lose, and of how many.
    losing: (usize, usize),
}

/// The value of a position, of its moves, and the line of best play, as `value` tells them from the side to move.
pub fn tell<G: Game>(
    position: &G,
    value: impl Fn(&G) -> Option<Value>,
    has_distances: bool,
) -> Result<String> {
    // Who cannot move has lost, in every game whose endings are kept.
    let value = |position: &G| if position.count() == 0 { Some(Value::LOST) } else { value(position) };
    let known = value(position).with_context(|| format!("no table holds {position}"))?;
    let distance = |plies: u32| if has_distances { format!(" in {plies}") } else { String::new() };
    let told = |value: Value, later: u32| match value.plies() {
        None => "draw".to_owned(),
        Some(plies) => {
            format!("{}{}", if value.is_win() { "win" } else { "loss" }, distance(plies + later))
        }
    };
    let mut out = format!("{}\n{position}: {}\n", position.picture().trim_end(), told(known, 0));
    let mut choices = choices(position, &value);
    choices.sort_by_key(|choice| rank(choice.reply, choice.losing));
    let texts: Vec<String> = choices.iter().map(|choice| position.write(choice.m)).collect();
    let width = texts.iter().map(String::len).max().unwrap_or(0);
    for (text, Choice { reply, losing: (losing, all), .. }) in texts.iter().zip(&choices) {
        let from_here = match reply {
            None => "unknown".to_owned(),
            Some(reply) if reply.is_win() => format!("loss{}", distance(reply.plies().unwrap_or(0) + 1)),
            Some(reply) if reply.is_loss() => format!("win{}", distance(reply.plies().unwrap_or(0) + 1)),
            Some(_) => format!("draw, {losing} of {all} replies lose"),
        };
        writeln!(out, "{text:width$}  {from_here}")?;
    }
    if let Some(plies) = known.plies().filter(|_| has_distances) {
        writeln!(out, "line: {}", line(position, plies, &value).join(" "))?;
    }
    Ok(out)
}

fn choices<G: Game>(position: &G, value: &impl Fn(&G) -> Option<Value>) -> Vec<Choice<G>> {
    let choice = |m: G::Move| {
        let next = position.after(m);
        let replies = next.list();
        let loses = |&&reply: &&G::Move| value(&next.after(reply)).is_some_and(Value::is_win);
        let losing = replies.iter().filter(loses).count();
        Choice { m, reply: value(&next), losing: (losing, replies.len()) }
    };
    position.list().into_iter().map(choice).collect()
}

/// Quick wins first, then draws in which most replies lose, then long losses, then what is unknown.
fn rank(reply: Option<Value>, (losing, all): (usize, usize)) -> (u8, i64) {
    match reply {
        None => (3, 0),
        Some(reply) => match reply.plies().map(i64::from) {
            Some(plies) if reply.is_loss() => (0, plies),
            Some(plies) => (2, -plies),
            None => (1, -(1000 * losing as i64 / all.max(1) as i64)),
        },
    }
}

/// The moves that win soonest and resist longest, for so many plies: to the end of the game.
fn line<G: Game>(start: &G, plies: u32, value: &impl Fn(&G) -> Option<Value>) -> Vec<String> {
    let mut position = start.clone();
    let next = |_| {
        let rank_after = |m: &G::Move| rank(value(&position.after(*m)), (0, 0));
        let m = position.list().into_iter().min_by_key(rank_after)?;
        let text = position.write(m);
        position.play(m);
        Some(text)
    };
    (0..plies).map_while(next).collect()
}
