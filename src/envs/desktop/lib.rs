//! Tasks on a computer, judged by programs (`AgentStudio`, ICLR 2025). `docs/desktop.md` has the rules.
//!
//! An agent acts by cells of Python in a sandbox of its own. A task prepares the sandbox, and programs judge what the agent left in
//! it. This file has the row of the environment, `capabilities` what it offers beyond. Start with [`task`] (a level), `live` (opening and
//! acting), [`handlers`] (what prepares and judges) and [`evaluate`].
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod actions;
mod capabilities;
pub mod evaluate;
mod figures;
pub mod handlers;
mod inspector;
mod judging;
pub mod levels;
mod live;
mod needs;
mod observation;
mod office;
mod options;
mod policies;
mod program_checks;
mod results;
pub mod task;
#[cfg(test)]
mod tests;

pub use self::actions::action_space;
pub use self::office::{DocumentKind, document_kinds};

use mageyard_domain::{
    Capabilities, Delimiter, Environment, EnvironmentSpec, Level, LevelError, LevelSet, OptionError, Options,
    Reference, ReplyFormat, Returns, Setting, parse_records, record_errors,
};

/// The environment `desktop`.
#[derive(Clone, Copy, Debug)]
pub struct Desktop;

impl EnvironmentSpec for Desktop {
    fn name(&self) -> &'static str {
        "desktop"
    }

    fn summary(&self) -> &'static str {
        "do a task on a computer by cells of Python in a sandbox; programs judge the result (AgentStudio)"
    }

    fn file_extensions(&self) -> &'static [&'static str] {
        levels::EXTENSIONS
    }

    fn level_sets(&self) -> &'static [LevelSet] {
        &[LevelSet {
            name: "offline",
            summary: "38 tasks of an operating system, 19 of them for a desktop too",
            paper: "our own tasks in the form of AgentStudio's; the paper has 205",
            text: include_str!("../../../levels/desktop/offline.json"),
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
        let options = options::DesktopOptions::read(options)?;
        let task = task::Task::of_level(level)
            .map_err(|error| OptionError { name: "level".into(), why: error.to_string() })?;
        Ok(Box::new(live::Desktop::new(task, level, options)))
    }

    fn reply_format(&self, setting: Setting) -> Option<ReplyFormat> {
        let format = ReplyFormat::whole_blocks(false);
        (setting == Setting::Online).then_some(ReplyFormat { delimiter: Delimiter::Cell, ..format })
    }

    fn prompts(&self) -> &'static [(&'static str, &'static str)] {
        &[("direct", include_str!("prompts/direct.md"))]
    }

    /// 100 for a task that is done. The verdict has the score of an episode that is over.
    fn score(&self, returns: Returns, _: Option<&Reference>) -> Option<f64> {
        Some(returns.sum)
    }

    fn capabilities(&self) -> &'static Capabilities {
        &capabilities::CAPABILITIES
    }
}
