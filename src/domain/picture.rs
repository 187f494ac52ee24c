//! A frame in plain pixels. Environments paint these; only the screen and the encoders look further.

use std::fmt;

/// An opaque RGB picture of 8 bits a channel, rows from the top, no padding.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    grain: u32,
    rgb: Vec<u8>,
}

impl Picture {
    /// A picture from its pixels; `None` when `rgb` does not hold exactly `width * height * 3`
    /// bytes or a side is 0. `grain` is the side in pixels of the unit the picture is built of
    /// (a tile; 1 when it has none): a viewer that must shrink keeps grains equal in size.
    pub fn new(width: u32, height: u32, grain: u32, rgb: Vec<u8>) -> Option<Self> {
        let bytes = u64::from(width) * u64::from(height) * 3;
        (bytes > 0 && bytes == rgb.len() as u64 && grain > 0).then_some(Self { width, height, grain, rgb })
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

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({}x{})", self.width, self.height)
    }
}
