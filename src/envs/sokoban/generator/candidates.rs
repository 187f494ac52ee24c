//! Rooms as candidates for levels, with their shortest solutions.

use super::super::board::Board;
use super::super::solver::Measure;
use super::super::{oracle, solver, xsb};
use super::symmetry::SymmetryKey;
use super::{Generator, Shape, TOO_LITTLE_FLOOR};
use mageyard_domain::{Candidate, CandidateSource, CandidateWorker, Rejection, SearchBudget};

impl CandidateSource for Shape {
    fn worker(&self, seed: u64) -> Box<dyn CandidateWorker> {
        Box::new(Generator::new(*self, seed))
    }
}

impl CandidateWorker for Generator {
    fn candidate(&mut self, number: u64, budget: Option<SearchBudget<'_>>) -> Result<Candidate, Rejection> {
        let text = self.room(number)?;
        let board = xsb::read_one(&text).map_err(|_| TOO_LITTLE_FLOOR)?;
        let shortest = match budget {
            Some(budget) => Some(shortest(&board, budget).ok_or(Rejection::GAVE_UP)?),
            None => None,
        };
        let sizes = shortest.map(|Shortest { moves, pushes }| vec![moves, pushes]);
        Ok(Candidate { number, text, sizes, key: SymmetryKey::of_board(&board).into() })
    }
}

/// The size of a shortest solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shortest {
    /// The fewest moves.
    pub(crate) moves: u32,
    /// The pushes of the solution that was found.
    pub(crate) pushes: u32,
}

/// Moves and pushes of a shortest solution; `None` if the solver finds none.
pub(crate) fn shortest(board: &Board, budget: SearchBudget<'_>) -> Option<Shortest> {
    let found = solver::solve_optimal(board, Measure::Moves, budget).ok()?;
    let sizes = oracle::solution_of(board, &found).sizes;
    Some(Shortest { moves: *sizes.first()?, pushes: *sizes.last()? })
}
