//! An ask as text for people, and its table.

use std::sync::Arc;

use crate::table::{
    NONE, comparison_lines, pair_of_variants, percent, share_words, struck_line, tokens_cell,
};
use crate::{
    AnswerBar, AnswerShare, AskCall, AskOutcome, AskPlan, AskRecord, AskStop, AskTable, Column, Sample,
    Samples, ServerNote, StoredAsk, StudyRow, StudyTable, Variant, VariantComparison, VariantRow,
};
use mageyard_domain::{Prices, Rating, Reply, TOKEN_ESTIMATE_RULE, count_noun, with_thousands};
use mageyard_lab::Needs;
use mageyard_statistics::Share;

/// What is asked and what it needs.
pub(super) fn plan_lines(run: &str, plan: &AskPlan, needs: &Needs) -> Vec<String> {
    let mut lines = record_lines(run, &plan.record);
    lines.extend(plan.remarks.iter().map(|remark| format!("note: {remark}")));
    lines.extend(needs_lines(plan.record.calls(), needs));
    lines
}

/// The calls that are left, their tokens and their price, in a few words.
pub(super) fn brief(record: &AskRecord, needs: &Needs) -> String {
    let calls = needs.calls.highest;
    if calls == 0 {
        return "all calls were made: nothing is sent".to_owned();
    }
    #[allow(clippy::cast_precision_loss, reason = "an estimate")]
    let [input, low, high] = [needs.input.highest, needs.output.lowest, needs.output.highest]
        .map(|tokens| with_thousands(tokens as f64));
    let cost = needs.cost.words(|currency, lowest, highest| {
        format!("{} to {} {currency}", lowest.rounded(), highest.rounded())
    });
    let calls = count_noun(usize::try_from(calls).unwrap_or(usize::MAX), "call", "calls");
    let shared = match shared(record) {
        0 => String::new(),
        count => format!(" ({} the request of another)", sends(count)),
    };
    format!("{calls} to make{shared} · ~{input} tokens in, {low} to {high} out · cost {cost}")
}

/// How many of these calls are left, and what they need.
pub(crate) fn needs_lines(calls: usize, needs: &Needs) -> Vec<String> {
    let left = needs.calls.highest;
    let made = (calls as u64).saturating_sub(left);
    if left == 0 {
        return vec!["all calls were made before: nothing is sent".to_owned()];
    }
    let before = if made > 0 { format!(" ({made} were made before)") } else { String::new() };
    #[allow(clippy::cast_precision_loss, reason = "an estimate")]
    let [input, low, high] = [needs.input.highest, needs.output.lowest, needs.output.highest]
        .map(|tokens| with_thousands(tokens as f64));
    let cost = needs.cost.words(|currency, lowest, highest| {
        format!("{} to {} {currency}", lowest.rounded(), highest.rounded())
    });
    vec![
        format!(
            "{} to make{before}: about {input} input tokens and {low} to {high} output tokens; cost {cost}",
            count_noun(usize::try_from(left).unwrap_or(usize::MAX), "call", "calls"),
        ),
        format!("tokens are estimated: {TOKEN_ESTIMATE_RULE}; failed tries and caching are not counted"),
    ]
}

/// What is asked.
fn record_lines(run: &str, record: &AskRecord) -> Vec<String> {
    let AskRecord { state, reader, .. } = record;
    let mut lines =
        vec![format!("{run}  state {state}  reader {reader}  ask {}", record.id()), amounts(record)];
    lines.extend(complete_line(record));
    lines.extend(record.from_text.as_ref().map(|text| format!("each answer begins with {text:?}")));
    lines.extend(record.struck.iter().map(struck_line));
    lines.push(match record.target.as_ref().map(|target| (&target.written, &target.actions)) {
        None if record.leaves_out() => {
            "no target: the table is exploratory and ordered by the distance, and no difference is tested"
                .to_owned()
        }
        None => "no target: the table is exploratory, and no difference is tested".to_owned(),
        Some((written, Some(actions))) if actions.len() != 1 || !actions.contains(written) => {
            let names = actions.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
            format!("target {written}: {}", if names.is_empty() { "no action" } else { &names })
        }
        Some((written, _)) => format!("target {written}"),
    });
    lines.push(match (&record.taken, &record.oracle) {
        (None, Err(_)) => "no action was taken here yet".to_owned(),
        (taken, Ok(action)) => format!("taken {}; oracle {action}", taken.as_deref().unwrap_or("no action")),
        (Some(taken), Err(why)) => format!("taken {taken}; oracle none ({why})"),
    });
    lines
}

/// The request that the others are compared with, if parts of it are left out.
fn complete_line(record: &AskRecord) -> Option<String> {
    let Variant { prompt, am, om, model, .. } = record.variants.first().filter(|_| record.leaves_out())?;
    Some(format!("variant 1 is the complete request: {prompt}, AM={am} OM={om}, {}", model.label()))
}

/// An ask at the step of this reference as people read it, with its end if it was made just now.
pub fn ask_table(
    run: &str,
    ask: &StoredAsk,
    prices: &Prices,
    outcome: Option<&AskOutcome>,
    samples: Samples,
) -> StudyTable {
    let StoredAsk { folder, record, calls, .. } = ask;
    let table = AskTable::of(record, calls, prices);
    let notes = ServerNote::all(record, calls);
    let row = |(index, variant, row): (usize, &Variant, &VariantRow)| StudyRow {
        number: index + 1,
        name: name(variant),
        cells: cells(record, index, variant, row),
        answers: row.answers.iter().map(|answer| bar(record, answer)).collect(),
        samples: samples_of(ask, index, samples).map(|call| Arc::new(sample(ask, call))).collect(),
    };
    StudyTable {
        id: record.id().to_string(),
        folder: folder.clone(),
        title: title(record),
        head: record_lines(run, record),
        columns: columns(record),
        rows: table.shown(record).map(row).collect(),
        tail: result_lines(ask, &table, &notes, outcome),
        done: table.replies,
        all: record.replies(),
        ..StudyTable::default()
    }
}

fn columns(record: &AskRecord) -> Vec<Column> {
    let leaves_out = record.leaves_out();
    let mut columns = if leaves_out {
        ["", "left out"].map(Column::apart).into()
    } else {
        combination_columns(&record.variants)
    };
    columns.push(Column::count("replies"));
    columns.extend(leaves_out.then(|| Column::figure("distance")));
    columns.extend(record.target.is_some().then(|| Column::figure("target")));
    columns.extend(["unreadable", "as taken", "as oracle"].map(Column::figure));
    columns.extend([Column::alone("tokens"), Column::figure("cost"), Column::apart("answers")]);
    columns
}

fn cells(record: &AskRecord, index: usize, variant: &Variant, row: &VariantRow) -> Vec<String> {
    let mut cells = vec![(index + 1).to_string()];
    cells.extend(if record.leaves_out() {
        vec![left_out(variant)]
    } else {
        combination(variant, &record.variants)
    });
    cells.push(replies_cell(row.replies, row.failed));
    cells
        .extend(record.leaves_out().then(|| row.distance.map_or(NONE.to_owned(), |far| format!("{far:.2}"))));
    cells.extend(row.target.map(share_words));
    let short = |share: Option<Share>| share.map_or(NONE.to_owned(), |share| percent(share.value()));
    cells.extend([
        row.errors.count.to_string(),
        short(row.taken),
        short(row.oracle),
        tokens_cell(row.spent),
        row.cost.to_string(),
        row.answers.iter().map(answer).collect::<Vec<_>>().join(", "),
    ]);
    cells
}

/// The replies, and the calls without one.
pub(crate) fn replies_cell(replies: usize, failed: usize) -> String {
    let failed = if failed > 0 { format!(" + {failed} failed") } else { String::new() };
    format!("{replies}{failed}")
}

fn bar(record: &AskRecord, AnswerShare { action, share }: &AnswerShare) -> AnswerBar {
    let is = |other: Option<&str>| action.is_some() && action.as_deref() == other;
    let notes = [
        (record.target.as_ref().is_some_and(|target| target.is_met(action.as_deref())), "target"),
        (is(record.taken.as_deref()), "taken"),
        (is(record.oracle.as_deref().ok()), "oracle"),
    ];
    let notes: Vec<&str> = notes.into_iter().filter(|(is_so, _)| *is_so).map(|(_, name)| name).collect();
    AnswerBar::of(action.as_deref().unwrap_or("unreadable"), *share, notes.join(", "))
}

/// The calls of a variant in order, if they are wanted.
pub(crate) fn samples_of(
    ask: &StoredAsk,
    variant: usize,
    samples: Samples,
) -> impl Iterator<Item = &AskCall> {
    let is_own = |call: &&AskCall| samples == Samples::All && call.variant == variant;
    let mut calls: Vec<&AskCall> = ask.calls.iter().filter(is_own).collect();
    calls.sort_by_key(|call| call.sample);
    calls.into_iter()
}

/// A call as people read it.
pub(crate) fn sample(ask: &StoredAsk, call: &AskCall) -> Sample {
    let latency = call.reply.as_ref().and_then(|reply| reply.latency_ms);
    let facts = [
        call.odds.as_ref().map(ToString::to_string),
        (call.spent.requests > 0).then(|| call.spent.text()),
        latency.map(|ms| format!("{ms} ms")),
        call.seed.map(|seed| format!("seed {seed}")),
    ];
    Sample {
        number: call.sample,
        answer: call.answer().map(str::to_owned),
        text: call.reply.as_ref().map(Reply::content),
        reply: call.reply.clone(),
        facts: faults(call).chain(facts.into_iter().flatten()).collect(),
        rating: ask.ratings.get(&(call.variant, call.sample)).copied(),
        branch: None,
        meets_target: is_met(&ask.record, call),
    }
}

/// Whether a reply meets the target, if there is one.
fn is_met(record: &AskRecord, call: &AskCall) -> Option<bool> {
    let target = record.target.as_ref().filter(|_| call.reply.is_some())?;
    Some(target.is_met(call.answer()))
}

/// Why a call has failed, or why its reply cannot be read.
pub(crate) fn faults(call: &AskCall) -> impl Iterator<Item = String> {
    let failed = call.error.as_ref().map(|error| format!("failed: {error}"));
    let unreadable = call.rule.as_ref().map(|rule| format!("not readable: rule {rule}"));
    failed.into_iter().chain(unreadable)
}

/// What is asked, in one line.
fn title(record: &AskRecord) -> String {
    let sort = if record.leaves_out() { "leave out, " } else { "" };
    let question = record
        .target
        .as_ref()
        .map_or("exploratory".to_owned(), |target| format!("target {}", target.written));
    format!("{sort}{}, {question}", amounts(record))
}

/// What a variant is.
pub(crate) fn name(variant: &Variant) -> String {
    let Variant { prompt, am, om, model, left_out, changes, .. } = variant;
    let part = left_out.map_or(String::new(), |part| format!("  without {part}"));
    let changes = if changes.is_empty() { String::new() } else { format!("  {changes}") };
    format!("{prompt}  AM={am} OM={om}  {}{part}{changes}", model.label())
}

fn amounts(record: &AskRecord) -> String {
    let shared = match shared(record) {
        0 => String::new(),
        count => format!("; {} the request of another, asked once", sends(count)),
    };
    format!(
        "{} with {} each: {}{shared}",
        count_noun(record.variants.len(), "variant", "variants"),
        count_noun(record.samples as usize, "sample", "samples"),
        count_noun(record.calls(), "call", "calls")
    )
}

/// How many variants have the request of another.
fn shared(record: &AskRecord) -> usize {
    record.variants.iter().filter(|variant| variant.same_as.is_some()).count()
}

fn sends(variants: usize) -> String {
    format!("{} {}", count_noun(variants, "variant", "variants"), if variants == 1 { "has" } else { "have" })
}

fn left_out(variant: &Variant) -> String {
    variant.left_out.map_or("nothing".to_owned(), |part| part.to_string())
}

/// The columns of what variants are, after their number.
pub(crate) fn combination_columns(all: &[Variant]) -> Vec<Column> {
    let changed = are_changed(all).then_some("changed");
    ["", "prompt", "AM", "OM", "model"].into_iter().chain(changed).map(Column::apart).collect()
}

/// The cells of these columns for a variant.
pub(crate) fn combination(variant: &Variant, all: &[Variant]) -> Vec<String> {
    let Variant { prompt, am, om, model, changes, .. } = variant;
    let mut cells = vec![prompt.clone(), am.to_string(), om.to_string(), model.label()];
    cells.extend(are_changed(all).then(|| changes.to_string()));
    cells
}

fn are_changed(all: &[Variant]) -> bool {
    all.iter().any(|variant| !variant.changes.is_empty())
}

fn answer(answer: &AnswerShare) -> String {
    format!("{} {}", answer.action.as_deref().unwrap_or("unreadable"), share_words(answer.share))
}

/// What follows the table.
fn result_lines(
    ask: &StoredAsk,
    table: &AskTable,
    notes: &[ServerNote],
    outcome: Option<&AskOutcome>,
) -> Vec<String> {
    let mut lines = vec!["intervals: 95 % (Wilson), in percent".to_owned()];
    lines.extend(ask.record.variants.iter().enumerate().filter_map(|(index, variant)| {
        let other = variant.same_as?;
        Some(format!(
            "variant {} sends the same request as variant {}, so its replies are those",
            index + 1,
            other + 1
        ))
    }));
    if ask.record.leaves_out() {
        let what =
            "distance: between the answers and those to the complete request, from 0 (equal shares) to 1";
        lines.push(what.to_owned());
    }
    lines.extend(comparisons(&ask.record, &table.comparisons));
    lines.extend(notes.iter().map(|note| format!("server: {note}")));
    lines.extend(rating_line(ask));
    lines.extend(outcome_lines(ask, table, outcome));
    lines.push(format!("stored in {}", ask.folder.display()));
    lines
}

/// The replies that a person has rated.
fn rating_line(ask: &StoredAsk) -> Option<String> {
    let rated = |((variant, sample), rating): (&(usize, u32), &Rating)| {
        format!("{}/{sample} {}", variant + 1, rating.name())
    };
    let rated: Vec<String> = ask.ratings.iter().map(rated).collect();
    (!rated.is_empty()).then(|| format!("rated (variant/sample): {}", rated.join(", ")))
}

fn comparisons(record: &AskRecord, comparisons: &[VariantComparison]) -> Vec<String> {
    let nouns = if record.leaves_out() { ("comparison", "comparisons") } else { ("pair", "pairs") };
    let which = |comparison: &VariantComparison| {
        let second = record.variants.get(comparison.variants.1);
        let part = second.and_then(|variant| variant.left_out);
        part.map_or_else(|| pair_of_variants(comparison.variants), |part| format!("without {part}"))
    };
    comparison_lines(comparisons, nouns, &which)
}

fn outcome_lines(ask: &StoredAsk, table: &AskTable, outcome: Option<&AskOutcome>) -> Vec<String> {
    let mut lines = Vec::new();
    let replies = table.replies;
    let calls = ask.record.replies();
    if replies < calls {
        lines.push(format!(
            "incomplete: {replies} of {calls} replies; the same command completes it, and a comparison counts when all are there"
        ));
    }
    let Some(outcome) = outcome else { return lines };
    match outcome.stopped {
        Some(AskStop::Cancelled(lost)) if lost > 0 => {
            lines.push(format!(
                "{} dropped while running; the cost is unknown",
                count_noun(lost, "call", "calls")
            ));
        }
        _ => {}
    }
    let same = if outcome.state_after == ask.record.state { "unchanged" } else { "CHANGED" };
    let journal = if outcome.is_journal_unchanged { "unchanged" } else { "CHANGED" };
    lines.push(format!(
        "state {} before and {} after: {same}; recording {journal}",
        ask.record.state, outcome.state_after
    ));
    lines
}
