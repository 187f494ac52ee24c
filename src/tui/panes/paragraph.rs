//! Words set apart: by a rule, or by where their lines begin.

use ratatui::text::Line;
use ratatui::text::Span;

use crate::tui::model::Model;
use crate::tui::theme::StyleRole;
use crate::tui::wrap::wrap;

/// Words in a rule across the pane.
pub(super) fn titled_rule(model: &Model, words: &str, width: u16) -> Line<'static> {
    let words = format!("── {words} ");
    let rest = usize::from(width).saturating_sub(words.chars().count());
    Line::styled(format!("{words}{}", "─".repeat(rest)), model.style(StyleRole::Dim))
}

/// Words whose later lines stand below the first word.
pub(super) fn hanging_indent(model: &Model, words: &str, role: StyleRole, width: u16) -> Vec<Line<'static>> {
    let mut lines = wrap(words, width, &Span::raw(""), model.style(role));
    if lines.len() > 1 {
        let (sign, rest) = words.split_once(' ').unwrap_or(("", words));
        lines = wrap(rest, width, &Span::raw("  "), model.style(role));
        lines[0].spans[0] = Span::styled(format!("{sign} "), model.style(role));
    }
    lines
}
