//! Where handicap stones go: the fixed points of GTP, and the engine's own choice when placement is free.

use crate::Point;

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
    let near = if size < 13 { 2 } else { 3 };
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

/// Up to `stones` points for free placement: the fixed ones, then others of the third and fourth lines.
pub fn free(size: usize, stones: usize) -> Vec<Point> {
    let mut chosen =
        fixed(size, stones.clamp(2, 9)).or_else(|| fixed(size, stones.clamp(2, 4))).unwrap_or_default();
    let near = if size < 13 { 2 } else { 3 };
    let others = crate::point::points(size).filter(|point| {
        let line = |n: usize| n.min(size - 1 - n);
        let (column, row) = (line(point.column()), line(point.row()));
        column.min(row) == near.min(size / 2) && (column + row) % 2 == 0
    });
    for point in others {
        if chosen.len() < stones && chosen.iter().all(|other| other.distance(point) > 1) {
            chosen.push(point);
        }
    }
    chosen.truncate(stones);
    chosen
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
    fn free_placement_finds_many_points() {
        for size in [5, 9, 13, 19] {
            let points = free(size, 12);
            assert!(points.iter().collect::<std::collections::BTreeSet<_>>().len() == points.len());
        }
        assert_eq!(free(19, 20).len(), 20);
    }
}
