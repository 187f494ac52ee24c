//! An ask about a suite as text for people.

use super::AskedSuite;
use crate::ask::text::estimate_lines;
use crate::comparison_text::{percent, probability, struck_line};
use crate::episode_output::tokens_text;
use crate::output::count_noun;
use mageyard_statistics::Verdict;
use mageyard_study::{
    AskEstimate, AskRecord, DifferingState, JudgedState, MEASURES, MeasuredShare, StateAnswers, Suite,
    SuiteComparison, SuitePlan, SuiteTable, Threshold, ThresholdResult, Variant,
};

/// The most comparisons and states that are printed; JSON has all.
const MOST_LINES: usize = 15;

/// What is asked and what it needs.
pub fn plan_lines(suite: &Suite, plan: &SuitePlan, estimate: &AskEstimate) -> Vec<String> {
    let first = plan.plans.first().map(|plan| &plan.record);
    let mut lines = vec![asked_line(suite, plan.states.len(), first)];
    lines.extend(first.into_iter().flat_map(|record| record.struck.iter().map(struck_line)));
    if plan.played > 0 {
        let states = count_noun(plan.played, "state was", "states were");
        lines.push(format!("{states} played into the session suite-{}", suite.name));
    }
    lines.extend(plan.remarks().iter().map(|remark| format!("note: {remark}")));
    lines.extend(estimate_lines(plan.calls(), estimate));
    lines
}

/// The suite and the number of calls.
pub fn asked_line(suite: &Suite, states: usize, record: Option<&AskRecord>) -> String {
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

/// The rows of the table, the titles first.
pub fn rows(variants: &[Variant], table: &SuiteTable) -> Vec<Vec<String>> {
    let judged =
        MEASURES.into_iter().filter(|measure| table.rows.iter().any(|row| row.share(*measure).is_some()));
    let judged: Vec<_> = judged.collect();
    let mut titles: Vec<String> = ["", "prompt", "AM", "OM", "model", "replies"].map(str::to_owned).to_vec();
    titles.extend(judged.iter().map(|measure| measure.name().to_owned()));
    titles.extend(["tokens", "cost"].map(str::to_owned));
    let row = |(number, (variant, row)): (usize, (&Variant, &mageyard_study::SuiteRow))| {
        let failed = if row.failed > 0 { format!(" + {} failed", row.failed) } else { String::new() };
        let mut cells = vec![
            number.to_string(),
            variant.prompt.clone(),
            variant.am.to_string(),
            variant.om.to_string(),
            variant.model.label(),
            format!("{}{failed}", row.replies),
        ];
        cells.extend(judged.iter().map(|measure| row.share(*measure).map_or("–".to_owned(), share)));
        let tokens = if row.spent.requests == 0 { "–".to_owned() } else { tokens_text(row.spent) };
        cells.extend([tokens, row.cost.to_string()]);
        cells
    };
    let rows = (1..).zip(variants.iter().zip(&table.rows)).map(row);
    std::iter::once(titles).chain(rows).collect()
}

/// The share of accepted answers by category, the titles first; empty without categories.
pub fn categories(table: &SuiteTable) -> Vec<Vec<String>> {
    let Some(first) = table.rows.first().filter(|row| !row.categories.is_empty()) else { return Vec::new() };
    let mut rows = vec![vec!["accepted in".to_owned()]];
    rows[0].extend((1..=table.rows.len()).map(|number| format!("variant {number}")));
    rows.extend(first.categories.iter().map(|(name, _)| {
        let cell = |row: &mageyard_study::SuiteRow| {
            let found = row.categories.iter().find(|(other, _)| other == name);
            found.map_or("–".to_owned(), |(_, found)| share(*found))
        };
        std::iter::once(name.clone()).chain(table.rows.iter().map(cell)).collect()
    }));
    rows
}

/// `60 % (23–88)`, with the states if not all can be judged.
fn share(share: MeasuredShare) -> String {
    let ends = share.interval.map(|ends| format!(" ({:.0}–{:.0})", 100.0 * ends.low, 100.0 * ends.high));
    format!("{}{}", percent(share.value()), ends.unwrap_or_default())
}

/// The pairs of variants, and what plans the episodes that confirm a result.
pub fn comparison_lines(table: &SuiteTable, confirm: &str) -> Vec<String> {
    let mut lines =
        vec!["intervals: 95 %, in percent; samples of one state are not taken for independent".to_owned()];
    if table.comparisons.is_empty() {
        return lines;
    }
    let different = table.comparisons.iter().filter(|one| one.is_different()).count();
    let pairs = count_noun(table.comparisons.len(), "pair", "pairs");
    lines.push(format!(
        "{different} of {pairs} differ in accepted answers (signs of whole states flipped, corrected by Holm, level 5 %):"
    ));
    lines.extend(table.comparisons.iter().take(MOST_LINES).map(comparison_line));
    let rest = table.comparisons.len().saturating_sub(MOST_LINES);
    lines.extend((rest > 0).then(|| format!("  {rest} more pairs, less sure; --json has all")));
    lines.push(format!("a result on states is confirmed by whole episodes: {confirm} plans them"));
    lines
}

fn comparison_line(one: &SuiteComparison) -> String {
    let (first, second) = one.variants;
    let ends = one.interval.map(|ends| format!(" ({:+.0} to {:+.0})", 100.0 * ends.low, 100.0 * ends.high));
    let verdict = match (one.verdict(), one.smallest_visible) {
        (Verdict::InsideNoise, Some(visible)) => {
            format!("inside noise (visible from {:.0} points)", 100.0 * visible)
        }
        (Verdict::TooFew, _) => "too few states differ to show any difference".to_owned(),
        (verdict, _) => verdict.text().to_owned(),
    };
    let pairs = match one.episode_pairs {
        Some(pairs) => format!("; {pairs} pairs of whole episodes would show as many points of score"),
        None => String::new(),
    };
    format!(
        "  variant {} minus {}: {:+.0} points{} in {}, p {}, corrected {}: {verdict}{pairs}",
        second + 1,
        first + 1,
        100.0 * one.difference,
        ends.unwrap_or_default(),
        count_noun(one.states, "state", "states"),
        probability(one.p),
        probability(one.corrected)
    )
}

/// The states in which the variants differ.
pub(super) fn state_lines(states: &[JudgedState], table: &SuiteTable) -> Vec<String> {
    let differing: Vec<&DifferingState> =
        table.states.iter().filter(|one| one.range > 0.0 || one.distance > 0.0).collect();
    if differing.is_empty() {
        return vec!["the variants answer all states alike".to_owned()];
    }
    let mut lines =
        vec![format!("the answers differ in {}:", count_noun(differing.len(), "state", "states"))];
    for one in differing.iter().take(MOST_LINES) {
        let Some(state) = states.get(one.state) else { continue };
        let category = state.category.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
        lines.push(format!("  state {}  {category}{}", state.number, state.why));
        let answers = (1..).zip(&one.variants).map(|(number, found)| format!("{number}: {}", answers(found)));
        lines.push(format!("    {}", answers.collect::<Vec<_>>().join("   ")));
        lines.push(format!("    mageyard view {0}   mageyard ask {0} --show", state.address));
    }
    let rest = differing.len().saturating_sub(MOST_LINES);
    lines.extend((rest > 0).then(|| format!("  {rest} more states, less different; --json has all")));
    lines
}

/// The answers of a variant to a state with their numbers.
pub fn answers(found: &StateAnswers) -> String {
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
pub fn end_lines(of: &AskedSuite<'_>, table: &SuiteTable) -> Vec<String> {
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

/// A variant held against a threshold.
pub(super) fn threshold_line(
    variants: &[Variant],
    threshold: &Threshold,
    result: &ThresholdResult,
) -> String {
    let prompt = variants.get(result.variant).map_or("", |variant| &variant.prompt);
    let found = result.share.map_or("no replies that can be judged".to_owned(), share);
    let verdict = if result.is_met { "met" } else { "MISSED" };
    format!("threshold {threshold}: variant {} ({prompt}): {found}: {verdict}", result.variant + 1)
}
