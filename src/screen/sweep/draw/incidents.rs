//! Failures, parked cells and retries by class with the newest reason, and the errors of episodes.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::Span;

use super::pen::Pen;
use crate::sweep::activity::Incident;
use crate::sweep::view::SweepView;
use mageyard_terminal::{StyleRole, wrap};

/// The most rows of a reason.
const REASON_ROWS: usize = 2;

/// Draws as many lines as fit; returns the number of rows.
pub(super) fn draw(view: &SweepView, pen: &mut Pen<'_>, rows: Range<u16>) -> u16 {
    let mut lines = vec![("Failures and retries".to_owned(), StyleRole::Title)];
    if view.incidents.is_empty() {
        lines.push(("none".to_owned(), StyleRole::Dim));
    }
    let width = pen.area.width.saturating_sub(1);
    lines.extend(view.incidents.iter().flat_map(|incident| incident_lines(incident, width)));
    let errors = wrap(&errors(view), width, &Span::raw(""), Style::default());
    lines.extend(errors.iter().map(|line| (line.to_string(), StyleRole::Dim)));
    let drawn = rows.clone().zip(&lines).map(|(row, (text, role))| pen.put((1, row), text, *role)).count();
    u16::try_from(drawn).unwrap_or_default()
}

fn incident_lines(incident: &Incident, width: u16) -> Vec<(String, StyleRole)> {
    let Incident { kind, class, count, newest } = incident;
    let class = if class.is_empty() { String::new() } else { format!(": {class}") };
    let title = (format!("{} {count} {}{class}", kind.sign(), kind.name()), kind.role());
    let mut reason: Vec<String> = wrap(newest, width.saturating_sub(2), &Span::raw(""), Style::default())
        .iter()
        .map(|line| format!("  {line}"))
        .collect();
    if reason.len() > REASON_ROWS {
        reason.truncate(REASON_ROWS);
        if let Some(last) = reason.last_mut() {
            last.push('…');
        }
    }
    std::iter::once(title).chain(reason.into_iter().map(|line| (line, StyleRole::Text))).collect()
}

/// The errors of all finished episodes.
fn errors(view: &SweepView) -> String {
    let errors = view.errors();
    if errors.is_empty() {
        return "no errors in finished episodes".to_owned();
    }
    let counts: Vec<String> = errors.iter().map(|(name, count)| format!("{name} {count}")).collect();
    format!("errors: {}", counts.join(", "))
}
