//! Web pages, rebuilt from a description and scored element by element (MageBench, `WebUI`). `docs/webui.md` has the rules.
//!
//! A live environment: pages are opened in a real browser, through the crate `browser`. Everything that judges them is pure:
//! a snapshot is data, and the score a function of two snapshots, so a stored page is scored again without a browser.
//!
//! This file has the row of the environment. Start with `task` (a level), `live` (opening and acting),
//! [`snapshot`] (what is read from a page) and [`aes`] (the score).
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod aes;
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

use std::sync::atomic::AtomicBool;

pub use self::files::action_space;
pub use self::live::{PageSource, ScoreError, ScoredPages, score_pages};
pub use self::options::{ScoreSettings, Waiting, parse_viewport};
pub use self::task::{Interaction, parse_interactions};
use mageyard_domain::{
    ActionSpace, CheckoutImport, Environment, EnvironmentSpec, Level, LevelCheck, LevelError, LevelFormat,
    LevelSet, Loss, Mistakes, Notation, Observation, ObservationInspector, OptionError, Options, Policy,
    PublishedFigure, Reference, ReplyFormat, Returns, Setting, Window,
};

/// The score of a page that is like its target in everything.
const FULL_SCORE: f64 = 100.0;

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

    fn level_formats(&self) -> &'static [LevelFormat] {
        &[LevelFormat {
            name: "webui",
            summary: "packs of pages: the files of each page in one text",
            matches: task::is_pack,
            read: task::import,
            comment: None,
            write: Some(task::export),
        }]
    }

    fn level_check(&self) -> Option<&dyn LevelCheck> {
        Some(&live::Check)
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

    fn inspector(&self) -> Option<&'static dyn ObservationInspector> {
        Some(&inspector::Inspector)
    }

    fn prompts(&self) -> &'static [(&'static str, &'static str)] {
        prompts::PROMPTS
    }

    fn constant_space(&self) -> Option<ActionSpace> {
        Some(action_space())
    }

    /// The newest observation has the files, so no request has a history.
    fn fixed_window(&self) -> Option<Window> {
        Window::new(1, 1).ok()
    }

    fn setting_defaults(&self) -> &'static [(&'static str, &'static str)] {
        &[("play.max_steps", "4"), ("play.reader", "lenient"), ("model.resolution", "1920")]
    }

    fn start_setting(&self) -> Option<&'static str> {
        Some(options::START)
    }

    fn start_options(&self, last: &Observation) -> Result<Options, String> {
        inspector::files(last).map(|files| options::with_start_files(&files))
    }

    fn continues_replies(&self) -> bool {
        true
    }

    fn finds_errors(&self) -> bool {
        true
    }

    fn losses(&self) -> &'static [Loss] {
        figures::LOSSES
    }

    fn published_figures(&self) -> &'static [PublishedFigure] {
        figures::FIGURES
    }

    fn has_score_by_step(&self) -> bool {
        true
    }

    fn metrics(&self) -> &'static [&'static str] {
        &["targets", "matched", "zero", "dropped"]
    }

    /// One write that gives a page like the target.
    fn reference(&self, _level: &Level, _options: &Options, _stop: &AtomicBool) -> Option<Reference> {
        Some(Reference { best: FULL_SCORE, steps: 1 })
    }

    /// The points of the last page: rewards are changes of its points.
    fn score(&self, returns: Returns, _reference: Option<&Reference>) -> Option<f64> {
        Some(returns.sum)
    }

    fn mistakes(&self) -> Option<&'static dyn Mistakes> {
        Some(&mistakes::PageMistakes)
    }

    fn checkout_import(&self) -> Option<&dyn CheckoutImport> {
        Some(self)
    }

    fn oracle(&self) -> Option<Box<dyn Policy>> {
        Some(Box::new(oracle::Oracle))
    }
}
