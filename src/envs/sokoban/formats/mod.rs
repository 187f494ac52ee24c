//! The file formats. Each produces level text for the game's own parser, so no format has rules of its own
//! about what a level is.

mod bounded_json;
mod boxoban;
#[cfg(test)]
mod collection_kinds_tests;
mod gym;
mod gym_arrays;
#[cfg(test)]
mod gym_steps_tests;
mod lurd;
mod magebench;
mod numpy;
mod pickle;
mod saved_environment;
mod slc;
#[cfg(test)]
mod tests;
mod xsb;

use mageyard_domain::LevelFormat;

/// If a file fits several formats, the first one counts; XSB accepts the rest.
pub(super) const FORMATS: &[LevelFormat] = &[
    LevelFormat {
        name: "magebench",
        summary: "MageBench's level files: pickled gym-sokoban environments, read without Python",
        matches: pickle::is_pickle,
        read: saved_environment::read,
        comment: None,
        write: None,
    },
    LevelFormat {
        name: "gym",
        summary: "gym-sokoban's arrays as JSON: room_fixed and room_state, one object per line",
        matches: gym::fits,
        read: gym::read,
        comment: None,
        write: Some(gym::write),
    },
    LevelFormat {
        name: "boxoban",
        summary: "Boxoban files: boards of 10x10 squares under lines such as `; 7`",
        matches: boxoban::fits,
        read: boxoban::read,
        comment: None,
        write: Some(boxoban::write),
    },
    LevelFormat {
        name: "slc",
        summary: "SLC collections (XML)",
        matches: slc::fits,
        read: slc::read,
        comment: None,
        write: None,
    },
    LevelFormat {
        name: "lurd",
        summary: "boards with a solution in LURD below each, replayed move by move",
        matches: lurd::fits,
        read: lurd::read,
        comment: Some("; "),
        write: Some(lurd::write),
    },
    LevelFormat {
        name: "xsb",
        summary: "XSB collections, with titles and run lengths",
        matches: xsb::fits,
        read: xsb::read,
        comment: Some("; "),
        write: Some(xsb::write),
    },
];
