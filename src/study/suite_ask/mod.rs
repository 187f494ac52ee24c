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
pub use self::measure::{MEASURES, Measure};
pub use self::plan::{SuitePlan, estimate_suite, no_effect_on_suite, plan_suite};
pub use self::state::{AcceptedBy, JudgedState};
pub use self::states::{DifferingState, StateAnswers};
pub use self::stored::{StoredSuiteAsk, stored_suite_asks};
pub use self::table::{MeasuredShare, SuiteRow, SuiteTable};
pub use self::threshold::{Threshold, ThresholdResult};
