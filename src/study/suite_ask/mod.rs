//! Asks about all states of a suite: the same variants on the same states, judged by the environment and its solver, or by the
//! answers that a person accepts. What is asked of each state is an ask like any other, stored beside its recording.

mod compare;
mod confirm;
mod measure;
mod plan;
mod state;
mod states;
mod stored;
mod table;
#[cfg(test)]
mod tests;
mod threshold;

pub use self::compare::SuiteComparison;
pub use self::confirm::confirming_sweep;
pub use self::measure::MEASURES;
pub use self::measure::Measure;
pub use self::plan::SuitePlan;
pub use self::plan::estimate_suite;
pub use self::plan::no_effect_on_suite;
pub use self::plan::plan_suite;
pub use self::state::AcceptedBy;
pub use self::state::JudgedState;
pub use self::states::DifferingState;
pub use self::states::StateAnswers;
pub use self::stored::StoredSuiteAsk;
pub use self::stored::stored_suite_asks;
pub use self::table::MeasuredShare;
pub use self::table::SuiteRow;
pub use self::table::SuiteTable;
pub use self::threshold::Threshold;
pub use self::threshold::ThresholdResult;
