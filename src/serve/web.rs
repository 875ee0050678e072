//! The server's face: the page's files, and one socket for each page.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use axum::Router;
use axum::body::Body;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};

use super::door;

use super::lobby::{Lobby, Task};
use super::order::Order;
use super::page::{self, File};
use super::token::Token;

/// The largest message a page may send: a long record.
const LARGEST: usize = 1_500_000;
/// What is held for each page that is open.
const BUFFER: usize = 1 << 14;
/// How long a browser may take to say what it wants.
const HEADERS: Duration = Duration::from_secs(10);
/// How long a browser may take to get it, before it has to connect again.
const FETCHING: Duration = Duration::from_secs(60);
/// How long a page may take to read what it is told.
const UNREAD: Duration = Duration::from_secs(20);
/// How often a page is asked whether it is still there; it leaves if it has not answered when it is asked again.
const ALIVE: Duration = Duration::from_secs(45);
/// How often a page may hear that agents came or went.
const PLAYERS: Duration = Duration::from_millis(200);
/// Hints that a page may wait for at once.
const MOST_HINTS: usize = 4;
/// By which our pages are known; the next word of the same header is the token.
const PROTOCOL: &str = "quintet";

/// What each connection needs.
pub struct Face {
    /// All games.
    pub lobby: Arc<Lobby>,
    /// What a page must know to be let in.
    pub token: Token,
    /// Room for pages.
    room: Arc<Semaphore>,
}

impl Face {
    /// Lets so many pages in that know the token.
    pub fn new(lobby: Lobby, token: Token, pages: usize) -> Self {
        Face { lobby: Arc::new(lobby), token, room: Arc::new(Semaphore::new(pages)) }
    }
}

/// Serves browsers for ever.
pub async fn serve(listener: TcpListener, face: Arc<Face>) {
    let router = router(face);
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new()).header_read_timeout(HEADERS);
    let meet = |stream| {
        let service = TowerToHyperService::new(router.clone());
        let connection = protocol.serve_connection(TokioIo::new(stream), service).with_upgrades();
        // Who left in the middle does not miss the rest.
        async move { drop(connection.await) }
    };
    door::receive(listener, FETCHING, meet).await;
}

/// What can be asked for.
fn router(face: Arc<Face>) -> Router {
    Router::new()
        .route("/", get(|| async { send(&page::FILES[0]) }))
        .route("/page/{name}", get(|Path(name): Path<String>| async move { file(&name) }))
        .route("/token", get(token))
        .route("/socket", get(socket))
        .layer(middleware::from_fn_with_state(face.clone(), guard))
        .with_state(face)
}

fn file(name: &str) -> Response {
    page::find(name).map_or_else(|| StatusCode::NOT_FOUND.into_response(), send)
}

fn send(file: &'static File) -> Response {
    ([(header::CONTENT_TYPE, file.kind)], file.text).into_response()
}

/// Without a token only this machine may ask, and only by a name of this machine: a foreign page cannot make
/// its own name lead here.
async fn guard(State(face): State<Arc<Face>>, request: Request<Body>, next: Next) -> Response {
    let is_known =
        host(request.headers()).is_some_and(|host| face.token.text().is_some() || is_loopback(host));
    let mut response = if is_known { next.run(request).await } else { StatusCode::FORBIDDEN.into_response() };
    let rules = [
        (header::CONTENT_SECURITY_POLICY, "default-src 'self'; frame-ancestors 'none'; base-uri 'none'"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in rules {
        response.headers_mut().insert(name, header::HeaderValue::from_static(value));
    }
    response
}

fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::HOST)?.to_str().ok()
}

/// Whether a `Host` header, with or without its port, is a name of this machine's own address.
fn is_loopback(host: &str) -> bool {
    let without_port = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|c| c.is_ascii_digit()));
    let name = without_port.map_or(host, |(name, _)| name).trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// A browser says which page opens a socket; it must be ours. Programs that are no browsers say nothing.
fn is_own_origin(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    origin.is_some_and(|(_, name)| Some(name) == host(headers))
}

/// Tells a page that was not let in whether its token is to blame.
async fn token(State(face): State<Arc<Face>>, headers: HeaderMap) -> StatusCode {
    let given =
        headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    if face.token.opens(given) { StatusCode::NO_CONTENT } else { StatusCode::UNAUTHORIZED }
}

async fn socket(State(face): State<Arc<Face>>, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    let named =
        headers.get(header::SEC_WEBSOCKET_PROTOCOL).and_then(|value| value.to_str().ok()).unwrap_or("");
    let given = named.split(',').map(str::trim).skip_while(|word| *word != PROTOCOL).nth(1);
    if !is_own_origin(&headers) || !face.token.opens(given) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let Ok(place) = face.room.clone().try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many pages are open").into_response();
    };
    let upgrade = upgrade.max_message_size(LARGEST).read_buffer_size(BUFFER).write_buffer_size(BUFFER);
    upgrade.protocols([PROTOCOL]).on_upgrade(|socket| async move {
        let mut page = Connection { face, socket, follows: None, hints: JoinSet::new(), _place: place };
        // A page that left needs no goodbye.
        let _ = page.run().await;
    })
}

/// The game a page follows.
struct Follows {
    id: String,
    state: watch::Receiver<Arc<str>>,
    thoughts: broadcast::Receiver<Arc<str>>,
}

/// One open page.
struct Connection {
    face: Arc<Face>,
    socket: WebSocket,
    follows: Option<Follows>,
    /// Answers that take their time.
    hints: JoinSet<Value>,
    _place: OwnedSemaphorePermit,
}

/// What happens to an open page.
enum Happens {
    Heard(Option<Result<Message, axum::Error>>),
    News(Arc<str>),
    Players,
    Hint(Value),
    Gone,
    Silence,
}

impl Connection {
    async fn run(&mut self) -> Result<()> {
        let hello = self.face.lobby.hello().to_string();
        self.say(hello.as_str()).await?;
        let mut players = self.face.lobby.agents().news();
        let mut alive = interval(ALIVE);
        alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut is_there, mut calm) = (true, Instant::now());
        loop {
            let happens = tokio::select! {
                heard = self.socket.recv() => Happens::Heard(heard),
                news = next_news(&mut self.follows) => news,
                Ok(()) = change_after(calm, &mut players) => Happens::Players,
                _ = alive.tick() => Happens::Silence,
                Some(Ok(hint)) = self.hints.join_next() => Happens::Hint(hint),
            };
            is_there |= matches!(happens, Happens::Heard(_));
            match happens {
                Happens::Silence if !is_there => return Ok(()),
                Happens::Silence => {
                    is_there = false;
                    self.send(Message::Ping(Default::default())).await?;
                }
                Happens::Heard(None | Some(Err(_) | Ok(Message::Close(_)))) => return Ok(()),
                Happens::Heard(Some(Ok(Message::Text(text)))) => {
                    let request = serde_json::from_str(text.as_str()).unwrap_or_default();
                    self.hear(request).await?;
                }
                Happens::Heard(Some(Ok(_))) => {}
                Happens::News(text) => self.say(&text).await?,
                Happens::Hint(answer) => self.say(answer.to_string().as_str()).await?,
                Happens::Players => {
                    calm = Instant::now() + PLAYERS;
                    let agents = self.face.lobby.agents().list();
                    self.say(json!({ "type": "players", "agents": agents }).to_string().as_str()).await?;
                }
                Happens::Gone => {
                    let id = self.follows.take().map(|follows| follows.id);
                    self.say(json!({ "type": "gone", "id": id }).to_string().as_str()).await?;
                }
            }
        }
    }

    async fn say(&mut self, text: &str) -> Result<()> {
        self.send(Message::Text(text.into())).await
    }

    async fn send(&mut self, message: Message) -> Result<()> {
        Ok(timeout(UNREAD, self.socket.send(message)).await??)
    }

    /// Carries a request out; whatever it is, there is an answer with its number.
    async fn hear(&mut self, request: Value) -> Result<()> {
        if request["do"] == "hint" && self.hints.len() < MOST_HINTS {
            // The page has other things to say and to hear meanwhile.
            let face = self.face.clone();
            self.hints.spawn(async move { answer(&request, give(&face, &request).await) });
            return Ok(());
        }
        let answer = answer(&request, self.perform(&request).await);
        self.say(answer.to_string().as_str()).await
    }

    async fn perform(&mut self, request: &Value) -> Result<Value> {
        match request["do"].as_str() {
            Some("games" | "new" | "import" | "rematch" | "delete") => {
                self.face.lobby.run(read::<Task>(request)?).await
            }
            Some("watch") => {
                let id = game(request)?;
                let door = self.face.lobby.handle(id).await?;
                let thoughts = door.thoughts.subscribe();
                self.follows = Some(Follows { id: id.to_owned(), state: door.state, thoughts });
                give(&self.face, request).await
            }
            Some(what) => {
                ensure!(what != "hint", "at most {MOST_HINTS} hints can be waited for at once");
                give(&self.face, request).await
            }
            None => Err(anyhow!("this is not a request")),
        }
    }
}

/// Gives the order of a request to its game.
async fn give(face: &Face, request: &Value) -> Result<Value> {
    face.lobby.order(game(request)?, read::<Order>(request)?).await
}

/// The game that a request names.
fn game(request: &Value) -> Result<&str> {
    request["id"].as_str().context("the request names no game")
}

/// The answer to a request, with its number.
fn answer(request: &Value, result: Result<Value>) -> Value {
    let error = |error: anyhow::Error| json!({ "type": "error", "text": format!("{error:#}") });
    let mut answer = result.unwrap_or_else(error);
    answer["reply"] = request["reply"].clone();
    answer
}

fn read<T: for<'de> Deserialize<'de>>(request: &Value) -> Result<T> {
    T::deserialize(request).map_err(|error| anyhow!("invalid request: {error}"))
}

/// Waits until agents came or went, and in any case until then: of many changes the page hears once.
async fn change_after(
    then: Instant,
    players: &mut watch::Receiver<()>,
) -> Result<(), watch::error::RecvError> {
    sleep_until(then).await;
    players.changed().await
}

/// Waits for the next news of the game that is followed; for ever if none is.
async fn next_news(follows: &mut Option<Follows>) -> Happens {
    let Some(follows) = follows else { return std::future::pending().await };
    loop {
        let heard = tokio::select! {
            changed = follows.state.changed() => match changed {
                Ok(()) => Ok(follows.state.borrow_and_update().clone()),
                Err(_) => Err(RecvError::Closed),
            },
            thought = follows.thoughts.recv() => thought,
        };
        match heard {
            Ok(text) => return Happens::News(text),
            // Thoughts that came too fast are old by now.
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return Happens::Gone,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_its_own() {
        for host in ["127.0.0.1:8765", "localhost", "localhost:80", "[::1]:8765", "127.0.0.1", "[::1]"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["example.org", "127.0.0.1.example.org:80", "10.0.0.1", "", ":80", "localhost:x"] {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn a_foreign_page_may_not_open_a_socket() {
        let headers = |origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, "127.0.0.1:8765".parse().unwrap());
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, origin.parse().unwrap());
            }
            headers
        };
        assert!(is_own_origin(&headers(None)));
        assert!(is_own_origin(&headers(Some("http://127.0.0.1:8765"))));
        for origin in
            ["http://127.0.0.1:1", "https://example.org", "null", "http://127.0.0.1:8765.example.org"]
        {
            assert!(!is_own_origin(&headers(Some(origin))), "{origin}");
        }
    }
}
