//! A cache with a limit in bytes that drops what was used least recently.

use std::collections::VecDeque;

/// Values with their sizes, the one that was used last at the end.
#[derive(Debug)]
pub(super) struct ByteLru<V> {
    values: VecDeque<(V, usize)>,
    bytes: usize,
    limit: usize,
}

impl<V> ByteLru<V> {
    /// An empty cache for at most this many bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self { values: VecDeque::new(), bytes: 0, limit }
    }

    /// Whether a value fits this test; it becomes the one that was used last.
    pub(super) fn touch(&mut self, is_wanted: impl Fn(&V) -> bool) -> bool {
        let found = self.values.iter().rposition(|(value, _)| is_wanted(value));
        let moved = found.and_then(|index| self.values.remove(index));
        moved.map(|value| self.values.push_back(value)).is_some()
    }

    /// The value that was used last.
    pub(super) fn last(&self) -> Option<&V> {
        self.values.back().map(|(value, _)| value)
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Adds a value of this many bytes and drops others until the limit is kept. The value itself stays.
    pub(super) fn insert(&mut self, value: V, bytes: usize) {
        self.values.push_back((value, bytes));
        self.bytes += bytes;
        while self.bytes > self.limit && self.values.len() > 1 {
            let (_, bytes) = self.values.pop_front().unzip();
            self.bytes -= bytes.unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_values_are_dropped_at_the_limit() {
        let mut cache = ByteLru::new(10);
        (1..=3).for_each(|value| cache.insert(value, 4));
        assert!(!cache.touch(|value| *value == 1), "12 bytes are too many");
        assert!(cache.touch(|value| *value == 2));
        assert_eq!(cache.last(), Some(&2));
        cache.insert(4, 1);
        assert!(cache.touch(|value| *value == 3) && cache.touch(|value| *value == 4));
        cache.insert(5, 100);
        assert_eq!((cache.values.len(), cache.last(), cache.bytes), (1, Some(&5), 100));
    }
}
