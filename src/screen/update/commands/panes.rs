//! Commands of the panes: focus, sizes, what they show, and scrolling. Arrows depend on the focused pane.

use super::Call;
use crate::layout::Axis;
use crate::model::Model;
use crate::pane::Pane;
use crate::update::navigation::Arrow;
use crate::update::scrolling::Scroll;
use crate::update::{Effect, film, frame, navigation, oracle};

pub(super) fn focus_next(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    model.set_focus(navigation::neighbor(model.panes.focus, 1));
}

pub(super) fn focus_previous(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    model.set_focus(navigation::neighbor(model.panes.focus, -1));
}

pub(super) fn focus_frame(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    model.set_focus(Pane::Frame);
}

pub(super) fn focus_agent(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    model.set_focus(Pane::Agent);
}

pub(super) fn focus_memory(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    model.set_focus(Pane::Memory);
}

pub(super) fn focus_score(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    model.set_focus(Pane::Score);
}

pub(super) fn focus_steps(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    model.set_focus(Pane::Steps);
}

pub(super) fn grow_pane(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    navigation::resize(model, Axis::Any, call.distance());
}

pub(super) fn shrink_pane(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    navigation::resize(model, Axis::Any, -call.distance());
}

pub(super) fn taller(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    navigation::resize(model, Axis::Rows, call.distance());
}

pub(super) fn shorter(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    navigation::resize(model, Axis::Rows, -call.distance());
}

pub(super) fn reset_layout(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    model.panes.proportions = model.appearance.settings.layout;
}

pub(super) fn layout(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    navigation::say_layout(model);
}

pub(super) fn zoom(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    model.panes.zoomed = !model.panes.zoomed;
    model.frame.pan = (0, 0);
}

pub(super) fn view(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    match call.written() {
        Some(name) => frame::show_view(model, name),
        None => frame::next_view(model, call.times()),
    }
}

pub(super) fn magnify(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    match call.required(model).map(str::parse) {
        None => {}
        Some(Ok(factor)) => frame::magnify(model, factor),
        Some(Err(_)) => {
            model.notify("the factor is a whole number, such as :magnify 4; 1 fits the picture");
        }
    }
}

pub(super) fn sent(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    model.frame.as_sent = !model.frame.as_sent;
    model.panes.scroll[Pane::Frame as usize] = 0;
}

pub(super) fn before(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    frame::toggle_before(model);
}

pub(super) fn overlay(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    frame::toggle_overlay(model);
}

pub(super) fn claims(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    frame::toggle_claims(model);
}

pub(super) fn oracle(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    oracle::toggle(model);
}

pub(super) fn raw(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    model.agent.raw = !model.agent.raw;
    // The raw view opens on the reply that a search found.
    model.agent.shown_reply = model.agent.shown_reply.filter(|_| model.agent.raw);
    model.panes.scroll[Pane::Agent as usize] = 0;
}

pub(super) fn code(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    navigation::next_code_view(model);
}

pub(super) fn previous_reply(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    move_replies(model, -call.distance());
}

pub(super) fn next_reply(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    move_replies(model, call.distance());
}

/// In the frame pane pairs of elements or the frames of a film, elsewhere the replies of the step.
fn move_replies(model: &mut Model, by: isize) {
    let in_frame = model.panes.focus == Pane::Frame && (model.move_pair(by) || film::step(model, by));
    if !in_frame {
        navigation::move_replies(model, by);
    }
}

pub(super) fn scroll_down(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    scroll(model, Scroll::LineDown, call);
}

pub(super) fn scroll_up(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    scroll(model, Scroll::LineUp, call);
}

pub(super) fn page_down(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    scroll(model, Scroll::PageDown, call);
}

pub(super) fn page_up(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    scroll(model, Scroll::PageUp, call);
}

pub(super) fn top(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    scroll(model, Scroll::Top, call);
}

pub(super) fn bottom(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    scroll(model, Scroll::Bottom, call);
}

/// Scrolls the focused pane; in the score it selects another row.
fn scroll(model: &mut Model, to: Scroll, call: Call<'_>) {
    if model.panes.focus == Pane::Score {
        navigation::move_rows(model, to, call.distance());
    } else {
        navigation::scroll(model, model.panes.focus, to, call.times());
    }
}

pub(super) fn up(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    if !pans(model, Arrow::Up, call) {
        scroll(model, Scroll::LineUp, call);
    }
}

pub(super) fn down(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    if !pans(model, Arrow::Down, call) {
        scroll(model, Scroll::LineDown, call);
    }
}

pub(super) fn left(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    if !moves_sideways(model, Arrow::Left, call) {
        navigation::move_steps(model, -call.distance());
    }
}

pub(super) fn right(model: &mut Model, call: Call<'_>, _: &mut Vec<Effect>) {
    if !moves_sideways(model, Arrow::Right, call) {
        navigation::move_steps(model, call.distance());
    }
}

/// Pans the picture or the board of the focused frame pane; false if there is nothing to pan.
fn pans(model: &mut Model, arrow: Arrow, call: Call<'_>) -> bool {
    model.panes.focus == Pane::Frame
        && (frame::pan(model, arrow, call.times()) || navigation::pan(model, arrow, call.times()))
}

/// Pans or scrolls the focused frame pane, or opens or closes a row of the score; false if it does nothing there. A line of
/// the linear mode has no place in a pane to go left or right from.
fn moves_sideways(model: &mut Model, arrow: Arrow, call: Call<'_>) -> bool {
    if model.appearance.settings.linear {
        return false;
    }
    pans(model, arrow, call)
        || (model.panes.focus == Pane::Frame && navigation::scroll_sideways(model, arrow, call.times()))
        || (model.panes.focus == Pane::Score && navigation::open_row(model, arrow == Arrow::Right))
}
