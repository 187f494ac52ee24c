//! A step in lines: its number, its frame, its replies, its action, and what that did.

use std::sync::Arc;

use super::text::{labelled, one_line};
use super::{frame_lines, reply_lines};
use crate::model::{EpisodeView, claims_summary};
use crate::panes::side_answer_words;
use mageyard_engine::{Mark, Step, step_claims};
use mageyard_terminal::{count_of, signed};

/// How much of a step was told.
#[derive(Clone, Debug, Default)]
pub(super) struct ToldStep {
    /// The texts of its replies, as they were told.
    replies: Vec<Arc<str>>,
    action: Option<String>,
    /// How many of its side requests were told.
    sides: usize,
    /// The reward that was told, once the step was done.
    reward: Option<f64>,
    is_done: bool,
}

/// The first lines of a step: its number and its frame. `before` is the step that was told before it.
pub(super) fn opening(viewed: &EpisodeView, index: usize, step: &Step, before: Option<&Step>) -> Vec<String> {
    let steps = viewed.snapshot.head.max_steps;
    let head = match viewed.snapshot.run.waiting.ending() {
        Some(ending) if viewed.is_end(index) => {
            format!("The end: {ending}, after {} of {steps} steps", viewed.snapshot.steps_done())
        }
        _ => format!("Step {} of {steps}", step.number),
    };
    std::iter::once(head).chain(frame_lines::brief(&viewed.snapshot, step, before)).collect()
}

/// What has happened in a step since it was told last.
pub(super) fn news(viewed: &EpisodeView, index: usize, step: &Step, told: &mut ToldStep) -> Vec<String> {
    let mut lines = side_news(step, told);
    for (at, attempt) in
        step.attempts.iter().enumerate().filter(|(_, attempt)| reply_lines::is_complete(attempt))
    {
        if told.replies.get(at) != Some(&attempt.reply) {
            told.replies.truncate(at);
            told.replies.resize(at, "".into());
            told.replies.push(attempt.reply.clone());
            lines.extend(reply_lines::lines(viewed, step, at, attempt));
        }
    }
    let action = step.action.as_ref().map(ToString::to_string);
    if action.is_some() && told.action != action {
        let edited = if step.edited { ", edited by a person" } else { "" };
        let refused = if step.over_limit { ", refused by the repetition limit" } else { "" };
        let words = |action| labelled("Action", &format!("{action}{edited}{refused}"));
        lines.extend(action.iter().flat_map(words));
        told.action = action;
    }
    if step.is_done() && !std::mem::replace(&mut told.is_done, true) {
        told.reward = reward(step);
        lines.extend(outcome(viewed, index, step));
    }
    lines
}

/// What has happened in a step before the newest one since it was told: answers about its outcome, and what they added to it.
pub(super) fn late_news(viewed: &EpisodeView, index: usize, step: &Step, told: &mut ToldStep) -> Vec<String> {
    let mut lines = side_news(step, told);
    if told.is_done && told.reward != reward(step) {
        told.reward = reward(step);
        lines.extend(outcome(viewed, index, step));
    }
    lines
}

fn reward(step: &Step) -> Option<f64> {
    Some(step.effect.as_ref()?.reward)
}

/// The answers to side requests that were not told yet.
fn side_news(step: &Step, told: &mut ToldStep) -> Vec<String> {
    let new = step.side.get(told.sides..).unwrap_or_default();
    told.sides = step.side.len();
    new.iter()
        .flat_map(|exchange| {
            let role = exchange.role().name();
            labelled("Answer", &format!("{role}: {}", side_answer_words(exchange).0))
        })
        .collect()
}

/// The reward of a step, what the environment said, and the marks of errors.
fn outcome(viewed: &EpisodeView, index: usize, step: &Step) -> Vec<String> {
    let sum = signed(step.returns.sum);
    let mut lines = match &step.effect {
        Some(effect) => vec![format!("Reward: {}, sum {sum}", signed(effect.reward))],
        None => vec![format!("Skipped: no valid action, sum {sum}")],
    };
    if let Some(effect) = &step.effect {
        lines.extend(effect.unchanged.then(|| "Effect: the state did not change".to_owned()));
        lines.extend(effect.interrupted.then(|| "Effect: the action was interrupted".to_owned()));
        lines.extend(effect.note.iter().flat_map(|note| labelled("Effect", note)));
    }
    let claims = claims_summary(&step_claims(&viewed.snapshot.perception, step));
    lines.extend(claims.iter().flat_map(|claims| labelled("Claims", claims)));
    let marks: Vec<&str> = viewed.snapshot.error_analysis.at(index).iter().map(Mark::title).collect();
    if !marks.is_empty() {
        lines.push(format!("Marks: {}", marks.join(", ")));
    }
    lines
}

/// Everything about a step.
pub(super) fn whole(viewed: &EpisodeView, index: usize, step: &Step) -> Vec<String> {
    let mut lines = opening(viewed, index, step, None);
    lines.extend(annotation_lines(viewed, index));
    lines.extend(news(viewed, index, step, &mut ToldStep::default()));
    lines
}

/// The tags and comments of a step.
fn annotation_lines(viewed: &EpisodeView, index: usize) -> Vec<String> {
    let Some(own) = viewed.annotations_at(index) else { return Vec::new() };
    let tags = own.tag_names().collect::<Vec<_>>().join(", ");
    let tags = (!tags.is_empty()).then(|| format!("Tags: {}", one_line(&tags)));
    let comments = own.comments.iter().flat_map(|comment| labelled("Comment", &comment.text));
    tags.into_iter().chain(comments).collect()
}

/// A step in one line, for the list of steps.
pub(super) fn summary(viewed: &EpisodeView, index: usize, step: &Step) -> String {
    let action = match &step.action {
        Some(action) if step.over_limit => {
            format!("{}, refused by the repetition limit", one_line(&action.label()))
        }
        Some(action) => one_line(&action.label()),
        None if step.skipped => "skipped".to_owned(),
        None if viewed.is_end(index) => "the end".to_owned(),
        None => "no action yet".to_owned(),
    };
    let reward =
        step.effect.as_ref().map(|effect| format!(", reward {}", signed(effect.reward))).unwrap_or_default();
    let marks: Vec<&str> = viewed.snapshot.error_analysis.at(index).iter().map(Mark::title).collect();
    let marks = if marks.is_empty() { String::new() } else { format!(", {}", marks.join(", ")) };
    let own = viewed.annotations_at(index);
    let tags = own.map(|own| own.tag_names().collect::<Vec<_>>().join(" ")).unwrap_or_default();
    let tags = if tags.is_empty() { String::new() } else { format!(", tagged {}", one_line(&tags)) };
    let comments = own.map_or(0, |own| own.comments.len());
    let comments = if comments > 0 { format!(", {}", count_of(comments, "comment")) } else { String::new() };
    format!("Step {}: {action}{reward}{marks}{tags}{comments}", step.number)
}
