//! The copy menu: what can be copied from the step in view, and where to.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use crate::model::{CopyDestination, CopyMenu, Model};
use mageyard_engine::StepExport;
use mageyard_terminal::{CopyRoute, StyleRole, to_cells, truncate, wrap};

/// Columns of the names.
const NAME_WIDTH: usize = 12;

pub(super) fn draw(model: &Model, copying: &CopyMenu, whole: Rect, buf: &mut Buffer) {
    let width = 76.min(whole.width.saturating_sub(4));
    let text_width = super::centered_area(whole, width, 0).width.saturating_sub(4);
    let lines = lines(model, copying, text_width);
    let place = super::centered_area(whole, width, to_cells(lines.len()).saturating_add(2));
    let title = match copying.destination {
        CopyDestination::Clipboard => "Copy to the clipboard",
        CopyDestination::File => "Save to the session folder",
    };
    let foot = match copying.destination {
        CopyDestination::Clipboard => "a number copies · w saves to a file instead · Esc closes",
        CopyDestination::File if model.appearance.settings.copy_route == CopyRoute::File => {
            "a number saves · Esc closes"
        }
        CopyDestination::File => "a number saves · w copies to the clipboard instead · Esc closes",
    };
    let inner = super::draw_border(model, title, foot, StyleRole::BorderFocus, place, buf);
    Text::from(lines).render(inner, buf);
}

fn lines(model: &Model, copying: &CopyMenu, width: u16) -> Vec<Line<'static>> {
    let room = width.saturating_sub(to_cells(NAME_WIDTH + 2));
    let mut lines: Vec<_> = (1..)
        .zip(StepExport::ALL)
        .map(|(number, extract)| {
            Line::from(vec![
                Span::styled(format!("{number} "), model.style(StyleRole::Key)),
                Span::styled(format!("{:<NAME_WIDTH$}", extract.name()), model.style(StyleRole::Text)),
                Span::styled(truncate(extract.summary(), room), model.style(StyleRole::Dim)),
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
        CopyDestination::Clipboard if model.appearance.settings.copy_route == CopyRoute::Tmux => {
            "The text is sent to the terminal's clipboard (OSC 52); the terminal does not confirm it. tmux needs set-clipboard on or allow-passthrough on."
        }
        CopyDestination::Clipboard => {
            "The text is sent to the terminal's clipboard (OSC 52); the terminal does not confirm it."
        }
        CopyDestination::File if model.appearance.settings.copy_route == CopyRoute::File => {
            "Existing files are not overwritten. The setting screen.clipboard or this terminal excludes the clipboard."
        }
        CopyDestination::File => "Existing files are not overwritten.",
    }
}
