//! The sentences of a segment, to move those that change at every step.

use super::variables::find_variables;

/// The variables whose values change at every step.
pub(super) const CHANGING: [&str; 2] = ["steps_left", "actions_left"];

/// Whether a text changes at every step.
pub(super) fn changes(text: &str) -> bool {
    find_variables(text).iter().any(|(name, _)| CHANGING.contains(name))
}

/// The sentences of a text with the white space after each. A sentence ends at a full stop, a question mark or an
/// exclamation mark before white space, or at the end of its line.
pub(super) fn split_sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (sentence, after) = rest.split_at(sentence_length(rest));
        sentences.push(sentence);
        rest = after;
    }
    sentences
}

/// The length of the first sentence in bytes, with the white space after it.
fn sentence_length(text: &str) -> usize {
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let stops = matches!(letter, '.' | '!' | '?') && next.is_some_and(char::is_whitespace);
        if stops || letter == '\n' {
            let end = at + letter.len_utf8();
            let white = text[end..].len() - text[end..].trim_start().len();
            return end + white;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_at_marks_before_white_space_and_at_line_ends() {
        for (text, sentences) in [
            ("Go. You have {steps_left} left.", vec!["Go. ", "You have {steps_left} left."]),
            ("At 0.5 now!  Go\n\nOn? No", vec!["At 0.5 now!  ", "Go\n\n", "On? ", "No"]),
            ("", vec![]),
            ("é→. \n x", vec!["é→. \n ", "x"]),
        ] {
            assert_eq!(split_sentences(text), sentences);
            assert_eq!(sentences.concat(), text);
        }
        assert!(changes("{steps_left}") && changes("{actions_left}"));
        assert!(!changes("{{steps_left}} {actions}"));
    }
}
