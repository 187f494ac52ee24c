//! What a terminal with graphics is sent.

use std::sync::Arc;

use image::{Rgb, RgbImage};
use ratatui::layout::Size;

use super::super::cell_grid::CellPicture;
use super::super::encoding::{Encode, encode};
use super::super::patch::AtOnce;
use super::super::placeholders::KEPT;
use super::*;

const AREA: Rect = Rect { x: 2, y: 1, width: 6, height: 3 };
const OTHER: Rect = Rect { x: 8, y: 1, width: 6, height: 3 };

/// A picture whose cell at each place has the colour of this number.
fn picture(color: impl Fn(u32, u32) -> u8) -> Arc<CellPicture> {
    let pixels = RgbImage::from_fn(24, 24, |x, y| Rgb([color(x / 4, y / 8), 9, 9]));
    Arc::new(CellPicture::new(pixels, Size::new(4, 8)))
}

fn columns() -> Arc<CellPicture> {
    picture(|x, _| u8::try_from(x).unwrap())
}

fn layer(protocol: GraphicsProtocol) -> PictureLayer {
    PictureLayer::new(protocol, false, 0)
}

fn finish(
    layer: &mut PictureLayer,
    pictures: &[(&Arc<CellPicture>, Rect)],
    covered: Option<Rect>,
) -> (Buffer, LayerUpdate) {
    finish_from(layer, pictures, covered, &mut AtOnce(encode))
}

fn finish_from(
    layer: &mut PictureLayer,
    pictures: &[(&Arc<CellPicture>, Rect)],
    covered: Option<Rect>,
    source: &mut dyn PatchSource,
) -> (Buffer, LayerUpdate) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 16, 6));
    let placed: Vec<PlacedPicture<'_>> =
        pictures.iter().map(|&(picture, area)| PlacedPicture { picture, area }).collect();
    for (number, placed) in placed.iter().enumerate() {
        PictureLayer::mark(number, placed.area, &mut buffer);
    }
    for at in covered.into_iter().flat_map(Rect::positions) {
        buffer[at].set_symbol("x");
    }
    let update = layer.finish(&placed, usize::MAX, source, &mut buffer);
    let is_mark = |cell: &ratatui::buffer::Cell| {
        cell.symbol() >= "\u{10f000}" && !cell.symbol().starts_with('\u{10eeee}')
    };
    assert!(!buffer.content.iter().any(is_mark));
    (buffer, update)
}

fn draw(layer: &mut PictureLayer, picture: &Arc<CellPicture>, covered: Option<Rect>) -> (Buffer, String) {
    let (buffer, update) = finish(layer, &[(picture, AREA)], covered);
    assert_eq!(update.failed, []);
    (buffer, update.sequences)
}

/// How many characters each cell of a row of the picture has.
fn lengths(buffer: &Buffer, y: u16) -> Vec<usize> {
    (AREA.left()..AREA.right()).map(|x| buffer[(x, y)].symbol().chars().count()).collect()
}

#[test]
fn painted_cells_are_sent_only_when_they_change_or_were_covered() {
    for protocol in [GraphicsProtocol::Iterm2, GraphicsProtocol::Sixel] {
        let mut layer = layer(protocol);
        let plain = columns();
        let (buffer, first) = draw(&mut layer, &plain, None);
        assert!(first.starts_with("\x1b7\x1b[2;3H") && first.ends_with("\x1b8"), "{first:?}");
        assert_eq!(buffer[(2, 1)].diff_option, CellDiffOption::Skip);
        assert_eq!(draw(&mut layer, &plain, None).1, "");
        let changed = picture(|x, y| if (x, y) == (4, 2) { 99 } else { u8::try_from(x).unwrap() });
        let (_, second) = draw(&mut layer, &changed, None);
        assert!(second.starts_with("\x1b7\x1b[4;7H") && second.len() < first.len(), "{second:?}");
        assert_eq!(second.matches("\x1b[").count(), 1);
        let (buffer, covered) = draw(&mut layer, &changed, Some(Rect::new(3, 2, 2, 1)));
        assert_eq!((covered.as_str(), buffer[(3, 2)].symbol()), ("", "x"));
        assert_eq!(buffer[(3, 2)].diff_option, CellDiffOption::None);
        assert!(draw(&mut layer, &changed, None).1.starts_with("\x1b7\x1b[3;4H"));
        assert_eq!(finish(&mut layer, &[], None).1, LayerUpdate::default());
        assert!(draw(&mut layer, &changed, None).1.starts_with("\x1b7\x1b[2;3H"));
    }
}

#[test]
fn a_first_picture_has_runs_as_long_as_its_rows() {
    let mut layer = layer(GraphicsProtocol::Kitty);
    let (buffer, first) = draw(&mut layer, &picture(|x, y| u8::from(x == 3 && y == 1)), None);
    assert!(
        first.starts_with("\x1b_Ga=T,U=1,q=2,f=100,i=1,c=6,r=2,m=0;"),
        "equal rows are one row: {first:?}"
    );
    for y in 1..4 {
        assert_eq!(lengths(&buffer, y), [3, 1, 1, 1, 1, 1], "equal cells do not end a run");
    }
}

#[test]
fn placed_cells_send_pixels_that_the_terminal_has_nowhere() {
    let mut layer = layer(GraphicsProtocol::Kitty);
    draw(&mut layer, &columns(), None);
    let moved = picture(|x, y| if (x, y) == (4, 2) { 0 } else { u8::try_from(x).unwrap() });
    let (buffer, second) = draw(&mut layer, &moved, None);
    assert_eq!(
        (second.as_str(), lengths(&buffer, 3)),
        ("", vec![3, 1, 1, 1, 3, 3]),
        "they are elsewhere already"
    );
    let (buffer, third) = draw(&mut layer, &moved, Some(Rect::new(3, 1, 2, 1)));
    assert_eq!((third.as_str(), lengths(&buffer, 1)), ("", vec![3, 1, 1, 3, 1, 1]));
    let (buffer, uncovered) = draw(&mut layer, &moved, None);
    assert_eq!((uncovered.as_str(), lengths(&buffer, 1)), ("", vec![3, 1, 1, 1, 1, 1]));
    let new = picture(|x, y| {
        if (2..5).contains(&x) && y == 0 { [7, 3, 8][x as usize - 2] } else { u8::try_from(x).unwrap() }
    });
    let (buffer, fourth) = draw(&mut layer, &new, None);
    assert!(fourth.contains(",i=2,c=1,r=2,"), "the cell between them has not changed: {fourth:?}");
    assert_eq!(lengths(&buffer, 1), [3, 1, 3, 3, 3, 3]);
    assert_eq!(layer.leave(), "\x1b_Ga=d,d=I,q=2,i=1\x1b\\\x1b_Ga=d,d=I,q=2,i=2\x1b\\");
}

#[test]
fn several_pictures_share_what_the_terminal_has() {
    let plain = columns();
    let other = picture(|_, _| 50);
    let mut kitty = layer(GraphicsProtocol::Kitty);
    let (buffer, first) = finish(&mut kitty, &[(&plain, AREA), (&plain, OTHER)], None);
    assert_eq!(first.sequences.matches("a=T").count(), 1, "sent once");
    assert_eq!((lengths(&buffer, 1), buffer[(8, 1)].symbol().chars().count()), (vec![3, 1, 1, 1, 1, 1], 3));
    let (buffer, second) = finish(&mut kitty, &[(&other, OTHER)], None);
    assert!(second.sequences.contains(",c=6,r=1,") && buffer[(2, 1)].symbol() == " ");
    for protocol in [GraphicsProtocol::Iterm2, GraphicsProtocol::Sixel] {
        let mut layer = layer(protocol);
        let (_, first) = finish(&mut layer, &[(&plain, AREA), (&other, OTHER)], None);
        assert!(first.sequences.contains("\x1b[2;3H") && first.sequences.contains("\x1b[2;9H"));
        let (_, second) = finish(&mut layer, &[(&plain, AREA), (&plain, OTHER)], None);
        assert!(second.sequences.starts_with("\x1b7\x1b[2;9H") && !second.sequences.contains("\x1b[2;3H"));
        assert_eq!(finish(&mut layer, &[(&plain, OTHER), (&plain, AREA)], None).1, LayerUpdate::default());
    }
}

#[test]
fn pixels_that_cannot_be_encoded_are_reported_and_leave_the_other_pictures() {
    let plain = columns();
    let dark = picture(|_, _| 0);
    let all = [
        GraphicsProtocol::Kitty,
        GraphicsProtocol::KittyTiles,
        GraphicsProtocol::Iterm2,
        GraphicsProtocol::Sixel,
    ];
    for protocol in all {
        let mut layer = layer(protocol);
        finish(&mut layer, &[(&dark, OTHER)], None);
        let broken: Encode = |_, _, _| Err("out of ink".to_owned());
        let pictures = [(&plain, AREA), (&dark, OTHER)];
        let (buffer, update) = finish_from(&mut layer, &pictures, None, &mut AtOnce(broken));
        assert_eq!(
            update,
            LayerUpdate { failed: vec![(0, "out of ink".to_owned())], ..LayerUpdate::default() }
        );
        assert_eq!((buffer[(2, 1)].symbol(), buffer[(2, 1)].diff_option), (" ", CellDiffOption::None));
        assert!(!finish(&mut layer, &pictures, None).1.sequences.is_empty());
    }
}

#[test]
fn in_tmux_sequences_go_to_the_terminal_outside_and_numbers_belong_to_this_program() {
    let mut layer = PictureLayer::new(GraphicsProtocol::Kitty, true, 77);
    let (buffer, first) = draw(&mut layer, &picture(|_, _| 1), None);
    let id = 77_u32 << 24 | 1;
    assert!(
        first.starts_with("\x1bPtmux;\x1b\x1b_Ga=T,") && first.contains(&format!(",i={id},")),
        "{first:?}"
    );
    assert!(first.ends_with("\x1b\x1b\\\x1b\\"), "{first:?}");
    assert_eq!(lengths(&buffer, 1), [4, 1, 1, 1, 1, 1], "the first cell names the highest byte");
    assert_eq!(draw(&mut layer, &picture(|_, _| 1), None).1, "");
    layer.clear();
    let again = draw(&mut layer, &picture(|_, _| 1), None).1;
    assert!(again.contains("a=d,d=I") && again.contains("a=T"), "tmux may have dropped it: {again:?}");
    let mut all = String::new();
    for color in 0..=60 {
        all.push_str(&draw(&mut layer, &picture(|_, _| color), None).1);
    }
    all.push_str(&finish(&mut layer, &[], None).1.sequences);
    let wrapped = all.matches("\x1bPtmux;\x1b\x1b_Ga=").count();
    assert_eq!((all.matches("_Ga=d").count() > 0, all.matches("_Ga=").count()), (true, wrapped));
}

#[test]
fn a_terminal_keeps_a_limited_number_of_pictures() {
    let mut one = layer(GraphicsProtocol::Kitty);
    let mut deleted = 0;
    for color in 0..250 {
        let (_, sequences) = draw(&mut one, &picture(|_, _| color), None);
        deleted += sequences.matches("a=d").count();
    }
    assert_eq!((one.placeholders.sheet_count(), deleted), (KEPT + 1, 250 - KEPT - 1));
    // Each picture leaves a cell of every one before it.
    let mut many = layer(GraphicsProtocol::Kitty);
    let large = |step: u32| {
        let pixels = RgbImage::from_fn(40 * 4, 10 * 8, |x, y| {
            let number = (y / 8) * 40 + x / 4;
            let value = number.min(step).to_be_bytes();
            Rgb([value[2], value[3], 1])
        });
        Arc::new(CellPicture::new(pixels, Size::new(4, 8)))
    };
    for step in 0..400 {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 40, 10));
        let picture = large(step);
        let placed = [PlacedPicture { picture: &picture, area: buffer.area }];
        PictureLayer::mark(0, buffer.area, &mut buffer);
        many.finish(&placed, usize::MAX, &mut AtOnce(encode), &mut buffer);
        assert!(buffer.content.iter().all(|cell| cell.symbol().starts_with('\u{10eeee}')), "{step}");
        assert!(many.placeholders.sheet_count() < 255);
    }
}

#[test]
fn without_placeholder_cells_a_picture_is_placed_in_tiles_that_are_deleted_when_they_change() {
    let mut layer = layer(GraphicsProtocol::KittyTiles);
    let plain = columns();
    let (buffer, first) = draw(&mut layer, &plain, None);
    assert!(first.starts_with("\x1b7\x1b[2;3H\x1b_Ga=T,C=1,q=2,f=100,i=1,c=6,r=3,m=0;"), "{first:?}");
    assert!(first.ends_with("\x1b\\\x1b8") && !first.contains("a=d"), "{first:?}");
    assert_eq!((buffer[(2, 1)].symbol(), buffer[(2, 1)].diff_option), (" ", CellDiffOption::Skip));
    assert_eq!(draw(&mut layer, &plain, None).1, "");
    let (buffer, covered) = draw(&mut layer, &plain, Some(Rect::new(3, 2, 2, 1)));
    assert_eq!((buffer[(3, 2)].symbol(), buffer[(3, 2)].diff_option), ("x", CellDiffOption::None));
    assert!(covered.ends_with("\x1b_Ga=d,d=I,q=2,i=1\x1b\\\x1b8"), "after its place was filled: {covered:?}");
    let cells: u32 = covered.split("\x1b_Ga=T").skip(1).map(cells_of).sum();
    assert_eq!(cells, 6 * 3 - 2, "all but the covered cells");
    let (_, uncovered) = draw(&mut layer, &plain, None);
    assert_eq!(uncovered.split("\x1b_Ga=T").skip(1).map(cells_of).sum::<u32>(), 2, "{uncovered:?}");
    assert!(!uncovered.contains("a=d"), "{uncovered:?}");
    layer.clear();
    let again = draw(&mut layer, &plain, None).1;
    assert_eq!(again.matches("a=T").count(), 1, "{again:?}");
    assert!(again.matches("a=d").count() > 2, "a cleared terminal may keep them: {again:?}");
    assert_eq!(layer.leave().matches("a=d").count(), 1);
    assert_eq!(layer.leave(), "");
}

/// The cells of a tile by its keys.
fn cells_of(tile: &str) -> u32 {
    let key = |name: &str| tile.split(',').find_map(|key| key.strip_prefix(name)?.parse::<u32>().ok());
    key("c=").unwrap() * key("r=").unwrap()
}

#[test]
fn a_change_of_a_large_picture_replaces_one_tile() {
    let mut layer = layer(GraphicsProtocol::KittyTiles);
    let large = |changed: u8| {
        let pixels = RgbImage::from_fn(40 * 4, 20 * 8, |x, y| {
            Rgb([if (x / 4, y / 8) == (20, 10) { changed } else { 3 }, 9, 9])
        });
        Arc::new(CellPicture::new(pixels, Size::new(4, 8)))
    };
    let mut draw = |picture: &Arc<CellPicture>| {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 40, 20));
        let placed = [PlacedPicture { picture, area: buffer.area }];
        PictureLayer::mark(0, buffer.area, &mut buffer);
        layer.finish(&placed, usize::MAX, &mut AtOnce(encode), &mut buffer).sequences
    };
    assert_eq!(draw(&large(1)).matches("a=T").count(), 9);
    let second = draw(&large(2));
    assert_eq!((second.matches("a=T").count(), second.matches("a=d").count()), (1, 1), "{second:?}");
    assert!(second.starts_with("\x1b7\x1b[9;17H"), "{second:?}");
}
