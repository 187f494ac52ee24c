//! The engine: an episode as a fold over events, the driver that meets its needs, the journal that
//! makes it last, and the session that takes orders from a screen or a verb.

mod album;
mod asking;
mod breaks;
mod cues;
mod damage;
mod distance;
mod draft;
mod driver;
mod edit;
mod episode;
mod event;
mod extract;
mod faults;
mod gauge;
mod head;
mod hearing;
mod journal;
mod repeats;
mod replay;
mod session;
mod snapshot;
mod step;
mod store;
mod stored;
#[cfg(test)]
mod tests;

pub use album::{PictureError, load, picture};
pub use asking::request;
pub use breaks::{Break, Breaks};
pub use cues::cues;
pub use damage::{Damage, JournalError, Torn};
pub use distance::{Distance, Distances, Off, Path};
pub(crate) use draft::Draft;
pub use driver::{Cast, DriveError, Driver, Log, Search};
pub use edit::{Edit, EditError, Spot};
pub use episode::{ATTEMPTS, Episode, Need, OutOfTurn};
pub use event::{Ending, Event};
pub use extract::{Extract, ExtractError, Extracted, Subject};
pub use faults::{Faults, Lost, Mark, Marked, faults, judge};
pub use gauge::{Allowance, Gauge};
pub use head::{FORMAT, FROM, Head};
pub use hearing::Heard;
pub use hearing::Pause;
pub use journal::{Checked, Journal, Recorded, check, read, read_head, repair};
pub use replay::{ReplayError, extend, restore};
pub use session::{Order, Session, Terms};
pub use snapshot::{Mode, Snapshot, Waiting};
pub use step::{Asking, Attempt, Effect, Fate, Step};
pub use store::{Store, StoreError};
pub use stored::{Line, Stored};
