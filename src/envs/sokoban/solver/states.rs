//! The states that a search has met, each once: the player and the boxes as a few packed words, and
//! what is known of the state. A table finds a state again; beside each index it has half the hash,
//! so that a state is looked at only where it is very likely the one. Most of a search's time goes
//! into waiting for memory here, so many keys can be written first and their slots fetched together.

use std::hash::BuildHasher;
use std::hint::black_box;

use rustc_hash::FxBuildHasher;

use super::grid::Cell;

const FREE: u64 = u64::MAX;
/// The half of a slot that is the half of a hash.
const HIGH: u64 = !(u32::MAX as u64);
/// The table at the start; a power of two.
const INITIAL_SLOTS: usize = 1 << 6;
/// States for which room is made at least.
const MIN_GROWTH: usize = 32;
/// States beyond which numbers would not do.
pub(super) const MAX_STATES: u64 = (u32::MAX - 8) as u64;

/// What is known of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateInfo {
    /// The least cost at which it was met.
    pub(super) cost: u32,
    /// The least cost that is left.
    pub(super) estimate: u32,
    /// The state it was met from; itself for the first.
    pub(super) parent: u32,
    /// Whether it was expanded at this cost.
    pub(super) closed: bool,
    /// Whether it lies on a best way.
    pub(super) on_best_path: bool,
}

pub(super) struct StateTable {
    /// Bits of a cell.
    bits: u32,
    /// Words of a state.
    words: usize,
    boxes: usize,
    keys: Vec<u64>,
    infos: Vec<StateInfo>,
    /// Half of the hash above the index, or `FREE`.
    slots: Vec<u64>,
    /// The keys that were written to be looked up.
    written: Vec<u64>,
}

/// A key that was written to be looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    at: usize,
    hash: u64,
}

impl StateTable {
    /// An empty store for states of so many boxes in a maze of so many cells.
    pub(super) fn new(cells: usize, boxes: usize) -> Self {
        let bits = usize::BITS - cells.leading_zeros();
        let each = (u64::BITS / bits) as usize;
        let words = (boxes + 1).div_ceil(each);
        let (keys, infos, written) = (Vec::new(), Vec::new(), Vec::new());
        Self { bits, words, boxes, keys, infos, slots: vec![FREE; INITIAL_SLOTS], written }
    }

    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.infos.len()).unwrap_or(u32::MAX)
    }

    /// Bytes that were asked for.
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

    /// Writes the boxes of a state into `boxes` and returns its player.
    pub(super) fn get(&self, index: u32, boxes: &mut Vec<Cell>) -> Cell {
        let mask = (1 << self.bits) - 1;
        let mut words = self.keys[index as usize * self.words..].iter();
        let (mut word, mut left) = (0, 0);
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

    /// The index of this state, if it was met. The boxes come in ascending order.
    pub(super) fn find(&mut self, player: Cell, boxes: &[Cell]) -> Option<u32> {
        self.clear_keys();
        let key = self.write_key(player, boxes);
        self.look_up(key).ok()
    }

    /// Forgets the keys that were written.
    pub(super) fn clear_keys(&mut self) {
        self.written.clear();
    }

    /// Writes a key and has its slot fetched. The boxes come in ascending order.
    pub(super) fn write_key(&mut self, player: Cell, boxes: &[Cell]) -> Key {
        let at = self.written.len();
        let (mut word, mut used) = (u64::from(player), self.bits);
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

    /// Has what is known of the state of this key fetched, if it is likely to have been met.
    pub(super) fn prefetch(&self, key: Key) {
        let slot = self.slots[self.slot(key.hash)];
        if slot != FREE && (slot ^ key.hash) & HIGH == 0 {
            let index = index(slot) as usize;
            black_box((self.keys[index * self.words], self.infos[index].cost));
        }
    }

    /// Where the state of this key is, if it was met, or else the slot to [`insert`](Self::put) it in.
    pub(super) fn look_up(&self, key: Key) -> Result<u32, usize> {
        let (mask, words) = (self.slots.len() - 1, self.words);
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

    /// Puts the state of a key that was just not found in its slot.
    pub(super) fn insert(&mut self, slot: usize, key: Key, note: StateInfo) -> u32 {
        let index = self.len();
        if self.infos.len() == self.infos.capacity() {
            // By a quarter and not to the double, or half of the memory would stand empty.
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

    /// Where to look first: by the lower half of the hash.
    fn slot(&self, hash: u64) -> usize {
        index(hash) as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        let twice = self.slots.len() * 2;
        // The old table goes before the new one comes.
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

/// A slot.
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
    fn each_state_is_kept_once_and_comes_back_whole() {
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
