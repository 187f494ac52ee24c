//! The letters of the labels: masks of an embedded font at the few sizes that the views use, made once.

use ab_glyph::{Font, FontRef, Glyph, ScaleFont};

use super::point::{Point, single};

/// It has the characters of [`CHARACTERS`].
const FONT: &[u8] = mageyard_domain::SANS_BOLD;
/// The first and the last character of the font.
const CHARACTERS: [char; 2] = [' ', '~'];
/// Pixels by which a halo is wider than its letter on each side.
const HALO: i32 = 2;

/// The size of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Size {
    /// Numbers on discs.
    Small,
    /// Chips and legends.
    Body,
    /// Names.
    Name,
    /// Score and time.
    Large,
}

/// The pixels of an em by size.
const SIZES: [f32; 4] = [13.0, 15.0, 17.0, 26.0];

/// The coverage of a character, rows from the top.
#[derive(Clone, Default)]
pub(super) struct Mask {
    left: i32,
    top: i32,
    width: usize,
    cover: Vec<u8>,
}

impl Mask {
    /// Its rows from the top.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.cover.chunks_exact(self.width.max(1))
    }

    /// The mask with `HALO` pixels more on each side: the most coverage of the pixels around.
    fn widened(&self) -> Self {
        let width = self.width;
        let height = self.cover.len() / self.width.max(1);
        let edge = HALO.unsigned_abs() as usize;
        let wide = width + 2 * edge;
        let high = height + 2 * edge;
        let mut cover = vec![0; wide * high];
        for (index, value) in self.cover.iter().enumerate() {
            let x = index % width + edge;
            let y = index / width + edge;
            for (across, down) in disc_offsets(edge) {
                let target = &mut cover[(y + down - edge) * wide + x + across - edge];
                *target = (*target).max(*value);
            }
        }
        Self { left: self.left - HALO, top: self.top - HALO, width: wide, cover }
    }
}

/// Places within a disc, counted from the corner of its square.
fn disc_offsets(radius: usize) -> impl Iterator<Item = (usize, usize)> {
    let side = 0..=2 * radius;
    let all = side.clone().flat_map(move |y| side.clone().map(move |x| (x, y)));
    all.filter(move |(x, y)| x.abs_diff(radius).pow(2) + y.abs_diff(radius).pow(2) <= radius * radius + 1)
}

/// A character: its mask, its halo, and how far the next one is.
struct Letter {
    mask: Mask,
    halo: Mask,
    advance: f64,
}

struct Sheet {
    letters: Vec<Letter>,
    capital_height: f64,
}

/// The characters at all sizes.
pub(super) struct Letters(Vec<Sheet>);

impl Letters {
    /// Draws all masks; `None` if the embedded font cannot be read.
    pub(super) fn new() -> Option<Self> {
        let font = FontRef::try_from_slice(FONT).ok()?;
        Some(Self(SIZES.iter().map(|em| Sheet::new(&font, *em)).collect()))
    }

    /// The width of a text in pixels.
    pub(super) fn width(&self, size: Size, text: &str) -> f64 {
        text.chars().filter_map(|one| self.letter(size, one)).map(|letter| letter.advance).sum()
    }

    /// The height of capital letters in pixels.
    pub(super) fn capital_height(&self, size: Size) -> f64 {
        self.0.get(size as usize).map_or(0.0, |sheet| sheet.capital_height)
    }

    /// The masks of a text, or their halos, with the pixel of the upper left corner of each. The base line begins at
    /// `start`. Characters that the font does not have are left out.
    pub(super) fn masks<'a>(
        &'a self,
        size: Size,
        text: &'a str,
        halo: bool,
        [mut x, y]: Point,
    ) -> impl Iterator<Item = (&'a Mask, i32, i32)> {
        text.chars().filter_map(move |one| self.letter(size, one)).map(move |letter| {
            let mask = if halo { &letter.halo } else { &letter.mask };
            let place = (mask, pixel(x) + mask.left, pixel(y) + mask.top);
            x += letter.advance;
            place
        })
    }

    fn letter(&self, size: Size, one: char) -> Option<&Letter> {
        let index = u32::from(one).checked_sub(u32::from(CHARACTERS[0]))?;
        self.0.get(size as usize)?.letters.get(index as usize)
    }
}

impl Sheet {
    fn new(font: &FontRef<'_>, em: f32) -> Self {
        let units = font.units_per_em().unwrap_or(1.0);
        let scale = em * font.height_unscaled() / units;
        let letters = (CHARACTERS[0]..=CHARACTERS[1]).map(|one| Letter::new(font, scale, one)).collect();
        let capital = font.glyph_id('H').with_scale(scale);
        let capital_height = font.outline_glyph(capital).map_or(0.0, |drawn| drawn.px_bounds().height());
        Self { letters, capital_height: f64::from(capital_height) }
    }
}

impl Letter {
    fn new(font: &FontRef<'_>, scale: f32, one: char) -> Self {
        let glyph = font.glyph_id(one);
        let advance = f64::from(font.as_scaled(scale).h_advance(glyph));
        let mask = drawn(font, glyph.with_scale(scale));
        Self { halo: mask.widened(), mask, advance }
    }
}

/// The mask of a glyph; an empty one for a blank.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole pixels, coverage 0 to 1")]
fn drawn(font: &FontRef<'_>, glyph: Glyph) -> Mask {
    let Some(outline) = font.outline_glyph(glyph) else { return Mask::default() };
    let bounds = outline.px_bounds();
    let width = bounds.width() as usize;
    let height = bounds.height() as usize;
    let mut cover = vec![0; width * height];
    outline.draw(|x, y, share| {
        if let Some(value) = cover.get_mut(y as usize * width + x as usize) {
            *value = (share.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
        }
    });
    Mask { left: bounds.min.x as i32, top: bounds.min.y as i32, width, cover }
}

/// The nearest whole pixel.
#[expect(clippy::cast_possible_truncation, reason = "the value is near the canvas")]
fn pixel(value: f64) -> i32 {
    single(value).round() as i32
}
