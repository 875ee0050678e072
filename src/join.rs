//! `quintet join`: any engine of this machine as an agent of a board or a match elsewhere.
//!
//! What is said there goes to the engine's input, and its output goes back. An engine that was sent home comes
//! again as a fresh one, so an agent is there for the next game.

use std::io::{self, ErrorKind, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use protocol::agent::{self, Introduction};
use protocol::family::Family;

use crate::games;
use crate::matches::contest::INTERRUPTED;
use crate::matches::plan::find_program;
use crate::misuse::Asked;
use crate::serve::token;

/// How long nobody may be there to join; said in words where the waiting begins.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often to try.
const PAUSE: Duration = Duration::from_millis(200);

/// The time between two conversations in which nothing was said: an engine that cannot run must not keep the other side
/// busy with its comings.
const REST: Duration = Duration::from_secs(1);

/// How long an engine may take to leave once its input has ended.
const FAREWELL: Duration = Duration::from_secs(2);

/// Where a token may be said.
const TOKEN: &str = "QUINTET_TOKEN";

/// Where to go, and as whom.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Where quintet serve --agents or a match with tcp://HOST:PORT listens
    #[arg(value_name = "HOST:PORT")]
    place: String,
    /// The game the engine plays
    #[arg(long)]
    game: String,
    /// The name it goes by there [default: the program's name]
    #[arg(long)]
    name: Option<String>,
    /// The file with the token of a server for other machines [default: the token in $QUINTET_TOKEN, if any]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Exit after one session
    #[arg(long)]
    once: bool,
    /// The engine and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// Joins until nobody is there any more.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { place, game, command, .. } = arguments;
    games::named(game)?;
    let program = find_program(&command[0], None)
        .with_context(|| format!("{}: no such program", command[0]))
        .asked()?;
    let me = Introduction {
        game: game.clone(),
        name: arguments.name.clone().unwrap_or_else(|| usual_name(&command[0])),
        token: token(arguments.token_file.as_deref()).asked()?,
    };
    let talking: Arc<Mutex<Option<TcpStream>>> = Arc::default();
    let heard = talking.clone();
    // The engine does not hear Ctrl-C: it is ended as after any other conversation.
    ctrlc::set_handler(move || match lock(&heard).take() {
        Some(stream) => drop(stream.shutdown(Shutdown::Both)),
        None => std::process::exit(INTERRUPTED.into()),
    })?;
    let mut is_told = false;
    loop {
        let (stream, begun) = (arrive(place, &me)?, Instant::now());
        *lock(&talking) = Some(stream.try_clone()?);
        let heard = converse(stream, &program, &command[1..])?;
        let is_interrupted = lock(&talking).take().is_none();
        if arguments.once || is_interrupted {
            return Ok(());
        }
        if heard == 0 && begun.elapsed() < REST {
            if !is_told {
                let _ =
                    writeln!(io::stderr(), "{} left {place} before it was asked; trying again", command[0]);
            }
            is_told = true;
            thread::sleep(REST);
        }
    }
}

fn lock(talking: &Mutex<Option<TcpStream>>) -> MutexGuard<'_, Option<TcpStream>> {
    talking.lock().expect("no holder of the lock panics")
}

/// What lets the agent in, never from the command line, which others can read.
fn token(file: Option<&Path>) -> Result<Option<String>> {
    match (file, std::env::var(TOKEN)) {
        (Some(file), _) => token::read(file).map(Some),
        (None, Ok(said)) => token::check(&said).map(Some).context(TOKEN),
        (None, Err(_)) => Ok(None),
    }
}

/// The program's name without its way and without blanks, which would end it.
fn usual_name(command: &str) -> String {
    let stem = Path::new(command).file_stem().unwrap_or_default().to_string_lossy();
    stem.split_whitespace().collect::<Vec<_>>().join("-")
}

/// Connects and is welcomed; who is refused need not try again, who finds nobody may.
pub fn arrive(place: &str, me: &Introduction) -> Result<TcpStream> {
    let deadline = Instant::now() + PATIENCE;
    let mut is_first = true;
    loop {
        let tried = TcpStream::connect(place).and_then(|mut stream| {
            agent::introduce(&mut stream, me)?;
            Ok(stream)
        });
        match tried {
            Ok(stream) => return Ok(stream),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                bail!("{place} refused {}: {error}", me.name)
            }
            Err(error) if error.kind() == ErrorKind::InvalidInput => {
                return Err(anyhow!("{place} is not HOST:PORT")).asked();
            }
            Err(error) if Instant::now() > deadline => {
                return Err(error).with_context(|| format!("nothing listens at {place}"));
            }
            Err(_) => {
                if is_first {
                    // A closed error stream is no reason to give up.
                    let _ = writeln!(io::stderr(), "nothing listens at {place} yet; trying for two minutes");
                }
                is_first = false;
                thread::sleep(PAUSE);
            }
        }
    }
}

/// Lets the two talk until either leaves; how many bytes were said to the engine.
fn converse(stream: TcpStream, program: &Path, words: &[String]) -> Result<u64> {
    stream.set_nodelay(true)?;
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut family =
        Family::start(&mut command).with_context(|| format!("cannot start {}", program.display()))?;
    let child = family.child();
    let mut input = child.stdin.take().expect("it was piped");
    let mut output = child.stdout.take().expect("it was piped");
    let (mut from_there, mut to_there) = (stream.try_clone()?, stream.try_clone()?);
    let listener = thread::spawn(move || {
        copy(&mut output, &mut to_there);
        let _ = to_there.shutdown(Shutdown::Both);
    });
    let heard = copy(&mut from_there, &mut input);
    drop(input);
    family.leave(FAREWELL);
    let _ = stream.shutdown(Shutdown::Both);
    let _ = listener.join();
    Ok(heard)
}

/// Hands on whatever comes at once: a line must not wait for the next, as it may in `io::copy`. How many bytes came
/// until either end broke, with which the conversation is over.
fn copy(from: &mut impl io::Read, to: &mut impl Write) -> u64 {
    let (mut chunk, mut bytes) = ([0; 4096], 0);
    while let Ok(length @ 1..) = from.read(&mut chunk) {
        bytes += length as u64;
        if to.write_all(&chunk[..length]).and_then(|()| to.flush()).is_err() {
            break;
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_called_by_its_name() {
        assert_eq!(usual_name("/opt/some engine.exe"), "some-engine");
        assert_eq!(usual_name("stockfish"), "stockfish");
    }

    #[test]
    fn what_cannot_play_is_refused_before_anybody_is_asked() {
        let why = |place: &str, game: &str, program: &str| {
            let arguments = Arguments {
                place: place.to_owned(),
                game: game.to_owned(),
                name: None,
                token_file: None,
                once: true,
                command: vec![program.to_owned()],
            };
            run(&arguments).unwrap_err().to_string()
        };
        let nobody = "127.0.0.1:1";
        assert!(why(nobody, "halma", "sh").starts_with("no such game: 'halma' (the games are chess, "));
        assert_eq!(why(nobody, "chess", "no/such/engine"), "no/such/engine: no such program");
        let program = std::env::current_exe().unwrap().display().to_string();
        assert_eq!(why("here", "chess", &program), "here is not HOST:PORT");
    }
}
