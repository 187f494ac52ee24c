//! What is left of an agent's part in a recorded episode: its answers, and what led to each of them.

use std::fmt;

use serde_json::Value;

use super::Answer;
use super::Digest;

/// One recorded answer, with what the agent had been given.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedReply {
    /// The step, from 1.
    pub step: u32,
    /// The attempt within the step, from 1; a request that was cut is none.
    pub attempt: u32,
    /// The digest of what the step showed.
    pub state: Digest,
    /// The request as it was kept, each picture replaced by `blob:` and its digest; `None` where none was sent.
    pub body: Option<Value>,
    /// What was answered.
    pub answer: Answer,
    /// What a person had last changed in the recorded episode before this, in words.
    pub intervention: Option<String>,
}

/// The first difference between what led to a recorded answer and what would lead to it now. Its texts are
/// short and safe to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayDifference {
    /// The step, from 1.
    pub step: u32,
    /// The attempt within the step, from 1.
    pub attempt: u32,
    /// The turn of the request, from 1; `None` where it is in no turn.
    pub turn: Option<usize>,
    /// What differs, such as `the text`.
    pub aspect: String,
    /// How it was when it was recorded.
    pub recorded: String,
    /// How it is now.
    pub current: String,
    /// What a person had changed in the recorded episode before this, in words.
    pub intervention: Option<String>,
}

impl fmt::Display for ReplayDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, attempt, aspect: what, recorded, current: now, .. } = self;
        write!(f, "step {step}, attempt {attempt}")?;
        if let Some(turn) = self.turn {
            write!(f, ", turn {turn} of the request")?;
        }
        write!(f, ": {what} differs from the recording: then {recorded}, now {now}")?;
        match &self.intervention {
            Some(meddled) => write!(f, " (in the recording a person had intervened: {meddled})"),
            None => Ok(()),
        }
    }
}
