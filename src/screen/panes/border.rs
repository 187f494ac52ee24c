//! The border of a pane: its padding, and the tabs in its title.

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Padding};

use crate::model::Model;
use crate::pane::Pane;
use mageyard_terminal::{StyleRole, to_cells};

/// The padding within the border: none around a picture, one column around text.
pub(super) fn padding(pane: Pane) -> Padding {
    if pane == Pane::Frame { Padding::ZERO } else { Padding::horizontal(1) }
}

/// The area within the border and padding of a pane.
pub(crate) fn inner_area(pane: Pane, area: Rect) -> Rect {
    Block::bordered().padding(padding(pane)).inner(area)
}

/// A block with a rounded border.
pub(crate) fn rounded_block(model: &Model, border: StyleRole) -> Block<'static> {
    Block::bordered().border_type(BorderType::Rounded).border_style(model.style(border))
}

pub(super) fn padded(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(" {words} ") }
}

/// The name of a pane as its title: between two signs if the pane has the focus, so that it shows without colour.
pub(super) fn title(pane: Pane, focused: bool) -> String {
    if focused { format!("▸{}◂", pane.name()) } else { padded(pane.name()) }
}

/// The names of the panes that share an area; the open one is in brackets, or between signs if it has the focus.
pub(super) fn tab_line(model: &Model, open: Pane, tabs: &[Pane]) -> Line<'static> {
    let focused = model.panes.focus == open;
    let span = |pane: &Pane| match (*pane == open, focused) {
        (true, true) => Span::styled(title(*pane, true), model.style(StyleRole::TabFocus)),
        (true, false) => Span::styled(format!("[{}]", pane.name()), model.style(StyleRole::Title)),
        _ => Span::styled(
            format!(" {} ", pane.name()),
            model.style(StyleRole::Tab).remove_modifier(Modifier::BOLD),
        ),
    };
    Line::from(tabs.iter().map(span).collect::<Vec<_>>())
}

/// The tab at this column of the tabs.
pub(crate) fn tab_at(tabs: &[Pane], column: u16) -> Option<Pane> {
    let mut end = 0;
    tabs.iter().copied().find(|pane| {
        // A blank, a bracket or a sign on each side of the name.
        end += to_cells(pane.name().len() + 2);
        column < end
    })
}
