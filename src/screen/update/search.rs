//! Search in the focused pane or the open dialog, and on through the steps of the episode.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::navigation;
use crate::command::{CommandId, meaning};
use crate::model::{Modal, Model, Search};
use crate::pane::Pane;
use crate::search::{Match, Query, find_in_rows, steps_with};
use crate::{modals, view};
use mageyard_terminal::{count_of, to_cells};

/// What a command means for the search in a dialog.
#[derive(Clone, Copy)]
enum DialogKey {
    Open,
    /// The next match, or the previous one.
    ShowNext {
        ahead: bool,
    },
    End,
}

const DIALOG_KEYS: [(CommandId, DialogKey); 4] = [
    (CommandId::Search, DialogKey::Open),
    (CommandId::NextMarked, DialogKey::ShowNext { ahead: true }),
    (CommandId::PreviousMarked, DialogKey::ShowNext { ahead: false }),
    (CommandId::Cancel, DialogKey::End),
];

/// Begins to type a text.
pub(super) fn open(model: &mut Model) {
    model.search = Some(Search::typed());
}

/// Searches this text.
pub(super) fn begin(model: &mut Model, text: &str) {
    model.search = Some(Search::with(text));
    if model.appearance.settings.linear {
        // What was found is listed; n and N show the steps.
        return;
    }
    entered(model);
}

/// Ends the search; false if there is none.
pub(super) fn end(model: &mut Model) -> bool {
    model.search.take().is_some()
}

/// Whether a key is for the search: letters while it is typed, and in a dialog the keys that move between matches.
pub(super) fn takes(model: &Model, id: Option<CommandId>) -> bool {
    let Some(search) = &model.search else {
        return model.modal.as_ref().is_some_and(Modal::is_searchable) && id == Some(CommandId::Search);
    };
    let in_dialog = model.modal.as_ref().is_some_and(Modal::is_searchable);
    search.is_typing || (in_dialog && meaning(&DIALOG_KEYS, id).is_some())
}

/// Handles a key that is for the search.
pub(super) fn press(model: &mut Model, key: KeyEvent, id: Option<CommandId>) {
    if model.search.as_ref().is_some_and(|search| search.is_typing) {
        return type_key(model, key);
    }
    match meaning(&DIALOG_KEYS, id) {
        Some(DialogKey::ShowNext { ahead }) => show_next(model, 1, ahead),
        Some(DialogKey::End) => drop(end(model)),
        Some(DialogKey::Open) | None => open(model),
    }
}

fn type_key(model: &mut Model, key: KeyEvent) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let Some(search) = &mut model.search else { return };
    match key.code {
        KeyCode::Esc => model.search = None,
        KeyCode::Backspace if search.text().is_empty() => model.search = None,
        KeyCode::Backspace => search.backspace(),
        KeyCode::Enter => entered(model),
        KeyCode::Char('u' | 'w') if control => search.clear(),
        KeyCode::Char(letter) if !control => search.insert(letter.encode_utf8(&mut [0; 4])),
        _ => {}
    }
}

pub(super) fn paste(model: &mut Model, text: &str) -> bool {
    let Some(search) = model.search.as_mut().filter(|search| search.is_typing) else { return false };
    search.insert(text);
    true
}

/// The text is complete: the first match from the scroll position on is shown. Where the focused pane has no words, all
/// panes are searched.
fn entered(model: &mut Model) {
    let Some(query) = model.search.as_ref().and_then(Search::query) else { return model.search = None };
    let is_everywhere = model.modal.is_none() && view::words_of(model, model.panes.focus).is_empty();
    if let Some(search) = &mut model.search {
        (search.is_typing, search.is_everywhere) = (false, is_everywhere);
    }
    let pane = searched_pane(model);
    let steps = model.episode().map_or(0, |viewed| steps_with(viewed, pane, &query).count());
    if let Some(search) = &mut model.search {
        search.steps = steps;
    }
    show_next(model, 1, true);
}

fn is_everywhere(model: &Model) -> bool {
    model.search.as_ref().is_some_and(|search| search.is_everywhere)
}

/// The pane whose texts are searched in other steps. Of all panes, those of the frame count only while it is shown as text.
fn searched_pane(model: &Model) -> Pane {
    match is_everywhere(model) {
        _ if model.appearance.settings.linear => Pane::Steps,
        true if view::words_of(model, Pane::Frame).is_empty() => Pane::Agent,
        true => Pane::Steps,
        false => model.panes.focus,
    }
}

/// The matches in what is shown now.
fn matches(model: &Model, query: &Query) -> Vec<Match> {
    let rows = view::searched_rows(model);
    find_in_rows(rows.iter().map(String::as_str), query)
}

/// Shows the next or previous match. After the last one of the pane, that of another pane if all are searched, and then
/// another step that has the text; if there is none, the first one again.
pub(super) fn show_next(model: &mut Model, times: u32, ahead: bool) {
    for _ in 0..times.max(1) {
        let Some(query) = model.search.as_ref().and_then(Search::query) else { return };
        let found = matches(model, &query);
        let next = next_index(model, &found, ahead);
        match next {
            Some(index) => show_match(model, &found, index),
            None if show_other_pane(model, &query, ahead, false) => {}
            None if show_other_step(model, &query, ahead) => {}
            None if show_other_pane(model, &query, ahead, true) => say_wrapped(model, ahead),
            None if found.is_empty() => return say_nothing_found(model, &query),
            None => {
                show_match(model, &found, if ahead { 0 } else { found.len() - 1 });
                say_wrapped(model, ahead);
            }
        }
    }
}

fn say_wrapped(model: &mut Model, ahead: bool) {
    let end = if ahead { "top" } else { "end" };
    model.notify(format!("the search continues at the {end}"));
}

/// Shows the first match in a pane after the focused one, or the last one in a pane before it; `whole` begins at the end of
/// the panes instead. False if only one pane is searched, or none of them has a match.
fn show_other_pane(model: &mut Model, query: &Query, ahead: bool, whole: bool) -> bool {
    if model.modal.is_some() || !is_everywhere(model) {
        return false;
    }
    let here = Pane::ALL.iter().position(|pane| *pane == model.panes.focus).unwrap_or(0);
    // A pane without words has none after which to begin.
    let is_start = whole || view::words_of(model, model.panes.focus).is_empty();
    let panes: Vec<Pane> = match (ahead, is_start) {
        (true, true) => Pane::ALL.to_vec(),
        (true, false) => Pane::ALL[here + 1..].to_vec(),
        (false, true) => Pane::ALL.iter().rev().copied().collect(),
        (false, false) => Pane::ALL[..here].iter().rev().copied().collect(),
    };
    let has_match = |pane: &Pane| {
        let rows = view::words_of(model, *pane);
        !find_in_rows(rows.iter().map(String::as_str), query).is_empty()
    };
    let Some(pane) = panes.into_iter().find(has_match) else { return false };
    model.set_focus(pane);
    let found = matches(model, query);
    show_match(model, &found, if ahead { 0 } else { found.len().saturating_sub(1) });
    true
}

/// The match after the current one, or after the scroll position; `None` behind the last one.
fn next_index(model: &Model, found: &[Match], ahead: bool) -> Option<usize> {
    let current = model.search.as_ref()?.current(model.search_place());
    let index = match (current, ahead) {
        (Some(current), true) => current + 1,
        (Some(current), false) => current.checked_sub(1)?,
        (None, true) => found.iter().position(|one| one.row >= shown_rows(model).0)?,
        (None, false) => {
            let (from, height) = shown_rows(model);
            found.iter().rposition(|one| one.row < from + height)?
        }
    };
    (index < found.len()).then_some(index)
}

/// The first row that is shown, and how many.
fn shown_rows(model: &Model) -> (usize, usize) {
    let (most, height) = extent(model);
    (usize::from(scroll(model).min(most)), usize::from(height))
}

fn extent(model: &Model) -> (u16, u16) {
    match &model.modal {
        Some(dialog) => modals::scroll_extent(model, dialog).unwrap_or((0, 1)),
        None => view::scroll_extent(model, model.panes.focus),
    }
}

fn scroll(model: &Model) -> u16 {
    match &model.modal {
        Some(dialog) => dialog.scroll().unwrap_or(0),
        None => model.panes.scroll[model.panes.focus as usize],
    }
}

fn set_scroll(model: &mut Model, to: u16) {
    match &mut model.modal {
        Some(dialog) => dialog.set_scroll(to),
        None => model.panes.scroll[model.panes.focus as usize] = to,
    }
}

/// Makes a match the current one, and scrolls to it.
fn show_match(model: &mut Model, found: &[Match], index: usize) {
    let Some(row) = found.get(index).map(|one| one.row) else { return };
    let (from, height) = shown_rows(model);
    let (most, _) = extent(model);
    if !(from..from + height).contains(&row) {
        set_scroll(model, to_cells(row.saturating_sub(height / 3)).min(most));
    }
    let place = model.search_place();
    if let Some(search) = &mut model.search {
        search.set_current(index, place);
    }
}

/// Shows the next step that has the text, and its first match; false if there is no other one. A dialog has no steps.
fn show_other_step(model: &mut Model, query: &Query, ahead: bool) -> bool {
    let Some(viewed) = model.episode().filter(|_| model.modal.is_none()) else { return false };
    let here = viewed.index();
    let pane = searched_pane(model);
    let steps: Vec<usize> = steps_with(viewed, pane, query).filter(|index| *index != here).collect();
    let later = steps.iter().position(|index| *index > here);
    let index = match (ahead, later) {
        (true, Some(later)) => Some(later),
        (true, None) => Some(0),
        (false, Some(0)) => steps.len().checked_sub(1),
        (false, Some(later)) => Some(later - 1),
        (false, None) => steps.len().checked_sub(1),
    };
    let Some(step) = index.and_then(|index| steps.get(index)).copied() else { return false };
    navigation::show_step(model, step);
    if !show_other_pane(model, query, ahead, true) {
        let found = matches(model, query);
        if !ahead {
            set_scroll(model, extent(model).0);
        }
        show_match(model, &found, if ahead { 0 } else { found.len().saturating_sub(1) });
    }
    say_step(model, query);
    true
}

/// Says which step is shown, and how many matches its pane has.
fn say_step(model: &mut Model, query: &Query) {
    let number = model.episode().and_then(|viewed| viewed.step()).map_or(0, |step| step.number);
    let found = match matches(model, query).len() {
        // A reply is drawn without the marks of its format.
        0 => "the text is in a part that is not shown".to_owned(),
        count => count_of(count, "match").replace("matchs", "matches"),
    };
    model.notify(format!("step {number}: {found}"));
}

fn say_nothing_found(model: &mut Model, query: &Query) {
    let text = model.search.as_ref().map(|search| mageyard_domain::sanitize(search.text()).into_owned());
    let place = match &model.modal {
        Some(_) => "this dialog".to_owned(),
        None if is_everywhere(model) => "any pane".to_owned(),
        None => format!("the {} pane of any step", model.panes.focus.name().to_lowercase()),
    };
    let hint = if query.is_exact() { "; without an upper-case letter, case does not count" } else { "" };
    model.notify(format!("{:?} is not in {place}{hint}", text.unwrap_or_default()));
}
