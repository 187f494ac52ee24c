//! An ask as JSON objects.

use serde_json::{Value, json};

use crate::comparison_object::{cost_fields, share};
use crate::episode_output::{odds_object, request_fields};
use mageyard_domain::{Rating, Reply};
use mageyard_lab::merged;
use mageyard_study::{
    AskCall, AskEstimate, AskOutcome, AskPlan, AskRecord, AskStop, AskTable, Comparison, ServerNote,
    StoredAsk, Variant, VariantRow,
};
use mageyard_sweep::CostBounds;

/// What is asked, with what the missing calls need.
pub(super) fn planned(run: &str, plan: &AskPlan, estimate: &AskEstimate) -> Value {
    let AskEstimate { calls, input, output, costs, unpriced } = estimate;
    let costs: Vec<Value> = costs.iter().filter_map(cost_range).collect();
    let needs = json!({
        "calls_left": calls, "input_tokens": input, "output_tokens": output, "costs": costs, "unpriced": unpriced,
        "remarks": plan.remarks,
    });
    merged(record(run, &plan.record), needs)
}

/// What was asked.
pub(super) fn stored(run: &str, ask: &StoredAsk) -> Value {
    record(run, &ask.record)
}

fn record(run: &str, record: &AskRecord) -> Value {
    let actions = record.target.as_ref().and_then(|target| target.actions.as_ref());
    json!({
        "run": run, "ask": record.id(), "step": record.step, "state": record.state, "setting": record.setting,
        "reader": record.reader, "samples": record.samples, "seed": record.seed, "calls": record.calls(),
        "target": record.target.as_ref().map(|target| &target.written), "target_actions": actions,
        "from_text": record.from_text,
        "exploratory": record.target.is_none(), "taken": record.taken, "oracle": record.oracle.as_ref().ok(),
        "oracle_missing": record.oracle.as_ref().err(), "struck": record.struck,
    })
}

pub(super) fn cost_range(cost: &CostBounds) -> Option<Value> {
    match cost {
        CostBounds::Known { lowest, highest, currency } => {
            Some(json!({"lowest": lowest.to_string(), "highest": highest.to_string(), "currency": currency}))
        }
        CostBounds::NoRequests | CostBounds::Unknown(_) => None,
    }
}

/// A call and what came back.
pub(super) fn call(run: &str, record: &AskRecord, call: &AskCall, rating: Option<Rating>) -> Value {
    let reply = call.reply.as_ref();
    let usage = call.spent.usage;
    json!({
        "run": run, "ask": record.id(), "variant": call.variant + 1, "sample": call.sample, "call_seed": call.seed,
        "request": call.request, "reply": reply.map(Reply::content), "answer": call.answer(),
        "actions": call.actions, "odds": call.odds.as_ref().map(odds_object), "rating": rating, "rule": call.rule, "error": call.error,
        "latency_ms": reply.and_then(|reply| reply.latency_ms),
        "answered_by": reply.and_then(|reply| reply.model.as_ref()),
        "response": call.origin.id, "fingerprint": call.origin.fingerprint,
        "requests": call.spent.requests, "unmetered": call.spent.unmetered, "tokens_in": usage.input,
        "tokens_out": usage.output, "tokens_cached": usage.cached,
    })
}

/// The rows of the table.
pub(super) fn variants(run: &str, record: &AskRecord, table: &AskTable) -> Vec<Value> {
    let object = |(index, variant, row): (usize, &Variant, &VariantRow)| {
        let answers: Vec<Value> = row
            .answers
            .iter()
            .map(|answer| merged(json!({"action": answer.action}), share(answer.share)))
            .collect();
        let own = json!({
            "run": run, "ask": record.id(), "variant": index + 1, "prompt": variant.prompt, "am": variant.am,
            "om": variant.om, "model": variant.model.name, "server": variant.model.server, "left_out": variant.left_out, "request": variant.request,
            "seeded": variant.seeded, "same_as": variant.same_as.map(|other| other + 1), "replies": row.replies, "failed": row.failed,
            "answers": answers, "target": row.target.map(share), "taken": row.taken.map(share),
            "oracle": row.oracle.map(share), "parse_errors": share(row.errors), "distance": row.distance,
            "different": variant.left_out.and_then(|_| table.against_complete(index)).map(Comparison::is_different),
        });
        merged(merged(own, request_fields(row.spent)), cost_fields(&row.cost))
    };
    table.shown(record).map(object).collect()
}

/// The end of the ask.
pub(super) fn result(
    run: &str,
    ask: &StoredAsk,
    table: &AskTable,
    notes: &[ServerNote],
    outcome: Option<&AskOutcome>,
) -> Value {
    let notes: Vec<Value> =
        notes.iter().map(|note| json!({"kind": note.name(), "text": note.to_string()})).collect();
    let (stopped, lost) = match outcome.and_then(|outcome| outcome.stopped.as_ref()) {
        None => (None, 0),
        Some(AskStop::Cancelled(lost)) => (Some("cancelled"), *lost),
        Some(AskStop::Failing(_)) => (Some("failing"), 0),
    };
    json!({
        "run": run, "ask": ask.record.id(), "folder": ask.folder, "calls": ask.record.calls(),
        "replies": table.replies, "complete": table.replies == ask.record.calls(), "stopped": stopped,
        "calls_dropped": lost, "state_before": ask.record.state,
        "state_after": outcome.map(|outcome| outcome.state_after),
        "recording_unchanged": outcome.map(|outcome| outcome.is_journal_unchanged), "notes": notes,
    })
}
