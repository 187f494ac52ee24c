//! Draws the workshop.

use std::ops::Range;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;
use unicode_segmentation::UnicodeSegmentation;

use super::request_lines::{self, Lines};
use super::sheet::{Asking, Focus, WorkshopSheet};
use super::text::{asking_words, better_words, cell_detail, error_words, one_line, question_words, title};
use super::version_lines;
use crate::layout::screen_dialog_area;
use crate::modals::{centered_area, draw_border, draw_overflow_marks, heading};
use crate::model::Model;
use mageyard_dialog::{PromptMark, prompt_marks};
use mageyard_domain::Picture;
use mageyard_terminal::{StyleRole, to_cells, truncate, visible_text, wrap};

/// From this width on text and request are beside each other; below, the one with the focus is shown.
const WIDE: u16 = 100;
/// The most columns of the dialog.
const MOST_WIDTH: u16 = 180;
/// Rows of the thumbnails.
const THUMBNAILS: u16 = 4;
/// The least rows of a request above thumbnails.
const LEAST_ABOVE: u16 = 10;
/// The most rows of a plan.
const PLAN_ROWS: usize = 6;

/// The parts of the dialog; an area without rows is not shown.
#[derive(Clone, Copy)]
struct Areas {
    text: Rect,
    request: Rect,
    versions: Rect,
    /// What the selected answer is, whether it is better, and what was said last.
    foot: Rect,
}

fn dialog_area(whole: Rect) -> Rect {
    centered_area(whole, MOST_WIDTH, whole.height)
}

fn areas(sheet: &WorkshopSheet, inner: Rect) -> Areas {
    let versions = if inner.height >= 30 { 7 } else { 4 };
    let [top, _, versions, foot] = Layout::vertical([
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(versions),
        Constraint::Length(4),
    ])
    .areas(inner);
    if inner.width >= WIDE {
        let sides = Layout::horizontal([Constraint::Length(inner.width / 2 - 1), Constraint::Fill(1)]);
        let [text, request] = sides.spacing(2).areas(top);
        return Areas { text, request, versions, foot };
    }
    let none = Rect { height: 0, ..top };
    let (text, request) = if sheet.focus == Focus::Text { (top, none) } else { (none, top) };
    Areas { text, request, versions, foot }
}

/// The area within the border.
fn inner_area(whole: Rect) -> Rect {
    let place = dialog_area(whole);
    Rect {
        x: place.x + 2,
        y: place.y + 1,
        width: place.width.saturating_sub(4),
        height: place.height.saturating_sub(2),
    }
}

/// The columns of the text.
pub(super) fn editor_columns(model: &Model) -> u16 {
    let inner = inner_area(screen_dialog_area(model)).width;
    if inner >= WIDE { inner / 2 - 1 } else { inner }
}

pub(crate) fn draw(model: &Model, sheet: &WorkshopSheet, whole: Rect, buf: &mut Buffer) {
    let place = dialog_area(whole);
    let title = one_line(&title(sheet));
    let inner = draw_border(model, &title, keys(sheet, place.width), StyleRole::BorderFocus, place, buf);
    if let Some(problem) = &sheet.failed {
        let words = one_line(&problem.to_string());
        return Text::from(wrap(&words, inner.width, &Span::raw(""), model.style(StyleRole::Fault)))
            .render(inner, buf);
    }
    let areas = areas(sheet, inner);
    draw_text(model, sheet, areas.text, buf);
    draw_request(model, sheet, areas.request, buf);
    let rule = Rect { y: areas.versions.y.saturating_sub(1), height: 1, ..areas.versions };
    Line::styled("─".repeat(rule.width.into()), model.style(StyleRole::Dim)).render(rule, buf);
    draw_versions(model, sheet, areas.versions, buf);
    Text::from(foot_lines(model, sheet, areas.foot.width)).render(areas.foot, buf);
}

/// The keys of the pane with the focus.
fn keys(sheet: &WorkshopSheet, width: u16) -> &'static str {
    let is_wide = width >= WIDE;
    match (&sheet.asking, sheet.focus) {
        _ if sheet.name.is_some() => "Enter names the draft · Esc goes back",
        _ if sheet.question.is_some() => "y does it · any other key keeps it",
        (Asking::Planned(..), _) => "Ctrl-G asks · Esc drops the plan",
        (Asking::Running(..) | Asking::Stopping(_), _) => "Esc stops the calls",
        (_, Focus::Text) if is_wide => {
            "Ctrl-G asks · Ctrl-D saves · Ctrl-E external editor · Tab request and versions · Esc goes back"
        }
        (_, Focus::Text) => "Ctrl-G asks · Ctrl-D saves · Ctrl-E editor · Tab · Esc",
        (_, Focus::Request) if is_wide => {
            "← → state · ↑ ↓ scroll · p pins · x unpins · + − samples · n name · D deletes · Tab · Esc"
        }
        (_, Focus::Request) => "← → state · ↑ ↓ scroll · p pins · x unpins · n name · Tab",
        (_, Focus::Versions) if is_wide => {
            "↑ ↓ version · ← → state · Enter compares with the draft · u goes back to it · Tab · Esc"
        }
        (_, Focus::Versions) => "↑ ↓ version · ← → state · Enter compares · u back to it · Tab",
    }
}

/// The name of a pane; that of the one with the focus stands out.
fn pane_title(model: &Model, words: &str, is_focused: bool, width: u16) -> Line<'static> {
    let words = truncate(words, width);
    if is_focused { heading(model, words) } else { Line::styled(words, model.style(StyleRole::Title)) }
}

/// The text around the cursor below its title, or below what is wrong with it.
fn draw_text(model: &Model, sheet: &WorkshopSheet, area: Rect, buf: &mut Buffer) {
    if area.height < 2 {
        return;
    }
    let [top, body] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    let is_focused = sheet.focus == Focus::Text;
    match error_words(sheet) {
        Some(error) => {
            let words = truncate(&one_line(&format!("✗ {error}")), top.width);
            Line::styled(words, model.style(StyleRole::MarkUnread)).render(top, buf);
        }
        None => pane_title(model, "Text", is_focused, top.width).render(top, buf),
    }
    draw_rows(model, sheet, is_focused, body, buf);
}

fn draw_rows(model: &Model, sheet: &WorkshopSheet, has_cursor: bool, area: Rect, buf: &mut Buffer) {
    let rows = sheet.editor.wrapped_rows(area.width);
    let here = sheet.editor.cursor_row(&rows);
    let height = usize::from(area.height.max(1));
    let top = here.saturating_sub(height / 2).min(rows.len().saturating_sub(height));
    draw_overflow_marks(model, to_cells(top), rows.len(), area, buf);
    let styles = Styles {
        model,
        marks: prompt_marks(sheet.draft()),
        error: sheet.error.as_ref().map(|e| e.span.clone()),
    };
    let (text, cursor) = (sheet.draft(), sheet.editor.cursor());
    let cursor_style = |style: Style| if has_cursor { style.add_modifier(Modifier::REVERSED) } else { style };
    for (row, line) in rows.iter().skip(top).zip(area.rows()) {
        let (mut x, mut at) = (line.x, row.start);
        for piece in text.get(row.clone()).unwrap_or_default().graphemes(true) {
            let style = styles.at(at);
            let style = if at == cursor { cursor_style(style) } else { style };
            let room = usize::from(line.right().saturating_sub(x));
            (x, _) = buf.set_stringn(x, line.y, visible_text(piece), room, style);
            at += piece.len();
        }
        if at == cursor && rows.get(here) == Some(row) && x < line.right() {
            buf.set_stringn(x, line.y, " ", 1, cursor_style(model.style(StyleRole::Text)));
        }
    }
}

/// The styles of the places of a prompt file.
struct Styles<'a> {
    model: &'a Model,
    marks: Vec<(Range<usize>, PromptMark)>,
    error: Option<Range<usize>>,
}

impl Styles<'_> {
    fn at(&self, place: usize) -> Style {
        let index = self.marks.partition_point(|(range, _)| range.end <= place);
        let mark = self.marks.get(index).filter(|(range, _)| range.contains(&place));
        let role = match mark {
            Some((_, PromptMark::FrontMatter)) => StyleRole::Dim,
            Some((_, PromptMark::Heading)) => StyleRole::Heading,
            Some((_, PromptMark::Variable)) => StyleRole::Key,
            None => StyleRole::Text,
        };
        let is_wrong = self.error.as_ref().is_some_and(|error| error.contains(&place));
        let style = self.model.style(if is_wrong { StyleRole::MarkUnread } else { role });
        if is_wrong { style.add_modifier(Modifier::UNDERLINED) } else { style }
    }
}

/// The lines of the request, and the area of its thumbnails; without rows if there is no room for them, or none are shown.
fn request_areas(model: &Model, sheet: &WorkshopSheet, area: Rect) -> [Rect; 2] {
    let has_images = sheet.filled.as_ref().is_some_and(|filled| !filled.images.is_empty());
    let shows =
        has_images && !sheet.compares && model.shows_pictures() && model.picture_form().0.has_pixels();
    let rows = if shows && area.height >= THUMBNAILS + LEAST_ABOVE { THUMBNAILS } else { 0 };
    Layout::vertical([Constraint::Fill(1), Constraint::Length(rows)]).areas(area)
}

fn draw_request(model: &Model, sheet: &WorkshopSheet, area: Rect, buf: &mut Buffer) {
    if area.height < 2 {
        return;
    }
    let [area, _] = request_areas(model, sheet, area);
    let [top, body] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    let name = if sheet.compares { "Difference" } else { "Request of the draft" };
    pane_title(model, name, sheet.focus == Focus::Request, top.width).render(top, buf);
    let lines = request_lines::lines(model, sheet, body.width);
    let scroll = scroll_in(sheet, &lines, body.height);
    let lines = lines.rows;
    draw_overflow_marks(model, scroll, lines.len(), body, buf);
    let shown = lines.into_iter().skip(scroll.into()).take(body.height.into());
    Text::from(shown.collect::<Vec<_>>()).render(body, buf);
}

/// The first row that is shown: where a person has scrolled to, or else so that the first change is in sight.
fn scroll_in(sheet: &WorkshopSheet, lines: &Lines, height: u16) -> u16 {
    let most = to_cells(lines.rows.len()).saturating_sub(height);
    let change = lines.first_change.map(to_cells).filter(|change| sheet.follows && *change >= height);
    change.map_or(sheet.scroll, |change| change.saturating_sub(height / 2)).min(most)
}

/// The first row of the request that is shown now.
pub(super) fn shown_scroll(model: &Model, sheet: &WorkshopSheet) -> u16 {
    let whole = areas(sheet, inner_area(screen_dialog_area(model))).request;
    let [area, _] = request_areas(model, sheet, whole);
    let lines = request_lines::lines(model, sheet, area.width);
    scroll_in(sheet, &lines, area.height.saturating_sub(1))
}

/// The thumbnails of the request, each with its area.
pub(crate) fn pictures<'a>(
    model: &Model,
    sheet: &'a WorkshopSheet,
    whole: Rect,
) -> Vec<(&'a Arc<Picture>, Rect)> {
    let Some(filled) = sheet.filled.as_ref().filter(|_| sheet.failed.is_none()) else { return Vec::new() };
    let [_, strip] = request_areas(model, sheet, areas(sheet, inner_area(whole)).request);
    let mut x = strip.x;
    let mut shown = Vec::new();
    for image in filled.images.iter().rev() {
        let columns =
            (u32::from(strip.height) * 2 * image.picture.width()).div_ceil(image.picture.height().max(1));
        let width = u16::try_from(columns).unwrap_or(u16::MAX).max(1);
        if strip.height == 0 || x.saturating_add(width) > strip.right() {
            break;
        }
        shown.push((&image.picture, Rect { x, width, ..strip }));
        x += width + 1;
    }
    shown
}

/// The versions, or the plan of an ask.
fn draw_versions(model: &Model, sheet: &WorkshopSheet, area: Rect, buf: &mut Buffer) {
    let lines = match asking_words(sheet) {
        Some(words) => {
            let role =
                if matches!(sheet.asking, Asking::Planned(..)) { StyleRole::Notice } else { StyleRole::Dim };
            let words = words.iter().map(|words| one_line(words)).take(PLAN_ROWS).collect::<Vec<_>>();
            words
                .iter()
                .flat_map(|words| wrap(words, area.width, &Span::raw(""), model.style(role)))
                .collect()
        }
        None => version_lines::lines(model, sheet, area.width, area.height),
    };
    Text::from(lines).render(area, buf);
}

/// What the selected answer is, whether it is better, and what was said last.
fn foot_lines(model: &Model, sheet: &WorkshopSheet, width: u16) -> Vec<Line<'static>> {
    let dim = model.style(StyleRole::Dim);
    let line = |words: &str, style| Line::styled(truncate(&one_line(words), width), style);
    let detail = cell_detail(sheet).unwrap_or_else(|| {
        format!("pinned states: the suite {}; samples of each: {}", sheet.suite.0, sheet.samples)
    });
    let wrapped = |words: &str, role| wrap(&one_line(words), width, &Span::raw(""), model.style(role));
    let mut lines: Vec<_> = wrapped(&better_words(sheet), StyleRole::Text).into_iter().take(2).collect();
    match (&sheet.name, question_words(sheet), &sheet.said) {
        (Some(name), ..) => {
            let label = "name of the draft: ";
            let room = width.saturating_sub(to_cells(label.len()));
            lines.push(Line::from(vec![
                Span::styled(label, model.style(StyleRole::Key)),
                Span::styled(truncate(&one_line(&format!("{name}█")), room), model.style(StyleRole::Text)),
            ]));
        }
        (None, Some(question), _) => lines.extend(wrapped(&question, StyleRole::Warn)),
        (None, None, Some(said)) => lines.extend(wrapped(said, StyleRole::Notice)),
        (None, None, None) => {
            lines.push(line(&detail, dim));
            lines.push(line("✎ the draft · ✓ accepted · ✗ not accepted · ? nothing says it", dim));
        }
    }
    lines
}
