//! Tiles and their three styles, drawn at any size from shapes on a grid of 16.

mod canvas;
mod classic;
mod contrast;
mod mageyard;

use canvas::Canvas;

/// What a tile shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tile {
    Outside,
    Rock,
    Wall,
    Floor,
    Target,
    Box,
    BoxOnTarget,
    Player,
    PlayerOnTarget,
}

impl Tile {
    /// All tiles.
    pub(super) const ALL: [Self; 9] = [
        Self::Outside,
        Self::Rock,
        Self::Wall,
        Self::Floor,
        Self::Target,
        Self::Box,
        Self::BoxOnTarget,
        Self::Player,
        Self::PlayerOnTarget,
    ];
}

/// The style of the tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TileStyle {
    /// In colours that differ in few pixels.
    #[default]
    Mageyard,
    /// As people and models know them from gym-sokoban.
    Classic,
    /// In few strong colours.
    Contrast,
}

impl TileStyle {
    /// A description of the tiles for readers of the picture.
    pub(super) fn legend(self) -> &'static str {
        match self {
            Self::Mageyard => {
                "grey bricks are walls, dark squares are floor, a red ring on the floor is a target, an orange crate is \
                 a box, a green crate is a box that stands on a target, and the blue figure is the player (with a ring \
                 around it when it stands on a target)"
            }
            Self::Classic => {
                "red-brown bricks are walls, black squares are floor, a red square outline with a dot in the middle is a \
                 target, a yellow crate is a box, a yellow crate with a red edge is a box that stands on a target, and \
                 the green figure is the player (with a red outline when it stands on a target)"
            }
            Self::Contrast => {
                "white squares are walls, black squares are floor, a magenta cross is a target, a yellow square is a box, a \
                 green square with a magenta middle is a box that stands on a target, and the blue disc is the player (over \
                 a magenta cross when it stands on a target)"
            }
        }
    }
}

/// The pixels of a tile, three bytes each, rows from the top.
pub(super) fn draw(tiles: TileStyle, tile: Tile, side: u32) -> Vec<u8> {
    let mut canvas = Canvas::new(side);
    match tiles {
        TileStyle::Mageyard => mageyard::draw(tile, &mut canvas),
        TileStyle::Classic => classic::draw(tile, &mut canvas),
        TileStyle::Contrast => contrast::draw(tile, &mut canvas),
    }
    canvas.rgb()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Block = [usize; 3];

    /// The tile reduced to 4 x 4 pixels, each the mean of its block.
    fn shrunk(tiles: TileStyle, tile: Tile, side: usize) -> Vec<Block> {
        let rgb = draw(tiles, tile, u32::try_from(side).unwrap());
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

    const STYLES: [TileStyle; 3] = [TileStyle::Mageyard, TileStyle::Classic, TileStyle::Contrast];
    const PLAYED: [Tile; 7] = [
        Tile::Wall,
        Tile::Floor,
        Tile::Target,
        Tile::Box,
        Tile::BoxOnTarget,
        Tile::Player,
        Tile::PlayerOnTarget,
    ];

    /// How many of the 16 blocks of two tiles differ clearly.
    fn clear(
        tiles: TileStyle,
        [one, other]: [Tile; 2],
        side: usize,
        differ: impl Fn(Block, Block) -> bool,
    ) -> usize {
        let pairs = shrunk(tiles, one, side).into_iter().zip(shrunk(tiles, other, side));
        pairs.filter(|(a, b)| differ(*a, *b)).count()
    }

    fn pairs() -> impl Iterator<Item = [Tile; 2]> {
        let after = |index: usize| PLAYED[index + 1..].iter().map(move |other| [PLAYED[index], *other]);
        (0..PLAYED.len()).flat_map(after)
    }

    #[test]
    fn tiles_differ_clearly_even_when_shrunk_to_4_pixels() {
        let coloured = |a: Block, b: Block| (0..3).any(|channel| a[channel].abs_diff(b[channel]) >= 48);
        for (tiles, pair, side) in cases() {
            let clear = clear(tiles, pair, side, coloured);
            assert!(clear >= 4, "{tiles:?} {pair:?} at {side}: {clear} of 16");
        }
    }

    /// By the weights of ITU-R BT.601, as on grey printers and for most people without colour vision.
    #[test]
    fn tiles_differ_in_greys() {
        let grey = |[red, green, blue]: Block| (299 * red + 587 * green + 114 * blue) / 1000;
        for (tiles, pair, side) in cases() {
            let clear = clear(tiles, pair, side, |a, b| grey(a).abs_diff(grey(b)) >= 16);
            assert!(clear >= 2, "{tiles:?} {pair:?} at {side}: {clear} of 16");
        }
    }

    fn cases() -> impl Iterator<Item = (TileStyle, [Tile; 2], usize)> {
        let sides = |tiles, pair| [8, 13, 16, 24, 64].map(|side| (tiles, pair, side));
        STYLES.into_iter().flat_map(move |tiles| pairs().flat_map(move |pair| sides(tiles, pair)))
    }

    #[test]
    fn every_tile_is_complete_and_no_two_are_equal() {
        for (tiles, drawn) in [(TileStyle::Mageyard, Tile::ALL.as_slice()), (TileStyle::Classic, &PLAYED)] {
            for side in 8..=64 {
                let pixels: Vec<_> = drawn.iter().map(|tile| draw(tiles, *tile, side)).collect();
                for (index, one) in pixels.iter().enumerate() {
                    assert_eq!(one.len(), (side * side * 3) as usize);
                    assert!(pixels[..index].iter().all(|other| other != one), "{:?} at {side}", drawn[index]);
                }
            }
        }
    }

    /// The colours in the corner, next to it, and in the middle identify each tile.
    #[test]
    fn classic_tiles_have_the_colours_of_gym_sokoban() {
        const BLACK: [u8; 3] = [0, 0, 0];
        const RED: [u8; 3] = [239, 22, 22];
        const GREEN: [u8; 3] = [41, 202, 26];
        const YELLOW: [u8; 3] = [215, 196, 0];
        const ORANGE: [u8; 3] = [215, 114, 0];
        let pixel = |tile, (x, y): (usize, usize)| {
            let rgb = draw(TileStyle::Classic, tile, 16);
            assert_eq!(rgb.len(), 768);
            <[u8; 3]>::try_from(&rgb[(y * 16 + x) * 3..][..3]).unwrap()
        };
        for (tile, colours) in [
            (Tile::Wall, [[176, 61, 0], [176, 61, 0], [176, 154, 142], [176, 154, 142]]),
            (Tile::Outside, [[176, 61, 0], [176, 61, 0], [176, 154, 142], [176, 154, 142]]),
            (Tile::Floor, [BLACK; 4]),
            (Tile::Target, [BLACK, RED, BLACK, RED]),
            (Tile::Box, [ORANGE, ORANGE, YELLOW, ORANGE]),
            (Tile::BoxOnTarget, [[238, 0, 0], [238, 0, 0], YELLOW, ORANGE]),
            (Tile::Player, [BLACK, BLACK, GREEN, GREEN]),
            (Tile::PlayerOnTarget, [BLACK, RED, GREEN, GREEN]),
        ] {
            let places = [(0, 0), (1, 1), (8, 5), (8, 8)];
            assert_eq!(places.map(|place| pixel(tile, place)), colours, "{tile:?}");
        }
        assert_eq!(draw(TileStyle::Classic, Tile::Rock, 16), draw(TileStyle::Classic, Tile::Wall, 16));
    }
}
