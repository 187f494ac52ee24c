//! What a node finds at an act, before its score is known.

use mageyard_domain::Question;

use super::judge;
use super::quoted::quoted;
use crate::nodes::Moment;
use crate::task::Matching;

/// What a node finds at an act.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Finding {
    pub(super) when: Moment,
    /// What is compared; `None` if there is nothing.
    pub(super) found: Option<String>,
    pub(super) answer: Answer,
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    /// Right or not, with the reason.
    Decided(bool, String),
    /// A judge must say.
    Asked(Question),
    /// The released code fails here and leaves out the nodes after it.
    Raised(String),
}

impl Finding {
    /// That there is nothing to compare, or that it is not right before it is compared.
    pub(super) fn void(reason: impl Into<String>) -> Self {
        Self { when: Moment::Before, found: None, answer: Answer::Decided(false, reason.into()) }
    }

    /// That something is not right, with the reason.
    pub(super) fn refused(found: &str, reason: impl Into<String>) -> Self {
        Self::decided(found, false, reason)
    }

    /// That something is right or not, with the reason.
    pub(super) fn decided(found: &str, is_right: bool, reason: impl Into<String>) -> Self {
        let answer = Answer::Decided(is_right, reason.into());
        Self { when: Moment::Before, found: Some(found.to_owned()), answer }
    }

    /// Whether it is right without a judge.
    pub(super) fn is_right(&self) -> bool {
        matches!(self.answer, Answer::Decided(true, _))
    }

    /// That the released code fails.
    pub(super) fn raised(found: &str, reason: impl Into<String>) -> Self {
        let answer = Answer::Raised(reason.into());
        Self { when: Moment::Before, found: Some(found.to_owned()), answer }
    }

    /// Compares a text, such as `the label`, with the reference.
    pub(super) fn compared(matching: Matching, what: &str, found: &str, reference: &str) -> Self {
        let [shown, wanted] = [found, reference].map(quoted);
        let answer = match matching {
            Matching::Exact if found == reference => Answer::Decided(true, format!("{what} is {shown}")),
            Matching::Exact => Answer::Decided(false, format!("{what} is {shown}, not {wanted}")),
            Matching::Included if found.contains(reference) => {
                Answer::Decided(true, format!("{what} {shown} contains {wanted}"))
            }
            Matching::Included => Answer::Decided(false, format!("{what} {shown} does not contain {wanted}")),
            Matching::Semantic => Answer::Asked(judge::question(reference, found)),
        };
        Self { when: Moment::Before, found: Some(found.to_owned()), answer }
    }

    /// The same of another moment.
    pub(super) fn at(self, when: Moment) -> Self {
        Self { when, ..self }
    }
}
