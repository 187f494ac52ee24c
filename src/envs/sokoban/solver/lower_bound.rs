//! A lower bound of the remaining moves: the assignment of boxes to targets, with costs modified by a
//! potential.
//!
//! The potential gives every cell a height such that neighbours differ by at most 1. A walk then gains at most
//! its number of moves. The player's gains add up to (height at the end) - (height now), and what is not gained
//! by pushes is gained by walks. So
//!
//! ```text
//! moves >= least height where a last push ends - height now + sum over pushes of (1 - gain of the push)
//! ```
//!
//! and the sum over pushes is at least the cheapest assignment of boxes to targets where each push costs
//! `1 - gain`, from 0 to 2. A flat potential gives the usual bound, the number of pushes. A potential that falls
//! in the direction of the pushes also counts the walks back for the next box. The bound is admissible for every
//! potential, and a step never lowers it by more than its cost except for rounding.

use super::grid::Cell;
use super::matching::{Matching, NEVER};
use super::maze::{Maze, WALL};

/// Parts per move: heights are whole numbers of these.
pub(super) const PARTS_PER_MOVE: i32 = 16;
/// Above this number of boxes, the sum of the distances to the nearest targets replaces the assignment,
/// because tables and assignments grow with its square and cube.
const MAX_BOXES: usize = 64;

/// Posts between two looks at the clock.
const POSTS_BETWEEN_CHECKS: usize = 256;

pub(super) struct LowerBound {
    /// The potential of each cell, in parts.
    potential: Vec<i32>,
    /// The least potential where a last push can leave the player.
    end_potential: i32,
    /// For each post, the cost of the cheapest path to each target, in parts.
    costs: Vec<i32>,
    /// Columns of `costs`: one per target, or a single one for the nearest target.
    columns: usize,
    /// Whether a box at this post can reach no target.
    dead: Vec<bool>,
    nearest_only: bool,
}

impl LowerBound {
    /// The bound for this potential, which has one height per cell, in parts.
    /// `None` if it is over before the bound is complete.
    pub(super) fn new_until(maze: &Maze, heights: Vec<i32>, is_over: &dyn Fn() -> bool) -> Option<Self> {
        let (bound, complete) = Self::prepared(maze, heights, is_over);
        complete.then_some(bound)
    }

    /// The bound, and whether it is complete.
    fn prepared(maze: &Maze, heights: Vec<i32>, is_over: &dyn Fn() -> bool) -> (Self, bool) {
        let rough = maze.targets.len() > MAX_BOXES;
        let columns = if rough { 1 } else { maze.targets.len() };
        let ends = maze.targets.iter().flat_map(|target| maze.next[usize::from(*target)]);
        let end = ends.filter_map(|cell| heights.get(usize::from(cell))).min();
        let mut bound = Self {
            end_potential: end.copied().unwrap_or(0),
            costs: Vec::new(),
            columns,
            dead: Vec::new(),
            nearest_only: rough,
            potential: heights,
        };
        bound.costs = vec![NEVER; maze.posts() * columns];
        let complete = bound.propagate(maze, is_over);
        let never = |line: &[i32]| line.iter().all(|cost| *cost >= NEVER);
        bound.dead = bound.costs.chunks_exact(columns.max(1)).map(never).collect();
        (bound, complete)
    }

    pub(super) fn flat(maze: &Maze) -> Self {
        Self::prepared(maze, vec![0; maze.len()], &|| false).0
    }

    /// Computes the cheapest paths from all posts to all targets at once, by Moore's method: posts whose
    /// costs fell wait in a queue. False if it is over before.
    fn propagate(&mut self, maze: &Maze, is_over: &dyn Fn() -> bool) -> bool {
        let mut queue = Vec::with_capacity(maze.posts());
        let mut waiting = vec![false; maze.posts()];
        for (index, target) in maze.targets.iter().enumerate() {
            for player in maze.next[usize::from(*target)].into_iter().filter(|near| *near != WALL) {
                let post = maze.post(*target, player);
                self.costs[post * self.columns + index % self.columns] = 0;
                if !waiting[post] {
                    waiting[post] = true;
                    queue.push(post);
                }
            }
        }
        let mut at = 0;
        while let Some(post) = queue.get(at).copied() {
            at += 1;
            if at.is_multiple_of(POSTS_BETWEEN_CHECKS) && is_over() {
                return false;
            }
            waiting[post] = false;
            for pull in maze.pulls_to(post) {
                let cost = self.push_cost(pull.cell, pull.player);
                if self.relax(pull.before, post, cost) && !waiting[pull.before] {
                    waiting[pull.before] = true;
                    queue.push(pull.before);
                }
            }
        }
        true
    }

    /// Lowers the costs of a post to those through another one; true if any fell.
    fn relax(&mut self, post: usize, through: usize, cost: i32) -> bool {
        let mut lower = false;
        for column in 0..self.columns {
            let cost = cost + self.costs[through * self.columns + column];
            let known = &mut self.costs[post * self.columns + column];
            lower |= cost < *known;
            *known = cost.min(*known);
        }
        lower
    }

    /// The cost of a push that moves the player from `player` to `cell`, where the box was.
    fn push_cost(&self, cell: Cell, player: Cell) -> i32 {
        PARTS_PER_MOVE - self.potential[usize::from(cell)] + self.potential[usize::from(player)]
    }

    /// Allocated bytes.
    pub(super) fn bytes(&self) -> usize {
        (self.potential.len() + self.costs.len()) * size_of::<i32>() + self.dead.len()
    }

    /// The offset of a post's costs.
    pub(super) fn row_start(&self, post: usize) -> usize {
        post * self.columns
    }

    /// Whether a box at this post can reach no target.
    pub(super) fn is_dead(&self, post: usize) -> bool {
        self.dead[post]
    }

    /// Computes the assignment for these posts; false if there is none.
    pub(super) fn assign(&self, matching: &mut Matching, posts: &[usize]) -> bool {
        if self.is_nearest_only() {
            return !posts.iter().any(|post| self.is_dead(*post));
        }
        matching.solve(|row| self.row_start(posts[row]), &self.costs)
    }

    /// Updates an assignment in the changed rows; false if there is none.
    pub(super) fn adjust(&self, matching: &mut Matching, posts: &[usize], changed: &[usize]) -> bool {
        if self.is_nearest_only() {
            return !changed.iter().any(|row| self.is_dead(posts[*row]));
        }
        for row in changed {
            matching.free(*row);
        }
        changed.iter().all(|row| matching.assign(*row, |row| self.row_start(posts[row]), &self.costs))
    }

    /// The least number of remaining moves, for a current assignment.
    pub(super) fn min_moves(&self, matching: &Matching, posts: &[usize], player: Cell) -> u32 {
        let parts = self.min_parts(matching, posts, player);
        u32::try_from(parts).unwrap_or(0).div_ceil(PARTS_PER_MOVE.unsigned_abs())
    }

    /// The same in parts of a move.
    pub(super) fn min_parts(&self, matching: &Matching, posts: &[usize], player: Cell) -> i32 {
        let sum: i32 = if self.is_nearest_only() {
            posts.iter().map(|post| self.costs[*post]).sum()
        } else {
            matching.sum()
        };
        self.end_potential - self.potential[usize::from(player)] + sum
    }

    pub(super) fn is_nearest_only(&self) -> bool {
        self.nearest_only
    }

    /// The gradient of the bound in the potential at this state: one number per cell.
    pub(super) fn gradient(
        &self,
        maze: &Maze,
        matching: &Matching,
        posts: &[usize],
        player: Cell,
    ) -> Vec<i32> {
        let mut slope = vec![0; maze.len()];
        slope[usize::from(player)] -= 1;
        let ends = maze.targets.iter().flat_map(|target| maze.next[usize::from(*target)]);
        let ends = ends.filter(|cell| usize::from(*cell) < maze.len());
        if let Some(end) = ends.min_by_key(|cell| self.potential[usize::from(*cell)]) {
            slope[usize::from(end)] += 1;
        }
        for (row, column) in matching.pairs() {
            self.add_path(maze, posts[row], column, &mut slope);
        }
        slope
    }

    /// Adds the pushes of a cheapest path from a post to a target.
    fn add_path(&self, maze: &Maze, mut post: usize, column: usize, slope: &mut [i32]) {
        let at = |post: usize| self.costs[post * self.columns + column];
        // Cycles of cost zero exist, so the steps are limited.
        for _ in 0..maze.posts() {
            if at(post) == 0 && maze.post_cell(post) == maze.targets[column] {
                return;
            }
            let step = maze.pushes_from(post).find(|(after, cell, player)| {
                at(*after) < NEVER && at(post) == self.push_cost(*cell, *player) + at(*after)
            });
            let Some((after, cell, player)) = step else { return };
            slope[usize::from(cell)] -= 1;
            slope[usize::from(player)] += 1;
            post = after;
        }
    }
}
