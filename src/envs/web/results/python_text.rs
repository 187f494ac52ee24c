//! Values in the text form of Python, which is that of some fields of `out.json`.

use std::fmt::Write;

/// A text as `repr` writes it: in single quotes, unless it has one and no double quote.
pub(super) fn text(value: &str) -> String {
    let quote = if value.contains('\'') && !value.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in value.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            // Writing to a string does not fail.
            c if c.is_control() => drop(write!(out, "\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// A sum of scores: whole numbers without a decimal point, others with at most two decimals.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_python_writes_them() {
        for (value, expected) in
            [("a", "'a'"), ("it's", "\"it's\""), ("'\"", r#"'\'"'"#), ("a\\\n\u{1b}é", r"'a\\\n\x1bé'")]
        {
            assert_eq!(text(value), expected);
        }
        assert_eq!([0.0, 3.0, 1.4, 0.1 + 0.2, 10.0].map(number), ["0", "3", "1.4", "0.3", "10"]);
    }
}
