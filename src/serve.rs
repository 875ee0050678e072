//! `quintet serve`: the board in the browser.
//!
//! | question | file |
//! |---|---|
//! | what does a browser get? | `page.rs`, `page/` |
//! | who may connect, and what may be asked? | `door.rs`, `token.rs`, `web.rs`, `order.rs` |
//! | what may be spent? | `limits.rs`, `places.rs` |
//! | what can be chosen of a game? | `catalogue.rs` |
//! | which games are being played? | `lobby.rs`, `store.rs` |
//! | how does a game go? | `live.rs`, `clock.rs` |
//! | who plays? | `seat.rs`, `players.rs`, `installed.rs`, `agents.rs` |
//! | how are games saved and loaded? | `records.rs` |

pub mod agents;
pub mod books;
pub mod catalogue;
pub mod clock;
pub mod door;
pub mod installed;
pub mod limits;
pub mod live;
pub mod lobby;
pub mod order;
pub mod page;
pub mod places;
pub mod players;
pub mod records;
pub mod seat;
pub mod store;
pub mod token;
pub mod web;

use std::io::{self, IsTerminal};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use tokio::net::TcpListener;

use crate::build;
use crate::misuse::Asked;
use crate::progress::say;
use agents::Agents;
use books::Books;
use limits::Limits;
use lobby::Lobby;
use players::Players;
use store::Store;
use token::Token;
use web::Face;

/// The usual port.
const PORT: u16 = 8765;
/// Ports tried if that one is taken.
const FURTHER: u16 = 100;

/// Threads for work that takes a moment.
const THREADS: usize = 64;

/// What the user may say.
#[derive(Args, Debug)]
pub struct Flags {
    /// The address to listen on; for any but this machine's own, visitors need the token in DIR/token
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// The port to listen on [default: 8765, or the next free one]
    #[arg(long)]
    port: Option<u16>,
    /// Open the board in the browser
    #[arg(long)]
    open: bool,
    /// The data directory [default: $QUINTET_DATA, or the platform's]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Accept agents on this port, 0 for any free one; see quintet join
    #[arg(long, value_name = "PORT")]
    agents: Option<u16>,
    #[command(flatten, next_help_heading = "Limits")]
    limits: Limits,
}

impl Default for Flags {
    fn default() -> Self {
        let host = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Flags { host, port: None, open: false, data: None, agents: None, limits: Limits::default() }
    }
}

/// Serves the board until the program is ended.
pub fn run(flags: &Flags) -> Result<()> {
    let data = flags.data.clone().or_else(search::data::directory);
    let data = data.context("no data directory; name one with --data")?;
    let installed = installed::read(&data.join("engines.toml")).asked()?;
    let program = std::env::current_exe().context("cannot find this program")?;
    let store = Store::open(data.join("games")).asked()?;
    let key = data.join("token");
    let token = if flags.host.is_loopback() { Token::default() } else { Token::of_file(&key).asked()? };
    let agents = Arc::new(Agents::new(token.clone()));
    let (books, tables) = (Books::new(&data), build::directory(Some(&data))?);
    let players =
        Arc::new(Players::new(program, installed, agents.clone(), books, tables, flags.limits.clone()));
    let face = Arc::new(Face::new(Lobby::new(store, players), token, flags.limits.pages));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(THREADS)
        .thread_keep_alive(Duration::from_secs(1))
        .enable_all()
        .build()?;
    runtime.block_on(async {
        if let Some(port) = flags.agents {
            let address = SocketAddr::new(flags.host, port);
            let bound = TcpListener::bind(address).await;
            let listener = bound.with_context(|| format!("cannot listen for agents on {address}"))?;
            say(&format!("Agents: {}\n", reachable(listener.local_addr()?)))?;
            tokio::spawn(agents.receive(listener));
        }
        let listener = listen(flags.host, flags.port).await?;
        announce(listener.local_addr()?, &face.token, &key, flags.open)?;
        web::serve(listener, face).await;
        Ok(())
    })
}

/// Takes the port named, or the usual one or the next free one.
async fn listen(host: IpAddr, port: Option<u16>) -> Result<TcpListener> {
    let ports = port.map_or(PORT..=PORT + FURTHER, |port| port..=port);
    let mut last = None;
    for port in ports {
        match TcpListener::bind(SocketAddr::new(host, port)).await {
            Ok(listener) => return Ok(listener),
            Err(error) => last = Some(error),
        }
    }
    let error = last.unwrap_or_else(|| io::ErrorKind::AddrInUse.into());
    Err(error).with_context(|| format!("cannot listen on {host}, port {}", port.unwrap_or(PORT)))
}

fn announce(address: SocketAddr, token: &Token, key: &Path, open: bool) -> Result<()> {
    let link = format!("http://{}/", reachable(address));
    let token = match token.text() {
        // What is no terminal may be a log, which others read.
        Some(token) if io::stdout().is_terminal() => format!("Token: {token}\n"),
        Some(_) => format!("Token: in {}\n", key.display()),
        None => String::new(),
    };
    say(&format!("{token}Board: {link}\n"))?;
    if open {
        show(&link);
    }
    Ok(())
}

/// Where others find what listens here. What listens everywhere is found by the address with which this machine
/// goes to the network; without a network, by the machine's own.
fn reachable(address: SocketAddr) -> SocketAddr {
    let (far, own): (IpAddr, IpAddr) = match address.ip() {
        ip if !ip.is_unspecified() => return address,
        IpAddr::V4(_) => (Ipv4Addr::new(192, 0, 2, 1).into(), Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(_) => (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(), Ipv6Addr::LOCALHOST.into()),
    };
    // Nothing is sent: the system only chooses the way, and with it the address.
    let chosen = UdpSocket::bind((address.ip(), 0)).and_then(|socket| {
        socket.connect((far, 9))?;
        socket.local_addr()
    });
    SocketAddr::new(chosen.map_or(own, |chosen| chosen.ip()), address.port())
}

/// Opens a link in the user's browser; whoever has none has read the link.
fn show(link: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "windows") {
        ("cmd", &["/C", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let _ = std::process::Command::new(program).args(arguments).arg(link).spawn();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_one_machine() {
        for text in ["127.0.0.1:80", "[::1]:80", "10.0.0.1:80"] {
            let address = text.parse().unwrap();
            assert_eq!(reachable(address), address);
        }
        for text in ["0.0.0.0:80", "[::]:80"] {
            let link = reachable(text.parse().unwrap());
            assert!(!link.ip().is_unspecified() && link.port() == 80, "{link}");
        }
    }
}
