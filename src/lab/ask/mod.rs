//! Asks again: puts one recorded state to prompt variants, memory windows and models, many times, and compares what they
//! answer. The requests are composed from the recording, so no environment is opened and nothing is played. What was
//! answered is stored beside the journal, which is only read; the screen and the verb show it.

mod agents;
mod call;
mod error;
mod estimate;
mod folder;
mod notes;
mod order;
mod plan;
mod record;
mod run;
mod state;
mod table;
mod target;
#[cfg(test)]
mod tests;
mod variants;

pub use self::estimate::AskEstimate;
pub use self::folder::{StoredAsk, stored_asks};
pub use self::notes::ServerNote;
pub use self::plan::{AskPlan, AskRequest};
pub use self::record::{AskCall, AskRecord, StruckVariant, Variant};
pub use self::run::{AskOutcome, AskStop};
pub use self::table::{AnswerShare, AskTable, Comparison, Share, VariantRow};
pub use self::target::Target;
