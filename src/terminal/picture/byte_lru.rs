//! A cache with a limit in bytes that drops what was used least recently, but nothing that was used since its last round
//! began.

use std::collections::VecDeque;

/// Values with their sizes, the one that was used last at the end.
#[derive(Debug)]
pub(super) struct ByteLru<V> {
    values: VecDeque<Kept<V>>,
    bytes: usize,
    limit: usize,
    round: u64,
}

#[derive(Debug)]
struct Kept<V> {
    value: V,
    bytes: usize,
    /// The round in which it was used last.
    round: u64,
}

impl<V> ByteLru<V> {
    /// An empty cache for at most this many bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self { values: VecDeque::new(), bytes: 0, limit, round: 0 }
    }

    /// Begins a round: what is used from now on stays until the next one begins, even beyond the limit.
    pub(super) fn begin_round(&mut self) {
        self.round += 1;
    }

    /// Whether a value fits this test; it becomes the one that was used last.
    pub(super) fn touch(&mut self, is_wanted: impl Fn(&V) -> bool) -> bool {
        let found = self.values.iter().rposition(|kept| is_wanted(&kept.value));
        let moved = found.and_then(|index| self.values.remove(index));
        let round = self.round;
        moved.map(|kept| self.values.push_back(Kept { round, ..kept })).is_some()
    }

    /// The value that was used last of those that fit this test.
    pub(super) fn find(&self, is_wanted: impl Fn(&V) -> bool) -> Option<&V> {
        self.values.iter().rev().map(|kept| &kept.value).find(|value| is_wanted(value))
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Adds a value of this many bytes and drops others until the limit is kept. The value itself stays.
    pub(super) fn insert(&mut self, value: V, bytes: usize) {
        self.values.push_back(Kept { value, bytes, round: self.round });
        self.bytes += bytes;
        let is_old = |kept: &Kept<V>| kept.round < self.round;
        while self.bytes > self.limit && self.values.front().is_some_and(is_old) {
            self.bytes -= self.values.pop_front().map_or(0, |kept| kept.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(cache: &ByteLru<i32>, value: i32) -> bool {
        cache.find(|kept| *kept == value).is_some()
    }

    #[test]
    fn the_least_recently_used_values_are_dropped_at_the_limit() {
        let mut cache = ByteLru::new(10);
        for value in 1..=3 {
            cache.begin_round();
            cache.insert(value, 4);
        }
        assert!(!cache.touch(|value| *value == 1), "12 bytes are too many");
        cache.begin_round();
        assert!(cache.touch(|value| *value == 2));
        assert_eq!(cache.find(|_| true), Some(&2));
        cache.begin_round();
        cache.insert(4, 4);
        assert!(!has(&cache, 3) && has(&cache, 2) && has(&cache, 4));
        cache.begin_round();
        cache.insert(5, 100);
        assert_eq!((cache.len(), has(&cache, 5), cache.bytes), (1, true, 100));
    }

    #[test]
    fn what_was_used_in_this_round_stays_beyond_the_limit() {
        let mut cache = ByteLru::new(10);
        cache.insert(1, 8);
        cache.begin_round();
        assert!(cache.touch(|value| *value == 1));
        for value in 2..=4 {
            cache.insert(value, 8);
        }
        assert!((1..=4).all(|value| has(&cache, value)));
        cache.begin_round();
        cache.insert(5, 8);
        assert_eq!((cache.len(), cache.bytes), (1, 8));
    }
}
