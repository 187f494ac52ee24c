//! Looking: steps, episodes, panes, scrolling. Nothing here reaches a session.

use crossterm::event::MouseButton;
use crossterm::event::MouseEvent;
use crossterm::event::MouseEventKind;
use ratatui::layout::Position;

use crate::engine::Mode;
use crate::tui::asked;
use crate::tui::command::Deed;
use crate::tui::look::View;
use crate::tui::model::Model;
use crate::tui::model::Sheet;
use crate::tui::pane::Pane;
use crate::tui::panes;
use crate::tui::theme::Depth;
use crate::tui::view;

/// Lines that a turn of the wheel scrolls.
const WHEEL: u32 = 3;

/// Columns that an arrow scrolls.
const SIDEWAYS: u16 = 4;

pub(super) fn perform(model: &mut Model, deed: Deed, times: u32) {
    let by = isize::try_from(times).unwrap_or(isize::MAX);
    match deed {
        Deed::Back => look_by(model, -by),
        Deed::Forward => look_by(model, by),
        Deed::First => look_at(model, 0),
        Deed::Newest => follow(model),
        Deed::PreviousEpisode => episode(model, -by),
        Deed::NextEpisode => episode(model, by),
        Deed::FocusNext => focus(model, beside(model.focus, 1)),
        Deed::FocusPrevious => focus(model, beside(model.focus, -1)),
        Deed::Zoom => model.zoomed = !model.zoomed,
        Deed::View => turn_view(model),
        Deed::Sent => turn_sent(model),
        Deed::Raw => turn_raw(model),
        Deed::PreviousReply => turn_reply(model, -by),
        Deed::NextReply => turn_reply(model, by),
        _ => scroll(model, model.focus, deed, times),
    }
}

fn look_by(model: &mut Model, by: isize) {
    let Some(viewed) = model.viewed() else { return };
    let (at, newest) = (viewed.index(), viewed.newest());
    let to = at.saturating_add_signed(by);
    if by < 0 && at == 0 {
        model.remark("this is the first step");
    } else if by > 0 && at == newest {
        model.remark("this is the newest step");
    } else {
        look_at(model, to.min(newest));
    }
}

/// Looks at a step by its index. The newest one is followed from then on.
pub(super) fn look_at(model: &mut Model, index: usize) {
    if let Some(viewed) = model.viewed_mut() {
        viewed.cursor = (index < viewed.newest()).then_some(index);
        model.scroll = Default::default();
        model.reply = None;
    }
}

/// Looks at a step by its number.
pub(super) fn go_to(model: &mut Model, number: u32) {
    let Some(viewed) = model.viewed() else { return };
    let found = viewed.snapshot.steps.iter().position(|step| step.number == number);
    match (found, viewed.last()) {
        (Some(index), _) => look_at(model, index),
        (None, 0) => model.remark("there is no step yet"),
        (None, last) => model.remark(format!("there is no step {number}: the steps are 1 to {last}")),
    }
}

pub(super) fn follow(model: &mut Model) {
    if let Some(viewed) = model.viewed_mut() {
        viewed.cursor = None;
        model.scroll = Default::default();
        model.reply = None;
    }
}

fn episode(model: &mut Model, by: isize) {
    let to = model.at.checked_add_signed(by).filter(|to| *to < model.episodes.len());
    match to {
        Some(to) => {
            model.at = to;
            model.scroll = Default::default();
            model.reply = None;
            model.sideways = 0;
            model.remark(format!("episode {} of {} of this sitting", to + 1, model.episodes.len()));
        }
        None if by < 0 => model.remark("this is the first episode of this sitting"),
        None if model.viewed().is_some_and(|viewed| viewed.snapshot.mode == Mode::Recorded) => {
            model.remark("this is the last episode of this sitting");
        }
        None => model.remark("this is the last episode of this sitting; :open starts another"),
    }
}

fn focus(model: &mut Model, pane: Pane) {
    model.focus = pane;
    if pane != Pane::Frame {
        model.tab = pane;
    }
}

fn turn_view(model: &mut Model) {
    model.view = if view::shows_picture(model) { View::Text } else { View::Picture };
    if model.view == View::Picture && model.look.settings.depth == Depth::None {
        model.remark("this terminal shows no colour, so the frame stays text");
    }
}

fn turn_sent(model: &mut Model) {
    model.as_sent = !model.as_sent;
    model.scroll[Pane::Frame as usize] = 0;
}

fn turn_raw(model: &mut Model) {
    model.raw = !model.raw;
    // What was found is what the raw view opens on.
    model.reply = model.reply.filter(|_| model.raw);
    model.scroll[Pane::Agent as usize] = 0;
}

fn turn_reply(model: &mut Model, by: isize) {
    let count = panes::replies(model);
    let Some(last) = count.checked_sub(1) else { return model.remark("nothing has been said yet") };
    let at = model.reply.unwrap_or(last).min(last);
    let to = at.checked_add_signed(by).filter(|to| *to < count);
    (model.raw, model.reply) = (true, Some(to.unwrap_or(at)).filter(|at| *at < last));
    model.scroll[Pane::Agent as usize] = 0;
    match to {
        None if count == 1 => model.remark("there is one reply at this step"),
        None if by < 0 => model.remark("this is the first reply of the step"),
        None => model.remark("this is the last reply of the step"),
        Some(_) => {}
    }
}

/// Looks at the request before or after, from its top, where a step has several.
pub(super) fn turn_request(model: &mut Model, deed: Deed) {
    let (at, of) = asked::place(model);
    let to = at.checked_add_signed(if deed == Deed::NextReply { 1 } else { -1 }).filter(|to| *to < of);
    match to {
        Some(to) => {
            model.reply = Some(to).filter(|to| to + 1 < of);
            model.sheet = Some(Sheet::Request(0));
        }
        None if of < 2 => model.remark("there is one request at this step"),
        None if deed == Deed::PreviousReply => model.remark("this is the first request of the step"),
        None => model.remark("this is the last request of the step"),
    }
}

/// Scrolls the frame's text sideways; false when all of it is in sight.
pub(super) fn sideways(model: &mut Model, deed: Deed, times: u32) -> bool {
    let most = view::beyond(model);
    let columns = u16::try_from(times).unwrap_or(u16::MAX).saturating_mul(SIDEWAYS);
    let at = model.sideways.min(most);
    let to = if deed == Deed::Left { at.saturating_sub(columns) } else { at.saturating_add(columns) };
    model.sideways = to.min(most);
    most > 0
}

fn scroll(model: &mut Model, pane: Pane, deed: Deed, times: u32) {
    let (most, lines_shown) = view::extent(model, pane);
    let at = model.scroll[pane as usize].min(most);
    let lines = u16::try_from(times).unwrap_or(u16::MAX);
    let to = match deed {
        Deed::ScrollDown => at.saturating_add(lines),
        Deed::ScrollUp => at.saturating_sub(lines),
        Deed::PageDown => at.saturating_add(lines_shown.saturating_mul(lines)),
        Deed::PageUp => at.saturating_sub(lines_shown.saturating_mul(lines)),
        Deed::Bottom => most,
        _ => 0,
    };
    model.scroll[pane as usize] = to.min(most);
}

pub(super) fn mouse(model: &mut Model, event: MouseEvent) {
    let at = Position::new(event.column, event.row);
    let Some(pane) = view::pane_at(model, at).filter(|_| model.sheet.is_none()) else { return };
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            focus(model, pane);
            if let Some(index) = view::tick_at(model, at) {
                look_at(model, index);
            }
        }
        MouseEventKind::ScrollDown => scroll(model, pane, Deed::ScrollDown, WHEEL),
        MouseEventKind::ScrollUp => scroll(model, pane, Deed::ScrollUp, WHEEL),
        _ => return,
    }
    model.stale = true;
}

/// The pane that a deed of focus leads to.
fn beside(focus: Pane, step: isize) -> Pane {
    let all = Pane::ALL;
    let at = all.iter().position(|pane| *pane == focus).unwrap_or(0);
    let to = at.saturating_add_signed(step + all.len().cast_signed()) % all.len();
    all[to]
}
