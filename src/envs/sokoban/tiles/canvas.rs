//! The canvas of a tile: shapes on a grid of 16, at any size in pixels.

pub(super) type Rgb = [u8; 3];

/// Units per sixteenth of a tile; shapes have their origin in the centre.
pub(super) const UNIT: i32 = 32;

/// A square of pixels.
pub(super) struct Canvas {
    side: i32,
    rgb: Vec<u8>,
}

impl Canvas {
    pub(super) fn new(side: u32) -> Self {
        let bytes = side as usize * side as usize * 3;
        Self { side: i32::try_from(side).unwrap_or(0), rgb: vec![0; bytes] }
    }

    pub(super) fn fill(&mut self, colour: Rgb) {
        self.rect(0, 0, 16, 16, colour);
    }

    /// Fills a rectangle given in sixteenths, each edge on the nearest pixel. Opposite edges are rounded in
    /// opposite directions, so that symmetric shapes stay symmetric.
    pub(super) fn rect(&mut self, left: i32, top: i32, right: i32, bottom: i32, colour: Rgb) {
        let start = |sixteenths: i32| (sixteenths * self.side + 8) / 16;
        let end = |sixteenths: i32| self.side - start(16 - sixteenths);
        let across = start(left)..end(right);
        let down = start(top)..end(bottom);
        self.dot(colour, |x, y| across.contains(&x) && down.contains(&y));
    }

    /// Fills the pixels whose centre is in a shape given in units from the centre.
    pub(super) fn shape(&mut self, colour: Rgb, holds: impl Fn(i32, i32) -> bool) {
        let side = self.side;
        let unit = |pixel: i32| (2 * pixel + 1) * 8 * UNIT / side - 8 * UNIT;
        self.dot(colour, |x, y| holds(unit(x), unit(y)));
    }

    /// Draws the four sides of a square, `inset` sixteenths from the edge. Each side is at least one pixel
    /// wide.
    pub(super) fn outline(&mut self, inset: i32, width: i32, colour: Rgb) {
        let pixels = |sixteenths: i32| (sixteenths * self.side + 8) / 16;
        let near = if inset == 0 { 0 } else { pixels(inset).max(1) };
        let far = self.side - near;
        let width = pixels(width).max(1);
        let outer = near..far;
        let inner = near + width..far - width;
        self.dot(colour, |x, y| {
            outer.contains(&x) && outer.contains(&y) && !(inner.contains(&x) && inner.contains(&y))
        });
    }

    /// The pixels, three bytes each, rows from the top.
    pub(super) fn rgb(self) -> Vec<u8> {
        self.rgb
    }

    fn dot(&mut self, colour: Rgb, holds: impl Fn(i32, i32) -> bool) {
        let places = (0..self.side).flat_map(|y| (0..self.side).map(move |x| (x, y)));
        for (pixel, (x, y)) in self.rgb.chunks_exact_mut(3).zip(places) {
            if holds(x, y) {
                pixel.copy_from_slice(&colour);
            }
        }
    }
}
