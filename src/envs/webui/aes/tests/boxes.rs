//! Boxes with inclusive borders.

use super::super::bounds::Bounds;
use super::builder::element;
use crate::snapshot::Element;

fn bounds(x: f64, y: f64, w: f64, h: f64) -> Bounds {
    Bounds::of(&Element { x, y, w, h, ..element() })
}

fn assert_boxes(other: [f64; 4], giou: f64, position: f64) {
    let first = bounds(0.0, 0.0, 9.0, 9.0);
    let second = bounds(other[0], other[1], other[2], other[3]);
    for (first, second) in [(&first, &second), (&second, &first)] {
        assert!((first.giou(second) - giou).abs() < 1e-12, "{other:?}: GIoU {}", first.giou(second));
        assert!((first.position(second) - position).abs() < 1e-12, "{other:?}: {}", first.position(second));
    }
}

/// All are compared with a box of 9 by 9, so of an inclusive area of 100.
#[test]
fn boxes_are_one_pixel_longer_on_each_side() {
    assert_boxes([0.0, 0.0, 9.0, 9.0], 1.0, 1.0);
    assert_boxes([0.0, 0.0, 4.0, 4.0], 0.25, 1.0);
    assert_boxes([5.0, 0.0, 9.0, 9.0], 50.0 / 150.0, 0.75);
    // They touch: the borders overlap by a pixel.
    assert_boxes([9.0, 0.0, 9.0, 9.0], 10.0 / 190.0, 0.55);
    // One pixel further nothing overlaps, and the hull has no gap.
    assert_boxes([10.0, 0.0, 9.0, 9.0], 0.0, 0.5);
    assert_boxes([20.0, 0.0, 9.0, 9.0], -100.0 / 300.0, 1.0 / 3.0);
    assert_boxes([5.0, 5.0, 9.0, 9.0], 25.0 / 175.0 - 50.0 / 225.0, 0.625);
    assert_boxes([0.5, 0.0, 9.0, 9.0], 95.0 / 105.0, 0.975);
}

#[test]
fn boxes_far_apart_have_a_generalized_iou_near_minus_one() {
    let far = bounds(0.0, 0.0, 0.0, 0.0).giou(&bounds(1e30, 1e30, 5.0, 5.0));
    assert!((-1.0..-0.999).contains(&far), "{far}");
    let largest = f64::from(f32::MAX);
    assert!(
        bounds(-largest, -largest, largest, largest).giou(&bounds(largest, 0.0, largest, 1.0)).is_finite()
    );
}
