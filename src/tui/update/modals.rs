//! Keys while a dialog is open.

use crossterm::event::KeyCode;
use crossterm::event::KeyEvent;
use crossterm::event::KeyModifiers;

use super::Effect;
use super::action_form;
use super::command_line;
use super::dispatch;
use super::editing;
use super::episodes;
use super::navigation;
use super::next_request;
use super::session_control;
use crate::engine::Breakpoints;
use crate::engine::SessionCommand;
use crate::engine::StepExport;
use crate::tui::command::CommandId;
use crate::tui::completions::completions;
use crate::tui::modals;
use crate::tui::model::CopyDestination;
use crate::tui::model::CopyMenu;
use crate::tui::model::EpisodeList;
use crate::tui::model::Fault;
use crate::tui::model::Modal;
use crate::tui::model::Model;
use crate::tui::model::Palette;

pub(super) fn paste(model: &mut Model, text: &str) {
    match &mut model.modal {
        Some(Modal::Palette(palette)) => palette.insert(text),
        Some(Modal::Edit(_)) => editing::paste(model, text),
        Some(Modal::Form(_)) => action_form::paste(model, text),
        Some(Modal::Episodes(list)) => list.insert(text),
        _ => {}
    }
}

/// The caller took the modal out of the model; a handler that keeps it open puts it back.
pub(super) fn press(model: &mut Model, sheet: Modal, key: KeyEvent, effects: &mut Vec<Effect>) {
    match sheet {
        Modal::Palette(palette) => on_palette(model, palette, key, effects),
        Modal::Edit(editor) => editing::press(model, editor, key, effects),
        Modal::Form(form) => action_form::press(model, form, key, effects),
        Modal::Episodes(list) => episodes::press(model, list, key, effects),
        Modal::Help(scroll) => on_help(model, scroll, key),
        Modal::Verdict(scroll) => on_verdict(model, scroll, key),
        Modal::Request(scroll) => on_request(model, scroll, key, effects),
        Modal::Prompts(over) => on_prompts(model, over, key, effects),
        Modal::Copy(copying) => on_copy(model, copying, key, effects),
        Modal::Restart => session_control::answer_restart(model, key.code == KeyCode::Char('y'), effects),
        Modal::Abandon => session_control::answer_abandon(model, key.code == KeyCode::Char('y'), effects),
        Modal::Breaks(breaks) => on_breaks(model, breaks, key, effects),
        Modal::Fault(fault) => on_fault(model, fault, key),
    }
}

/// Only Esc, Enter and q close a fault, so that a key typed before it appeared does nothing. Without an open
/// episode the list is shown again.
fn on_fault(model: &mut Model, fault: Fault, key: KeyEvent) {
    model.modal = match (key.code, model.appearance.keys.command(key)) {
        (KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q'), _) => {
            model.episodes.is_empty().then(|| Modal::Episodes(EpisodeList::default()))
        }
        (_, Some(CommandId::Palette)) => Some(Modal::Palette(Palette::default())),
        _ => Some(Modal::Fault(fault)),
    };
}

fn on_help(model: &mut Model, scroll: u16, key: KeyEvent) {
    let extent = modals::help_extent(model);
    let to = model.appearance.keys.command(key).and_then(|id| scroll_target(id, scroll, extent));
    model.modal = to.map(Modal::Help);
}

fn on_verdict(model: &mut Model, scroll: u16, key: KeyEvent) {
    let extent = modals::verdict_extent(model);
    let to = model.appearance.keys.command(key).and_then(|id| scroll_target(id, scroll, extent));
    model.modal = to.map(Modal::Verdict);
}

/// The scroll position after this command; `None` if it does not scroll.
fn scroll_target(id: CommandId, at: u16, (most, page): (u16, u16)) -> Option<u16> {
    let to = match id {
        CommandId::ScrollDown | CommandId::Down => at.saturating_add(1),
        CommandId::ScrollUp | CommandId::Up => at.saturating_sub(1),
        CommandId::PageDown | CommandId::Run => at.saturating_add(page),
        CommandId::PageUp => at.saturating_sub(page),
        CommandId::Top | CommandId::First => 0,
        CommandId::Bottom | CommandId::Newest => most,
        _ => return None,
    };
    Some(to.min(most))
}

/// The request scrolls, and stays open while window and prompt are changed.
fn on_request(model: &mut Model, scroll: u16, key: KeyEvent, effects: &mut Vec<Effect>) {
    let extent = modals::request_extent(model);
    model.modal = Some(Modal::Request(scroll.min(extent.0)));
    match model.appearance.keys.command(key) {
        Some(CommandId::Cancel | CommandId::Quit | CommandId::Request) => model.modal = None,
        Some(CommandId::Palette) => model.modal = Some(Modal::Palette(Palette::default())),
        Some(CommandId::Copy) => {
            model.modal = Some(Modal::Copy(CopyMenu { request_scroll: Some(scroll), ..CopyMenu::default() }));
        }
        Some(CommandId::Prompt) => next_request::open_prompts(model, Some(scroll)),
        Some(CommandId::Edit) => editing::open(model, Some("prompt"), effects),
        Some(id @ (CommandId::PreviousReply | CommandId::NextReply)) => navigation::move_requests(model, id),
        Some(
            id @ (CommandId::LessActions
            | CommandId::MoreActions
            | CommandId::LessFrames
            | CommandId::MoreFrames),
        ) => {
            dispatch::perform(model, id, effects);
        }
        Some(id) => {
            let to = scroll_target(id, scroll, extent).unwrap_or(scroll);
            model.modal = Some(Modal::Request(to));
        }
        None => {}
    }
}

/// A digit selects a prompt; then the request dialog below is shown again.
fn on_prompts(model: &mut Model, over: Option<u16>, key: KeyEvent, effects: &mut Vec<Effect>) {
    let below = over.map(Modal::Request);
    let number = match key.code {
        KeyCode::Char(c @ '1'..='9') => c.to_digit(10),
        KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => return model.modal = below,
        _ => None,
    };
    let chosen = number.and_then(|number| {
        let prompts = &model.episode()?.snapshot.prompts;
        prompts.get(usize::try_from(number).ok()?.checked_sub(1)?).map(|prompt| prompt.name.clone())
    });
    match chosen {
        Some(name) => {
            model.modal = below;
            next_request::prompt(model, &name, effects);
        }
        None => model.modal = Some(Modal::Prompts(over)),
    }
}

/// A digit toggles a breakpoint; the dialog stays open.
fn on_breaks(model: &mut Model, breaks: Breakpoints, key: KeyEvent, effects: &mut Vec<Effect>) {
    let breaks = match key.code {
        KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | 'b') => return,
        KeyCode::Char('0') => Breakpoints::default(),
        KeyCode::Char(c @ '1'..='9') => {
            let number = c.to_digit(10).and_then(|digit| usize::try_from(digit).ok()).unwrap_or(0);
            breaks.toggled(number.saturating_sub(1))
        }
        _ => return model.modal = Some(Modal::Breaks(breaks)),
    };
    session_control::send(model, SessionCommand::SetBreakpoints(breaks.clone()), effects);
    model.modal = Some(Modal::Breaks(breaks));
}

/// A digit copies; the menu stays open and shows the result.
fn on_copy(model: &mut Model, copying: CopyMenu, key: KeyEvent, effects: &mut Vec<Effect>) {
    let id = model.appearance.keys.command(key);
    let to = copying.destination;
    match key.code {
        KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => {
            return model.modal = copying.request_scroll.map(Modal::Request);
        }
        _ if id == Some(CommandId::Copy) => {
            return model.modal = copying.request_scroll.map(Modal::Request);
        }
        KeyCode::Char('w') => {
            let to =
                if to == CopyDestination::File { CopyDestination::Clipboard } else { CopyDestination::File };
            return model.modal = Some(Modal::Copy(CopyMenu { destination: to, message: None, ..copying }));
        }
        KeyCode::Char(c @ '1'..='9') => {
            let number = c.to_digit(10).and_then(|digit| usize::try_from(digit).ok()).unwrap_or(0);
            let extract = StepExport::ALL.get(number.saturating_sub(1));
            effects.extend(extract.map(|extract| Effect::Copy(*extract, to)));
        }
        _ => {}
    }
    model.modal = Some(Modal::Copy(copying));
}

fn on_palette(model: &mut Model, mut palette: Palette, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let offers = completions(model, &palette);
    match key.code {
        KeyCode::Esc => return,
        KeyCode::Enter => return command_line::enter(model, &palette, effects),
        KeyCode::Tab => palette.complete(&offers),
        KeyCode::Up | KeyCode::BackTab => palette.select_previous(&offers),
        KeyCode::Down => palette.select_next(&offers),
        KeyCode::Char('p') if control => palette.select_previous(&offers),
        KeyCode::Char('n') if control => palette.select_next(&offers),
        KeyCode::Char('u') if control => palette = Palette::default(),
        KeyCode::Char('w') if control => palette.delete_word(),
        KeyCode::Backspace if palette.input().is_empty() => return,
        KeyCode::Backspace => palette.backspace(),
        KeyCode::Char(c) if !control => palette.insert(c.encode_utf8(&mut [0; 4])),
        _ => {}
    }
    model.modal = Some(Modal::Palette(palette));
}
