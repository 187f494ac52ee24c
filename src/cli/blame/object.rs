//! Blame as JSON objects.

use serde_json::{Value, json};

use super::text;
use mageyard_engine::Detour;
use mageyard_lab::merged;
use mageyard_study::{ContinuationPlan, PlayedVerdict, SolverVerdict};

/// What is played and what it needs at most.
pub(super) fn plan(run: &str, plan: &ContinuationPlan, (steps, most): (usize, u32)) -> Value {
    json!({
        "run": run, "steps": steps, "most_probes": most, "samples": plan.request.samples,
        "most_steps": text::most_steps(plan, most),
        "tokens_in_per_request": plan.per_request.map(|usage| usage.input),
        "tokens_out_per_request": plan.per_request.map(|usage| usage.output),
    })
}

/// The object of a verdict: all fields, of which these have a value.
fn verdict_object(run: &str, by: &str, verdict: &str, known: Value) -> Value {
    let all = json!({
        "run": run, "by": by, "verdict": verdict, "step": null, "action": null, "moves_before": null, "moves_left": null,
        "detours": null, "earliest": null, "latest": null, "p": null, "why": null,
    });
    merged(all, known)
}

/// What the solver says.
pub(super) fn solver_object(run: &str, verdict: &SolverVerdict) -> Value {
    let (name, known) = match verdict {
        SolverVerdict::NoSolver => ("no_solver", json!({})),
        SolverVerdict::Won => ("won", json!({})),
        SolverVerdict::NeverPossible => ("never_possible", json!({})),
        SolverVerdict::Lost { step, action, before } => {
            ("step", json!({"step": step, "action": action, "moves_before": before}))
        }
        SolverVerdict::StillPossible { left, detours } => {
            let detours: &[Detour] = detours;
            ("still_possible", json!({"moves_left": left, "detours": detours}))
        }
        SolverVerdict::Unknown { after, until, why } => {
            ("unknown", json!({"earliest": after, "latest": until, "why": why}))
        }
    };
    verdict_object(run, "solver", name, known)
}

/// What playing on has shown.
pub(super) fn played_object(run: &str, verdict: &PlayedVerdict) -> Value {
    let (name, known) = match verdict {
        PlayedVerdict::Won => ("won", json!({})),
        PlayedVerdict::NeverWon => ("never_won", json!({})),
        PlayedVerdict::Step { step, p } => ("step", json!({"step": step, "p": p})),
        PlayedVerdict::Unfinished { why } => ("unfinished", json!({"why": why})),
    };
    verdict_object(run, "playing", name, known)
}
