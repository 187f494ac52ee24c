//! What keys and lines do in the dialog of models, and what answers change.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::draw::suggestion;
use super::sheet::{Field, ModelRow, ModelSheet, suggested_name};
use crate::model::{EpisodeView, Modal, Model};
use crate::requests::{ModelAnswer, ModelEntry, ModelOrder, Player, Request, SuggestedValue};
use crate::update::{Effect, seat_by_words, set_of_agent};
use mageyard_domain::sanitize;

/// Rows of a page.
const PAGE: isize = 10;

/// Opens the dialog, and lists the models.
pub(crate) fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    effects.push(Effect::Request(Request::Model(ModelOrder::List)));
    model.open_over(Modal::Models(ModelSheet::default().into()));
}

/// Handles a key. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(crate) fn press(model: &mut Model, mut sheet: Box<ModelSheet>, key: KeyEvent, effects: &mut Vec<Effect>) {
    sheet.said = None;
    if sheet.is_typing() {
        type_key(&mut sheet, key, effects);
        return model.modal = Some(Modal::Models(sheet));
    }
    match key.code {
        KeyCode::Esc | KeyCode::Char('q') => return close(&sheet, effects),
        KeyCode::Enter => return choose(model, sheet, effects),
        KeyCode::Char('c') => check(&mut sheet, effects),
        KeyCode::Char('a') => apply(model, &mut sheet, effects),
        KeyCode::Char('l') => find(&mut sheet, effects),
        KeyCode::Char('u') => sheet.field = Some(Field::Url("http://127.0.0.1:".to_owned())),
        KeyCode::Up | KeyCode::BackTab | KeyCode::Char('k') => sheet.select_by(-1),
        KeyCode::Down | KeyCode::Tab | KeyCode::Char('j') => sheet.select_by(1),
        KeyCode::PageUp => sheet.select_by(-PAGE),
        KeyCode::PageDown => sheet.select_by(PAGE),
        KeyCode::Home => sheet.select_by(isize::MIN),
        KeyCode::End => sheet.select_by(isize::MAX),
        _ => {}
    }
    model.modal = Some(Modal::Models(sheet));
}

fn close(sheet: &ModelSheet, effects: &mut Vec<Effect>) {
    effects.extend(sheet.is_checking.then_some(Effect::Request(Request::Model(ModelOrder::StopChecks))));
}

fn type_key(sheet: &mut ModelSheet, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let Some(field) = sheet.field.as_mut() else { return };
    match key.code {
        KeyCode::Esc => sheet.field = None,
        KeyCode::Enter => enter_field(sheet, effects),
        KeyCode::Backspace => drop(field.text_mut().pop()),
        KeyCode::Char('u') if control => field.text_mut().clear(),
        KeyCode::Char(letter) if !control => field.insert(letter.encode_utf8(&mut [0; 4])),
        _ => {}
    }
}

/// Adds pasted text to what is typed.
pub(crate) fn paste(sheet: &mut ModelSheet, text: &str) {
    if let Some(field) = &mut sheet.field {
        field.insert(text);
    }
}

fn enter_field(sheet: &mut ModelSheet, effects: &mut Vec<Effect>) {
    let Some(field) = sheet.field.take() else { return };
    let order = match field {
        Field::Url(url) => {
            sheet.is_finding = true;
            ModelOrder::AskServer(with_path(url.trim()))
        }
        Field::Profile { text, url, model } => {
            let profile = text.trim().to_owned();
            sheet.wanted = Some(profile.clone());
            ModelOrder::Save { profile, url, model }
        }
    };
    effects.push(Effect::Request(Request::Model(order)));
}

/// The URL of a server; one without a path gets that of most servers.
fn with_path(url: &str) -> String {
    let (_, rest) = url.split_once("://").unwrap_or_default();
    let has_host = !rest.is_empty() && !rest.contains(['?', '#']);
    match rest.split_once('/') {
        None if has_host => format!("{url}/v1"),
        Some((_, "")) if has_host => format!("{url}v1"),
        _ => url.to_owned(),
    }
}

/// Looks for servers on this machine.
fn find(sheet: &mut ModelSheet, effects: &mut Vec<Effect>) {
    sheet.is_finding = true;
    effects.push(Effect::Request(Request::Model(ModelOrder::Find)));
}

/// Checks the selected model.
fn check(sheet: &mut ModelSheet, effects: &mut Vec<Effect>) {
    let Some(target) = sheet.selected_row().and_then(|row| row.target()) else { return };
    (sheet.checked, sheet.is_checking) = (Some(target.clone()), true);
    sheet.checks.clear();
    effects.push(Effect::Request(Request::Model(ModelOrder::Check(target))));
}

/// Uses the selected model with the settings that its checks suggest, from the next request on.
fn apply(model: &mut Model, sheet: &mut ModelSheet, effects: &mut Vec<Effect>) {
    let settings: Vec<SuggestedValue> = sheet.suggested().into_iter().cloned().collect();
    sheet.said = Some(match sheet.selected_row() {
        _ if settings.is_empty() => "no check of this model suggests a setting".to_owned(),
        Some(ModelRow::Named(entry)) if takes_agents(model) => use_with(model, &entry, &settings, effects),
        Some(ModelRow::Named(_)) => {
            let flags = settings.iter().map(|setting| format!(" --set {}={}", setting.name, setting.value));
            format!("no episode runs: start one with{}", flags.collect::<String>())
        }
        _ => "save it as a profile first, with Enter".to_owned(),
    });
}

/// The model decides with these settings; says what has changed, or why not.
fn use_with(
    model: &mut Model,
    entry: &ModelEntry,
    settings: &[SuggestedValue],
    effects: &mut Vec<Effect>,
) -> String {
    let words = suggestion(&settings.iter().collect::<Vec<_>>()).unwrap_or_default();
    let before: Vec<String> = settings.iter().filter_map(|setting| set_now(model, setting)).collect();
    let before = if before.is_empty() { String::new() } else { format!(" (before: {})", before.join(", ")) };
    if set_of_agent(model, &entry.seat, settings, effects) {
        format!("{words}{before} with {} from the next request on", entry.name)
    } else {
        model.notice.take().unwrap_or_default()
    }
}

/// The value that the agent has now.
fn set_now(model: &Model, setting: &SuggestedValue) -> Option<String> {
    let name = setting.name.rsplit('.').next()?;
    let value = model.episode()?.snapshot.agent().options.get(name)?;
    Some(format!("{name} = {value}"))
}

/// Uses the selected model; one of a server is saved as a profile first.
fn choose(model: &mut Model, mut sheet: Box<ModelSheet>, effects: &mut Vec<Effect>) {
    match sheet.selected_row() {
        Some(ModelRow::Named(entry)) => {
            close(&sheet, effects);
            return play(model, &entry, effects);
        }
        Some(ModelRow::Served { url, model, .. }) => {
            sheet.field = Some(Field::Profile { text: suggested_name(&model), url, model });
        }
        Some(ModelRow::Silent { .. }) | None => {}
    }
    model.modal = Some(Modal::Models(sheet));
}

/// The model decides in the running episode from the next request on; where none runs, it plays the configured level.
fn play(model: &mut Model, entry: &ModelEntry, effects: &mut Vec<Effect>) {
    if takes_agents(model) {
        return seat_by_words(model, &entry.seat, effects);
    }
    let level = model.episode().filter(|viewed| viewed.live).map(level_of);
    model.notify(sanitize(&format!("opening a level with {} …", entry.name)).into_owned());
    let player = Player::Model(entry.name.clone());
    effects.push(Effect::Request(Request::PlayWith { level, player }));
}

/// Whether an episode runs in which another agent can decide.
fn takes_agents(model: &Model) -> bool {
    model.episode().is_some_and(|viewed| viewed.live && !viewed.is_over() && !viewed.is_human())
}

fn level_of(viewed: &EpisodeView) -> String {
    viewed.snapshot.head.reference.clone()
}

/// Takes an answer, if the dialog is open.
pub(crate) fn answered(model: &mut Model, answer: ModelAnswer, effects: &mut Vec<Effect>) {
    let open = model.dialogs_mut().find_map(|dialog| match dialog {
        Modal::Models(sheet) => Some(sheet),
        _ => None,
    });
    let Some(sheet) = open else { return };
    match answer {
        ModelAnswer::Listed(listed) => {
            sheet.models = Some(listed);
            let wanted = sheet.wanted.take();
            let is_it = |row: &ModelRow| matches!(row, ModelRow::Named(entry) if Some(&entry.name) == wanted.as_ref());
            if let Some(place) = sheet.rows().iter().position(is_it) {
                sheet.selected = place;
            }
        }
        ModelAnswer::Found(found) => {
            sheet.is_finding = false;
            match found {
                Ok(found) if found.is_empty() => sheet.said = Some("no server answers there".to_owned()),
                Ok(found) => sheet.add_servers(found),
                Err(problem) => sheet.said = Some(problem.to_string()),
            }
        }
        ModelAnswer::Checked(check) => sheet.add_check(check),
        ModelAnswer::ChecksEnded => sheet.is_checking = false,
        ModelAnswer::Saved(Ok(profile)) => {
            sheet.said = Some(format!("saved as the profile {profile}"));
            effects.push(Effect::Request(Request::Model(ModelOrder::List)));
        }
        ModelAnswer::Saved(Err(problem)) => {
            sheet.wanted = None;
            sheet.said = Some(problem.to_string());
        }
    }
}

/// A line of the linear mode: the number of a row, `check` and a number, `look`, `url URL`, or the name of a profile.
pub(crate) fn answer(model: &mut Model, mut sheet: Box<ModelSheet>, line: &str, effects: &mut Vec<Effect>) {
    let line = line.trim();
    if sheet.is_typing() {
        if let Some(field) = sheet.field.as_mut().filter(|_| !line.is_empty()) {
            *field.text_mut() = String::new();
            field.insert(line);
        }
        enter_field(&mut sheet, effects);
        return model.modal = Some(Modal::Models(sheet));
    }
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let number = |text: &str| text.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let count = sheet.rows().len();
    match (word, number(word), number(rest)) {
        ("", ..) => return close(&sheet, effects),
        ("look", ..) => find(&mut sheet, effects),
        ("apply", ..) => apply(model, &mut sheet, effects),
        ("url", ..) => {
            sheet.field = Some(Field::Url(rest.trim().to_owned()));
            enter_field(&mut sheet, effects);
        }
        ("check", _, Some(at)) if at < count => {
            sheet.selected = at;
            check(&mut sheet, effects);
        }
        (_, Some(at), _) if at < count => {
            sheet.selected = at;
            return choose(model, sheet, effects);
        }
        _ => model.notify("a number uses a model; check and a number, look, url URL; an empty line closes"),
    }
    model.modal = Some(Modal::Models(sheet));
}
