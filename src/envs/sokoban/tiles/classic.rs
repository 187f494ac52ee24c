//! Tiles with the meaning, colours and size of gym-sokoban's, for models trained on its pictures and people
//! who know them. The drawing is our own; no pixel is copied.

use super::Tile;
use super::canvas::{Canvas, Rgb, UNIT};

const BRICK: Rgb = [176, 61, 0];
const MORTAR: Rgb = [176, 154, 142];
const FLOOR: Rgb = [0, 0, 0];
const TARGET: Rgb = [239, 22, 22];
const MARGIN: Rgb = [238, 0, 0];
const BOARD: Rgb = [215, 196, 0];
const FRAME: Rgb = [215, 114, 0];
const FIGURE: Rgb = [41, 202, 26];

/// gym-sokoban has one kind of wall and nothing outside it, so rock and outside are walls here.
pub(super) fn draw(tile: Tile, canvas: &mut Canvas) {
    match tile {
        Tile::Outside | Tile::Rock | Tile::Wall => wall(canvas),
        Tile::Floor => canvas.fill(FLOOR),
        Tile::Target => target(canvas),
        Tile::Box => {
            canvas.fill(FLOOR);
            crate_in(canvas, 0);
        }
        Tile::BoxOnTarget => {
            canvas.fill(MARGIN);
            crate_in(canvas, 2);
        }
        Tile::Player => {
            canvas.fill(FLOOR);
            figure(canvas);
        }
        Tile::PlayerOnTarget => {
            outline(canvas);
            figure(canvas);
        }
    }
}

/// Three courses of bricks, the middle one shifted by half a brick.
fn wall(canvas: &mut Canvas) {
    canvas.fill(MORTAR);
    for (top, bottom) in [(0, 4), (12, 16)] {
        for (left, right) in [(0, 4), (5, 12), (13, 16)] {
            canvas.rect(left, top, right, bottom, BRICK);
        }
    }
    for (left, right) in [(1, 8), (9, 16)] {
        canvas.rect(left, 6, right, 10, BRICK);
    }
}

fn outline(canvas: &mut Canvas) {
    canvas.fill(FLOOR);
    canvas.outline(1, 1, TARGET);
}

fn target(canvas: &mut Canvas) {
    outline(canvas);
    canvas.shape(TARGET, |x, y| x.abs() + y.abs() < 5 * UNIT / 2);
}

/// A crate with a frame and a cross from corner to corner, `inset` sixteenths from the edge.
fn crate_in(canvas: &mut Canvas, inset: i32) {
    let half = (8 - inset) * UNIT;
    canvas.shape(BOARD, |x, y| x.abs().max(y.abs()) < half);
    canvas.shape(FRAME, |x, y| x.abs().max(y.abs()) < half && (x.abs() - y.abs()).abs() < 3 * UNIT / 2);
    canvas.outline(inset, 1, FRAME);
}

/// Head with feelers and two eyes, shoulders as wide as the tile, two feet.
fn figure(canvas: &mut Canvas) {
    for (left, top, right, bottom) in [(4, 1, 12, 6), (2, 5, 14, 7), (0, 7, 16, 12), (2, 12, 14, 13)] {
        canvas.rect(left, top, right, bottom, FIGURE);
    }
    for left in [3, 12] {
        canvas.rect(left, 0, left + 1, 1, FIGURE);
    }
    for left in [3, 10] {
        canvas.rect(left, 13, left + 3, 16, FIGURE);
    }
    for left in [5, 9] {
        canvas.rect(left, 3, left + 2, 5, FLOOR);
    }
}
