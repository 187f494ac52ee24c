//! Asks again: puts one recorded state to prompt variants, memory windows and models, or leaves out one part of its request
//! after the other, many times, and compares the answers. The requests are composed from the recording, so no environment is
//! opened and nothing is played. What was answered is stored beside the journal, which is only read; the verb shows it.

mod action_verdict;
mod agents;
mod answer;
mod call;
mod distance;
mod error;
mod estimate;
mod folder;
mod notes;
mod order;
mod part_marks;
mod plan;
mod prepare;
mod ratings;
mod record;
mod request;
mod row;
mod run;
mod state;
mod table;
mod target;
#[cfg(test)]
mod tests;
mod variants;
mod verdict;
mod words;

pub use self::action_verdict::{ActionVerdict, ActionVerdicts};
pub(in crate::lab) use self::agents::asked_models;
pub(super) use self::answer::FoundAnswer;
pub use self::answer::{AnswerReference, rate_answer};
pub use self::estimate::AskEstimate;
pub use self::folder::{StoredAsk, stored_asks};
pub use self::notes::ServerNote;
pub use self::part_marks::{PartMark, part_marks};
pub use self::plan::AskPlan;
pub use self::plan::plan_ask;
pub(in crate::lab) use self::prepare::prepared_variants;
pub use self::record::{AskCall, AskRecord, StruckVariant, Variant};
pub use self::request::AskRequest;
pub use self::row::{AnswerShare, Share, VariantRow};
pub use self::run::calls_left;
pub use self::run::run_ask;
pub use self::run::run_asks;
pub use self::run::{Arrived, AskOutcome, AskStop};
pub(in crate::lab) use self::state::FrozenState;
pub(in crate::lab) use self::state::frozen_state;
pub(in crate::lab) use self::state::state_at;
pub(super) use self::table::comparisons;
pub use self::table::{AskTable, Comparison};
pub use self::target::Target;
pub(in crate::lab) use self::target::action_results;
pub(in crate::lab) use self::target::ask_target;
pub(super) use self::variants::{distinct, possible_windows};
pub(in crate::lab) use self::verdict::action_verdicts;
pub use self::verdict::judge_ask;
pub use self::words::WrittenAsk;
pub use self::words::read_ask;
pub(in crate::lab) use self::words::read_ask_words;
pub(in crate::lab) use self::words::{MOST_TO_END, within};
