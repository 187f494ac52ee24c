//! What the commands of the dashboard do: one function for each, named in its row of the table of commands.

use super::calls::{Call, Move};
use super::page::Page;
use super::state::{Confirmed, DashboardState, Outcome};
use crate::requests::SweepOrder;

pub(super) fn open(state: &mut DashboardState, call: Call<'_>) -> Outcome {
    state.open(call.content)
}

pub(super) fn back(state: &mut DashboardState, call: Call<'_>) -> Outcome {
    state.go_back(call.content)
}

pub(super) fn home(_: &mut DashboardState, _: Call<'_>) -> Outcome {
    Outcome::Home
}

pub(super) fn up(state: &mut DashboardState, call: Call<'_>) -> Outcome {
    move_to(state, Move::Up, call)
}

pub(super) fn down(state: &mut DashboardState, call: Call<'_>) -> Outcome {
    move_to(state, Move::Down, call)
}

pub(super) fn left(state: &mut DashboardState, call: Call<'_>) -> Outcome {
    move_to(state, Move::Left, call)
}

pub(super) fn right(state: &mut DashboardState, call: Call<'_>) -> Outcome {
    move_to(state, Move::Right, call)
}

pub(super) fn page_up(state: &mut DashboardState, call: Call<'_>) -> Outcome {
    move_to(state, Move::PageUp, call)
}

pub(super) fn page_down(state: &mut DashboardState, call: Call<'_>) -> Outcome {
    move_to(state, Move::PageDown, call)
}

pub(super) fn first(state: &mut DashboardState, call: Call<'_>) -> Outcome {
    move_to(state, Move::First, call)
}

pub(super) fn last(state: &mut DashboardState, call: Call<'_>) -> Outcome {
    move_to(state, Move::Last, call)
}

fn move_to(state: &mut DashboardState, to: Move, call: Call<'_>) -> Outcome {
    match state.page(call.content) {
        Page::Map => state.move_on_map(Some(to), call.content),
        Page::Table | Page::Cell => state.move_in_list(Some(to), call.content),
        Page::Activity => state.move_in_running(to, call.content),
    }
    Outcome::Draw
}

pub(super) fn switch(state: &mut DashboardState, call: Call<'_>) -> Outcome {
    state.switch(call.content);
    Outcome::Draw
}

pub(super) fn next_map(state: &mut DashboardState, call: Call<'_>) -> Outcome {
    state.show_map(call.content, 1);
    Outcome::Draw
}

pub(super) fn previous_map(state: &mut DashboardState, call: Call<'_>) -> Outcome {
    state.show_map(call.content, -1);
    Outcome::Draw
}

pub(super) fn filter(state: &mut DashboardState, call: Call<'_>) -> Outcome {
    state.list_next(call.content);
    Outcome::Draw
}

pub(super) fn sort(state: &mut DashboardState, _: Call<'_>) -> Outcome {
    state.sort_next();
    Outcome::Draw
}

pub(super) fn find(_: &mut DashboardState, _: Call<'_>) -> Outcome {
    Outcome::Command("find ")
}

pub(super) fn palette(_: &mut DashboardState, _: Call<'_>) -> Outcome {
    Outcome::Command("")
}

pub(super) fn readers(_: &mut DashboardState, _: Call<'_>) -> Outcome {
    Outcome::Readers
}

pub(super) fn pause(_: &mut DashboardState, _: Call<'_>) -> Outcome {
    Outcome::Order(SweepOrder::PauseOrResume)
}

pub(super) fn requeue(_: &mut DashboardState, _: Call<'_>) -> Outcome {
    Outcome::Order(SweepOrder::Requeue)
}

/// Cancels the sweep, after a confirmation.
pub(super) fn cancel(state: &mut DashboardState, _: Call<'_>) -> Outcome {
    state.confirms = Some(Confirmed::Cancel);
    Outcome::Draw
}

pub(super) fn help(state: &mut DashboardState, _: Call<'_>) -> Outcome {
    state.help.set(Some(0));
    Outcome::Draw
}

pub(super) fn redraw(_: &mut DashboardState, _: Call<'_>) -> Outcome {
    Outcome::Redraw
}

pub(super) fn suspend(_: &mut DashboardState, _: Call<'_>) -> Outcome {
    Outcome::Suspend
}

pub(super) fn interrupt(_: &mut DashboardState, _: Call<'_>) -> Outcome {
    Outcome::Interrupt
}

/// Quits; while a run goes on, after a confirmation.
pub(super) fn quit(state: &mut DashboardState, call: Call<'_>) -> Outcome {
    let stops_run = call.content.view.is_run && !call.content.view.has_ended;
    if stops_run && !call.is_confirmed {
        state.confirms = Some(Confirmed::Quit);
        return Outcome::Draw;
    }
    Outcome::Quit
}
