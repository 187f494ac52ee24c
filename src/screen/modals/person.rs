//! A question of the episode to the person: what is asked, and the keys or the line that answer it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use crate::layout::screen_dialog_area;
use crate::model::{Model, PersonSheet};
use mageyard_dialog::PersonQuestion;
use mageyard_domain::sanitize;
use mageyard_terminal::{StyleRole, to_cells, wrap};

/// The widest that the dialog is.
const MAX_WIDTH: u16 = 80;
/// Rows of the border.
const BORDER: u16 = 2;

pub(super) fn draw(model: &Model, sheet: &PersonSheet, whole: Rect, buf: &mut Buffer) {
    let (place, asked, typed) = layout(model, sheet, whole);
    let title = sheet.asked.open.question.title();
    let inner = super::draw_border(model, title, foot(sheet), StyleRole::Warn, place, buf);
    let below = inner.height.min(to_cells(typed.len()));
    let above = Rect { height: inner.height - below, ..inner };
    super::draw_overflow_marks(model, sheet.scroll, asked.len(), above, buf);
    let shown = asked.into_iter().skip(sheet.scroll.into()).take(above.height.into());
    Text::from(shown.collect::<Vec<_>>()).render(above, buf);
    let bottom = Rect { y: above.bottom(), height: below, ..inner };
    Text::from(typed).render(bottom, buf);
}

/// The largest scroll position, and the lines of a page.
pub(crate) fn extent(model: &Model, sheet: &PersonSheet) -> (u16, u16) {
    let (place, asked, typed) = layout(model, sheet, screen_dialog_area(model));
    let page = place.height.saturating_sub(BORDER + to_cells(typed.len()));
    (to_cells(asked.len()).saturating_sub(page), page)
}

/// The place of the dialog, what is asked, and what is typed.
fn layout(model: &Model, sheet: &PersonSheet, whole: Rect) -> (Rect, Vec<Line<'static>>, Vec<Line<'static>>) {
    let width = super::centered_area(whole, MAX_WIDTH, 0).width;
    let room = width.saturating_sub(4);
    let asked = asked_lines(model, sheet, room);
    let typed = typed_lines(model, sheet, room);
    let rows = to_cells(asked.len() + typed.len()).saturating_add(BORDER);
    (super::centered_area(whole, width, rows), asked, typed)
}

fn asked_lines(model: &Model, sheet: &PersonSheet, room: u16) -> Vec<Line<'static>> {
    let open = &sheet.asked.open;
    let (mark, role) = match open.question {
        PersonQuestion::Confirm(_) => ("", StyleRole::Action),
        PersonQuestion::Allow(_) => ("- ", StyleRole::Text),
        PersonQuestion::Ask(_) => ("", StyleRole::Text),
    };
    let line = |line: &str| wrap(line, room, &Span::raw(mark), model.style(role));
    open.text.lines().flat_map(line).collect()
}

/// The line that is typed, below an empty one.
fn typed_lines(model: &Model, sheet: &PersonSheet, room: u16) -> Vec<Line<'static>> {
    let Some(typed) = &sheet.typed else { return Vec::new() };
    let label = if sheet.asked.open.question.takes_text() { "answer: " } else { "reason: " };
    let text = format!("{label}{}█", sanitize(typed.as_str()));
    let mut lines = vec![Line::default()];
    lines.extend(wrap(&text, room, &Span::raw(""), model.style(StyleRole::Text)));
    if sheet.sends_empty {
        lines.push(Line::styled("The answer is empty: Enter again sends it.", model.style(StyleRole::Warn)));
    }
    lines
}

fn foot(sheet: &PersonSheet) -> &'static str {
    match &sheet.asked.open.question {
        question if question.takes_text() => "Enter sends it · Esc leaves it open",
        _ if sheet.typed.is_some() => "the agent reads it · Enter refuses · Esc goes back",
        PersonQuestion::Confirm(_) => {
            "y runs it · e edits · n refuses · s ends the episode · Esc leaves it open"
        }
        PersonQuestion::Allow(_) => "y allows it · n ends the episode · Esc leaves it open",
        PersonQuestion::Ask(_) => "y it is done · s ends the episode · Esc leaves it open",
    }
}
