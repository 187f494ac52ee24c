//! Finds one call of a stored ask by its name, for a branch that begins with its reply and for the rating of a person.

use std::path::Path;

use super::folder::{StoredAsk, stored_asks};
use super::ratings::add_rating;
use super::record::{AskCall, Variant};
use mageyard_config::Problem;
use mageyard_domain::Rating;
use mageyard_lab::{AnswerReference, LabError, PickedAnswer};

/// Finds a call among the asks that are stored for a step of the episode with this journal.
pub fn find_answer(journal: &Path, step: u32, answer: &AnswerReference) -> Result<PickedAnswer, LabError> {
    let asks = stored_asks(journal, step)?;
    let ask = ask_of(answer, &asks, step)?;
    let (variant, call) = call_of(answer, ask)?;
    Ok(PickedAnswer {
        ask: ask.record.id().to_string(),
        prompt: variant.prompt.clone(),
        am: variant.am,
        om: variant.om,
        model: variant.model.clone(),
        reply: call.reply.clone(),
    })
}

/// The call that an answer names, with its variant.
fn call_of<'a>(answer: &AnswerReference, ask: &'a StoredAsk) -> Result<(&'a Variant, &'a AskCall), Problem> {
    let index = answer.variant.wrapping_sub(1);
    let call = ask.calls.iter().find(|call| (call.variant, call.sample) == (index, answer.sample));
    ask.record.variants.get(index).zip(call).ok_or_else(|| {
        let what = format!("{answer}: the ask has no such call");
        let variants = ask.record.variants.len();
        let samples = ask.record.samples;
        Problem::new(what).with_help(format!("it has {variants} variants with {samples} samples"))
    })
}

/// The ask among those of a step.
fn ask_of<'a>(answer: &AnswerReference, asks: &'a [StoredAsk], step: u32) -> Result<&'a StoredAsk, Problem> {
    let mut named = asks.iter().filter(|ask| ask.record.id().to_string().starts_with(&answer.ask));
    match (named.next(), named.next()) {
        (Some(ask), None) => Ok(ask),
        (None, _) => Err(Problem::new(format!("{answer}: no ask of step {step} has this name"))),
        (Some(_), Some(_)) => {
            Err(Problem::new(format!("{answer}: several asks of step {step} have this name"))
                .with_help("write more of its name"))
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
    let asks = stored_asks(journal, step)?;
    let ask = ask_of(answer, &asks, step)?;
    call_of(answer, ask)?;
    Ok(add_rating(&ask.folder, (answer.variant, answer.sample), rating)?)
}
