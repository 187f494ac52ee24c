//! Shapes and words on the pixels of a picture. What lies outside of it is left out.

use ab_glyph::{Font, FontRef, ScaleFont};

/// `DejaVu` Sans Bold, reduced to the characters of ASCII; the licence lies beside it.
pub const SANS_BOLD: &[u8] = include_bytes!("font/dejavu-sans-bold-subset.ttf");

/// Red, green and blue.
pub type CanvasColor = [u8; 3];

/// Left, top, width and height in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect(
    /// The four numbers.
    pub [i32; 4],
);

/// The pixels of a picture, three bytes each, rows from the top.
pub struct Canvas<'a> {
    pixels: &'a mut [u8],
    width: i32,
    height: i32,
    font: Option<FontRef<'static>>,
}

impl std::fmt::Debug for Canvas<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Canvas({}x{})", self.width, self.height)
    }
}

impl<'a> Canvas<'a> {
    /// The pixels of a picture of this size, three bytes each.
    pub fn new(pixels: &'a mut [u8], (width, height): (u32, u32)) -> Self {
        let side = |side: u32| i32::try_from(side).unwrap_or(0);
        let font = FontRef::try_from_slice(SANS_BOLD).ok();
        Self { pixels, width: side(width), height: side(height), font }
    }

    /// Paints everything.
    pub fn fill(&mut self, color: CanvasColor) {
        self.rect(Rect([0, 0, self.width, self.height]), color);
    }

    /// Paints an area.
    pub fn rect(&mut self, Rect([left, top, width, height]): Rect, color: CanvasColor) {
        for y in top.max(0)..top.saturating_add(height).min(self.height) {
            for x in left.max(0)..left.saturating_add(width).min(self.width) {
                self.blend(x, y, color, 1.0);
            }
        }
    }

    /// The edge of an area, inside of it.
    pub fn edge(&mut self, Rect([left, top, width, height]): Rect, thick: i32, color: CanvasColor) {
        self.rect(Rect([left, top, width, thick]), color);
        self.rect(Rect([left, top.saturating_add(height) - thick, width, thick]), color);
        self.rect(Rect([left, top, thick, height]), color);
        self.rect(Rect([left.saturating_add(width) - thick, top, thick, height]), color);
    }

    /// The width of words in pixels.
    #[expect(clippy::cast_possible_truncation, reason = "words are short")]
    pub fn width(&self, size: f32, words: &str) -> i32 {
        let Some(font) = &self.font else { return 0 };
        let font = font.as_scaled(size * font.height_unscaled() / font.units_per_em().unwrap_or(1.0));
        words.chars().map(|one| font.h_advance(font.glyph_id(one))).sum::<f32>() as i32
    }

    /// Words whose capital letters begin at this place.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "places are near the picture"
    )]
    pub fn text(&mut self, [x, y]: [i32; 2], size: f32, color: CanvasColor, words: &str) {
        let Some(font) = self.font.take() else { return };
        let scale = size * font.height_unscaled() / font.units_per_em().unwrap_or(1.0);
        let mut at = x as f32;
        for one in words.chars() {
            let mut glyph = font.glyph_id(one).with_scale(scale);
            glyph.position = ab_glyph::point(at, y as f32 + size * 0.8);
            at += font.as_scaled(scale).h_advance(glyph.id);
            let Some(outline) = font.outline_glyph(glyph) else { continue };
            let corner = outline.px_bounds().min;
            outline.draw(|across, down, share| {
                let across = i32::try_from(across).unwrap_or(i32::MAX);
                let down = i32::try_from(down).unwrap_or(i32::MAX);
                self.blend(
                    (corner.x as i32).saturating_add(across),
                    (corner.y as i32).saturating_add(down),
                    color,
                    share,
                );
            });
        }
        self.font = Some(font);
    }

    /// A ring with a cross around a place.
    pub fn target(&mut self, [x, y]: [i32; 2], radius: i32, thick: i32, color: CanvasColor) {
        let reach = radius + thick;
        for down in -reach..=reach {
            for across in -reach..=reach {
                let far = across.saturating_mul(across) + down * down;
                let ring = (radius * radius..(radius + thick) * (radius + thick)).contains(&far);
                let cross = far < radius * radius && (across.abs() * 2 < thick || down.abs() * 2 < thick);
                if ring || cross {
                    self.blend(x.saturating_add(across), y.saturating_add(down), color, 1.0);
                }
            }
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a mixture of two bytes is a byte"
    )]
    fn blend(&mut self, x: i32, y: i32, color: CanvasColor, share: f32) {
        if !(0..self.width).contains(&x) || !(0..self.height).contains(&y) {
            return;
        }
        let index =
            usize::try_from(i64::from(y) * i64::from(self.width) + i64::from(x)).unwrap_or(usize::MAX);
        let pixel = index.checked_mul(3).and_then(|at| self.pixels.get_mut(at..at + 3));
        for (below, above) in pixel.into_iter().flatten().zip(color) {
            let mixed = f32::from(*below) + (f32::from(above) - f32::from(*below)) * share.clamp(0.0, 1.0);
            *below = (mixed + 0.5) as u8;
        }
    }
}
