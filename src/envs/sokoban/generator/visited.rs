//! What the reverse play has met: for each way the boxes can stand, on which cells the player stood.
//!
//! Most steps of the search only walk, and then the boxes stand as before: a walk tests one bit and looks
//! nothing up. Forgetting everything is counting a generation up; nothing is cleared or given back.

/// Places in the table while little is known.
const INITIAL_SLOTS: usize = 1 << 10;

#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u64,
    generation: u32,
    node: u32,
}

/// One way the boxes can stand, by its number.
pub(super) type Node = u32;

/// Everything met in one search. Ways to stand are told apart by 64 bits of hash: two fall together in one
/// search of some hundred million, which is then a little shorter, and its room still good.
#[derive(Default)]
pub(super) struct Visited {
    slots: Vec<Slot>,
    /// One less than the number of slots in use, a power of two.
    mask: usize,
    generation: u32,
    hashes: Vec<u64>,
    /// So many words of bits a node, a bit a cell.
    player_bits: Vec<u64>,
    words: usize,
}

impl Visited {
    /// Forgets everything; from now on there are so many cells.
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

    /// The node of this hash, new or known.
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

    /// The slot of this hash, or the free one where it belongs.
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

    /// Notes that the player stands here; false where he has stood before.
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
    fn what_was_met_is_known_until_it_is_forgotten() {
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
    fn counting_past_the_last_generation_remembers_nothing() {
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
