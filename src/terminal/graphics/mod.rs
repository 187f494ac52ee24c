//! Pictures in terminals with graphics: Kitty's protocol, iTerm2's and Sixel. Pure: pixels in, sequences out.
//!
//! `ratatui-image` sends whole pictures, and does not send again what a dialog had covered; here the finished screen
//! says which cells changed.

mod cell_grid;
mod diacritics;
mod encoding;
mod iterm2;
mod kitty;
mod layer;
mod passthrough;
mod patch;
mod placed;
mod placeholders;
mod sheets;
mod sixel;
mod sixel_bands;
mod tiles;

pub(crate) use self::cell_grid::CellPicture;
pub(crate) use self::encoding::{Encode, encode};
pub(crate) use self::layer::PictureLayer;
pub(crate) use self::passthrough::wrap as wrap_for_tmux;
pub(crate) use self::patch::{AtOnce, NoBytes, Patch, PatchKey, PatchSource};
pub(crate) use self::placed::{LayerUpdate, PlacedPicture};

/// How a terminal receives pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GraphicsProtocol {
    /// Kitty's, with placeholder cells.
    Kitty,
    /// Kitty's, with pictures that are placed at the cursor.
    KittyTiles,
    /// iTerm2's inline pictures.
    Iterm2,
    /// Sixel.
    Sixel,
}
