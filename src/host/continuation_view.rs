//! Continuations as the screen shows them.

use std::sync::Arc;

use mageyard_cli::comparison_text::{bar_ends, share as share_text};
use mageyard_cli::continuations::text;
use mageyard_cli::episode_output::tokens_text;
use mageyard_cli::output::count_noun;
use mageyard_engine::{branch_name, episode_folder};
use mageyard_screen::{AnswerBar, AskReply, AskSort, AskVariant, AskView, AskedBranch};
use mageyard_study::{ContinuationPlan, ContinuationRow, ContinuationVariant, StoredContinuation};

/// What is shown of the branches of a plan at the step of this reference.
pub(crate) fn view(run: &str, plan: &ContinuationPlan, stored: &[StoredContinuation]) -> AskView {
    let rows = plan.rows(stored);
    let variant = |(index, (variant, row)): (usize, (&ContinuationVariant, &ContinuationRow))| {
        let own = stored.iter().filter(|one| one.variant == index);
        AskVariant { number: index + 1, name: name(variant), ..of_row(row, plan, own) }
    };
    let variants = plan.variants.iter().zip(&rows).enumerate().map(variant).collect();
    AskView {
        sort: AskSort::ToEnd,
        title: format!(
            "{}, {} to the end each",
            count_noun(plan.variants.len(), "variant", "variants"),
            plan.request.samples
        ),
        head: text::plan_lines(run, plan, stored),
        variants,
        tail: text::result_lines(run, plan, &rows),
        replies: rows.iter().map(|row| row.over).sum(),
        calls: plan.count(),
        ..AskView::default()
    }
}

fn name(variant: &ContinuationVariant) -> String {
    let ContinuationVariant { prompt, window, agent, .. } = variant;
    let am = window.am();
    let om = window.om();
    let named = if prompt.is_empty() { String::new() } else { format!("{prompt}  ") };
    format!("{named}AM={am} OM={om}  {agent}")
}

/// The figures of a row with its branches, without a name.
pub(crate) fn of_row<'a>(
    row: &ContinuationRow,
    plan: &ContinuationPlan,
    stored: impl Iterator<Item = &'a StoredContinuation>,
) -> AskVariant {
    let bar = AnswerBar {
        answer: text::GOAL_REACHED.to_owned(),
        share: bar_ends(row.won),
        words: share_text(row.won),
        notes: String::new(),
    };
    AskVariant {
        facts: text::facts(row),
        answers: vec![bar],
        calls: stored.map(|one| Arc::new(branch(plan, one))).collect(),
        ..AskVariant::default()
    }
}

fn branch(plan: &ContinuationPlan, one: &StoredContinuation) -> AskReply {
    let summary = one.summary.as_ref();
    let ending = summary.and_then(|summary| summary.ending).map(|ending| ending.to_string());
    let stuck = one.stuck.as_ref().map(|_| "no action".to_owned());
    let number = episode_folder(&one.journal).1;
    let steps = summary.map(|summary| plan.own_steps(summary) as usize);
    let spent = summary.map(|summary| plan.own_tokens(summary));
    let facts = [
        number.map(branch_name),
        steps.map(|steps| count_noun(steps, "step", "steps")),
        summary.and_then(|summary| summary.score).map(|score| format!("score {score:.2}")),
        spent.filter(|spent| spent.requests > 0).map(tokens_text),
        one.stuck.clone(),
    ];
    AskReply {
        sample: one.sample,
        answer: Some(ending.or(stuck).unwrap_or_else(|| "unfinished".to_owned())),
        facts: facts.into_iter().flatten().collect(),
        branch: Some(AskedBranch { journal: one.journal.clone(), is_over: one.is_over() }),
        ..AskReply::default()
    }
}
