//! `host`: the games of a training whose players come over the network, as Skoulakis's training server led them. It
//! referees, changes sides and announces matches; who learns, and how, is the players' affair.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use clap::{Args, value_parser};
use neighbours::{Position, Rules};
use protocol::uci::{Driver, Go};
use protocol::{Launch, Process, agent};
use search::learn::selfplay::{opening, random_of_game};
use search::{Game, Root, Side};

use crate::driver::MATCH;
use crate::misuse::Asked;
use crate::progress::Progress;

/// How long a player may take to get ready or to move.
const PATIENCE: Duration = Duration::from_secs(60);

/// How games are arranged.
#[derive(Args)]
pub struct Arguments {
    /// Where players connect: tcp://HOST:PORT; the first is the learner, the second its opponent
    place: String,
    /// Learning games
    #[arg(long, default_value_t = 20_000, value_parser = value_parser!(u64).range(1..))]
    games: u64,
    /// Learning games between two matches of two games
    #[arg(long, default_value_t = 50, value_parser = value_parser!(u64).range(1..))]
    block: u64,
    /// Plies searched
    #[arg(long, default_value_t = 2, value_parser = value_parser!(u32).range(1..))]
    depth: u32,
    /// Random plies at the start of each game
    #[arg(long, default_value_t = 4, value_parser = value_parser!(u32).range(..=100))]
    opening: u32,
    /// Rows and columns of the board
    #[arg(long, default_value_t = 8)]
    board_size: u8,
    /// Seed of the random plies
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The players, the learner first.
const NAMES: [&str; 2] = ["the learner", "its opponent"];

/// Leads all games, or as many as the learner stays for.
pub fn run(arguments: &Arguments) -> Result<()> {
    let rules = Rules::new(arguments.board_size).context("the board has 4 to 8 rows").asked()?;
    let mut players = [seat(&arguments.place, rules, NAMES[0])?, seat(&arguments.place, rules, NAMES[1])?];
    let progress = Progress::new(arguments.games, "games", 0);
    let (mut promotions, mut matches) = (0, 0);
    for game in 0..arguments.games {
        let start = || opened(arguments, rules, game as usize);
        play(&mut players, start(), own_side(game), arguments.depth, false)?;
        progress.inc(1);
        if (game + 1) % arguments.block == 0 {
            let start = opened(arguments, rules, usize::MAX - game as usize);
            let mut wins = 0;
            for side in [Side::White, Side::Black] {
                let winner = play(&mut players, start.clone(), side, arguments.depth, true)?;
                wins += u32::from(winner == Some(side));
            }
            matches += 1;
            promotions += u32::from(wins == 2);
            progress.note(format!("{promotions} of {matches} matches won twice"));
        }
    }
    players.iter_mut().for_each(|player| player.quit(PATIENCE));
    progress.finish();
    progress.say(&format!("{} games, {promotions} of {matches} matches won twice", arguments.games));
    Ok(())
}

/// The learner has White in even games.
fn own_side(game: u64) -> Side {
    if game.is_multiple_of(2) { Side::White } else { Side::Black }
}

/// Waits for a player.
fn seat(place: &str, rules: Rules, name: &str) -> Result<Driver> {
    agent::check(place).map_err(|why| anyhow!("{place}: {why}")).asked()?;
    let process = Process::start(&Launch::new(place)).with_context(|| format!("{place}: {name}"))?;
    let mut driver = Driver::greet(process, PATIENCE).with_context(|| name.to_owned())?;
    if rules != Rules::default() {
        driver.set("BoardSize", &rules.size().to_string()).with_context(|| name.to_owned())?;
    }
    Ok(driver)
}

fn opened(arguments: &Arguments, rules: Rules, deal: usize) -> Root<Position> {
    opening(&rules, arguments.opening, &mut random_of_game(arguments.seed, deal))
}

/// Leads a game and shows its end to both; the winner.
fn play(
    players: &mut [Driver; 2],
    mut root: Root<Position>,
    own: Side,
    depth: u32,
    counts: bool,
) -> Result<Option<Side>> {
    for (player, name) in players.iter_mut().zip(NAMES) {
        // Only who learns or errs has the option.
        let _ = player.set(MATCH, if counts { "true" } else { "false" });
        player.new_game(PATIENCE).context(name)?;
    }
    loop {
        let outcome = root.outcome();
        let moves: Vec<String> =
            root.positions().iter().zip(root.moves()).map(|(here, &m)| here.write(m)).collect();
        let fen = (*root.start() != Position::start(&root.start().rules())).then(|| root.start().to_string());
        if let Some(outcome) = outcome {
            for (player, name) in players.iter_mut().zip(NAMES) {
                player.position(fen.as_deref(), &moves);
                player.ready(PATIENCE).context(name)?;
            }
            return Ok(outcome.winner);
        }
        let number = usize::from(root.position().turn() != own);
        let player = &mut players[number];
        player.position(fen.as_deref(), &moves);
        player.go(&Go { depth: Some(depth.into()), ..Go::default() });
        let best = player.answer(Instant::now() + PATIENCE, |_| {}).context(NAMES[number])?;
        let text = best.text.unwrap_or_default();
        let found = root.position().parse(&text).ok().filter(|m| root.legal().contains(m));
        root.play(found.ok_or_else(|| anyhow!("{} played '{text}', which is no move", NAMES[number]))?);
    }
}
