//! The filmstrip: one tick a step, so that the run is seen at a glance.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::layout::Rect;

use super::earned;
use crate::engine::Mark;
use crate::engine::Marked;
use crate::engine::Step;
use crate::tui::figures::cells;
use crate::tui::figures::many;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::theme::Role;
use crate::tui::wrap::clip;

/// What the bars mean.
const BARS: &str = "█ gain  ▂ penalty  ▅ loss";

/// Rows of a tick: what it earned, what is wrong with it alone, and what it is on the way.
const ROWS: u16 = 3;
/// From this height on the pane explains its marks itself.
const TALL: u16 = 11;

/// The sign of a mark.
pub(crate) fn sign(mark: Mark) -> (&'static str, Role) {
    match mark {
        Mark::Unread => ("!", Role::MarkUnread),
        Mark::Invalid => ("×", Role::MarkPass),
        Mark::Repeating => ("≡", Role::MarkRepeat),
        Mark::Same => ("=", Role::MarkUnchanged),
        Mark::Off => ("~", Role::MarkOff),
        Mark::Dead => ("†", Role::MarkDead),
        Mark::Edited => ("✎", Role::Warn),
    }
}

/// The bars, or what the filter leaves.
pub(super) fn info(model: &Model, viewed: &Viewed) -> String {
    if !model.only {
        return BARS.to_owned();
    }
    let marked = viewed.snapshot.faults.marks.iter().filter(|marks| marks.meets(model.sought)).count();
    format!("only {}: {marked} of {}", model.sought, viewed.last())
}

/// The short name of a mark.
fn name(mark: Mark) -> &'static str {
    match mark {
        Mark::Unread => "parse",
        Mark::Invalid => "IA",
        Mark::Repeating => "RA",
        Mark::Same => "same",
        Mark::Off => "off",
        Mark::Dead => "dead",
        Mark::Edited => "edited",
    }
}

/// What the marks of this episode mean, in so many columns.
pub(super) fn marks(viewed: &Viewed, room: u16) -> String {
    let faults = &viewed.snapshot.faults;
    let there = Mark::ALL.into_iter().filter(|mark| match mark {
        // What lost the level stands as such.
        Mark::Off => faults.off.iter().any(|off| off.after.is_some()),
        mark => faults.count(*mark) > 0,
    });
    let words: Vec<_> = there.map(|mark| format!("{} {}", sign(mark).0, name(mark))).collect();
    let wide = words.join("  ");
    if cells(wide.chars().count()) <= room { wide } else { clip(&words.join(" "), room) }
}

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

/// Whether this step lost the level.
fn lost(viewed: &Viewed, step: &Step) -> bool {
    viewed.snapshot.faults.lost.as_ref().is_some_and(|lost| lost.step == step.number)
}

/// What is wrong with a step by itself, the worst first.
fn alone(marks: Marked) -> Option<Mark> {
    [Mark::Invalid, Mark::Edited, Mark::Unread, Mark::Same].into_iter().find(|mark| marks.has(*mark))
}

/// The stretch that a step belongs to, or that it was a detour; the step that lost the level shows it in any
/// case.
fn stretch(viewed: &Viewed, step: &Step, marks: Marked) -> Option<Mark> {
    if marks.has(Mark::Dead) && lost(viewed, step) {
        return Some(Mark::Dead);
    }
    [Mark::Repeating, Mark::Dead, Mark::Off].into_iter().find(|mark| marks.has(*mark))
}

/// The indices of the steps that are shown: all, or those with a mark and the one that is looked at.
fn shown(model: &Model, viewed: &Viewed) -> Vec<usize> {
    let marked = |index: usize| viewed.snapshot.faults.at(index).meets(model.sought);
    let all = 0..viewed.snapshot.steps.len();
    all.filter(|index| !model.only || *index == viewed.index() || marked(*index)).collect()
}

/// The part of the shown steps that fits, the one that is looked at in sight, and the columns from one tick to
/// the next: wide while there are few.
fn page(model: &Model, viewed: &Viewed, width: u16) -> (Vec<usize>, u16) {
    let shown = shown(model, viewed);
    let stride = if shown.len() * 2 <= usize::from(width) { 2 } else { 1 };
    let room = usize::from(width / stride).max(1);
    let at = shown.iter().position(|index| *index == viewed.index()).unwrap_or_default();
    let from = at.saturating_sub(room / 2).min(shown.len().saturating_sub(room));
    (shown.into_iter().skip(from).take(room).collect(), stride)
}

pub(super) fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let Some(viewed) = model.viewed() else { return };
    let (page, stride) = page(model, viewed, area.width);
    let columns = (area.left()..area.right()).step_by(stride.into());
    for (index, x) in page.into_iter().zip(columns) {
        let Some(step) = viewed.snapshot.steps.get(index) else { continue };
        let (end, marks) = (viewed.is_final(index), viewed.snapshot.faults.at(index));
        let earned = if end { ("■", Role::Title) } else { reward(viewed, step) };
        let rows = [Some(earned), alone(marks).map(sign), stretch(viewed, step, marks).map(sign)];
        tick(model, rows, Rect { x, width: 1, ..area }, buf);
        if index == viewed.index() {
            let name = if end { "end".to_owned() } else { step.number.to_string() };
            cursor(model, &name, x, area, buf);
        }
    }
    if area.height >= TALL {
        legend(model, viewed, area, buf);
    }
}

/// Every mark with its sign, its name, and how many steps have it.
fn legend(model: &Model, viewed: &Viewed, area: Rect, buf: &mut Buffer) {
    for (mark, row) in Mark::ALL.into_iter().zip(area.rows().skip(usize::from(ROWS) + 2)) {
        let (symbol, role) = sign(mark);
        let count = viewed.snapshot.faults.count(mark);
        let words = format!("{:<22}{}", mark.title(), many(count, "step"));
        let style = model.style(if count > 0 { Role::Text } else { Role::Dim });
        buf.set_stringn(row.x, row.y, symbol, 1, model.style(role));
        buf.set_stringn(row.x + 2, row.y, words, usize::from(row.width.saturating_sub(2)), style);
    }
}

fn tick(model: &Model, rows: [Option<(&'static str, Role)>; ROWS as usize], column: Rect, buf: &mut Buffer) {
    for (row, y) in rows.into_iter().zip(column.rows()) {
        if let Some((symbol, role)) = row {
            buf.set_stringn(y.x, y.y, symbol, 1, model.style(role));
        }
    }
}

/// The pointer below the tick, with the name of the step on the side that has room.
fn cursor(model: &Model, name: &str, x: u16, area: Rect, buf: &mut Buffer) {
    let Some(row) = area.rows().nth(ROWS.into()) else { return };
    let label = format!("▲ {name}");
    let width = cells(label.chars().count());
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
    let (page, stride) = page(model, viewed, area.width);
    page.get(usize::from((at.x - area.x) / stride)).copied()
}
