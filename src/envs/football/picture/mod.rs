//! The pictures of the game: two views that are painted from one state. The *board* shows the whole pitch from above,
//! the *broadcast* what a television camera shows, with a small map. Neither shows a reward.
//!
//! What does not change is painted once for each painter, so that a frame costs a copy and a few shapes.

mod board;
mod broadcast;
mod camera;
mod canvas;
mod coverage;
mod figure;
mod letters;
mod map;
mod markings;
mod painter;
mod palette;
mod panel;
mod place;
mod players;
mod point;
mod shapes;
mod shown;
#[cfg(test)]
mod tests;

pub use camera::Focus;
pub use painter::{Painter, View};
pub use place::pixel;
pub use shown::Shown;
