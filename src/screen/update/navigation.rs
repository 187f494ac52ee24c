//! Navigation: steps, episodes, panes, scrolling. It sends no commands to a session.

use super::{film, frame};
use crate::command::CommandId;
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

pub(super) fn perform(model: &mut Model, id: CommandId, times: u32) {
    let by = isize::try_from(times).unwrap_or(isize::MAX);
    match id {
        CommandId::Back => move_steps(model, -by),
        CommandId::Forward => move_steps(model, by),
        CommandId::First => show_step(model, 0),
        CommandId::Newest => {
            follow_newest(model);
            model.following = model.follow;
        }
        CommandId::FocusNext => model.set_focus(neighbor(model.focus, 1)),
        CommandId::FocusPrevious => model.set_focus(neighbor(model.focus, -1)),
        CommandId::Zoom => {
            model.zoomed = !model.zoomed;
            model.pan = (0, 0);
        }
        CommandId::FocusFrame => model.set_focus(Pane::Frame),
        CommandId::FocusAgent => model.set_focus(Pane::Agent),
        CommandId::FocusMemory => model.set_focus(Pane::Memory),
        CommandId::FocusScore => model.set_focus(Pane::Score),
        CommandId::FocusSteps => model.set_focus(Pane::Steps),
        CommandId::GrowPane => resize(model, Axis::Any, by),
        CommandId::ShrinkPane => resize(model, Axis::Any, -by),
        CommandId::Taller => resize(model, Axis::Rows, by),
        CommandId::Shorter => resize(model, Axis::Rows, -by),
        CommandId::ResetLayout => model.proportions = model.appearance.settings.layout,
        CommandId::Layout => say_layout(model),
        CommandId::Picture => frame::next_picture(model, times),
        CommandId::View => frame::next_view(model, times),
        CommandId::Sent => toggle_sent(model),
        CommandId::Raw => toggle_raw(model),
        CommandId::Code => next_code_view(model),
        CommandId::PreviousReply if model.focus == Pane::Frame && model.move_pair(-by) => {}
        CommandId::NextReply if model.focus == Pane::Frame && model.move_pair(by) => {}
        CommandId::PreviousReply if model.focus == Pane::Frame && film::step(model, -by) => {}
        CommandId::NextReply if model.focus == Pane::Frame && film::step(model, by) => {}
        CommandId::PreviousReply => move_replies(model, -by),
        CommandId::NextReply => move_replies(model, by),
        _ if model.focus == Pane::Score => move_rows(model, id, by),
        _ => scroll(model, model.focus, id, times),
    }
}

/// Opens or closes the selected row of the score; false if it has no rows.
pub(super) fn open_row(model: &mut Model, id: CommandId) -> bool {
    let has_rows = !model.visible_rows().is_empty();
    if has_rows {
        model.open_row(id == CommandId::Right);
    }
    has_rows
}

/// Selects another row of the score.
pub(super) fn move_rows(model: &mut Model, id: CommandId, by: isize) {
    model.move_row(match id {
        CommandId::ScrollDown => by,
        CommandId::ScrollUp => -by,
        CommandId::PageDown => by.saturating_mul(PAGE_ROWS),
        CommandId::PageUp => -by.saturating_mul(PAGE_ROWS),
        CommandId::Bottom => isize::MAX,
        _ => isize::MIN,
    });
}

fn move_steps(model: &mut Model, by: isize) {
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
        model.scroll = Default::default();
        model.shown_reply = None;
    }
}

/// Shows a step by its number.
pub(super) fn go_to(model: &mut Model, number: u32) {
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
        model.scroll = Default::default();
        model.shown_reply = None;
    }
}

/// Moves the border of the focused pane, step by step as far as possible.
fn resize(model: &mut Model, axis: Axis, by: isize) {
    let (sign, what) = match (axis, by > 0) {
        (Axis::Any, true) => (1, "larger"),
        (Axis::Any, false) => (-1, "smaller"),
        (Axis::Rows, true) => (1, "taller"),
        (Axis::Rows, false) => (-1, "shorter"),
    };
    if model.zoomed {
        return model.notify("the pane is zoomed; z restores the layout");
    }
    let moved = (0..by.unsigned_abs()).take_while(|_| layout::resize(model, axis, sign)).count();
    if moved == 0 {
        model.notify(format!("the pane {} cannot be {what} on this terminal", model.focus.name()));
    }
}

/// Says the sizes of the panes, as the settings have them.
fn say_layout(model: &mut Model) {
    let lines: Vec<String> =
        model.proportions.set_percents().map(|(name, percent)| format!("{name} = {percent}")).collect();
    model.notify(if lines.is_empty() {
        "the panes follow their content; > < and the mouse move their borders".to_owned()
    } else {
        format!("to keep these sizes, write below [layout] in config.toml: {}", lines.join(", "))
    });
}

fn toggle_sent(model: &mut Model) {
    model.as_sent = !model.as_sent;
    model.scroll[Pane::Frame as usize] = 0;
}

fn toggle_raw(model: &mut Model) {
    model.raw = !model.raw;
    // The raw view opens on the reply that a search found.
    model.shown_reply = model.shown_reply.filter(|_| model.raw);
    model.scroll[Pane::Agent as usize] = 0;
}

fn next_code_view(model: &mut Model) {
    if model.code.is_none() {
        return model.notify("the action of this step writes no code");
    }
    model.code_view = match model.code_view {
        CodeView::Replies => CodeView::Changes,
        CodeView::Changes => CodeView::Whole,
        CodeView::Whole => CodeView::Replies,
    };
    model.scroll[Pane::Agent as usize] = 0;
}

fn move_replies(model: &mut Model, by: isize) {
    let count = panes::reply_count(model);
    let Some(last) = count.checked_sub(1) else { return model.notify("there is no reply yet") };
    let at = model.shown_reply.unwrap_or(last).min(last);
    let to = at.checked_add_signed(by).filter(|to| *to < count);
    (model.raw, model.shown_reply) = (true, Some(to.unwrap_or(at)).filter(|at| *at < last));
    model.scroll[Pane::Agent as usize] = 0;
    match to {
        None if count == 1 => model.notify("this step has one reply"),
        None if by < 0 => model.notify("this is the first reply of the step"),
        None => model.notify("this is the last reply of the step"),
        Some(_) => {}
    }
}

/// Shows the previous or next request of the step, from its top.
pub(super) fn move_requests(model: &mut Model, id: CommandId) {
    let (at, of) = shown_request::position(model);
    let to = at.checked_add_signed(if id == CommandId::NextReply { 1 } else { -1 }).filter(|to| *to < of);
    match to {
        Some(to) => {
            model.shown_reply = Some(to).filter(|to| to + 1 < of);
            model.modal = Some(Modal::Request(0));
        }
        None if of < 2 => model.notify("this step has one request"),
        None if id == CommandId::PreviousReply => model.notify("this is the first request of the step"),
        None => model.notify("this is the last request of the step"),
    }
}

/// Pans a board that is larger than the pane; false if it is shown in full in this direction.
pub(super) fn pan(model: &mut Model, id: CommandId, times: u32) -> bool {
    let hidden = view::hidden_squares(model);
    let (before, after) = match id {
        CommandId::Left | CommandId::Right => (hidden.left, hidden.right),
        _ => (hidden.up, hidden.down),
    };
    let squares = usize::try_from(times).unwrap_or(usize::MAX).saturating_mul(PAN_SQUARES);
    let by = match id {
        CommandId::Left | CommandId::Up => -squares.min(before).cast_signed(),
        _ => squares.min(after).cast_signed(),
    };
    match id {
        CommandId::Left | CommandId::Right => model.pan.0 += by,
        _ => model.pan.1 += by,
    }
    before + after > 0
}

/// Scrolls the frame's text sideways; false if all of it is visible.
pub(super) fn scroll_sideways(model: &mut Model, id: CommandId, times: u32) -> bool {
    let most = view::hidden_columns(model);
    let columns = u16::try_from(times).unwrap_or(u16::MAX).saturating_mul(ARROW_COLUMNS);
    let at = model.sideways.min(most);
    let to = if id == CommandId::Left { at.saturating_sub(columns) } else { at.saturating_add(columns) };
    model.sideways = to.min(most);
    most > 0
}

pub(super) fn scroll(model: &mut Model, pane: Pane, id: CommandId, times: u32) {
    let (most, lines_shown) = view::scroll_extent(model, pane);
    let at = model.scroll[pane as usize].min(most);
    let lines = u16::try_from(times).unwrap_or(u16::MAX);
    let to = match id {
        CommandId::ScrollDown => at.saturating_add(lines),
        CommandId::ScrollUp => at.saturating_sub(lines),
        CommandId::PageDown => at.saturating_add(lines_shown.saturating_mul(lines)),
        CommandId::PageUp => at.saturating_sub(lines_shown.saturating_mul(lines)),
        CommandId::Bottom => most,
        _ => 0,
    };
    model.scroll[pane as usize] = to.min(most);
}

/// The pane before or after this one.
fn neighbor(focus: Pane, step: isize) -> Pane {
    let all = Pane::ALL;
    let at = all.iter().position(|pane| *pane == focus).unwrap_or(0);
    let to = at.saturating_add_signed(step + all.len().cast_signed()) % all.len();
    all[to]
}
