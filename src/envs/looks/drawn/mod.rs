//! The screens of the shipped sets: drawn from a description when they are needed, so that the program has no pictures in
//! it. `screens/screens.txt` says how they are described.

mod screen;
#[cfg(test)]
mod tests;

use mageyard_domain::Picture;

use self::screen::Screen;
pub(super) use mageyard_domain::{Canvas, Rect};

const SCREENS: &str = include_str!("../screens/screens.txt");

/// The shipped screen of this name, with or without a file ending.
pub(super) fn picture(name: &str) -> Option<Picture> {
    let screen = Screen::named(SCREENS, super::record::stem(name))?;
    let (width, height) = screen.size;
    Picture::painted(width, height, 1, move |pixels| screen.draw(&mut Canvas::new(pixels, screen.size)))
}
