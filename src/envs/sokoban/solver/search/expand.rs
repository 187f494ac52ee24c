//! The expansion of a state: every state one push away.

use super::super::Measure;
use super::super::grid::{Cell, CellSet};
use super::super::maze::opposite;
use super::super::occupancy::UNREACHABLE;
use super::super::states::{Key, StateInfo};
use super::Search;
use mageyard_domain::SearchBudget;

/// A push: the box, its cells, its cost with the walk to it, and the key of the state after it.
#[derive(Clone, Copy)]
pub(super) struct Push {
    row: usize,
    from: Cell,
    to: Cell,
    cost: u32,
    key: Key,
}

impl Search<'_> {
    /// Visits every state that is one push away, until the time is up.
    pub(super) fn expand(&mut self, at: u32, bounds: SearchBudget<'_>) {
        self.states.info_mut(at).closed = true;
        let player = self.states.get(at, &mut self.boxes);
        let maze = self.occupancy.maze;
        self.posts.clear();
        self.posts.extend(self.boxes.iter().map(|cell| maze.post(*cell, player)));
        if !self.bound.assign(&mut self.matching, &self.posts) {
            return;
        }
        self.occupancy.place_boxes(&self.boxes);
        let shut = self.occupancy.walk_distances_to_boxes(player, &mut self.walks);
        if self.are_all_pairs_alive(at, player) && (shut == 0 || !self.is_lost(at, player, shut)) {
            self.push_boxes(at, bounds);
        }
        self.occupancy.remove_boxes(&self.boxes);
    }

    /// Whether boxes around cells that the player cannot reach are proven dead.
    fn is_lost(&mut self, at: u32, player: Cell, shut: CellSet) -> bool {
        let (Some(corrals), Some(pairs)) = (&mut self.corrals, &self.pairs) else { return false };
        // The player is where the last push left him, so the pushed box is beside him.
        let pushed = at != 0 && self.mode.measure == Measure::Moves;
        let pushed = if pushed { self.occupancy.boxes_beside(player) } else { self.occupancy.boxes() };
        corrals.is_lost(pairs, self.occupancy.boxes(), player, shut, pushed)
    }

    fn push_boxes(&mut self, at: u32, bounds: SearchBudget<'_>) {
        let maze = self.occupancy.maze;
        self.boxes_on_target = self.boxes.iter().filter(|cell| maze.is_target(**cell)).count();
        self.states.clear_keys();
        self.pushes.clear();
        for row in 0..self.boxes.len() {
            for way in 0..4 {
                self.add_push(row, way);
            }
        }
        for push in &self.pushes {
            self.states.prefetch(push.key);
        }
        let cost = self.states.info(at).cost;
        for index in 0..self.pushes.len() {
            let push = self.pushes[index];
            // With many boxes on a large board a single push can take milliseconds.
            if bounds.is_over() {
                return;
            }
            self.visit(at, cost + push.cost, &push);
        }
    }

    /// Adds a push if it is possible and does not kill the box.
    fn add_push(&mut self, row: usize, way: usize) {
        let maze = self.occupancy.maze;
        let from = self.boxes[row];
        let behind = maze.next[usize::from(from)][opposite(way)];
        let to = maze.next[usize::from(from)][way];
        let walk = self.walks.get(usize::from(behind)).copied().unwrap_or(UNREACHABLE);
        if walk == UNREACHABLE || !self.occupancy.is_free(to) || self.bound.is_dead(maze.post(to, from)) {
            return;
        }
        let (step, player) = match self.mode.measure {
            Measure::Moves => (walk + 1, from),
            Measure::Pushes => {
                self.occupancy.move_box(from, to);
                let least = self.occupancy.least_reachable(from, &mut self.child_walks);
                self.occupancy.move_box(to, from);
                (1, least)
            }
        };
        self.child.clear();
        self.child.extend_from_slice(&self.boxes);
        replace_sorted(&mut self.child, row, to);
        let key = self.states.write_key(player, &self.child);
        self.pushes.push(Push { row, from, to, cost: step, key });
    }

    /// Visits the state after a push.
    fn visit(&mut self, at: u32, cost: u32, push: &Push) {
        match self.states.look_up(push.key) {
            Ok(known) => self.improve(known, at, cost),
            Err(slot) => {
                if let Some(left) = self.estimate(at, cost, push) {
                    let info =
                        StateInfo { cost, estimate: left, parent: at, closed: false, on_best_path: false };
                    self.insert(slot, push.key, info);
                }
            }
        }
    }

    /// A lower bound of the cost that remains after a push; `None` if the state is dead. 0 for solved
    /// states only.
    fn estimate(&mut self, at: u32, cost: u32, push: &Push) -> Option<u32> {
        let maze = self.occupancy.maze;
        let homes = self.boxes_on_target + usize::from(maze.is_target(push.to))
            - usize::from(maze.is_target(push.from));
        if homes == self.boxes.len() {
            return Some(0);
        }
        if !self.is_pair_alive(push) || self.occupancy.would_lock(push.from, push.to) {
            return None;
        }
        self.find_changed_rows(push);
        self.trial.copy_from(&self.matching);
        if !self.bound.adjust(&mut self.trial, &self.child_posts, &self.changed) {
            return None;
        }
        let least = self.bound.min_moves(&self.trial, &self.child_posts, push.from).max(1);
        let least = least.max(self.locked_boxes_bound(push)?);
        let parent = self.states.info(at);
        Some(least.max((parent.cost + parent.estimate).saturating_sub(cost)))
    }

    /// The pushes that remain at least after this one, by the locked boxes; `None` if the state is dead.
    fn locked_boxes_bound(&mut self, push: &Push) -> Option<u32> {
        let Some(bounds) = &mut self.locked_boxes else { return Some(0) };
        self.child.clone_from(&self.boxes);
        replace_sorted(&mut self.child, push.row, push.to);
        self.occupancy.locked_after(push.from, push.to, &self.child, &mut self.locked);
        bounds.min_pushes(&self.locked, &self.child, push.from)
    }

    /// Whether the pushed box and each other box can still both reach targets.
    fn is_pair_alive(&self, push: &Push) -> bool {
        let others = || self.boxes.iter().filter(|cell| **cell != push.from);
        self.pairs
            .as_ref()
            .is_none_or(|pairs| others().all(|other| pairs.is_alive(push.to, *other, push.from)))
    }

    /// The same for all boxes of a state that was visited before the pair table existed.
    fn are_all_pairs_alive(&self, at: u32, player: Cell) -> bool {
        let Some(pairs) = self.pairs.as_ref().filter(|_| at < self.states_before_pairs) else { return true };
        let fits = |(row, one): (usize, &Cell)| {
            self.boxes[..row].iter().all(|other| pairs.is_alive(*one, *other, player))
        };
        self.boxes.iter().enumerate().all(fits)
    }

    /// Finds the rows of the assignment that a push changes.
    fn find_changed_rows(&mut self, push: &Push) {
        let maze = self.occupancy.maze;
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

/// Replaces one number of an ascending list and keeps the order.
pub(in super::super) fn replace_sorted(boxes: &mut [Cell], mut at: usize, to: Cell) {
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
    fn boxes_stay_in_ascending_order() {
        for (at, to, after) in [(0, 4, [4, 5, 9]), (0, 6, [5, 6, 9]), (0, 12, [5, 9, 12]), (2, 1, [1, 3, 5])]
        {
            let mut boxes = [3, 5, 9];
            replace_sorted(&mut boxes, at, to);
            assert_eq!(boxes, after);
        }
    }
}
