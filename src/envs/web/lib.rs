//! Tasks on the live web, scored by key nodes (`WebCanvas`, arXiv 2406.12373). `docs/web.md` has the rules.
//!
//! An agent works in a real browser; a task is a list of key nodes, met in any order. What the nodes compare is recorded with
//! every act, so a stored episode is scored again without a browser.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod drawing;
pub mod facts;
pub mod page;
