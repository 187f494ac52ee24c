//! Sokoban: push every box onto a target (`MageBench`, the Sokoban environment). The row of the catalog; the
//! rules, the reader, the painter and the solver stand beside it.

mod arena;
mod board;
#[cfg(test)]
mod boards;
mod cells;
mod collection;
mod dead;
mod drawing;
mod figures;
mod formats;
mod generator;
mod lost;
mod notes;
mod options;
mod oracle;
mod paint;
mod replayed;
mod rooms;
mod rules;
mod runs;
mod script;
mod sheet;
mod solver;
mod tiles;
mod view;
mod words;
mod world;
mod xsb;

pub use arena::Arena;
pub use board::Way;
pub use figures::Figures;
pub use formats::Checkout;
pub use formats::Listed;
pub use generator::Fall;
pub use generator::GROUPS;
pub use generator::Generator;
pub use generator::Group;
pub use generator::Likeness;
pub use generator::Made;
pub use generator::Preset;
pub use generator::Shape;
pub use generator::ShapeError;
pub use generator::Shortest;
pub use generator::Sieve;
pub use replayed::Replayed;
pub use rooms::{End, Rooms, RoomsError};
pub use world::Room;

use std::sync::atomic::AtomicBool;

use crate::domain::Bounds;
use crate::domain::Environment;
use crate::domain::Form;
use crate::domain::Format;
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

/// The kind `sokoban`.
#[derive(Clone, Copy, Debug)]
pub struct Sokoban;

const PROMPTS: &[(&str, &str)] = &[
    ("0s-CoT", include_str!("prompts/0s-CoT.md")),
    ("HD-CoT", include_str!("prompts/HD-CoT.md")),
    ("HD-CoT-NoIMG", include_str!("prompts/HD-CoT-NoIMG.md")),
];

impl Kind for Sokoban {
    fn name(&self) -> &'static str {
        "sokoban"
    }

    fn summary(&self) -> &'static str {
        "push every box onto a target; boxes can be pushed, never pulled"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["xsb", "sok", "txt"]
    }

    fn sets(&self) -> &'static [LevelSet] {
        &[
            LevelSet {
                name: "mini",
                summary: "20 rooms of 7x7 to 13x13 squares with 2 to 5 boxes, in the kinds of MageBench's mini set",
                text: include_str!("../../../levels/sokoban/mini.xsb"),
            },
            LevelSet {
                name: "full",
                summary: "182 rooms in the counts of MageBench's full set; mini is the first of each group",
                text: include_str!("../../../levels/sokoban/full.xsb"),
            },
            LevelSet {
                name: "first",
                summary: "first steps: 8 small levels that teach the rules one by one",
                text: include_str!("../../../levels/sokoban/first.xsb"),
            },
        ]
    }

    fn read(&self, text: &str) -> Result<Vec<Level>, LevelError> {
        xsb::read(text)
    }

    fn formats(&self) -> &'static [Format] {
        formats::FORMATS
    }

    fn open(&self, level: &Level, options: &Options) -> Result<Box<dyn Environment>, OptionError> {
        Ok(local(Room::new(level, options)?))
    }

    fn form(&self, setting: Setting) -> Option<Form> {
        Some(match setting {
            Setting::Global => Form::headings("### Analyze", "### Actions", true),
            Setting::Online => Form::headings("# analyze", "# action", false),
        })
    }

    fn picture(&self, options: &Options) -> &'static str {
        options::tiles(options).legend()
    }

    fn prompts(&self) -> &'static [(&'static str, &'static str)] {
        PROMPTS
    }

    fn reference(&self, level: &Level, options: &Options, stop: &AtomicBool) -> Option<Reference> {
        Room::new(level, options).ok()?.reference(stop)
    }

    fn published(&self, level: &Level) -> Option<Reference> {
        let published = xsb::notes_of(&level.text).published?;
        Some(Reference { best: rules::points(published.tenths), steps: published.moves })
    }

    fn score(&self, returns: Returns, reference: Option<&Reference>) -> Option<f64> {
        reference.map(|reference| returns.best - reference.best + FULL)
    }

    fn lost(&self, seen: &Observation) -> Option<String> {
        lost::lost(seen)
    }

    fn oracle(&self) -> Option<Box<dyn Policy>> {
        Some(Box::new(oracle::Oracle::default()))
    }

    /// `None` for a text that [`Kind::read`] would refuse.
    fn solve(
        &self,
        level: &Level,
        measure: Measure,
        bounds: Bounds<'_>,
    ) -> Option<Result<Solution, Unsolved>> {
        let board = xsb::read_one(&level.text).ok()?;
        Some(solver::find(&board, measure, bounds).map(|found| oracle::solution(&board, &found)))
    }

    fn remaining(&self, seen: &Observation, bounds: Bounds<'_>) -> Option<Result<u32, Unsolved>> {
        Some(solver::distance(&oracle::board(seen).ok()?, bounds))
    }
}
