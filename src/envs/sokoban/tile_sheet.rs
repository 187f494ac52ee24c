//! A tile sheet: every tile drawn once at one size. Frames are put together from its rows of pixels.

use super::tiles::{Tile, TileStyle};
use super::{cell_bytes, tiles};

/// Bytes per pixel.
const RGB: usize = 3;
/// Bytes of a pixel row of a 16-pixel tile; copying a constant number of bytes is faster.
const ROW_BYTES_16: usize = 16 * RGB;

/// All tiles at one size.
pub(super) struct TileSheet {
    side: usize,
    /// One tile after the other, each row by row.
    pixels: Vec<u8>,
    /// The offset of the tile in `pixels`, for each byte of a board.
    starts: Box<[usize; 256]>,
}

impl TileSheet {
    /// Draws all tiles in this style, `side` pixels a side.
    pub(super) fn new(way: TileStyle, side: u32) -> Self {
        let pixels = Tile::ALL.iter().flat_map(|tile| tiles::draw(way, *tile, side)).collect();
        let side = side as usize;
        let index = |tile: Tile| Tile::ALL.iter().position(|other| *other == tile).unwrap_or(0);
        let starts = std::array::from_fn(|byte| {
            let cell = u8::try_from(byte).unwrap_or(cell_bytes::UNKNOWN);
            index(cell_bytes::tile(cell)) * side * side * RGB
        });
        Self { side, pixels, starts: Box::new(starts) }
    }

    /// Bytes of a frame of `squares` squares.
    pub(super) fn bytes(&self, squares: usize) -> usize {
        squares * self.side * self.side * RGB
    }

    /// Pixels per side of a tile.
    pub(super) fn side(&self) -> usize {
        self.side
    }

    /// Paints a whole board; `rgb` must have as many bytes as [`TileSheet::bytes`] says.
    pub(super) fn paint_all(&self, board: &[u8], columns: usize, rgb: &mut [u8]) {
        let bytes = self.side * RGB;
        let bands = rgb.chunks_exact_mut((columns * self.side * bytes).max(1));
        for (cells, band) in board.chunks_exact(columns.max(1)).zip(bands) {
            for (line, out) in band.chunks_exact_mut(columns * bytes).enumerate() {
                match self.side {
                    16 => self.copy_line_16(cells, line, out),
                    _ => self.copy_line(cells, line, out),
                }
            }
        }
    }

    /// Copies one row of pixels across a row of squares.
    fn copy_line(&self, cells: &[u8], line: usize, out: &mut [u8]) {
        let bytes = self.side * RGB;
        for (cell, out) in cells.iter().zip(out.chunks_exact_mut(bytes)) {
            let at = self.starts[usize::from(*cell)] + line * bytes;
            out.copy_from_slice(&self.pixels[at..at + bytes]);
        }
    }

    fn copy_line_16(&self, cells: &[u8], line: usize, out: &mut [u8]) {
        let (rows, _) = self.pixels.as_chunks::<ROW_BYTES_16>();
        let (out, _) = out.as_chunks_mut::<ROW_BYTES_16>();
        for (cell, out) in cells.iter().zip(out) {
            *out = rows[self.starts[usize::from(*cell)] / ROW_BYTES_16 + line];
        }
    }

    /// Paints the squares that differ from `shown`, and updates `shown`.
    pub(super) fn paint_changed(&self, board: &[u8], shown: &mut [u8], columns: usize, rgb: &mut [u8]) {
        const AT_ONCE: usize = 16;
        let pieces = board.chunks(AT_ONCE).zip(shown.chunks_mut(AT_ONCE)).enumerate();
        for (piece, (board, shown)) in pieces {
            if board == shown {
                continue;
            }
            for (index, (cell, shown)) in board.iter().zip(shown.iter_mut()).enumerate() {
                if cell != shown {
                    *shown = *cell;
                    self.paint_square(*cell, piece * AT_ONCE + index, columns, rgb);
                }
            }
        }
    }

    /// Paints one square.
    fn paint_square(&self, cell: u8, square: usize, columns: usize, rgb: &mut [u8]) {
        let bytes = self.side * RGB;
        let stride = columns * bytes;
        let start = square / columns * self.side * stride + square % columns * bytes;
        let at = self.starts[usize::from(cell)];
        let tile = &self.pixels[at..at + self.side * bytes];
        let last = start + (self.side - 1) * stride + bytes;
        let lines = rgb[start..last].chunks_mut(stride);
        if self.side == 16 {
            for (out, row) in lines.zip(tile.as_chunks::<ROW_BYTES_16>().0) {
                if let Some(out) = out.first_chunk_mut::<ROW_BYTES_16>() {
                    *out = *row;
                }
            }
        } else {
            for (out, row) in lines.zip(tile.chunks_exact(bytes)) {
                out[..bytes].copy_from_slice(row);
            }
        }
    }
}
