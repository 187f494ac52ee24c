//! Distances on the pitch in metres.

use crate::METRES;

/// The metres between two places in public units.
pub(super) fn gap(one: [f64; 2], other: [f64; 2]) -> f64 {
    let [x, y] = [0, 1].map(|axis| (one[axis] - other[axis]) * METRES[axis]);
    libm::hypot(x, y)
}

/// The index of the nearest of these places, with its distance in metres.
pub(super) fn nearest_to(from: [f64; 2], places: &[[f64; 2]]) -> Option<(usize, f64)> {
    let gaps = places.iter().map(|place| gap(from, *place)).enumerate();
    gaps.min_by(|(_, one), (_, other)| one.total_cmp(other))
}
