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
    /// The reason is not known.
    Unknown(&'a str),
}

/// The words of a complete reply. Some servers name none.
const COMPLETE: [&str; 8] =
    ["", "stop", "eos", "eos_token", "end_turn", "stop_sequence", "complete", "completed"];
/// The words of a reply that reached a limit.
const LENGTH: [&str; 5] =
    ["length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded"];
/// The words of a reply that a filter stopped, or their beginnings.
const FILTER: [&str; 4] = ["content_filter", "safety", "prohibited_content", "blocklist"];

impl<'a> FinishReason<'a> {
    /// The meaning of a reason, in any capitals.
    pub(super) fn parse(reason: &'a str) -> Self {
        let word = reason.trim().to_ascii_lowercase();
        match word.as_str() {
            word if COMPLETE.contains(&word) => Self::Complete,
            word if LENGTH.contains(&word) => Self::Length,
            word if FILTER.iter().any(|begin| word.starts_with(begin)) => Self::Filter,
            "refusal" => Self::Refusal,
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
            ("", FinishReason::Complete),
            ("end_turn", FinishReason::Complete),
            ("MAX_TOKENS", FinishReason::Length),
            ("model_length", FinishReason::Length),
            ("content_filter: hate", FinishReason::Filter),
            ("SAFETY", FinishReason::Filter),
            ("refusal", FinishReason::Refusal),
            (" pause_turn ", FinishReason::Unknown("pause_turn")),
            ("tool_calls", FinishReason::Unknown("tool_calls")),
        ] {
            assert_eq!(FinishReason::parse(word), meaning, "{word:?}");
        }
    }
}
