//! A tag or a comment, checked when it is made.

use super::error::{AnnotationError, MAX_TAG_LENGTH};

/// The longest comment, in bytes.
const MAX_COMMENT: usize = 4000;

/// What a person attaches to a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Annotation {
    /// A short name.
    Tag(String),
    /// A text.
    Comment(String),
}

impl Annotation {
    /// A tag with this name. It can be written in a condition without quotes.
    pub fn tag(name: &str) -> Result<Self, AnnotationError> {
        let name = name.trim();
        let is_inside = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
        let begins = name.starts_with(char::is_alphanumeric);
        if begins && name.chars().all(is_inside) && name.chars().count() <= MAX_TAG_LENGTH {
            return Ok(Self::Tag(name.to_owned()));
        }
        Err(AnnotationError::InvalidTag { name: name.to_owned() })
    }

    /// A comment with this text, without the spaces around it.
    pub fn comment(text: &str) -> Result<Self, AnnotationError> {
        let text = text.trim();
        let is_control = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
        let why = match text.len() {
            0 => "it is empty".to_owned(),
            length if length > MAX_COMMENT => format!("it has {length} bytes, and {MAX_COMMENT} at most fit"),
            _ if text.contains(is_control) => "it has control characters".to_owned(),
            _ => return Ok(Self::Comment(text.to_owned())),
        };
        Err(AnnotationError::InvalidComment { why })
    }

    /// The name or the text.
    pub fn text(&self) -> &str {
        match self {
            Self::Tag(text) | Self::Comment(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_names_and_comments_are_texts() {
        for name in ["wall", "step-7", "v1.2_b", "Ärger", " wall "] {
            assert_eq!(Annotation::tag(name).unwrap().text(), name.trim());
        }
        for name in ["", "-x", ".x", "two words", "a=b", "a,b", "a\u{1b}", &"x".repeat(41)] {
            assert!(Annotation::tag(name).is_err(), "{name}");
        }
        assert_eq!(Annotation::comment(" one\ntwo ").unwrap().text(), "one\ntwo");
        for text in ["", " \n", "a\u{1b}[31m", &"x".repeat(4001)] {
            assert!(Annotation::comment(text).is_err(), "{text:?}");
        }
    }
}
