//! What Book Hanoi offers beyond what every environment has.

use std::sync::atomic::AtomicBool;

use super::{Hanoi, inspector, legend, level_text, oracle, probes, rules, shown_as, solver, state_editor};
use mageyard_domain::{
    Capabilities, Level, Objective, Observation, Options, Perception, Policies, Presentation, Reference,
    Scoring, SearchBudget, SearchFailure, Solution, Solver, Tools, TrainingRewards,
};

pub(super) static CAPABILITIES: Capabilities = Capabilities {
    scoring: &Hanoi,
    tools: Tools { solver: Some(&Hanoi), state_editor: Some(&state_editor::TableEditor), ..Tools::NONE },
    policies: Policies { oracle: Some(|| Box::new(oracle::Oracle)), ..Policies::NONE },
    presentation: Presentation {
        picture_legend: legend::picture_legend,
        inspector: Some(&inspector::Inspector),
        ..Presentation::NONE
    },
    perception: Perception {
        views: shown_as::VIEWS,
        show: shown_as::show,
        probes: Some(&probes::TableProbes),
    },
    ..Capabilities::NONE
};

impl Scoring for Hanoi {
    fn score_range(&self) -> Option<[f64; 2]> {
        Some([0.0, super::FULL_SCORE])
    }

    fn reference(&self, level: &Level, _options: &Options, stop: &AtomicBool) -> Option<Reference> {
        solver::reference(&level_text::read_one(level.text()).ok()?, stop)
    }

    fn metrics(&self) -> &'static [&'static str] {
        &["in_place"]
    }

    /// A book that comes into place is one unit.
    fn training_rewards(&self) -> Option<TrainingRewards> {
        let per_unit = rules::points(rules::BOOK_IN_PLACE);
        Some(TrainingRewards { step: rules::points(rules::STEP_COST), per_unit })
    }
}

impl Solver for Hanoi {
    fn solve(
        &self,
        level: &Level,
        _objective: Objective,
        bounds: SearchBudget<'_>,
    ) -> Option<Result<Solution, SearchFailure>> {
        let table = level_text::read_one(level.text()).ok()?;
        Some(solver::solve(&table, bounds).map(|found| Solution {
            actions: oracle::actions(&found.moves).collect(),
            sizes: vec![u32::try_from(found.moves.len()).unwrap_or(u32::MAX)],
            notation: oracle::notation(&found.moves),
            states: found.states,
            unproven: None,
        }))
    }

    fn distance_to_goal(
        &self,
        seen: &Observation,
        bounds: SearchBudget<'_>,
    ) -> Option<Result<u32, SearchFailure>> {
        let found = solver::solve(&oracle::table_from_facts(seen).ok()?, bounds);
        Some(found.map(|found| u32::try_from(found.moves.len()).unwrap_or(u32::MAX)))
    }
}
