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

/// The part of a picture's width that a legend takes, and of its height for each curve.
const LEGEND_WIDTH: f64 = 0.3;
const LEGEND_LINE: f64 = 0.035;

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
            let height = |y| (y - low) / (high - low);
            fill(chart, axes, emptiest_corner(curves, |x| (x - left) / (right - left), height), curves)?;
        }
        Upright::Logarithmic => {
            let chart = builder.build_cartesian_2d(left..right, (low / ROOM..high * ROOM).log_scale())?;
            let height = |y: f64| (y / low).ln() / (high / low).ln();
            fill(chart, axes, emptiest_corner(curves, |x| (x - left) / (right - left), height), curves)?;
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

/// The corner in which a legend hides the fewest points, whose places across and upright are from 0 to 1.
fn emptiest_corner(
    curves: &[Curve],
    across: impl Fn(f64) -> f64,
    upright: impl Fn(f64) -> f64,
) -> SeriesLabelPosition {
    let (width, height) = (LEGEND_WIDTH, LEGEND_LINE * (curves.len() + 1) as f64);
    let hidden = |right: bool, upper: bool| {
        let is_there = |place: f64, far: bool, size: f64| if far { place > 1.0 - size } else { place < size };
        let points = curves.iter().flat_map(|curve| &curve.points);
        points
            .filter(|p| is_there(across(p.0), right, width) && is_there(upright(p.1), upper, height))
            .count()
    };
    let corners = [
        (SeriesLabelPosition::UpperRight, hidden(true, true)),
        (SeriesLabelPosition::UpperLeft, hidden(false, true)),
        (SeriesLabelPosition::LowerRight, hidden(true, false)),
        (SeriesLabelPosition::LowerLeft, hidden(false, false)),
    ];
    let [first, others @ ..] = corners;
    others.into_iter().fold(first, |best, corner| if corner.1 < best.1 { corner } else { best }).0
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
    fn a_legend_lies_where_no_points_are() {
        let legend = |points: &[(f64, f64)]| {
            let curve = Curve { name: String::new(), points: points.to_vec() };
            emptiest_corner(&[curve], |x| x, |y| y)
        };
        let is_upper_right = |found| matches!(found, SeriesLabelPosition::UpperRight);
        assert!(is_upper_right(legend(&[(0.0, 0.0), (0.5, 1.0)])));
        assert!(matches!(legend(&[(1.0, 1.0), (0.5, 0.5)]), SeriesLabelPosition::UpperLeft));
        assert!(matches!(legend(&[(0.0, 0.0), (0.0, 1.0), (1.0, 1.0)]), SeriesLabelPosition::LowerRight));
    }

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
