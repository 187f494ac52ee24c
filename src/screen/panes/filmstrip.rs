//! The filmstrip: one column (tick) per step with its reward and its marks.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Text;
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use super::annotations::annotation_sign;
use super::thumbnails::Thumbnail;
use super::{reward_role, thumbnails};
use crate::empty::{self, Empty};
use crate::model::{EpisodeView, Model};
use mageyard_domain::sanitize;
use mageyard_engine::{Mark, MarkSet, Step};
use mageyard_terminal::{FrameCache, StyleRole, count_of, to_cells, truncate};

/// The legend of the reward bars.
const BAR_LEGEND: &str = "█ gain  ▂ penalty  ▅ loss";

/// Rows of a tick: reward, mark of the step, mark of the stretch it belongs to.
const TICK_ROWS: u16 = 3;
/// The least height in rows at which the pane lists all marks with their counts.
const MARK_COUNTS_HEIGHT: u16 = 12;

/// The most columns of the names in the list of marks.
const MARK_NAME_WIDTH: u16 = 24;

/// The symbol and style of a mark.
pub fn mark_symbol(mark: Mark) -> (&'static str, StyleRole) {
    match mark {
        Mark::ParseError => ("!", StyleRole::MarkUnread),
        Mark::IncompleteReply => ("✂", StyleRole::Warn),
        Mark::Dropped => ("∅", StyleRole::Warn),
        Mark::InvalidAction => ("×", StyleRole::MarkInvalid),
        Mark::RepeatedAction => ("≡", StyleRole::MarkRepeat),
        Mark::NotRendered => ("▨", StyleRole::MarkUnread),
        Mark::FailedInteraction => ("⌁", StyleRole::MarkUnread),
        Mark::Unchanged => ("=", StyleRole::MarkUnchanged),
        Mark::OffPath => ("~", StyleRole::MarkOff),
        Mark::Dead => ("†", StyleRole::MarkDead),
        Mark::Edited => ("✎", StyleRole::Warn),
    }
}

/// The title on the right: the legend of the bars, or how many steps the filter shows.
pub(super) fn info(model: &Model, viewed: &EpisodeView) -> String {
    if !model.marks.only {
        return BAR_LEGEND.to_owned();
    }
    let marked = viewed
        .snapshot
        .error_analysis
        .marks()
        .iter()
        .filter(|marks| marks.intersects(model.marks.searched))
        .count();
    format!("only {}: {marked} of {}", model.marks.searched, viewed.last_step())
}

/// The short name of a mark.
fn mark_label(mark: Mark) -> &'static str {
    match mark {
        Mark::ParseError => "parse",
        Mark::IncompleteReply => "ending",
        Mark::Dropped => "dropped",
        Mark::InvalidAction => "IA",
        Mark::RepeatedAction => "RA",
        Mark::NotRendered => "Ren",
        Mark::FailedInteraction => "Act",
        Mark::Unchanged => "same",
        Mark::OffPath => "off",
        Mark::Dead => "dead",
        Mark::Edited => "edited",
    }
}

/// The legend of the marks that occur in this episode, in at most `room` columns.
pub(super) fn mark_legend(viewed: &EpisodeView, room: u16) -> String {
    let faults = &viewed.snapshot.error_analysis;
    let there = Mark::ALL.into_iter().filter(|mark| match mark {
        // The step that made the level unsolvable is marked as dead, not as off the path.
        Mark::OffPath => faults.detours.steps > 0,
        mark => faults.count(*mark) > 0,
    });
    let marks = there.map(|mark| format!("{} {}", mark_symbol(mark).0, mark_label(mark)));
    let (tags, comments) = viewed.annotations.counts();
    let own = [(tags, "# tag"), (comments, "; comment")];
    let own = own.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words.to_owned());
    let words: Vec<_> = marks.chain(own).collect();
    let wide = words.join("  ");
    if to_cells(wide.chars().count()) <= room { wide } else { truncate(&words.join(" "), room) }
}

/// The bar and style for the reward of a step.
fn reward_bar(viewed: &EpisodeView, step: &Step) -> (&'static str, StyleRole) {
    let Some(reward) = step.effect.as_ref().map(|effect| effect.reward) else {
        return (if step.skipped { " " } else { "·" }, StyleRole::Dim);
    };
    match reward_role(viewed, reward) {
        StyleRole::RewardGood => ("█", StyleRole::RewardGood),
        StyleRole::RewardBad => ("▅", StyleRole::RewardBad),
        _ if reward < 0.0 => ("▂", StyleRole::Dim),
        _ => ("▁", StyleRole::Dim),
    }
}

/// Whether the level became unsolvable at this step.
fn made_level_unsolvable(viewed: &EpisodeView, step: &Step) -> bool {
    viewed.snapshot.error_analysis.dead_state.as_ref().is_some_and(|lost| lost.step == step.number)
}

/// The most important mark of the step by itself.
fn step_mark(marks: MarkSet) -> Option<Mark> {
    const OWN: [Mark; 8] = [
        Mark::InvalidAction,
        Mark::Edited,
        Mark::IncompleteReply,
        Mark::ParseError,
        Mark::NotRendered,
        Mark::FailedInteraction,
        Mark::Dropped,
        Mark::Unchanged,
    ];
    OWN.into_iter().find(|mark| marks.has(*mark))
}

/// The mark of the stretch that a step belongs to: repetition, dead states or a detour. The step that made
/// the level unsolvable always shows that.
fn trajectory_mark(viewed: &EpisodeView, step: &Step, marks: MarkSet) -> Option<Mark> {
    if marks.has(Mark::Dead) && made_level_unsolvable(viewed, step) {
        return Some(Mark::Dead);
    }
    [Mark::RepeatedAction, Mark::Dead, Mark::OffPath].into_iter().find(|mark| marks.has(*mark))
}

/// The indices of the steps with a mark of the filter, and of the one in view.
fn marked_steps(model: &Model, viewed: &EpisodeView) -> Vec<usize> {
    let marked = |index: usize| viewed.snapshot.error_analysis.at(index).intersects(model.marks.searched);
    let all = 0..viewed.snapshot.steps.len();
    all.filter(|index| *index == viewed.index() || marked(*index)).collect()
}

/// The steps that fit into `width` columns, including the one in view, and the columns per tick: 2 while
/// all steps fit that way, otherwise 1.
fn visible_steps(model: &Model, viewed: &EpisodeView, width: u16) -> (Vec<usize>, u16) {
    if !model.marks.only {
        let (page, stride) = page(viewed.snapshot.steps.len(), viewed.index(), width);
        return (page.collect(), stride);
    }
    let shown = marked_steps(model, viewed);
    let at = shown.binary_search(&viewed.index()).unwrap_or_default();
    let (page, stride) = page(shown.len(), at, width);
    (shown.get(page).unwrap_or_default().to_vec(), stride)
}

/// The part of so many ticks around this one that fits into `width` columns, and the columns per tick.
fn page(count: usize, at: usize, width: u16) -> (Range<usize>, u16) {
    let stride = if count * 2 <= usize::from(width) { 2 } else { 1 };
    let room = usize::from(width / stride).max(1);
    let from = at.saturating_sub(room / 2).min(count.saturating_sub(room));
    (from..count.min(from + room), stride)
}

/// The rows of the ticks with the pointer below them.
const TICKS: u16 = TICK_ROWS + 1;

/// The thumbnails below the ticks in this area.
pub(super) fn thumbnails_in(model: &Model, area: Rect) -> Vec<Thumbnail<'_>> {
    let Some(viewed) = model.episode() else { return Vec::new() };
    let rows = area.height.saturating_sub(TICKS).min(thumbnails::ROWS.end - 1);
    let all = || (0..viewed.snapshot.steps.len()).collect();
    let steps: Vec<usize> = if model.marks.only { marked_steps(model, viewed) } else { all() };
    thumbnails::thumbnails(model, &steps, Rect { y: area.y + TICKS.min(area.height), height: rows, ..area })
}

pub(super) fn draw(model: &Model, gallery: &FrameCache, area: Rect, buf: &mut Buffer) {
    let Some(viewed) = model.episode() else { return };
    if viewed.snapshot.steps.is_empty() {
        return Text::from(empty::lines(model, Empty::Steps, area.width)).render(area, buf);
    }
    let (page, stride) = visible_steps(model, viewed, area.width);
    let columns = (area.left()..area.right()).step_by(stride.into());
    let mut shown = None;
    for (index, x) in page.into_iter().zip(columns) {
        let Some(step) = viewed.snapshot.steps.get(index) else { continue };
        let end = viewed.is_end(index);
        let marks = viewed.snapshot.error_analysis.at(index);
        let earned = if end { ("■", StyleRole::Title) } else { reward_bar(viewed, step) };
        let rows = [
            Some(earned),
            step_mark(marks).map(mark_symbol),
            trajectory_mark(viewed, step, marks).map(mark_symbol),
        ];
        draw_tick(model, rows, Rect { x, width: 1, ..area }, buf);
        let sign = annotation_sign(viewed.annotations_at(index));
        draw_sign(model, sign.filter(|_| index != viewed.index()), x, area, buf);
        if index == viewed.index() {
            shown = Some((index, x));
        }
    }
    if let Some((index, x)) = shown {
        draw_cursor_at(model, viewed, index, x, area, buf);
    }
    let small = thumbnails_in(model, area);
    thumbnails::draw(model, &small, gallery, buf);
    let used = small.first().map_or(0, |one| one.area.height + 1);
    let rest = Rect { y: area.y + used, height: area.height.saturating_sub(used), ..area };
    if rest.height >= MARK_COUNTS_HEIGHT {
        draw_mark_counts(model, viewed, rest, buf);
    }
}

/// Draws the sign of tags and comments below the tick.
fn draw_sign(model: &Model, sign: Option<&str>, x: u16, area: Rect, buf: &mut Buffer) {
    if let (Some(sign), Some(row)) = (sign, area.rows().nth(TICK_ROWS.into())) {
        buf.set_stringn(x, row.y, sign, 1, model.style(StyleRole::Notice));
    }
}

/// Draws the pointer below the tick of the shown step.
fn draw_cursor_at(model: &Model, viewed: &EpisodeView, index: usize, x: u16, area: Rect, buf: &mut Buffer) {
    let Some(step) = viewed.snapshot.steps.get(index) else { return };
    let name = if viewed.is_end(index) { "end".to_owned() } else { step.number.to_string() };
    let remark = step.effect.as_ref().and_then(|effect| effect.note.as_deref()).unwrap_or_default();
    let sign = annotation_sign(viewed.annotations_at(index)).unwrap_or_default();
    draw_cursor(model, (&format!("{name}{sign}"), remark), x, area, buf);
}

/// Lists every mark with its symbol, its name and the number of steps that have it.
fn draw_mark_counts(model: &Model, viewed: &EpisodeView, area: Rect, buf: &mut Buffer) {
    let listed = viewed.snapshot.error_analysis.listed();
    for (mark, row) in listed.zip(area.rows().skip(usize::from(TICK_ROWS) + 2)) {
        let (symbol, role) = mark_symbol(mark);
        let count = viewed.snapshot.error_analysis.count(mark);
        let count_text = count_of(count, "step");
        let room = row.width.saturating_sub(2 + to_cells(count_text.len()));
        let name_width = room.min(MARK_NAME_WIDTH);
        let name = truncate(mark.title(), name_width.saturating_sub(1));
        let words = format!("{name:<0$}{count_text}", usize::from(name_width));
        let style = model.style(if count > 0 { StyleRole::Text } else { StyleRole::Dim });
        buf.set_stringn(row.x, row.y, symbol, 1, model.style(role));
        buf.set_stringn(row.x + 2, row.y, words, usize::from(row.width.saturating_sub(2)), style);
    }
}

fn draw_tick(
    model: &Model,
    rows: [Option<(&'static str, StyleRole)>; TICK_ROWS as usize],
    column: Rect,
    buf: &mut Buffer,
) {
    for (row, y) in rows.into_iter().zip(column.rows()) {
        if let Some((symbol, role)) = row {
            buf.set_stringn(y.x, y.y, symbol, 1, model.style(role));
        }
    }
}

/// The least columns for the remark of the environment on a step.
const REMARK_WIDTH: u16 = 8;

/// Draws the pointer below the tick, with the step number on the side that has room, and the remark on the step, such as
/// how many frames it took and why it ended, where there is room for a part of it.
fn draw_cursor(model: &Model, (name, remark): (&str, &str), x: u16, area: Rect, buf: &mut Buffer) {
    let Some(row) = area.rows().nth(TICK_ROWS.into()) else { return };
    let label = format!("▲ {name}");
    let width = to_cells(label.chars().count());
    let style = model.style(StyleRole::Key);
    let fits = x + width <= area.right();
    let label = if fits { label } else { format!("{name} ▲") };
    let start = if fits { x } else { (x + 1).saturating_sub(width).max(area.x) };
    buf.set_stringn(start, row.y, label, usize::from(area.right() - start), style);
    let left = start.saturating_sub(area.x + 1);
    let right = area.right().saturating_sub(start + width + 2);
    let room = left.max(right);
    if !remark.is_empty() && room >= REMARK_WIDTH {
        let remark = truncate(&sanitize(remark), room);
        let at = if right >= left { start + width + 2 } else { start - 1 - to_cells(remark.width()) };
        buf.set_stringn(at, row.y, remark, usize::from(room), model.style(StyleRole::Dim));
    }
}

pub(super) fn tick_at(model: &Model, area: Rect, at: Position) -> Option<usize> {
    let viewed = model.episode().filter(|_| area.contains(at))?;
    if let Some(thumbnail) = thumbnails::thumbnail_at(&thumbnails_in(model, area), at) {
        return Some(thumbnail.index);
    }
    let (page, stride) = visible_steps(model, viewed, area.width);
    page.get(usize::from((at.x - area.x) / stride)).copied()
}

/// The index of the picture of the shown step whose thumbnail is at this cell, if it has several.
pub(super) fn picture_at(model: &Model, area: Rect, at: Position) -> Option<usize> {
    thumbnails::thumbnail_at(&thumbnails_in(model, area), at)?.number
}
