//! Slopes are those of small changes, and a training is the same every time, however often it is taken up.

use super::losses::losses;
use super::products::{convolve, reversed};
use super::*;
use crate::network::tests::{SMALL, views};
use crate::network::{Dimensions, Field, LANES};

/// Positions of random games with random opinions about them: the corner nearest to no stone is good, and whoever has
/// the komi wins.
fn made_up(size: usize, count: usize, seed: u64) -> Vec<Lesson> {
    let mut random = Random::new(seed);
    let lesson = |(_, view): (_, crate::network::View)| {
        let mut moves = vec![0.0; size * size + 1];
        let free: Vec<usize> = (0..size * size).filter(|&place| view.is_free(place)).collect();
        moves[free.first().copied().unwrap_or(size * size)] += 0.75;
        moves[size * size] += 0.25;
        let has_komi = view.globals()[0] > 0.0;
        let result = f32::from(u8::from(has_komi));
        let owners = (0..size * size).map(|_| random.below(15) as i8 - 7).collect();
        Lesson { view, moves, result, value: 0.2 + 0.6 * result, score: 14.0 * result - 7.0, owners }
    };
    views(size, seed, count).into_iter().map(lesson).collect()
}

fn plan() -> Plan {
    Plan { shape: SMALL, passes: 4, batch: 16, rate: 0.003, decay: 0.01, result: 0.5, seed: 3, workers: 1 }
}

fn trained(plan: Plan, lessons: &[Lesson]) -> Training<'_> {
    let mut training = Training::new(plan, lessons, None).unwrap();
    while !training.is_done() {
        training.pass(lessons, |_| ()).unwrap();
    }
    training
}

#[test]
fn slopes_are_those_of_small_changes() {
    let lessons: Vec<Lesson> = [3, 5].iter().flat_map(|&size| made_up(size, 2, 4)).collect();
    let mut random = Random::new(8);
    let mut weights = Weights::random(SMALL, 2);
    // Nothing may begin as nothing here, or whole layers would have no slope.
    weights.numbers.iter_mut().for_each(|number| *number += 0.1 * random.unit() - 0.05);
    let mut gradient = Gradient::new(&weights);
    lessons.iter().for_each(|lesson| gradient.learn(&Prepared::new(&weights), lesson, 0.5));
    let loss = |weights: &Weights| -> f64 {
        let mut gradient = Gradient::new(weights);
        let one = |lesson: &Lesson| whole(&losses(&gradient.judge(weights, &lesson.view), lesson, 0.5).0);
        lessons.iter().map(one).sum()
    };
    assert!((whole(&gradient.losses) - loss(&weights)).abs() < 1e-4);
    let by = 2e-3;
    for layer in 0..weights.count() {
        let mut close = 0;
        for _ in 0..12 {
            let range = weights.range(layer);
            let place = range.start + random.below(range.len() as u32) as usize;
            let changed = |by: f32| {
                let mut other = weights.clone();
                other.numbers[place] += by;
                loss(&other)
            };
            let found = (changed(by) - changed(-by)) / f64::from(2.0 * by);
            let slope = f64::from(gradient.numbers[place]);
            close += usize::from((found - slope).abs() < 0.01 + 0.03 * slope.abs());
        }
        // Where a clipped number begins to count just there, a slope has two sides.
        assert!(close >= 11, "layer {layer}: {close} of 12");
    }
}

#[test]
fn the_way_back_through_a_layer_is_the_transposed_way() {
    let dimensions = Dimensions { is_spatial: true, inputs: 16, outputs: 32 };
    let mut random = Random::new(1);
    let field = Field::new(4);
    let weights: Vec<f32> = (0..dimensions.weights()).map(|_| random.unit() - 0.5).collect();
    let mut cells = |channels: usize| {
        let mut cells = vec![0.0; field.cells() * channels];
        for cell in field.points() {
            cells[cell * channels..][..channels].iter_mut().for_each(|number| *number = random.unit() - 0.5);
        }
        cells
    };
    let (from, wanted) = (cells(16), cells(32));
    let other = Dimensions { inputs: 32, outputs: 16, ..dimensions };
    let (mut forth, mut back) = (vec![0.0; wanted.len()], vec![0.0; from.len()]);
    convolve(&field, dimensions, &from, &weights, &mut forth);
    convolve(&field, other, &wanted, &reversed(dimensions, &weights), &mut back);
    let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum::<f64>();
    assert!((product(&forth, &wanted) - product(&from, &back)).abs() < 1e-3);
    assert_eq!(dimensions.weights() % LANES, 0);
}

#[test]
fn losses_fall_and_the_whole_numbers_agree() {
    let lessons = made_up(5, 60, 1);
    let training = trained(Plan { passes: 40, rate: 0.005, ..plan() }, &lessons);
    let [first, last] = [&training.losses[0], &training.losses[39]].map(|losses| whole(&losses[1]));
    assert!(last < 0.8 * first, "{first} {last}");
    let network = training.weights.network().unwrap();
    let Agreement { losses: [learned, whole_ones], same, difference } =
        training.agreement(&network, &lessons);
    assert!((whole(&learned) - whole(&whole_ones)).abs() < 0.01 && same > 0.9 && difference < 0.02);
}

#[test]
fn the_same_seed_learns_the_same_and_a_break_changes_nothing() {
    let lessons = made_up(4, 40, 2);
    let training = trained(plan(), &lessons);
    assert_eq!(trained(plan(), &lessons).write(), training.write());
    assert_ne!(trained(Plan { seed: 4, ..plan() }, &lessons).weights, training.weights);
    let mut begun = Training::new(plan(), &lessons, None).unwrap();
    begun.pass(&lessons, |_| ()).unwrap();
    let mut later = Training::new(plan(), &lessons, None).unwrap();
    later.resume(&begun.write()).unwrap();
    while !later.is_done() {
        later.pass(&lessons, |_| ()).unwrap();
    }
    assert_eq!((later.write(), &later.losses), (training.write(), &training.losses));
}

#[test]
fn threads_share_the_work_and_change_next_to_nothing() {
    let lessons = made_up(4, 30, 2);
    let [one, three] = [1, 3].map(|workers| trained(Plan { workers, passes: 1, ..plan() }, &lessons));
    assert!((whole(&one.losses[0][0]) - whole(&three.losses[0][0])).abs() < 1e-4);
}

#[test]
fn a_training_goes_on_from_another_and_takes_up_no_foreign_one() {
    let lessons = made_up(4, 20, 2);
    let first = trained(Plan { passes: 1, ..plan() }, &lessons);
    let next = Training::new(plan(), &lessons, Some(&first.write())).unwrap();
    assert_eq!((&next.weights, next.losses.len()), (&first.weights, 0));
    let mut other = Training::new(Plan { rate: 0.01, ..plan() }, &lessons, None).unwrap();
    assert_eq!(other.resume(&first.write()), Err(PlanError::Foreign));
    let larger = Plan { shape: Shape { blocks: 3, channels: 16 }, ..plan() };
    assert!(matches!(Training::new(larger, &lessons, Some(&first.write())), Err(PlanError::Foreign)));
    let mut damaged = first.write();
    damaged[40] ^= 1;
    assert!(Training::new(plan(), &lessons, Some(&damaged)).is_err());
    assert!(matches!(Training::new(plan(), &[], None), Err(PlanError::Empty)));
    for wrong in [Plan { rate: 0.0, ..plan() }, Plan { batch: 0, ..plan() }, Plan { result: 2.0, ..plan() }] {
        assert!(matches!(wrong.check(), Err(PlanError::Range { .. })));
    }
}

#[test]
fn a_turned_lesson_keeps_what_belongs_together() {
    let lesson = &made_up(5, 6, 3)[5];
    for symmetry in 0..8 {
        let other = lesson.turned(symmetry);
        for (place, &planes) in other.view.points().iter().enumerate() {
            let from = crate::network::turned(place, 5, symmetry);
            let found = (planes, other.moves[place], other.owners[place]);
            assert_eq!(found, (lesson.view.points()[from], lesson.moves[from], lesson.owners[from]));
        }
        assert_eq!(other.moves[25], lesson.moves[25]);
    }
    assert_eq!(&lesson.turned(0), lesson);
}
