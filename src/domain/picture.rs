//! Frames as uncompressed pixels, painted by environments.

use std::fmt;
use std::sync::LazyLock;

/// An opaque RGB picture with 8 bits per channel, rows from the top, without padding. It is painted on first
/// use.
pub struct Picture {
    width: u32,
    height: u32,
    grain: u32,
    rgb: LazyLock<Vec<u8>, Paint>,
}

type Paint = Box<dyn FnOnce() -> Vec<u8> + Send>;

impl Picture {
    /// A picture from its pixels; `None` if `rgb` does not have exactly `width * height * 3` bytes or a side is
    /// 0. `grain` is the side of a tile in pixels, 1 for a picture without tiles; viewers that scale a picture
    /// keep tiles equal in size.
    pub fn new(width: u32, height: u32, grain: u32, rgb: Vec<u8>) -> Option<Self> {
        let bytes = u64::from(width) * u64::from(height) * 3;
        (bytes == rgb.len() as u64).then(|| Self::lazy(width, height, grain, move || rgb))?
    }

    /// A picture painted by `paint` on first use, with the bytes of [`Picture::new`]; missing pixels are black.
    /// `None` if a side or the grain is 0.
    pub fn lazy(
        width: u32,
        height: u32,
        grain: u32,
        paint: impl FnOnce() -> Vec<u8> + Send + 'static,
    ) -> Option<Self> {
        let bytes = usize::try_from(u64::from(width) * u64::from(height) * 3).ok()?;
        let whole = move || {
            let mut rgb = paint();
            rgb.resize(bytes, 0);
            rgb
        };
        let paint: Paint = Box::new(whole);
        (bytes > 0 && grain > 0).then(|| Self { width, height, grain, rgb: LazyLock::new(paint) })
    }

    /// The width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The height in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The side of a tile in pixels; 1 for a picture without tiles.
    pub fn grain(&self) -> u32 {
        self.grain
    }

    /// The pixels, three bytes each.
    pub fn rgb(&self) -> &[u8] {
        &self.rgb
    }
}

impl PartialEq for Picture {
    fn eq(&self, other: &Self) -> bool {
        let shape = |picture: &Self| (picture.width, picture.height, picture.grain);
        shape(self) == shape(other) && self.rgb() == other.rgb()
    }
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({}x{})", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_exactly_its_pixels() {
        assert!(Picture::new(2, 1, 1, vec![0; 6]).is_some());
        assert!(Picture::new(2, 1, 1, vec![0; 5]).is_none());
        assert!(Picture::new(0, 1, 1, vec![]).is_none());
        assert!(Picture::new(1, 1, 0, vec![0; 3]).is_none());
        assert_eq!(Picture::lazy(1, 2, 1, || vec![9; 4]).unwrap().rgb(), [9, 9, 9, 9, 0, 0]);
    }
}
