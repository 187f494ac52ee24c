//! Web pages, rebuilt from a description and scored element by element (MageBench, `WebUI`). This file has the catalog
//! row, `capabilities.rs` what it offers beyond; tasks, snapshots, the score and the live environment are in folders of their own.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod aes;
mod capabilities;
mod details;
pub mod figures;
mod files;
pub mod import;
mod inspector;
mod live;
mod mistakes;
mod observation;
mod options;
mod oracle;
pub mod prompts;
mod score_rows;
mod shelf;
pub mod snapshot;
mod solution;
mod task;

pub use self::files::action_space;
pub use self::live::{PageSource, ScoreError, ScoredPages, score_pages};
pub use self::options::{ScoreSettings, Waiting, parse_viewport};
pub use self::task::{Interaction, parse_interactions};
use mageyard_domain::{
    Capabilities, Environment, EnvironmentSpec, Level, LevelError, LevelSet, Notation, OptionError, Options,
    Reference, ReplyFormat, Returns, Setting,
};

/// The environment `webui`.
#[derive(Clone, Copy, Debug)]
pub struct WebUi;

impl EnvironmentSpec for WebUi {
    fn name(&self) -> &'static str {
        "webui"
    }

    fn summary(&self) -> &'static str {
        "write a web page from its description and screenshots; a browser compares it with the target"
    }

    fn file_extensions(&self) -> &'static [&'static str] {
        &["webui"]
    }

    fn level_sets(&self) -> &'static [LevelSet] {
        shelf::SETS
    }

    fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError> {
        task::levels(text)
    }

    fn level_errors(&self, text: &str) -> Vec<LevelError> {
        task::level_errors(text)
    }

    fn open(
        &self,
        level: &Level,
        options: &Options,
        _seed: u64,
    ) -> Result<Box<dyn Environment>, OptionError> {
        let start = options::start_files(options)?;
        let options = options::WebUiOptions::read(options)?;
        let task = task::Task::of_level(level)
            .map_err(|error| OptionError { name: "level".into(), why: error.to_string() })?;
        Ok(Box::new(live::WebUi::new(task, level, options, start)))
    }

    fn reply_format(&self, setting: Setting) -> Option<ReplyFormat> {
        Some(match setting {
            Setting::Global => ReplyFormat::whole_blocks(true),
            Setting::Online => {
                ReplyFormat::headings("# Analyze", "# Regenerate", false).with_notation(Notation::CodeBlocks)
            }
        })
    }

    fn prompts(&self) -> &'static [(&'static str, &'static str)] {
        prompts::PROMPTS
    }

    /// The points of the last page: rewards are changes of its points.
    fn score(&self, returns: Returns, _reference: Option<&Reference>) -> Option<f64> {
        Some(returns.sum)
    }

    fn capabilities(&self) -> &'static Capabilities {
        &capabilities::CAPABILITIES
    }
}
