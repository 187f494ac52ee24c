//! The reasons that servers name for the end of a reply. Each protocol and many servers have words of their own.

/// What a reason means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FinishReason<'a> {
    /// The reply is complete.
    Complete,
    /// It reached a limit of tokens.
    Length,
    /// A content filter stopped it.
    Filter,
    /// The model refused.
    Refusal,
    /// The model calls a tool.
    ToolCall(&'a str),
    /// The reason is not known.
    Unknown(&'a str),
}

/// The words of a complete reply.
const COMPLETE: [&str; 14] = [
    "stop",
    "eos",
    "eos_token",
    "end",
    "end_turn",
    "end_of_turn",
    "endoftext",
    "stop_sequence",
    "stop_token",
    "complete",
    "completed",
    "done",
    "finish",
    "finished",
];
/// The words of a reply that calls a tool.
const TOOL_CALL: [&str; 3] = ["tool_calls", "tool_use", "function_call"];
/// What servers write in events before the last one, or in place of a reason.
const NONE: [&str; 3] = ["", "null", "none"];
/// The words of a reply that reached a limit.
const LENGTH: [&str; 5] =
    ["length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded"];
/// The words of a reply that a filter stopped, or their beginnings.
const FILTER: [&str; 4] = ["content_filter", "safety", "prohibited_content", "blocklist"];

impl<'a> FinishReason<'a> {
    /// Whether the word names no reason at all.
    pub(super) fn is_none(reason: &str) -> bool {
        NONE.contains(&reason.trim().to_ascii_lowercase().as_str())
    }

    /// The meaning of a reason, in any capitals.
    pub(super) fn parse(reason: &'a str) -> Self {
        let word = reason.trim().to_ascii_lowercase();
        match word.as_str() {
            word if COMPLETE.contains(&word) => Self::Complete,
            word if LENGTH.contains(&word) => Self::Length,
            word if FILTER.iter().any(|begin| word.starts_with(begin)) => Self::Filter,
            "refusal" => Self::Refusal,
            word if TOOL_CALL.contains(&word) => Self::ToolCall(reason.trim()),
            _ => Self::Unknown(reason.trim()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_several_servers_are_known() {
        for (word, meaning) in [
            ("stop", FinishReason::Complete),
            ("STOP", FinishReason::Complete),
            ("end_turn", FinishReason::Complete),
            ("MAX_TOKENS", FinishReason::Length),
            ("model_length", FinishReason::Length),
            ("content_filter: hate", FinishReason::Filter),
            ("SAFETY", FinishReason::Filter),
            ("refusal", FinishReason::Refusal),
            (" pause_turn ", FinishReason::Unknown("pause_turn")),
            ("tool_calls", FinishReason::ToolCall("tool_calls")),
            ("error", FinishReason::Unknown("error")),
        ] {
            assert_eq!(FinishReason::parse(word), meaning, "{word:?}");
            assert!(!FinishReason::is_none(word));
        }
        assert!(["", " null", "None"].into_iter().all(FinishReason::is_none));
    }
}
