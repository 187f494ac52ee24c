//! The handlers of procedures: what a task resets, and how it is judged. A handler sees the computer only through
//! [`Computer`], so the same ones judge a sandbox and a folder.
//!
//! Every handler is a row of [`all`]: the check of task files reads the rows, the episode calls them.

mod computer;
mod docs;
mod filesystem;
mod finding;
mod folder;
mod gimp;
mod human;
mod params;
mod process;
mod qa;
#[cfg(test)]
mod scripted;
mod sheets;
mod slides;
mod system;
#[cfg(test)]
mod tests;
mod vscode;

pub use self::computer::{Access, Change, Computer, FileFacts, FileKind, Ran, RunningProcess, Trouble};
pub use self::finding::Finding;
pub use self::folder::{FolderComputer, Mount};
pub(crate) use self::params::unknown_name;
pub use self::params::{Param, ParamType, Params};
pub use self::vscode::disabled_extensions_query;

/// Which rules decide (`desktop.rules`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// What a person who reads the task would call right.
    #[default]
    Standard,
    /// The released code of `AgentStudio` (2025-06), with its wrong verdicts.
    Code,
}

/// When a handler can be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// When an episode is judged (`eval_procedure`).
    Evaluation,
    /// Before an episode and after it (`reset_procedure`, `cleanup_procedure`).
    Reset,
    /// All of them.
    Both,
}

impl Rules {
    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Code => "code",
        }
    }
}

impl Phase {
    /// Whether a handler of this phase can be called in another one, which is not [`Phase::Both`].
    pub fn includes(self, phase: Self) -> bool {
        self == Self::Both || self == phase
    }
}

/// A function of an evaluator.
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    /// The evaluator, such as `filesystem`.
    pub evaluator: &'static str,
    /// The function, such as `exists`.
    pub function: &'static str,
    /// When it can be called.
    pub phase: Phase,
    /// Its parameters.
    pub params: &'static [Param],
    /// Whether it destroys what was there: removes, overwrites, ends programs.
    pub destroys: bool,
    /// Carries it out.
    pub call: fn(&Params<'_>, &mut Case<'_>) -> Result<(), Finding>,
}

impl Handler {
    /// Whether it starts programs that the task chooses, or that are not part of this one.
    pub(crate) fn starts_programs(&self) -> bool {
        matches!(
            (self.evaluator, self.function),
            ("system", "exec") | ("process", "create_process") | ("vscode", _)
        )
    }
}

/// What a handler is called with beside its parameters.
pub struct Case<'a> {
    /// The computer.
    pub computer: &'a mut dyn Computer,
    /// The rules.
    pub rules: Rules,
    /// The text of the agent's last reply.
    pub reply: Option<&'a str>,
    /// What a person answered to this procedure, if it was asked already.
    pub answer: Option<&'a str>,
}

impl Case<'_> {
    /// The bytes of a file that the agent should have made: that it cannot be read is a fail.
    ///
    /// # Errors
    /// [`Finding::Fail`] with the reason.
    pub fn made(&mut self, path: &str) -> Result<Vec<u8>, Finding> {
        self.computer.read(path).map_err(|trouble| trouble.as_fail(path))
    }

    /// The bytes of a file to compare with: that it cannot be read is an error of the task.
    ///
    /// # Errors
    /// [`Finding::Error`] with the reason.
    pub fn reference(&mut self, path: &str) -> Result<Vec<u8>, Finding> {
        self.computer.read(path).map_err(|trouble| trouble.as_error(path))
    }
}

/// Every handler.
pub fn all() -> impl Iterator<Item = &'static Handler> {
    [
        docs::HANDLERS,
        filesystem::HANDLERS,
        gimp::HANDLERS,
        human::HANDLERS,
        process::HANDLERS,
        qa::HANDLERS,
        sheets::HANDLERS,
        slides::HANDLERS,
        system::HANDLERS,
        vscode::HANDLERS,
    ]
    .into_iter()
    .flatten()
}

/// The handler of an evaluator's function.
pub fn find(evaluator: &str, function: &str) -> Option<&'static Handler> {
    all().find(|handler| handler.evaluator == evaluator && handler.function == function)
}
