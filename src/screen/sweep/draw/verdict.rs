//! The verdict: which cells differ beyond noise, and how many levels would be needed, in sentences.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use super::pen::Pen;
use crate::sweep::content::Content;
use crate::sweep::state::DashboardState;
use mageyard_terminal::StyleRole;

/// The sentences of the selected map; of a sweep without maps those of all cells.
pub(super) fn findings<'a>(content: &'a Content, state: &DashboardState) -> &'a [String] {
    content.maps().get(state.map).map_or(&content.scores.findings, |map| &map.findings)
}

/// Writes the sentences into these rows, each clause into one of its own where they do not fit side by side; returns the number
/// of rows.
pub(super) fn draw(content: &Content, state: &DashboardState, pen: &mut Pen<'_>, rows: Range<u16>) -> u16 {
    let room = usize::from(pen.area.width.saturating_sub(2));
    let most = usize::from(rows.end.saturating_sub(rows.start));
    let mut lines: Vec<String> = Vec::new();
    for finding in findings(content, state) {
        let mut line = String::new();
        for clause in finding.split_inclusive("; ") {
            if !line.is_empty() && line.width() + clause.trim_end().width() > room {
                lines.push(std::mem::take(&mut line));
            }
            line.push_str(clause);
        }
        lines.push(line);
    }
    let has_more = lines.len() > most;
    lines.truncate(most);
    if let Some(last) = lines.last_mut().filter(|_| has_more) {
        last.push('…');
    }
    for (row, line) in rows.zip(&lines) {
        pen.put((1, row), line.trim_end(), StyleRole::Text);
    }
    u16::try_from(lines.len()).unwrap_or_default()
}
