//! A* over pushes. A state is the boxes and the player as a push left him. The cost is counted in moves,
//! walks between pushes included, or in pushes alone.

mod expand;

use std::sync::atomic::Ordering;

use super::super::board::Square;
use super::Measure;
use super::corral::Corrals;
use super::grid::Cell;
use super::locked_boxes::LockedBoxBounds;
use super::lower_bound::LowerBound;
use super::matching::Matching;
use super::occupancy::Occupancy;
use super::pair_deadlocks::PairDeadlocks;
use super::queue::BucketQueue;
use super::states::{Key, MAX_STATES, StateInfo, StateTable};
use mageyard_domain::{LimitKind, SearchBudget};

pub(super) use expand::replace_sorted;

/// States expanded between two checks of the memory. The clock is looked at before each push.
const CHECK_INTERVAL: u32 = 256;

/// States after which pair and corral deadlocks pay off.
const EXTRA_RULES_AFTER: u32 = 300;

/// The kind of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SearchMode {
    pub(super) measure: Measure,
    /// The weight of the lower bound beside the cost. 1 finds a best solution, more finds some solution
    /// sooner.
    pub(super) weight: u32,
    /// The rank added for each separate area that the boxes leave; 0 in a search for a best solution.
    pub(super) area_cost: u32,
    /// Whether all best solutions are needed, and not only their cost.
    pub(super) all_paths: bool,
}

impl SearchMode {
    /// A search for a best solution.
    pub(super) fn optimal(measure: Measure, all_paths: bool) -> Self {
        Self { measure, weight: 1, area_cost: 0, all_paths }
    }

    fn is_optimal(self) -> bool {
        self.weight == 1 && self.area_cost == 0
    }
}

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchCut {
    Limit(LimitKind),
    Stopped,
}

pub(super) struct Search<'a> {
    pub(super) occupancy: Occupancy<'a>,
    bound: &'a LowerBound,
    pairs: Option<PairDeadlocks>,
    /// States visited before the pair table existed.
    states_before_pairs: u32,
    pub(super) corrals: Option<Corrals<'a>>,
    /// Only in searches that need not be optimal.
    locked_boxes: Option<LockedBoxBounds<'a>>,
    locked: Vec<Square>,
    pub(super) mode: SearchMode,
    pub(super) states: StateTable,
    queue: BucketQueue,
    /// The least cost of a solution so far.
    pub(super) best_cost: u32,
    /// Every solved state visited.
    pub(super) goals: Vec<u32>,
    /// The state being expanded.
    boxes: Vec<Cell>,
    posts: Vec<usize>,
    boxes_on_target: usize,
    walks: Vec<u32>,
    matching: Matching,
    pushes: Vec<expand::Push>,
    /// Its successor, and the rows of the assignment that differ.
    child: Vec<Cell>,
    child_posts: Vec<usize>,
    child_walks: Vec<u32>,
    changed: Vec<usize>,
    trial: Matching,
}

impl<'a> Search<'a> {
    /// A search from this state, which is not solved.
    pub(super) fn new(
        occupancy: Occupancy<'a>,
        bound: &'a LowerBound,
        mode: SearchMode,
        player: Cell,
        boxes: &[Cell],
    ) -> Self {
        let mut search = Self {
            states: StateTable::new(occupancy.maze.len(), boxes.len()),
            queue: BucketQueue::default(),
            best_cost: u32::MAX,
            goals: Vec::new(),
            boxes: boxes.to_vec(),
            posts: Vec::new(),
            boxes_on_target: 0,
            walks: Vec::new(),
            matching: Matching::new(boxes.len()),
            pushes: Vec::new(),
            child: Vec::new(),
            child_posts: Vec::new(),
            child_walks: Vec::new(),
            changed: Vec::new(),
            trial: Matching::new(boxes.len()),
            corrals: None,
            locked_boxes: (!mode.is_optimal()).then(|| occupancy.locked_box_bounds()),
            locked: Vec::new(),
            occupancy,
            bound,
            pairs: None,
            states_before_pairs: 0,
            mode,
        };
        search.insert_start(player, boxes);
        search
    }

    fn insert_start(&mut self, player: Cell, boxes: &[Cell]) {
        self.occupancy.place_boxes(boxes);
        let player = match self.mode.measure {
            Measure::Moves => player,
            Measure::Pushes => self.occupancy.least_reachable(player, &mut self.walks),
        };
        self.occupancy.remove_boxes(boxes);
        let info = StateInfo { cost: 0, estimate: 0, parent: 0, closed: false, on_best_path: false };
        let key = self.states.write_key(player, boxes);
        if let Err(slot) = self.states.look_up(key) {
            let first = self.states.insert(slot, key, info);
            self.queue.push(0, first);
        }
    }

    /// Runs until the best cost is proven; `best_cost` stays unset if there is no solution.
    pub(super) fn run(&mut self, bounds: SearchBudget<'_>) -> Result<(), SearchCut> {
        let mut round = 0_u32;
        while let Some(at) = self.queue.pop(self.max_rank()) {
            if self.states.info(at).closed {
                continue;
            }
            Self::check_time(bounds)?;
            if round.is_multiple_of(CHECK_INTERVAL) {
                self.check_memory(bounds)?;
                if self.pairs.is_none() && self.states.len() > EXTRA_RULES_AFTER {
                    self.enable_extra_rules();
                }
            }
            round += 1;
            if u64::from(self.states.len()) > bounds.states.min(MAX_STATES) {
                return Err(SearchCut::Limit(LimitKind::States));
            }
            self.expand(at, bounds);
        }
        // An expansion that the time ended is not complete, so it proves nothing.
        if self.best_cost == u32::MAX { Self::check_time(bounds) } else { Ok(()) }
    }

    /// Uses pair and corral deadlocks from now on.
    pub(super) fn enable_extra_rules(&mut self) {
        self.pairs = PairDeadlocks::new(self.occupancy.maze);
        self.states_before_pairs = self.states.len();
        self.corrals =
            self.pairs.is_some().then(|| Corrals::new(self.occupancy.clone(), self.bound)).flatten();
    }

    /// The greatest rank that can still matter.
    fn max_rank(&self) -> u32 {
        match self.best_cost {
            u32::MAX => u32::MAX,
            _ if !self.mode.is_optimal() => 0,
            best if self.mode.all_paths => best,
            best => best - 1,
        }
    }

    fn check_time(bounds: SearchBudget<'_>) -> Result<(), SearchCut> {
        match bounds.is_over() {
            true if bounds.cancel.load(Ordering::Relaxed) => Err(SearchCut::Stopped),
            true => Err(SearchCut::Limit(LimitKind::Time)),
            false => Ok(()),
        }
    }

    fn check_memory(&self, bounds: SearchBudget<'_>) -> Result<(), SearchCut> {
        let tables = self.occupancy.maze.bytes()
            + self.bound.bytes()
            + self.pairs.as_ref().map_or(0, PairDeadlocks::bytes);
        let corrals = self.corrals.as_ref().map_or(0, Corrals::bytes);
        let locked = self.locked_boxes.as_ref().map_or(0, LockedBoxBounds::bytes);
        let bytes = tables + corrals + locked + self.states.bytes() + self.queue.bytes();
        if u64::try_from(bytes).unwrap_or(u64::MAX) > bounds.memory {
            return Err(SearchCut::Limit(LimitKind::Memory));
        }
        Ok(())
    }

    fn improve(&mut self, known: u32, parent: u32, cost: u32) {
        let optimal = self.mode.is_optimal();
        let info = self.states.info_mut(known);
        // Expanding states again pays only where the cost matters.
        if cost < info.cost && (optimal || !info.closed) {
            (info.cost, info.parent, info.closed) = (cost, parent, false);
            let left = info.estimate;
            self.enqueue(known, cost, left);
        }
    }

    fn insert(&mut self, slot: usize, key: Key, info: StateInfo) {
        if info.cost + info.estimate <= self.best_cost {
            let new = self.states.insert(slot, key, info);
            if info.estimate == 0 {
                self.goals.push(new);
            }
            self.enqueue(new, info.cost, info.estimate);
        }
    }

    fn enqueue(&mut self, state: u32, cost: u32, left: u32) {
        if left == 0 {
            self.best_cost = self.best_cost.min(cost);
        } else {
            let areas = if self.mode.area_cost == 0 { 0 } else { self.areas(state) };
            let rank = cost.saturating_add(left.saturating_mul(self.mode.weight));
            self.queue.push(rank.saturating_add(areas * self.mode.area_cost), state);
        }
    }

    /// The number of separate areas in a state.
    fn areas(&mut self, state: u32) -> u32 {
        self.states.get(state, &mut self.child);
        self.occupancy.areas(&self.child)
    }
}
