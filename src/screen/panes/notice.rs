//! Notices that do not fit into the hint line: a block above the status, so that no notice hides another.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Clear, Widget};

use crate::model::Model;
use mageyard_terminal::{StyleRole, to_cells, wrap};

/// Maximum number of rows of the block.
const MAX_ROWS: usize = 6;

/// The rows of all notices at this width, each notice on rows of its own.
fn rows(model: &Model, width: u16) -> Vec<Line<'static>> {
    let notices = model.notice.as_deref().unwrap_or_default();
    let margin = Span::raw(" ");
    notices.lines().flat_map(|notice| wrap(notice, width, &margin, model.style(StyleRole::Notice))).collect()
}

/// Whether all notices fit into one line of this width.
pub(super) fn is_short(model: &Model, width: u16) -> bool {
    rows(model, width).len() <= 1
}

/// Draws the block directly above the status, if the notices need more than the hint line.
pub(crate) fn notices(model: &Model, status: Rect, buf: &mut Buffer) {
    let mut rows = rows(model, status.width);
    if rows.len() <= 1 {
        return;
    }
    // The newest notice is the last one.
    rows.drain(..rows.len().saturating_sub(MAX_ROWS.min(status.y.into())));
    let height = to_cells(rows.len());
    let area = Rect { y: status.y - height, height, ..status };
    Clear.render(area, buf);
    buf.set_style(area, model.style(StyleRole::Text).patch(model.style(StyleRole::Background)));
    Text::from(rows).render(area, buf);
}
