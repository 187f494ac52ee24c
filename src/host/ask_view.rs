//! An ask as the screen shows it.

use std::sync::Arc;

use mageyard_cli::ask::text;
use mageyard_cli::comparison_text::{bar_ends, share as share_text};
use mageyard_cli::episode_output::tokens_text;
use mageyard_domain::{Prices, Reply};
use mageyard_screen::{AnswerBar, AskReply, AskVariant, AskView};
use mageyard_study::{
    AnswerShare, AskCall, AskOutcome, AskRecord, AskTable, ServerNote, StoredAsk, Variant, VariantRow,
};

/// What is shown of an ask at the step of this reference, and of its end if it was made just now.
pub(crate) fn view(run: &str, ask: &StoredAsk, prices: &Prices, outcome: Option<&AskOutcome>) -> AskView {
    let StoredAsk { folder, record, calls, .. } = ask;
    let table = AskTable::of(record, calls, prices);
    let notes = ServerNote::all(record, calls);
    let variants = table.shown(record).zip(text::facts(record, &table));
    AskView {
        id: record.id().to_string(),
        folder: folder.clone(),
        title: text::title(record),
        head: text::record_lines(run, record),
        variants: variants.map(|(row, facts)| variant(ask, row, facts)).collect(),
        tail: text::result_lines(ask, &table, &notes, outcome),
        replies: table.replies,
        calls: record.replies(),
        ..AskView::default()
    }
}

fn variant(
    ask: &StoredAsk,
    (index, variant, row): (usize, &Variant, &VariantRow),
    facts: Vec<String>,
) -> AskVariant {
    let mut calls: Vec<&AskCall> = ask.calls.iter().filter(|call| call.variant == index).collect();
    calls.sort_by_key(|call| call.sample);
    AskVariant {
        number: index + 1,
        name: text::name(variant),
        facts,
        answers: row.answers.iter().map(|answer| bar(&ask.record, answer)).collect(),
        calls: calls.into_iter().map(|call| Arc::new(reply(ask, call))).collect(),
    }
}

fn bar(record: &AskRecord, answer: &AnswerShare) -> AnswerBar {
    let AnswerShare { action, share } = answer;
    let is = |other: Option<&str>| action.is_some() && action.as_deref() == other;
    let target = record.target.as_ref().is_some_and(|target| target.is_met(action.as_deref()));
    let notes = [
        (target, "target"),
        (is(record.taken.as_deref()), "taken"),
        (is(record.oracle.as_deref().ok()), "oracle"),
    ];
    let notes: Vec<&str> = notes.into_iter().filter(|(is_so, _)| *is_so).map(|(_, name)| name).collect();
    AnswerBar {
        answer: action.clone().unwrap_or_else(|| "unreadable".to_owned()),
        share: bar_ends(*share),
        words: share_text(*share),
        notes: notes.join(", "),
    }
}

/// Why a call has failed, or why its reply cannot be read.
pub(crate) fn faults(call: &AskCall) -> impl Iterator<Item = String> {
    let failed = call.error.as_ref().map(|error| format!("failed: {error}"));
    let unreadable = call.rule.as_ref().map(|rule| format!("not readable: rule {rule}"));
    failed.into_iter().chain(unreadable)
}

/// A call as the screen shows it.
pub(crate) fn reply(ask: &StoredAsk, call: &AskCall) -> AskReply {
    let latency = call.reply.as_ref().and_then(|reply| reply.latency_ms);
    let facts = [
        call.odds.as_ref().map(ToString::to_string),
        (call.spent.requests > 0).then(|| tokens_text(call.spent)),
        latency.map(|ms| format!("{ms} ms")),
        call.seed.map(|seed| format!("seed {seed}")),
    ];
    AskReply {
        sample: call.sample,
        answer: call.answer().map(str::to_owned),
        text: call.reply.as_ref().map(Reply::content),
        reply: call.reply.clone(),
        facts: faults(call).chain(facts.into_iter().flatten()).collect(),
        rating: ask.ratings.get(&(call.variant, call.sample)).copied(),
        branch: None,
    }
}
