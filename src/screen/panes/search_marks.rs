//! The marks of a search: over rows that were drawn, and as words in the hint line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::model::{Model, Search};
use crate::search::{Match, Query, find_in_rows};
use mageyard_domain::sanitize;
use mageyard_terminal::{StyleRole, count_of, truncate};

/// The text of a line, without its styles.
pub(crate) fn plain_row(line: &Line<'_>) -> String {
    line.spans.iter().map(|span| span.content.as_ref()).collect()
}

/// Marks the matches in an area that shows these rows from `from` on.
pub(crate) fn mark_matches(model: &Model, rows: &[String], from: usize, area: Rect, buf: &mut Buffer) {
    let Some((search, query)) = model.search.as_ref().and_then(|search| Some((search, search.query()?)))
    else {
        return;
    };
    let current = search.current(model.search_place());
    for (index, found) in find_in_rows(rows.iter().map(String::as_str), &query).iter().enumerate() {
        let role = if current == Some(index) { StyleRole::Selection } else { StyleRole::Match };
        mark(model, found, role, from, area, buf);
    }
}

/// Marks what was found in lines that are drawn in an area and are not among the rows of the search.
pub(super) fn mark_words(model: &Model, query: &Query, lines: &[Line<'_>], area: Rect, buf: &mut Buffer) {
    let rows: Vec<String> = lines.iter().map(plain_row).collect();
    for found in find_in_rows(rows.iter().map(String::as_str), query) {
        mark(model, &found, StyleRole::Match, 0, area, buf);
    }
}

fn mark(model: &Model, found: &Match, role: StyleRole, from: usize, area: Rect, buf: &mut Buffer) {
    for (row, column, width) in &found.parts {
        let Some(y) = row.checked_sub(from).filter(|row| *row < usize::from(area.height)) else { continue };
        let y = area.y + u16::try_from(y).unwrap_or(0);
        let part = Rect { x: area.x.saturating_add(*column), y, width: *width, height: 1 };
        buf.set_style(part.intersection(area), model.style(role));
    }
}

/// The search in the hint line: the text, which match is shown, and the keys.
pub(super) fn line(model: &Model, rows: &dyn Fn() -> Vec<String>, width: u16) -> Option<Line<'static>> {
    let search = model.search.as_ref()?;
    let found = search.query().map_or(0, |query| {
        let rows = rows();
        find_in_rows(rows.iter().map(String::as_str), &query).len()
    });
    let text = truncate(&format!(" /{}", sanitize(search.text())), width / 2);
    let words = truncate(&words(model, search, found), width.saturating_sub(width / 2 + 3));
    let cursor = if search.is_typing { "█" } else { "" };
    Some(Line::from(vec![
        Span::styled(text, model.style(StyleRole::Text)),
        Span::styled(cursor, model.style(StyleRole::Key)),
        Span::styled(format!("  {words}"), model.style(StyleRole::Dim)),
    ]))
}

fn words(model: &Model, search: &Search, found: usize) -> String {
    if search.is_typing {
        return format!("{found} here · Enter searches · Esc ends");
    }
    let current = search.current(model.search_place()).map_or(0, |index| index + 1);
    let steps =
        if search.steps > 1 { format!(" · in {}", count_of(search.steps, "step")) } else { String::new() };
    format!("{current}/{found}{steps} · n N next, previous · Esc ends")
}
