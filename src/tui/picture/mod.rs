//! Frames as half blocks. A frame is scaled and encoded before the screen is drawn, whenever the frame, the size of its
//! pane or the shown part changes; drawing only copies cells. Only the pixels of a magnified frame are kept, so that
//! panning does not decode it again.

mod byte_lru;
mod placement;
mod scale;
#[cfg(test)]
mod tests;
mod zoom;

use std::sync::Arc;
use std::sync::Weak;

use image::DynamicImage;
use image::RgbImage;
use image::imageops;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::layout::Size;
use ratatui::style::Color;
use ratatui::widgets::Widget;
use ratatui_image::Image;
use ratatui_image::protocol::Protocol;
use ratatui_image::protocol::halfblocks::Halfblocks;

use self::byte_lru::ByteLru;
pub(crate) use self::placement::Placement;
pub(crate) use self::scale::fitted_size;
pub(crate) use self::scale::is_legible;
use self::scale::scale;
pub(crate) use self::zoom::PanSteps;
pub(crate) use self::zoom::PictureZoom;
pub(crate) use self::zoom::can_magnify;
use super::theme::ColorDepth;
use crate::domain::Picture;
use crate::domain::PictureError;

/// The most bytes of encoded frames that are kept.
const CACHE_BYTES: usize = 16 << 20;
/// The most bytes of pixels that are kept while a frame is magnified.
const PIXEL_BYTES: usize = 64 << 20;
/// The bytes of an encoded cell: its character and two colours.
const CELL_BYTES: usize = 16;

/// The frames that were encoded last, with the sizes they were encoded for.
pub(crate) struct FrameCache {
    depth: Option<ColorDepth>,
    /// Whether the theme has no hue, so that pictures are grey too.
    greyscale: bool,
    encoded: ByteLru<EncodedFrame>,
    /// The pixels of a magnified picture.
    pixels: Option<(Weak<Picture>, Arc<Vec<u8>>)>,
    /// The picture that could not be painted or decoded last, and why.
    failed: Option<(Weak<Picture>, String)>,
}

impl Default for FrameCache {
    fn default() -> Self {
        Self { depth: None, greyscale: false, encoded: ByteLru::new(CACHE_BYTES), pixels: None, failed: None }
    }
}

struct EncodedFrame {
    /// Only identifies the picture.
    picture: Weak<Picture>,
    room: Size,
    shown: Placement,
    protocol: Protocol,
    /// Whether the lower half of the last row is outside the picture.
    has_half_row: bool,
}

impl EncodedFrame {
    /// Whether this picture was encoded.
    fn is_for(&self, picture: &Arc<Picture>) -> bool {
        std::ptr::eq(self.picture.as_ptr(), Arc::as_ptr(picture))
    }

    fn bytes(&self) -> usize {
        let Size { width, height } = self.protocol.size();
        size_of::<Self>() + usize::from(width) * usize::from(height) * CELL_BYTES
    }
}

impl FrameCache {
    /// Sets the colour depth of the terminal, and whether the theme is greyscale.
    pub(crate) fn set_colors(&mut self, depth: ColorDepth, grey: bool) {
        (self.depth, self.greyscale) = (Some(depth), grey);
    }

    /// Encodes this frame for a pane of this size, unless that was done before.
    pub(crate) fn prepare(&mut self, picture: &Arc<Picture>, room: Size, zoom: PictureZoom) {
        let Some(shown) = zoom.placement(picture, room) else { return };
        let is_wanted = |ready: &EncodedFrame| ready.room == room && ready.shown == shown;
        let known = self.encoded.touch(|ready| is_wanted(ready) && ready.is_for(picture));
        match if known { Ok(None) } else { self.encode(picture, room, shown) } {
            Ok(ready) => {
                if let Some(ready) = ready {
                    let bytes = ready.bytes();
                    self.encoded.insert(ready, bytes);
                }
                self.failed = None;
            }
            Err(error) => self.failed = Some((Arc::downgrade(picture), error.to_string())),
        }
    }

    fn encode(
        &mut self,
        picture: &Arc<Picture>,
        room: Size,
        shown: Placement,
    ) -> Result<Option<EncodedFrame>, PictureError> {
        let held = self.pixels.take().filter(|held| std::ptr::eq(held.0.as_ptr(), Arc::as_ptr(picture)));
        let pixels = held.map_or_else(|| picture.pixels(), |held| Ok(held.1))?;
        let scaled = scale(picture, &pixels, shown)?;
        let keep = shown.is_part_of(picture) && pixels.len() <= PIXEL_BYTES;
        self.pixels = keep.then(|| (Arc::downgrade(picture), pixels));
        Ok(encode_cells(picture, room, shown, &scaled))
    }

    /// Why the picture cannot be shown, if it is the one that was to be encoded.
    pub(crate) fn failure(&self, picture: &Arc<Picture>) -> Option<&str> {
        let (failed, why) = self.failed.as_ref()?;
        std::ptr::eq(failed.as_ptr(), Arc::as_ptr(picture)).then_some(why)
    }

    /// Draws the frame centred in the area, if it is the one that was encoded.
    pub(crate) fn draw(&self, picture: &Arc<Picture>, area: Rect, buf: &mut Buffer) {
        let Some(ready) = self.encoded.last().filter(|ready| ready.is_for(picture)) else { return };
        let height = ready.protocol.size().height;
        let place = ready.shown.area(area);
        let ground = buf.cell(place.as_position()).map_or(Color::Reset, |cell| cell.bg);
        Image::new(&ready.protocol).allow_clipping(true).render(place, buf);
        for position in place.positions() {
            let last = ready.has_half_row && position.y + 1 == place.y + height;
            buf.cell_mut(position).into_iter().for_each(|cell| self.fit_cell(cell, last.then_some(ground)));
        }
    }

    /// Maps the colours of a cell to those of the terminal. A blank gets no foreground, which saves bytes; the
    /// half row below a picture of odd height gets the background.
    fn fit_cell(&self, cell: &mut ratatui::buffer::Cell, below: Option<Color>) {
        if let Some(ground) = below {
            let upper = if cell.symbol() == "▄" { cell.bg } else { cell.fg };
            cell.set_symbol("▀").set_fg(self.terminal_color(upper)).set_bg(ground);
        } else if cell.symbol() == " " {
            let color = self.terminal_color(cell.bg);
            cell.set_fg(Color::Reset).set_bg(color);
        } else {
            let (ink, paper) = (self.terminal_color(cell.fg), self.terminal_color(cell.bg));
            cell.set_fg(ink).set_bg(paper);
        }
    }

    /// A colour of the picture as theme and terminal can show it.
    fn terminal_color(&self, color: Color) -> Color {
        let color = if self.greyscale { grey(color) } else { color };
        self.depth.unwrap_or(ColorDepth::TrueColor).nearest(color)
    }
}

/// The grey of the same luma (ITU-R BT.601).
fn grey(color: Color) -> Color {
    let Color::Rgb(r, g, b) = color else { return color };
    let light = (u32::from(r) * 299 + u32::from(g) * 587 + u32::from(b) * 114 + 500) / 1000;
    let light = u8::try_from(light).unwrap_or(u8::MAX);
    Color::Rgb(light, light, light)
}

fn encode_cells(
    picture: &Arc<Picture>,
    room: Size,
    shown: Placement,
    scaled: &RgbImage,
) -> Option<EncodedFrame> {
    let (width, height) = scaled.dimensions();
    let cells = Size::new(u16::try_from(width).ok()?, u16::try_from(height.div_ceil(2)).ok()?);
    // The library scales only what does not fit the cells exactly.
    let mut sheet = RgbImage::new(width, u32::from(cells.height) * 2);
    imageops::replace(&mut sheet, scaled, 0, 0);
    let protocol = Halfblocks::new(DynamicImage::ImageRgb8(sheet), cells).ok()?;
    Some(EncodedFrame {
        picture: Arc::downgrade(picture),
        room,
        shown,
        protocol: Protocol::Halfblocks(protocol),
        has_half_row: height % 2 == 1,
    })
}
