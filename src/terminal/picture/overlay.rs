//! Marks of an action in the pixels of a picture: light with a dark rim, so that they show on any ground.

use std::sync::Arc;

use mageyard_domain::{ActionShape, Picture};

/// The colours of the middle of a mark and of its rim.
const INKS: [[u8; 3]; 2] = [[255, 236, 64], [16, 16, 24]];
/// The share of the smaller side of a picture without tiles that a mark is thick.
const THIN: f64 = 160.0;
/// The share of a tile that a mark is thick.
const TILE: f64 = 8.0;
/// The length and half of the width of the tip of an arrow, by its thickness.
const TIP: (f64, f64) = (3.2, 2.2);
/// The radius of the ring around a point, by its thickness.
const RING: f64 = 3.0;

type Point = (f64, f64);

/// The same picture with these marks; a part of the picture is marked in cells.
pub fn with_shapes(picture: &Arc<Picture>, shapes: &[ActionShape]) -> Picture {
    let width = picture.width();
    let height = picture.height();
    let thick = match picture.grain() {
        1 => f64::from(width.min(height)) / THIN,
        grain => f64::from(grain) / TILE,
    };
    let shapes: Vec<ActionShape> = shapes.to_vec();
    picture.painted_over(move |pixels| {
        for shape in &shapes {
            draw(pixels, (width, height), shape, thick.max(1.0));
        }
    })
}

fn draw(pixels: &mut [u8], size: (u32, u32), shape: &ActionShape, thick: f64) {
    let middle = |(x, y): (i64, i64)| (as_float(x) + 0.5, as_float(y) + 0.5);
    match shape {
        ActionShape::Arrow { from, to } => {
            let from = middle(*from);
            let to = middle(*to);
            let length = (to.0 - from.0).hypot(to.1 - from.1).max(f64::EPSILON);
            let tip = (TIP.0 * thick).min(length * 0.6);
            let way = ((to.0 - from.0) / length, (to.1 - from.1) / length);
            let neck = (to.0 - way.0 * tip, to.1 - way.1 * tip);
            let distance = |at: Point| {
                let shaft = from_segment(at, from, neck) - thick / 2.0;
                // Along the tip and beside it.
                let along = (at.0 - neck.0) * way.0 + (at.1 - neck.1) * way.1;
                let beside = ((at.0 - neck.0) * way.1 - (at.1 - neck.1) * way.0).abs();
                let wide = TIP.1 * thick * (1.0 - along / tip);
                shaft.min((-along).max(beside - wide))
            };
            fill(pixels, size, (from, to), 2.0 * TIP.1 * thick, thick, distance);
        }
        ActionShape::Point { at, .. } => {
            let at = middle(*at);
            let ring =
                |place: Point| ((place.0 - at.0).hypot(place.1 - at.1) - RING * thick).abs() - thick / 2.0;
            fill(pixels, size, (at, at), 2.0 * RING * thick, thick, ring);
        }
        ActionShape::Area(_) => {}
    }
}

/// Colours the pixels near two places by their distance from a mark: its middle, and a rim of half its thickness.
fn fill(
    pixels: &mut [u8],
    (width, height): (u32, u32),
    (one, other): (Point, Point),
    margin: f64,
    thick: f64,
    distance: impl Fn(Point) -> f64,
) {
    let range = |one: f64, other: f64, side: u32| {
        let inside = |at: f64| at.clamp(0.0, f64::from(side));
        (pixel(inside(one.min(other) - margin)), pixel(inside(one.max(other) + margin + 1.0)))
    };
    let columns = range(one.0, other.0, width);
    let rows = range(one.1, other.1, height);
    for y in rows.0..rows.1 {
        for x in columns.0..columns.1 {
            let far = distance((f64::from(x) + 0.5, f64::from(y) + 0.5));
            let ink = if far <= 0.0 { INKS[0] } else { INKS[1] };
            let at = (y as usize * width as usize + x as usize) * 3;
            if far <= (thick / 2.0).max(1.0)
                && let Some(target) = pixels.get_mut(at..at + 3)
            {
                target.copy_from_slice(&ink);
            }
        }
    }
}

/// The distance of a place from a segment.
fn from_segment(at: Point, from: Point, to: Point) -> f64 {
    let dx = to.0 - from.0;
    let dy = to.1 - from.1;
    let square = (dx * dx + dy * dy).max(f64::EPSILON);
    let along = (((at.0 - from.0) * dx + (at.1 - from.1) * dy) / square).clamp(0.0, 1.0);
    (at.0 - from.0 - along * dx).hypot(at.1 - from.1 - along * dy)
}

#[expect(clippy::cast_precision_loss, reason = "places of pictures are far below 2^52")]
fn as_float(value: i64) -> f64 {
    value as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the side of a picture"
)]
fn pixel(value: f64) -> u32 {
    value as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(shape: ActionShape, grain: u32) -> impl Fn(usize, usize) -> [u8; 3] {
        let picture = Arc::new(Picture::painted(64, 48, grain, |pixels| pixels.fill(100)).unwrap());
        let pixels = with_shapes(&picture, &[shape]).pixels().unwrap();
        move |x, y| pixels[(y * 64 + x) * 3..][..3].try_into().unwrap()
    }

    #[test]
    fn an_arrow_goes_from_one_place_to_the_other_and_widens_at_its_tip() {
        let at = marked(ActionShape::Arrow { from: (24, 24), to: (40, 24) }, 16);
        assert_eq!([at(24, 24), at(30, 24), at(38, 24)], [INKS[0]; 3]);
        assert_eq!((at(28, 28), at(35, 26)), ([100; 3], INKS[0]), "the tip is wider than the shaft");
        assert_eq!((at(28, 26), at(50, 24), at(10, 24)), (INKS[1], [100; 3], [100; 3]));
    }

    #[test]
    fn marks_outside_of_the_picture_are_left_out_and_a_point_is_a_ring() {
        let at = marked(ActionShape::Arrow { from: (-500, -10), to: (900, -10) }, 1);
        assert!((0..64).all(|x| at(x, 5) == [100; 3]));
        let at = marked(ActionShape::Point { at: (32, 24), label: String::new() }, 16);
        assert_eq!((at(32, 24), at(38, 24), at(32, 18)), ([100; 3], INKS[0], INKS[0]));
    }

    #[test]
    fn the_marked_picture_keeps_its_tiles() {
        let picture = Arc::new(Picture::painted(64, 48, 16, |_| {}).unwrap().with_detail(3));
        let marked = with_shapes(&picture, &[]);
        assert_eq!((marked.width(), marked.height(), marked.grain(), marked.detail()), (64, 48, 16, 3));
    }
}
