//! A picture as its file has it: pixels, and which of their channels the file stores.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::plane::Plane;

/// The most pixels of a picture, tested before it is decoded.
const MOST_PIXELS: u64 = 1 << 25;

/// What a file stores for a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Grey,
    GreyAlpha,
    Rgb,
    Rgba,
    /// A number in a table of colours.
    Palette,
}

/// A decoded picture.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) form: Form,
    /// Red, green, blue, alpha of each pixel, row by row.
    pub(super) pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// Reads PNG or JPEG, with 16 bits cut to 8.
    ///
    /// # Errors
    /// What is wrong, to be read after the path.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, String> {
        let (reader, format) = reader(bytes)?;
        let decoder = reader.into_decoder().map_err(|error| damaged(&error))?;
        let (width, height) = decoder.dimensions();
        let pixels = u64::from(width) * u64::from(height);
        if pixels > MOST_PIXELS || pixels == 0 {
            return Err(format!("has {width} x {height} pixels; from 1 to {MOST_PIXELS} can be judged"));
        }
        let image = DynamicImage::from_decoder(decoder).map_err(|error| damaged(&error))?;
        let form = form(&image, format, bytes);
        let pixels = image.into_rgba8().pixels().map(|pixel| pixel.0).collect();
        Ok(Self { width: width as usize, height: height as usize, form, pixels })
    }

    /// The width and height of a PNG or JPEG, without its pixels.
    ///
    /// # Errors
    /// What is wrong, to be read after the path.
    pub(super) fn size(bytes: &[u8]) -> Result<(u32, u32), String> {
        let (reader, _) = reader(bytes)?;
        reader.into_dimensions().map_err(|error| damaged(&error))
    }

    /// The channels that the file stores; `None` for a palette.
    pub(super) fn stored(&self) -> Option<Vec<Plane>> {
        let channels: &[usize] = match self.form {
            Form::Grey => &[0],
            Form::GreyAlpha => &[0, 3],
            Form::Rgb => &[0, 1, 2],
            Form::Rgba => &[0, 1, 2, 3],
            Form::Palette => return None,
        };
        Some(channels.iter().map(|channel| self.channel(*channel)).collect())
    }

    /// Red, green and blue, without alpha.
    pub(super) fn rgb(&self) -> Vec<Plane> {
        (0..3).map(|channel| self.channel(channel)).collect()
    }

    fn channel(&self, channel: usize) -> Plane {
        let samples = self.pixels.iter().map(|pixel| pixel.get(channel).copied().unwrap_or_default());
        Plane { width: self.width, height: self.height, samples: samples.collect() }
    }

    /// The picture over white, as a person sees it.
    pub(super) fn over_white(mut self) -> Self {
        for [red, green, blue, alpha] in &mut self.pixels {
            for sample in [red, green, blue] {
                let over = u32::from(*sample) * u32::from(*alpha) + 255 * (255 - u32::from(*alpha));
                *sample = u8::try_from((over + 127) / 255).unwrap_or(u8::MAX);
            }
            *alpha = u8::MAX;
        }
        self.form = Form::Rgb;
        self
    }

    /// The picture with left and right exchanged.
    pub(super) fn mirrored(mut self) -> Self {
        self.pixels.chunks_mut(self.width).for_each(<[[u8; 4]]>::reverse);
        self
    }
}

type Reader<'a> = ImageReader<Cursor<&'a [u8]>>;

fn reader(bytes: &[u8]) -> Result<(Reader<'_>, ImageFormat), String> {
    let format = image::guess_format(bytes).ok();
    let format = format.filter(|format| matches!(format, ImageFormat::Png | ImageFormat::Jpeg));
    let format = format.ok_or("is not a picture in PNG or JPEG")?;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_PIXELS * 8);
    reader.limits(limits);
    Ok((reader, format))
}

fn damaged(error: &image::ImageError) -> String {
    format!("cannot be read as a picture: {error}")
}

/// The decoder makes colours of palettes and alpha of a transparent colour, so the header of a PNG is asked.
fn form(image: &DynamicImage, format: ImageFormat, bytes: &[u8]) -> Form {
    const COLOR_TYPE: usize = 25;
    if format == ImageFormat::Png {
        match bytes.get(COLOR_TYPE) {
            Some(0) => return Form::Grey,
            Some(2) => return Form::Rgb,
            Some(3) => return Form::Palette,
            Some(4) => return Form::GreyAlpha,
            _ => return Form::Rgba,
        }
    }
    if image.color().has_color() { Form::Rgb } else { Form::Grey }
}
