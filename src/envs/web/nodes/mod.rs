//! Key nodes, compared with what acts did (`WebCanvas`, section 2.3): pure functions on recorded facts, by the paper as we
//! complete it or by the released code. The score of a node only rises, a full one is not compared again, and order is free.

mod comparison;
mod element;
mod examine;
mod finding;
mod given;
mod judge;
mod page_address;
mod progress;
mod quoted;
mod replay;
mod settings;
#[cfg(test)]
mod tests;
mod text;

pub use self::comparison::{Comparison, Moment};
pub use self::examine::{Examination, examine, examine_all};
pub use self::given::{GivenAct, read_given};
pub(crate) use self::page_address::{compared_address, site};
pub use self::progress::{NodeProgress, Progress};
pub(crate) use self::quoted::quoted;
pub use self::replay::{Replayed, final_progress};
pub use self::settings::{JudgeAt, NodeSettings, Rules};
