//! Tasks: JSON records of `AgentStudio` as their files have them, with two optional fields of our own. One record is one
//! task, and one task one level. Reading is here; running the procedures is in [`crate::evaluate`].

mod fields;
mod needs;
mod procedure;
mod read;
#[cfg(test)]
mod tests;
mod variables;

use std::time::Duration;

use mageyard_domain::{FieldError, Level};

pub use self::needs::{Need, Program, lines};
pub use self::procedure::{ACCOUNTS, Procedure, read_procedures};
pub use self::variables::{NAMES, Variables};

/// A task: what is to be done on a computer, and the procedures that prepare, judge and clean up.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// What the file calls it.
    pub id: String,
    /// What is to be done, in words. It may name variables, as may the procedures and cells.
    pub instruction: String,
    /// Whether the agent sees the screen.
    pub visual: bool,
    /// The most steps of an episode, from 0.
    pub max_steps: u32,
    /// The most time of an episode's loop.
    pub max_time: Duration,
    /// What judges the result; at least one.
    pub evaluation: Vec<Procedure>,
    /// What prepares the computer.
    pub reset: Vec<Procedure>,
    /// What cleans up after the episode.
    pub cleanup: Vec<Procedure>,
    /// A cell of Python that does the task; ours, and never shown to the agent.
    pub oracle: Option<String>,
    /// A cell of Python that does the task wrongly, to test how it is judged; ours.
    pub wrong: Option<String>,
    warnings: Vec<String>,
}

/// When procedures of a task run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Before the episode.
    Reset,
    /// When it is judged.
    Evaluation,
    /// After it.
    Cleanup,
}

impl Stage {
    /// All of them, in order of time.
    pub const ALL: [Self; 3] = [Self::Reset, Self::Evaluation, Self::Cleanup];

    /// The field of task files.
    pub fn field(self) -> &'static str {
        match self {
            Self::Reset => "reset_procedure",
            Self::Evaluation => "eval_procedure",
            Self::Cleanup => "cleanup_procedure",
        }
    }
}

impl Task {
    /// The task of a level.
    ///
    /// # Errors
    /// The text is not a record, or a field of it is wrong.
    pub fn of_level(level: &Level) -> Result<Self, FieldError> {
        let record = serde_json::from_str(level.text());
        Self::read(&record.map_err(|error| FieldError::new("", format!("is not a record: {error}")))?)
    }

    /// The procedures of a stage as written.
    pub fn written(&self, stage: Stage) -> &[Procedure] {
        match stage {
            Stage::Reset => &self.reset,
            Stage::Evaluation => &self.evaluation,
            Stage::Cleanup => &self.cleanup,
        }
    }

    /// The procedures of a stage with their variables replaced.
    ///
    /// # Errors
    /// A variable has no value here, such as the account of a person.
    pub fn procedures(&self, stage: Stage, variables: &Variables) -> Result<Vec<Procedure>, FieldError> {
        let replaced = self.written(stage).iter().enumerate().map(|(index, procedure)| {
            let place = format!("{}[{index}]", stage.field());
            procedure.replaced(variables).map_err(|reason| FieldError::new(place, reason))
        });
        replaced.collect()
    }

    /// What is unusual in the record but changes nothing, such as parameters that are not read.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}
