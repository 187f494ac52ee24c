//! Asks again: puts one recorded state to prompt variants, memory windows and models, or leaves out one part of its request
//! after the other, many times, and compares the answers. The requests are composed from the recording, so no environment is
//! opened and nothing is played. What was answered is stored beside the journal, which is only read; the verb shows it.

mod action_verdict;
mod agents;
mod answer;
mod answer_judge;
mod args;
mod call;
mod changed_request;
mod changes;
mod control;
mod distance;
mod draft_state;
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
mod replies;
mod request;
mod reuse;
mod row;
mod run;
mod spending;
mod state;
mod study;
mod table;
mod target;
#[cfg(test)]
mod tests;
mod text;
mod variants;
mod verdict;

pub use self::action_verdict::{ActionVerdict, ActionVerdicts};
use self::agents::asked_models;
pub use self::answer::{find_answer, rate_answer};
pub use self::answer_judge::AnswerJudge;
pub use self::args::AskArgs;
pub(crate) use self::args::MOST_TO_END;
pub(crate) use self::changed_request::ALL_QUESTIONS;
pub use self::changes::{Aid, Changes};
pub use self::control::ServerControl;
pub(crate) use self::draft_state::DraftState;
pub use self::draft_state::{DraftImage, DraftRequest};
pub(crate) use self::error::AskFileError;
pub(crate) use self::folder::asks_of;
pub use self::folder::{StoredAsk, stored_asks};
pub use self::notes::ServerNote;
pub use self::part_marks::{PartMark, part_marks};
pub use self::plan::{AskPlan, plan_ask};
use self::prepare::prepared_variants;
pub use self::record::{AskCall, AskRecord, StruckVariant, Variant};
pub(crate) use self::replies::Replies;
pub use self::request::AskRequest;
pub use self::row::{AnswerShare, VariantRow};
pub use self::run::{Arrived, AskOutcome, AskStop, run_ask, run_asks};
pub use self::spending::ask_spending;
pub(crate) use self::state::{FrozenState, frozen_state, state_at};
pub use self::study::AskStudy;
pub use self::table::AskTable;
pub(super) use self::table::comparisons;
pub use self::target::AskTarget;
use self::target::action_results;
pub(crate) use self::target::ask_target;
pub use self::text::ask_table;
pub(crate) use self::text::{
    combination, combination_columns, faults, name, needs_lines, replies_cell, sample, samples_of,
};
pub(super) use self::variants::{distinct, possible_windows};
pub(crate) use self::verdict::action_verdicts;
pub use self::verdict::judge_ask;
