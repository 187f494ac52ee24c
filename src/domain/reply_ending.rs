//! How a reply ended: complete, or what is wrong with it. A server reports most of this with the reply.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a reply ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyEnding {
    /// It is complete.
    #[default]
    Complete,
    /// It was truncated: at a token limit, or within a thought.
    Cut {
        /// Where and why, such as `at 4000 tokens, the limit set by model.max_tokens`.
        why: String,
    },
    /// The model refused.
    Refused {
        /// Its message, sanitized and truncated; empty if it gave none.
        message: String,
    },
    /// The server's content filter stopped it.
    Filtered,
    /// It has reasoning and no answer: the template of the server or a limit of its own ended it, not the model.
    OnlyReasoning {
        /// The requested limit of output tokens; `None` if none was requested.
        limit: Option<u64>,
    },
    /// It calls a tool, although none was offered.
    ToolCall {
        /// The name of the tool, sanitized and truncated.
        name: String,
    },
    /// Its text came without a final mark: the server closed the connection or fell silent.
    Unmarked {
        /// What came in place of the mark.
        why: String,
    },
    /// The server named a reason that is not known. The text may be complete.
    Unknown {
        /// The reason, sanitized and truncated.
        reason: String,
    },
}

impl ReplyEnding {
    /// The names of all endings but the complete one, in the order of reports.
    pub const NAMES: [&'static str; 7] =
        ["cut", "refused", "filtered", "only_reasoning", "tool_call", "unmarked", "unknown"];

    /// The name in journals and output; `None` for a complete reply.
    pub fn name(&self) -> Option<&'static str> {
        let [cut, refused, filtered, only_reasoning, tool_call, unmarked, unknown] = Self::NAMES;
        match self {
            Self::Complete => None,
            Self::Cut { .. } => Some(cut),
            Self::Refused { .. } => Some(refused),
            Self::Filtered => Some(filtered),
            Self::OnlyReasoning { .. } => Some(only_reasoning),
            Self::ToolCall { .. } => Some(tool_call),
            Self::Unmarked { .. } => Some(unmarked),
            Self::Unknown { .. } => Some(unknown),
        }
    }

    /// A short noun for tables and headlines; empty for a complete reply.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Complete => "",
            Self::Cut { .. } => "cut reply",
            Self::Refused { .. } => "refusal",
            Self::Filtered => "filtered reply",
            Self::OnlyReasoning { .. } => "only reasoning",
            Self::ToolCall { .. } => "tool call",
            Self::Unmarked { .. } => "no final mark",
            Self::Unknown { .. } => "unknown ending",
        }
    }

    /// Whether it is complete.
    pub fn is_complete(&self) -> bool {
        *self == Self::Complete
    }

    /// Whether its text is read for actions under every policy of an episode.
    pub fn is_readable(&self) -> bool {
        matches!(self, Self::Complete | Self::Unmarked { .. } | Self::Unknown { .. })
    }
}

impl fmt::Display for ReplyEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Complete => f.write_str("the reply is complete"),
            Self::Cut { why } => write!(f, "the reply was truncated {why}"),
            Self::Refused { message } if message.is_empty() => f.write_str("the model refused"),
            Self::Refused { message } => write!(f, "the model refused: {message}"),
            Self::Filtered => f.write_str(
                "the server's content filter stopped the reply; try another prompt or other filter settings",
            ),
            Self::OnlyReasoning { limit: Some(limit) } => {
                write!(f, "the model reasoned and wrote nothing; the token limit is {limit}")
            }
            Self::OnlyReasoning { limit: None } => {
                f.write_str("the model reasoned and wrote nothing; no token limit was requested")
            }
            Self::ToolCall { name } => {
                write!(f, "the model called the tool {name:?}, but no tools were offered")
            }
            Self::Unmarked { why } => write!(f, "the reply has no final mark: {why}"),
            Self::Unknown { reason } => write!(f, "the reply ended with the unknown reason {reason:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_stored_form_has_the_name_of_the_ending() {
        let cases = [
            (ReplyEnding::Complete, json!("complete")),
            (ReplyEnding::Cut { why: "at 9 tokens".into() }, json!({"cut": {"why": "at 9 tokens"}})),
            (ReplyEnding::Refused { message: "no".into() }, json!({"refused": {"message": "no"}})),
            (ReplyEnding::Filtered, json!("filtered")),
            (ReplyEnding::OnlyReasoning { limit: Some(9) }, json!({"only_reasoning": {"limit": 9}})),
            (ReplyEnding::ToolCall { name: "click".into() }, json!({"tool_call": {"name": "click"}})),
            (ReplyEnding::Unmarked { why: "silent".into() }, json!({"unmarked": {"why": "silent"}})),
            (ReplyEnding::Unknown { reason: "x".into() }, json!({"unknown": {"reason": "x"}})),
        ];
        for (ending, stored) in cases {
            assert_eq!(serde_json::to_value(&ending).unwrap(), stored);
            let name = stored.as_str().or_else(|| stored.as_object()?.keys().next().map(String::as_str));
            assert_eq!(ending.name().unwrap_or("complete"), name.unwrap());
            assert_eq!(serde_json::from_value::<ReplyEnding>(stored).unwrap(), ending);
        }
    }
}
