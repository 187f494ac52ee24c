//! What a terminal with graphics shows, and the sequences that make it show something else. Only cells whose pixels have
//! changed, or that something else had covered, are sent; with Kitty's protocol only those whose pixels the terminal has
//! nowhere.

use std::collections::HashMap;
use std::collections::HashSet;
use std::io::Cursor;

use image::ImageFormat;
use image::RgbImage;
use image::imageops;
use ratatui::buffer::Buffer;
use ratatui::buffer::CellDiffOption;
use ratatui::layout::Position;
use ratatui::layout::Rect;
use ratatui::layout::Size;

use super::GraphicsProtocol;
use super::cell_grid::CellPicture;
use super::cell_grid::rectangles;
use super::iterm2;
use super::kitty;
use super::kitty::KittyCell;
use super::passthrough;
use super::sixel;

/// The text of a cell that shows a part of a picture until the layer has seen the finished screen. What is drawn over the
/// picture replaces it. It is a private character that hostile text cannot contain, because such text is made visible.
pub(in crate::tui) const PICTURE_CELL: &str = "\u{10fffd}";
/// The most pictures that a terminal keeps although none of their cells is shown.
const KEPT: usize = 48;

/// The pictures of a terminal.
#[derive(Debug)]
pub(in crate::tui) struct PictureLayer {
    protocol: GraphicsProtocol,
    in_tmux: bool,
    /// The hash of what each cell of the screen shows.
    shown: HashMap<Position, u64>,
    /// Where the terminal has the pixels of a cell, by their hash (Kitty).
    stored: HashMap<u64, KittyCell>,
    /// The numbers of the pictures that the terminal has, oldest first (Kitty).
    ids: Vec<u32>,
    next_id: u32,
}

impl PictureLayer {
    /// The layer of a terminal that shows nothing yet.
    pub(in crate::tui) fn new(protocol: GraphicsProtocol, in_tmux: bool) -> Self {
        let (shown, stored) = (HashMap::new(), HashMap::new());
        Self { protocol, in_tmux, shown, stored, ids: Vec::new(), next_id: 1 }
    }

    /// The terminal was cleared: it shows nothing.
    pub(in crate::tui) fn clear(&mut self) {
        self.shown.clear();
    }

    /// Marks the cells of a picture at this place, before other things are drawn over it.
    pub(in crate::tui) fn mark(area: Rect, buffer: &mut Buffer) {
        for at in area.positions() {
            if let Some(cell) = buffer.cell_mut(at) {
                cell.reset();
                cell.set_symbol(PICTURE_CELL);
            }
        }
    }

    /// Finishes the cells of the picture on a finished screen, and returns the sequences to send after its text. Without
    /// a picture the marked cells become blank.
    pub(in crate::tui) fn finish(
        &mut self,
        picture: Option<(&CellPicture, Rect)>,
        buffer: &mut Buffer,
    ) -> String {
        let Some((picture, area)) = picture else {
            self.shown.clear();
            let sequences = self.forget_pictures();
            return self.outside(&sequences);
        };
        let visible: Vec<Position> =
            area.intersection(buffer.area).positions().filter(|at| is_marked(buffer, *at)).collect();
        match self.protocol {
            GraphicsProtocol::Kitty => self.place(picture, area, &visible, buffer),
            GraphicsProtocol::Iterm2 | GraphicsProtocol::Sixel => self.paint(picture, area, &visible, buffer),
        }
    }

    /// Draws over the cells whose pixels differ from what is shown.
    fn paint(
        &mut self,
        picture: &CellPicture,
        area: Rect,
        visible: &[Position],
        buffer: &mut Buffer,
    ) -> String {
        let wanted: HashMap<Position, u64> =
            visible.iter().filter_map(|&at| Some((at, picture.hash(within(area, at))?))).collect();
        for at in visible {
            if let Some(cell) = buffer.cell_mut(*at) {
                cell.set_symbol(" ").set_diff_option(CellDiffOption::Skip);
            }
        }
        let changed = |at: Position| {
            let at = Position { x: area.x + at.x, y: area.y + at.y };
            wanted.get(&at).is_some_and(|hash| self.shown.get(&at) != Some(hash))
        };
        let rectangles = rectangles(area.as_size(), changed);
        self.shown = wanted;
        let sequences: String =
            rectangles.into_iter().filter_map(|cells| self.patch(picture, area, cells)).collect();
        if sequences.is_empty() { sequences } else { format!("\x1b7{sequences}\x1b8") }
    }

    /// The sequences that draw these cells of the picture.
    fn patch(&self, picture: &CellPicture, area: Rect, cells: Rect) -> Option<String> {
        let pixels = picture.part(cells);
        let drawn = match self.protocol {
            GraphicsProtocol::Sixel => sixel::draw(&pixels).ok()?,
            GraphicsProtocol::Iterm2 | GraphicsProtocol::Kitty => {
                iterm2::draw(&png(&pixels)?, cells.as_size())
            }
        };
        let (row, column) = (area.y + cells.y + 1, area.x + cells.x + 1);
        Some(format!("\x1b[{row};{column}H{drawn}"))
    }

    /// Sends the pixels that the terminal does not have, and writes the placeholders of all visible cells.
    fn place(
        &mut self,
        picture: &CellPicture,
        area: Rect,
        visible: &[Position],
        buffer: &mut Buffer,
    ) -> String {
        let (mut unknown, mut seen) = (Vec::new(), HashSet::new());
        for at in visible.iter().map(|at| within(area, *at)) {
            let Some(hash) = picture.hash(at) else { continue };
            if seen.insert(hash) && !self.stored.contains_key(&hash) {
                unknown.push((at, hash));
            }
        }
        let mut sequences = self.send(picture, &unknown);
        self.shown.clear();
        let mut left: Option<(Position, KittyCell)> = None;
        for &at in visible {
            let hash = picture.hash(within(area, at));
            let stored = hash.and_then(|hash| self.stored.get(&hash).copied());
            let Some(cell) = buffer.cell_mut(at) else { continue };
            let (Some(hash), Some(stored)) = (hash, stored) else {
                cell.set_symbol(" ");
                continue;
            };
            let before =
                left.filter(|(before, _)| before.y == at.y && before.x + 1 == at.x).map(|(_, cell)| cell);
            cell.set_symbol(&stored.symbol(before)).set_fg(stored.color());
            self.shown.insert(at, hash);
            left = Some((at, stored));
        }
        sequences.push_str(&self.forget_pictures());
        self.outside(&sequences)
    }

    /// Sends the pixels of these cells as one picture, in rows as wide as the place that they are from.
    fn send(&mut self, picture: &CellPicture, cells: &[(Position, u64)]) -> String {
        let (Some(left), Some(right)) =
            (cells.iter().map(|(at, _)| at.x).min(), cells.iter().map(|(at, _)| at.x).max())
        else {
            return String::new();
        };
        let mut sequences = String::new();
        let width = usize::from(right - left + 1).min(cells.len()).min(usize::from(kitty::MOST_CELLS));
        for part in cells.chunks(width * usize::from(kitty::MOST_CELLS)) {
            sequences.push_str(&self.send_sheet(picture, part, width).unwrap_or_default());
        }
        sequences
    }

    fn send_sheet(
        &mut self,
        picture: &CellPicture,
        cells: &[(Position, u64)],
        width: usize,
    ) -> Option<String> {
        let one = picture.part(Rect::new(0, 0, 1, 1));
        let size = Size::new(u16::try_from(width).ok()?, u16::try_from(cells.len().div_ceil(width)).ok()?);
        let mut sheet =
            RgbImage::new(u32::from(size.width) * one.width(), u32::from(size.height) * one.height());
        let id = self.next_id;
        self.next_id = if id >= kitty::LAST_ID { 1 } else { id + 1 };
        for (number, (at, hash)) in cells.iter().enumerate() {
            let (row, column) = (u16::try_from(number / width).ok()?, u16::try_from(number % width).ok()?);
            let (x, y) =
                (i64::from(column) * i64::from(one.width()), i64::from(row) * i64::from(one.height()));
            imageops::replace(&mut sheet, &picture.part(Rect::new(at.x, at.y, 1, 1)), x, y);
            self.stored.insert(*hash, KittyCell { id, row, column });
        }
        self.ids.push(id);
        Some(kitty::transmit(id, &png(&sheet)?, size))
    }

    /// Deletes the oldest pictures of which no cell is shown, if there are too many.
    fn forget_pictures(&mut self) -> String {
        let used: HashSet<u32> =
            self.shown.values().filter_map(|hash| Some(self.stored.get(hash)?.id)).collect();
        let unused: Vec<u32> = self.ids.iter().copied().filter(|id| !used.contains(id)).collect();
        let excess: HashSet<u32> = unused.iter().copied().take(unused.len().saturating_sub(KEPT)).collect();
        self.ids.retain(|id| !excess.contains(id));
        self.stored.retain(|_, cell| !excess.contains(&cell.id));
        excess.into_iter().map(kitty::delete).collect()
    }

    /// The sequences for the terminal outside of tmux. Each is wrapped alone, because tmux limits their length.
    fn outside(&self, sequences: &str) -> String {
        if !self.in_tmux {
            return sequences.to_owned();
        }
        sequences.split_inclusive(kitty::END).map(passthrough::wrap).collect()
    }

    /// The sequences that free what the terminal keeps, at the end.
    pub(in crate::tui) fn leave(&mut self) -> String {
        let sequences: String = self.ids.drain(..).map(kitty::delete).collect();
        self.stored.clear();
        self.shown.clear();
        self.outside(&sequences)
    }
}

fn is_marked(buffer: &Buffer, at: Position) -> bool {
    buffer.cell(at).is_some_and(|cell| cell.symbol() == PICTURE_CELL)
}

fn within(area: Rect, at: Position) -> Position {
    Position { x: at.x - area.x, y: at.y - area.y }
}

fn png(pixels: &RgbImage) -> Option<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    pixels.write_to(&mut bytes, ImageFormat::Png).ok()?;
    Some(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    const AREA: Rect = Rect { x: 2, y: 1, width: 6, height: 3 };

    /// A picture whose cell at each place has the colour of this number.
    fn picture(color: impl Fn(u32, u32) -> u8) -> CellPicture {
        CellPicture::new(RgbImage::from_fn(24, 24, |x, y| Rgb([color(x / 4, y / 8), 9, 9])), Size::new(4, 8))
    }

    fn draw(
        layer: &mut PictureLayer,
        picture: Option<&CellPicture>,
        covered: Option<Rect>,
    ) -> (Buffer, String) {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 6));
        if picture.is_some() {
            PictureLayer::mark(AREA, &mut buffer);
        }
        for at in covered.into_iter().flat_map(Rect::positions) {
            buffer[at].set_symbol("x");
        }
        let sequences = layer.finish(picture.map(|picture| (picture, AREA)), &mut buffer);
        assert!(buffer.content.iter().all(|cell| cell.symbol() != PICTURE_CELL));
        (buffer, sequences)
    }

    #[test]
    fn painted_cells_are_sent_only_when_they_change_or_were_covered() {
        for protocol in [GraphicsProtocol::Iterm2, GraphicsProtocol::Sixel] {
            let mut layer = PictureLayer::new(protocol, false);
            let plain = picture(|x, _| u8::try_from(x).unwrap());
            let (buffer, first) = draw(&mut layer, Some(&plain), None);
            assert!(first.starts_with("\x1b7\x1b[2;3H") && first.ends_with("\x1b8"), "{first:?}");
            assert_eq!(buffer[(2, 1)].diff_option, CellDiffOption::Skip);
            assert_eq!(draw(&mut layer, Some(&plain), None).1, "");
            let changed = picture(|x, y| if (x, y) == (4, 2) { 99 } else { u8::try_from(x).unwrap() });
            let (_, second) = draw(&mut layer, Some(&changed), None);
            assert!(second.starts_with("\x1b7\x1b[4;7H") && second.len() < first.len(), "{second:?}");
            assert_eq!(second.matches('H').count(), 1);
            let (buffer, covered) = draw(&mut layer, Some(&changed), Some(Rect::new(3, 2, 2, 1)));
            assert_eq!((covered.as_str(), buffer[(3, 2)].symbol()), ("", "x"));
            assert_eq!(buffer[(3, 2)].diff_option, CellDiffOption::None);
            assert!(draw(&mut layer, Some(&changed), None).1.starts_with("\x1b7\x1b[3;4H"));
            assert_eq!(draw(&mut layer, None, None).1, "");
            assert!(draw(&mut layer, Some(&changed), None).1.starts_with("\x1b7\x1b[2;3H"));
        }
    }

    #[test]
    fn placed_cells_send_pixels_that_the_terminal_has_nowhere() {
        let mut layer = PictureLayer::new(GraphicsProtocol::Kitty, false);
        let plain = picture(|x, _| u8::try_from(x).unwrap());
        let (buffer, first) = draw(&mut layer, Some(&plain), None);
        assert!(
            first.starts_with("\x1b_Ga=T,U=1,q=2,f=100,i=1,c=6,r=1,m=0;"),
            "equal rows are one row: {first:?}"
        );
        let symbols = |buffer: &Buffer, y: u16| {
            (2..8).map(|x| buffer[(x, y)].symbol().chars().count()).collect::<Vec<_>>()
        };
        assert_eq!([1, 2, 3].map(|y| symbols(&buffer, y)), [(); 3].map(|()| vec![3, 1, 1, 1, 1, 1]));
        let moved = picture(|x, y| if (x, y) == (4, 2) { 0 } else { u8::try_from(x).unwrap() });
        let (buffer, second) = draw(&mut layer, Some(&moved), None);
        assert_eq!(second, "", "its pixels are elsewhere already");
        assert_eq!(symbols(&buffer, 3), [3, 1, 1, 1, 3, 3]);
        let (buffer, third) = draw(&mut layer, Some(&moved), Some(Rect::new(3, 1, 2, 1)));
        assert_eq!((third.as_str(), symbols(&buffer, 1)), ("", vec![3, 1, 1, 3, 1, 1]));
        assert_eq!(layer.leave(), "\x1b_Ga=d,d=I,q=2,i=1\x1b\\");
    }

    #[test]
    fn in_tmux_sequences_go_to_the_terminal_outside() {
        let mut layer = PictureLayer::new(GraphicsProtocol::Kitty, true);
        let (_, first) = draw(&mut layer, Some(&picture(|_, _| 1)), None);
        assert!(
            first.starts_with("\x1bPtmux;\x1b\x1b_Ga=T,") && first.ends_with("\x1b\x1b\\\x1b\\"),
            "{first:?}"
        );
        let mut all = String::new();
        for color in 0..=60 {
            all.push_str(&draw(&mut layer, Some(&picture(|_, _| color)), None).1);
        }
        all.push_str(&draw(&mut layer, None, None).1);
        let wrapped = all.matches("\x1bPtmux;\x1b\x1b_Ga=").count();
        assert_eq!((all.matches("_Ga=d").count() > 0, all.matches("_Ga=").count()), (true, wrapped));
    }

    #[test]
    fn a_terminal_keeps_a_limited_number_of_pictures() {
        let mut layer = PictureLayer::new(GraphicsProtocol::Kitty, false);
        let mut deleted = 0;
        for color in 0..100 {
            let (_, sequences) = draw(&mut layer, Some(&picture(|_, _| color)), None);
            deleted += sequences.matches("a=d").count();
        }
        assert_eq!((layer.ids.len(), deleted), (KEPT + 1, 100 - KEPT - 1));
        assert_eq!(layer.stored.len(), KEPT + 1);
    }
}
