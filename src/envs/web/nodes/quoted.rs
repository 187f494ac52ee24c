//! Foreign texts in sentences.

use mageyard_domain::escape_json;
use serde_json::Value;

/// The most characters of a text in a sentence.
const MOST: usize = 120;

/// A text in quotes, as JSON writes it, without control characters; a long one is cut with a mark.
pub(crate) fn quoted(text: &str) -> String {
    let mut characters = text.chars();
    let mut shown: String = characters.by_ref().take(MOST).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    escape_json(&Value::from(shown).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_texts_have_no_control_characters_and_an_end() {
        assert_eq!(quoted("a\"b\n\u{1b}[31m\u{202e}"), r#""a\"b\n\u001b[31m\u202e""#);
        assert_eq!(quoted(&"é".repeat(MOST)).chars().count(), MOST + 2);
        assert!(quoted(&"é".repeat(MOST + 1)).ends_with("é…\""));
    }
}
