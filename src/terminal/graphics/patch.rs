//! Pixels that are to be encoded for a terminal, and who encodes them: at once, or later beside the drawing.

use std::sync::Arc;

use image::{RgbImage, imageops};
use ratatui::layout::{Rect, Size};

use super::GraphicsProtocol;
use super::cell_grid::CellPicture;
use super::encoding::Encode;

/// Parts of pictures, one below the other, that become one picture of the terminal.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    pub(super) protocol: GraphicsProtocol,
    /// Its size in cells; a part may be less wide.
    pub(super) size: Size,
    /// The pixels of a cell.
    pub(super) cell: Size,
    /// The pictures, and which of their cells it has.
    pub(super) parts: Vec<(Arc<CellPicture>, Rect)>,
}

/// Tells patches with different pixels apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PatchKey {
    size: Size,
    /// The hashes of the cells of each part.
    parts: Vec<Vec<Option<u64>>>,
}

/// Why there are no bytes of a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoBytes {
    /// They are encoded later.
    Later,
    /// They cannot be encoded; the text says why.
    Failed(String),
}

/// Has the bytes of patches.
pub(crate) trait PatchSource {
    /// The bytes of a patch. One that is encoded later is remembered.
    fn bytes(&mut self, patch: &Patch) -> Result<Arc<str>, NoBytes>;

    /// Whether nothing is ever encoded later.
    fn is_immediate(&self) -> bool;

    /// Has what is remembered encoded, and returns whether all of it is there now.
    fn fetch(&mut self) -> bool;
}

impl Patch {
    /// A part of one picture.
    pub(super) fn of_part(protocol: GraphicsProtocol, picture: &Arc<CellPicture>, part: Rect) -> Self {
        Self { protocol, size: part.as_size(), cell: picture.cell(), parts: vec![(picture.clone(), part)] }
    }

    /// What tells it from others.
    pub(crate) fn key(&self) -> PatchKey {
        let hashes = |(picture, part): &(Arc<CellPicture>, Rect)| {
            part.positions().map(|at| picture.hash(at)).collect::<Vec<_>>()
        };
        PatchKey { size: self.size, parts: self.parts.iter().map(hashes).collect() }
    }

    /// Its bytes for the terminal; an error says why it cannot be encoded.
    pub(crate) fn encoded(&self, encode: Encode) -> Result<Arc<str>, String> {
        encode(self.protocol, &self.pixels(), self.size).map(Arc::from)
    }

    fn pixels(&self) -> RgbImage {
        if let [(picture, part)] = &self.parts[..]
            && part.as_size() == self.size
        {
            return picture.part(*part);
        }
        let wide = u32::from(self.size.width) * u32::from(self.cell.width);
        let high = u32::from(self.size.height) * u32::from(self.cell.height);
        let mut sheet = RgbImage::new(wide, high);
        let mut top = 0;
        for (picture, part) in &self.parts {
            let pixels = picture.part(*part);
            imageops::replace(&mut sheet, &pixels, 0, top);
            top += i64::from(pixels.height());
        }
        sheet
    }
}

/// Encodes every patch at once.
pub(crate) struct AtOnce(pub(crate) Encode);

impl PatchSource for AtOnce {
    fn bytes(&mut self, patch: &Patch) -> Result<Arc<str>, NoBytes> {
        patch.encoded(self.0).map_err(NoBytes::Failed)
    }

    fn is_immediate(&self) -> bool {
        true
    }

    fn fetch(&mut self) -> bool {
        true
    }
}

/// Encodes nothing.
pub(super) struct Never;

impl PatchSource for Never {
    fn bytes(&mut self, _: &Patch) -> Result<Arc<str>, NoBytes> {
        Err(NoBytes::Later)
    }

    fn is_immediate(&self) -> bool {
        false
    }

    fn fetch(&mut self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    const CELL: Size = Size { width: 2, height: 4 };

    fn picture(shade: u8) -> Arc<CellPicture> {
        let pixels = RgbImage::from_fn(8, 8, |x, y| Rgb([shade, u8::from(x > 1), u8::from(y > 3)]));
        Arc::new(CellPicture::new(pixels, CELL))
    }

    fn sheet(parts: &[(u8, Rect)]) -> Patch {
        let size = Size::new(3, u16::try_from(parts.len()).unwrap());
        let parts = parts.iter().map(|(shade, part)| (picture(*shade), *part)).collect();
        Patch { protocol: GraphicsProtocol::Kitty, size, cell: CELL, parts }
    }

    #[test]
    fn parts_are_one_below_the_other_and_the_rest_is_black() {
        let pixels = sheet(&[(7, Rect::new(1, 0, 3, 1)), (9, Rect::new(0, 1, 1, 1))]).pixels();
        assert_eq!(pixels.dimensions(), (6, 8));
        assert_eq!([pixels[(5, 3)].0, pixels[(0, 4)].0, pixels[(2, 4)].0], [[7, 1, 0], [9, 0, 1], [0; 3]]);
    }

    #[test]
    fn equal_pixels_have_equal_keys_whatever_picture_they_are_of() {
        let row = Rect::new(0, 0, 3, 1);
        assert_eq!(sheet(&[(7, row)]).key(), sheet(&[(7, row)]).key());
        assert_ne!(sheet(&[(7, row)]).key(), sheet(&[(8, row)]).key());
        assert_ne!(sheet(&[(7, row)]).key(), sheet(&[(7, Rect::new(1, 0, 3, 1))]).key());
    }
}
