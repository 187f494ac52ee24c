//! The dialogs about suites, as questions.

use super::text::{choices, labelled, one_line};
use crate::modals::{diagnosis_text, suite_line, suite_said_state, suite_state_texts, suite_table_text};
use crate::model::{AskLevel, AskedSheet, Model, SuiteList};

/// The suites.
pub(super) fn list(list: &SuiteList) -> Vec<String> {
    if list.rows.is_none() {
        return vec!["Suites: being read".to_owned()];
    }
    let rows = list.rows().iter().map(|row| one_line(&suite_line(row)));
    choices("which suite?", rows, "a number or a name asks about it; an empty line closes.")
}

/// The report, or one state. While calls are made only that is said.
pub(super) fn report(model: &Model, report: &AskedSheet) -> Vec<String> {
    if report.level == AskLevel::State {
        return state(report);
    }
    if report.is_diagnosis() {
        return diagnosis(model, report);
    }
    if report.is_running() {
        return vec![
            "Suite: calls are being made; an empty line stops them and keeps the replies".to_owned(),
        ];
    }
    let table = suite_table_text(model, report).into_iter();
    let mut lines = vec![format!("Suite: {}", one_line(&report.view.title))];
    lines.extend(table.filter(|line| !line.is_empty()).map(|line| format!("  {line}")));
    let differing = report.view.differing;
    let all = report.view.states.len();
    lines.push(format!("The answers differ in {differing} of {all} states"));
    let states = report.view.states.iter().take(differing);
    lines.extend(states.map(|state| format!("  {}", one_line(&suite_said_state(state)))));
    lines.push(
        "Answer: the number of a state shows its observation and replies; an empty line closes.".to_owned(),
    );
    lines
}

/// What was found in each state and view, and the shares.
fn diagnosis(model: &Model, report: &AskedSheet) -> Vec<String> {
    if report.is_running() {
        let what = "calls are being made; an empty line stops them and keeps the replies";
        return vec![format!("Asking: {what}")];
    }
    let mut lines = vec![format!("Table: {}", one_line(&report.view.title))];
    let text = diagnosis_text(model, report).into_iter().filter(|line| !line.is_empty());
    lines.extend(text.map(|line| format!("  {}", one_line(&line))));
    lines.push(
        "Answer: the number of a state shows its observation and replies; an empty line closes.".to_owned(),
    );
    lines
}

fn state(report: &AskedSheet) -> Vec<String> {
    let texts = suite_state_texts(report);
    let mut lines: Vec<String> = texts.iter().flat_map(|(label, text)| labelled(label, text)).collect();
    lines.push(
        "Answer: next or the number of a state shows it, open opens its recording, an empty line goes back."
            .to_owned(),
    );
    lines
}
