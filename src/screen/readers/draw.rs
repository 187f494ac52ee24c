//! Draws the dialog of readers: the readers with their counts, the shapes of the replies that the selected one refuses or reads
//! with doubt, and a reply. While a draft is written it is beside them, or above on narrow screens.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;
use unicode_segmentation::UnicodeSegmentation;

use super::lines::{counts_words, reading_words, shape_words};
use super::sheet::{Draft, Focus, ReaderRow, ReaderSheet};
use crate::layout::screen_dialog_area;
use crate::modals::{centered_area, draw_border, heading};
use crate::model::Model;
use crate::panes::attempt_lines;
use mageyard_domain::sanitize;
use mageyard_engine::Attempt;
use mageyard_terminal::{StyleRole, to_cells, truncate, visible_text, wrap};

/// From this width on the draft is beside what it reads; below, it is above.
const WIDE: u16 = 100;
/// The most columns of the dialog.
const MOST_WIDTH: u16 = 160;
/// Columns of the name of a reader.
const NAME: u16 = 18;
/// The most rows of the shapes.
const SHAPE_ROWS: usize = 7;
/// The most bytes of a reply that are drawn.
const MOST_SHOWN: usize = 16 << 10;

fn dialog_area(whole: Rect) -> Rect {
    centered_area(whole, MOST_WIDTH, whole.height)
}

/// The columns of the text of a draft.
pub(super) fn draft_width(model: &Model) -> u16 {
    let inner = dialog_area(screen_dialog_area(model)).width.saturating_sub(4);
    if inner >= WIDE { inner / 2 - 1 } else { inner }
}

pub(crate) fn draw(model: &Model, sheet: &ReaderSheet, whole: Rect, buf: &mut Buffer) {
    let place = dialog_area(whole);
    let foot = match &sheet.draft {
        Some(draft) if draft.name.is_some() => "Enter saves · Esc goes back",
        Some(_) => "Ctrl-D saves · Ctrl-E external editor · Esc goes back",
        None if place.width < WIDE => "Tab list · ← → reply · e edit · Enter step · Esc",
        None => "Tab other list · ← → another reply · e edits the reader · Enter opens the step · Esc closes",
    };
    let name = sheet.scope.rsplit('/').find(|part| !part.is_empty()).unwrap_or_default();
    let title = sanitize(&format!("Readers on the replies of {name}")).into_owned();
    let inner = draw_border(model, &title, foot, StyleRole::BorderFocus, place, buf);
    let [body, last] = Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(inner);
    last_line(model, sheet, last.width).render(last, buf);
    match &sheet.draft {
        Some(draft) if body.width >= WIDE => {
            let [text, read] =
                Layout::horizontal([Constraint::Length(body.width / 2 - 1), Constraint::Fill(1)])
                    .spacing(2)
                    .areas(body);
            draw_text(model, draft, text, buf);
            draw_reading(model, sheet, draft_lines(model, draft, read.width), read, buf);
        }
        Some(draft) => {
            let [text, read] =
                Layout::vertical([Constraint::Percentage(45), Constraint::Fill(1)]).spacing(1).areas(body);
            draw_text(model, draft, text, buf);
            draw_reading(model, sheet, draft_lines(model, draft, read.width), read, buf);
        }
        None => draw_reading(model, sheet, reader_lines(model, sheet, body), body, buf),
    }
}

/// The lines on top, then the shapes and the reply in what is left.
fn draw_reading(
    model: &Model,
    sheet: &ReaderSheet,
    mut lines: Vec<Line<'static>>,
    area: Rect,
    buf: &mut Buffer,
) {
    if sheet.failed.is_none() {
        let parts = [shape_lines(model, sheet, area.width), reply_lines(model, sheet, area.width)];
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            lines.push(Line::default());
            lines.extend(part);
        }
    }
    Text::from(lines).render(area, buf);
}

/// The readers with their counts; if they do not fit, those around the selected one.
fn reader_lines(model: &Model, sheet: &ReaderSheet, area: Rect) -> Vec<Line<'static>> {
    let dim = model.style(StyleRole::Dim);
    if let Some(problem) = &sheet.failed {
        return wrap(&problem.to_string(), area.width, &Span::raw(""), model.style(StyleRole::Fault));
    }
    if sheet.rows.is_empty() {
        return vec![Line::styled(format!("reading episodes … {}", sheet.loaded), dim)];
    }
    let room = usize::from(area.height / 3).max(3);
    let from = (sheet.selected() + 1).saturating_sub(room);
    let head = format!("  {:<18} refused  doubtful  changed      IA  this reply", "reader");
    let mut lines = vec![Line::styled(truncate(&head, area.width), dim)];
    let shown = sheet.rows.iter().enumerate().skip(from).take(room);
    lines.extend(shown.map(|(index, row)| reader_line(model, sheet, index, row, area.width)));
    lines
}

fn reader_line(
    model: &Model,
    sheet: &ReaderSheet,
    index: usize,
    row: &ReaderRow,
    width: u16,
) -> Line<'static> {
    let is_selected = index == sheet.selected();
    let focused = is_selected && sheet.focus == Focus::Readers;
    let name = format!("{}{}", row.entry.reader, if row.entry.is_recorded { " ●" } else { "" });
    let name = truncate(&sanitize(&name), NAME);
    let gap = usize::from(NAME).saturating_sub(Span::raw(&name).width());
    let counts = match &row.read {
        None => format!("{:>8}", "…"),
        Some(read) => {
            let counts = &read.counts;
            let ia =
                counts.invalid_percent(1).map_or_else(|| "?".to_owned(), |share| format!("{share:.1} %"));
            format!("{:>8}{:>10}{:>9}{ia:>8}", counts.errors[1], counts.doubtful[1], counts.changed)
        }
    };
    let shown = sheet.shown.as_ref().filter(|shown| Some(shown.place) == sheet.place());
    let (words, role) = match shown.and_then(|shown| shown.readings.get(index)) {
        None => (String::new(), StyleRole::Dim),
        Some(attempt) if attempt.is_refused() => (reading_words(attempt), StyleRole::Fault),
        Some(attempt) => (reading_words(attempt), StyleRole::Action),
    };
    let used = 2 + NAME + to_cells(counts.len()) + 2;
    Line::from(vec![
        Span::styled(if is_selected { "▸ " } else { "  " }, model.style(StyleRole::Key)),
        Span::styled(name, model.style(if focused { StyleRole::Selection } else { StyleRole::Text })),
        Span::raw(" ".repeat(gap)),
        Span::styled(counts, model.style(StyleRole::Text)),
        Span::styled(format!("  {}", truncate(&words, width.saturating_sub(used))), model.style(role)),
    ])
}

/// What the draft reads, beside what was recorded.
fn draft_lines(model: &Model, draft: &Draft, width: u16) -> Vec<Line<'static>> {
    let (words, role) = match (&draft.result, draft.progress) {
        (None, Some((done, of))) => (format!("reading … {done} of {of} episodes"), StyleRole::Dim),
        (None, None) => ("reading …".to_owned(), StyleRole::Dim),
        (Some(Ok(_)), _) => ("valid".to_owned(), StyleRole::Ok),
        (Some(Err(problem)), _) => (sanitize(&problem.to_string()).replace('\n', " "), StyleRole::Fault),
    };
    let mut lines: Vec<Line<'static>> =
        wrap(&words, width, &Span::raw(""), model.style(role)).into_iter().take(3).collect();
    let text = model.style(StyleRole::Text);
    lines.extend(
        counts_words(&draft.last.counts).iter().map(|words| Line::styled(truncate(words, width), text)),
    );
    lines
}

fn shape_lines(model: &Model, sheet: &ReaderSheet, width: u16) -> Vec<Line<'static>> {
    let name = match (&sheet.draft, sheet.row()) {
        (Some(_), _) => "the draft".to_owned(),
        (None, Some(row)) => row.entry.reader.clone(),
        (None, None) => return Vec::new(),
    };
    if sheet.read().is_none() {
        let words = format!("{name} is reading the replies …");
        return vec![Line::styled(truncate(&sanitize(&words), width), model.style(StyleRole::Dim))];
    }
    let shapes = sheet.shapes();
    if shapes.is_empty() {
        let words = format!("{name} reads all replies, and nothing in them is ignored");
        return vec![Line::styled(truncate(&sanitize(&words), width), model.style(StyleRole::Ok))];
    }
    let selected = sheet.shape_index();
    let from = (selected + 1).saturating_sub(SHAPE_ROWS);
    let title =
        format!("Replies that {name} refuses or doubts, by shape ({} of {})", selected + 1, shapes.len());
    let mut lines = vec![heading(model, truncate(&sanitize(&title), width))];
    lines.extend(shapes.iter().enumerate().skip(from).take(SHAPE_ROWS).map(|(index, shape)| {
        let is_selected = index == selected;
        let focused = is_selected && sheet.focus == Focus::Shapes;
        let role = if focused { StyleRole::Selection } else { StyleRole::Text };
        let words = truncate(&shape_words(shape), width.saturating_sub(10));
        Line::from(vec![
            Span::styled(if is_selected { "▸ " } else { "  " }, model.style(StyleRole::Key)),
            Span::styled(format!("{:>6}  ", shape.count), model.style(StyleRole::Heading)),
            Span::styled(words, model.style(role)),
        ])
    }));
    lines
}

fn reply_lines(model: &Model, sheet: &ReaderSheet, width: u16) -> Vec<Line<'static>> {
    let (Some(shown), Some(attempt)) = (&sheet.shown, sheet.reading()) else { return Vec::new() };
    let count = sheet.shapes().get(sheet.shape_index()).map_or(0, |shape| shape.places.len());
    let number =
        if count > 1 { format!(", {} of {count}", sheet.example_index() + 1) } else { String::new() };
    let title = format!("Reply at {}, attempt {}{number}", shown.run, shown.place.attempt);
    let mut lines = vec![heading(model, truncate(&sanitize(&title), width))];
    let (words, role) = match &attempt.verdict {
        Some(Err(_)) => (reading_words(attempt), StyleRole::Fault),
        _ => (format!("read as {}", reading_words(attempt)), StyleRole::Ok),
    };
    lines.extend(wrap(&words, width, &Span::raw(""), model.style(role)).into_iter().take(3));
    let (attempt, left) = shortened(attempt);
    lines.extend(attempt_lines(model, &attempt, width));
    if left > 0 {
        let words = format!("… {left} more bytes; Enter opens the step");
        lines.push(Line::styled(words, model.style(StyleRole::Dim)));
    }
    lines
}

/// A reply of at most a few screens, and how many bytes are left out: each key draws it again.
fn shortened(attempt: &Attempt) -> (Cow<'_, Attempt>, usize) {
    let end = attempt.reply.floor_char_boundary(MOST_SHOWN);
    match attempt.reply.get(..end).filter(|text| text.len() < attempt.reply.len()) {
        None => (Cow::Borrowed(attempt), 0),
        Some(text) => {
            let left = attempt.reply.len() - end;
            (Cow::Owned(Attempt { reply: text.into(), ..attempt.clone() }), left)
        }
    }
}

/// The rows of the draft around the cursor.
fn draw_text(model: &Model, draft: &Draft, area: Rect, buf: &mut Buffer) {
    let rows = draft.editor.wrapped_rows(area.width);
    let here = draft.editor.cursor_row(&rows);
    let height = usize::from(area.height.max(1));
    let top = here.saturating_sub(height / 2).min(rows.len().saturating_sub(height));
    let (text, cursor) = (draft.editor.text(), draft.editor.cursor());
    let comment = model.style(StyleRole::Dim);
    for (row, line) in rows.iter().skip(top).zip(area.rows()) {
        let before = text.get(..row.start).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let is_comment = text.get(start..).is_some_and(|rest| rest.trim_start().starts_with('#'));
        let style = if is_comment { comment } else { model.style(StyleRole::Text) };
        let (mut x, mut at) = (line.x, row.start);
        for piece in text.get(row.clone()).unwrap_or_default().graphemes(true) {
            let style = if at == cursor { style.add_modifier(Modifier::REVERSED) } else { style };
            let room = usize::from(line.right().saturating_sub(x));
            (x, _) = buf.set_stringn(x, line.y, visible_text(piece), room, style);
            at += piece.len();
        }
        if at == cursor && rows.get(here) == Some(row) && x < line.right() {
            buf.set_stringn(x, line.y, " ", 1, style.add_modifier(Modifier::REVERSED));
        }
    }
}

/// The name that is typed, what was said last, or what the sign beside a reader means.
fn last_line(model: &Model, sheet: &ReaderSheet, width: u16) -> Line<'static> {
    let name = sheet.draft.as_ref().and_then(|draft| draft.name.as_ref());
    let (label, text, role) = match (name, &sheet.said) {
        (Some(name), None) => ("name of the reader: ", format!("{name}█"), StyleRole::Text),
        (_, Some(said)) => ("", said.clone(), StyleRole::Notice),
        (None, None) if sheet.is_opening => ("", "opening the recording …".to_owned(), StyleRole::Dim),
        (None, None) if sheet.draft.is_some() => (
            "",
            "The counts are those of this text; no model is called and no recording changes.".to_owned(),
            StyleRole::Dim,
        ),
        (None, None) => (
            "",
            "● played with it · doubtful: by a fallback rule, or parts ignored".to_owned(),
            StyleRole::Dim,
        ),
    };
    let room = width.saturating_sub(to_cells(label.len()));
    Line::from(vec![
        Span::styled(label, model.style(StyleRole::Key)),
        Span::styled(truncate(&sanitize(&text), room), model.style(role)),
    ])
}
