//! Words in a line, of which a value in quotes may have blanks.

/// The words of a line. A quote directly after the first `=` of a word keeps blanks together up to the quote that closes it; a
/// backslash takes away the meaning of the next character there. The quotes stay, so that a value reads as a JSON string.
pub fn quoted_words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let end = word_end(rest);
        let (word, after) = rest.split_at(end);
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

fn word_end(text: &str) -> usize {
    let blank = text.find(char::is_whitespace).unwrap_or(text.len());
    match text.find("=\"") {
        Some(place) if place < blank && !text[..place].contains('=') => {
            let inside = &text[place + 2..];
            closing_quote(inside).map_or(text.len(), |close| place + 2 + close + 1)
        }
        _ => blank,
    }
}

fn closing_quote(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        closes
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_in_quotes_belong_to_the_word() {
        for (line, words) in [
            ("a=1  b", &["a=1", "b"][..]),
            (r#"x="one \" two" y=2"#, &[r#"x="one \" two""#, "y=2"]),
            (r#"x="one two"#, &[r#"x="one two"#]),
            (r#"say "one two""#, &["say", "\"one", "two\""]),
            (r#"target=a="b c""#, &["target=a=\"b", "c\""]),
            (r#"x="é\\" ü"#, &[r#"x="é\\""#, "ü"]),
            ("", &[]),
        ] {
            assert_eq!(quoted_words(line).collect::<Vec<_>>(), words, "{line}");
        }
    }
}
