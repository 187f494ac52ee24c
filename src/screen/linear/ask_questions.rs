//! The dialogs that ask again at a step, as questions.

use super::text::{choices, labelled, one_line};
use crate::modals::{ask_call_line, asked_state, asked_text, blame_lines, stored_ask_line};
use crate::model::{AskLevel, AskSheet, AskedSheet, BlameAnswer, BlameSheet, Model};
use mageyard_study::StudySort;

/// What is asked, what it would be, and what is stored.
pub(super) fn ask(sheet: &AskSheet) -> Vec<String> {
    let question =
        format!("ask again at step {} with {}? Stored asks:", sheet.step, one_line(&sheet.words()));
    let how = match sheet.known_plan() {
        Some(Ok(plan)) if !plan.sort.has_replies() => "an empty line plays the branches",
        Some(Ok(_)) => "an empty line makes the calls",
        _ => "an empty line shows the plan",
    };
    let how = format!(
        "{how}; names and values change it, such as prompts=0s-CoT,HD-CoT samples=20 target=optimal; a number opens a stored \
         ask; :cancel closes."
    );
    let stored = sheet.stored().iter().map(|ask| one_line(&stored_ask_line(ask))).collect::<Vec<_>>();
    let mut lines = choices(&question, stored, &how);
    let answer = lines.pop();
    match sheet.known_plan() {
        Some(Ok(plan)) => lines.extend(plan.lines.iter().flat_map(|line| labelled("Plan", line))),
        Some(Err(problem)) => {
            lines.extend(labelled("Error", &problem.message));
            lines.extend(problem.help.iter().flat_map(|help| labelled("What to do", help)));
        }
        None => {}
    }
    lines.extend(answer);
    lines
}

/// The table, the calls of a variant, a reply or a request. While calls are made only that is said.
pub(super) fn asked(model: &Model, sheet: &AskedSheet) -> Vec<String> {
    if sheet.is_running() {
        let what = match sheet.view.sort {
            StudySort::Replies | StudySort::Suite => {
                "calls are being made; an empty line stops them and keeps the replies"
            }
            _ => "branches are being played; an empty line stops and keeps those that are over",
        };
        return vec![format!("Ask: {what}")];
    }
    let title = format!("Ask: {}", one_line(&sheet.view.title));
    match sheet.level {
        AskLevel::Table => {
            let mut lines = vec![title];
            let text = asked_text(model, sheet).into_iter().filter(|line| !line.is_empty());
            lines.extend(text.map(|line| format!("  {}", words(&line))));
            let rows = match sheet.view.sort {
                StudySort::Replies | StudySort::Suite => {
                    "the place of a variant from the top opens its calls"
                }
                StudySort::ToEnd => "the place of a variant from the top opens its branches",
                StudySort::Blame => {
                    "the place of a row from the top goes to its step, branches and a place opens its branches"
                }
            };
            lines.push(format!("Answer: {rows}; an empty line closes."));
            lines
        }
        AskLevel::Calls => {
            let calls = sheet.variant().map_or(&[][..], |variant| &variant.samples);
            let rows: Vec<String> = calls.iter().map(|call| words(&one_line(&ask_call_line(call)))).collect();
            let (what, how) = match sheet.view.sort {
                StudySort::Replies | StudySort::Suite => (
                    "reply",
                    "a number opens it; use 2 uses reply 2, fork 2 begins a branch with it, good 2, bad 2 and unrate 2 rate \
                     it; request shows the request; an empty line goes back.",
                ),
                _ => (
                    "branch",
                    "a number opens it, or continues it if it is unfinished; an empty line goes back.",
                ),
            };
            choices(&format!("which {what}? {}", one_line(&asked_state(sheet))), rows, how)
        }
        AskLevel::Reply | AskLevel::Request => {
            let text = asked_text(model, sheet);
            let lines = text.iter().filter(|line| !line.is_empty()).map(|line| format!("  {line}"));
            let end = "Answer: use, fork, good, bad or unrate; an empty line goes back.".to_owned();
            std::iter::once(title).chain(lines).chain([end]).collect()
        }
    }
}

/// The verdict, or what would be played.
pub(super) fn blame(sheet: &BlameSheet) -> Vec<String> {
    if sheet.is_searching() {
        return vec!["Blame: the step is being looked for; :cancel stops".to_owned()];
    }
    let enter = match (sheet.step(), sheet.known()) {
        (Some(step), _) => format!("an empty line goes to step {step}"),
        (None, Some(Ok(BlameAnswer::Plan(_)))) => "an empty line plays the branches".to_owned(),
        (None, Some(Ok(BlameAnswer::Verdict(_)))) => "an empty line closes".to_owned(),
        (None, _) => "an empty line looks for it".to_owned(),
    };
    let how =
        if sheet.words().is_empty() { String::new() } else { format!(" with {}", one_line(sheet.words())) };
    let mut lines = vec![format!("Question: which step lost the episode{how}?")];
    lines.extend(blame_lines(sheet).iter().flat_map(|line| labelled("Blame", line.trim())));
    if let Some(Err(problem)) = sheet.known() {
        lines.extend(labelled("Error", &problem.message));
        lines.extend(problem.help.iter().flat_map(|help| labelled("What to do", help)));
    }
    lines.push(format!(
        "Answer: {enter}; play samples=5 shows what playing on from several steps needs; :cancel closes."
    ));
    lines
}

/// A line without the columns and the bars of the full screen.
fn words(line: &str) -> String {
    let plain: String = line.chars().filter(|c| !matches!(c, '█' | '▓' | '╌' | '▸')).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
