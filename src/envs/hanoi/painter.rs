//! Paints a table of books as a frame of 102 x 96 dots. The empty table is painted once; a frame is a copy
//! with a slab for each book, its number on the spine.
//!
//! Six dots are a grain. Regions, letters and slabs begin and end on dots that stay whole when a terminal
//! shows a grain as two or three half cells.

use std::sync::Arc;

use super::canvas::{Area, Canvas, LETTERS, NUMBERS};
use super::palette::{BACK, FRONT, JOINT, PLANK, RAIL, SKIRT, Style, WALL};
use super::table::{Book, MAX_BOOKS, Region, Table};
use mageyard_domain::Picture;

/// The dots of a frame from left to right.
pub(super) const WIDTH: usize = 102;
const HEIGHT: usize = 96;
const GRAIN: u32 = 6;
/// The left edge of the first region, and the width of a region.
const LEFT: usize = 6;
const PITCH: usize = 30;
/// Top and bottom of the table top, and the bottom of the lowest books.
const TABLE_TOP: usize = 63;
const TABLE_EDGE: usize = 93;
const BOOK_BASE: usize = 72;
/// Width of the widest slab.
const MAX_BOOK_WIDTH: usize = 26;
/// By number of books: thickness of a slab, and how much narrower each book is at either end than the next
/// larger one.
const BOOK_SHAPES: [(usize, usize); MAX_BOOKS] =
    [(14, 3), (14, 3), (14, 3), (14, 2), (14, 2), (10, 2), (10, 1), (8, 1)];

/// Paints tables at one scale.
pub(super) struct Painter {
    scale: u32,
    /// Whether books have their numbers on their spines.
    numbers: bool,
    style: Style,
    /// The painted table without books.
    empty: Canvas,
}

impl Painter {
    /// A painter in this style with dots of `scale` x `scale` pixels.
    pub(super) fn new(scale: u32, numbers: bool, style: Style) -> Self {
        let mut empty = Canvas::new(WIDTH, HEIGHT, style.ground());
        if style == Style::Wood {
            paint_room(&mut empty);
        }
        for region in Region::ALL {
            paint_mat(&mut empty, region, style);
        }
        Self { scale, numbers, style, empty }
    }

    /// The frame of this table, painted on first use. `None` only for a scale of 0, which no setting
    /// allows.
    pub(super) fn frame(self: &Arc<Self>, table: &Table) -> Option<Picture> {
        let side = |dots: usize| u32::try_from(dots).ok().map(|dots| dots * self.scale);
        let painter = self.clone();
        let table = *table;
        let paint = move |rgb: &mut [u8]| painter.paint(&table, rgb);
        Picture::painted(side(WIDTH)?, side(HEIGHT)?, GRAIN * self.scale, paint)
    }

    fn paint(&self, table: &Table, rgb: &mut [u8]) {
        let mut canvas = self.empty.clone();
        for region in Region::ALL {
            let books = table.pile(region).rev().enumerate();
            for (level, book) in books {
                let area = book_area(table, book, level);
                paint_book(&mut canvas, area, book, self.style);
                if self.numbers {
                    paint_number(&mut canvas, area, book, self.style);
                }
            }
        }
        canvas.write_pixels(self.scale as usize, rgb);
    }
}

/// The left edge of a region.
fn region_left(region: Region) -> usize {
    LEFT + PITCH * region as usize
}

/// A region and what is above it, in dots.
pub(super) fn region_area(region: Region) -> Area {
    Area(region_left(region), 0, PITCH, TABLE_EDGE)
}

/// Paints the wallpaper and the planks of the table.
fn paint_room(canvas: &mut Canvas) {
    for stripe in (0..WIDTH).step_by(12) {
        canvas.fill(Area(stripe, 0, 6, TABLE_TOP), WALL[1]);
    }
    canvas.fill(Area(0, TABLE_TOP - 6, WIDTH, 1), RAIL);
    canvas.fill(Area(0, TABLE_TOP - 5, WIDTH, 5), SKIRT);
    for (plank, top) in (TABLE_TOP..TABLE_EDGE).step_by(6).enumerate() {
        canvas.fill(Area(0, top, WIDTH, 6), PLANK[plank % PLANK.len()]);
        canvas.fill(Area(0, top + 5, WIDTH, 1), JOINT);
        canvas.fill(Area((plank * 41 + 17) % WIDTH, top, 1, 6), JOINT);
    }
    canvas.fill(Area(0, TABLE_TOP, WIDTH, 1), BACK);
    canvas.fill(Area(0, TABLE_EDGE, WIDTH, 1), FRONT[0]);
    canvas.fill(Area(0, TABLE_EDGE + 1, WIDTH, HEIGHT - TABLE_EDGE - 1), FRONT[1]);
}

/// Paints the mat of a region with its letter; the goal's mat is golden.
fn paint_mat(canvas: &mut Canvas, region: Region, style: Style) {
    let ink = style.ink(region);
    let mat = Area(region_left(region) + 1, TABLE_TOP + 3, PITCH - 2, TABLE_EDGE - TABLE_TOP - 3);
    canvas.fill(mat, ink);
    canvas.fill(mat.inner(1), style.mat()[0]);
    canvas.write(LETTERS[region as usize], region_left(region) + 9, BOOK_BASE + 3, 3, ink);
}

/// The rectangle of a book at this level of its pile.
pub(super) fn book_area(table: &Table, book: Book, level: usize) -> Area {
    let (thick, step) = BOOK_SHAPES[usize::from(table.count()).saturating_sub(1)];
    let inset = step * usize::from(table.count() - book);
    let middle = region_left(table.region_of(book)) + PITCH / 2;
    let wide = MAX_BOOK_WIDTH - 2 * inset;
    Area(middle - wide / 2, BOOK_BASE - thick * (level + 1), wide, thick)
}

/// Paints a book: cloth with two bands.
fn paint_book(canvas: &mut Canvas, area: Area, book: Book, style: Style) {
    let Area(left, top, wide, thick) = area;
    let [light, face, dark] = style.book(book);
    canvas.fill(Area(left + 1, top, wide - 2, thick), dark);
    canvas.fill(Area(left, top + 1, wide, thick - 2), dark);
    canvas.fill(Area(left + 1, top + 1, wide - 2, thick - 2), face);
    canvas.fill(Area(left + 1, top, wide - 2, 1), light);
    if wide >= 14 {
        for band in [left + 3, left + wide - 4] {
            canvas.fill(Area(band, top + 1, 1, thick - 2), light);
        }
    }
    if top + thick == BOOK_BASE {
        canvas.fill(Area(left + 1, BOOK_BASE, wide - 2, 1), style.mat()[1]);
    }
}

/// Paints the number of a book in the middle of its spine.
fn paint_number(canvas: &mut Canvas, area: Area, book: Book, style: Style) {
    let Area(left, top, wide, thick) = area;
    let [_, _, dark] = style.book(book);
    let dot = if thick >= 12 { 2 } else { 1 };
    let across = left + (wide - 3 * dot) / 2;
    let down = top + (thick - 5 * dot) / 2;
    canvas.write(NUMBERS[usize::from(book) - 1], across, down, dot, dark);
}

#[cfg(test)]
mod tests {
    use super::super::canvas::Rgb;
    use super::super::level_text::table;
    use super::*;

    fn frame(text: &str, scale: u32) -> Picture {
        Arc::new(Painter::new(scale, true, Style::Wood)).frame(&table(text)).unwrap()
    }

    /// The colour of the face of a book.
    fn face(book: usize) -> Rgb {
        Style::Wood.book(book.try_into().unwrap())[1]
    }

    /// The columns of all pixels of this colour.
    fn columns(picture: &Picture, colour: Rgb) -> Vec<usize> {
        let pixels = picture.pixels().unwrap();
        let pixels = pixels.chunks_exact(3).enumerate();
        let wide = picture.width() as usize;
        pixels.filter(|(_, pixel)| *pixel == colour).map(|(at, _)| at % wide).collect()
    }

    /// The frame reduced to `grain` pixels per grain, each the mean of its block.
    fn shrunk(picture: &Picture, grain: usize) -> Vec<[usize; 3]> {
        let wide = picture.width() as usize;
        let side = picture.grain() as usize / grain;
        let rgb = picture.pixels().unwrap();
        let places =
            (0..picture.height() as usize / side).flat_map(|y| (0..wide / side).map(move |x| (x, y)));
        let mean = |(x, y): (usize, usize)| {
            [0, 1, 2].map(|channel| {
                let row =
                    |row: usize| (0..side).map(move |dot| ((y * side + row) * wide + x * side + dot) * 3);
                let values = (0..side).flat_map(row).map(|at| usize::from(rgb[at + channel]));
                values.sum::<usize>() / (side * side)
            })
        };
        places.map(mean).collect()
    }

    #[test]
    fn frames_have_the_right_size_and_look_the_same_at_any_scale() {
        let small = frame("A: 3 1\nB: 2\nC:", 1);
        assert_eq!((small.width(), small.height(), small.grain()), (102, 96, 6));
        let large = frame("A: 3 1\nB: 2\nC:", 3);
        assert_eq!((large.width(), large.height(), large.grain()), (306, 288, 18));
        let means: Vec<[u8; 3]> =
            shrunk(&large, 6).iter().map(|mean| mean.map(|value| u8::try_from(value).unwrap())).collect();
        assert!(means.concat() == *small.pixels().unwrap());
    }

    #[test]
    fn books_without_numbers_have_the_same_place_and_size() {
        let table = table("A: 3 1\nB: 2\nC:");
        let pixels = |numbers| Arc::new(Painter::new(1, numbers, Style::Wood)).frame(&table).unwrap();
        let (with, without) = (pixels(true), pixels(false));
        let (with, without) = (with.pixels().unwrap(), without.pixels().unwrap());
        let differ = with.chunks_exact(3).zip(without.chunks_exact(3)).filter(|(a, b)| a != b);
        let dots: Vec<_> = differ.map(|(ink, cloth)| (ink.to_vec(), cloth.to_vec())).collect();
        assert!(!dots.is_empty());
        let is_number = |(ink, cloth): &(Vec<u8>, Vec<u8>)| {
            (1..=8).map(|book| Style::Wood.book(book)).any(|[_, face, dark]| *ink == dark && *cloth == face)
        };
        assert!(dots.iter().all(is_number), "only the ink of numbers");
    }

    #[test]
    fn books_lie_in_their_regions_and_larger_books_are_wider() {
        for count in 1..=MAX_BOOKS {
            for region in Region::ALL {
                let mut piles = [String::new(), String::new(), String::new()];
                piles[region as usize] =
                    (1..=count).rev().map(|book| book.to_string()).collect::<Vec<_>>().join(" ");
                let picture = frame(&format!("A: {}\nB: {}\nC: {}", piles[0], piles[1], piles[2]), 1);
                let mut before = 0;
                for book in 1..=count {
                    let found = columns(&picture, face(book));
                    let first = found.iter().min().unwrap();
                    let last = found.iter().max().unwrap();
                    let here = region_left(region)..region_left(region) + PITCH;
                    assert!(here.contains(first) && here.contains(last), "book {book} of {count}");
                    assert!(last - first > before, "book {book} of {count}");
                    before = last - first;
                }
                let absent = (count + 1..=MAX_BOOKS).all(|book| columns(&picture, face(book)).is_empty());
                assert!(absent, "{count} books, no more");
            }
        }
    }

    /// A terminal of 80 columns shows two half cells per grain.
    #[test]
    fn tables_differ_clearly_when_shrunk() {
        [Style::Wood, Style::Contrast].into_iter().for_each(tables_differ_clearly);
    }

    fn tables_differ_clearly(style: Style) {
        let tables: Vec<_> = (0..81)
            .map(|number: usize| {
                let places = [1, 3, 9, 27].map(|power| Region::ALL[number / power % 3]);
                shrunk(&Arc::new(Painter::new(1, true, style)).frame(&Table::new(&places)).unwrap(), 2)
            })
            .collect();
        for (index, one) in tables.iter().enumerate() {
            for (before, other) in tables[..index].iter().enumerate() {
                let pairs = one.iter().zip(other);
                let clear =
                    pairs.filter(|(a, b)| (0..3).any(|channel| a[channel].abs_diff(b[channel]) >= 48));
                let clear = clear.count();
                assert!(clear >= 24, "tables {index} and {before}: {clear} of 1088");
            }
        }
    }
}
