//! The states visited by the reverse play: for each arrangement of the boxes, the player's cells.
//!
//! Most steps only walk, which leaves the boxes in place: a walk tests one bit without a lookup. Clearing
//! increments a generation; nothing is written or freed.

/// Initial slots.
const INITIAL_SLOTS: usize = 1 << 10;

#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u64,
    generation: u32,
    node: u32,
}

/// An arrangement of the boxes, by number.
pub(super) type Node = u32;

/// The states visited in one search. Arrangements are identified by 64-bit hashes: one search in some
/// hundred million has a collision, which shortens it a little, and its room is still valid.
#[derive(Default)]
pub(super) struct Visited {
    slots: Vec<Slot>,
    /// One less than the number of slots in use, a power of two.
    mask: usize,
    generation: u32,
    hashes: Vec<u64>,
    /// A bit per cell, `words` words per node.
    player_bits: Vec<u64>,
    words: usize,
}

impl Visited {
    /// Removes everything and sets the number of cells.
    pub(super) fn clear(&mut self, cells: usize) {
        self.words = cells.div_ceil(64);
        self.hashes.clear();
        self.player_bits.clear();
        self.resize(INITIAL_SLOTS);
    }

    fn resize(&mut self, slots: usize) {
        self.mask = slots - 1;
        if self.slots.len() < slots {
            self.slots.resize(slots, Slot::default());
        }
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill(Slot::default());
            self.generation = 1;
        }
    }

    /// The node of this hash, new or existing.
    pub(super) fn node(&mut self, hash: u64) -> Node {
        let at = self.find(hash);
        if self.slots[at].generation == self.generation {
            return self.slots[at].node;
        }
        let node = Node::try_from(self.hashes.len()).unwrap_or(Node::MAX);
        self.slots[at] = Slot { hash, generation: self.generation, node };
        self.hashes.push(hash);
        self.player_bits.resize(self.player_bits.len() + self.words, 0);
        if self.hashes.len() * 2 > self.mask {
            self.grow();
        }
        node
    }

    /// The slot of this hash, or the free slot for it.
    fn find(&self, hash: u64) -> usize {
        #[expect(clippy::cast_possible_truncation, reason = "any bits of a hash will do")]
        let mut at = hash as usize & self.mask;
        loop {
            let slot = &self.slots[at];
            if slot.generation != self.generation || slot.hash == hash {
                return at;
            }
            at = (at + 1) & self.mask;
        }
    }

    fn grow(&mut self) {
        self.resize((self.mask + 1) * 4);
        for (node, hash) in (0..).zip(&self.hashes) {
            let at = self.find(*hash);
            self.slots[at] = Slot { hash: *hash, generation: self.generation, node };
        }
    }

    pub(super) fn hash(&self, node: Node) -> u64 {
        self.hashes[node as usize]
    }

    /// Records the player on this cell; false if he was there before.
    pub(super) fn enter(&mut self, node: Node, cell: u16) -> bool {
        let word = &mut self.player_bits[node as usize * self.words + usize::from(cell >> 6)];
        let bit = 1 << (cell & 63);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_found_until_cleared() {
        let mut known = Visited::default();
        for cells in [70, 5] {
            known.clear(cells);
            for hash in 0..5000_u64 {
                let node = known.node(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                assert_eq!(u64::from(node), hash);
                assert!(known.enter(node, 3) && !known.enter(node, 3) && known.enter(node, 4));
            }
            assert_eq!(known.node(0x9e37_79b9_7f4a_7c15), 1);
            assert!(!known.enter(4999, 4));
        }
        known.clear(70);
        let node = known.node(1);
        assert!(known.enter(node, 69) && known.enter(node, 5) && !known.enter(node, 69));
    }

    #[test]
    fn the_generation_may_overflow() {
        let mut known = Visited::default();
        known.clear(9);
        known.node(42);
        known.generation = u32::MAX;
        known.clear(9);
        assert_eq!(known.generation, 1);
        assert_eq!(known.node(42), 0);
        assert!(known.enter(0, 1));
    }
}
