//! The agent's replies from a journal, without replaying the environment.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::Arc;

use super::journal::{JournalLine, StoredEvent};
use super::seat::Seats;
use mageyard_domain::{Answer, Digest, RecordedReply, SentRequest, SideRole};

/// The agent's replies in these lines, in order. Cancelled requests have none.
pub fn recorded_replies(lines: &[JournalLine]) -> Vec<RecordedReply> {
    let mut collector = ReplyCollector::default();
    for line in lines {
        collector.take(&line.stored);
    }
    collector.replies
}

/// The replies to side requests of a role in these lines, in order: the attempt of each is its number among them, from 1.
pub fn recorded_side_replies(lines: &[JournalLine], role: SideRole) -> Vec<RecordedReply> {
    let mut collector = ReplyCollector { role: Some(role), ..ReplyCollector::default() };
    for line in lines {
        collector.take(&line.stored);
    }
    collector.replies
}

/// Collects the replies and tracks step, attempt and state.
#[derive(Default)]
struct ReplyCollector {
    step: u32,
    attempt: u32,
    state: Option<Digest>,
    /// Whether the current step has a reply, a cancelled request or an action.
    decided: bool,
    request: Option<Arc<SentRequest>>,
    intervention: Option<String>,
    seats: Seats,
    /// The role whose replies are collected; `None` for the decisions.
    role: Option<SideRole>,
    replies: Vec<RecordedReply>,
}

impl ReplyCollector {
    fn take(&mut self, stored: &StoredEvent) {
        match stored {
            StoredEvent::Opened { state, .. } | StoredEvent::Acted { state, .. } => {
                self.state = Some(*state);
                self.next();
            }
            StoredEvent::Passed => self.next(),
            stored if stored.is_withheld() => {
                self.note_intervention("a person refused the action");
                self.next();
            }
            // A look begins a step unless nothing had been asked at the current one.
            StoredEvent::Looked { state, .. } => {
                self.state = Some(*state);
                if self.decided {
                    self.next();
                }
            }
            StoredEvent::Acting { .. } => self.decided = true,
            StoredEvent::Sent { request, .. } => {
                self.request = Some(request.clone()).filter(|_| self.role.is_none());
                self.decided = true;
            }
            StoredEvent::Cut(_) => (self.request, self.decided) = (None, true),
            StoredEvent::SideSent { asking, request } if self.collects(&asking.prompt) => {
                self.request = Some(request.clone());
            }
            StoredEvent::SideReplied { reply, .. } if self.role.is_some() && self.request.is_some() => {
                self.attempt = u32::try_from(self.replies.len() + 1).unwrap_or(u32::MAX);
                self.answer(Answer::Replied(reply.clone()));
            }
            StoredEvent::Replied(reply) => {
                self.decided = true;
                if self.role.is_none() {
                    self.answer(Answer::Replied(reply.clone()));
                }
                self.attempt += 1;
            }
            StoredEvent::Stood if self.role.is_none() => self.answer(Answer::GaveUp),
            StoredEvent::Set { window } => {
                self.note_intervention(&format!(
                    "the window was set to AM {}, OM {}",
                    window.am(),
                    window.om()
                ));
            }
            StoredEvent::Prompted { prompt } => {
                self.note_intervention(&format!("the prompt was set to {prompt:?}"));
            }
            StoredEvent::Head { .. } => self.seats = Seats::default(),
            StoredEvent::Seated { seat } => {
                self.note_intervention(&format!("the agent was changed to {}", seat.agent.display_name()));
                self.seats.add(Arc::new(seat.clone()));
            }
            StoredEvent::AskedAgain => self.note_intervention("the agent was asked again"),
            StoredEvent::StateSet { state, .. } => {
                self.state = Some(*state);
                self.note_intervention("the state was changed");
            }
            StoredEvent::Hinted { .. } => self.note_intervention("a hint was set or removed"),
            StoredEvent::FrameSet { .. } => self.note_intervention("the frame was replaced"),
            StoredEvent::Edited { .. } => self.note_intervention("a reply or an action was edited"),
            _ => {}
        }
    }

    /// Whether this is the prompt of the role whose replies are collected.
    fn collects(&self, prompt: &str) -> bool {
        self.role.is_some_and(|role| role.name() == prompt)
    }

    fn next(&mut self) {
        (self.step, self.attempt, self.decided) = (self.step + 1, 1, false);
    }

    fn note_intervention(&mut self, what: &str) {
        self.intervention = Some(format!("{what} at step {}", self.step));
    }

    fn answer(&mut self, answer: Answer) {
        let Some(state) = self.state else { return };
        let step = self.step;
        let attempt = self.attempt;
        let request = self.request.take();
        self.replies.push(RecordedReply {
            step,
            attempt,
            state,
            request,
            answer,
            options: self.seats.at(step).map(|seat| Arc::new(seat.agent.options.clone())),
            intervention: self.intervention.clone(),
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(stored: &serde_json::Value) -> JournalLine {
        let mut line = json!({"n": 1, "at": 0});
        line.as_object_mut().unwrap().extend(stored.as_object().unwrap().clone());
        JournalLine::parse(&line.to_string()).unwrap()
    }

    #[test]
    fn replies_are_numbered_by_step_and_attempt_and_cancelled_requests_are_skipped() {
        let one = "00000000000000a1";
        let two = "00000000000000b2";
        let sent = |words: &str| {
            let asking = json!({"prompt": "p", "segments": {}});
            json!({"event": "sent", "asking": asking, "images": 0, "pictures": [], "body": {"m": words}})
        };
        let lines: Vec<JournalLine> = [
            json!({"event": "opened", "state": one, "status": "running", "reference": null}),
            sent("cut"),
            json!({"event": "cut", "text": "half"}),
            sent("whole"),
            json!({"event": "replied", "text": "no"}),
            json!({"event": "set", "window": {"am": 2, "om": 1}}),
            json!({"event": "replied", "text": "again"}),
            json!({"event": "passed"}),
            json!({"event": "replied", "text": "left"}),
            json!({"event": "person", "question": {"confirm": {"name": "Left"}}, "answer": "yes", "milliseconds": 1}),
            json!({"event": "person", "question": {"confirm": {"name": "Left"}}, "answer": {"refuse": "no"}, "milliseconds": 1}),
            json!({"event": "replied", "text": "up"}),
            json!({"event": "acted", "action": {"name": "Up"}, "reward": 0.0, "status": "running", "state": two}),
            json!({"event": "stood"}),
        ]
        .iter()
        .map(line)
        .collect();
        let replies = recorded_replies(&lines);
        let shown: Vec<_> = replies
            .iter()
            .map(|reply| {
                let text = match &reply.answer {
                    Answer::Replied(said) => said.text.as_str(),
                    Answer::GaveUp => "(gave up)",
                };
                let body = reply.request.as_ref().map(|request| request.to_version_1());
                (reply.step, reply.attempt, text, reply.state.to_string(), body)
            })
            .collect();
        let one = one.to_owned();
        let two = two.to_owned();
        assert_eq!(
            shown,
            [
                (1, 1, "no", one.clone(), Some(json!({"m": "whole"}))),
                (1, 2, "again", one.clone(), None),
                (2, 1, "left", one.clone(), None),
                (3, 1, "up", one, None),
                (4, 1, "(gave up)", two, None),
            ]
        );
        assert_eq!(replies[0].intervention, None);
        assert_eq!(replies[2].intervention.as_deref(), Some("the window was set to AM 2, OM 1 at step 1"));
        assert_eq!(replies[4].intervention.as_deref(), Some("a person refused the action at step 2"));
    }
}
