//! The state of a training as bytes, from which it goes on exactly.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::Adam;

/// What tells a training from others, made of everything it depends on.
pub fn name<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    let mut name = Xxh3::new();
    parts.into_iter().for_each(|part| name.update(part));
    name.digest()
}

/// Where a training stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// What is being learned.
    pub numbers: Vec<f32>,
    /// The means of the gradients.
    pub adam: Adam,
    /// So many losses for each pass, one pass after the other.
    pub losses: Vec<f64>,
}

impl Checkpoint {
    /// The bytes of the training of this name, which notes so many losses a pass.
    pub fn write(name: u64, numbers: &[f32], adam: &Adam, losses: &[f64], each: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(name.to_le_bytes());
        bytes.extend(adam.steps.to_le_bytes());
        bytes.extend(((losses.len() / each) as u64).to_le_bytes());
        bytes.extend(losses.iter().flat_map(|loss| loss.to_le_bytes()));
        for numbers in [numbers, &adam.means, &adam.squares] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// Reads them back; nothing if they are of another training, unless any will do, of another size, or damaged.
    pub fn read(name: Option<u64>, count: usize, each: usize, bytes: &[u8]) -> Option<Self> {
        let (whole, sum) = bytes.split_last_chunk::<8>()?;
        let mut rest = whole;
        let mut next = || rest.split_off(..8).and_then(|b| b.try_into().ok()).map(u64::from_le_bytes);
        let is_whole = u64::from_le_bytes(*sum) == xxh3_64(whole);
        let found = next()?;
        if !is_whole || name.is_some_and(|name| name != found) {
            return None;
        }
        let (steps, passes) = (next()?, next()?);
        let losses = usize::try_from(passes).ok()?.checked_mul(8 * each)?;
        if rest.len().checked_sub(losses)? != 12 * count {
            return None;
        }
        let (losses, numbers) = rest.split_at(losses);
        let losses = losses.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect();
        let mut numbers: Vec<f32> = numbers.as_chunks().0.iter().map(|&b| f32::from_le_bytes(b)).collect();
        let squares = numbers.split_off(2 * count);
        let means = numbers.split_off(count);
        Some(Checkpoint { numbers, adam: Adam { means, squares, steps }, losses })
    }
}
