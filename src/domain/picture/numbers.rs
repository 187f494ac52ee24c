//! Numbered boxes over a picture, such as those of the elements of a page: a box and a label with its number.

use serde::{Deserialize, Serialize};

use crate::{Canvas, CanvasColor, Rect};

/// A part of a picture with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u32, [i32; 4])", into = "(u32, [i32; 4])")]
pub struct NumberedBox {
    /// The number.
    pub number: u32,
    /// Left, top, width and height in pixels; it may reach out of the picture.
    pub rect: [i32; 4],
}

impl From<(u32, [i32; 4])> for NumberedBox {
    fn from((number, rect): (u32, [i32; 4])) -> Self {
        Self { number, rect }
    }
}

impl From<NumberedBox> for (u32, [i32; 4]) {
    fn from(numbered: NumberedBox) -> Self {
        (numbered.number, numbered.rect)
    }
}

/// The colours of boxes, one after the other: dark enough for white digits.
const COLORS: [CanvasColor; 6] =
    [[190, 20, 40], [20, 90, 200], [0, 120, 60], [150, 60, 180], [170, 80, 0], [0, 115, 130]];
const WHITE: CanvasColor = [255; 3];
/// The height of the digits in pixels.
const DIGITS: f32 = 11.0;
/// The height of a label in pixels.
const LABEL: i32 = 13;

/// Paints boxes first and labels above all of them, so that no label is crossed.
pub(super) fn paint(pixels: &mut [u8], size: (u32, u32), boxes: &[NumberedBox]) {
    if boxes.is_empty() {
        return;
    }
    let mut canvas = Canvas::new(pixels, size);
    for (index, numbered) in boxes.iter().enumerate() {
        canvas.edge(Rect(numbered.rect), 1, color(index));
    }
    for (index, numbered) in boxes.iter().enumerate() {
        let words = numbered.number.to_string();
        let width = canvas.width(DIGITS, &words) + 4;
        let [left, top] = label_at(numbered.rect, width, size);
        canvas.rect(Rect([left, top, width, LABEL]), color(index));
        canvas.text([left + 2, top + 2], DIGITS, WHITE, &words);
    }
}

fn color(index: usize) -> CanvasColor {
    COLORS[index % COLORS.len()]
}

/// Where a label begins: above the box where there is room, inside its corner otherwise, always within the picture.
fn label_at([left, top, ..]: [i32; 4], width: i32, (most_x, most_y): (u32, u32)) -> [i32; 2] {
    let limit = |side: u32, own: i32| (i32::try_from(side).unwrap_or(i32::MAX) - own).max(0);
    let top = if top >= LABEL { top - LABEL } else { top };
    [left.clamp(0, limit(most_x, width)), top.clamp(0, limit(most_y, LABEL))]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Picture;

    fn white(numbers: Vec<NumberedBox>) -> Arc<Vec<u8>> {
        let picture = Picture::painted(60, 40, 1, |pixels| pixels.fill(255)).unwrap();
        picture.with_numbers(numbers.into()).pixels().unwrap()
    }

    fn at(pixels: &[u8], x: usize, y: usize) -> [u8; 3] {
        let at = (y * 60 + x) * 3;
        [pixels[at], pixels[at + 1], pixels[at + 2]]
    }

    #[test]
    fn boxes_have_edges_and_labels_in_one_colour() {
        let pixels = white(vec![NumberedBox { number: 7, rect: [10, 20, 30, 15] }]);
        assert_eq!(at(&pixels, 39, 34), COLORS[0], "the corner");
        assert_eq!(at(&pixels, 10, 8), COLORS[0], "the label above the box");
        assert_eq!(at(&pixels, 25, 28), WHITE, "the inside");
        assert_eq!(*white(Vec::new()), vec![255; 60 * 40 * 3]);
    }

    #[test]
    fn labels_stay_within_the_picture() {
        for rect in [[-50, -50, 20, 20], [55, 38, 90, 90], [i32::MAX, i32::MIN, 1, 1]] {
            let pixels = white(vec![NumberedBox { number: 123, rect }]);
            assert!(pixels.chunks(3).any(|pixel| pixel == COLORS[0]), "{rect:?}");
        }
    }

    #[test]
    fn equal_boxes_make_equal_pictures() {
        let boxes = vec![NumberedBox { number: 1, rect: [1, 2, 30, 40] }];
        assert_eq!(serde_json::to_string(&boxes).unwrap(), "[[1,[1,2,30,40]]]");
        assert_eq!(white(boxes.clone()), white(boxes));
    }
}
