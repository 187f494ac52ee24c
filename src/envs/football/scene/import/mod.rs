//! Import of the benchmark's scenarios: Python files for the real engine, read as data and never run. A statement that is
//! not one of a scenario is refused by name, with its line.

mod arguments;
mod checkout;
mod rules;
mod scenario;

#[cfg(test)]
mod tests;

pub(super) use checkout::{looks_like_scenario, read_file};
