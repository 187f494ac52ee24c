//! Draws the form: fields with what is selected, the options of the focused one, and beside or below them the plan.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use super::form::{Field, SweepForm};
use crate::modals::{centered_area, draw_border, heading};
use crate::model::Model;
use mageyard_domain::{sanitize, shell_quote};
use mageyard_terminal::{StyleRole, truncate, wrap};

/// From this width on the plan is beside the fields.
const WIDE: u16 = 96;
/// The most columns of the dialog.
const MOST_WIDTH: u16 = 150;
/// The columns of the names of fields.
const LABELS: u16 = 11;
/// The rows of the summary below the fields, where the plan is not beside them.
const SUMMARY: u16 = 4;

pub(crate) fn draw(model: &Model, form: &SweepForm, whole: Rect, buf: &mut Buffer) {
    let place = centered_area(whole, MOST_WIDTH, whole.height);
    let inner = draw_border(model, "New sweep", foot(form), StyleRole::BorderFocus, place, buf);
    let said = Rect { y: inner.bottom().saturating_sub(1), height: 1.min(inner.height), ..inner };
    let body = Rect { height: inner.height.saturating_sub(1), ..inner };
    let is_wide = inner.width >= WIDE;
    let left = if is_wide { Rect { width: inner.width * 45 / 100, ..body } } else { body };
    // The plan has the rows of its summary while it is read.
    let summary = if is_wide || form.focus == Field::Plan { 0 } else { SUMMARY.min(left.height) };
    let fields = Rect { height: left.height - summary, ..left };
    Text::from(field_lines(model, form, fields, is_wide)).render(fields, buf);
    if is_wide {
        let right = Rect { x: left.right() + 2, width: body.width.saturating_sub(left.width + 2), ..body };
        let lines = plan_lines(model, form, right.width);
        let from = if form.focus == Field::Plan { form.cursor.min(lines.len().saturating_sub(1)) } else { 0 };
        Text::from(lines.into_iter().skip(from).collect::<Vec<_>>()).render(right, buf);
    } else if summary > 0 {
        let rows = Rect { y: fields.bottom(), height: summary, ..left };
        Text::from(summary_lines(model, form, rows.width)).render(rows, buf);
    }
    said_line(model, form, said.width).render(said, buf);
}

fn foot(form: &SweepForm) -> &'static str {
    match (&form.written, form.focus) {
        (Some(_), _) => "Enter starts it here · Esc closes",
        (None, Field::Plan) => "↑ ↓ scroll · Tab fields · Enter writes the file · Esc closes",
        (None, field) if field.is_list() => {
            "Space selects · → all ← none · letters filter · Tab fields · Enter writes the file · Esc closes"
        }
        (None, _) => "Tab fields · Enter writes the file · Esc closes",
    }
}

/// The fields, and the options of the focused one below them.
fn field_lines(model: &Model, form: &SweepForm, area: Rect, is_wide: bool) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> =
        Field::ALL.iter().map(|field| field_line(model, form, *field, area.width)).collect();
    lines.push(Line::default());
    let room = usize::from(area.height).saturating_sub(lines.len());
    if form.focus == Field::Plan {
        // Beside the fields it is there already.
        if !is_wide {
            let plan = plan_lines(model, form, area.width);
            let from = form.cursor.min(plan.len().saturating_sub(1));
            lines.extend(plan.into_iter().skip(from).take(room));
        }
        return lines;
    }
    lines.extend(option_lines(model, form, (area.width, room)));
    lines
}

fn field_line(model: &Model, form: &SweepForm, field: Field, width: u16) -> Line<'static> {
    let is_focused = form.focus == field;
    let mark = if is_focused { "▸ " } else { "  " };
    let label = format!("{:<width$}", field.label(), width = usize::from(LABELS));
    let room = width.saturating_sub(LABELS + 3);
    let value = sanitize(&form.value(field)).into_owned();
    let (text, role) = match (field, value.is_empty()) {
        (Field::Plan, _) => (plan_words(form), StyleRole::Dim),
        (_, true) => (field.hint().to_owned(), StyleRole::Dim),
        (_, false) => (value.clone(), StyleRole::Text),
    };
    let types = is_focused && !field.is_list() && field != Field::Plan;
    let text = if types { value } else { text };
    let label_role = if is_focused { StyleRole::Selection } else { StyleRole::Dim };
    Line::from(vec![
        Span::styled(mark, model.style(StyleRole::Key)),
        Span::styled(label, model.style(label_role)),
        Span::styled(truncate(&text, room), model.style(role)),
        Span::styled(if types { "█" } else { "" }, model.style(StyleRole::Key)),
    ])
}

/// The plan in a few words.
fn plan_words(form: &SweepForm) -> String {
    match &form.planned {
        Some((number, Ok(planned))) if *number == form.number => {
            planned.summary.first().cloned().unwrap_or_default()
        }
        Some((number, Err(_))) if *number == form.number => "cannot be planned".to_owned(),
        _ => "being planned …".to_owned(),
    }
}

fn option_lines(model: &Model, form: &SweepForm, (width, room): (u16, usize)) -> Vec<Line<'static>> {
    if !form.focus.is_list() {
        return wrap(form.focus.hint(), width, &Span::raw(""), model.style(StyleRole::Dim));
    }
    let mut lines = Vec::new();
    let filter = form.filter.as_str();
    let title = match (&form.offers, filter) {
        (None, _) => "reading …".to_owned(),
        (Some(Err(problem)), _) => problem.to_string(),
        (Some(Ok(_)), "") => format!("{}: {}", form.focus.label(), form.focus.hint()),
        (Some(Ok(_)), filter) => format!("{} with {filter}█", form.focus.label()),
    };
    lines.push(Line::styled(truncate(&sanitize(&title), width), model.style(StyleRole::Heading)));
    let options = form.options();
    let cursor = form.cursor.min(options.len().saturating_sub(1));
    let room = room.saturating_sub(1);
    let from = (cursor + 1).saturating_sub(room);
    for (index, value) in options.iter().enumerate().skip(from).take(room) {
        let mark = if form.chosen(form.focus).contains(value) { "[x] " } else { "[ ] " };
        let pointer = if index == cursor { "▸ " } else { "  " };
        let role = if index == cursor { StyleRole::Selection } else { StyleRole::Text };
        lines.push(Line::from(vec![
            Span::styled(pointer, model.style(StyleRole::Key)),
            Span::styled(mark, model.style(StyleRole::Key)),
            Span::styled(truncate(&sanitize(value), width.saturating_sub(6)), model.style(role)),
        ]));
    }
    if options.is_empty() && form.offers.is_some() {
        lines.push(Line::styled("nothing has this name", model.style(StyleRole::Dim)));
    }
    lines
}

/// The beginning of the plan, where there is no room for all of it.
fn summary_lines(model: &Model, form: &SweepForm, width: u16) -> Vec<Line<'static>> {
    let mut lines = vec![Line::styled("─".repeat(width.into()), model.style(StyleRole::Border))];
    match &form.planned {
        Some((_, Ok(planned))) => {
            let text = model.style(StyleRole::Text);
            lines.extend(
                planned.summary.iter().map(|line| Line::styled(truncate(&sanitize(line), width), text)),
            );
        }
        Some((_, Err(problem))) => {
            let fault = model.style(StyleRole::Fault);
            lines.extend(wrap(&problem.to_string(), width, &Span::raw(""), fault));
        }
        None => lines.push(Line::styled("being planned …", model.style(StyleRole::Dim))),
    }
    lines
}

/// The whole plan: the summary, the cells, those struck out with their reasons, and the file.
pub(super) fn plan_lines(model: &Model, form: &SweepForm, width: u16) -> Vec<Line<'static>> {
    let is_new = form.planned.as_ref().is_some_and(|(number, _)| *number == form.number);
    let title = if is_new { "Plan" } else { "Plan, being made" };
    let mut lines = vec![heading(model, title)];
    let mut add = |text: &str, role: StyleRole, gutter: &'static str| {
        lines.extend(wrap(&sanitize(text), width, &Span::raw(gutter), model.style(role)));
    };
    match &form.planned {
        None => add("…", StyleRole::Dim, ""),
        Some((_, Err(problem))) => {
            add(&problem.message, StyleRole::Fault, "");
            if let Some(help) = &problem.help {
                add(help, StyleRole::Dim, "");
            }
        }
        Some((_, Ok(planned))) => {
            planned.summary.iter().for_each(|line| add(line, StyleRole::Text, ""));
            if !planned.is_complete {
                add("what they need is being computed …", StyleRole::Dim, "");
            }
            add("", StyleRole::Dim, "");
            add("File", StyleRole::Heading, "");
            planned.text.lines().for_each(|line| add(line, StyleRole::Text, "  "));
            if !planned.struck.is_empty() {
                add("", StyleRole::Dim, "");
                add("Struck out", StyleRole::Heading, "");
                planned.struck.iter().for_each(|line| add(line, StyleRole::Dim, "  "));
            }
            add("", StyleRole::Dim, "");
            add("Cells", StyleRole::Heading, "");
            planned.cells.iter().for_each(|line| add(line, StyleRole::Text, "  "));
        }
    }
    lines
}

/// Where the file was written and how it is run elsewhere, or what was said last.
fn said_line(model: &Model, form: &SweepForm, width: u16) -> Line<'static> {
    let (text, role) = match (&form.written, &form.said) {
        (Some(_), _) => (written_words(form), StyleRole::Ok),
        (None, Some(said)) => (said.clone(), StyleRole::Notice),
        (None, None) if form.is_saving => ("writing the file …".to_owned(), StyleRole::Dim),
        (None, None) => (String::new(), StyleRole::Dim),
    };
    Line::styled(truncate(&sanitize(&text).replace('\n', " "), width), model.style(role))
}

/// The verb that runs the written sweep elsewhere, and where the file is.
pub(super) fn written_words(form: &SweepForm) -> String {
    let name = shell_quote(&form.selection().name);
    let path = form.written.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    format!("written: `mageyard sweep run {name}` runs it anywhere, Enter here; the file is {path}")
}
