//! Sokoban: push every box onto a target (`MageBench`, the Sokoban environment), with a generator, a solver that proves its
//! solutions, and the file formats of other programs.
//!
//! A pure world: it waits for nothing. This file has the row of the environment, `capabilities` what it offers beyond. Start with `rules` and `room`, then
//! `solver` and `generator`. [`FastRoom`] and [`RoomBatch`] step rooms without allocation, for training; no episode uses
//! them. `docs/sokoban.md` has the rules and formats.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod benchmarks;
mod board;
mod board_builder;
mod board_template;
mod capabilities;
mod cell_bytes;
mod claims;
mod collection;
mod dead_state;
mod deadlock;
mod explanation;
mod fast_room;
mod figures;
mod formats;
mod generator;
mod inspector;
mod level_solver;
mod level_stats;
mod lurd_notation;
mod notes;
mod options;
mod oracle;
mod painter;
#[cfg(test)]
mod perception_tests;
mod probes;
mod prompt_import;
#[cfg(test)]
mod random_boards;
mod room;
mod room_batch;
mod room_view;
mod rules;
mod run_length;
mod solver;
mod state_editor;
mod tile_sheet;
mod tiles;
mod view;
mod xsb;

pub use board::Direction;
pub use fast_room::FastRoom;
pub use room::Room;
pub use room_batch::{RoomBatch, RoomBatchError, RoomEnd};

use mageyard_domain::{
    Capabilities, Environment, EnvironmentSpec, Level, LevelError, LevelSet, OptionError, Options, Reference,
    ReplyFormat, Returns, Setting, from_world,
};

/// The score of optimal play.
const FULL_SCORE: f64 = 100.0;

/// The environment `sokoban`.
#[derive(Clone, Copy, Debug)]
pub struct Sokoban;

const PROMPTS: &[(&str, &str)] = &[
    ("0s-CoT", include_str!("prompts/0s-CoT.md")),
    ("HD-CoT", include_str!("prompts/HD-CoT.md")),
    ("HD-CoT-NoIMG", include_str!("prompts/HD-CoT-NoIMG.md")),
];

impl EnvironmentSpec for Sokoban {
    fn name(&self) -> &'static str {
        "sokoban"
    }

    fn summary(&self) -> &'static str {
        "push every box onto a target; boxes can be pushed, never pulled"
    }

    fn file_extensions(&self) -> &'static [&'static str] {
        &["xsb", "sok", "txt"]
    }

    fn level_sets(&self) -> &'static [LevelSet] {
        &[
            LevelSet {
                name: "mini",
                summary: "20 rooms of 7x7 to 13x13 squares with 2 to 5 boxes",
                paper: "generated rooms in the groups of the paper's 20, about as difficult (there 10.4 moves in the mean)",
                text: include_str!("../../../levels/sokoban/mini.xsb"),
            },
            LevelSet {
                name: "full",
                summary: "182 rooms of 7x7 to 13x13 squares with 2 to 5 boxes",
                paper: "generated rooms, as many in each group as the paper's 182",
                text: include_str!("../../../levels/sokoban/full.xsb"),
            },
            LevelSet {
                name: "mini-v1",
                summary: "mini of earlier versions: the first rooms of each group of full, twice as long to solve",
                paper: "generated rooms in the groups of the paper's 20, and harder (21.8 moves in the mean)",
                text: include_str!("../../../levels/sokoban/mini-v1.xsb"),
            },
            LevelSet {
                name: "first",
                summary: "8 small levels that introduce the rules",
                paper: "not in the paper",
                text: include_str!("../../../levels/sokoban/first.xsb"),
            },
        ]
    }

    fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError> {
        xsb::read(text)
    }

    fn level_errors(&self, text: &str) -> Vec<LevelError> {
        xsb::errors(text)
    }

    fn open(
        &self,
        level: &Level,
        options: &Options,
        _seed: u64,
    ) -> Result<Box<dyn Environment>, OptionError> {
        Ok(from_world(Room::new(level, options)?))
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

    fn score(&self, returns: Returns, reference: Option<&Reference>) -> Option<f64> {
        reference.map(|reference| returns.best - reference.best + FULL_SCORE)
    }

    fn capabilities(&self) -> &'static Capabilities {
        &capabilities::CAPABILITIES
    }
}
