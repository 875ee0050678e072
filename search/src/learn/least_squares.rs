//! Systems of linear equations that may be singular.

use nalgebra::{DMatrix, DVector};

/// The factor by which the ridge grows until the system can be solved.
const GROWTH: f64 = 10.0;
/// Attempts before the system counts as hopeless.
const ATTEMPTS: usize = 30;

/// Solves `(a + ridge * I) x = b`, `a` given row by row. A singular system is solved with the smallest larger
/// ridge that makes it regular; none if its numbers are not finite.
///
/// # Panics
/// If `a` is not a square of the length of `b`.
pub fn solve(a: &[f64], b: &[f64], ridge: f64) -> Option<Vec<f64>> {
    let n = b.len();
    assert_eq!(a.len(), n * n);
    let (matrix, right) = (DMatrix::from_row_slice(n, n, a), DVector::from_column_slice(b));
    let largest = a.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let mut ridge = ridge.max(0.0);
    for _ in 0..ATTEMPTS {
        let sum = &matrix + DMatrix::identity(n, n) * ridge;
        let found = sum.clone().lu().solve(&right).filter(|x| fits(&sum, x, &right, largest));
        if let Some(x) = found {
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
        let x = solve(&[2.0, 1.0, 0.0, 4.0], &[4.0, 8.0], 0.0).unwrap();
        assert!((x[0] - 1.0).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_singular_system_gets_a_ridge() {
        let x = solve(&[1.0, 1.0, 1.0, 1.0], &[2.0, 2.0], 0.0).unwrap();
        assert!((x[0] + x[1] - 2.0).abs() < 1e-6 && (x[0] - x[1]).abs() < 1e-3, "{x:?}");
        assert_eq!(solve(&[0.0], &[0.0], 0.0), Some(vec![0.0]));
    }

    #[test]
    fn numbers_that_are_none_are_refused() {
        assert_eq!(solve(&[f64::NAN], &[1.0], 1.0), None);
    }
}
