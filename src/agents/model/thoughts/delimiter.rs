//! Compares a text with a delimiter of thoughts. In one of several tokens, such as `<|end|><|start|>assistant`, white space
//! may be between the tokens, and before `<|message|>` a constraint such as `<|constrain|>json` (channel formats).

/// What begins a constraint of a message, and what ends its header.
const CONSTRAINT: &str = "<|constrain|>";
const MESSAGE: &str = "<|message|>";

/// The maximum length of white space, and of the name of a constraint, in bytes.
const MAX_GAP: usize = 40;

/// Whether a text begins with a delimiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// It does, with so many bytes.
    Complete(usize),
    /// The text is the beginning of the delimiter.
    Begun,
    Different,
}

/// Compares the beginning of a text with a delimiter.
pub(super) fn delimiter_at(text: &str, delimiter: &str) -> Match {
    let mut rest = text;
    let mut wanted = delimiter;
    while !wanted.is_empty() {
        let piece = &wanted[..piece_length(wanted)];
        if wanted.len() < delimiter.len() {
            rest = skip_space(rest);
            if wanted.starts_with(MESSAGE) {
                match skip_constraint(rest) {
                    Some(after) => rest = after,
                    None => return Match::Begun,
                }
            }
        }
        if let Some(after) = rest.strip_prefix(piece) {
            rest = after;
            wanted = &wanted[piece.len()..];
        } else if piece.starts_with(rest) {
            return Match::Begun;
        } else {
            return Match::Different;
        }
    }
    Match::Complete(text.len() - rest.len())
}

/// The length of the token, or of the text up to the next token, with which a delimiter begins.
fn piece_length(delimiter: &str) -> usize {
    if delimiter.starts_with("<|") {
        return delimiter.find("|>").map_or(delimiter.len(), |end| end + "|>".len());
    }
    delimiter.find("<|").unwrap_or(delimiter.len())
}

fn skip_space(text: &str) -> &str {
    let rest = text.trim_start();
    if text.len() - rest.len() > MAX_GAP { text } else { rest }
}

/// The text after a constraint, the same text if it begins with none, and `None` if it may go on as one.
fn skip_constraint(text: &str) -> Option<&str> {
    let Some(rest) = text.strip_prefix(CONSTRAINT) else {
        let begins = CONSTRAINT.starts_with(text) && !MESSAGE.starts_with(text);
        return Some(text).filter(|_| !begins);
    };
    let rest = skip_space(rest);
    let name = rest.find(|c: char| !(c.is_alphanumeric() || "_-./+".contains(c))).unwrap_or(rest.len());
    if name > MAX_GAP {
        return Some(text);
    }
    Some(skip_space(&rest[name..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINAL: &str = "<|end|><|start|>assistant<|channel|>final<|message|>";

    #[test]
    fn space_and_constraints_may_be_between_tokens() {
        for text in [
            FINAL,
            "<|end|>\n<|start|>assistant<|channel|>final<|message|>",
            "<|end|>\n\n<|start|> assistant\n<|channel|> final\n<|message|>",
            "<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>",
            "<|end|>\r\n<|start|>assistant<|channel|>final<|constrain|> text/plain \n<|message|>",
        ] {
            assert_eq!(delimiter_at(&format!("{text}Up"), FINAL), Match::Complete(text.len()), "{text}");
            for (end, _) in text.char_indices().skip(1) {
                assert_eq!(delimiter_at(&text[..end], FINAL), Match::Begun, "{}", &text[..end]);
            }
        }
    }

    #[test]
    fn other_texts_are_different() {
        for text in [
            "<|end|>Up",
            "<|end|><|start|>user<|channel|>final<|message|>",
            "<|end|><|start|>assistant<|channel|>commentary<|message|>",
            "<|end|><|start|>assistant<|channel|>final to=x<|message|>",
            "x",
        ] {
            assert_eq!(delimiter_at(text, FINAL), Match::Different, "{text}");
        }
        assert_eq!(delimiter_at("< think>", "<think>"), Match::Different);
        assert_eq!(delimiter_at("<think>a", "<think>"), Match::Complete(7));
        assert_eq!(delimiter_at("<thi", "<think>"), Match::Begun);
        let far = format!("<|end|>{}<|start|>", " ".repeat(41));
        assert_eq!(delimiter_at(&far, FINAL), Match::Different);
    }
}
