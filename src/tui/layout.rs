//! The layout of the panes for a terminal size. Columns follow the content: the frame takes what its picture needs,
//! and the agent's replies get the rest. The person can move the borders; drawing is left to `view`.

use ratatui::layout::Constraint;
use ratatui::layout::Layout;
use ratatui::layout::Rect;
use ratatui::layout::Size;

use super::model::Model;
use super::pane::Pane;
use super::pane::Proportions;
use super::pane::footer_height;
use super::panes;

/// The smallest supported terminal in columns and rows.
pub(crate) const MIN_SIZE: (u16, u16) = (60, 16);
/// The least columns and rows for frame, agent and memory side by side.
const THREE_COLUMNS: (u16, u16) = (110, 30);
/// The least columns for all panes side by side on a low terminal.
const STRIP: u16 = 180;
/// The least columns for a pane beside the frame.
const TWO_COLUMNS: u16 = 76;
/// The least rows for all panes on a terminal too narrow for three columns: with two columns, and with one.
const TALL: (u16, u16) = (44, 56);
/// The least rows for a pane below the frame.
const TWO_ROWS: u16 = 34;

/// The least columns of a pane, and the least rows.
const MIN_PANE: (u16, u16) = (28, 6);
/// The rows of the filmstrip with its border.
const STEPS_HEIGHT: u16 = 6;
/// The rows of memory and score where they share a row.
const BOTTOM_HEIGHT: u16 = 14;
/// The columns and rows by which a border moves at a time.
const STEP: (i32, i32) = (4, 2);

/// The areas of the screen.
pub(crate) struct Areas {
    pub(crate) panes: Vec<(Pane, Rect)>,
    /// The panes that share the area of the last one, as tabs; empty if none do.
    pub(crate) tabs: &'static [Pane],
    pub(crate) status: Rect,
    pub(crate) hint: Rect,
}

/// Whether a terminal of this size is large enough for the screen.
pub(crate) fn fits(size: Size) -> bool {
    size.width >= MIN_SIZE.0 && size.height >= MIN_SIZE.1
}

/// The layout for an area, or `None` if it is too small.
pub(crate) fn areas(model: &Model, whole: Rect) -> Option<Areas> {
    if !fits(whole.as_size()) {
        return None;
    }
    let lines = footer_height(whole.width) - 1;
    let [body, status, hint] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(lines), Constraint::Length(1)])
            .areas(whole);
    let Rect { width, height, .. } = whole;
    let (panes, tabs) = if model.zoomed {
        (vec![(model.focus, body)], &[][..])
    } else if width >= THREE_COLUMNS.0 && height >= THREE_COLUMNS.1 {
        (three_columns(model, body), &[][..])
    } else if width >= STRIP {
        (strip(model, body), &[][..])
    } else if width >= TWO_COLUMNS && height >= TALL.0 {
        (tall_columns(model, body), &[][..])
    } else if width >= TWO_COLUMNS {
        (two_columns(model, body), &Pane::ALL[1..])
    } else if height >= TALL.1 {
        (stack(model, body), &[][..])
    } else if height >= TWO_ROWS {
        (two_rows(model, body), &Pane::ALL[1..])
    } else {
        (vec![(model.focus, body)], &Pane::ALL[..])
    };
    Some(Areas { panes, tabs, status, hint })
}

/// Frame over steps, the agent, memory over score.
fn three_columns(model: &Model, body: Rect) -> Vec<(Pane, Rect)> {
    let most = (body.width / 2).min(body.width.saturating_sub(2 * MIN_PANE.0));
    let side = moved(side_width(body), model.proportions.side, STEP.0, MIN_PANE.0, most);
    let rows = body.height.saturating_sub(STEPS_HEIGHT);
    let left = frame_width(model, body.width * 2 / 5, rows, body.width - side);
    let [left, middle, right] = columns(body, [left, body.width - left - side, side]);
    let [frame, steps] = last_rows(left, STEPS_HEIGHT);
    let [memory, score] = last_rows(right, panes::score_height(model));
    vec![
        (Pane::Frame, frame),
        (Pane::Steps, steps),
        (Pane::Agent, middle),
        (Pane::Memory, memory),
        (Pane::Score, score),
    ]
}

/// All panes side by side, for a wide terminal with few rows; the steps are below the score if both fit.
fn strip(model: &Model, body: Rect) -> Vec<(Pane, Rect)> {
    let score_height = panes::score_height(model);
    let stacked = score_height + STEPS_HEIGHT <= body.height;
    let side = moved(34, model.proportions.side, STEP.0, MIN_PANE.0, body.width / 5);
    let sides = if stacked { 2 * side } else { 3 * side };
    let left = frame_width(model, body.width / 3, body.height, body.width - sides);
    let agent = body.width - left - sides;
    let last = if stacked { 0 } else { side };
    let [frame, agent, memory, score, steps] = columns(body, [left, agent, side, side, last]);
    let [score, steps] = if stacked { last_rows(score, body.height - score_height) } else { [score, steps] };
    vec![
        (Pane::Frame, frame),
        (Pane::Agent, agent),
        (Pane::Memory, memory),
        (Pane::Score, score),
        (Pane::Steps, steps),
    ]
}

/// Frame and agent, below them the steps, below them memory and score.
fn tall_columns(model: &Model, body: Rect) -> Vec<(Pane, Rect)> {
    let [top, steps, memory, score] = bottom(model, body);
    let left = frame_width(model, body.width * 9 / 20, top.height, body.width);
    let [frame, agent] = columns(top, [left, body.width - left]);
    vec![
        (Pane::Frame, frame),
        (Pane::Agent, agent),
        (Pane::Steps, steps),
        (Pane::Memory, memory),
        (Pane::Score, score),
    ]
}

/// Frame, agent, steps, and memory beside score.
fn stack(model: &Model, body: Rect) -> Vec<(Pane, Rect)> {
    let [top, steps, memory, score] = bottom(model, body);
    let [frame, agent] = frame_above(model, top);
    vec![
        (Pane::Frame, frame),
        (Pane::Agent, agent),
        (Pane::Steps, steps),
        (Pane::Memory, memory),
        (Pane::Score, score),
    ]
}

/// The frame, and beside it the other panes as tabs.
fn two_columns(model: &Model, body: Rect) -> Vec<(Pane, Rect)> {
    let left = frame_width(model, body.width / 2, body.height, body.width);
    let [left, right] = columns(body, [left, body.width - left]);
    vec![(Pane::Frame, left), (model.tab, right)]
}

/// The frame, and below it the other panes as tabs.
fn two_rows(model: &Model, body: Rect) -> Vec<(Pane, Rect)> {
    let [frame, rest] = frame_above(model, body);
    vec![(Pane::Frame, frame), (model.tab, rest)]
}

/// The steps and, at the bottom, memory beside score; and what is left above them.
fn bottom(model: &Model, body: Rect) -> [Rect; 4] {
    let wanted = BOTTOM_HEIGHT.max(panes::score_height(model));
    let height = moved(wanted, model.proportions.side, STEP.1, MIN_PANE.1, body.height / 2);
    let [rest, bottom] = last_rows(body, height);
    let [top, steps] = last_rows(rest, STEPS_HEIGHT);
    let score = side_width(body).min(body.width / 2);
    let [memory, score] = columns(bottom, [body.width - score, score]);
    [top, steps, memory, score]
}

/// The frame above the rest, as tall as its picture needs.
fn frame_above(model: &Model, area: Rect) -> [Rect; 2] {
    let limit = area.height / 2;
    let wanted = panes::frame_size(model, Size::new(area.width, limit)).height.max(MIN_PANE.1);
    let most = area.height.saturating_sub(MIN_PANE.1);
    let height = moved(wanted, model.proportions.frame, STEP.1, MIN_PANE.1, most);
    let [frame, rest] = Layout::vertical([Constraint::Length(height), Constraint::Fill(1)]).areas(area);
    [frame, rest]
}

/// The columns of the frame: what its picture needs, within `limit` and with space for a pane beside it in `room`.
fn frame_width(model: &Model, limit: u16, rows: u16, room: u16) -> u16 {
    let wanted = panes::frame_size(model, Size::new(limit, rows)).width.clamp(MIN_PANE.0, limit);
    let most = room.saturating_sub(MIN_PANE.0);
    moved(wanted, model.proportions.frame, STEP.0, MIN_PANE.0, most)
}

fn side_width(body: Rect) -> u16 {
    (body.width / 4).clamp(30, 38)
}

/// A size after the person moved its border `by` steps.
fn moved(size: u16, by: i16, step: i32, least: u16, most: u16) -> u16 {
    let size = i32::from(size) + i32::from(by) * step;
    u16::try_from(size.clamp(0, i32::from(u16::MAX))).unwrap_or(least).clamp(least, most.max(least))
}

fn columns<const N: usize>(area: Rect, widths: [u16; N]) -> [Rect; N] {
    Layout::horizontal(widths.map(Constraint::Length)).areas(area)
}

/// Splits off the last rows.
fn last_rows(area: Rect, height: u16) -> [Rect; 2] {
    Layout::vertical([Constraint::Fill(1), Constraint::Length(height)]).areas(area)
}

/// Enlarges or, with a negative number, shrinks the focused pane; false if that is not possible.
pub(crate) fn resize(model: &mut Model, by: i16) -> bool {
    let whole = Rect::from((ratatui::layout::Position::ORIGIN, model.size));
    let extent = |model: &Model| {
        let shown = areas(model, whole)?.panes.into_iter().find(|(pane, _)| *pane == model.focus)?;
        Some(i32::from(shown.1.width) * i32::from(shown.1.height))
    };
    let before = model.proportions;
    let Some(size) = extent(model) else { return false };
    let Proportions { frame, side } = before;
    let changes = [
        Proportions { frame: frame.saturating_add(by), side },
        Proportions { frame, side: side.saturating_add(by) },
        Proportions { frame: frame.saturating_sub(by), side },
        Proportions { frame, side: side.saturating_sub(by) },
    ];
    for change in changes {
        model.proportions = change;
        let grown = extent(model).unwrap_or(size) - size;
        if grown.signum() == i32::from(by.signum()) {
            return true;
        }
    }
    model.proportions = before;
    false
}
