//! Composes the messages of a request from a prompt, the past steps and the memory window.
//!
//! The first user turn has the task, the observation, the instruction and the reply format. Each remembered output
//! follows, then the turn that answered it, so AM outputs make AM + 1 user turns. The last OM of these have their
//! observation, the others a placeholder.

mod parts;
mod past;

use std::sync::Arc;

use self::parts::named_part;
pub(crate) use self::parts::{message_part, remove_empty_parts};
use super::layout::{DroppedFrame, EmptyReply, RequestLayout};
use super::left_out::LeftOut;
use super::memory::{History, Inclusion, Ledger, LedgerPart, LedgerStep, build_ledger};
use super::prompt::{Prompt, VariableValues};
use mageyard_domain::{
    ActProblem, ActionSpace, Message, MessagePart, Observation, ReplyFormat, Role, Segment, Setting, Window,
};

/// The text in place of an empty reply.
const EMPTY_REPLY: &str = "(empty reply)";

/// A past step: the observation and the reply of the agent.
#[derive(Clone, Debug)]
pub struct PastStep {
    /// What the agent was shown.
    pub observation: Observation,
    /// Its last output at that step, if there is one.
    pub output: Option<Arc<str>>,
    /// Whether it ended without an action, so that the turn after it says so.
    pub skipped: bool,
    /// Why its action was refused or failed, which the turn after it says.
    pub problem: Option<ActProblem>,
    /// What a module said of its state.
    pub reflection: Option<Arc<str>>,
    /// Whether its action had a reward above 0.
    pub rewarded: bool,
}

/// The step that the request is for.
#[derive(Clone, Copy, Debug)]
pub struct CurrentStep<'a> {
    /// The step, from 1.
    pub number: u32,
    /// What the agent is shown.
    pub observation: &'a Observation,
    /// The allowed actions.
    pub action_space: &'a ActionSpace,
    /// Its replies at this step that could not be parsed, in order.
    pub unreadable_replies: &'a [Arc<str>],
    /// Its newest reply at this step, if it is asked to continue that one.
    pub partial_reply: Option<&'a Arc<str>>,
    /// Why the action before it was refused or failed.
    pub problem: Option<&'a ActProblem>,
    /// What a module says of the present state.
    pub reflection: Option<&'a Arc<str>>,
    /// The hint of a person, a text of its own at the end of the newest state.
    pub hint: Option<&'a Arc<str>>,
    /// The number of steps that are left.
    pub steps_left: u32,
}

/// The settings of a request.
#[derive(Clone, Copy, Debug)]
pub struct RequestSpec<'a> {
    /// The prompt.
    pub prompt: &'a Prompt,
    /// Global or Online.
    pub setting: Setting,
    /// The format of the reply.
    pub reply_format: &'a ReplyFormat,
    /// The memory window.
    pub window: Window,
    /// The layout.
    pub layout: RequestLayout,
    /// Whether [`Request::stable`] is wanted, which takes as long as the request itself.
    pub counts_stable: bool,
    /// What is left out, if something is.
    pub left_out: Option<LeftOut>,
}

/// A request and the ledger that it must match.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The messages.
    pub messages: Vec<Message>,
    /// Which outputs and parts of observations are included, and why the others are not.
    pub ledger: Ledger,
    /// The number of leading messages that the request of the next step repeats, whatever the agent replies; 0 if it is
    /// not wanted.
    pub stable: usize,
    /// What is left out on purpose.
    pub left_out: Option<LeftOut>,
}

impl Request {
    /// The same request with an answer that begins with this text and is to be continued.
    #[must_use]
    pub fn with_answer_start(mut self, text: &str) -> Self {
        let parts = vec![MessagePart::Text(Segment::Partial, text.into())];
        self.messages.push(Message { role: Role::Assistant, parts });
        self
    }

    /// The same request with a hint of its own at the end of the newest state.
    #[must_use]
    pub fn with_hint(mut self, text: &str) -> Self {
        if let Some(newest) = self.messages.last_mut() {
            newest.parts.push(MessagePart::Text(Segment::Hint, text.into()));
        }
        self
    }

    /// The same request with the name of the view in which its observations are, for the ledger and the proof.
    #[must_use]
    pub fn in_view(mut self, view: Option<&str>) -> Self {
        self.ledger.view = view.map(Into::into);
        self
    }

    /// The text of an answer that is to be continued, if the request ends with one.
    pub fn answer_start(&self) -> Option<&str> {
        match self.messages.last()?.parts.as_slice() {
            [MessagePart::Text(Segment::Partial, text)] => Some(text),
            _ => None,
        }
    }
}

/// Composes the request for the step after `past`, oldest first (`MageBench`, the request of the Online setting). Only
/// the last AM of these steps are read, unless keep rules keep older observations: then they are all steps before.
///
/// The first user message has the task, an observation, the reasoning instructions and the reply format. Each included
/// output of the agent follows, with the user message that answered it. AM outputs therefore give AM + 1 user messages:
/// the last OM of them have an observation, the others a placeholder.
pub fn compose(spec: &RequestSpec<'_>, past: &[PastStep], current: &CurrentStep<'_>) -> Request {
    let past = read_steps(spec, past);
    let mut builder = RequestBuilder::new(spec, past, current);
    Request {
        messages: builder.messages(),
        ledger: builder.ledger,
        stable: if spec.counts_stable { stable_messages(spec, past, current) } else { 0 },
        left_out: spec.left_out,
    }
}

/// The past steps that a request depends on.
fn read_steps<'a>(spec: &RequestSpec<'_>, past: &'a [PastStep]) -> &'a [PastStep] {
    let first = past.len().saturating_sub(usize::from(spec.window.am()));
    if spec.layout.keep.keeps_frames() { past } else { &past[first..] }
}

/// The number of leading messages that the request of the next step repeats, whatever the agent replies: both requests
/// are composed with names in place of states and segments, and compared.
fn stable_messages(spec: &RequestSpec<'_>, past: &[PastStep], current: &CurrentStep<'_>) -> usize {
    let sketch = |past: &[PastStep], current: &CurrentStep<'_>| {
        let past = read_steps(spec, past);
        RequestBuilder { sketches: true, ..RequestBuilder::new(spec, past, current) }.messages()
    };
    let unread = CurrentStep { unreadable_replies: &[], partial_reply: None, ..*current };
    let now = sketch(past, &unread);
    // An empty output is not the one of any step.
    let finished = PastStep {
        observation: current.observation.clone(),
        output: Some("".into()),
        skipped: false,
        problem: None,
        reflection: current.reflection.cloned(),
        rewarded: false,
    };
    let following: Vec<PastStep> = past.iter().cloned().chain([finished]).collect();
    let number = current.number.saturating_add(1);
    let steps_left = current.steps_left.saturating_sub(1);
    let next =
        sketch(&following, &CurrentStep { number, steps_left, problem: None, reflection: None, ..unread });
    now.iter().zip(&next).take_while(|(now, next)| now == next).count()
}

struct RequestBuilder<'a> {
    spec: &'a RequestSpec<'a>,
    values: VariableValues<'a>,
    /// The steps before the current one whose outputs are turns.
    past: &'a [PastStep],
    /// The steps before those, as far as the request depends on them.
    older: &'a [PastStep],
    current: &'a CurrentStep<'a>,
    ledger: Ledger,
    /// Whether states and segments are only named.
    sketches: bool,
}

impl<'a> RequestBuilder<'a> {
    fn new(spec: &'a RequestSpec<'a>, past: &'a [PastStep], current: &'a CurrentStep<'a>) -> Self {
        let (older, turns) = past.split_at(past.len().saturating_sub(usize::from(spec.window.am())));
        let turns = if spec.layout.history == History::State { &[] } else { turns };
        let first = current.number.saturating_sub(to_step(past.len()));
        let before = |index: usize| index.checked_sub(1).is_some_and(|before| past[before].problem.is_some());
        let rewarded = |index: usize| index.checked_sub(1).is_some_and(|before| past[before].rewarded);
        let steps = (first..).zip(past).enumerate().map(|(index, (number, past))| LedgerStep {
            number,
            observation: &past.observation,
            has_output: past.output.is_some(),
            has_feedback: before(index),
            has_reflection: past.reflection.is_some(),
            rewarded: rewarded(index),
        });
        let now = LedgerStep {
            number: current.number,
            observation: current.observation,
            has_output: false,
            has_feedback: current.problem.is_some(),
            has_reflection: current.reflection.is_some(),
            rewarded: rewarded(past.len()),
        };
        let steps: Vec<LedgerStep<'_>> = steps.chain([now]).collect();
        let values = VariableValues {
            action_space: current.action_space,
            reply_format: spec.reply_format,
            steps_left: current.steps_left,
            exact_words: spec.layout.exact_words,
        };
        let rules = spec.layout.ledger_rules(spec.window, spec.prompt.images, spec.setting);
        let mut ledger = build_ledger(rules, &steps);
        if let Some(part) = spec.left_out {
            let first = first_turn(part, current.number, turns.len());
            ledger.leave_out(part, rules.task_once.then_some((&steps, first)));
        }
        Self { spec, values, past: turns, older, current, ledger, sketches: false }
    }

    fn messages(&mut self) -> Vec<Message> {
        let mut messages = Vec::new();
        let mut answered = None;
        for index in 0..=self.past.len() {
            if self.is_row_left_out(index) {
                continue;
            }
            match answered.replace(index) {
                None => messages = self.first_turns(index),
                Some(answered) => self.push_exchange(&mut messages, answered, index),
            }
        }
        self.push_changing_text(&mut messages);
        self.push_hint(&mut messages);
        for reply in self.current.unreadable_replies {
            messages.push(self.assistant_turn(reply));
            messages.push(Message { role: Role::User, parts: vec![self.segment_part(Segment::Retry)] });
        }
        if let Some(partial) = self.current.partial_reply {
            let parts = vec![MessagePart::Text(Segment::Partial, partial.clone())];
            messages.push(Message { role: Role::Assistant, parts });
            let mut order = Message { role: Role::User, parts: vec![self.segment_part(Segment::Continue)] };
            remove_empty_parts(&mut order);
            messages.extend(Some(order).filter(|order| !order.parts.is_empty()));
        }
        messages
    }

    /// Whether the past step at this index is not remembered on purpose. The present one always has its turn.
    fn is_row_left_out(&self, index: usize) -> bool {
        let age = self.past.len() - index;
        let row = self.ledger.rows().get(age).filter(|_| age > 0);
        row.is_some_and(|row| self.spec.left_out.is_some_and(|part| part.has_row(row.step)))
    }

    fn is_segment_left_out(&self, segment: Segment) -> bool {
        self.spec.left_out == Some(LeftOut::Segment(segment))
    }

    /// The system message and the first user message, which shows the state at this index.
    fn first_turns(&mut self, index: usize) -> Vec<Message> {
        let system = self.segment_part(Segment::System);
        let mut parts = Vec::new();
        let mut messages = Vec::new();
        if self.spec.layout.system_role {
            messages.push(Message { role: Role::System, parts: vec![system] });
        } else {
            parts.push(system);
        }
        parts.push(self.segment_part(Segment::Task));
        parts.extend(self.kept_parts());
        parts.extend(self.feedback_part(index));
        parts.extend(self.reflection_part(index));
        parts.extend(self.state_parts(index));
        parts.push(self.segment_part(Segment::Cot));
        parts.push(self.segment_part(Segment::Io));
        messages.push(Message { role: Role::User, parts });
        for message in &mut messages {
            remove_empty_parts(message);
        }
        if self.is_segment_left_out(Segment::System) {
            messages.retain(|message| message.role != Role::System);
        }
        messages
    }

    /// Adds what changes at every step to the newest state, if the layout keeps it out of the beginning.
    fn push_changing_text(&self, messages: &mut [Message]) {
        let spec = self.spec;
        let values = &self.values;
        let is_wanted = spec.layout.stable_prefix && !self.is_segment_left_out(Segment::Task);
        let Some(newest) = messages.last_mut().filter(|_| is_wanted) else { return };
        let text = spec.prompt.changing_text(Segment::Task, spec.setting, values);
        newest.parts.extend((!text.is_empty()).then(|| MessagePart::Text(Segment::Task, text)));
    }

    /// Why the action before the state at this index was refused or failed, if the ledger includes it.
    fn feedback_part(&self, index: usize) -> Option<MessagePart> {
        let row = self.ledger.rows().get(self.past.len() - index)?;
        let wanted = row.feedback.is_included() && !self.is_segment_left_out(Segment::Feedback);
        let problem = match index.checked_sub(1) {
            _ if index == self.past.len() => self.current.problem,
            before => self.past.get(before?)?.problem.as_ref(),
        };
        let text = self.spec.prompt.feedback(self.spec.setting, problem.filter(|_| wanted)?);
        Some(MessagePart::Text(Segment::Feedback, text))
    }

    /// What a module said of the state at this index, if the ledger includes it.
    fn reflection_part(&self, index: usize) -> Option<MessagePart> {
        let row = self.ledger.rows().get(self.past.len() - index)?;
        let wanted = row.reflection.is_included() && !self.is_segment_left_out(Segment::Reflection);
        let text = match self.past.get(index) {
            Some(past) => past.reflection.as_ref(),
            None => self.current.reflection,
        };
        Some(MessagePart::Text(Segment::Reflection, text.filter(|_| wanted)?.clone()))
    }

    /// The state of a step of the window: the parts that the ledger includes, or a placeholder.
    fn state_parts(&mut self, index: usize) -> Vec<MessagePart> {
        let observation = self.past.get(index).map_or(self.current.observation, |past| &past.observation);
        let Some(row) = self.ledger.rows_mut().get_mut(self.past.len() - index) else { return Vec::new() };
        let is_shown = row.observation.is_included();
        let mut sent = Vec::new();
        if is_shown || self.spec.layout.task_once {
            let step = row.step;
            let mut parts = std::mem::take(&mut row.parts);
            let part = |part: &mut LedgerPart| match part.inclusion {
                Inclusion::OverLimit => self.dropped_frame(),
                inclusion if !inclusion.is_included() => None,
                _ if self.sketches => Some(named_part(step, *part)),
                _ => message_part(observation, step, part),
            };
            sent.extend(parts.iter_mut().filter_map(part));
            if let Some(row) = self.ledger.rows_mut().get_mut(self.past.len() - index) {
                row.parts = parts;
            }
        }
        sent.extend(self.dropped_frame().filter(|_| !is_shown));
        sent
    }

    /// What replaces a frame that is left out.
    fn dropped_frame(&self) -> Option<MessagePart> {
        match self.spec.layout.dropped_frame {
            DroppedFrame::Placeholder => Some(self.segment_part(Segment::Placeholder)),
            DroppedFrame::Omit => None,
        }
    }

    fn push_hint(&self, messages: &mut [Message]) {
        let hint = self.current.hint.filter(|_| !self.is_segment_left_out(Segment::Hint));
        if let (Some(newest), Some(hint)) = (messages.last_mut(), hint) {
            newest.parts.push(MessagePart::Text(Segment::Hint, hint.clone()));
        }
    }

    fn assistant_turn(&self, output: &Arc<str>) -> Message {
        let is_empty = output.trim().is_empty();
        let text = match self.spec.layout.empty_reply {
            EmptyReply::Placeholder if is_empty => EMPTY_REPLY.into(),
            EmptyReply::Placeholder | EmptyReply::Keep => output.clone(),
        };
        Message { role: Role::Assistant, parts: vec![MessagePart::Text(Segment::Output, text)] }
    }

    fn segment_part(&self, segment: Segment) -> MessagePart {
        let spec = self.spec;
        let values = &self.values;
        let text = match segment {
            _ if self.is_segment_left_out(segment) => "".into(),
            _ if self.sketches => return self.named_segment(segment),
            Segment::Task if spec.layout.stable_prefix => {
                spec.prompt.unchanging_text(segment, spec.setting, values)
            }
            _ => spec.prompt.fill(segment, spec.setting, values),
        };
        MessagePart::Text(segment, text)
    }

    /// The name of a segment: its text with variables, and the number of steps that are left if it changes with that.
    fn named_segment(&self, segment: Segment) -> MessagePart {
        let RequestSpec { prompt, setting, layout, .. } = *self.spec;
        let is_stable = segment == Segment::Task && layout.stable_prefix;
        let name = prompt.segment(segment, setting).cloned().unwrap_or_default();
        let changes = !is_stable && prompt.changes_every_step(segment, setting);
        let name = if changes { format!("{} {name}", self.values.steps_left).into() } else { name };
        MessagePart::Text(segment, name)
    }
}

/// The age of the state that the first turn shows without a part, in the request of a step with this number of turns before it.
fn first_turn(left_out: LeftOut, step: u32, turns: usize) -> usize {
    let is_there = |age: &usize| *age == 0 || !left_out.has_row(step.saturating_sub(to_step(*age)));
    (0..=turns).rev().find(is_there).unwrap_or(0)
}

/// A number of steps as the difference of two steps.
fn to_step(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
