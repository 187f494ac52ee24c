//! Composes the request for a decision from the steps so far.

use std::sync::Arc;

use super::head::Head;
use super::step::Step;
use super::step::Steps;
use crate::dialog::CurrentStep;
use crate::dialog::PastStep;
use crate::dialog::Prompt;
use crate::dialog::Request;
use crate::dialog::RequestSpec;
use crate::dialog::compose;
use crate::domain::ReplyFormat;
use crate::domain::Window;

/// The request for the step at this index; `None` if there is none.
pub fn compose_request(
    head: &Head,
    steps: &Steps,
    index: usize,
    window: Window,
    prompt: &Prompt,
    form: &ReplyFormat,
) -> Option<Request> {
    let now = steps.get(index)?;
    let remembered = index.saturating_sub(usize::from(window.am()))..index;
    let past: Vec<PastStep> = steps.range(remembered).map(|step| past_step(step)).collect();
    let brief =
        RequestSpec { prompt, setting: head.setting, reply_format: form, window, layout: head.layout };
    let unread: Vec<Arc<str>> = now
        .attempts
        .iter()
        .filter(|attempt| attempt.is_refused())
        .map(|attempt| attempt.reply.clone())
        .collect();
    let steps_left = head.max_steps.saturating_sub(now.number - 1);
    Some(compose(
        &brief,
        &past,
        &CurrentStep {
            number: now.number,
            observation: &now.observation,
            action_space: &now.space,
            unreadable_replies: &unread,
            steps_left,
        },
    ))
}

/// A remembered step: the last complete reply, with a person's edit if there is one.
fn past_step(step: &Step) -> PastStep {
    PastStep { observation: step.observation.clone(), output: step.output().cloned() }
}
