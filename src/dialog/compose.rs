//! From prompt, memory and window to a request: which turns, which texts, which frames.

use std::sync::Arc;

use super::memory::Fate;
use super::memory::Ledger;
use super::memory::ledger;
use super::prompt::Prompt;
use super::prompt::Words;
use crate::domain::ActionSpace;
use crate::domain::Form;
use crate::domain::Message;
use crate::domain::Observation;
use crate::domain::Piece;
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
pub struct Layout {
    /// Whether the model knows a system role; otherwise the system text opens the first user turn.
    pub system_role: bool,
    /// What stands where a frame fell out of OM.
    pub dropped_frame: DroppedFrame,
}

impl Default for Layout {
    fn default() -> Self {
        Self { system_role: true, dropped_frame: DroppedFrame::Placeholder }
    }
}

/// A step of the past: what was shown, and what the agent said.
#[derive(Clone, Debug)]
pub struct Past {
    /// What the agent was shown.
    pub seen: Observation,
    /// Its last output at that step, if it gave one.
    pub output: Option<Arc<str>>,
}

/// The step that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Now<'a> {
    /// What the agent is shown.
    pub seen: &'a Observation,
    /// What it may do.
    pub space: &'a ActionSpace,
    /// Its replies at this step that could not be read, in order.
    pub unread: &'a [Arc<str>],
    /// How many steps the episode still has.
    pub steps_left: u32,
}

/// Everything that shapes a request, beside what has happened.
#[derive(Clone, Copy, Debug)]
pub struct Brief<'a> {
    /// The variant.
    pub prompt: &'a Prompt,
    /// Global or Online.
    pub setting: Setting,
    /// The form of the reply.
    pub form: &'a Form,
    /// The memory window.
    pub window: Window,
    /// How it is laid out.
    pub layout: Layout,
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
pub fn compose(brief: &Brief<'_>, past: &[Past], now: &Now<'_>) -> Request {
    let replied: Vec<bool> = past.iter().map(|past| past.output.is_some()).collect();
    let ledger = ledger(brief.window, &replied, brief.prompt.images);
    let writer = Writer {
        brief,
        words: Words { space: now.space, form: brief.form, steps_left: now.steps_left },
        past,
        now,
        ledger: &ledger,
    };
    Request { messages: writer.messages(), ledger }
}

struct Writer<'a> {
    brief: &'a Brief<'a>,
    words: Words<'a>,
    past: &'a [Past],
    now: &'a Now<'a>,
    ledger: &'a Ledger,
}

impl Writer<'_> {
    fn messages(&self) -> Vec<Message> {
        let kept = self.past.len().min(usize::from(self.brief.window.am()));
        let first = self.past.len() - kept;
        let mut messages = self.opening(first);
        for index in first..self.past.len() {
            self.answer(&mut messages, index);
        }
        for reply in self.now.unread {
            messages.push(said(reply));
            messages.push(Message { role: Role::User, pieces: vec![self.text(Segment::Retry)] });
        }
        messages
    }

    /// System and first user turn; `index` is the first step whose frame has a place.
    fn opening(&self, index: usize) -> Vec<Message> {
        let system = self.text(Segment::System);
        let mut pieces = Vec::new();
        let mut messages = Vec::new();
        if self.brief.layout.system_role {
            messages.push(Message { role: Role::System, pieces: vec![system] });
        } else {
            pieces.push(system);
        }
        pieces.push(self.text(Segment::Task));
        pieces.extend(self.view(index));
        pieces.push(self.text(Segment::Cot));
        pieces.push(self.text(Segment::Io));
        messages.push(Message { role: Role::User, pieces });
        messages.iter_mut().for_each(drop_empty);
        messages
    }

    /// An output of the agent and the turn that answered it. A step without an output leaves no turn of
    /// the agent, so what follows is said in the same turn as before, and roles keep alternating.
    fn answer(&self, messages: &mut Vec<Message>, index: usize) {
        let mut turn = Message { role: Role::User, pieces: vec![self.text(Segment::Turn)] };
        turn.pieces.extend(self.view(index + 1));
        drop_empty(&mut turn);
        match (&self.past[index].output, messages.last_mut()) {
            (None, Some(last)) => last.pieces.append(&mut turn.pieces),
            (output, _) => {
                messages.extend(output.iter().map(said));
                messages.push(turn);
            }
        }
    }

    /// What the turn of this step shows: its frame, a placeholder, or the state in words.
    fn view(&self, index: usize) -> Option<Piece> {
        let seen = self.past.get(index).map_or(self.now.seen, |past| &past.seen);
        let step = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let fate = self.ledger.rows().iter().find(|row| row.step == step).map(|row| row.frame);
        let current = index == self.past.len();
        match fate {
            Some(Fate::In) => seen.picture().map(|picture| Piece::Frame(step, picture.clone())),
            // Without pictures the window keeps states in words by the same rule.
            Some(Fate::NoImages) if current || self.within_om(index) => {
                Some(Piece::Text(Segment::Board, seen.text().clone()))
            }
            _ => (self.brief.layout.dropped_frame == DroppedFrame::Placeholder)
                .then(|| self.text(Segment::Placeholder)),
        }
    }

    fn within_om(&self, index: usize) -> bool {
        self.past.len() - index < usize::from(self.brief.window.om())
    }

    fn text(&self, segment: Segment) -> Piece {
        Piece::Text(segment, self.brief.prompt.fill(segment, self.brief.setting, &self.words))
    }
}

fn said(output: &Arc<str>) -> Message {
    Message { role: Role::Assistant, pieces: vec![Piece::Text(Segment::Output, output.clone())] }
}

fn drop_empty(message: &mut Message) {
    message.pieces.retain(|piece| !matches!(piece, Piece::Text(_, text) if text.is_empty()));
}
