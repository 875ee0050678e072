//! Which moves there are: whole turns, each with the men it removes.
//!
//! A way to move (place, slide or fly to a point) either closes no mill and is one move, or is as many moves as
//! there are removals. Counting multiplies; only listing visits each.

use search::game::MoveList;

use crate::Position;
use crate::board::{self, ALL, Point, points};
use crate::position::Rules;

/// One turn: a man from the hand or from a point to a point, and the men that its mill removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the man stands; none if it comes from the hand.
    pub from: Option<Point>,
    /// Where it goes.
    pub to: Point,
    /// The men removed, as bits: none, one or two.
    pub taken: u32,
}

/// What a mill may remove from the men of the opponent: any one of `single`, or two where two mills close.
struct Removals<'a> {
    rules: &'a Rules,
    men: u32,
    single: u32,
}

/// The men of the opponent that one mill may remove.
#[inline(always)]
pub(crate) fn removable(rules: &Rules, men: u32) -> u32 {
    let free = men & !board::in_mills(men);
    if rules.remove_any || free == 0 { men } else { free }
}

impl<'a> Removals<'a> {
    #[inline(always)]
    fn new(rules: &'a Rules, men: u32) -> Removals<'a> {
        Removals { rules, men, single: removable(rules, men) }
    }

    /// The number of choices of one mill; with no man to remove, the mill is closed all the same.
    #[inline(always)]
    fn count(&self) -> u64 {
        u64::from(self.single.count_ones()).max(1)
    }

    fn each(&self, mut visit: impl FnMut(u32)) {
        if self.men == 0 {
            visit(0);
        }
        points(self.single).for_each(|p| visit(p.bit()));
    }

    /// Every pair that can be removed in some order, protection being judged anew after the first.
    fn pairs(&self, mut visit: impl FnMut(u32)) {
        if self.men.count_ones() < 2 {
            return self.each(visit);
        }
        for first in points(self.men) {
            for second in points(self.men & !(2 * first.bit() - 1)) {
                if self.allows(first, second) || self.allows(second, first) {
                    visit(first.bit() | second.bit());
                }
            }
        }
    }

    fn allows(&self, first: Point, second: Point) -> bool {
        self.single & first.bit() != 0 && removable(self.rules, self.men & !first.bit()) & second.bit() != 0
    }

    fn count_pairs(&self) -> u64 {
        let mut count = 0;
        self.pairs(|_| count += 1);
        count
    }
}

/// Whether two men of the opponent may be removed in this order.
pub(crate) fn in_order(position: &Position, first: Point, second: Point) -> bool {
    Removals::new(&position.rules, position.other()).allows(first, second)
}

/// The phase of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Men are in hand.
    Placing,
    /// Men slide along the lines.
    Moving,
    /// Three men are left and may go anywhere.
    Flying,
    /// Fewer than three men are left.
    Lost,
}

/// Appends the legal moves of the side to move, by destination within each way of moving.
pub(crate) fn generate(position: &Position, out: &mut MoveList<Move>) {
    generate_some::<true>(position, out);
}

/// Appends those that close a mill.
pub(crate) fn generate_closing(position: &Position, out: &mut MoveList<Move>) {
    generate_some::<false>(position, out);
}

#[inline(always)]
fn generate_some<const QUIET: bool>(position: &Position, out: &mut MoveList<Move>) {
    let (own, other) = (position.own(), position.other());
    let empty = ALL & !own & !other;
    let removals = Removals::new(&position.rules, other);
    let mut add = |from: Option<Point>, to: Point, mills: u32| match mills {
        0 if QUIET => out.push(Move { from, to, taken: 0 }),
        0 => {}
        2 if position.rules.double_removal => removals.pairs(|taken| out.push(Move { from, to, taken })),
        _ => removals.each(|taken| out.push(Move { from, to, taken })),
    };
    match position.phase() {
        Phase::Lost => {}
        Phase::Placing => {
            let (once, twice) = (board::closers(own), board::double_closers(own));
            for to in points(empty) {
                add(None, to, u32::from(once & to.bit() != 0) + u32::from(twice & to.bit() != 0));
            }
        }
        Phase::Moving => {
            for slide in board::slides(own, empty) {
                for to in points(slide.targets) {
                    let from = Point::only((slide.back)(to.bit()));
                    if position.memory.origin(from) != Some(to) {
                        add(Some(from), to, u32::from(slide.closing & to.bit() != 0));
                    }
                }
            }
        }
        Phase::Flying => {
            for from in points(own) {
                let closing = board::closers(own & !from.bit());
                let barred = position.memory.origin(from).map_or(0, Point::bit);
                for to in points(empty & !barred) {
                    add(Some(from), to, u32::from(closing & to.bit() != 0));
                }
            }
        }
    }
}

/// The number of legal moves of the side to move.
pub(crate) fn count(position: &Position) -> u64 {
    let (own, other) = (position.own(), position.other());
    let empty = ALL & !own & !other;
    let removals = Removals::new(&position.rules, other);
    let size = |set: u32| u64::from(set.count_ones());
    let weigh = |targets: u32, closing: u32| size(targets) - size(closing) + size(closing) * removals.count();
    match position.phase() {
        Phase::Lost => 0,
        Phase::Placing => {
            let closing = board::closers(own) & empty;
            let single = weigh(empty, closing);
            let twice = if position.rules.double_removal { board::double_closers(own) & empty } else { 0 };
            if twice == 0 {
                return single;
            }
            single + size(twice) * removals.count_pairs() - size(twice) * removals.count()
        }
        Phase::Moving => {
            let all: u64 =
                board::slides(own, empty).iter().map(|slide| weigh(slide.targets, slide.closing)).sum();
            all - barred(position, own, |from| board::neighbours(from.bit()) & empty, weigh)
        }
        Phase::Flying => {
            let of = |from: Point| weigh(empty, board::closers(own & !from.bit()) & empty);
            points(own).map(of).sum::<u64>() - barred(position, own, |_| empty, weigh)
        }
    }
}

/// The number of moves that only the no-return rule forbids.
#[inline(always)]
fn barred(
    position: &Position,
    own: u32,
    targets: impl Fn(Point) -> u32,
    weigh: impl Fn(u32, u32) -> u64,
) -> u64 {
    let of = |from: Point| {
        let back = position.memory.origin(from).map_or(0, Point::bit) & targets(from);
        weigh(back, back & board::closers(own & !from.bit()))
    };
    points(position.memory.men() & own).map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Game;

    fn texts(rules: &Rules, fen: &str) -> Vec<String> {
        let position = Position::read(rules, fen).unwrap();
        let list = position.list();
        assert_eq!(list.len() as u64, position.count(), "{fen}");
        let mut texts: Vec<_> = list.into_iter().map(|m| position.write(m)).collect();
        texts.sort();
        texts
    }

    #[test]
    fn men_in_mills_are_protected_unless_all_stand_in_mills() {
        // White closes a7 d7 g7; Black's b6 d6 f6 form a mill, a1 and g1 do not.
        let fen = "ww..b.b./bbb...../........ w 1 0 0 -";
        let closing = |rules: &Rules, fen: &str| -> Vec<String> {
            texts(rules, fen).into_iter().filter(|m| m.starts_with("g7")).collect()
        };
        assert_eq!(closing(&Rules::STANDARD, fen), ["g7xa1", "g7xg1"]);
        assert_eq!(closing(&Rules::SEED, fen), ["g7xa1", "g7xb6", "g7xd6", "g7xf6", "g7xg1"]);
        let all_in_mills = "ww....../bbb...../........ w 1 0 0 -";
        assert_eq!(closing(&Rules::STANDARD, all_in_mills), ["g7xb6", "g7xd6", "g7xf6"]);
    }

    #[test]
    fn two_mills_remove_one_man_or_two_by_choice_of_the_user() {
        // a7 closes a7 d7 g7 and a7 a4 a1 at once; b6 d6 f6 protect each other until one of them is gone.
        let fen = ".ww...ww/bbb.b.../........ w 5 5 0 -";
        let closing = |rules: &Rules| -> Vec<String> {
            texts(rules, fen).into_iter().filter(|m| m.starts_with("a7")).collect()
        };
        assert_eq!(closing(&Rules::STANDARD), ["a7xf2"]);
        let double = Rules { double_removal: true, ..Rules::STANDARD };
        assert_eq!(closing(&double), ["a7xb6xf2", "a7xd6xf2", "a7xf6xf2"]);
        let any = Rules { double_removal: true, ..Rules::SEED };
        assert_eq!(closing(&any).len(), 6);
    }

    #[test]
    fn a_mill_with_no_man_to_remove_removes_nothing() {
        let moves = texts(&Rules::STANDARD, "ww....../......../........ w 7 9 0 -");
        assert!(moves.contains(&"g7".to_owned()));
    }

    #[test]
    fn a_man_does_not_go_back_where_it_came_from() {
        let fen = "w.w.w.../bbbb..../........ w 0 0 5 a7:d7";
        let slow = Rules { flying: false, ..Rules::SEED };
        assert_eq!(texts(&slow, fen), ["a7-a4", "g1-d1", "g1-g4", "g7-d7", "g7-g4"]);
    }

    #[test]
    fn three_men_fly_if_the_rules_say_so() {
        let fen = "w...w.w./bbbb..../........ w 0 0 5";
        assert!(texts(&Rules::STANDARD, fen).contains(&"a7-c3".to_owned()));
        let slow = Rules { flying: false, ..Rules::STANDARD };
        assert_eq!(texts(&slow, fen).len(), 6);
    }
}
