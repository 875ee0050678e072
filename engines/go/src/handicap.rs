//! Where handicap stones go: the fixed points of GTP, and the engine's own choice when placement is free.

use std::cmp::Reverse;

use crate::Point;
use crate::point::points;

/// The handicap points of a board as the protocol fixes them; none if the number does not fit the board.
///
/// Boards of 7 and 8 points and even boards take up to four stones, larger odd ones up to nine.
pub fn fixed(size: usize, stones: usize) -> Option<Vec<Point>> {
    let most = match size {
        0..7 => 0,
        7 | 8 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    };
    if !(2..=most).contains(&stones) {
        return None;
    }
    let near = near(size);
    let (far, middle) = (size - 1 - near, size / 2);
    let corners = [(near, near), (far, far), (near, far), (far, near)];
    let sides = [(near, middle), (far, middle), (middle, near), (middle, far)];
    let mut chosen: Vec<(usize, usize)> = corners.iter().copied().take(stones).collect();
    if stones > 5 {
        chosen.extend(sides.iter().take(if stones >= 8 { 4 } else { 2 }));
    }
    if stones > 4 && stones % 2 == 1 {
        chosen.push((middle, middle));
    }
    Some(chosen.into_iter().map(|(column, row)| Point::new(column, row)).collect())
}

/// The points marked on a board.
pub fn stars(size: usize) -> Vec<Point> {
    fixed(size, 9).or_else(|| fixed(size, 4)).unwrap_or_default()
}

/// Points for free placement: the fixed ones, then always the one farthest from the others, outer lines last.
///
/// None for fewer than two stones, and where no point would stay empty.
pub fn free(size: usize, stones: usize) -> Option<Vec<Point>> {
    if !(2..size * size).contains(&stones) {
        return None;
    }
    let mut chosen = fixed(size, stones.min(9)).or_else(|| fixed(size, stones.min(4))).unwrap_or_default();
    while chosen.len() < stones {
        let gap = |point: Point| chosen.iter().map(|&stone| apart(stone, point)).min();
        let left = points(size).filter(|point| !chosen.contains(point));
        let next = left.min_by_key(|&point| Reverse((line(size, point), gap(point))));
        chosen.push(next.expect("there are more points than stones"));
    }
    Some(chosen)
}

/// The line of the corner stones, from 0 at the edge.
fn near(size: usize) -> usize {
    match size {
        0..7 => 1,
        7..13 => 2,
        _ => 3,
    }
}

/// The line of a point; those further in than the corner stones are all one.
fn line(size: usize, point: Point) -> usize {
    let (column, row) = point.from_edges(size);
    column.min(row).min(near(size))
}

/// The square of the distance.
fn apart(a: Point, b: Point) -> usize {
    a.column().abs_diff(b.column()).pow(2) + a.row().abs_diff(b.row()).pow(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(size: usize, stones: usize) -> Option<String> {
        let mut points = fixed(size, stones)?;
        points.sort_by_key(|point| (usize::MAX - point.row(), point.column()));
        Some(points.iter().map(Point::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn fixed_points_are_those_of_the_protocol() {
        let expect = |size, stones, text: &str| assert_eq!(names(size, stones).as_deref(), Some(text));
        expect(19, 2, "Q16 D4");
        expect(19, 3, "D16 Q16 D4");
        expect(19, 5, "D16 Q16 K10 D4 Q4");
        expect(19, 6, "D16 Q16 D10 Q10 D4 Q4");
        expect(19, 7, "D16 Q16 D10 K10 Q10 D4 Q4");
        expect(19, 8, "D16 K16 Q16 D10 Q10 D4 K4 Q4");
        expect(9, 9, "C7 E7 G7 C5 E5 G5 C3 E3 G3");
        expect(8, 3, "C6 F6 C3");
        expect(7, 4, "C5 E5 C3 E3");
        expect(11, 9, "C9 F9 J9 C6 F6 J6 C3 F3 J3");
    }

    #[test]
    fn numbers_that_do_not_fit_are_refused() {
        for (size, stones) in [(19, 0), (19, 1), (19, 10), (12, 5), (8, 5), (7, 5), (6, 2), (2, 2)] {
            assert_eq!(fixed(size, stones), None, "{stones} on {size}");
        }
    }

    #[test]
    fn free_placement_begins_with_the_fixed_points() {
        for stones in 2..=9 {
            assert!([9, 13, 19].iter().all(|&size| free(size, stones) == fixed(size, stones)));
        }
    }

    #[test]
    fn free_placement_takes_every_number_that_leaves_a_point_empty() {
        for size in 2..=6 {
            let area = size * size;
            for stones in 2..area {
                let mut points = free(size, stones).unwrap();
                points.sort();
                points.dedup();
                assert_eq!(points.len(), stones, "{stones} on {size}");
            }
            assert!([0, 1, area].iter().all(|&stones| free(size, stones).is_none()));
        }
        assert_eq!(free(19, 20).unwrap().len(), 20);
    }

    #[test]
    fn free_stones_are_spread_over_the_board() {
        let expect = |size, stones, text: &str| {
            let points = free(size, stones).unwrap();
            assert_eq!(points.iter().map(Point::to_string).collect::<Vec<_>>().join(" "), text);
        };
        expect(24, 9, "D4 V21 D21 V4 M12 U13 N20 M4 D12");
        expect(19, 13, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10 G7 N7 G13 N13");
        expect(7, 9, "C3 E5 C5 E3 D4 D3 C4 E4 D5");
        expect(5, 5, "B2 D4 D2 B4 C3");
        expect(2, 3, "A1 B2 B1");
    }
}
