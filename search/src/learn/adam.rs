//! Steps against the gradient, the larger the more it agrees with itself (Kingma and Ba, "Adam"), while what no gradient
//! holds shrinks (Loshchilov and Hutter, "Decoupled weight decay regularization").

use std::ops::Range;

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

    /// Takes a step of this rate against a gradient, numbers having shrunk by the decay times the rate; those of each
    /// part stay within its limit.
    pub fn step(
        &mut self,
        numbers: &mut [f32],
        gradient: &[f32],
        [rate, decay]: [f32; 2],
        parts: &[(Range<usize>, f32)],
    ) {
        let keeps = 1.0 - rate * decay;
        self.steps += 1;
        let steps = self.steps.min(1 << 20) as i32;
        // Both means begin at nothing, which this makes up for.
        let [fast, slow] = MEMORY.map(|memory| 1.0 - memory.powi(steps));
        for (part, limit) in parts {
            let means = &mut self.means[part.clone()];
            let squares = &mut self.squares[part.clone()];
            let rows = numbers[part.clone()].iter_mut().zip(&gradient[part.clone()]).zip(means).zip(squares);
            for (((number, &slope), mean), square) in rows {
                *mean = MEMORY[0] * *mean + (1.0 - MEMORY[0]) * slope;
                *square = MEMORY[1] * *square + (1.0 - MEMORY[1]) * slope * slope;
                let step = rate * (*mean / fast) / ((*square / slow).sqrt() + TINY);
                *number = (*number * keeps - step).clamp(-limit, *limit);
            }
        }
    }
}
