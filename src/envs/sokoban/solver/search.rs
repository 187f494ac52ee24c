//! The search: A* over pushes. A state is the boxes and the player as a push left him; what is
//! counted are moves, walks between pushes included, or pushes alone.

use std::sync::atomic::Ordering;

use super::bound::Bound;
use super::matching::Matching;
use super::maze::Cell;
use super::maze::back;
use super::pairs::Pairs;
use super::queue::Queue;
use super::scene::FAR;
use super::scene::Scene;
use super::states::Key;
use super::states::MOST;
use super::states::Note;
use super::states::States;
use crate::domain::Bounds;
use crate::domain::Limit;
use crate::domain::Measure;

/// How many states are expanded between two looks at the flags.
const GLANCE: u32 = 256;

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
    pairs: Option<&'a Pairs>,
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
    pushes: Vec<Push>,
    /// Its successor, and the rows of the assignment in which the two differ.
    child: Vec<Cell>,
    child_posts: Vec<usize>,
    child_walks: Vec<u32>,
    changed: Vec<usize>,
    trial: Matching,
}

/// A push: of which box, from where, what it costs with the walk to it, the state after it.
#[derive(Clone, Copy)]
struct Push {
    row: usize,
    from: Cell,
    to: Cell,
    step: u32,
    key: Key,
}

impl<'a> Search<'a> {
    /// A search from this state, which is not solved.
    pub(super) fn new(
        scene: Scene<'a>,
        bound: &'a Bound,
        pairs: Option<&'a Pairs>,
        aim: Aim,
        player: Cell,
        boxes: &[Cell],
    ) -> Self {
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
            scene,
            bound,
            pairs,
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
            }
            round += 1;
            if u64::from(self.states.len()) > bounds.states.min(MOST) {
                return Err(Cut::Limit(Limit::States));
            }
            self.expand(at);
        }
        Ok(())
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
        let bytes = self.states.bytes() + self.queue.bytes();
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

    fn expand(&mut self, at: u32) {
        self.states.note_mut(at).closed = true;
        let player = self.states.get(at, &mut self.boxes);
        let maze = self.scene.maze;
        self.posts.clear();
        self.posts.extend(self.boxes.iter().map(|cell| maze.post(*cell, player)));
        if !self.bound.assign(&mut self.matching, &self.posts) {
            return;
        }
        self.homes = self.boxes.iter().filter(|cell| maze.is_target(**cell)).count();
        self.scene.put_all(&self.boxes);
        self.scene.walks_to_boxes(player, &mut self.walks);
        self.states.forget();
        self.pushes.clear();
        for row in 0..self.boxes.len() {
            (0..4).for_each(|way| self.consider(row, way));
        }
        self.pushes.iter().for_each(|push| self.states.fetch(push.key));
        let cost = self.states.note(at).cost;
        for index in 0..self.pushes.len() {
            let push = self.pushes[index];
            self.meet(at, cost + push.step, &push);
        }
        self.scene.lift_all(&self.boxes);
    }

    /// Notes a push, if it is possible and the box is not dead after it.
    fn consider(&mut self, row: usize, way: usize) {
        let (maze, from) = (self.scene.maze, self.boxes[row]);
        let (behind, to) = (maze.next[usize::from(from)][back(way)], maze.next[usize::from(from)][way]);
        let walk = self.walks.get(usize::from(behind)).copied().unwrap_or(FAR);
        if walk == FAR || !self.scene.is_free(to) || self.bound.is_dead(maze.post(to, from)) {
            return;
        }
        let (step, player) = match self.aim.measure {
            Measure::Actions => (walk + 1, from),
            Measure::Pushes => {
                self.scene.shift(from, to);
                let least = self.scene.least(from, &mut self.child_walks);
                self.scene.shift(to, from);
                (1, least)
            }
        };
        self.child.clear();
        self.child.extend_from_slice(&self.boxes);
        shift(&mut self.child, row, to);
        let key = self.states.write(player, &self.child);
        self.pushes.push(Push { row, from, to, step, key });
    }

    /// Meets the state after a push.
    fn meet(&mut self, at: u32, cost: u32, push: &Push) {
        match self.states.look_up(push.key) {
            Ok(known) => self.improve(known, at, cost),
            Err(slot) => {
                if let Some(left) = self.estimate(at, cost, push) {
                    let note = Note { cost, left, parent: at, closed: false, marked: false };
                    self.enter(slot, push.key, note);
                }
            }
        }
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

    /// What is left at least after a push; `None` when boxes are lost. 0 for a solved state only.
    fn estimate(&mut self, at: u32, cost: u32, push: &Push) -> Option<u32> {
        let maze = self.scene.maze;
        let homes =
            self.homes + usize::from(maze.is_target(push.to)) - usize::from(maze.is_target(push.from));
        if homes == self.boxes.len() {
            return Some(0);
        }
        if !self.is_paired(push) || self.scene.would_lock(push.from, push.to) {
            return None;
        }
        self.compare(push);
        self.trial.copy(&self.matching);
        if !self.bound.adjust(&mut self.trial, &self.child_posts, &self.changed) {
            return None;
        }
        let least = self.bound.moves(&self.trial, &self.child_posts, push.from).max(1);
        let parent = self.states.note(at);
        Some(least.max((parent.cost + parent.left).saturating_sub(cost)))
    }

    /// Whether the pushed box can still be brought home together with each of the others.
    fn is_paired(&self, push: &Push) -> bool {
        let others = || self.boxes.iter().filter(|cell| **cell != push.from);
        self.pairs.is_none_or(|pairs| others().all(|other| pairs.is_alive(push.to, *other, push.from)))
    }

    /// Finds the rows of the assignment that a push changes.
    fn compare(&mut self, push: &Push) {
        let maze = self.scene.maze;
        self.child_posts.clear();
        self.changed.clear();
        for (row, cell) in self.boxes.iter().enumerate() {
            let cell = if row == push.row { push.to } else { *cell };
            let post = maze.post(cell, push.from);
            if post != self.posts[row] {
                self.changed.push(row);
            }
            self.child_posts.push(post);
        }
    }
}

/// Replaces one number in an ascending list and keeps the order.
pub(super) fn shift(boxes: &mut [Cell], mut at: usize, to: Cell) {
    while at + 1 < boxes.len() && boxes[at + 1] < to {
        boxes[at] = boxes[at + 1];
        at += 1;
    }
    while at > 0 && boxes[at - 1] > to {
        boxes[at] = boxes[at - 1];
        at -= 1;
    }
    boxes[at] = to;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_stay_in_order_so_that_no_state_is_met_twice() {
        for (at, to, after) in [(0, 4, [4, 5, 9]), (0, 6, [5, 6, 9]), (0, 12, [5, 9, 12]), (2, 1, [1, 3, 5])]
        {
            let mut boxes = [3, 5, 9];
            shift(&mut boxes, at, to);
            assert_eq!(boxes, after);
        }
    }
}
