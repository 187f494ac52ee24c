//! The memory ledger: which past outputs and parts of observations a request includes, and why the others are left
//! out.

mod build;
mod ledger;
mod rules;
#[cfg(test)]
mod tests;

pub use self::build::build_ledger;
pub use self::build::older_row;
pub use self::ledger::Ledger;
pub use self::ledger::LedgerPart;
pub use self::ledger::LedgerRow;
pub use self::rules::History;
pub use self::rules::Inclusion;
pub use self::rules::LedgerRules;
pub use self::rules::LedgerStep;
pub use self::rules::PromptImages;
