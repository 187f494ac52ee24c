//! Sixel: bands of six rows of pixels in at most 256 colours.
//!
//! Colours are not dithered: at the sizes of the screen that costs half of the bytes again, and pictures of 160 colours are
//! nearer to the original without it.

use std::collections::HashMap;
use std::fmt::Write as _;

use image::RgbImage;
use quantette::deps::palette::Srgb;
use quantette::{ImageRef, PaletteSize, Pipeline};

use super::sixel_bands::push_bands;

/// The most colours of a picture that are all exact; of more, many are shades that cannot be told apart.
const MOST_COLORS: usize = 64;
/// The colours of a picture that has more; further ones cost bytes and are hardly seen.
const CHOSEN_COLORS: u8 = 160;

/// The pixels of a picture as numbers of colours.
struct Indexed {
    colors: Vec<[u8; 3]>,
    pixels: Vec<u8>,
}

/// Draws a picture from the cursor, at its size in pixels; an error says why it cannot be encoded.
pub(super) fn draw(pixels: &RgbImage) -> Result<String, String> {
    let (width, height) = pixels.dimensions();
    let indexed = match exact(pixels) {
        Some(indexed) => indexed,
        None => nearest(pixels)?,
    };
    let Indexed { colors, pixels } = indexed.by_frequency();
    // Square pixels; those that are not drawn stay.
    let mut text = format!("\x1bP9;1;0q\"1;1;{width};{height}");
    for (number, color) in colors.into_iter().enumerate() {
        let [red, green, blue] = color.map(|value| (u32::from(value) * 100 + 127) / 255);
        // Writing to a string cannot fail.
        let _ = write!(text, "#{number};2;{red};{green};{blue}");
    }
    push_bands(&mut text, &pixels, width as usize);
    text.push_str("\x1b\\");
    Ok(text)
}

/// The picture with its own colours; `None` if there are too many.
fn exact(picture: &RgbImage) -> Option<Indexed> {
    let mut numbers = HashMap::new();
    let mut colors = Vec::new();
    let mut pixels = Vec::new();
    for pixel in picture.pixels() {
        let number = *numbers.entry(pixel.0).or_insert_with(|| {
            colors.push(pixel.0);
            colors.len() - 1
        });
        if number >= MOST_COLORS {
            return None;
        }
        pixels.push(u8::try_from(number).ok()?);
    }
    Some(Indexed { colors, pixels })
}

/// The picture with fewer colours, each pixel with the nearest one.
fn nearest(picture: &RgbImage) -> Result<Indexed, String> {
    let pixels: Vec<Srgb<u8>> =
        picture.pixels().map(|pixel| Srgb::new(pixel[0], pixel[1], pixel[2])).collect();
    let (width, height) = picture.dimensions();
    let image = ImageRef::new(width, height, &pixels).map_err(|error| error.to_string())?;
    let colors = PaletteSize::try_from(CHOSEN_COLORS).map_err(|error| error.to_string())?;
    let pipeline = Pipeline::new().palette_size(colors).ditherer(None);
    let indexed = pipeline.input_image(image).output_srgb8_indexed_image();
    let colors = indexed.palette().iter().map(|color| [color.red, color.green, color.blue]).collect();
    Ok(Indexed { colors, pixels: indexed.indices().to_vec() })
}

impl Indexed {
    /// The same with the colours of most pixels first, whose numbers are short.
    fn by_frequency(mut self) -> Self {
        let mut counts = vec![0_usize; self.colors.len()];
        for pixel in &self.pixels {
            counts[usize::from(*pixel)] += 1;
        }
        let mut order: Vec<u8> = (0..=u8::MAX).take(self.colors.len()).collect();
        order.sort_by_key(|number| std::cmp::Reverse(counts[usize::from(*number)]));
        order.retain(|number| counts[usize::from(*number)] > 0);
        let mut renamed = vec![0; self.colors.len()];
        for (new, old) in (0..=u8::MAX).zip(&order) {
            renamed[usize::from(*old)] = new;
        }
        for pixel in &mut self.pixels {
            *pixel = renamed[usize::from(*pixel)];
        }
        Self { colors: order.iter().map(|number| self.colors[usize::from(*number)]).collect(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    /// The pixels that a terminal draws, without those below the picture.
    fn drawn(text: &str, pixels: &RgbImage) -> Vec<[u8; 3]> {
        let back = icy_sixel::SixelImage::decode(text.as_bytes()).unwrap();
        let (width, height) = back.dimensions();
        assert!(width == pixels.width() as usize && height >= pixels.height() as usize);
        let shown = width * pixels.height() as usize;
        back.pixels.chunks(4).take(shown).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
    }

    fn gradient(width: u32, height: u32) -> RgbImage {
        RgbImage::from_fn(width, height, |x, y| {
            let [x, y] = [x, y].map(|at| u8::try_from(at % 256).unwrap());
            Rgb([x, y, x.wrapping_mul(3) ^ y])
        })
    }

    #[test]
    fn a_picture_of_few_colours_is_exact() {
        let pixels = RgbImage::from_fn(20, 13, |x, y| {
            Rgb([if (x / 3 + y) % 4 < 2 { 255 } else { 0 }, 0, if y < 6 || x == 7 { 255 } else { 0 }])
        });
        let text = draw(&pixels).unwrap();
        assert!(text.starts_with("\x1bP") && text.ends_with("\x1b\\"), "{text:?}");
        assert_eq!(drawn(&text, &pixels), pixels.pixels().map(|pixel| pixel.0).collect::<Vec<_>>());
    }

    #[test]
    fn a_picture_of_many_colours_is_near_the_original_in_fewer_bytes_than_with_dithering() {
        let pixels = gradient(200, 120);
        let text = draw(&pixels).unwrap();
        let far = drawn(&text, &pixels).into_iter().zip(pixels.pixels()).map(|(shown, wanted)| {
            shown.into_iter().zip(wanted.0).map(|(one, other)| u64::from(one.abs_diff(other))).sum::<u64>()
        });
        assert!(far.sum::<u64>() < 200 * 120 * 40);
        let rgba: Vec<u8> = pixels.pixels().flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255]).collect();
        let dithered =
            icy_sixel::sixel_encode(&rgba, 200, 120, &icy_sixel::EncodeOptions::default()).unwrap();
        assert!(text.len() * 3 < dithered.len() * 2, "{} and {}", text.len(), dithered.len());
    }
}
