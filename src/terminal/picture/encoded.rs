//! Encoded pictures, and how they are drawn into cells.

use std::sync::{Arc, Weak};

use image::{DynamicImage, RgbImage, imageops};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::Color;
use ratatui::widgets::Widget;
use ratatui_image::Image;
use ratatui_image::protocol::Protocol;
use ratatui_image::protocol::halfblocks::Halfblocks;

use super::detail::Detail;
use super::letters::LetterCell;
use super::placement::Placement;
use crate::graphics::CellPicture;
use crate::theme::ColorDepth;
use mageyard_domain::Picture;

/// The bytes of an encoded cell: its character and two colours.
pub(super) const CELL_BYTES: usize = 16;

/// An encoded part of a picture.
pub(super) struct EncodedFrame {
    /// Tells it from others.
    pub(super) number: u64,
    /// Only identifies the picture.
    pub(super) picture: Weak<Picture>,
    pub(super) room: Size,
    pub(super) shown: Placement,
    pub(super) detail: Detail,
    pub(super) content: Content,
}

/// An encoded picture.
pub(super) enum Content {
    /// Half blocks, and whether the lower half of the last row is outside the picture.
    HalfBlocks(Protocol, bool),
    /// Characters, row by row, and how many are in a row.
    Letters(Vec<LetterCell>, u16),
    /// Pixels for a terminal with graphics.
    Pixels(CellPicture),
}

impl EncodedFrame {
    /// The pixels for a terminal with graphics.
    pub(super) fn pixels(&self) -> Option<&CellPicture> {
        match &self.content {
            Content::Pixels(pixels) => Some(pixels),
            _ => None,
        }
    }

    /// Whether this picture was encoded.
    pub(super) fn is_for(&self, picture: &Arc<Picture>) -> bool {
        std::ptr::eq(self.picture.as_ptr(), Arc::as_ptr(picture))
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + match &self.content {
                Content::HalfBlocks(protocol, _) => {
                    let Size { width, height } = protocol.size();
                    usize::from(width) * usize::from(height) * CELL_BYTES
                }
                Content::Letters(letters, _) => size_of_val(&letters[..]),
                Content::Pixels(pixels) => pixels.bytes(),
            }
    }
}

/// One pixel per half cell as half blocks; `None` if there are too many.
pub(super) fn half_blocks(scaled: &RgbImage) -> Option<Content> {
    let (width, height) = scaled.dimensions();
    let cells = Size::new(u16::try_from(width).ok()?, u16::try_from(height.div_ceil(2)).ok()?);
    // The library scales only what does not fit the cells exactly.
    let mut sheet = RgbImage::new(width, u32::from(cells.height) * 2);
    imageops::replace(&mut sheet, scaled, 0, 0);
    let protocol = Halfblocks::new(DynamicImage::ImageRgb8(sheet), cells).ok()?;
    Some(Content::HalfBlocks(Protocol::Halfblocks(protocol), height % 2 == 1))
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

    pub(super) fn draw_half_blocks(
        self,
        protocol: &Protocol,
        has_half_row: bool,
        place: Rect,
        buf: &mut Buffer,
    ) {
        let height = protocol.size().height;
        let ground = buf.cell(place.as_position()).map_or(Color::Reset, |cell| cell.bg);
        Image::new(protocol).allow_clipping(true).render(place, buf);
        for position in place.positions() {
            let last = has_half_row && position.y + 1 == place.y + height;
            buf.cell_mut(position).into_iter().for_each(|cell| self.fit_cell(cell, last.then_some(ground)));
        }
    }

    pub(super) fn draw_letters(self, letters: &[LetterCell], wide: u16, place: Rect, buf: &mut Buffer) {
        for at in place.positions() {
            let number = usize::from(at.y - place.y) * usize::from(wide) + usize::from(at.x - place.x);
            if let (Some(letter), Some(cell)) = (letters.get(number), buf.cell_mut(at)) {
                cell.set_char(letter.symbol).set_fg(self.of_terminal(letter.color));
            }
        }
    }

    /// Maps the colours of a cell to those of the terminal. A blank gets no foreground, which saves bytes; the
    /// half row below a picture of odd height gets the background.
    fn fit_cell(self, cell: &mut ratatui::buffer::Cell, below: Option<Color>) {
        if let Some(ground) = below {
            let upper = if cell.symbol() == "▄" { cell.bg } else { cell.fg };
            cell.set_symbol("▀").set_fg(self.of_terminal(upper)).set_bg(ground);
        } else if cell.symbol() == " " {
            let color = self.of_terminal(cell.bg);
            cell.set_fg(Color::Reset).set_bg(color);
        } else {
            let ink = self.of_terminal(cell.fg);
            let paper = self.of_terminal(cell.bg);
            cell.set_fg(ink).set_bg(paper);
        }
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
