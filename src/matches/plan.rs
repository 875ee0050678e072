//! Everything the user decided about a match, read from flags and checked before anything is started.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use clap::ValueEnum;
use crossbeam_channel::Receiver;
use protocol::{Launch, agent};

use super::adjudication::{Adjudication, Draw, Resign};
use super::args::Flags;
use super::game::Oversight;
use super::log::Head;
use super::openings::{Format, Openings, Source};
use super::schedule::{Form, Schedule, Shard};
use super::statistics::sprt::Sprt;
use super::words::Words;
use crate::driver::player::Driven;
use crate::driver::time::{self, TimeControl};
use crate::driver::{Occasion, Patience, Protocol, Setup, StartError};
use crate::games;
use crate::learn::read_shard;
use crate::referee::{self, Referee};

/// Games between two engines: no match needs more, and they are counted before it begins.
const MOST_GAMES: usize = 100_000_000;

/// One engine of the match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// Its name in tables and records, different from all others.
    pub name: String,
    /// The program, found and executable.
    pub program: PathBuf,
    /// The program's arguments.
    pub args: Vec<String>,
    /// Where it runs; none for here.
    pub dir: Option<PathBuf>,
    /// How it is spoken to.
    pub protocol: Protocol,
    /// Options to set, name and value.
    pub options: Vec<(String, String)>,
    /// What it may spend.
    pub control: TimeControl,
    /// Whether it may think on the opponent's time.
    pub ponder: bool,
    /// Whether it is started anew for every game.
    pub restart: bool,
    /// The command as the user gave it.
    pub command: String,
}

impl Contestant {
    /// Whether it comes over the network instead of being started.
    pub fn is_agent(&self) -> bool {
        self.command.starts_with(agent::SCHEME)
    }

    /// How its program is started; `halt` ends all waiting for it.
    pub fn launch(&self, halt: Option<&Receiver<()>>) -> Launch {
        let Contestant { program, args, dir, .. } = self;
        Launch { program: program.clone(), args: args.clone(), dir: dir.clone(), halt: halt.cloned() }
    }

    /// How it is set up.
    pub fn setup(&self, patience: &Patience) -> Setup {
        Setup {
            nodes: self.control.nodes,
            ponder: self.ponder,
            patience: patience.clone(),
            ..Setup::new(self.protocol, Occasion::Match, self.options.clone())
        }
    }

    /// Starts it, whatever it speaks; `halt` ends all waiting when it is disconnected.
    pub fn start(&self, patience: &Patience, halt: &Receiver<()>) -> Result<Driven, StartError> {
        Driven::start(&self.launch(Some(halt)), &self.setup(patience))
    }
}

/// A match.
pub struct Plan {
    /// Judges the games; clones of it do.
    pub referee: Box<dyn Referee>,
    /// Who plays.
    pub engines: Vec<Contestant>,
    /// Who meets whom.
    pub schedule: Schedule,
    /// Where games begin.
    pub openings: Openings,
    /// How many games at once.
    pub concurrency: usize,
    /// How games are watched.
    pub oversight: Oversight,
    /// The test that ends the match.
    pub sprt: Option<Sprt>,
    /// The match ends once the first engine's score is surely above this.
    pub target: Option<f64>,
    /// Who decides which stones are dead if the players do not agree.
    pub arbiter: Option<Contestant>,
    /// How long silence is borne.
    pub patience: Patience,
    /// What the log says about the match.
    pub head: Head,
}

impl Plan {
    /// Reads and checks everything.
    pub fn new(flags: &Flags) -> Result<Plan> {
        let rules = pairs("--rules", &flags.rules)?;
        let game =
            flags.game.as_deref().ok_or_else(|| anyhow!("which game? ({})", games::names(|_| true)))?;
        let mut referee = referee::open(game, &rules)?;
        let engines = contestants(flags, game, &rules)?;
        let source = source(flags)?;
        let openings = Openings::load(&source, referee.as_mut())?;
        ensure!(
            engines.iter().all(|engine| engine.protocol != Protocol::Gtp) || !openings.have_positions(),
            "--openings: GTP engines take moves, not positions"
        );
        ensure!(
            source.balance.is_none() || referee.value(1).is_some(),
            "--balance: our engine for {game} gives no scores"
        );
        let arbiter = flags.referee.as_deref().map(|words| arbiter(words, game, &rules)).transpose()?;
        let sprt = flags.sprt.as_deref().map(sprt).transpose()?;
        ensure!(sprt.is_none() || engines.len() == 2, "--sprt: a test needs exactly two engines");
        let target = flags.until_above;
        ensure!(
            target.is_none_or(|target| (0.0..1.0).contains(&target)),
            "--until-above: expected a score from 0 to below 1, such as 0.85"
        );
        ensure!(flags.concurrency > 0, "--concurrency: at least one game at a time");
        let oversight = Oversight { adjudication: adjudication(flags)?, strict: flags.strict };
        let tournament = &flags.tournament;
        let form = Form::from_str(tournament, false)
            .map_err(|_| anyhow!("--tournament: '{tournament}' is not round-robin or gauntlet"))?;
        let games = flags.games.checked_mul(flags.rounds).filter(|games| *games <= MOST_GAMES);
        let games = games.context("--games: too many")?;
        ensure!(games > 0, "--games, --rounds: at least one game");
        let (index, count) = read_shard(&flags.shard).map_err(|why| anyhow!("--shard: {why}"))?;
        let shard = Shard { index: index as usize, count: count as usize };
        let schedule = Schedule::new(form, engines.len(), games, !flags.noswap, shard);
        let head = head(game, &rules, &engines, form, &source, flags);
        let millis = [flags.startup_ms, flags.ping_ms, flags.ucinewgame_ms, flags.stall_ms];
        let [startup, ping, new_game, silence] = millis.map(Duration::from_millis);
        let patience = Patience { startup, ping, new_game, silence };
        Ok(Plan {
            referee,
            engines,
            schedule,
            openings,
            concurrency: flags.concurrency,
            oversight,
            sprt,
            target,
            arbiter,
            patience,
            head,
        })
    }
}

/// `name=value` words.
fn pairs(flag: &str, words: &[String]) -> Result<Vec<(String, String)>> {
    let split = |word: &String| {
        let (name, value) =
            word.split_once('=').ok_or_else(|| anyhow!("{flag}: '{word}' is not name=value"))?;
        Ok((name.to_owned(), value.to_owned()))
    };
    words.iter().map(split).collect()
}

fn contestants(flags: &Flags, game: &str, rules: &[(String, String)]) -> Result<Vec<Contestant>> {
    ensure!(flags.engines.len() >= 2, "--engine: a match needs two engines, {} given", flags.engines.len());
    let mut list: Vec<Contestant> = Vec::new();
    for (own, number) in flags.engines.iter().zip(1..) {
        let words: Vec<String> = flags.each.iter().chain(own).cloned().collect();
        let mut engine = contestant(Words::new(format!("--engine {number}"), &words), game)?;
        // Rules of the game are options of the same name.
        let chosen = std::mem::take(&mut engine.options);
        engine.options = rules.iter().cloned().chain(chosen).collect();
        engine.name = unused(&engine.name, &list);
        list.push(engine);
    }
    Ok(list)
}

/// One engine from its words.
pub fn contestant(mut words: Words, game: &str) -> Result<Contestant> {
    let ponder = words.switch("ponder")?;
    let restart = words.restart()?;
    let dir = words.take("dir").map(PathBuf::from);
    if let Some(dir) = &dir {
        words.ensure(dir.is_dir(), format_args!("dir={} is not a directory", dir.display()))?;
    }
    let said = words.choice("proto", "a protocol we speak (uci, gtp, hub)")?;
    let row = games::named(game)?;
    let protocol = said.unwrap_or(row.protocols[0]);
    let is_spoken = row.protocols.contains(&protocol);
    words.ensure(is_spoken, format_args!("proto={} is not a protocol for {game}", protocol.name()))?;
    let mut args = words.take_all("arg");
    for more in words.take_all("args") {
        args.extend(more.split_whitespace().map(str::to_owned));
    }
    let command = match (words.take("cmd"), words.bare()) {
        (Some(command), _) | (None, Some(command)) => command,
        (None, None) => return Err(words.wrong("no command: cmd=PROGRAM, or the name of one of our engines")),
    };
    let (program, command) = if games::find(&command).is_some() {
        words.ensure(command == game, format_args!("{command} does not play {game}"))?;
        args.splice(0..0, ["engine".to_owned(), command.clone()]);
        if protocol != row.protocols[0] {
            args.push(protocol.name().to_owned());
        }
        (std::env::current_exe()?, format!("quintet {}", args.join(" ")))
    } else {
        let program = if command.starts_with(agent::SCHEME) {
            agent::check(&command).map_err(|why| words.wrong(format!("cmd={command}: {why}")))?;
            PathBuf::from(&command)
        } else {
            find_program(&command, dir.as_deref())
                .ok_or_else(|| words.wrong(format!("cmd={command}: no such program")))?
        };
        (program, [&[command], args.as_slice()].concat().join(" "))
    };
    let name = words.take("name").unwrap_or_else(|| default_name(&program, &args));
    let options = words.take_prefixed("option.");
    let (control, unlimited) = time_control(&mut words)?;
    // A GTP engine without a clock decides for itself; the others would think for ever.
    let is_gtp = protocol == Protocol::Gtp;
    let limits = match protocol {
        Protocol::Gtp => "tc, st or nodes; tc=inf leaves it to the engine",
        Protocol::Uci | Protocol::Hub => "tc, st, nodes or depth",
    };
    words.ensure(control.is_limited() || unlimited && is_gtp, format_args!("no limit: give {limits}"))?;
    let is_known = control.depth.is_none() || !is_gtp;
    words.ensure(is_known, "depth=: GTP has no such limit; give tc, st or nodes")?;
    let has_overtime = control.base.as_ref().is_some_and(|base| base.overtime.is_some());
    words.ensure(is_gtp || !has_overtime, "byoyomi=: only GTP has it")?;
    words.finish()?;
    Ok(Contestant { name, program, args, dir, protocol, options, control, ponder, restart, command })
}

/// The engine that is asked about dead stones; it never moves, so its limit does not matter.
fn arbiter(words: &[String], game: &str, rules: &[(String, String)]) -> Result<Contestant> {
    let asked = games::named(game)?.protocols.contains(&Protocol::Gtp);
    ensure!(asked, "--referee: only engines that speak GTP are asked about dead stones");
    let words = [&["st=1".to_owned()], words].concat();
    let engine = contestant(Words::new("--referee", &words), game)?;
    let options = rules.iter().cloned().chain(engine.options.clone()).collect();
    Ok(Contestant { options, ..engine })
}

/// Ours are named by their game, others by their program.
fn default_name(program: &Path, args: &[String]) -> String {
    match args {
        [word, game, ..] if word == "engine" => game.clone(),
        _ => program.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()),
    }
}

/// The name itself, or with a number if it is taken.
fn unused(name: &str, list: &[Contestant]) -> String {
    let taken = |name: &str| list.iter().any(|engine| engine.name == name);
    if !taken(name) {
        return name.to_owned();
    }
    (2..).map(|n| format!("{name} {n}")).find(|name| !taken(name)).expect("some number is free")
}

/// What a move may cost, and whether the user said that its time does not matter.
fn time_control(words: &mut Words) -> Result<(TimeControl, bool)> {
    let given = words.take("tc");
    let unlimited = given.as_deref() == Some("inf");
    let base = match given.filter(|_| !unlimited) {
        None => None,
        Some(text) => Some(text.parse::<time::Base>().map_err(|()| {
            words.wrong(format!("tc={text} is not a time control such as 5+0.05 or 40/1:00"))
        })?),
    };
    let overtime = words.read_by("byoyomi", "moves/seconds", time::overtime)?;
    let mut control = TimeControl {
        base,
        move_time: words
            .read_by("st", "a time in seconds", |text| time::seconds(text).filter(|t| !t.is_zero()))?,
        nodes: words.read_by("nodes", "a number of nodes", |text| text.parse().ok().filter(|&n| n > 0))?,
        depth: words.read_by("depth", "a number of plies", |text| text.parse().ok().filter(|&n| n > 0))?,
        margin: Duration::from_millis(words.read("timemargin", "a number of milliseconds")?.unwrap_or(0)),
    };
    match (&mut control.base, overtime) {
        (_, None) => {}
        (Some(base), Some(overtime)) if base.moves.is_none() => base.overtime = Some(overtime),
        _ => return Err(words.wrong("byoyomi= follows a main time, tc=SECONDS without moves")),
    }
    Ok((control, unlimited))
}

/// The program's file: a path, or a name to be looked up like a shell does.
pub fn find_program(command: &str, dir: Option<&Path>) -> Option<PathBuf> {
    let given = Path::new(command);
    let near = dir.into_iter().chain([Path::new(".")]).map(|place| place.join(given));
    let candidates: Vec<PathBuf> = if given.is_absolute() {
        vec![given.to_owned()]
    } else if given.components().count() > 1 {
        near.collect()
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).map(|place| place.join(given)).chain(near).collect()
    };
    let suffix = std::env::consts::EXE_SUFFIX;
    candidates.into_iter().find_map(|candidate| {
        let mut with_suffix = candidate.clone().into_os_string();
        with_suffix.push(suffix);
        let found = [candidate, PathBuf::from(with_suffix)].into_iter().find(|path| is_program(path));
        found.and_then(|path| std::path::absolute(path).ok())
    })
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

fn source(flags: &Flags) -> Result<Source> {
    let mut words = Words::new("--openings", &flags.openings);
    let source = Source {
        format: words.read_by("format", "epd, pgn, pdn, sgf or moves", Format::named)?,
        order: words.choice("order", "sequential or random")?.unwrap_or_default(),
        plies: words.read("plies", "a number of plies")?,
        first: words.read("start", "the number of an opening")?.unwrap_or(1),
        file: words.file(),
        random_plies: flags.random_plies,
        balance: flags.balance,
        seed: flags.seed,
    };
    ensure!(source.first > 0, "--openings: start=0: openings are counted from 1");
    ensure!(source.balance.is_none() || source.random_plies > 0, "--balance: needs --random-plies");
    ensure!(source.balance.is_none_or(|most| most > 0), "--balance: must be above 0");
    ensure!(flags.openings.is_empty() || source.file.is_some(), "--openings: which file?");
    words.finish()?;
    Ok(source)
}

/// A test from its words.
pub fn sprt(list: &[String]) -> Result<Sprt> {
    let mut words = Words::new("--sprt", list);
    let probability = |text: &str| text.parse().ok().filter(|&p: &f64| p > 0.0 && p < 0.5);
    let finite = |text: &str| text.parse().ok().filter(|elo: &f64| elo.is_finite());
    let wanted = "a probability between 0 and 0.5";
    let sprt = Sprt {
        elo0: words.read_by("elo0", "a number", finite)?.ok_or_else(|| words.wrong("elo0= is missing"))?,
        elo1: words.read_by("elo1", "a number", finite)?.ok_or_else(|| words.wrong("elo1= is missing"))?,
        alpha: words.read_by("alpha", wanted, probability)?.unwrap_or(0.05),
        beta: words.read_by("beta", wanted, probability)?.unwrap_or(0.05),
        model: words.choice("model", "logistic or normalized")?.unwrap_or_default(),
    };
    ensure!(sprt.elo0 < sprt.elo1, "--sprt: elo0={} is not below elo1={}", sprt.elo0, sprt.elo1);
    words.finish()?;
    Ok(sprt)
}

fn adjudication(flags: &Flags) -> Result<Adjudication> {
    // No moves at all, or a bound on the wrong side of zero, would end every game at once.
    let count = |text: &str| text.parse().ok().filter(|&n: &usize| n > 0);
    let bound = |text: &str| text.parse().ok().filter(|&n: &i32| n >= 0);
    let (moves, points) = ("a number of moves", "a score from 0 up");
    let draw = flags.draw.as_ref().map(|list| {
        let mut words = Words::new("--draw", list);
        let draw = Draw {
            from_move: words.read("movenumber", "a number")?.unwrap_or(0),
            moves: words.read_by("movecount", moves, count)?.unwrap_or(1),
            score: words.read_by("score", points, bound)?.unwrap_or(0),
        };
        words.finish()?;
        anyhow::Ok(draw)
    });
    let resign = flags.resign.as_ref().map(|list| {
        let mut words = Words::new("--resign", list);
        let resign = Resign {
            moves: words.read_by("movecount", moves, count)?.unwrap_or(1),
            score: words.read_by("score", points, bound)?.ok_or_else(|| words.wrong("score= is missing"))?,
            two_sided: words.switch("twosided")?,
        };
        words.finish()?;
        anyhow::Ok(resign)
    });
    let max_plies = flags.max_plies.or(flags.maxmoves.map(|moves| 2 * moves));
    ensure!(max_plies != Some(0), "--max-plies: at least one");
    Ok(Adjudication { draw: draw.transpose()?, resign: resign.transpose()?, max_plies })
}

/// What decides the games, for the log: a match with another head is another match.
fn head(
    game: &str,
    rules: &[(String, String)],
    engines: &[Contestant],
    form: Form,
    source: &Source,
    flags: &Flags,
) -> Head {
    let mut settings = vec![
        ("tournament".to_owned(), format!("{form:?}")),
        ("openings".to_owned(), flags.openings.join(" ")),
        ("random-plies".to_owned(), source.random_plies.to_string()),
        ("seed".to_owned(), source.seed.to_string()),
        ("draw".to_owned(), flags.draw.clone().unwrap_or_default().join(" ")),
        ("resign".to_owned(), flags.resign.clone().unwrap_or_default().join(" ")),
        ("max-plies".to_owned(), format!("{:?}", flags.max_plies.or(flags.maxmoves.map(|n| 2 * n)))),
    ];
    if let Some(most) = source.balance {
        settings.push(("balance".to_owned(), most.to_string()));
    }
    if flags.noswap {
        settings.push(("noswap".to_owned(), String::new()));
    }
    if let Some(words) = &flags.referee {
        settings.push(("referee".to_owned(), words.join(" ")));
    }
    let games = flags.games.saturating_mul(flags.rounds);
    if engines.len() > 2 && !games.is_multiple_of(2) {
        // The games of an odd last round have other numbers than those of a whole one.
        settings.push(("games".to_owned(), games.to_string()));
    }
    for engine in engines {
        let options: Vec<String> =
            engine.options.iter().map(|(name, value)| format!("option.{name}={value}")).collect();
        let words = [engine.command.clone(), engine.control.to_string(), options.join(" ")];
        let mut words = words.join(" ").trim().to_owned();
        if !engine.control.margin.is_zero() {
            words += &format!(" timemargin={}", engine.control.margin.as_millis());
        }
        if engine.ponder {
            words += " ponder";
        }
        settings.push((engine.name.clone(), words));
    }
    let engines = engines.iter().map(|engine| engine.name.clone()).collect();
    Head { game: game.to_owned(), rules: rules.to_vec(), engines, settings }
}
