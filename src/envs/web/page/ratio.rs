//! How alike two texts are, as Ratcliff and Obershelp measure it: the ratio of Python's `difflib.SequenceMatcher`, by which
//! the released code of `WebCanvas` chooses options.

use std::collections::HashMap;

/// The maximum number of characters that are compared. Python leaves out frequent characters of longer texts.
const MOST: usize = 199;

/// Twice the characters of common parts through those of both texts, from 0 to 1; 1 for two empty texts. The common
/// parts are the longest one, then those on its left and on its right, and so on. Only the first 199 characters of each
/// text are compared. It depends on which text comes first.
pub fn similarity(first: &str, second: &str) -> f64 {
    let first: Vec<char> = first.chars().take(MOST).collect();
    let second: Vec<char> = second.chars().take(MOST).collect();
    let total = first.len() + second.len();
    if total == 0 {
        return 1.0;
    }
    let common = u16::try_from(2 * common(&first, &second)).unwrap_or(u16::MAX);
    f64::from(common) / f64::from(u16::try_from(total).unwrap_or(u16::MAX))
}

/// The number of characters in common parts.
fn common(first: &[char], second: &[char]) -> usize {
    let mut places: HashMap<char, Vec<usize>> = HashMap::new();
    for (place, sign) in second.iter().enumerate() {
        places.entry(*sign).or_default().push(place);
    }
    let mut total = 0;
    let mut open = vec![(0..first.len(), 0..second.len())];
    while let Some((one, other)) = open.pop() {
        let (at, to, length) = longest(first, &places, one.clone(), other.clone());
        if length > 0 {
            total += length;
            open.push((one.start..at, other.start..to));
            open.push((at + length..one.end, to + length..other.end));
        }
    }
    total
}

/// The first of the longest common parts: its two beginnings and its length.
fn longest(
    first: &[char],
    places: &HashMap<char, Vec<usize>>,
    one: std::ops::Range<usize>,
    other: std::ops::Range<usize>,
) -> (usize, usize, usize) {
    let mut best = (one.start, other.start, 0);
    let mut lengths: HashMap<usize, usize> = HashMap::new();
    for at in one {
        let mut next = HashMap::new();
        let its = first.get(at).and_then(|sign| places.get(sign)).map_or(&[][..], Vec::as_slice);
        for to in its.iter().copied().filter(|to| other.contains(to)) {
            let length = to.checked_sub(1).and_then(|before| lengths.get(&before)).unwrap_or(&0) + 1;
            next.insert(to, length);
            if length > best.2 {
                best = (at + 1 - length, to + 1 - length, length);
            }
        }
        lengths = next;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of `difflib.SequenceMatcher(None, first, second).ratio()` in Python 3.12, as fractions.
    #[test]
    fn ratios_are_those_of_difflib() {
        for (first, second, common, total) in [
            ("", "", 1, 1),
            ("", "a", 0, 1),
            ("abcd", "bcde", 6, 8),
            ("Medium", "medium size", 10, 17),
            ("Small", "zzz", 0, 8),
            ("tide", "diet", 2, 8),
            ("diet", "tide", 4, 8),
            ("Price: low to high", "Price low to high", 34, 35),
            ("Newest first", "Newest", 12, 18),
            ("New York", "York New", 8, 16),
            ("größe", "grosse", 6, 11),
            ("abxcd", "abcd", 8, 9),
            ("private Thread currentThread;", "private volatile Thread currentThread;", 58, 67),
            ("aaaa", "aa", 4, 6),
        ] {
            assert!(
                (similarity(first, second) - f64::from(common) / f64::from(total)).abs() < 1e-12,
                "{first:?} {second:?}"
            );
        }
    }

    #[test]
    fn only_the_beginnings_of_long_texts_are_compared() {
        let long = "a".repeat(500);
        assert!((similarity(&long, &"a".repeat(199)) - 1.0).abs() < 1e-12);
    }
}
