//! Life that needs no answer: chains that live even if their owner passes for ever (Benson 1976).

use crate::point::points;
use crate::{Colour, Point, PointSet, Position};

/// A region of points that a colour does not occupy, and the chains of that colour around it.
struct Region {
    /// Its empty points, each of which may be a liberty.
    empty: Vec<Point>,
    inside: PointSet,
    /// Numbers of the chains around it.
    around: Vec<usize>,
}

/// The stones of a colour that cannot be taken, and the regions that are theirs.
pub fn unconditional(position: &Position, colour: Colour) -> (PointSet, PointSet) {
    let chains = position.chains(colour);
    let regions = regions(position, colour, &chains);
    let mut alive = vec![true; chains.len()];
    let mut safe = vec![true; regions.len()];
    // A region is vital to a chain if all its empty points are liberties of the chain; two keep it alive.
    let vital = |region: &Region, chain: usize| {
        region.around.contains(&chain) && region.empty.iter().all(|&p| chains[chain].liberties.contains(p))
    };
    loop {
        let mut changed = false;
        for chain in (0..chains.len()).filter(|&i| alive[i]).collect::<Vec<_>>() {
            let eyes = regions.iter().zip(&safe).filter(|(region, ok)| **ok && vital(region, chain)).count();
            if eyes < 2 {
                (alive[chain], changed) = (false, true);
            }
        }
        for (region, ok) in regions.iter().zip(&mut safe) {
            if *ok && !region.around.iter().all(|&chain| alive[chain]) {
                (*ok, changed) = (false, true);
            }
        }
        if !changed {
            break;
        }
    }
    let (mut stones, mut territory) = (PointSet::default(), PointSet::default());
    chains.iter().zip(&alive).filter(|(_, ok)| **ok).for_each(|(chain, _)| stones.union(&chain.stones));
    for (region, _) in regions.iter().zip(&safe).filter(|(_, ok)| **ok) {
        // An enemy could live inside a region that the chains do not fill with their liberties.
        if region.around.iter().any(|&chain| alive[chain] && vital(region, chain)) {
            territory.union(&region.inside);
        }
    }
    (stones, territory)
}

fn regions(position: &Position, colour: Colour, chains: &[crate::moves::Chain]) -> Vec<Region> {
    let mut seen = PointSet::default();
    let mut out = Vec::new();
    let is_free = |p: Point| position.at(p) != colour && position.at(p) != Colour::Border;
    for start in points(position.rules().size()).filter(|&p| is_free(p)) {
        if !seen.insert(start) {
            continue;
        }
        let mut region = Region { empty: Vec::new(), inside: PointSet::default(), around: Vec::new() };
        let mut pending = vec![start];
        while let Some(point) = pending.pop() {
            region.inside.insert(point);
            if position.at(point) == Colour::Empty {
                region.empty.push(point);
            }
            for next in point.neighbours() {
                if is_free(next) && seen.insert(next) {
                    pending.push(next);
                } else if position.at(next) == colour {
                    let number = chains.iter().position(|chain| chain.stones.contains(next));
                    let number = number.expect("every stone is in a chain");
                    if !region.around.contains(&number) {
                        region.around.push(number);
                    }
                }
            }
        }
        out.push(region);
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use search::{Game, Random, Side};

    use super::*;
    use crate::text::drawn;
    use crate::{Move, Rules};

    fn alive(rows: &str) -> (usize, usize) {
        let (stones, territory) = unconditional(&drawn(rows, "chinese"), Colour::Black);
        (stones.len(), territory.len())
    }

    #[test]
    fn two_eyes_live_and_one_does_not() {
        assert_eq!(alive(". X . X . / X X X X . / . . . . . / . . . . . / . . . . ."), (6, 2));
        assert_eq!(alive(". X . . . / X X . . . / . . . . . / . . . . . / . . . . ."), (0, 0));
    }

    #[test]
    fn chains_live_by_shared_eyes() {
        let rows = ". X O . . / X . X O . / . X X O . / X X O O . / O O O . .";
        assert_eq!(alive(rows), (7, 3));
    }

    /// The black stones that White can take if Black always passes.
    fn lost(position: &Position) -> PointSet {
        let all = || points(position.rules().size());
        let (mut lost, mut seen) = (PointSet::default(), HashSet::new());
        let mut pending = vec![position.resumed(Side::White)];
        while let Some(here) = pending.pop() {
            let taken = all().filter(|&p| position.at(p) == Colour::Black && here.at(p) != Colour::Black);
            taken.for_each(|stone| _ = lost.insert(stone));
            for point in all().filter(|&point| here.is_legal(point)) {
                let mut after = here.clone();
                after.play(Move::At(point));
                if seen.insert(after.key()) {
                    pending.push(after.resumed(Side::White));
                }
            }
        }
        lost
    }

    #[test]
    fn what_lives_is_what_nobody_can_take_without_an_answer() {
        let mut random = Random::new(1);
        let mut living = 0;
        for round in 0..1500 {
            let size = 2 + round % 3;
            let mut position = Position::empty(Rules::default().with_size(size).unwrap());
            for point in points(size).filter(|_| random.below(5) > 0).collect::<Vec<_>>() {
                position.set(point, if random.below(4) > 0 { Colour::Black } else { Colour::White });
            }
            let free = position.rules().area() - position.number(Colour::Black);
            if position.is_possible() && free <= 8 {
                let (alive, lost) = (unconditional(&position, Colour::Black).0, lost(&position));
                living += alive.len();
                for stone in points(size).filter(|&p| position.at(p) == Colour::Black) {
                    assert_ne!(alive.contains(stone), lost.contains(stone), "{stone} of {position}");
                }
            }
        }
        assert!(living > 300, "only {living} stones lived");
    }
}
