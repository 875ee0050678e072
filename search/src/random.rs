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

    /// A number of the gamma distribution of this shape, above 0 (Marsaglia and Tsang).
    pub fn gamma(&mut self, shape: f64) -> f64 {
        // From 0 excluded to 1: its logarithm is taken.
        let unit = |random: &mut Random| 1.0 - f64::from(random.unit());
        if shape < 1.0 {
            let larger = self.gamma(shape + 1.0);
            return larger * libm::pow(unit(self), 1.0 / shape);
        }
        let d = shape - 1.0 / 3.0;
        loop {
            let turn = std::f64::consts::TAU * unit(self);
            let normal = (-2.0 * libm::log(unit(self))).sqrt() * libm::cos(turn);
            let stretched = 1.0 + normal / (9.0 * d).sqrt();
            let cube = stretched * stretched * stretched;
            if cube > 0.0
                && libm::log(unit(self)) < 0.5 * normal * normal + d - d * cube + d * libm::log(cube)
            {
                return d * cube;
            }
        }
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
    fn gamma_numbers_have_the_mean_and_variance_of_their_shape() {
        let mut random = Random::new(3);
        for shape in [0.13, 1.0, 5.0] {
            let numbers: Vec<f64> = (0..20_000).map(|_| random.gamma(shape)).collect();
            let mean = numbers.iter().sum::<f64>() / 20_000.0;
            let variance = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 20_000.0;
            assert!(
                (mean / shape - 1.0).abs() < 0.1 && (variance / shape - 1.0).abs() < 0.2,
                "{mean} {variance}"
            );
            assert!(numbers.iter().all(|&x| x >= 0.0));
        }
    }

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
