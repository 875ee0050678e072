//! Curves as SVG files.

use std::error::Error;
use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use crate::lab::estimate::number;

const SIZE: (u32, u32) = (960, 540);

/// The most numbers at the horizontal axis.
const LABELS: usize = 12;

/// Lines with at most so many points show them.
const FEW_POINTS: usize = 40;

/// How much further than its values a logarithmic axis goes.
const ROOM: f64 = 1.2;

/// A named line through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// As the legend shows it.
    pub name: String,
    /// The points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// How the upright axis is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upright {
    /// Evenly.
    Linear,
    /// By powers of ten; values that are not above zero are left out.
    Logarithmic,
}

/// Draws curves over a common axis.
pub fn draw(path: &Path, title: &str, axes: [&str; 2], upright: Upright, curves: &[Curve]) -> Result<()> {
    plot(path, title, axes, upright, curves).map_err(|why| anyhow!("{}: {why}", path.display()))
}

fn plot(
    path: &Path,
    title: &str,
    axes: [&str; 2],
    upright: Upright,
    curves: &[Curve],
) -> Result<(), Box<dyn Error>> {
    let is_shown = |point: &&(f64, f64)| upright == Upright::Linear || point.1 > 0.0;
    let all = || curves.iter().flat_map(|curve| &curve.points).filter(is_shown);
    let (left, right) = span(all().map(|p| p.0));
    let (low, high) = span(all().map(|p| p.1));
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut builder = ChartBuilder::on(&root);
    builder
        .caption(title, ("sans-serif", 22))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(if upright == Upright::Linear { 60 } else { 90 });
    match upright {
        Upright::Linear => {
            let chart = builder.build_cartesian_2d(left..right, low..high)?;
            fill(chart, axes, SeriesLabelPosition::UpperRight, curves)?;
        }
        Upright::Logarithmic => {
            let chart = builder.build_cartesian_2d(left..right, (low / ROOM..high * ROOM).log_scale())?;
            // What takes powers of ten grows to the right.
            fill(chart, axes, SeriesLabelPosition::UpperLeft, curves)?;
        }
    }
    root.present()?;
    Ok(())
}

type Plane<'a, 'b, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, Y>>;

/// Draws axes, curves and legend.
fn fill<'a, 'b: 'a, Y: Ranged<ValueType = f64> + ValueFormatter<f64>>(
    mut chart: Plane<'a, 'b, Y>,
    [x_name, y_name]: [&str; 2],
    legend: SeriesLabelPosition,
    curves: &[Curve],
) -> Result<(), Box<dyn Error>> {
    let across = chart.x_range();
    let mut columns = curves.iter().flat_map(|curve| &curve.points).map(|point| point.0);
    // Between whole numbers there is nothing to be read.
    let is_whole = columns.all(|x| x.fract() == 0.0);
    let labels = if is_whole { (across.end - across.start) as usize + 1 } else { LABELS };
    chart
        .configure_mesh()
        .x_desc(x_name)
        .y_desc(y_name)
        .x_labels(labels.min(LABELS))
        .x_label_formatter(&|x| number(*x))
        .y_label_formatter(&|y| number(*y))
        .light_line_style(WHITE)
        .draw()?;
    for (i, curve) in curves.iter().enumerate() {
        let colour = Palette99::pick(i).to_rgba();
        let line = LineSeries::new(curve.points.iter().copied(), colour.stroke_width(1));
        chart
            .draw_series(line)?
            .label(&curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
        if curve.points.len() <= FEW_POINTS {
            chart.draw_series(curve.points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
        }
    }
    chart
        .configure_series_labels()
        .position(legend)
        .label_font(("sans-serif", 10))
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.2))
        .draw()?;
    Ok(())
}

/// The range of some numbers, never empty.
fn span(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = numbers.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
    if low < high { (low, high) } else { (low.min(0.0) - 1.0, high.max(0.0) + 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_holds_its_curves() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("curve.svg");
        let curve = Curve { name: "pieces".to_owned(), points: vec![(0.0, 0.0), (1.0, 30.0), (2.0, 1e6)] };
        // Powers of ten have no place for nothing.
        for (upright, first) in [(Upright::Linear, "0"), (Upright::Logarithmic, "1")] {
            draw(&path, "Weights", ["moves", "weight"], upright, std::slice::from_ref(&curve)).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains("polyline") && text.contains("pieces") && text.contains("Weights"));
            let labels: Vec<&str> =
                text.lines().map(str::trim).filter(|line| line.starts_with(char::is_numeric)).collect();
            assert!([first, "1", "2", "1 000 000"].iter().all(|label| labels.contains(label)), "{labels:?}");
            assert!(!labels.iter().any(|label| label.contains('.')), "{labels:?}");
        }
        let nowhere = folder.path().join("no/such/folder.svg");
        assert!(draw(&nowhere, "", ["", ""], Upright::Linear, &[]).is_err());
    }
}
