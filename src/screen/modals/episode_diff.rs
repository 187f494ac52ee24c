//! Two episodes compared: the frames and the replies of a row side by side.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use super::picture_pair::halves;
use crate::layout::screen_dialog_area;
use crate::model::{EpisodeComparison, Model};
use mageyard_domain::Picture;
use mageyard_engine::Step;
use mageyard_terminal::{StyleRole, signed, to_cells, truncate, wrap};

/// The columns of the dialog, at most.
const MAX_WIDTH: u16 = 116;
/// The rows above the frames: what differs, the names, and the actions.
const HEAD: u16 = 3;
/// The least rows that are worth a frame.
const LEAST_FRAME_ROWS: u16 = 5;

fn modal_area(whole: Rect) -> Rect {
    super::centered_area(whole, MAX_WIDTH, whole.height)
}

/// The areas of the head, of the frames and of the replies.
fn areas(model: &Model, diff: &EpisodeComparison, whole: Rect) -> [Rect; 3] {
    let place = modal_area(whole);
    let inner = Rect {
        x: place.x + 2,
        y: place.y + 1,
        width: place.width.saturating_sub(4),
        height: place.height.saturating_sub(2),
    };
    let half = inner.height.saturating_sub(HEAD) / 2;
    let has_frame = model.shows_pictures() && diff.pictures().iter().any(Option::is_some);
    let frames = if has_frame && half >= LEAST_FRAME_ROWS { half } else { 0 };
    Layout::vertical([Constraint::Length(HEAD), Constraint::Length(frames), Constraint::Fill(1)]).areas(inner)
}

pub(super) fn draw(model: &Model, diff: &EpisodeComparison, whole: Rect, buf: &mut Buffer) {
    let foot = "← → steps · n N differences · j k scroll · Esc closes";
    super::draw_border(model, "Two episodes", foot, StyleRole::BorderFocus, modal_area(whole), buf);
    let [head, _, replies] = areas(model, diff, whole);
    let (role, words) = verdict(diff);
    buf.set_string(head.x, head.y, truncate(&words, head.width), model.style(role));
    let below = Rect { y: head.y + 1, height: head.height.saturating_sub(1), ..head };
    for (side, half) in halves(below).into_iter().enumerate() {
        Text::from(side_lines(model, diff, side, half.width)).render(half, buf);
    }
    let columns = reply_columns(model, diff, replies.width);
    let most = hidden(&columns, replies.height);
    for (lines, half) in columns.into_iter().zip(halves(replies)) {
        let shown = lines.into_iter().skip(diff.scroll.min(most).into()).take(half.height.into());
        Text::from(shown.collect::<Vec<_>>()).render(half, buf);
    }
}

/// The frames of the row, with their areas.
pub(super) fn pictures<'a>(
    model: &Model,
    diff: &'a EpisodeComparison,
    whole: Rect,
) -> Vec<(&'a Arc<Picture>, Rect)> {
    let [_, frames, _] = areas(model, diff, whole);
    if frames.is_empty() {
        return Vec::new();
    }
    let both = diff.pictures().into_iter().zip(halves(frames));
    both.filter_map(|(picture, half)| Some((picture?, half))).collect()
}

/// What differs in the row.
fn verdict(diff: &EpisodeComparison) -> (StyleRole, String) {
    let (at, count) = diff.position();
    let first = if diff.first_difference() == Some(at) { ", the first difference" } else { "" };
    let place = format!("row {} of {count}", at + 1);
    let label = diff.pair.as_ref().map_or_else(String::new, |pair| format!(" · {}", pair.label()));
    match diff.shown_steps() {
        [Some(old), Some(new)] if old.state == new.state && old.action == new.action => {
            (StyleRole::Ok, format!("= the same state and the same action · {place}"))
        }
        [Some(old), Some(new)] if old.state == new.state => {
            (StyleRole::Warn, format!("≠ the same state, another action{first} · {place}"))
        }
        [Some(_), Some(_)] => (StyleRole::Warn, format!("≠ another state{first} · {place}{label}")),
        _ => (StyleRole::Warn, format!("≠ only one of them has this step{first} · {place}")),
    }
}

/// The name of a side with its step, and its action.
fn side_lines(model: &Model, diff: &EpisodeComparison, side: usize, width: u16) -> Vec<Line<'static>> {
    let name = &diff.sides[side].name;
    let step = diff.shown_steps()[side];
    let title = match step {
        Some(step) => format!("{name}, step {}", step.number),
        None => format!("{name}: no such step"),
    };
    vec![
        super::heading(model, truncate(&title, width)),
        Line::styled(truncate(&done(step), width), model.style(StyleRole::Action)),
    ]
}

/// The action of a step and its reward.
fn done(step: Option<&Arc<Step>>) -> String {
    let Some(step) = step else { return String::new() };
    let reward = step.effect.as_ref().map_or(String::new(), |effect| format!("  {}", signed(effect.reward)));
    step.action.as_ref().map_or("no action".to_owned(), |action| format!("▶ {}{reward}", action.label()))
}

/// The replies of both, below what was observed where there is no reply or no picture is shown.
fn reply_columns(model: &Model, diff: &EpisodeComparison, width: u16) -> [Vec<Line<'static>>; 2] {
    let [half, _] = halves(Rect::new(0, 0, width, 1));
    let wrapped = |text: &str, role| wrap(text, half.width, &Span::raw(""), model.style(role));
    diff.shown_steps().map(|step| {
        let Some(step) = step else { return Vec::new() };
        let reply = step.output();
        let mut lines = Vec::new();
        if reply.is_none() || !model.shows_pictures() {
            lines.extend(wrapped(step.observation.text(), StyleRole::Text));
            lines.push(Line::default());
        }
        lines.extend(reply.into_iter().flat_map(|reply| wrapped(reply, StyleRole::Text)));
        lines
    })
}

fn hidden(columns: &[Vec<Line<'static>>; 2], height: u16) -> u16 {
    let longest = columns.iter().map(Vec::len).max().unwrap_or(0);
    to_cells(longest).saturating_sub(height)
}

/// The largest scroll position, and the lines of a page.
pub(crate) fn extent(model: &Model, diff: &EpisodeComparison) -> (u16, u16) {
    let [.., replies] = areas(model, diff, screen_dialog_area(model));
    (hidden(&reply_columns(model, diff, replies.width), replies.height), replies.height.max(1))
}

/// The row as lines, for the linear mode.
pub(crate) fn said(diff: &EpisodeComparison) -> Vec<String> {
    let mut lines = vec![verdict(diff).1];
    for (side, step) in diff.sides.iter().zip(diff.shown_steps()) {
        let number = step.map_or("no step".to_owned(), |step| format!("step {}", step.number));
        lines.push(format!("{}, {number}: {}", side.name, done(step)));
        lines.extend(step.and_then(|step| step.output()).iter().map(|reply| format!("reply: {reply}")));
    }
    lines
}
