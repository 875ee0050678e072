//! Steps against the gradient, the larger the more it agrees with itself (Kingma and Ba, "Adam").

use super::Weights;

/// How fast the mean of gradients forgets, and that of their squares.
const MEMORY: [f32; 2] = [0.9, 0.999];
/// Against division by zero.
const TINY: f32 = 1e-8;

/// The means of the gradients of all numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// Of the gradients.
    pub means: Vec<f32>,
    /// Of their squares.
    pub squares: Vec<f32>,
    /// Steps taken.
    pub steps: u64,
}

impl Adam {
    /// No step yet.
    pub fn new(count: usize) -> Self {
        Adam { means: vec![0.0; count], squares: vec![0.0; count], steps: 0 }
    }

    /// Takes a step of this rate against a gradient; numbers stay within what can be stored.
    pub fn step(&mut self, weights: &mut Weights, gradient: &[f32], rate: f32, limits: [f32; 2]) {
        self.steps += 1;
        let steps = self.steps.min(1 << 20) as i32;
        // Both means begin at nothing, which this makes up for.
        let [fast, slow] = MEMORY.map(|memory| 1.0 - memory.powi(steps));
        let [_, _, outputs, last] = weights.starts();
        let (first, second) = weights.numbers.split_at_mut(outputs);
        let (second, free) = second.split_at_mut(last - outputs);
        let parts = [(first, 0, limits[0]), (second, outputs, limits[1]), (free, last, f32::MAX)];
        for (numbers, start, limit) in parts {
            let means = &mut self.means[start..];
            let squares = &mut self.squares[start..];
            let rows = numbers.iter_mut().zip(&gradient[start..]).zip(means).zip(squares);
            for (((number, &slope), mean), square) in rows {
                *mean = MEMORY[0] * *mean + (1.0 - MEMORY[0]) * slope;
                *square = MEMORY[1] * *square + (1.0 - MEMORY[1]) * slope * slope;
                let step = rate * (*mean / fast) / ((*square / slow).sqrt() + TINY);
                *number = (*number - step).clamp(-limit, limit);
            }
        }
    }
}
