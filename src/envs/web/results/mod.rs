//! The results of the released code, `out.json` and `result.json` (`WebCanvas`): written from stored episodes, and read to be
//! scored again.

mod export;
mod out_file;
mod python_text;
mod read;
mod record;
mod summary_file;
#[cfg(test)]
mod tests;

pub(crate) use self::export::FORMATS;
pub use self::out_file::{EvaluatedNode, OutStep, OutTask, TraceDescription};
pub use self::read::{OutError, RecordedTask, read_out};
pub use self::record::{StepTrace, record};
pub use self::summary_file::{ScoredResults, result_file, score_results};
