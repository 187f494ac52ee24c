//! Corral deadlocks. A corral is an area that boxes shut off from the player. If the boxes around it cannot
//! all reach targets even with every other box removed, the state is dead.
//!
//! The verdict is sound, since a solution of the whole board also solves it for these boxes alone. The
//! search for it is limited to a few states and ends where the corral opens, because most corrals are
//! harmless. Dead combinations are stored and recognised among any other boxes. Few states that pass the
//! other rules are dead (in eighteen rooms of 13 x 13 with five boxes, one in a hundred in the median room
//! and a third in the worst), so a search that gains nothing from these tests stops making them.

use rustc_hash::FxHashMap;

use super::grid::{Cell, CellSet, Grid};
use super::lower_bound::LowerBound;
use super::maze::{WALL, opposite};
use super::occupancy::Occupancy;
use super::pair_deadlocks::PairDeadlocks;

/// States visited per verdict.
const MAX_STATES: usize = 30;
/// With fewer boxes, [`PairDeadlocks`] decides.
const MIN_BOXES: u32 = 3;
/// Stored verdicts; after that many, only stored ones are used.
const MAX_VERDICTS: usize = 1 << 15;
/// Dead states stored per cell.
const MAX_LOST: usize = 64;
/// Tests before the yield is measured, and the yield below which testing stops: one dead state in so many.
const TRIAL: u32 = 128;
const MIN_YIELD: u32 = 12;

/// Some boxes alone on the board, and the area that the player can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct CorralState {
    boxes: CellSet,
    area: CellSet,
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Lost,
    /// Not proven dead.
    Open,
}

pub(super) struct Corrals<'a> {
    /// Without boxes between two tests.
    occupancy: Occupancy<'a>,
    grid: &'a Grid,
    bound: &'a LowerBound,
    targets: CellSet,
    verdicts: FxHashMap<CorralState, Verdict>,
    /// For each cell, the dead states with a box on it.
    lost: Vec<Vec<CorralState>>,
    /// The states of the current test.
    states: Vec<CorralState>,
    boxes: Vec<Cell>,
    tests: u32,
    hits: u32,
}

impl<'a> Corrals<'a> {
    /// `None` for a maze that is too large. The occupancy has no boxes.
    pub(super) fn new(occupancy: Occupancy<'a>, bound: &'a LowerBound) -> Option<Self> {
        let grid = occupancy.maze.grid.as_ref()?;
        Some(Self {
            grid,
            bound,
            targets: occupancy.maze.targets.iter().fold(0, |set, cell| set | grid.set(*cell)),
            verdicts: FxHashMap::default(),
            lost: vec![Vec::new(); occupancy.maze.len()],
            occupancy,
            states: Vec::new(),
            boxes: Vec::new(),
            tests: 0,
            hits: 0,
        })
    }

    /// Bytes of the stored results.
    pub(super) fn bytes(&self) -> usize {
        let lost: usize = self.lost.iter().map(Vec::capacity).sum();
        self.verdicts.capacity() * size_of::<(CorralState, Verdict)>() + lost * size_of::<CorralState>()
    }

    /// Whether the boxes around a corral are proven dead. `shut` are the cells beside boxes that the player
    /// cannot reach; `pushed` contains the box that was pushed last.
    pub(super) fn is_lost(
        &mut self,
        pairs: &PairDeadlocks,
        boxes: CellSet,
        player: Cell,
        shut: CellSet,
        pushed: CellSet,
    ) -> bool {
        if self.tests >= TRIAL && self.hits < self.tests / MIN_YIELD {
            return false;
        }
        let player = self.grid.set(player);
        let lost = self.is_known(boxes, player, pushed) || self.judge_all(pairs, boxes, player, shut, pushed);
        self.tests += 1;
        self.hits += u32::from(lost);
        lost
    }

    /// Whether a stored dead state, with one of the boxes in `pushed`, is part of this one.
    fn is_known(&self, boxes: CellSet, player: CellSet, pushed: CellSet) -> bool {
        let fits = |state: &CorralState| state.boxes & !boxes == 0 && state.area & player != 0;
        self.grid.iter(pushed).any(|cell| self.lost[usize::from(cell)].iter().any(fits))
    }

    fn judge_all(
        &mut self,
        pairs: &PairDeadlocks,
        boxes: CellSet,
        player: CellSet,
        mut shut: CellSet,
        pushed: CellSet,
    ) -> bool {
        let free = self.grid.all & !boxes;
        while shut != 0 {
            let corral = self.grid.fill(shut & shut.wrapping_neg(), free);
            shut &= !corral;
            let around = self.grid.beside(corral) & boxes;
            let strays = around & !self.targets != 0;
            if strays && around & pushed != 0 && around.count_ones() >= MIN_BOXES {
                let area = self.grid.fill(player, self.grid.all & !around);
                if self.judge(pairs, CorralState { boxes: around, area }, corral) == Verdict::Lost {
                    return true;
                }
            }
        }
        false
    }

    /// The verdict on a state, in which at least one box is not on a target.
    fn judge(&mut self, pairs: &PairDeadlocks, state: CorralState, corral: CellSet) -> Verdict {
        if let Some(known) = self.verdicts.get(&state) {
            return *known;
        }
        if self.verdicts.len() >= MAX_VERDICTS {
            return Verdict::Open;
        }
        let verdict = self.search(pairs, state, corral);
        self.verdicts.insert(state, verdict);
        if verdict == Verdict::Lost {
            for cell in self.grid.iter(state.boxes) {
                let lost = &mut self.lost[usize::from(cell)];
                if lost.len() < MAX_LOST {
                    lost.push(state);
                }
            }
        }
        verdict
    }

    /// Visits the states these boxes can reach, up to the limit.
    fn search(&mut self, pairs: &PairDeadlocks, first: CorralState, corral: CellSet) -> Verdict {
        self.states.clear();
        self.states.push(first);
        let mut at = 0;
        while let Some(state) = self.states.get(at).copied() {
            if self.states.len() > MAX_STATES || self.expand(pairs, state, corral) == Verdict::Open {
                return Verdict::Open;
            }
            at += 1;
        }
        Verdict::Lost
    }

    /// Expands a state. The result is open if a push puts all boxes on targets or lets the player into the
    /// whole corral.
    fn expand(&mut self, pairs: &PairDeadlocks, state: CorralState, corral: CellSet) -> Verdict {
        let mut boxes = std::mem::take(&mut self.boxes);
        boxes.clear();
        boxes.extend(self.grid.iter(state.boxes));
        self.occupancy.place_boxes(&boxes);
        let mut verdict = Verdict::Lost;
        'all: for from in &boxes {
            for way in 0..4 {
                let Some(after) = self.after_push(pairs, state, *from, way) else { continue };
                if after.boxes & !self.targets == 0 || corral & !after.boxes & !after.area == 0 {
                    verdict = Verdict::Open;
                    break 'all;
                }
                if !self.states.contains(&after) {
                    self.states.push(after);
                }
            }
        }
        self.occupancy.remove_boxes(&boxes);
        self.boxes = boxes;
        verdict
    }

    /// The state after this push; `None` if it is impossible or dead by another rule.
    fn after_push(
        &mut self,
        pairs: &PairDeadlocks,
        state: CorralState,
        from: Cell,
        way: usize,
    ) -> Option<CorralState> {
        let maze = self.occupancy.maze;
        let grid = self.grid;
        let behind = maze.next[usize::from(from)][opposite(way)];
        let to = maze.next[usize::from(from)][way];
        if behind == WALL || state.area & grid.set(behind) == 0 || !self.occupancy.is_free(to) {
            return None;
        }
        if self.bound.is_dead(maze.post(to, from)) {
            return None;
        }
        let player = grid.set(from);
        let after = state.boxes & !player | grid.set(to);
        let area = grid.fill(player, grid.all & !after);
        if after & !self.targets != 0 {
            let mut others = grid.iter(state.boxes & !player);
            if !others.all(|other| pairs.is_alive(to, other, from)) || self.occupancy.would_lock(from, to) {
                return None;
            }
        }
        Some(CorralState { boxes: after, area })
    }
}
