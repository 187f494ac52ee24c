//! What Book Hanoi offers beyond what every environment has.

use std::sync::atomic::AtomicBool;

use super::{Hanoi, inspector, level_text, options, oracle, rules, solver, state_editor};
use mageyard_domain::{
    Capabilities, Level, Objective, Observation, Options, Policies, Presentation, Reference, Scoring,
    SearchBudget, SearchFailure, Solution, Solver, Tools, TrainingRewards,
};

macro_rules! table_legend {
    () => {
        "the three dark mats on the wooden table are the regions. The letter of each region is in front of its mat; the \
         letter and the edge of region C are golden. The coloured slabs are books that lie on top of each other. The \
         larger a book is, the wider it is drawn"
    };
}

macro_rules! number_legend {
    () => {
        ". Each book has its number on its spine: 1 is the smallest book"
    };
}

macro_rules! goal_legend {
    () => {
        ". A second image beside the first one shows the goal"
    };
}

pub(super) static CAPABILITIES: Capabilities = Capabilities {
    scoring: &Hanoi,
    tools: Tools { solver: Some(&Hanoi), state_editor: Some(&state_editor::TableEditor), ..Tools::NONE },
    policies: Policies { oracle: Some(|| Box::new(oracle::Oracle)), ..Policies::NONE },
    presentation: Presentation {
        picture_legend,
        inspector: Some(&inspector::Inspector),
        ..Presentation::NONE
    },
    ..Capabilities::NONE
};

/// What frames show, for prompts.
fn picture_legend(options: &Options) -> &'static str {
    match options::look(options).map(|look| (look.numbers, look.goal)) {
        Ok((true, true)) => concat!(table_legend!(), number_legend!(), goal_legend!()),
        Ok((true, false)) | Err(_) => concat!(table_legend!(), number_legend!()),
        Ok((false, true)) => concat!(table_legend!(), goal_legend!()),
        Ok((false, false)) => table_legend!(),
    }
}

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
