//! The bands of a Sixel picture: six rows of pixels, one colour over the other.
//!
//! A later colour is drawn over an earlier one, so an earlier one may have any pixels where a later one follows. That
//! makes its runs longer.

use std::fmt::Write as _;

/// The rows of a band.
const ROWS: usize = 6;
/// The character of six rows without a pixel.
const EMPTY: u8 = b'?';
/// The longest run that is written out.
const SHORT_RUN: usize = 3;

/// A colour of a band, and the rows of each column that have it.
struct Layer {
    color: u8,
    columns: Vec<u8>,
}

/// Appends the bands of pixels that are numbers of colours, row by row.
pub(super) fn push_bands(text: &mut String, pixels: &[u8], width: usize) {
    for (number, band) in pixels.chunks(ROWS * width.max(1)).enumerate() {
        if number > 0 {
            text.push('-');
        }
        push_band(text, band, width);
    }
}

fn push_band(text: &mut String, band: &[u8], width: usize) {
    let mut open = vec![0_u8; width];
    for (row, pixels) in band.chunks(width).enumerate() {
        for column in open.iter_mut().take(pixels.len()) {
            *column |= 1 << row;
        }
    }
    for (number, layer) in layers(band, width).iter().enumerate() {
        if number > 0 {
            text.push('$');
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "#{}", layer.color);
        push_layer(text, &layer.columns, &open);
        for (open, rows) in open.iter_mut().zip(&layer.columns) {
            *open &= !rows;
        }
    }
}

/// The colours of a band, those with most pixels first.
fn layers(band: &[u8], width: usize) -> Vec<Layer> {
    let mut found: Vec<(usize, Layer)> = Vec::new();
    let mut places = [None; 256];
    for (row, pixels) in band.chunks(width).enumerate() {
        for (column, color) in pixels.iter().enumerate() {
            let place = *places[usize::from(*color)].get_or_insert(found.len());
            if place == found.len() {
                found.push((0, Layer { color: *color, columns: vec![0; width] }));
            }
            let (count, layer) = &mut found[place];
            *count += 1;
            layer.columns[column] |= 1 << row;
        }
    }
    found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    found.into_iter().map(|(_, layer)| layer).collect()
}

/// Appends the columns of a colour; `open` are the rows that this colour or a later one has.
fn push_layer(text: &mut String, columns: &[u8], open: &[u8]) {
    let end = columns.iter().rposition(|rows| *rows != 0).map_or(0, |last| last + 1);
    let mut at = 0;
    while at < end {
        let (rows, length) = run(&columns[at..end], &open[at..end]);
        let letter = char::from(EMPTY + rows);
        if length > SHORT_RUN {
            let _ = write!(text, "!{length}{letter}");
        } else {
            text.extend(std::iter::repeat_n(letter, length));
        }
        at += length;
    }
}

/// The longest run of columns that can have the same rows, and these rows.
fn run(columns: &[u8], open: &[u8]) -> (u8, usize) {
    let mut must = 0;
    let mut may = u8::MAX;
    for (length, (rows, open)) in columns.iter().zip(open).enumerate() {
        let next = (must | rows, may & open);
        if next.0 & !next.1 != 0 {
            return (must, length);
        }
        (must, may) = next;
    }
    (must, columns.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bands(pixels: &[u8], width: usize) -> String {
        let mut text = String::new();
        push_bands(&mut text, pixels, width);
        text
    }

    #[test]
    fn a_colour_runs_on_below_later_ones() {
        assert_eq!(bands(&[0, 0, 1, 0, 0, 0], 6), "#0!6@$#1??@");
        assert_eq!(bands(&[0, 0, 0, 1, 1, 2], 6), "#0@@@$#1???@@$#2!5?@");
    }

    #[test]
    fn a_band_has_six_rows_and_the_last_one_the_rest() {
        assert_eq!(bands(&[3; 14], 2), "#3~~-#3@@");
        assert_eq!(bands(&[], 2), "");
    }
}
