//! Systems of linear equations that may be singular.

use nalgebra::{DMatrix, DVector};

/// The factor by which the ridge grows until the system can be solved.
const GROWTH: f64 = 4.0;
/// Attempts before the system counts as hopeless.
const ATTEMPTS: usize = 50;

/// Solves `(a + ridge * I) x = b`, `a` given row by row, with the smallest larger ridge that leaves no number of
/// the solution outside `-limit..=limit`; none if the numbers of the system are not finite.
///
/// A singular system needs such a ridge, and so does a regular one whose transitions were not gathered under the
/// policy they describe: its solution may be far from anything a value can be, and drift further from period to
/// period.
///
/// # Panics
/// If `a` is not a square of the length of `b`.
pub fn solve(a: &[f64], b: &[f64], ridge: f64, limit: f64) -> Option<Vec<f64>> {
    let n = b.len();
    assert_eq!(a.len(), n * n);
    let (matrix, right) = (DMatrix::from_row_slice(n, n, a), DVector::from_column_slice(b));
    let largest = a.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let mut ridge = ridge.max(0.0);
    for _ in 0..ATTEMPTS {
        let sum = &matrix + DMatrix::identity(n, n) * ridge;
        let found = sum.clone().lu().solve(&right);
        if let Some(x) = found.filter(|x| x.amax() <= limit && fits(&sum, x, &right, largest)) {
            return Some(x.as_slice().to_vec());
        }
        ridge = (ridge * GROWTH).max(largest * 1e-12).max(f64::MIN_POSITIVE);
    }
    None
}

/// Whether rounding left the solution of a nearly singular system any meaning.
fn fits(a: &DMatrix<f64>, x: &DVector<f64>, b: &DVector<f64>, largest: f64) -> bool {
    let error = (a * x - b).amax();
    error.is_finite() && error <= 1e-6 * (b.amax() + largest * x.amax())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regular_system_is_solved() {
        let x = solve(&[2.0, 1.0, 0.0, 4.0], &[4.0, 8.0], 0.0, 10.0).unwrap();
        assert!((x[0] - 1.0).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_singular_system_gets_a_ridge() {
        let x = solve(&[1.0, 1.0, 1.0, 1.0], &[2.0, 2.0], 0.0, 10.0).unwrap();
        assert!((x[0] + x[1] - 2.0).abs() < 1e-6 && (x[0] - x[1]).abs() < 1e-3, "{x:?}");
        assert_eq!(solve(&[0.0], &[0.0], 0.0, 10.0), Some(vec![0.0]));
    }

    #[test]
    fn a_solution_out_of_bounds_gets_a_ridge() {
        let x = solve(&[0.001, 0.0, 0.0, 1.0], &[1.0, 1.0], 0.0, 5.0).unwrap();
        assert!(x[0] > 1.0 && x[0] <= 5.0 && x[1] > 0.3 && x[1] < 1.0, "{x:?}");
    }

    #[test]
    fn numbers_that_are_none_are_refused() {
        assert_eq!(solve(&[f64::NAN], &[1.0], 1.0, 10.0), None);
    }
}
