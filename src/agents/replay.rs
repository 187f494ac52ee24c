//! The `replay` agent: it repeats the replies of a recording.
//!
//! Before each reply it builds the current request like the `model` agent and compares it with the recorded one;
//! without a recorded request it compares the observed states. At the first difference it stops. Nothing is sent.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use super::model::{ModelPool, RequestBuilder};
use super::{AgentRow, AgentSetupError, CreatedAgent, Recording};
use mageyard_domain::{
    Agent, AgentError, Answer, DecisionInput, DecodedPart, DecodedTurn, Digest, RecordedReply,
    ReplayDifference, Reply, ReplyFormat, RequestEncoder, SentRequest, TEXT_SEPARATOR, sanitize,
};

pub(super) const ROW: AgentRow = AgentRow {
    repeats_recording: true,
    ..AgentRow::new("replay", "repeats a recording, and stops at the first request that differs", |context| {
        let recording = context.recording.ok_or(AgentSetupError::NoRecording)?;
        Ok(CreatedAgent::alone(ReplayAgent::new(recording, context.pool, (context.seed, context.salt))?))
    })
};

/// Repeats a recording.
struct ReplayAgent {
    recording: Recording,
    /// Builds the requests of the recorded model, for a recording that has some.
    request_builder: Option<RequestBuilder>,
    /// Whether the recording has requests.
    has_requests: bool,
    pool: ModelPool,
    /// What the seeds of requests are drawn from.
    draws: (u64, String),
}

impl ReplayAgent {
    fn new(recording: Recording, pool: ModelPool, draws: (u64, String)) -> Result<Self, AgentSetupError> {
        let mut requests = recording.replies.iter().filter(|reply| reply.request.is_some()).peekable();
        let has_requests = requests.peek().is_some();
        let of_head = requests.any(|reply| reply.options.is_none());
        let builder = of_head.then(|| RequestBuilder::new(&recording.model, pool.clone())).transpose();
        let request_builder = builder.map_err(|error| AgentSetupError::InvalidRecording {
            recording: recording.source.clone(),
            why: format!("its model settings are invalid: {error}"),
        })?;
        let request_builder = request_builder.map(|builder| builder.for_episode(draws.0, &draws.1));
        Ok(Self { recording, request_builder, has_requests, pool, draws })
    }

    /// Builds requests as the agent did that gave this reply; `None` if its settings are invalid.
    fn builder_for(&self, reply: &RecordedReply) -> Option<RequestBuilder> {
        match &reply.options {
            None => self.request_builder.clone(),
            Some(options) => {
                let builder = RequestBuilder::new(options, self.pool.clone()).ok()?;
                Some(builder.for_episode(self.draws.0, &self.draws.1))
            }
        }
    }

    /// The first reply after this attempt.
    fn next_reply(&self, step: u32, attempt: u32) -> Option<&RecordedReply> {
        self.recording.replies.iter().find(|reply| (reply.step, reply.attempt) > (step, attempt))
    }

    fn reply_for(&self, step: u32, attempt: u32) -> Result<&RecordedReply, AgentError> {
        let mut replies = self.recording.replies.iter();
        let found = replies.find(|reply| (reply.step, reply.attempt) == (step, attempt));
        found.ok_or_else(|| AgentError::NotRecorded {
            recording: self.recording.source.clone(),
            step,
            attempt,
            last: match self.next_reply(step, attempt).or(self.recording.replies.last()) {
                Some(RecordedReply { intervention: Some(change), .. }) => {
                    format!("a person intervened: {change}")
                }
                Some(last) => format!("its last reply is for step {}, attempt {}", last.step, last.attempt),
                None => "it has no replies".to_owned(),
            },
        })
    }
}

#[async_trait]
impl Agent for ReplayAgent {
    fn reads_requests(&self) -> bool {
        self.has_requests
    }

    fn request_encoder(&self) -> Option<Arc<dyn RequestEncoder>> {
        self.request_builder.as_ref().map(RequestBuilder::encoder)
    }

    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let reply = self.reply_for(input.step, input.attempt)?.clone();
        let mismatch = match (&reply.request, self.builder_for(&reply)) {
            (Some(recorded), Some(builder)) => {
                let request = builder.build(&input).await?;
                compare_requests(
                    builder.decode_recorded(recorded),
                    recorded,
                    (&request.sent, &request.turns()),
                )
            }
            (Some(_), None) => {
                Some(Mismatch::new("the settings of the model", &"those of a seat", &"none that are valid"))
            }
            (None, _) => compare_states(&reply, &input),
        };
        match mismatch {
            Some(mismatch) => Err(mismatch_error(mismatch, &reply)),
            None => Ok(replayed(reply.answer, input.form)),
        }
    }
}

/// The answer for a reader with this format, without token usage, since a replay uses none.
fn replayed(answer: Answer, format: &ReplyFormat) -> Answer {
    match answer {
        Answer::Replied(reply) => Answer::Replied(Reply { usage: None, ..reply.for_format(format) }),
        Answer::GaveUp => Answer::GaveUp,
    }
}

/// The first difference between a recorded and a current request.
#[derive(Debug, PartialEq)]
struct Mismatch {
    /// The turn, from 1; `None` outside the turns.
    turn: Option<usize>,
    /// What differs, such as `the text`.
    aspect: String,
    recorded: String,
    current: String,
}

impl Mismatch {
    fn new(aspect: impl Into<String>, recorded: &impl ToString, current: &impl ToString) -> Self {
        let recorded = recorded.to_string();
        let current = current.to_string();
        Self { turn: None, aspect: aspect.into(), recorded, current }
    }

    fn in_turn(self, turn: usize) -> Self {
        Self { turn: Some(turn), ..self }
    }
}

fn mismatch_error(mismatch: Mismatch, reply: &RecordedReply) -> AgentError {
    let Mismatch { turn, aspect, recorded, current } = mismatch;
    let step = reply.step;
    let attempt = reply.attempt;
    let intervention = reply.intervention.clone();
    let difference = ReplayDifference { step, attempt, turn, aspect, recorded, current, intervention };
    AgentError::ReplayMismatch(Box::new(difference))
}

fn compare_states(reply: &RecordedReply, input: &DecisionInput<'_>) -> Option<Mismatch> {
    let current = input.observation.state();
    (reply.state != current).then(|| Mismatch::new("the state", &reply.state, &current))
}

/// Compares the turns, their number, and the other fields.
fn compare_requests(
    turns: Result<Vec<DecodedTurn>, String>,
    then: &SentRequest,
    (now, current): (&SentRequest, &[&DecodedTurn]),
) -> Option<Mismatch> {
    let recorded = match turns {
        Ok(turns) => turns,
        Err(why) => return Some(Mismatch::new("the request", &why, &"a valid request")),
    };
    let mut pairs = (1..).zip(recorded.iter().zip(current));
    pairs
        .find_map(|(number, (recorded, current))| Some(compare_turns(recorded, current)?.in_turn(number)))
        .or_else(|| compare_turn_counts(recorded.len(), current.len()))
        .or_else(|| compare_fields(&then.envelope, &now.envelope))
}

fn compare_turns(recorded: &DecodedTurn, current: &DecodedTurn) -> Option<Mismatch> {
    if recorded.role != current.role {
        return Some(Mismatch::new("the role", &role_name(recorded), &role_name(current)));
    }
    let then = text_of(recorded);
    let now = text_of(current);
    if then != now {
        let (then, now) = excerpts(&then, &now);
        return Some(Mismatch::new("the text", &then, &now));
    }
    let (then, now): (Vec<Digest>, Vec<Digest>) = (recorded.images().collect(), current.images().collect());
    if then.len() != now.len() {
        return Some(Mismatch::new("the number of its pictures", &then.len(), &now.len()));
    }
    let mut pairs = (1..).zip(then.iter().zip(&now));
    if let Some((number, (then, now))) = pairs.find(|(_, (then, now))| then != now) {
        return Some(Mismatch::new(format!("its picture {number}"), then, now));
    }
    let order = |turn: &DecodedTurn| turn.parts.iter().map(kind_name).collect::<Vec<_>>().join(", ");
    (recorded != current).then(|| Mismatch::new("the order of its parts", &order(recorded), &order(current)))
}

/// The texts of a turn, joined by blank lines.
fn text_of(turn: &DecodedTurn) -> String {
    let texts = turn.parts.iter().filter_map(|part| match part {
        DecodedPart::Text(text) => Some(text.as_str()),
        DecodedPart::Image(_) => None,
    });
    texts.collect::<Vec<_>>().join(TEXT_SEPARATOR)
}

fn kind_name(part: &DecodedPart) -> &'static str {
    match part {
        DecodedPart::Text(_) => "text",
        DecodedPart::Image(_) => "picture",
    }
}

fn role_name(turn: &DecodedTurn) -> String {
    format!("{:?}", turn.role).to_lowercase()
}

fn compare_turn_counts(recorded: usize, current: usize) -> Option<Mismatch> {
    let turn = recorded.min(current) + 1;
    (recorded != current).then(|| Mismatch::new("the number of turns", &recorded, &current).in_turn(turn))
}

/// The first difference in a field other than the turns.
fn compare_fields(recorded: &Value, current: &Value) -> Option<Mismatch> {
    let recorded = recorded.as_object()?;
    let current = current.as_object()?;
    let mut names = recorded.keys().chain(current.keys());
    let name = names.find(|name| recorded.get(*name) != current.get(*name))?;
    let shown = |value: Option<&Value>| {
        value.map_or_else(|| "none".to_owned(), |value| excerpt(&value.to_string(), 0))
    };
    let aspect = format!("the field {:?}", sanitize(name));
    Some(Mismatch::new(aspect, &shown(recorded.get(name)), &shown(current.get(name))))
}

/// The length of an excerpt in characters before the first difference, and from there on.
const CONTEXT_BEFORE: usize = 20;
const CONTEXT_AFTER: usize = 40;

/// Excerpts of both texts around their first difference.
fn excerpts(recorded: &str, current: &str) -> (String, String) {
    let pairs = recorded.chars().zip(current.chars());
    let same = pairs.take_while(|(recorded, current)| recorded == current).count();
    (excerpt(recorded, same), excerpt(current, same))
}

/// An excerpt of the text around character `at`, quoted and sanitized for one line.
fn excerpt(text: &str, at: usize) -> String {
    let start = at.saturating_sub(CONTEXT_BEFORE);
    let mut rest = text.chars().skip(start);
    let part: String = rest.by_ref().take(at - start + CONTEXT_AFTER).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if rest.next().is_some() { "…" } else { "" };
    let shown = sanitize(&part).replace('\n', "␤").replace('\t', "␉");
    format!("“{before}{shown}{after}”")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use mageyard_domain::{Options, Role};

    fn turn_of(role: Role, text: &str) -> DecodedTurn {
        DecodedTurn::new(role, [DecodedPart::Text(text.to_owned())])
    }

    fn body(turns: &[(&str, &str)]) -> SentRequest {
        let messages: Vec<_> =
            turns.iter().map(|(role, text)| json!({"role": role, "content": text})).collect();
        SentRequest::from_version_1(json!({"model": "m", "messages": messages}), vec![], vec![], 0)
    }

    fn compare(then: &SentRequest, now: &SentRequest, current: &[DecodedTurn]) -> Option<Mismatch> {
        let settings = Options::from([("name".to_owned(), json!("m"))]);
        let builder = RequestBuilder::new(&settings, ModelPool::default()).unwrap();
        let current: Vec<&DecodedTurn> = current.iter().collect();
        compare_requests(builder.decode_recorded(then), then, (now, &current))
    }

    #[test]
    fn the_first_turn_that_differs_is_reported_with_both_texts() {
        let then = body(&[("system", "You play."), ("user", "Go\u{1b}[2J up.")]);
        let now = [turn_of(Role::System, "You play."), turn_of(Role::User, "Go down.")];
        let mismatch = compare(&then, &then, &now).unwrap();
        assert_eq!(mismatch, Mismatch::new("the text", &"“Go␛[2J up.”", &"“Go down.”").in_turn(2));
    }

    #[test]
    fn a_missing_turn_and_a_changed_field_are_differences() {
        let kept = body(&[("user", "a"), ("assistant", "b")]);
        let one = [turn_of(Role::User, "a")];
        assert_eq!(compare(&kept, &kept, &one).unwrap().turn, Some(2));
        let both = [turn_of(Role::User, "a"), turn_of(Role::Assistant, "b")];
        assert_eq!(compare(&kept, &kept, &both), None);
        let mut other = kept.clone();
        Arc::make_mut(&mut other.envelope)["model"] = json!("n");
        let mismatch = compare(&kept, &other, &both).unwrap();
        assert_eq!(mismatch, Mismatch::new("the field \"model\"", &"“\"m\"”", &"“\"n\"”"));
        let swapped = [turn_of(Role::User, "a"), turn_of(Role::User, "b")];
        assert_eq!(compare(&kept, &kept, &swapped).unwrap().aspect, "the role");
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
