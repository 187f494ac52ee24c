//! A picture cut into the cells of the screen, and which cells must be sent.

use image::{GenericImageView, RgbImage};
use ratatui::layout::{Position, Rect, Size};

/// A picture at the size in which it is shown: a whole number of cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellPicture {
    pixels: RgbImage,
    /// The pixels of a cell.
    cell: Size,
    /// A hash of the pixels of each cell, row by row.
    hashes: Vec<u64>,
}

impl CellPicture {
    /// Cuts pixels into cells of this size. A rest at the right or at the bottom that fills no cell is left out.
    pub(crate) fn new(pixels: RgbImage, cell: Size) -> Self {
        let mut picture = Self { pixels, cell, hashes: Vec::new() };
        let size = picture.size();
        let places = (0..size.height).flat_map(|y| (0..size.width).map(move |x| Position { x, y }));
        picture.hashes = places.map(|at| picture.hash_of(at)).collect();
        picture
    }

    /// Its size in cells.
    pub(crate) fn size(&self) -> Size {
        let cells =
            |pixels: u32, cell: u16| u16::try_from(pixels / u32::from(cell.max(1))).unwrap_or(u16::MAX);
        Size::new(cells(self.pixels.width(), self.cell.width), cells(self.pixels.height(), self.cell.height))
    }

    /// The pixels of a cell.
    pub(super) fn cell(&self) -> Size {
        self.cell
    }

    /// The memory that it takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.pixels.as_raw().len() + self.hashes.len() * size_of::<u64>()
    }

    /// The hash of a cell; `None` outside of the picture.
    pub(super) fn hash(&self, at: Position) -> Option<u64> {
        let size = self.size();
        let inside = at.x < size.width && at.y < size.height;
        inside.then(|| {
            self.hashes.get(usize::from(at.y) * usize::from(size.width) + usize::from(at.x)).copied()
        })?
    }

    /// The pixels of these cells, which must be inside.
    pub(super) fn part(&self, cells: Rect) -> RgbImage {
        let (left, top, width, height) = self.pixels_of(cells);
        self.pixels.view(left, top, width, height).to_image()
    }

    fn pixels_of(&self, cells: Rect) -> (u32, u32, u32, u32) {
        let wide = u32::from(self.cell.width);
        let high = u32::from(self.cell.height);
        let left = u32::from(cells.x) * wide;
        let top = u32::from(cells.y) * high;
        (left, top, u32::from(cells.width) * wide, u32::from(cells.height) * high)
    }

    fn hash_of(&self, at: Position) -> u64 {
        let (left, top, width, height) = self.pixels_of(Rect::new(at.x, at.y, 1, 1));
        let row_bytes = self.pixels.width() as usize * 3;
        let mut hash = blake3::Hasher::new();
        for y in top..top + height {
            let start = y as usize * row_bytes + left as usize * 3;
            hash.update(&self.pixels.as_raw()[start..start + width as usize * 3]);
        }
        hash.finalize().as_bytes()[..8].iter().fold(0, |all, byte| all << 8 | u64::from(*byte))
    }
}

/// Rectangles that cover these cells and no others: runs of a row, joined with equal runs of the rows below.
pub(super) fn rectangles(size: Size, is_wanted: impl Fn(Position) -> bool) -> Vec<Rect> {
    let mut done: Vec<Rect> = Vec::new();
    let mut open: Vec<Rect> = Vec::new();
    for y in 0..size.height {
        let runs = runs(size.width, |x| is_wanted(Position { x, y }));
        let (grown, closed): (Vec<Rect>, Vec<Rect>) =
            open.into_iter().partition(|rect| runs.contains(&(rect.x, rect.width)));
        done.extend(closed);
        let new = runs.iter().filter(|run| !grown.iter().any(|rect| (rect.x, rect.width) == **run));
        let new = new.map(|&(x, width)| Rect::new(x, y, width, 1));
        open = grown.iter().map(|rect| Rect { height: rect.height + 1, ..*rect }).chain(new).collect();
    }
    done.extend(open);
    done
}

/// Joins rectangles where that adds at most so many cells, all of which may be drawn.
pub(super) fn joined(parts: Vec<Rect>, most_added: u32, may_draw: impl Fn(Position) -> bool) -> Vec<Rect> {
    let can_join = |one: Rect, other: Rect| {
        let whole = one.union(other);
        whole.area() <= one.area() + other.area() + most_added && whole.positions().all(&may_draw)
    };
    let mut done: Vec<Rect> = Vec::new();
    for mut part in parts {
        while let Some(found) = done.iter().position(|other| can_join(part, *other)) {
            part = part.union(done.swap_remove(found));
        }
        done.push(part);
    }
    done
}

/// The runs of wanted cells of a row: start and length.
fn runs(width: u16, is_wanted: impl Fn(u16) -> bool) -> Vec<(u16, u16)> {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for x in (0..width).filter(|x| is_wanted(*x)) {
        match runs.last_mut() {
            Some((start, length)) if *start + *length == x => *length += 1,
            _ => runs.push((x, 1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    #[test]
    fn cells_with_equal_pixels_have_equal_hashes() {
        let pixels = RgbImage::from_fn(45, 40, |x, y| Rgb([u8::from(x >= 30 && y >= 20), 0, 0]));
        let picture = CellPicture::new(pixels, Size::new(10, 20));
        assert_eq!(picture.size(), Size::new(4, 2));
        let hash = |x, y| picture.hash(Position { x, y });
        assert_eq!(hash(0, 0), hash(2, 1));
        assert_ne!(hash(0, 0), hash(3, 1));
        assert_eq!((hash(4, 0), hash(0, 2)), (None, None));
        assert_eq!(picture.part(Rect::new(3, 1, 1, 1)).get_pixel(0, 0).0, [1, 0, 0]);
    }

    #[test]
    fn rectangles_cover_every_wanted_cell_once_and_no_other() {
        let mut state = 1_u64;
        for share in [1, 3, 7] {
            let wanted: Vec<bool> = (0..13 * 9)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 60) < share
                })
                .collect();
            let mut covered = vec![0; wanted.len()];
            let size = Size::new(13, 9);
            for rect in rectangles(size, |at| wanted[usize::from(at.y * 13 + at.x)]) {
                for at in rect.positions() {
                    covered[usize::from(at.y * 13 + at.x)] += 1;
                }
            }
            assert_eq!(covered, wanted.iter().map(|wanted| i32::from(*wanted)).collect::<Vec<_>>());
        }
        assert_eq!(rectangles(Size::new(4, 3), |_| true), [Rect::new(0, 0, 4, 3)]);
        assert_eq!(rectangles(Size::new(4, 3), |at| at.x == 1 && at.y > 0), [Rect::new(1, 1, 1, 2)]);
    }
    #[test]
    fn near_rectangles_are_joined_unless_something_covers_the_cells_between() {
        let parts = [Rect::new(0, 0, 2, 1), Rect::new(3, 1, 2, 1), Rect::new(12, 8, 1, 1)];
        let far = Rect::new(12, 8, 1, 1);
        assert_eq!(joined(parts.into(), 6, |_| true), [Rect::new(0, 0, 5, 2), far]);
        assert_eq!(joined(parts.into(), 5, |_| true), parts);
        assert_eq!(joined(parts.into(), 6, |at| (at.x, at.y) != (2, 0)), parts);
    }
}
