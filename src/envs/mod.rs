//! The environments, one folder each. This is the list: a new one is a folder and a row.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod hanoi;
mod named;
mod sokoban;
mod whole;

pub use sokoban::Fall;
pub use sokoban::Figures;
pub use sokoban::GROUPS;
pub use sokoban::Generator;
pub use sokoban::Group;
pub use sokoban::Likeness;
pub use sokoban::Made;
pub use sokoban::Preset;
pub use sokoban::Replayed;
pub use sokoban::Shape;
pub use sokoban::ShapeError;
pub use sokoban::Shortest;
pub use sokoban::Sieve;
pub use sokoban::{Arena, Checkout, End, Listed, Room, Rooms, RoomsError, Sokoban, Way};

use crate::domain::Kind;

/// Every kind of environment, the one to start with first.
pub fn kinds() -> &'static [&'static dyn Kind] {
    &[&Sokoban, &hanoi::Hanoi]
}

/// The kind of exactly this name.
pub fn kind(name: &str) -> Option<&'static dyn Kind> {
    kinds().iter().copied().find(|kind| kind.name() == name)
}
