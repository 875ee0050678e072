//! Two other ways to value a position that can be learned, for comparison: weighted configurations of the board
//! (Buro's GLEM) and a small perceptron (Tesauro). Both look at the board as the side to move sees it.

use std::fmt::Write;

use search::learn::logistic::odds;
use search::learn::{Configuration, Configurations, Perceptron};
use search::{Game, Score, Side};

use crate::Position;

/// Points of value at which the odds of winning are e to 1.
const SCALE: f64 = 100.0;
/// Inputs of the perceptron: four kinds of piece on each square.
pub const INPUTS: usize = 4 * 32;
/// Its answers: the side to move wins, the other one does, and each of them clearly.
pub const ANSWERS: usize = 4;
/// The most that is made of an expectation, so that its odds stay finite.
const SUREST: f64 = 0.9999;

/// The first lines of the files.
const CONFIGURATIONS: &str = "quintet draughts configurations 1;";
const PERCEPTRON: &str = "quintet draughts perceptron 1;";

/// What was learned, and where from.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    form: Form,
    remark: String,
}

/// The form of a value function.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Each active configuration adds its weight, in hundredths of a man.
    Configurations(Configurations),
    /// The perceptron's answers are the chances of the side to move and of the other.
    Perceptron(Perceptron),
}

/// What stands on each square: 2 and 1 for a king and a man of the side to move, -1 and -2 for the other's.
pub fn atoms(position: &Position) -> Vec<i8> {
    let [own, other, kings] = seen(position);
    (0..32)
        .map(|square| {
            let worth = 1 + (kings >> square & 1) as i8;
            ((own >> square & 1) as i8 - (other >> square & 1) as i8) * worth
        })
        .collect()
}

/// The inputs of the perceptron that are on.
pub fn inputs(position: &Position) -> Vec<usize> {
    let [own, other, kings] = seen(position);
    let kinds = [own & !kings, own & kings, other & !kings, other & kings];
    kinds
        .iter()
        .enumerate()
        .flat_map(|(kind, &set)| (0..32).filter(move |s| set >> s & 1 == 1).map(move |s| 32 * kind + s))
        .collect()
}

/// What the side that looks may expect of such chances, from -1 for a clear loss to 1 for a clear win.
pub fn equity(answers: &[f64]) -> f64 {
    answers.chunks(2).map(|pair| pair[0] - pair[1]).sum::<f64>() * 2.0 / ANSWERS as f64
}

/// Own pieces, the other's and kings, turned so that the side to move goes up.
fn seen(position: &Position) -> [u32; 3] {
    let side = position.turn();
    let sets = [position.pieces(side), position.pieces(!side), position.kings()];
    if side == Side::White { sets } else { sets.map(u32::reverse_bits) }
}

impl Learned {
    /// A value function with a remark on its origin.
    pub fn new(form: Form, remark: &str) -> Learned {
        Learned { form, remark: remark.to_owned() }
    }

    /// The value from the side to move.
    pub fn value(&self, position: &Position) -> Score {
        let points = match &self.form {
            Form::Configurations(all) => all.value(&atoms(position)),
            Form::Perceptron(perceptron) => {
                let expected = equity(&perceptron.answer(&inputs(position))).clamp(-SUREST, SUREST);
                SCALE * odds((1.0 + expected) / 2.0)
            }
        };
        Score(points.round() as i32)
    }

    /// The contents of its file.
    pub fn write(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        match &self.form {
            Form::Configurations(all) => {
                let _ = writeln!(text, "{CONFIGURATIONS} {}", self.remark);
                for (configuration, weight) in all.all() {
                    let facts = configuration.facts().iter().map(|(atom, value)| format!(" {atom}={value}"));
                    let _ = writeln!(text, "{weight:.3}{}", facts.collect::<String>());
                }
            }
            Form::Perceptron(perceptron) => {
                let _ = writeln!(text, "{PERCEPTRON} {}\n{}", self.remark, perceptron.hidden);
                perceptron.weights.iter().for_each(|weight| {
                    let _ = writeln!(text, "{weight}");
                });
            }
        }
        text
    }

    /// Reads a file; none if it is of another kind, an error that names the culprit if it is damaged.
    pub fn read(text: &str) -> Option<Result<Learned, String>> {
        let (head, body) = text.split_once('\n').unwrap_or((text, ""));
        let (form, remark) = if let Some(remark) = head.strip_prefix(CONFIGURATIONS) {
            (read_configurations(body).map(Form::Configurations), remark)
        } else {
            let remark = head.strip_prefix(PERCEPTRON)?;
            (read_perceptron(body).map(Form::Perceptron), remark)
        };
        Some(form.map(|form| Learned::new(form, remark.trim())))
    }
}

fn read_configurations(body: &str) -> Result<Configurations, String> {
    let all = body
        .lines()
        .map(|line| read_configuration(line).ok_or_else(|| format!("'{line}' is not a configuration")));
    Ok(Configurations::new(all.collect::<Result<_, String>>()?))
}

fn read_configuration(line: &str) -> Option<(Configuration, f64)> {
    let mut words = line.split_whitespace();
    let weight = words.next()?.parse().ok().filter(|weight: &f64| weight.is_finite())?;
    let fact = |word: &str| {
        let (atom, value) = word.split_once('=')?;
        Some((atom.parse().ok().filter(|&atom: &u16| atom < 32)?, value.parse().ok()?))
    };
    Some((Configuration::new(words.map(fact).collect::<Option<_>>()?)?, weight))
}

fn read_perceptron(body: &str) -> Result<Perceptron, String> {
    let (first, weights) = body.split_once('\n').unwrap_or((body, ""));
    let hidden: Option<usize> = first.parse().ok().filter(|&n| n <= 10_000);
    let hidden = hidden.ok_or_else(|| format!("'{first}' is not a number of hidden units"))?;
    let number = |word: &str| {
        word.parse().ok().filter(|w: &f64| w.is_finite()).ok_or_else(|| format!("'{word}' is not a weight"))
    };
    let weights: Vec<f64> = weights.split_whitespace().map(number).collect::<Result<_, _>>()?;
    let found = weights.len();
    Perceptron::with_weights(INPUTS, hidden, ANSWERS, weights)
        .ok_or_else(|| format!("{found} weights do not fit {hidden} hidden units"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use search::Random;

    fn read(fen: &str) -> Position {
        Position::read(&Rules::default(), fen).unwrap()
    }

    #[test]
    fn both_sides_see_the_same_board() {
        let position = read("W:W21,22,18,K3:B1,5,K14,12");
        let flipped = position.flipped().unwrap();
        assert_eq!(atoms(&position), atoms(&flipped));
        assert_eq!(inputs(&position), inputs(&flipped));
        assert_eq!(inputs(&position).len(), 8);
        assert_eq!(atoms(&position).iter().map(|&a| i32::from(a)).sum::<i32>(), 0);
    }

    #[test]
    fn what_was_learned_is_read_back() {
        let facts = Configuration::new(vec![(0, 1), (31, -2)]).unwrap();
        let forms = [
            Form::Configurations(Configurations::new(vec![(facts, 12.5)])),
            Form::Perceptron(Perceptron::new(INPUTS, 3, ANSWERS, &mut Random::new(1))),
        ];
        for form in forms {
            let learned = Learned::new(form, "for a test");
            assert_eq!(Learned::read(&learned.write()), Some(Ok(learned)));
        }
        let corner = read("W:W29:BK4");
        let text = format!("{CONFIGURATIONS} x\n12.500 0=1 31=-2\n7 0=1\n1 1=1\n");
        assert_eq!(Learned::read(&text).unwrap().unwrap().value(&corner), Score(20));
    }

    #[test]
    fn damaged_files_name_the_culprit() {
        let why = |text: &str| Learned::read(text).unwrap().unwrap_err();
        assert_eq!(why(&format!("{CONFIGURATIONS}\n1 32=1\n")), "'1 32=1' is not a configuration");
        assert_eq!(why(&format!("{PERCEPTRON}\nx")), "'x' is not a number of hidden units");
        assert_eq!(why(&format!("{PERCEPTRON}\n1\n0 NaN")), "'NaN' is not a weight");
        assert_eq!(why(&format!("{PERCEPTRON}\n1\n0 0")), "2 weights do not fit 1 hidden units");
        assert_eq!(Learned::read("GIF89a"), None);
    }
}
