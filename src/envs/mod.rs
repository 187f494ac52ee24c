//! The environments, one folder each. To add one, write a folder and add a row to [`environments`].

mod hanoi;
mod option_types;
mod sokoban;

pub use sokoban::Candidate;
pub use sokoban::GROUPS;
pub use sokoban::Generator;
pub use sokoban::Group;
pub use sokoban::LevelFilter;
pub use sokoban::LevelStats;
pub use sokoban::Preset;
pub use sokoban::Rejection;
pub use sokoban::Shape;
pub use sokoban::ShapeError;
pub use sokoban::Shortest;
pub use sokoban::SymmetryKey;
pub use sokoban::{
    Direction, EpisodeEnd, FastRoom, LevelFile, PublishedBests, Room, RoomBatch, RoomBatchError, Sokoban,
};

use crate::domain::EnvironmentSpec;

/// Every environment; the first is the default.
pub fn environments() -> &'static [&'static dyn EnvironmentSpec] {
    &[&Sokoban, &hanoi::Hanoi]
}

/// The environment with exactly this name.
pub fn environment(name: &str) -> Option<&'static dyn EnvironmentSpec> {
    environments().iter().copied().find(|kind| kind.name() == name)
}
