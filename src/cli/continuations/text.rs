//! Continuations as text for people.

use crate::comparison_text::{comparison_lines, pair_of_variants, share, struck_line};
use crate::episode_output::tokens_text;
use crate::output::{count_noun, with_thousands};
use mageyard_domain::Usage;
use mageyard_statistics::Interval;
use mageyard_study::{ContinuationPlan, ContinuationRow, ContinuationVariant, StoredContinuation};

/// What is played and what it needs at most.
pub fn plan_lines(run: &str, plan: &ContinuationPlan, stored: &[StoredContinuation]) -> Vec<String> {
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
pub fn needs(most_steps: u64, plan: &ContinuationPlan) -> String {
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
        None => format!("unknown for {model}, which has no price (see `mageyard prices example`)"),
    };
    let costs: Vec<String> = models.iter().map(cost).collect();
    let each = if models.len() > 1 { " if all were of one model" } else { "" };
    format!(
        "{steps}, with requests like those of the recording {input} input and {output} output tokens; cost at most {}{each}",
        costs.join("; ")
    )
}

/// The rows of the table, the titles first.
pub(super) fn rows(plan: &ContinuationPlan, rows: &[ContinuationRow]) -> Vec<Vec<String>> {
    let titles = ["", "prompt", "AM", "OM", "agent"].into_iter().chain(row_titles());
    let titles = titles.map(str::to_owned).collect();
    let row = |(index, (variant, row)): (usize, (&ContinuationVariant, &ContinuationRow))| {
        let ContinuationVariant { prompt, window, agent, .. } = variant;
        let prompt = if prompt.is_empty() { "–".to_owned() } else { prompt.clone() };
        let own = [
            (index + 1).to_string(),
            prompt,
            window.am().to_string(),
            window.om().to_string(),
            agent.clone(),
        ];
        own.into_iter().chain(row_cells(row)).collect()
    };
    std::iter::once(titles).chain(plan.variants.iter().zip(rows).enumerate().map(row)).collect()
}

/// What a continuation is to lead to.
pub const GOAL_REACHED: &str = "goal reached";

/// The titles of [`row_cells`].
pub fn row_titles() -> [&'static str; 7] {
    ["over", GOAL_REACHED, "score", "steps", "tokens", "cost", "endings"]
}

/// The figures of a row with their titles, without the share that reached the goal.
pub fn facts(row: &ContinuationRow) -> Vec<String> {
    let cells = row_titles().into_iter().zip(row_cells(row));
    let known = cells.filter(|(title, cell)| *title != GOAL_REACHED && !cell.is_empty() && cell != "–");
    let fact = |(title, cell): (&str, String)| match title {
        "over" => format!("{cell} over"),
        "tokens" | "endings" => cell,
        title => format!("{title} {cell}"),
    };
    known.map(fact).collect()
}

/// What the continuations of a variant led to.
pub fn row_cells(row: &ContinuationRow) -> [String; 7] {
    let unfinished =
        if row.unfinished > 0 { format!(" + {} unfinished", row.unfinished) } else { String::new() };
    let endings: Vec<String> =
        row.endings.iter().map(|(ending, count)| format!("{count} {ending}")).collect();
    [
        format!("{}{unfinished}", row.over),
        share(row.won),
        mean(row.score, 2),
        mean(row.steps, 1),
        if row.spent.requests == 0 { "–".to_owned() } else { tokens_text(row.spent) },
        row.cost.to_string(),
        endings.join(", "),
    ]
}

/// `12.4 (10.1–14.7)`.
fn mean(value: Option<(f64, Option<Interval>)>, places: usize) -> String {
    let Some((mean, interval)) = value else { return "–".to_owned() };
    let ends = interval.map(|ends| format!(" ({:.places$}–{:.places$})", ends.low, ends.high));
    format!("{mean:.places$}{}", ends.unwrap_or_default())
}

/// What follows the table.
pub fn result_lines(run: &str, plan: &ContinuationPlan, rows: &[ContinuationRow]) -> Vec<String> {
    let comparisons = ContinuationPlan::comparisons(rows);
    let session = run.split('#').next().unwrap_or(run);
    let mut lines = vec!["intervals: 95 % (Wilson for shares, in percent; Student's t for means)".to_owned()];
    lines.extend(comparison_lines(&comparisons, ("pair", "pairs"), &pair_of_variants));
    let over = rows.iter().map(|row| row.over).sum::<usize>();
    let all = plan.count();
    lines.extend((over < all).then(|| {
        format!("incomplete: {over} of {all} branches are over; the same request plays the others")
    }));
    lines.push(format!("each is a branch: `mageyard fork {session}` lists them"));
    lines
}
