//! The dialog that plans a study: its fields, below them the plan or the verdict, and the asks that are stored.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::asked::{marked, wrapped};
use super::sentence;
use crate::empty::{self, Empty};
use crate::layout::screen_dialog_area;
use crate::model::{ASK_FIELDS, AskSheet, Model, Subject};
use mageyard_domain::sanitize;
use mageyard_study::{StudySort, StudyTable};
use mageyard_terminal::{StyleRole, column_window, to_cells};

/// The columns of the names of the fields.
const NAME: usize = 12;

/// What may be written in each field of a step.
const HELP: [&str; ASK_FIELDS.len()] = [
    "prompt variants, separated by commas; → completes",
    "values of AM, such as 1,5; an impossible window is listed with its reason",
    "values of OM, such as 1,3",
    "models, separated by commas",
    "calls of each variant; not with to-end",
    "how many times each variant plays on to the end, in branches; compares how often the goal is reached; empty: single replies",
    "what counts: an action, optimal, legal or readable; empty: exploratory, no difference is tested",
    "rows, frames or segments: each is left out in turn",
    "seed=1, concurrency=2, a setting such as temperature=0, or unsafe with to-end",
];

/// What may be written about a suite.
const SUITE_HELP: &str = "prompts=A,B am=1,5 om=1 models=M1,M2 samples=5 seed=1 concurrency=2, or a setting such as \
temperature=0; → completes. Without them each state has its own prompt and window.";

/// What may be written about the step that lost an episode.
const BLAME_HELP: &str = "empty: by the solver; play samples=5: by playing on from several steps; also seed=1, agent=random, \
                          max-steps=200 and other settings, unsafe";

pub(super) fn draw(model: &Model, sheet: &AskSheet, whole: Rect, buf: &mut Buffer) {
    let lines = lines(model, sheet, text_width(sheet, whole));
    let place = super::centered_area(whole, width(sheet), to_cells(lines.len()).saturating_add(2));
    let enter = enter(sheet);
    let (title, foot) = match &sheet.subject {
        Subject::Step { step, is_candidates, .. } => {
            let what = if *is_candidates { "Candidates" } else { "Ask again" };
            (format!("{what} at step {step}"), format!("↑ ↓ fields · {enter} · Esc closes"))
        }
        Subject::Suite { name, .. } => {
            (format!("Ask about the suite {name}"), format!("↑ ↓ select · {enter} · Esc closes"))
        }
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
    let focused = sheet.focused_field();
    let is_blame = matches!(sheet.subject, Subject::Episode(_));
    let fields = sheet.fields().enumerate();
    let mut lines: Vec<Line<'static>> = fields
        .map(|(index, field)| {
            if is_blame {
                words_line(model, field, width)
            } else {
                field_line(model, field, focused == Some(index), width)
            }
        })
        .collect();
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
    if is_blame {
        add("", StyleRole::Dim);
        add(BLAME_HELP, StyleRole::Dim);
    } else {
        lines.extend(stored_lines(model, sheet, width));
    }
    lines
}

/// What may be written, and which prompt variants there are.
fn help(sheet: &AskSheet) -> Vec<String> {
    let names = sheet.prompts.join(", ");
    match (&sheet.subject, sheet.focused_field()) {
        (Subject::Step { .. }, Some(0)) => vec![format!("{}: {names}", HELP[0])],
        (Subject::Step { .. }, Some(index)) => {
            HELP.get(index).map(|help| (*help).to_owned()).into_iter().collect()
        }
        (Subject::Suite { .. }, _) if sheet.prompts.is_empty() => vec![SUITE_HELP.to_owned()],
        (Subject::Suite { .. }, _) => vec![SUITE_HELP.to_owned(), format!("prompt variants: {names}")],
        (Subject::Step { .. } | Subject::Episode(_), _) => Vec::new(),
    }
}

fn planning(sheet: &AskSheet) -> &'static str {
    match sheet.subject {
        Subject::Step { .. } => "planning …",
        Subject::Episode(_) => "looking for it …",
        Subject::Suite { .. } => "planning … (states that are not recorded here are played first)",
    }
}

/// The name and the text of a field; of a long text its end.
fn field_line(model: &Model, (name, text): (&str, &str), focused: bool, width: u16) -> Line<'static> {
    let mut spans = vec![
        Span::styled(if focused { "▸ " } else { "  " }, model.style(StyleRole::Key)),
        Span::styled(format!("{name:<NAME$}"), model.style(StyleRole::Dim)),
        Span::styled(end_of(text, width.saturating_sub(to_cells(NAME + 3))), model.style(StyleRole::Text)),
    ];
    spans.extend(focused.then(|| Span::styled("█", model.style(StyleRole::Key))));
    Line::from(spans)
}

/// The only field, followed by a line without a text.
fn words_line(model: &Model, (name, text): (&str, &str), width: u16) -> Line<'static> {
    let name = format!("{name}: ");
    let room = width.saturating_sub(to_cells(name.len()) + 1);
    Line::from(vec![
        Span::styled(name, model.style(StyleRole::Dim)),
        Span::styled(end_of(text, room), model.style(StyleRole::Text)),
        Span::styled("█", model.style(StyleRole::Key)),
    ])
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
