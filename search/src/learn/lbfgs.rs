//! The limited-memory BFGS method: the minimum of a smooth function of many variables from its gradients.
//!
//! Nocedal, "Updating quasi-Newton matrices with limited storage", 1980; steps by backtracking.

use std::collections::VecDeque;

/// Pairs of steps and gradient changes remembered.
const MEMORY: usize = 10;
/// Halvings of a step before the search gives up: the gradient is then as flat as rounding allows.
const HALVINGS: usize = 40;
/// The part of the promised decrease that a step must bring.
const ENOUGH: f64 = 1e-4;

/// Where the search stands after a pass.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Steps taken, from 1.
    pub pass: usize,
    /// The value reached.
    pub value: f64,
}

/// Minimises `objective`, which returns the value at a point and writes the gradient there, from `start` on,
/// until `goes_on` says no or no step improves the value.
pub fn minimise(
    start: &[f64],
    objective: impl Fn(&[f64], &mut [f64]) -> f64,
    mut goes_on: impl FnMut(&Step) -> bool,
) -> Vec<f64> {
    let mut point = start.to_vec();
    let mut gradient = vec![0.0; point.len()];
    let mut value = objective(&point, &mut gradient);
    let mut pairs: VecDeque<Pair> = VecDeque::with_capacity(MEMORY);
    for pass in 1.. {
        let direction = downhill(&gradient, &pairs);
        let slope = dot(&direction, &gradient);
        let Some((next, next_value, next_gradient)) =
            backtrack(&point, value, &direction, slope, first_length(&gradient, &pairs), &objective)
        else {
            break;
        };
        remember(&mut pairs, &point, &next, &gradient, &next_gradient);
        (point, value, gradient) = (next, next_value, next_gradient);
        if !goes_on(&Step { pass, value }) {
            break;
        }
    }
    point
}

/// A step and the change of the gradient along it.
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    /// Their inner product.
    product: f64,
}

/// The two-loop recursion: the gradient through the remembered curvature, turned downhill.
fn downhill(gradient: &[f64], pairs: &VecDeque<Pair>) -> Vec<f64> {
    let mut direction: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut factors = Vec::with_capacity(pairs.len());
    for pair in pairs.iter().rev() {
        let factor = dot(&pair.step, &direction) / pair.product;
        add(&mut direction, -factor, &pair.change);
        factors.push(factor);
    }
    if let Some(last) = pairs.back() {
        let curvature = last.product / dot(&last.change, &last.change);
        direction.iter_mut().for_each(|d| *d *= curvature);
    }
    for (pair, factor) in pairs.iter().zip(factors.into_iter().rev()) {
        let back = dot(&pair.change, &direction) / pair.product;
        add(&mut direction, factor - back, &pair.step);
    }
    direction
}

/// Without curvature the first step has length 1; later ones are right as they are.
fn first_length(gradient: &[f64], pairs: &VecDeque<Pair>) -> f64 {
    if pairs.is_empty() { 1.0 / dot(gradient, gradient).sqrt().max(1e-12) } else { 1.0 }
}

fn backtrack(
    point: &[f64],
    value: f64,
    direction: &[f64],
    slope: f64,
    mut length: f64,
    objective: &impl Fn(&[f64], &mut [f64]) -> f64,
) -> Option<(Vec<f64>, f64, Vec<f64>)> {
    let mut gradient = vec![0.0; point.len()];
    for _ in 0..HALVINGS {
        let mut next = point.to_vec();
        add(&mut next, length, direction);
        let next_value = objective(&next, &mut gradient);
        if next_value < value && next_value <= value + ENOUGH * length * slope {
            return Some((next, next_value, gradient));
        }
        length *= 0.5;
    }
    None
}

/// Keeps the pair unless the function bends the wrong way along it.
fn remember(pairs: &mut VecDeque<Pair>, from: &[f64], to: &[f64], before: &[f64], after: &[f64]) {
    let minus = |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a - b).collect() };
    let (step, change) = (minus(to, from), minus(after, before));
    let product = dot(&step, &change);
    if product > 1e-18 {
        if pairs.len() == MEMORY {
            pairs.pop_front();
        }
        pairs.push_back(Pair { step, change, product });
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

fn add(to: &mut [f64], factor: f64, other: &[f64]) {
    to.iter_mut().zip(other).for_each(|(a, b)| *a += factor * b);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bottom_of_a_bent_valley_is_found() {
        // Rosenbrock's function, minimum at (1, 1).
        let valley = |p: &[f64], g: &mut [f64]| {
            let (a, b) = (1.0 - p[0], p[1] - p[0] * p[0]);
            g[0] = -2.0 * a - 400.0 * p[0] * b;
            g[1] = 200.0 * b;
            a * a + 100.0 * b * b
        };
        let found = minimise(&[-1.2, 1.0], valley, |step| step.pass < 200);
        assert!((found[0] - 1.0).abs() < 1e-6 && (found[1] - 1.0).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn every_pass_goes_down() {
        let bowl = |p: &[f64], g: &mut [f64]| {
            g.iter_mut().zip(p).zip(1..).for_each(|((g, x), k)| *g = 2.0 * f64::from(k) * x);
            p.iter().zip(1..).map(|(x, k)| f64::from(k) * x * x).sum()
        };
        let mut values = Vec::new();
        minimise(&[3.0, -2.0, 5.0], bowl, |step| {
            values.push(step.value);
            step.pass < 30
        });
        assert!(values.windows(2).all(|pair| pair[1] < pair[0]));
        assert!(values.last().unwrap() < &1e-9);
    }
}
