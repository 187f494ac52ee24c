//! The screen: a thin view of snapshots. Keys become orders, snapshots become cells; it owns
//! nothing but where the person looks.
//!
//! [`run`] is the whole of it. `update` is a pure function from a message to a changed model and
//! effects; `view` a pure function from the model to cells; `run` waits, performs and draws.

mod appearance;
mod backend;
mod canvas;
mod clipboard;
mod command;
mod completions;
mod copy;
mod exit;
mod external_editor;
mod format;
mod inbox;
mod keyboard;
mod keymap;
mod modals;
mod model;
mod offscreen;
mod pane;
mod panes;
mod picture;
mod run;
mod sent_frame;
mod shown_request;
mod svg;
mod terminal;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text_editor;
mod theme;
mod update;
mod view;
mod wrap;

pub use appearance::{Appearance, FrameView, Host, ScreenSettings};
pub use exit::{Exit, ScreenError};
pub use keymap::{KeyRow, Keymap};
pub use offscreen::render_after_keys;
pub use run::{ScreenSpec, is_terminal, run};
pub use svg::svg;
pub use theme::{ColorDepth, StyleRole, Theme};
pub(crate) use wrap::break_line;
