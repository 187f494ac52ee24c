//! The states that a search has met, each once: the player and the boxes as a few packed words, and
//! what is known of the state. A table of indices finds a state again.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::maze::Cell;

const FREE: u32 = u32::MAX;
/// The table at the start; a power of two.
const FIRST: usize = 1 << 8;
/// States beyond which numbers would not do.
pub(super) const MOST: u64 = (u32::MAX - 8) as u64;

/// What is known of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note {
    /// The least cost at which it was met.
    pub(super) cost: u32,
    /// The least cost that is left.
    pub(super) left: u32,
    /// The state it was met from; itself for the first.
    pub(super) parent: u32,
    /// Whether it was expanded at this cost.
    pub(super) closed: bool,
    /// Whether it lies on a best way.
    pub(super) marked: bool,
}

pub(super) struct States {
    /// Bits of a cell.
    bits: u32,
    /// Words of a state.
    words: usize,
    boxes: usize,
    keys: Vec<u64>,
    notes: Vec<Note>,
    slots: Vec<u32>,
    key: Vec<u64>,
}

impl States {
    /// An empty store for states of so many boxes in a maze of so many cells.
    pub(super) fn new(cells: usize, boxes: usize) -> Self {
        let bits = usize::BITS - cells.leading_zeros();
        let each = (u64::BITS / bits) as usize;
        let words = (boxes + 1).div_ceil(each);
        let (keys, notes) = (Vec::new(), Vec::new());
        Self { bits, words, boxes, keys, notes, slots: vec![FREE; FIRST], key: vec![0; words] }
    }

    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.notes.len()).unwrap_or(FREE)
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.keys) + size_of_val(&*self.notes) + size_of_val(&*self.slots)
    }

    pub(super) fn note(&self, index: u32) -> &Note {
        &self.notes[index as usize]
    }

    pub(super) fn note_mut(&mut self, index: u32) -> &mut Note {
        &mut self.notes[index as usize]
    }

    /// Writes the boxes of a state into `boxes` and returns its player.
    pub(super) fn get(&self, index: u32, boxes: &mut Vec<Cell>) -> Cell {
        let (bits, mask) = (self.bits, (1 << self.bits) - 1);
        let start = index as usize * self.words;
        let each = (u64::BITS / bits) as usize;
        let words = &self.keys[start..start + self.words];
        #[allow(clippy::cast_possible_truncation)]
        let cell = |at: usize| ((words[at / each] >> (at % each * bits as usize)) & mask) as Cell;
        boxes.clear();
        boxes.extend((1..=self.boxes).map(cell));
        cell(0)
    }

    /// Where this state is, if it was met, or else the slot to [`put`](Self::put) it in. The boxes
    /// come in ascending order.
    pub(super) fn find(&mut self, player: Cell, boxes: impl Iterator<Item = Cell>) -> Result<u32, usize> {
        self.pack(player, boxes);
        let mask = self.slots.len() - 1;
        let mut slot = hash(&self.key) & mask;
        loop {
            match self.slots[slot] {
                FREE => return Err(slot),
                index if self.is_key(index) => return Ok(index),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Puts the state that was just not found in its slot.
    pub(super) fn put(&mut self, slot: usize, note: Note) -> u32 {
        let index = self.len();
        self.slots[slot] = index;
        self.keys.extend_from_slice(&self.key);
        self.notes.push(note);
        if self.notes.len() * 2 > self.slots.len() {
            self.grow();
        }
        index
    }

    fn is_key(&self, index: u32) -> bool {
        let start = index as usize * self.words;
        self.keys[start..start + self.words] == self.key[..]
    }

    fn pack(&mut self, player: Cell, boxes: impl Iterator<Item = Cell>) {
        let each = (u64::BITS / self.bits) as usize;
        self.key.fill(0);
        for (at, cell) in std::iter::once(player).chain(boxes).enumerate() {
            self.key[at / each] |= u64::from(cell) << (at % each * self.bits as usize);
        }
    }

    fn grow(&mut self) {
        self.slots = vec![FREE; self.slots.len() * 2];
        let mask = self.slots.len() - 1;
        for (index, key) in (0..).zip(self.keys.chunks(self.words)) {
            let mut slot = hash(key) & mask;
            while self.slots[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = index;
        }
    }
}

/// The low bits serve; where `usize` is narrow the rest is not needed.
#[allow(clippy::cast_possible_truncation)]
fn hash(key: &[u64]) -> usize {
    FxBuildHasher.hash_one(key) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_is_kept_once_and_comes_back_whole() {
        for (cells, boxes) in [(40, 2), (4000, 7)] {
            let mut states = States::new(cells, boxes);
            let of = |number: u16| (0..boxes).map(move |at| (number + u16::try_from(at).unwrap()) % 40);
            let note = Note { cost: 0, left: 0, parent: 0, closed: false, marked: false };
            for number in 0..40 {
                for player in 0..40 {
                    let slot = states.find(player, of(number)).unwrap_err();
                    let index = states.put(slot, note);
                    assert_eq!(states.find(player, of(number)), Ok(index));
                    let mut back = Vec::new();
                    assert_eq!(states.get(index, &mut back), player);
                    assert_eq!(back, of(number).collect::<Vec<_>>());
                }
            }
            assert_eq!(states.len(), 1600);
        }
    }
}
