//! The copy menu: what can be taken out of the step looked at, and where it goes.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use crate::engine::Extract;
use crate::tui::figures::cells;
use crate::tui::model::Copying;
use crate::tui::model::Model;
use crate::tui::model::To;
use crate::tui::theme::Role;
use crate::tui::wrap::wrap;

/// Columns of number and name.
const NAME: usize = 12;

pub(super) fn draw(model: &Model, copying: &Copying, whole: Rect, buf: &mut Buffer) {
    let width = 76.min(whole.width.saturating_sub(4));
    let lines = lines(model, copying, width.saturating_sub(4));
    let place = super::middle(whole, width, cells(lines.len()).saturating_add(2));
    let title = match copying.to {
        To::Clipboard => "Copy to the clipboard",
        To::File => "Save into the session's folder",
    };
    let foot = match copying.to {
        To::Clipboard => "a number copies · w into a file instead · Esc closes",
        To::File => "a number saves · w to the clipboard instead · Esc closes",
    };
    let inner = super::open(model, title, foot, Role::BorderFocus, place, buf);
    Text::from(lines).render(inner, buf);
}

fn lines(model: &Model, copying: &Copying, width: u16) -> Vec<Line<'static>> {
    let mut lines: Vec<_> = (1..)
        .zip(Extract::ALL)
        .map(|(number, extract)| {
            Line::from(vec![
                Span::styled(format!("{number} "), model.style(Role::Key)),
                Span::styled(format!("{:<NAME$}", extract.name()), model.style(Role::Text)),
                Span::styled(extract.about(), model.style(Role::Dim)),
            ])
        })
        .collect();
    let quiet = |words: &str| wrap(words, width, &Span::raw(""), model.style(Role::Dim));
    lines.push(Line::default());
    lines.extend(quiet(about(model, copying.to)));
    if let Some(said) = &copying.said {
        lines.push(Line::default());
        lines.extend(wrap(said, width, &Span::styled("→ ", model.style(Role::Key)), model.style(Role::Text)));
    }
    lines
}

fn about(model: &Model, to: To) -> &'static str {
    match to {
        To::Clipboard if model.look.settings.tmux => {
            "The terminal is asked to take it (OSC 52) and never says whether it did; tmux lets it through with set-clipboard on or allow-passthrough on."
        }
        To::Clipboard => "The terminal is asked to take it (OSC 52) and never says whether it did.",
        To::File => "Nothing that is there is written over.",
    }
}
