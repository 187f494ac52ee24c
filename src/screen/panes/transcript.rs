//! The transcript: in the agent pane, above the replies of the shown step, the steps before it and after it, a line each, as far
//! as there is room. It has the same cursor as the filmstrip.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use super::filmstrip::mark_symbol;
use super::{agent, reward_role};
use crate::model::{CodeView, EpisodeView, Model};
use mageyard_domain::{Setting, sanitize};
use mageyard_engine::{Mark, Step};
use mageyard_terminal::{StyleRole, signed, to_cells, truncate};

/// The fewest rows that are worth it: a step and an empty row.
const FEWEST: u16 = 2;
/// The most rows for steps after the shown one.
const MOST_AFTER: usize = 3;
/// Columns of the action.
const ACTION: u16 = 14;

/// Where the transcript and the rest of the pane are.
pub(super) struct Split {
    /// The indices of the steps before, from the top.
    before: std::ops::Range<usize>,
    /// Those of the steps after, which are below the rest.
    after: std::ops::Range<usize>,
    area: Rect,
    /// Where the rest is.
    pub(super) rest: Rect,
}

/// Divides the area below the headline, of which this many rows are needed for the shown step. A slow link carries no transcript,
/// whose rows move with each step.
pub(super) fn split(model: &Model, viewed: &EpisodeView, needed: usize, area: Rect) -> Split {
    let none = Split { before: 0..0, after: 0..0, area, rest: area };
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
    let earlier = first.min(usize::from(spare).saturating_sub(later + gaps));
    if earlier + later == 0 {
        return none;
    }
    let top = if earlier > 0 { to_cells(earlier) + 1 } else { 0 };
    let bottom = if later > 0 { to_cells(later) + 1 } else { 0 };
    let rest = Rect { y: area.y + top, height: area.height - top - bottom, ..area };
    Split { before: first - earlier..first, after, area, rest }
}

impl Split {
    /// The rows with the index of each step.
    fn rows(&self) -> impl Iterator<Item = (u16, usize)> {
        let top = (self.area.y..).zip(self.before.clone());
        let bottom = (self.rest.bottom() + 1..).zip(self.after.clone());
        top.chain(bottom)
    }

    /// The index of the step whose row is at this cell.
    pub(super) fn step_at(&self, at: Position) -> Option<usize> {
        self.rows().find(|(y, _)| *y == at.y && self.area.contains(at)).map(|(_, index)| index)
    }
}

pub(super) fn draw(model: &Model, viewed: &EpisodeView, split: &Split, buf: &mut Buffer) {
    for (y, index) in split.rows() {
        let Some(step) = viewed.snapshot.steps.get(index) else { continue };
        let line = line(model, viewed, index, step, split.area.width);
        Text::from(line).render(Rect { y, height: 1, ..split.area }, buf);
    }
}

/// A step: its number, its mark, its action, its reward, and how the analysis begins.
fn line(model: &Model, viewed: &EpisodeView, index: usize, step: &Step, width: u16) -> Line<'static> {
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
    let analysis = analysis(step).unwrap_or_default();
    line.spans.push(Span::styled(truncate(&analysis, room), model.style(StyleRole::Dim)));
    line
}

/// The analysis of the last reply, in one line.
pub(crate) fn analysis(step: &Step) -> Option<String> {
    let attempt = step.attempts.last()?;
    let text = attempt.reply.get(attempt.marks.analysis.clone()?)?;
    let words = sanitize(text).split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then_some(words)
}
