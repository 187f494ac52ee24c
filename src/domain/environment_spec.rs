//! The description of an environment: what every environment has. What only some have is in its capabilities.

use std::collections::BTreeMap;

use serde_json::Value;
use thiserror::Error;

use super::{Capabilities, Environment, Level, LevelError, Reference, ReplyFormat, Returns, Setting};

/// Settings of an environment or agent, by name.
pub type Options = BTreeMap<String, Value>;

/// An invalid setting.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name}: {why}")]
pub struct OptionError {
    /// The setting's name.
    pub name: String,
    /// What is wrong, and what is allowed.
    pub why: String,
}

/// A named list of levels that ships with the program.
#[derive(Clone, Copy, Debug)]
pub struct LevelSet {
    /// The name within the environment, such as `mini`.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// How it relates to the levels of the MageBench paper (arXiv 2412.04531), as a phrase: what is alike and what is not.
    pub paper: &'static str,
    /// The text of the level file.
    pub text: &'static str,
}

/// An environment type. Eight methods are required; [`EnvironmentSpec::capabilities`] has what only some environments
/// offer.
pub trait EnvironmentSpec: Send + Sync {
    /// The name in level references, such as `hanoi`.
    fn name(&self) -> &'static str;

    /// A one-line description.
    fn summary(&self) -> &'static str;

    /// The extensions of its level files without the dot, the usual one first.
    fn file_extensions(&self) -> &'static [&'static str];

    /// The shipped level sets, the default first.
    fn level_sets(&self) -> &'static [LevelSet];

    /// Parses a level file. One invalid level makes the file invalid.
    fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError>;

    /// Every error of a level file, in file order; empty for a file that [`EnvironmentSpec::parse_levels`] accepts.
    fn level_errors(&self, text: &str) -> Vec<LevelError> {
        self.parse_levels(text).err().into_iter().collect()
    }

    /// Prepares the environment of a level returned by [`EnvironmentSpec::parse_levels`]. Everything random in it
    /// depends on the seed only.
    fn open(&self, level: &Level, options: &Options, seed: u64) -> Result<Box<dyn Environment>, OptionError>;

    /// The reply format, or `None` if the environment does not support this setting.
    fn reply_format(&self, setting: Setting) -> Option<ReplyFormat>;

    /// The shipped prompt variants as name and file text, the default first. An agent with a model needs one.
    fn prompts(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The score of an episode; `None` if it needs a reference that is unknown.
    fn score(&self, returns: Returns, reference: Option<&Reference>) -> Option<f64>;

    /// What the environment offers beyond these methods.
    fn capabilities(&self) -> &'static Capabilities {
        &Capabilities::NONE
    }
}
