//! The search: A* over pushes. A state is the boxes and the player as a push left him; what is
//! counted are moves, walks between pushes included, or pushes alone.

mod expand;

use std::sync::atomic::Ordering;

use super::bound::Bound;
use super::corral::Corrals;
use super::grid::Cell;
use super::matching::Matching;
use super::pairs::Pairs;
use super::queue::Queue;
use super::scene::Scene;
use super::states::Key;
use super::states::MOST;
use super::states::Note;
use super::states::States;
use crate::domain::Bounds;
use crate::domain::Limit;
use crate::domain::Measure;

pub(super) use expand::shift;

/// How many states are expanded between two looks at the flags.
const GLANCE: u32 = 256;

/// States after which it pays to know about pairs of boxes and corrals.
const PAIRED: u32 = 300;

/// What a search is to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Aim {
    pub(super) measure: Measure,
    /// How much the bound weighs beside the cost: 1 finds a best way, more finds some way sooner.
    pub(super) greed: u32,
    /// Whether every best way is wanted and not only its cost.
    pub(super) every: bool,
}

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    Limit(Limit),
    Stopped,
}

pub(super) struct Search<'a> {
    pub(super) scene: Scene<'a>,
    bound: &'a Bound,
    pairs: Option<Pairs>,
    /// States that were met before there were pairs.
    unpaired: u32,
    pub(super) corrals: Option<Corrals<'a>>,
    pub(super) aim: Aim,
    pub(super) states: States,
    queue: Queue,
    /// The least cost of a solution so far.
    pub(super) best: u32,
    /// Every solved state that was met.
    pub(super) goals: Vec<u32>,
    /// The state under expansion.
    boxes: Vec<Cell>,
    posts: Vec<usize>,
    homes: usize,
    walks: Vec<u32>,
    matching: Matching,
    pushes: Vec<expand::Push>,
    /// Its successor, and the rows of the assignment in which the two differ.
    child: Vec<Cell>,
    child_posts: Vec<usize>,
    child_walks: Vec<u32>,
    changed: Vec<usize>,
    trial: Matching,
}

impl<'a> Search<'a> {
    /// A search from this state, which is not solved.
    pub(super) fn new(scene: Scene<'a>, bound: &'a Bound, aim: Aim, player: Cell, boxes: &[Cell]) -> Self {
        let mut search = Self {
            states: States::new(scene.maze.len(), boxes.len()),
            queue: Queue::default(),
            best: u32::MAX,
            goals: Vec::new(),
            boxes: boxes.to_vec(),
            posts: Vec::new(),
            homes: 0,
            walks: Vec::new(),
            matching: Matching::new(boxes.len()),
            pushes: Vec::new(),
            child: Vec::new(),
            child_posts: Vec::new(),
            child_walks: Vec::new(),
            changed: Vec::new(),
            trial: Matching::new(boxes.len()),
            corrals: None,
            scene,
            bound,
            pairs: None,
            unpaired: 0,
            aim,
        };
        search.begin(player, boxes);
        search
    }

    fn begin(&mut self, player: Cell, boxes: &[Cell]) {
        self.scene.put_all(boxes);
        let player = match self.aim.measure {
            Measure::Actions => player,
            Measure::Pushes => self.scene.least(player, &mut self.walks),
        };
        self.scene.lift_all(boxes);
        let note = Note { cost: 0, left: 0, parent: 0, closed: false, marked: false };
        let key = self.states.write(player, boxes);
        if let Err(slot) = self.states.look_up(key) {
            let first = self.states.put(slot, key, note);
            self.queue.push(0, first);
        }
    }

    /// Runs until the best cost is proven, `best` being without a value when there is no solution.
    pub(super) fn run(&mut self, bounds: Bounds<'_>) -> Result<(), Cut> {
        let mut round = 0_u32;
        while let Some(at) = self.queue.pop(self.most()) {
            if self.states.note(at).closed {
                continue;
            }
            if round.is_multiple_of(GLANCE) {
                self.glance(bounds)?;
                if self.pairs.is_none() && self.states.len() > PAIRED {
                    self.pair();
                }
            }
            round += 1;
            if u64::from(self.states.len()) > bounds.states.min(MOST) {
                return Err(Cut::Limit(Limit::States));
            }
            self.expand(at);
        }
        Ok(())
    }

    /// Looks from now on at pairs of boxes and at corrals as well.
    pub(super) fn pair(&mut self) {
        self.pairs = Pairs::new(self.scene.maze);
        self.unpaired = self.states.len();
        self.corrals = self.pairs.is_some().then(|| Corrals::new(self.scene.clone(), self.bound)).flatten();
    }

    /// The greatest rank that can still matter.
    fn most(&self) -> u32 {
        match self.best {
            u32::MAX => u32::MAX,
            _ if self.aim.greed > 1 => 0,
            best if self.aim.every => best,
            best => best - 1,
        }
    }

    fn glance(&self, bounds: Bounds<'_>) -> Result<(), Cut> {
        let tables =
            self.scene.maze.bytes() + self.bound.bytes() + self.pairs.as_ref().map_or(0, Pairs::bytes);
        let corrals = self.corrals.as_ref().map_or(0, Corrals::bytes);
        let bytes = tables + corrals + self.states.bytes() + self.queue.bytes();
        if bounds.stop.load(Ordering::Relaxed) {
            return Err(Cut::Stopped);
        }
        if bounds.late.is_some_and(|late| late.load(Ordering::Relaxed)) {
            return Err(Cut::Limit(Limit::Time));
        }
        if u64::try_from(bytes).unwrap_or(u64::MAX) > bounds.memory {
            return Err(Cut::Limit(Limit::Memory));
        }
        Ok(())
    }

    fn improve(&mut self, known: u32, parent: u32, cost: u32) {
        let note = self.states.note_mut(known);
        if cost < note.cost {
            (note.cost, note.parent, note.closed) = (cost, parent, false);
            let left = note.left;
            self.offer(known, cost, left);
        }
    }

    fn enter(&mut self, slot: usize, key: Key, note: Note) {
        if note.cost + note.left <= self.best {
            let new = self.states.put(slot, key, note);
            if note.left == 0 {
                self.goals.push(new);
            }
            self.offer(new, note.cost, note.left);
        }
    }

    fn offer(&mut self, state: u32, cost: u32, left: u32) {
        if left == 0 {
            self.best = self.best.min(cost);
        } else {
            self.queue.push(cost.saturating_add(left.saturating_mul(self.aim.greed)), state);
        }
    }
}
