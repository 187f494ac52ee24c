//! The filmstrip: one tick a step, so that the run is seen at a glance.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::layout::Rect;

use super::earned;
use crate::engine::Step;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::theme::Role;

/// What the bars mean.
pub(super) const BARS: &str = "█ gain  ▂ cost  ▅ loss";
/// What the marks below them mean.
pub(super) const MARKS: &str = "! unread  ✎ edited  = same  × passed";

/// From this height on the pane explains its marks itself.
const TALL: u16 = 8;

/// What a step earned.
fn reward(viewed: &Viewed, step: &Step) -> (&'static str, Role) {
    let Some(reward) = step.effect.as_ref().map(|effect| effect.reward) else {
        return (if step.passed { " " } else { "·" }, Role::Dim);
    };
    match earned(viewed, reward) {
        Role::RewardGood => ("█", Role::RewardGood),
        Role::RewardBad => ("▅", Role::RewardBad),
        _ if reward < 0.0 => ("▂", Role::Dim),
        _ => ("▁", Role::Dim),
    }
}

/// What went wrong in a step, the worst first.
fn mark(step: &Step) -> Option<(&'static str, Role)> {
    let unchanged = step.effect.as_ref().is_some_and(|effect| effect.unchanged);
    match step {
        step if step.passed => Some(("×", Role::MarkPass)),
        step if step.is_edited() => Some(("✎", Role::Warn)),
        step if step.parse_errors() > 0 => Some(("!", Role::MarkUnread)),
        _ if unchanged => Some(("=", Role::MarkUnchanged)),
        _ => None,
    }
}

/// Columns from one tick to the next: wide while there are few steps.
fn stride(viewed: &Viewed, width: u16) -> u16 {
    if viewed.snapshot.steps.len() * 2 <= usize::from(width) { 2 } else { 1 }
}

/// The first step shown, so that the cursor is in sight.
fn first(viewed: &Viewed, width: u16) -> usize {
    let width = usize::from(width / stride(viewed, width)).max(1);
    let last_page = viewed.snapshot.steps.len().saturating_sub(width);
    viewed.index().saturating_sub(width / 2).min(last_page)
}

pub(super) fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let Some(viewed) = model.viewed() else { return };
    let from = first(viewed, area.width);
    let shown = viewed.snapshot.steps.iter().enumerate().skip(from);
    let columns = (area.left()..area.right()).step_by(stride(viewed, area.width).into());
    for ((index, step), x) in shown.zip(columns) {
        let end = viewed.is_final(index);
        let earned = if end { ("■", Role::Title) } else { reward(viewed, step) };
        tick(model, [Some(earned), mark(step)], Rect { x, width: 1, ..area }, buf);
        if index == viewed.index() {
            let name = if end { "end".to_owned() } else { step.number.to_string() };
            cursor(model, &name, x, area, buf);
        }
    }
    if area.height >= TALL {
        let y = area.y + 4;
        buf.set_stringn(area.x, y, MARKS, area.width.into(), model.style(Role::Dim));
    }
}

fn tick(model: &Model, rows: [Option<(&'static str, Role)>; 2], column: Rect, buf: &mut Buffer) {
    for (row, y) in rows.into_iter().zip(column.rows()) {
        if let Some((symbol, role)) = row {
            buf.set_stringn(y.x, y.y, symbol, 1, model.style(role));
        }
    }
}

/// The pointer below the tick, with the name of the step on the side that has room.
fn cursor(model: &Model, name: &str, x: u16, area: Rect, buf: &mut Buffer) {
    let Some(row) = area.rows().nth(2) else { return };
    let label = format!("▲ {name}");
    let width = super::cells(label.chars().count());
    let style = model.style(Role::Key);
    if x + width <= area.right() {
        buf.set_stringn(x, row.y, label, usize::from(width), style);
    } else {
        let label = format!("{name} ▲");
        let start = (x + 1).saturating_sub(width).max(area.x);
        buf.set_stringn(start, row.y, label, usize::from(area.right() - start), style);
    }
}

pub(super) fn tick_at(model: &Model, area: Rect, at: Position) -> Option<usize> {
    let viewed = model.viewed().filter(|_| area.contains(at))?;
    let column = (at.x - area.x) / stride(viewed, area.width);
    let index = first(viewed, area.width) + usize::from(column);
    (index < viewed.snapshot.steps.len()).then_some(index)
}
