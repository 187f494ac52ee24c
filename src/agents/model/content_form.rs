//! How the content of a turn is written: as one string or as a list of parts. Some servers drop or refuse lists of texts,
//! others refuse strings, so it is a setting.

use mageyard_domain::{Message, OptionError};

/// The form of the content of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentForm {
    /// A string for a turn without an image, a list for others.
    Auto,
    /// Always a string, so a turn cannot have an image.
    String,
    /// Always a list.
    Parts,
}

impl ContentForm {
    /// The form of this name.
    pub(super) fn parse(name: &str) -> Result<Self, OptionError> {
        match name {
            "auto" => Ok(Self::Auto),
            "string" => Ok(Self::String),
            "parts" => Ok(Self::Parts),
            other => {
                let why = format!("{other:?} is not a form of content; these are auto, string and parts");
                Err(OptionError { name: "content".to_owned(), why })
            }
        }
    }

    /// Whether the content of this turn is a list.
    pub(super) fn is_list(self, message: &Message) -> bool {
        match self {
            Self::Auto => message.images().next().is_some(),
            Self::String => false,
            Self::Parts => true,
        }
    }

    /// Checks that the turns can be written in this form. The error names the setting.
    pub(super) fn check(self, request: &[Message]) -> Result<(), String> {
        let with_image = request.iter().position(|message| message.images().next().is_some());
        match with_image {
            Some(turn) if self == Self::String => Err(format!(
                "turn {} has an image, which model.content = \"string\" cannot send; set it to \"auto\", or use a \
                 prompt without images such as HD-CoT-NoIMG",
                turn + 1
            )),
            _ => Ok(()),
        }
    }
}
