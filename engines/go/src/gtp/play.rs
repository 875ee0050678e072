//! Moves and time.

use std::time::Duration;

use crate::Move;
use crate::point::points;
use protocol::gtp::{Clocks, Command, Remark, Reply, Think, clocks};
use protocol::uci::write;
use search::perft::divide;
use search::{Control, Engine, Info, Limits, Search, Side};

use super::Run::{Bare, With};
use super::analyze::Style;
use super::gogui::drawing;
use super::{Answer, Console, Row, done, read_move, read_side, text_reply, vertices};

/// The commands of this file.
pub(super) const ROWS: &[Row] = &[
    ("play", With(play)),
    ("genmove", With(|_, command| genmove(command, false))),
    ("reg_genmove", With(reg_genmove)),
    ("kgs-genmove_cleanup", With(|_, command| genmove(command, true))),
    ("undo", Bare(undo)),
    ("gg-undo", With(gg_undo)),
    ("gogui-play_sequence", With(play_sequence)),
    ("is_legal", With(is_legal)),
    ("all_legal", With(all_legal)),
    ("time_settings", With(time_settings)),
    ("kgs-time_settings", With(named_time_settings)),
    ("kata-time_settings", With(named_time_settings)),
    ("kata-list_time_settings", Bare(list_time_settings)),
    ("time_left", With(time_left)),
    ("cputime", Bare(cputime)),
    ("kgs-chat", With(chat)),
    ("kgs-game_over", With(game_over)),
    // News that need no reaction.
    ("cgos-opponent_name", With(|_, _| done())),
    ("cgos-opponent_rating", With(|_, _| done())),
    ("cgos-gameover", With(game_over)),
    ("bench", Bare(|_| Ok(Reply::Think(Task::Bench, Think::Quietly)))),
    ("perft", With(perft)),
];

/// What the engine is asked to think about.
#[derive(Clone, Debug)]
pub enum Task {
    /// Find a move and play it.
    Genmove { side: Side, cleans_up: bool, aloud: Option<Style> },
    /// Find a move and leave the board alone.
    RegGenmove { side: Side },
    /// Think until told to stop.
    Analyze { side: Side, style: Style },
    /// Measure the speed.
    Bench,
    /// Count the leaves of the move tree at this depth.
    Perft(u32),
}

impl Task {
    /// How it is to be spoken about, if it is.
    fn style(&self) -> Option<&Style> {
        match self {
            Task::Genmove { aloud, .. } => aloud.as_ref(),
            Task::Analyze { style, .. } => Some(style),
            Task::RegGenmove { .. } | Task::Bench | Task::Perft(_) => None,
        }
    }
}

impl Console {
    pub(super) fn carry_out(
        &mut self,
        task: &Task,
        control: &Control,
        say: &mut dyn FnMut(Remark),
    ) -> Result<String, String> {
        self.go.cleans_up = matches!(task, Task::Genmove { cleans_up: true, .. });
        self.go.set_orders(task.style().map(|style| style.orders.clone()).unwrap_or_default());
        match task {
            Task::Genmove { side, aloud, .. } => {
                let vertex = self.find_and_play(*side, aloud.as_ref(), control, say)?;
                Ok(if aloud.is_some() { format!("play {vertex}") } else { vertex })
            }
            Task::RegGenmove { side } => {
                let best = self.go.think_repeatably(&self.kifu.root_for(*side), control);
                Ok(best.best.unwrap_or(Move::Pass).to_string())
            }
            Task::Analyze { side, style } => {
                self.analyze(*side, style, control, say);
                Ok(String::new())
            }
            Task::Bench => Ok(write::bench(&self.go.bench(control))),
            Task::Perft(depth) => {
                let position = self.kifu.position();
                let counts = divide(position, *depth, control).map_err(|_| "perft was stopped")?;
                Ok(write::division(position, &counts))
            }
        }
    }

    fn find_and_play(
        &mut self,
        side: Side,
        aloud: Option<&Style>,
        control: &Control,
        say: &mut dyn FnMut(Remark),
    ) -> Result<String, String> {
        let root = self.kifu.root_for(side);
        let limits = self.limits(side);
        self.go.mcts.config.report = aloud.map_or(Style::default().interval, |style| style.interval);
        let (ownership, draws) = (self.go.ownership().clone(), self.go.live);
        let mut searched = false;
        let mut report = |info: &Info<Move>| {
            let list = match info {
                Info::Considered(list) => list,
                Info::Text(text) => return say(Remark::Aside(text.clone())),
                _ => return,
            };
            searched = true;
            if let Some(style) = aloud {
                say(Remark::Line(style.line(list, root.position(), &ownership)));
            }
            if draws {
                say(Remark::Aside(format!("gogui-gfx:\n{}\n", drawing(list.first(), 0, side))));
            }
        };
        let best = self.go.think(&root, &limits, control, &mut report);
        self.clocks.spend(side, control.asked().elapsed());
        // The heuristics alone have nothing to report.
        self.told = if searched { self.findings() } else { String::new() };
        let m = best.best.unwrap_or(Move::Pass);
        if self.go.resigns(&root) && m != Move::Pass {
            self.end();
            return Ok("resign".to_owned());
        }
        self.kifu.play(side, m).map_err(|error| error.to_string())?;
        Ok(m.to_string())
    }

    /// What the engine may spend on its next move: the clock's share, or what the options say.
    fn limits(&self, side: Side) -> Limits {
        let (area, made) = (self.size() * self.size(), self.kifu.len());
        // A game lasts about as many moves as the board has points, of which each side makes half.
        let moves = (area.saturating_sub(made) / 2).max(area / 8).max(8);
        match self.clocks.limits(side, moves as u32) {
            Some(limits) => Limits { nodes: self.go.playouts(), ..limits },
            None => self.go.limits(),
        }
    }
}

fn play(console: &mut Console, command: &Command) -> Answer {
    let [side, vertex] = command.args.as_slice() else {
        return Err("invalid color or coordinate".to_owned());
    };
    let (side, m) = (read_side(side)?, read_move(console.size(), vertex)?);
    console.kifu.play(side, m).map_err(|_| "illegal move")?;
    done()
}

fn genmove(command: &Command, cleans_up: bool) -> Answer {
    let side = read_side(command.only()?)?;
    Ok(Reply::Think(Task::Genmove { side, cleans_up, aloud: None }, Think::Quietly))
}

fn reg_genmove(_: &mut Console, command: &Command) -> Answer {
    let side = read_side(command.only()?)?;
    Ok(Reply::Think(Task::RegGenmove { side }, Think::Quietly))
}

fn undo(console: &mut Console) -> Answer {
    console.kifu.undo().ok_or("cannot undo")?;
    done()
}

fn gg_undo(console: &mut Console, command: &Command) -> Answer {
    let number: usize = match command.args.as_slice() {
        [] => 1,
        _ => command.only()?.parse().map_err(|_| "syntax error")?,
    };
    if number > console.kifu.len() {
        return Err("cannot undo".to_owned());
    }
    for _ in 0..number {
        console.kifu.undo();
    }
    done()
}

/// Several moves, all or none.
fn play_sequence(console: &mut Console, command: &Command) -> Answer {
    let mut kifu = console.kifu.clone();
    if !command.args.len().is_multiple_of(2) {
        return Err("syntax error".to_owned());
    }
    for pair in command.args.chunks(2) {
        let (side, m) = (read_side(&pair[0])?, read_move(console.size(), &pair[1])?);
        kifu.play(side, m).map_err(|_| "illegal move")?;
    }
    console.kifu = kifu;
    done()
}

fn is_legal(console: &mut Console, command: &Command) -> Answer {
    let [side, vertex] = command.args.as_slice() else { return Err("syntax error".to_owned()) };
    let (side, m) = (read_side(side)?, read_move(console.size(), vertex)?);
    text_reply(u8::from(console.kifu.is_legal(side, m)).to_string())
}

fn all_legal(console: &mut Console, command: &Command) -> Answer {
    let side = read_side(command.only()?)?;
    let legal = points(console.size()).filter(|&point| console.kifu.is_legal(side, Move::At(point)));
    text_reply(vertices(legal))
}

fn time_settings(console: &mut Console, command: &Command) -> Answer {
    console.clocks = Clocks::read(&command.args)?;
    done()
}

fn named_time_settings(console: &mut Console, command: &Command) -> Answer {
    console.clocks = Clocks::read_named(&command.args)?;
    done()
}

fn list_time_settings(_: &mut Console) -> Answer {
    text_reply("none absolute byoyomi canadian fischer fischer-capped")
}

fn time_left(console: &mut Console, command: &Command) -> Answer {
    let wrong = || "time and stones not two integers".to_owned();
    let [side, time, stones] = command.args.as_slice() else { return Err(wrong()) };
    let side = read_side(side)?;
    let time: Duration = clocks::seconds(time).map_err(|_| wrong())?;
    let stones: u32 = stones.parse().map_err(|_| wrong())?;
    console.clocks.set(side, time, stones);
    done()
}

fn cputime(console: &mut Console) -> Answer {
    let seconds = processor_time().unwrap_or(console.worked.as_secs_f64());
    text_reply(format!("{seconds:.3}"))
}

/// Seconds that the processors have worked for this process; none where the system does not say.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in brackets may hold blanks. Its own time and the system's on its behalf are told in hundredths.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let time = |place: usize| fields.get(place)?.parse::<f64>().ok();
    Some((time(11)? + time(12)?) / 100.0)
}

fn chat(_: &mut Console, _: &Command) -> Answer {
    text_reply(format!("I am {} {}, a program.", crate::Go::NAME, env!("CARGO_PKG_VERSION")))
}

fn game_over(console: &mut Console, _: &Command) -> Answer {
    console.end();
    done()
}

fn perft(_: &mut Console, command: &Command) -> Answer {
    let depth: u32 = command.only()?.parse().map_err(|_| "depth not an integer")?;
    if depth > 4 {
        return Err("depth beyond 4".to_owned());
    }
    Ok(Reply::Think(Task::Perft(depth), Think::UntilQuit))
}
