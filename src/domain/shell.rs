//! Quoting for shells.

use super::{VariablePart, VariableText};

/// Quotes a word for a POSIX shell.
pub fn shell_quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Quotes a text for a shell that fills in its variables.
pub fn shell_quote_variables(text: &VariableText) -> String {
    let mut word = String::new();
    let mut after_name = false;
    for part in text.parts() {
        let piece = quote_part(part);
        // In common quotes a letter would become a part of the name before it.
        let continues_name = piece[1..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if word.ends_with('"') && piece.starts_with('"') && !(after_name && continues_name) {
            word.pop();
            word.push_str(&piece[1..]);
        } else {
            word.push_str(&piece);
        }
        after_name = matches!(part, VariablePart::Variable(_));
    }
    word
}

fn quote_part(part: &VariablePart) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || " /._-+,:@=?&%".contains(c);
    match part {
        VariablePart::Variable(name) => format!("\"${name}\""),
        VariablePart::Text(text) if text.chars().all(plain) => format!("\"{text}\""),
        VariablePart::Text(text) => format!("'{}'", text.replace('\'', "'\\''")),
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

    #[test]
    fn variables_are_filled_in_by_the_shell_and_the_rest_is_not() {
        for (text, quoted) in [
            ("Authorization: Bearer ${KEY}", r#""Authorization: Bearer $KEY""#),
            ("${A}_${B}", r#""$A""_$B""#),
            ("${A}-${B}", r#""$A-$B""#),
            ("it's $1 ${A}`", r#"'it'\''s $1 '"$A"'`'"#),
        ] {
            assert_eq!(shell_quote_variables(&VariableText::parse(text).unwrap()), quoted, "{text}");
        }
    }
}
