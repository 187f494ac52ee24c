//! The picture of curves.

use super::{at, path, picture, text, tick, ticks};
use crate::document::{Curve, Curves};

/// The plane of a picture of curves: left, top, right, bottom.
const PLANE: (f64, f64, f64, f64) = (56.0, 14.0, 520.0, 320.0);
/// The size of a picture of curves without its legend.
const CURVES_SIZE: (f64, f64) = (800.0, 366.0);
/// The height of a row of the legend.
const LEGEND_ROW: f64 = 20.0;
/// Dashes, colours and markers of curves, in turn.
const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];
const COLOURS: [&str; 6] = ["#0b4f8a", "#b3470b", "#1b6e3c", "#7a3b8f", "#8a6d00", "#444444"];
const MARKERS: [char; 6] = ['●', '■', '▲', '◆', '▼', '✚'];

/// The most markers of a curve, about.
const MARKED: usize = 12;

/// The most curves that have a band: more of them hide each other, and the table has all intervals.
const MOST_BANDS: usize = 6;

/// The scales of a picture.
struct Scale {
    most: f64,
    low: f64,
    high: f64,
}

impl Scale {
    fn of(curves: &Curves) -> Self {
        let points = curves.lines.iter().flat_map(|line| &line.points);
        let ends = points.flat_map(|point| {
            let (low, high) = point.band.unwrap_or((point.y, point.y));
            [low, high, point.y]
        });
        let (low, high) = super::ends(ends.chain(curves.levels.iter().map(|(_, value)| *value)));
        let most = curves.lines.iter().map(|line| line.points.len()).max().unwrap_or(1);
        Self { most: at(most), low, high }
    }

    fn x(&self, n: usize) -> f64 {
        PLANE.0 + (PLANE.2 - PLANE.0) * (at(n) - 0.75) / (self.most - 0.5)
    }

    fn y(&self, value: f64) -> f64 {
        PLANE.3 - (PLANE.3 - PLANE.1) * (value - self.low) / (self.high - self.low)
    }
}

/// Curves with their bands, horizontal lines for what does not depend on the number, and a legend.
pub(in crate::document) fn curves(curves: &Curves, title: &str) -> String {
    let scale = Scale::of(curves);
    let mut content = axes(curves, &scale);
    for (index, (name, value)) in curves.levels.iter().enumerate() {
        content += &level(index, name, *value, &scale);
    }
    if curves.lines.len() <= MOST_BANDS {
        content.extend(curves.lines.iter().enumerate().map(|(index, line)| band(index, line, &scale)));
    }
    for (index, line) in curves.lines.iter().enumerate() {
        content += &curve(index, line, &scale);
    }
    let height = (PLANE.1 + LEGEND_ROW * at(curves.lines.len() + 1)).max(CURVES_SIZE.1);
    picture((CURVES_SIZE.0, height), title, &content)
}

fn axes(curves: &Curves, scale: &Scale) -> String {
    let (left, top, right, bottom) = PLANE;
    let mut content = path(&format!("M{left} {top}V{bottom}H{right}"), "fill=\"none\" stroke=\"#111\"");
    for value in ticks(scale.low, scale.high) {
        let y = scale.y(value);
        content += &path(&format!("M{left} {y:.1}H{right}"), "stroke=\"#e4e4e4\"");
        content += &text(left - 6.0, y + 4.0, "text-anchor=\"end\"", &tick(value));
    }
    let most = curves.lines.iter().map(|line| line.points.len()).max().unwrap_or(1);
    let every = most.div_ceil(16);
    for n in (1..=most).filter(|n: &usize| (n - 1).is_multiple_of(every)) {
        content +=
            &text(scale.x(n), bottom + 18.0, "text-anchor=\"middle\"", &(n - 1 + curves.first).to_string());
    }
    content + &text(f64::midpoint(left, right), bottom + 38.0, "text-anchor=\"middle\"", curves.x)
}

/// A horizontal line with its name above it, in turn at its right and at its left end.
fn level(index: usize, name: &str, value: f64, scale: &Scale) -> String {
    let y = scale.y(value);
    let dash = DASHES[1 + index % 3];
    let style = format!("stroke=\"#555\" stroke-dasharray=\"{dash}\" fill=\"none\"");
    let line = path(&format!("M{} {y:.1}H{}", PLANE.0, PLANE.2), &style);
    let (x, anchor) = if index.is_multiple_of(2) { (PLANE.2 - 4.0, "end") } else { (PLANE.0 + 4.0, "start") };
    let style = format!("text-anchor=\"{anchor}\" fill=\"#333\" font-size=\"12\"");
    line + &text(x, y - 4.0, &style, &format!("{name} {value:.2}"))
}

/// The band of a curve; nothing if it has none.
fn band(index: usize, line: &Curve, scale: &Scale) -> String {
    let place = |(n, y): (usize, f64)| format!("{:.1} {:.1}", scale.x(n), scale.y(y));
    let ends = |end: fn((f64, f64)) -> f64| {
        line.points.iter().zip(1..).filter_map(move |(point, n)| Some((n, end(point.band?)))).map(place)
    };
    let mut around: Vec<String> = ends(|band| band.0).collect();
    around.extend(ends(|band| band.1).collect::<Vec<_>>().into_iter().rev());
    if around.is_empty() {
        return String::new();
    }
    let style = format!("fill=\"{}\" fill-opacity=\"0.12\"", COLOURS[index % COLOURS.len()]);
    path(&format!("M{}Z", around.join("L")), &style)
}

/// A curve with its markers and its row of the legend.
fn curve(index: usize, line: &Curve, scale: &Scale) -> String {
    let colour = COLOURS[index % COLOURS.len()];
    let dash = DASHES[index % DASHES.len()];
    let marker = MARKERS[index % MARKERS.len()];
    let place = |(n, y): (usize, f64)| format!("{:.1} {:.1}", scale.x(n), scale.y(y));
    let points: Vec<String> = line.points.iter().zip(1..).map(|(point, n)| place((n, point.y))).collect();
    let style = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"");
    let mut content = path(&format!("M{}", points.join("L")), &style);
    let style = format!("text-anchor=\"middle\" fill=\"{colour}\"");
    let every = line.points.len().div_ceil(MARKED);
    // Curves that lie on each other have their markers at different places.
    let is_marked = |n: usize| n == line.points.len() || (n + index).is_multiple_of(every);
    for (point, n) in line.points.iter().zip(1..).filter(|(_, n)| is_marked(*n)) {
        content += &text(scale.x(n), scale.y(point.y) + 4.5, &style, &marker.to_string());
    }
    let y = PLANE.1 + LEGEND_ROW * (at(index) + 0.6);
    content + &text(PLANE.2 + 24.0, y, &style, &marker.to_string()) + &text(PLANE.2 + 38.0, y, "", &line.name)
}
