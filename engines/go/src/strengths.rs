//! Learned strengths of the features of moves: a text file whose header names the command that made it.
//!
//! A line holds a column's name and the strengths of its features from 1 on, or `shape`, the cells of a shape and
//! its strength as a correction of the next smaller shape's.

use std::sync::{Arc, LazyLock};

use crate::features::{COLUMNS, TACTICAL, Team};
use crate::shapes::{Shape, ShapeMap};
use crate::tuning;

/// Those in the tree, read once.
static DEFAULT: LazyLock<Arc<Strengths>> = LazyLock::new(|| {
    let read = Strengths::read(tuning::STRENGTHS);
    Arc::new(read.expect("the file in the tree was written by the command"))
});

/// Strengths of all features.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strengths {
    tactical: [Vec<f32>; TACTICAL],
    /// By every form of a shape, its smaller shapes' strengths multiplied in.
    shapes: ShapeMap<f32>,
}

impl Strengths {
    /// Those in the tree.
    pub fn learned() -> Arc<Strengths> {
        Arc::clone(&DEFAULT)
    }

    /// The strength of a shape with its smaller ones, if it is known.
    #[inline]
    pub fn shape(&self, shape: Shape) -> Option<f32> {
        self.shapes.get(&shape).copied()
    }

    /// The product of the strengths that are no shape's.
    #[inline]
    pub fn tactical(&self, team: &Team) -> f32 {
        let strength = |(known, &feature): (&Vec<f32>, &u32)| match feature {
            0 => 1.0,
            feature => known.get(feature as usize - 1).copied().unwrap_or(1.0),
        };
        self.tactical.iter().zip(team).map(strength).product()
    }

    /// Reads a file; says which line is wrong.
    pub fn read(text: &str) -> Result<Strengths, String> {
        let mut found = Strengths::default();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            found.read_line(line).map_err(|why| format!("line {}: {why}", number + 1))?;
        }
        Ok(found)
    }

    fn read_line(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default();
        if name == "shape" {
            let letters = words.next().unwrap_or_default();
            let shape = Shape::read(letters).ok_or_else(|| format!("not a shape: '{letters}'"))?;
            let smaller = shape.smaller().map_or(Some(1.0), |smaller| self.shape(smaller));
            let smaller = smaller.ok_or_else(|| format!("a shape before its smaller one: '{letters}'"))?;
            let strength = smaller * number(words.next().unwrap_or_default())?;
            shape.forms().into_iter().for_each(|form| {
                self.shapes.insert(form, strength);
            });
            return Ok(());
        }
        let column = COLUMNS[..TACTICAL].iter().position(|&known| known == name);
        let column = column.ok_or_else(|| format!("no such column: '{name}'"))?;
        self.tactical[column] = words.map(number).collect::<Result<_, _>>()?;
        Ok(())
    }
}

fn number(word: &str) -> Result<f32, String> {
    let read: Option<f32> = word.parse().ok().filter(|n: &f32| n.is_finite() && *n > 0.0);
    read.ok_or_else(|| format!("not a strength: '{word}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_and_a_wrong_line_named() {
        let text = "# made by hand\nline 0.5 2\nshape ........ 3\nshape ............ 2\n";
        let strengths = Strengths::read(text).unwrap();
        let shape = |letters| strengths.shape(Shape::read(letters).unwrap());
        assert_eq!(
            (shape("........"), shape("............"), shape("X.......")),
            (Some(3.0), Some(6.0), None)
        );
        let mut team = [0; COLUMNS.len()];
        team[5] = 2;
        assert_eq!(strengths.tactical(&team), 2.0);
        for wrong in ["shape ......... 1", "shape ............ 1", "lines 1", "line x", "line -1"] {
            let why = Strengths::read(&format!("# header\n{wrong}")).unwrap_err();
            assert!(why.starts_with("line 2"), "{why}");
        }
    }

    #[test]
    fn the_learned_ones_prefer_saving_stones_to_the_first_line() {
        let strengths = Strengths::learned();
        let with = |column: &str, feature| {
            let mut team = [0; COLUMNS.len()];
            team[COLUMNS.iter().position(|&name| name == column).unwrap()] = feature;
            strengths.tactical(&team)
        };
        assert!(with("escape", 3) > 3.0 * with("line", 1));
        assert!(with("self-atari", 2) < 1.0);
    }
}
