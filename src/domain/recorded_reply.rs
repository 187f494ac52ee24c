//! Replies of a recorded episode, and differences between a replay and its recording.

use std::fmt;
use std::sync::Arc;

use super::{Answer, Digest, Options, SentRequest};

/// A recorded reply and its input.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedReply {
    /// The step, from 1.
    pub step: u32,
    /// The attempt within the step, from 1; cancelled requests do not count.
    pub attempt: u32,
    /// The digest of the observation.
    pub state: Digest,
    /// The request; `None` if none was sent.
    pub request: Option<Arc<SentRequest>>,
    /// The answer.
    pub answer: Answer,
    /// The settings of the agent that gave it, if another one than that of the head had the seat.
    pub options: Option<Arc<Options>>,
    /// The last change that a person made to the recorded episode before this reply, if any.
    pub intervention: Option<String>,
}

/// The first difference between the input of a recorded reply and the current input. Its texts are short and
/// sanitized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayDifference {
    /// The step, from 1.
    pub step: u32,
    /// The attempt within the step, from 1.
    pub attempt: u32,
    /// The turn of the request, from 1; `None` if the difference is outside the turns.
    pub turn: Option<usize>,
    /// What differs, such as `the text`.
    pub aspect: String,
    /// The recorded value.
    pub recorded: String,
    /// The current value.
    pub current: String,
    /// The last change that a person made to the recorded episode before this reply, if any.
    pub intervention: Option<String>,
}

impl fmt::Display for ReplayDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, attempt, aspect, recorded, current, .. } = self;
        write!(f, "step {step}, attempt {attempt}")?;
        if let Some(turn) = self.turn {
            write!(f, ", turn {turn} of the request")?;
        }
        write!(f, ": {aspect} differs: recorded {recorded}, now {current}")?;
        match &self.intervention {
            Some(change) => write!(f, " (a person intervened in the recording: {change})"),
            None => Ok(()),
        }
    }
}
