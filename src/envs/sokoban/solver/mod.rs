//! The solver: shortest solutions with proof, in moves or in pushes.
//!
//! A* over pushes finds the cost of a best solution. To choose one, every best solution is visited and the
//! first in the order of the action space is taken, so that its remainder after a move is the solution
//! found from there: a plan and a new search agree.
//!
//! A level is first searched with a plain bound. Only if that fails is a good potential computed, which
//! takes longer (see `lower_bound`).
//!
//! # A shortest solution first, any solution after that
//!
//! When A* reaches its limit, a list of further searches (`FALLBACKS`) ranks states differently and treats locked
//! boxes as walls. They often find a solution where the proof is out of reach. Such a
//! solution is *found*, not *optimal*: it is played and reported, and never used as the reference of a score. After an
//! interruption the oracle may continue with another one.
//!
//! Limits count states and memory. They never count time unless a caller asks for it (`levels solve --time`), so that
//! the same search has the same result on every machine, and a level the same score.
//!
//! # Why the solver is here
//!
//! It depends on the rules: dead states (`super::deadlock`, `corral`, `pair_deadlocks`) and the bound are facts about
//! pushes. Other layers see a `domain::Solver`, which has none of these words. The agent `oracle` only runs the
//! environment's policy on a thread of its own.

mod corral;
mod grid;
mod locked_boxes;
mod lower_bound;
mod matching;
mod maze;
mod occupancy;
mod pair_deadlocks;
mod potential;
mod queue;
mod route;
mod search;
mod states;
#[cfg(test)]
mod tests;

use super::board::{Board, Direction, Square};
use mageyard_domain::{LimitKind, SearchBudget, SearchFailure};

use grid::Cell;
use lower_bound::LowerBound;
use maze::Maze;
use occupancy::Occupancy;
use search::{Search, SearchCut, SearchMode};

/// States a search may visit by default.
pub(super) const DEFAULT_STATES: u64 = 2_000_000;
/// Megabytes the states may take by default.
pub(super) const DEFAULT_MEGABYTES: u64 = 150;
/// States after which a level is not easy.
const EASY_STATES: u64 = 75;
/// Rounds in the choice of a potential.
const POTENTIAL_ROUNDS: u32 = 40;
/// States of each search for any solution after a time limit: a few hundredths of a second.
const STATES_WHEN_LATE: u64 = 20_000;
/// The searches for any solution, tried in this order: how states are ranked, and the part of the states that
/// the search may visit, as a divisor. Different levels resist different rankings, so short tries come first.
const FALLBACKS: [Fallback; 4] = [
    Fallback { weight: 4, area_cost: 0, shortest: true, part: 16 },
    Fallback { weight: 2, area_cost: 40, shortest: false, part: 16 },
    Fallback { weight: 16, area_cost: 0, shortest: false, part: 2 },
    Fallback { weight: 2, area_cost: 40, shortest: false, part: 2 },
];

/// What is least in a best solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// The number of moves, walks included.
    Moves,
    /// The number of pushes.
    Pushes,
}

/// A search for any solution.
struct Fallback {
    weight: u32,
    area_cost: u32,
    /// Whether to count the cost in what is to be least, or in pushes, which have fewer states.
    shortest: bool,
    part: u64,
}

/// A solution found by the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SolverPath {
    pub(super) directions: Vec<Direction>,
    /// States visited.
    pub(super) states: u64,
    /// The limit that ended the proof that none is shorter.
    pub(super) unproven: Option<LimitKind>,
}

/// The shortest solution, the first of them in the order of the action space; for pushes, the first one
/// found with the fewest pushes.
pub(super) fn solve_optimal(
    board: &Board,
    measure: Measure,
    bounds: SearchBudget<'_>,
) -> Result<SolverPath, SearchFailure> {
    run_search(board, SearchMode::optimal(measure, measure == Measure::Moves), bounds)
}

/// The same, or when a limit comes first any solution, which then says that it is unproven. The searches for it
/// visit little more than as many states again; after a time limit they are short, and end when
/// [`SearchBudget::time_over`] is set.
pub(super) fn solve_or_find(
    board: &Board,
    measure: Measure,
    bounds: SearchBudget<'_>,
) -> Result<SolverPath, SearchFailure> {
    let best = solve_optimal(board, measure, bounds);
    let Err(SearchFailure::GaveUp { states, limit }) = best else { return best };
    let mut visited = states;
    for fallback in &FALLBACKS {
        let most = if limit == LimitKind::Time { STATES_WHEN_LATE } else { u64::MAX };
        let bounds = SearchBudget {
            states: most.min(bounds.states / fallback.part),
            time_up: bounds.time_over,
            ..bounds
        };
        match run_search(board, fallback.mode(measure), bounds) {
            Ok(found) => {
                return Ok(SolverPath { states: visited + found.states, unproven: Some(limit), ..found });
            }
            Err(SearchFailure::GaveUp { states, .. }) => visited += states,
            Err(ended) => return Err(ended),
        }
    }
    Err(SearchFailure::GaveUp { states: visited, limit })
}

impl Fallback {
    fn mode(&self, measure: Measure) -> SearchMode {
        let measure = if self.shortest { measure } else { Measure::Pushes };
        SearchMode { measure, weight: self.weight, area_cost: self.area_cost, all_paths: false }
    }
}

/// The moves of a shortest solution; faster than the solution itself.
pub(super) fn distance(board: &Board, bounds: SearchBudget<'_>) -> Result<u32, SearchFailure> {
    let mode = SearchMode::optimal(Measure::Moves, false);
    let found = run_search(board, mode, bounds)?;
    Ok(u32::try_from(found.directions.len()).unwrap_or(u32::MAX))
}

fn run_search(
    board: &Board,
    mode: SearchMode,
    bounds: SearchBudget<'_>,
) -> Result<SolverPath, SearchFailure> {
    if board.is_solved() {
        return Ok(SolverPath { directions: Vec::new(), states: 1, unproven: None });
    }
    let start = Problem::new(board).ok_or(SearchFailure::Unsolvable { states: 1 })?;
    let plain = SearchBudget { states: bounds.states.min(EASY_STATES), ..bounds };
    let flat = LowerBound::flat(&start.maze);
    match start.run(&flat, mode, plain) {
        Err(SearchFailure::GaveUp { states, limit: LimitKind::States }) if states <= bounds.states => {
            let moves = mode.measure == Measure::Moves && !flat.is_nearest_only();
            // The plain bound beside this one would save one state in a hundred and cost more.
            let bound = if moves { start.best_bound(bounds) } else { flat };
            start.run(&bound, mode, bounds)
        }
        ended => ended,
    }
}

/// A problem to search.
struct Problem<'a> {
    board: &'a Board,
    maze: Maze,
    player: Cell,
    boxes: Vec<Cell>,
    /// Boxes that the player cannot reach; all are on targets.
    outside: Vec<Square>,
}

impl<'a> Problem<'a> {
    /// `None` when an unreachable box is not on a target, or the reachable targets are too few.
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

    /// The best bound that the time allows.
    fn best_bound(&self, bounds: SearchBudget<'_>) -> LowerBound {
        let is_over = || bounds.is_over();
        potential::optimise(&self.maze, &self.posts(), self.player, POTENTIAL_ROUNDS, &is_over)
    }

    fn search<'b>(&'b self, bound: &'b LowerBound, mode: SearchMode) -> Search<'b> {
        let occupancy = Occupancy::new(&self.maze, &self.board.ground, &self.outside);
        Search::new(occupancy, bound, mode, self.player, &self.boxes)
    }

    fn run(
        &self,
        bound: &LowerBound,
        mode: SearchMode,
        bounds: SearchBudget<'_>,
    ) -> Result<SolverPath, SearchFailure> {
        self.finish(self.search(bound, mode), bounds)
    }

    /// Runs a search to its end.
    fn finish(&self, mut search: Search<'_>, bounds: SearchBudget<'_>) -> Result<SolverPath, SearchFailure> {
        let cut = search.run(bounds);
        let states = u64::from(search.states.len());
        match cut {
            Err(SearchCut::Stopped) => Err(SearchFailure::Cancelled { states }),
            Err(SearchCut::Limit(limit)) => Err(SearchFailure::GaveUp { states, limit }),
            Ok(()) if search.best_cost == u32::MAX => Err(SearchFailure::Unsolvable { states }),
            Ok(()) => {
                // Any shortest solution, if there is no time to choose.
                let is_over = || bounds.is_over();
                let first = if search.mode.all_paths { search.first_solution(&is_over) } else { None };
                let ways = first.unwrap_or_else(|| search.parent_solution(self.player));
                Ok(SolverPath { directions: ways, states, unproven: None })
            }
        }
    }
}
