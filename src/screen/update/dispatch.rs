//! Performs commands by their ID.

use super::{
    Effect, ask_sheet, branches, comparisons, editing, episodes, film, finding, frame, mouse_switch,
    navigation, next_request, oracle, preview, real_time, returning, search, seats, session_control,
    state_edit, suites, theme_choice, tutor,
};
use crate::command::CommandId;
use crate::model::{CopyMenu, EntryMenu, Modal, Model, Palette};
use crate::pane::Pane;
use mageyard_engine::SessionCommand;

/// Performs a command with the count typed before it.
pub(super) fn perform(model: &mut Model, id: CommandId, effects: &mut Vec<Effect>) {
    let count = model.count.take();
    let times = count.unwrap_or(1);
    match id {
        CommandId::Step => session_control::step(model, times, effects),
        CommandId::RealTime => real_time::toggle(model, effects),
        CommandId::Run if model.is_real_time() => real_time::toggle(model, effects),
        CommandId::Film => film::toggle(model, effects),
        CommandId::Run if model.film_position().is_some() => film::toggle(model, effects),
        CommandId::Run => session_control::run(model, count, effects),
        CommandId::Faster if magnifies(model, true, times) => {}
        CommandId::Slower if magnifies(model, false, times) => {}
        CommandId::First if frame::fit(model) => {}
        CommandId::Faster => session_control::faster(model, effects),
        CommandId::Slower => session_control::slower(model, effects),
        CommandId::Cancel => cancel(model, count, effects),
        CommandId::LessActions => next_request::change_window(model, -1, 0, times, effects),
        CommandId::MoreActions => next_request::change_window(model, 1, 0, times, effects),
        CommandId::LessFrames => next_request::change_window(model, 0, -1, times, effects),
        CommandId::MoreFrames => next_request::change_window(model, 0, 1, times, effects),
        CommandId::Up | CommandId::Down | CommandId::Left | CommandId::Right => arrow(model, id, times),
        CommandId::Help => model.modal = Some(Modal::Help(EntryMenu::default())),
        CommandId::Palette => model.modal = Some(Modal::Palette(Palette::default())),
        CommandId::Request => model.modal = Some(Modal::Request(0)),
        CommandId::Copy => model.modal = Some(Modal::Copy(CopyMenu::new(model, None))),
        CommandId::Prompt => next_request::open_prompts(model, None),
        CommandId::Edit => editing::open(model, None, effects),
        CommandId::AskAgain => editing::ask_again(model, effects),
        CommandId::Hint => editing::hint(model, "", effects),
        CommandId::EditState => state_edit::open(model),
        CommandId::Search => search::open(model),
        CommandId::Diff | CommandId::DiffRequests => comparisons::begin(model, id, "", effects),
        CommandId::NextMarked if model.search.is_some() => search::show_next(model, times, true),
        CommandId::PreviousMarked if model.search.is_some() => search::show_next(model, times, false),
        CommandId::NextMarked => finding::find_next(model, times, true),
        CommandId::PreviousMarked => finding::find_next(model, times, false),
        CommandId::OnlyMarked => finding::toggle_only_marked(model),
        CommandId::Episodes => episodes::open_list(model, effects),
        CommandId::Verdict => model.modal = Some(Modal::Verdict(EntryMenu::default())),
        CommandId::Open
        | CommandId::Act
        | CommandId::Plan
        | CommandId::Theme
        | CommandId::Magnify
        | CommandId::GoTo
        | CommandId::Find
        | CommandId::Marked
        | CommandId::Suite
        | CommandId::Tag
        | CommandId::Untag
        | CommandId::Comment
        | CommandId::Uncomment => open_palette(model, id),
        CommandId::Themes => theme_choice::open(model),
        CommandId::Tutor => tutor::open(model, "", effects),
        CommandId::Mouse => mouse_switch::switch(model, None, effects),
        CommandId::Before => frame::toggle_before(model),
        CommandId::Oracle => oracle::toggle(model),
        CommandId::Overlay => frame::toggle_overlay(model),
        CommandId::Pictures => frame::say_form(model),
        CommandId::Link => model.notify(format!("link: {}", model.link.speed)),
        CommandId::Bandwidth => frame::toggle_traffic(model),
        CommandId::Break => next_request::open_breakpoints(model),
        CommandId::Abandon => session_control::open_abandon(model),
        CommandId::Ask => ask_sheet::open(model, "", effects),
        CommandId::Blame => ask_sheet::open_blame(model, "", effects),
        CommandId::AskFrom => editing::answer_start(model),
        CommandId::Candidates => ask_sheet::open_candidates(model, count, effects),
        CommandId::Suites => suites::open(model, "", effects),
        CommandId::Fork => branches::open_sheet(model, "", effects),
        CommandId::Seat => seats::open(model, effects),
        CommandId::Branches => branches::open_tree(model, effects),
        CommandId::Restart => session_control::restart(model, effects),
        CommandId::Redraw => effects.push(Effect::Redraw),
        CommandId::Suspend => effects.push(Effect::Suspend),
        CommandId::Interrupt => quit(model, effects),
        CommandId::Quit => effects.push(Effect::Quit),
        CommandId::PreviousEpisode => episodes::move_by(model, -signed(times), effects),
        CommandId::NextEpisode => episodes::move_by(model, signed(times), effects),
        _ => navigation::perform(model, id, times),
    }
}

/// Magnifies the picture of the focused frame pane, or shows more of it; false if there is none.
fn magnifies(model: &mut Model, larger: bool, times: u32) -> bool {
    model.focus == Pane::Frame && frame::change_factor(model, larger, times)
}

/// Opens the palette for the argument of a command.
fn open_palette(model: &mut Model, id: CommandId) {
    model.modal = Some(Modal::Palette(Palette::with(format!("{} ", id.command().name))));
}

/// Esc clears the count, ends the search, stops the clock, cancels the request or run in progress, or leaves the film or the
/// zoom; at last it goes back to where the episode was opened from.
fn cancel(model: &mut Model, count: Option<u32>, effects: &mut Vec<Effect>) {
    let busy = model.episode().is_some_and(|viewed| viewed.live && viewed.is_busy());
    if count.is_some() || search::end(model) || real_time::stop(model) {
    } else if busy {
        session_control::send(model, SessionCommand::Cancel, effects);
    } else if !film::leave(model) && !preview::end(model) && !frame::fit(model) {
        let was_zoomed = std::mem::replace(&mut model.zoomed, false);
        if !was_zoomed {
            returning::go_back(model, effects);
        }
    }
}

fn quit(model: &mut Model, effects: &mut Vec<Effect>) {
    let written = matches!(&model.modal, Some(Modal::Edit(editor)) if editor.has_changed());
    if written && !model.cancelled {
        model.cancelled = true;
        return model.notify("the text is not saved; Ctrl-C again quits and discards it");
    }
    let busy = model.episode().is_some_and(|viewed| viewed.live && viewed.is_busy());
    if busy && !model.cancelled {
        model.cancelled = true;
        session_control::send(model, SessionCommand::Cancel, effects);
        model.notify("cancelled; Ctrl-C again quits");
    } else {
        effects.push(Effect::Quit);
    }
}

fn arrow(model: &mut Model, id: CommandId, times: u32) {
    if model.focus == Pane::Frame && (frame::pan(model, id, times) || navigation::pan(model, id, times)) {
        return;
    }
    let across = matches!(id, CommandId::Left | CommandId::Right) && model.focus == Pane::Frame;
    if across && navigation::scroll_sideways(model, id, times) {
        return;
    }
    if model.focus == Pane::Score
        && matches!(id, CommandId::Left | CommandId::Right)
        && navigation::open_row(model, id)
    {
        return;
    }
    let instead = match id {
        CommandId::Up => CommandId::ScrollUp,
        CommandId::Down => CommandId::ScrollDown,
        CommandId::Left => CommandId::Back,
        _ => CommandId::Forward,
    };
    navigation::perform(model, instead, times);
}

/// A count as a distance.
fn signed(times: u32) -> isize {
    isize::try_from(times).unwrap_or(isize::MAX)
}
