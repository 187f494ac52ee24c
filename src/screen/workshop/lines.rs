//! The workshop in lines.

use super::keys::{
    ask, ask_deletion, ask_unpinning, changed, compare, confirm, fill, leave, pin, rename, save, set_samples,
    take_version,
};
use super::open::order;
use super::request_lines;
use super::sheet::{Asking, WorkshopSheet};
use super::text::{
    accepted_words, asking_words, better_words, cell_words, changed_lines, changes_words, error_words,
    question_words, request_facts, state_words, title,
};
use crate::model::{Modal, Model};
use crate::requests::WorkshopOrder;
use crate::update::Effect;
use mageyard_domain::sanitize;
use mageyard_terminal::TextEditor;

/// The columns of a request that is read out.
const WIDTH: u16 = 100;

const HELP: &str = "Answer: text and request print them in full; replace N TEXT, insert N TEXT and delete N change a line of the \
draft, and editor opens your editor; state N and version N select, compare prints what differs, use takes the text of the version; \
pin, unpin, samples N, name NAME; ask plans and asks; save; remove deletes the prompt; an empty line closes.";

/// What is printed in full, besides the summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Printed {
    #[default]
    Summary,
    Text,
    Request,
    Difference,
}

/// The prompt, its request in the shown state, and its versions.
pub(crate) fn lines(model: &Model, sheet: &WorkshopSheet) -> Vec<String> {
    let mut lines = vec![title(sheet)];
    if let Some(problem) = &sheet.failed {
        lines.push(format!("Error: {problem}"));
    } else if sheet.prompt.is_some() {
        lines.extend(summary(model, sheet));
    }
    lines.extend(sheet.said.iter().map(|said| format!("Note: {said}")));
    lines.extend(question_words(sheet).map(|words| format!("Question: {words} yes or no")));
    if sheet.prompt.is_some() && sheet.question.is_none() {
        lines.push(HELP.to_owned());
    }
    lines.iter().map(|line| sanitize(line).into_owned()).collect()
}

fn summary(model: &Model, sheet: &WorkshopSheet) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(error_words(sheet).map(|words| format!("Error: {words}")));
    match (&sheet.stateless, &sheet.filled) {
        (Some(problem), _) => lines.push(format!("States: {problem}")),
        (None, None) => lines.push(format!("Request: {}", state_words(sheet))),
        (None, Some(filled)) => {
            lines.push(format!("Request: {}", state_words(sheet)));
            lines.extend(request_facts(filled).into_iter().map(|words| format!("  {words}")));
            lines.push(format!("  {}", changes_words(filled)));
        }
    }
    lines.extend(printed(model, sheet));
    if !sheet.is_complete && sheet.stateless.is_none() {
        lines.push("Versions: being looked up".to_owned());
        lines.extend(asking_words(sheet).into_iter().flatten().map(|words| format!("Ask: {words}")));
        return lines;
    }
    for (index, version) in sheet.texts.iter().enumerate() {
        let row = sheet.row(version.number);
        let mark = if index == sheet.selected() { "*" } else { " " };
        let cells =
            row.map(|row| row.cells.iter().map(|cell| cell_words(Some(cell), WIDTH)).collect::<Vec<_>>());
        lines.push(format!(
            "{mark} version {} ({}): lines {}, accepted {}, cost {}: {}",
            version.number,
            version.when,
            changed_lines(version, sheet.before(index)),
            accepted_words(row),
            row.map_or_else(|| "–".to_owned(), |row| row.cost.to_string()),
            cells.unwrap_or_default().join(", ")
        ));
    }
    lines.push(better_words(sheet));
    lines.extend(asking_words(sheet).into_iter().flatten().map(|words| format!("Ask: {words}")));
    if matches!(sheet.asking, Asking::Planned(..)) {
        lines.push("Answer: ask makes these calls; an empty line drops the plan.".to_owned());
    }
    lines
}

fn printed(model: &Model, sheet: &WorkshopSheet) -> Vec<String> {
    match sheet.printed {
        Printed::Summary => Vec::new(),
        Printed::Text => {
            let numbered = |(number, line): (usize, &str)| format!("{:>4} | {line}", number + 1);
            sheet.draft().lines().enumerate().map(numbered).collect()
        }
        Printed::Request | Printed::Difference => {
            let lines = request_lines::lines(model, sheet, WIDTH).rows;
            lines.iter().map(|line| line.to_string().trim_end().to_owned()).collect()
        }
    }
}

/// A line of the linear mode.
pub(crate) fn answer(
    model: &mut Model,
    mut sheet: Box<WorkshopSheet>,
    line: &str,
    effects: &mut Vec<Effect>,
) {
    sheet.said = None;
    sheet.printed = Printed::Summary;
    sheet.compares = false;
    let warned = std::mem::take(&mut sheet.warned);
    let line = line.trim_end();
    if let Some(question) = sheet.question.take() {
        if matches!(line.trim(), "y" | "yes" | "1") {
            confirm(&mut sheet, question, effects);
        }
    } else if line.trim().is_empty() {
        if leave(&mut sheet, warned, effects) {
            return order(WorkshopOrder::Close, effects);
        }
        sheet.said =
            sheet.said.take().map(|_| "an empty line again discards the draft; save saves it".to_owned());
    } else if sheet.prompt.is_some() {
        act(model, &mut sheet, line, effects);
    }
    model.modal = Some(Modal::Workshop(sheet));
}

fn act(model: &mut Model, sheet: &mut WorkshopSheet, line: &str, effects: &mut Vec<Effect>) {
    let (word, rest) = line.trim_start().split_once(' ').unwrap_or((line.trim(), ""));
    let number = rest.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match (word, number) {
        ("text", _) => sheet.printed = Printed::Text,
        ("request", _) => sheet.printed = Printed::Request,
        ("replace" | "insert" | "delete", _) => write_line(sheet, word, rest, effects),
        ("editor", _) => effects.push(Effect::ExternalEditor(sheet.draft().to_owned(), ".md")),
        ("state", Some(index)) if index < sheet.states.len() => {
            sheet.set_state(index);
            fill(sheet, effects);
        }
        ("version", Some(index)) => select_version(sheet, index),
        ("compare", _) => {
            compare(sheet);
            sheet.printed = Printed::Difference;
        }
        ("use", _) => take_version(sheet, effects),
        ("pin", _) => pin(model, sheet, effects),
        ("unpin", _) => ask_unpinning(sheet),
        ("samples", Some(before)) => {
            set_samples(sheet, u32::try_from(before + 1).unwrap_or(u32::MAX), effects);
        }
        ("name", _) if !rest.trim().is_empty() => rename(sheet, rest.trim()),
        ("ask", _) => ask(model, sheet, effects),
        ("save", _) => save(sheet, effects),
        ("remove", _) => ask_deletion(sheet),
        _ => sheet.said = Some(format!("{word:?} is not an answer here, or its number is wrong")),
    }
}

/// Selects a version by its number less one.
fn select_version(sheet: &mut WorkshopSheet, before: usize) {
    let found = sheet.texts.iter().position(|text| usize::try_from(text.number).ok() == Some(before + 1));
    match found {
        Some(index) => sheet.select(index),
        None => sheet.said = Some(format!("there is no version {}", before + 1)),
    }
}

/// Replaces, inserts or deletes a line of the draft.
fn write_line(sheet: &mut WorkshopSheet, word: &str, rest: &str, effects: &mut Vec<Effect>) {
    let (number, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut lines: Vec<&str> = sheet.draft().lines().collect();
    let most = lines.len() + usize::from(word == "insert");
    let place = number.parse::<usize>().ok().filter(|number| (1..=most).contains(number));
    let Some(place) = place else {
        sheet.said = Some(format!("{word} takes the number of a line from 1 to {most}; text prints them"));
        return;
    };
    match word {
        "insert" => lines.insert(place - 1, text),
        "delete" => drop(lines.remove(place - 1)),
        _ => lines[place - 1] = text,
    }
    let text = lines.join("\n") + "\n";
    sheet.editor = TextEditor::new(text);
    changed(sheet, effects);
}
