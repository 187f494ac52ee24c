//! Navigation: steps, episodes, panes, scrolling. It sends no commands to a session.

use super::scrolling::Scroll;
use crate::layout::Axis;
use crate::model::{CodeView, Modal, Model};
use crate::pane::Pane;
use crate::{layout, panes, shown_request, view};

/// Squares per arrow key.
const PAN_SQUARES: usize = 3;

/// Rows of the score per page.
const PAGE_ROWS: isize = 8;

/// Columns per arrow key.
const ARROW_COLUMNS: u16 = 4;

/// The direction of an arrow key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrow {
    Up,
    Down,
    Left,
    Right,
}

/// Opens or closes the selected row of the score; false if it has no rows.
pub(super) fn open_row(model: &mut Model, opens: bool) -> bool {
    let has_rows = !model.visible_rows().is_empty();
    if has_rows {
        model.open_row(opens);
    }
    has_rows
}

/// Selects another row of the score.
pub(super) fn move_rows(model: &mut Model, to: Scroll, times: isize) {
    model.move_row(match to {
        Scroll::LineDown => times,
        Scroll::LineUp => -times,
        Scroll::PageDown => times.saturating_mul(PAGE_ROWS),
        Scroll::PageUp => -times.saturating_mul(PAGE_ROWS),
        Scroll::Bottom => isize::MAX,
        Scroll::Top => isize::MIN,
    });
}

/// Shows a step so many further on, or before.
pub(super) fn move_steps(model: &mut Model, by: isize) {
    let Some(viewed) = model.episode() else { return };
    let at = viewed.index();
    let newest = viewed.newest_index();
    let to = at.saturating_add_signed(by);
    if by < 0 && at == 0 {
        model.notify("this is the first step");
    } else if by > 0 && at == newest {
        model.notify("this is the newest step");
    } else {
        show_step(model, to.min(newest));
    }
}

/// Shows a step by its index; the newest one is followed from then on.
pub(super) fn show_step(model: &mut Model, index: usize) {
    if let Some(viewed) = model.episode_mut() {
        viewed.cursor = (index < viewed.newest_index()).then_some(index);
        model.panes.scroll = Default::default();
        (model.agent.shown_reply, model.agent.shown_side) = (None, None);
    }
}

/// Shows a step by its number.
pub(crate) fn go_to(model: &mut Model, number: u32) {
    let Some(viewed) = model.episode() else { return };
    let found = viewed.snapshot.steps.iter().position(|step| step.number == number);
    match (found, viewed.last_step()) {
        (Some(index), _) => show_step(model, index),
        (None, 0) => model.notify("there is no step yet"),
        (None, last) => model.notify(format!("there is no step {number}; the steps are 1 to {last}")),
    }
}

pub(super) fn follow_newest(model: &mut Model) {
    if let Some(viewed) = model.episode_mut() {
        viewed.cursor = None;
        model.panes.scroll = Default::default();
        (model.agent.shown_reply, model.agent.shown_side) = (None, None);
    }
}

/// Moves the border of the focused pane, step by step as far as possible.
pub(super) fn resize(model: &mut Model, axis: Axis, by: isize) {
    let (sign, what) = match (axis, by > 0) {
        (Axis::Any, true) => (1, "larger"),
        (Axis::Any, false) => (-1, "smaller"),
        (Axis::Rows, true) => (1, "taller"),
        (Axis::Rows, false) => (-1, "shorter"),
    };
    if model.panes.zoomed {
        return model.notify("the pane is zoomed; z restores the layout");
    }
    let moved = (0..by.unsigned_abs()).take_while(|_| layout::resize(model, axis, sign)).count();
    if moved == 0 {
        model.notify(format!("the pane {} cannot be {what} on this terminal", model.panes.focus.name()));
    }
}

/// Says the sizes of the panes, as the settings have them.
pub(super) fn say_layout(model: &mut Model) {
    let lines: Vec<String> =
        model.panes.proportions.set_percents().map(|(name, percent)| format!("{name} = {percent}")).collect();
    model.notify(if lines.is_empty() {
        "the panes follow their content; > < and the mouse move their borders".to_owned()
    } else {
        format!("to keep these sizes, write below [layout] in config.toml: {}", lines.join(", "))
    });
}

/// Shows the code that the action writes with its changes, then in full, then the replies again.
pub(super) fn next_code_view(model: &mut Model) {
    if model.agent.code.is_none() {
        return model.notify("the action of this step writes no code");
    }
    model.agent.code_view = match model.agent.code_view {
        CodeView::Replies => CodeView::Changes,
        CodeView::Changes => CodeView::Whole,
        CodeView::Whole => CodeView::Replies,
    };
    model.panes.scroll[Pane::Agent as usize] = 0;
}

pub(super) fn move_replies(model: &mut Model, by: isize) {
    let count = panes::reply_count(model);
    let Some(last) = count.checked_sub(1) else { return model.notify("there is no reply yet") };
    let at = model.agent.shown_reply.unwrap_or(last).min(last);
    let to = at.checked_add_signed(by).filter(|to| *to < count);
    (model.agent.raw, model.agent.shown_reply) = (true, Some(to.unwrap_or(at)).filter(|at| *at < last));
    model.panes.scroll[Pane::Agent as usize] = 0;
    match to {
        None if count == 1 => model.notify("this step has one reply"),
        None if by < 0 => model.notify("this is the first reply of the step"),
        None => model.notify("this is the last reply of the step"),
        Some(_) => {}
    }
}

/// Shows the previous or next request of the step, from its top.
pub(super) fn move_requests(model: &mut Model, by: isize) {
    let (at, of) = shown_request::position(model);
    match at.checked_add_signed(by).filter(|to| *to < of) {
        Some(to) => {
            shown_request::select(model, to);
            model.modal = Some(Modal::Request(0));
        }
        None if of < 2 => model.notify("this step has one request"),
        None if by < 0 => model.notify("this is the first request of the step"),
        None => model.notify("this is the last request of the step"),
    }
}

/// Pans a board that is larger than the pane; false if it is shown in full in this direction.
pub(super) fn pan(model: &mut Model, arrow: Arrow, times: u32) -> bool {
    let hidden = view::hidden_squares(model);
    let squares = usize::try_from(times).unwrap_or(usize::MAX).saturating_mul(PAN_SQUARES);
    let by = |room: usize| squares.min(room).cast_signed();
    match arrow {
        Arrow::Left => model.frame.pan.0 -= by(hidden.left),
        Arrow::Right => model.frame.pan.0 += by(hidden.right),
        Arrow::Up => model.frame.pan.1 -= by(hidden.up),
        Arrow::Down => model.frame.pan.1 += by(hidden.down),
    }
    match arrow {
        Arrow::Left | Arrow::Right => hidden.left + hidden.right > 0,
        Arrow::Up | Arrow::Down => hidden.up + hidden.down > 0,
    }
}

/// Scrolls the frame's text sideways; false if all of it is visible.
pub(super) fn scroll_sideways(model: &mut Model, arrow: Arrow, times: u32) -> bool {
    let most = view::hidden_columns(model);
    let columns = u16::try_from(times).unwrap_or(u16::MAX).saturating_mul(ARROW_COLUMNS);
    let at = model.frame.sideways.min(most);
    let to = if arrow == Arrow::Left { at.saturating_sub(columns) } else { at.saturating_add(columns) };
    model.frame.sideways = to.min(most);
    most > 0
}

/// Scrolls a pane.
pub(super) fn scroll(model: &mut Model, pane: Pane, to: Scroll, times: u32) {
    let extent = view::scroll_extent(model, pane);
    let at = model.panes.scroll[pane as usize].min(extent.0);
    let times = u16::try_from(times).unwrap_or(u16::MAX);
    model.panes.scroll[pane as usize] = to.target(at, times, extent);
}

/// The pane before or after this one.
pub(super) fn neighbor(focus: Pane, step: isize) -> Pane {
    let all = Pane::ALL;
    let at = all.iter().position(|pane| *pane == focus).unwrap_or(0);
    let to = at.saturating_add_signed(step + all.len().cast_signed()) % all.len();
    all[to]
}
