//! The nouns of the field and the traits that environments and agents fulfil.
//!
//! This is the bottom layer. It waits for nothing, looks at no clock, reads no file and knows
//! neither the engine nor the screen; everything above speaks in its words.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod action;
mod agent;
mod budget;
mod conduct;
mod cue;
mod digest;
mod environment;
mod form;
mod format;
mod kind;
mod level;
mod message;
mod money;
mod nearest;
mod observation;
mod picture;
mod policy;
mod price;
mod score;
mod sent;
mod setting;
mod shell;
mod spent;
mod visible;
mod wanted;
mod window;

pub use action::{Action, ActionSpace, Verb};
pub use agent::{Agent, AgentError, Answer, Ask, Cutoff, Line, News, Reply, Usage};
pub use budget::Budget;
pub use conduct::{Conduct, OnRepeating, OnUnreadable, Thresholds};
pub use cue::{Cue, Difference};
pub use digest::Digest;
pub use environment::{Environment, EnvironmentError, Opening, Outcome, Resume, Status, World, local};
pub use form::{Form, Marking};
pub use format::{At, Format, FormatError, Write};
pub use kind::{Bounds, Kind, LevelSet, Limit, Measure, OptionError, Options, Solution, Unsolved};
pub use level::{Level, LevelError};
pub use message::{Message, Piece, Role, Segment, SentTurn};
pub use money::{Amount, Rate};
pub use nearest::nearest;
pub use observation::{Observation, Part, Scene, Slate};
pub use picture::Picture;
pub use policy::{Policy, PolicyError};
pub use price::{Cost, Price, Prices};
pub use score::{Published, Reference, Returns};
pub use sent::{APART, Blob, ESTIMATE, Packing, Sent, Told, ToldPart, estimated};
pub use setting::Setting;
pub use shell::quoted;
pub use spent::Spent;
pub use visible::{escaped, is_hidden, visible};
pub use wanted::Wanted;
pub use window::{Window, WindowError};
