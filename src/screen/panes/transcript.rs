//! The transcript: in the agent pane, above the replies of the shown step, the steps before it and after it, a line each, as far
//! as there is room. Where the pane is wide, the last steps before are drawn, with more of their analyses. It has the same cursor
//! as the filmstrip. While a text is searched, a step that has it says where.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use super::filmstrip::mark_symbol;
use super::search_marks::mark_words;
use super::small_drawing::small_drawing;
use super::{agent, frame_cells, reward_role};
use crate::model::{CodeView, EpisodeView, MAX_DRAWN, Model};
use crate::pane::Pane;
use crate::search::{Query, excerpt, step_excerpt};
use mageyard_domain::{CellGrid, Setting, sanitize};
use mageyard_engine::{Mark, Step};
use mageyard_terminal::{StyleRole, signed, to_cells, truncate, wrap};

/// The fewest rows that are worth it: a step and an empty row.
const FEWEST: u16 = 2;
/// The most rows for steps after the shown one.
const MOST_AFTER: usize = 3;
/// Columns of the action.
const ACTION: u16 = 14;
/// Columns of a step beside its analysis, and the least beside a drawing.
const FACTS: u16 = 28;
/// The columns between a drawing and its step.
const GAP: u16 = 2;
/// The rows that stay for steps of one line, if there are as many, before steps are drawn.
const LINES_FIRST: usize = 4;

/// Where the transcript and the rest of the pane are.
pub(super) struct Split {
    /// The indices of the steps before, from the top.
    before: Range<usize>,
    /// The drawings of the last of them, from the lowest up.
    drawn: Vec<CellGrid>,
    /// The indices of the steps after, which are below the rest.
    after: Range<usize>,
    area: Rect,
    /// Where the rest is.
    pub(super) rest: Rect,
}

/// A step of the transcript, and where it is.
struct Place<'a> {
    index: usize,
    area: Rect,
    drawing: Option<&'a CellGrid>,
}

/// Divides the area below the headline, of which this many rows are needed for the shown step. A slow link carries no transcript,
/// whose rows move with each step.
pub(super) fn split(model: &Model, viewed: &EpisodeView, needed: usize, area: Rect) -> Split {
    let none = Split { before: 0..0, drawn: Vec::new(), after: 0..0, area, rest: area };
    let spare = area.height.saturating_sub(to_cells(needed));
    let is_plain = !model.device.link.is_slow
        && !model.agent.raw
        && model.agent.code_view == CodeView::Replies
        && viewed.snapshot.head.setting == Setting::Online;
    let Some(shown) = agent::step_with_replies(viewed).filter(|_| is_plain && spare >= FEWEST) else {
        return none;
    };
    let steps = viewed.snapshot.steps.len();
    let first = usize::try_from(shown.number.saturating_sub(1)).unwrap_or(0).min(steps);
    let next = (viewed.index() + 1).min(steps);
    let later = (steps - next).min(MOST_AFTER).min(usize::from(spare / 3));
    let after = next..next + later;
    // A row between the transcript and what is below it, and one above the later steps.
    let gaps = usize::from(first > 0) + usize::from(later > 0);
    let room = usize::from(spare).saturating_sub(later + gaps);
    let drawn = drawings(model, viewed, first, room, area.width);
    let drawn_rows: usize = drawn.iter().map(drawn_height).sum();
    let earlier = first.min(drawn.len() + (room - drawn_rows));
    if earlier + later == 0 {
        return none;
    }
    let used = drawn_rows + earlier - drawn.len();
    let top = if earlier > 0 { to_cells(used) + 1 } else { 0 };
    let bottom = if later > 0 { to_cells(later) + 1 } else { 0 };
    let rest = Rect { y: area.y + top, height: area.height - top - bottom, ..area };
    Split { before: first - earlier..first, drawn, after, area, rest }
}

/// The drawings of the last steps before this index that fit into so many rows and leave some to lines, from the lowest up.
fn drawings(model: &Model, viewed: &EpisodeView, first: usize, room: usize, width: u16) -> Vec<CellGrid> {
    let mut drawn = Vec::new();
    let mut used = 0;
    for index in (0..first).rev().take(MAX_DRAWN) {
        let step = viewed.snapshot.steps.get(index);
        let columns = width.saturating_sub(FACTS + GAP);
        let Some(grid) = step.and_then(|step| small_drawing(model, viewed, step, columns)) else { break };
        used += drawn_height(&grid);
        if used + index.min(LINES_FIRST) > room {
            break;
        }
        drawn.push(grid);
    }
    drawn
}

/// The rows of a drawn step with an empty one above it.
fn drawn_height(grid: &CellGrid) -> usize {
    grid.rows().len() + 1
}

impl Split {
    /// The steps from the top.
    fn places(&self) -> Vec<Place<'_>> {
        let lines = self.before.end - self.drawn.len();
        let mut y = self.area.y;
        let mut places = Vec::new();
        for index in self.before.clone() {
            let drawing = index.checked_sub(lines).and_then(|at| self.drawn.iter().rev().nth(at));
            y += u16::from(drawing.is_some());
            let height = drawing.map_or(1, |grid| to_cells(grid.rows().len()));
            places.push(Place { index, area: Rect { y, height, ..self.area }, drawing });
            y += height;
        }
        let below = (self.rest.bottom() + 1..).zip(self.after.clone());
        let line = |(y, index)| Place { index, area: Rect { y, height: 1, ..self.area }, drawing: None };
        places.extend(below.map(line));
        places
    }

    /// The index of the step that is at this cell.
    pub(super) fn step_at(&self, at: Position) -> Option<usize> {
        self.places().iter().find(|place| place.area.contains(at)).map(|place| place.index)
    }
}

pub(super) fn draw(model: &Model, viewed: &EpisodeView, split: &Split, buf: &mut Buffer) {
    let query = query(model);
    for place in split.places() {
        let Some(step) = viewed.snapshot.steps.get(place.index) else { continue };
        let (lines, area) = if let Some(grid) = place.drawing {
            drawn_step(model, viewed, (&place, grid, step), query.as_ref(), buf)
        } else {
            let room = place.area.width.saturating_sub(FACTS);
            let words = words(viewed, place.index, step, query.as_ref(), room);
            (vec![line(model, viewed, place.index, step, &words, place.area.width)], place.area)
        };
        let text = Text::from(lines);
        (&text).render(area, buf);
        if let Some(query) = &query {
            mark_words(model, query, &text.lines, area, buf);
        }
    }
}

/// Draws a step in cells; returns the lines beside the drawing and their place.
fn drawn_step(
    model: &Model,
    viewed: &EpisodeView,
    (place, grid, step): (&Place<'_>, &CellGrid, &Step),
    query: Option<&Query>,
    buf: &mut Buffer,
) -> (Vec<Line<'static>>, Rect) {
    for (row, area) in grid.rows().zip(place.area.rows()) {
        frame_cells::line(model, row).render(area, buf);
    }
    let left = to_cells(grid.columns()) + GAP;
    let area = Rect { x: place.area.x + left, width: place.area.width.saturating_sub(left), ..place.area };
    let words = words(viewed, place.index, step, query, area.width * (area.height - 1));
    let mut lines = vec![line(model, viewed, place.index, step, "", area.width)];
    let style = model.style(StyleRole::Dim);
    lines.extend(wrap(&words, area.width, &Span::raw(""), style));
    if lines.len() > usize::from(area.height) {
        lines.truncate(area.height.into());
        let last = lines.pop().map(|line| format!("{line} …")).unwrap_or_default();
        lines.push(Line::styled(truncate(&last, area.width), style));
    }
    (lines, area)
}

/// What is searched in the transcript: what is searched in its pane.
fn query(model: &Model) -> Option<Query> {
    let search = model.search.as_ref().filter(|_| model.modal.is_none())?;
    search.query().filter(|_| search.is_everywhere || model.panes.focus == Pane::Agent)
}

/// The analysis of a step, or the part of the step that has what is searched, in about so many columns.
fn words(viewed: &EpisodeView, index: usize, step: &Step, query: Option<&Query>, room: u16) -> String {
    let analysis = analysis(step).unwrap_or_default();
    let found = query.and_then(|query| {
        let around = usize::from(room).saturating_sub(query.len() + 2) / 2;
        let own = excerpt(&analysis, query, around);
        own.or_else(|| step_excerpt(viewed, index, Pane::Agent, query, around))
    });
    found.map_or(analysis, |found| sanitize(&found).into_owned())
}

/// A step: its number, its mark, its action, its reward, and how these words begin.
fn line(
    model: &Model,
    viewed: &EpisodeView,
    index: usize,
    step: &Step,
    words: &str,
    width: u16,
) -> Line<'static> {
    let marks = viewed.snapshot.error_analysis.marks().get(index).copied();
    let mark = marks.and_then(|marks| Mark::ALL.into_iter().find(|mark| marks.has(*mark)));
    let (sign, role) = mark.map_or((" ", StyleRole::Dim), mark_symbol);
    let action = match &step.action {
        Some(action) => truncate(&action.label(), ACTION),
        None if step.skipped => "skipped".to_owned(),
        None => "–".to_owned(),
    };
    let gap = usize::from(ACTION + 1).saturating_sub(Span::raw(&action).width());
    let reward = step.effect.as_ref().map(|effect| effect.reward);
    let earned = reward.map_or(StyleRole::Dim, |reward| reward_role(viewed, reward));
    let mut line = Line::from(vec![
        Span::styled(format!("{:>3} ", step.number), model.style(StyleRole::Dim)),
        Span::styled(sign, model.style(role)),
        Span::raw(" "),
        Span::styled(action, model.style(StyleRole::Action)),
        Span::raw(" ".repeat(gap)),
        Span::styled(format!("{:>5}  ", reward.map(signed).unwrap_or_default()), model.style(earned)),
    ]);
    let room = width.saturating_sub(to_cells(line.width()));
    line.spans.push(Span::styled(truncate(words, room), model.style(StyleRole::Dim)));
    line
}

/// The analysis of the last reply, in one line.
pub(crate) fn analysis(step: &Step) -> Option<String> {
    let attempt = step.attempts.last()?;
    let text = attempt.reply.get(attempt.marks.analysis.clone()?)?;
    let words = sanitize(text).split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then_some(words)
}
