//! Continuations as JSON objects.

use serde_json::{Value, json};

use crate::comparison_object::{cost_fields, share};
use crate::episode_output::request_fields;
use mageyard_engine::Store;
use mageyard_lab::merged;
use mageyard_statistics::Interval;
use mageyard_study::{
    ContinuationPlan, ContinuationRow, ContinuationVariant, EndedContinuation, StoredContinuation,
};

/// What is played and what it needs at most.
pub(super) fn plan(run: &str, plan: &ContinuationPlan, stored: &[StoredContinuation]) -> Value {
    let variants: Vec<Value> =
        plan.variants.iter().enumerate().map(|(index, variant)| settings(index, variant)).collect();
    let over = stored.iter().filter(|one| one.summary.is_some()).count();
    json!({
        "run": run, "step": plan.request.step, "state": plan.state, "restored": plan.restored,
        "samples": plan.request.samples, "seed": plan.request.seed, "variants": variants, "struck": plan.struck,
        "branches": plan.count(), "over": over, "most_steps": plan.most_steps(stored),
        "tokens_in_per_request": plan.per_request.map(|usage| usage.input),
        "tokens_out_per_request": plan.per_request.map(|usage| usage.output),
    })
}

fn settings(index: usize, variant: &ContinuationVariant) -> Value {
    let ContinuationVariant { prompt, window, agent, model, server, changes, steps_left, .. } = variant;
    json!({
        "variant": index + 1, "prompt": prompt, "am": window.am(), "om": window.om(), "agent": agent, "model": model, "server": server,
        "changes": changes, "steps_left": steps_left,
    })
}

/// A branch whose playing has ended.
pub(super) fn ended(store: &Store, plan: &ContinuationPlan, one: &EndedContinuation) -> Value {
    let branch = &one.branch;
    let variant = plan.variants.get(branch.variant);
    json!({
        "run": store.reference(&branch.journal), "step": plan.request.step, "variant": branch.variant + 1,
        "sample": branch.sample, "prompt": variant.map(|variant| &variant.prompt), "error": one.failure,
    })
}

/// What the branches of a variant led to.
pub(super) fn variant(run: &str, plan: &ContinuationPlan, index: usize, row: &ContinuationRow) -> Value {
    let own = plan.variants.get(index).map_or(Value::Null, |variant| settings(index, variant));
    merged(merged(json!({ "run": run }), own), self::row(row))
}

/// The figures of a row.
pub(crate) fn row(row: &ContinuationRow) -> Value {
    let own = json!({
        "over": row.over, "unfinished": row.unfinished, "goal_reached": share(row.won), "score": mean(row.score),
        "steps": mean(row.steps), "endings": row.endings,
    });
    merged(merged(own, request_fields(row.spent)), cost_fields(&row.cost))
}

fn mean(value: Option<(f64, Option<Interval>)>) -> Value {
    let Some((mean, interval)) = value else { return Value::Null };
    let ends = interval.map(|ends| (ends.low, ends.high)).unzip();
    json!({ "mean": mean, "low": ends.0, "high": ends.1 })
}
