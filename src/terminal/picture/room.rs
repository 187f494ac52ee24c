//! The room for a picture.

use ratatui::layout::Size;

use mageyard_config::PictureForm;

/// Cells for a picture, and the shape of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureRoom {
    pub(crate) cells: Size,
    /// Width and height of a cell in one unit.
    cell: (u32, u32),
    /// Whether pictures are drawn in pixels, not in characters.
    has_pixels: bool,
}

impl PictureRoom {
    /// For pictures of characters in a terminal that does not say more: a cell counts as two squares, one above the other.
    #[cfg(any(test, feature = "testing"))]
    pub const fn of_characters(cells: Size) -> Self {
        Self { cells, cell: (1, 2), has_pixels: false }
    }

    /// For pictures of this form in a terminal whose cells have this size in pixels, if it is known.
    pub fn new(cells: Size, form: PictureForm, cell: Option<Size>) -> Self {
        let known = cell.filter(|cell| cell.width > 0 && cell.height > 0);
        let cell = known.map_or((1, 2), |cell| (cell.width.into(), cell.height.into()));
        Self { cells, cell, has_pixels: form.has_pixels() }
    }

    /// The room in half cells.
    pub(super) fn half_cells(self) -> (u32, u32) {
        (u32::from(self.cells.width), u32::from(self.cells.height) * 2)
    }

    /// Whether the tiles of a picture get whole half cells: they do in characters, even if these are no squares, because
    /// tiles of several sizes are harder to read.
    pub(super) fn has_whole_tiles(self) -> bool {
        !self.has_pixels || self.cell.1 == 2 * self.cell.0
    }

    /// The half cells of the largest picture with these proportions.
    pub(super) fn proportional(self, (width, height): (u32, u32)) -> (u32, u32) {
        let (wide, high) = self.half_cells();
        // In units of half a pixel: a half cell is twice a cell's width wide and a cell's height high.
        let unit_x = u64::from(self.cell.0) * 2;
        let unit_y = u64::from(self.cell.1);
        let room_x = u64::from(wide) * unit_x;
        let room_y = u64::from(high) * unit_y;
        let width = u64::from(width.max(1));
        let height = u64::from(height.max(1));
        let (x, y) = if width * room_y <= height * room_x {
            (width * room_y / height, room_y)
        } else {
            (room_x, height * room_x / width)
        };
        let halves = |length: u64, unit: u64, most: u32| {
            u32::try_from(length / unit).unwrap_or(most).clamp(1, most.max(1))
        };
        (halves(x, unit_x, wide), halves(y, unit_y, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::fitted_size;
    use mageyard_domain::Picture;

    #[test]
    fn pictures_keep_their_proportions_in_cells_of_any_shape() {
        for cell in [(9, 20), (8, 17), (7, 15), (10, 20), (11, 18), (6, 13)] {
            for (form, size, grain) in [
                (PictureForm::Kitty, (112, 112), 16),
                (PictureForm::Kitty, (1920, 1080), 1),
                (PictureForm::HalfBlocks, (300, 900), 1),
            ] {
                let picture = Picture::painted(size.0, size.1, grain, |_| {}).unwrap();
                for cells in [Size::new(48, 30), Size::new(90, 25)] {
                    let room = PictureRoom::new(cells, form, Some(Size::new(cell.0, cell.1)));
                    let (across, down) = fitted_size(&picture, room).unwrap();
                    assert!(across <= 48.max(cells.width.into()) && down <= 2 * u32::from(cells.height));
                    let shown =
                        f64::from(across * u32::from(cell.0)) / (f64::from(down * u32::from(cell.1)) / 2.0);
                    let off = shown / (f64::from(size.0) / f64::from(size.1)) - 1.0;
                    assert!(off.abs() < 0.06, "{size:?} in {cells:?} of {cell:?}: {off:.3}");
                }
            }
        }
    }
}
