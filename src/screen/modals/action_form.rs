//! The form for the arguments of an action: a field per parameter, with its kind and range or its error below it.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;
use unicode_segmentation::UnicodeSegmentation;

use crate::layout::screen_dialog_area;
use crate::model::{ActionForm, FormField, FormPurpose, Model};
use mageyard_domain::{ParamKind, ParamSpec};
use mageyard_terminal::{StyleRole, to_cells, truncate, visible_text, wrap};

/// The most columns of the dialog.
const MAX_WIDTH: u16 = 80;
/// The most columns of the names of the parameters.
const MAX_NAME_WIDTH: usize = 20;
/// The most rows of a text and of code.
const MAX_TEXT_ROWS: usize = 3;
const MAX_CODE_ROWS: usize = 8;
/// The most rows of named numbers.
const MAX_NUMBERS: usize = 6;
/// The least width in columns for the full names of the keys.
const WIDE: u16 = 76;

/// The columns of the names, with the bar beside them.
fn name_width(form: &ActionForm) -> usize {
    form.rows().map(|(param, _)| Span::raw(&param.name).width()).max().unwrap_or(0).min(MAX_NAME_WIDTH) + 2
}

fn inner_width(whole: Rect) -> u16 {
    super::centered_area(whole, MAX_WIDTH, whole.height).width.saturating_sub(4)
}

/// The columns of the text of a field.
pub(crate) fn text_width(model: &Model, form: &ActionForm) -> u16 {
    field_width(inner_width(screen_dialog_area(model)), form)
}

fn field_width(inner: u16, form: &ActionForm) -> u16 {
    inner.saturating_sub(to_cells(name_width(form))).max(2)
}

pub(super) fn draw(model: &Model, form: &ActionForm, whole: Rect, buf: &mut Buffer) {
    let fields = field_lines(model, form, inner_width(whole));
    let height: usize = fields.iter().map(Vec::len).sum();
    // The borders, the rule and the preview.
    let place = super::centered_area(whole, MAX_WIDTH, to_cells(height).saturating_add(4));
    let title = match form.purpose {
        FormPurpose::Play => format!("{}: {}", form.spec.name, form.spec.help),
        FormPurpose::Edit(target) => format!("Edit {} of step {}", form.spec.name, target.step),
    };
    let title = truncate(&title, place.width.saturating_sub(6));
    let inner =
        super::draw_border(model, &title, &footer(form, place.width), StyleRole::BorderFocus, place, buf);
    let [body, rule, below] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(1), Constraint::Length(1)]).areas(inner);
    let scroll = scroll(&fields, form.focus(), body.height);
    let lines: Vec<_> = fields.into_iter().flatten().collect();
    super::draw_overflow_marks(model, to_cells(scroll), lines.len(), body, buf);
    let shown: Vec<_> = lines.into_iter().skip(scroll).take(body.height.into()).collect();
    Text::from(shown).render(body, buf);
    Line::styled("─".repeat(rule.width.into()), model.style(StyleRole::Dim)).render(rule, buf);
    preview(model, form, below.width).render(below, buf);
}

/// The first line that is shown, so that the field with the focus is visible.
fn scroll(fields: &[Vec<Line<'_>>], focus: usize, height: u16) -> usize {
    let end: usize = fields.iter().take(focus + 1).map(Vec::len).sum();
    let start = end - fields.get(focus).map_or(0, Vec::len);
    end.saturating_sub(height.into()).min(start)
}

/// The action as it would be played.
fn preview(model: &Model, form: &ActionForm, width: u16) -> Line<'static> {
    match form.action() {
        Ok(action) => {
            Line::styled(truncate(&format!("✓ {}", action.label()), width), model.style(StyleRole::Ok))
        }
        Err(error) => {
            let words = error
                .parameter()
                .map_or_else(|| error.to_string(), |parameter| format!("not complete yet: {parameter}"));
            Line::styled(truncate(&format!("… {words}"), width), model.style(StyleRole::Dim))
        }
    }
}

/// The keys for the field with the focus, in short form on narrow screens.
fn footer(form: &ActionForm, width: u16) -> String {
    let kind = form.rows().nth(form.focus()).map(|(param, _)| &param.kind);
    let does = if form.purpose == FormPurpose::Play { "plays" } else { "accepts" };
    match (kind, width < WIDE) {
        (Some(ParamKind::Code { .. }), false) => {
            format!("Ctrl-D {does} · Tab next field · Ctrl-E external editor · Esc cancels")
        }
        (Some(ParamKind::Code { .. }), true) => format!("Ctrl-D {does} · Tab next · Ctrl-E editor · Esc"),
        (Some(ParamKind::Choice { .. }), _) => {
            format!("Enter {does} · ← → selects · Tab next field · Esc cancels")
        }
        (Some(ParamKind::Number { .. }), _) if form.rows().nth(form.focus()).is_some_and(has_names) => {
            format!("Enter {does} · ↑ ↓ selects · Tab next field · Esc cancels")
        }
        (Some(ParamKind::Text { .. }), false) => {
            format!("Enter {does} · Tab next field · Ctrl-E external editor · Esc cancels")
        }
        _ => format!("Enter {does} · Tab next field · Esc cancels"),
    }
}

/// The lines of each field.
fn field_lines(model: &Model, form: &ActionForm, width: u16) -> Vec<Vec<Line<'static>>> {
    let field = |(index, (param, field)): (usize, (&ParamSpec, &FormField))| {
        let mut lines = value_lines(model, form, param, field, index == form.focus(), width);
        lines.extend(explanation(model, form, param, field, width));
        if index == form.focus() {
            lines.extend(numbers(model, form, field, width));
        }
        lines
    };
    form.rows().enumerate().map(field).collect()
}

/// The name of the parameter, and beside it the text of its field.
fn value_lines(
    model: &Model,
    form: &ActionForm,
    param: &ParamSpec,
    field: &FormField,
    focused: bool,
    width: u16,
) -> Vec<Line<'static>> {
    let names = name_width(form) - 2;
    let bar = model.style(if focused { StyleRole::Key } else { StyleRole::Dim });
    let sign = if focused { " ▌" } else { " ▏" };
    let name_style = model.style(if focused { StyleRole::TitleFocus } else { StyleRole::Text });
    let name = truncate(&param.name, to_cells(names));
    let rest = " ".repeat(names.saturating_sub(Span::raw(&name).width()));
    let mut lines = match &param.kind {
        ParamKind::Choice { .. } => vec![choice(model, field, focused)],
        kind => text_lines(model, kind, field, focused, field_width(width, form)),
    };
    for (index, line) in lines.iter_mut().enumerate() {
        let (label, gap) =
            if index == 0 { (name.clone(), rest.clone()) } else { (String::new(), " ".repeat(names)) };
        line.spans.splice(0..0, [Span::styled(label, name_style), Span::raw(gap), Span::styled(sign, bar)]);
    }
    lines
}

fn has_names((_, field): (&ParamSpec, &FormField)) -> bool {
    field.fitting().next().is_some()
}

/// The numbers with their names that fit what is typed, around the chosen one.
fn numbers(model: &Model, form: &ActionForm, field: &FormField, width: u16) -> Vec<Line<'static>> {
    let fitting: Vec<_> = field.fitting().collect();
    let chosen = field.named().map(|(number, _)| *number);
    let at = fitting.iter().position(|(number, _)| Some(*number) == chosen);
    let top = at.unwrap_or(0).saturating_sub(MAX_NUMBERS / 2).min(fitting.len().saturating_sub(MAX_NUMBERS));
    let gutter = " ".repeat(name_width(form));
    let room = width.saturating_sub(to_cells(gutter.len()));
    let line = |(number, name): &&(i64, String)| {
        let is_chosen = Some(*number) == chosen;
        let style = model.style(if is_chosen { StyleRole::Text } else { StyleRole::Dim });
        let style = if is_chosen { style.add_modifier(Modifier::REVERSED) } else { style };
        let words = truncate(&visible_text(&format!("[{number}] {name}")), room);
        Line::from(vec![Span::raw(gutter.clone()), Span::styled(words, style)])
    };
    fitting.iter().skip(top).take(MAX_NUMBERS).map(line).collect()
}

/// The selected value between arrows.
fn choice(model: &Model, field: &FormField, focused: bool) -> Line<'static> {
    let text = field.text_editor.text();
    let (text, role) = if text.is_empty() { ("(none)", StyleRole::Dim) } else { (text, StyleRole::Text) };
    let style = model.style(role);
    let style = if focused { style.add_modifier(Modifier::REVERSED) } else { style };
    let key = model.style(StyleRole::Key);
    Line::from(vec![
        Span::styled(if focused { "◂ " } else { "" }, key),
        Span::styled(visible_text(text), style),
        Span::styled(if focused { " ▸" } else { "" }, key),
    ])
}

/// The rows of the text around the cursor.
fn text_lines(
    model: &Model,
    kind: &ParamKind,
    field: &FormField,
    focused: bool,
    width: u16,
) -> Vec<Line<'static>> {
    let editor = &field.text_editor;
    let rows = editor.wrapped_rows(width);
    let most = if kind.is_code() { MAX_CODE_ROWS } else { MAX_TEXT_ROWS };
    let here = editor.cursor_row(&rows);
    let top = here.saturating_sub(most / 2).min(rows.len().saturating_sub(most));
    let shown = rows.iter().enumerate().skip(top).take(most);
    shown.map(|(index, row)| text_line(model, field, row, focused && index == here)).collect()
}

fn text_line(model: &Model, field: &FormField, row: &Range<usize>, has_cursor: bool) -> Line<'static> {
    let editor = &field.text_editor;
    let style = model.style(StyleRole::Text);
    let cursor = |at: usize| -> Style {
        if has_cursor && at == editor.cursor() { style.add_modifier(Modifier::REVERSED) } else { style }
    };
    let mut line = Line::default();
    let mut at = row.start;
    for piece in editor.text()[row.clone()].graphemes(true) {
        line.push_span(Span::styled(visible_text(piece), cursor(at)));
        at += piece.len();
    }
    if has_cursor && at == editor.cursor() {
        line.push_span(Span::styled(" ", cursor(at)));
    }
    line
}

/// What the parameter is for and what is allowed, or why the text of the field is not.
fn explanation(
    model: &Model,
    form: &ActionForm,
    param: &ParamSpec,
    field: &FormField,
    width: u16,
) -> Vec<Line<'static>> {
    let gutter = Span::raw(" ".repeat(name_width(form)));
    if let Some(error) = form.error(param, field) {
        return wrap(&format!("✗ {error}"), width, &gutter, model.style(StyleRole::MarkUnread));
    }
    let optional = if param.required { "" } else { " (optional)" };
    let words = format!("{}: {}{optional}", param.help, param.kind);
    wrap(&words, width, &gutter, model.style(StyleRole::Dim))
}
