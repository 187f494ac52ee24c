//! Keys while a dialog is open.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::scrolling::{entry_move, scroll_target};
use super::{
    Effect, action_form, ask_sheet, asked, branches, command_line, commands, comparisons, editing, episodes,
    finding, found, found_suite, navigation, next_request, person_sheet, search, seats, session_control,
    state_edit, suites, theme_choice, views,
};
use crate::builder;
use crate::command::{CommandId, meaning};
use crate::completions::completions;
use crate::grid;
use crate::help;
use crate::home;
use crate::modals;
use crate::model::{CopyDestination, CopyMenu, EntryMenu, EpisodeList, Fault, Modal, Model, Palette, View};
use crate::models;
use crate::readers;
use crate::workshop;
use mageyard_engine::{Breakpoints, SessionCommand, StepExport};
use mageyard_terminal::CopyRoute;

pub(super) fn paste(model: &mut Model, text: &str, effects: &mut Vec<Effect>) {
    if search::paste(model, text) {
        return;
    }
    if let Some(Modal::Grid(mut asked)) = model.modal.take_if(|dialog| matches!(dialog, Modal::Grid(_))) {
        grid::paste(model, &mut asked, text, effects);
        return model.modal = Some(Modal::Grid(asked));
    }
    match &mut model.modal {
        None => views::paste(model, text),
        Some(Modal::Palette(palette)) => palette.insert(text),
        Some(Modal::Edit(_)) => editing::paste(model, text),
        Some(Modal::Form(_)) => action_form::paste(model, text),
        Some(Modal::Episodes(list)) => list.insert(text),
        Some(Modal::Fork(sheet)) => sheet.insert(text),
        Some(Modal::Ask(sheet)) => sheet.insert(text),
        Some(Modal::Breaks(_)) => write_condition(model, text),
        Some(Modal::Help(sheet)) => sheet.paste(text),
        Some(Modal::Models(sheet)) => models::paste(sheet, text),
        Some(Modal::Readers(sheet)) => readers::paste(sheet, text, effects),
        Some(Modal::Workshop(sheet)) => workshop::paste(sheet, text, effects),
        Some(Modal::SweepForm(form)) => builder::paste(form, text, effects),
        Some(Modal::Person(sheet)) => person_sheet::paste(sheet, text),
        Some(Modal::Found(list)) => found_suite::paste(list, text),
        Some(
            Modal::Themes(_)
            | Modal::Grid(_)
            | Modal::Asked(_)
            | Modal::Suites(_)
            | Modal::State(_)
            | Modal::Branches(_)
            | Modal::Seats(_)
            | Modal::RequestDiff(_)
            | Modal::Diff(_)
            | Modal::Verdict(_)
            | Modal::Request(_)
            | Modal::Prompts
            | Modal::Fault(_)
            | Modal::Copy(_)
            | Modal::Abandon
            | Modal::Restart
            | Modal::Delete(_),
        ) => {}
    }
}

/// Begins a condition for a breakpoint with this text, in the palette, which completes it.
fn write_condition(model: &mut Model, text: &str) {
    let mut palette = Palette::with(format!("{} ", CommandId::Break.command().name));
    palette.insert(text);
    model.modal = Some(Modal::Palette(palette));
}

/// The caller took the modal out of the model; a handler that keeps it open puts it back.
pub(super) fn press(
    model: &mut Model,
    sheet: Modal,
    key: KeyEvent,
    id: Option<CommandId>,
    effects: &mut Vec<Effect>,
) {
    match sheet {
        Modal::Palette(palette) => on_palette(model, palette, key, effects),
        Modal::Edit(editor) => editing::press(model, editor, key, effects),
        Modal::Form(form) => action_form::press(model, form, key, effects),
        Modal::Episodes(list) => episodes::press(model, list, key, effects),
        Modal::Models(sheet) => models::press(model, sheet, key, effects),
        Modal::Readers(sheet) => readers::press(model, sheet, key, effects),
        Modal::Workshop(sheet) => workshop::press(model, sheet, key, effects),
        Modal::SweepForm(form) => builder::press(model, form, key, effects),
        Modal::Help(sheet) => help::press(model, sheet, key, id, effects),
        Modal::Themes(picker) => theme_choice::press(model, picker, key, id, effects),
        Modal::Verdict(menu) => on_verdict(model, menu, key, id),
        Modal::Request(scroll) => on_request(model, scroll, id, effects),
        Modal::Prompts => on_prompts(model, key, effects),
        Modal::Copy(copying) => on_copy(model, copying, key, id, effects),
        Modal::Restart => session_control::answer_restart(model, key.code == KeyCode::Char('y'), effects),
        Modal::State(edit) => state_edit::press(model, edit, key, effects),
        Modal::Grid(asked) => grid::press(model, asked, key, effects),
        Modal::Ask(sheet) => ask_sheet::press(model, sheet, key, effects),
        Modal::Asked(sheet) => asked::press(model, sheet, key, effects),
        Modal::Suites(list) => suites::press(model, list, key, effects),
        Modal::Fork(sheet) => branches::press_sheet(model, sheet, key, effects),
        Modal::Branches(tree) => branches::press_tree(model, tree, key, effects),
        Modal::Seats(sheet) => seats::press(model, sheet, key, effects),
        Modal::Found(list) => found::press(model, list, key, effects),
        Modal::RequestDiff(diff) => comparisons::press_requests(model, diff, key, id, effects),
        Modal::Diff(diff) => comparisons::press_episodes(model, diff, key, id),
        Modal::Delete(deletion) => {
            home::answer_deletion(model, deletion, key.code == KeyCode::Char('y'), effects);
        }
        Modal::Person(sheet) => person_sheet::press(model, sheet, key, effects),
        Modal::Abandon => session_control::answer_abandon(model, key.code == KeyCode::Char('y'), effects),
        Modal::Breaks(breaks) => on_breaks(model, breaks, key, effects),
        Modal::Fault(fault) => on_fault(model, fault, key, id, effects),
    }
}

/// Only Esc, Enter and q close a fault, so that a key typed before it appeared does nothing. Enter asks an agent again that
/// failed. Without an open episode the list is shown again.
fn on_fault(
    model: &mut Model,
    fault: Fault,
    key: KeyEvent,
    id: Option<CommandId>,
    effects: &mut Vec<Effect>,
) {
    if key.code == KeyCode::Enter && model.asks_again(&fault) {
        return session_control::step(model, 1, effects);
    }
    model.modal = match key.code {
        KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => {
            let is_empty = model.view() == View::Episode && model.episodes.is_empty();
            is_empty.then(|| Modal::Episodes(EpisodeList::at(model, 0)))
        }
        _ if id == Some(CommandId::Palette) => Some(Modal::Palette(Palette::default())),
        _ => Some(Modal::Fault(fault)),
    };
}

/// Arrows select an entry; Enter goes to the next step with its mark. Pages scroll, and any other command closes it.
fn on_verdict(model: &mut Model, menu: EntryMenu, key: KeyEvent, id: Option<CommandId>) {
    let page = modals::verdict_page(model);
    let (most, height) = modals::verdict_extent(model);
    let places: Vec<_> = page.entries.iter().map(|(_, lines)| lines.clone()).collect();
    let by = match key.code {
        KeyCode::Enter => {
            if let Some((mark, _)) = page.entries.get(menu.selected) {
                finding::find(model, mark.name());
            }
            return;
        }
        KeyCode::Up | KeyCode::BackTab => -1,
        KeyCode::Down | KeyCode::Tab => 1,
        _ => entry_move(id).unwrap_or(0),
    };
    if by != 0 && !places.is_empty() {
        // The last entry scrolls on to the rules below it.
        let is_end = by > 0 && menu.selected + 1 == places.len();
        let scroll = if is_end { menu.scroll.saturating_add(1).min(most) } else { menu.scroll };
        let moved = menu.moved(&places, height.into(), by);
        let menu = if is_end { EntryMenu { scroll, ..menu } } else { moved };
        return model.modal = Some(Modal::Verdict(menu));
    }
    let to = scroll_target(id, menu.scroll, (most, height));
    model.modal = to.map(|to| Modal::Verdict(EntryMenu::at(&places, to, most)));
}

/// What a command means in the dialog of the request, besides scrolling.
#[derive(Clone, Copy)]
enum RequestKey {
    Close,
    OpenPalette,
    OpenCopies,
    OpenPrompts,
    EditPrompt,
    MoveBy(isize),
    /// The command does the same as without the dialog.
    Perform(CommandId),
}

const REQUEST_KEYS: [(CommandId, RequestKey); 13] = [
    (CommandId::Cancel, RequestKey::Close),
    (CommandId::Quit, RequestKey::Close),
    (CommandId::Request, RequestKey::Close),
    (CommandId::Palette, RequestKey::OpenPalette),
    (CommandId::Copy, RequestKey::OpenCopies),
    (CommandId::Prompt, RequestKey::OpenPrompts),
    (CommandId::Edit, RequestKey::EditPrompt),
    (CommandId::PreviousReply, RequestKey::MoveBy(-1)),
    (CommandId::NextReply, RequestKey::MoveBy(1)),
    (CommandId::LessActions, RequestKey::Perform(CommandId::LessActions)),
    (CommandId::MoreActions, RequestKey::Perform(CommandId::MoreActions)),
    (CommandId::LessFrames, RequestKey::Perform(CommandId::LessFrames)),
    (CommandId::MoreFrames, RequestKey::Perform(CommandId::MoreFrames)),
];

/// The request scrolls, and stays open while window and prompt are changed.
fn on_request(model: &mut Model, scroll: u16, id: Option<CommandId>, effects: &mut Vec<Effect>) {
    let extent = modals::request_extent(model);
    model.modal = Some(Modal::Request(scroll.min(extent.0)));
    match meaning(&REQUEST_KEYS, id) {
        Some(RequestKey::Close) => model.modal = None,
        Some(RequestKey::OpenPalette) => model.open_over(Modal::Palette(Palette::default())),
        Some(RequestKey::OpenCopies) => {
            let menu = CopyMenu::new(model);
            model.open_over(Modal::Copy(menu));
        }
        Some(RequestKey::OpenPrompts) => next_request::open_prompts(model),
        Some(RequestKey::EditPrompt) => editing::open(model, Some("prompt"), effects),
        Some(RequestKey::MoveBy(by)) => navigation::move_requests(model, by),
        Some(RequestKey::Perform(id)) => commands::perform(model, id, effects),
        None => {
            if let Some(to) = scroll_target(id, scroll, extent) {
                model.modal = Some(Modal::Request(to));
            }
        }
    }
}

/// A digit selects a prompt.
fn on_prompts(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    let number = match key.code {
        KeyCode::Char(c @ '1'..='9') => c.to_digit(10),
        KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => return,
        _ => None,
    };
    let chosen = number.and_then(|number| {
        let prompts = &model.episode()?.snapshot.requests.prompts;
        prompts.get(usize::try_from(number).ok()?.checked_sub(1)?).map(|prompt| prompt.name.clone())
    });
    match chosen {
        Some(name) => next_request::prompt(model, &name, effects),
        None => model.modal = Some(Modal::Prompts),
    }
}

/// A digit switches a breakpoint; the dialog stays open. Anything else that is typed begins a condition, because none
/// begins with a digit.
fn on_breaks(model: &mut Model, breaks: Breakpoints, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let breaks = match key.code {
        KeyCode::Esc | KeyCode::Enter => return,
        KeyCode::Char(':') => return write_condition(model, ""),
        KeyCode::Char('0') => Breakpoints::default().knowing(breaks.known().clone()),
        KeyCode::Char(c @ '1'..='9') => {
            let number = c.to_digit(10).and_then(|digit| usize::try_from(digit).ok()).unwrap_or(0);
            breaks.toggled(number.saturating_sub(1))
        }
        KeyCode::Char(letter) if !control && letter != ' ' => {
            return write_condition(model, letter.encode_utf8(&mut [0; 4]));
        }
        _ => return model.modal = Some(Modal::Breaks(breaks)),
    };
    session_control::send(model, SessionCommand::SetBreakpoints(breaks.clone()), effects);
    model.modal = Some(Modal::Breaks(breaks));
}

/// A digit copies; the menu stays open and shows the result.
fn on_copy(
    model: &mut Model,
    copying: CopyMenu,
    key: KeyEvent,
    id: Option<CommandId>,
    effects: &mut Vec<Effect>,
) {
    let to = copying.destination;
    match key.code {
        KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => return,
        _ if id == Some(CommandId::Copy) => return,
        KeyCode::Char('w') if model.appearance.settings.copy_route != CopyRoute::File => {
            let to =
                if to == CopyDestination::File { CopyDestination::Clipboard } else { CopyDestination::File };
            return model.modal = Some(Modal::Copy(CopyMenu { destination: to, message: None }));
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
