//! The screen: a thin view of snapshots. Keys become orders, snapshots become cells; it owns
//! nothing but where the person looks.
//!
//! [`run`] is the whole of it. `update` is a pure function from a message to a changed model and
//! effects; `view` a pure function from the model to cells; `run` waits, performs and draws.

mod asked;
mod canvas;
mod clipboard;
mod command;
mod copy;
mod exit;
mod figures;
mod handed;
mod inbox;
mod ink;
mod keyboard;
mod keymap;
mod look;
mod model;
mod offers;
mod page;
mod pane;
mod panes;
mod picture;
mod run;
mod sheets;
mod shot;
mod still;
mod svg;
mod terminal;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod theme;
mod update;
mod view;
mod wrap;

pub use exit::{Exit, ScreenError};
pub use keymap::{KeyRow, Keymap};
pub use look::{House, Look, Settings, View};
pub use run::{Sitting, is_terminal, run};
pub use still::still;
pub use svg::svg;
pub use theme::{Depth, Role, Theme};
pub(crate) use wrap::broken;
