//! From prompt, memory and window to a request: which turns, which texts, which frames.

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
use crate::domain::ReplyFormat;
use crate::domain::Role;
use crate::domain::Segment;
use crate::domain::Setting;
use crate::domain::Window;

/// What stands where a frame fell out of OM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DroppedFrame {
    /// The placeholder text, so that turns keep their shape (the paper's form).
    #[default]
    Placeholder,
    /// Nothing (the form of the benchmark's public code).
    Omit,
}

/// How a request is laid out for one model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RequestLayout {
    /// Whether the model knows a system role; otherwise the system text opens the first user turn.
    pub system_role: bool,
    /// What stands where a frame fell out of OM.
    pub dropped_frame: DroppedFrame,
}

impl Default for RequestLayout {
    fn default() -> Self {
        Self { system_role: true, dropped_frame: DroppedFrame::Placeholder }
    }
}

/// A step of the past: what was shown, and what the agent said.
#[derive(Clone, Debug)]
pub struct PastStep {
    /// What the agent was shown.
    pub observation: Observation,
    /// Its last output at that step, if it gave one.
    pub output: Option<Arc<str>>,
}

/// The step that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct CurrentStep<'a> {
    /// What the agent is shown.
    pub observation: &'a Observation,
    /// What it may do.
    pub action_space: &'a ActionSpace,
    /// Its replies at this step that could not be read, in order.
    pub unreadable_replies: &'a [Arc<str>],
    /// How many steps the episode still has.
    pub steps_left: u32,
}

/// Everything that shapes a request, beside what has happened.
#[derive(Clone, Copy, Debug)]
pub struct RequestSpec<'a> {
    /// The variant.
    pub prompt: &'a Prompt,
    /// Global or Online.
    pub setting: Setting,
    /// The form of the reply.
    pub reply_format: &'a ReplyFormat,
    /// The memory window.
    pub window: Window,
    /// How it is laid out.
    pub layout: RequestLayout,
}

/// A request and the ledger it must agree with.
#[derive(Clone, Debug)]
pub struct Request {
    /// The turns.
    pub messages: Vec<Message>,
    /// Which outputs and frames are in, and why the others are out.
    pub ledger: Ledger,
}

/// The request for the step after `past`, oldest first (`MageBench`, the request of the Online setting).
///
/// The first user turn holds task, frame, way of thinking and format; each kept output of the agent
/// follows with the turn that answered it. So AM outputs make AM + 1 user turns, of which the last OM
/// show their frame and the others a placeholder.
pub fn compose(brief: &RequestSpec<'_>, past: &[PastStep], now: &CurrentStep<'_>) -> Request {
    let replied: Vec<bool> = past.iter().map(|past| past.output.is_some()).collect();
    let ledger = build_ledger(brief.window, &replied, brief.prompt.images);
    let writer = RequestBuilder {
        spec: brief,
        words: VariableValues {
            action_space: now.action_space,
            reply_format: brief.reply_format,
            steps_left: now.steps_left,
        },
        past,
        current: now,
        ledger: &ledger,
    };
    Request { messages: writer.messages(), ledger }
}

struct RequestBuilder<'a> {
    spec: &'a RequestSpec<'a>,
    words: VariableValues<'a>,
    past: &'a [PastStep],
    current: &'a CurrentStep<'a>,
    ledger: &'a Ledger,
}

impl RequestBuilder<'_> {
    fn messages(&self) -> Vec<Message> {
        let kept = self.past.len().min(usize::from(self.spec.window.am()));
        let first = self.past.len() - kept;
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

    /// System and first user turn; `index` is the first step whose frame has a place.
    fn first_turns(&self, index: usize) -> Vec<Message> {
        let system = self.segment_part(Segment::System);
        let mut pieces = Vec::new();
        let mut messages = Vec::new();
        if self.spec.layout.system_role {
            messages.push(Message { role: Role::System, parts: vec![system] });
        } else {
            pieces.push(system);
        }
        pieces.push(self.segment_part(Segment::Task));
        pieces.extend(self.state_part(index));
        pieces.push(self.segment_part(Segment::Cot));
        pieces.push(self.segment_part(Segment::Io));
        messages.push(Message { role: Role::User, parts: pieces });
        messages.iter_mut().for_each(remove_empty_parts);
        messages
    }

    /// An output of the agent and the turn that answered it. A step without an output leaves no turn of
    /// the agent, so what follows is said in the same turn as before, and roles keep alternating.
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

    /// What the turn of this step shows: its frame, a placeholder, or the state in words.
    fn state_part(&self, index: usize) -> Option<MessagePart> {
        let seen = self.past.get(index).map_or(self.current.observation, |past| &past.observation);
        let step = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let fate = self.ledger.rows().iter().find(|row| row.step == step).map(|row| row.frame);
        let current = index == self.past.len();
        match fate {
            Some(Inclusion::Included) => {
                seen.picture().map(|picture| MessagePart::Frame(step, picture.clone()))
            }
            // Without pictures the window keeps states in words by the same rule.
            Some(Inclusion::NoImages) if current || self.is_within_om(index) => {
                Some(MessagePart::Text(Segment::StateText, seen.text().clone()))
            }
            _ => (self.spec.layout.dropped_frame == DroppedFrame::Placeholder)
                .then(|| self.segment_part(Segment::Placeholder)),
        }
    }

    fn is_within_om(&self, index: usize) -> bool {
        self.past.len() - index < usize::from(self.spec.window.om())
    }

    fn segment_part(&self, segment: Segment) -> MessagePart {
        MessagePart::Text(segment, self.spec.prompt.fill(segment, self.spec.setting, &self.words))
    }
}

fn assistant_turn(output: &Arc<str>) -> Message {
    Message { role: Role::Assistant, parts: vec![MessagePart::Text(Segment::Output, output.clone())] }
}

fn remove_empty_parts(message: &mut Message) {
    message.parts.retain(|piece| !matches!(piece, MessagePart::Text(_, text) if text.is_empty()));
}
