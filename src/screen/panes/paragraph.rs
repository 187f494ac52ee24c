//! Text blocks: a titled rule, and wrapped text with a hanging indent.

use ratatui::text::{Line, Span};

use crate::model::Model;
use mageyard_terminal::{StyleRole, truncate, wrap};

/// A horizontal rule with a title.
pub(super) fn titled_rule(model: &Model, words: &str, width: u16) -> Line<'static> {
    let words = truncate(&format!("── {words} "), width);
    let rest = usize::from(width).saturating_sub(Span::raw(&words).width());
    Line::styled(format!("{words}{}", "─".repeat(rest)), model.style(StyleRole::Dim))
}

/// Wrapped text whose later lines are indented below the first word.
pub(super) fn hanging_indent(model: &Model, words: &str, role: StyleRole, width: u16) -> Vec<Line<'static>> {
    let mut lines = wrap(words, width, &Span::raw(""), model.style(role));
    if lines.len() > 1 {
        let (sign, rest) = words.split_once(' ').unwrap_or(("", words));
        lines = wrap(rest, width, &Span::raw("  "), model.style(role));
        lines[0].spans[0] = Span::styled(format!("{sign} "), model.style(role));
    }
    lines
}
