//! The tiles: drawn for any size from shapes on a grid of 16, each with a leading colour of its own, so
//! that they are told apart even when a terminal shrinks them to a few pixels.

/// What a tile shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tile {
    Outside,
    Rock,
    Wall,
    Floor,
    Target,
    Box,
    BoxHome,
    Player,
    PlayerHome,
}

type Rgb = [u8; 3];

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

/// Units of a shape's coordinates in a sixteenth of a tile; 0, 0 is the centre.
const UNIT: i32 = 32;

/// The pixels of a tile, three bytes each, rows from the top.
pub(super) fn draw(tile: Tile, side: u32) -> Vec<u8> {
    let mut canvas = Canvas::new(side);
    match tile {
        Tile::Outside => canvas.fill(VOID),
        Tile::Rock => bricks(&mut canvas, [ROCK_LIGHT, ROCK, ROCK_JOINT]),
        Tile::Wall => bricks(&mut canvas, [BRICK_LIGHT, BRICK, JOINT]),
        Tile::Floor => floor(&mut canvas),
        Tile::Target => target(&mut canvas),
        Tile::Box => crate_of(&mut canvas, AMBER),
        Tile::BoxHome => crate_home(&mut canvas),
        Tile::Player => player(&mut canvas),
        Tile::PlayerHome => player_home(&mut canvas),
    }
    canvas.rgb
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

/// The ground of a target with its ring.
fn pad(canvas: &mut Canvas) {
    floor(canvas);
    canvas.rect(0, 0, 15, 15, PAD);
    let within = |radius: i32| move |x: i32, y: i32| x * x + y * y < radius * radius;
    let (outer, inner) = (within(15 * UNIT / 2), within(11 * UNIT / 2));
    canvas.shape(RING, |x, y| outer(x, y) && !inner(x, y));
}

/// A crate with a frame and, for the looks, a lit upper edge.
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

fn crate_home(canvas: &mut Canvas) {
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

fn player_home(canvas: &mut Canvas) {
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

/// A square of pixels under work.
struct Canvas {
    side: i32,
    rgb: Vec<u8>,
}

impl Canvas {
    fn new(side: u32) -> Self {
        let bytes = side as usize * side as usize * 3;
        Self { side: i32::try_from(side).unwrap_or(0), rgb: vec![0; bytes] }
    }

    fn fill(&mut self, colour: Rgb) {
        self.rect(0, 0, 16, 16, colour);
    }

    /// Fills a rectangle given in sixteenths, each edge on the nearest pixel. Opposite edges are rounded
    /// in opposite directions, so that what is even in sixteenths is even in pixels.
    fn rect(&mut self, left: i32, top: i32, right: i32, bottom: i32, colour: Rgb) {
        let start = |sixteenths: i32| (sixteenths * self.side + 8) / 16;
        let end = |sixteenths: i32| self.side - start(16 - sixteenths);
        let (across, down) = (start(left)..end(right), start(top)..end(bottom));
        self.dot(colour, |x, y| across.contains(&x) && down.contains(&y));
    }

    /// Fills the pixels whose centre is in a shape given in units from the centre.
    fn shape(&mut self, colour: Rgb, holds: impl Fn(i32, i32) -> bool) {
        let side = self.side;
        let unit = |pixel: i32| (2 * pixel + 1) * 8 * UNIT / side - 8 * UNIT;
        self.dot(colour, |x, y| holds(unit(x), unit(y)));
    }

    fn dot(&mut self, colour: Rgb, holds: impl Fn(i32, i32) -> bool) {
        let places = (0..self.side).flat_map(|y| (0..self.side).map(move |x| (x, y)));
        for (pixel, (x, y)) in self.rgb.chunks_exact_mut(3).zip(places) {
            if holds(x, y) {
                pixel.copy_from_slice(&colour);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Tile; 9] = [
        Tile::Outside,
        Tile::Rock,
        Tile::Wall,
        Tile::Floor,
        Tile::Target,
        Tile::Box,
        Tile::BoxHome,
        Tile::Player,
        Tile::PlayerHome,
    ];

    /// The tile shrunk to 4 x 4 pixels, each the mean of its block.
    fn shrunk(tile: Tile, side: usize) -> Vec<[usize; 3]> {
        let rgb = draw(tile, u32::try_from(side).unwrap());
        let block = |place: usize| place * side / 4..(place + 1) * side / 4;
        let mean = |(row, column): (usize, usize)| {
            let pixels = block(row).flat_map(|y| block(column).map(move |x| (y * side + x) * 3));
            let pixels: Vec<usize> = pixels.collect();
            [0, 1, 2].map(|channel| {
                pixels.iter().map(|at| usize::from(rgb[at + channel])).sum::<usize>() / pixels.len()
            })
        };
        (0..4).flat_map(|row| (0..4).map(move |column| (row, column))).map(mean).collect()
    }

    #[test]
    fn tiles_differ_clearly_even_when_shrunk_to_4_pixels() {
        let played =
            [Tile::Wall, Tile::Floor, Tile::Target, Tile::Box, Tile::BoxHome, Tile::Player, Tile::PlayerHome];
        for side in [8, 13, 16, 24, 64] {
            for (index, one) in played.iter().enumerate() {
                for other in &played[index + 1..] {
                    let pairs = shrunk(*one, side).into_iter().zip(shrunk(*other, side));
                    let clear =
                        pairs.filter(|(a, b)| (0..3).any(|channel| a[channel].abs_diff(b[channel]) >= 48));
                    let clear = clear.count();
                    assert!(clear >= 4, "{one:?} and {other:?} at {side}: {clear} of 16");
                }
            }
        }
    }

    #[test]
    fn every_tile_is_full_and_no_two_are_equal() {
        for side in 8..=64 {
            let drawn: Vec<_> = ALL.iter().map(|tile| draw(*tile, side)).collect();
            for (index, one) in drawn.iter().enumerate() {
                assert_eq!(one.len(), (side * side * 3) as usize);
                assert!(drawn[..index].iter().all(|other| other != one), "{:?} at {side}", ALL[index]);
            }
        }
    }
}
