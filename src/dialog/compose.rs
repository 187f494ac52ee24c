//! Composes the messages of a request from a prompt, the past steps and the memory window.

use std::sync::Arc;

use super::memory::Inclusion;
use super::memory::Ledger;
use super::memory::build_ledger;
use super::prompt::Prompt;
use super::prompt::VariableValues;
use crate::domain::ActionSpace;
use crate::domain::Message;
use crate::domain::MessagePart;
use crate::domain::Observation;
use crate::domain::PartId;
use crate::domain::ReplyFormat;
use crate::domain::Role;
use crate::domain::Segment;
use crate::domain::Setting;
use crate::domain::Window;

/// What replaces a frame that is no longer in OM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DroppedFrame {
    /// The placeholder text of the prompt, as in the paper.
    #[default]
    Placeholder,
    /// Nothing, as in the benchmark's public code.
    Omit,
}

/// How a request is laid out for a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RequestLayout {
    /// Whether the model accepts a system message; if not, the system text opens the first user message.
    pub system_role: bool,
    /// What replaces a frame that is no longer in OM.
    pub dropped_frame: DroppedFrame,
}

impl Default for RequestLayout {
    fn default() -> Self {
        Self { system_role: true, dropped_frame: DroppedFrame::Placeholder }
    }
}

/// A past step: the observation and the reply of the agent.
#[derive(Clone, Debug)]
pub struct PastStep {
    /// What the agent was shown.
    pub observation: Observation,
    /// Its last output at that step, if there is one.
    pub output: Option<Arc<str>>,
}

/// The step that the request is for.
#[derive(Clone, Copy, Debug)]
pub struct CurrentStep<'a> {
    /// What the agent is shown.
    pub observation: &'a Observation,
    /// The allowed actions.
    pub action_space: &'a ActionSpace,
    /// Its replies at this step that could not be parsed, in order.
    pub unreadable_replies: &'a [Arc<str>],
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
}

/// A request and the ledger that it must match.
#[derive(Clone, Debug)]
pub struct Request {
    /// The messages.
    pub messages: Vec<Message>,
    /// Which outputs and frames are included, and why the others are not.
    pub ledger: Ledger,
}

/// Composes the request for the step after `past`, oldest first (`MageBench`, the request of the Online setting).
///
/// The first user message has the task, a frame, the reasoning instructions and the reply format. Each included output
/// of the agent follows, with the user message that answered it. AM outputs therefore give AM + 1 user messages: the
/// last OM of them have a frame, the others a placeholder.
pub fn compose(spec: &RequestSpec<'_>, past: &[PastStep], current: &CurrentStep<'_>) -> Request {
    let replied: Vec<bool> = past.iter().map(|past| past.output.is_some()).collect();
    let ledger = build_ledger(spec.window, &replied, spec.prompt.images);
    let builder = RequestBuilder {
        spec,
        values: VariableValues {
            action_space: current.action_space,
            reply_format: spec.reply_format,
            steps_left: current.steps_left,
        },
        past,
        current,
        ledger: &ledger,
    };
    Request { messages: builder.messages(), ledger }
}

struct RequestBuilder<'a> {
    spec: &'a RequestSpec<'a>,
    values: VariableValues<'a>,
    past: &'a [PastStep],
    current: &'a CurrentStep<'a>,
    ledger: &'a Ledger,
}

impl RequestBuilder<'_> {
    fn messages(&self) -> Vec<Message> {
        let included = self.past.len().min(usize::from(self.spec.window.am()));
        let first = self.past.len() - included;
        let mut messages = self.first_turns(first);
        for index in first..self.past.len() {
            self.push_exchange(&mut messages, index);
        }
        for reply in self.current.unreadable_replies {
            messages.push(assistant_turn(reply));
            messages.push(Message { role: Role::User, parts: vec![self.segment_part(Segment::Retry)] });
        }
        messages
    }

    /// The system message and the first user message, which shows the state of step `index`.
    fn first_turns(&self, index: usize) -> Vec<Message> {
        let system = self.segment_part(Segment::System);
        let mut parts = Vec::new();
        let mut messages = Vec::new();
        if self.spec.layout.system_role {
            messages.push(Message { role: Role::System, parts: vec![system] });
        } else {
            parts.push(system);
        }
        parts.push(self.segment_part(Segment::Task));
        parts.extend(self.state_part(index));
        parts.push(self.segment_part(Segment::Cot));
        parts.push(self.segment_part(Segment::Io));
        messages.push(Message { role: Role::User, parts });
        messages.iter_mut().for_each(remove_empty_parts);
        messages
    }

    /// Adds an output of the agent and the user message that answered it. A step without an output adds no assistant
    /// message; the user message is then appended to the one before, so that roles keep alternating.
    fn push_exchange(&self, messages: &mut Vec<Message>, index: usize) {
        let mut turn = Message { role: Role::User, parts: vec![self.segment_part(Segment::Turn)] };
        turn.parts.extend(self.state_part(index + 1));
        remove_empty_parts(&mut turn);
        match (&self.past[index].output, messages.last_mut()) {
            (None, Some(last)) => last.parts.append(&mut turn.parts),
            (output, _) => {
                messages.extend(output.iter().map(assistant_turn));
                messages.push(turn);
            }
        }
    }

    /// The state of a step: its frame, a placeholder, or the state as text.
    fn state_part(&self, index: usize) -> Option<MessagePart> {
        let observation = self.past.get(index).map_or(self.current.observation, |past| &past.observation);
        let step = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let inclusion = self.ledger.rows().iter().find(|row| row.step == step).map(|row| row.frame);
        let is_current = index == self.past.len();
        match inclusion {
            Some(Inclusion::Included) => observation
                .images()
                .next()
                .map(|(index, picture)| MessagePart::Image(PartId { step, index }, picture.clone())),
            // Without images, the window includes state texts by the same rule.
            Some(Inclusion::NoImages) if is_current || self.is_within_om(index) => {
                Some(MessagePart::Text(Segment::StateText, observation.text().clone()))
            }
            _ => (self.spec.layout.dropped_frame == DroppedFrame::Placeholder)
                .then(|| self.segment_part(Segment::Placeholder)),
        }
    }

    fn is_within_om(&self, index: usize) -> bool {
        self.past.len() - index < usize::from(self.spec.window.om())
    }

    fn segment_part(&self, segment: Segment) -> MessagePart {
        MessagePart::Text(segment, self.spec.prompt.fill(segment, self.spec.setting, &self.values))
    }
}

fn assistant_turn(output: &Arc<str>) -> Message {
    Message { role: Role::Assistant, parts: vec![MessagePart::Text(Segment::Output, output.clone())] }
}

fn remove_empty_parts(message: &mut Message) {
    message.parts.retain(|part| !matches!(part, MessagePart::Text(_, text) if text.is_empty()));
}
