//! Modal dialogs, drawn over the panes until they are closed. At most one is open.

mod abandon;
mod action_form;
mod ask_sheet;
mod asked;
mod branch_tree;
mod breakpoints;
mod copy;
mod deletion;
mod diagnosis_table;
mod editor;
mod episode_diff;
mod episodes;
mod fault;
mod fork_sheet;
mod found;
mod palette;
mod person;
mod picture_pair;
mod prompts;
mod request;
mod request_diff;
mod restart;
mod seats;
mod state_edit;
mod suite_list;
mod suite_state;
mod suite_table;
mod themes;
mod verdict;

use std::sync::Arc;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Constraint, Position, Rect};
use ratatui::style::{Color, Modifier};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Clear, Padding, Widget};
use unicode_width::UnicodeWidthStr;

pub(crate) use action_form::text_width as form_text_width;
pub(crate) use editor::{edit_preview, width as editor_width};

use super::builder;
use super::grid;
use super::help;
use super::model::{AskLevel, EpisodeList, Modal, Model};
use super::models;
use super::pane::footer_height;
use super::panes::{draw_scroll_marks, mark_matches, plain_row, rounded_block};
use super::readers;
use super::workshop;
use mageyard_config::Problem;
use mageyard_domain::Picture;
use mageyard_terminal::{FrameCache, StyleRole, column_window, truncate};

/// Draws the open dialog, if any.
pub(crate) fn draw(model: &Model, whole: Rect, buf: &mut Buffer) {
    match &model.modal {
        None => {}
        Some(Modal::Form(form)) => action_form::draw(model, form, whole, buf),
        Some(Modal::Edit(editor)) => editor::draw(model, editor, whole, buf),
        Some(Modal::Help(sheet)) => help::draw(model, sheet, whole, buf),
        Some(Modal::Models(sheet)) => models::draw(model, sheet, whole, buf),
        Some(Modal::Readers(sheet)) => readers::draw(model, sheet, whole, buf),
        Some(Modal::Workshop(sheet)) => workshop::draw(model, sheet, whole, buf),
        Some(Modal::SweepForm(form)) => builder::draw(model, form, whole, buf),
        Some(Modal::Themes(picker)) => themes::draw(model, picker, whole, buf),
        Some(Modal::Verdict(menu)) => verdict::draw(model, *menu, whole, buf),
        Some(Modal::Palette(palette)) => palette::draw(model, palette, whole, buf),
        Some(Modal::Episodes(list)) => episodes::draw(model, list, whole, buf),
        Some(Modal::Request(scroll)) => request::draw(model, *scroll, whole, buf),
        Some(Modal::Prompts) => prompts::draw(model, whole, buf),
        Some(Modal::Fault(fault)) => fault::draw(model, fault, whole, buf),
        Some(Modal::Copy(copying)) => copy::draw(model, copying, whole, buf),
        Some(Modal::Breaks(breaks)) => breakpoints::draw(model, breaks, whole, buf),
        Some(Modal::Fork(sheet)) => fork_sheet::draw(model, sheet, whole, buf),
        Some(Modal::Grid(asked)) => grid::draw(model, asked, whole, buf),
        Some(Modal::Ask(sheet)) => ask_sheet::draw(model, sheet, whole, buf),
        Some(Modal::Asked(sheet)) if sheet.level == AskLevel::State => {
            suite_state::draw(model, sheet, whole, buf);
        }
        Some(Modal::Asked(sheet)) => asked::draw(model, sheet, whole, buf),
        Some(Modal::Suites(list)) => suite_list::draw(model, list, whole, buf),
        Some(Modal::State(edit)) => state_edit::draw(model, edit, whole, buf),
        Some(Modal::Branches(tree)) => branch_tree::draw(model, tree, whole, buf),
        Some(Modal::Seats(sheet)) => seats::draw(model, sheet, whole, buf),
        Some(Modal::Found(list)) => found::draw(model, list, whole, buf),
        Some(Modal::RequestDiff(diff)) => request_diff::draw(model, diff, whole, buf),
        Some(Modal::Diff(diff)) => episode_diff::draw(model, diff, whole, buf),
        Some(Modal::Person(sheet)) => person::draw(model, sheet, whole, buf),
        Some(Modal::Abandon) => abandon::draw(model, whole, buf),
        Some(Modal::Restart) => restart::draw(model, whole, buf),
        Some(Modal::Delete(deleted)) => deletion::draw(model, deleted, whole, buf),
    }
}

/// The pictures of the open dialog, each with its area.
pub(crate) fn pictures(model: &Model, whole: Rect) -> Vec<(&Arc<Picture>, Rect)> {
    match &model.modal {
        Some(Modal::RequestDiff(diff)) => request_diff::pictures(model, diff, whole),
        Some(Modal::Diff(diff)) => episode_diff::pictures(model, diff, whole),
        Some(Modal::Grid(asked)) => grid::pictures(model, asked, whole),
        Some(Modal::Asked(sheet)) => suite_state::pictures(model, sheet, whole),
        Some(Modal::Workshop(sheet)) => workshop::pictures(model, sheet, whole),
        _ => Vec::new(),
    }
}

/// Draws the pictures of the open dialog, with lines around what differs.
pub(crate) fn draw_pictures(model: &Model, gallery: &FrameCache, whole: Rect, buf: &mut Buffer) {
    let pair = match &model.modal {
        Some(Modal::RequestDiff(diff)) => diff.shown().and_then(|change| change.pair.as_ref()),
        Some(Modal::Diff(diff)) => diff.pair.as_ref(),
        _ => None,
    };
    for (picture, area) in pictures(model, whole) {
        picture_pair::draw(model, gallery, picture, pair, area, buf);
    }
    if let Some(Modal::Grid(asked)) = &model.modal {
        grid::draw_marks(model, asked, whole, buf);
    }
}

/// Number of rows that the list of episodes shows at a time.
pub(crate) fn episode_page(model: &Model, list: &EpisodeList) -> usize {
    episodes::page(model, list)
}

/// The largest scroll position of the verdict, and the lines of a page.
pub(crate) fn verdict_extent(model: &Model) -> (u16, u16) {
    verdict::scroll_extent(model)
}

pub(crate) use ask_sheet::{extent as ask_extent, stored_line as stored_ask_line};
pub(crate) use asked::{
    call_line as ask_call_line, extent as asked_extent, state as asked_state, text as asked_text,
};
pub(crate) use branch_tree::said as branch_line;
pub(crate) use diagnosis_table::text as diagnosis_text;
pub(crate) use episode_diff::{extent as episode_diff_extent, said as episode_diff_lines};
pub(crate) use fork_sheet::said as fork_lines;
pub(crate) use found::{page as found_page, state as found_state};
pub(crate) use person::extent as person_extent;
pub(crate) use request::{segment_role, turn_heading};
pub(crate) use request_diff::{
    changed_words_lines, extent as request_diff_extent, text as request_diff_text,
};
pub(crate) use seats::line as seat_line;
pub(crate) use state_edit::said as state_edit_line;
pub(crate) use suite_list::{line as suite_line, page as suite_page};
pub(crate) use suite_state::{extent as suite_state_extent, said as suite_state_texts, shown_variants};
pub(crate) use suite_table::{said as suite_said_state, table_text as suite_table_text};
pub(crate) use verdict::{lines as verdict_lines, shown_page as verdict_page};

/// The title of the request of the shown step, and its lines at this width.
pub(crate) fn request_text(model: &Model, width: u16) -> (String, Vec<Line<'static>>) {
    request::text(model, width)
}

/// The rows of a dialog that can be searched; none of another one.
pub(crate) fn searched_rows(model: &Model, dialog: &Modal) -> Vec<String> {
    let lines = match dialog {
        Modal::Verdict(_) => verdict::shown_page(model).lines,
        Modal::Request(_) => request::shown_lines(model),
        Modal::RequestDiff(diff) => request_diff::shown_lines(model, diff),
        _ => Vec::new(),
    };
    lines.iter().map(plain_row).collect()
}

/// The largest scroll position of a dialog that can be searched, and the lines of a page.
pub(crate) fn scroll_extent(model: &Model, dialog: &Modal) -> Option<(u16, u16)> {
    match dialog {
        Modal::Verdict(_) => Some(verdict_extent(model)),
        Modal::Request(_) => Some(request_extent(model)),
        Modal::RequestDiff(diff) => Some(request_diff_extent(model, diff)),
        _ => None,
    }
}

/// Draws the lines of a dialog from this one on, with the marks of a search.
fn draw_lines(model: &Model, lines: Vec<Line<'static>>, scroll: u16, inner: Rect, buf: &mut Buffer) {
    let from = usize::from(scroll);
    let rows: Vec<String> =
        if model.search.is_some() { lines.iter().map(plain_row).collect() } else { Vec::new() };
    draw_overflow_marks(model, scroll, lines.len(), inner, buf);
    let shown = lines.into_iter().skip(from).take(inner.height.into());
    Text::from(shown.collect::<Vec<_>>()).render(inner, buf);
    mark_matches(model, &rows, from, inner, buf);
}

/// The largest scroll position of the request, and the lines of a page.
pub(crate) fn request_extent(model: &Model) -> (u16, u16) {
    request::scroll_extent(model)
}

/// Dims what is around a dialog, draws its border, and returns the area within. On a slow link nothing is dimmed, because
/// every cell would have to be sent, and again when it is closed.
pub(crate) fn draw_border(
    model: &Model,
    title: &str,
    foot: &str,
    role: StyleRole,
    place: Rect,
    buf: &mut Buffer,
) -> Rect {
    if !model.device.link.is_slow {
        dim_around(model, place, buf);
    }
    draw_box(model, title, foot, role, place, buf)
}

/// Dims the cells outside of a place, above the status and the hints. Those of pictures, also blank ones on a color of their own,
/// become darker where they can.
fn dim_around(model: &Model, place: Rect, buf: &mut Buffer) {
    let dim = model.style(StyleRole::Dim);
    let background = model.style(StyleRole::Background).bg.unwrap_or(Color::Reset);
    let of_text = [StyleRole::Selection, StyleRole::Cursor].map(|role| model.style(role).bg);
    let is_painted = |cell: &Cell| {
        let is_colored = cell.bg != background && !of_text.contains(&Some(cell.bg));
        is_pixels(cell.symbol()) || cell.symbol() == " " && is_colored
    };
    let bottom = buf.area.bottom().saturating_sub(footer_height(buf.area.width));
    let outside = |at: &Position| !place.contains(*at) && at.y < bottom;
    for at in buf.area.positions().filter(outside) {
        let Some(cell) = buf.cell_mut(at) else { continue };
        if is_painted(cell) {
            (cell.fg, cell.bg) = (mixed(cell.fg, background), mixed(cell.bg, background));
        } else {
            cell.modifier -= Modifier::BOLD | Modifier::REVERSED;
            cell.bg = background;
            cell.set_style(dim);
        }
    }
}

/// Whether a cell shows a part of a picture: blocks, Braille, or a place of a picture that the terminal draws.
fn is_pixels(symbol: &str) -> bool {
    let first = symbol.chars().next().unwrap_or(' ');
    matches!(first, '\u{2580}'..='\u{259f}' | '\u{2800}'..='\u{28ff}' | '\u{1fb00}'..='\u{1fbff}' | '\u{10eeee}')
}

/// A color halfway to the background; on an unknown background to black.
fn mixed(color: Color, background: Color) -> Color {
    let Color::Rgb(red, green, blue) = color else { return color };
    let (to_red, to_green, to_blue) = match background {
        Color::Rgb(red, green, blue) => (red, green, blue),
        _ => (0, 0, 0),
    };
    Color::Rgb(red.midpoint(to_red), green.midpoint(to_green), blue.midpoint(to_blue))
}

fn clear(model: &Model, area: Rect, buf: &mut Buffer) {
    Clear.render(area, buf);
    buf.set_style(area, model.style(StyleRole::Text).patch(model.style(StyleRole::Background)));
}

/// Draws a border beside which the panes stay visible, and returns the area within. What is cut of the title and of the
/// keys in the footer, whose end says how to close, has an ellipsis.
fn draw_box(model: &Model, title: &str, foot: &str, role: StyleRole, place: Rect, buf: &mut Buffer) -> Rect {
    clear(model, place, buf);
    // The corners, and a blank at each end.
    let room = place.width.saturating_sub(4);
    let title = truncate(title, room);
    let foot = column_window(foot, foot.width().saturating_sub(room.into()), room);
    let block: Block<'_> = rounded_block(model, role)
        .padding(Padding::horizontal(1))
        .title_top(Line::styled(format!(" {title} "), model.style(role)))
        .title_bottom(
            Line::styled(format!(" {foot} "), model.style(StyleRole::Dim).remove_modifier(Modifier::BOLD))
                .right_aligned(),
        );
    let inner = block.inner(place);
    block.render(place, buf);
    inner
}

/// What is wrong and what to do.
fn sentence(problem: &Problem) -> String {
    match &problem.help {
        Some(help) => format!("{}; {help}", problem.message),
        None => problem.message.clone(),
    }
}

/// A heading. Only the words have the style, because without colour it is a reversed bar.
pub(crate) fn heading(model: &Model, words: impl Into<String>) -> Line<'static> {
    Line::from(Span::styled(words.into(), model.style(StyleRole::TitleFocus)))
}

/// The keys for the footer; those that scroll only if there are more lines than fit.
fn scroll_footer(lines: usize, place: Rect) -> &'static str {
    let shown = usize::from(place.height.saturating_sub(2));
    if lines > shown { "j k scroll · Esc closes" } else { "Esc closes" }
}

/// Draws marks at the border where there are more lines above or below.
pub(crate) fn draw_overflow_marks(model: &Model, scroll: u16, lines: usize, inner: Rect, buf: &mut Buffer) {
    let below = usize::from(scroll) + usize::from(inner.height) < lines;
    draw_scroll_marks(model, inner.right() + 1, scroll > 0, below, inner, buf);
}

/// The fewest columns that are left free at each side; a dialog that leaves fewer takes the full width.
const MIN_SIDE: u16 = 20;

/// An area over the panes, centred; status and hints stay visible. It is as wide as asked, or as the screen if only
/// narrow strips would be left beside it.
pub(crate) fn centered_area(whole: Rect, width: u16, height: u16) -> Rect {
    let panes = Rect { height: whole.height.saturating_sub(footer_height(whole.width)), ..whole };
    let width = if width.saturating_add(2 * MIN_SIDE) > panes.width { panes.width } else { width };
    panes.centered(Constraint::Length(width), Constraint::Length(height.min(panes.height)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialog_takes_the_full_width_where_only_strips_would_be_left_beside_it() {
        for (screen, asked, expected) in
            [(80, 52, 80), (120, 100, 120), (120, 80, 80), (120, 81, 120), (300, 100, 100), (60, 200, 60)]
        {
            let area = centered_area(Rect::new(0, 0, screen, 24), asked, 6);
            assert_eq!(area.width, expected, "{asked} on {screen}");
            assert_eq!(area.x, (screen - expected) / 2);
        }
    }

    #[test]
    fn a_title_and_a_footer_that_do_not_fit_have_an_ellipsis() {
        let model = crate::testing::model(60, 16);
        let place = Rect::new(0, 0, 20, 3);
        let mut buf = Buffer::empty(place);
        let foot = "a number toggles · Esc closes";
        draw_box(&model, "Pause the run when a step is", foot, StyleRole::BorderFocus, place, &mut buf);
        let row = |y| (0..20).map(|x| buf[(x, y)].symbol()).collect::<String>();
        assert_eq!([row(0), row(2)], ["╭ Pause the run w… ╮", "╰ …es · Esc closes ╯"]);
    }
}
