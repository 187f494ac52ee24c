//! Blame as text for people.

use crate::continuations::needs;
use crate::{ContinuationPlan, PlayedVerdict, SolverVerdict};
use mageyard_domain::count_noun;
use mageyard_lab::step_reference;
use mageyard_statistics::probability;

/// The most steps off the shortest path that are printed; JSON has all.
const MOST_DETOURS: usize = 10;

/// What is played and what it needs at most: of this many steps, the most that are tried.
pub(super) fn plan_lines(run: &str, plan: &ContinuationPlan, (steps, most): (usize, u32)) -> Vec<String> {
    let samples = count_noun(plan.request.samples as usize, "episode", "episodes");
    let steps = count_noun(steps, "step", "steps");
    vec![
        format!(
            "{run}: {steps}, from at most {most} of them {samples} each, in branches; restore: {}",
            plan.restored
        ),
        needs(most_steps_of_probes(plan, most), plan),
    ]
}

/// The most steps that can be taken from so many starts.
pub fn most_steps_of_probes(plan: &ContinuationPlan, most: u32) -> u64 {
    let steps_left = plan.variants.first().map_or(0, |variant| variant.steps_left);
    u64::from(most) * u64::from(plan.request.samples) * u64::from(steps_left)
}

/// What the solver says.
pub fn solver_lines(run: &str, verdict: &SolverVerdict) -> Vec<String> {
    match verdict {
        SolverVerdict::NoSolver => vec![format!("{run}: no solver can read the states")],
        SolverVerdict::Won => vec![format!("{run}: the goal was reached, so no step is to blame")],
        SolverVerdict::NeverPossible => {
            vec![format!("{run}: the goal was out of reach from the start, proven")]
        }
        SolverVerdict::Lost { step, action, before } => vec![
            format!("{run}: step {step} ({action}) put the goal out of reach, proven by the solver"),
            format!(
                "  before it {} were left; after it no solution exists",
                count_noun(*before as usize, "move", "moves")
            ),
        ],
        SolverVerdict::StillPossible { left, detours } => {
            let left = count_noun(*left as usize, "move", "moves");
            let mut lines = vec![format!(
                "{run}: the goal was within reach to the end ({left} left), so no step is to blame"
            )];
            lines.extend(detours.iter().take(MOST_DETOURS).map(|detour| format!("  {detour}")));
            let rest = detours.len().saturating_sub(MOST_DETOURS);
            lines.extend((rest > 0).then(|| format!("  {rest} more; --json has all")));
            lines
        }
        SolverVerdict::Unknown { after, until, why } => {
            let from = if *after > 0 { format!("step {after} or later") } else { "any step".to_owned() };
            let to = until.map_or(String::new(), |until| format!(", at the latest step {until}"));
            vec![format!("{run}: not known: {from}{to}; {why}")]
        }
    }
}

/// What to do next on the command line.
pub fn solver_hint(run: &str, verdict: &SolverVerdict) -> Option<String> {
    match verdict {
        SolverVerdict::Lost { step, .. } => Some(look_at(run, *step)),
        SolverVerdict::Unknown { .. } => {
            Some("  more time: --set screen.distance_time=0; or play on from the steps: --play".to_owned())
        }
        _ => None,
    }
}

/// What playing on has shown.
pub(super) fn played_lines(run: &str, verdict: &PlayedVerdict) -> Vec<String> {
    match verdict {
        PlayedVerdict::Won => vec![format!("{run}: the goal was reached, so no step is to blame")],
        PlayedVerdict::NeverWon => {
            vec![format!(
                "{run}: the goal was not reached from the first step either, so no step can be named"
            )]
        }
        PlayedVerdict::Step { step, p } => {
            let sure = p.map_or_else(
                || "; it is the last one, after which only the recording is known".to_owned(),
                |p| format!(" (Fisher's exact test between the two: p {})", probability(p)),
            );
            vec![
                format!(
                    "{run}: step {step} is to blame: from its start the goal is reached, from the next one in less than half as many episodes as from the first{sure}"
                ),
                "  the chances are taken to fall from step to step; the test is not corrected for the search"
                    .to_owned(),
            ]
        }
        PlayedVerdict::Unfinished { .. } => {
            vec![format!("{run}: not known yet: not every branch came to its end")]
        }
    }
}

/// What to do next on the command line.
pub fn played_hint(run: &str, verdict: &PlayedVerdict) -> Option<String> {
    match verdict {
        PlayedVerdict::Step { step, .. } => Some(look_at(run, *step)),
        _ => None,
    }
}

fn look_at(run: &str, step: u32) -> String {
    format!("  look at it: mageyard view {}", step_reference(run, step))
}
