//! Random numbers that are the same on every machine for the same seed.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A stream of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 random bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, each as likely up to one part in 2^32 / `n`; `n` must not be 0.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from((self.0.next_u64() >> 32) as u32) * u64::from(n)) >> 32) as u32
    }

    /// A number from 0 to below 1.
    #[inline(always)]
    pub fn unit(&mut self) -> f32 {
        (self.0.next_u64() >> 40) as f32 / (1 << 24) as f32
    }

    /// One of these things, each as often as its weight says; none if no weight is above 0.
    pub fn weighted<T: Copy>(&mut self, weighted: &[(T, u32)]) -> Option<T> {
        let total = weighted.iter().fold(0u32, |total, (_, weight)| total.saturating_add(*weight));
        let mut left = self.below(total.max(1));
        weighted.iter().find_map(|&(thing, weight)| {
            let found = left < weight;
            left = left.saturating_sub(weight);
            found.then_some(thing)
        })
    }

    /// True `n` times in 256.
    #[inline(always)]
    pub fn chance(&mut self, n: u32) -> bool {
        ((self.0.next_u64() >> 56) as u32) < n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_the_stream_and_ranges_hold() {
        let (mut a, mut b) = (Random::new(7), Random::new(7));
        assert!((0..100).all(|_| a.bits() == b.bits()));
        let mut counts = [0; 5];
        (0..5000).for_each(|_| counts[a.below(5) as usize] += 1);
        assert!(counts.iter().all(|&n| (850..1150).contains(&n)));
        assert!((0..1000).all(|_| (0.0..1.0).contains(&a.unit())));
        assert!(!(0..1000).any(|_| a.chance(0)) && (0..1000).all(|_| a.chance(256)));
    }
}
