//! Tests that are repeated while pairs are added: how much of the error each look may spend, what is significant at it, and
//! whether a candidate is not worse than a reference by more than a margin.
//!
//! The number of looks and the largest number of pairs are fixed beforehand. Looking at an ordinary test five times finds a
//! difference where there is none about three times as frequently as its level says; here all looks together keep it.

mod looks;
mod margin_test;
mod power;
mod spending;

pub use self::looks::{Look, sequential_looks};
pub use self::margin_test::{MarginBounds, MarginTest};
pub use self::power::{conditional_power, further_pairs, predictive_power, upper_tail};
pub use self::spending::ErrorSpending;
