//! The formats of the field, a row each. All of them come in as the text of levels that the game's
//! own reader then reads, so no format has rules of its own about what a level is.

mod array;
mod bounded;
mod boxoban;
mod gym;
mod lurd;
mod magebench;
mod pickle;
mod rooms;
mod saved;
#[cfg(test)]
mod tests;
mod xsb;

pub use magebench::Checkout;
pub use magebench::Listed;

use crate::domain::Format;

/// Of several that a file looks like, the first counts; XSB takes whatever is left.
pub(super) const FORMATS: &[Format] = &[
    Format {
        name: "magebench",
        about: "MageBench's level files: pickled gym-sokoban environments, read without Python",
        fits: pickle::is_pickle,
        read: saved::read,
        write: None,
    },
    Format {
        name: "gym",
        about: "gym-sokoban's arrays as JSON: room_fixed and room_state, one object a line",
        fits: gym::fits,
        read: gym::read,
        write: Some(gym::write),
    },
    Format {
        name: "boxoban",
        about: "Boxoban files: boards of 10x10 squares under lines such as `; 7`",
        fits: boxoban::fits,
        read: boxoban::read,
        write: Some(boxoban::write),
    },
    Format {
        name: "lurd",
        about: "boards with a solution in LURD below each, replayed move by move",
        fits: lurd::fits,
        read: lurd::read,
        write: Some(lurd::write),
    },
    Format {
        name: "xsb",
        about: "XSB collections, with titles and run lengths",
        fits: xsb::fits,
        read: xsb::read,
        write: Some(xsb::write),
    },
];
