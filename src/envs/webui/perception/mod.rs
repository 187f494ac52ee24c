//! What can be seen of pages: views of their pictures, lists of their elements, and questions about them.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod answers;
mod certain;
mod claims;
mod list;
mod misread;
mod pictures;
mod probes;
mod style;
mod subject;
#[cfg(test)]
mod tests;
mod view;
mod words;

pub(super) use self::pictures::{LayoutPart, PICTURES_MEDIA, PagePicture, Side, recorded_layouts};
pub(super) use self::probes::PageProbes;
pub(super) use self::view::{NAMES, PageView, VIEWS, show, show_as};
