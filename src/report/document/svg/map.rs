//! The picture of a map.

use super::{at, picture, text};
use crate::document::{Map, MapCell, MapScore};

/// The size of a cell of a map.
const CELL: (f64, f64) = (168.0, 74.0);
/// Room for the names of rows and columns.
const MARGIN: (f64, f64) = (72.0, 32.0);
/// The fills of the shades, from the lowest score to the highest, and the text on them.
const FILLS: [(&str, &str); 5] =
    [("#ffffff", "#111"), ("#dedede", "#111"), ("#b4b4b4", "#111"), ("#6a6a6a", "#fff"), ("#2b2b2b", "#fff")];

/// A map: a rectangle per window, darker for higher scores, with the numbers in it.
pub(in crate::document) fn map(map: &Map, title: &str) -> String {
    let middle = "text-anchor=\"middle\" font-weight=\"600\"";
    let mut content = String::new();
    for (column, name) in map.columns.iter().enumerate() {
        content += &text(MARGIN.0 + (at(column) + 0.5) * CELL.0, MARGIN.1 - 10.0, middle, name);
    }
    for (row, (name, cells)) in map.rows.iter().enumerate() {
        let y = MARGIN.1 + at(row) * CELL.1;
        content +=
            &text(MARGIN.0 - 8.0, y + CELL.1 / 2.0 + 4.0, "text-anchor=\"end\" font-weight=\"600\"", name);
        for (column, cell) in cells.iter().enumerate() {
            content += &map_cell(cell, (MARGIN.0 + at(column) * CELL.0, y));
        }
    }
    let size =
        (MARGIN.0 + at(map.columns.len()) * CELL.0 + 2.0, MARGIN.1 + at(map.rows.len()) * CELL.1 + 2.0);
    picture(size, title, &content)
}

fn map_cell(cell: &MapCell, place: (f64, f64)) -> String {
    let centered = |dy: f64, style: &str, content: &str| {
        let style = format!("text-anchor=\"middle\" {style}");
        text(place.0 + CELL.0 / 2.0, place.1 + dy, &style, content)
    };
    match cell {
        MapCell::Score(MapScore { score, interval, verdict, shade, .. }) => {
            let (fill, ink) = FILLS[(*shade).min(4)];
            let ink = format!("fill=\"{ink}\"");
            [
                rectangle(place, fill),
                centered(26.0, &format!("{ink} font-size=\"18\" font-weight=\"600\""), score),
                centered(45.0, &ink, interval),
                centered(63.0, &ink, verdict),
            ]
            .concat()
        }
        MapCell::NotRun => rectangle(place, "#fff") + &centered(41.0, "fill=\"#555\"", "not run"),
        MapCell::Struck => rectangle(place, "url(#struck)") + &centered(46.0, "font-size=\"24\"", "×"),
    }
}

fn rectangle((x, y): (f64, f64), fill: &str) -> String {
    let (width, height) = CELL;
    format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.0}\" height=\"{height:.0}\" fill=\"{fill}\" stroke=\"#444\"/>\n"
    )
}
