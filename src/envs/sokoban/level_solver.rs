//! The solver as a capability of the environment: levels in, solutions with LURD out.

use super::lurd_notation::Lurd;
use super::solver::Measure;
use super::{Sokoban, options, oracle, solver, xsb};
use mageyard_domain::{
    Level, LimitKind, Objective, Observation, Options, SearchBudget, SearchFailure, SearchLimits, Solution,
    SolutionNotation, Solver,
};

/// The number of pushes; walks are free.
pub(super) const PUSHES: Objective = Objective { name: "pushes", singular: "push" };

impl Solver for Sokoban {
    fn objectives(&self) -> &'static [Objective] {
        &[Objective::ACTIONS, PUSHES]
    }

    fn notation(&self) -> Option<&dyn SolutionNotation> {
        Some(&Lurd)
    }

    fn limits(&self, options: &Options) -> SearchLimits {
        options::solver_limits(options)
    }

    fn limit_setting(&self, limit: LimitKind) -> Option<&'static str> {
        options::limit_setting(limit)
    }

    fn solve(
        &self,
        level: &Level,
        objective: Objective,
        bounds: SearchBudget<'_>,
    ) -> Option<Result<Solution, SearchFailure>> {
        let board = xsb::read_one(level.text()).ok()?;
        let measure = if objective == PUSHES { Measure::Pushes } else { Measure::Moves };
        Some(solver::solve_or_find(&board, measure, bounds).map(|found| oracle::solution_of(&board, &found)))
    }

    fn distance_to_goal(
        &self,
        seen: &Observation,
        bounds: SearchBudget<'_>,
    ) -> Option<Result<u32, SearchFailure>> {
        Some(solver::distance(&oracle::board_from_facts(seen).ok()?, bounds))
    }
}
