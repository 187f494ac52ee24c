//! Sheets: what lies over the panes until it is closed. One at a time.

mod breaks;
mod confirm;
mod copy;
mod edit;
mod fault;
mod help;
mod palette;
mod prompts;
mod request;
mod verdict;

use ratatui::buffer::Buffer;
use ratatui::layout::Constraint;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::widgets::Block;
use ratatui::widgets::Clear;
use ratatui::widgets::Padding;
use ratatui::widgets::Widget;

pub(crate) use edit::verdict;
pub(crate) use edit::width as editor_width;

use super::model::Model;
use super::model::Sheet;
use super::pane::below;
use super::panes::arrows;
use super::panes::framed;
use super::theme::Role;

/// Draws the open sheet, if any.
pub(crate) fn draw(model: &Model, whole: Rect, buf: &mut Buffer) {
    match &model.sheet {
        None => {}
        Some(Sheet::Edit(editor)) => edit::draw(model, editor, whole, buf),
        Some(Sheet::Help(scroll)) => help::draw(model, *scroll, whole, buf),
        Some(Sheet::Verdict(scroll)) => verdict::draw(model, *scroll, whole, buf),
        Some(Sheet::Palette(palette)) => palette::draw(model, palette, whole, buf),
        Some(Sheet::Request(scroll)) => request::draw(model, *scroll, whole, buf),
        Some(Sheet::Prompts(_)) => prompts::draw(model, whole, buf),
        Some(Sheet::Fault(fault)) => fault::draw(model, fault, whole, buf),
        Some(Sheet::Copy(copying)) => copy::draw(model, copying, whole, buf),
        Some(Sheet::Breaks(breaks)) => breaks::draw(model, *breaks, whole, buf),
        Some(Sheet::Abandon) => confirm::draw(model, whole, buf),
    }
}

/// How far help can be scrolled, and the lines of a page.
pub(crate) fn help_extent(model: &Model) -> (u16, u16) {
    help::extent(model)
}

/// How far the verdict can be scrolled, and the lines of a page.
pub(crate) fn verdict_extent(model: &Model) -> (u16, u16) {
    verdict::extent(model)
}

#[cfg(test)]
pub(crate) use verdict::lines as verdict_lines;

/// How far the request can be scrolled, and the lines of a page.
pub(crate) fn request_extent(model: &Model) -> (u16, u16) {
    request::extent(model)
}

/// Clears a place in the middle of the screen, draws the sheet's border, and says what is left.
fn open(model: &Model, title: &str, foot: &str, role: Role, place: Rect, buf: &mut Buffer) -> Rect {
    Clear.render(place, buf);
    buf.set_style(place, model.style(Role::Text).patch(model.style(Role::Background)));
    let block: Block<'_> = framed(model, role)
        .padding(Padding::horizontal(1))
        .title_top(Line::styled(format!(" {title} "), model.style(role)))
        .title_bottom(
            Line::styled(format!(" {foot} "), model.style(Role::Dim).remove_modifier(Modifier::BOLD))
                .right_aligned(),
        );
    let inner = block.inner(place);
    block.render(place, buf);
    inner
}

/// A heading: only its words are marked, since in a theme without colour the mark is a bar.
fn heading(model: &Model, words: impl Into<String>) -> Line<'static> {
    Line::from(Span::styled(words.into(), model.style(Role::TitleFocus)))
}

/// How a sheet of so many lines in this place is read: what scrolls is named where there is more than it shows.
fn reading(lines: usize, place: Rect) -> &'static str {
    let shown = usize::from(place.height.saturating_sub(2));
    if lines > shown { "j k scroll · Esc closes" } else { "Esc closes" }
}

/// Marks at the border of a sheet that so many lines go on above or below what is shown of them.
fn ends(model: &Model, scroll: u16, lines: usize, inner: Rect, buf: &mut Buffer) {
    let below = usize::from(scroll) + usize::from(inner.height) < lines;
    arrows(model, inner.right() + 1, scroll > 0, below, inner, buf);
}

/// A place of at most this size in the middle of the panes: the status and the hints stay in sight.
fn middle(whole: Rect, width: u16, height: u16) -> Rect {
    let panes = Rect { height: whole.height.saturating_sub(below(whole.width)), ..whole };
    let width = width.min(panes.width.saturating_sub(4));
    panes.centered(Constraint::Length(width), Constraint::Length(height.min(panes.height)))
}
