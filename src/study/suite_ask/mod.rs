//! Asks about all states of a suite: the same variants on the same states, judged by the environment and its solver, or by the
//! answers that a person accepts. What is asked of each state is an ask like any other, stored beside its recording.

mod asked;
mod compare;
mod confirm;
mod margin;
mod measure;
mod plan;
mod state;
mod states;
mod stored;
mod study;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod threshold;

pub use self::asked::AskedSuite;
pub use self::compare::SuiteComparison;
pub use self::confirm::confirming_sweep;
pub use self::margin::{Margin, MarginResult};
pub use self::measure::{MEASURES, Measure};
pub(crate) use self::plan::distinct_remarks;
pub use self::plan::{SuitePlan, no_effect_on_suite, plan_suite};
pub use self::state::{Accepted, AcceptedBy, JudgedState};
pub use self::states::{DifferingState, StateAnswers};
pub use self::stored::{StoredSuiteAsk, stored_suite_asks};
pub use self::study::SuiteStudy;
pub use self::table::{MeasuredShare, SuiteRow, SuiteTable};
pub use self::text::{margin_line, state_lines, suite_table, threshold_line};
pub use self::threshold::{Threshold, ThresholdResult};
