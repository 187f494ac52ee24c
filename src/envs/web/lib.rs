//! Tasks on the live web, scored by key nodes (`WebCanvas`, arXiv 2406.12373). `docs/web.md` has the rules.
//!
//! An agent works in a real browser; a task is a list of key nodes, met in any order. What the nodes compare is recorded with
//! every act, so a stored episode is scored again without a browser.
//!
//! This file has the row of the environment, `capabilities` what it offers beyond. Start with [`task`] (a level), `live`
//! (opening and acting), [`page`] (how a page is read), [`nodes`] (what is compared) and [`scores`].
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod actions;
mod address;
mod capabilities;
pub mod check;
mod drawing;
pub mod facts;
pub mod figures;
mod inspector;
mod judging;
pub mod levels;
mod live;
mod look;
pub mod measures;
pub mod nodes;
mod observation;
mod options;
mod packed;
pub mod page;
mod policies;
pub mod results;
pub mod scores;
pub mod sites;
pub mod task;
mod workflow;

pub use self::actions::action_space;
pub use self::live::{CurrentTab, PageTarget, tree_of};

use mageyard_domain::{
    Capabilities, Delimiter, Environment, EnvironmentSpec, Level, LevelError, LevelSet, OptionError, Options,
    Reference, ReplyFormat, Returns, Setting, parse_records, record_errors,
};

/// The environment `web`.
#[derive(Clone, Copy, Debug)]
pub struct Web;

impl EnvironmentSpec for Web {
    fn name(&self) -> &'static str {
        "web"
    }

    fn summary(&self) -> &'static str {
        "do a task on web sites in a real browser; key nodes on the way are checked (WebCanvas)"
    }

    fn file_extensions(&self) -> &'static [&'static str] {
        levels::EXTENSIONS
    }

    fn level_sets(&self) -> &'static [LevelSet] {
        &[LevelSet {
            name: "local",
            summary: "24 tasks on six sites inside this program, without a network",
            paper: "tasks in the form of Mind2Web-Live; the paper has 542 on real sites",
            text: include_str!("../../../levels/web/local.json"),
        }]
    }

    fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError> {
        parse_records(text, &levels::Records)
    }

    fn level_errors(&self, text: &str) -> Vec<LevelError> {
        record_errors(text, &levels::Records)
    }

    fn open(
        &self,
        level: &Level,
        options: &Options,
        _seed: u64,
    ) -> Result<Box<dyn Environment>, OptionError> {
        let options = options::WebOptions::read(options)?;
        let task = task::Task::of_level(level)
            .map_err(|error| OptionError { name: "level".into(), why: error.to_string() })?;
        Ok(Box::new(live::Web::new(task, options)))
    }

    /// Nothing can be planned on pages that were not seen.
    fn reply_format(&self, setting: Setting) -> Option<ReplyFormat> {
        let format = ReplyFormat::headings("thought", "action", false);
        (setting == Setting::Online).then_some(ReplyFormat { delimiter: Delimiter::Keys, ..format })
    }

    fn prompts(&self) -> &'static [(&'static str, &'static str)] {
        &[("planning", include_str!("prompts/planning.md")), ("0s-CoT", include_str!("prompts/0s-CoT.md"))]
    }

    /// The completion rate in percent. The verdict has the score of an episode that is over.
    fn score(&self, returns: Returns, _: Option<&Reference>) -> Option<f64> {
        Some(returns.sum)
    }

    fn capabilities(&self) -> &'static Capabilities {
        &capabilities::CAPABILITIES
    }
}
