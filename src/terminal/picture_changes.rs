//! Which pixels differ between two pictures of the same size: how many, and in which areas.

use mageyard_domain::PixelBox;

/// The side of the blocks of a picture without tiles, in pixels. Changes in neighbouring blocks share a box.
const BLOCK: u32 = 16;
/// The most areas; more become one.
const MOST_BOXES: usize = 6;

/// The pixels that differ.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureChanges {
    /// How many pixels differ.
    pub(crate) changed: u64,
    /// The pixels of a picture.
    pub(crate) all: u64,
    /// The box around all changes; `None` without one.
    pub(crate) bounds: Option<PixelBox>,
    /// The areas of changes that are apart.
    pub areas: Vec<PixelBox>,
}

/// The first and the last column and row with a change.
#[derive(Clone, Copy)]
struct Extent {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Extent {
    fn at(x: u32, y: u32) -> Self {
        Self { left: x, top: y, right: x, bottom: y }
    }

    fn with(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    fn pixel_box(self) -> PixelBox {
        let left = i64::from(self.left);
        let top = i64::from(self.top);
        PixelBox { left, top, width: self.right - self.left + 1, height: self.bottom - self.top + 1 }
    }
}

impl PictureChanges {
    /// Compares the pixels of two pictures of this width, whose tiles have this side (1 without tiles).
    pub fn between(before: &[u8], after: &[u8], width: u32, grain: u32) -> Self {
        let block = if grain > 1 { grain } else { BLOCK };
        let columns = width.div_ceil(block).max(1) as usize;
        let (mut blocks, mut changed): (Vec<Option<Extent>>, u64) = (Vec::new(), 0);
        let bytes = width.max(1) as usize * 3;
        for (y, (one, other)) in (0..).zip(before.chunks(bytes).zip(after.chunks(bytes))) {
            let row = (y / block) as usize * columns;
            blocks.resize(row + columns, None);
            if one == other {
                continue;
            }
            for (x, (one, other)) in (0..).zip(one.chunks(3).zip(other.chunks(3))) {
                if one != other {
                    changed += 1;
                    let at = Extent::at(x, y);
                    let place = row + (x / block) as usize;
                    blocks[place] = Some(blocks[place].map_or(at, |known| known.with(at)));
                }
            }
        }
        let found = joined(blocks, columns);
        let bounds = found.iter().copied().reduce(Extent::with);
        let areas = if found.len() > MOST_BOXES { bounds.into_iter().collect() } else { found };
        Self {
            changed,
            all: (after.len() / 3) as u64,
            bounds: bounds.map(Extent::pixel_box),
            areas: areas.into_iter().map(Extent::pixel_box).collect(),
        }
    }

    /// `changed: 1.6 % of the pixels, 64×32 px at (128, 64)`.
    pub fn label(&self) -> String {
        let Some(bounds) = self.bounds else { return "changed: no pixel".to_owned() };
        let places = match self.areas.len() {
            0 | 1 => String::new(),
            count => format!(" in {count} places"),
        };
        let PixelBox { left, top, width, height } = bounds;
        format!("changed: {} of the pixels{places}, {width}×{height} px at ({left}, {top})", self.share())
    }

    /// The share of changed pixels; a change is never 0 %, and 100 % only if all have changed.
    fn share(&self) -> String {
        let thousandths = self.changed.saturating_mul(1000) / self.all.max(1);
        match (thousandths, self.changed == self.all) {
            (0, false) => "less than 0.1 %".to_owned(),
            (_, true) => "100 %".to_owned(),
            (share, _) => format!("{}.{} %", share / 10, share % 10),
        }
    }
}

/// The extents of blocks that touch each other, also at corners, in the order of their first blocks.
fn joined(mut blocks: Vec<Option<Extent>>, columns: usize) -> Vec<Extent> {
    let rows = blocks.len() / columns;
    let mut found = Vec::new();
    for first in 0..blocks.len() {
        let Some(mut extent) = blocks[first].take() else { continue };
        let mut open = vec![first];
        while let Some(at) = open.pop() {
            let x = at % columns;
            let y = at / columns;
            for row in y.saturating_sub(1)..rows.min(y + 2) {
                for column in x.saturating_sub(1)..columns.min(x + 2) {
                    let place = row * columns + column;
                    if let Some(other) = blocks[place].take() {
                        extent = extent.with(other);
                        open.push(place);
                    }
                }
            }
        }
        found.push(extent);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: u32 = 100;

    fn changes(places: &[(u32, u32)], grain: u32) -> PictureChanges {
        let before = vec![7; (WIDTH * 80 * 3) as usize];
        let mut after = before.clone();
        for (x, y) in places {
            after[((y * WIDTH + x) * 3 + 1) as usize] = 8;
        }
        PictureChanges::between(&before, &after, WIDTH, grain)
    }

    fn area(left: i64, top: i64, width: u32, height: u32) -> PixelBox {
        PixelBox { left, top, width, height }
    }

    #[test]
    fn changes_that_touch_share_a_box_and_others_have_their_own() {
        let two = changes(&[(10, 10), (20, 12), (90, 70)], 1);
        assert_eq!(two.areas, [area(10, 10, 11, 3), area(90, 70, 1, 1)]);
        assert_eq!((two.changed, two.bounds), (3, Some(area(10, 10, 81, 61))));
        assert_eq!(two.label(), "changed: less than 0.1 % of the pixels in 2 places, 81×61 px at (10, 10)");
        let tiles = changes(&[(0, 0), (9, 9), (30, 0)], 10);
        assert_eq!(tiles.areas, [area(0, 0, 10, 10), area(30, 0, 1, 1)], "a tile is a block");
    }

    #[test]
    fn many_changes_become_one_box_and_none_has_no_box() {
        let many: Vec<(u32, u32)> = (0..3).flat_map(|y| (0..3).map(move |x| (x * 40, y * 35))).collect();
        let many = changes(&many, 1);
        assert_eq!((many.areas.len(), many.changed), (1, 9));
        let none = changes(&[], 1);
        assert_eq!((none.label().as_str(), none.areas.len()), ("changed: no pixel", 0));
    }

    #[test]
    fn the_share_is_neither_rounded_to_nothing_nor_to_everything() {
        let share = |changed, all| PictureChanges { changed, all, bounds: None, areas: vec![] }.share();
        assert_eq!(
            [share(1, 100_000), share(16, 1000), share(999_999, 1_000_000), share(5, 5)],
            ["less than 0.1 %", "1.6 %", "99.9 %", "100 %"]
        );
    }
}
