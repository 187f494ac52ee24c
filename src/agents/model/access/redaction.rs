//! Replaces secrets in texts, also where a secret is spread over several chunks.

/// Secrets and what replaces each.
#[derive(Clone, Default)]
pub(super) struct Redactor {
    secrets: Vec<(String, String)>,
}

impl Redactor {
    /// Secrets with their replacements, none of them empty.
    pub(super) fn new(mut secrets: Vec<(String, String)>) -> Self {
        // The longest first, so that no part of it is left if a shorter one is its beginning.
        secrets.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        secrets.dedup();
        Self { secrets }
    }

    /// Replaces every secret in a whole text.
    pub(super) fn redact(&self, text: String) -> String {
        if self.secrets.iter().any(|(secret, _)| text.contains(secret)) {
            self.scan(&text, true).0
        } else {
            text
        }
    }

    /// A redactor for text in chunks.
    pub(super) fn stream(&self) -> StreamRedactor {
        StreamRedactor { redactor: self.clone(), buffer: String::new() }
    }

    /// The text with its secrets replaced, and the rest that may be the beginning of a secret; the rest is empty if the
    /// text is at its end.
    fn scan<'a>(&self, text: &'a str, at_end: bool) -> (String, &'a str) {
        let mut shown = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let begins =
                |(secret, _): &&(String, String)| secret.len() > rest.len() && secret.starts_with(rest);
            let found = self.secrets.iter().find(|(secret, _)| rest.starts_with(secret.as_str()));
            if !at_end && self.secrets.iter().any(|row| begins(&row)) {
                break;
            }
            let (replacement, length) = match found {
                Some((secret, replacement)) => (replacement.as_str(), secret.len()),
                None => (&rest[..first.len_utf8()], first.len_utf8()),
            };
            shown.push_str(replacement);
            rest = &rest[length..];
        }
        (shown, rest)
    }
}

/// Redacts secrets in streamed text. It holds back the end of the text while that may be the beginning of a secret.
#[derive(Default)]
pub(in crate::model) struct StreamRedactor {
    redactor: Redactor,
    buffer: String,
}

impl StreamRedactor {
    /// Adds a chunk and returns the text that is safe to display.
    pub(in crate::model) fn redact(&mut self, chunk: &str) -> String {
        if self.redactor.secrets.is_empty() {
            return chunk.to_owned();
        }
        self.buffer.push_str(chunk);
        let (shown, rest) = self.redactor.scan(&self.buffer, false);
        self.buffer = rest.to_owned();
        shown
    }
    /// Returns the text held back.
    pub(in crate::model) fn finish(&mut self) -> String {
        self.redactor.redact(std::mem::take(&mut self.buffer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor(secrets: &[(&str, &str)]) -> Redactor {
        Redactor::new(
            secrets.iter().map(|(secret, name)| ((*secret).to_owned(), (*name).to_owned())).collect(),
        )
    }

    /// Every way to cut the text into chunks of one size gives the same as the whole text.
    fn assert_redacts(redactor: &Redactor, text: &str, expected: &str) {
        assert_eq!(redactor.redact(text.to_owned()), expected);
        for size in 1..text.len() {
            let mut stream = redactor.stream();
            let mut shown: String = text
                .as_bytes()
                .chunks(size)
                .map(|chunk| stream.redact(std::str::from_utf8(chunk).unwrap()))
                .collect();
            shown.push_str(&stream.finish());
            assert_eq!(shown, expected, "{size}");
        }
    }

    #[test]
    fn a_secret_split_across_chunks_is_redacted() {
        let one = redactor(&[("sk-planted", "[the key]")]);
        assert_redacts(&one, "a sk-sk-planted b sk-plan", "a sk-[the key] b sk-plan");
        assert_redacts(&redactor(&[]), "sk-planted", "sk-planted");
        assert_redacts(&redactor(&[("aba", "[1]")]), "ababa aba", "[1]ba [1]");
        let mut stream = one.stream();
        assert_eq!((stream.redact("x sk-pla"), stream.redact("nt")), ("x ".to_owned(), String::new()));
    }

    #[test]
    fn a_secret_that_begins_another_hides_no_part_of_it() {
        let both = redactor(&[("abc123", "[1]"), ("abc123def456", "[2]")]);
        assert_redacts(&both, "abc123def456 abc123 abc123de", "[2] [1] [1]de");
    }
}
