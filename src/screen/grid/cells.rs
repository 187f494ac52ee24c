//! The grid: a column for each variant, with its shares on top, and a row for each reply.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use super::sheet::{AskGrid, Focus};
use crate::model::Model;
use mageyard_domain::{Rating, sanitize};
use mageyard_study::{Sample, StudyRow};
use mageyard_terminal::{StyleRole, to_cells, truncate};

/// The least columns of a variant, and those between two.
const LEAST: u16 = 20;
const MOST: u16 = 34;
const GAP: u16 = 2;
/// The rows on top of each column where there is room, and else: only the name.
const HEADING: [u16; 2] = [4, 1];
/// From this many rows beside the frame on there is room.
const ROOM: u16 = 12;

/// The colours of the variants; their numbers are beside them, so that colours only help.
const ROLES: [StyleRole; 6] = [
    StyleRole::BoxFirst,
    StyleRole::BoxSecond,
    StyleRole::RewardGood,
    StyleRole::MarkUnchanged,
    StyleRole::MarkUnread,
    StyleRole::MarkRepeat,
];

/// The style of a variant by its number, from 1.
pub(super) fn variant_style(model: &Model, number: usize) -> Style {
    let role = ROLES[number.saturating_sub(1) % ROLES.len()];
    let style = model.style(role);
    // Only the colour of letters: some roles have a ground.
    Style { bg: None, ..style }.remove_modifier(Modifier::REVERSED)
}

/// How many columns fit, and the first that is shown, so that the selected one is.
pub(super) fn shown_columns(grid: &AskGrid, width: u16) -> (usize, usize) {
    let fit = usize::from((width + GAP) / (LEAST + GAP)).max(1);
    let count = grid.view.rows.len();
    let shown = count.clamp(1, fit);
    let first = (grid.column() + 1).saturating_sub(shown).min(count.saturating_sub(shown));
    (shown, first)
}

/// The rows on top of each column, where so many rows are beside the frame.
pub(super) fn heading_rows(height: u16) -> u16 {
    HEADING[usize::from(height < ROOM)]
}

/// The rows that the replies need.
pub(super) fn wanted_rows(grid: &AskGrid) -> u16 {
    u16::try_from(grid.rows()).unwrap_or(u16::MAX).min(1000)
}

/// Draws the columns that fit, beside each other, with so many rows on top of each.
pub(super) fn draw(model: &Model, grid: &AskGrid, top: u16, area: Rect, buf: &mut Buffer) {
    let (shown, first) = shown_columns(grid, area.width);
    let gaps = GAP * (to_cells(shown) - 1);
    let width = (area.width.saturating_sub(gaps) / to_cells(shown)).min(MOST);
    let columns = grid.view.rows.iter().skip(first).take(shown);
    for (index, row) in (0..).zip(columns) {
        let place = Rect { x: area.x + index * (width + GAP), width, ..area }.intersection(area);
        let hidden = (
            index == 0 && first > 0,
            first + shown < grid.view.rows.len() && usize::from(index) + 1 == shown,
        );
        let lines = column(model, grid, row, (place.width, top, area.height), hidden);
        Text::from(lines).render(place, buf);
    }
}

/// The lines of a variant: what it is, its figures, and its replies around the selected one.
fn column(
    model: &Model,
    grid: &AskGrid,
    row: &StudyRow,
    (width, top, height): (u16, u16, u16),
    (left, right): (bool, bool),
) -> Vec<Line<'static>> {
    let is_selected = grid.selected().is_some_and(|chosen| chosen.number == row.number);
    let mut lines = heading(model, grid, row, width);
    lines.truncate(top.into());
    if let Some(first) = lines.first_mut() {
        let mark = |sign: &'static str| Span::styled(sign, model.style(StyleRole::Key));
        if left {
            first.spans.insert(0, mark("◂ "));
        }
        first.spans.extend(right.then(|| mark(" ▸")));
    }
    let room = u32::from(height.saturating_sub(top).max(1));
    let from = grid.sample().saturating_sub(room);
    let numbers = from + 1..=(from + room).min(grid.rows());
    lines.extend(numbers.map(|number| cell(model, grid, row, (number, is_selected), width)));
    lines
}

/// The parts of the name of a variant: its prompt, its window, its model, and what is left out.
pub(super) fn name_parts(row: &StudyRow) -> Vec<&str> {
    row.name.split("  ").filter(|part| !part.is_empty()).collect()
}

/// The parts of a name besides its prompt that not all variants have in common, or all if there are none.
fn distinguishing(grid: &AskGrid, row: &StudyRow) -> String {
    let is_common = |place: usize, part: &str| {
        grid.view.rows.iter().all(|other| name_parts(other).get(place).is_some_and(|same| *same == part))
    };
    let parts: Vec<(usize, &str)> = name_parts(row).into_iter().enumerate().skip(1).collect();
    let own = parts.iter().filter(|(place, part)| !is_common(*place, part)).map(|(_, part)| *part);
    let own: Vec<&str> = own.collect();
    let all = || parts.iter().map(|(_, part)| *part).collect::<Vec<_>>();
    if own.is_empty() { all() } else { own }.join(" ")
}

fn heading(model: &Model, grid: &AskGrid, row: &StudyRow, width: u16) -> Vec<Line<'static>> {
    let style = variant_style(model, row.number).add_modifier(Modifier::BOLD);
    let is_selected = grid.selected().is_some_and(|chosen| chosen.number == row.number);
    let prompt = name_parts(row).first().copied().unwrap_or_default();
    let style = if is_selected { style.add_modifier(Modifier::UNDERLINED) } else { style };
    let text = truncate(&sanitize(&format!("{} {prompt}", row.number)), width.saturating_sub(4));
    let dim = model.style(StyleRole::Dim);
    let what = truncate(&sanitize(&distinguishing(grid, row)), width);
    let share = share(grid, row, width);
    let facts = figures(grid, row, width);
    vec![
        Line::from(Span::styled(text, style)),
        Line::styled(what, dim),
        Line::styled(share, model.style(StyleRole::Action)),
        Line::styled(facts, dim),
    ]
}

/// The first of these texts that fits, so that no number is cut; nothing if none does.
fn fitting(width: u16, texts: impl IntoIterator<Item = String>) -> String {
    let texts = texts.into_iter().map(|text| sanitize(&text).into_owned());
    texts.into_iter().find(|text| text.width() <= usize::from(width)).unwrap_or_default()
}

/// The share that meets the target, or else that of the most frequent answer, whose name gives way.
fn share(grid: &AskGrid, row: &StudyRow, width: u16) -> String {
    if let Some(share) = grid.view.figure(row, "target") {
        let short = share.split(" (").next().unwrap_or_default();
        return fitting(width, [format!("target {share}"), share.to_owned(), short.to_owned()]);
    }
    let Some(first) = row.answers.first() else { return String::new() };
    let room = width.saturating_sub(to_cells(first.words.width()) + 1);
    let name = truncate(&sanitize(&first.answer), room);
    fitting(width, [format!("{name} {}", first.words), first.words.clone()])
}

/// The distance from the complete request, the replies that cannot be read, and the cost, as much as fits.
fn figures(grid: &AskGrid, row: &StudyRow, width: u16) -> String {
    let figure = |title: &str| grid.view.figure(row, title).filter(|_| !row.samples.is_empty());
    let Some(unread) = figure("unreadable") else { return String::new() };
    let unread = format!("unreadable {unread}");
    let far = figure("distance").map_or_else(String::new, |far| format!("distance {far} · "));
    let cost = figure("cost").unwrap_or("unknown");
    let cost = if cost == "unknown" { "cost unknown".to_owned() } else { cost.to_owned() };
    let amount = cost.split(' ').next().unwrap_or_default();
    let short = if cost == "cost unknown" { unread.clone() } else { format!("{unread} · {amount}") };
    fitting(
        width,
        [format!("{far}{unread} · {cost}"), format!("{far}{short}"), format!("{far}{unread}"), short, unread],
    )
}

/// The answer of a call in words, and how it is drawn.
pub(super) fn answer_words(call: &Sample) -> (&str, StyleRole) {
    match (&call.answer, &call.text) {
        (Some(answer), _) => (answer, StyleRole::Action),
        (None, Some(_)) => ("unreadable", StyleRole::MarkUnread),
        (None, None) => ("failed", StyleRole::Fault),
    }
}

/// The sign of a call: whether it meets the target, and what a person thinks of it.
pub(super) fn signs(call: &Sample) -> String {
    let target = match call.meets_target {
        Some(true) => " ✓",
        Some(false) => " ✗",
        None => "",
    };
    let rating = call.rating.map_or_else(String::new, |rating| format!(" {}", Rating::sign(rating)));
    format!("{target}{rating}")
}

/// A reply in one line: the digit that uses it in the selected column, its answer and its signs.
fn cell(
    model: &Model,
    grid: &AskGrid,
    row: &StudyRow,
    (number, is_column): (u32, bool),
    width: u16,
) -> Line<'static> {
    let call = row.samples.iter().find(|call| call.number == number);
    let is_selected = is_column && number == grid.sample();
    let has_focus = is_selected && grid.focus == Focus::Answers;
    let waits = if grid.is_running() { "…" } else { "·" };
    let (words, role) = call.map_or((waits, StyleRole::Dim), |call| answer_words(call));
    let signs = call.map_or_else(String::new, |call| signs(call));
    let room = width.saturating_sub(5 + to_cells(signs.chars().count()));
    let key = if is_column && number <= 9 { StyleRole::Key } else { StyleRole::Dim };
    let answer = model.style(if has_focus { StyleRole::Selection } else { role });
    Line::from(vec![
        Span::styled(if is_selected { "▸" } else { " " }, model.style(StyleRole::Key)),
        Span::styled(format!("{number:>2} "), model.style(key)),
        Span::styled(truncate(&sanitize(words), room), answer),
        Span::styled(signs, model.style(StyleRole::Text)),
    ])
}
