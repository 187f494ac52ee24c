//! The verdict: why the shown step has its marks, each kind of error of the episode with its steps, reason and definition,
//! and the rules of the episode. The kinds that occur are entries that lead to their steps.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::layout::screen_dialog_area;
use crate::model::{EntryMenu, EpisodeView, Model};
use crate::panes::mark_symbol;
use mageyard_domain::{OnRepeating, OnReplyFailure, OnUnreadable, Setting, TimeChecked, sanitize};
use mageyard_engine::{Attempt, Head, Mark, Step};
use mageyard_terminal::{StyleRole, count_of, to_cells, wrap};

/// Columns of the names.
const NAME_WIDTH: usize = 23;

/// The most step numbers that an entry lists.
const MAX_STEPS: usize = 12;
/// Columns of the mark of the selected entry.
const MARK_WIDTH: usize = 2;

/// The lines of the verdict, and its entries: the marks that some step has, each with its lines.
#[derive(Default)]
pub(crate) struct VerdictPage {
    pub(crate) lines: Vec<Line<'static>>,
    pub(crate) entries: Vec<(Mark, Range<usize>)>,
}

fn modal_area(model: &Model, whole: Rect) -> Rect {
    let width = 84.min(whole.width.saturating_sub(4));
    let lines = page(model, None, width.saturating_sub(4)).lines.len();
    super::centered_area(whole, width, to_cells(lines).saturating_add(2))
}

pub(super) fn draw(model: &Model, menu: EntryMenu, whole: Rect, buf: &mut Buffer) {
    let place = modal_area(model, whole);
    let page = page(model, Some(menu.selected), place.width.saturating_sub(4));
    let foot = match page.entries.len() {
        0 => super::scroll_footer(page.lines.len(), place),
        _ => "↑ ↓ select · Enter goes to the next such step · Esc closes",
    };
    let inner = super::draw_border(model, "Verdict", foot, StyleRole::BorderFocus, place, buf);
    super::draw_lines(model, page.lines, menu.scroll, inner, buf);
}

/// The verdict as it is drawn, without a selected entry.
pub(crate) fn shown_page(model: &Model) -> VerdictPage {
    page(model, None, modal_area(model, screen_dialog_area(model)).width.saturating_sub(4))
}

pub(super) fn scroll_extent(model: &Model) -> (u16, u16) {
    let height = modal_area(model, screen_dialog_area(model)).height.saturating_sub(2);
    (to_cells(shown_page(model).lines.len()).saturating_sub(height), height.max(1))
}

/// The whole verdict at this width: the shown step, then the marks of the episode, then its rules.
pub(crate) fn lines(model: &Model, width: u16) -> Vec<Line<'static>> {
    page(model, None, width).lines
}

fn page(model: &Model, selected: Option<usize>, width: u16) -> VerdictPage {
    let Some(viewed) = model.episode() else { return VerdictPage::default() };
    let mut page = VerdictPage { lines: step_lines(model, viewed, width), entries: Vec::new() };
    page.lines.extend([Line::default(), super::heading(model, "The episode")]);
    let faults = &viewed.snapshot.error_analysis;
    for mark in faults.listed() {
        let is_entry = faults.count(mark) > 0;
        let is_selected = is_entry && selected == Some(page.entries.len());
        let rows = mark_entry(model, viewed, (mark, is_selected), width);
        let from = page.lines.len();
        page.lines.extend(rows);
        page.entries.extend(is_entry.then_some((mark, from..page.lines.len())));
    }
    page.lines.push(Line::default());
    let rules = policy_text(&viewed.snapshot.head);
    page.lines.extend(wrap(&rules, width, &Span::raw(""), model.style(StyleRole::Dim)));
    page
}

/// The shown step: which marks it has, and why.
fn step_lines(model: &Model, viewed: &EpisodeView, width: u16) -> Vec<Line<'static>> {
    let Some(step) = viewed.step() else { return Vec::new() };
    let mut lines = vec![super::heading(model, format!("Step {}", step.number))];
    let marks = viewed.snapshot.error_analysis.at(viewed.index());
    for mark in marks.iter() {
        let (symbol, role) = mark_symbol(mark);
        let gutter = Span::styled("    ", model.style(role));
        let words = format!("{}: {}", mark.title(), step_reason(viewed, step, mark));
        let mut rows = wrap(&sanitize(&words), width, &gutter, model.style(StyleRole::Text));
        if let Some(first) = rows.first_mut() {
            first.spans.splice(..1, [Span::styled(format!("  {symbol} "), model.style(role))]);
        }
        lines.extend(rows);
    }
    if marks.is_empty() {
        let words = match (step.is_done(), viewed.is_over()) {
            (true, _) => "  no mark",
            (false, true) => "  no mark; the episode ended before it",
            (false, false) => "  no mark so far; it is not finished",
        };
        lines.push(Line::styled(words, model.style(StyleRole::Dim)));
    }
    lines
}

/// Why a step has a mark, as far as the step itself says it.
fn step_reason(viewed: &EpisodeView, step: &Step, mark: Mark) -> String {
    let thresholds = viewed.snapshot.head.conduct.thresholds;
    let refused = |attempt: &Attempt| match &attempt.verdict {
        Some(Err(error)) => Some(format!("{}: {}", error.rule, error.why)),
        _ => None,
    };
    let own = match mark {
        Mark::ParseError => {
            let failed: Vec<String> = step.attempts.iter().filter_map(refused).collect();
            let tries = count_of(step.attempts.len(), "attempt");
            failed.last().map(|why| format!("{} of {tries} unreadable; the last one: {why}", failed.len()))
        }
        Mark::InvalidAction => step.attempts.iter().rev().find_map(refused),
        Mark::OffPath => viewed.snapshot.distances.detour(viewed.index()).map(|detour| detour.to_string()),
        Mark::Unchanged => {
            step.action.as_ref().map(|action| format!("{} did not change the state", action.label()))
        }
        Mark::RepeatedAction | Mark::Dead => viewed.snapshot.error_analysis.reason(mark),
        _ => None,
    };
    own.unwrap_or_else(|| mark.definition(thresholds))
}

/// A mark: its symbol, name, count and steps, the reason, and its definition.
fn mark_entry(
    model: &Model,
    viewed: &EpisodeView,
    (mark, is_selected): (Mark, bool),
    width: u16,
) -> Vec<Line<'static>> {
    let (symbol, role) = mark_symbol(mark);
    let why = viewed.snapshot.error_analysis.reason(mark);
    let style = match (&why, is_selected) {
        (None, _) => StyleRole::Dim,
        (Some(_), true) => StyleRole::Selection,
        (Some(_), false) => StyleRole::Title,
    };
    let doubt = viewed.distance_caveat().filter(|_| mark == Mark::OffPath);
    let doubt = doubt.map_or_else(String::new, |doubt| format!("; {doubt}"));
    let head = Line::from(vec![
        Span::styled(if is_selected { "▸ " } else { "  " }, model.style(StyleRole::Key)),
        Span::styled(format!("{symbol} "), model.style(role)),
        Span::styled(format!("{:<NAME_WIDTH$}", mark.title()), model.style(style)),
        Span::styled(steps_text(viewed, mark), model.style(style)),
        Span::styled(doubt, model.style(StyleRole::Dim)),
    ]);
    let gutter = Span::raw(" ".repeat(MARK_WIDTH + 2));
    let definition = mark.definition(viewed.snapshot.head.conduct.thresholds);
    let reason = why.map(|why| wrap(&why, width, &gutter, model.style(StyleRole::Text)));
    let meaning = wrap(&definition, width, &gutter, model.style(StyleRole::Dim));
    [head].into_iter().chain(reason.into_iter().flatten()).chain(meaning).collect()
}

/// How many steps have a mark, and the numbers of the first ones: `3 steps: 2, 5, 9`.
fn steps_text(viewed: &EpisodeView, mark: Mark) -> String {
    let faults = &viewed.snapshot.error_analysis;
    let count = faults.count(mark);
    if count == 0 {
        return "none".to_owned();
    }
    let marked = faults.marks().iter().zip(viewed.snapshot.steps.iter()).filter(|(marks, _)| marks.has(mark));
    let numbers: Vec<String> = marked.map(|(_, step)| step.number.to_string()).take(MAX_STEPS + 1).collect();
    let more = if numbers.len() > MAX_STEPS { ", …" } else { "" };
    let shown = &numbers[..numbers.len().min(MAX_STEPS)];
    format!("{}: {}{more}", count_of(count, "step"), shown.join(", "))
}

/// What happens after a reply that failed; `None` if what has come is read.
fn failure_text(policy: Option<OnReplyFailure>) -> &'static str {
    match policy {
        None => "what has come is read",
        Some(OnReplyFailure::Unreadable) => "the agent is asked again, as after a parse error",
        Some(OnReplyFailure::End) => "the episode ends",
        Some(OnReplyFailure::Stop) => "the episode stops with an error and can be resumed",
    }
}

/// The rules of the episode: for parse errors and repetitions, and its limits of steps and time.
fn policy_text(head: &Head) -> String {
    let conduct = head.conduct;
    let unreadable = match (head.setting, conduct.on_unreadable) {
        (Setting::Online, OnUnreadable::Skip) => "the step is skipped without an action",
        _ => "the episode ends",
    };
    let repeating = match conduct.on_repeating {
        OnRepeating::Continue => "the episode continues and the steps are marked".to_owned(),
        OnRepeating::End => "the episode ends".to_owned(),
        OnRepeating::Refuse => {
            let same = conduct.thresholds.same;
            format!("the action that would make {same} equal ones in a row is refused and the episode ends")
        }
    };
    let errors = count_of(usize::try_from(conduct.attempts.count()).unwrap_or(0), "parse error");
    format!(
        "Rules of this episode: after {errors} in a step, {unreadable}; at the repetition limit, \
         {repeating}; after a truncated reply, {}; after a refusal, {}{}. Settings: play.attempts, play.on_unreadable, \
         play.on_repeating, play.on_cut, play.on_refusal and [faults].",
        failure_text(conduct.on_cut.failure()),
        failure_text(Some(conduct.on_refusal)),
        limits_text(head),
    )
}

/// The limits of the episode, as far as the status line does not show them: a step limit of the level, and the time.
fn limits_text(head: &Head) -> String {
    let steps = head.limits_of_level.steps.then(|| {
        let most = usize::try_from(head.max_steps).unwrap_or(usize::MAX);
        format!("; at most {}, set by the level", count_of(most, "step"))
    });
    let time = head.max_time.map(|limit| {
        let set = if head.limits_of_level.time { ", set by the level" } else { "" };
        let checked = match head.conduct.time_checked {
            TimeChecked::Always => "",
            TimeChecked::Between => ", checked between requests and actions",
        };
        format!("; at most {limit} s{set}{checked}")
    });
    steps.into_iter().chain(time).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample_episode;
    use mageyard_domain::{EpisodePolicy, LimitsOfLevel, RepetitionThresholds, Seconds};

    #[test]
    fn the_rules_are_those_of_the_head() {
        let head = Head::clone(&sample_episode().snapshot().head);
        let usual = policy_text(&head);
        assert!(usual.contains("after 3 parse errors in a step"), "{usual}");
        assert!(!usual.contains("at most"), "{usual}");
        let conduct = EpisodePolicy {
            attempts: 1.try_into().unwrap(),
            on_repeating: OnRepeating::Refuse,
            thresholds: RepetitionThresholds { unchanged: 5, same: 3 },
            time_checked: TimeChecked::Between,
            ..head.conduct
        };
        let limits_of_level = LimitsOfLevel { steps: true, time: false };
        let limited = Head { conduct, limits_of_level, max_steps: 1, ..head };
        let text = policy_text(&limited.limited_to(Some(Seconds::whole(30))));
        for words in [
            "after 1 parse error in a step",
            "the action that would make 3 equal ones in a row is refused and the episode ends",
            "; at most 1 step, set by the level; at most 30 s, checked between requests and actions. Settings",
        ] {
            assert!(text.contains(words), "{text}");
        }
    }
}
