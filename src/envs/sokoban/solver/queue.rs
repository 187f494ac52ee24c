//! A priority queue of states: the least rank first, and of equal ranks the last one in.

use std::collections::BTreeMap;

#[derive(Default)]
pub(super) struct BucketQueue {
    buckets: BTreeMap<u32, Vec<u32>>,
    /// Capacity of the buckets, in states.
    room: usize,
}

impl BucketQueue {
    pub(super) fn push(&mut self, rank: u32, state: u32) {
        let bucket = self.buckets.entry(rank).or_default();
        self.room -= bucket.capacity();
        bucket.push(state);
        self.room += bucket.capacity();
    }

    /// Takes the next state, unless its rank is greater than `most`.
    pub(super) fn pop(&mut self, most: u32) -> Option<u32> {
        let mut first = self.buckets.first_entry()?;
        if *first.key() > most {
            return None;
        }
        let state = first.get_mut().pop();
        if first.get().is_empty() {
            self.room -= first.remove().capacity();
        }
        state
    }

    /// Allocated bytes.
    pub(super) fn bytes(&self) -> usize {
        self.room * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_rank_comes_first_and_of_equal_ranks_the_last_one_in() {
        let mut queue = BucketQueue::default();
        for (rank, state) in [(5, 1), (3, 2), (5, 3), (3, 4), (9, 5)] {
            queue.push(rank, state);
        }
        assert!(queue.bytes() >= 5 * size_of::<u32>());
        let order: Vec<u32> = std::iter::from_fn(|| queue.pop(5)).collect();
        assert_eq!(order, [4, 2, 3, 1]);
        assert_eq!(queue.pop(u32::MAX), Some(5));
        assert_eq!((queue.pop(u32::MAX), queue.bytes()), (None, 0));
    }
}
