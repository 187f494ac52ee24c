//! Mageyard's own tiles. Each has a main colour of its own, so that tiles differ even when a terminal
//! shrinks them to a few pixels.

use super::Tile;
use super::canvas::{Canvas, Rgb, UNIT};

const VOID: Rgb = [15, 17, 22];
const ROCK: Rgb = [68, 76, 93];
const ROCK_LIGHT: Rgb = [78, 87, 106];
const ROCK_JOINT: Rgb = [53, 59, 73];
const BRICK: Rgb = [108, 120, 143];
const BRICK_LIGHT: Rgb = [139, 152, 176];
const JOINT: Rgb = [66, 74, 92];
const FLOOR: Rgb = [28, 31, 39];
const FLOOR_EDGE: Rgb = [37, 41, 51];
const PAD: Rgb = [74, 24, 45];
const RING: Rgb = [255, 84, 128];
const OUTLINE: Rgb = [12, 13, 17];
const AMBER: [Rgb; 3] = [[250, 188, 78], [184, 108, 26], [118, 66, 14]];
const GREEN: [Rgb; 3] = [[108, 224, 122], [38, 164, 82], [12, 84, 44]];
const CHECK: Rgb = [244, 255, 240];
const SUIT: Rgb = [40, 176, 255];
const SUIT_DARK: Rgb = [20, 112, 196];
const SKIN: Rgb = [255, 222, 184];

pub(super) fn draw(tile: Tile, canvas: &mut Canvas) {
    match tile {
        Tile::Outside => canvas.fill(VOID),
        Tile::Rock => bricks(canvas, [ROCK_LIGHT, ROCK, ROCK_JOINT]),
        Tile::Wall => bricks(canvas, [BRICK_LIGHT, BRICK, JOINT]),
        Tile::Floor => floor(canvas),
        Tile::Target => target(canvas),
        Tile::Box => crate_of(canvas, AMBER),
        Tile::BoxOnTarget => crate_on_target(canvas),
        Tile::Player => player(canvas),
        Tile::PlayerOnTarget => player_on_target(canvas),
    }
}

/// Two courses of bricks, lit from above.
fn bricks(canvas: &mut Canvas, [light, face, joint]: [Rgb; 3]) {
    canvas.fill(joint);
    for (left, top, right, bottom) in
        [(0, 0, 7, 7), (8, 0, 16, 7), (0, 8, 3, 15), (4, 8, 11, 15), (12, 8, 16, 15)]
    {
        canvas.rect(left, top, right, bottom, face);
        canvas.rect(left, top, right, top + 1, light);
    }
}

fn floor(canvas: &mut Canvas) {
    canvas.fill(FLOOR_EDGE);
    canvas.rect(0, 0, 15, 15, FLOOR);
}

fn target(canvas: &mut Canvas) {
    pad(canvas);
    canvas.shape(RING, |x, y| x * x + y * y < (5 * UNIT / 2).pow(2));
}

/// The background of a target, with its ring.
fn pad(canvas: &mut Canvas) {
    floor(canvas);
    canvas.rect(0, 0, 15, 15, PAD);
    let within = |radius: i32| move |x: i32, y: i32| x * x + y * y < radius * radius;
    let outer = within(15 * UNIT / 2);
    let inner = within(11 * UNIT / 2);
    canvas.shape(RING, |x, y| outer(x, y) && !inner(x, y));
}

/// A crate with a frame and a lit upper edge.
fn crate_frame(canvas: &mut Canvas, [light, face, dark]: [Rgb; 3]) {
    canvas.rect(1, 1, 15, 15, dark);
    canvas.rect(2, 2, 14, 14, light);
    canvas.rect(3, 3, 13, 13, face);
}

fn crate_of(canvas: &mut Canvas, colours: [Rgb; 3]) {
    floor(canvas);
    crate_frame(canvas, colours);
    let panel = |x: i32, y: i32| x.abs().max(y.abs()) < 5 * UNIT;
    canvas.shape(colours[0], |x, y| panel(x, y) && (x.abs() - y.abs()).abs() < 5 * UNIT / 4);
}

fn crate_on_target(canvas: &mut Canvas) {
    floor(canvas);
    canvas.rect(0, 0, 15, 15, PAD);
    crate_frame(canvas, GREEN);
    let short = |x: i32, y: i32| (x - y + 3 * UNIT).abs() < 3 * UNIT / 2 && x > -4 * UNIT && x <= 0;
    let long = |x: i32, y: i32| (x + y - UNIT).abs() < 3 * UNIT / 2 && x > -UNIT && x < 4 * UNIT;
    canvas.shape(CHECK, |x, y| short(x, y) || long(x, y));
}

fn player(canvas: &mut Canvas) {
    floor(canvas);
    figure(canvas);
}

fn player_on_target(canvas: &mut Canvas) {
    pad(canvas);
    canvas.shape(RING, |x, y| x * x + y * y < (8 * UNIT).pow(2));
    figure(canvas);
}

/// Head with a cap, body with arms, legs; outlined so that it stands out from a ring behind it.
fn figure(canvas: &mut Canvas) {
    for (left, top, right, bottom) in [(4, 0, 12, 8), (3, 1, 13, 7), (1, 7, 15, 13), (3, 12, 13, 16)] {
        canvas.rect(left, top, right, bottom, OUTLINE);
    }
    canvas.rect(4, 1, 12, 7, SKIN);
    canvas.rect(4, 1, 12, 3, SUIT);
    canvas.rect(5, 4, 7, 6, OUTLINE);
    canvas.rect(9, 4, 11, 6, OUTLINE);
    canvas.rect(2, 8, 14, 12, SUIT);
    canvas.rect(4, 12, 12, 13, SUIT_DARK);
    canvas.rect(4, 12, 7, 15, SUIT_DARK);
    canvas.rect(9, 12, 12, 15, SUIT_DARK);
}
