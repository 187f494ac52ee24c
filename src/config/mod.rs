//! The files that people edit: found, layered, read, and refused with the place of the mistake.
//! Only the screen and the verbs ask here.

mod document;
mod folders;
mod known;
mod layers;
mod origin;
mod prices;
mod problem;
mod settings;
mod sheet;
mod shelf;
mod watch;
mod whole;

pub use folders::Folders;
pub use known::{DEFAULTS, about};
pub use layers::{Given, Sources};
pub use origin::{Origin, Row};
pub use prices::{PRICES, example as example_prices, object as price_object, prices};
pub use problem::Place;
pub use problem::Problem;
pub use settings::{Faults, Frame, Log, LogLevel, Memory, Model, Play, Screen, Settings, Store};
pub use sheet::Sheet;
pub use shelf::{Entry, Shelf};
pub use watch::Watch;
pub use whole::Config;
