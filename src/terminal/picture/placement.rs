//! Which part of a picture is shown at which size, and where its pixels are on the screen.

use ratatui::layout::{Position, Rect};

use mageyard_domain::Picture;

/// A part of a picture in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crop {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
}

/// A part of a picture and its size in half cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The part that is shown, in pixels of the picture.
    pub crop: Crop,
    pub(crate) size: (u32, u32),
}

impl Placement {
    /// Whether only a part of the picture is shown.
    pub fn is_part_of(self, picture: &Picture) -> bool {
        (self.crop.width, self.crop.height) != (picture.width(), picture.height())
    }

    /// Where the picture is in this area: in its middle.
    pub fn area(self, area: Rect) -> Rect {
        let cells = |pixels: u32| u16::try_from(pixels).unwrap_or(u16::MAX);
        let width = cells(self.size.0);
        let height = cells(self.size.1.div_ceil(2));
        Rect {
            x: area.x + area.width.saturating_sub(width) / 2,
            y: area.y + area.height.saturating_sub(height) / 2,
            width,
            height,
        }
        .intersection(area)
    }

    /// The pixel of the picture in the middle of a cell of this area; `None` outside of the picture.
    pub fn pixel_at(self, area: Rect, at: Position) -> Option<(u32, u32)> {
        let place = self.area(area);
        let along = |cells: u16, unit: u32, start: u32, pixels: u32, size: u32| {
            start + (u32::from(cells) * unit + unit / 2) * pixels / size.max(1)
        };
        place.contains(at).then(|| {
            let x = along(at.x - place.x, 1, self.crop.left, self.crop.width, self.size.0);
            let y = along(at.y - place.y, 2, self.crop.top, self.crop.height, self.size.1);
            (x, y)
        })
    }

    /// The half cell that contains this pixel, from the upper left corner of the shown part; it may be outside.
    pub fn half_cell(self, x: i64, y: i64) -> (i64, i64) {
        let along = |at: i64, start: u32, pixels: u32, size: u32| {
            ((at - i64::from(start)) * i64::from(size)).div_euclid(i64::from(pixels.max(1)))
        };
        (
            along(x, self.crop.left, self.crop.width, self.size.0),
            along(y, self.crop.top, self.crop.height, self.size.1),
        )
    }
}
