//! The running episodes: a card for each with its frame in cells, its level, step, score and newest action. Where not all have
//! room, those around the selected one.

use std::ops::Range;

use ratatui::layout::{Rect, Size};
use ratatui::style::Style;
use ratatui::text::Span;
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use super::pen::Pen;
use crate::panes::cells_line;
use crate::sweep::activity::RunningEpisode;
use crate::sweep::view::SweepView;
use mageyard_domain::CellGrid;
use mageyard_terminal::{StyleRole, to_cells, wrap};

/// The columns between two cards.
const GAP: u16 = 2;
/// The rows of the words of a card, and the most rows and columns of its frame.
const WORDS: u16 = 4;
const FRAME: Size = Size::new(20, 7);
/// The least columns of words beside a frame.
const WORDS_WIDTH: u16 = 14;

/// What is shown of the episodes.
pub(super) struct Shown {
    /// The index of the selected one; `None` where they cannot be selected.
    pub(super) selected: Option<usize>,
    /// Whether frames are drawn.
    pub(super) has_frames: bool,
    /// The least columns of a card.
    pub(super) width: u16,
}

/// Draws a title and as many cards as fit; returns the number of rows, and how many cards there were.
pub(super) fn draw(view: &SweepView, shown: &Shown, pen: &mut Pen<'_>, rows: Range<u16>) -> (u16, usize) {
    let running = &view.running;
    let room = rows.end.saturating_sub(rows.start);
    if room == 0 {
        return (0, 0);
    }
    let columns = ((pen.area.width + GAP - 1) / (shown.width + GAP)).max(1);
    let width = (pen.area.width - 1).saturating_sub(GAP * (columns - 1)) / columns;
    let grids: Vec<Option<CellGrid>> = running.iter().map(|episode| frame(episode, shown, width)).collect();
    let height = grids.iter().map(|grid| height(grid.as_ref())).max().unwrap_or(WORDS);
    let across = usize::from(columns);
    let down = usize::from((room - 1) / (height + 1)).max(usize::from(room > WORDS));
    let fitting = across * down;
    let selected = shown.selected.unwrap_or(0).min(running.len().saturating_sub(1));
    let first = selected.checked_div(fitting).unwrap_or(0) * fitting;
    draw_title(view, (first, fitting), pen, rows.start);
    let mut end = rows.start + 1;
    for (place, (index, episode)) in running.iter().enumerate().skip(first).take(fitting).enumerate() {
        let column = 1 + to_cells(place % across) * (width + GAP);
        let row = rows.start + 1 + to_cells(place / across) * (height + 1);
        let height = height.min(rows.end.saturating_sub(row));
        let area = Rect { x: column, y: row, width, height };
        let is_selected = shown.selected == Some(index);
        draw_card(view, episode, grids[index].as_ref(), is_selected, pen, area);
        end = row + height + 1;
    }
    (end.min(rows.end) - rows.start, fitting)
}

fn draw_title(view: &SweepView, (first, fitting): (usize, usize), pen: &mut Pen<'_>, row: u16) {
    let count = view.running.len();
    let column = pen.put((1, row), "Running", StyleRole::Title);
    let words = match count {
        0 if view.cells.iter().any(|cell| cell.state == super::CellPhase::Running) => {
            "  no episode has finished a step yet".to_owned()
        }
        0 => "  no episode".to_owned(),
        _ if count <= fitting => format!("  {count}"),
        _ => format!("  {}–{} of {count}", first + 1, (first + fitting).min(count)),
    };
    pen.put((column, row), &words, StyleRole::Dim);
}

/// The frame of an episode, if it has one and there is room for it beside its words.
fn frame(episode: &RunningEpisode, shown: &Shown, width: u16) -> Option<CellGrid> {
    let room = Size::new(FRAME.width.min(width.saturating_sub(WORDS_WIDTH + 1)), FRAME.height);
    episode.frame.draw(room).filter(|_| shown.has_frames)
}

fn height(grid: Option<&CellGrid>) -> u16 {
    grid.map_or(0, |grid| to_cells(grid.rows().len())).max(WORDS)
}

/// Draws a card: the frame to the left, the words to the right of it.
fn draw_card(
    view: &SweepView,
    episode: &RunningEpisode,
    grid: Option<&CellGrid>,
    is_selected: bool,
    pen: &mut Pen<'_>,
    area: Rect,
) {
    let Rect { x, y, width, height } = area;
    if is_selected {
        pen.put((x - 1, y), "▸", StyleRole::Key);
    }
    let frame_width = grid.map_or(0, |grid| to_cells(grid.columns()) + 1);
    for (row, line) in grid.iter().flat_map(|grid| grid.rows()).zip(y..y + height) {
        let place = Rect { x: pen.area.x + x, y: pen.area.y + line, width: frame_width, height: 1 };
        cells_line(pen.theme, row).render(place.intersection(pen.area), pen.buf);
    }
    let room = width.saturating_sub(frame_width);
    let title = if is_selected { StyleRole::Cursor } else { StyleRole::StateRunning };
    for ((text, role), line) in words(view, episode, room, title).into_iter().zip(y..y + height) {
        pen.put_within((x + frame_width, line), &text, room, role);
    }
}

/// The words of a card, a line each: level, step with score, action, and the cell in as many lines as it needs.
fn words(
    view: &SweepView,
    episode: &RunningEpisode,
    room: u16,
    title: StyleRole,
) -> Vec<(String, StyleRole)> {
    let RunningEpisode { level, repeat, step, max_steps, score, action, .. } = episode;
    let repeat = if repeat.is_empty() { String::new() } else { format!(" · repeat {repeat}") };
    let level = fitting([format!("{level}{repeat}"), level.clone(), short_level(level).to_owned()], room);
    let steps = [format!("step {step} of {max_steps} · {score}"), format!("step {step} · {score}")];
    let steps = fitting([steps[0].clone(), steps[1].clone(), format!("step {step}")], room);
    let cell = view.cells.get(episode.cell).map_or_else(String::new, |cell| view.values_of(cell));
    let own = [(level, title), (steps, StyleRole::Text), (format!("→ {action}"), StyleRole::Action)];
    let cell = wrap(&cell, room, &Span::raw(""), Style::default());
    own.into_iter().chain(cell.iter().map(|line| (line.to_string(), StyleRole::Dim))).collect()
}

/// The first text that fits, or the last one.
fn fitting(texts: [String; 3], room: u16) -> String {
    let [first, second, last] = texts;
    let fits = |text: &String| text.width() <= room.into();
    if fits(&first) {
        first
    } else if fits(&second) {
        second
    } else {
        last
    }
}

/// A level without its environment.
fn short_level(level: &str) -> &str {
    level.split_once('/').map_or(level, |(_, rest)| rest)
}
