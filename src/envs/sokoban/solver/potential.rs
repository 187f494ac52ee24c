//! Chooses the potential that makes the lower bound great at one state, by subgradient ascent: cells that
//! the player would have to walk away from rise less than those he would have to walk to.

use super::grid::Cell;
use super::lower_bound::{LowerBound, PARTS_PER_MOVE};
use super::matching::Matching;
use super::maze::{Maze, WALL};

/// Rounds without gain after which the step is halved.
const PATIENCE: u32 = 2;
/// The first step, in parts. With this step and patience, 20 rounds gain 98 to 99 percent of what 40 rounds
/// gain with half a move and a patience of 6.
const STEP: i32 = PARTS_PER_MOVE * 3 / 4;

/// The best bound for these posts and this player, in at most so many rounds and until it is over.
pub(super) fn optimise(
    maze: &Maze,
    posts: &[usize],
    player: Cell,
    rounds: u32,
    is_over: &dyn Fn() -> bool,
) -> LowerBound {
    let mut heights = vec![0; maze.len()];
    let mut best = LowerBound::flat(maze);
    let mut matching = Matching::new(posts.len());
    let mut most = -1;
    let mut step = STEP;
    let mut idle = 0;
    for _ in 0..rounds {
        let Some(bound) = LowerBound::new_until(maze, heights.clone(), is_over) else { break };
        if !bound.assign(&mut matching, posts) {
            break;
        }
        let value = bound.min_parts(&matching, posts, player);
        let slope = bound.gradient(maze, &matching, posts, player);
        idle += 1;
        if value > most {
            (most, best, idle) = (value, bound, 0);
        }
        if idle == PATIENCE {
            (step, idle) = (step / 2, 0);
        }
        if step == 0 {
            break;
        }
        for (height, slope) in heights.iter_mut().zip(slope) {
            *height += step * slope;
        }
        heights = smoothed(maze, &heights);
    }
    best
}

/// A nearby potential in which neighbours differ by at most one move: the mean of the greatest such
/// potential below this one and the least above it.
fn smoothed(maze: &Maze, heights: &[i32]) -> Vec<i32> {
    let negated: Vec<i32> = heights.iter().map(|height| -height).collect();
    let below = clamped_below(maze, heights.to_vec());
    let above = clamped_below(maze, negated);
    below.iter().zip(above).map(|(below, above)| (below - above).div_euclid(2)).collect()
}

fn clamped_below(maze: &Maze, mut heights: Vec<i32>) -> Vec<i32> {
    let mut open: Vec<usize> = (0..maze.len()).collect();
    while let Some(cell) = open.pop() {
        for near in maze.next[cell].into_iter().filter(|near| *near != WALL).map(usize::from) {
            if heights[near] > heights[cell] + PARTS_PER_MOVE {
                heights[near] = heights[cell] + PARTS_PER_MOVE;
                open.push(near);
            }
        }
    }
    heights
}
