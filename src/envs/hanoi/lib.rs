//! Book Hanoi: move a pile of books to region C, one book at a time (`MageBench`, supplement). The smallest environment
//! of the program, and the one to read first.
//!
//! A pure world: it waits for nothing, and needs neither a screen nor an agent. This file has the row of the environment, `capabilities` what it offers beyond;
//! `rules` has the moves and rewards, `level_text` the levels, `solver` the shortest solutions, `painter` the frame, and `shown_as` the views.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod canvas;
mod capabilities;
mod claims;
mod drawing;
mod explanation;
mod inspector;
mod legend;
mod level_text;
mod misread;
mod options;
mod oracle;
mod painter;
mod palette;
#[cfg(test)]
mod probe_tests;
mod probes;
mod rules;
#[cfg(test)]
mod shipped_tests;
mod shown_as;
mod solver;
mod state_editor;
mod table;
mod view;
#[cfg(test)]
mod view_tests;
mod world;

use mageyard_domain::{
    Capabilities, Environment, EnvironmentSpec, Level, LevelError, LevelSet, OptionError, Options, Reference,
    ReplyFormat, Returns, Setting, from_world,
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
            paper: "tables of our own for the game of supplement D.1, which the paper plays with real books",
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

    /// The best cumulative reward minus the best possible one, plus 100.
    fn score(&self, returns: Returns, reference: Option<&Reference>) -> Option<f64> {
        reference.map(|reference| returns.best - reference.best + FULL_SCORE)
    }

    fn capabilities(&self) -> &'static Capabilities {
        &capabilities::CAPABILITIES
    }
}
