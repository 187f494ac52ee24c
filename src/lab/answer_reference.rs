//! The name of one call of a stored ask, such as `88f18db3:2/4`: the ask by the beginning of its digest, the variant and the
//! sample. A branch can begin with its reply.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use mageyard_config::Problem;
use mageyard_domain::Reply;

use crate::{LabError, ModelAt};

/// The name of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerReference {
    /// The beginning of the name of the ask.
    pub ask: String,
    /// The number of the variant, from 1.
    pub variant: usize,
    /// The number of the sample, from 1.
    pub sample: u32,
}

impl FromStr for AnswerReference {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let parts = text.split_once(':').and_then(|(ask, call)| Some((ask, call.split_once('/')?)));
        let parsed = parts.and_then(|(ask, (variant, sample))| {
            let variant = variant.parse().ok()?;
            let sample = sample.parse().ok()?;
            Some(Self { ask: ask.to_owned(), variant, sample }).filter(|_| !ask.is_empty())
        });
        parsed.ok_or_else(|| {
            Problem::new(format!("{text:?} names no answer"))
                .with_help("write ASK:VARIANT/SAMPLE, such as 88f18db3:2/4; `mageyard ask SESSION#STEP --show` lists them")
        })
    }
}

impl fmt::Display for AnswerReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}/{}", self.ask, self.variant, self.sample)
    }
}

/// The reply of a stored call, and the variant that gave it.
#[derive(Clone, Debug)]
pub struct PickedAnswer {
    /// The whole name of its ask.
    pub ask: String,
    /// The prompt variant.
    pub prompt: String,
    /// Action memory.
    pub am: u16,
    /// Observation memory.
    pub om: u16,
    /// The model and its server.
    pub model: ModelAt,
    /// The reply; `None` if the call has none.
    pub reply: Option<Reply>,
}

/// Finds a call among the asks that are stored for a step of the episode with this journal.
pub type AnswerLookup = fn(&Path, u32, &AnswerReference) -> Result<PickedAnswer, LabError>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_named_by_ask_variant_and_sample() {
        let parsed: AnswerReference = "88f1:2/4".parse().unwrap();
        assert_eq!((parsed.ask.as_str(), parsed.variant, parsed.sample), ("88f1", 2, 4));
        assert_eq!(parsed.to_string(), "88f1:2/4");
        for text in ["88f1", "88f1:2", "88f1:x/1", ":1/1", "88f1:1/-1"] {
            assert_eq!(
                text.parse::<AnswerReference>().unwrap_err().message,
                format!("{text:?} names no answer")
            );
        }
    }
}
