//! Draws the dialog: above what is asked, at the left the frame with the answers as marks and their shares, at the right the
//! grid, and below it the selected reply.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use super::cells;
use super::head::head_lines;
use super::marks;
use super::pages;
use super::shares::share_lines;
use super::sheet::{AskGrid, Focus, Page};
use crate::appearance::FrameView;
use crate::layout::screen_dialog_area;
use crate::modals::{centered_area, draw_border, draw_overflow_marks, heading};
use crate::model::Model;
use crate::panes::drawn_line;
use mageyard_domain::{Picture, SharedDrawing, sanitize};
use mageyard_terminal::{PictureZoom, StyleRole, to_cells, truncate, wrap};

/// The most columns of the dialog with its border.
const MOST_WIDTH: u16 = 160;
/// From this many columns on the frame takes a third; below, a smaller part.
const WIDE: u16 = 100;
/// The fewest columns and rows with which the frame is drawn.
const LEAST_WIDTH: u16 = 70;
const LEAST_FRAME: u16 = 6;
/// The columns between the frame and the grid.
const GAP: u16 = 2;
/// The fewest rows of the reply with its title.
const LEAST_REPLY: u16 = 4;

/// Where the parts of the grid are.
struct Areas {
    head: Rect,
    frame: Rect,
    legend: Rect,
    shares: Rect,
    /// The rows on top of each column.
    top: u16,
    cells: Rect,
    title: Rect,
    reply: Rect,
}

fn dialog_area(whole: Rect) -> Rect {
    centered_area(whole, MOST_WIDTH, whole.height)
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

fn areas(model: &Model, grid: &AskGrid, whole: Rect) -> Areas {
    let inner = inner_area(whole);
    let rows = to_cells(head_lines(model, grid, inner.width).len()).min(inner.height / 2);
    let [head, body] = Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(inner);
    let width = match inner.width {
        WIDE.. => inner.width / 3,
        LEAST_WIDTH.. => inner.width * 3 / 10,
        _ => 0,
    };
    let [left, _, right] = Layout::horizontal([
        Constraint::Length(width),
        Constraint::Length(GAP.min(width)),
        Constraint::Fill(1),
    ])
    .areas(body);
    let [frame, legend, shares] = left_areas(model, grid, left);
    let top = cells::heading_rows(right.height);
    let is_high = top > 1;
    let least = if is_high { LEAST_REPLY + 2 } else { LEAST_REPLY };
    let rows = cells::wanted_rows(grid).min(right.height.saturating_sub(top + least).max(1));
    let [cells, _, title, reply] = Layout::vertical([
        Constraint::Length(top + rows),
        Constraint::Length(is_high.into()),
        Constraint::Length(1),
        Constraint::Fill(1),
    ])
    .areas(right);
    Areas { head, frame, legend, shares, top, cells, title, reply }
}

/// The frame, what its marks mean, and the shares below it.
fn left_areas(model: &Model, grid: &AskGrid, left: Rect) -> [Rect; 3] {
    // Two cells beside each other are about a square.
    let rows = left.width.div_ceil(2).min(left.height * 3 / 5);
    let rows = match picture(model, grid) {
        _ if rows < LEAST_FRAME => 0,
        Some(_) => rows,
        None if drawing(model, grid).is_some() => rows,
        None => to_cells(grid.asked.observation.text().lines().count()).min(rows),
    };
    let legend = u16::from(rows > 0 && picture(model, grid).is_some() && marks::legend(grid).is_some());
    let [frame, legend, _, shares] = Layout::vertical([
        Constraint::Length(rows),
        Constraint::Length(legend),
        Constraint::Length(u16::from(rows > 0)),
        Constraint::Fill(1),
    ])
    .areas(left);
    [frame, legend, shares]
}

/// The frame as a drawing in cells, where the terminal gets no pixels.
fn drawing<'a>(model: &Model, grid: &'a AskGrid) -> Option<&'a SharedDrawing> {
    let is_text = model.frame.shown_as == FrameView::Text;
    grid.drawing.as_ref().filter(|_| !is_text && !model.prefers_pixels())
}

fn picture<'a>(model: &Model, grid: &'a AskGrid) -> Option<&'a Arc<Picture>> {
    grid.picture().filter(|_| model.shows_pictures() && drawing(model, grid).is_none())
}

fn title(grid: &AskGrid) -> String {
    let step = grid.step();
    let what = match grid.page {
        Page::Grid if grid.is_candidates => format!("Candidates at step {step}"),
        Page::Grid => format!("Ask again at step {step}"),
        Page::Reply => pages::reply_title(grid),
        Page::Figures | Page::Replies => format!("Step {step}: {}", grid.view.title),
        Page::Request => {
            let row = grid.selected();
            row.map_or_else(String::new, |row| format!("request of variant {}: {}", row.number, row.name))
        }
        Page::Difference => "Difference of two requests".to_owned(),
        Page::Stored => format!("Stored at step {step}"),
    };
    sanitize(&what).into_owned()
}

/// The keys, the shorter ones where not all fit.
fn foot(grid: &AskGrid, width: u16) -> &'static str {
    let is_wide = width >= WIDE;
    match (grid.page, grid.focus) {
        (Page::Reply, _) => "j k scroll · ← → variants · u use it · f branch · + - 0 rate · Esc goes back",
        (Page::Request | Page::Difference, _) => "j k scroll · ← → variants · y copy · Esc goes back",
        (Page::Figures | Page::Replies, _) => "j k scroll · y copy · Esc goes back",
        (Page::Stored, _) => "↑ ↓ select · Enter opens it · Esc goes back",
        (Page::Grid, Focus::Chips) if grid.chips.is_typing() => "Enter keeps · Esc as before",
        (Page::Grid, Focus::Chips) if is_wide => {
            "Tab chips · ← → digits choose · Space several · e type · ↓ answers · s stored · t all · Enter asks · Esc"
        }
        (Page::Grid, Focus::Chips) => "Tab · digits ← → Space choose · e type · ↓ · Enter asks · Esc",
        (Page::Grid, Focus::Answers) if is_wide => {
            "1–9 u use · f branch · Enter reply · + - rate · R request · D diff · t all · p pin · a suite · s stored · Tab · Esc"
        }
        (Page::Grid, Focus::Answers) => "1–9 u use · f branch · Enter · R D t s p a · + - rate · Tab · Esc",
    }
}

pub(crate) fn draw(model: &Model, grid: &AskGrid, whole: Rect, buf: &mut Buffer) {
    let place = dialog_area(whole);
    let inner = draw_border(model, &title(grid), foot(grid, place.width), StyleRole::BorderFocus, place, buf);
    if grid.page != Page::Grid {
        return draw_page(model, grid, inner, buf);
    }
    let areas = areas(model, grid, whole);
    Text::from(head_lines(model, grid, areas.head.width)).render(areas.head, buf);
    if picture(model, grid).is_none() {
        Text::from(frame_text(model, grid, areas.frame)).render(areas.frame, buf);
    }
    if let Some(words) = marks::legend(grid) {
        let line = Line::styled(truncate(&words, areas.legend.width), model.style(StyleRole::Dim));
        line.render(areas.legend, buf);
    }
    Text::from(share_lines(model, grid, areas.shares.width, areas.shares.height)).render(areas.shares, buf);
    draw_answers(model, grid, &areas, buf);
}

/// The grid, and below it the selected reply.
fn draw_answers(model: &Model, grid: &AskGrid, areas: &Areas, buf: &mut Buffer) {
    if grid.view.rows.is_empty() {
        let words =
            "The variants are columns here, and their replies rows. Choose what is asked above; Enter asks.";
        let lines = wrap(words, areas.cells.width, &Span::raw(""), model.style(StyleRole::Dim));
        return Text::from(lines).render(areas.cells, buf);
    }
    cells::draw(model, grid, areas.top, areas.cells, buf);
    let words = truncate(&sanitize(&pages::reply_title(grid)), areas.title.width);
    heading(model, words).render(areas.title, buf);
    let lines = pages::reply(model, grid, areas.reply.width);
    draw_scrolled(model, lines, grid.scroll, areas.reply, buf);
}

fn draw_page(model: &Model, grid: &AskGrid, inner: Rect, buf: &mut Buffer) {
    let lines = pages::lines(model, grid, inner.width);
    let scroll = match grid.page {
        // The selected one is visible.
        Page::Stored => to_cells(grid.stored_at + 1).saturating_sub(inner.height),
        _ => grid.scroll,
    };
    draw_scrolled(model, lines, scroll, inner, buf);
}

fn draw_scrolled(model: &Model, lines: Vec<Line<'static>>, scroll: u16, area: Rect, buf: &mut Buffer) {
    let scroll = scroll.min(to_cells(lines.len()).saturating_sub(area.height));
    draw_overflow_marks(model, scroll, lines.len(), area, buf);
    let shown = lines.into_iter().skip(scroll.into()).take(area.height.into());
    Text::from(shown.collect::<Vec<_>>()).render(area, buf);
}

/// What was observed, where no picture is drawn: the drawing with the action of the selected reply, or the text.
fn frame_text(model: &Model, grid: &AskGrid, area: Rect) -> Vec<Line<'static>> {
    if let Some(drawing) = drawing(model, grid).filter(|_| !area.is_empty()) {
        let cells = drawing.draw(area.width, area.height, grid.action().as_ref());
        return cells.rows().map(|row| drawn_line(model, row)).collect();
    }
    let text = grid.asked.observation.text();
    let rows = text.lines().take(area.height.into()).map(|row| truncate(&sanitize(row), area.width));
    rows.map(|row| Line::styled(row, model.style(StyleRole::Text))).collect()
}

/// The frame with its area, if it is drawn as a picture.
pub(crate) fn pictures<'a>(model: &Model, grid: &'a AskGrid, whole: Rect) -> Vec<(&'a Arc<Picture>, Rect)> {
    if grid.page != Page::Grid {
        return Vec::new();
    }
    let frame = areas(model, grid, whole).frame;
    let shown = picture(model, grid).filter(|_| !frame.is_empty());
    shown.map(|picture| (picture, frame)).into_iter().collect()
}

/// Draws the marks of the answers over the frame.
pub(crate) fn draw_marks(model: &Model, grid: &AskGrid, whole: Rect, buf: &mut Buffer) {
    for (picture, area) in pictures(model, grid, whole) {
        let room = model.picture_room(area.as_size());
        if let Some(shown) = PictureZoom::default().placement(picture, room) {
            marks::draw(model, grid, shown, area, buf);
        }
    }
}

/// The largest scroll position of what scrolls, and the lines of a page.
pub(super) fn extent(model: &Model, grid: &AskGrid) -> (u16, u16) {
    let whole = screen_dialog_area(model);
    let (lines, area) = if grid.page == Page::Grid {
        let area = areas(model, grid, whole).reply;
        (pages::reply(model, grid, area.width), area)
    } else {
        let area = inner_area(whole);
        (pages::lines(model, grid, area.width), area)
    };
    (to_cells(lines.len()).saturating_sub(area.height), area.height.max(1))
}
