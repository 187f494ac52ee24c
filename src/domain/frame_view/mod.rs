//! Views of a frame for people: pictures that an environment puts together from the parts of an observation, with
//! boxes of matched pairs. They are never part of a request.

mod composed;

use std::sync::Arc;

pub use self::composed::{difference, side_by_side};
use super::{Picture, SharedDrawing};

/// A page of an observation, such as the state after an action on it, with its views.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewPage {
    /// What the page is, in few words. It may come from a level, so viewers escape it.
    pub title: String,
    /// Its views, the usual one first.
    pub views: Vec<PictureView>,
    /// The page in cells, for terminals without pixels.
    pub drawing: Option<SharedDrawing>,
}

/// A named picture of a page, with boxes to draw on it.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureView {
    /// The name in titles and commands, such as `side by side`.
    pub name: &'static str,
    /// The picture, which is put together when its pixels are asked for.
    pub picture: Arc<Picture>,
    /// The boxes on it.
    pub boxes: Option<PairBoxes>,
}

impl PictureView {
    /// A picture without boxes.
    pub fn new(name: &'static str, picture: Arc<Picture>) -> Self {
        Self { name, picture, boxes: None }
    }

    /// The same picture with these boxes.
    #[must_use]
    pub fn with_boxes(self, boxes: PairBoxes) -> Self {
        Self { boxes: Some(boxes), ..self }
    }
}

/// The boxes of pairs that were compared, in two colours.
#[derive(Clone, Debug, PartialEq)]
pub struct PairBoxes {
    /// What the first and the second box of a pair are.
    pub names: [&'static str; 2],
    /// The pairs.
    pub pairs: Vec<BoxPair>,
}

/// The boxes of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxPair {
    /// The first and the second box; `None` for one that has no counterpart.
    pub boxes: [Option<PixelBox>; 2],
    /// A short label, such as the score of the pair.
    pub label: String,
}

/// A box in pixels of a picture. It may lie outside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelBox {
    /// The left side.
    pub left: i64,
    /// The upper side.
    pub top: i64,
    /// The width.
    pub width: u32,
    /// The height.
    pub height: u32,
}

impl PixelBox {
    /// Whether a pixel is within the box.
    pub fn contains(self, x: i64, y: i64) -> bool {
        let within = |at: i64, start: i64, length: u32| (0..i64::from(length)).contains(&(at - start));
        within(x, self.left, self.width) && within(y, self.top, self.height)
    }

    /// The number of its pixels.
    pub fn area(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

impl PairBoxes {
    /// The pair with the smallest box that contains a pixel.
    pub fn pair_at(&self, x: i64, y: i64) -> Option<usize> {
        let area = |pair: &BoxPair| {
            let hit = pair.boxes.iter().flatten().filter(|one| one.contains(x, y));
            hit.map(|one| one.area()).min()
        };
        let hit = self.pairs.iter().enumerate().filter_map(|(index, pair)| Some((area(pair)?, index)));
        hit.min().map(|(_, index)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_box_at_a_pixel_decides() {
        let square = |left, side| PixelBox { left, top: 0, width: side, height: side };
        let pair = |boxes| BoxPair { boxes, label: String::new() };
        let pairs = vec![
            pair([Some(square(0, 100)), None]),
            pair([Some(square(10, 20)), Some(square(12, 20))]),
            pair([None, Some(square(-5, 8))]),
        ];
        let boxes = PairBoxes { names: ["target", "page"], pairs };
        let at = |x| boxes.pair_at(x, 2);
        assert_eq!(
            [at(-3), at(3), at(10), at(31), at(32), at(100)].map(|at| at.unwrap_or(9)),
            [2, 0, 1, 1, 0, 9]
        );
        assert_eq!(at(2), Some(2), "the box of 64 pixels is smaller than that of 10000");
    }
}
