//! Curves as SVG files.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

const SIZE: (u32, u32) = (960, 540);

/// A named line through points.
pub struct Curve {
    /// As the legend shows it.
    pub name: String,
    /// The points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Draws curves over a common axis.
pub fn draw(path: &Path, title: &str, axes: [&str; 2], curves: &[Curve]) -> Result<()> {
    plot(path, title, axes, curves).map_err(|why| anyhow!("{}: {why}", path.display()))
}

fn plot(
    path: &Path,
    title: &str,
    [x_name, y_name]: [&str; 2],
    curves: &[Curve],
) -> Result<(), Box<dyn std::error::Error>> {
    let all = || curves.iter().flat_map(|curve| &curve.points);
    let (left, right) = span(all().map(|p| p.0));
    let (low, high) = span(all().map(|p| p.1));
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 22))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(left..right, low..high)?;
    chart.configure_mesh().x_desc(x_name).y_desc(y_name).light_line_style(WHITE).draw()?;
    for (i, curve) in curves.iter().enumerate() {
        let colour = Palette99::pick(i).to_rgba();
        let line = LineSeries::new(curve.points.iter().copied(), colour.stroke_width(1));
        chart
            .draw_series(line)?
            .label(&curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(("sans-serif", 10))
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.2))
        .draw()?;
    root.present()?;
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
        let curve = Curve { name: "pieces".to_owned(), points: vec![(0.0, 1.0), (1.0, 3.0)] };
        draw(&path, "Weights", ["moves", "weight"], &[curve]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("polyline") && text.contains("pieces") && text.contains("Weights"));
        let nowhere = folder.path().join("no/such/folder.svg");
        assert!(draw(&nowhere, "", ["", ""], &[]).is_err());
    }
}
