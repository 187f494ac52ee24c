//! The reverse play: from the solved state backwards by pulls and walks, in one depth-first search of a
//! fixed order. The state with the best score becomes the room.

use super::floor::{Cell, FREE, Floor, WALL};
use super::visited::{Node, Visited};

/// The most levels of depth, and the most states.
const MAX_DEPTH: usize = 299;
const MAX_STATES: u32 = 300_000;

/// The search and its memory.
#[derive(Default)]
pub(super) struct ReversePlay {
    visited: Visited,
    frames: Vec<Frame>,
    /// The content of each cell; one more, which is wall.
    occupants: Vec<u8>,
    /// The cell of each box.
    boxes: Vec<Cell>,
    /// The hash keys of a box on each cell: not pulled yet, and pulled.
    keys: Vec<[u64; 2]>,
    pulled: Vec<bool>,
    pulls: u32,
    /// The sum of the distances of the boxes from their targets.
    displacement: u32,
    /// The number of targets under a box.
    covered: usize,
    states: u32,
    best: Best,
}

/// The best state so far.
#[derive(Default)]
pub(super) struct Best {
    pub(super) score: u32,
    pub(super) player: Cell,
    pub(super) boxes: Vec<Cell>,
}

/// A state on the current path, and its next action.
#[derive(Clone, Copy)]
struct Frame {
    node: Node,
    player: Cell,
    /// The next of the eight actions: four pulls, four walks.
    action: u8,
    /// The box whose pull led here, or [`FREE`]; its previous cell, and whether it had been pulled before.
    pulled_box: u8,
    from: Cell,
    pulled_before: bool,
}

impl ReversePlay {
    /// Plays; the best score is 0 if no state has one.
    pub(super) fn play(&mut self, cells: &Floor) -> &Best {
        self.begin(cells);
        while let Some(frame) = self.frames.last().copied() {
            if self.states == MAX_STATES {
                break;
            }
            if frame.action == 8 || self.frames.len() == MAX_DEPTH {
                self.backtrack(cells, frame);
            } else {
                self.try_action(cells, frame);
            }
        }
        &self.best
    }

    /// The best state of the last play.
    pub(super) fn best(&self) -> &Best {
        &self.best
    }

    fn begin(&mut self, cells: &Floor) {
        let walls = cells.len() + 1;
        self.keys.extend((self.keys.len()..walls).map(|cell| [mix_bits(2 * cell), mix_bits(2 * cell + 1)]));
        self.occupants.clear();
        self.occupants.resize(walls, FREE);
        self.occupants[walls - 1] = WALL;
        self.boxes.clone_from(&cells.targets);
        self.pulled.clear();
        self.pulled.resize(self.boxes.len(), false);
        for (number, cell) in (1..).zip(&self.boxes) {
            self.occupants[usize::from(*cell)] = number;
        }
        (self.pulls, self.displacement, self.covered, self.states) = (0, 0, self.boxes.len(), 0);
        self.best.score = 0;
        self.visited.clear(cells.len());
        let hash = self.boxes.iter().fold(0, |hash, cell| hash ^ self.keys[usize::from(*cell)][0]);
        let node = self.visited.node(hash);
        self.visited.enter(node, cells.player);
        self.frames.clear();
        self.enter(
            cells,
            Frame { node, player: cells.player, action: 0, pulled_box: FREE, from: 0, pulled_before: false },
        );
    }

    /// Tries the next action of the last frame.
    fn try_action(&mut self, cells: &Floor, frame: Frame) {
        if let Some(last) = self.frames.last_mut() {
            last.action += 1;
        }
        let way = usize::from(frame.action & 3);
        let near = &cells.neighbours[usize::from(frame.player)];
        let to = near[way];
        let behind = near[way ^ 1];
        if self.occupants[usize::from(to)] != FREE {
            return;
        }
        let drawn = self.occupants[usize::from(behind)];
        let next = Frame { player: to, action: 0, pulled_box: FREE, ..frame };
        if drawn == FREE || drawn == WALL {
            // The walk of the same direction need not be tried again.
            if frame.action < 4 && self.visited.enter(frame.node, to) {
                self.enter(cells, next);
            }
        } else if frame.action >= 4 {
            if self.visited.enter(frame.node, to) {
                self.enter(cells, next);
            }
        } else {
            self.pull(cells, Frame { pulled_box: drawn, from: behind, ..next }, frame.player);
        }
    }

    /// Pulls a box to the cell that the player left.
    fn pull(&mut self, cells: &Floor, next: Frame, to: Cell) {
        let number = usize::from(next.pulled_box) - 1;
        let again = self.pulled[number];
        let key = |cell: Cell, pulled: bool| self.keys[usize::from(cell)][usize::from(pulled)];
        let hash = self.visited.hash(next.node) ^ key(next.from, again) ^ key(to, true);
        let node = self.visited.node(hash);
        if self.visited.enter(node, next.player) {
            self.pulled[number] = true;
            self.pulls += 1;
            self.move_box(cells, next.pulled_box, to);
            self.enter(cells, Frame { node, pulled_before: again, ..next });
        }
    }

    /// Moves a box.
    fn move_box(&mut self, cells: &Floor, number: u8, to: Cell) {
        let index = usize::from(number) - 1;
        let from = self.boxes[index];
        let target = cells.targets[index];
        self.occupants[usize::from(from)] = FREE;
        self.occupants[usize::from(to)] = number;
        self.boxes[index] = to;
        self.displacement = self.displacement + cells.distance(to, target) - cells.distance(from, target);
        self.covered += usize::from(cells.is_target[usize::from(to)]);
        self.covered -= usize::from(cells.is_target[usize::from(from)]);
    }

    /// Enters a new state.
    fn enter(&mut self, cells: &Floor, frame: Frame) {
        self.states += 1;
        self.frames.push(frame);
        let visible = self.covered == 0 && !cells.is_target[usize::from(frame.player)];
        let score = self.pulls * self.displacement;
        if visible && score > self.best.score {
            self.best.score = score;
            self.best.player = frame.player;
            self.best.boxes.clone_from(&self.boxes);
        }
    }

    /// Leaves the last state and restores the one before it.
    fn backtrack(&mut self, cells: &Floor, frame: Frame) {
        self.frames.pop();
        if frame.pulled_box != FREE {
            self.move_box(cells, frame.pulled_box, frame.from);
            self.pulled[usize::from(frame.pulled_box) - 1] = frame.pulled_before;
            self.pulls -= 1;
        }
    }
}

/// Mixes the bits of a number (the finish of `SplitMix64`, Steele, Lea and Flood).
fn mix_bits(number: usize) -> u64 {
    let mut bits = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
