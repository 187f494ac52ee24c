//! Level 1: the simulator repeats the measurements of the engine.

mod flight;
mod mapping;
mod passes;
mod shots;
mod speeds;
mod stage;
mod tackles;
mod turns;

use super::{Accepts, Check, Level};
use crate::recording::{Measures, Trace};

/// The checks of physics: of the first states of recordings, and of each kind of measurement that is there.
pub fn physics(traces: &[(String, Trace)], measures: &Measures) -> Vec<Check> {
    let mut checks: Vec<Check> = mapping::checks(traces).into_iter().collect();
    checks.extend(flight::checks(&measures.flights));
    checks.extend(speeds::checks(&measures.speeds));
    checks.extend(turns::checks(&measures.turns));
    checks.extend(passes::checks(&measures.passes));
    checks.extend(shots::checks(&measures.shots));
    checks.extend(tackles::checks(&measures.tackles));
    checks
}

/// A check of physics.
fn check(name: impl Into<String>, value: Option<f64>, accepts: Accepts) -> Check {
    Check::new(Level::Physics, name, value, accepts)
}
