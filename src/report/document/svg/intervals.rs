//! The picture of means with their intervals.

use super::{at, ends, path, picture, text, tick, ticks};
use crate::document::{Intervals, MeanInterval};

/// The left and the right end of the plane.
const PLANE: (f64, f64) = (330.0, 800.0);
/// The height of a row, and of what is above the first one.
const ROW: f64 = 26.0;
const TOP: f64 = 26.0;

/// Half of the width of a long name of a line, and what is to the right of the plane.
const NAME: f64 = 90.0;
const MARGIN: f64 = 38.0;

/// A horizontal axis.
struct Axis {
    low: f64,
    high: f64,
    bottom: f64,
}

impl Axis {
    fn x(&self, value: f64) -> f64 {
        PLANE.0 + (PLANE.1 - PLANE.0) * (value - self.low) / (self.high - self.low)
    }

    fn draw(&self) -> String {
        let mut content = String::new();
        for value in ticks(self.low, self.high) {
            let x = self.x(value);
            content += &path(&format!("M{x:.1} {TOP}V{:.1}", self.bottom), "stroke=\"#e4e4e4\"");
            content += &text(x, self.bottom + 18.0, "text-anchor=\"middle\"", &tick(value));
        }
        content
    }
}

/// A row per mean, with its interval as a line, and vertical lines for baselines.
pub(in crate::document) fn intervals(shown: &Intervals, title: &str) -> String {
    let of_rows = shown.rows.iter().flat_map(|row| {
        let (low, high) = row.interval.unwrap_or((row.mean, row.mean));
        [row.mean, low, high]
    });
    let (low, high) = ends(of_rows.chain(shown.levels.iter().map(|(_, value)| *value)));
    let axis = Axis { low, high, bottom: TOP + ROW * at(shown.rows.len()) };
    let mut content = axis.draw();
    for (index, line) in shown.levels.iter().enumerate() {
        content += &level(index, line, &axis);
    }
    for (index, found) in shown.rows.iter().enumerate() {
        content += &row(index, found, &axis);
    }
    picture((PLANE.1 + MARGIN + 2.0, axis.bottom + 30.0), title, &content)
}

/// A vertical line with its name above it.
fn level(index: usize, (name, value): &(String, f64), axis: &Axis) -> String {
    let x = axis.x(*value);
    let dash = ["7 3", "2 3", "9 3 2 3"][index % 3];
    let style = format!("stroke=\"#555\" stroke-dasharray=\"{dash}\"");
    let line = path(&format!("M{x:.1} {TOP}V{:.1}", axis.bottom), &style);
    let y = if index.is_multiple_of(2) { 10.0 } else { 22.0 };
    // A name near the right end would be cut there.
    let (at, anchor) = if x > PLANE.1 - NAME { (PLANE.1 + MARGIN, "end") } else { (x, "middle") };
    let style = format!("text-anchor=\"{anchor}\" fill=\"#333\" font-size=\"11\"");
    line + &text(at, y, &style, &format!("{name} {value:.1}"))
}

fn row(index: usize, MeanInterval { name, mean, interval }: &MeanInterval, axis: &Axis) -> String {
    let y = TOP + ROW * (at(index) + 0.5);
    let mut content = text(PLANE.0 - 10.0, y + 4.0, "text-anchor=\"end\"", name);
    if let Some((low, high)) = interval {
        let low = axis.x(*low);
        let high = axis.x(*high);
        let end = y - 4.0;
        let along = format!("M{low:.1} {y:.1}H{high:.1}M{low:.1} {end:.1}v8M{high:.1} {end:.1}v8");
        content += &path(&along, "stroke=\"#111\" stroke-width=\"1.5\"");
    }
    content + &format!("<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"#111\"/>\n", axis.x(*mean))
}
