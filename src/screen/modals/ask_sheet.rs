//! The dialog that plans a study: its fields, below them the plan or the verdict, and the asks that are stored.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::asked::{marked, wrapped};
use super::sentence;
use crate::empty::{self, Empty};
use crate::layout::screen_dialog_area;
use crate::model::{AskSheet, Model, Subject};
use mageyard_domain::sanitize;
use mageyard_study::{StudySort, StudyTable};
use mageyard_terminal::{StyleRole, column_window, to_cells};

/// What may be written about a suite.
const SUITE_HELP: &str = "prompts=A,B am=1,5 om=1 models=M1,M2 samples=5 seed=1 concurrency=2, or a setting such as \
temperature=0; → completes. Without them each state has its own prompt and window.";

/// What may be written about the step that lost an episode.
const BLAME_HELP: &str = "empty: by the solver; play samples=5: by playing on from several steps; also seed=1, agent=random, \
                          max-steps=200 and other settings, unsafe";

/// What may be written about what is wrong with steps.
const DIAGNOSE_HELP: &str = "empty: the shown step; or a step such as last#5, a suite, sessions or sweeps; then samples=2 \
                             views=image,text questions=player models=M1,M2 calls=500 seed=1 and other settings";

/// What may be written about questions.
const PROBE_HELP: &str = "empty: the shown step; or a step such as last#5, or a suite; then samples=2 views=image,text \
                          questions=player models=M1,M2 seed=1 and other settings";

pub(super) fn draw(model: &Model, sheet: &AskSheet, whole: Rect, buf: &mut Buffer) {
    let lines = lines(model, sheet, text_width(sheet, whole));
    let place = super::centered_area(whole, width(sheet), to_cells(lines.len()).saturating_add(2));
    let enter = enter(sheet);
    let (title, foot) = match &sheet.subject {
        Subject::Suite { name, .. } => {
            (format!("Ask about the suite {name}"), format!("↑ ↓ select · {enter} · Esc closes"))
        }
        Subject::Diagnosis(_) => {
            ("What is wrong with failed steps?".to_owned(), format!("{enter} · Esc closes"))
        }
        Subject::Probe(_) => ("What does the state show?".to_owned(), format!("{enter} · Esc closes")),
        Subject::Episode(_) => ("Which step lost the episode?".to_owned(), format!("{enter} · Esc closes")),
    };
    let title = sanitize(&title).into_owned();
    let inner = super::draw_border(model, &title, &foot, StyleRole::BorderFocus, place, buf);
    let most = to_cells(lines.len()).saturating_sub(inner.height);
    super::draw_lines(model, lines, sheet.scroll.min(most), inner, buf);
}

/// What Enter does.
fn enter(sheet: &AskSheet) -> String {
    let is_blame = matches!(sheet.subject, Subject::Episode(_));
    let words = match (sheet.ready(), sheet.verdict().map(|verdict| verdict.step)) {
        _ if sheet.selected().is_some() => "Enter opens it",
        (_, Some(Some(step))) => return format!("Enter goes to step {step}"),
        (_, Some(None)) => "Enter closes",
        (Some((_, plan)), _) if plan.left == 0 && sheet.suite_name().is_some() => "Enter shows the report",
        (Some((_, plan)), _) if plan.left == 0 => "Enter shows the table",
        (Some((_, plan)), _) if plan.sort.has_replies() => "Enter makes the calls",
        (Some(_), _) => "Enter plays the branches",
        _ if !is_blame => "Enter shows the plan",
        _ if sheet.known().is_some() => "Enter tries again",
        _ => "Enter looks for it",
    };
    words.to_owned()
}

/// The largest scroll position, and the lines of a page.
pub(crate) fn extent(model: &Model, sheet: &AskSheet) -> (u16, u16) {
    let whole = screen_dialog_area(model);
    let count = to_cells(lines(model, sheet, text_width(sheet, whole)).len());
    let place = super::centered_area(whole, width(sheet), count.saturating_add(2));
    let page = place.height.saturating_sub(2).max(1);
    (count.saturating_sub(page), page)
}

/// The columns of the dialog with its border.
fn width(sheet: &AskSheet) -> u16 {
    if matches!(sheet.subject, Subject::Episode(_)) { 90 } else { 100 }
}

fn text_width(sheet: &AskSheet, whole: Rect) -> u16 {
    super::centered_area(whole, width(sheet), whole.height).width.saturating_sub(4)
}

fn lines(model: &Model, sheet: &AskSheet, width: u16) -> Vec<Line<'static>> {
    let is_blame = matches!(sheet.subject, Subject::Episode(_));
    let own_help = match sheet.subject {
        Subject::Episode(_) => Some(BLAME_HELP),
        Subject::Diagnosis(_) => Some(DIAGNOSE_HELP),
        Subject::Probe(_) => Some(PROBE_HELP),
        Subject::Suite { .. } => None,
    };
    let mut lines = vec![words_line(model, sheet, width)];
    let mut add = |text: &str, role| lines.extend(wrapped(model, text, width, role));
    for help in help(sheet) {
        add(&help, StyleRole::Dim);
    }
    add("", StyleRole::Dim);
    for line in sheet.lines() {
        add(if is_blame { line.trim() } else { line }, StyleRole::Text);
    }
    match sheet.known() {
        Some(Err(problem)) => add(&format!("! {}", sentence(problem)), StyleRole::Fault),
        None if sheet.is_planning() => add(planning(sheet), StyleRole::Dim),
        Some(Ok(_)) | None => {}
    }
    if let Some(help) = own_help {
        add("", StyleRole::Dim);
        add(help, StyleRole::Dim);
    } else {
        lines.extend(stored_lines(model, sheet, width));
    }
    lines
}

/// What may be written, and which prompt variants there are.
fn help(sheet: &AskSheet) -> Vec<String> {
    let prompts =
        (!sheet.prompts.is_empty()).then(|| format!("prompt variants: {}", sheet.prompts.join(", ")));
    match sheet.subject {
        Subject::Suite { .. } => std::iter::once(SUITE_HELP.to_owned()).chain(prompts).collect(),
        Subject::Episode(_) | Subject::Diagnosis(_) | Subject::Probe(_) => Vec::new(),
    }
}

fn planning(sheet: &AskSheet) -> &'static str {
    match sheet.subject {
        Subject::Episode(_) => "looking for it …",
        Subject::Probe(_) => "planning … (the states are opened first)",
        Subject::Diagnosis(_) => "planning … (the states are opened and judged first)",
        Subject::Suite { .. } => "planning … (states that are not recorded here are played first)",
    }
}

/// The name of the text and its end, with the mark of the selection.
fn words_line(model: &Model, sheet: &AskSheet, width: u16) -> Line<'static> {
    let is_alone = sheet.suite_name().is_none();
    let is_on = sheet.is_on_text();
    let mark = if is_alone {
        ""
    } else if is_on {
        "▸ "
    } else {
        "  "
    };
    let name = format!("{}: ", sheet.text_name());
    let room = width.saturating_sub(to_cells(name.len()) + 3);
    let mut spans = vec![
        Span::styled(mark, model.style(StyleRole::Key)),
        Span::styled(name, model.style(StyleRole::Dim)),
        Span::styled(end_of(sheet.words(), room), model.style(StyleRole::Text)),
    ];
    spans.extend(is_on.then(|| Span::styled("█", model.style(StyleRole::Key))));
    Line::from(spans)
}

fn end_of(text: &str, room: u16) -> String {
    let text = sanitize(text).into_owned();
    column_window(&text, text.width().saturating_sub(room.into()), room)
}

fn stored_lines(model: &Model, sheet: &AskSheet, width: u16) -> Vec<Line<'static>> {
    let of_suite = matches!(sheet.subject, Subject::Suite { .. });
    let [reading, heading] = if of_suite {
        ["reading the asks about this suite …", "Stored about this suite"]
    } else {
        ["reading the asks of this step …", "Stored at this step"]
    };
    let say = |text: &str, role| [vec![Line::default()], wrapped(model, text, width, role)].concat();
    match &sheet.stored {
        None => return say(reading, StyleRole::Dim),
        Some(Err(problem)) => return say(&format!("! {}", sentence(problem)), StyleRole::Fault),
        Some(Ok(asks)) if asks.is_empty() => {
            return say(&empty::words(model, Empty::Asks { of_suite }), StyleRole::Dim);
        }
        Some(Ok(_)) => {}
    }
    let row = |(index, ask): (usize, &std::sync::Arc<StudyTable>)| {
        marked(model, sheet.selected() == Some(index), &stored_line(ask), width)
    };
    let mut lines = vec![Line::default(), super::heading(model, heading)];
    lines.extend(sheet.stored().iter().enumerate().map(row));
    lines
}

/// A stored ask in one line.
pub(crate) fn stored_line(ask: &StudyTable) -> String {
    let replies = if ask.done < ask.all { format!("{} replies", ask.done) } else { String::new() };
    let gap = |sign: &str| if replies.is_empty() { String::new() } else { sign.to_owned() };
    if ask.sort == StudySort::Suite {
        let names: Vec<&str> = ask.rows.iter().map(|row| row.name.as_str()).collect();
        return format!("{}{}{replies}: {}", ask.title, gap("; "), names.join(", "));
    }
    let id: String = ask.id.chars().take(8).collect();
    format!("{id}  {}{}{replies}", ask.title, gap(", "))
}
