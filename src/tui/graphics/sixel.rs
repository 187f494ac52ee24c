//! Sixel: bands of six rows of pixels in at most 256 colours.

use std::collections::HashSet;

use icy_sixel::EncodeOptions;
use icy_sixel::sixel_encode;
use image::RgbImage;

/// The most colours of a picture.
const COLORS: usize = 256;

/// Draws a picture from the cursor, at its size in pixels; an error says why it cannot be encoded.
pub(super) fn draw(pixels: &RgbImage) -> Result<String, String> {
    let (width, height) = pixels.dimensions();
    let opaque: Vec<u8> = pixels.pixels().flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255]).collect();
    let mut options = EncodeOptions::default();
    if has_few_colors(pixels) {
        options.diffusion = 0.0;
    }
    let text = sixel_encode(&opaque, width as usize, height as usize, &options);
    text.map_err(|error| error.to_string())
}

/// Whether there is a colour for each pixel, so that dithering would only blur them.
fn has_few_colors(pixels: &RgbImage) -> bool {
    let mut colors = HashSet::new();
    pixels.pixels().all(|pixel| {
        colors.insert(pixel.0);
        colors.len() <= COLORS
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    #[test]
    fn a_picture_of_few_colours_is_exact() {
        let pixels = RgbImage::from_fn(20, 13, |x, y| {
            Rgb([if x < 10 { 255 } else { 0 }, 0, if y < 6 { 255 } else { 0 }])
        });
        let text = draw(&pixels).unwrap();
        assert!(text.starts_with("\x1bP") && text.ends_with("\x1b\\"), "{text:?}");
        let back = icy_sixel::SixelImage::decode(text.as_bytes()).unwrap();
        assert_eq!(back.dimensions().0, 20);
        for (x, y, color) in
            [(0, 0, [255, 0, 255]), (19, 0, [0, 0, 255]), (3, 12, [255, 0, 0]), (12, 12, [0, 0, 0])]
        {
            let at = (y * back.dimensions().0 + x) * 4;
            assert_eq!(back.pixels[at..at + 3], color, "{x} {y}");
        }
    }
}
