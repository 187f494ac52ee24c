//! Encoded pictures, and how they are drawn into cells.

use std::sync::Arc;

use image::{DynamicImage, Rgb, RgbImage};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;

use super::job::EncodedKey;
use super::letters::LetterCell;
use crate::graphics::CellPicture;
use crate::theme::ColorDepth;

/// An encoded part of a picture.
pub(super) struct EncodedFrame {
    /// Tells it from others.
    pub(super) number: u64,
    pub(super) key: EncodedKey,
    pub(super) content: Content,
}

/// An encoded picture.
pub(super) enum Content {
    /// One pixel per half cell.
    HalfBlocks(RgbImage),
    /// Characters, row by row, and how many are in a row.
    Letters(Vec<LetterCell>, u16),
    /// Pixels for a terminal with graphics.
    Pixels(Arc<CellPicture>),
}

impl EncodedFrame {
    /// The pixels for a terminal with graphics.
    pub(super) fn pixels(&self) -> Option<&Arc<CellPicture>> {
        match &self.content {
            Content::Pixels(pixels) => Some(pixels),
            _ => None,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + match &self.content {
                Content::HalfBlocks(pixels) => pixels.len(),
                Content::Letters(letters, _) => size_of_val(&letters[..]),
                Content::Pixels(pixels) => pixels.bytes(),
            }
    }
}

/// The colours that pictures can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tones {
    pub(super) depth: ColorDepth,
    /// Whether the theme has no hue, so that pictures are grey too.
    pub(super) grey: bool,
}

impl Tones {
    /// The pixels, grey for a theme without hue.
    pub(super) fn of_pixels(self, pixels: RgbImage) -> RgbImage {
        if !self.grey {
            return pixels;
        }
        DynamicImage::ImageLuma8(DynamicImage::ImageRgb8(pixels).into_luma8()).into_rgb8()
    }

    pub(super) fn draw_letters(self, letters: &[LetterCell], wide: u16, place: Rect, buf: &mut Buffer) {
        for at in place.positions() {
            let number = usize::from(at.y - place.y) * usize::from(wide) + usize::from(at.x - place.x);
            if let (Some(letter), Some(cell)) = (letters.get(number), buf.cell_mut(at)) {
                cell.set_char(letter.symbol).set_fg(self.of_terminal(letter.color));
                if let Some(ground) = letter.ground {
                    cell.set_bg(self.of_terminal(ground));
                }
            }
        }
    }

    /// A pixel as theme and terminal can show it.
    pub(super) fn of_pixel(self, Rgb([red, green, blue]): Rgb<u8>) -> Color {
        self.of_terminal(Color::Rgb(red, green, blue))
    }

    /// A colour of the picture as theme and terminal can show it.
    fn of_terminal(self, color: Color) -> Color {
        let color = if self.grey { grey(color) } else { color };
        self.depth.nearest(color)
    }
}

/// The grey of the same luma (ITU-R BT.601).
pub(super) fn grey(color: Color) -> Color {
    let Color::Rgb(r, g, b) = color else { return color };
    let light = (u32::from(r) * 299 + u32::from(g) * 587 + u32::from(b) * 114 + 500) / 1000;
    let light = u8::try_from(light).unwrap_or(u8::MAX);
    Color::Rgb(light, light, light)
}
