//! The tree of branches: each with its rewards as a line, how it ended, and what it changed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use crate::empty::{self, Empty};
use crate::model::{BranchTree, Model};
use crate::requests::BranchRow;
use mageyard_domain::sanitize;
use mageyard_terminal::{StyleRole, to_cells, truncate};

/// The columns of the dialog with its border, at most.
const MAX_WIDTH: u16 = 116;
/// The columns of the line of rewards.
const CURVE: usize = 12;
/// Rows of a branch: its line, and its notes.
const ROWS: usize = 2;

pub(super) fn draw(model: &Model, tree: &BranchTree, whole: Rect, buf: &mut Buffer) {
    let count = to_cells(tree.rows().len().max(1) * ROWS + usize::from(is_alone(tree)));
    let place = super::centered_area(whole, MAX_WIDTH, count.saturating_add(2));
    let foot = "↑ ↓ select · Enter opens or continues · d compares · Esc closes";
    let inner = super::draw_border(model, "Branches", foot, StyleRole::BorderFocus, place, buf);
    Text::from(lines(model, tree, inner)).render(inner, buf);
}

fn lines(model: &Model, tree: &BranchTree, inner: Rect) -> Vec<Line<'static>> {
    let say = |text: &str, role| vec![Line::styled(truncate(text, inner.width), model.style(role))];
    match &tree.rows {
        None => return say("reading the branches …", StyleRole::Dim),
        Some(Err(problem)) => return say(&format!("! {}", sanitize(&problem.to_string())), StyleRole::Fault),
        Some(Ok(_)) => {}
    }
    let room = usize::from(inner.height) / ROWS;
    let selected = tree.selected();
    let from = selected.saturating_sub(room.saturating_sub(1));
    let widest = tree.rows().iter().map(|row| name(row).width()).max().unwrap_or(0);
    let shown = tree.rows().iter().enumerate().skip(from).take(room.max(1));
    let rows = shown.flat_map(|(index, row)| row_lines(model, row, index == selected, widest, inner.width));
    let alone = is_alone(tree).then(|| empty::lines(model, Empty::Branches, inner.width));
    rows.chain(alone.into_iter().flatten()).collect()
}

/// Whether the episode has no branch.
fn is_alone(tree: &BranchTree) -> bool {
    tree.rows.as_ref().is_some_and(|rows| rows.as_ref().is_ok_and(|rows| rows.len() <= 1))
}

fn row_lines(
    model: &Model,
    row: &BranchRow,
    selected: bool,
    widest: usize,
    width: u16,
) -> [Line<'static>; 2] {
    let style = model.style(if selected { StyleRole::Selection } else { StyleRole::Text });
    let open =
        model.episodes.iter().position(|viewed| viewed.snapshot.journal.as_ref() == Some(&row.journal));
    let here = if open == Some(model.current) { "● " } else { "" };
    let name = name(row);
    let gap = " ".repeat(widest.saturating_sub(name.width()) + 2);
    let sum: f64 = row.rewards.iter().fold(0.0, |sum, reward| sum + reward);
    let ending = row.ending.map_or("unfinished".to_owned(), |ending| ending.to_string());
    let facts = format!("  {here}{} {sum:+} · {ending}", steps(row.rewards.len()));
    let notes = format!("  {}{}", "  ".repeat(row.depth + 1), sanitize(&row.notes.join(" · ")));
    [
        Line::from(vec![
            Span::styled(if selected { "▸ " } else { "  " }, model.style(StyleRole::Key)),
            Span::styled(name, style),
            Span::raw(gap),
            Span::styled(curve(&row.rewards), model.style(StyleRole::Heading)),
            Span::styled(
                truncate(&facts, width.saturating_sub(to_cells(widest + 4 + CURVE))),
                model.style(StyleRole::Text),
            ),
        ]),
        Line::styled(truncate(&notes, width), model.style(StyleRole::Dim)),
    ]
}

fn steps(count: usize) -> String {
    mageyard_terminal::count_of(count, "step")
}

/// The name, moved to the right by its depth in the tree.
fn name(row: &BranchRow) -> String {
    format!("{}{}", "  ".repeat(row.depth), sanitize(&row.name))
}

/// The sum of the rewards over the steps as a line of blocks: the lowest is the smallest sum, the highest the largest.
fn curve(rewards: &[f64]) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let sums: Vec<f64> = rewards
        .iter()
        .scan(0.0, |sum, reward| {
            *sum += reward;
            Some(*sum)
        })
        .collect();
    let low = sums.iter().copied().fold(0.0, f64::min);
    let high = sums.iter().copied().fold(0.0, f64::max);
    let place = |sum: f64| {
        let share = if high > low { (sum - low) / (high - low) } else { 0.0 };
        // A share is from 0 to 1.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 7")]
        let index = (share * 7.0).round() as usize;
        BLOCKS[index.min(7)]
    };
    let columns = CURVE.min(sums.len());
    let drawn: String =
        (0..columns).map(|column| place(sums[(column + 1) * sums.len() / columns - 1])).collect();
    format!("{drawn}{}", " ".repeat(CURVE - columns))
}

/// A row as a line of words, for the linear mode.
pub(crate) fn said(row: &BranchRow) -> String {
    let sum: f64 = row.rewards.iter().fold(0.0, |sum, reward| sum + reward);
    let ending = row.ending.map_or("unfinished".to_owned(), |ending| ending.to_string());
    let facts = format!("{}, {}, sum of rewards {sum:+}, {ending}", row.name, steps(row.rewards.len()));
    std::iter::once(facts).chain(row.notes.iter().cloned()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_become_a_line_from_the_smallest_to_the_largest_sum() {
        assert_eq!(curve(&[]), " ".repeat(CURVE));
        assert_eq!(curve(&[-1.0, -1.0, 8.0]).trim_end(), "▂▁█");
        assert_eq!(curve(&[0.0, 0.0]).trim_end(), "▁▁");
        let falling: Vec<f64> = vec![-0.5; 200];
        let drawn = curve(&falling);
        assert_eq!(
            (drawn.chars().count(), drawn.chars().next(), drawn.chars().last()),
            (CURVE, Some('▇'), Some('▁'))
        );
    }
}
