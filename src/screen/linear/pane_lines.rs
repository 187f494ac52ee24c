//! What a pane shows, read in full: each pane has a command of its name, and so has the status.

use super::text::{labelled, one_line, plain};
use super::{frame_lines, step_lines};
use crate::model::{CodeView, EpisodeView, Model};
use crate::pane::Pane;
use crate::panes;
use mageyard_domain::ScoreRow;

/// The most steps of the list before and after the shown one.
const MAX_STEPS: usize = 20;

/// Something that is read on request and changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// A pane of the full screen.
    Pane(Pane),
    /// What is played, the state and what comes next.
    Status,
}

impl Reading {
    /// The word `status`.
    const STATUS: &'static str = "status";

    /// The reading that a line asks for.
    pub(crate) fn of(line: &str) -> Option<Self> {
        let word = line.trim();
        let word = word.strip_prefix(':').unwrap_or(word);
        if word == Self::STATUS {
            return Some(Self::Status);
        }
        // To focus a pane is to read it.
        let word = word.strip_prefix("focus-").unwrap_or(word);
        Pane::ALL.into_iter().find(|pane| pane.name().to_lowercase() == word).map(Self::Pane)
    }

    /// The words that ask for a reading, with what each one reads.
    pub(super) fn all() -> Vec<(String, String)> {
        let what = |pane: Pane| match pane {
            Pane::Frame => "the frame, with the rows of a grid and each part",
            Pane::Agent => "the replies of the step and how they were read",
            Pane::Memory => "which outputs and frames are in the request, and why not",
            Pane::Score => "rewards, optimum and score",
            Pane::Steps => "the steps, a line each",
        };
        let panes = Pane::ALL.into_iter().map(|pane| (pane.name().to_lowercase(), what(pane).to_owned()));
        panes.chain([(Self::STATUS.to_owned(), "what is played, and what comes next".to_owned())]).collect()
    }

    /// Its lines.
    pub(crate) fn lines(self, model: &Model) -> Vec<String> {
        let Some(viewed) = model.episode() else { return vec!["Status: no episode is open".to_owned()] };
        match self {
            Self::Status => status(model),
            Self::Pane(Pane::Frame) => frame(model, viewed),
            Self::Pane(Pane::Agent) => agent(model, viewed),
            Self::Pane(Pane::Memory) => memory(model),
            Self::Pane(Pane::Score) => score(model),
            Self::Pane(Pane::Steps) => steps(model, viewed),
        }
    }
}

fn status(model: &Model) -> Vec<String> {
    let mut lines: Vec<String> =
        panes::status_summary(model).iter().flat_map(|words| labelled("Status", words)).collect();
    if let Some((state, next)) = panes::state_words(model) {
        lines.push(format!("State: {}", state.to_lowercase()));
        lines.extend(labelled("Next", &next));
    }
    let label = model.episode().map(|viewed| format!("Shown: {}", viewed.step_label()));
    lines.into_iter().chain(label).collect()
}

/// The frame in full, then what the environment shows of it besides.
fn frame(model: &Model, viewed: &EpisodeView) -> Vec<String> {
    let Some(step) = viewed.step() else { return vec!["Frame: the environment is still opening".to_owned()] };
    let mut lines = vec![format!("Shown: {}", viewed.step_label())];
    lines.extend(frame_lines::whole(&viewed.snapshot, step));
    if let (Some(shown), Some(page)) = (model.shown_view(), model.shown_page()) {
        lines.extend(labelled("View", &format!("{}, {}", shown.view.name, page.label())));
        let pairs = model.shown_boxes().map(panes::boxes_legend);
        lines.extend(pairs.iter().flat_map(|words| labelled("View", words)));
    }
    if model.frame.as_sent {
        lines.extend(labelled("As sent", &sent(model)));
    }
    lines.extend(
        model
            .film_label()
            .or_else(|| model.film_offer("film plays them"))
            .map(|words| format!("Film: {words}")),
    );
    lines.extend(model.details_error().iter().flat_map(|why| labelled("Frame", why)));
    lines
}

/// The frame as it was sent, in words.
fn sent(model: &Model) -> String {
    match (crate::sent_frame::missing_frame_message(model), &model.frame.decoded) {
        (Some(why), _) => why,
        (None, Some(decoded)) => match &decoded.frame {
            Ok(shot) => shot.caption(u16::MAX),
            Err(why) => why.clone(),
        },
        (None, None) => "not decoded".to_owned(),
    }
}

fn agent(model: &Model, viewed: &EpisodeView) -> Vec<String> {
    let Some(step) = viewed.step() else { return vec!["Agent: no step yet".to_owned()] };
    if model.agent.raw || model.agent.code_view != CodeView::Replies {
        let lines = plain(&panes::agent_lines(model));
        let head = format!("Agent: {}, {} lines", viewed.step_label(), lines.len());
        return std::iter::once(head).chain(lines.into_iter().map(|line| format!("  {line}"))).collect();
    }
    step_lines::whole(viewed, viewed.index(), step)
}

fn memory(model: &Model) -> Vec<String> {
    let rows = panes::memory_rows(model).into_iter().map(|row| format!("Memory: {}", one_line(&row)));
    panes::memory_summary(model).map(|words| format!("Memory: {words}")).into_iter().chain(rows).collect()
}

fn score(model: &Model) -> Vec<String> {
    let sums = plain(&panes::score_lines(model))
        .into_iter()
        .map(|line| format!("Score: {}", line.split_whitespace().collect::<Vec<_>>().join(" ")));
    let mut lines: Vec<String> = sums.collect();
    let rows = model.details().map_or(&[][..], |details| &details.score);
    for row in rows {
        score_row(row, 0, &mut lines);
    }
    lines
}

/// A row of the score and the rows that it consists of.
fn score_row(row: &ScoreRow, depth: usize, lines: &mut Vec<String>) {
    let share = row.share.map(|share| format!(", {:.0} %", share * 100.0)).unwrap_or_default();
    let note = if row.note.is_empty() { String::new() } else { format!(", {}", one_line(&row.note)) };
    let label = one_line(&row.label);
    let value = one_line(&row.value);
    lines.push(format!("Score: {}{label} {value}{share}{note}", "  ".repeat(depth)));
    for below in &row.rows {
        score_row(below, depth + 1, lines);
    }
}

/// The steps around the shown one, or those with the marks of the last search.
fn steps(model: &Model, viewed: &EpisodeView) -> Vec<String> {
    let faults = &viewed.snapshot.error_analysis;
    let all: Vec<usize> = (0..viewed.snapshot.steps.len())
        .filter(|index| !model.marks.only || faults.at(*index).intersects(model.marks.searched))
        .collect();
    let here = all.partition_point(|index| *index < viewed.index());
    let range = here.saturating_sub(MAX_STEPS)..all.len().min(here + MAX_STEPS + 1);
    let mut lines =
        vec![format!("Steps: {} to {} of {}", (range.start + 1).min(all.len()), range.end, all.len())];
    let shown = all[range].iter().filter_map(|index| {
        let words = step_lines::summary(viewed, *index, viewed.snapshot.steps.get(*index)?);
        let mark = if *index == viewed.index() { ", shown" } else { "" };
        Some(format!("{words}{mark}"))
    });
    lines.extend(shown);
    lines
}
