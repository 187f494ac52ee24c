//! Frames as cells, and the sizes of frames.

mod beside;

use image::RgbImage;
use ratatui::style::Color;

use super::encoded::grey;
use super::scale::shrink;
use super::*;
use mageyard_domain::PictureError;

/// The bytes of a cell of half blocks: two pixels.
const CELL_BYTES: usize = 6;

const RED: [u8; 3] = [200, 30, 30];
const BLUE: [u8; 3] = [20, 20, 220];

/// A picture of tiles in these colours, `grain` pixels a side.
fn tiles(rows: &[&[[u8; 3]]], grain: u32) -> Arc<Picture> {
    let wide = u32::try_from(rows[0].len()).unwrap() * grain;
    let high = u32::try_from(rows.len()).unwrap() * grain;
    let at = |x: u32, y: u32| rows[(y / grain) as usize][(x / grain) as usize];
    let rgb = (0..high).flat_map(|y| (0..wide).flat_map(move |x| at(x, y))).collect();
    Arc::new(Picture::new(wide, high, grain, rgb).unwrap())
}

fn drawn(picture: &Arc<Picture>, room: Size, depth: ColorDepth) -> Buffer {
    let mut gallery = FrameCache::default();
    gallery.begin(depth, false, Style::new());
    gallery.prepare(picture, room, PictureZoom::default());
    let mut buf = Buffer::empty(Rect::from((ratatui::layout::Position::ORIGIN, room)));
    gallery.draw(picture, buf.area, &mut buf);
    buf
}

fn color([r, g, b]: [u8; 3]) -> Color {
    Color::Rgb(r, g, b)
}

#[test]
fn a_tile_is_drawn_as_cells_of_one_color() {
    let board = tiles(&[&[RED, BLUE], &[BLUE, RED]], 16);
    // 8x4 cells are 8x8 half cells: 4 a tile, so a tile is 4 cells wide and 2 high.
    let buf = drawn(&board, Size::new(8, 4), ColorDepth::TrueColor);
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
    let buf = drawn(&board, Size::new(3, 3), ColorDepth::TrueColor);
    // 3 half cells per tile, 6 in all: the middle row of cells shows both tiles.
    let cell = &buf[(1, 1)];
    let (upper, lower) = if cell.symbol() == "▀" { (cell.fg, cell.bg) } else { (cell.bg, cell.fg) };
    assert_eq!((upper, lower), (color(RED), color(BLUE)));
}

#[test]
fn the_half_row_below_an_odd_picture_is_background() {
    let board = tiles(&[&[RED]], 16);
    let buf = drawn(&board, Size::new(3, 3), ColorDepth::TrueColor);
    // One tile of 3x3 half cells in a pane of 3x6: two rows of cells from the first.
    assert_eq!((buf[(0, 0)].symbol(), buf[(0, 0)].bg), (" ", color(RED)));
    assert_eq!((buf[(0, 1)].symbol(), buf[(0, 1)].fg, buf[(0, 1)].bg), ("▀", color(RED), Color::Reset));
    assert_eq!((buf[(0, 2)].symbol(), buf[(0, 2)].bg), (" ", Color::Reset));
}

#[test]
fn tiles_stay_equal_when_they_shrink_and_grow() {
    for (room, tile) in [(Size::new(49, 31), 7), (Size::new(28, 14), 4), (Size::new(300, 100), 28)] {
        let row: &[[u8; 3]] = &[RED; 7];
        let board = tiles(&[row; 7], 16);
        assert_eq!(
            fitted_size(&board, PictureRoom::of_characters(room)),
            Some((7 * tile, 7 * tile)),
            "{room:?}"
        );
    }
}

#[test]
fn small_tiles_fill_the_pane_and_smaller_ones_are_not_legible() {
    let row: &[[u8; 3]] = &[RED; 10];
    let board = tiles(&[row; 10], 16);
    for (room, size, clear) in [
        (Size::new(40, 20), 40, true),
        (Size::new(38, 19), 38, true),
        (Size::new(30, 30), 30, true),
        (Size::new(29, 30), 29, false),
        (Size::new(58, 11), 22, false),
    ] {
        assert_eq!(
            (
                fitted_size(&board, PictureRoom::of_characters(room)),
                is_legible(&board, room, ColorDepth::TrueColor)
            ),
            (Some((size, size)), clear),
            "{room:?}"
        );
    }
    let page = Picture::new(200, 100, 1, vec![0; 200 * 100 * 3]).unwrap();
    assert!(is_legible(&page, Size::new(20, 10), ColorDepth::Ansi256));
    assert!(!is_legible(&page, Size::new(20, 10), ColorDepth::Ansi16));
    let pitch = page.with_detail(10);
    for (room, legible) in [(Size::new(29, 20), false), (Size::new(30, 7), false), (Size::new(30, 8), true)] {
        assert_eq!(is_legible(&pitch, room, ColorDepth::TrueColor), legible, "{room:?}");
    }
    let row: &[[u8; 3]] = &[RED; 7];
    let board = tiles(&[row; 7], 16);
    for (room, legible) in [(Size::new(21, 11), false), (Size::new(28, 14), true)] {
        assert_eq!(is_legible(&board, room, ColorDepth::Ansi16), legible, "{room:?}");
    }
}

#[test]
fn a_picture_without_tiles_keeps_its_proportions() {
    let page = Picture::new(200, 100, 1, vec![0; 200 * 100 * 3]).unwrap();
    assert_eq!(fitted_size(&page, PictureRoom::of_characters(Size::new(50, 50))), Some((50, 25)));
    assert_eq!(fitted_size(&page, PictureRoom::of_characters(Size::new(500, 60))), Some((200, 100)));
    assert_eq!(fitted_size(&page, PictureRoom::of_characters(Size::new(0, 50))), None);
    let board = tiles(&[&[RED; 40]], 16);
    assert_eq!(fitted_size(&board, PictureRoom::of_characters(Size::new(20, 5))), Some((20, 1)));
}

#[test]
fn colors_are_mapped_to_the_nearest_available() {
    let buf = drawn(&tiles(&[&[[255, 0, 0]]], 16), Size::new(2, 1), ColorDepth::Ansi256);
    assert_eq!(buf[(0, 0)].bg, Color::Indexed(196));
}

#[test]
fn a_colour_becomes_grey_by_its_brightness() {
    assert_eq!(grey(Color::Rgb(200, 30, 30)), Color::Rgb(81, 81, 81));
}

#[test]
fn a_shrunk_tile_keeps_its_mean_and_its_symmetry() {
    let mut source = RgbImage::from_pixel(16, 16, image::Rgb([0; 3]));
    for y in 4..12 {
        for x in 4..12 {
            source.put_pixel(x, y, image::Rgb([240; 3]));
        }
    }
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
fn the_same_frame_is_encoded_once_for_each_size() {
    let mut gallery = FrameCache::default();
    let board = tiles(&[&[RED, BLUE]], 16);
    let small = Size::new(8, 4);
    let large = Size::new(9, 4);
    gallery.prepare(&board, small, PictureZoom::default());
    gallery.prepare(&board, small, PictureZoom::default());
    assert_eq!(gallery.encoded.len(), 1);
    gallery.prepare(&board, large, PictureZoom::default());
    assert_eq!(gallery.encoded.find(|_| true).unwrap().key.room, large);
    gallery.prepare(&board, small, PictureZoom::default());
    assert_eq!(gallery.encoded.find(|_| true).unwrap().key.room, small);
    assert_eq!(gallery.encoded.len(), 2);
}

#[test]
fn a_cached_frame_keeps_neither_picture_nor_pixels() {
    let mut gallery = FrameCache::default();
    let board = tiles(&[&[RED, BLUE]], 16);
    gallery.prepare(&board, Size::new(8, 4), PictureZoom::default());
    let weak = Arc::weak_count(&board);
    assert_eq!((Arc::strong_count(&board), weak), (1, 2), "of the cache and of what was asked for");
    let before = gallery.encoded.len();
    drop(board);
    for _ in 0..10_000 {
        gallery.begin(ColorDepth::TrueColor, false, Style::new());
        gallery.prepare(&tiles(&[&[RED]], 1), Size::new(40, 20), PictureZoom::default());
    }
    assert!(gallery.encoded.len() > before && gallery.encoded.len() * 40 * 20 * CELL_BYTES <= CACHE_BYTES);
}

#[test]
fn several_pictures_are_drawn_in_one_screen() {
    let mut gallery = FrameCache::default();
    let red = tiles(&[&[RED]], 16);
    let blue = tiles(&[&[BLUE]], 16);
    let left = Rect::new(0, 0, 4, 2);
    let right = Rect::new(4, 0, 4, 2);
    for form in [PictureForm::HalfBlocks, PictureForm::Kitty, PictureForm::Sixel] {
        gallery.set_form(form, None, true, false);
        gallery.begin(ColorDepth::TrueColor, false, Style::new());
        for picture in [&red, &blue] {
            gallery.prepare(picture, left.as_size(), PictureZoom::default());
        }
        let mut buf = Buffer::empty(Rect::new(0, 0, 8, 2));
        for (picture, area) in [(&red, left), (&blue, right)] {
            gallery.draw(picture, area, &mut buf);
        }
        let sequences = gallery.finish(&mut buf);
        match form {
            PictureForm::HalfBlocks => {
                assert_eq!((buf[(1, 1)].bg, buf[(5, 1)].bg), (color(RED), color(BLUE)));
            }
            PictureForm::Kitty => assert_eq!(sequences.matches("a=T").count(), 1, "one sheet for both"),
            _ => assert_eq!(sequences.matches("\x1bP").count(), 2),
        }
    }
}

#[test]
fn a_picture_that_cannot_be_painted_says_why_and_leaves_the_others() {
    let broken = Picture::composed(16, 16, |_| Err(PictureError::TooLarge)).unwrap();
    let broken = Arc::new(broken);
    let red = tiles(&[&[RED]], 16);
    let mut gallery = FrameCache::default();
    gallery.begin(ColorDepth::TrueColor, false, Style::new());
    let areas = [Rect::new(0, 0, 40, 4), Rect::new(40, 0, 8, 4)];
    let mut buf = Buffer::empty(Rect::new(0, 0, 48, 4));
    for (picture, area) in [&broken, &red].into_iter().zip(areas) {
        gallery.prepare(picture, area.as_size(), PictureZoom::default());
    }
    for (picture, area) in [&broken, &red].into_iter().zip(areas) {
        gallery.draw(picture, area, &mut buf);
    }
    assert!(gallery.failure(&broken).is_some() && gallery.failure(&red).is_none());
    let first: String = (0..20).map(|x| buf[(x, 0)].symbol()).collect();
    assert!(first.contains("the picture"), "{first:?}");
    assert_eq!(buf[(44, 2)].bg, color(RED));
}

/// What a terminal of this form gets of a picture: the cells, and the sequences after them.
fn shown_in(form: PictureForm, picture: &Arc<Picture>, zoom: PictureZoom) -> (Buffer, String) {
    let mut gallery = FrameCache::default();
    gallery.set_form(form, Some(Size::new(8, 16)), true, false);
    gallery.begin(ColorDepth::TrueColor, false, Style::new());
    let room = Size::new(12, 6);
    gallery.prepare(picture, room, zoom);
    let mut buf = Buffer::empty(Rect::from((ratatui::layout::Position::ORIGIN, room)));
    gallery.draw(picture, buf.area, &mut buf);
    let sequences = gallery.finish(&mut buf);
    (buf, sequences)
}

#[test]
fn a_magnified_part_is_drawn_from_the_source_in_every_form() {
    let shade = |x: u8, y: u8| [x * 2, y * 2, if (x / 3 + y / 3).is_multiple_of(2) { 250 } else { 0 }];
    let crop = |left: u8, top: u8, side: u8| {
        let rows = (top..top + side).flat_map(|y| (left..left + side).flat_map(move |x| shade(x, y)));
        Arc::new(Picture::new(side.into(), side.into(), 1, rows.collect()).unwrap())
    };
    let page = crop(0, 0, 96);
    let room = Size::new(12, 6);
    let place = PictureRoom::of_characters(room);
    let zoom = PictureZoom::default().with_factor(4, &page, place);
    let corner = zoom.panned((99, -99), &page, place);
    // A quarter of each side fills the room.
    for (zoom, part) in [(zoom, crop(36, 36, 24)), (corner, crop(72, 0, 24))] {
        for form in [
            PictureForm::Kitty,
            PictureForm::Iterm2,
            PictureForm::Sixel,
            PictureForm::HalfBlocks,
            PictureForm::Sextants,
            PictureForm::Braille,
            PictureForm::Ascii,
        ] {
            let magnified = shown_in(form, &page, zoom);
            assert_eq!(magnified, shown_in(form, &part, PictureZoom::default()), "{form:?}");
            assert_ne!(magnified, shown_in(form, &page, PictureZoom::default()), "{form:?}");
        }
    }
}
