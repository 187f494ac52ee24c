//! The verdict on an episode: each kind of error with its count, reason and definition, and the rules of the
//! episode.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::layout::screen_dialog_area;
use crate::model::{EpisodeView, Model};
use crate::panes::mark_symbol;
use mageyard_domain::{EpisodePolicy, OnRepeating, OnReplyFailure, OnUnreadable, Setting};
use mageyard_engine::{MAX_ATTEMPTS, Mark};
use mageyard_terminal::{StyleRole, count_of, to_cells, wrap};

/// Columns of the names.
const NAME_WIDTH: usize = 23;

fn modal_area(model: &Model, whole: Rect) -> Rect {
    let width = 84.min(whole.width.saturating_sub(4));
    super::centered_area(
        whole,
        width,
        to_cells(lines(model, width.saturating_sub(4)).len()).saturating_add(2),
    )
}

pub(super) fn draw(model: &Model, scroll: u16, whole: Rect, buf: &mut Buffer) {
    let place = modal_area(model, whole);
    let lines = lines(model, place.width.saturating_sub(4));
    let foot = super::scroll_footer(lines.len(), place);
    let inner = super::draw_border(model, "Verdict", foot, StyleRole::BorderFocus, place, buf);
    super::draw_lines(model, lines, scroll, inner, buf);
}

/// All lines, as they are drawn.
pub(super) fn shown_lines(model: &Model) -> Vec<Line<'static>> {
    lines(model, modal_area(model, screen_dialog_area(model)).width.saturating_sub(4))
}

pub(super) fn scroll_extent(model: &Model) -> (u16, u16) {
    let place = modal_area(model, screen_dialog_area(model));
    let width = place.width.saturating_sub(4);
    let height = place.height.saturating_sub(2);
    (to_cells(lines(model, width).len()).saturating_sub(height), height.max(1))
}

/// The full verdict at this width.
pub(crate) fn lines(model: &Model, width: u16) -> Vec<Line<'static>> {
    let Some(viewed) = model.episode() else { return Vec::new() };
    let mut lines: Vec<_> = viewed
        .snapshot
        .error_analysis
        .listed()
        .flat_map(|mark| mark_entry(model, viewed, mark, width))
        .collect();
    lines.push(Line::default());
    let rules = policy_text(viewed.snapshot.head.conduct, viewed.snapshot.head.setting);
    lines.extend(wrap(&rules, width, &Span::raw(""), model.style(StyleRole::Dim)));
    lines
}

/// A mark: its symbol, name and count, the reason, and its definition.
fn mark_entry(model: &Model, viewed: &EpisodeView, mark: Mark, width: u16) -> Vec<Line<'static>> {
    let (symbol, role) = mark_symbol(mark);
    let faults = &viewed.snapshot.error_analysis;
    let why = faults.reason(mark);
    let (style, count) = match (&why, faults.count(mark)) {
        (None, _) => (StyleRole::Dim, "none".to_owned()),
        (Some(_), count) => (StyleRole::Title, count_of(count, "step")),
    };
    let doubt = viewed.distance_caveat().filter(|_| mark == Mark::OffPath);
    let doubt = doubt.map_or_else(String::new, |doubt| format!("; {doubt}"));
    let head = Line::from(vec![
        Span::styled(format!("{symbol} "), model.style(role)),
        Span::styled(format!("{:<NAME_WIDTH$}", mark.title()), model.style(style)),
        Span::styled(count, model.style(style)),
        Span::styled(doubt, model.style(StyleRole::Dim)),
    ]);
    let gutter = Span::raw("  ");
    let definition = mark.definition(viewed.snapshot.head.conduct.thresholds);
    let reason = why.map(|why| wrap(&why, width, &gutter, model.style(StyleRole::Text)));
    let meaning = wrap(&definition, width, &gutter, model.style(StyleRole::Dim));
    [head].into_iter().chain(reason.into_iter().flatten()).chain(meaning).collect()
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

/// The rules of the episode for parse errors and repetitions.
fn policy_text(conduct: EpisodePolicy, setting: Setting) -> String {
    let unreadable = match (setting, conduct.on_unreadable) {
        (Setting::Online, OnUnreadable::Skip) => "the step is skipped without an action",
        _ => "the episode ends",
    };
    let repeating = match conduct.on_repeating {
        OnRepeating::Continue => "the episode continues and the steps are marked",
        OnRepeating::End => "the episode ends",
    };
    format!(
        "Rules of this episode: after {MAX_ATTEMPTS} parse errors in a step, {unreadable}; at the repetition limit, \
         {repeating}; after a truncated reply, {}; after a refusal, {}. Settings: play.on_unreadable, \
         play.on_repeating, play.on_cut, play.on_refusal and [faults].",
        failure_text(conduct.on_cut.failure()),
        failure_text(Some(conduct.on_refusal)),
    )
}
