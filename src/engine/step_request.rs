//! Composes the request for a decision from the steps so far.

use std::fmt::Write as _;
use std::sync::Arc;

use super::attempt::Attempt;
use super::episode::Episode;
use super::head::Head;
use super::step::{Step, Steps};
use mageyard_dialog::{
    CurrentStep, PastStep, Prompt, PromptImages, Request, RequestSpec, SidePrompt, ThoughtMemory,
    VariableValues, compose, compose_side,
};
use mageyard_domain::{Observation, Question, ReplyFormat, Segment, ShownPart, VIEW_OPTION, Window};

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

/// The view in which a request shows its observations.
#[derive(Clone, Copy)]
pub struct RequestView<'a> {
    /// Its name, if the environment has several.
    pub name: Option<&'a str>,
    /// The observation in it.
    pub show: &'a dyn Fn(&Observation) -> Observation,
}

/// The request for the step at this index; `None` if there is none.
pub fn compose_step_request(
    head: &Head,
    steps: &Steps,
    index: usize,
    spec: &RequestSpec<'_>,
) -> Option<Request> {
    let view = head.options.get(VIEW_OPTION).and_then(|view| view.as_str());
    compose_viewed_request(head, steps, index, spec, RequestView { name: view, show: &Observation::clone })
}

/// The request for the step at this index with its observations in this view; `None` if there is no such step.
pub fn compose_viewed_request(
    head: &Head,
    steps: &Steps,
    index: usize,
    spec: &RequestSpec<'_>,
    RequestView { name: view, show }: RequestView<'_>,
) -> Option<Request> {
    let now = steps.get(index)?;
    let oldest = index.saturating_sub(usize::from(spec.window.am()));
    let remembered = if spec.layout.keep.keeps_frames() { 0 } else { oldest }..index;
    let past: Vec<PastStep> = steps.range(remembered).map(|step| past_step(head, step, show)).collect();
    let unread: Vec<Arc<str>> = now
        .attempts
        .iter()
        .filter(|attempt| attempt.counts() && attempt.is_refused())
        .map(|attempt| remembered_output(head, attempt))
        .collect();
    let partial = now.continued_reply().map(|attempt| remembered_output(head, attempt));
    let before = index.checked_sub(1).and_then(|before| steps.get(before));
    let steps_left = head.max_steps.saturating_sub(now.number - 1);
    let request = compose(
        spec,
        &past,
        &CurrentStep {
            number: now.number,
            observation: &show(&now.observation),
            action_space: &now.space,
            unreadable_replies: &unread,
            partial_reply: partial.as_ref(),
            problem: before.and_then(|step| step.problem()),
            reflection: now.reflection.as_ref(),
            hint: now.hint.as_ref(),
            steps_left,
        },
    );
    Some(request.in_view(view))
}

/// A remembered step: the last complete reply, with a person's edit if there is one.
fn past_step(head: &Head, step: &Step, show: &dyn Fn(&Observation) -> Observation) -> PastStep {
    let output = step.last_reply().map(|attempt| remembered_output(head, attempt));
    let problem = step.problem().cloned();
    let reflection = step.reflection.clone();
    PastStep {
        observation: show(&step.observation),
        output,
        skipped: step.skipped,
        problem,
        reflection,
        rewarded: step.effect.as_ref().is_some_and(|effect| effect.reward > 0.0),
    }
}

/// A reply as a later request carries it: with or without its thoughts.
fn remembered_output(head: &Head, attempt: &Attempt) -> Arc<str> {
    match head.layout.thoughts {
        ThoughtMemory::Keep if !attempt.thoughts.is_empty() => attempt.content().into(),
        _ => attempt.reply.clone(),
    }
}

/// What the question of a module is made from, besides the steps.
#[derive(Clone, Copy)]
pub(super) struct ModuleContext<'a> {
    /// The prompt of the agent, if there is one.
    pub(super) prompt: Option<&'a Prompt>,
    /// The format of its replies.
    pub(super) form: &'a ReplyFormat,
}

/// The side request for a question at the current step. That of a module has the agent's task, what was done so far, and the
/// present observation.
///
/// # Errors
/// The part that the question shows and no observation has.
pub(super) fn compose_side_request(
    episode: &Episode,
    question: &Question,
    prompt: &SidePrompt,
    system_role: bool,
    context: ModuleContext<'_>,
) -> Result<Request, ShownPart> {
    let filled;
    let question = if question.role.is_module() {
        filled = module_question(episode, question, context);
        &filled
    } else {
        question
    };
    let back = question.shown.iter().map(|part| part.back).max().unwrap_or(0);
    let count = usize::try_from(back).unwrap_or(usize::MAX).saturating_add(1);
    let steps = episode.steps();
    let newest = steps.range(steps.len().saturating_sub(count)..steps.len());
    let observations: Vec<(u32, &Observation)> =
        newest.map(|step| (step.number, &step.observation)).collect();
    compose_side(prompt, question, &observations, system_role)
}

/// The question of a module with its values and the parts of the present observation.
fn module_question(episode: &Episode, question: &Question, context: ModuleContext<'_>) -> Question {
    let Some(now) = episode.steps().last() else { return question.clone() };
    let head = episode.head();
    let values = VariableValues {
        action_space: &now.space,
        reply_format: context.form,
        steps_left: head.max_steps.saturating_sub(now.number - 1),
        exact_words: head.layout.exact_words,
    };
    let task = context.prompt.map(|prompt| prompt.fill(Segment::Task, head.setting, &values));
    let as_text = now.observation.parts().is_empty()
        || context.prompt.is_some_and(|prompt| prompt.images == PromptImages::None);
    let parts = if as_text { 0 } else { u16::try_from(now.observation.parts().len()).unwrap_or(u16::MAX) };
    let texts = [
        ("task", task.as_deref().unwrap_or_default().to_owned()),
        ("trace", trace(episode.steps())),
        ("state", if as_text { now.observation.text().to_string() } else { String::new() }),
    ];
    let shown = (0..parts).map(|index| ShownPart { back: 0, index });
    Question {
        values: texts.into_iter().map(|(name, text)| (name.to_owned(), text)).collect(),
        shown: shown.collect(),
        ..question.clone()
    }
}

/// What was done at each finished step: its action, why that was refused or failed, the reply, and what the module said of the
/// state that it was decided in.
fn trace(steps: &Steps) -> String {
    let mut lines = String::new();
    for step in steps.iter().filter(|step| step.is_done()) {
        let action = step.action.as_ref().map_or_else(|| "no action".to_owned(), ToString::to_string);
        let problem =
            step.problem().map_or_else(String::new, |problem| format!(" ({})", problem.remark(None)));
        let _ = writeln!(lines, "{}. {action}{problem}", step.number);
        let said = step.reflection.iter().map(|text| ("assessment before it", text));
        let reply = step.output().into_iter().map(|text| ("reply", text));
        for (name, text) in said.chain(reply) {
            let _ = writeln!(lines, "   {name}: {}", text.trim().replace('\n', "\n   "));
        }
    }
    lines.truncate(lines.trim_end().len());
    lines
}
