//! Paints a board as a frame, put together from tiles on first use.

use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::board::{Board, Ground};
use super::cell_bytes;
use super::tile_sheet::TileSheet;
use super::tiles::TileStyle;
use mageyard_domain::Picture;

/// The squares of a board that is painted without allocating memory for them.
const STACK_CELLS: usize = 256;

/// Paints the boards of one ground at one tile size.
pub(super) struct Painter {
    tiles: TileStyle,
    tile: u32,
    columns: usize,
    rows: usize,
    /// Built when the first frame is painted.
    cache: OnceLock<PaintCache>,
}

/// Tiles and static bytes, from which frames are put together.
struct PaintCache {
    sheet: TileSheet,
    still: Box<[u8]>,
}

impl Painter {
    /// A painter with tiles of this style, `tile` pixels a side.
    pub(super) fn new(ground: &Ground, tiles: TileStyle, tile: u32) -> Self {
        let rows = usize::from(ground.rows);
        let columns = usize::from(ground.columns);
        Self { tiles, tile, columns, rows, cache: OnceLock::new() }
    }

    /// The frame of this board, painted on first use; `None` only for a board without squares, which the
    /// parser refuses.
    pub(super) fn frame(self: &Arc<Self>, board: &Board) -> Option<Picture> {
        let side = |squares: usize| u32::try_from(squares).ok().map(|squares| squares * self.tile);
        let painter = self.clone();
        let board = board.clone();
        let paint = move |rgb: &mut [u8]| painter.paint(&board, rgb);
        Picture::painted(side(self.columns)?, side(self.rows)?, self.tile, paint)
    }

    fn paint(&self, board: &Board, rgb: &mut [u8]) {
        let stock = self.cache.get_or_init(|| PaintCache {
            sheet: TileSheet::new(self.tiles, self.tile),
            still: cell_bytes::static_bytes(&board.ground),
        });
        let mut cells: SmallVec<[u8; STACK_CELLS]> = SmallVec::from_slice(&stock.still);
        cell_bytes::add_moving(board, &mut cells);
        stock.sheet.paint_all(&cells, self.columns, rgb);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tiles;
    use super::super::tiles::Tile;
    use super::super::xsb::board;
    use super::*;

    /// Bytes per pixel.
    const RGB: usize = 3;

    /// The pixels of one square of a frame.
    fn cut(picture: &Picture, row: usize, column: usize) -> Vec<u8> {
        let side = picture.grain() as usize;
        let stride = picture.width() as usize * RGB;
        let line = |y: usize| (row * side + y) * stride + column * side * RGB;
        let pixels = picture.pixels().unwrap();
        (0..side).flat_map(|y| pixels[line(y)..line(y) + side * RGB].to_vec()).collect()
    }

    #[test]
    fn frames_that_are_never_read_are_never_painted() {
        let board = board("#####\n#@$.#\n#####");
        let painter = Arc::new(Painter::new(&board.ground, TileStyle::Mageyard, 64));
        let frame = painter.frame(&board).unwrap();
        assert!(painter.cache.get().is_none());
        assert_eq!(frame.pixels().unwrap().len(), 5 * 3 * 64 * 64 * 3);
        assert!(painter.cache.get().is_some());
    }

    #[test]
    fn each_square_shows_its_content() {
        let board = board("  #####\n###+* #\n# $ .$#\n#######\n#######");
        for side in [8, 16, 24] {
            let picture =
                Arc::new(Painter::new(&board.ground, TileStyle::Mageyard, side)).frame(&board).unwrap();
            assert_eq!((picture.width(), picture.height(), picture.grain()), (7 * side, 5 * side, side));
            for (row, column, tile) in [
                (0, 0, Tile::Outside),
                (0, 2, Tile::Wall),
                (1, 3, Tile::PlayerOnTarget),
                (1, 4, Tile::BoxOnTarget),
                (1, 5, Tile::Floor),
                (2, 2, Tile::Box),
                (2, 4, Tile::Target),
                (3, 0, Tile::Wall),
                (4, 3, Tile::Rock),
            ] {
                assert!(
                    cut(&picture, row, column) == tiles::draw(TileStyle::Mageyard, tile, side),
                    "{tile:?} at {row}, {column}"
                );
            }
        }
    }
}
