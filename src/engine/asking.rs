//! The request for the next decision, from what has happened so far.

use std::sync::Arc;

use super::head::Head;
use super::step::Step;
use crate::dialog::Brief;
use crate::dialog::Now;
use crate::dialog::Past;
use crate::dialog::Prompt;
use crate::dialog::Request;
use crate::dialog::compose;
use crate::domain::Form;
use crate::domain::Window;

/// The request that asks for the last of `steps`; `None` before the first observation.
pub fn request(
    head: &Head,
    steps: &[Arc<Step>],
    window: Window,
    prompt: &Prompt,
    form: &Form,
) -> Option<Request> {
    let (now, past) = steps.split_last()?;
    let past: Vec<Past> = past.iter().map(|step| remembered(step)).collect();
    let brief = Brief { prompt, setting: head.setting, form, window, layout: head.layout };
    let unread: Vec<Arc<str>> = now
        .attempts
        .iter()
        .filter(|attempt| attempt.is_refused())
        .map(|attempt| attempt.reply.clone())
        .collect();
    let steps_left = head.max_steps.saturating_sub(now.number - 1);
    Some(compose(&brief, &past, &Now { seen: &now.seen, space: &now.space, unread: &unread, steps_left }))
}

/// Of several replies within a step the last whole one is remembered; of an edited one what a person wrote.
fn remembered(step: &Step) -> Past {
    Past { seen: step.seen.clone(), output: step.output().cloned() }
}
