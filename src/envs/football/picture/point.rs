//! Places in a picture.

/// A place in pixels from the upper left corner.
pub(super) type Point = [f64; 2];

#[expect(clippy::cast_possible_truncation, reason = "pixels need no more than single precision")]
pub(super) fn single(value: f64) -> f32 {
    value as f32
}
