//! The fast code says what plain code says, whatever the board and whatever it was asked before.

use search::network::file::FileError;
use search::{Game, Random, Root};

use super::*;
use crate::playout::Style;
use crate::point::points;
use crate::policy::Knowledge;
use crate::{Move, Point, Position, Rules};

pub(crate) const SMALL: Shape = Shape { blocks: 2, channels: 16 };

/// Positions of random games, with what is seen of them.
pub(crate) fn views(size: usize, seed: u64, games: usize) -> Vec<(Root<Position>, View)> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    for _ in 0..games {
        let mut root = Root::new(Position::empty(Rules::default().with_size(size).unwrap()));
        let plies = random.below(2 * (size * size) as u32);
        while root.moves().len() < plies as usize && root.outcome().is_none() {
            let legal = root.legal();
            root.play(legal[random.below(legal.len() as u32) as usize]);
        }
        found.push((root.clone(), seen(&root)));
    }
    found
}

pub(crate) fn seen(root: &Root<Position>) -> View {
    let mut knowledge = Knowledge::new(Style::Light);
    let board = search::mcts::Policy::board(&mut knowledge, root);
    knowledge.view(&board, &[])
}

/// Plain code: coordinates, wide sums, one number after the other.
fn plainly(network: &Network, view: &View) -> Judgement {
    let (size, area) = (view.size(), view.size() * view.size());
    let inside = |n: usize, by: usize| (n + by).checked_sub(1).filter(|&n| n < size);
    let limit = i64::from(LIMIT);
    let scaled = |layer: &Layer, sum: i64| (sum + (1i64 << layer.numbers().0) / 2) >> layer.numbers().0;
    let sum = |layer: &Layer, cells: &[Vec<i64>], place: usize, output: usize| {
        let (_, weights, biases) = layer.numbers();
        let Dimensions { is_spatial, inputs, .. } = layer.dimensions();
        let mut total = i64::from(biases[output]);
        for tap in 0..layer.dimensions().taps() {
            let (up, right) = if is_spatial { (tap / 3, tap % 3) } else { (1, 1) };
            let Some(row) = inside(place / size, up) else { continue };
            let Some(column) = inside(place % size, right) else { continue };
            for (input, number) in cells[row * size + column].iter().enumerate().take(inputs) {
                let at = if is_spatial {
                    ((output / LANES * 9 + tap) * inputs + input) * LANES + output % LANES
                } else {
                    input * layer.dimensions().outputs + output
                };
                total += number * i64::from(weights[at]);
            }
        }
        assert!(i32::try_from(total).is_ok(), "{total}");
        total
    };
    let layer = |number: usize| &network.layers()[number];
    let dense = |layer: &Layer, from: &[i64]| -> Vec<i64> {
        (0..layer.dimensions().outputs)
            .map(|output| scaled(layer, sum(layer, &[from.to_vec()], 0, output)))
            .collect()
    };
    let spatial = |layer: &Layer, cells: &[Vec<i64>]| -> Vec<Vec<i64>> {
        let one = |place| {
            (0..layer.dimensions().outputs).map(move |output| scaled(layer, sum(layer, cells, place, output)))
        };
        (0..area).map(|place| one(place).collect()).collect()
    };
    let clip = |cells: &[Vec<i64>]| -> Vec<Vec<i64>> {
        cells.iter().map(|cell| cell.iter().map(|&n| n.clamp(0, limit)).collect()).collect()
    };
    let pool = |cells: &[Vec<i64>]| -> Vec<i64> {
        let channels = cells[0].len();
        let mean = |c: usize| cells.iter().map(|cell| cell[c]).sum::<i64>() / area as i64;
        let sized = |c: usize| (mean(c) * (size as i64 - 13) / 10).clamp(-limit, limit);
        let most = |c: usize| cells.iter().map(|cell| cell[c]).max().unwrap();
        (0..channels).map(mean).chain((0..channels).map(sized)).chain((0..channels).map(most)).collect()
    };
    let planes =
        |&planes: &u32| (0..PLANES).map(|plane| i64::from(planes >> plane & 1) * i64::from(UNIT)).collect();
    let cells: Vec<Vec<i64>> = view.points().iter().map(planes).collect();
    let add = |cells: Vec<Vec<i64>>, whole: &[i64], old: Option<&[Vec<i64>]>| -> Vec<Vec<i64>> {
        let sum = |(place, cell): (usize, Vec<i64>)| {
            let before = |c: usize| old.map_or(0, |old| old[place][c]);
            let one = |(c, n): (usize, i64)| (n + whole[c] + before(c)).clamp(-32768, 32767);
            cell.into_iter().enumerate().map(one).collect()
        };
        cells.into_iter().enumerate().map(sum).collect()
    };
    let globals: Vec<i64> = view.globals().iter().map(|&n| i64::from(to_units(n))).collect();
    let mut trunk = add(spatial(layer(0), &cells), &dense(layer(1), &globals), None);
    for block in 0..network.shape.blocks {
        let at = 2 + 3 * block;
        let middle = clip(&spatial(layer(at), &clip(&trunk)));
        let whole = dense(layer(at + 1), &pool(&middle));
        trunk = add(spatial(layer(at + 2), &middle), &whole, Some(&trunk));
    }
    let at = 2 + 3 * network.shape.blocks;
    let heads = clip(&spatial(layer(at), &clip(&trunk)));
    let said =
        |place: usize, output: usize| layer(at + 1).real(sum(layer(at + 1), &heads, place, output) as i32);
    let hidden: Vec<i64> =
        dense(layer(at + 2), &pool(&heads)).into_iter().map(|n| n.clamp(0, limit)).collect();
    let last =
        |output| layer(at + 3).real(sum(layer(at + 3), std::slice::from_ref(&hidden), 0, output) as i32);
    Judgement {
        stones: (0..area).map(|place| said(place, 0)).collect(),
        pass: last(0),
        win: 1.0 / (1.0 + libm::expf(-last(1))),
        score: SCORE * last(2),
        owners: (0..area).map(|place| libm::tanhf(said(place, 1))).collect(),
    }
}

#[test]
fn the_fast_code_says_what_plain_code_says_on_every_board_whatever_it_was_asked_before() {
    let networks = [SMALL, Shape { blocks: 1, channels: 48 }].map(|shape| Network::random(shape, 7));
    let mut works = [Workspace::default(), Workspace::default()];
    for size in (2..=25).rev().chain([9]) {
        for (_, view) in views(size, size as u64, 1) {
            for (network, work) in networks.iter().zip(&mut works) {
                let said = network.judge(&view, work);
                assert_eq!(said, plainly(network, &view), "{size}");
                assert_eq!(said, network.judge(&view, &mut Workspace::default()), "{size}");
            }
        }
    }
}

#[test]
fn an_answer_takes_every_position_for_itself() {
    let network = Network::random(SMALL, 3);
    let all = views(9, 1, 6);
    let alone: Vec<Judgement> =
        all.iter().map(|(_, view)| network.judge(view, &mut Workspace::default())).collect();
    let mut work = Workspace::default();
    for start in 0..all.len() {
        for place in (0..all.len()).map(|i| (start + i) % all.len()) {
            assert_eq!(network.judge(&all[place].1, &mut work), alone[place]);
        }
    }
    assert!(alone.windows(2).any(|pair| pair[0] != pair[1]));
}

/// A network whose every weight and bias is as large as may be, of one sign or of both.
fn extreme(shape: Shape, sign: impl Fn(usize) -> i16) -> Network {
    let layer = |dimensions: Dimensions| {
        let terms = dimensions.weights() / dimensions.outputs;
        let largest = (i64::from(i32::MAX / 2) / i64::from(LIMIT) / terms as i64).min(i16::MAX.into()) as i16;
        let weights = (0..dimensions.weights()).map(|i| largest * sign(i)).collect();
        Layer::new(dimensions, 4, weights, vec![i32::MAX / 4; dimensions.outputs]).unwrap()
    };
    Network::new(shape, shape.layers().into_iter().map(layer).collect()).unwrap()
}

#[test]
fn nothing_overflows_when_everything_is_as_large_as_may_be() {
    for sign in [|_: usize| 1, |_| -1, |i: usize| if i.is_multiple_of(3) { -1 } else { 1 }] {
        let network = extreme(SMALL, sign);
        for (_, view) in views(5, 2, 3) {
            assert_eq!(network.judge(&view, &mut Workspace::default()), plainly(&network, &view));
        }
    }
}

#[test]
fn a_turned_position_is_seen_turned() {
    for (root, view) in views(7, 5, 40) {
        let size = view.size();
        let place = |point: Point| point.row() * size + point.column();
        let all: Vec<Point> = points(size).collect();
        for symmetry in 0..8 {
            let to = |point: Point| {
                let found = (0..size * size).find(|&at| turned(at, size, symmetry) == place(point));
                all[found.unwrap()]
            };
            let mut other = Root::new(Position::empty(root.position().rules()));
            for m in root.moves() {
                other.play(m.point().map_or(Move::Pass, |point| Move::At(to(point))));
            }
            assert_eq!(seen(&other), view.turned(symmetry), "{symmetry}\n{}", root.position().picture());
        }
    }
}

#[test]
fn what_is_seen_is_what_is_there() {
    // Black takes C3, which may not be retaken at once.
    let rows = ". . . O . / . . X O . / . X O . O / . . X O . / . O . . .";
    let mut root = Root::new(crate::text::drawn(rows, "chinese"));
    root.play_text("D3").unwrap();
    let view = seen(&root);
    let holds = |name: &str, plane: usize| {
        let Move::At(point) = crate::text::read_move(5, name).unwrap() else { panic!() };
        view.points()[point.row() * 5 + point.column()] >> plane & 1 == 1
    };
    // White is to move.
    assert!(holds("C3", 14) && !holds("C3", 1) && holds("D3", 2) && holds("D3", 6) && holds("D3", 9));
    assert!(holds("D5", 1) && holds("C4", 2) && !holds("A3", 9));
    assert!((0..25).all(|place| view.points()[place] & 1 == 1));
    assert_eq!(view.globals()[..3], [7.5 / 20.0, -0.8, 0.0]);
    root.play(Move::Pass);
    let other = seen(&root);
    assert_eq!(other.globals()[..3], [-7.5 / 20.0, -0.8, 1.0]);
    assert_eq!(other.points()[2 * 5 + 3] >> 10 & 1, 1);
}

#[test]
fn files_are_read_back_and_damaged_and_foreign_ones_are_refused() {
    let network = Network::random(SMALL, 3);
    let bytes = network.write("quintet learn\nby hand");
    assert!(bytes.starts_with(
        b"quintet network 1\ngo, stones and liberties and ladders, 20 planes, 8 numbers\nblocks 2 channels 16\n"
    ));
    assert_eq!(Network::read(&bytes).as_ref(), Ok(&network));
    let read = |bytes: &[u8]| Network::read(bytes).unwrap_err();
    for end in (0..bytes.len()).step_by(97) {
        read(&bytes[..end]);
    }
    for at in (0..bytes.len()).step_by(89).chain(0..200) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        read(&damaged);
    }
    assert_eq!(read(b"weights\n\n"), FileError::Foreign);
    let other = String::from_utf8_lossy(&bytes[..80]).replace("go, stones", "checkers");
    let why = read(&[other.as_bytes(), &bytes[80..]].concat()).to_string();
    assert!(why.contains("not of 'go, stones and liberties"), "{why}");
    let shape = String::from_utf8_lossy(&bytes[..120]).replace("channels 16", "channels 17");
    assert!(matches!(read(&[shape.as_bytes(), &bytes[120..]].concat()), FileError::Shape(_)));
    // Weights that could overflow are refused, though the checksum is right.
    let mut layers = network.layers.clone();
    let dimensions = layers[2].dimensions();
    layers[2] = Layer::new(dimensions, 4, vec![i16::MAX; dimensions.weights()], vec![0; 16]).unwrap();
    assert_eq!(Network::new(SMALL, layers.clone()), None);
    let unsafe_one = Network { shape: SMALL, layers };
    assert_eq!(read(&unsafe_one.write("")), FileError::Sum(2));
}

#[test]
fn shapes_that_are_too_large_or_uneven_are_none() {
    assert!(
        [(0, 32), (65, 32), (5, 0), (5, 40), (5, 512), (12, 256)]
            .iter()
            .all(|&(b, c)| Shape::new(b, c).is_none())
    );
    let usual = Shape::new(5, 32).unwrap();
    assert!(Network::random(usual, 1).write("").len() < 3 << 20);
}
