//! The layout of the panes for a terminal size. Columns follow the content: the frame takes what its picture needs,
//! and the agent's replies get the rest. The person can move the borders; drawing is left to `view`.

mod resize;

use ratatui::layout::{Constraint, Layout, Position, Rect, Size};

pub(crate) use self::resize::{Axis, resize};
use super::model::Model;
use super::pane::{Pane, footer_height};
use super::panes;
use mageyard_terminal::{Border, Divider, Split, Splitter};

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

/// The areas of the screen.
pub(crate) struct Areas {
    pub(crate) panes: Vec<(Pane, Rect)>,
    /// The panes that share the area of the last one, as tabs; empty if none do.
    pub(crate) tabs: &'static [Pane],
    /// The borders between panes that can be moved.
    pub(crate) dividers: Vec<Divider>,
    /// The strip of the tutor; empty without a lesson.
    pub(crate) tutor: Rect,
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
    let tutor_rows = tutor_height(model, whole);
    let [body, tutor, status, hint] = Layout::vertical([
        Constraint::Fill(1),
        Constraint::Length(tutor_rows),
        Constraint::Length(lines),
        Constraint::Length(1),
    ])
    .areas(whole);
    let width = whole.width;
    let height = whole.height - tutor_rows;
    let mut splitter = Splitter { proportions: model.panes.proportions, body, dividers: Vec::new() };
    let (panes, tabs) = if model.panes.zoomed {
        (vec![(model.panes.focus, body)], &[][..])
    } else if width >= THREE_COLUMNS.0 && height >= THREE_COLUMNS.1 {
        (three_columns(model, &mut splitter), &[][..])
    } else if width >= STRIP {
        (strip(model, &mut splitter), &[][..])
    } else if width >= TWO_COLUMNS && height >= TALL.0 {
        (tall_columns(model, &mut splitter), &[][..])
    } else if width >= TWO_COLUMNS {
        (two_columns(model, &mut splitter), &Pane::ALL[1..])
    } else if height >= TALL.1 {
        (stack(model, &mut splitter), &[][..])
    } else if height >= TWO_ROWS {
        (two_rows(model, &mut splitter), &Pane::ALL[1..])
    } else {
        (vec![(model.panes.focus, body)], &Pane::ALL[..])
    };
    let mut dividers = splitter.dividers;
    dividers.sort_by_key(|divider| divider.border as usize);
    Some(Areas { panes, tabs, dividers, tutor, status, hint })
}

/// The layout of the whole screen of this model.
pub(crate) fn screen_areas(model: &Model) -> Option<Areas> {
    areas(model, Rect::from((Position::ORIGIN, model.size)))
}

/// The rows of the tutor; at least a pane of its least height is left above them.
fn tutor_height(model: &Model, whole: Rect) -> u16 {
    let most = whole.height.saturating_sub(footer_height(whole.width) + MIN_PANE.1);
    panes::tutor_height(model, whole.width).min(most)
}

/// The part of the screen that dialogs are drawn in, as if it was the whole: the strip of the tutor stays visible.
pub(crate) fn dialog_area(model: &Model, whole: Rect) -> Rect {
    Rect { height: whole.height - tutor_height(model, whole), ..whole }
}

/// That part of the screen of this model.
pub(crate) fn screen_dialog_area(model: &Model) -> Rect {
    dialog_area(model, Rect::from((Position::ORIGIN, model.size)))
}

/// Frame over steps, the agent, memory over score.
fn three_columns(model: &Model, splitter: &mut Splitter) -> Vec<(Pane, Rect)> {
    let body = splitter.body;
    let most = (body.width / 2).min(body.width.saturating_sub(2 * MIN_PANE.0));
    let [rest, right] = splitter.columns(body, &side(side_width(body), most));
    let rows = body.height.saturating_sub(STEPS_HEIGHT);
    let [left, middle] = splitter.columns(rest, &frame(model, body.width * 2 / 5, rows, rest.width));
    // Thumbnails use the rows that the frame leaves.
    let spare = rows.saturating_sub(panes::frame_size(model, Size::new(left.width, rows)).height);
    let steps = Split { auto: STEPS_HEIGHT + panes::thumbnail_rows(model, spare), ..steps(left, MIN_PANE.1) };
    let [frame, steps] = splitter.rows(left, &steps);
    let score_rows =
        last_rows(Border::Score, panes::score_height(model), right.height.saturating_sub(MIN_PANE.1));
    let [memory, score] = splitter.rows(right, &score_rows);
    vec![
        (Pane::Frame, frame),
        (Pane::Steps, steps),
        (Pane::Agent, middle),
        (Pane::Memory, memory),
        (Pane::Score, score),
    ]
}

/// All panes side by side, for a wide terminal with few rows; the steps are below the score if both fit.
fn strip(model: &Model, splitter: &mut Splitter) -> Vec<(Pane, Rect)> {
    let body = splitter.body;
    let score_height = panes::score_height(model);
    let stacked = score_height + STEPS_HEIGHT <= body.height;
    let by_side = side(34, body.width / 5);
    let [rest, last] = splitter.columns(body, &by_side);
    let (rest, score, steps) = if stacked {
        let most = body.height.saturating_sub(STEPS_HEIGHT);
        let rows =
            Split { border: Border::Score, sizes_last: false, auto: score_height, range: (MIN_PANE.1, most) };
        let [score, steps] = splitter.rows(last, &rows);
        (rest, score, steps)
    } else {
        let [rest, score] = splitter.columns(rest, &by_side);
        (rest, score, last)
    };
    let [rest, memory] = splitter.columns(rest, &by_side);
    let [frame, agent] = splitter.columns(rest, &frame(model, body.width / 3, body.height, rest.width));
    vec![
        (Pane::Frame, frame),
        (Pane::Agent, agent),
        (Pane::Memory, memory),
        (Pane::Score, score),
        (Pane::Steps, steps),
    ]
}

/// Frame and agent, below them the steps, below them memory and score.
fn tall_columns(model: &Model, splitter: &mut Splitter) -> Vec<(Pane, Rect)> {
    let body = splitter.body;
    let [top, steps, memory, score] = bottom(model, splitter, MIN_PANE.1);
    let [frame, agent] = splitter.columns(top, &frame(model, body.width * 9 / 20, top.height, body.width));
    vec![
        (Pane::Frame, frame),
        (Pane::Agent, agent),
        (Pane::Steps, steps),
        (Pane::Memory, memory),
        (Pane::Score, score),
    ]
}

/// Frame, agent, steps, and memory beside score.
fn stack(model: &Model, splitter: &mut Splitter) -> Vec<(Pane, Rect)> {
    let [top, steps, memory, score] = bottom(model, splitter, 2 * MIN_PANE.1);
    let [frame, agent] = splitter.rows(top, &frame_rows(model, top));
    vec![
        (Pane::Frame, frame),
        (Pane::Agent, agent),
        (Pane::Steps, steps),
        (Pane::Memory, memory),
        (Pane::Score, score),
    ]
}

/// The frame, and beside it the other panes as tabs.
fn two_columns(model: &Model, splitter: &mut Splitter) -> Vec<(Pane, Rect)> {
    let body = splitter.body;
    let [left, right] = splitter.columns(body, &frame(model, body.width / 2, body.height, body.width));
    vec![(Pane::Frame, left), (model.panes.tab, right)]
}

/// The frame, and below it the other panes as tabs.
fn two_rows(model: &Model, splitter: &mut Splitter) -> Vec<(Pane, Rect)> {
    let [frame, rest] = splitter.rows(splitter.body, &frame_rows(model, splitter.body));
    vec![(Pane::Frame, frame), (model.panes.tab, rest)]
}

/// The steps and, at the bottom, memory beside score; and what is left above them, at least so many rows.
fn bottom(model: &Model, splitter: &mut Splitter, above: u16) -> [Rect; 4] {
    let body = splitter.body;
    let wanted = BOTTOM_HEIGHT.max(panes::score_height(model)).min(body.height / 2);
    let rows =
        Split { border: Border::Score, sizes_last: true, auto: wanted, range: (MIN_PANE.1, body.height / 2) };
    let [rest, bottom] = splitter.rows(body, &rows);
    let [top, steps] = splitter.rows(rest, &steps(rest, above));
    let most = body.width.saturating_sub(MIN_PANE.0);
    let [memory, score] = splitter.columns(bottom, &side(side_width(body).min(body.width / 2), most));
    [top, steps, memory, score]
}

/// The frame above the rest, as tall as its picture needs.
fn frame_rows(model: &Model, area: Rect) -> Split {
    let limit = area.height / 2;
    let most = area.height.saturating_sub(MIN_PANE.1);
    let wanted = panes::frame_size(model, Size::new(area.width, limit)).height.max(MIN_PANE.1).min(most);
    Split { border: Border::Frame, sizes_last: false, auto: wanted, range: (MIN_PANE.1, most) }
}

/// The columns of the frame: what its picture needs, within `limit` and with space for a pane beside it in `room`.
fn frame(model: &Model, limit: u16, rows: u16, room: u16) -> Split {
    let most = room.saturating_sub(MIN_PANE.0);
    let wanted = panes::frame_size(model, Size::new(limit, rows)).width.clamp(MIN_PANE.0, limit).min(most);
    Split { border: Border::Frame, sizes_last: false, auto: wanted, range: (MIN_PANE.0, most) }
}

/// Memory and score at the right.
fn side(auto: u16, most: u16) -> Split {
    Split { border: Border::Side, sizes_last: true, auto: auto.min(most), range: (MIN_PANE.0, most) }
}

/// The filmstrip at the bottom of an area, which leaves so many rows above it.
fn steps(area: Rect, above: u16) -> Split {
    last_rows(Border::Steps, STEPS_HEIGHT, area.height.saturating_sub(above))
}

/// Rows at the bottom of an area, at most so many.
fn last_rows(border: Border, auto: u16, most: u16) -> Split {
    let range = (MIN_PANE.1, most);
    Split { border, sizes_last: true, auto, range }
}

fn side_width(body: Rect) -> u16 {
    (body.width / 4).clamp(30, 38)
}
