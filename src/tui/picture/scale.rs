//! How large a frame is on the screen, and its pixels at that size.

use image::RgbImage;
use image::imageops;
use image::imageops::FilterType;
use ratatui::layout::Size;

use crate::domain::Picture;

/// The frame at the size it has on the screen: a pixel is half a cell.
pub(super) fn scale(picture: &Picture, room: Size) -> Option<RgbImage> {
    let (width, height) = fitted_size(picture, room)?;
    let source = RgbImage::from_raw(picture.width(), picture.height(), picture.rgb().to_vec())?;
    Some(if width <= picture.width() && height <= picture.height() {
        shrink(&source, width, height)
    } else {
        imageops::resize(&source, width, height, FilterType::Nearest)
    })
}

/// Each pixel is the mean of what it covers, parts of pixels by their share: tiles that are equal stay
/// equal, and what is symmetrical stays so, which faster filters do not promise.
pub(super) fn shrink(source: &RgbImage, width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let (mut sum, mut weight) = ([0u64; 3], 0u64);
        for (row, high) in covered_pixels(y, source.height(), height) {
            for (column, wide) in covered_pixels(x, source.width(), width) {
                let share = u64::from(high) * u64::from(wide);
                let pixel = source.get_pixel(column, row).0;
                sum.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += share * u64::from(value));
                weight += share;
            }
        }
        image::Rgb(sum.map(|sum| u8::try_from((sum + weight / 2) / weight.max(1)).unwrap_or(u8::MAX)))
    })
}

/// Which of `old` pixels the pixel `at` of `new` covers, each with how much of it.
fn covered_pixels(at: u32, old: u32, new: u32) -> impl Iterator<Item = (u32, u32)> {
    let (start, end) = (at * old, (at + 1) * old);
    (start / new..end.div_ceil(new))
        .map(move |pixel| (pixel, end.min((pixel + 1) * new) - start.max(pixel * new)))
}

/// Half cells a tile from which on whole numbers of them are worth the room they leave free.
const WHOLE_TILE: u32 = 4;
/// Half cells a tile below which tiles cannot be told apart.
const LEGIBLE_TILE: u32 = 3;

/// How many tiles a picture has across and down; `None` for one that is no board.
fn tile_count(picture: &Picture) -> Option<(u32, u32)> {
    let (across, down) = (picture.width() / picture.grain(), picture.height() / picture.grain());
    let whole =
        picture.width().is_multiple_of(picture.grain()) && picture.height().is_multiple_of(picture.grain());
    (across > 0 && down > 0 && whole).then_some((across, down))
}

/// Whether the tiles of a picture can be told apart in this room.
pub(crate) fn is_legible(picture: &Picture, room: Size) -> bool {
    let (wide, high) = (u32::from(room.width), u32::from(room.height) * 2);
    picture.grain() == 1
        || tile_count(picture)
            .is_none_or(|(across, down)| wide >= LEGIBLE_TILE * across && high >= LEGIBLE_TILE * down)
}

/// The size in half cells. Large tiles get a whole number of half cells each; small ones use the whole
/// room, as does a picture that is no board, which keeps its proportions.
pub(super) fn fitted_size(picture: &Picture, room: Size) -> Option<(u32, u32)> {
    let (wide, high) = (u32::from(room.width), u32::from(room.height) * 2);
    let (width, height) = (picture.width(), picture.height());
    if wide == 0 || high == 0 {
        return None;
    }
    if let Some((across, down)) = tile_count(picture) {
        let tile = (wide / across).min(high / down);
        let crisp = if picture.grain() > 1 { WHOLE_TILE } else { 1 };
        if tile >= crisp {
            return Some((across * tile, down * tile));
        }
    }
    Some(if u64::from(width) * u64::from(high) <= u64::from(height) * u64::from(wide) {
        (proportional(width, high, height), high)
    } else {
        (wide, proportional(height, wide, width))
    })
}

/// `side * new / old`, at least 1.
fn proportional(side: u32, new: u32, old: u32) -> u32 {
    let scaled = u64::from(side) * u64::from(new) / u64::from(old.max(1));
    u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
}
