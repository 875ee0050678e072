//! What holds for the inputs of any game and any network that sees them.

use std::sync::Arc;

use super::Pile;
use crate::learn::network::Pupil;
use crate::network::{Inputs, Network, OUTPUT_LIMIT, Sums, input_limit, seen};
use crate::walk::walk;
use crate::{Random, Side};

/// The bits of the pile, as its mover and as the opponent see them.
#[derive(Clone)]
pub struct Bits;

impl Inputs for Bits {
    type Game = Pile;

    const NAME: &'static str = "piles";
    const COUNT: usize = 16;
    const MOST: usize = 8;
    const BUCKETS: usize = 2;

    fn active(position: &Pile, view: Side, mut tell: impl FnMut(usize)) {
        let first = if position.turn == view { 0 } else { 8 };
        (0..8).filter(|bit| position.left >> bit & 1 != 0).for_each(|bit| tell(first + bit));
    }

    fn changes(
        before: &Pile,
        after: &Pile,
        view: Side,
        mut off: impl FnMut(usize),
        mut on: impl FnMut(usize),
    ) -> bool {
        Bits::active(before, view, &mut off);
        Bits::active(after, view, &mut on);
        !after.left.is_multiple_of(5)
    }

    fn bucket(position: &Pile) -> usize {
        usize::from(position.left > 20)
    }
}

impl Pupil for Bits {
    const EARLY: usize = 1;
    const DECIDED: i32 = 900;

    fn is_quiet(_: &Pile, m: u8) -> bool {
        m < 3
    }
}

/// A network of random weights, as large as may be.
pub fn network<I: Inputs>(hidden: usize, seed: u64) -> Network {
    let mut random = Random::new(seed);
    let mut numbers = |count: usize, limit: i16| -> Vec<i16> {
        (0..count).map(|_| (random.below(2 * limit as u32 + 1) as i32 - i32::from(limit)) as i16).collect()
    };
    Network {
        hidden,
        scale: 200,
        inputs: numbers(I::COUNT * hidden, input_limit::<I>()),
        biases: numbers(hidden, input_limit::<I>()),
        outputs: numbers(I::BUCKETS * 2 * hidden, OUTPUT_LIMIT),
        output_biases: numbers(I::BUCKETS, i16::MAX).into_iter().map(i32::from).collect(),
    }
}

/// Fails unless, on random games from `start`, the sums that are carried along give the values of sums made anew,
/// whether a value is asked for everywhere or now and then, with moves taken back and passes where `pass` makes one.
pub fn carries_sums<I: Inputs>(start: &I::Game, pass: impl Fn(&I::Game) -> Option<I::Game>) {
    let mut random = Random::new(5);
    let mut sums = Sums::<I>::new(Arc::new(network::<I>(16, 1)));
    for seed in 0..40 {
        let game = walk(start.clone(), 120, &mut Random::new(seed));
        sums.enter();
        let mut line: Vec<I::Game> = game.positions().iter().rev().cloned().collect();
        let mut stack = vec![line.pop().expect("a game has a start")];
        while let Some(next) = line.pop() {
            let here = stack[stack.len() - 1].clone();
            sums.push(&here, &next);
            stack.push(next);
            if let Some(passed) = pass(&stack[stack.len() - 1]).filter(|_| random.below(4) == 0) {
                sums.push(&stack[stack.len() - 1], &passed);
                compare::<I>(&mut sums, &passed);
                sums.pop();
            }
            if random.below(3) > 0 {
                compare::<I>(&mut sums, &stack[stack.len() - 1]);
            }
            if random.below(5) == 0 && stack.len() > 2 {
                let back = 1 + random.below(2);
                for _ in 0..back {
                    sums.pop();
                    line.extend(stack.pop());
                }
                compare::<I>(&mut sums, &stack[stack.len() - 1]);
            }
        }
    }
}

fn compare<I: Inputs>(sums: &mut Sums<I>, position: &I::Game) {
    let [own, other] = seen::<I>(position);
    assert!(own.len() <= I::MOST && own.len() == other.len(), "{position}");
    assert!(own.iter().chain(&other).all(|&input| input < I::COUNT), "{position}");
    assert!(I::bucket(position) < I::BUCKETS, "{position}");
    let whole = sums.network().judge(&own, &other, I::bucket(position));
    assert_eq!(sums.score(position), whole, "{position}");
}
