//! What each command does. The table of commands says what they are called.

use super::Effect;
use super::editing;
use super::finding;
use super::navigation;
use super::session_control;
use crate::engine::SessionCommand;
use crate::tui::command::CommandId;
use crate::tui::model::CopyMenu;
use crate::tui::model::Modal;
use crate::tui::model::Model;
use crate::tui::model::Palette;
use crate::tui::pane::Pane;

/// Does what a command says, with the count that was typed before it.
pub(super) fn perform(model: &mut Model, deed: CommandId, effects: &mut Vec<Effect>) {
    let count = model.count.take();
    let times = count.unwrap_or(1);
    match deed {
        CommandId::Step => session_control::step(model, times, effects),
        CommandId::Run => session_control::run(model, count, effects),
        CommandId::Faster => session_control::faster(model, effects),
        CommandId::Slower => session_control::slower(model, effects),
        CommandId::Cancel => cancel(model, count, effects),
        CommandId::LessActions => session_control::change_window(model, -1, 0, times, effects),
        CommandId::MoreActions => session_control::change_window(model, 1, 0, times, effects),
        CommandId::LessFrames => session_control::change_window(model, 0, -1, times, effects),
        CommandId::MoreFrames => session_control::change_window(model, 0, 1, times, effects),
        CommandId::Up | CommandId::Down | CommandId::Left | CommandId::Right => {
            arrow(model, deed, times, effects)
        }
        CommandId::Help => model.modal = Some(Modal::Help(0)),
        CommandId::Palette => model.modal = Some(Modal::Palette(Palette::default())),
        CommandId::Request => model.modal = Some(Modal::Request(0)),
        CommandId::Copy => model.modal = Some(Modal::Copy(CopyMenu::default())),
        CommandId::Prompt => session_control::open_prompts(model, None),
        CommandId::Edit => editing::open(model, None, effects),
        CommandId::NextMarked => finding::find_next(model, times, true),
        CommandId::PreviousMarked => finding::find_next(model, times, false),
        CommandId::OnlyMarked => finding::toggle_only_marked(model),
        CommandId::Verdict => model.modal = Some(Modal::Verdict(0)),
        CommandId::Open
        | CommandId::Act
        | CommandId::Plan
        | CommandId::Theme
        | CommandId::GoTo
        | CommandId::Find => open_palette(model, deed),
        CommandId::Break => session_control::open_breakpoints(model),
        CommandId::Abandon => session_control::open_abandon(model),
        CommandId::Redraw => effects.push(Effect::Redraw),
        CommandId::Suspend => effects.push(Effect::Suspend),
        CommandId::Quit => quit(model, effects),
        CommandId::Leave => effects.push(Effect::Quit),
        _ => navigation::perform(model, deed, times),
    }
}

/// A command that wants an argument opens the palette with its name typed.
fn open_palette(model: &mut Model, deed: CommandId) {
    model.modal = Some(Modal::Palette(Palette::with(format!("{} ", deed.command().name))));
}

/// Esc takes back the nearest thing: the count, the work under way, the zoom.
fn cancel(model: &mut Model, count: Option<u32>, effects: &mut Vec<Effect>) {
    let busy = model.episode().is_some_and(|viewed| viewed.live && viewed.is_busy());
    if count.is_some() {
    } else if busy {
        session_control::send(model, SessionCommand::Cancel, effects);
    } else {
        model.zoomed = false;
    }
}

fn quit(model: &mut Model, effects: &mut Vec<Effect>) {
    let written = matches!(&model.modal, Some(Modal::Edit(editor)) if editor.has_changed());
    if written && !model.cancelled {
        model.cancelled = true;
        return model.notify("the text is not taken yet; Ctrl-C again leaves and loses it");
    }
    let busy = model.episode().is_some_and(|viewed| viewed.live && viewed.is_busy());
    if busy && !model.cancelled {
        model.cancelled = true;
        session_control::send(model, SessionCommand::Cancel, effects);
        model.notify("cancelled; Ctrl-C again leaves");
    } else {
        effects.push(Effect::Quit);
    }
}

fn arrow(model: &mut Model, deed: CommandId, times: u32, effects: &mut Vec<Effect>) {
    let name = match deed {
        CommandId::Up => "Up",
        CommandId::Down => "Down",
        CommandId::Left => "Left",
        _ => "Right",
    };
    if model.episode().is_some_and(|viewed| viewed.is_human() && !viewed.is_over()) {
        return session_control::play(model, name, times, effects);
    }
    let across = matches!(deed, CommandId::Left | CommandId::Right) && model.focus == Pane::Frame;
    if across && navigation::scroll_sideways(model, deed, times) {
        return;
    }
    let instead = match deed {
        CommandId::Up => CommandId::ScrollUp,
        CommandId::Down => CommandId::ScrollDown,
        CommandId::Left => CommandId::Back,
        _ => CommandId::Forward,
    };
    navigation::perform(model, instead, times);
}
