//! The solver: best solutions, proven so, in moves or in pushes.
//!
//! A* over pushes finds what a best solution costs. To name *the* solution every best way is looked
//! at and the first one taken in the order of the action space, so that what is left of it after its
//! first move is exactly what would be found from there: a plan and a fresh look agree.
//!
//! A level is tried with a plain bound first. Only one that resists is worth the time that a good
//! choice of heights takes (see `bound`).

mod bound;
mod corral;
mod grid;
mod heights;
mod matching;
mod maze;
mod pairs;
mod queue;
mod route;
mod scene;
mod search;
mod states;
#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

use super::board::Board;
use super::board::Square;
use super::board::Way;
use crate::domain::Bounds;
use crate::domain::Limit;
use crate::domain::Measure;
use crate::domain::Unsolved;

use bound::Bound;
use grid::Cell;
use maze::Maze;
use scene::Scene;
use search::Aim;
use search::Cut;
use search::Search;

/// States a search may meet unless somebody says otherwise.
pub(super) const STATES: u64 = 2_000_000;
/// Megabytes that they may take unless somebody says otherwise.
pub(super) const MEGABYTES: u64 = 150;
/// States after which a level is not an easy one.
const EASY: u64 = 75;
/// Rounds in the choice of heights.
const ROUNDS: u32 = 40;
/// How much the bound weighs where some solution is wanted and no best one came in time.
const GREED: u32 = 4;
/// States in which some solution is looked for when time is up: a few hundredths of a second.
const LATE: u64 = 20_000;

/// A solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) ways: Vec<Way>,
    /// States met on the way to it.
    pub(super) states: u64,
    /// The limit that came before the proof that none is better.
    pub(super) unproven: Option<Limit>,
}

/// The shortest solution, the first of them in the order of the action space; or of those with the
/// fewest pushes the one that was met first.
pub(super) fn solve(board: &Board, measure: Measure, bounds: Bounds<'_>) -> Result<Found, Unsolved> {
    solved(board, Aim { measure, greed: 1, every: measure == Measure::Actions }, bounds)
}

/// The same, or when a limit comes first some solution, looked for within a quarter of the states;
/// when time was the limit within so few that the time is not much overrun.
pub(super) fn find(board: &Board, measure: Measure, bounds: Bounds<'_>) -> Result<Found, Unsolved> {
    let best = solve(board, measure, bounds);
    let Err(Unsolved::GaveUp { states, limit }) = best else { return best };
    let aim = Aim { measure, greed: GREED, every: false };
    let most = if limit == Limit::Time { LATE } else { u64::MAX };
    match solved(board, aim, Bounds { states: most.min(bounds.states / 4), late: None, ..bounds }) {
        Ok(found) => Ok(Found { states: states + found.states, unproven: Some(limit), ..found }),
        Err(Unsolved::GaveUp { .. }) => best,
        Err(ended) => Err(ended),
    }
}

/// The moves of a shortest solution; sooner than the solution itself.
pub(super) fn distance(board: &Board, bounds: Bounds<'_>) -> Result<u32, Unsolved> {
    let aim = Aim { measure: Measure::Actions, greed: 1, every: false };
    let found = solved(board, aim, bounds)?;
    Ok(u32::try_from(found.ways.len()).unwrap_or(u32::MAX))
}

fn solved(board: &Board, aim: Aim, bounds: Bounds<'_>) -> Result<Found, Unsolved> {
    if board.is_solved() {
        return Ok(Found { ways: Vec::new(), states: 1, unproven: None });
    }
    let start = Start::new(board).ok_or(Unsolved::Proven { states: 1 })?;
    let plain = Bounds { states: bounds.states.min(EASY), ..bounds };
    let flat = Bound::flat(&start.maze);
    match start.run(&flat, aim, plain) {
        Err(Unsolved::GaveUp { states, limit: Limit::States }) if states <= bounds.states => {
            let moves = aim.measure == Measure::Actions && !flat.is_rough();
            // The flat bound beside the other one would save a state in a hundred and cost more.
            let bound = if moves { start.heights(bounds) } else { flat };
            start.run(&bound, aim, bounds)
        }
        ended => ended,
    }
}

/// Where a search begins.
struct Start<'a> {
    board: &'a Board,
    maze: Maze,
    player: Cell,
    boxes: Vec<Cell>,
    /// Boxes that nobody can reach; they are all home.
    outside: Vec<Square>,
}

impl<'a> Start<'a> {
    /// `None` when a box that nobody can reach is not home, or targets that somebody can are too few.
    fn new(board: &'a Board) -> Option<Self> {
        let maze = Maze::new(&board.ground);
        let (inside, outside): (Vec<Square>, Vec<Square>) =
            board.boxes().iter().partition(|square| board.ground.is_inside(**square));
        let boxes: Vec<Cell> = inside.iter().filter_map(|square| maze.cell(*square)).collect();
        let player = maze.cell(board.player)?;
        let home = outside.iter().all(|square| board.ground.is_target(*square));
        (home && boxes.len() == maze.targets.len()).then_some(Self { board, maze, player, boxes, outside })
    }

    fn posts(&self) -> Vec<usize> {
        self.boxes.iter().map(|cell| self.maze.post(*cell, self.player)).collect()
    }

    /// The best heights that come in time.
    fn heights(&self, bounds: Bounds<'_>) -> Bound {
        let over = || {
            let raised = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
            raised(bounds.stop) || bounds.late.is_some_and(raised)
        };
        let rounds = (0..ROUNDS).take_while(|_| !over());
        heights::choose(&self.maze, &self.posts(), self.player, rounds)
    }

    fn search<'b>(&'b self, bound: &'b Bound, aim: Aim) -> Search<'b> {
        let scene = Scene::new(&self.maze, &self.board.ground, &self.outside);
        Search::new(scene, bound, aim, self.player, &self.boxes)
    }

    fn run(&self, bound: &Bound, aim: Aim, bounds: Bounds<'_>) -> Result<Found, Unsolved> {
        self.end(self.search(bound, aim), bounds)
    }

    /// Runs a search to its end.
    fn end(&self, mut search: Search<'_>, bounds: Bounds<'_>) -> Result<Found, Unsolved> {
        let cut = search.run(bounds);
        let states = u64::from(search.states.len());
        match cut {
            Err(Cut::Stopped) => Err(Unsolved::Stopped { states }),
            Err(Cut::Limit(limit)) => Err(Unsolved::GaveUp { states, limit }),
            Ok(()) if search.best == u32::MAX => Err(Unsolved::Proven { states }),
            Ok(()) => {
                let ways = if search.aim.every { search.first() } else { search.chain(self.player) };
                Ok(Found { ways, states, unproven: None })
            }
        }
    }
}
