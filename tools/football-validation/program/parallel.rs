//! Work on many items at once, on threads of its own.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of threads for work: as many as were given, or one for each processor core.
pub(super) fn threads(given: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    given.map_or_else(cores, usize::from)
}

/// The results of the items in their order.
pub(super) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { break done };
            done.push((at, work(item)));
        }
    };
    let mut all: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).flatten().collect()
    });
    // Floating-point sums depend on the order, and threads end in any order.
    all.sort_unstable_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u32> = (0..100).collect();
        let tens = in_parallel(&items, 4, |item| item * 10);
        assert_eq!(tens, (0..100).map(|item| item * 10).collect::<Vec<_>>());
        assert!(threads(None) >= 1 && threads(Some(3)) == 3);
    }
}
