//! Where the score of the shown step comes from: rows that can be opened, each with its value and share.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use crate::model::{Model, VisibleRow};
use mageyard_terminal::{StyleRole, to_cells, truncate, wrap};

/// Columns of the bar of a share.
const BAR: u16 = 6;
/// The least width in columns of a pane with bars.
const WIDE: u16 = 26;
/// Columns per level.
const INDENT: usize = 2;

/// The lines of the rows, and the range of those of the selected row.
fn lines(model: &Model, width: u16) -> (Vec<Line<'static>>, std::ops::Range<usize>) {
    let mut lines = Vec::new();
    let mut selected = 0..0;
    let rows = model.visible_rows();
    let has_bars = width >= WIDE && rows.iter().any(|row| row.row.share.is_some());
    for row in rows {
        let start = lines.len();
        lines.extend(row_lines(model, &row, has_bars, width));
        if row.is_selected {
            selected = start..lines.len();
        }
    }
    (lines, selected)
}

fn row_lines(model: &Model, visible: &VisibleRow<'_>, has_bars: bool, width: u16) -> Vec<Line<'static>> {
    let row = visible.row;
    let indent = " ".repeat(INDENT * (visible.path.len() - 1));
    let sign = match (row.rows.is_empty(), visible.is_open) {
        (true, _) => "  ",
        (_, true) => "▾ ",
        (_, false) => "▸ ",
    };
    let bar = if has_bars { bar(model, row.share) } else { Vec::new() };
    let bar_width: usize = bar.iter().map(Span::width).sum();
    let value = truncate(&row.value, width / 2);
    let right = Span::raw(value.as_str()).width() + bar_width + 1;
    let head = format!("{indent}{sign}{}", row.label);
    let room = usize::from(width).saturating_sub(right);
    let head = truncate(&head, to_cells(room));
    let gap = " ".repeat((room + 1).saturating_sub(Span::raw(head.as_str()).width()));
    let (label, number) = match (visible.is_selected, row.rows.is_empty()) {
        (true, _) => (StyleRole::Selection, StyleRole::Selection),
        (false, true) => (StyleRole::Dim, StyleRole::Text),
        (false, false) => (StyleRole::Text, StyleRole::Text),
    };
    // A selected row is found without colour too.
    let mark = if visible.is_selected { Modifier::BOLD } else { Modifier::empty() };
    let styled = |text: String, role| Span::styled(text, model.style(role).add_modifier(mark));
    let spans = [styled(head, label), styled(gap, label), styled(value, number)];
    let mut lines = vec![Line::from(spans.into_iter().chain(bar).collect::<Vec<_>>())];
    lines.extend(note(model, visible, &indent, width));
    lines
}

/// What a value follows from, below its row.
fn note(model: &Model, visible: &VisibleRow<'_>, indent: &str, width: u16) -> Vec<Line<'static>> {
    let gutter = Span::raw(format!("{indent}    "));
    if visible.row.note.is_empty() {
        return Vec::new();
    }
    wrap(&visible.row.note, width, &gutter, model.style(StyleRole::Dim))
}

/// The bar of a share; blank for a row without one.
fn bar(model: &Model, share: Option<f64>) -> Vec<Span<'static>> {
    let Some(share) = share else { return vec![Span::raw(" ".repeat(usize::from(BAR) + 1))] };
    let filled =
        (1..=BAR).filter(|cell| f64::from(*cell) <= share.clamp(0.0, 1.0) * f64::from(BAR) + 0.5).count();
    vec![
        Span::raw(" "),
        Span::styled("━".repeat(filled), model.style(StyleRole::Bar)),
        Span::styled("╌".repeat(usize::from(BAR) - filled), model.style(StyleRole::BarEmpty)),
    ]
}

/// The number of lines that the rows need in this width.
pub(super) fn height(model: &Model, width: u16) -> usize {
    lines(model, width).0.len()
}

/// Draws the rows around the selected one.
pub(super) fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let (lines, selected) = lines(model, area.width);
    let height = usize::from(area.height);
    let most = lines.len().saturating_sub(height);
    // The whole selected row, and from its beginning on if it is taller than the pane.
    let from = selected.end.saturating_sub(height).max(selected.start.saturating_sub(height / 2));
    let from = from.min(selected.start).min(most);
    let shown: Vec<_> = lines.iter().skip(from).take(height).cloned().collect();
    Text::from(shown).render(area, buf);
    super::draw_scroll_marks(model, area.right(), from > 0, from < most, area, buf);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use mageyard_domain::ScoreRow;

    #[test]
    fn what_a_value_follows_from_is_never_cut() {
        let model = testing::model(120, 40);
        let note =
            "the button is 12 px further to the left than the one that was wanted, which costs its position";
        let row = ScoreRow::new("position", "61").with_note(note);
        for is_selected in [false, true] {
            let visible = VisibleRow { path: vec![0], row: &row, is_open: false, is_selected };
            let lines = row_lines(&model, &visible, false, 24);
            let shown: Vec<String> =
                lines.iter().skip(1).map(|line| line.to_string().trim().to_owned()).collect();
            assert_eq!(shown.join(" "), note);
        }
    }
}
