//! Pictures as characters, for terminals and fonts without half blocks: Braille with eight dots a cell, or ASCII.

use image::{GenericImageView, Rgb, RgbImage};
use ratatui::style::Color;

/// A character and its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LetterCell {
    pub(super) symbol: char,
    pub(super) color: Color,
    /// The background; `None` keeps that of the pane.
    pub(super) ground: Option<Color>,
}

/// The pixels of a cell across and down, as Braille.
pub(super) const BRAILLE_DOTS: (u32, u32) = (2, 4);
/// The bits of the dots in Unicode's order (U+2800), row by row.
const DOT_BITS: [u32; 8] = [0, 3, 1, 4, 2, 5, 6, 7];
/// The first character of Braille, which has no dots.
const NO_DOTS: u32 = 0x2800;
/// The difference of lightness between the dots of a cell from which it has a shape.
const CONTRAST: u32 = 24;
/// The lightness below which a cell without a shape is left dark.
const DARK: u32 = 40;
/// ASCII characters from dark to light.
const RAMP: &[u8] = b" .:-=+*#%@";

/// The cells of a picture with two pixels across and four down in each.
pub(super) fn braille(pixels: &RgbImage) -> Vec<LetterCell> {
    let across = pixels.width() / BRAILLE_DOTS.0;
    let down = pixels.height() / BRAILLE_DOTS.1;
    let cells = (0..down).flat_map(|y| (0..across).map(move |x| (x, y)));
    cells.map(|(x, y)| braille_cell(pixels, x * BRAILLE_DOTS.0, y * BRAILLE_DOTS.1)).collect()
}

fn braille_cell(pixels: &RgbImage, left: u32, top: u32) -> LetterCell {
    let part = pixels.view(left, top, BRAILLE_DOTS.0, BRAILLE_DOTS.1);
    let dots: Vec<Rgb<u8>> = part.pixels().map(|(_, _, pixel)| pixel).collect();
    let lights: Vec<u32> = dots.iter().copied().map(lightness).collect();
    let (least, most) =
        (lights.iter().min().copied().unwrap_or(0), lights.iter().max().copied().unwrap_or(0));
    let limit = if most - least >= CONTRAST { (least + most).div_ceil(2) } else { DARK };
    let is_set = |light: &u32| *light >= limit;
    let bits = lights
        .iter()
        .zip(DOT_BITS)
        .filter(|(light, _)| is_set(light))
        .fold(0, |all, (_, bit)| all | 1 << bit);
    let lit: Vec<Rgb<u8>> =
        dots.iter().zip(&lights).filter(|(_, light)| is_set(light)).map(|(dot, _)| *dot).collect();
    let symbol = char::from_u32(NO_DOTS + bits).unwrap_or(' ');
    LetterCell { symbol, color: mean(&lit), ground: None }
}

/// The cells of a picture with one pixel in each.
pub(super) fn ascii(pixels: &RgbImage) -> Vec<LetterCell> {
    let last = RAMP.len() - 1;
    let cell = |pixel: &Rgb<u8>| LetterCell {
        symbol: char::from(RAMP[(lightness(*pixel) as usize * last + 127) / 255]),
        color: Color::Rgb(pixel[0], pixel[1], pixel[2]),
        ground: None,
    };
    pixels.pixels().map(cell).collect()
}

/// The luma of a pixel (ITU-R BT.601), 0 to 255.
pub(super) fn lightness(pixel: Rgb<u8>) -> u32 {
    let [red, green, blue] = pixel.0.map(u32::from);
    (red * 299 + green * 587 + blue * 114 + 500) / 1000
}

/// The mean of some pixels.
pub(super) fn mean(pixels: &[Rgb<u8>]) -> Color {
    let count = u32::try_from(pixels.len()).unwrap_or(u32::MAX).max(1);
    let of = |channel: usize| {
        let sum: u32 = pixels.iter().map(|pixel| u32::from(pixel[channel])).sum();
        u8::try_from(sum / count).unwrap_or(u8::MAX)
    };
    Color::Rgb(of(0), of(1), of(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braille_has_the_shape_and_the_colour_of_its_light_dots() {
        let half = RgbImage::from_fn(2, 4, |x, _| if x == 0 { Rgb([200, 100, 0]) } else { Rgb([0, 0, 0]) });
        assert_eq!(
            braille(&half),
            [LetterCell { symbol: '⡇', color: Color::Rgb(200, 100, 0), ground: None }]
        );
        let corner = RgbImage::from_fn(2, 4, |x, y| Rgb([if (x, y) == (1, 3) { 255 } else { 0 }; 3]));
        assert_eq!(braille(&corner)[0].symbol, '⢀');
        let flat = |value: u8| braille(&RgbImage::from_pixel(4, 4, Rgb([value; 3])));
        assert_eq!(
            flat(200),
            [LetterCell { symbol: '⣿', color: Color::Rgb(200, 200, 200), ground: None }; 2]
        );
        assert_eq!(flat(5)[0].symbol, '⠀');
    }

    #[test]
    fn ascii_goes_from_dark_to_light() {
        let row = RgbImage::from_fn(3, 1, |x, _| Rgb([[0, 128, 255][x as usize]; 3]));
        let symbols: String = ascii(&row).iter().map(|cell| cell.symbol).collect();
        assert_eq!(symbols, " +@");
    }
}
