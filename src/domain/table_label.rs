//! Labels for values of settings in tables.

use crate::Digest;

/// The most words of a value that is a label as it is.
const WORDS: usize = 3;
/// The most characters of such a value: names of models and cells fit.
const CHARACTERS: usize = 64;
/// The most characters of the name of a longer value.
const NAME: usize = 16;
/// The number of digits of its digest.
const DIGITS: usize = 4;

/// A label for a value in a table. A value of a few words is its own label; a longer one, such as a text or a JSON object, is
/// named by its first word and a part of its digest, as in `You~3f09`, so that equal values have equal labels.
pub fn table_label(value: &str) -> String {
    let is_short = value.chars().count() <= CHARACTERS
        && value.split_whitespace().count() <= WORDS
        && !value.contains(char::is_control);
    if is_short {
        return value.to_owned();
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let word = value.split(|c| !is_part(c)).find(|word| !word.is_empty()).unwrap_or("value");
    let name: String = word.chars().take(NAME).collect();
    let digest = Digest::of(value.as_bytes()).to_string();
    format!("{name}~{}", digest.get(..DIGITS).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_value_is_its_own_label() {
        let cell = "webui-mini-global-gpt-4o-0s-CoT-am1-om1-3f09ab12cd";
        for value in ["", "0.1", "same as paper", "{\"effort\":\"high\"}", cell] {
            assert_eq!(table_label(value), value);
        }
    }

    #[test]
    fn a_long_value_is_a_name_and_a_digest() {
        let page = format!(r#"{{"html":"<!DOCTYPE html><body>{}</body>"}}"#, "<p>".repeat(9));
        let label = table_label(&page);
        assert!(label.starts_with("html~") && label.len() == "html~".len() + DIGITS, "{label}");
        assert_ne!(table_label("one two three four"), table_label("one two three five"));
        assert!(table_label(&"long".repeat(20)).starts_with("longlonglonglong~"));
        assert!(table_label("two\nlines").starts_with("two~"));
    }
}
