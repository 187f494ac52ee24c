//! Which pixels of a canvas a shape covers, and how much of each.

use std::ops::Range;

use super::shapes::Shape;

/// Calls `each` with ranges of pixels that a shape covers, in a canvas of this size, and their coverage, 255 for all.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "coverage 0 to 1")]
pub(super) fn covered(shape: &impl Shape, [width, height]: [u32; 2], mut each: impl FnMut(Range<usize>, u8)) {
    for row in within(shape.rows(), height) {
        let y = middle(row);
        let start = row as usize * width as usize;
        let span = within(shape.span(y), width);
        let core = within(shape.core(y), width);
        let solid = if core.is_empty() { span.end..span.end } else { core };
        if !solid.is_empty() {
            each(start + solid.start as usize..start + solid.end as usize, u8::MAX);
        }
        for column in (span.start..solid.start).chain(solid.end..span.end) {
            let cover = (shape.cover(middle(column), y) * 255.0 + 0.5) as u8;
            if cover > 0 {
                let at = start + column as usize;
                each(at..at + 1, cover);
            }
        }
    }
}

/// The pixels of a side whose middles are in this range.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded")]
pub(super) fn within([from, to]: [f32; 2], side: u32) -> Range<u32> {
    let bounded = |edge: f32| (edge.clamp(0.0, 32_768.0) as u32).min(side);
    bounded((from - 0.5).ceil())..bounded((to + 0.5).floor())
}

/// The middle of a pixel.
#[expect(clippy::cast_precision_loss, reason = "within the canvas")]
fn middle(index: u32) -> f32 {
    index as f32 + 0.5
}
