//! The dialog that looks for the step that lost an episode: a line for how, and below it the verdict or the plan.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use super::sentence;
use crate::model::{BlameAnswer, BlameSheet, Model};
use mageyard_domain::sanitize;
use mageyard_terminal::{StyleRole, column_window, to_cells, wrap};

/// The columns of the dialog with its border.
const WIDTH: u16 = 90;
const LABEL: &str = "how: ";
/// What may be written.
const HELP: &str = "empty: by the solver; play samples=5: by playing on from several steps; also seed=1, agent=random, \
                    max-steps=200 and other settings, unsafe";

pub(super) fn draw(model: &Model, sheet: &BlameSheet, whole: Rect, buf: &mut Buffer) {
    let width = super::centered_area(whole, WIDTH, whole.height).width.saturating_sub(4);
    let lines = lines(model, sheet, width);
    let place = super::centered_area(whole, WIDTH, to_cells(lines.len()).saturating_add(2));
    let foot = format!("{} · Esc closes", enter(sheet));
    let title = "Which step lost the episode?";
    let inner = super::draw_border(model, title, &foot, StyleRole::BorderFocus, place, buf);
    Text::from(lines).render(inner, buf);
}

/// What Enter does.
fn enter(sheet: &BlameSheet) -> String {
    match (sheet.step(), sheet.known()) {
        (Some(step), _) => format!("Enter goes to step {step}"),
        (None, Some(Ok(BlameAnswer::Plan(_)))) => "Enter plays the branches".to_owned(),
        (None, Some(Ok(BlameAnswer::Verdict(_)))) => "Enter closes".to_owned(),
        (None, Some(Err(_))) => "Enter tries again".to_owned(),
        (None, None) => "Enter looks for it".to_owned(),
    }
}

fn lines(model: &Model, sheet: &BlameSheet, width: u16) -> Vec<Line<'static>> {
    let words = sanitize(sheet.words()).into_owned();
    let room = width.saturating_sub(to_cells(LABEL.len()) + 1);
    let shown = column_window(&words, words.width().saturating_sub(room.into()), room);
    let mut lines = vec![
        Line::from(vec![
            Span::styled(LABEL, model.style(StyleRole::Dim)),
            Span::styled(shown, model.style(StyleRole::Text)),
            Span::styled("█", model.style(StyleRole::Key)),
        ]),
        Line::default(),
    ];
    let mut add = |text: &str, role| {
        lines.extend(wrap(&sanitize(text), width, &Span::raw(""), model.style(role)));
    };
    match sheet.known() {
        Some(Ok(_)) => {
            for line in said(sheet) {
                add(line.trim(), StyleRole::Text);
            }
        }
        Some(Err(problem)) => add(&format!("! {}", sentence(problem)), StyleRole::Fault),
        None if sheet.is_searching() => add("looking for it …", StyleRole::Dim),
        None => {}
    }
    add("", StyleRole::Dim);
    add(HELP, StyleRole::Dim);
    lines
}

/// The verdict or the plan.
pub(crate) fn said(sheet: &BlameSheet) -> &[String] {
    match sheet.known() {
        Some(Ok(BlameAnswer::Verdict(verdict))) => &verdict.lines,
        Some(Ok(BlameAnswer::Plan(plan))) => &plan.lines,
        Some(Err(_)) | None => &[],
    }
}
