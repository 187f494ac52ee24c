//! The end of a reply: complete, cut, refused, or a lost connection; and the reply that is made of what was received.

use super::{CONNECTION_CLOSED, ReplyBuilder};
use crate::model::error::{RequestError, amount_received, truncated};
use crate::model::finish_reason::FinishReason;
use crate::model::usage::ReportedUsage;
use mageyard_domain::{Cutoff, Reply, ReplyEnding, with_thoughts};

/// What is said of a reply that ends without a reason.
const NO_REASON: &str = "the server named no reason for its end";

impl ReplyBuilder {
    /// The complete reply, or an error. `limit` is the requested limit of output tokens and the name of its
    /// setting.
    pub(in crate::model) fn finish(self, limit: Option<(&'static str, u64)>) -> Result<Reply, RequestError> {
        match self.finish_reason.as_deref() {
            Some(reason) if self.is_aborted(reason) => {
                let why = format!("the server ended it with the reason {:?}", truncated(reason, 60));
                Err(RequestError::connection_lost(self.received(), why))
            }
            None if !self.is_ended() => {
                Err(RequestError::connection_lost(self.received(), CONNECTION_CLOSED))
            }
            _ if !self.has_choice => Err(RequestError::malformed("it has no choices")),
            reason => {
                let ending = self.ending(reason, limit);
                Ok(self.into_reply(ending))
            }
        }
    }

    /// Whether the reason for the end is not known, so that the reply cannot be taken for complete.
    fn is_aborted(&self, reason: &str) -> bool {
        let is_known = !matches!(FinishReason::parse(reason), FinishReason::Unknown(_));
        !is_known && self.tool_call.is_none() && self.refusal.is_empty()
    }

    /// Whether the server sent or counted reasoning, and no text.
    fn has_only_reasoning(&self) -> bool {
        let thought = self.thoughts.iter().any(|thought| !thought.text.trim().is_empty());
        let has_reasoning = thought || self.has_hidden_reasoning || !self.reasoning.trim().is_empty();
        has_reasoning && self.text.trim().is_empty()
    }

    /// How the reply ended: by what it contains, else by the reason that the server names.
    fn ending(&self, reason: Option<&str>, limit: Option<(&'static str, u64)>) -> ReplyEnding {
        if let Some(name) = self.tool_call.clone() {
            return ReplyEnding::ToolCall { name };
        }
        if !self.refusal.is_empty() {
            return ReplyEnding::Refused { message: truncated(&self.refusal, 500) };
        }
        let used = self.output_tokens();
        let reason = reason.map(FinishReason::parse);
        if let (None | Some(FinishReason::Complete), Some(open)) = (reason, &self.unclosed) {
            let open = truncated(open, 60);
            return ReplyEnding::Cut { why: format!("within its reasoning: {open} is not closed") };
        }
        let is_regular =
            !matches!(reason, Some(FinishReason::Length | FinishReason::Filter | FinishReason::Refusal));
        if is_regular && self.has_only_reasoning() {
            return ReplyEnding::OnlyReasoning { limit: limit.map(|(_, most)| most) };
        }
        let Some(reason) = reason else {
            let why = self.unmarked.clone().unwrap_or_else(|| NO_REASON.to_owned());
            return ReplyEnding::Unmarked { why };
        };
        match reason {
            FinishReason::Complete => ReplyEnding::Complete,
            FinishReason::Length => ReplyEnding::Cut { why: Cutoff { requested: limit, used }.to_string() },
            FinishReason::Filter => ReplyEnding::Filtered,
            FinishReason::Refusal => ReplyEnding::Refused { message: String::new() },
            // A call that was not received, or one that the server put into the text.
            FinishReason::ToolCall(reason) | FinishReason::Unknown(reason) => {
                ReplyEnding::Unknown { reason: truncated(reason, 60) }
            }
        }
    }

    fn output_tokens(&self) -> Option<u64> {
        self.usage.filter(|_| self.contradiction.is_none()).map(|usage| usage.output).filter(|&used| used > 0)
    }

    /// Whether a part of the reply was received.
    pub(in crate::model) fn has_begun(&self) -> bool {
        self.bytes > 0
    }

    /// The amount received in words, such as `after 3 characters`.
    pub(in crate::model) fn received(&self) -> String {
        let characters = |text: &str| amount_received(text.chars().count(), "character");
        let thoughts: String = self.thoughts.iter().map(|thought| thought.text.as_str()).collect();
        match (self.text.as_str(), [self.reasoning.as_str(), &thoughts].concat()) {
            ("", reasoning) if !reasoning.is_empty() => format!("{} of reasoning", characters(&reasoning)),
            (text, _) => characters(text),
        }
    }

    fn into_reply(self, ending: ReplyEnding) -> Reply {
        let reasoning = Some(self.reasoning).filter(|text| !text.is_empty());
        let Self { text, thoughts, usage, contradiction, model, origin, mut notes, skipped, odds, .. } = self;
        notes.extend(contradiction.map(ReportedUsage::contradiction));
        notes.extend(skipped_note(skipped));
        let usage = usage.filter(|_| contradiction.is_none());
        let token_odds = odds.aligned(&with_thoughts(&text, &thoughts));
        if token_odds.is_none() {
            notes.push("the token odds were left out: they are not those of the text".to_owned());
        }
        let token_odds = token_odds.unwrap_or_default();
        let fingerprint = origin.fingerprint;
        Reply {
            text,
            reasoning,
            thoughts,
            usage,
            model,
            fingerprint,
            token_odds,
            ending,
            notes,
            latency_ms: None,
        }
    }
}

fn skipped_note((count, first): (usize, String)) -> Option<String> {
    let (what, which) = match count {
        0 => return None,
        1 => ("1 event of the stream was no JSON object and was".to_owned(), "it"),
        count => (format!("{count} events of the stream were no JSON objects and were"), "the first"),
    };
    Some(format!("{what} skipped; {which} begins with {first:?}"))
}
