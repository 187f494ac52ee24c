//! How a page is read: what is visible with a number each, and what an act needs of a numbered element.
//!
//! Everything is read by own scripts in a world apart from those of the page, which may be hostile: its texts are data, they
//! reach lines without control characters, and nothing of them is ever run. Which browser it is does not
//! matter here: see [`PageAccess`]. Start with [`read_page`].

mod access;
mod acts;
mod failure;
mod line;
mod locate;
mod ratio;
mod reading;
mod script;
mod sequence;
mod signs;
mod touches;

pub use self::access::{Frame, PageAccess};
pub use self::acts::{
    ActPoint, Choices, Chosen, Cover, Filled, Scrolled, choices, choose, fill, pick_option, point, scroll,
};
pub use self::failure::{PageFailure, Refusal, Staleness};
pub use self::locate::{Found, ReferencePath, find_selector, locate};
pub use self::ratio::similarity;
pub use self::reading::{ElementKind, PageReading, ReadElement, ReadFrame, ReadSettings, TreeForm};
pub use self::sequence::read_page;
pub use self::signs::{PageSigns, PageState, StateEvidence, page_state};
pub use self::touches::{TOUCHES, Touch, TouchVerb, read_touch, touch_argument};
