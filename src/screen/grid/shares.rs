//! The answers with their shares: a bar for each variant that gave one.

use std::ops::Range;

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::cells::variant_style;
use super::marks::direction;
use super::sheet::AskGrid;
use crate::model::Model;
use mageyard_domain::sanitize;
use mageyard_study::{AnswerBar, StudyRow};
use mageyard_terminal::{StyleRole, to_cells, truncate};

/// The columns of a bar.
const BAR: Range<u16> = 4..20;
/// The columns beside a bar: the number of its variant, and its share with the interval.
const BESIDE: u16 = 20;

/// The answers of all variants, the most frequent first; what cannot be read is the last.
pub(super) fn answers(grid: &AskGrid) -> Vec<String> {
    let mut sums: Vec<(String, f64, bool)> = Vec::new();
    for bar in grid.view.rows.iter().flat_map(|row| &row.answers) {
        match sums.iter_mut().find(|(answer, ..)| *answer == bar.answer) {
            Some((_, sum, _)) => *sum += bar.share[0],
            None => sums.push((bar.answer.clone(), bar.share[0], bar.answer == UNREADABLE)),
        }
    }
    sums.sort_by(|one, other| one.2.cmp(&other.2).then(other.1.total_cmp(&one.1)));
    sums.into_iter().map(|(answer, ..)| answer).collect()
}

/// What stands in for an action where a reply cannot be read.
pub(super) const UNREADABLE: &str = "unreadable";

/// The variants that gave an answer, with its bar.
pub(super) fn bars<'a>(
    grid: &'a AskGrid,
    answer: &'a str,
) -> impl Iterator<Item = (&'a StudyRow, &'a AnswerBar)> {
    grid.view
        .rows
        .iter()
        .filter_map(move |row| row.answers.iter().find(|bar| bar.answer == answer).map(|bar| (row, bar)))
}

/// The answers with their bars in so many columns and lines; a last line says how many are left out.
pub(super) fn share_lines(model: &Model, grid: &AskGrid, width: u16, height: u16) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for answer in answers(grid) {
        lines.push(answer_line(model, grid, &answer, width));
        lines.extend(bars(grid, &answer).map(|(row, bar)| bar_line(model, row, bar, width)));
    }
    let height = usize::from(height);
    if lines.len() > height && height > 0 {
        let left = lines.len() - height + 1;
        lines.truncate(height - 1);
        let words = truncate(&format!("… {left} more: t"), width);
        lines.push(Line::styled(words, model.style(StyleRole::Dim)));
    }
    lines
}

/// An answer with its direction, if it has one, and what it is.
fn answer_line(model: &Model, grid: &AskGrid, answer: &str, width: u16) -> Line<'static> {
    let notes = bars(grid, answer).find(|(_, bar)| !bar.notes.is_empty()).map(|(_, bar)| bar.notes.clone());
    let way = direction(&grid.shapes(answer)).map_or_else(String::new, |way| format!("{way} "));
    let name = truncate(&sanitize(&format!("{way}{answer}")), width);
    let notes = notes.map_or_else(String::new, |notes| format!("  {notes}"));
    let notes = truncate(&sanitize(&notes), width.saturating_sub(to_cells(name.width())));
    let role = if answer == UNREADABLE { StyleRole::MarkUnread } else { StyleRole::Action };
    Line::from(vec![Span::styled(name, model.style(role)), Span::styled(notes, model.style(StyleRole::Dim))])
}

/// The bar of a variant: solid to the low end of the interval, lighter to the share, and a line to the high end.
fn bar_line(model: &Model, row: &StudyRow, bar: &AnswerBar, width: u16) -> Line<'static> {
    let columns = width.saturating_sub(BESIDE).clamp(BAR.start, BAR.end);
    let style = variant_style(model, row.number);
    let [full, rest] = bar_text(bar.share, columns);
    let words = format!(" {}", bar.words);
    Line::from(vec![
        Span::styled(format!("{:>2} ", row.number), style),
        Span::styled(full, style),
        Span::styled(rest, model.style(StyleRole::BarEmpty)),
        Span::styled(
            truncate(&sanitize(&words), width.saturating_sub(columns + 3)),
            model.style(StyleRole::Text),
        ),
    ])
}

/// A bar in so many columns: what is full of it, and the rest.
pub(super) fn bar_text([share, low, high]: [f64; 3], width: u16) -> [String; 2] {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to the columns of a bar"
    )]
    let columns = |share: f64| (share.clamp(0.0, 1.0) * f64::from(width)).round() as usize;
    let low = columns(low);
    let full = columns(share);
    let high = columns(high);
    let sure = "█".repeat(low.min(full));
    let line = "╌".repeat(high.saturating_sub(full));
    let end = " ".repeat(usize::from(width).saturating_sub(high.max(full)));
    [format!("{sure}{}", "▓".repeat(full.saturating_sub(low))), format!("{line}{end}")]
}
