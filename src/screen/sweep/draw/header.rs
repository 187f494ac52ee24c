//! The rows above the content: counts by state, progress, a pause, what was spent, and what the servers allow.

use std::time::Duration;

use unicode_width::UnicodeWidthStr;

use super::limits;
use super::pen::Pen;
use crate::sweep::view::{CellPhase, SweepView};
use mageyard_terminal::{StyleRole, count_of};

/// Draws the rows; returns the number of them.
pub(super) fn draw(view: &SweepView, pen: &mut Pen<'_>) -> u16 {
    draw_counts(view, pen);
    draw_progress(view, pen);
    let mut rows = 2;
    for line in &view.control {
        pen.put((1, rows), line, StyleRole::Notice);
        rows += 1;
    }
    if !view.limits.is_empty() {
        limits::draw(&view.limits, pen, rows);
        rows += 1;
    }
    for (text, role) in [(&view.spent, StyleRole::Text), (&view.servers, StyleRole::Dim)] {
        if !text.is_empty() {
            pen.put((1, rows), text, role);
            rows += 1;
        }
    }
    rows
}

fn draw_counts(view: &SweepView, pen: &mut Pen<'_>) {
    let mut column = pen.put((1, 0), &view.name, StyleRole::TitleFocus);
    column = pen.put((column, 0), &format!("  {}", count_of(view.cells.len(), "cell")), StyleRole::Text);
    for state in CellPhase::ALL {
        let count = view.count(state);
        if count > 0 {
            let text = format!("  {} {count} {}", state.sign(), state.name());
            column = pen.put((column, 0), &text, state.role());
        }
    }
}

fn draw_progress(view: &SweepView, pen: &mut Pen<'_>) {
    let (finished, planned) = view.episodes();
    let rate = view.rate.map_or(String::new(), |rate| format!("  {rate:.1}/min"));
    let left = view.left.map_or(String::new(), |left| format!("  {} left", duration(left)));
    let text = format!(" {finished} of {planned} episodes{rate}{left}");
    let text_width = u16::try_from(text.width()).unwrap_or(u16::MAX);
    let width = pen.area.width.saturating_sub(text_width + 2).clamp(10, 40);
    let share = (usize::from(width) * finished).checked_div(planned).unwrap_or(0);
    let full = u16::try_from(share).unwrap_or(width).min(width);
    let column = pen.put((1, 1), &"█".repeat(usize::from(full)), StyleRole::Bar);
    let column = pen.put((column, 1), &"░".repeat(usize::from(width - full)), StyleRole::BarEmpty);
    pen.put((column, 1), &text, StyleRole::Text);
}

/// A time in its two largest units.
fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..172_800 => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{} days", seconds / 86_400),
    }
}
