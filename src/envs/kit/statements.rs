//! The sentences of an analysis that state something about the present. The others deny, suppose or ask something, or
//! describe what will be: they are not read as claims.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Signs of a sentence that is not read.
static UNREAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(not|no|never|none|isn't|aren't|if|would|could|should|might|may|will|after|then|when|before|until|to reach)\b|\?")
        .ok()
});

/// The statements of a text, each with the byte at which it begins.
pub fn statements(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let sentence = |range: Range<usize>| (range.start, &text[range]);
    let is_read = |(_, text): &(usize, &str)| {
        !text.trim().is_empty() && UNREAD.as_ref().is_some_and(|unread| !unread.is_match(text))
    };
    sentences(text).into_iter().map(sentence).filter(is_read)
}

/// The sentences and lines of a text. The point of a number such as 8.5 does not end one.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, sign) in text.char_indices().filter(|(_, sign)| ".!?\n".contains(*sign)) {
        let end = at + sign.len_utf8();
        let is_in_number = sign == '.' && text[end..].starts_with(|next: char| next.is_ascii_digit());
        if !is_in_number {
            found.push(start..end);
            start = end;
        }
    }
    found.push(start..text.len());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_deny_suppose_ask_or_look_ahead_are_left_out() {
        let text = "One is at 8.5 m. It is not red! If so, go. Is it?\nWhen? Then two follow. Ä is here";
        let read: Vec<(usize, &str)> = statements(text).collect();
        let last = text.find(" Ä").unwrap();
        assert_eq!(read, [(0, "One is at 8.5 m."), (last, " Ä is here")]);
        assert_eq!(statements("\n \n").count(), 0);
    }
}
