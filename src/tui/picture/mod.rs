//! Frames in the form that the terminal can show. A frame is scaled and encoded before the screen is drawn, whenever the
//! frame, the size of its pane or the shown part changes; drawing only copies cells, and with graphics the finished
//! screen says which pixels are to be sent. Only the pixels of a magnified frame are kept, so that panning does not
//! decode it again.

mod byte_lru;
mod letters;
mod placement;
mod scale;
#[cfg(test)]
mod tests;
mod zoom;

use std::cell::Cell;
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
use self::letters::BRAILLE_DOTS;
use self::letters::LetterCell;
use self::letters::ascii;
use self::letters::braille;
pub(crate) use self::placement::Placement;
pub(crate) use self::scale::fitted_size;
pub(crate) use self::scale::is_legible;
use self::scale::scale;
pub(crate) use self::zoom::PanSteps;
pub(crate) use self::zoom::PictureZoom;
pub(crate) use self::zoom::can_magnify;
use super::graphics::CellPicture;
use super::graphics::GraphicsProtocol;
use super::graphics::PictureLayer;
use super::picture_form::PictureForm;
use super::theme::ColorDepth;
use crate::domain::Picture;
use crate::domain::PictureError;

/// The most bytes of encoded frames that are kept.
const CACHE_BYTES: usize = 16 << 20;
/// The most bytes of pixels that are kept while a frame is magnified.
const PIXEL_BYTES: usize = 64 << 20;
/// The bytes of an encoded cell: its character and two colours.
const CELL_BYTES: usize = 16;

/// The cells of a terminal that does not say how large they are, in pixels.
const USUAL_CELL: Size = Size { width: 10, height: 20 };

/// The frames that were encoded last, with the sizes they were encoded for.
pub(crate) struct FrameCache {
    form: PictureForm,
    /// The pixels of a cell of the terminal.
    cell: Size,
    /// What a terminal with graphics shows.
    layer: Option<PictureLayer>,
    /// The cells of the picture that was drawn last, if its pixels are sent.
    marked: Cell<Option<Rect>>,
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
        Self {
            form: PictureForm::HalfBlocks,
            cell: USUAL_CELL,
            layer: None,
            marked: Cell::new(None),
            depth: None,
            greyscale: false,
            encoded: ByteLru::new(CACHE_BYTES),
            pixels: None,
            failed: None,
        }
    }
}

struct EncodedFrame {
    /// Only identifies the picture.
    picture: Weak<Picture>,
    room: Size,
    shown: Placement,
    content: Content,
}

/// An encoded picture.
enum Content {
    /// Half blocks, and whether the lower half of the last row is outside the picture.
    HalfBlocks(Protocol, bool),
    /// Characters, row by row, and how many are in a row.
    Letters(Vec<LetterCell>, u16),
    /// Pixels for a terminal with graphics.
    Pixels(CellPicture),
}

impl EncodedFrame {
    /// Whether this picture was encoded.
    fn is_for(&self, picture: &Arc<Picture>) -> bool {
        std::ptr::eq(self.picture.as_ptr(), Arc::as_ptr(picture))
    }

    fn bytes(&self) -> usize {
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

impl FrameCache {
    /// Sets the form of pictures for a terminal with cells of this size in pixels, if it is known. Returns the sequences
    /// that free what the terminal keeps.
    pub(crate) fn set_form(&mut self, form: PictureForm, cell: Option<Size>, in_tmux: bool) -> String {
        let freed = self.leave();
        let protocol = match form {
            PictureForm::Kitty => Some(GraphicsProtocol::Kitty),
            PictureForm::Iterm2 => Some(GraphicsProtocol::Iterm2),
            PictureForm::Sixel => Some(GraphicsProtocol::Sixel),
            _ => None,
        };
        (self.form, self.cell) = (form, cell.unwrap_or(USUAL_CELL));
        self.layer = protocol.map(|protocol| PictureLayer::new(protocol, in_tmux));
        self.encoded = ByteLru::new(CACHE_BYTES);
        freed
    }

    /// The form of pictures.
    pub(crate) fn form(&self) -> PictureForm {
        self.form
    }

    /// The terminal was cleared.
    pub(crate) fn forget_screen(&mut self) {
        self.layer.iter_mut().for_each(PictureLayer::clear);
    }

    /// Finishes the picture on a finished screen, and returns the sequences to send after its text.
    pub(crate) fn finish(&mut self, buf: &mut Buffer) -> String {
        let (Some(layer), area) = (&mut self.layer, self.marked.take()) else { return String::new() };
        let picture = self.encoded.last().and_then(|ready| match &ready.content {
            Content::Pixels(picture) => Some(picture),
            _ => None,
        });
        layer.finish(picture.zip(area), buf)
    }

    /// The sequences that free what the terminal keeps for pictures.
    pub(crate) fn leave(&mut self) -> String {
        self.layer.as_mut().map(PictureLayer::leave).unwrap_or_default()
    }

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
        let content = self.content(picture, &pixels, shown)?;
        let keep = shown.is_part_of(picture) && pixels.len() <= PIXEL_BYTES;
        self.pixels = keep.then(|| (Arc::downgrade(picture), pixels));
        Ok(content.map(|content| EncodedFrame { picture: Arc::downgrade(picture), room, shown, content }))
    }

    /// The picture in the form of the terminal; `None` if it is too large for it.
    fn content(
        &self,
        picture: &Picture,
        pixels: &[u8],
        shown: Placement,
    ) -> Result<Option<Content>, PictureError> {
        let (across, down) = (shown.size.0, shown.size.1.div_ceil(2));
        let sized = |unit: (u32, u32)| {
            scale(picture, pixels, Placement { size: (across * unit.0, down * unit.1), ..shown })
        };
        Ok(match self.form {
            PictureForm::Kitty | PictureForm::Iterm2 | PictureForm::Sixel => {
                let scaled = sized((u32::from(self.cell.width), u32::from(self.cell.height)))?;
                Some(Content::Pixels(CellPicture::new(self.toned(scaled), self.cell)))
            }
            PictureForm::Braille => {
                let letters = braille(&sized(BRAILLE_DOTS)?);
                u16::try_from(across).ok().map(|wide| Content::Letters(letters, wide))
            }
            PictureForm::Ascii => {
                let letters = ascii(&sized((1, 1))?);
                u16::try_from(across).ok().map(|wide| Content::Letters(letters, wide))
            }
            PictureForm::HalfBlocks | PictureForm::Text => half_blocks(&scale(picture, pixels, shown)?),
        })
    }

    /// The pixels, grey for a theme without hue.
    fn toned(&self, pixels: RgbImage) -> RgbImage {
        if !self.greyscale {
            return pixels;
        }
        DynamicImage::ImageLuma8(DynamicImage::ImageRgb8(pixels).into_luma8()).into_rgb8()
    }

    /// Why the picture cannot be shown, if it is the one that was to be encoded.
    pub(crate) fn failure(&self, picture: &Arc<Picture>) -> Option<&str> {
        let (failed, why) = self.failed.as_ref()?;
        std::ptr::eq(failed.as_ptr(), Arc::as_ptr(picture)).then_some(why)
    }

    /// Draws the frame centred in the area, if it is the one that was encoded.
    pub(crate) fn draw(&self, picture: &Arc<Picture>, area: Rect, buf: &mut Buffer) {
        let Some(ready) = self.encoded.last().filter(|ready| ready.is_for(picture)) else { return };
        let place = ready.shown.area(area);
        match &ready.content {
            Content::HalfBlocks(protocol, has_half_row) => {
                self.draw_half_blocks(protocol, *has_half_row, place, buf);
            }
            Content::Letters(letters, wide) => self.draw_letters(letters, *wide, place, buf),
            Content::Pixels(_) => {
                PictureLayer::mark(place, buf);
                self.marked.set(Some(place));
            }
        }
    }

    fn draw_half_blocks(&self, protocol: &Protocol, has_half_row: bool, place: Rect, buf: &mut Buffer) {
        let height = protocol.size().height;
        let ground = buf.cell(place.as_position()).map_or(Color::Reset, |cell| cell.bg);
        Image::new(protocol).allow_clipping(true).render(place, buf);
        for position in place.positions() {
            let last = has_half_row && position.y + 1 == place.y + height;
            buf.cell_mut(position).into_iter().for_each(|cell| self.fit_cell(cell, last.then_some(ground)));
        }
    }

    fn draw_letters(&self, letters: &[LetterCell], wide: u16, place: Rect, buf: &mut Buffer) {
        for at in place.positions() {
            let number = usize::from(at.y - place.y) * usize::from(wide) + usize::from(at.x - place.x);
            if let (Some(letter), Some(cell)) = (letters.get(number), buf.cell_mut(at)) {
                cell.set_char(letter.symbol).set_fg(self.terminal_color(letter.color));
            }
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

/// One pixel per half cell as half blocks; `None` if there are too many.
fn half_blocks(scaled: &RgbImage) -> Option<Content> {
    let (width, height) = scaled.dimensions();
    let cells = Size::new(u16::try_from(width).ok()?, u16::try_from(height.div_ceil(2)).ok()?);
    // The library scales only what does not fit the cells exactly.
    let mut sheet = RgbImage::new(width, u32::from(cells.height) * 2);
    imageops::replace(&mut sheet, scaled, 0, 0);
    let protocol = Halfblocks::new(DynamicImage::ImageRgb8(sheet), cells).ok()?;
    Some(Content::HalfBlocks(Protocol::Halfblocks(protocol), height % 2 == 1))
}
