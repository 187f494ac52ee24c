//! Thoughts that a model writes between delimiters into the text of its reply. They are set apart from the text, which
//! alone is read for actions.

use serde::{Deserialize, Serialize};

use super::ReplyFormat;

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

impl Thought {
    /// Whether its delimiters are a tag of this format.
    pub fn is_tag_of(&self, format: &ReplyFormat) -> bool {
        format.has_tag(&self.open, self.close.trim_end())
    }
}

/// The text with its thoughts, exactly as it was received. Positions outside the text count as its end.
pub fn with_thoughts(text: &str, thoughts: &[Thought]) -> String {
    merge(text, thoughts, |_| true).0
}

/// The text as a reader with this format gets it: with the thoughts whose delimiters are tags of the format. The
/// other thoughts come with it, at their new positions.
pub fn merge_tags(text: &str, thoughts: &[Thought], format: &ReplyFormat) -> (String, Vec<Thought>) {
    merge(text, thoughts, |thought| thought.is_tag_of(format))
}

/// The text with these thoughts, and the others at their positions in it.
fn merge(text: &str, thoughts: &[Thought], is_text: impl Fn(&Thought) -> bool) -> (String, Vec<Thought>) {
    let mut whole = String::with_capacity(text.len());
    let mut others = Vec::new();
    let mut from = 0;
    for thought in thoughts {
        let to = if text.is_char_boundary(thought.at) { thought.at } else { text.len() };
        whole.push_str(text.get(from..to).unwrap_or_default());
        from = to.max(from);
        if is_text(thought) {
            whole.extend([thought.open.as_str(), &thought.text, &thought.close]);
        } else {
            others.push(Thought { at: whole.len(), ..thought.clone() });
        }
    }
    whole.push_str(&text[from..]);
    (whole, others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Delimiter;

    #[test]
    fn a_reader_of_tags_gets_its_tags() {
        let thoughts = [thought(0, "[T]", "a", "[/T]"), thought(0, "<think>", "b", "</think>\n")];
        let headings = ReplyFormat::headings("# analyze", "# action", false);
        let tags = ReplyFormat {
            delimiter: Delimiter::Tags,
            analysis: "think".into(),
            action: "answer".into(),
            ..headings.clone()
        };
        let of = |text: &str, thoughts: &[Thought]| (text.to_owned(), thoughts.to_vec());
        assert_eq!(merge_tags("x", &thoughts, &headings), of("x", &thoughts));
        assert_eq!(merge_tags("x", &thoughts, &tags), of("<think>b</think>\nx", &thoughts[..1]));
    }

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
