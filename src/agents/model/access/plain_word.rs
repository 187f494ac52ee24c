//! Which keys are placeholders. Servers on one's own machine often want any key at all, and people give them `ollama` or
//! `none`. Replacing such a word would change replies, and it is no secret.

/// Shorter values are never redacted: they would garble messages.
const MIN_SECRET_LENGTH: usize = 6;
/// The longest plain word. Real keys are longer.
const MAX_PLAIN_LENGTH: usize = 12;
/// Other placeholders that servers and their manuals suggest.
const PLACEHOLDERS: [&str; 4] = ["sk-no-key", "sk-no-key-required", "no-key-required", "no-key-needed"];
/// The beginning of many real keys.
const SECRET_PREFIX: &str = "sk-";

/// Whether a key is a placeholder: it is shorter than 6 characters, or has at most 12, all of them letters of one case
/// (a capital may come first), with single `-`, `_` or `.` between them; or it is a known placeholder. A digit or `sk-` at
/// its beginning makes it a secret.
pub(super) fn is_plain_word(key: &str) -> bool {
    let length = key.chars().count();
    length < MIN_SECRET_LENGTH
        || PLACEHOLDERS.contains(&key)
        || length <= MAX_PLAIN_LENGTH
            && !key.starts_with(SECRET_PREFIX)
            && key.split(['-', '_', '.']).all(is_word)
}

/// Whether a text is one or more letters of one case, or a capital and small letters.
fn is_word(text: &str) -> bool {
    let small = |text: &str| text.chars().all(|c| c.is_ascii_lowercase());
    let tail = text.get(1..).unwrap_or_default();
    let first = text.starts_with(|c: char| c.is_ascii_alphabetic());
    first && (small(tail) || text.chars().all(|c| c.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_are_not_redacted_and_everything_like_a_key_is() {
        for key in
            ["ollama", "none", "EMPTY", "Ollama", "sk-no-key", "not-needed", "lm-studio", "x", "sk-1", "1234"]
        {
            assert!(is_plain_word(key), "{key}");
        }
        for key in PLACEHOLDERS {
            assert!(is_plain_word(key), "{key}");
        }
        for key in [
            "sk-1234",
            "123456",
            "abcdefghijklm",
            "correct-horse-battery",
            "aBcDeFgH",
            "hunter2",
            "geheim!",
            "a--bcdef",
            "-abcdef",
            "schlüssel",
        ] {
            assert!(!is_plain_word(key), "{key}");
        }
    }
}
