//! Quoting for shells.

/// Quotes a word for a POSIX shell.
pub fn shell_quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_word_is_one_shell_word() {
        assert_eq!(shell_quote("runs/a-1"), "runs/a-1");
        assert_eq!(shell_quote("my runs"), "'my runs'");
        assert_eq!(shell_quote("it's"), r"'it'\''s'");
        assert_eq!(shell_quote(""), "''");
    }
}
