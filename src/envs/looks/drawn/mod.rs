//! The screens of the shipped sets: drawn from a description when they are needed, so that the program has no pictures in
//! it. `screens/screens.txt` says how they are described.

mod canvas;
mod screen;
#[cfg(test)]
mod tests;

use mageyard_domain::Picture;

pub(super) use self::canvas::{Canvas, Rect};
use self::screen::Screen;

const SCREENS: &str = include_str!("../screens/screens.txt");

/// The shipped screen of this name, with or without a file ending.
pub(super) fn picture(name: &str) -> Option<Picture> {
    let screen = Screen::named(SCREENS, super::record::stem(name))?;
    let (width, height) = screen.size;
    Picture::painted(width, height, 1, move |pixels| screen.draw(&mut Canvas::new(pixels, screen.size)))
}
