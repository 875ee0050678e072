//! A position of nine men's morris and the rules that do not concern single moves.

use search::game::{Game, MoveError, MoveList, Outcome, PositionError, Side};
use search::options::{Options, Rulebook, check, choice, spin};
use search::zobrist;

use crate::board::{POINTS, Point, SYMMETRIES, image};
use crate::memory::Memory;
use crate::moves::{self, Move, Phase};
use crate::text;

/// Men of a player at the start of a game.
pub const MEN: u8 = 9;
/// With fewer men, hand included, a player has lost.
const FEWEST_MEN: u32 = 3;
/// Occurrences of a position that make a draw.
const REPETITIONS: usize = 3;
/// From this many plies before the quiet limit on, the counter belongs to the value of a position.
const QUIET_MARGIN: u16 = 24;
/// Up to this many men on the board, the table takes images of a position for one.
const EARLY_MEN: u32 = 8;

const MAN_KEYS: [[u64; POINTS]; 2] = zobrist::tables(1);
const BLACK_KEY: u64 = zobrist::mix(3);
const HAND_KEYS: [[u64; MEN as usize + 1]; 2] = zobrist::tables(4);
const QUIET_KEYS: [u64; QUIET_MARGIN as usize + 1] = zobrist::table(6);

/// Whether a man may return to the point it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoReturn {
    /// Always.
    Off,
    /// Not on the player's next turn.
    Last,
    /// Not until it has moved elsewhere.
    Man,
}

impl NoReturn {
    /// As the option spells them.
    const NAMED: [(&'static str, NoReturn); 3] =
        [("off", NoReturn::Off), ("last", NoReturn::Last), ("man", NoReturn::Man)];
}

/// What the user chooses, rule by rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// A mill may remove any man, also one standing in a mill while others do not.
    pub remove_any: bool,
    /// The ban on going back.
    pub no_return: NoReturn,
    /// Closing two mills at once removes two men.
    pub double_removal: bool,
    /// A player with three men and an empty hand may move anywhere.
    pub flying: bool,
    /// Plies without a removal after which the game is drawn; 0 for never.
    pub quiet_limit: u16,
}

impl Rules {
    /// The rules the world plays.
    pub const STANDARD: Rules = Rules {
        remove_any: false,
        no_return: NoReturn::Off,
        double_removal: false,
        flying: true,
        quiet_limit: 100,
    };
    /// The rules of Wozniak's report.
    pub const SEED: Rules = Rules { remove_any: true, no_return: NoReturn::Man, ..Rules::STANDARD };

    const NAMED: [(&'static str, Rules); 2] = [("standard", Rules::STANDARD), ("seed", Rules::SEED)];
}

impl Default for Rules {
    fn default() -> Self {
        Rules::STANDARD
    }
}

impl Rulebook for Rules {
    fn rows() -> Options<Rules> {
        let usual = Rules::default();
        vec![
            choice(
                "Rules",
                "all rules at once: the usual ones, or those of Wozniak's program",
                &Rules::NAMED,
            )
            .by(|rules: &Rules| *rules, |rules, named| *rules = named),
            check("RemoveAny", "a mill may remove men that stand in mills", usual.remove_any)
                .by(|rules: &Rules| rules.remove_any, |rules, on| rules.remove_any = on),
            choice(
                "NoReturn",
                "a man may not return to where it came from: on the next turn, or until it has moved elsewhere",
                &NoReturn::NAMED,
            )
            .by(|rules: &Rules| rules.no_return, |rules, ban| rules.no_return = ban),
            check("DoubleRemoval", "closing two mills at once removes two men", usual.double_removal)
                .by(|rules: &Rules| rules.double_removal, |rules, on| rules.double_removal = on),
            check("Flying", "a side with three men may move them anywhere", usual.flying)
                .by(|rules: &Rules| rules.flying, |rules, on| rules.flying = on),
            spin(
                "QuietLimit",
                "plies without a removal after which the game is drawn; 0 for no limit",
                usual.quiet_limit,
                0..=1000,
            )
            .by(|rules: &Rules| rules.quiet_limit, |rules, plies| rules.quiet_limit = plies),
        ]
    }
}

/// Who stands where, what is in hand, who is to move, what men remember, how long ago the last removal was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) rules: Rules,
    pub(crate) men: [u32; 2],
    pub(crate) hand: [u8; 2],
    pub(crate) memory: Memory,
    turn: Side,
    quiet: u16,
    key: u64,
}

impl Position {
    /// A position from its parts; the caller has checked that they fit together.
    pub(crate) fn new(
        rules: Rules,
        men: [u32; 2],
        hand: [u8; 2],
        turn: Side,
        quiet: u16,
        memory: Memory,
    ) -> Position {
        let mut position = Position { rules, men, hand, turn, quiet, memory, key: 0 };
        position.key = position.computed_key();
        position
    }

    /// The key from scratch; `key` keeps it move by move.
    pub fn computed_key(&self) -> u64 {
        let mut key = if self.turn == Side::Black { BLACK_KEY } else { 0 };
        for side in [0, 1] {
            key ^= HAND_KEYS[side][self.hand[side] as usize] ^ keys_of(side, self.men[side]);
        }
        key ^ self.memory.key()
    }

    /// The points of a side's men, as bits.
    pub fn men(&self, side: Side) -> u32 {
        self.men[side.index()]
    }

    /// The men a side has still to place.
    pub fn hand(&self, side: Side) -> u32 {
        u32::from(self.hand[side.index()])
    }

    /// A side's men on the board and in hand.
    pub fn total(&self, side: Side) -> u32 {
        self.men(side).count_ones() + self.hand(side)
    }

    /// The points of the men of the side to move.
    pub(crate) fn own(&self) -> u32 {
        self.men[self.turn.index()]
    }

    /// The points of the men of the side not to move.
    pub(crate) fn other(&self) -> u32 {
        self.men[(!self.turn).index()]
    }

    /// The rules the position is played by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Where men came from, as far as the rules ask.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Plies since the last removal.
    pub fn quiet(&self) -> u32 {
        u32::from(self.quiet)
    }

    /// Whether the quiet limit is near and may come before an end that is `plies` away.
    pub(crate) fn may_come_too_late(&self, plies: u32) -> bool {
        let left = self.rules.quiet_limit.saturating_sub(self.quiet);
        self.rules.quiet_limit > 0 && left <= QUIET_MARGIN && plies > u32::from(left)
    }

    /// How the side to move moves.
    pub fn phase(&self) -> Phase {
        self.phase_of(self.turn)
    }

    /// How a side moves when it is its turn.
    pub fn phase_of(&self, side: Side) -> Phase {
        let (hand, men) = (self.hand(side), self.men(side).count_ones());
        match hand + men {
            total if total < FEWEST_MEN => Phase::Lost,
            _ if hand > 0 => Phase::Placing,
            FEWEST_MEN if self.rules.flying => Phase::Flying,
            _ => Phase::Moving,
        }
    }

    /// The same board with the other side to move.
    pub fn passed(&self) -> Position {
        Position { turn: !self.turn, key: self.key ^ BLACK_KEY, ..*self }
    }

    /// Whether so few men stand that images of a position are worth recognising; later they hardly ever come up.
    fn is_early(&self) -> bool {
        let men = self.men[0].count_ones() + self.men[1].count_ones();
        men <= EARLY_MEN && self.hand(self.turn) > 0 && self.memory.men() == 0
    }

    /// A key that all images of the position under the board's symmetries share.
    fn class_key(&self) -> u64 {
        let [white, black] = self.men;
        let placement = |g: usize| u64::from(image(g, white)) | u64::from(image(g, black)) << POINTS;
        let least = (0..SYMMETRIES).map(placement).min().unwrap_or(0);
        let hands = HAND_KEYS[0][self.hand[0] as usize] ^ HAND_KEYS[1][self.hand[1] as usize];
        zobrist::mix(least) ^ hands ^ if self.turn == Side::Black { BLACK_KEY } else { 0 }
    }

    /// Keeps the memory that the rules ask for after a man of the side to move went to `m.to`.
    fn remember(&mut self, m: Move) {
        let moved = m.from.map_or(0, Point::bit);
        let forgotten = match self.rules.no_return {
            NoReturn::Off => return,
            NoReturn::Last => self.own() | moved,
            NoReturn::Man => moved,
        };
        self.key ^= self.memory.drop(forgotten | m.taken);
        if let Some(from) = m.from {
            self.key ^= self.memory.note(m.to, from);
        }
    }
}

fn keys_of(side: usize, men: u32) -> u64 {
    crate::board::points(men).fold(0, |key, point| key ^ MAN_KEYS[side][point.index()])
}

impl Game for Position {
    type Rules = Rules;
    type Move = Move;

    fn start(rules: &Rules) -> Position {
        Position::new(*rules, [0; 2], [MEN; 2], Side::White, 0, Memory::default())
    }

    fn read(rules: &Rules, text: &str) -> Result<Position, PositionError> {
        text::read(*rules, text)
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn key(&self) -> u64 {
        self.key
    }

    /// Near its limit every ply of the counter matters; early on the table need not tell a position from its images.
    fn salt(&self) -> u64 {
        let left = self.rules.quiet_limit.saturating_sub(self.quiet);
        match self.rules.quiet_limit {
            limit if limit > 0 && left <= QUIET_MARGIN => QUIET_KEYS[left as usize],
            _ if self.is_early() => self.key ^ self.class_key(),
            _ => 0,
        }
    }

    fn same(&self, other: &Position) -> bool {
        let identity = |p: &Position| (p.men, p.hand, p.turn, p.memory, p.rules);
        identity(self) == identity(other)
    }

    fn moves(&self, out: &mut MoveList<Move>) {
        moves::generate(self, out);
    }

    fn count(&self) -> u64 {
        moves::count(self)
    }

    /// To, from (24 for the hand) and both removals (24 for none), five bits each.
    fn pack(&self, m: Move) -> u32 {
        let none = POINTS as u32;
        let mut taken = crate::board::points(m.taken).map(|p| u32::from(p.0));
        let (first, second) = (taken.next().unwrap_or(none), taken.next().unwrap_or(none));
        u32::from(m.to.0) | m.from.map_or(none, |p| u32::from(p.0)) << 5 | first << 10 | second << 15
    }

    fn play(&mut self, m: Move) {
        let (own, other) = (self.turn.index(), (!self.turn).index());
        match m.from {
            Some(from) => {
                self.men[own] ^= from.bit();
                self.key ^= MAN_KEYS[own][from.index()];
            }
            None => {
                let hand = &mut self.hand[own];
                self.key ^= HAND_KEYS[own][*hand as usize] ^ HAND_KEYS[own][*hand as usize - 1];
                *hand -= 1;
            }
        }
        self.quiet = self.quiet.saturating_add(1);
        if m.taken != 0 {
            self.men[other] ^= m.taken;
            self.key ^= keys_of(other, m.taken);
            self.quiet = 0;
        }
        self.remember(m);
        self.men[own] |= m.to.bit();
        self.key ^= MAN_KEYS[own][m.to.index()] ^ BLACK_KEY;
        self.turn = !self.turn;
    }

    fn irreversible(&self, m: Move) -> bool {
        m.from.is_none() || m.taken != 0
    }

    fn stuck(&self) -> Outcome {
        let few = self.total(self.turn) < FEWEST_MEN;
        Outcome::win(!self.turn, if few { "fewer than three men" } else { "no legal move" })
    }

    fn drawn(&self, earlier: usize) -> Option<&'static str> {
        let limit = self.rules.quiet_limit;
        if limit > 0 && self.quiet >= limit {
            Some("too many plies without a removal")
        } else {
            (earlier + 1 >= REPETITIONS).then_some("threefold repetition")
        }
    }

    fn parse(&self, text: &str) -> Result<Move, MoveError> {
        text::parse(self, text)
    }

    fn write(&self, m: Move) -> String {
        m.to_string()
    }

    fn picture(&self) -> String {
        text::picture(self)
    }

    fn flipped(&self) -> Option<Position> {
        let swap = |[white, black]: [u32; 2]| [black, white];
        let hand = [self.hand[1], self.hand[0]];
        Some(Position::new(self.rules, swap(self.men), hand, !self.turn, self.quiet, self.memory))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Root;

    fn read(rules: &Rules, fen: &str) -> Position {
        Position::read(rules, fen).unwrap()
    }

    fn play(position: &mut Position, text: &str) {
        position.play(position.parse(text).unwrap());
        assert_eq!(position.key(), position.computed_key(), "{position}");
    }

    #[test]
    fn a_side_with_two_men_has_lost_whatever_the_counters_say() {
        let lost = read(&Rules::STANDARD, "ww....../bbb...../........ w 0 0 200 -");
        assert_eq!(lost.outcome(2), Some(Outcome::win(Side::Black, "fewer than three men")));
        let placing = read(&Rules::STANDARD, "ww....../bbb...../........ w 1 0 0 -");
        assert_eq!(placing.outcome(0), None);
    }

    #[test]
    fn a_blocked_side_has_lost() {
        let blocked = read(&Rules::STANDARD, "wbwbwbwb/.b.b.b.b/........ w 0 0 0 -");
        assert_eq!(blocked.outcome(0), Some(Outcome::win(Side::Black, "no legal move")));
    }

    #[test]
    fn a_side_barred_only_by_the_no_return_rule_has_lost() {
        // The man on a7 could only go back to d7; the others are shut in.
        let slow = Rules { flying: false, ..Rules::SEED };
        let fen = "w.bwbbwb/.b.b.b../........ w 0 0 0 a7:d7";
        assert_eq!(read(&slow, fen).outcome(0), Some(Outcome::win(Side::Black, "no legal move")));
        assert_eq!(read(&Rules { no_return: NoReturn::Off, ..slow }, &fen.replace("a7:d7", "-")).count(), 1);
    }

    #[test]
    fn the_limit_counts_placements_and_a_removal_resets_it() {
        let mut position = read(&Rules::STANDARD, "w......./.......b/........ w 8 8 98");
        play(&mut position, "d7");
        play(&mut position, "b6");
        assert_eq!(position.outcome(0), Some(Outcome::draw("too many plies without a removal")));
        play(&mut position, "g7xb6");
        assert_eq!((position.quiet(), position.outcome(0)), (0, None));
        let endless = Rules { quiet_limit: 0, ..Rules::STANDARD };
        assert_eq!(read(&endless, "w......./.......b/........ w 8 8 400").outcome(0), None);
    }

    #[test]
    fn memory_belongs_to_the_man_or_to_the_last_turn() {
        let fen = "w.w...w./bbb...b./........ w 0 0 0";
        let mut man = read(&Rules::SEED, fen);
        let mut last = read(&Rules { no_return: NoReturn::Last, ..Rules::SEED }, fen);
        let mut off = read(&Rules::STANDARD, fen);
        for text in ["a7-a4", "b2-b4", "g7-g4", "f6-f4"] {
            play(&mut man, text);
            play(&mut last, text);
            play(&mut off, text);
        }
        assert!(man.to_string().ends_with("g4:g7,a4:a7,f4:f6,b4:b2"), "{man}");
        assert!(last.to_string().ends_with("g4:g7,f4:f6"), "{last}");
        assert!(off.to_string().ends_with("4 -"), "{off}");
        assert!(man.parse("a4-a7").is_err() && last.parse("a4-a7").is_ok() && last.parse("g4-g7").is_err());
    }

    #[test]
    fn a_removed_man_takes_its_memory_along() {
        let mut position = read(&Rules::SEED, "ww.w..../bb.b..../........ w 0 0 0 d6:f6,b6:b4");
        play(&mut position, "g4-g7xd6");
        assert!(position.to_string().ends_with("g7:g4,b6:b4"), "{position}");
    }

    #[test]
    fn the_third_occurrence_draws() {
        let mut game = Root::new(read(&Rules::STANDARD, "w.w...w./b.b...b./........ w 0 0 0"));
        for text in ["a7-a4", "b6-b4", "a4-a7", "b4-b6", "a7-a4", "b6-b4", "a4-a7"] {
            assert_eq!(game.outcome(), None);
            game.play_text(text).unwrap();
        }
        game.play_text("b4-b6").unwrap();
        assert_eq!(game.outcome(), Some(Outcome::draw("threefold repetition")));
    }

    #[test]
    fn what_men_remember_is_part_of_a_repetition() {
        let mut game = Root::new(read(&Rules::SEED, "w...b.../...w.b../b.....w. w 0 0 0"));
        let round = ["a7-d7", "g1-g4", "d7-a4", "g4-d1", "a4-a7", "d1-g1"];
        // The men of the start stand there again after six plies and after twelve, but came from elsewhere.
        for text in round.iter().cycle().take(14) {
            assert_eq!(game.outcome(), None);
            game.play_text(text).unwrap();
        }
        assert_eq!(game.outcome(), Some(Outcome::draw("threefold repetition")));
    }

    #[test]
    fn early_images_share_a_place_in_the_table_and_nothing_else_does() {
        let placing = read(&Rules::STANDARD, "w..b..../.w....../....b... w 7 7 4 -");
        let place = |p: &Position| p.key() ^ p.salt();
        let turned = |p: &Position, g: usize| {
            Position::new(p.rules, p.men.map(|men| image(g, men)), p.hand, p.turn, p.quiet, p.memory)
        };
        for g in 0..SYMMETRIES {
            let other = turned(&placing, g);
            assert_eq!(place(&other), place(&placing), "{other}");
            assert_eq!(other.key() == placing.key(), other.same(&placing));
        }
        assert_ne!(place(&placing.passed()), place(&placing));
        let fuller = Position::new(placing.rules, placing.men, [6, 7], placing.turn, 4, placing.memory);
        assert_ne!(place(&fuller), place(&placing));
        // Without men in hand, or with memory, an image is another position.
        let moving = read(&Rules::STANDARD, "w..b..../.w....../....b... w 0 0 4 -");
        assert_ne!(place(&turned(&moving, 1)), place(&moving));
        let barred = read(&Rules::SEED, "w..b..../.w....../....b... w 7 7 4 a7:d7");
        assert_ne!(place(&turned(&barred, 1)), place(&barred));
    }
}
