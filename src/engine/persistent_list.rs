//! A persistent list: a clone shares its memory with the original, and a change copies only the path to what changes.
//! It holds what grows with an episode, so that a snapshot of a long episode costs as much as one of a short one.
//!
//! It is a tree of nodes with 32 entries each: reading an entry, adding one and changing one cost the height of the
//! tree, which is 3 for 30,000 entries.
//!
//! It is our own, without unsafe code: `imbl` brings six crates and unsafe code for operations that are not needed
//! here, and `rpds` allocates every entry by itself.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{Index, Range};
use std::sync::Arc;

/// The bits of an index that select an entry of one node.
const BITS: u32 = 5;
/// The most entries of a node.
const WIDTH: usize = 1 << BITS;

/// A list that only grows, whose entries can be replaced, and whose clones are cheap.
#[derive(Clone)]
pub struct PersistentList<T> {
    root: Arc<Node<T>>,
    length: usize,
    /// The branches above each leaf.
    height: u32,
}

#[derive(Clone)]
enum Node<T> {
    Leaf(Vec<T>),
    Branch(Vec<Arc<Node<T>>>),
}

/// The entries of a part of a list, in order.
pub struct Iter<'a, T> {
    list: &'a PersistentList<T>,
    rest: Range<usize>,
}

impl<T> PersistentList<T> {
    /// The number of entries.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The entry at this index.
    pub fn get(&self, index: usize) -> Option<&T> {
        (index < self.length).then(|| &self[index])
    }

    /// The first entry.
    pub fn first(&self) -> Option<&T> {
        self.get(0)
    }

    /// The last entry.
    pub fn last(&self) -> Option<&T> {
        self.get(self.length.checked_sub(1)?)
    }

    /// All entries, in order.
    pub fn iter(&self) -> Iter<'_, T> {
        self.range(0..self.length)
    }

    /// The entries at these indices, as far as there are any.
    pub fn range(&self, indices: Range<usize>) -> Iter<'_, T> {
        Iter { list: self, rest: indices.start..indices.end.min(self.length) }
    }
}

impl<T: Clone> PersistentList<T> {
    /// Adds an entry at the end.
    pub fn push(&mut self, entry: T) {
        if self.length == WIDTH << (BITS * self.height) {
            let full = std::mem::take(self);
            self.root = Arc::new(Node::Branch(vec![full.root]));
            (self.length, self.height) = (full.length, full.height + 1);
        }
        Arc::make_mut(&mut self.root).push(self.length, self.height, entry);
        self.length += 1;
    }

    /// The entry at this index, to be changed; other lists keep theirs.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index >= self.length {
            return None;
        }
        Arc::make_mut(&mut self.root).get_mut(index, self.height)
    }

    /// The last entry, to be changed; other lists keep theirs.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.get_mut(self.length.checked_sub(1)?)
    }
}

/// The place within a node at this height of the entry with this index.
fn slot(index: usize, height: u32) -> usize {
    index >> (BITS * height) & (WIDTH - 1)
}

impl<T: Clone> Node<T> {
    fn push(&mut self, index: usize, height: u32, entry: T) {
        match self {
            Self::Leaf(entries) => entries.push(entry),
            Self::Branch(nodes) => {
                let below = height.saturating_sub(1);
                let slot = slot(index, height);
                if slot == nodes.len() {
                    nodes.push(Arc::new(Self::empty(below)));
                }
                if let Some(node) = nodes.get_mut(slot) {
                    Arc::make_mut(node).push(index, below, entry);
                }
            }
        }
    }

    fn get_mut(&mut self, index: usize, height: u32) -> Option<&mut T> {
        match self {
            Self::Leaf(entries) => entries.get_mut(slot(index, 0)),
            Self::Branch(nodes) => {
                Arc::make_mut(nodes.get_mut(slot(index, height))?).get_mut(index, height.saturating_sub(1))
            }
        }
    }
}

impl<T> Node<T> {
    fn empty(height: u32) -> Self {
        if height == 0 { Self::Leaf(Vec::new()) } else { Self::Branch(Vec::new()) }
    }
}

impl<T> Default for PersistentList<T> {
    fn default() -> Self {
        Self { root: Arc::new(Node::empty(0)), length: 0, height: 0 }
    }
}

impl<T> Index<usize> for PersistentList<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        assert!(index < self.length, "index {index} of a list with {} entries", self.length);
        let mut node = &*self.root;
        let mut height = self.height;
        loop {
            match node {
                Node::Leaf(entries) => return &entries[slot(index, 0)],
                Node::Branch(nodes) => node = &nodes[slot(index, height)],
            }
            height = height.saturating_sub(1);
        }
    }
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Self { list: self.list, rest: self.rest.clone() }
    }
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        self.list.get(self.rest.next()?)
    }

    fn nth(&mut self, count: usize) -> Option<&'a T> {
        self.list.get(self.rest.nth(count)?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rest.size_hint()
    }
}

impl<T> DoubleEndedIterator for Iter<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.list.get(self.rest.next_back()?)
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}

impl<T> FusedIterator for Iter<'_, T> {}

impl<'a, T> IntoIterator for &'a PersistentList<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T: Clone> Extend<T> for PersistentList<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, entries: I) {
        for entry in entries {
            self.push(entry);
        }
    }
}

impl<T: Clone> FromIterator<T> for PersistentList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        let mut list = Self::default();
        list.extend(entries);
        list
    }
}

impl<T: PartialEq> PartialEq for PersistentList<T> {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.iter().eq(other.iter())
    }
}

impl<T: Eq> Eq for PersistentList<T> {}

impl<T: fmt::Debug> fmt::Debug for PersistentList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn entries_are_read_in_order_from_both_ends_at_any_length() {
        for length in [0, 1, 31, 32, 33, 1023, 1024, 1025, 32_768, 32_769, 33_000] {
            let list: PersistentList<usize> = (0..length).collect();
            assert_eq!((list.len(), list.is_empty()), (length, length == 0));
            assert!(list.iter().copied().eq(0..length) && list.iter().rev().copied().eq((0..length).rev()));
            assert_eq!((list.first().copied(), list.get(length)), ((length > 0).then_some(0), None));
            assert_eq!(list.last().copied(), length.checked_sub(1));
        }
    }

    #[test]
    fn a_part_starts_without_reading_what_is_before_it() {
        let list: PersistentList<usize> = (0..5000).collect();
        assert!(list.range(4000..9000).copied().eq(4000..5000));
        assert!(list.iter().skip(4998).copied().eq([4998, 4999]));
        assert_eq!((list.range(6000..7000).next(), list.range(10..20).len()), (None, 10));
        assert_eq!(list[4321], 4321);
    }

    #[test]
    #[should_panic(expected = "index 3 of a list with 3 entries")]
    fn an_index_beyond_the_end_panics() {
        let list: PersistentList<u8> = [1, 2, 3].into_iter().collect();
        let _ = list[3];
    }

    #[test]
    fn an_entry_that_is_added_copies_at_most_one_leaf() {
        let entry = Arc::new(());
        let mut list: PersistentList<Arc<()>> = (0..30_000).map(|_| entry.clone()).collect();
        let held = list.clone();
        list.push(Arc::default());
        assert!(Arc::strong_count(&entry) <= 30_001 + WIDTH, "{}", Arc::strong_count(&entry));
        assert_eq!((held.len(), list.len()), (30_000, 30_001));
    }

    proptest! {
        #[test]
        fn it_behaves_like_a_vector_and_clones_never_change(
            changes in prop::collection::vec((any::<bool>(), 0..200_usize), 0..300)
        ) {
            let mut list = PersistentList::default();
            let mut model = Vec::new();
            let mut held = Vec::new();
            for (number, (adds, at)) in changes.into_iter().enumerate() {
                match list.get_mut(at) {
                    Some(entry) if !adds => (*entry, model[at]) = (number, number),
                    _ => {
                        list.push(number);
                        model.push(number);
                    }
                }
                if number % 17 == 0 {
                    held.push((list.clone(), model.clone()));
                }
            }
            held.push((list, model));
            for (list, model) in held {
                prop_assert!(list.iter().eq(model.iter()));
            }
        }
    }
}
