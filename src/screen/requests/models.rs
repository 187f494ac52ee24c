//! Requests about models: which there are, what a server has, and what one supports.

use mageyard_config::Problem;

/// A model of the settings, or a server and the name of a model there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelTarget {
    /// The model, or the profile, of this name.
    Named(String),
    /// A model of a server.
    Served {
        /// The base URL.
        url: String,
        /// Its name there.
        model: String,
    },
}

/// What is asked about models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelOrder {
    /// List those that can be chosen by name; the answer is [`ModelAnswer::Listed`].
    List,
    /// Look for servers on the usual ports of this machine; the answer is [`ModelAnswer::Found`].
    Find,
    /// List the models of the server of this URL; the answer is [`ModelAnswer::Found`].
    AskServer(String),
    /// Send a few requests to a model; the answers are [`ModelAnswer::Checked`], and at last [`ModelAnswer::ChecksEnded`].
    Check(ModelTarget),
    /// End the checks in progress.
    StopChecks,
    /// Save a model of a server as a profile of this name; the answer is [`ModelAnswer::Saved`].
    Save {
        /// The name of the profile.
        profile: String,
        /// The base URL.
        url: String,
        /// The name of the model there.
        model: String,
    },
}

/// A model that can be chosen by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelEntry {
    /// The name.
    pub name: String,
    /// The agent that asks it, as it is seated, such as `model:NAME`.
    pub seat: String,
    /// What kind it is: `profile`, `configured` or `simulated`.
    pub kind: String,
    /// What is known of it, as lines.
    pub facts: Vec<String>,
}

/// A server that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerEntry {
    /// The base URL.
    pub url: String,
    /// The program that usually has its port; empty if it is unknown.
    pub program: String,
    /// The names of its models, or why it does not list them.
    pub models: Result<Vec<String>, String>,
}

/// How a check has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckState {
    /// It works.
    Passed,
    /// It does not work.
    Failed,
    /// Nothing is known.
    Unknown,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckEntry {
    /// What was checked. A later result of the same name replaces an earlier one.
    pub name: String,
    /// How it has ended.
    pub state: CheckState,
    /// What was found.
    pub evidence: String,
    /// What to do.
    pub advice: Option<String>,
    /// The setting that would help.
    pub setting: Option<SuggestedValue>,
}

/// A value of a setting that a check suggests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuggestedValue {
    /// The name of the setting, such as `model.stream`.
    pub name: String,
    /// The value as it is written after `:set NAME=`.
    pub value: String,
}

/// What was found out about models.
#[derive(Clone, Debug)]
pub enum ModelAnswer {
    /// Those that can be chosen by name.
    Listed(Result<Vec<ModelEntry>, Problem>),
    /// Servers that answer.
    Found(Result<Vec<ServerEntry>, Problem>),
    /// A check is known.
    Checked(CheckEntry),
    /// All checks are known.
    ChecksEnded,
    /// A profile of this name was saved.
    Saved(Result<String, Problem>),
}
