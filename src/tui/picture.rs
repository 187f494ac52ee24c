//! Frames as half blocks. A frame is scaled and encoded when it or its place changes, before the
//! screen is drawn, and kept: drawing copies cells.

use std::sync::Arc;

use image::DynamicImage;
use image::RgbImage;
use image::imageops;
use image::imageops::FilterType;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::layout::Size;
use ratatui::style::Color;
use ratatui::widgets::Widget;
use ratatui_image::Image;
use ratatui_image::protocol::Protocol;
use ratatui_image::protocol::halfblocks::Halfblocks;

use super::model::Model;
use super::panes;
use super::panes::Pane;
use super::theme::Depth;
use super::view;
use crate::domain::Picture;

/// The frame made ready for its place.
#[derive(Default)]
pub(crate) struct Gallery {
    depth: Option<Depth>,
    /// Whether the theme has no hue.
    grey: bool,
    ready: Option<Ready>,
}

struct Ready {
    picture: Arc<Picture>,
    room: Size,
    protocol: Protocol,
    /// Whether the lowest half row lies outside the picture.
    odd: bool,
}

impl Ready {
    /// Whether this is the frame that was made ready; pixels are compared only where they must be.
    fn shows(&self, picture: &Arc<Picture>) -> bool {
        Arc::ptr_eq(&self.picture, picture) || self.picture == *picture
    }
}

impl Gallery {
    /// Makes the frame ready that this model will show, unless it is ready already.
    pub(crate) fn prepare(&mut self, model: &Model, whole: Rect) {
        self.depth = Some(model.look.settings.depth);
        self.grey = model.theme.is_grey();
        let place = view::areas(model, whole)
            .and_then(|areas| areas.panes.into_iter().find(|(pane, _)| *pane == Pane::Frame));
        if let Some((pane, area)) = place
            && let Some(picture) = panes::picture(model, area)
        {
            self.make(picture, panes::inner(pane, area).as_size());
        }
    }

    fn make(&mut self, picture: &Arc<Picture>, room: Size) {
        let same = |ready: &Ready| ready.room == room && ready.shows(picture);
        if !self.ready.as_ref().is_some_and(same) {
            self.ready = encode(picture, room);
        }
    }

    /// Draws the frame into the middle of the area, if it is the one made ready.
    pub(crate) fn draw(&self, picture: &Arc<Picture>, area: Rect, buf: &mut Buffer) {
        let Some(ready) = self.ready.as_ref().filter(|ready| ready.shows(picture)) else { return };
        let Size { width, height } = ready.protocol.size();
        let place = Rect {
            x: area.x + area.width.saturating_sub(width) / 2,
            y: area.y + area.height.saturating_sub(height) / 2,
            width,
            height,
        }
        .intersection(area);
        let ground = buf.cell(place.as_position()).map_or(Color::Reset, |cell| cell.bg);
        Image::new(&ready.protocol).allow_clipping(true).render(place, buf);
        for position in place.positions() {
            let last = ready.odd && position.y + 1 == place.y + height;
            buf.cell_mut(position).into_iter().for_each(|cell| self.settle(cell, last.then_some(ground)));
        }
    }

    /// Fits a cell to the terminal: a blank has no ink, so that a run of blanks costs few bytes; the
    /// half row below an odd picture is ground.
    fn settle(&self, cell: &mut ratatui::buffer::Cell, below: Option<Color>) {
        if let Some(ground) = below {
            let upper = if cell.symbol() == "▄" { cell.bg } else { cell.fg };
            cell.set_symbol("▀").set_fg(self.shown(upper)).set_bg(ground);
        } else if cell.symbol() == " " {
            let color = self.shown(cell.bg);
            cell.set_fg(Color::Reset).set_bg(color);
        } else {
            let (ink, paper) = (self.shown(cell.fg), self.shown(cell.bg));
            cell.set_fg(ink).set_bg(paper);
        }
    }

    /// A colour of the picture as theme and terminal have it.
    fn shown(&self, color: Color) -> Color {
        let color = if self.grey { grey(color) } else { color };
        self.depth.unwrap_or(Depth::True).map(color)
    }
}

/// As light as the colour looks (the weights of ITU-R BT.601).
fn grey(color: Color) -> Color {
    let Color::Rgb(r, g, b) = color else { return color };
    let light = (u32::from(r) * 299 + u32::from(g) * 587 + u32::from(b) * 114 + 500) / 1000;
    let light = u8::try_from(light).unwrap_or(u8::MAX);
    Color::Rgb(light, light, light)
}

fn encode(picture: &Arc<Picture>, room: Size) -> Option<Ready> {
    let scaled = scale(picture, room)?;
    let (width, height) = scaled.dimensions();
    let cells = Size::new(u16::try_from(width).ok()?, u16::try_from(height.div_ceil(2)).ok()?);
    // The library scales what does not fit its cells; what does, it takes as it is.
    let mut sheet = RgbImage::new(width, u32::from(cells.height) * 2);
    imageops::replace(&mut sheet, &scaled, 0, 0);
    let protocol = Halfblocks::new(DynamicImage::ImageRgb8(sheet), cells).ok()?;
    Some(Ready {
        picture: picture.clone(),
        room,
        protocol: Protocol::Halfblocks(protocol),
        odd: height % 2 == 1,
    })
}

/// The frame at the size it has on the screen: a pixel is half a cell.
fn scale(picture: &Picture, room: Size) -> Option<RgbImage> {
    let (width, height) = fit(picture, room)?;
    let source = RgbImage::from_raw(picture.width(), picture.height(), picture.rgb().to_vec())?;
    Some(if width <= picture.width() && height <= picture.height() {
        shrink(&source, width, height)
    } else {
        imageops::resize(&source, width, height, FilterType::Nearest)
    })
}

/// Each pixel is the mean of what it covers, parts of pixels by their share: tiles that are equal stay
/// equal, and what is symmetrical stays so, which faster filters do not promise.
fn shrink(source: &RgbImage, width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let (mut sum, mut weight) = ([0u64; 3], 0u64);
        for (row, high) in covered(y, source.height(), height) {
            for (column, wide) in covered(x, source.width(), width) {
                let share = u64::from(high) * u64::from(wide);
                let pixel = source.get_pixel(column, row).0;
                sum.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += share * u64::from(value));
                weight += share;
            }
        }
        image::Rgb(sum.map(|sum| u8::try_from((sum + weight / 2) / weight.max(1)).unwrap_or(u8::MAX)))
    })
}

/// Which of `old` pixels the pixel `at` of `new` covers, each with how much of it.
fn covered(at: u32, old: u32, new: u32) -> impl Iterator<Item = (u32, u32)> {
    let (start, end) = (at * old, (at + 1) * old);
    (start / new..end.div_ceil(new))
        .map(move |pixel| (pixel, end.min((pixel + 1) * new) - start.max(pixel * new)))
}

/// Half cells a tile from which on whole numbers of them are worth the room they leave free.
const CRISP: u32 = 4;
/// Half cells a tile below which tiles cannot be told apart.
const CLEAR: u32 = 3;

/// How many tiles a picture has across and down; `None` for one that is no board.
fn board(picture: &Picture) -> Option<(u32, u32)> {
    let (across, down) = (picture.width() / picture.grain(), picture.height() / picture.grain());
    let whole =
        picture.width().is_multiple_of(picture.grain()) && picture.height().is_multiple_of(picture.grain());
    (across > 0 && down > 0 && whole).then_some((across, down))
}

/// Whether the tiles of a picture can be told apart in this room.
pub(crate) fn is_clear(picture: &Picture, room: Size) -> bool {
    let (wide, high) = (u32::from(room.width), u32::from(room.height) * 2);
    picture.grain() == 1
        || board(picture).is_none_or(|(across, down)| wide >= CLEAR * across && high >= CLEAR * down)
}

/// The size in half cells. Large tiles get a whole number of half cells each; small ones use the whole
/// room, as does a picture that is no board, which keeps its proportions.
fn fit(picture: &Picture, room: Size) -> Option<(u32, u32)> {
    let (wide, high) = (u32::from(room.width), u32::from(room.height) * 2);
    let (width, height) = (picture.width(), picture.height());
    if wide == 0 || high == 0 {
        return None;
    }
    if let Some((across, down)) = board(picture) {
        let tile = (wide / across).min(high / down);
        let crisp = if picture.grain() > 1 { CRISP } else { 1 };
        if tile >= crisp {
            return Some((across * tile, down * tile));
        }
    }
    Some(if u64::from(width) * u64::from(high) <= u64::from(height) * u64::from(wide) {
        (share(width, high, height), high)
    } else {
        (wide, share(height, wide, width))
    })
}

/// `side * new / old`, at least 1.
fn share(side: u32, new: u32, old: u32) -> u32 {
    let scaled = u64::from(side) * u64::from(new) / u64::from(old.max(1));
    u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: [u8; 3] = [200, 30, 30];
    const BLUE: [u8; 3] = [20, 20, 220];

    /// Tiles of these colours, `grain` pixels a side.
    fn tiles(rows: &[&[[u8; 3]]], grain: u32) -> Arc<Picture> {
        let wide = u32::try_from(rows[0].len()).unwrap() * grain;
        let high = u32::try_from(rows.len()).unwrap() * grain;
        let at = |x: u32, y: u32| rows[(y / grain) as usize][(x / grain) as usize];
        let rgb = (0..high).flat_map(|y| (0..wide).flat_map(move |x| at(x, y))).collect();
        Arc::new(Picture::new(wide, high, grain, rgb).unwrap())
    }

    fn drawn(picture: &Arc<Picture>, room: Size, depth: Depth) -> Buffer {
        let mut gallery = Gallery { depth: Some(depth), ..Gallery::default() };
        gallery.make(picture, room);
        let mut buf = Buffer::empty(Rect::from((ratatui::layout::Position::ORIGIN, room)));
        gallery.draw(picture, buf.area, &mut buf);
        buf
    }

    fn color([r, g, b]: [u8; 3]) -> Color {
        Color::Rgb(r, g, b)
    }

    #[test]
    fn tiles_are_cells_of_one_colour() {
        let board = tiles(&[&[RED, BLUE], &[BLUE, RED]], 16);
        // 8x4 cells are 8x8 half cells: 4 a tile, so a tile is 4 cells wide and 2 high.
        let buf = drawn(&board, Size::new(8, 4), Depth::True);
        for y in 0..4 {
            for x in 0..8 {
                let want = if (x < 4) == (y < 2) { RED } else { BLUE };
                let cell = &buf[(x, y)];
                assert_eq!((cell.symbol(), cell.bg, cell.fg), (" ", color(want), Color::Reset), "{x},{y}");
            }
        }
    }

    #[test]
    fn a_tile_of_odd_height_shares_a_cell() {
        let board = tiles(&[&[RED], &[BLUE]], 16);
        let buf = drawn(&board, Size::new(3, 3), Depth::True);
        // 3 half cells a tile, 6 in all: the middle row of cells holds both tiles.
        let cell = &buf[(1, 1)];
        let (upper, lower) = if cell.symbol() == "▀" { (cell.fg, cell.bg) } else { (cell.bg, cell.fg) };
        assert_eq!((upper, lower), (color(RED), color(BLUE)));
    }

    #[test]
    fn below_an_odd_picture_is_ground() {
        let board = tiles(&[&[RED]], 16);
        let buf = drawn(&board, Size::new(3, 3), Depth::True);
        // One tile of 3x3 half cells in a room of 3x6: two rows of cells, centred from the first.
        assert_eq!((buf[(0, 0)].symbol(), buf[(0, 0)].bg), (" ", color(RED)));
        assert_eq!((buf[(0, 1)].symbol(), buf[(0, 1)].fg, buf[(0, 1)].bg), ("▀", color(RED), Color::Reset));
        assert_eq!((buf[(0, 2)].symbol(), buf[(0, 2)].bg), (" ", Color::Reset));
    }

    #[test]
    fn tiles_stay_equal_when_they_shrink_and_grow() {
        for (room, tile) in [(Size::new(49, 31), 7), (Size::new(28, 14), 4), (Size::new(300, 100), 28)] {
            let row: &[[u8; 3]] = &[RED; 7];
            let board = tiles(&[row; 7], 16);
            assert_eq!(fit(&board, room), Some((7 * tile, 7 * tile)), "{room:?}");
        }
    }

    #[test]
    fn small_tiles_use_the_whole_room_and_smaller_ones_are_not_clear() {
        let row: &[[u8; 3]] = &[RED; 10];
        let board = tiles(&[row; 10], 16);
        for (room, size, clear) in [
            (Size::new(40, 20), 40, true),
            (Size::new(38, 19), 38, true),
            (Size::new(30, 30), 30, true),
            (Size::new(29, 30), 29, false),
            (Size::new(58, 11), 22, false),
        ] {
            assert_eq!((fit(&board, room), is_clear(&board, room)), (Some((size, size)), clear), "{room:?}");
        }
        let page = Picture::new(200, 100, 1, vec![0; 200 * 100 * 3]).unwrap();
        assert!(is_clear(&page, Size::new(20, 10)));
    }

    #[test]
    fn what_is_no_board_keeps_its_proportions() {
        let page = Picture::new(200, 100, 1, vec![0; 200 * 100 * 3]).unwrap();
        assert_eq!(fit(&page, Size::new(50, 50)), Some((50, 25)));
        assert_eq!(fit(&page, Size::new(500, 60)), Some((200, 100)));
        assert_eq!(fit(&page, Size::new(0, 50)), None);
        let board = tiles(&[&[RED; 40]], 16);
        assert_eq!(fit(&board, Size::new(20, 5)), Some((20, 1)));
    }

    #[test]
    fn fewer_colours_are_the_nearest_ones() {
        let buf = drawn(&tiles(&[&[[255, 0, 0]]], 16), Size::new(2, 1), Depth::Ansi256);
        assert_eq!(buf[(0, 0)].bg, Color::Indexed(196));
    }

    #[test]
    fn a_theme_without_hue_has_grey_pictures() {
        for (theme, is_grey) in [("mono", true), ("dark", false), ("light", false), ("ansi16", false)] {
            let mut model = crate::tui::testing::model(120, 40);
            model.theme = crate::tui::theme::Theme::named(theme).unwrap();
            let coloured = |color| matches!(color, Color::Rgb(r, g, b) if r != g || g != b);
            let cells = crate::tui::still::picture(&model).content;
            let hue = cells.iter().any(|cell| coloured(cell.fg) || coloured(cell.bg));
            assert_eq!(hue, !is_grey, "{theme}");
        }
        assert_eq!(grey(Color::Rgb(200, 30, 30)), Color::Rgb(81, 81, 81));
    }

    #[test]
    fn a_shrunk_tile_keeps_its_mean_and_its_symmetry() {
        let mut source = RgbImage::from_pixel(16, 16, image::Rgb([0; 3]));
        (4..12).for_each(|y| (4..12).for_each(|x| source.put_pixel(x, y, image::Rgb([240; 3]))));
        let small = shrink(&source, 7, 7);
        for (x, y, pixel) in small.enumerate_pixels() {
            assert_eq!(pixel, small.get_pixel(6 - x, y), "{x},{y}");
            assert_eq!(pixel, small.get_pixel(x, 6 - y), "{x},{y}");
        }
        let sum: u32 = small.pixels().map(|pixel| u32::from(pixel.0[0])).sum();
        // 64 of 256 pixels are 240: a mean of 60, over 49 pixels, each rounded.
        assert!(sum.abs_diff(60 * 49) <= 25, "{sum}");
    }

    #[test]
    fn the_same_frame_is_encoded_once() {
        let mut gallery = Gallery::default();
        let board = tiles(&[&[RED, BLUE]], 16);
        gallery.make(&board, Size::new(8, 4));
        let kept = gallery.ready.as_ref().unwrap().picture.clone();
        gallery.make(&tiles(&[&[RED, BLUE]], 16), Size::new(8, 4));
        assert!(Arc::ptr_eq(&kept, &gallery.ready.as_ref().unwrap().picture));
        gallery.make(&board, Size::new(9, 4));
        assert_eq!(gallery.ready.as_ref().unwrap().room, Size::new(9, 4));
    }
}
