//! Corrals: what boxes shut off from the player. Where the boxes around one cannot all be brought
//! home though every other box is lifted off the board, the state is lost.
//!
//! The verdict is sound, since whoever solves the whole board solves it for these boxes as well. It is
//! looked for in a few states only and given up where the corral opens, because most corrals are
//! harmless. What was found lost is kept and known again under any other boxes. Few of the states that
//! the other rules leave are lost at all (of eighteen rooms of 13 x 13 with five boxes, one in a hundred
//! in the middle one and a third in the worst), so a search that asks in vain stops asking.

use rustc_hash::FxHashMap;

use super::grid::Cell;
use super::grid::CellSet;
use super::grid::Grid;
use super::lower_bound::LowerBound;
use super::maze::WALL;
use super::maze::opposite;
use super::occupancy::Occupancy;
use super::pair_deadlocks::PairDeadlocks;

/// States in which a verdict is looked for.
const MAX_STATES: usize = 30;
/// Fewer boxes than this are the business of [`PairDeadlocks`].
const MIN_BOXES: u32 = 3;
/// Verdicts that are kept; after that many only those that are known are used.
const MAX_VERDICTS: usize = 1 << 15;
/// Lost states that are kept for each cell, to be known under other boxes.
const MAX_LOST: usize = 64;
/// Questions after which the answers are counted, and how many of them must be that a state is lost:
/// one in so many.
const TRIAL: u32 = 128;
const MIN_YIELD: u32 = 12;

/// Some boxes alone on the board, and all that the player can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct CorralState {
    boxes: CellSet,
    area: CellSet,
}

/// What a look at the boxes around a corral came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Lost,
    /// Not proven lost.
    Open,
}

pub(super) struct Corrals<'a> {
    /// Empty of boxes between two states.
    scene: Occupancy<'a>,
    grid: &'a Grid,
    bound: &'a LowerBound,
    targets: CellSet,
    verdicts: FxHashMap<CorralState, Verdict>,
    /// For each cell the lost states with a box on it.
    lost: Vec<Vec<CorralState>>,
    /// The states of one look.
    states: Vec<CorralState>,
    boxes: Vec<Cell>,
    tests: u32,
    hits: u32,
}

impl<'a> Corrals<'a> {
    /// `None` for a maze that is too large. The scene has no boxes.
    pub(super) fn new(scene: Occupancy<'a>, bound: &'a LowerBound) -> Option<Self> {
        let grid = scene.maze.grid.as_ref()?;
        Some(Self {
            grid,
            bound,
            targets: scene.maze.targets.iter().fold(0, |set, cell| set | grid.set(*cell)),
            verdicts: FxHashMap::default(),
            lost: vec![Vec::new(); scene.maze.len()],
            scene,
            states: Vec::new(),
            boxes: Vec::new(),
            tests: 0,
            hits: 0,
        })
    }

    /// Bytes of what is kept.
    pub(super) fn bytes(&self) -> usize {
        let lost: usize = self.lost.iter().map(Vec::capacity).sum();
        self.verdicts.capacity() * size_of::<(CorralState, Verdict)>() + lost * size_of::<CorralState>()
    }

    /// Whether boxes around a corral are lost for sure. `shut` are the cells beside boxes that the
    /// player cannot reach, and one of the boxes in `pushed` is the one that was pushed last.
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

    /// Whether some of these boxes, one of those in `pushed` among them, are known to be lost.
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

    /// The verdict of a state, not all of whose boxes are home.
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

    /// Looks at all that these boxes can still do, within the limit of states.
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

    /// Meets what is one push away from this state; open when that brings all its boxes home, or the
    /// player into all of the corral.
    fn expand(&mut self, pairs: &PairDeadlocks, state: CorralState, corral: CellSet) -> Verdict {
        let mut boxes = std::mem::take(&mut self.boxes);
        boxes.clear();
        boxes.extend(self.grid.iter(state.boxes));
        self.scene.place_boxes(&boxes);
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
        self.scene.remove_boxes(&boxes);
        self.boxes = boxes;
        verdict
    }

    /// The state after this push, if it is possible and no other rule says that it loses.
    fn after_push(
        &mut self,
        pairs: &PairDeadlocks,
        state: CorralState,
        from: Cell,
        way: usize,
    ) -> Option<CorralState> {
        let (maze, grid) = (self.scene.maze, self.grid);
        let (behind, to) = (maze.next[usize::from(from)][opposite(way)], maze.next[usize::from(from)][way]);
        if behind == WALL || state.area & grid.set(behind) == 0 || !self.scene.is_free(to) {
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
            if !others.all(|other| pairs.is_alive(to, other, from)) || self.scene.would_lock(from, to) {
                return None;
            }
        }
        Some(CorralState { boxes: after, area })
    }
}
