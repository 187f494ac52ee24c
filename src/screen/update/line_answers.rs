//! Answers to the questions of the linear mode: numbers choose, other lines are values or commands. Each one becomes
//! the keys that do the same in the dialog.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{
    Effect, ask_sheet, asked, branches, found, line_command, modals, next_request, person_sheet, seats,
    state_edit, suites,
};
use crate::builder;
use crate::command::find_command;
use crate::completions::completions;
use crate::grid;
use crate::keymap::parse_key;
use crate::model::{ActionForm, EditModal, EditSubject, EpisodeList, Modal, Model, Palette};
use crate::models;
use crate::readers;
use crate::workshop;
use mageyard_domain::ParamKind;
use mageyard_engine::Breakpoints;
use mageyard_terminal::TextEditor;

/// The line that ends a text of several lines.
const END: &str = ".";

/// Answers the question of this dialog, which the caller took out of the model.
pub(super) fn give(model: &mut Model, dialog: Modal, line: &str, effects: &mut Vec<Effect>) {
    let answer = line.trim();
    let number = answer.parse::<usize>().ok();
    match dialog {
        Modal::Palette(palette) => complete(model, &palette, answer, effects),
        Modal::Help(_) => {
            match number.and_then(|number| line_command::line_commands().nth(number.checked_sub(1)?)) {
                Some(row) => line_command::command(model, row.name, effects),
                None if answer.is_empty() => {}
                None => line_command::command(model, line, effects),
            }
        }
        Modal::Prompts => match number.and_then(|number| prompt_name(model, number)) {
            Some(name) => next_request::prompt(model, &name, effects),
            None if answer.is_empty() => {}
            None => next_request::prompt(model, answer, effects),
        },
        Modal::Episodes(list) => choose_episode(model, list, answer, effects),
        Modal::Form(form) => fill(model, form, line, effects),
        Modal::Edit(editor) => write(model, editor, line, effects),
        Modal::Breaks(_) if number.is_none() && is_condition(answer) => {
            next_request::add_breakpoints(model, answer, effects);
        }
        // What was read closes before the next line.
        Modal::Verdict(_) | Modal::Request(_) | Modal::RequestDiff(_) => {
            line_command::command(model, line, effects);
        }
        Modal::State(edit) => state_edit::answer(model, edit, line, effects),
        Modal::Grid(asked) => grid::answer(model, asked, line, effects),
        Modal::Ask(sheet) => ask_sheet::answer(model, sheet, line, effects),
        Modal::Asked(sheet) => asked::answer(model, sheet, line, effects),
        Modal::Suites(list) => suites::answer(model, list, answer, effects),
        Modal::Fork(sheet) => branches::answer_sheet(model, sheet, line, effects),
        Modal::Branches(tree) => branches::answer_tree(model, tree, line, effects),
        Modal::Seats(_) if answer.is_empty() || seats::answer(model, answer, effects) => {}
        Modal::Seats(_) => line_command::command(model, line, effects),
        Modal::Found(list) => found::answer(model, list, line, effects),
        Modal::Models(sheet) => models::answer(model, sheet, line, effects),
        Modal::Readers(sheet) => readers::answer(model, sheet, line, effects),
        Modal::Workshop(sheet) => workshop::answer(model, sheet, line, effects),
        Modal::SweepForm(form) => builder::answer(model, form, line, effects),
        Modal::Person(sheet) => person_sheet::answer(model, sheet, line, effects),
        Modal::Abandon | Modal::Restart | Modal::Delete(_) => {
            let yes = matches!(answer, "1" | "y" | "yes");
            press(model, dialog, KeyCode::Char(if yes { 'y' } else { 'n' }), effects);
        }
        Modal::Themes(_) | Modal::Diff(_) | Modal::Fault(_) | Modal::Copy(_) | Modal::Breaks(_) => {
            let key =
                if answer.is_empty() { Some(KeyCode::Esc) } else { parse_key(answer).map(|key| key.code) };
            match key {
                Some(code) => press(model, dialog, code, effects),
                None => line_command::command(model, line, effects),
            }
        }
    }
}

/// Whether an answer to the list of breakpoints is a condition, right or wrong, and neither a key nor a command.
fn is_condition(answer: &str) -> bool {
    let word = answer.split_whitespace().next().unwrap_or_default();
    let is_other = word.starts_with(':') || find_command(word).is_some() || parse_key(answer).is_some();
    answer.parse::<Breakpoints>().is_ok() || (!answer.is_empty() && !is_other)
}

fn press(model: &mut Model, dialog: Modal, code: KeyCode, effects: &mut Vec<Effect>) {
    press_key(model, dialog, KeyEvent::new(code, KeyModifiers::NONE), effects);
}

fn press_control(model: &mut Model, dialog: Modal, letter: char, effects: &mut Vec<Effect>) {
    press_key(model, dialog, KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL), effects);
}

fn press_key(model: &mut Model, dialog: Modal, key: KeyEvent, effects: &mut Vec<Effect>) {
    let id = model.appearance.keys.command(key);
    modals::press(model, dialog, key, id, effects);
}

fn prompt_name(model: &Model, number: usize) -> Option<String> {
    let prompts = &model.episode()?.snapshot.requests.prompts;
    prompts.get(number.checked_sub(1)?).map(|prompt| prompt.name.clone())
}

/// A number chooses one of the offers; other words are the value of the command that asked.
fn complete(model: &mut Model, palette: &Palette, answer: &str, effects: &mut Vec<Effect>) {
    let offers = completions(model, palette);
    let asks_for_value = palette.input().ends_with(' ');
    let chosen = answer.parse::<usize>().ok().and_then(|number| offers.get(number.checked_sub(1)?));
    match chosen {
        _ if answer.is_empty() => model.notify("nothing was chosen"),
        Some(offer) if offer.is_partial || offer.line.ends_with(' ') => {
            model.modal = Some(Modal::Palette(Palette::with(offer.line.clone())));
        }
        Some(offer) => line_command::command(model, &offer.line, effects),
        None if answer.starts_with(':') || !asks_for_value => line_command::command(model, answer, effects),
        None => line_command::command(model, &format!("{}{answer}", palette.input()), effects),
    }
}

/// A number opens a row; other words filter the list; an empty line closes it.
fn choose_episode(model: &mut Model, mut list: EpisodeList, answer: &str, effects: &mut Vec<Effect>) {
    match answer.parse::<usize>().ok().and_then(|number| number.checked_sub(1)) {
        _ if answer.is_empty() => press(model, Modal::Episodes(list), KeyCode::Esc, effects),
        _ if answer.starts_with(':') => line_command::command(model, answer, effects),
        Some(index) if index < list.len() => {
            list.select_by(isize::MIN);
            list.select_by(index.cast_signed());
            press(model, Modal::Episodes(list), KeyCode::Enter, effects);
        }
        _ => {
            list.clear();
            list.insert(answer);
            model.modal = Some(Modal::Episodes(list));
        }
    }
}

/// The command of a line that answers a text: `:cancel`, `:editor`, or a change of one line.
fn text_command(line: &str) -> Option<&str> {
    line.strip_prefix(':').map(str::trim)
}

/// A line for the field with the focus: its value, or a line of it if it holds code.
fn fill(model: &mut Model, mut form: Box<ActionForm>, line: &str, effects: &mut Vec<Effect>) {
    let Some((param, _)) = form.focused_mut() else {
        return press(model, Modal::Form(form), KeyCode::Enter, effects);
    };
    let is_code = param.kind.is_code();
    let kind = param.kind.clone();
    match text_command(line) {
        Some("cancel") => return press(model, Modal::Form(form), KeyCode::Esc, effects),
        Some("back") => form.move_focus(false),
        Some("editor") => return press_control(model, Modal::Form(form), 'e', effects),
        Some(change) if is_code && change_line(model, form.focused_mut().map(|found| found.1), change) => {}
        _ if is_code && line != END => {
            if let Some((_, text)) = form.focused_mut() {
                append(model, text, line);
            }
        }
        _ if is_code => return next_field(model, form, effects),
        _ => {
            set_value(&mut form, &kind, line);
            return next_field(model, form, effects);
        }
    }
    model.modal = Some(Modal::Form(form));
}

/// Sets a value by its number or its text; an empty line keeps the present one.
fn set_value(form: &mut ActionForm, kind: &ParamKind, line: &str) {
    let named = |values: &[String]| values.get(line.trim().parse::<usize>().ok()?.checked_sub(1)?).cloned();
    let value = match kind {
        ParamKind::Choice { values } => named(values),
        _ => None,
    };
    if !line.is_empty() {
        form.set_text(value.unwrap_or_else(|| line.to_owned()));
    }
}

/// Asks for the next field, or submits the form after the last one.
fn next_field(model: &mut Model, mut form: Box<ActionForm>, effects: &mut Vec<Effect>) {
    model.typed.lines = 0;
    if form.focus() + 1 < form.rows().len() {
        form.move_focus(true);
        model.modal = Some(Modal::Form(form));
    } else {
        press_control(model, Modal::Form(form), 'd', effects);
    }
}

/// A line for the text that is edited: actions are one line, other texts end with a full stop.
fn write(model: &mut Model, mut editor: Box<EditModal>, line: &str, effects: &mut Vec<Effect>) {
    let is_action = editor.subject == EditSubject::Action;
    match text_command(line) {
        Some("cancel") => {
            editor.warned = true;
            model.typed.lines = 0;
            model.notify("nothing was changed");
            return press(model, Modal::Edit(editor), KeyCode::Esc, effects);
        }
        Some("editor") => return press_control(model, Modal::Edit(editor), 'e', effects),
        Some(change) if !is_action && change_line(model, Some(&mut editor.text_editor), change) => {}
        _ if is_action => {
            if !line.is_empty() {
                editor.text_editor = TextEditor::new(line.to_owned());
            }
            return press_control(model, Modal::Edit(editor), 'd', effects);
        }
        _ if line == END => {
            model.typed.lines = 0;
            return press_control(model, Modal::Edit(editor), 'd', effects);
        }
        _ => append(model, &mut editor.text_editor, line),
    }
    (editor.problem, editor.warned) = (None, false);
    model.modal = Some(Modal::Edit(editor));
}

/// Adds a line to a text; the first one replaces what was there.
fn append(model: &mut Model, text: &mut TextEditor, line: &str) {
    let whole = match model.typed.lines {
        0 => line.to_owned(),
        _ => format!("{}\n{line}", text.text()),
    };
    if whole.len() > mageyard_terminal::TEXT_LIMIT {
        return model.notify("the line was not added: the text would exceed 1 MiB");
    }
    model.typed.lines += 1;
    *text = TextEditor::new(whole);
}

/// Replaces, inserts or deletes one line: `3 TEXT`, `insert 3 TEXT`, `delete 3`. False if the words are none of them.
fn change_line(model: &mut Model, text: Option<&mut TextEditor>, words: &str) -> bool {
    let Some(text) = text else { return false };
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    let (place, new) = match verb {
        "insert" | "delete" => rest.split_once(' ').unwrap_or((rest, "")),
        _ => (verb, rest),
    };
    let Ok(number) = place.parse::<usize>() else { return false };
    let mut lines: Vec<&str> = text.text().split('\n').collect();
    let last = if verb == "insert" { lines.len() + 1 } else { lines.len() };
    let Some(index) = number.checked_sub(1).filter(|index| *index < last) else {
        model.notify(format!("there is no line {number}; the lines are 1 to {}", lines.len()));
        return true;
    };
    match verb {
        "insert" => lines.insert(index, new),
        "delete" => drop(lines.remove(index)),
        _ => lines[index] = new,
    }
    let changed = lines.join("\n");
    *text = TextEditor::new(changed);
    model.typed.lines = model.typed.lines.max(1);
    true
}
