//! The copy menu: what can be taken out of the step looked at, and where it goes.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use crate::engine::StepExport;
use crate::tui::format::to_cells;
use crate::tui::model::CopyDestination;
use crate::tui::model::CopyMenu;
use crate::tui::model::Model;
use crate::tui::theme::StyleRole;
use crate::tui::wrap::wrap;

/// Columns of number and name.
const NAME_WIDTH: usize = 12;

pub(super) fn draw(model: &Model, copying: &CopyMenu, whole: Rect, buf: &mut Buffer) {
    let width = 76.min(whole.width.saturating_sub(4));
    let lines = lines(model, copying, width.saturating_sub(4));
    let place = super::centered_area(whole, width, to_cells(lines.len()).saturating_add(2));
    let title = match copying.destination {
        CopyDestination::Clipboard => "Copy to the clipboard",
        CopyDestination::File => "Save into the session's folder",
    };
    let foot = match copying.destination {
        CopyDestination::Clipboard => "a number copies · w into a file instead · Esc closes",
        CopyDestination::File => "a number saves · w to the clipboard instead · Esc closes",
    };
    let inner = super::draw_border(model, title, foot, StyleRole::BorderFocus, place, buf);
    Text::from(lines).render(inner, buf);
}

fn lines(model: &Model, copying: &CopyMenu, width: u16) -> Vec<Line<'static>> {
    let mut lines: Vec<_> = (1..)
        .zip(StepExport::ALL)
        .map(|(number, extract)| {
            Line::from(vec![
                Span::styled(format!("{number} "), model.style(StyleRole::Key)),
                Span::styled(format!("{:<NAME_WIDTH$}", extract.name()), model.style(StyleRole::Text)),
                Span::styled(extract.summary(), model.style(StyleRole::Dim)),
            ])
        })
        .collect();
    let quiet = |words: &str| wrap(words, width, &Span::raw(""), model.style(StyleRole::Dim));
    lines.push(Line::default());
    lines.extend(quiet(destination_note(model, copying.destination)));
    if let Some(said) = &copying.message {
        lines.push(Line::default());
        lines.extend(wrap(
            said,
            width,
            &Span::styled("→ ", model.style(StyleRole::Key)),
            model.style(StyleRole::Text),
        ));
    }
    lines
}

fn destination_note(model: &Model, to: CopyDestination) -> &'static str {
    match to {
        CopyDestination::Clipboard if model.appearance.settings.tmux => {
            "The terminal is asked to take it (OSC 52) and never says whether it did; tmux lets it through with set-clipboard on or allow-passthrough on."
        }
        CopyDestination::Clipboard => {
            "The terminal is asked to take it (OSC 52) and never says whether it did."
        }
        CopyDestination::File => "Nothing that is there is written over.",
    }
}
