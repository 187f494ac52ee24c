//! Pictures are made in memory, or by `tests/files/images/make.py` with what an independent program measures of them.

mod measures;
mod verdicts;

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, RgbImage, RgbaImage};

/// A file of the folder of pictures.
fn file(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/images/");
    #[expect(clippy::disallowed_methods, reason = "a test reads its files")]
    std::fs::read(format!("{folder}{name}")).unwrap()
}

fn encoded(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn png(image: impl Into<DynamicImage>) -> Vec<u8> {
    encoded(image, ImageFormat::Png)
}

fn rgb(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 3]) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| image::Rgb(pixel(x, y)))
}

fn rgba(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| image::Rgba(pixel(x, y)))
}
