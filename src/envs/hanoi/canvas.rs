//! A small canvas of dots, with glyphs for letters and digits.

pub(super) type Rgb = [u8; 3];

/// A picture in dots, rows from the top.
#[derive(Clone)]
pub(super) struct Canvas {
    width: usize,
    dots: Vec<Rgb>,
}

/// A rectangle in dots: left, top, width, height.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area(pub(super) usize, pub(super) usize, pub(super) usize, pub(super) usize);

impl Area {
    /// The rectangle without a border of `border` dots.
    pub(super) fn inner(self, border: usize) -> Self {
        let Self(left, top, wide, high) = self;
        let less = |side: usize| side.saturating_sub(2 * border);
        Self(left + border, top + border, less(wide), less(high))
    }
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize, colour: Rgb) -> Self {
        Self { width, dots: vec![colour; width * height] }
    }

    /// Fills a rectangle, clipped to the canvas.
    pub(super) fn fill(&mut self, Area(left, top, wide, high): Area, colour: Rgb) {
        let across = left.min(self.width)..(left + wide).min(self.width);
        for row in self.dots.chunks_mut(self.width).skip(top).take(high) {
            row[across.clone()].fill(colour);
        }
    }

    /// Draws a glyph in squares of `dot` dots.
    pub(super) fn write(&mut self, glyph: Glyph, left: usize, top: usize, dot: usize, colour: Rgb) {
        for (row, bits) in glyph.iter().enumerate() {
            for (column, _) in bits.bytes().enumerate().filter(|(_, bit)| *bit == b'#') {
                self.fill(Area(left + column * dot, top + row * dot, dot, dot), colour);
            }
        }
    }

    /// Writes the pixels, three bytes each; each dot becomes `scale` x `scale` pixels.
    pub(super) fn write_pixels(&self, scale: usize, rgb: &mut [u8]) {
        let stride = self.width * scale * 3;
        let rows = rgb.chunks_exact_mut((stride * scale).max(1));
        for (dots, row) in self.dots.chunks(self.width).zip(rows) {
            let (first, others) = row.split_at_mut(stride);
            for (dot, pixels) in dots.iter().zip(first.chunks_exact_mut(scale * 3)) {
                pixels.as_chunks_mut().0.fill(*dot);
            }
            for line in others.chunks_exact_mut(stride) {
                line.copy_from_slice(first);
            }
        }
    }
}

/// Five rows from the top; `#` is a filled dot.
pub(super) type Glyph = [&'static str; 5];

/// The letters of the regions, four dots wide.
pub(super) const LETTERS: [Glyph; 3] = [
    [".##.", "#..#", "####", "#..#", "#..#"],
    ["###.", "#..#", "###.", "#..#", "###."],
    [".###", "#...", "#...", "#...", ".###"],
];

/// The digits of the books from 1, three dots wide.
pub(super) const NUMBERS: [Glyph; 8] = [
    [".#.", "##.", ".#.", ".#.", "###"],
    ["###", "..#", "###", "#..", "###"],
    ["###", "..#", ".##", "..#", "###"],
    ["#.#", "#.#", "###", "..#", "..#"],
    ["###", "#..", "###", "..#", "###"],
    ["###", "#..", "###", "#.#", "###"],
    ["###", "..#", "..#", ".#.", ".#."],
    ["###", "#.#", "###", "#.#", "###"],
];
