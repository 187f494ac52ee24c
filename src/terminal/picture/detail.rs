//! How finely pictures are drawn on a link that may be slow: size falls before rate. A picture that changes more than
//! the link carries in a moment is drawn coarsely at first and finer once that has arrived.

use std::sync::{Arc, Weak};

use super::job::JobKey;
use super::placement::Placement;
use crate::link::PicturePace;
use mageyard_config::PictureForm;
use mageyard_domain::Picture;

/// How finely a picture is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    Full,
    /// A quarter of the pixels.
    Half,
    /// A sixteenth of the pixels.
    Quarter,
}

impl Detail {
    /// By how much width and height are divided.
    pub(super) fn divisor(self) -> u16 {
        match self {
            Self::Full => 1,
            Self::Half => 2,
            Self::Quarter => 4,
        }
    }

    /// The next finer one.
    pub(super) fn finer(self) -> Self {
        match self {
            Self::Full | Self::Half => Self::Full,
            Self::Quarter => Self::Half,
        }
    }

    /// The bytes of a changed cell, about: what the forms need for a football frame.
    fn cell_bytes(self, form: PictureForm) -> f64 {
        let divisor = f64::from(self.divisor());
        match form {
            PictureForm::Kitty | PictureForm::Iterm2 => (60.0 / divisor.powi(2)).max(8.0),
            PictureForm::Sixel => 60.0 / divisor,
            PictureForm::HalfBlocks | PictureForm::Sextants => 18.0 / divisor,
            PictureForm::Braille | PictureForm::Ascii | PictureForm::Text => 9.0 / divisor,
        }
    }

    /// How finely a picture is drawn of which so many cells have changed.
    pub(super) fn of_change(pace: PicturePace, form: PictureForm, changed: usize) -> Self {
        let cells = f64::from(u32::try_from(changed).unwrap_or(u32::MAX));
        let fits = |detail: &Self| cells * detail.cell_bytes(form) <= pace.change_bytes;
        [Self::Full, Self::Half].into_iter().find(fits).unwrap_or(Self::Quarter)
    }

    /// The most cells that are sent at once.
    pub(super) fn part_cells(self, pace: PicturePace, form: PictureForm) -> usize {
        let cells = (pace.part_bytes / self.cell_bytes(form)).clamp(1.0, f64::from(u16::MAX));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within the range of u16"
        )]
        let cells = cells as usize;
        cells
    }
}

/// The picture of the last decision, in one pixel a half cell.
#[derive(Debug)]
pub(super) struct DecidedPicture {
    picture: Weak<Picture>,
    shown: Placement,
    pixels: Vec<u8>,
}

impl DecidedPicture {
    pub(super) fn new(picture: Weak<Picture>, shown: Placement, pixels: Vec<u8>) -> Self {
        Self { picture, shown, pixels }
    }

    /// The job that it came of.
    pub(super) fn key(&self) -> JobKey {
        JobKey::outline(self.picture.clone(), self.shown)
    }

    /// Whether this part of this picture was decided.
    pub(super) fn is_for(&self, picture: &Arc<Picture>, shown: Placement) -> bool {
        std::ptr::eq(self.picture.as_ptr(), Arc::as_ptr(picture)) && self.shown == shown
    }

    /// How many cells differ from those of an earlier picture at the same place.
    pub(super) fn changed_cells(&self, before: Option<&Self>) -> usize {
        let width = usize::try_from(self.shown.size.0).unwrap_or(1).max(1);
        let same_place = before.filter(|before| before.shown.size == self.shown.size);
        let differs = |cell: usize| {
            let row = cell / width * 2;
            let column = cell % width;
            let halves = [row, row + 1].map(|row| (row * width + column) * 3);
            same_place.is_none_or(|before| {
                halves.iter().any(|&at| self.pixels.get(at..at + 3) != before.pixels.get(at..at + 3))
            })
        };
        (0..(self.pixels.len() / 3 / width).div_ceil(2) * width).filter(|cell| differs(*cell)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::placement::Crop;

    const PACE: PicturePace = PicturePace { part_bytes: 600.0, change_bytes: 2_000.0 };

    #[test]
    fn a_large_change_is_coarse_and_a_small_one_is_not() {
        for (changed, detail) in
            [(0, Detail::Full), (110, Detail::Full), (200, Detail::Half), (1_800, Detail::Quarter)]
        {
            assert_eq!(Detail::of_change(PACE, PictureForm::HalfBlocks, changed), detail, "{changed}");
        }
        assert_eq!(Detail::Full.part_cells(PACE, PictureForm::HalfBlocks), 33);
        assert!(
            Detail::Quarter.part_cells(PACE, PictureForm::Kitty)
                > Detail::Full.part_cells(PACE, PictureForm::Kitty)
        );
        assert_eq!(Detail::Quarter.finer().finer().finer(), Detail::Full);
    }

    #[test]
    fn changed_cells_are_counted_at_the_same_place_only() {
        let picture = Arc::new(Picture::new(2, 2, 1, vec![0; 12]).unwrap());
        let crop = Crop { left: 0, top: 0, width: 2, height: 2 };
        let decided = |size: (u32, u32), changed: &[usize]| {
            let mut pixels = vec![0; usize::try_from(size.0 * size.1 * 3).unwrap()];
            for at in changed {
                pixels[*at] = 9;
            }
            DecidedPicture::new(Arc::downgrade(&picture), Placement { crop, size }, pixels)
        };
        let plain = decided((4, 3), &[]);
        assert_eq!(plain.changed_cells(None), 8);
        assert_eq!(plain.changed_cells(Some(&decided((4, 3), &[]))), 0);
        // Two halves of one cell, and one in the half row at the bottom.
        assert_eq!(decided((4, 3), &[0, 12, 35]).changed_cells(Some(&plain)), 2);
        assert_eq!(plain.changed_cells(Some(&decided((2, 3), &[]))), 8);
    }
}
