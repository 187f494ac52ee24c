//! What the analysis of a step says of its state.

use mageyard_domain::{Claim, EnvironmentSpec};
use mageyard_engine::Step;

/// What the analysis of the last reply of a step says of the state that it was decided in, compared with that state. Nothing where
/// the environment cannot read it, or where no analysis was found.
pub fn step_claims(spec: &dyn EnvironmentSpec, step: &Step) -> Vec<Claim> {
    let said = || {
        let probes = spec.capabilities().perception.probes?;
        let attempt = step.last_reply()?;
        let analysis = attempt.reply.get(attempt.marks.analysis.clone()?)?;
        Some(probes.claims(&step.observation, analysis))
    };
    said().unwrap_or_default()
}
