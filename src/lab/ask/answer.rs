//! The name of one call of a stored ask, such as `88f18db3:2/4`: the ask by the beginning of its digest, the variant and the
//! sample. A branch can begin with its reply, and a person can rate it.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::folder::StoredAsk;
use super::folder::stored_asks;
use super::ratings::add_rating;
use super::record::AskCall;
use super::record::Variant;
use crate::config::Problem;
use crate::domain::Rating;
use crate::lab::LabError;

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
            let (variant, sample) = (variant.parse().ok()?, sample.parse().ok()?);
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

/// A call that was found.
#[derive(Clone, Debug)]
pub(in crate::lab) struct FoundAnswer {
    /// The whole name of its ask.
    pub(in crate::lab) ask: String,
    pub(in crate::lab) variant: Variant,
    pub(in crate::lab) call: AskCall,
}

impl AnswerReference {
    /// The call among the asks that are stored for a step.
    pub(in crate::lab) fn find(&self, journal: &Path, step: u32) -> Result<FoundAnswer, LabError> {
        let asks = stored_asks(journal, step)?;
        let ask = self.ask_of(&asks, step)?;
        let index = self.variant.wrapping_sub(1);
        let call = ask.calls.iter().find(|call| (call.variant, call.sample) == (index, self.sample));
        match (ask.record.variants.get(index), call) {
            (Some(variant), Some(call)) => Ok(FoundAnswer {
                ask: ask.record.id().to_string(),
                variant: variant.clone(),
                call: call.clone(),
            }),
            _ => Err(Problem::new(format!("{self}: the ask has no such call"))
                .with_help(format!(
                    "it has {} variants with {} samples",
                    ask.record.variants.len(),
                    ask.record.samples
                ))
                .into()),
        }
    }

    /// The ask among those of a step.
    fn ask_of<'a>(&self, asks: &'a [StoredAsk], step: u32) -> Result<&'a StoredAsk, Problem> {
        let mut named = asks.iter().filter(|ask| ask.record.id().to_string().starts_with(&self.ask));
        match (named.next(), named.next()) {
            (Some(ask), None) => Ok(ask),
            (None, _) => Err(Problem::new(format!("{self}: no ask of step {step} has this name"))),
            (Some(_), Some(_)) => {
                Err(Problem::new(format!("{self}: several asks of step {step} have this name"))
                    .with_help("write more of its name"))
            }
        }
    }
}

/// Rates a call of a stored ask at a step of the episode of this journal; `None` takes its rating away.
pub fn rate_answer(
    journal: &Path,
    step: u32,
    answer: &AnswerReference,
    rating: Option<Rating>,
) -> Result<(), LabError> {
    answer.find(journal, step)?;
    let asks = stored_asks(journal, step)?;
    let folder = &answer.ask_of(&asks, step)?.folder;
    Ok(add_rating(folder, (answer.variant, answer.sample), rating)?)
}

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
