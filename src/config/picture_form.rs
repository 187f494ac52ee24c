//! The forms in which a terminal can show pictures.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// The names of the setting: the best that the terminal has, and all forms.
const NAMES: &[&str] =
    &["auto", "kitty", "iterm2", "sixel", "half-blocks", "sextants", "braille", "ascii", "text"];

/// A form of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureForm {
    /// Kitty's graphics protocol with placeholder cells.
    Kitty,
    /// iTerm2's inline pictures.
    Iterm2,
    /// Sixel.
    Sixel,
    /// Half blocks: two pixels a cell.
    HalfBlocks,
    /// Sextants: six pixels a cell in two colours, where the font has them.
    Sextants,
    /// Braille: eight dots a cell in one colour.
    Braille,
    /// ASCII characters by lightness.
    Ascii,
    /// The observation as text.
    Text,
}

impl PictureForm {
    /// All forms, best first.
    pub const ALL: [Self; 8] = [
        Self::Kitty,
        Self::Iterm2,
        Self::Sixel,
        Self::HalfBlocks,
        Self::Sextants,
        Self::Braille,
        Self::Ascii,
        Self::Text,
    ];

    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kitty => "kitty",
            Self::Iterm2 => "iterm2",
            Self::Sixel => "sixel",
            Self::HalfBlocks => "half-blocks",
            Self::Sextants => "sextants",
            Self::Braille => "braille",
            Self::Ascii => "ascii",
            Self::Text => "text",
        }
    }

    /// Whether the terminal gets pixels, so that a picture is legible in any pane.
    pub fn has_pixels(self) -> bool {
        matches!(self, Self::Kitty | Self::Iterm2 | Self::Sixel)
    }

    /// The form of this name; `None` for `auto` and for unknown names.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }
}

/// Reads the setting; `auto` is the best that the terminal has.
pub(super) fn auto_or_form<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<PictureForm>, D::Error> {
    let name = String::deserialize(reader)?;
    match PictureForm::by_name(&name) {
        None if name != "auto" => Err(Error::unknown_variant(&name, NAMES)),
        form => Ok(form),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_setting() {
        for form in PictureForm::ALL {
            assert_eq!(PictureForm::by_name(form.name()), Some(form));
        }
        assert_eq!(NAMES[1..], PictureForm::ALL.map(PictureForm::name));
        assert_eq!(PictureForm::by_name("auto"), None);
    }
}
