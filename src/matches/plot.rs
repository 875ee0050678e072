//! The running score of the first engine with its error band, as a picture.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use super::standings::Standings;

/// The size of the picture in points.
const SIZE: (u32, u32) = (900, 500);

/// Score and error after each game.
#[derive(Debug, Default)]
pub struct Plot {
    /// Points a game and half the width of the 95 % interval.
    points: Vec<(f64, f64)>,
}

impl Plot {
    /// Takes the standing after one more game.
    pub fn add(&mut self, standings: &Standings) {
        let first = standings.achievement(0);
        let error = first.estimate().map_or(0.5, |e| e.score_error);
        self.points.push((first.tally().score(), error));
    }

    /// Writes an SVG file.
    pub fn write(&self, path: &Path, names: &[String]) -> Result<()> {
        let failed = |error: &dyn std::fmt::Display| anyhow!("cannot draw '{}': {error}", path.display());
        let mut text = String::new();
        self.draw(&mut text, names).map_err(|error| failed(&error))?;
        std::fs::write(path, text).map_err(|error| failed(&error))
    }

    fn draw(&self, text: &mut String, names: &[String]) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let title = match names {
            [first, second] => format!("Score of {first} against {second}"),
            _ => format!("Score of {}", names.first().map_or("", String::as_str)),
        };
        let last = self.points.len().max(1) as f64;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(48)
            .build_cartesian_2d(0.0..last, 0.0..1.0)?;
        chart.configure_mesh().x_desc("games").y_desc("points per game").draw()?;
        let games = || (1..).map(f64::from);
        let upper = games().zip(&self.points).map(|(n, (score, error))| (n, (score + error).min(1.0)));
        let lower = games().zip(&self.points).map(|(n, (score, error))| (n, (score - error).max(0.0)));
        let lower: Vec<_> = lower.collect();
        let band: Vec<_> = upper.chain(lower.into_iter().rev()).collect();
        chart.draw_series([Polygon::new(band, BLUE.mix(0.2))])?;
        let scores = games().zip(&self.points).map(|(n, (score, _))| (n, *score));
        chart.draw_series(LineSeries::new(scores, BLUE.stroke_width(2)))?;
        chart.draw_series(LineSeries::new([(0.0, 0.5), (last, 0.5)], BLACK.mix(0.5)))?;
        root.present()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_drawn_of_any_match() {
        for count in [0, 1, 50] {
            let plot = Plot { points: vec![(0.6, 0.1); count] };
            let mut text = String::new();
            plot.draw(&mut text, &["a".to_owned(), "b".to_owned()]).unwrap();
            assert!(text.starts_with("<svg") && text.contains("Score of a against b"), "{text}");
        }
    }
}
