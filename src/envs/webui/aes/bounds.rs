//! Rectangles with inclusive borders, as the released code measures them: every side is one pixel longer.

use super::super::snapshot::Element;

/// The rectangle of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    area: f64,
}

impl Bounds {
    pub(super) fn of(element: &Element) -> Self {
        Self::new(element.x, element.y, element.x + element.w, element.y + element.h)
    }

    fn new(left: f64, top: f64, right: f64, bottom: f64) -> Self {
        Self { left, top, right, bottom, area: (right - left + 1.0) * (bottom - top + 1.0) }
    }

    fn intersection(&self, other: &Self) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left) + 1.0;
        let height = self.bottom.min(other.bottom) - self.top.max(other.top) + 1.0;
        width.max(0.0) * height.max(0.0)
    }

    /// The smallest rectangle around both.
    fn hull(&self, other: &Self) -> Self {
        let left = self.left.min(other.left);
        let top = self.top.min(other.top);
        Self::new(left, top, self.right.max(other.right), self.bottom.max(other.bottom))
    }

    /// The generalized intersection over union, from -1 (far apart) to 1 (equal).
    pub(super) fn giou(&self, other: &Self) -> f64 {
        let intersection = self.intersection(other);
        let union = self.area + other.area - intersection;
        let hull = self.hull(other).area;
        intersection / union - (hull - union) / hull
    }

    /// How well the positions agree, from 0 to 1: half, and half the overlap of the smaller one; without overlap by the
    /// distance.
    pub(super) fn position(&self, other: &Self) -> f64 {
        let intersection = self.intersection(other);
        if intersection > 0.0 {
            return intersection / self.area.min(other.area) / 2.0 + 0.5;
        }
        f64::midpoint(self.giou(other), 1.0)
    }
}
