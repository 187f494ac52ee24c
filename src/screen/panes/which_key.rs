//! What may follow the keys so far: after a count the commands that take it, after the first key of a sequence the second
//! ones. It takes no keys, and typing goes on at once.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Clear, Widget};

use crate::command::{Command, ScreenView, commands_in};
use crate::keymap::key_name;
use crate::model::Model;
use mageyard_terminal::{StyleRole, to_cells};

/// The most rows above the status.
const MAX_ROWS: usize = 6;
/// The most digits of a count.
const MAX_DIGITS: usize = 4;

/// The line in place of the hints; `None` before any such key.
pub(super) fn line(model: &Model, width: u16) -> Option<Line<'static>> {
    let mut rows = rows(model, width)?;
    Some(if rows.len() > 1 { Line::from(begun(model)) } else { rows.swap_remove(0) })
}

/// Draws what does not fit into the line, above the status.
pub(crate) fn draw(model: &Model, status: Rect, buf: &mut Buffer) {
    let Some(mut rows) = rows(model, status.width).filter(|rows| rows.len() > 1) else { return };
    // The line in place of the hints has the keys so far.
    rows[0].spans.remove(0);
    let height = to_cells(rows.len().min(MAX_ROWS)).min(status.y);
    let area = Rect { y: status.y - height, height, ..status };
    Clear.render(area, buf);
    buf.set_style(area, model.style(StyleRole::Text).patch(model.style(StyleRole::Background)));
    Text::from(rows).render(area, buf);
}

/// The keys so far, such as ` 12 …`.
fn begun(model: &Model) -> Vec<Span<'static>> {
    // Padded, so that another digit moves nothing that would be sent again.
    let width = if model.typed.prefix.is_none() { MAX_DIGITS } else { 0 };
    let count = model.typed.count.map(|count| format!("{count:<width$}")).unwrap_or_default();
    let prefix = model.typed.prefix.map(key_name).unwrap_or_default();
    let gap = if count.is_empty() || prefix.is_empty() { "" } else { " " };
    vec![Span::styled(format!(" {count}{gap}{prefix} … "), model.style(StyleRole::Key))]
}

/// The keys so far and what may follow: one row after a count, as many as are needed within a sequence.
fn rows(model: &Model, width: u16) -> Option<Vec<Line<'static>>> {
    let pairs: Vec<(String, &'static str)> = match (model.typed.prefix, model.typed.count) {
        (Some(prefix), _) => {
            let following = model.appearance.keys.screen().following(prefix);
            following
                .map(|(key, id)| (key, id.command().name))
                .chain([("Esc".to_owned(), "cancel")])
                .collect()
        }
        (None, Some(_)) => counted(model),
        (None, None) => return None,
    };
    let mut rows = vec![Line::from(begun(model))];
    for (key, name) in pairs {
        let pair = [
            Span::styled(format!(" {key}"), model.style(StyleRole::Key)),
            Span::styled(format!(" {name} "), model.style(StyleRole::Dim)),
        ];
        let last = rows.last_mut()?;
        let fits = last.width() + pair.iter().map(Span::width).sum::<usize>() <= usize::from(width);
        match (fits, model.typed.prefix) {
            (true, _) => last.spans.extend(pair),
            (false, Some(_)) => rows.push(Line::from(pair.to_vec())),
            (false, None) => break,
        }
    }
    Some(rows)
}

/// The commands that take a count, with those of the focused pane first.
fn counted(model: &Model) -> Vec<(String, &'static str)> {
    let is_here = |row: &&Command| row.panes.contains(&model.panes.focus);
    let counted = || commands_in(ScreenView::Episode).filter(|row| row.takes_count());
    let ordered = counted().filter(is_here).chain(counted().filter(|row| !is_here(row)));
    let pair = |row: &'static Command| Some((model.key(row.id)?, row.name));
    ordered.filter_map(pair).collect()
}
