//! The dialogs that ask about a suite or an episode, and the table of branches, as questions.

use super::text::{choices, labelled, one_line};
use crate::modals::{ask_call_line, asked_state, asked_text, stored_ask_line};
use crate::model::{AskLevel, AskSheet, AskedSheet, Model, Subject};
use mageyard_study::StudySort;

/// What is asked, what it would be, and what is stored.
pub(super) fn ask(sheet: &AskSheet) -> Vec<String> {
    let name = match &sheet.subject {
        Subject::Suite { name, .. } => name,
        Subject::Diagnosis(_) => return about_states(sheet, "Diagnosis", "what is wrong with"),
        Subject::Probe(_) => return about_states(sheet, "Questions", "which questions about"),
        Subject::Episode(_) => return blame(sheet),
    };
    let words = one_line(sheet.words());
    let words = if words.is_empty() { "the prompt and the window of each state" } else { &words };
    let question = format!("ask about the suite {} with {words}", one_line(name));
    let does = match sheet.ready() {
        Some((_, plan)) if !plan.sort.has_replies() => "plays the branches",
        Some(_) => "makes the calls",
        None => "shows the plan",
    };
    let how = format!(
        "an empty line {does}; names and values replace it, such as prompts=0s-CoT,HD-CoT samples=4; a number opens a stored \
         ask; :cancel closes."
    );
    let stored = sheet.stored().iter().map(|ask| one_line(&stored_ask_line(ask))).collect::<Vec<_>>();
    let mut lines = choices(&format!("{question}? Stored asks:"), stored, &how);
    let answer = lines.pop();
    if !sheet.prompts.is_empty() {
        lines.extend(labelled("Prompt variants", &sheet.prompts.join(", ")));
    }
    lines.extend(sheet.lines().iter().flat_map(|line| labelled("Plan", line)));
    lines.extend(error(sheet));
    lines.extend(sheet.is_planning().then(|| "Plan: being made".to_owned()));
    lines.extend(answer);
    lines
}

/// Why the plan was refused.
fn error(sheet: &AskSheet) -> Vec<String> {
    let Some(Err(problem)) = sheet.known() else { return Vec::new() };
    let help = problem.help.iter().flat_map(|help| labelled("What to do", help));
    labelled("Error", &problem.message).into_iter().chain(help).collect()
}

/// The table, or the branches of a variant. While they are played only that is said.
pub(super) fn asked(model: &Model, sheet: &AskedSheet) -> Vec<String> {
    if sheet.is_running() {
        let what = "branches are being played; an empty line stops and keeps those that are over";
        return vec![format!("Ask: {what}")];
    }
    if sheet.level != AskLevel::Table {
        let calls = sheet.variant().map_or(&[][..], |variant| &variant.samples);
        let rows: Vec<String> = calls.iter().map(|call| words(&one_line(&ask_call_line(call)))).collect();
        let how = "a number opens it, or continues it if it is unfinished; an empty line goes back.";
        return choices(&format!("which branch? {}", one_line(&asked_state(sheet))), rows, how);
    }
    let mut lines = vec![format!("Ask: {}", one_line(&sheet.view.title))];
    let text = asked_text(model, sheet).into_iter().filter(|line| !line.is_empty());
    lines.extend(text.map(|line| format!("  {}", words(&line))));
    let rows = match sheet.view.sort {
        StudySort::Blame => {
            "the place of a row from the top goes to its step, branches and a place opens its branches"
        }
        StudySort::Replies | StudySort::Suite | StudySort::States | StudySort::ToEnd => {
            "the place of a variant from the top opens its branches"
        }
    };
    lines.push(format!("Answer: {rows}; an empty line closes."));
    lines
}

/// The verdict, or what would be played.
fn blame(sheet: &AskSheet) -> Vec<String> {
    if sheet.is_planning() {
        return vec!["Blame: the step is being looked for; :cancel stops".to_owned()];
    }
    let enter = match (sheet.ready(), sheet.verdict().map(|verdict| verdict.step)) {
        (_, Some(Some(step))) => format!("an empty line goes to step {step}"),
        (_, Some(None)) => "an empty line closes".to_owned(),
        (Some(_), None) => "an empty line plays the branches".to_owned(),
        (None, None) => "an empty line looks for it".to_owned(),
    };
    let words = sheet.words();
    let how = if words.is_empty() { String::new() } else { format!(" with {}", one_line(words)) };
    let mut lines = vec![format!("Question: which step lost the episode{how}?")];
    lines.extend(sheet.lines().iter().flat_map(|line| labelled("Blame", line.trim())));
    lines.extend(error(sheet));
    lines.push(format!(
        "Answer: {enter}; play samples=5 shows what playing on from several steps needs; :cancel closes."
    ));
    lines
}

/// What would be asked about failed steps, or about states.
fn about_states(sheet: &AskSheet, label: &str, question: &str) -> Vec<String> {
    if sheet.is_planning() {
        return vec![format!("{label}: the states are opened and judged; :cancel stops")];
    }
    let words = one_line(sheet.words());
    let about = match words.split(' ').next() {
        Some("") | None => "the shown step".to_owned(),
        Some(first) if first.contains('=') => format!("the shown step ({words})"),
        Some(_) => words,
    };
    let mut lines = vec![format!("Question: {question} {about}?")];
    lines.extend(sheet.lines().iter().flat_map(|line| labelled("Plan", line)));
    lines.extend(error(sheet));
    let enter = match sheet.ready() {
        Some((_, plan)) if plan.left == 0 => "shows the table",
        Some(_) => "makes the calls",
        None => "plans again",
    };
    lines.push(format!(
        "Answer: an empty line {enter}; a step, a suite or sessions and values such as samples=2 replace it; :cancel closes."
    ));
    lines
}

/// A line without the columns and the bars of the full screen.
fn words(line: &str) -> String {
    let plain: String = line.chars().filter(|c| !matches!(c, '█' | '▓' | '╌' | '▸')).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
