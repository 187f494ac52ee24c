//! The agent that speaks from a recording. Before each recorded reply it makes the request that would be sent
//! now, as the agent of a model makes it, and holds it against the one that was sent; where none was sent it
//! compares what the step shows. At the first difference it stops: it never goes on with words that were an
//! answer to something else. Nothing is sent, so nothing is used up.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use super::AgentSetupError;
use super::model::RequestBuilder;
use super::model::decode_recorded;
use crate::domain::Agent;
use crate::domain::AgentError;
use crate::domain::Answer;
use crate::domain::DecisionInput;
use crate::domain::DecodedTurn;
use crate::domain::Options;
use crate::domain::RecordedReply;
use crate::domain::ReplayDifference;
use crate::domain::Reply;
use crate::domain::RequestEncoder;
use crate::domain::sanitize;

/// A recording, as far as it concerns its agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Where it was read, for people.
    pub source: String,
    /// The settings of the model that was asked; empty where none was.
    pub model: Options,
    /// The answers, in order.
    pub replies: Vec<RecordedReply>,
}

/// Speaks from a recording.
pub(super) struct ReplayAgent {
    recording: Recording,
    /// For a recording of requests.
    request_builder: Option<RequestBuilder>,
}

impl ReplayAgent {
    pub(super) fn new(script: Recording) -> Result<Self, AgentSetupError> {
        let asked = script.replies.iter().any(|cue| cue.body.is_some());
        let packer = asked.then(|| RequestBuilder::new(&script.model)).transpose();
        let packer = packer.map_err(|error| AgentSetupError::InvalidRecording {
            from: script.source.clone(),
            why: format!("its settings of the model: {error}"),
        })?;
        Ok(Self { recording: script, request_builder: packer })
    }

    /// The next one that there is.
    fn next_reply(&self, step: u32, attempt: u32) -> Option<&RecordedReply> {
        self.recording.replies.iter().find(|cue| (cue.step, cue.attempt) > (step, attempt))
    }

    fn reply_for(&self, step: u32, attempt: u32) -> Result<&RecordedReply, AgentError> {
        let found = self.recording.replies.iter().find(|cue| (cue.step, cue.attempt) == (step, attempt));
        found.ok_or_else(|| AgentError::NotRecorded {
            from: self.recording.source.clone(),
            step,
            attempt,
            last: match self.next_reply(step, attempt).or(self.recording.replies.last()) {
                Some(RecordedReply { intervention: Some(meddled), .. }) => {
                    format!("a person had intervened: {meddled}")
                }
                Some(cue) => format!("its last is for step {}, attempt {}", cue.step, cue.attempt),
                None => "it holds none at all".to_owned(),
            },
        })
    }
}

#[async_trait]
impl Agent for ReplayAgent {
    fn reads_requests(&self) -> bool {
        self.request_builder.is_some()
    }

    fn request_encoder(&self) -> Option<Arc<dyn RequestEncoder>> {
        self.request_builder.as_ref().map(RequestBuilder::encoder)
    }

    async fn decide(&mut self, ask: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let cue = self.reply_for(ask.step, ask.attempt)?.clone();
        let spot = match (&cue.body, &mut self.request_builder) {
            (Some(body), Some(packer)) => {
                let request = packer.build(&ask)?;
                compare_requests(body, &request.sent.body, &request.turns)
            }
            _ => compare_states(&cue, &ask),
        };
        match spot {
            Some(spot) => Err(mismatch_error(spot, &cue)),
            None => Ok(without_usage(cue.answer)),
        }
    }
}

/// An answer that costs nothing this time.
fn without_usage(answer: Answer) -> Answer {
    match answer {
        Answer::Replied(reply) => Answer::Replied(Reply { usage: None, ..reply }),
        Answer::GaveUp => Answer::GaveUp,
    }
}

/// Where two requests differ: turn, what, then, now.
type Mismatch = (Option<usize>, String, String, String);

fn mismatch_error((turn, what, recorded, now): Mismatch, cue: &RecordedReply) -> AgentError {
    let (step, attempt, meddled) = (cue.step, cue.attempt, cue.intervention.clone());
    AgentError::ReplayMismatch(Box::new(ReplayDifference {
        step,
        attempt,
        turn,
        aspect: what,
        recorded,
        current: now,
        intervention: meddled,
    }))
}

fn compare_states(cue: &RecordedReply, ask: &DecisionInput<'_>) -> Option<Mismatch> {
    let now = ask.observation.digest();
    let spot = || (None, "the state".to_owned(), cue.state.to_string(), now.to_string());
    (cue.state != now).then(spot)
}

/// The first difference between the request that was kept and the one of now.
fn compare_requests(kept: &Value, body: &Value, now: &[DecodedTurn]) -> Option<Mismatch> {
    let then = match decode_recorded(kept) {
        Ok(then) => then,
        Err(why) => return Some((None, "the request".to_owned(), why, "as it should be".to_owned())),
    };
    let turns = (1..).zip(then.iter().zip(now));
    let mut spots = turns.filter_map(|(number, (then, now))| {
        let (what, then, now) = compare_turns(then, now)?;
        Some((Some(number), what, then, now))
    });
    spots.next().or_else(|| compare_turn_counts(&then, now)).or_else(|| compare_fields(kept, body))
}

fn compare_turns(then: &DecodedTurn, now: &DecodedTurn) -> Option<(String, String, String)> {
    if then.role != now.role {
        return Some(("the role".to_owned(), role_name(then), role_name(now)));
    }
    if then.text != now.text {
        let (then, now) = excerpts(&then.text, &now.text);
        return Some(("the text".to_owned(), then, now));
    }
    if then.image_digests.len() != now.image_digests.len() {
        let (then, now) = (then.image_digests.len().to_string(), now.image_digests.len().to_string());
        return Some(("the number of its pictures".to_owned(), then, now));
    }
    let mut pictures = (1..).zip(then.image_digests.iter().zip(&now.image_digests));
    let (number, (then, now)) = pictures.find(|(_, (then, now))| then != now)?;
    Some((format!("its picture {number}"), then.to_string(), now.to_string()))
}

fn role_name(turn: &DecodedTurn) -> String {
    format!("{:?}", turn.role).to_lowercase()
}

fn compare_turn_counts(then: &[DecodedTurn], now: &[DecodedTurn]) -> Option<Mismatch> {
    let turn = then.len().min(now.len()) + 1;
    let spot =
        || (Some(turn), "the number of turns".to_owned(), then.len().to_string(), now.len().to_string());
    (then.len() != now.len()).then(spot)
}

/// The first field beside the turns that is not the same.
fn compare_fields(then: &Value, now: &Value) -> Option<Mismatch> {
    let (then, now) = (then.as_object()?, now.as_object()?);
    let mut names = then.keys().chain(now.keys()).filter(|name| *name != "messages");
    let name = names.find(|name| then.get(*name) != now.get(*name))?;
    let shown = |value: Option<&Value>| {
        value.map_or_else(|| "none".to_owned(), |value| excerpt(&value.to_string(), 0))
    };
    Some((None, format!("the field {:?}", sanitize(name)), shown(then.get(name)), shown(now.get(name))))
}

/// Characters of an excerpt before the first that differs, and from there on.
const CONTEXT_BEFORE: usize = 20;
const CONTEXT_AFTER: usize = 40;

/// Both texts around the first character that differs.
fn excerpts(then: &str, now: &str) -> (String, String) {
    let same = then.chars().zip(now.chars()).take_while(|(then, now)| then == now).count();
    (excerpt(then, same), excerpt(now, same))
}

/// A stretch of the text around its character `at`, in quotes, made safe to show in one line.
fn excerpt(text: &str, at: usize) -> String {
    let start = at.saturating_sub(CONTEXT_BEFORE);
    let mut rest = text.chars().skip(start);
    let stretch: String = rest.by_ref().take(at - start + CONTEXT_AFTER).collect();
    let (before, after) = (if start > 0 { "…" } else { "" }, if rest.next().is_some() { "…" } else { "" });
    let shown = sanitize(&stretch).replace('\n', "␤").replace('\t', "␉");
    format!("“{before}{shown}{after}”")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::Role;

    fn turn_of(role: Role, text: &str) -> DecodedTurn {
        DecodedTurn { role, text: text.to_owned(), image_digests: Vec::new() }
    }

    fn body(turns: &[(&str, &str)]) -> Value {
        let messages: Vec<_> =
            turns.iter().map(|(role, text)| json!({"role": role, "content": text})).collect();
        json!({"model": "m", "messages": messages})
    }

    #[test]
    fn the_first_turn_that_differs_is_reported_with_both_texts() {
        let then = body(&[("system", "You play."), ("user", "Go\u{1b}[2J up.")]);
        let now = [turn_of(Role::System, "You play."), turn_of(Role::User, "Go down.")];
        let (turn, what, then, now) = compare_requests(&then, &then, &now).unwrap();
        assert_eq!((turn, what.as_str()), (Some(2), "the text"));
        assert_eq!((then.as_str(), now.as_str()), ("“Go␛[2J up.”", "“Go down.”"));
    }

    #[test]
    fn a_missing_turn_and_a_changed_field_are_differences() {
        let kept = body(&[("user", "a"), ("assistant", "b")]);
        let one = [turn_of(Role::User, "a")];
        assert_eq!(compare_requests(&kept, &kept, &one).unwrap().0, Some(2));
        let both = [turn_of(Role::User, "a"), turn_of(Role::Assistant, "b")];
        assert_eq!(compare_requests(&kept, &kept, &both), None);
        let mut other = kept.clone();
        other["model"] = json!("n");
        let spot = compare_requests(&kept, &other, &both).unwrap();
        assert_eq!(spot, (None, "the field \"model\"".into(), "“\"m\"”".into(), "“\"n\"”".into()));
        let swapped = [turn_of(Role::User, "a"), turn_of(Role::User, "b")];
        assert_eq!(compare_requests(&kept, &kept, &swapped).unwrap().1, "the role");
    }

    #[test]
    fn a_long_text_is_shown_only_around_the_difference() {
        let then = format!("{}x{}", "ä".repeat(1000), "b".repeat(1000));
        let now = format!("{}\ny", "ä".repeat(1000));
        let (then, now) = excerpts(&then, &now);
        assert_eq!(then, format!("“…{}x{}…”", "ä".repeat(CONTEXT_BEFORE), "b".repeat(CONTEXT_AFTER - 1)));
        assert_eq!(now, format!("“…{}␤y”", "ä".repeat(CONTEXT_BEFORE)));
    }
}
