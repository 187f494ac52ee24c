//! Ranges of distances in metres, as answers to choose from.

use std::collections::BTreeSet;

/// Where a range ends and the next one begins, in metres. The last range has no end.
const BOUNDS: [f64; 7] = [2.0, 4.0, 7.0, 11.0, 16.0, 25.0, 40.0];
/// The number of ranges that a question offers.
const OFFERED: usize = 4;
/// A distance within this of a bound is too close to call, in metres.
const CLEAR: f64 = 0.2;

/// The index of the range of a distance.
fn range_of(distance: f64) -> usize {
    BOUNDS.iter().filter(|bound| distance >= **bound).count()
}

/// A range in words: `4 to 7 m`.
fn name(range: usize) -> String {
    let least = range.checked_sub(1).and_then(|before| BOUNDS.get(before)).copied().unwrap_or(0.0);
    match BOUNDS.get(range) {
        Some(most) => format!("{least} to {most} m"),
        None => format!("more than {least} m"),
    }
}

/// Four ranges in order, among them that of the distance, and that one. The wrong ones are those of other distances first, then
/// the others; the seed says with which to begin. `None` if the distance is close to a bound.
pub(super) fn offered(
    distance: f64,
    others: impl Iterator<Item = f64>,
    seed: u64,
) -> Option<(Vec<String>, String)> {
    if BOUNDS.iter().any(|bound| (distance - bound).abs() < CLEAR) {
        return None;
    }
    let right = range_of(distance);
    let of_others: BTreeSet<usize> = others.map(range_of).collect();
    let (mut wrong, mut rest): (Vec<usize>, Vec<usize>) =
        (0..=BOUNDS.len()).filter(|range| *range != right).partition(|range| of_others.contains(range));
    for ranges in [&mut wrong, &mut rest] {
        let count = u64::try_from(ranges.len().max(1)).unwrap_or(1);
        ranges.rotate_left(usize::try_from(seed % count).unwrap_or(0));
    }
    let mut offered: Vec<usize> = wrong.into_iter().chain(rest).take(OFFERED - 1).chain([right]).collect();
    offered.sort_unstable();
    Some((offered.into_iter().map(name).collect(), name(right)))
}

/// The offered range that has this distance, or else the nearest one; `None` if none is a range.
pub(super) fn nearest_of(distance: f64, offered: &[String]) -> Option<String> {
    let right = range_of(distance);
    let ranges = (0..=BOUNDS.len()).filter(|range| offered.contains(&name(*range)));
    ranges.min_by_key(|range| range.abs_diff(right)).map(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_ranges_are_offered_in_order_with_those_of_others() {
        let (words, right) = offered(5.0, [5.0, 12.0, 30.0, 60.0].into_iter(), 0).unwrap();
        assert_eq!(
            (words.join(", "), &*right),
            ("4 to 7 m, 11 to 16 m, 25 to 40 m, more than 40 m".into(), "4 to 7 m")
        );
        let few = offered(1.0, [1.0].into_iter(), 0).unwrap().0;
        assert_eq!(few, ["0 to 2 m", "2 to 4 m", "4 to 7 m", "7 to 11 m"]);
        let other = offered(1.0, [1.0].into_iter(), 5).unwrap().0;
        assert!(other != few && other.contains(&"0 to 2 m".to_owned()), "{other:?}");
        assert_eq!(offered(3.9, std::iter::empty(), 0), None, "too close to call");
    }

    #[test]
    fn a_distance_outside_of_the_offered_ranges_is_answered_with_the_nearest() {
        let words = ["0 to 2 m", "11 to 16 m", "25 to 40 m"].map(str::to_owned);
        for (distance, range) in
            [(1.0, "0 to 2 m"), (12.0, "11 to 16 m"), (9.0, "11 to 16 m"), (90.0, "25 to 40 m")]
        {
            assert_eq!(nearest_of(distance, &words).as_deref(), Some(range));
        }
        assert_eq!(nearest_of(1.0, &[]), None);
    }
}
