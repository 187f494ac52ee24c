//! Book Hanoi: carry a pile of books to region C, one book at a time (`MageBench`, supplement). The row
//! of the catalog; the rules, the reader, the painter and the solver stand beside it.

mod art;
mod layout;
mod options;
mod oracle;
mod paint;
mod rules;
mod solver;
mod table;
mod words;
mod world;

use std::sync::atomic::AtomicBool;

use crate::domain::Bounds;
use crate::domain::Environment;
use crate::domain::Form;
use crate::domain::Kind;
use crate::domain::Level;
use crate::domain::LevelError;
use crate::domain::LevelSet;
use crate::domain::Measure;
use crate::domain::Observation;
use crate::domain::OptionError;
use crate::domain::Options;
use crate::domain::Policy;
use crate::domain::Reference;
use crate::domain::Returns;
use crate::domain::Setting;
use crate::domain::Solution;
use crate::domain::Unsolved;
use crate::domain::local;

/// What a level's best play scores.
const FULL: f64 = 100.0;

const PROMPTS: &[(&str, &str)] = &[
    ("0s-CoT", include_str!("prompts/0s-CoT.md")),
    ("HD-CoT", include_str!("prompts/HD-CoT.md")),
    ("HD-CoT-NoIMG", include_str!("prompts/HD-CoT-NoIMG.md")),
];

/// The kind `hanoi`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hanoi;

impl Kind for Hanoi {
    fn name(&self) -> &'static str {
        "hanoi"
    }

    fn summary(&self) -> &'static str {
        "put every book on region C; a larger book may not lie on a smaller one"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["hanoi"]
    }

    fn sets(&self) -> &'static [LevelSet] {
        &[LevelSet {
            name: "first",
            summary: "15 tables with 3 to 5 books scattered over the regions, 3 to 25 steps from home",
            text: include_str!("../../../levels/hanoi/first.hanoi"),
        }]
    }

    fn read(&self, text: &str) -> Result<Vec<Level>, LevelError> {
        layout::read(text)
    }

    fn open(&self, level: &Level, options: &Options) -> Result<Box<dyn Environment>, OptionError> {
        Ok(local(world::Desk::new(level, options)?))
    }

    fn form(&self, setting: Setting) -> Option<Form> {
        Some(match setting {
            Setting::Global => Form::headings("### Analyze", "### Actions", true),
            Setting::Online => Form::headings("# analyze", "# action", false),
        })
    }

    fn prompts(&self) -> &'static [(&'static str, &'static str)] {
        PROMPTS
    }

    fn reference(&self, level: &Level, _options: &Options, stop: &AtomicBool) -> Option<Reference> {
        solver::reference(&layout::read_one(&level.text).ok()?, stop)
    }

    /// As in Sokoban: the best moment against the best that can be reached, which scores 100.
    fn score(&self, returns: Returns, reference: Option<&Reference>) -> Option<f64> {
        reference.map(|reference| returns.best - reference.best + FULL)
    }

    fn oracle(&self) -> Option<Box<dyn Policy>> {
        Some(Box::new(oracle::Oracle))
    }

    /// `None` for a text that [`Kind::read`] would refuse, and for pushes, which there are none of.
    fn solve(
        &self,
        level: &Level,
        measure: Measure,
        bounds: Bounds<'_>,
    ) -> Option<Result<Solution, Unsolved>> {
        let table = layout::read_one(&level.text).ok().filter(|_| measure == Measure::Actions)?;
        Some(solver::solve(&table, bounds).map(|found| Solution {
            actions: oracle::actions(&found.orders).collect(),
            pushes: None,
            notation: oracle::notation(&found.orders),
            states: found.states,
            unproven: None,
        }))
    }

    fn remaining(&self, seen: &Observation, bounds: Bounds<'_>) -> Option<Result<u32, Unsolved>> {
        let found = solver::solve(&oracle::table(seen).ok()?, bounds);
        Some(found.map(|found| u32::try_from(found.orders.len()).unwrap_or(u32::MAX)))
    }
}
