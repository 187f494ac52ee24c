//! Pixels as the bytes that a terminal takes.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, RgbImage};
use ratatui::layout::Size;

use super::{GraphicsProtocol, iterm2, sixel};

/// Encodes the pixels of so many cells for a protocol: the whole sequence, or Base64 of a PNG for Kitty's. An error says
/// why that is not possible.
pub(crate) type Encode = fn(GraphicsProtocol, &RgbImage, Size) -> Result<String, String>;

/// Encodes the pixels of so many cells.
pub(crate) fn encode(protocol: GraphicsProtocol, pixels: &RgbImage, cells: Size) -> Result<String, String> {
    match protocol {
        GraphicsProtocol::Sixel => sixel::draw(pixels),
        GraphicsProtocol::Iterm2 => Ok(iterm2::draw(&png(pixels)?, cells)),
        GraphicsProtocol::Kitty | GraphicsProtocol::KittyTiles => Ok(super::kitty::base64(&png(pixels)?)),
    }
}

fn png(pixels: &RgbImage) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive);
    let (width, height) = pixels.dimensions();
    let written = encoder.write_image(pixels.as_raw(), width, height, ExtendedColorType::Rgb8);
    written.map(|()| bytes).map_err(|error| error.to_string())
}
