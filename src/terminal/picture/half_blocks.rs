//! Half blocks: two pixels in a cell, one above the other, as the two colours of one character.

use image::{Rgb, RgbImage};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Color;

use super::encoded::Tones;

/// Draws one pixel per half cell from the upper left of `place`. The half row below a picture of odd height gets the
/// background.
pub(super) fn draw(pixels: &RgbImage, tones: Tones, place: Rect, buf: &mut Buffer) {
    let ground = buf.cell(place.as_position()).map_or(Color::Reset, |cell| cell.bg);
    for position in place.positions() {
        let column = u32::from(position.x - place.x);
        let row = u32::from(position.y - place.y) * 2;
        let Some(upper) = pixels.get_pixel_checked(column, row) else { continue };
        let Some(cell) = buf.cell_mut(position) else { continue };
        match pixels.get_pixel_checked(column, row + 1) {
            Some(lower) => set(cell, *upper, *lower, tones),
            None => _ = cell.set_symbol("▀").set_fg(tones.of_pixel(*upper)).set_bg(ground),
        }
    }
}

/// Sets both halves. The lighter one is the ink; equal ones are a blank without ink, which saves bytes.
fn set(cell: &mut Cell, upper: Rgb<u8>, lower: Rgb<u8>, tones: Tones) {
    if upper == lower {
        cell.set_symbol(" ").set_fg(Color::Reset).set_bg(tones.of_pixel(upper));
    } else if luminance(lower) > luminance(upper) {
        cell.set_symbol("▄").set_fg(tones.of_pixel(lower)).set_bg(tones.of_pixel(upper));
    } else {
        cell.set_symbol("▀").set_fg(tones.of_pixel(upper)).set_bg(tones.of_pixel(lower));
    }
}

/// The relative luminance (ITU-R BT.709), from 0 to 2,550,000.
fn luminance(Rgb([red, green, blue]): Rgb<u8>) -> u32 {
    2126 * u32::from(red) + 7152 * u32::from(green) + 722 * u32::from(blue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::ColorDepth;

    const RED: Rgb<u8> = Rgb([200, 0, 0]);
    const WHITE: Rgb<u8> = Rgb([255, 255, 255]);

    fn color(Rgb([red, green, blue]): Rgb<u8>) -> Color {
        Color::Rgb(red, green, blue)
    }

    fn drawn(rows: &[&[Rgb<u8>]]) -> Buffer {
        let pixels = RgbImage::from_fn(
            u32::try_from(rows[0].len()).unwrap(),
            u32::try_from(rows.len()).unwrap(),
            |x, y| rows[y as usize][x as usize],
        );
        let mut buf = Buffer::empty(Rect::new(0, 0, 4, 3));
        buf.set_style(buf.area, ratatui::style::Style::new().bg(Color::Blue));
        let tones = Tones { depth: ColorDepth::TrueColor, grey: false };
        draw(&pixels, tones, Rect::new(1, 1, 3, 2), &mut buf);
        buf
    }

    #[test]
    fn the_lighter_half_is_the_ink_and_equal_halves_are_a_blank() {
        let buf = drawn(&[&[RED, WHITE, RED], &[WHITE, RED, RED]]);
        let cell = |x| (buf[(x, 1)].symbol().to_owned(), buf[(x, 1)].fg, buf[(x, 1)].bg);
        assert_eq!(cell(1), ("▄".to_owned(), color(WHITE), color(RED)));
        assert_eq!(cell(2), ("▀".to_owned(), color(WHITE), color(RED)));
        assert_eq!(cell(3), (" ".to_owned(), Color::Reset, color(RED)));
    }

    #[test]
    fn an_odd_height_ends_with_the_background_and_nothing_is_drawn_outside() {
        let buf = drawn(&[&[RED, RED], &[RED, RED], &[WHITE, RED]]);
        assert_eq!((buf[(1, 2)].symbol(), buf[(1, 2)].fg, buf[(1, 2)].bg), ("▀", color(WHITE), Color::Blue));
        assert_eq!(buf[(2, 2)].fg, color(RED));
        for outside in [(0, 1), (3, 1), (3, 2), (1, 0)] {
            assert_eq!((buf[outside].symbol(), buf[outside].bg), (" ", Color::Blue), "{outside:?}");
        }
    }
}
