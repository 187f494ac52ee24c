//! The dialog that makes a branch: a line for what changes, and below it what the branch would be.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use super::sentence;
use crate::model::{ForkSheet, Model};
use mageyard_config::Problem;
use mageyard_domain::sanitize;
use mageyard_terminal::{StyleRole, column_window, to_cells, wrap};

/// The columns of the dialog with its border.
const WIDTH: u16 = 84;
const LABEL: &str = "changes: ";
/// What may be written.
const EXAMPLE: &str =
    "such as prompt=HD-CoT am=1 agent=oracle expect=sum>5 why it forgets the wall; empty repeats the step";

pub(super) fn draw(model: &Model, sheet: &ForkSheet, whole: Rect, buf: &mut Buffer) {
    let width = WIDTH.min(whole.width);
    let lines = lines(model, sheet, width.saturating_sub(4));
    let place = super::centered_area(whole, width, to_cells(lines.len()).saturating_add(2));
    let enter = match sheet.known_plan() {
        Some(Ok(_)) => "Enter makes it",
        Some(Err(_)) => "Enter tries again",
        None => "Enter shows what it changes",
    };
    let title = format!("Branch at step {}", sheet.step);
    let foot = format!("{enter} · Esc closes");
    let inner = super::draw_border(model, &title, &foot, StyleRole::BorderFocus, place, buf);
    Text::from(lines).render(inner, buf);
}

fn lines(model: &Model, sheet: &ForkSheet, width: u16) -> Vec<Line<'static>> {
    let changes = sanitize(sheet.changes()).into_owned();
    let room = width.saturating_sub(to_cells(LABEL.len()) + 1);
    let shown = column_window(&changes, changes.width().saturating_sub(room.into()), room);
    let mut lines = vec![
        Line::from(vec![
            Span::styled(LABEL, model.style(StyleRole::Dim)),
            Span::styled(shown, model.style(StyleRole::Text)),
            Span::styled("█", model.style(StyleRole::Key)),
        ]),
        caret_line(model, sheet, room),
    ];
    let mut add = |text: &str, role| lines.extend(wrap(text, width, &Span::raw(""), model.style(role)));
    match sheet.known_plan() {
        Some(Ok(plan)) => {
            for line in plan {
                add(&sanitize(line.trim()), StyleRole::Text);
            }
        }
        Some(Err(problem)) => add(&format!("! {}", sanitize(&sentence(problem))), StyleRole::Fault),
        None => add(EXAMPLE, StyleRole::Dim),
    }
    lines
}

/// A caret under a mistake in the changes, if all of them are visible.
fn caret_line(model: &Model, sheet: &ForkSheet, room: u16) -> Line<'static> {
    let Some(Err(Problem { location: Some(place), .. })) = sheet.known_plan() else { return Line::default() };
    let changes = sheet.changes();
    let width = |text: Option<&str>| text.map_or(0, |text| sanitize(text).width());
    if *place.text != *changes || width(Some(changes)) > room.into() {
        return Line::default();
    }
    let from = LABEL.len() + width(changes.get(..place.span.start));
    let caret = "^".repeat(width(changes.get(place.span.clone())).max(1));
    Line::from(vec![Span::raw(" ".repeat(from)), Span::styled(caret, model.style(StyleRole::Fault))])
}

/// What the dialog says below its line, for the linear mode.
pub(crate) fn said(sheet: &ForkSheet) -> Vec<String> {
    match sheet.known_plan() {
        Some(Ok(plan)) => plan.iter().map(|line| line.trim().to_owned()).collect(),
        Some(Err(problem)) => {
            let place = problem.location.as_ref().and_then(|place| place.text.get(place.span.clone()));
            let place = place.filter(|place| !place.is_empty()).map(|place| format!("at {place:?}"));
            [Some(sentence(problem)), place].into_iter().flatten().collect()
        }
        None => Vec::new(),
    }
}
