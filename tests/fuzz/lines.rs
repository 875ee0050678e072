//! Lines that are proper, nearly proper, or noise.

use search::Random;

use super::setting;

/// Longer than any line that is read.
const GIANT: usize = 2 << 20;

/// An endless source of lines.
pub struct Lines {
    random: Random,
    seeds: &'static [&'static str],
    positions: Vec<String>,
}

impl Lines {
    /// Mutants of these seeds, in which `{}` stands for a position.
    pub fn new(seeds: &'static [&'static str], positions: Vec<String>) -> Self {
        Lines { random: Random::new(setting("QUINTET_FUZZ_SEED", 1)), seeds, positions }
    }

    pub fn next(&mut self) -> Vec<u8> {
        let mut line = match self.random.below(1000) {
            0 => vec![b'x'; GIANT],
            1..100 => self.noise(),
            _ => self.mutant(),
        };
        line.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
        line
    }

    fn noise(&mut self) -> Vec<u8> {
        (0..self.random.below(80)).map(|_| self.random.bits() as u8).collect()
    }

    fn seed(&mut self) -> String {
        let position = self.random.below(self.positions.len() as u32) as usize;
        let seed = self.seeds[self.random.below(self.seeds.len() as u32) as usize];
        seed.replace("{}", &self.positions[position])
    }

    /// A proper line with up to three things wrong.
    fn mutant(&mut self) -> Vec<u8> {
        let mut words: Vec<Vec<u8>> = self.seed().split(' ').map(|word| word.as_bytes().to_vec()).collect();
        for _ in 0..self.random.below(4) {
            self.mutate(&mut words);
        }
        let blank: &[u8] = if self.random.chance(16) { b" \t " } else { b" " };
        words.join(blank)
    }

    fn mutate(&mut self, words: &mut Vec<Vec<u8>>) {
        let at = self.random.below(words.len() as u32) as usize;
        match self.random.below(8) {
            0 => words.swap(0, at),
            1 => words.truncate(at + 1),
            2 => words.insert(at, words[at].clone()),
            3 => words[at] = self.seed().into_bytes(),
            4 => words[at] = self.number().into_bytes(),
            5 => words.extend(vec![words[at].clone(); 200]),
            6 => words[at].push(self.random.bits() as u8),
            _ => {
                words[at].pop();
            }
        }
    }

    fn number(&mut self) -> String {
        match self.random.below(6) {
            0 => "0".to_owned(),
            1 => "-1".to_owned(),
            2 => i64::MAX.to_string(),
            3 => "99999999999999999999".to_owned(),
            4 => "1e9".to_owned(),
            _ => self.random.below(300).to_string(),
        }
    }
}
