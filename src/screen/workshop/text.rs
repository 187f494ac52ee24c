//! The words of the workshop, which the screen and the lines share.

use super::sheet::{Asking, Question, WorkshopSheet};
use crate::requests::FilledDraft;
use mageyard_dialog::{PartDiff, TurnDiff};
use mageyard_domain::sanitize;
use mageyard_lab::{PromptOrigin, PromptVersionText};
use mageyard_study::{VersionCell, VersionRow};
use mageyard_terminal::{LineChange, count_of, line_changes, to_cells, truncate};

/// The title: the prompt, whose it is, and whether the draft differs.
pub(super) fn title(sheet: &WorkshopSheet) -> String {
    let Some((name, origin)) = &sheet.prompt else {
        return format!("Workshop: {} is being opened", sheet.place.prompt);
    };
    let whose = match origin {
        PromptOrigin::Shipped => "shipped; saving makes your own copy of it, under its name",
        other => other.words(),
    };
    let changed = if sheet.has_changed() { " ✎" } else { "" };
    format!("Workshop: {}/{name} ({whose}){changed}", sheet.place.environment)
}

/// What is wrong with the draft, with its line.
pub(super) fn error_words(sheet: &WorkshopSheet) -> Option<String> {
    let error = sheet.error.as_ref()?;
    let before = sheet.draft().get(..error.span.start).unwrap_or_default();
    let line = 1 + before.bytes().filter(|byte| *byte == b'\n').count();
    Some(format!("line {line}: {error}"))
}

/// Which state is shown.
pub(super) fn state_words(sheet: &WorkshopSheet) -> String {
    let index = sheet.state();
    let Some(state) = sheet.states.get(index) else { return String::new() };
    // Why there is no model is said beside what a call costs.
    let model = state.model.as_ref().map_or_else(|_| String::new(), |model| format!(", {model}"));
    format!("state {} of {}: {}{model}", index + 1, sheet.states.len(), state.address)
}

/// The turns, images, tokens and price of a request.
pub(super) fn request_facts(filled: &FilledDraft) -> Vec<String> {
    let turns = filled.request.turns.iter().filter(|turn| turn.new.is_some()).count();
    let amounts = format!("{}, {}", count_of(turns, "turn"), count_of(filled.images.len(), "image"));
    let cost = match &filled.needs {
        Err(problem) => return vec![amounts, format!("no model: {problem}")],
        Ok(needs) => needs.cost.words(|currency, lowest, highest| {
            format!("{} to {} {currency}", lowest.rounded(), highest.rounded())
        }),
    };
    let tokens = filled.needs.as_ref().map_or(0, |needs| needs.input.highest);
    vec![format!("{amounts}, about {tokens} input tokens; a call costs {cost}")]
}

/// What the edit changed in the request.
pub(super) fn changes_words(filled: &FilledDraft) -> String {
    let is_changed = |part: &&PartDiff| !matches!(part, PartDiff::Same(_));
    let parts = filled.request.turns.iter().flat_map(|turn: &TurnDiff| turn.parts.iter().filter(is_changed));
    match parts.count() {
        0 => "the same request as with the saved text".to_owned(),
        count => format!("{} changed against the saved text", count_of(count, "part")),
    }
}

/// How many lines a version adds and removes against the one before.
pub(super) fn changed_lines(version: &PromptVersionText, before: Option<&PromptVersionText>) -> String {
    let Some(before) = before else { return "first".to_owned() };
    let changes = line_changes(&before.text, &version.text);
    let count = |wanted: LineChange| changes.iter().filter(|line| line.change == wanted).count();
    format!("+{} −{}", count(LineChange::Added), count(LineChange::Removed))
}

/// The accepted replies of a version, such as `4/5`.
pub(super) fn accepted_words(row: Option<&VersionRow>) -> String {
    match row {
        Some(row) if row.accepted.1 > 0 => format!("{}/{}", row.accepted.0, row.accepted.1),
        _ => "–".to_owned(),
    }
}

/// The answers in a cell: the most frequent action, cut to so many columns with its sign, which is never cut.
pub(super) fn cell_words(cell: Option<&VersionCell>, columns: u16) -> String {
    let Some(cell) = cell else { return "–".to_owned() };
    if cell.refused.is_some() {
        return "not sent".to_owned();
    }
    let Some((answer, _)) = cell.answers.first() else { return "–".to_owned() };
    let answer = answer.as_deref().unwrap_or("unread");
    let sign = match cell.accepted {
        None => "?".to_owned(),
        Some(accepted) if cell.replies == 1 => (if accepted == 1 { "✓" } else { "✗" }).to_owned(),
        Some(accepted) => format!("{accepted}/{}", cell.replies),
    };
    let room = columns.saturating_sub(to_cells(sign.chars().count() + 1));
    format!("{} {sign}", truncate(&one_line(answer), room))
}

/// What the selected version was answered in the shown state, in full.
pub(super) fn cell_detail(sheet: &WorkshopSheet) -> Option<String> {
    let version = sheet.version()?;
    let words = match sheet.cell() {
        None => "not known yet".to_owned(),
        Some(VersionCell { refused: Some(why), .. }) => format!("nothing is sent: {why}"),
        Some(cell) if cell.replies == 0 => "not asked".to_owned(),
        Some(cell) => {
            let answer = |(answer, count): &(Option<String>, usize)| {
                let answer = answer.as_deref().unwrap_or("unreadable");
                if *count > 1 { format!("{answer} ×{count}") } else { answer.to_owned() }
            };
            let answers: Vec<String> = cell.answers.iter().map(answer).collect();
            let accepted = match cell.accepted {
                None => "nothing says which answers are right".to_owned(),
                Some(1) if cell.replies == 1 => "accepted".to_owned(),
                Some(0) if cell.replies == 1 => "not accepted".to_owned(),
                Some(accepted) => format!("{accepted} of {} accepted", cell.replies),
            };
            let cost = cell.cost.as_ref().map_or_else(String::new, |cost| format!(", cost {cost}"));
            format!("{}, {accepted}{cost}", answers.join(", "))
        }
    };
    Some(one_line(&format!("version {} in state {}: {words}", version.number, sheet.state() + 1)))
}

/// Whether the newest version is better than the one before.
pub(super) fn better_words(sheet: &WorkshopSheet) -> String {
    let words = match &sheet.table.comparison {
        Some(comparison) => comparison.to_string(),
        None if sheet.texts.len() < 2 => "two versions have to be asked".to_owned(),
        None if sheet.is_complete => "no state with accepted answers was asked with both versions".to_owned(),
        None => "the answers are being looked up …".to_owned(),
    };
    format!("Is it better? {words}")
}

/// The plan, or how far its calls are; none if nothing is asked.
pub(super) fn asking_words(sheet: &WorkshopSheet) -> Option<Vec<String>> {
    match &sheet.asking {
        Asking::None => None,
        Asking::Planning(_) => Some(vec!["planning …".to_owned()]),
        Asking::Planned(_, plan) => Some(plan.lines.clone()),
        Asking::Running(_, None) => Some(vec!["asking …".to_owned()]),
        Asking::Running(_, Some((done, all))) => Some(vec![format!("asking: {done} of {all} replies")]),
        Asking::Stopping(_) => Some(vec!["stopping …".to_owned()]),
    }
}

/// What is asked before it is done.
pub(super) fn question_words(sheet: &WorkshopSheet) -> Option<String> {
    let (name, origin) = sheet.prompt.as_ref()?;
    Some(match sheet.question? {
        Question::Delete if *origin == PromptOrigin::InPlaceOfShipped => {
            format!("Move your {name} to the trash? The shipped one is used again.")
        }
        Question::Delete => format!("Move the prompt {name} to the trash?"),
        Question::Unpin(index) if sheet.states.len() == 1 => {
            format!(
                "Unpin state {}? It is the last one, so the suite {} is removed.",
                index + 1,
                sheet.suite.0
            )
        }
        Question::Unpin(index) => format!("Remove state {} from the suite {}?", index + 1, sheet.suite.0),
    })
}

/// A text without control characters, on one line.
pub(super) fn one_line(text: &str) -> String {
    sanitize(text).replace('\n', " ")
}
