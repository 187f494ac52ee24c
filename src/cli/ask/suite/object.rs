//! An ask about a suite as JSON objects.

use std::path::Path;

use serde_json::{Value, json};

use super::AskedSuite;
use crate::ask::object::cost_range;
use crate::episode_output::request_fields;
use mageyard_domain::Cost;
use mageyard_lab::merged;
use mageyard_study::{
    AskEstimate, AskRecord, AskStop, DifferingState, JudgedState, MeasuredShare, Suite, SuiteComparison,
    SuitePlan, SuiteRow, SuiteTable, Threshold, ThresholdResult, Variant,
};

/// What is asked, with what the missing calls need.
pub(super) fn planned(suite: &Suite, plan: &SuitePlan, estimate: &AskEstimate) -> Value {
    let AskEstimate { calls, input, output, costs, unpriced } = estimate;
    let costs: Vec<Value> = costs.iter().filter_map(cost_range).collect();
    let record = plan.plans.first().map(|plan| &plan.record);
    let needs = json!({
        "calls_left": calls, "input_tokens": input, "output_tokens": output, "costs": costs, "unpriced": unpriced,
        "remarks": plan.remarks(), "played": plan.played,
    });
    merged(asked(suite, plan.states.len(), plan.calls(), record), needs)
}

/// What was asked.
pub(super) fn stored(of: &AskedSuite<'_>) -> Value {
    asked(of.suite, of.states.len(), of.calls(), of.asks.first().map(|ask| &ask.record))
}

fn asked(suite: &Suite, states: usize, calls: usize, record: Option<&AskRecord>) -> Value {
    json!({
        "suite": suite.name, "states": states, "states_in_suite": suite.states.len(), "calls": calls,
        "samples": record.map(|record| record.samples), "seed": record.map(|record| record.seed),
        "variants": record.map(|record| record.variants.len()),
        "struck": record.map(|record| &record.struck),
    })
}

/// The objects of the report with their types.
pub(super) fn report(of: &AskedSuite<'_>, table: &SuiteTable) -> Vec<(&'static str, Value)> {
    let name = &of.suite.name;
    let variants = (1..).zip(of.variants().iter().zip(&table.rows));
    let mut objects: Vec<(&str, Value)> =
        variants.map(|(number, (one, row))| ("suite_variant", variant(name, number, one, row))).collect();
    objects.extend(table.comparisons.iter().map(|one| ("suite_comparison", comparison(name, one))));
    let states = table
        .states
        .iter()
        .filter_map(|one| Some(("suite_answers", answers(name, of.states.get(one.state)?, one))));
    objects.extend(states);
    objects.push(("suite_result", result(of, table)));
    objects
}

fn variant(suite: &str, number: usize, variant: &Variant, row: &SuiteRow) -> Value {
    let (cost, currency) = match &row.cost {
        Cost::Known { amount, currency, .. } => (Some(amount), Some(currency)),
        Cost::Unknown | Cost::NoRequests => (None, None),
    };
    let category = |(name, found): &(String, MeasuredShare)| merged(json!({"category": name}), share(*found));
    let own = json!({
        "suite": suite, "variant": number, "prompt": variant.prompt, "am": variant.am, "om": variant.om,
        "model": variant.model.name, "server": variant.model.server, "replies": row.replies, "failed": row.failed,
        "shares": row.shares.iter().map(|one| share(*one)).collect::<Vec<_>>(),
        "categories": row.categories.iter().map(category).collect::<Vec<_>>(),
    });
    merged(merged(own, request_fields(row.spent)), json!({"cost": cost, "currency": currency}))
}

fn share(found: MeasuredShare) -> Value {
    let ends = found.interval.map(|interval| (interval.low, interval.high)).unzip();
    json!({
        "measure": found.measure.name(), "count": found.count, "of": found.of, "states": found.states,
        "share": found.value(), "low": ends.0, "high": ends.1,
    })
}

fn comparison(suite: &str, one: &SuiteComparison) -> Value {
    let ends = one.interval.map(|interval| (interval.low, interval.high)).unzip();
    json!({
        "suite": suite, "first": one.variants.0 + 1, "second": one.variants.1 + 1, "difference": one.difference,
        "low": ends.0, "high": ends.1, "states": one.states, "p": one.p, "p_corrected": one.corrected,
        "different": one.is_different(), "episode_pairs": one.episode_pairs,
    })
}

fn answers(suite: &str, state: &JudgedState, one: &DifferingState) -> Value {
    let variants: Vec<Value> = (1..)
        .zip(&one.variants)
        .map(|(number, found)| {
            let answers =
                found.answers.iter().map(|(action, count)| json!({"action": action, "count": count}));
            json!({
                "variant": number, "replies": found.replies, "accepted": found.accepted,
                "answers": answers.collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "suite": suite, "state": state.number, "run": state.address, "category": state.category, "why": state.why,
        "accepted": state.accepted.as_ref().map(|(actions, _)| actions),
        "accepted_by": state.accepted.as_ref().map(|(_, by)| by.name()), "verdicts": state.verdicts,
        "range": one.range, "distance": one.distance, "variants": variants,
    })
}

fn result(of: &AskedSuite<'_>, table: &SuiteTable) -> Value {
    let replies: usize = table.rows.iter().map(|row| row.replies).sum();
    let outcomes = of.outcomes.unwrap_or_default();
    let stopped = outcomes.iter().find_map(|outcome| outcome.stopped.as_ref()).map(|stop| match stop {
        AskStop::Cancelled(_) => "cancelled",
        AskStop::Failing(_) => "failing",
    });
    let same = outcomes.iter().all(|outcome| outcome.is_journal_unchanged);
    let states = outcomes.iter().all(|outcome| outcome.state_after == outcome.ask.record.state);
    json!({
        "suite": of.suite.name, "calls": of.calls(), "replies": replies, "complete": replies == of.calls(),
        "stopped": stopped, "recordings_unchanged": of.outcomes.map(|_| same),
        "states_unchanged": of.outcomes.map(|_| states),
    })
}

/// A variant held against a threshold.
pub(super) fn threshold(suite: &Suite, threshold: &Threshold, result: &ThresholdResult) -> Value {
    let found = result.share;
    let ends = found.and_then(|share| share.interval).map(|ends| (ends.low, ends.high)).unzip();
    json!({
        "suite": suite.name, "threshold": threshold.to_string(), "variant": result.variant + 1,
        "share": found.and_then(MeasuredShare::value), "low": ends.0, "high": ends.1, "met": result.is_met,
    })
}

/// The sweep that confirms the result.
pub(super) fn confirmation(suite: &Suite, sweep: &str, path: Option<&Path>) -> Value {
    json!({"suite": suite.name, "sweep": sweep, "path": path})
}
