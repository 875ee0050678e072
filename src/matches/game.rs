//! One game between two players, from the opening to its end.

use std::time::{Duration, Instant};

use protocol::lines::brief;
use search::{Outcome, Score, Side};

use super::adjudication::{Adjudication, Judge};
use super::log::Move;
use super::openings::Opening;
use super::scrutiny;
use crate::driver::player::{Answer, Fault};
use crate::driver::time::{SideClock, TimeControl};
use crate::driver::{Player, Question, Spend, StartError};
use crate::referee::Referee;

/// A player with what it may spend.
pub struct Seat<'a> {
    /// Who plays.
    pub player: &'a mut dyn Player,
    /// What it may spend.
    pub control: &'a TimeControl,
    /// Whether it may think on the opponent's time.
    pub ponder: bool,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The side that won; none for a draw.
    pub winner: Option<Side>,
    /// A rule of the game, or what a player did wrong: `time forfeit`.
    pub reason: String,
    /// The side that broke the rules or its connection and needs a fresh engine.
    pub culprit: Option<Side>,
}

impl Ending {
    /// What the rules of the game say.
    pub fn by_rule(outcome: Outcome) -> Self {
        Ending { winner: outcome.winner, reason: outcome.reason.to_owned(), culprit: None }
    }

    /// A win in good order.
    pub fn win(winner: Side, reason: &str) -> Self {
        Ending { winner: Some(winner), reason: reason.to_owned(), culprit: None }
    }

    /// A draw.
    pub fn draw(reason: &str) -> Self {
        Ending { winner: None, reason: reason.to_owned(), culprit: None }
    }

    /// A loss by one's own fault.
    pub fn fault(loser: Side, reason: &str) -> Self {
        Ending { winner: Some(!loser), reason: reason.to_owned(), culprit: Some(loser) }
    }
}

/// A game from its first to its last move.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Whether Black made the first of all moves.
    pub black_first: bool,
    /// All moves, those of the opening first.
    pub plies: Vec<Move>,
    /// Time for a last answer that was not played.
    pub unplayed: Option<Duration>,
    /// How it ended.
    pub ending: Ending,
    /// From the first question to the last answer.
    pub time: Duration,
    /// What was odd about the players' answers.
    pub remarks: Vec<String>,
    /// The stones that were taken off as dead before counting; none if nothing was counted so.
    pub dead: Option<Vec<String>>,
    /// What White and Black say about their own settings.
    pub settings: [Vec<(String, String)>; 2],
    /// Whether White and Black need a fresh engine.
    pub unfit: [bool; 2],
}

/// How a game is watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Oversight {
    /// When it ends early.
    pub adjudication: Adjudication,
    /// Whether odd answers that lose nothing are remarked on, too.
    pub strict: bool,
}

/// The match was stopped in the middle of a game, which does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Plays a game; `seats` are White's and Black's.
pub fn play(
    referee: &mut dyn Referee,
    opening: &Opening,
    seats: [Seat; 2],
    arbiter: Option<&mut dyn Player>,
    oversight: &Oversight,
) -> Result<Played, Stopped> {
    let black_first = lay_out(opening, referee);
    let mut game = Running::new(referee, opening, seats, oversight.strict);
    let ready = game.begin();
    let began = Instant::now();
    let ended = ready.and_then(|()| game.run(&oversight.adjudication, arbiter));
    let ending = ended.or_else(|broken| {
        game.name_trouble(&broken);
        broken.ending()
    })?;
    let time = began.elapsed();
    let unfit = game.rest(&ending)?;
    let settings = game.seats.each_ref().map(|seat| seat.player.settings());
    let Running { plies, unplayed, remarks, dead, .. } = game;
    Ok(Played { black_first, plies, unplayed, ending, time, remarks, dead, settings, unfit })
}

/// A game lost before its first move by a player that did not start.
pub fn unplayed(referee: &mut dyn Referee, opening: &Opening, loser: Side, why: &StartError) -> Played {
    Played {
        black_first: lay_out(opening, referee),
        plies: opening.moves.iter().map(|text| Move::book(text)).collect(),
        unplayed: None,
        ending: Ending::fault(loser, &Fault::from(why).to_string()),
        time: Duration::ZERO,
        remarks: vec![brief(&format!("{loser}: {why}"))],
        dead: None,
        settings: [Vec::new(), Vec::new()],
        unfit: [Side::White, Side::Black].map(|side| side == loser),
    }
}

/// Puts an opening before the referee and says whether Black made the first of all moves.
fn lay_out(opening: &Opening, referee: &mut dyn Referee) -> bool {
    referee.replay(opening.fen.as_deref(), &opening.moves).expect("openings are checked when they are read");
    (referee.turn() == Side::Black) != (opening.moves.len() % 2 == 1)
}

/// What ends the loop of moves early.
enum Break {
    Fault(Side, Fault),
    Illegal(Side),
    Late(Side),
    Resigned(Side),
}

impl Break {
    fn ending(&self) -> Result<Ending, Stopped> {
        match self {
            Break::Fault(_, Fault::Interrupted) => Err(Stopped),
            Break::Fault(side, fault) => Ok(Ending::fault(*side, &fault.to_string())),
            Break::Illegal(side) => Ok(Ending::fault(*side, "illegal move")),
            Break::Late(side) => Ok(Ending::fault(*side, "time forfeit")),
            Break::Resigned(side) => Ok(Ending::win(!*side, "resignation")),
        }
    }
}

struct Running<'a, 'b> {
    referee: &'a mut dyn Referee,
    fen: Option<&'a str>,
    seats: [Seat<'b>; 2],
    clocks: [Option<SideClock>; 2],
    moves: Vec<String>,
    plies: Vec<Move>,
    unplayed: Option<Duration>,
    strict: bool,
    remarks: Vec<String>,
    dead: Option<Vec<String>>,
}

impl<'a, 'b> Running<'a, 'b> {
    fn new(referee: &'a mut dyn Referee, opening: &'a Opening, seats: [Seat<'b>; 2], strict: bool) -> Self {
        let clocks = seats.each_ref().map(|seat| seat.control.base.as_ref().map(SideClock::new));
        let moves = referee.moves();
        let plies = moves.iter().map(|text| Move::book(text)).collect();
        let (fen, remarks, dead) = (opening.fen.as_deref(), Vec::new(), None);
        Running { referee, fen, seats, clocks, moves, plies, unplayed: None, strict, remarks, dead }
    }

    fn begin(&mut self) -> Result<(), Break> {
        for side in [Side::White, Side::Black] {
            self.seats[side.index()].player.new_game().map_err(|fault| Break::Fault(side, fault))?;
        }
        Ok(())
    }

    fn run(&mut self, rules: &Adjudication, arbiter: Option<&mut dyn Player>) -> Result<Ending, Break> {
        let mut judge = Judge::new(rules);
        loop {
            if let Some(outcome) = self.referee.outcome() {
                return self.settle(outcome, arbiter);
            }
            let side = self.referee.turn();
            let score = self.one_move(side)?;
            if self.referee.outcome().is_none()
                && let Some(ending) = judge.watch(side, score, self.moves.len())
            {
                return Ok(ending);
            }
        }
    }

    /// Notes what a player refused, or what it said before it left.
    fn name_trouble(&mut self, broken: &Break) {
        if let Break::Fault(side, fault @ (Fault::Refuses | Fault::Disconnects)) = broken
            && let Some(words) = self.seats[side.index()].player.last_words()
        {
            self.remark(*side, &format!("{fault} {words}"));
        }
    }

    /// Notes what was odd about a player: in a few words, whatever it has said.
    fn remark(&mut self, side: Side, text: &str) {
        self.remarks.push(brief(&format!("{side}: {text}")));
    }

    /// The end by the rules. Where stones may be dead the players are asked which, and the arbiter if they
    /// do not agree; without any word all stones live.
    fn settle(&mut self, outcome: Outcome, arbiter: Option<&mut dyn Player>) -> Result<Ending, Break> {
        if self.referee.settled(&[]).is_none() {
            return Ok(Ending::by_rule(outcome));
        }
        let question = self.question(self.referee.turn());
        let [white, black] = &mut self.seats;
        let opinions = [opinion(white.player, &question)?, opinion(black.player, &question)?];
        let dead = match &opinions {
            [Some(white), Some(black)] if white == black => Some(white.clone()),
            _ => arbiter.map(|arbiter| opinion(arbiter, &question)).transpose()?.flatten(),
        };
        if dead.is_none() && opinions.iter().flatten().any(|stones| !stones.is_empty()) {
            self.remarks.push("no agreement on dead stones: all count as alive".to_owned());
        }
        let settled = dead.as_ref().and_then(|dead| self.referee.settled(dead));
        self.dead = dead.filter(|_| settled.is_some());
        Ok(Ending::by_rule(settled.unwrap_or(outcome)))
    }

    /// Asks for a move, judges it and plays it; returns the mover's score.
    fn one_move(&mut self, side: Side) -> Result<Option<Score>, Break> {
        let question = self.question(side);
        let asked = Instant::now();
        let answer = self.seats[side.index()].player.think(&question);
        self.unplayed = Some(answer.as_ref().map_or_else(|_| asked.elapsed(), |answer| answer.thought.time));
        let answer = answer.map_err(|fault| Break::Fault(side, fault))?;
        if let Some(longest) = question.spend.longest.filter(|&longest| answer.thought.time > longest) {
            let [spent, longest] = [answer.thought.time, longest].map(|time| time.as_secs_f64());
            self.remark(side, &format!("{} took {spent:.3} s of {longest:.3} s", answer.text));
            return Err(Break::Late(side));
        }
        if answer.resigns {
            return Err(Break::Resigned(side));
        }
        if self.strict {
            let gives_scores = self.seats[side.index()].player.gives_scores();
            let remarks = scrutiny::remarks(&answer, gives_scores, self.referee);
            remarks.iter().for_each(|remark| self.remark(side, remark));
        }
        let Ok(text) = self.referee.play(&answer.text) else {
            self.remark(side, &format!("illegal move {}", answer.text));
            return Err(Break::Illegal(side));
        };
        self.unplayed = None;
        if let Some(clock) = &mut self.clocks[side.index()] {
            clock.charge(answer.thought.time);
        }
        self.moves.push(text.clone());
        self.plies.push(Move::new(text, &answer));
        self.ponder(side, &answer)?;
        Ok(answer.thought.score)
    }

    /// The question to a side.
    fn question(&self, side: Side) -> Question {
        let control = self.seats[side.index()].control;
        let left = |clock: &Option<SideClock>| clock.as_ref().map(SideClock::time_left);
        let spend = control.spend(self.clocks.each_ref().map(left));
        let clock = self.clocks[side.index()].as_ref().map(|clock| clock.longest() + control.margin);
        let longest = clock.into_iter().chain(spend.longest).min();
        let (fen, moves) = (self.fen.map(str::to_owned), self.moves.clone());
        Question::new(fen, moves, side, Spend { longest, ..spend })
    }

    /// Lets the mover think on about the reply it expects.
    fn ponder(&mut self, side: Side, answer: &Answer) -> Result<(), Break> {
        let Some(guess) = answer.ponder.as_ref().filter(|_| self.seats[side.index()].ponder) else {
            return Ok(());
        };
        // A guess that is illegal or ends the game is nothing to think about.
        if self.referee.outcome().is_some() {
            return Ok(());
        }
        let Ok(guess) = self.referee.play(guess) else { return Ok(()) };
        let over = self.referee.outcome().is_some();
        self.referee.undo();
        if over {
            return Ok(());
        }
        let mut question = self.question(side);
        question.moves.push(guess);
        self.seats[side.index()].player.ponder(&question).map_err(|fault| Break::Fault(side, fault))
    }

    /// Sends both players to rest and says who needs a fresh engine; who faults only now has lost nothing.
    fn rest(&mut self, ending: &Ending) -> Result<[bool; 2], Stopped> {
        let mut unfit = [Side::White, Side::Black].map(|side| ending.culprit == Some(side));
        for (seat, unfit) in self.seats.iter_mut().zip(&mut unfit).filter(|(_, unfit)| !**unfit) {
            match seat.player.rest() {
                Err(Fault::Interrupted) => return Err(Stopped),
                rested => *unfit = rested.is_err(),
            }
        }
        Ok(unfit)
    }
}

/// The stones a player holds for dead; one that has left has no opinion.
fn opinion(player: &mut dyn Player, question: &Question) -> Result<Option<Vec<String>>, Break> {
    match player.dead_stones(question) {
        Ok(dead) => Ok(dead),
        Err(Fault::Interrupted) => Err(Break::Fault(question.side, Fault::Interrupted)),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::player::Thought;
    use crate::driver::time::Base;
    use crate::referee::open;
    use protocol::DriveError;
    use std::collections::VecDeque;

    /// Says what it was told to say, and notes what it was asked.
    #[derive(Default)]
    struct Script {
        answers: VecDeque<Result<Answer, Fault>>,
        pondered: Vec<String>,
        asked: Vec<Option<Duration>>,
        rested: bool,
        restless: bool,
        dead: Option<Vec<String>>,
        refused: Option<&'static str>,
    }

    impl Script {
        fn new(texts: &[&str]) -> Self {
            Script { answers: texts.iter().map(|text| Ok(answer(text, 1))).collect(), ..Script::default() }
        }
    }

    fn answer(text: &str, millis: u64) -> Answer {
        let thought = Thought { time: Duration::from_millis(millis), ..Thought::default() };
        Answer { text: text.to_owned(), thought, ..Answer::default() }
    }

    impl Player for Script {
        fn new_game(&mut self) -> Result<(), Fault> {
            Ok(())
        }

        fn think(&mut self, question: &Question) -> Result<Answer, Fault> {
            let clock = question.spend.clocks[question.side.index()].as_ref();
            self.asked.push(clock.map(|clock| clock.left));
            self.answers.pop_front().unwrap_or(Err(Fault::Disconnects))
        }

        fn ponder(&mut self, question: &Question) -> Result<(), Fault> {
            self.pondered.push(question.moves.join(" "));
            Ok(())
        }

        fn rest(&mut self) -> Result<(), Fault> {
            self.rested = true;
            if self.restless { Err(Fault::Stalls) } else { Ok(()) }
        }

        fn dead_stones(&mut self, _: &Question) -> Result<Option<Vec<String>>, Fault> {
            Ok(self.dead.clone())
        }

        fn last_words(&self) -> Option<String> {
            self.refused.map(str::to_owned)
        }

        fn gives_scores(&self) -> bool {
            true
        }

        fn settings(&self) -> Vec<(String, String)> {
            Vec::new()
        }
    }

    fn base(text: &str) -> TimeControl {
        TimeControl { base: Some(text.parse::<Base>().unwrap()), ..TimeControl::default() }
    }

    fn meet(
        white: &mut Script,
        black: &mut Script,
        control: &TimeControl,
        fen: &str,
    ) -> Result<Played, Stopped> {
        let mut referee = open("neighbours", &[]).unwrap();
        let opening = Opening { fen: (!fen.is_empty()).then(|| fen.to_owned()), moves: Vec::new() };
        let seats = [white, black].map(|player| Seat { player, control, ponder: true });
        play(referee.as_mut(), &opening, seats, None, &Oversight::default())
    }

    /// White takes the last black piece, or shuffles.
    const NEARLY_WON: &str = "8/8/8/8/8/8/8/wb6 w 0";

    #[test]
    fn the_rules_end_the_game() {
        let (mut white, mut black) = (Script::new(&["a1b1"]), Script::new(&[]));
        let played = meet(&mut white, &mut black, &TimeControl::default(), NEARLY_WON).unwrap();
        assert_eq!(played.ending, Ending::win(Side::White, "no legal move"));
        assert_eq!(played.plies.len(), 1);
        assert!(white.rested && black.rested);
        assert_eq!(played.unfit, [false, false]);
    }

    #[test]
    fn who_faults_after_the_end_is_replaced_but_has_not_lost() {
        let mut white = Script { restless: true, ..Script::new(&["a1b1"]) };
        let control = TimeControl::default();
        let played = meet(&mut white, &mut Script::new(&[]), &control, NEARLY_WON).unwrap();
        assert_eq!(played.ending, Ending::win(Side::White, "no legal move"));
        assert_eq!(played.unfit, [true, false]);
    }

    #[test]
    fn a_game_that_never_began_knows_who_was_first() {
        let mut referee = open("neighbours", &[]).unwrap();
        let fen = Some("bbbbbbbb/8/8/8/8/1w6/8/1wwwwwww b 4".to_owned());
        let opening = Opening { fen, moves: vec!["a8b7".to_owned()] };
        let complaints = vec!["no library".to_owned()];
        let why = StartError::Drive(DriveError::Disconnected { complaints });
        let played = unplayed(referee.as_mut(), &opening, Side::White, &why);
        assert_eq!(played.remarks, ["White: the engine exited; its last words: no library"]);
        assert!(played.black_first && played.plies.len() == 1);
        assert_eq!((played.ending.winner, played.unfit), (Some(Side::Black), [true, false]));
    }

    #[test]
    fn each_fault_has_its_word() {
        let ending = |white: Script| {
            let mut white = white;
            meet(&mut white, &mut Script::new(&[]), &base("1"), "").map(|played| played.ending)
        };
        let one = |answer| Script { answers: VecDeque::from([answer]), ..Script::default() };
        let lost = |reason| Ok(Ending::fault(Side::White, reason));
        assert_eq!(ending(Script::new(&["a1a8"])), lost("illegal move"));
        assert_eq!(ending(Script::new(&["(none)"])), lost("illegal move"));
        assert_eq!(ending(one(Ok(answer("a1b2", 1001)))), lost("time forfeit"));
        assert_eq!(ending(one(Err(Fault::Disconnects))), lost("disconnects"));
        assert_eq!(ending(one(Err(Fault::Stalls))), lost("stalls"));
        assert_eq!(ending(one(Err(Fault::Interrupted))), Err(Stopped));
        assert_eq!(ending(one(Ok(answer("a1b2", 1000)))), Ok(Ending::fault(Side::Black, "disconnects")));
    }

    #[test]
    fn the_move_that_lost_a_game_is_named() {
        let remarks = |last| {
            let mut white = Script { answers: VecDeque::from([Ok(last)]), ..Script::default() };
            meet(&mut white, &mut Script::new(&[]), &base("1"), "").unwrap().remarks
        };
        assert_eq!(remarks(answer("a1a8", 1)), ["White: illegal move a1a8"]);
        assert_eq!(remarks(answer("a1b2", 1001)), ["White: a1b2 took 1.001 s of 1.000 s"]);
        // Neither a flood nor signs that steer a screen.
        assert_eq!(remarks(answer("a1\n\u{1b}[2J\0", 1)), ["White: illegal move a1??[2J?"]);
        let long = remarks(answer(&"x".repeat(100_000), 1)).concat();
        assert!(long.len() < 400 && long.ends_with("xxx..."), "{long}");
    }

    #[test]
    fn what_a_player_refused_is_named() {
        let answers = VecDeque::from([Err(Fault::Refuses)]);
        let mut white = Script { answers, refused: Some("'play b A1': no"), ..Script::default() };
        let played = meet(&mut white, &mut Script::new(&[]), &base("1"), "").unwrap();
        assert_eq!(played.ending, Ending::fault(Side::White, "refuses"));
        assert_eq!(played.remarks, ["White: refuses 'play b A1': no"]);
    }

    #[test]
    fn time_for_a_move_that_was_not_played_is_kept() {
        let unplayed = |text: &str, millis| {
            let mut white = Script::default();
            white.answers.push_back(Ok(answer(text, millis)));
            let played = meet(&mut white, &mut Script::new(&[]), &base("1"), "").unwrap();
            assert!(played.plies.is_empty());
            played.unplayed
        };
        assert_eq!(unplayed("a1a8", 30), Some(Duration::from_millis(30)));
        assert_eq!(unplayed("a1b2", 1001), Some(Duration::from_millis(1001)));
        let won = meet(&mut Script::new(&["a1b1"]), &mut Script::new(&[]), &base("1"), NEARLY_WON);
        assert_eq!(won.unwrap().unplayed, None);
    }

    #[test]
    fn the_margin_forgives_and_the_clock_is_shown() {
        let (mut white, mut black) = (Script::default(), Script::new(&["a8b7", "h8g7"]));
        white.answers.extend([Ok(answer("a1b2", 1050)), Ok(answer("h1g2", 30))]);
        let control = TimeControl { margin: Duration::from_millis(50), ..base("1+0.1") };
        meet(&mut white, &mut black, &control, "").unwrap();
        let millis = |n| Some(Duration::from_millis(n));
        assert_eq!(white.asked, [millis(1100), millis(150), millis(220)]);
    }

    #[test]
    fn players_ponder_on_legal_guesses_only() {
        let (mut white, mut black) = (Script::default(), Script::new(&["a8b7", "h8g7", "b8d6"]));
        for (text, guess) in [("a1b2", "a8b7"), ("h1g2", "a1a1"), ("b1d3", "c8c6")] {
            white.answers.push_back(Ok(Answer { ponder: Some(guess.to_owned()), ..answer(text, 1) }));
        }
        meet(&mut white, &mut black, &TimeControl::default(), "").unwrap();
        assert_eq!(white.pondered.first().map(String::as_str), Some("a1b2 a8b7"));
        assert!(white.pondered.iter().all(|line| !line.contains("a1a1")));
    }

    /// The winner of a game of Go in which both pass at once, with a black stone that may be dead, and the number of
    /// remarks.
    fn counted(white: &[&str], black: &[&str], arbiter: Option<&[&str]>) -> (Option<Side>, usize) {
        let rules = [("BoardSize".to_owned(), "5".to_owned()), ("Komi".to_owned(), "0.5".to_owned())];
        let mut referee = open("go", &rules).unwrap();
        let stones = |names: &[&str]| Some(names.iter().map(|name| name.to_string()).collect());
        let mut scripts =
            [white, black].map(|names| Script { dead: stones(names), ..Script::new(&["pass"; 3]) });
        let mut third = arbiter.map(|names| Script { dead: stones(names), ..Script::default() });
        let moves = ["C3", "A1"].map(str::to_owned).to_vec();
        let opening = Opening { fen: None, moves };
        let control = TimeControl::default();
        let seats = scripts.each_mut().map(|player| Seat { player, control: &control, ponder: false });
        let arbiter = third.as_mut().map(|script| script as &mut dyn Player);
        let played = play(referee.as_mut(), &opening, seats, arbiter, &Oversight::default()).unwrap();
        (played.ending.winner, played.remarks.len())
    }

    #[test]
    fn dead_stones_are_taken_off_by_agreement_or_by_the_arbiter() {
        // Black stands on C3, White on A1: with both alive the empty board is nobody's and komi decides.
        assert_eq!(counted(&[], &[], None), (Some(Side::White), 0));
        assert_eq!(counted(&["A1"], &["A1"], None), (Some(Side::Black), 0));
        assert_eq!(counted(&["A1"], &[], None), (Some(Side::White), 1), "a dispute is remarked on");
        assert_eq!(counted(&["A1"], &[], Some(&["A1"])), (Some(Side::Black), 0));
    }

    #[test]
    fn a_player_may_resign() {
        let mut white = Script::default();
        white.answers.push_back(Ok(Answer { resigns: true, ..answer("resign", 1) }));
        let played = meet(&mut white, &mut Script::new(&[]), &TimeControl::default(), "").unwrap();
        assert_eq!(played.ending, Ending::win(Side::Black, "resignation"));
    }
}
