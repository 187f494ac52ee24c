//! Frames in the form that the terminal can show. Pictures are scaled and encoded whenever a picture, the size of its
//! place or the shown part changes: before the drawing, or by a thread beside it (`queue`), whose answer leads to another
//! drawing. Drawing only copies cells, and with graphics the finished screen says which pixels are to be sent; their bytes
//! are made in the same way. A screen may have several pictures. Only the pixels of magnified ones are kept, so that
//! panning does not decode them again.

mod byte_lru;
mod detail;
mod encoded;
mod encoding;
mod half_blocks;
mod held_cells;
mod held_pixels;
mod job;
mod later_patches;
mod letters;
mod overlay;
mod placement;
mod places;
mod preparing;
mod queue;
mod room;
mod scale;
mod sextants;
#[cfg(test)]
mod tests;
mod zoom;

pub use self::overlay::with_shapes;
pub use self::placement::Placement;
pub use self::room::PictureRoom;
pub use self::scale::{fitted_size, is_legible};
pub use self::zoom::{PanSteps, PictureZoom, can_magnify};
use std::cell::Cell;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::Style;
use ratatui::text::{Span, Text};
use ratatui::widgets::Widget;

use self::byte_lru::ByteLru;
use self::detail::{DecidedPicture, Detail};
use self::encoded::{Content, EncodedFrame, Tones};
use self::held_cells::{DrawnCell, HeldCells, cells_of, drawn_cells};
use self::job::{EncodedKey, JobKey};
use self::later_patches::{LaterPatches, ReadyPatches};
use self::places::Places;
use self::preparing::FailedPicture;
use self::queue::PictureQueue;
use crate::graphics::{
    AtOnce, CellPicture, GraphicsProtocol, LayerUpdate, PictureLayer, PlacedPicture, encode,
};
use crate::link::PicturePace;
use crate::theme::ColorDepth;
use crate::wrap::wrap;
use mageyard_config::PictureForm;
use mageyard_domain::Picture;

/// The most bytes of encoded pictures that are kept beside those on the screen.
const CACHE_BYTES: usize = 16 << 20;
/// The most numbers of programs that share the pictures of a terminal.
const OWNERS: u32 = 255;
/// How many times the usual time a drawing waits for pictures where bytes count: a second drawing costs some.
const SLOW_LINK_PATIENCE: u32 = 3;

/// The cells of a terminal that does not say how large they are, in pixels.
const USUAL_CELL: Size = Size { width: 10, height: 20 };

/// The pictures that were encoded last, with the sizes they were encoded for.
pub struct FrameCache {
    form: PictureForm,
    /// The pixels of a cell of the terminal.
    cell: Size,
    /// Whether the terminal has Kitty's placeholder cells, as far as is known.
    placeholders: bool,
    /// Tells the pictures of this program from those of others in the same terminal.
    owner: u32,
    /// What a terminal with graphics shows.
    layer: Option<PictureLayer>,
    /// The pictures whose pixels are sent, in the order in which they were drawn: their numbers and cells.
    marked: Cell<Vec<(u64, Rect)>>,
    tones: Tones,
    /// The style of messages about pictures that cannot be shown.
    fault: Style,
    encoded: ByteLru<EncodedFrame>,
    last_number: u64,
    queue: PictureQueue,
    /// What the newest drawing wants to draw.
    asked: Vec<EncodedKey>,
    places: Places,
    /// Whether a picture has come since the last drawing whose bytes a terminal with graphics has not got.
    is_fresh: bool,
    /// The bytes of parts of pictures, for terminals with graphics.
    patches: ReadyPatches,
    failed: Vec<FailedPicture>,
    /// What the link carries; `None` if bytes do not count.
    pace: Option<PicturePace>,
    detail: Detail,
    /// The picture for which the detail was decided, and whether that was in this drawing.
    decided: (Option<DecidedPicture>, bool),
    /// The job after which it is decided.
    outlined: Option<JobKey>,
    /// Whether this drawing does not know yet.
    is_undecided: bool,
    /// The cells of pictures made of characters, as they were drawn.
    drawn: Cell<Vec<DrawnCell>>,
    held: HeldCells,
    /// Whether a part of the pictures is left for the next drawing.
    rest: bool,
}

impl Default for FrameCache {
    fn default() -> Self {
        Self {
            form: PictureForm::HalfBlocks,
            cell: USUAL_CELL,
            placeholders: true,
            owner: 1,
            layer: None,
            marked: Cell::default(),
            tones: Tones { depth: ColorDepth::TrueColor, grey: false },
            fault: Style::new(),
            encoded: ByteLru::new(CACHE_BYTES),
            last_number: 0,
            queue: PictureQueue::default(),
            asked: Vec::new(),
            places: Places::default(),
            is_fresh: false,
            patches: ReadyPatches::default(),
            failed: Vec::new(),
            pace: None,
            detail: Detail::Full,
            decided: (None, false),
            outlined: None,
            is_undecided: false,
            drawn: Cell::default(),
            held: HeldCells::default(),
            rest: false,
        }
    }
}

impl FrameCache {
    /// Sets the number of this program, such as that of its process: inside tmux several programs share the pictures of a
    /// terminal.
    pub fn set_owner(&mut self, number: u32) {
        self.owner = number % OWNERS + 1;
    }

    /// Sets the form of pictures for a terminal with cells of this size in pixels, if it is known, and whether it has
    /// Kitty's placeholder cells. Returns the sequences
    /// that free what the terminal keeps.
    pub fn set_form(
        &mut self,
        form: PictureForm,
        cell: Option<Size>,
        placeholders: bool,
        in_tmux: bool,
    ) -> String {
        let freed = self.leave();
        let protocol = match form {
            PictureForm::Kitty if placeholders => Some(GraphicsProtocol::Kitty),
            PictureForm::Kitty => Some(GraphicsProtocol::KittyTiles),
            PictureForm::Iterm2 => Some(GraphicsProtocol::Iterm2),
            PictureForm::Sixel => Some(GraphicsProtocol::Sixel),
            _ => None,
        };
        self.form = form;
        self.cell = cell.unwrap_or(USUAL_CELL);
        self.placeholders = placeholders;
        self.layer = protocol.map(|protocol| PictureLayer::new(protocol, in_tmux, self.owner));
        self.renew();
        freed
    }

    /// Drops what is encoded and what is about to be.
    fn renew(&mut self) {
        self.encoded = ByteLru::new(CACHE_BYTES);
        self.patches.clear();
        self.queue.renew();
    }

    /// Whether pictures have this form, for a terminal with such cells.
    pub fn has_form(&self, form: PictureForm, cell: Option<Size>, placeholders: bool) -> bool {
        let cell = cell.unwrap_or(USUAL_CELL);
        (self.form, self.cell, self.placeholders) == (form, cell, placeholders)
    }

    /// The terminal was cleared.
    pub fn forget_screen(&mut self) {
        if let Some(layer) = &mut self.layer {
            layer.clear();
        }
        self.held.clear();
        self.failed.clear();
    }

    /// Sets what the link carries; `None` if bytes do not count.
    pub fn set_pace(&mut self, pace: Option<PicturePace>) {
        if pace.is_none() {
            (self.detail, self.decided.0) = (Detail::Full, None);
            self.held.clear();
        }
        self.pace = pace;
    }

    /// Whether another drawing of the same screen would send more at once: the rest of a picture, or finer ones.
    pub fn has_more(&mut self) -> bool {
        if self.queue.is_waiting() {
            // What comes leads to another drawing, of the detail that is decided by then.
            return self.rest;
        }
        let is_coarse = self.detail != Detail::Full;
        if !self.rest && is_coarse {
            self.detail = self.detail.finer();
        }
        self.rest || is_coarse
    }

    /// Begins a drawing of the screen, with the colour depth of the terminal, whether the theme is greyscale, and the
    /// style of messages about pictures that cannot be shown.
    pub fn begin(&mut self, depth: ColorDepth, grey: bool, fault: Style) {
        self.queue.drop_waiting();
        self.take_finished();
        if self.tones.grey != grey {
            self.renew();
        }
        self.tones = Tones { depth, grey };
        self.fault = fault;
        self.encoded.begin_round();
        self.forget_failures();
        self.asked.clear();
        self.begin_places();
        let times = self.pace.map_or(1, |_| SLOW_LINK_PATIENCE);
        self.queue.begin(self.is_fresh && self.layer.is_some(), times);
        self.decided.1 = false;
        self.is_undecided = false;
        self.marked.take();
        self.drawn.take();
    }

    /// Finishes the pictures on a finished screen, and returns the sequences to send after its text. A picture that
    /// cannot be encoded gives way to a message.
    pub fn finish(&mut self, buf: &mut Buffer) -> String {
        let most = self.pace.map_or(usize::MAX, |pace| self.detail.part_cells(pace, self.form));
        self.rest = self.held.limit(self.drawn.take(), most, buf);
        let marked = self.marked.take();
        let sequences = self.finish_layer(&marked, most, buf).unwrap_or_default();
        self.queue.end();
        sequences
    }

    fn finish_layer(&mut self, marked: &[(u64, Rect)], most: usize, buf: &mut Buffer) -> Option<String> {
        let layer = self.layer.as_mut()?;
        let find = |number: u64| self.encoded.find(|ready| ready.number == number)?.pixels();
        let missing = Arc::new(CellPicture::default());
        let pictures: Vec<PlacedPicture<'_>> = marked
            .iter()
            .map(|(number, area)| PlacedPicture { picture: find(*number).unwrap_or(&missing), area: *area })
            .collect();
        let mut others = Vec::new();
        let update = if self.queue.is_immediate() {
            layer.finish(&pictures, most, &mut AtOnce(encode), buf)
        } else {
            let mut source = LaterPatches::new(&mut self.patches, &mut self.queue);
            let update = layer.finish(&pictures, most, &mut source, buf);
            others = source.end();
            update
        };
        let LayerUpdate { sequences, rest, is_late, failed } = update;
        // What is late leads to another drawing when it comes.
        self.rest |= rest && !is_late;
        self.is_fresh = is_late;
        for (index, why) in failed {
            let area = pictures.get(index).map_or(Rect::ZERO, |placed| placed.area);
            let why = format!("the picture cannot be encoded: {why}");
            Text::from(wrap(&why, area.width, &Span::raw(""), self.fault)).render(area, buf);
        }
        for outcome in others {
            self.accept(outcome);
        }
        Some(sequences)
    }

    /// The sequences that free what the terminal keeps for pictures.
    pub fn leave(&mut self) -> String {
        self.layer.as_mut().map(PictureLayer::leave).unwrap_or_default()
    }

    /// Why the picture cannot be shown, if it was to be encoded.
    pub(crate) fn failure(&self, picture: &Arc<Picture>) -> Option<&str> {
        self.failed.iter().find(|failed| failed.is_of(picture)).map(|failed| failed.why.as_str())
    }

    /// Draws the picture centred in the area for which it was prepared, or why it cannot be shown. While it is encoded the
    /// place keeps what it showed.
    pub fn draw(&self, picture: &Arc<Picture>, area: Rect, buf: &mut Buffer) {
        if let Some(why) = self.failure(picture) {
            return Text::from(wrap(why, area.width, &Span::raw(""), self.fault)).render(area, buf);
        }
        let Some(ready) = self.ready_for(picture, area) else { return };
        let place = ready.key.shown.area(area);
        let under = self.pace.filter(|_| ready.pixels().is_none()).map(|_| cells_of(place, buf));
        match &ready.content {
            Content::HalfBlocks(pixels) => half_blocks::draw(pixels, self.tones, place, buf),
            Content::Letters(letters, wide) => self.tones.draw_letters(letters, *wide, place, buf),
            Content::Pixels(_) => {
                let mut marked = self.marked.take();
                PictureLayer::mark(marked.len(), place, buf);
                marked.push((ready.number, place));
                self.marked.set(marked);
            }
        }
        let mut drawn = self.drawn.take();
        drawn.extend(under.map(|under| drawn_cells(under, buf)).into_iter().flatten());
        self.drawn.set(drawn);
    }
}
