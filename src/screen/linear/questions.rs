//! Dialogs as questions with numbered choices.

use super::ask_questions::{ask, asked};
use super::pane_lines::Reading;
use super::text::{choices, labelled, one_line};
use super::{dialog_text, suite_questions};
use crate::builder;
use crate::command::Command;
use crate::completions::completions;
use crate::grid;
use crate::keymap::join_keys;
use crate::modals::{branch_line, edit_preview, fork_lines, found_state, seat_line, state_edit_line};
use crate::model::{
    ActionForm, BranchTree, CopyMenu, EditModal, EditSubject, EpisodeList, ForkSheet, FoundList, Modal,
    Model, Palette, PersonSheet, StateEdit,
};
use crate::models;
use crate::readers;
use crate::update::line_commands;
use crate::workshop;
use mageyard_config::Problem;
use mageyard_domain::ParamKind;
use mageyard_engine::{Breakpoints, StepExport};

/// The most choices of a list that can be made shorter by typing.
const MAX_CHOICES: usize = 30;

/// How to write a text of several lines.
const TEXT_HELP: &str = "Type the new text and end it with a line that has only a full stop. :N TEXT replaces line N, \
:insert N TEXT and :delete N change one line, :editor opens your editor, :cancel keeps the text as it was.";

/// The lines of the open dialog; none if nothing is asked and nothing is shown.
pub(super) fn lines(model: &Model) -> Vec<String> {
    match &model.modal {
        None => Vec::new(),
        Some(Modal::Help(_)) => help(model),
        Some(Modal::Palette(palette)) => palette_lines(model, palette),
        Some(Modal::Prompts) => prompts(model),
        Some(Modal::Breaks(breaks)) => breakpoints(breaks),
        Some(Modal::Copy(menu)) => copy(menu),
        Some(Modal::Episodes(list)) => episodes(model, list),
        Some(Modal::Fork(sheet)) => fork(sheet),
        Some(Modal::Grid(asked)) => grid::lines(model, asked),
        Some(Modal::Ask(sheet)) => ask(sheet),
        Some(Modal::Asked(sheet)) if sheet.suite.is_some() => suite_questions::report(model, sheet),
        Some(Modal::Asked(sheet)) => asked(model, sheet),
        Some(Modal::Suites(list)) => suite_questions::list(list),
        Some(Modal::State(edit)) => state(edit),
        Some(Modal::Branches(tree)) => branches(tree),
        Some(Modal::Seats(_)) => seats(model),
        Some(Modal::Found(list)) => found(list),
        Some(Modal::Models(sheet)) => models::lines(sheet),
        Some(Modal::Readers(sheet)) => readers::lines(sheet),
        Some(Modal::Workshop(sheet)) => workshop::lines(model, sheet),
        Some(Modal::SweepForm(form)) => builder::lines(form),
        Some(Modal::RequestDiff(diff)) => dialog_text::request_diff(model, diff),
        Some(Modal::Diff(diff)) => dialog_text::episode_diff(diff),
        Some(Modal::Person(sheet)) => person(sheet),
        Some(Modal::Abandon) => confirmation("abandon the episode? It ends here"),
        Some(Modal::Restart) => {
            confirmation("play the level again? The episode in progress can be resumed later")
        }
        Some(Modal::Delete(deletion)) => confirmation(&format!(
            "delete the {} {}? It moves to the trash; `mageyard log restore NAME` brings it back",
            deletion.kind(),
            one_line(&deletion.name)
        )),
        Some(Modal::Fault(fault)) => problem(fault.title(), &fault.problem()),
        Some(Modal::Form(form)) => form_lines(form),
        Some(Modal::Edit(editor)) => edit(model, editor),
        Some(Modal::Verdict(_)) => dialog_text::verdict(model),
        Some(Modal::Request(_)) => dialog_text::request(model),
        // A dialog without lines of its own is read as it is drawn.
        Some(Modal::Themes(_)) => dialog_text::drawn(model),
    }
}

fn confirmation(question: &str) -> Vec<String> {
    choices(question, ["yes", "no"].map(String::from), "1 or yes; anything else means no.")
}

/// A question of the episode to the person.
fn person(sheet: &PersonSheet) -> Vec<String> {
    let question = &sheet.asked.open.question;
    let asked = sheet.asked.open.text.lines().flat_map(|line| labelled("Asked", line));
    let how = format!("Answer: {}; :cancel leaves it open.", question.line_help());
    std::iter::once(format!("Question: {}", question.title())).chain(asked).chain([how]).collect()
}

fn fork(sheet: &ForkSheet) -> Vec<String> {
    let written = if sheet.changes().is_empty() {
        String::new()
    } else {
        format!(" with {}", one_line(sheet.changes()))
    };
    let question = format!("Question: a branch at step {}{written}?", sheet.step);
    let how = match sheet.known_plan() {
        Some(Ok(_)) => "an empty line makes it; other changes, such as prompt=HD-CoT am=1; :cancel closes.",
        _ => "changes, such as prompt=HD-CoT am=1 expect=sum>5 why it forgets; :cancel closes.",
    };
    let said = fork_lines(sheet).into_iter().flat_map(|line| labelled("Branch", &line));
    std::iter::once(question).chain(said).chain([format!("Answer: {how}")]).collect()
}

fn state(edit: &StateEdit) -> Vec<String> {
    let rows = edit.state().lines().flat_map(|row| labelled("State", row));
    let refusal = edit.refusal.iter().flat_map(|why| labelled("Refused", why));
    let how = "the number of a piece, directions, or both, such as 2 left left; undo takes the last move back, an empty \
               line goes on to the branch, :cancel closes.";
    std::iter::once(format!(
        "Question: what is to move at step {}? {}",
        edit.step,
        one_line(&state_edit_line(edit))
    ))
    .chain(rows)
    .chain(refusal)
    .chain([format!("Answer: {how}")])
    .collect()
}

fn branches(tree: &BranchTree) -> Vec<String> {
    match &tree.rows {
        None => vec!["Branches: being read".to_owned()],
        Some(Err(error)) => problem("The branches cannot be read", error),
        Some(Ok(rows)) => {
            let rows = rows.iter().map(|row| one_line(&branch_line(row)));
            choices(
                "which branch?",
                rows,
                "a number opens it, or continues it if it is unfinished; an empty line closes.",
            )
        }
    }
}

fn seats(model: &Model) -> Vec<String> {
    let Some(viewed) = model.episode() else { return Vec::new() };
    let now = &viewed.snapshot.agent().name;
    let rows = viewed.snapshot.run.seats.iter().map(|choice| one_line(&seat_line(choice, now)));
    choices(
        "who decides from the next request on?",
        rows.collect::<Vec<_>>(),
        "a number or a name, and for how many steps, such as 1 3; without steps to the end; an empty line closes.",
    )
}

/// The steps that were found. While they are searched only that is said.
fn found(list: &FoundList) -> Vec<String> {
    if list.is_searching() {
        return vec![format!("Find: {}, being searched", one_line(&list.title))];
    }
    let rows = list.rows().iter().take(MAX_CHOICES);
    let rows = rows.map(|row| one_line(&format!("{}: {}", row.run, row.facts)));
    let mut lines = choices(
        "which step?",
        rows,
        "a number opens the recording there; suite and a name makes a suite of all; an empty line closes.",
    );
    lines.insert(0, format!("Find: {}", one_line(&found_state(list))));
    let more = list.rows().len().saturating_sub(MAX_CHOICES);
    lines.extend(
        (more > 0).then(|| format!("Note: {more} more are not listed; a narrower condition finds fewer")),
    );
    lines
}

fn help(model: &Model) -> Vec<String> {
    let keys = |row: &Command| match join_keys(&model.appearance.keys.keys(row.id)) {
        keys if keys.is_empty() => String::new(),
        keys => format!(" (key {keys})"),
    };
    let rows = line_commands().map(|row| format!("{}{}: {}", row.name, keys(row), row.help));
    let mut lines = choices(
        "which command?",
        rows,
        "a number, a name with its argument, or a key. An empty line does the next half of a step.",
    );
    let last = lines.pop();
    lines.extend(Reading::all().into_iter().map(|(name, what)| format!("Also: {name}: read {what}")));
    lines.push(
        "Also: a number shows that step, 12 run runs 12 steps, the name of an action plays it".to_owned(),
    );
    lines.extend(last);
    lines
}

fn palette_lines(model: &Model, palette: &Palette) -> Vec<String> {
    let offers = completions(model, palette);
    let shown = offers.iter().take(MAX_CHOICES).map(|offer| match offer.help.as_str() {
        "" => one_line(&offer.label),
        help => format!("{}: {}", one_line(&offer.label), one_line(help)),
    });
    let shown: Vec<String> = shown.collect();
    let input = one_line(palette.input().trim());
    let question = match palette.input() {
        "" => "which command?".to_owned(),
        typed if typed.ends_with(' ') => format!("which value for {input}?"),
        _ => format!("did you mean one of these instead of {input}?"),
    };
    let more = offers.len().saturating_sub(MAX_CHOICES);
    let more = if more > 0 { format!("{more} more are not listed; ") } else { String::new() };
    choices(&question, shown, &format!("{more}a number, or type it; an empty line chooses nothing."))
}

fn prompts(model: &Model) -> Vec<String> {
    let Some(viewed) = model.episode() else { return Vec::new() };
    let row = |prompt: &mageyard_dialog::Prompt| {
        let now = if prompt.name == viewed.prompt() { ", the present one" } else { "" };
        format!("{}{now}: {}", one_line(&prompt.name), one_line(&prompt.summary))
    };
    let rows: Vec<String> = viewed.snapshot.requests.prompts.iter().map(row).collect();
    choices("which prompt for the next request?", rows, "a number or a name; an empty line keeps the prompt.")
}

fn breakpoints(breaks: &Breakpoints) -> Vec<String> {
    let state = |mark| if breaks.has(mark) { "on" } else { "off" };
    let marks = Breakpoints::TOGGLES
        .map(|mark| format!("{}, {}: {}", mark.name(), state(mark), Breakpoints::title(mark)));
    let rows = marks.into_iter().chain(breaks.own().map(|one| format!("{}, on", one_line(&one.to_string()))));
    choices(
        "which breakpoint, when a step is …",
        rows,
        "a number turns it on or off, 0 turns all off, a condition such as ra>=3 adds it; an empty line closes.",
    )
}

fn copy(menu: &CopyMenu) -> Vec<String> {
    if let Some(message) = &menu.message {
        return labelled("Saved", message);
    }
    let rows = StepExport::ALL.map(|part| format!("{}: {}", part.name(), part.summary()));
    choices(
        "what to save in a file?",
        rows,
        "a number; an empty line closes. copy and a name does it at once.",
    )
}

fn episodes(model: &Model, list: &EpisodeList) -> Vec<String> {
    let words = list.rows().take(MAX_CHOICES).map(|row| {
        let name = row.name.trim();
        let name = name.strip_prefix("● ").map_or_else(|| name.to_owned(), |name| format!("{name}, shown"));
        let states = row.states.iter().map(|state| format!("{} · ", state.word()));
        format!("{}: {}{}", one_line(&name), states.collect::<String>(), one_line(&row.details))
    });
    let mut lines = choices(
        "which episode or session?",
        words.collect::<Vec<_>>(),
        "a number opens it, other words filter the list, an empty line closes it.",
    );
    let more = list.len().saturating_sub(MAX_CHOICES);
    lines.extend((more > 0).then(|| format!("Note: {more} more are not listed; words filter the list")));
    lines.extend((list.len() == 0).then(|| "Note: nothing is listed".to_owned()));
    if let Some((missing, all)) = model.unlisted().filter(|_| list.opening.is_none()) {
        lines.push(format!("Note: {} of {all} episodes have been read by now", all - missing));
    }
    match (&list.opening, &model.recorded_sessions) {
        (Some(name), _) => lines.push(format!("Note: opening {}", one_line(name))),
        (None, None) => lines.push("Note: reading the recorded sessions".to_owned()),
        (None, Some(Err(problem))) => lines.extend(labelled("Error", &problem.to_string())),
        (None, Some(Ok(_))) => {}
    }
    lines
}

/// An error: what is wrong, where, and what to do.
fn problem(title: &str, problem: &Problem) -> Vec<String> {
    let mut lines = vec![format!("Error: {title}")];
    lines.extend(labelled("Error", &problem.message));
    if let Some(place) = &problem.location {
        let line = if place.text.is_empty() { String::new() } else { format!(", line {}", place.line()) };
        lines.extend(labelled("Where", &format!("{}{line}", place.file.display())));
    }
    lines.extend(problem.help.iter().flat_map(|help| labelled("What to do", help)));
    lines
}

/// The field with the focus of the form for the arguments of an action.
fn form_lines(form: &ActionForm) -> Vec<String> {
    let count = form.rows().len();
    let Some((param, field)) = form.rows().nth(form.focus()) else {
        return vec![format!("Question: play {}? An empty line plays it.", one_line(&form.spec.name))];
    };
    let number = form.focus() + 1;
    let name = one_line(&param.name);
    let optional = if param.required { "" } else { ", optional" };
    let question = format!(
        "{} of {}, argument {number} of {count}{optional}: {}",
        name,
        one_line(&form.spec.name),
        one_line(&param.help)
    );
    let values = match &param.kind {
        ParamKind::Choice { values } => values.iter().map(|value| one_line(value)).collect(),
        _ => Vec::new(),
    };
    let how = match &param.kind {
        kind if kind.is_code() => TEXT_HELP.to_owned(),
        kind => {
            format!("{kind}; an empty line keeps the present value, :back goes back, :cancel plays nothing.")
        }
    };
    let error = form.error(param, field).map(|error| format!("Error: {}", one_line(&error.to_string())));
    let text = field.text_editor.text();
    let present = if text.is_empty() {
        vec!["Present value: none".to_owned()]
    } else {
        text_lines("Present value", text)
    };
    let mut lines = choices(&question, values, &how);
    let answer = lines.pop();
    lines.into_iter().chain(present).chain(error).chain(answer).collect()
}

/// The text that is edited, with the numbers of its lines.
fn edit(model: &Model, editor: &EditModal) -> Vec<String> {
    let subject = match &editor.subject {
        EditSubject::Reply => "edit the reply",
        EditSubject::Action => "edit the action",
        EditSubject::Hint => "edit the hint",
        EditSubject::AnswerStart(_) => {
            "write the text that answers begin with; the model goes on from its end"
        }
        EditSubject::Prompt { .. } => {
            "edit the prompt; its first lines have the name under which it is saved"
        }
    };
    let mut lines = vec![format!("Question: {subject}")];
    lines.extend(text_lines("Text", editor.text_editor.text()));
    lines.extend(editor.problem.iter().flat_map(|problem| labelled("Error", &problem.to_string())));
    let valid = model.episode().is_none_or(|viewed| edit_preview(viewed, editor).is_valid);
    lines.extend((!valid && editor.has_changed()).then(|| "Note: this text is not valid yet".to_owned()));
    lines.push(match editor.subject {
        EditSubject::Action => "Answer: the new action; an empty line or :cancel keeps it.".to_owned(),
        _ => format!("Answer: {TEXT_HELP}"),
    });
    lines
}

/// A text; each line with its number if there are several.
fn text_lines(label: &str, text: &str) -> Vec<String> {
    let count = text.split('\n').count();
    if count < 2 {
        return labelled(label, text);
    }
    let lines = (1..)
        .zip(text.split('\n'))
        .map(|(number, line): (usize, &str)| format!("  {number}: {}", one_line(line)));
    std::iter::once(format!("{label}: {count} lines")).chain(lines).collect()
}
