//! Continuations: branches of one step that are played to their end, several of each variant, to see what can still become of
//! the episode. Each is an ordinary branch, so it can be viewed, compared and resumed; the recording is only read.

mod plan;
mod request;
mod row;
mod run;
mod stored;
mod study;
#[cfg(test)]
mod tests;
mod text;

pub use self::plan::{ContinuationPlan, ContinuationVariant, plan_continuations};
pub use self::request::ContinuationRequest;
pub use self::row::ContinuationRow;
pub use self::run::{ContinuationOutcome, EndedContinuation, run_continuations};
pub use self::stored::StoredContinuation;
pub use self::study::ContinuationStudy;
pub(crate) use self::text::{columns, needs, study_row};
