//! Texts that take values from environment variables, written as `${NAME}`. They are stored and displayed as written;
//! only the code that needs the result knows the values.

use std::fmt;

/// A text with variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct VariableText(Vec<VariablePart>);

/// A part of a text with variables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VariablePart {
    /// Text as it is.
    Text(String),
    /// The name of a variable.
    Variable(String),
}

impl VariableText {
    /// Reads `${NAME}` in a text. The error says what is wrong without repeating the text, which may hold a secret.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let (name, after) = after.split_once('}').ok_or("it has ${ without }")?;
            if !is_variable_name(name) || name.is_empty() {
                return Err("between ${ and } there must be the name of an environment variable");
            }
            parts.extend([VariablePart::Text(before.to_owned()), VariablePart::Variable(name.to_owned())]);
            rest = after;
        }
        parts.push(VariablePart::Text(rest.to_owned()));
        parts.retain(|part| !matches!(part, VariablePart::Text(text) if text.is_empty()));
        Ok(Self(parts))
    }

    /// A text without variables.
    pub fn literal(text: impl Into<String>) -> Self {
        Self(vec![VariablePart::Text(text.into())])
    }

    /// The value of a variable.
    pub fn variable(name: impl Into<String>) -> Self {
        Self(vec![VariablePart::Variable(name.into())])
    }

    /// The text followed by another.
    #[must_use]
    pub fn then(mut self, next: Self) -> Self {
        self.0.extend(next.0);
        self
    }

    /// The parts in order.
    pub fn parts(&self) -> &[VariablePart] {
        &self.0
    }

    /// Whether the text takes no value from a variable.
    pub fn is_literal(&self) -> bool {
        self.0.iter().all(|part| matches!(part, VariablePart::Text(_)))
    }
}

/// The text as it is written, with the names of its variables.
impl fmt::Display for VariableText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|part| match part {
            VariablePart::Text(text) => f.write_str(text),
            VariablePart::Variable(name) => write!(f, "${{{name}}}"),
        })
    }
}

/// Whether a text can be the name of an environment variable; an empty one can.
pub fn is_variable_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(letter) && !name.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_with_its_variables_and_written_again() {
        let text = |text: &str| VariablePart::Text(text.to_owned());
        let variable = |name: &str| VariablePart::Variable(name.to_owned());
        for (written, parts) in [
            ("", vec![]),
            ("a $ b } c", vec![text("a $ b } c")]),
            ("${KEY}", vec![variable("KEY")]),
            ("a ${K_1}${B}c", vec![text("a "), variable("K_1"), variable("B"), text("c")]),
        ] {
            let read = VariableText::parse(written).unwrap();
            assert_eq!((read.parts(), read.to_string().as_str()), (&parts[..], written));
            assert_eq!(read.is_literal(), !written.contains("${"));
        }
        let joined = VariableText::literal("Bearer ").then(VariableText::variable("KEY"));
        assert_eq!(joined, VariableText::parse("Bearer ${KEY}").unwrap());
    }

    #[test]
    fn a_text_that_names_no_variable_is_refused_without_repeating_it() {
        for written in ["${", "a${B", "${}", "${sk-secret}", "${1A}", "${ A}"] {
            let why = VariableText::parse(written).unwrap_err();
            assert!(why.contains("${") && !why.contains("secret"), "{written}: {why}");
        }
    }
}
