//! The contract that every environment fulfils, and what prompts, readers and detectors make of each.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    unreachable_pub,
    reason = "these are tests"
)]

mod detectors;
mod environments;
mod headings;
mod page_requests;
mod readers;
