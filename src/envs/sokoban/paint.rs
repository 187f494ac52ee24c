//! The painter: a board as a frame, put together from tiles when somebody looks.

use std::sync::Arc;
use std::sync::OnceLock;

use super::board::Board;
use super::board::Ground;
use super::cells;
use super::sheet::Sheet;
use super::tiles::Tiles;
use crate::domain::Picture;

/// Paints the boards of one ground at one tile size.
pub(super) struct Painter {
    tiles: Tiles,
    tile: u32,
    columns: usize,
    rows: usize,
    /// Made when somebody looks for the first time.
    stock: OnceLock<Stock>,
}

/// What frames are put together from.
struct Stock {
    sheet: Sheet,
    still: Box<[u8]>,
}

impl Painter {
    /// A painter with tiles drawn in this way, of so many pixels a side.
    pub(super) fn new(ground: &Ground, tiles: Tiles, tile: u32) -> Self {
        let (rows, columns) = (usize::from(ground.rows), usize::from(ground.columns));
        Self { tiles, tile, columns, rows, stock: OnceLock::new() }
    }

    /// The frame of this board, painted when somebody looks; `None` only for a board without squares,
    /// which no reader lets pass.
    pub(super) fn frame(self: &Arc<Self>, board: &Board) -> Option<Picture> {
        let side = |squares: usize| u32::try_from(squares).ok().map(|squares| squares * self.tile);
        let (painter, board) = (self.clone(), board.clone());
        Picture::lazy(side(self.columns)?, side(self.rows)?, self.tile, move || painter.paint(&board))
    }

    fn paint(&self, board: &Board) -> Vec<u8> {
        let stock = self.stock.get_or_init(|| Stock {
            sheet: Sheet::new(self.tiles, self.tile),
            still: cells::still(&board.ground),
        });
        let mut cells = stock.still.clone();
        cells::put(board, &mut cells);
        let mut rgb = vec![0; stock.sheet.bytes(cells.len())];
        stock.sheet.whole(&cells, self.columns, &mut rgb);
        rgb
    }
}

#[cfg(test)]
mod tests {
    use super::super::tiles;
    use super::super::tiles::Tile;
    use super::super::xsb::board;
    use super::*;

    /// Bytes a pixel.
    const RGB: usize = 3;

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
        let painter = Arc::new(Painter::new(&board.ground, Tiles::Mageyard, 64));
        let frame = painter.frame(&board).unwrap();
        assert!(painter.stock.get().is_none());
        assert_eq!(frame.rgb().len(), 5 * 3 * 64 * 64 * 3);
        assert!(painter.stock.get().is_some());
    }

    #[test]
    fn each_square_shows_what_stands_on_it() {
        let board = board("  #####\n###+* #\n# $ .$#\n#######\n#######");
        for side in [8, 16, 24] {
            let picture = Arc::new(Painter::new(&board.ground, Tiles::Mageyard, side)).frame(&board).unwrap();
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
                assert!(
                    cut(&picture, row, column) == tiles::draw(Tiles::Mageyard, tile, side),
                    "{tile:?} at {row}, {column}"
                );
            }
        }
    }
}
