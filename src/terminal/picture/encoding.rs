//! A picture in the form that a terminal shows: cells of two colours, letters, or pixels.

use std::sync::Arc;

use image::imageops::FilterType;
use image::{RgbImage, imageops};
use ratatui::layout::Size;

use super::detail::Detail;
use super::encoded::{Content, Tones};
use super::letters::{BRAILLE_DOTS, ascii, braille};
use super::placement::Placement;
use super::scale::scale;
use super::sextants::{SEXTANT_PIXELS, sextants};
use crate::graphics::CellPicture;
use mageyard_config::PictureForm;
use mageyard_domain::{Picture, PictureError};

/// How pictures are encoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Encoding {
    pub(super) form: PictureForm,
    /// The pixels of a cell of the terminal.
    pub(super) cell: Size,
    pub(super) tones: Tones,
    pub(super) detail: Detail,
}

impl Encoding {
    /// The picture in the form of the terminal; `None` if it is too large for it.
    pub(super) fn content(
        self,
        picture: &Picture,
        pixels: &[u8],
        shown: Placement,
    ) -> Result<Option<Content>, PictureError> {
        let across = shown.size.0;
        let down = shown.size.1.div_ceil(2);
        let coarse = u32::from(self.detail.divisor());
        let sized = |unit: (u32, u32)| {
            let full = (across * unit.0, down * unit.1);
            if coarse == 1 {
                return scale(picture, pixels, Placement { size: full, ..shown });
            }
            let size = (full.0.div_ceil(coarse), full.1.div_ceil(coarse));
            let small = scale(picture, pixels, Placement { size, ..shown })?;
            Ok(imageops::resize(&small, full.0, full.1, FilterType::Nearest))
        };
        Ok(match self.form {
            // These terminals scale pixels to cells.
            PictureForm::Kitty | PictureForm::Iterm2 => {
                let coarse_side = |pixels: u16| pixels.div_ceil(self.detail.divisor());
                let cell = Size::new(coarse_side(self.cell.width), coarse_side(self.cell.height));
                let size = (across * u32::from(cell.width), down * u32::from(cell.height));
                let scaled = scale(picture, pixels, Placement { size, ..shown })?;
                Some(self.pixels(scaled, cell))
            }
            PictureForm::Sixel => {
                let scaled = sized((u32::from(self.cell.width), u32::from(self.cell.height)))?;
                Some(self.pixels(scaled, self.cell))
            }
            PictureForm::Braille => {
                let letters = braille(&sized(BRAILLE_DOTS)?);
                u16::try_from(across).ok().map(|wide| Content::Letters(letters, wide))
            }
            PictureForm::Sextants => {
                let letters = sextants(&sized(SEXTANT_PIXELS)?);
                u16::try_from(across).ok().map(|wide| Content::Letters(letters, wide))
            }
            PictureForm::Ascii => {
                let letters = ascii(&sized((1, 1))?);
                u16::try_from(across).ok().map(|wide| Content::Letters(letters, wide))
            }
            PictureForm::HalfBlocks | PictureForm::Text if coarse == 1 => {
                Some(Content::HalfBlocks(scale(picture, pixels, shown)?))
            }
            PictureForm::HalfBlocks | PictureForm::Text => Some(Content::HalfBlocks(sized((1, 2))?)),
        })
    }

    fn pixels(self, scaled: RgbImage, cell: Size) -> Content {
        Content::Pixels(Arc::new(CellPicture::new(self.tones.of_pixels(scaled), cell)))
    }
}
