//! The table of visited states. A state is the player and the boxes in a few packed words, with its search
//! data. A hash table finds states; each slot keeps half of the hash beside the index, so that a state is
//! compared only where it is very likely equal. Most of a search's time is spent waiting for memory here,
//! so several keys can be written first and their slots prefetched together.

use std::hash::BuildHasher;
use std::hint::black_box;

use rustc_hash::FxBuildHasher;

use super::grid::Cell;

const FREE: u64 = u64::MAX;
/// The bits of a slot that come from the hash.
const HIGH: u64 = !(u32::MAX as u64);
/// Initial slots; a power of two.
const INITIAL_SLOTS: usize = 1 << 6;
/// States by which the table grows at least.
const MIN_GROWTH: usize = 32;
/// The most states, limited by the type of an index.
pub(super) const MAX_STATES: u64 = (u32::MAX - 8) as u64;

/// The search data of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateInfo {
    /// The least known cost.
    pub(super) cost: u32,
    /// A lower bound of the remaining cost.
    pub(super) estimate: u32,
    /// The state it was reached from; itself for the first.
    pub(super) parent: u32,
    /// Whether it was expanded at this cost.
    pub(super) closed: bool,
    /// Whether it is on a best solution.
    pub(super) on_best_path: bool,
}

pub(super) struct StateTable {
    /// Bits per cell.
    bits: u32,
    /// Words per state.
    words: usize,
    boxes: usize,
    keys: Vec<u64>,
    infos: Vec<StateInfo>,
    /// Half of the hash above the index, or `FREE`.
    slots: Vec<u64>,
    /// Keys written for lookup.
    written: Vec<u64>,
}

/// A key written for lookup.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    at: usize,
    hash: u64,
}

impl StateTable {
    /// An empty table for states of `boxes` boxes in a maze of `cells` cells.
    pub(super) fn new(cells: usize, boxes: usize) -> Self {
        let bits = usize::BITS - cells.leading_zeros();
        let each = (u64::BITS / bits) as usize;
        let words = (boxes + 1).div_ceil(each);
        let keys = Vec::new();
        let infos = Vec::new();
        let written = Vec::new();
        Self { bits, words, boxes, keys, infos, slots: vec![FREE; INITIAL_SLOTS], written }
    }

    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.infos.len()).unwrap_or(u32::MAX)
    }

    /// Allocated bytes.
    pub(super) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<u64>()
            + self.infos.capacity() * size_of::<StateInfo>()
            + self.slots.capacity() * size_of::<u64>()
    }

    pub(super) fn info(&self, index: u32) -> &StateInfo {
        &self.infos[index as usize]
    }

    pub(super) fn info_mut(&mut self, index: u32) -> &mut StateInfo {
        &mut self.infos[index as usize]
    }

    /// Unpacks the boxes of a state into `boxes` and returns the player.
    pub(super) fn get(&self, index: u32, boxes: &mut Vec<Cell>) -> Cell {
        let mask = (1 << self.bits) - 1;
        let mut words = self.keys[index as usize * self.words..].iter();
        let mut word = 0;
        let mut left = 0;
        let mut cell = || {
            if left < self.bits {
                (word, left) = (words.next().copied().unwrap_or(0), u64::BITS);
            }
            #[allow(clippy::cast_possible_truncation)]
            let cell = (word & mask) as Cell;
            (word, left) = (word >> self.bits, left - self.bits);
            cell
        };
        let player = cell();
        boxes.clear();
        boxes.extend((0..self.boxes).map(|_| cell()));
        player
    }

    /// The index of this state, if it was visited. `boxes` must be ascending.
    pub(super) fn find(&mut self, player: Cell, boxes: &[Cell]) -> Option<u32> {
        self.clear_keys();
        let key = self.write_key(player, boxes);
        self.look_up(key).ok()
    }

    /// Discards the written keys.
    pub(super) fn clear_keys(&mut self) {
        self.written.clear();
    }

    /// Writes a key and prefetches its slot. `boxes` must be ascending.
    pub(super) fn write_key(&mut self, player: Cell, boxes: &[Cell]) -> Key {
        let at = self.written.len();
        let mut word = u64::from(player);
        let mut used = self.bits;
        for cell in boxes {
            if used + self.bits > u64::BITS {
                self.written.push(word);
                (word, used) = (0, 0);
            }
            word |= u64::from(*cell) << used;
            used += self.bits;
        }
        self.written.push(word);
        let hash = hash(&self.written[at..]);
        black_box(self.slots[self.slot(hash)]);
        Key { at, hash }
    }

    /// Prefetches the state of this key, if it was probably visited.
    pub(super) fn prefetch(&self, key: Key) {
        let slot = self.slots[self.slot(key.hash)];
        if slot != FREE && (slot ^ key.hash) & HIGH == 0 {
            let index = index(slot) as usize;
            black_box((self.keys[index * self.words], self.infos[index].cost));
        }
    }

    /// The index of this key's state if it was visited, or else the slot to [`insert`](Self::insert) it at.
    pub(super) fn look_up(&self, key: Key) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let words = self.words;
        let mut at = self.slot(key.hash);
        loop {
            let slot = self.slots[at];
            if slot == FREE {
                return Err(at);
            }
            if (slot ^ key.hash) & HIGH == 0 {
                let start = index(slot) as usize * words;
                if self.keys[start..start + words] == self.written[key.at..key.at + words] {
                    return Ok(index(slot));
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Inserts the state of a key that was just looked up.
    pub(super) fn insert(&mut self, slot: usize, key: Key, note: StateInfo) -> u32 {
        let index = self.len();
        if self.infos.len() == self.infos.capacity() {
            // Grow by a quarter: doubling would leave half of the memory empty.
            let more = MIN_GROWTH.max(self.infos.len() / 4);
            self.infos.reserve_exact(more);
            self.keys.reserve_exact(more * self.words);
        }
        self.slots[slot] = packed(key.hash, index);
        self.keys.extend_from_slice(&self.written[key.at..key.at + self.words]);
        self.infos.push(note);
        if self.infos.len() * 4 > self.slots.len() * 3 {
            self.grow();
        }
        index
    }

    /// The first slot to look at: by the lower half of the hash.
    fn slot(&self, hash: u64) -> usize {
        index(hash) as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        let twice = self.slots.len() * 2;
        // Free the old table before the new one is allocated.
        self.slots = Vec::new();
        self.slots = vec![FREE; twice];
        for (index, key) in (0..).zip(self.keys.chunks_exact(self.words)) {
            let hash = hash(key);
            let mut at = self.slot(hash);
            while self.slots[at] != FREE {
                at = (at + 1) & (twice - 1);
            }
            self.slots[at] = packed(hash, index);
        }
    }
}

/// Packs a slot.
fn packed(hash: u64, index: u32) -> u64 {
    (hash & HIGH) | u64::from(index)
}

/// The lower half.
#[allow(clippy::cast_possible_truncation)]
fn index(slot: u64) -> u32 {
    slot as u32
}

fn hash(key: &[u64]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    for word in key {
        std::hash::Hasher::write_u64(&mut hasher, *word);
    }
    std::hash::Hasher::finish(&hasher)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_stored_once_and_unpacked_unchanged() {
        for (cells, boxes) in [(40, 2), (4000, 7)] {
            let mut states = StateTable::new(cells, boxes);
            let of = |number: u16| (0..boxes).map(move |at| (number + u16::try_from(at).unwrap()) % 40);
            let note = StateInfo { cost: 0, estimate: 0, parent: 0, closed: false, on_best_path: false };
            for number in 0..40 {
                for player in 0..40 {
                    let expected: Vec<Cell> = of(number).collect();
                    assert_eq!(states.find(player, &expected), None);
                    let key = states.write_key(player, &expected);
                    states.prefetch(key);
                    let slot = states.look_up(key).unwrap_err();
                    let index = states.insert(slot, key, note);
                    assert_eq!(states.find(player, &expected), Some(index));
                    let mut back = Vec::new();
                    assert_eq!(states.get(index, &mut back), player);
                    assert_eq!(back, expected);
                }
            }
            assert_eq!(states.len(), 1600);
        }
    }
}
