//! What one push leads to.

use super::super::grid::Cell;
use super::super::grid::Cells;
use super::super::maze::back;
use super::super::scene::FAR;
use super::super::states::Key;
use super::super::states::Note;
use super::Search;
use crate::domain::Measure;

/// A push: of which box, from where, what it costs with the walk to it, the state after it.
#[derive(Clone, Copy)]
pub(super) struct Push {
    row: usize,
    from: Cell,
    to: Cell,
    step: u32,
    key: Key,
}

impl Search<'_> {
    /// Meets every state that is one push away.
    pub(super) fn expand(&mut self, at: u32) {
        self.states.note_mut(at).closed = true;
        let player = self.states.get(at, &mut self.boxes);
        let maze = self.scene.maze;
        self.posts.clear();
        self.posts.extend(self.boxes.iter().map(|cell| maze.post(*cell, player)));
        if !self.bound.assign(&mut self.matching, &self.posts) {
            return;
        }
        self.scene.put_all(&self.boxes);
        let shut = self.scene.walks_to_boxes(player, &mut self.walks);
        if self.is_paired_all(at, player) && (shut == 0 || !self.is_lost(at, player, shut)) {
            self.push_on(at);
        }
        self.scene.lift_all(&self.boxes);
    }

    /// Whether boxes around cells that the player cannot reach are lost for sure.
    fn is_lost(&mut self, at: u32, player: Cell, shut: Cells) -> bool {
        let (Some(corrals), Some(pairs)) = (&mut self.corrals, &self.pairs) else { return false };
        // Where he stands as a push left him, the box is beside him.
        let pushed = at != 0 && self.aim.measure == Measure::Actions;
        let pushed = if pushed { self.scene.boxes_beside(player) } else { self.scene.boxes() };
        corrals.is_lost(pairs, self.scene.boxes(), player, shut, pushed)
    }

    fn push_on(&mut self, at: u32) {
        let maze = self.scene.maze;
        self.homes = self.boxes.iter().filter(|cell| maze.is_target(**cell)).count();
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
        self.pairs
            .as_ref()
            .is_none_or(|pairs| others().all(|other| pairs.is_alive(push.to, *other, push.from)))
    }

    /// Whether that is so for all boxes of a state that was met before there were pairs.
    fn is_paired_all(&self, at: u32, player: Cell) -> bool {
        let Some(pairs) = self.pairs.as_ref().filter(|_| at < self.unpaired) else { return true };
        let fits = |(row, one): (usize, &Cell)| {
            self.boxes[..row].iter().all(|other| pairs.is_alive(*one, *other, player))
        };
        self.boxes.iter().enumerate().all(fits)
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
pub(in super::super) fn shift(boxes: &mut [Cell], mut at: usize, to: Cell) {
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
