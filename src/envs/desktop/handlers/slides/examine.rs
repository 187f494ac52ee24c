//! What a task compares: the options `examine_*`.

use super::{Finding, Params};
use crate::handlers::docs::Options;
use crate::handlers::unknown_name;

/// What is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Examine {
    pub(super) number_of_slides: bool,
    pub(super) shape: bool,
    pub(super) text: bool,
    pub(super) indent: bool,
    pub(super) font_name: bool,
    pub(super) font_size: bool,
    pub(super) font_bold: bool,
    pub(super) font_italic: bool,
    pub(super) color_rgb: bool,
    pub(super) font_underline: bool,
    pub(super) strike_through: bool,
    pub(super) alignment: bool,
    pub(super) bullets: bool,
    pub(super) background_color: bool,
    pub(super) note: bool,
    pub(super) title_bottom_position: bool,
    pub(super) table_bottom_position: bool,
    pub(super) right_position: bool,
    pub(super) top_position: bool,
    pub(super) shape_for_shift_size: bool,
    pub(super) image_size: bool,
    pub(super) modify_height: bool,
}

/// The names of the options.
pub(super) const NAMES: &[&str] = &[
    "examine_number_of_slides",
    "examine_shape",
    "examine_text",
    "examine_indent",
    "examine_font_name",
    "examine_font_size",
    "examine_font_bold",
    "examine_font_italic",
    "examine_color_rgb",
    "examine_font_underline",
    "examine_strike_through",
    "examine_alignment",
    "examine_bullets",
    "examine_background_color",
    "examine_note",
    "examine_title_bottom_position",
    "examine_table_bottom_position",
    "examine_right_position",
    "examine_top_position",
    "examine_shape_for_shift_size",
    "examine_image_size",
    "examine_modify_height",
];

impl Examine {
    /// Reads the parameter `options`: what is not about a fixed place is on unless it is set.
    pub(super) fn read(params: &Params<'_>) -> Result<Self, Finding> {
        let options = Options::read(params, "options", NAMES)?;
        if let Some(name) = options.names().find(|name| !NAMES.contains(name)) {
            return Err(Finding::Error(format!("options.{}", unknown_name(name, NAMES))));
        }
        let usual = |name: &str| options.flag(name, true);
        let special = |name: &str| options.flag(name, false);
        Ok(Self {
            number_of_slides: usual("examine_number_of_slides")?,
            shape: usual("examine_shape")?,
            text: usual("examine_text")?,
            indent: usual("examine_indent")?,
            font_name: usual("examine_font_name")?,
            font_size: usual("examine_font_size")?,
            font_bold: usual("examine_font_bold")?,
            font_italic: usual("examine_font_italic")?,
            color_rgb: usual("examine_color_rgb")?,
            font_underline: usual("examine_font_underline")?,
            strike_through: usual("examine_strike_through")?,
            alignment: usual("examine_alignment")?,
            bullets: usual("examine_bullets")?,
            background_color: usual("examine_background_color")?,
            note: usual("examine_note")?,
            title_bottom_position: special("examine_title_bottom_position")?,
            table_bottom_position: special("examine_table_bottom_position")?,
            right_position: special("examine_right_position")?,
            top_position: special("examine_top_position")?,
            shape_for_shift_size: special("examine_shape_for_shift_size")?,
            image_size: special("examine_image_size")?,
            modify_height: special("examine_modify_height")?,
        })
    }
}
