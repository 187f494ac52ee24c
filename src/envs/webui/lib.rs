//! Web pages, rebuilt from a description and scored element by element (MageBench, `WebUI`). `docs/webui.md` has the rules.
//!
//! A live environment: pages are opened in a real browser, through the crate `browser`. Everything that judges them is pure:
//! a snapshot is data, and the score a function of two snapshots, so a stored page is scored again without a browser.
//!
//! This file has the row of the environment, `capabilities` what it offers beyond. Start with `task` (a level), `live` (opening and acting),
//! [`snapshot`] (what is read from a page) and [`aes`] (the score).
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod aes;
mod capabilities;
mod details;
mod drawing;
pub mod figures;
mod files;
pub mod import;
mod inspector;
mod live;
mod mistakes;
mod observation;
mod options;
mod oracle;
mod perception;
mod prompt_import;
pub mod prompts;
mod score_rows;
mod shelf;
pub mod snapshot;
mod solution;
mod task;

pub use self::files::action_space;
pub use self::live::{PageSource, ScoreError, ScoredPages, score_pages};
pub use self::options::{ScoreSettings, WaitRule, parse_viewport};
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
