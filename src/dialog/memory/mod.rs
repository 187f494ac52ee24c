//! The memory ledger: which past outputs and parts of observations a request includes, and why the others are left
//! out.

mod build;
mod keep;
mod ledger;
mod rules;
#[cfg(test)]
mod tests;

pub use self::build::{build_ledger, older_row};
pub use self::keep::{Keep, KeepError, KeepRule};
pub use self::ledger::{Ledger, LedgerPart, LedgerRow};
pub use self::rules::{FeedbackMemory, History, Inclusion, LedgerRules, LedgerStep, PromptImages};
