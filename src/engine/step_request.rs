//! Composes the request for a decision from the steps so far.

use std::sync::Arc;

use super::attempt::Attempt;
use super::head::Head;
use super::step::{Step, Steps};
use mageyard_dialog::{CurrentStep, PastStep, Prompt, Request, RequestSpec, ThoughtMemory, compose};
use mageyard_domain::{ReplyFormat, Window};

/// The complete request for the step at this index with the settings of a head; `None` if there is no such step. See
/// [`RequestSpec::counts_stable`].
pub fn compose_request(
    head: &Head,
    steps: &Steps,
    index: usize,
    window: Window,
    prompt: &Prompt,
    form: &ReplyFormat,
    counts_stable: bool,
) -> Option<Request> {
    let setting = head.setting;
    let layout = head.layout;
    let spec =
        RequestSpec { prompt, setting, reply_format: form, window, layout, counts_stable, left_out: None };
    compose_step_request(head, steps, index, &spec)
}

/// The request for the step at this index; `None` if there is none.
pub fn compose_step_request(
    head: &Head,
    steps: &Steps,
    index: usize,
    spec: &RequestSpec<'_>,
) -> Option<Request> {
    let now = steps.get(index)?;
    let remembered = index.saturating_sub(usize::from(spec.window.am()))..index;
    let past: Vec<PastStep> = steps.range(remembered).map(|step| past_step(head, step)).collect();
    let unread: Vec<Arc<str>> = now
        .attempts
        .iter()
        .filter(|attempt| attempt.counts() && attempt.is_refused())
        .map(|attempt| remembered_output(head, attempt))
        .collect();
    let partial = now.continued_reply().map(|attempt| remembered_output(head, attempt));
    let before = index.checked_sub(1).and_then(|before| steps.get(before));
    let steps_left = head.max_steps.saturating_sub(now.number - 1);
    Some(compose(
        spec,
        &past,
        &CurrentStep {
            number: now.number,
            observation: &now.observation,
            action_space: &now.space,
            unreadable_replies: &unread,
            partial_reply: partial.as_ref(),
            problem: before.and_then(|step| step.problem()),
            hint: now.hint.as_ref(),
            steps_left,
        },
    ))
}

/// A remembered step: the last complete reply, with a person's edit if there is one.
fn past_step(head: &Head, step: &Step) -> PastStep {
    let output = step.last_reply().map(|attempt| remembered_output(head, attempt));
    let problem = step.problem().cloned();
    PastStep { observation: step.observation.clone(), output, skipped: step.skipped, problem }
}

/// A reply as a later request carries it: with or without its thoughts.
fn remembered_output(head: &Head, attempt: &Attempt) -> Arc<str> {
    match head.layout.thoughts {
        ThoughtMemory::Keep if !attempt.thoughts.is_empty() => attempt.content().into(),
        _ => attempt.reply.clone(),
    }
}
