//! Where a body has its turns. A system text that has a field of its own is a turn like the others everywhere else: it is
//! taken out of the body as the first turn, and put back when the body is written again.

use serde_json::Value;

/// The fields of a body that hold turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::model) struct TurnFields {
    /// The list of turns.
    pub(in crate::model) list: &'static str,
    /// The system text, if it is not in the list.
    pub(in crate::model) system: Option<&'static str>,
}

impl TurnFields {
    /// Chat completions, whose system text is in the list.
    pub(super) const CHAT: Self = Self { list: "messages", system: None };
    /// Anthropic Messages.
    pub(super) const MESSAGES: Self = Self { list: "messages", system: Some("system") };
    /// `OpenAI` Responses.
    pub(super) const RESPONSES: Self = Self { list: "input", system: Some("instructions") };

    /// The fields of a recorded envelope, in which an empty list and `null` are in place of the turns.
    pub(super) fn of_envelope(envelope: &Value) -> Self {
        let taken =
            |fields: &Self| fields.system.is_some_and(|name| envelope.get(name) == Some(&Value::Null));
        if envelope.get(Self::CHAT.list).is_none() && envelope.get(Self::RESPONSES.list).is_some() {
            return Self {
                system: Self::RESPONSES.system.filter(|_| taken(&Self::RESPONSES)),
                ..Self::RESPONSES
            };
        }
        if taken(&Self::MESSAGES) { Self::MESSAGES } else { Self::CHAT }
    }
}
