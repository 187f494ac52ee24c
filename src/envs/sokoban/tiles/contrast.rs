//! Tiles in few strong colours: each kind has a colour and a shape of its own, without shading.

use super::Tile;
use super::canvas::{Canvas, Rgb, UNIT};

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
const GREY: Rgb = [128, 128, 128];
const YELLOW: Rgb = [255, 220, 0];
const GREEN: Rgb = [0, 200, 0];
const MAGENTA: Rgb = [255, 0, 200];
const BLUE: Rgb = [0, 120, 255];

pub(super) fn draw(tile: Tile, canvas: &mut Canvas) {
    canvas.fill(match tile {
        Tile::Wall => WHITE,
        Tile::Rock => GREY,
        _ => BLACK,
    });
    match tile {
        Tile::Outside | Tile::Rock | Tile::Wall | Tile::Floor => {}
        Tile::Target => cross(canvas),
        Tile::Box => canvas.rect(2, 2, 14, 14, YELLOW),
        Tile::BoxOnTarget => {
            canvas.rect(2, 2, 14, 14, GREEN);
            canvas.rect(6, 6, 10, 10, MAGENTA);
        }
        Tile::Player => disc(canvas),
        Tile::PlayerOnTarget => {
            cross(canvas);
            disc(canvas);
        }
    }
}

/// A diagonal cross from corner to corner.
fn cross(canvas: &mut Canvas) {
    canvas.shape(MAGENTA, |x, y| (x.abs() - y.abs()).abs() < 2 * UNIT);
}

fn disc(canvas: &mut Canvas) {
    canvas.shape(BLUE, |x, y| x * x + y * y < (11 * UNIT / 2).pow(2));
}
