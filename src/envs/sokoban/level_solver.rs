//! The solver as a capability of the environment: levels in, solutions with LURD out.

use super::Sokoban;
use super::lurd_notation::Lurd;
use super::options;
use super::oracle;
use super::solver;
use super::solver::Measure;
use super::xsb;
use crate::domain::Level;
use crate::domain::LimitKind;
use crate::domain::Objective;
use crate::domain::Observation;
use crate::domain::Options;
use crate::domain::SearchBudget;
use crate::domain::SearchFailure;
use crate::domain::SearchLimits;
use crate::domain::Solution;
use crate::domain::SolutionNotation;
use crate::domain::Solver;

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
