//! Continuations as text for people, and their table.

use std::sync::Arc;

use crate::table::{NONE, comparison_lines, pair_of_variants, share_words, struck_line, tokens_cell};
use crate::{
    AnswerBar, Column, ContinuationPlan, ContinuationRow, ContinuationVariant, PlayedBranch, Sample, Samples,
    StoredContinuation, StudyRow, StudySort, StudyTable,
};
use mageyard_domain::{TokenTotals, Usage, count_noun, with_thousands};
use mageyard_engine::{branch_name, episode_folder};
use mageyard_lab::unpriced_words;
use mageyard_statistics::Interval;

/// What is played and what it needs at most.
pub(super) fn plan_lines(run: &str, plan: &ContinuationPlan, stored: &[StoredContinuation]) -> Vec<String> {
    let variants = count_noun(plan.variants.len(), "variant", "variants");
    let samples = plan.request.samples;
    let state = plan.state;
    let mut lines = vec![format!(
        "{run}: {variants}, {samples} to the end each, from state {state}; restore: {}",
        plan.restored
    )];
    lines.extend(plan.struck.iter().map(struck_line));
    lines.extend(plan.variants.iter().enumerate().filter(|(_, variant)| !variant.changes.is_empty()).map(
        |(index, variant)| {
            let changes: Vec<String> = variant.changes.iter().map(ToString::to_string).collect();
            format!("variant {}: {}", index + 1, changes.join(", "))
        },
    ));
    let over = stored.iter().filter(|one| one.summary.is_some()).count();
    let left = plan.count().saturating_sub(over);
    if left == 0 {
        lines.push("all branches are over: nothing is played".to_owned());
        return lines;
    }
    let before = if over > 0 { format!(" ({over} are over)") } else { String::new() };
    lines.push(format!(
        "{} to play{before}: {}",
        count_noun(left, "branch", "branches"),
        needs(plan.most_steps(stored), plan)
    ));
    lines
}

/// `at most 120 steps`, with what their requests cost if they are like those of the recording.
pub(crate) fn needs(most_steps: u64, plan: &ContinuationPlan) -> String {
    let mut models: Vec<&str> = Vec::new();
    for model in plan.variants.iter().filter_map(|variant| variant.model.as_deref()) {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    let steps = format!("at most {most_steps} steps");
    if models.is_empty() {
        return format!("{steps}, without a request to a model");
    }
    let Some(one) = plan.per_request else {
        return format!("{steps}; the recording has no request with known tokens to estimate the cost by");
    };
    let all = Usage {
        input: one.input.saturating_mul(most_steps),
        output: one.output.saturating_mul(most_steps),
        ..Usage::default()
    };
    #[allow(clippy::cast_precision_loss, reason = "an estimate")]
    let [input, output] = [all.input, all.output].map(|tokens| with_thousands(tokens as f64));
    let cost = |model: &&str| match plan.prices().find(model) {
        Some(price) => format!("{} {}", price.cost_of(all).rounded(), price.currency),
        None => unpriced_words(model),
    };
    let costs: Vec<String> = models.iter().map(cost).collect();
    let each = if models.len() > 1 { " if all were of one model" } else { "" };
    format!(
        "{steps}, with requests like those of the recording {input} input and {output} output tokens; cost at most {}{each}",
        costs.join("; ")
    )
}

/// The branches of a plan at the step of this reference as people read them.
pub(super) fn table(
    run: &str,
    plan: &ContinuationPlan,
    stored: &[StoredContinuation],
    samples: Samples,
) -> StudyTable {
    let rows = plan.rows(stored);
    let row = |(index, (variant, row)): (usize, (&ContinuationVariant, &ContinuationRow))| {
        let own = stored.iter().filter(|one| one.variant == index);
        let names = name_cells(index, variant).into_iter();
        StudyRow { number: index + 1, name: name(variant), ..study_row(row, names, (plan, own), samples) }
    };
    let names = ["", "prompt", "AM", "OM", "agent"].map(Column::apart).into_iter();
    StudyTable {
        sort: StudySort::ToEnd,
        title: format!(
            "{}, {} to the end each",
            count_noun(plan.variants.len(), "variant", "variants"),
            plan.request.samples
        ),
        head: plan_lines(run, plan, stored),
        columns: names.chain(columns()).collect(),
        rows: plan.variants.iter().zip(&rows).enumerate().map(row).collect(),
        tail: result_lines(run, plan, &rows),
        done: rows.iter().map(|row| row.over).sum(),
        all: plan.count(),
        ..StudyTable::default()
    }
}

/// What a continuation is to lead to.
const GOAL_REACHED: &str = "goal reached";

/// The columns of [`row_cells`].
pub(crate) fn columns() -> [Column; 7] {
    [
        Column::count("over"),
        Column::apart(GOAL_REACHED),
        Column::figure("score"),
        Column::figure("steps"),
        Column::alone("tokens"),
        Column::figure("cost"),
        Column::alone("endings"),
    ]
}

/// The figures of a row with its branches, after the cells of its name.
pub(crate) fn study_row<'a>(
    row: &ContinuationRow,
    names: impl Iterator<Item = String>,
    (plan, stored): (&ContinuationPlan, impl Iterator<Item = &'a StoredContinuation>),
    samples: Samples,
) -> StudyRow {
    let stored = stored.filter(|_| samples == Samples::All);
    StudyRow {
        cells: names.chain(row_cells(row)).collect(),
        answers: vec![AnswerBar::of(GOAL_REACHED, row.won, String::new())],
        samples: stored.map(|one| Arc::new(branch(plan, one))).collect(),
        ..StudyRow::default()
    }
}

fn name_cells(index: usize, variant: &ContinuationVariant) -> [String; 5] {
    let ContinuationVariant { prompt, window, agent, .. } = variant;
    let prompt = if prompt.is_empty() { NONE.to_owned() } else { prompt.clone() };
    [(index + 1).to_string(), prompt, window.am().to_string(), window.om().to_string(), agent.clone()]
}

fn name(variant: &ContinuationVariant) -> String {
    let ContinuationVariant { prompt, window, agent, .. } = variant;
    let named = if prompt.is_empty() { String::new() } else { format!("{prompt}  ") };
    format!("{named}AM={} OM={}  {agent}", window.am(), window.om())
}

fn branch(plan: &ContinuationPlan, one: &StoredContinuation) -> Sample {
    let summary = one.summary.as_ref();
    let ending = summary.and_then(|summary| summary.ending).map(|ending| ending.to_string());
    let stuck = one.stuck.as_ref().map(|_| "no action".to_owned());
    let steps = summary.map(|summary| plan.own_steps(summary) as usize);
    let spent = summary.map(|summary| plan.own_tokens(summary));
    let facts = [
        episode_folder(&one.journal).1.map(branch_name),
        steps.map(|steps| count_noun(steps, "step", "steps")),
        summary.and_then(|summary| summary.score).map(|score| format!("score {score:.2}")),
        spent.filter(|spent| spent.requests > 0).map(TokenTotals::text),
        one.stuck.clone(),
    ];
    Sample {
        number: one.sample,
        answer: Some(ending.or(stuck).unwrap_or_else(|| "unfinished".to_owned())),
        facts: facts.into_iter().flatten().collect(),
        branch: Some(PlayedBranch { journal: one.journal.clone(), is_over: one.is_over() }),
        ..Sample::default()
    }
}

/// What the continuations of a variant led to.
fn row_cells(row: &ContinuationRow) -> [String; 7] {
    let unfinished =
        if row.unfinished > 0 { format!(" + {} unfinished", row.unfinished) } else { String::new() };
    let endings: Vec<String> =
        row.endings.iter().map(|(ending, count)| format!("{count} {ending}")).collect();
    [
        format!("{}{unfinished}", row.over),
        share_words(row.won),
        mean(row.score, 2),
        mean(row.steps, 1),
        tokens_cell(row.spent),
        row.cost.to_string(),
        endings.join(", "),
    ]
}

/// `12.4 (10.1–14.7)`.
fn mean(value: Option<(f64, Option<Interval>)>, places: usize) -> String {
    let Some((mean, interval)) = value else { return NONE.to_owned() };
    let ends = interval.map(|ends| format!(" ({:.places$}–{:.places$})", ends.low, ends.high));
    format!("{mean:.places$}{}", ends.unwrap_or_default())
}

/// What follows the table.
fn result_lines(run: &str, plan: &ContinuationPlan, rows: &[ContinuationRow]) -> Vec<String> {
    let comparisons = ContinuationPlan::comparisons(rows);
    let session = run.split('#').next().unwrap_or(run);
    let mut lines = vec!["intervals: 95 % (Wilson for shares, in percent; Student's t for means)".to_owned()];
    lines.extend(comparison_lines(&comparisons, ("pair", "pairs"), &|one| pair_of_variants(one.variants)));
    let over = rows.iter().map(|row| row.over).sum::<usize>();
    let all = plan.count();
    lines.extend((over < all).then(|| {
        format!("incomplete: {over} of {all} branches are over; the same request plays the others")
    }));
    lines.push(format!("each is a branch: `mageyard fork {session}` lists them"));
    lines
}
