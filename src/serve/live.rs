//! A game in progress: a task that owns the game, carries out orders, and lets engines move.
//!
//! Pages follow a game by its newest state, not by a chain of changes, so a slow page misses moments but
//! never the truth. Every change is on disk before anybody hears of it.

mod advice;
mod counting;
mod view;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use search::{Side, TimeLeft};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, broadcast, mpsc, watch};
use tokio::task::block_in_place;
use tokio::time::timeout_at;

use self::advice::Adviser;
use super::clock::GameClock;
use super::order::{Event, Order, Reply, Role};
use super::players::Players;
use super::records;
use super::seat::{Limit, Seat};
use super::store::{Ended, Kept, Store};
use crate::analysis::Lines;
use crate::driver::{Best, Engine, Message, Question, Report, Spend};
use crate::games::{self, Row};
use crate::probe::Oracle;
use crate::referee::{self, Referee};

/// What an engine without any limit spends on a move.
const USUAL_TIME: Duration = Duration::from_millis(1000);
/// Games have no more moves than this, all lines together.
const MOST_NODES: usize = 20_000;
/// Engines of a game that nobody touches for so long are sent home.
const IDLE: Duration = Duration::from_secs(600);
/// Thoughts of engines that may wait to be taken note of.
const THOUGHTS: usize = 64;
/// Thoughts are shown no more often than this.
const GLIMPSE: Duration = Duration::from_millis(80);

/// How others reach a game.
#[derive(Clone)]
pub struct Handle {
    /// Orders go in here.
    pub inbox: mpsc::UnboundedSender<Event>,
    /// The newest state, as the page reads it.
    pub state: watch::Receiver<Arc<str>>,
    /// What engines think, as the page reads it.
    pub thoughts: broadcast::Sender<Arc<str>>,
}

/// An engine that was asked for a move.
struct Asked {
    side: Side,
    node: usize,
    ticket: u64,
    lines: Lines,
}

/// A game in progress.
pub struct Live {
    kept: Kept,
    entry: &'static Row,
    /// Stands where the game stands.
    referee: Box<dyn Referee>,
    /// What is known of positions for certain.
    oracle: Option<Box<dyn Oracle>>,
    store: Store,
    players: Arc<Players>,
    engines: [Option<Engine>; 2],
    /// How often each side has changed its player.
    changes: [u64; 2],
    /// The question that the side to move is busy with.
    asked: Option<Asked>,
    adviser: Adviser,
    tickets: u64,
    /// The side that offers a draw.
    offer: Option<Side>,
    /// What went wrong with an engine.
    problem: Option<String>,
    /// Whose the points are, while they are counted.
    owners: Vec<f32>,
    /// Grows with every change: a page that has seen a later state ignores an earlier one.
    version: u64,
    inbox: mpsc::UnboundedSender<Event>,
    /// For thoughts in the inbox.
    room: Arc<Semaphore>,
    /// Since when no page shows it.
    unwatched: Option<Instant>,
    /// Engines do not think, because no page has shown it for long.
    deserted: bool,
    state: watch::Sender<Arc<str>>,
    thoughts: broadcast::Sender<Arc<str>>,
    glimpsed: Instant,
}

impl Live {
    /// Sets a game up where it was left.
    pub fn open(kept: Kept, store: Store, players: Arc<Players>) -> Result<Opened> {
        let entry = games::named(&kept.game)?;
        let mut referee = referee::open(&kept.game, &kept.rules)?;
        referee
            .replay(kept.fen.as_deref(), &kept.tree.plays(kept.tree.at()))
            .with_context(|| format!("game {} is damaged", kept.id))?;
        let (inbox, events) = mpsc::unbounded_channel();
        let (state, watched) = watch::channel(Arc::from(""));
        let thoughts = broadcast::channel(16).0;
        let handle = Handle { inbox: inbox.clone(), state: watched, thoughts: thoughts.clone() };
        let live = Live {
            oracle: players.oracle(entry, &kept.rules),
            kept,
            entry,
            referee,
            store,
            players,
            engines: [None, None],
            changes: [0; 2],
            asked: None,
            adviser: Adviser::default(),
            tickets: 0,
            offer: None,
            problem: None,
            owners: Vec::new(),
            version: 0,
            inbox,
            room: Arc::new(Semaphore::new(THOUGHTS)),
            unwatched: None,
            deserted: false,
            state,
            thoughts,
            glimpsed: Instant::now(),
        };
        Ok(Opened { live, events, handle })
    }

    async fn run(mut self, mut events: mpsc::UnboundedReceiver<Event>) {
        let mut wanted = self.players.places.wanted();
        block_in_place(|| self.settle());
        loop {
            let deadline = self.deadline();
            let event = tokio::select! {
                event = timeout_at(deadline.into(), events.recv()) => event,
                Ok(()) = wanted.changed() => {
                    self.make_room();
                    continue;
                }
            };
            match event {
                Ok(None) => return,
                Ok(Some(Event::Close)) => {
                    // What came before this may have saved the game once more.
                    let _ = self.store.delete(&self.kept.id);
                    return;
                }
                Ok(Some(Event::Rest)) if self.is_idle() => return,
                Ok(Some(event @ Event::Engine(_, Message::Report(..), _))) => self.take(event),
                // A long game takes a moment in which others must not wait, and so does a disk.
                Ok(Some(event)) => block_in_place(|| self.take(event)),
                Err(_) if self.is_idle() && self.flag_time().is_none() => return,
                Err(_) => block_in_place(|| self.rest()),
            }
            self.look_round();
            if self.players.places.is_wanted() {
                self.make_room();
            }
        }
    }

    /// When something is to be done though nothing has happened.
    fn deadline(&self) -> Instant {
        let now = Instant::now();
        let idle = if self.is_busy() { self.players.limits.unwatched() } else { IDLE };
        let unwatched =
            self.unwatched.filter(|_| self.is_busy()).map(|since| since + self.players.limits.unwatched());
        [self.flag_time(), unwatched].into_iter().flatten().fold(now + idle, Instant::min)
    }

    /// When the running time ends.
    fn flag_time(&self) -> Option<Instant> {
        self.kept.clock.as_ref().and_then(GameClock::deadline)
    }

    /// Lets engines stop once no page has shown the game for long: who closed it must not leave a busy processor behind.
    fn look_round(&mut self) {
        if self.is_watched() {
            self.unwatched = None;
            return;
        }
        let since = *self.unwatched.get_or_insert_with(Instant::now);
        if self.is_busy() && since.elapsed() >= self.players.limits.unwatched() {
            self.deserted = true;
            self.halt();
            block_in_place(|| self.changed());
            self.make_room();
        }
    }

    /// Engines that are not thinking go home; they come again when they are asked.
    fn make_room(&mut self) {
        let asked = self.asked.as_ref().map(|asked| asked.side.index());
        for side in [0, 1].into_iter().filter(|side| Some(*side) != asked) {
            self.engines[side] = None;
        }
        self.adviser.rest();
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Order(order, reply) => self.obey(order, reply),
            Event::Engine(Role::Adviser, message, _room) => self.advised(message),
            Event::Engine(Role::Player(side, change), message, _room) if self.changes[side] == change => {
                self.hear(side, message);
            }
            Event::Engine(..) | Event::Rest | Event::Close => {}
        }
    }

    fn obey(&mut self, order: Order, reply: Reply) {
        let answer = match order {
            Order::Hint { node } => return self.hint(node, reply),
            other => self.carry_out(other),
        };
        // Who does not wait for the answer does not get it.
        let _ = reply.send(answer.map_err(|error| format!("{error:#}")));
    }

    fn carry_out(&mut self, order: Order) -> Result<Value> {
        match order {
            Order::Watch => {
                self.deserted = false;
                self.think_again()?;
                // Whatever comes of it would come again from what is on disk.
                self.settle();
                self.show();
                return Ok(json!({ "type": "watching", "ground": self.ground(), "game": self.snapshot() }));
            }
            Order::Look { node } => return Ok(json!({ "position": self.position_at(node)? })),
            Order::Export { format } => return records::export(&self.kept, &*self.referee, format),
            Order::Compose { letters, turn } => return self.compose(&letters, turn),
            Order::Play { node, text, at } => {
                self.expect(at)?;
                self.play(node, &text)?;
            }
            Order::Undo { at } => {
                self.expect(at)?;
                self.undo()?;
            }
            Order::Redo { at } => {
                self.expect(at)?;
                self.redo()?;
            }
            Order::Mark { spot } => self.mark(&spot)?,
            Order::Agree => self.agree()?,
            Order::Resign => self.resign()?,
            Order::Draw => self.offer_draw()?,
            Order::Accept => self.accept_draw()?,
            Order::Pause => self.pause(),
            Order::Seat { side, seat } => self.seat(side, seat)?,
            Order::Think { node } => self.watch_node(node)?,
            Order::Sweep => self.sweep()?,
            Order::Hint { .. } => bail!("a hint is not an order of the game"),
        }
        self.changed();
        Ok(json!({ "type": "done" }))
    }

    /// An order that was given for another moment of the game must not change this one.
    fn expect(&self, at: usize) -> Result<()> {
        ensure!(at == self.kept.tree.at(), "the game has moved on");
        Ok(())
    }

    /// Lets the game go on, keeps it and shows it.
    fn changed(&mut self) {
        self.settle();
        if let Err(error) = self.store.save(&self.kept) {
            self.problem = Some(format!("{error:#}"));
        }
        self.show();
    }

    fn show(&mut self) {
        self.version += 1;
        if self.is_watched() {
            self.state.send_replace(Arc::from(self.snapshot().to_string()));
        }
    }

    /// Notices an end, asks the engine to move if it is its turn, and sets the clock.
    fn settle(&mut self) {
        if self.kept.result.is_none() {
            match self.referee.outcome() {
                Some(_) if self.referee.settled(&[]).is_some() => self.begin_counting(),
                Some(outcome) => self.end(outcome.winner, outcome.reason),
                None => {}
            }
        }
        let turn = self.referee.turn();
        let is_engine = self.kept.seats[turn.index()] != Seat::Human;
        let deserted = self.deserted && is_engine;
        let isolated = deserted || self.kept.paused || self.kept.result.is_some() || self.is_counting();
        let is_engine = !isolated && is_engine;
        self.set_clock(turn, isolated);
        let node = self.kept.tree.at();
        let waits =
            self.asked.as_ref().is_some_and(|asked| is_engine && asked.side == turn && asked.node == node);
        if !waits {
            self.interrupt();
        }
        if is_engine && !waits {
            self.ask(turn);
        }
        if self.kept.result.is_some() {
            self.engines = [None, None];
        }
    }

    fn set_clock(&mut self, turn: Side, stands: bool) {
        let started = self.kept.tree.at() != 0;
        let Some(clock) = &mut self.kept.clock else { return };
        let now = Instant::now();
        if stands || !started { clock.stop(now) } else { clock.run(turn, now) }
    }

    /// The engine asked is asked no longer.
    fn interrupt(&mut self) {
        if let Some(asked) = self.asked.take()
            && let Some(engine) = &self.engines[asked.side.index()]
        {
            engine.stop();
        }
    }

    fn ask(&mut self, side: Side) {
        if let Err(error) = self.wake(side) {
            self.trouble(side.index(), &format!("{error:#}"));
            return;
        }
        let node = self.kept.tree.at();
        let question = self.question(node, side, self.spending(side));
        let ticket = self.ticket();
        self.asked = Some(Asked { side, node, ticket, lines: Lines::default() });
        if let Some(engine) = &self.engines[side.index()] {
            engine.ask(ticket, question);
        }
    }

    /// Makes sure that the engine of a side runs.
    fn wake(&mut self, side: Side) -> Result<()> {
        let index = side.index();
        if self.engines[index].is_none() {
            let tell = self.listener(Role::Player(index, self.changes[index]));
            self.engines[index] =
                Some(self.players.start(self.entry, &self.kept.seats[index], &self.kept.rules, tell)?);
        }
        Ok(())
    }

    /// Passes on what an engine says.
    fn listener(&self, role: Role) -> impl Fn(Message) + Clone + Send + use<> {
        pass_on(role, self.inbox.clone(), self.room.clone())
    }

    /// A question about a node.
    fn question(&self, node: usize, side: Side, spend: Spend) -> Question {
        let fen = self.kept.fen.as_ref().map(|_| self.referee.start());
        Question::new(fen, self.kept.tree.plays(node), side, spend)
    }

    /// What tells a question from all others.
    fn ticket(&mut self) -> u64 {
        self.tickets += 1;
        self.tickets
    }

    /// What the engine of a side may spend on its move.
    fn spending(&self, side: Side) -> Spend {
        let limit = self.kept.seats[side.index()].limit();
        let mut spend = match limit {
            Some(Limit::Time(ms)) => Spend::time(Duration::from_millis(ms.max(1))),
            Some(Limit::Nodes(nodes)) => Spend { nodes: Some(nodes.max(1)), ..Spend::default() },
            Some(Limit::Depth(depth)) => Spend { depth: Some(depth.max(1)), ..Spend::default() },
            Some(Limit::Clock) | None => Spend::default(),
        };
        match &self.kept.clock {
            Some(clock) => {
                let now = Instant::now();
                let left = |side| clock.left(side, now).as_millis() as u64;
                let increment = Duration::from_millis(clock.control.increment);
                spend.clocks = [Side::White, Side::Black].map(|side| {
                    let left = Duration::from_millis(left(side));
                    Some(TimeLeft { left, increment, ..TimeLeft::default() })
                });
                // Nobody may think longer than a careful player with this clock would.
                let careful = Duration::from_millis((left(side) / 10).max(1));
                spend.move_time = spend.move_time.map(|time| time.min(careful));
            }
            None if limit.is_none() || limit == Some(Limit::Clock) => spend.move_time = Some(USUAL_TIME),
            None => {}
        }
        spend
    }

    /// The engine of a side spoke.
    fn hear(&mut self, side: usize, message: Message) {
        match message {
            Message::Failed(why) => {
                self.engines[side] = None;
                self.trouble(side, &why);
                self.changed();
            }
            Message::Report(ticket, report) => self.overhear(ticket, &report),
            Message::Best(ticket, best) => {
                let Some(asked) = self.asked.take_if(|asked| asked.ticket == ticket) else { return };
                self.answered(&asked, &best);
                self.changed();
            }
        }
    }

    fn overhear(&mut self, ticket: u64, report: &Report) {
        let Some(asked) = self.asked.as_mut().filter(|asked| asked.ticket == ticket) else { return };
        asked.lines.take(report, asked.side);
        if self.glimpsed.elapsed() >= GLIMPSE && !asked.lines.list.is_empty() {
            self.glimpsed = Instant::now();
            let name = self.kept.seats[asked.side.index()].name(self.entry.engine);
            let text = asked.lines.show(&self.kept.id, asked.node, &name, &*self.referee);
            // Nobody may be watching.
            let _ = self.thoughts.send(Arc::from(text.to_string()));
        }
    }

    fn answered(&mut self, asked: &Asked, best: &Best) {
        let side = asked.side;
        match best.text.as_deref() {
            Some(_) if best.resigns => self.end(Some(!side), "resignation"),
            Some(text) => match self.advance(text) {
                Ok(()) => {
                    let score = asked.lines.score();
                    if let Some(node) = self.kept.tree.node_mut(self.kept.tree.at())
                        && score.is_some()
                    {
                        node.score = score;
                    }
                }
                Err(error) => self.trouble(side.index(), &format!("{error:#}")),
            },
            None => self.trouble(side.index(), "it found no move"),
        }
    }

    /// An engine cannot go on: the game waits for its user.
    fn trouble(&mut self, side: usize, why: &str) {
        self.asked = None;
        self.kept.paused = true;
        let name = self.kept.seats[side].name(self.entry.engine);
        self.problem = Some(format!("{name} cannot go on: {why}"));
    }

    /// Plays a move where the game stands.
    fn advance(&mut self, text: &str) -> Result<()> {
        ensure!(self.kept.tree.nodes().len() < MOST_NODES, "the game is too long");
        let mover = self.referee.turn();
        let play = self.referee.play(text)?;
        let written = self.referee.written().pop().unwrap_or_else(|| play.clone());
        self.kept.tree.play(play, written);
        if let Some(clock) = &mut self.kept.clock {
            clock.press(Instant::now());
        }
        // An offer stands until the other side has moved.
        if self.offer == Some(!mover) {
            self.offer = None;
        }
        Ok(())
    }

    fn play(&mut self, node: usize, text: &str) -> Result<()> {
        let here = self.kept.tree.at();
        let referee = if node == here { None } else { Some(self.referee_at(node)?) };
        let turn = referee.as_ref().unwrap_or(&self.referee).turn();
        ensure!(self.kept.seats[turn.index()] == Seat::Human, "it is not a human's turn");
        ensure!(node != here || self.kept.result.is_none(), "the game is over");
        if let Some(mut referee) = referee {
            // Before anything changes, the move must be good.
            referee.play(text)?;
            self.go(node)?;
        }
        self.advance(text)?;
        self.problem = None;
        self.kept.paused = false;
        Ok(())
    }

    /// Goes to a node of any line.
    fn go(&mut self, node: usize) -> Result<()> {
        self.referee = self.referee_at(node)?;
        ensure!(self.kept.tree.go(node), "there is no move {node}");
        self.reopened();
        Ok(())
    }

    /// The game stands where it was not over.
    fn reopened(&mut self) {
        self.kept.result = None;
        self.kept.dead = None;
        self.offer = None;
        self.problem = None;
        if let Some(clock) = &mut self.kept.clock {
            clock.revive();
        }
    }

    /// A referee who has seen the line that leads to a node.
    fn referee_at(&self, node: usize) -> Result<Box<dyn Referee>> {
        ensure!(node < self.kept.tree.nodes().len(), "there is no move {node}");
        let mut referee = self.referee.another();
        referee.replay(self.kept.fen.as_deref(), &self.kept.tree.plays(node))?;
        Ok(referee)
    }

    fn undo(&mut self) -> Result<()> {
        ensure!(self.kept.tree.back(), "there is no move to take back");
        self.referee.undo();
        self.reopened();
        let is_engine = |live: &Live, side: Side| live.kept.seats[side.index()] != Seat::Human;
        let turn = self.referee.turn();
        if is_engine(self, turn) && is_engine(self, !turn) {
            self.kept.paused = true;
        } else if is_engine(self, turn) && self.kept.tree.back() {
            self.referee.undo();
        }
        Ok(())
    }

    fn redo(&mut self) -> Result<()> {
        let mut moves = 0;
        // Against an engine its answer comes back too.
        while moves < 2 && self.kept.tree.forward() {
            let at = self.kept.tree.at();
            self.referee.play(&self.kept.tree.nodes()[at].play)?;
            moves += 1;
            if self.kept.seats[self.referee.turn().index()] == Seat::Human {
                break;
            }
        }
        ensure!(moves > 0, "there is no move to redo");
        self.reopened();
        Ok(())
    }

    /// The human who acts: the one to move, or the only one.
    fn human(&self) -> Result<Side> {
        let turn = self.referee.turn();
        [turn, !turn]
            .into_iter()
            .find(|side| self.kept.seats[side.index()] == Seat::Human)
            .ok_or_else(|| anyhow!("no human plays in this game"))
    }

    fn resign(&mut self) -> Result<()> {
        ensure!(self.kept.result.is_none(), "the game is over");
        let loser = self.human()?;
        self.end(Some(!loser), "resignation");
        Ok(())
    }

    fn offer_draw(&mut self) -> Result<()> {
        ensure!(self.kept.result.is_none(), "the game is over");
        let side = self.human()?;
        if self.kept.seats[(!side).index()] == Seat::Human {
            self.offer = Some(side);
            return Ok(());
        }
        let scores = self.kept.tree.line(self.kept.tree.at()).into_iter().rev();
        let last = scores.filter_map(|id| self.kept.tree.nodes()[id].score).next();
        let for_engine = last.map(|score| if side == Side::White { -score } else { score });
        ensure!(for_engine.is_some_and(|score| score <= 0), "the engine declines the draw");
        self.end(None, "agreement");
        Ok(())
    }

    fn accept_draw(&mut self) -> Result<()> {
        ensure!(self.offer.is_some() && self.kept.result.is_none(), "no draw is offered");
        self.end(None, "agreement");
        Ok(())
    }

    fn end(&mut self, winner: Option<Side>, reason: &str) {
        self.offer = None;
        self.kept.result = Some(Ended { winner: winner.map(Side::index), reason: reason.to_owned() });
    }

    fn pause(&mut self) {
        self.kept.paused = !self.kept.paused;
        self.problem = None;
    }

    fn seat(&mut self, side: usize, seat: Seat) -> Result<()> {
        ensure!(side < 2, "side {side}: expected 0 or 1");
        self.players.check(self.entry, &seat)?;
        if self.asked.as_ref().is_some_and(|asked| asked.side.index() == side) {
            self.interrupt();
        }
        self.engines[side] = None;
        self.changes[side] += 1;
        self.kept.seats[side] = seat;
        self.kept.paused = false;
        self.problem = None;
        Ok(())
    }

    /// The running time may have ended.
    fn flag(&mut self) {
        let Some(side) = self.kept.clock.as_ref().and_then(GameClock::running) else { return };
        let left = self.kept.clock.as_ref().map(|clock| clock.left(side, Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            self.end(Some(!side), "time");
            self.changed();
        }
    }

    /// Whether some page shows the game. One receiver is the lobby's own.
    fn is_watched(&self) -> bool {
        self.state.receiver_count() > 1
    }

    /// Whether some engine thinks.
    fn is_busy(&self) -> bool {
        self.asked.is_some() || self.adviser.is_busy()
    }

    /// Whether nobody watches and nobody thinks.
    fn is_idle(&self) -> bool {
        !self.is_watched() && !self.is_busy()
    }

    /// Nothing has happened for long: a time may have ended, and engines that nobody waits for go home.
    fn rest(&mut self) {
        self.flag();
        if self.asked.is_none() {
            self.make_room();
        }
    }
}

/// A game that was set up and does not go on yet.
pub struct Opened {
    live: Live,
    events: mpsc::UnboundedReceiver<Event>,
    handle: Handle,
}

impl Opened {
    /// Lets it go on. Must be called inside the runtime.
    pub fn go_on(self) -> Handle {
        tokio::spawn(self.live.run(self.events));
        self.handle
    }
}

/// Passes on what an engine says: a game that is behind misses thoughts, never an answer.
fn pass_on(
    role: Role,
    inbox: mpsc::UnboundedSender<Event>,
    room: Arc<Semaphore>,
) -> impl Fn(Message) + Clone + Send {
    move |message| {
        let place = match message {
            Message::Report(..) => match room.clone().try_acquire_owned() {
                Ok(place) => Some(place),
                Err(_) => return,
            },
            Message::Best(..) | Message::Failed(_) => None,
        };
        // A game that is gone does not listen.
        let _ = inbox.send(Event::Engine(role, message, place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_that_nobody_takes_note_of_are_dropped_and_answers_are_not() {
        let (inbox, mut events) = mpsc::unbounded_channel();
        let tell = pass_on(Role::Adviser, inbox, Arc::new(Semaphore::new(THOUGHTS)));
        for _ in 0..100_000 {
            tell(Message::Report(1, Report::default()));
        }
        tell(Message::Best(1, Best::default()));
        assert_eq!(events.len(), THOUGHTS + 1);
        // As soon as one was taken note of there is room for another.
        assert!(matches!(events.try_recv(), Ok(Event::Engine(_, Message::Report(..), Some(_)))));
        tell(Message::Report(1, Report::default()));
        assert_eq!(events.len(), THOUGHTS + 1);
    }
}
