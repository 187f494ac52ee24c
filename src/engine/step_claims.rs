//! What the analysis of a finished step claims about the state that it was decided in.

use std::ops::Range;

use super::attempt::Attempt;
use super::step::Step;
use mageyard_domain::{Claim, Perception};

/// The reply that a finished step was decided with, and where its analysis is in it; `None` if the step is not decided, or if no
/// analysis was read.
pub fn decided_analysis(step: &Step) -> Option<(&Attempt, Range<usize>)> {
    let counts = |attempt: &&Attempt| {
        matches!(attempt.verdict, Some(Ok(_))) && !attempt.replaced && !attempt.cancelled
    };
    let attempt = step.attempts.iter().filter(|_| step.is_done()).rfind(counts)?;
    let analysis = attempt.marks.analysis.clone()?;
    attempt.reply.get(analysis.clone()).filter(|text| !text.trim().is_empty())?;
    Some((attempt, analysis))
}

/// What that analysis claims, compared with the state, with bytes of the reply. Of a step that is not decided nothing is said, because
/// that would help.
pub fn step_claims(perception: &Perception, step: &Step) -> Vec<Claim> {
    let Some((probes, (attempt, analysis))) = perception.probes.zip(decided_analysis(step)) else {
        return Vec::new();
    };
    let text = attempt.reply.get(analysis.clone()).unwrap_or_default();
    let in_reply = |claim: Claim| {
        let said = text.get(claim.at.clone())?;
        let start = analysis.start + claim.at.start + said.len() - said.trim_start().len();
        Some(Claim { at: start..start + said.trim().len(), ..claim })
    };
    probes.claims(&step.observation, text).into_iter().filter_map(in_reply).collect()
}
