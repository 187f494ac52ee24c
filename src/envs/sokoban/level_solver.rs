//! The solver as a capability of the environment: levels in, solutions with LURD out.

use super::Sokoban;
use super::lurd_notation::Lurd;
use super::options;
use super::oracle;
use super::solver;
use super::solver::Measure;
use super::xsb;
use mageyard_domain::Level;
use mageyard_domain::LimitKind;
use mageyard_domain::Objective;
use mageyard_domain::Observation;
use mageyard_domain::Options;
use mageyard_domain::SearchBudget;
use mageyard_domain::SearchFailure;
use mageyard_domain::SearchLimits;
use mageyard_domain::Solution;
use mageyard_domain::SolutionNotation;
use mageyard_domain::Solver;

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
