//! Thoughts that a model writes between delimiters into the text of its reply. They are set apart from the text, which
//! alone is read for actions.

use serde::Deserialize;
use serde::Serialize;

/// A thought that was taken from the text of a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thought {
    /// Its position in the text without thoughts, in bytes.
    pub at: usize,
    /// The opening delimiter; empty if it was missing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub open: String,
    /// The thought.
    pub text: String,
    /// The closing delimiter with the white space after it; empty if the reply ended before it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub close: String,
}

/// The text with its thoughts, exactly as it was received. Positions outside the text count as its end.
pub fn with_thoughts(text: &str, thoughts: &[Thought]) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut from = 0;
    for Thought { at, open, text: thought, close } in thoughts {
        let to = if text.is_char_boundary(*at) { *at } else { text.len() };
        whole.push_str(text.get(from..to).unwrap_or_default());
        from = to.max(from);
        whole.extend([open.as_str(), thought, close]);
    }
    whole.push_str(&text[from..]);
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thought(at: usize, open: &str, text: &str, close: &str) -> Thought {
        Thought { at, open: open.into(), text: text.into(), close: close.into() }
    }

    #[test]
    fn thoughts_go_back_to_their_positions() {
        let thoughts = [
            thought(0, "<think>", "a", "</think>\n"),
            thought(0, "", "b", "</think>"),
            thought(3, "[T]", "c", ""),
        ];
        assert_eq!(with_thoughts("xyz", &thoughts), "<think>a</think>\nb</think>xyz[T]c");
        assert_eq!(with_thoughts("", &[]), "");
    }

    #[test]
    fn positions_of_a_damaged_recording_do_not_fail() {
        let thoughts = [thought(9, "", "a", ""), thought(1, "", "b", "")];
        assert_eq!(with_thoughts("é", &thoughts), "éab");
    }
}
