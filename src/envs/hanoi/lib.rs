//! Book Hanoi: move a pile of books to region C, one book at a time (`MageBench`, supplement). The smallest environment
//! of the program, and the one to read first.
//!
//! A pure world: it waits for nothing, and needs neither a screen nor an agent. This file has the row of the environment;
//! `rules` has the moves and rewards, `level_text` the levels, `solver` the shortest solutions, and `painter` the frame.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod canvas;
mod explanation;
mod level_text;
mod options;
mod oracle;
mod painter;
mod rules;
#[cfg(test)]
mod shipped_tests;
mod solver;
mod state_editor;
mod table;
mod world;

use std::sync::atomic::AtomicBool;

use mageyard_domain::{
    Environment, EnvironmentSpec, Level, LevelError, LevelSet, Objective, Observation, OptionError, Options,
    Policy, Reference, ReplyFormat, Returns, SearchBudget, SearchFailure, Setting, Solution, Solver,
    StateEditor, from_world,
};

/// The score of optimal play.
const FULL_SCORE: f64 = 100.0;

const PROMPTS: &[(&str, &str)] = &[
    ("0s-CoT", include_str!("prompts/0s-CoT.md")),
    ("HD-CoT", include_str!("prompts/HD-CoT.md")),
    ("HD-CoT-NoIMG", include_str!("prompts/HD-CoT-NoIMG.md")),
];

/// The environment `hanoi`.
#[derive(Clone, Copy, Debug)]
pub struct Hanoi;

impl EnvironmentSpec for Hanoi {
    fn name(&self) -> &'static str {
        "hanoi"
    }

    fn summary(&self) -> &'static str {
        "move every book to region C, one at a time; a larger book may not lie on a smaller one"
    }

    fn file_extensions(&self) -> &'static [&'static str] {
        &["hanoi"]
    }

    fn level_sets(&self) -> &'static [LevelSet] {
        &[LevelSet {
            name: "first",
            summary: "15 tables of 3 to 5 books on all regions; shortest solutions of 3 to 25 steps",
            text: include_str!("../../../levels/hanoi/first.hanoi"),
        }]
    }

    fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError> {
        level_text::read(text)
    }

    fn open(
        &self,
        level: &Level,
        options: &Options,
        _seed: u64,
    ) -> Result<Box<dyn Environment>, OptionError> {
        Ok(from_world(world::HanoiWorld::new(level, options)?))
    }

    fn reply_format(&self, setting: Setting) -> Option<ReplyFormat> {
        Some(match setting {
            Setting::Global => ReplyFormat::headings("### Analyze", "### Actions", true),
            Setting::Online => ReplyFormat::headings("# analyze", "# action", false),
        })
    }

    fn prompts(&self) -> &'static [(&'static str, &'static str)] {
        PROMPTS
    }

    fn metrics(&self) -> &'static [&'static str] {
        &["in_place"]
    }

    fn reference(&self, level: &Level, _options: &Options, stop: &AtomicBool) -> Option<Reference> {
        solver::reference(&level_text::read_one(level.text()).ok()?, stop)
    }

    /// The best cumulative reward minus the best possible one, plus 100.
    fn score(&self, returns: Returns, reference: Option<&Reference>) -> Option<f64> {
        reference.map(|reference| returns.best - reference.best + FULL_SCORE)
    }

    fn state_editor(&self) -> Option<&'static dyn StateEditor> {
        Some(&state_editor::TableEditor)
    }

    fn oracle(&self) -> Option<Box<dyn Policy>> {
        Some(Box::new(oracle::Oracle))
    }

    fn solver(&self) -> Option<&dyn Solver> {
        Some(self)
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
