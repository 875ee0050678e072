//! Systems of linear equations that may be singular.

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
    let largest = amax(a);
    let mut ridge = ridge.max(0.0);
    for _ in 0..ATTEMPTS {
        let mut sum = a.to_vec();
        sum.iter_mut().step_by(n + 1).for_each(|diagonal| *diagonal += ridge);
        let found = eliminate(sum.clone(), b.to_vec());
        if let Some(x) = found.filter(|x| amax(x) <= limit && fits(&sum, x, b, largest)) {
            return Some(x);
        }
        ridge = (ridge * GROWTH).max(largest * 1e-12).max(f64::MIN_POSITIVE);
    }
    None
}

/// Gaussian elimination with the largest of each column as its pivot; none if the system is singular.
fn eliminate(mut a: Vec<f64>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for column in 0..n {
        let size = |row: &usize| a[row * n + column].abs();
        let pivot = (column..n).max_by(|one, other| size(one).total_cmp(&size(other)))?;
        if a[pivot * n + column] == 0.0 {
            return None;
        }
        b.swap(column, pivot);
        let (above, below) = a.split_at_mut((column + 1) * n);
        let top = &mut above[column * n..];
        if pivot > column {
            top.swap_with_slice(&mut below[(pivot - column - 1) * n..][..n]);
        }
        for (row, right) in below.chunks_exact_mut(n).zip(column + 1..) {
            let factor = row[column] / top[column];
            row[column..].iter_mut().zip(&top[column..]).for_each(|(value, pivot)| *value -= factor * pivot);
            b[right] -= factor * b[column];
        }
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|column| a[row * n + column] * b[column]).sum();
        b[row] = (b[row] - known) / a[row * n + row];
    }
    Some(b)
}

/// Whether rounding left the solution of a nearly singular system any meaning.
fn fits(a: &[f64], x: &[f64], b: &[f64], largest: f64) -> bool {
    let product = |row: &[f64]| row.iter().zip(x).map(|(value, x)| value * x).sum::<f64>();
    let error = a.chunks_exact(b.len().max(1)).zip(b).map(|(row, b)| (product(row) - b).abs());
    error.fold(0.0, larger) <= 1e-6 * (amax(b) + largest * amax(x))
}

/// The largest of these numbers without their signs.
fn amax(numbers: &[f64]) -> f64 {
    numbers.iter().map(|number| number.abs()).fold(0.0, larger)
}

/// The larger of two numbers, and no number if one of them is none.
fn larger(one: f64, other: f64) -> f64 {
    if one.is_nan() || other <= one { one } else { other }
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
    fn rows_change_places_where_a_pivot_is_missing() {
        let x = solve(&[0.0, 2.0, 1.0, 1.0, 0.0, 0.0, 3.0, 1.0, 0.0], &[7.0, 1.0, 5.0], 0.0, 10.0).unwrap();
        assert_eq!(x, [1.0, 2.0, 3.0]);
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
