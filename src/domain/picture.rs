//! A frame in plain pixels. Environments paint these; only the screen and the encoders look further.

use std::fmt;
use std::sync::LazyLock;

/// An opaque RGB picture of 8 bits a channel, rows from the top, no padding. It is painted when it is
/// first looked at: an episode that nobody watches costs no pixels.
pub struct Picture {
    width: u32,
    height: u32,
    grain: u32,
    rgb: LazyLock<Vec<u8>, Paint>,
}

type Paint = Box<dyn FnOnce() -> Vec<u8> + Send>;

impl Picture {
    /// A picture from its pixels; `None` when `rgb` does not hold exactly `width * height * 3`
    /// bytes or a side is 0. `grain` is the side in pixels of the unit the picture is built of
    /// (a tile; 1 when it has none): a viewer that must shrink keeps grains equal in size.
    pub fn new(width: u32, height: u32, grain: u32, rgb: Vec<u8>) -> Option<Self> {
        let bytes = u64::from(width) * u64::from(height) * 3;
        (bytes == rgb.len() as u64).then(|| Self::lazy(width, height, grain, move || rgb))?
    }

    /// A picture that `paint` paints when it is first looked at, with as many bytes as
    /// [`Picture::new`] wants; what is missing is black. `None` when a side or the grain is 0.
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

    /// Pixels across.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Pixels down.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Side in pixels of the unit the picture is built of; 1 when it has none.
    pub fn grain(&self) -> u32 {
        self.grain
    }

    /// The bytes, three a pixel.
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
