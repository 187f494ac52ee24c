//! Views of stored pages.

mod stored;
mod views;
