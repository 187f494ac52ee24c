//! The object `suite_answers`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::records::Record;
use mageyard_study::{Accepted, ActionVerdicts, DifferingState, JudgedState, StateAnswers};

/// The answers to a state (`ask SUITE`), those that differ most between variants first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AnswersRecord<'a> {
    /// Name of the suite.
    suite: &'a str,
    /// Number of the state.
    state: usize,
    /// Step that opens it, for `view` and `ask`.
    run: &'a str,
    /// Sort of state.
    category: Option<&'a str>,
    /// Why it is in the suite.
    why: &'a str,
    /// Answers that are right; null if nothing says it.
    accepted: Option<&'a [String]>,
    /// Who says it: `suite`, `environment`, `solver` or `recording`.
    accepted_by: Option<&'static str>,
    /// What each action leads to: `optimal`, `wasteful`, `losing`, `legal` or `illegal`.
    #[schemars(with = "Option<std::collections::BTreeMap<String, String>>")]
    verdicts: Option<&'a ActionVerdicts>,
    /// Greatest difference of the accepted share between two variants.
    range: f64,
    /// Greatest total variation distance between two variants.
    distance: f64,
    /// Answers of each variant.
    variants: Vec<VariantAnswersRecord<'a>>,
}

impl Record for AnswersRecord<'_> {
    const TYPE: &'static str = "suite_answers";
}

/// The answers of a variant to a state.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "variant_answers")]
struct VariantAnswersRecord<'a> {
    /// Number of the variant.
    variant: usize,
    /// Its replies.
    replies: usize,
    /// Accepted ones.
    accepted: Option<usize>,
    /// Its answers.
    answers: Vec<CountedAnswerRecord<'a>>,
}

/// An answer and its count.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "counted_answer")]
struct CountedAnswerRecord<'a> {
    /// Action; null for replies that cannot be read.
    action: Option<&'a str>,
    /// How many.
    count: usize,
}

impl<'a> VariantAnswersRecord<'a> {
    fn new(variant: usize, found: &'a StateAnswers) -> Self {
        let answers = found.answers.iter();
        let answers =
            answers.map(|(action, count)| CountedAnswerRecord { action: action.as_deref(), count: *count });
        Self { variant, replies: found.replies, accepted: found.accepted, answers: answers.collect() }
    }
}

impl<'a> AnswersRecord<'a> {
    pub(super) fn new(suite: &'a str, state: &'a JudgedState, one: &'a DifferingState) -> Self {
        let variants = (1..).zip(&one.variants);
        Self {
            suite,
            state: state.number,
            run: &state.address,
            category: state.category.as_deref(),
            why: &state.why,
            accepted: state.accepted.as_ref().and_then(Accepted::actions),
            accepted_by: state.accepted.as_ref().map(|accepted| accepted.by().name()),
            verdicts: state.verdicts.as_ref(),
            range: one.range,
            distance: one.distance,
            variants: variants.map(|(number, found)| VariantAnswersRecord::new(number, found)).collect(),
        }
    }
}
