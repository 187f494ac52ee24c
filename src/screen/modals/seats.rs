//! The agents that can be given the seat, and those that cannot, with the reason.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use crate::empty::{self, Empty};
use crate::model::{Model, SeatSheet};
use mageyard_domain::sanitize;
use mageyard_engine::SeatChoice;
use mageyard_terminal::{StyleRole, count_of, to_cells, truncate, wrap};

/// The widest that the list is.
const MAX_WIDTH: u16 = 84;
/// Columns of the names.
const NAME_WIDTH: usize = 10;
/// Columns before what is said of an agent: the mark, the name, and whether it can be seated.
const INDENT: usize = NAME_WIDTH + 6;

pub(super) fn draw(model: &Model, sheet: &SeatSheet, whole: Rect, buf: &mut Buffer) {
    let Some(viewed) = model.episode() else { return };
    let width = super::centered_area(whole, MAX_WIDTH, 0).width.saturating_sub(4);
    let seats = &viewed.snapshot.run.seats;
    let selected = sheet.selected(seats.len());
    let now = viewed.snapshot.agent().name.as_str();
    let mut lines = vec![duration_line(model, sheet), Line::default()];
    lines.extend(
        seats
            .iter()
            .enumerate()
            .flat_map(|(index, choice)| rows(model, choice, index == selected, choice.name == now, width)),
    );
    if seats.is_empty() {
        lines.extend(empty::lines(model, Empty::Seats, width));
    }
    let place = super::centered_area(whole, MAX_WIDTH, to_cells(lines.len()).saturating_add(2));
    let foot = "↑ ↓ or a name select · digits: number of steps · Enter seats · Esc closes";
    let inner = super::draw_border(
        model,
        if viewed.is_over() { "Who plays this level again" } else { "Who decides from the next request on" },
        foot,
        StyleRole::BorderFocus,
        place,
        buf,
    );
    Text::from(lines).render(inner, buf);
}

fn duration_line(model: &Model, sheet: &SeatSheet) -> Line<'static> {
    Line::from(vec![
        Span::styled("for: ", model.style(StyleRole::Dim)),
        Span::styled(duration(sheet), model.style(StyleRole::Text)),
        Span::styled("█", model.style(StyleRole::Key)),
    ])
}

fn duration(sheet: &SeatSheet) -> String {
    let steps = |steps: u32| {
        let count = count_of(usize::try_from(steps).unwrap_or(usize::MAX), "step");
        format!("the next {count}, then the agent before it again ")
    };
    sheet.steps().map_or("all steps to the end ".to_owned(), steps)
}

/// An agent: a mark for the selected one, the name, a dot for the one that is seated, and what it is or why it cannot be.
fn rows(model: &Model, choice: &SeatChoice, selected: bool, now: bool, width: u16) -> Vec<Line<'static>> {
    let name = truncate(&sanitize(&choice.name), to_cells(NAME_WIDTH));
    let gap = " ".repeat((NAME_WIDTH + 1).saturating_sub(Span::raw(&name).width()));
    let gutter = Span::raw(" ".repeat(INDENT));
    let mut lines = wrap(&sanitize(&said(choice)), width, &gutter, model.style(StyleRole::Dim));
    let style = match (selected, &choice.refusal) {
        (true, _) => StyleRole::Selection,
        (false, None) => StyleRole::Text,
        (false, Some(_)) => StyleRole::Dim,
    };
    if let Some(first) = lines.first_mut() {
        let mark = [if selected { "▸" } else { " " }, if now { "●" } else { " " }].concat();
        let head = [
            Span::styled(format!("{mark} "), model.style(StyleRole::Key)),
            Span::styled(name, model.style(style)),
            Span::raw(gap),
            Span::styled(if choice.refusal.is_some() { "✗ " } else { "  " }, model.style(StyleRole::Fault)),
        ];
        first.spans.splice(0..1, head);
    }
    lines
}

/// What an agent is, or why it cannot be seated.
fn said(choice: &SeatChoice) -> String {
    match &choice.refusal {
        Some(refusal) => format!("not here: {refusal}"),
        None => choice.summary.clone(),
    }
}

/// A row as a line of words, for the linear mode.
pub(crate) fn line(choice: &SeatChoice, now: &str) -> String {
    let now = if choice.name == now { ", seated now" } else { "" };
    format!("{}{now}: {}", choice.name, said(choice))
}
