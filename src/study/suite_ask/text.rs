//! An ask about a suite as text for people, and its table.

use std::sync::Arc;

use super::asked::AskedSuite;
use crate::ask::{
    combination, combination_columns, faults, name, needs_lines, replies_cell, sample, samples_of,
};
use crate::table::{
    MOST_LINES, NONE, compared_line, compared_lines, pair_of_variants, share_words, struck_line, tokens_cell,
};
use crate::{
    AskCall, AskRecord, Column, ComparedState, DifferingState, JudgedState, MEASURES, Margin, MarginResult,
    Measure, MeasuredShare, Sample, Samples, StateAnswers, StoredAsk, StudyRow, StudySort, StudyTable, Suite,
    SuiteComparison, SuitePlan, SuiteRow, SuiteTable, Threshold, ThresholdResult, Variant, VariantAnswers,
};
use mageyard_domain::{Prices, count_noun};
use mageyard_lab::Needs;
use mageyard_statistics::MarginVerdict;

/// What is asked and what it needs.
pub(super) fn plan_lines(suite: &Suite, plan: &SuitePlan, needs: &Needs) -> Vec<String> {
    let first = plan.plans.first().map(|plan| &plan.record);
    let mut lines = vec![asked_line(suite, plan.states.len(), first)];
    lines.extend(first.into_iter().flat_map(|record| record.struck.iter().map(struck_line)));
    if plan.played > 0 {
        let states = count_noun(plan.played, "state was", "states were");
        lines.push(format!("{states} played into the session suite-{}", suite.name));
    }
    lines.extend(plan.remarks().iter().map(|remark| format!("note: {remark}")));
    lines.extend(needs_lines(plan.calls(), needs));
    lines
}

/// The suite and the number of calls.
fn asked_line(suite: &Suite, states: usize, record: Option<&AskRecord>) -> String {
    let (variants, samples) = record.map_or((0, 0), |record| (record.variants.len(), record.samples));
    let of = if states == suite.states.len() { String::new() } else { format!(" of {}", suite.states.len()) };
    format!(
        "{}: {states}{of} states, {}, {} each: {}",
        suite.name,
        count_noun(variants, "variant", "variants"),
        count_noun(samples as usize, "sample", "samples"),
        count_noun(record.map_or(0, AskRecord::calls) * states, "call", "calls")
    )
}

/// An ask about a suite as people read it. `confirm` plans the episodes that confirm a result.
pub fn suite_table(asked: &AskedSuite<'_>, prices: &Prices, confirm: &str, samples: Samples) -> StudyTable {
    let table = asked.table(prices);
    let judged: Vec<Measure> = MEASURES
        .into_iter()
        .filter(|measure| table.rows.iter().any(|row| row.share(*measure).is_some()))
        .collect();
    let row = |(number, (variant, row)): (usize, (&Variant, &SuiteRow))| StudyRow {
        number,
        name: name(variant),
        cells: cells(number, (variant, asked.variants()), row, &judged),
        ..StudyRow::default()
    };
    let differs = |one: &&DifferingState| one.range > 0.0 || one.distance > 0.0;
    StudyTable {
        sort: StudySort::Suite,
        title: asked_line(asked.suite, asked.states.len(), asked.asks.first().map(|ask| &ask.record)),
        columns: columns(asked.variants(), &judged),
        rows: (1..).zip(asked.variants().iter().zip(&table.rows)).map(row).collect(),
        categories: categories(&table),
        tail: margin_lines(asked, &table).into_iter().chain(comparisons(&table, confirm)).collect(),
        states: table.states.iter().filter_map(|one| compared(asked, one, samples)).collect(),
        differing: table.states.iter().filter(differs).count(),
        end: end_lines(asked, &table),
        done: table.rows.iter().map(|row| row.replies).sum(),
        all: asked.replies(),
        ..StudyTable::default()
    }
}

fn columns(variants: &[Variant], judged: &[Measure]) -> Vec<Column> {
    let names = combination_columns(variants).into_iter();
    let measures = judged.iter().map(|measure| Column::figure(measure.name()));
    let figures = [Column::alone("tokens"), Column::figure("cost")];
    names.chain([Column::count("replies")]).chain(measures).chain(figures).collect()
}

fn cells(
    number: usize,
    (variant, all): (&Variant, &[Variant]),
    row: &SuiteRow,
    judged: &[Measure],
) -> Vec<String> {
    let mut cells = vec![number.to_string()];
    cells.extend(combination(variant, all));
    cells.push(replies_cell(row.replies, row.failed));
    cells.extend(judged.iter().map(|measure| share_cell(row.share(*measure))));
    cells.extend([tokens_cell(row.spent), row.cost.to_string()]);
    cells
}

/// The share of accepted answers by category, the titles first; empty without categories.
fn categories(table: &SuiteTable) -> Vec<Vec<String>> {
    let Some(first) = table.rows.first().filter(|row| !row.categories.is_empty()) else { return Vec::new() };
    let mut rows = vec![vec!["accepted in".to_owned()]];
    rows[0].extend((1..=table.rows.len()).map(|number| format!("variant {number}")));
    rows.extend(first.categories.iter().map(|(name, _)| {
        let cell = |row: &SuiteRow| {
            let found = row.categories.iter().find(|(other, _)| other == name);
            share_cell(found.map(|(_, found)| *found))
        };
        std::iter::once(name.clone()).chain(table.rows.iter().map(cell)).collect()
    }));
    rows
}

fn share_cell(found: Option<MeasuredShare>) -> String {
    found.map_or(NONE.to_owned(), |found| share_words(found.share))
}

/// The pairs of variants, and what plans the episodes that confirm a result.
fn comparisons(table: &SuiteTable, confirm: &str) -> Vec<String> {
    let mut lines =
        vec!["intervals: 95 %, in percent; samples of one state are not taken for independent".to_owned()];
    let different = table.comparisons.iter().filter(|one| one.pair.test.is_different()).count();
    let by = "differ in accepted answers (signs of whole states flipped, corrected by Holm, level 5 %)";
    let compared = table.comparisons.iter().map(comparison_line).collect();
    lines.extend(compared_lines((different, by), ("pair", "pairs"), compared));
    lines.extend(
        (!table.comparisons.is_empty())
            .then(|| format!("a result on states is confirmed by whole episodes: {confirm} plans them")),
    );
    lines
}

fn comparison_line(one: &SuiteComparison) -> String {
    let ends = one.interval.map(|ends| format!(" ({:+.0} to {:+.0})", 100.0 * ends.low, 100.0 * ends.high));
    let points = format!(
        "{:+.0} points{} in {}",
        100.0 * one.pair.difference,
        ends.unwrap_or_default(),
        count_noun(one.states, "state", "states")
    );
    let pairs = match one.episode_pairs {
        Some(pairs) => format!("; {pairs} pairs of whole episodes would show as many points of score"),
        None => String::new(),
    };
    let too_few = "too few states differ to show any difference";
    compared_line(&pair_of_variants(one.pair.variants), &points, &one.pair.test, too_few) + &pairs
}

fn compared(asked: &AskedSuite<'_>, one: &DifferingState, samples: Samples) -> Option<ComparedState> {
    let state = asked.states.get(one.state)?;
    let ask = asked.asks.get(one.state)?;
    let category = state.category.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    let answers = |(variant, found): (usize, &StateAnswers)| VariantAnswers {
        summary: answers(found),
        samples: samples_of(ask, variant, samples).map(|call| Arc::new(judged(state, ask, call))).collect(),
    };
    Some(ComparedState {
        number: state.number,
        title: format!("{category}{}", state.why),
        address: state.address.clone(),
        journal: state.journal.clone(),
        step: state.step,
        facts: facts(state),
        variants: one.variants.iter().enumerate().map(answers).collect(),
    })
}

/// Which answers are right and who says so, and which are the known mistake.
fn facts(state: &JudgedState) -> Vec<String> {
    let right = state.accepted.as_ref().map(|accepted| match accepted.actions() {
        None => "accepted: what the environment takes for right".to_owned(),
        Some([]) => format!("accepted: none ({})", accepted.by().name()),
        Some(actions) => format!("accepted: {} ({})", actions.join(", "), accepted.by().name()),
    });
    let mistake = Some(state.mistake.join(", ")).filter(|actions| !actions.is_empty());
    right.into_iter().chain(mistake.map(|actions| format!("known mistake: {actions}"))).collect()
}

/// A call with whether its answer is accepted.
fn judged(state: &JudgedState, ask: &StoredAsk, call: &AskCall) -> Sample {
    let is_met = |measure: Measure| measure.is_met(state, call.answer()).filter(|_| call.reply.is_some());
    let verdict = match (is_met(Measure::Accepted), is_met(Measure::Mistake)) {
        (_, Some(true)) => Some("the known mistake"),
        (Some(true), _) => Some("accepted"),
        (Some(false), _) => Some("not accepted"),
        (None, _) => None,
    };
    let facts = verdict.map(str::to_owned).into_iter().chain(faults(call)).collect();
    Sample { facts, ..sample(ask, call) }
}

/// The states in which the variants differ.
pub fn state_lines(table: &StudyTable) -> Vec<String> {
    let differing = table.differing;
    if differing == 0 {
        return vec!["the variants answer all states alike".to_owned()];
    }
    let mut lines = vec![format!("the answers differ in {}:", count_noun(differing, "state", "states"))];
    for state in table.states.iter().take(differing.min(MOST_LINES)) {
        lines.push(format!("  state {}  {}", state.number, state.title));
        lines.push(format!("    {}", state.answers()));
        lines.push(format!("    mageyard view {0}   mageyard ask {0} --show", state.address));
    }
    let rest = differing.saturating_sub(MOST_LINES);
    lines.extend((rest > 0).then(|| format!("  {rest} more states, less different; --json has all")));
    lines
}

/// The answers of a variant to a state with their numbers.
fn answers(found: &StateAnswers) -> String {
    let answer = |(action, count): &(Option<String>, usize)| {
        format!("{} {count}", action.as_deref().unwrap_or("unreadable"))
    };
    let all = found.answers.iter().map(answer).collect::<Vec<_>>().join(", ");
    match found.accepted {
        Some(accepted) => format!("{accepted} of {} accepted ({all})", found.replies),
        None => all,
    }
}

/// What is missing and what was changed.
fn end_lines(of: &AskedSuite<'_>, table: &SuiteTable) -> Vec<String> {
    let replies: usize = table.rows.iter().map(|row| row.replies).sum();
    let mut lines = Vec::new();
    if replies < of.replies() {
        lines.push(format!(
            "incomplete: {replies} of {} replies; the same command completes it, and a comparison counts when all are there",
            of.replies()
        ));
    }
    let Some(outcomes) = of.outcomes else { return lines };
    let changed = outcomes.iter().zip(of.states).filter(|(outcome, _)| {
        !outcome.is_journal_unchanged || outcome.state_after != outcome.ask.record.state
    });
    lines.extend(changed.map(|(_, state)| format!("state {}: the recording has CHANGED", state.number)));
    lines
}

/// The variants compared with the margin of the suite; nothing without a margin.
fn margin_lines(asked: &AskedSuite<'_>, table: &SuiteTable) -> Vec<String> {
    let Some(margin) = &asked.suite.margin else { return Vec::new() };
    match margin.results(asked.variants(), table) {
        Ok(results) => results.iter().map(|found| margin_line(asked.variants(), margin, found)).collect(),
        Err(problem) => vec![format!("margin {margin}: {problem}")],
    }
}

/// A variant compared with a base, with a margin that was fixed beforehand.
pub fn margin_line(variants: &[Variant], margin: &Margin, found: &MarginResult) -> String {
    let named = |index: usize| {
        let prompt = variants.get(index).map_or("", |variant| &variant.prompt);
        format!("variant {} ({prompt})", index + 1)
    };
    let points = 100.0 * margin.size;
    let difference = found.difference.map_or("no states to compare".to_owned(), |difference| {
        let ends = found.interval;
        let ends =
            ends.map_or(String::new(), |e| format!(" ({:+.1} to {:+.1})", 100.0 * e.low, 100.0 * e.high));
        format!("{:+.1} points{ends} in {}", 100.0 * difference, count_noun(found.states, "state", "states"))
    });
    let verdict = match found.verdict {
        MarginVerdict::Better => "better".to_owned(),
        MarginVerdict::NotWorse => format!("not worse by more than {points} points"),
        MarginVerdict::Worse => format!("WORSE, and {points} points are not excluded"),
        MarginVerdict::Undecided => "UNDECIDED: the interval contains both 0 and the margin".to_owned(),
    };
    let verdict =
        if found.interval.is_none() { "UNDECIDED: there is no interval".to_owned() } else { verdict };
    format!("margin {margin}: {} with {}: {difference}: {verdict}", named(found.variant), named(found.base))
}

/// A variant held against a threshold.
pub fn threshold_line(variants: &[Variant], threshold: &Threshold, result: &ThresholdResult) -> String {
    let prompt = variants.get(result.variant).map_or("", |variant| &variant.prompt);
    let found = result.share.map_or("no replies that can be judged".to_owned(), share_words);
    let verdict = if result.is_met { "met" } else { "MISSED" };
    format!("threshold {threshold}: variant {} ({prompt}): {found}: {verdict}", result.variant + 1)
}
