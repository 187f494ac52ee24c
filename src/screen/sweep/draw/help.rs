//! The page of keys, made from the table of commands.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::Span;

use super::pen::Pen;
use crate::command::{Command, ScreenView, commands_in};
use crate::keymap::Bindings;
use crate::sweep::state::DashboardState;
use mageyard_terminal::{StyleRole, wrap};

/// Columns of the keys.
const KEYS_WIDTH: u16 = 12;

/// Draws as many lines as fit, from the first one that was chosen.
pub(super) fn draw(state: &DashboardState, keys: &Bindings, pen: &mut Pen<'_>, rows: Range<u16>) {
    let room = usize::from(rows.end.saturating_sub(rows.start));
    let width = pen.area.width.saturating_sub(KEYS_WIDTH + 2);
    let lines: Vec<(String, String)> =
        commands_in(ScreenView::Sweep).flat_map(|row| entry(row, keys, width)).collect();
    let first = state.help.get().unwrap_or_default().min(lines.len().saturating_sub(room));
    state.help.set(Some(first));
    state.rows.set(room);
    for (row, (keys, words)) in rows.zip(lines.iter().skip(first)) {
        pen.put((1, row), keys, StyleRole::Key);
        pen.put((1 + KEYS_WIDTH, row), words, StyleRole::Text);
    }
}

/// The keys of a command, and beside them its name and what it does.
fn entry(row: &Command, keys: &Bindings, width: u16) -> Vec<(String, String)> {
    let words = format!("{}: {}", row.name, row.help);
    let lines = wrap(&words, width, &Span::raw(""), Style::default());
    let keys = std::iter::once(keys.keys(row.id).join(" ")).chain(std::iter::repeat(String::new()));
    keys.zip(lines.iter().map(ToString::to_string)).collect()
}
