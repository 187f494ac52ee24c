//! Sextants: six pixels in a cell, two across and three down, in the two colours of one character. Fonts need the block
//! "Symbols for Legacy Computing" of Unicode 13, so they are shown only where the setting asks for them.

use image::{GenericImageView, Rgb, RgbImage};
use ratatui::style::Color;

use super::letters::{LetterCell, lightness, mean};

/// The pixels of a cell across and down.
pub(super) const SEXTANT_PIXELS: (u32, u32) = (2, 3);
/// The first character of the block, which has only the upper left pixel.
const FIRST: u32 = 0x1fb00;
/// The sets of pixels that other blocks have: none, the left and the right half, and all.
const ELSEWHERE: [(u32, char); 4] = [(0, ' '), (LEFT, '▌'), (RIGHT, '▐'), (63, '█')];
const LEFT: u32 = 0b01_01_01;
const RIGHT: u32 = 0b10_10_10;

/// The cells of a picture with two pixels across and three down in each.
pub(super) fn sextants(pixels: &RgbImage) -> Vec<LetterCell> {
    let (wide, high) = SEXTANT_PIXELS;
    let cells = (0..pixels.height() / high).flat_map(|y| (0..pixels.width() / wide).map(move |x| (x, y)));
    cells.map(|(x, y)| cell(pixels, x * wide, y * high)).collect()
}

/// A cell in the means of its lighter and its darker pixels, which are told apart in the channel that differs most. The
/// lighter ones are the ink; a cell of one colour is a blank, which saves bytes.
fn cell(pixels: &RgbImage, left: u32, top: u32) -> LetterCell {
    let part = pixels.view(left, top, SEXTANT_PIXELS.0, SEXTANT_PIXELS.1);
    let all: Vec<Rgb<u8>> = part.pixels().map(|(_, _, pixel)| pixel).collect();
    let range = |channel: usize| {
        let values = all.iter().map(|pixel| pixel[channel]);
        (values.clone().min().unwrap_or(0), values.max().unwrap_or(0))
    };
    let channel = (0..3).max_by_key(|channel| range(*channel).1 - range(*channel).0).unwrap_or(0);
    let (least, most) = range(channel);
    if least == most {
        return LetterCell { symbol: ' ', color: Color::Reset, ground: Some(mean(&all)) };
    }
    let limit = least.midpoint(most);
    let (high, low): (Vec<Rgb<u8>>, Vec<Rgb<u8>>) = all.iter().partition(|pixel| pixel[channel] > limit);
    let light = |pixels: &[Rgb<u8>]| -> u32 {
        let count = u32::try_from(pixels.len()).unwrap_or(1).max(1);
        pixels.iter().copied().map(lightness).sum::<u32>() / count
    };
    let is_high_light = light(&high) >= light(&low);
    let is_ink = |pixel: &Rgb<u8>| (pixel[channel] > limit) == is_high_light;
    let bits = (0..).zip(&all).filter(|(_, pixel)| is_ink(pixel)).fold(0, |all, (bit, _)| all | 1 << bit);
    let (ink, ground) = if is_high_light { (high, low) } else { (low, high) };
    LetterCell { symbol: symbol(bits), color: mean(&ink), ground: Some(mean(&ground)) }
}

/// The character that has these pixels, row by row from the lowest bit on.
fn symbol(bits: u32) -> char {
    if let Some((_, other)) = ELSEWHERE.iter().find(|(known, _)| *known == bits) {
        return *other;
    }
    let skipped = 1 + u32::from(bits > LEFT) + u32::from(bits > RIGHT);
    char::from_u32(FIRST + bits - skipped).unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn drawn(rows: [[u8; 2]; 3]) -> LetterCell {
        let pixels = RgbImage::from_fn(2, 3, |x, y| Rgb([rows[y as usize][x as usize]; 3]));
        sextants(&pixels)[0]
    }

    #[test]
    fn the_light_pixels_are_the_ink_on_the_dark_ones() {
        let grey = |value| Color::Rgb(value, value, value);
        let of = |symbol, ink, ground| LetterCell { symbol, color: grey(ink), ground: Some(grey(ground)) };
        assert_eq!(drawn([[200, 0], [0, 0], [0, 0]]), of('🬀', 200, 0));
        assert_eq!(drawn([[0, 0], [0, 0], [0, 90]]), of('🬞', 90, 0));
        assert_eq!(drawn([[200, 0], [200, 0], [200, 0]]), of('▌', 200, 0));
        assert_eq!(drawn([[0, 200], [100, 0], [0, 0]]), of('🬁', 200, 20));
        let flat = LetterCell { symbol: ' ', color: Color::Reset, ground: Some(grey(7)) };
        assert_eq!(drawn([[7; 2]; 3]), flat);
    }

    #[test]
    fn colours_of_the_same_lightness_are_told_apart() {
        let pixels = RgbImage::from_fn(2, 3, |x, _| if x == 0 { Rgb([255, 0, 0]) } else { Rgb([0, 0, 255]) });
        let cell = sextants(&pixels)[0];
        assert_eq!((cell.symbol, cell.ground), ('▌', Some(Color::Rgb(0, 0, 255))));
    }

    #[test]
    fn every_set_of_pixels_has_a_character_of_its_own() {
        let all: HashSet<char> = (0..64).map(symbol).collect();
        assert_eq!(all.len(), 64);
        let block = all.iter().filter(|symbol| ('\u{1fb00}'..='\u{1fb3b}').contains(*symbol));
        assert_eq!(block.count(), 60);
    }
}
