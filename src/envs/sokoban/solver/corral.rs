//! Corrals: what boxes shut off from the player. Where the boxes around one cannot all be brought
//! home though every other box is lifted off the board, the state is lost.
//!
//! The verdict is sound, since whoever solves the whole board solves it for these boxes as well. It is
//! looked for in a few states only and given up where the corral opens, because most corrals are
//! harmless. What was found lost is kept and known again under any other boxes. Few of the states that
//! the other rules leave are lost at all (of eighteen rooms of 13 x 13 with five boxes, one in a hundred
//! in the middle one and a third in the worst), so a search that asks in vain stops asking.

use rustc_hash::FxHashMap;

use super::bound::Bound;
use super::grid::Cell;
use super::grid::Cells;
use super::grid::Grid;
use super::maze::WALL;
use super::maze::back;
use super::pairs::Pairs;
use super::scene::Scene;

/// States in which a verdict is looked for.
const STATES: usize = 30;
/// Fewer boxes than this are the business of [`Pairs`].
const BOXES: u32 = 3;
/// Verdicts that are kept; after that many only those that are known are used.
const VERDICTS: usize = 1 << 15;
/// Lost states that are kept for each cell, to be known under other boxes.
const LOST: usize = 64;
/// Questions after which the answers are counted, and how many of them must be that a state is lost:
/// one in so many.
const TRIAL: u32 = 128;
const WORTH: u32 = 12;

/// Some boxes alone on the board, and all that the player can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    boxes: Cells,
    area: Cells,
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
    scene: Scene<'a>,
    grid: &'a Grid,
    bound: &'a Bound,
    targets: Cells,
    verdicts: FxHashMap<State, Verdict>,
    /// For each cell the lost states with a box on it.
    lost: Vec<Vec<State>>,
    /// The states of one look.
    met: Vec<State>,
    boxes: Vec<Cell>,
    asked: u32,
    found: u32,
}

impl<'a> Corrals<'a> {
    /// `None` for a maze that is too large. The scene has no boxes.
    pub(super) fn new(scene: Scene<'a>, bound: &'a Bound) -> Option<Self> {
        let grid = scene.maze.grid.as_ref()?;
        Some(Self {
            grid,
            bound,
            targets: scene.maze.targets.iter().fold(0, |set, cell| set | grid.set(*cell)),
            verdicts: FxHashMap::default(),
            lost: vec![Vec::new(); scene.maze.len()],
            scene,
            met: Vec::new(),
            boxes: Vec::new(),
            asked: 0,
            found: 0,
        })
    }

    /// Bytes of what is kept.
    pub(super) fn bytes(&self) -> usize {
        let lost: usize = self.lost.iter().map(Vec::capacity).sum();
        self.verdicts.capacity() * size_of::<(State, Verdict)>() + lost * size_of::<State>()
    }

    /// Whether boxes around a corral are lost for sure. `shut` are the cells beside boxes that the
    /// player cannot reach, and one of the boxes in `pushed` is the one that was pushed last.
    pub(super) fn is_lost(
        &mut self,
        pairs: &Pairs,
        boxes: Cells,
        player: Cell,
        shut: Cells,
        pushed: Cells,
    ) -> bool {
        if self.asked >= TRIAL && self.found < self.asked / WORTH {
            return false;
        }
        let player = self.grid.set(player);
        let lost = self.is_known(boxes, player, pushed) || self.judge_all(pairs, boxes, player, shut, pushed);
        self.asked += 1;
        self.found += u32::from(lost);
        lost
    }

    /// Whether some of these boxes, one of those in `pushed` among them, are known to be lost.
    fn is_known(&self, boxes: Cells, player: Cells, pushed: Cells) -> bool {
        let fits = |state: &State| state.boxes & !boxes == 0 && state.area & player != 0;
        self.grid.each(pushed).any(|cell| self.lost[usize::from(cell)].iter().any(fits))
    }

    fn judge_all(
        &mut self,
        pairs: &Pairs,
        boxes: Cells,
        player: Cells,
        mut shut: Cells,
        pushed: Cells,
    ) -> bool {
        let free = self.grid.all & !boxes;
        while shut != 0 {
            let corral = self.grid.fill(shut & shut.wrapping_neg(), free);
            shut &= !corral;
            let around = self.grid.beside(corral) & boxes;
            let strays = around & !self.targets != 0;
            if strays && around & pushed != 0 && around.count_ones() >= BOXES {
                let area = self.grid.fill(player, self.grid.all & !around);
                if self.judge(pairs, State { boxes: around, area }, corral) == Verdict::Lost {
                    return true;
                }
            }
        }
        false
    }

    /// The verdict of a state, not all of whose boxes are home.
    fn judge(&mut self, pairs: &Pairs, state: State, corral: Cells) -> Verdict {
        if let Some(known) = self.verdicts.get(&state) {
            return *known;
        }
        if self.verdicts.len() >= VERDICTS {
            return Verdict::Open;
        }
        let verdict = self.look(pairs, state, corral);
        self.verdicts.insert(state, verdict);
        if verdict == Verdict::Lost {
            for cell in self.grid.each(state.boxes) {
                let lost = &mut self.lost[usize::from(cell)];
                if lost.len() < LOST {
                    lost.push(state);
                }
            }
        }
        verdict
    }

    /// Looks at all that these boxes can still do, within the limit of states.
    fn look(&mut self, pairs: &Pairs, first: State, corral: Cells) -> Verdict {
        self.met.clear();
        self.met.push(first);
        let mut at = 0;
        while let Some(state) = self.met.get(at).copied() {
            if self.met.len() > STATES || self.spread(pairs, state, corral) == Verdict::Open {
                return Verdict::Open;
            }
            at += 1;
        }
        Verdict::Lost
    }

    /// Meets what is one push away from this state; open when that brings all its boxes home, or the
    /// player into all of the corral.
    fn spread(&mut self, pairs: &Pairs, state: State, corral: Cells) -> Verdict {
        let mut boxes = std::mem::take(&mut self.boxes);
        boxes.clear();
        boxes.extend(self.grid.each(state.boxes));
        self.scene.put_all(&boxes);
        let mut verdict = Verdict::Lost;
        'all: for from in &boxes {
            for way in 0..4 {
                let Some(after) = self.pushed(pairs, state, *from, way) else { continue };
                if after.boxes & !self.targets == 0 || corral & !after.boxes & !after.area == 0 {
                    verdict = Verdict::Open;
                    break 'all;
                }
                if !self.met.contains(&after) {
                    self.met.push(after);
                }
            }
        }
        self.scene.lift_all(&boxes);
        self.boxes = boxes;
        verdict
    }

    /// The state after this push, if it is possible and no other rule says that it loses.
    fn pushed(&mut self, pairs: &Pairs, state: State, from: Cell, way: usize) -> Option<State> {
        let (maze, grid) = (self.scene.maze, self.grid);
        let (behind, to) = (maze.next[usize::from(from)][back(way)], maze.next[usize::from(from)][way]);
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
            let mut others = grid.each(state.boxes & !player);
            if !others.all(|other| pairs.is_alive(to, other, from)) || self.scene.would_lock(from, to) {
                return None;
            }
        }
        Some(State { boxes: after, area })
    }
}
