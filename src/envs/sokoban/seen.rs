//! The states a search has met, in the order in which it met them, which makes the store its queue
//! as well. A state is a run of square numbers of fixed length in one long list; a table of indices
//! into it finds a state again. Two bytes a square and at most sixteen for the table: millions fit.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::board::Square;

const FREE: u32 = u32::MAX;
/// The table at the start; a power of two.
const FIRST: usize = 1 << 10;

pub(super) struct Seen {
    stride: usize,
    squares: Vec<Square>,
    len: u32,
    slots: Vec<u32>,
}

impl Seen {
    /// An empty store for states of so many squares, at least 1.
    pub(super) fn new(stride: usize) -> Self {
        Self { stride, squares: Vec::new(), len: 0, slots: vec![FREE; FIRST] }
    }

    pub(super) fn len(&self) -> u32 {
        self.len
    }

    pub(super) fn get(&self, index: u32) -> &[Square] {
        let start = index as usize * self.stride;
        &self.squares[start..start + self.stride]
    }

    /// Puts a state in, unless it is there; whether it is new.
    pub(super) fn insert(&mut self, state: &[Square]) -> bool {
        let slot = self.slot(state);
        if self.slots[slot] != FREE {
            return false;
        }
        self.slots[slot] = self.len;
        self.squares.extend_from_slice(state);
        self.len += 1;
        if self.len as usize * 2 > self.slots.len() {
            self.grow();
        }
        true
    }

    /// Where this state is, or where it would go.
    fn slot(&self, state: &[Square]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(state) & mask;
        while self.slots[slot] != FREE && self.get(self.slots[slot]) != state {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![FREE; self.slots.len() * 2];
        let mask = self.slots.len() - 1;
        for index in 0..self.len {
            let mut slot = hash(self.get(index)) & mask;
            while self.slots[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = index;
        }
    }
}

/// The low bits serve; where `usize` is narrow the rest is not needed.
#[allow(clippy::cast_possible_truncation)]
fn hash(state: &[Square]) -> usize {
    FxBuildHasher.hash_one(state) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_is_kept_once_and_in_order() {
        let mut seen = Seen::new(2);
        for round in 0..2 {
            for number in 0..5000 {
                assert_eq!(seen.insert(&[number, number / 7]), round == 0);
            }
        }
        assert_eq!(seen.len(), 5000);
        assert_eq!(seen.get(4321), [4321, 617]);
    }
}
