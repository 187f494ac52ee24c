//! The painter: a board as a frame. What stands still is painted once, when somebody first looks; a
//! frame is a copy of that with a tile for each box and the player.

use std::sync::Arc;
use std::sync::OnceLock;

use super::board::Board;
use super::board::Ground;
use super::board::Look;
use super::board::Square;
use super::tiles;
use super::tiles::Tile;
use crate::domain::Picture;

/// Bytes a pixel.
const RGB: usize = 3;

/// Paints the boards of one ground at one tile size.
pub(super) struct Painter {
    tile: u32,
    columns: usize,
    rows: usize,
    /// Made when somebody looks for the first time.
    stock: OnceLock<Stock>,
}

/// What frames are put together from.
struct Stock {
    /// The frame with neither boxes nor player: it may have 50 MB.
    empty: Vec<u8>,
    boxed: Vec<u8>,
    boxed_home: Vec<u8>,
    player: Vec<u8>,
    player_home: Vec<u8>,
}

impl Painter {
    /// A painter with tiles of so many pixels a side.
    pub(super) fn new(ground: &Ground, tile: u32) -> Self {
        let (rows, columns) = (usize::from(ground.rows), usize::from(ground.columns));
        Self { tile, columns, rows, stock: OnceLock::new() }
    }

    fn stock(&self, ground: &Ground) -> Stock {
        let draw = |face| tiles::draw(face, self.tile);
        Stock {
            empty: self.empty(ground),
            boxed: draw(Tile::Box),
            boxed_home: draw(Tile::BoxHome),
            player: draw(Tile::Player),
            player_home: draw(Tile::PlayerHome),
        }
    }

    fn empty(&self, ground: &Ground) -> Vec<u8> {
        let sheet = [Tile::Outside, Tile::Rock, Tile::Wall, Tile::Floor, Tile::Target]
            .map(|face| tiles::draw(face, self.tile));
        let side = self.tile as usize;
        let mut empty = vec![0; self.rows * self.columns * side * side * RGB];
        for square in ground.squares() {
            self.stamp(&mut empty, square, &sheet[still(ground, square) as usize]);
        }
        empty
    }

    /// The frame of this board, painted when somebody looks; `None` only for a board without squares,
    /// which no reader lets pass.
    pub(super) fn frame(self: &Arc<Self>, board: &Board) -> Option<Picture> {
        let side = |squares: usize| u32::try_from(squares).ok().map(|squares| squares * self.tile);
        let (painter, board) = (self.clone(), board.clone());
        Picture::lazy(side(self.columns)?, side(self.rows)?, self.tile, move || painter.paint(&board))
    }

    fn paint(&self, board: &Board) -> Vec<u8> {
        let stock = self.stock.get_or_init(|| self.stock(&board.ground));
        let mut rgb = stock.empty.clone();
        for square in board.boxes().iter().copied().chain([board.player]) {
            let tile = match board.look(square) {
                Look::Box => &stock.boxed,
                Look::BoxHome => &stock.boxed_home,
                Look::PlayerHome => &stock.player_home,
                _ => &stock.player,
            };
            self.stamp(&mut rgb, square, tile);
        }
        rgb
    }

    /// Copies a tile onto a square, row by row.
    fn stamp(&self, rgb: &mut [u8], square: Square, tile: &[u8]) {
        let side = self.tile as usize;
        let (row, column) = (usize::from(square) / self.columns, usize::from(square) % self.columns);
        let stride = self.columns * side * RGB;
        let start = row * side * stride + column * side * RGB;
        for (line, pixels) in tile.chunks(side * RGB).enumerate() {
            let at = start + line * stride;
            rgb[at..at + pixels.len()].copy_from_slice(pixels);
        }
    }
}

/// The tile of a square with nothing on it. Walls that touch the inside are laid in brick; those
/// behind them are plain rock, so that the room stands out.
fn still(ground: &Ground, square: Square) -> Tile {
    match (ground.is_wall(square), ground.is_target(square)) {
        (true, _) if touches(ground, square) => Tile::Wall,
        (true, _) => Tile::Rock,
        (false, true) => Tile::Target,
        (false, false) if ground.is_inside(square) => Tile::Floor,
        _ => Tile::Outside,
    }
}

fn touches(ground: &Ground, square: Square) -> bool {
    let (row, column) = ground.place(square);
    let near = |place: u16, last: u16| place.saturating_sub(1).max(1)..=(place + 1).min(last);
    near(row, ground.rows).any(|row| {
        near(column, ground.columns).any(|column| ground.is_inside((row - 1) * ground.columns + column - 1))
    })
}

#[cfg(test)]
mod tests {
    use super::super::xsb::board;
    use super::*;

    /// The pixels of one square of a frame.
    fn cut(picture: &Picture, row: usize, column: usize) -> Vec<u8> {
        let side = picture.grain() as usize;
        let stride = picture.width() as usize * RGB;
        let line = |y: usize| (row * side + y) * stride + column * side * RGB;
        (0..side).flat_map(|y| picture.rgb()[line(y)..line(y) + side * RGB].to_vec()).collect()
    }

    #[test]
    fn an_episode_that_nobody_watches_costs_no_pixels() {
        let board = board("#####\n#@$.#\n#####");
        let painter = Arc::new(Painter::new(&board.ground, 64));
        let frame = painter.frame(&board).unwrap();
        assert!(painter.stock.get().is_none());
        assert_eq!(frame.rgb().len(), 5 * 3 * 64 * 64 * 3);
        assert_eq!(painter.stock.get().map(|stock| stock.empty.len()), Some(frame.rgb().len()));
    }

    #[test]
    fn each_square_shows_what_stands_on_it() {
        let board = board("  #####\n###+* #\n# $ .$#\n#######\n#######");
        for side in [8, 16, 24] {
            let picture = Arc::new(Painter::new(&board.ground, side)).frame(&board).unwrap();
            assert_eq!((picture.width(), picture.height(), picture.grain()), (7 * side, 5 * side, side));
            for (row, column, tile) in [
                (0, 0, Tile::Outside),
                (0, 2, Tile::Wall),
                (1, 3, Tile::PlayerHome),
                (1, 4, Tile::BoxHome),
                (1, 5, Tile::Floor),
                (2, 2, Tile::Box),
                (2, 4, Tile::Target),
                (3, 0, Tile::Wall),
                (4, 3, Tile::Rock),
            ] {
                assert!(cut(&picture, row, column) == tiles::draw(tile, side), "{tile:?} at {row}, {column}");
            }
        }
    }
}
