//! The list of prompt variants, each with the number that selects it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use crate::model::Model;
use mageyard_dialog::{Prompt, PromptImages};
use mageyard_terminal::{StyleRole, to_cells, truncate, wrap};

/// Columns of the names.
const NAME_WIDTH: usize = 16;

pub(super) fn draw(model: &Model, whole: Rect, buf: &mut Buffer) {
    let Some(viewed) = model.episode() else { return };
    let width = 76.min(whole.width.saturating_sub(4));
    let prompts = viewed.snapshot.requests.prompts.iter().enumerate();
    let rows = prompts.flat_map(|(index, prompt)| {
        let now = prompt.name == viewed.prompt();
        row(model, index + 1, prompt, now, width.saturating_sub(4))
    });
    let lines: Vec<_> = rows.collect();
    let place = super::centered_area(whole, width, to_cells(lines.len()).saturating_add(2));
    let foot = "a number selects · Esc closes";
    let inner =
        super::draw_border(model, "Prompt for the next request", foot, StyleRole::BorderFocus, place, buf);
    Text::from(lines).render(inner, buf);
}

/// A prompt variant: the number, the name, a mark for the current one, and the summary.
fn row(model: &Model, number: usize, prompt: &Prompt, now: bool, width: u16) -> Vec<Line<'static>> {
    // Only the first nine have a key; the others are selected with `:prompt NAME`.
    let number = if number < 10 { number.to_string() } else { "·".into() };
    let mark = if now { "●" } else { " " };
    let room = to_cells(NAME_WIDTH);
    let name = truncate(&prompt.name, room);
    let gap = " ".repeat((NAME_WIDTH + 1).saturating_sub(Span::raw(&name).width()));
    let images = match prompt.images {
        PromptImages::All => "",
        PromptImages::Task => " (images of the task only)",
        PromptImages::None => " (no images)",
    };
    let gutter = Span::raw(" ".repeat(NAME_WIDTH + 5));
    let mut lines = wrap(&format!("{}{images}", prompt.summary), width, &gutter, model.style(StyleRole::Dim));
    if let Some(first) = lines.first_mut() {
        let style = model.style(if now { StyleRole::TitleFocus } else { StyleRole::Text });
        first.spans.splice(
            0..1,
            [
                Span::styled(format!("{mark} {number} "), model.style(StyleRole::Key)),
                Span::styled(name, style),
                Span::raw(gap),
            ],
        );
    }
    lines
}
