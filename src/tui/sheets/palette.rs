//! The palette: every command by name, then its argument, with completion.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;
use unicode_segmentation::UnicodeSegmentation;

use crate::domain::visible;
use crate::tui::command::Argument;
use crate::tui::command::named;
use crate::tui::figures::cells;
use crate::tui::model::Model;
use crate::tui::model::Offer;
use crate::tui::model::Palette;
use crate::tui::offers::offers;
use crate::tui::theme::Role;
use crate::tui::wrap::clip;

/// Rows shown at a time.
const ROWS: usize = 12;

pub(super) fn draw(model: &Model, palette: &Palette, whole: Rect, buf: &mut Buffer) {
    let offers = offers(model, palette);
    let rows = cells(offers.len().clamp(1, ROWS));
    let width = 84.min(whole.width.saturating_sub(4));
    let height = (rows + 4).min(whole.height.saturating_sub(2));
    let place =
        Rect { x: whole.x + (whole.width - width) / 2, y: whole.y + whole.height.min(5) / 3, width, height };
    let foot = "Tab completes · ↑ ↓ choose · Enter does · Esc closes";
    let inner = super::open(model, "Commands", foot, Role::BorderFocus, place, buf);
    let mut lines = vec![prompt(model, palette, inner.width), Line::default()];
    lines.extend(list(model, palette, &offers, usize::from(inner.height.saturating_sub(2)), inner.width));
    Text::from(lines).render(inner, buf);
}

/// The input, its end in sight, and a block where the next letter will stand.
fn prompt(model: &Model, palette: &Palette, width: u16) -> Line<'static> {
    let shown = visible(palette.input()).into_owned();
    let room = usize::from(width.saturating_sub(2));
    let mut rest = shown.as_str();
    while Span::raw(rest).width() > room {
        rest = rest.grapheme_indices(true).nth(1).map_or("", |(at, _)| &rest[at..]);
    }
    Line::from(vec![
        Span::styled(":", model.style(Role::Key)),
        Span::styled(rest.to_owned(), model.style(Role::Text)),
        Span::styled("█", model.style(Role::Key)),
    ])
}

fn list(model: &Model, palette: &Palette, offers: &[Offer], room: usize, width: u16) -> Vec<Line<'static>> {
    if offers.is_empty() {
        return vec![Line::styled(nothing(palette), model.style(Role::Dim))];
    }
    let from = palette.chosen().saturating_sub(room.saturating_sub(1));
    let shown = offers.iter().enumerate().skip(from).take(room);
    shown.map(|(index, offer)| row(model, offer, index == palette.chosen(), width)).collect()
}

fn nothing(palette: &Palette) -> &'static str {
    let word = palette.input().split(' ').next().unwrap_or_default();
    match named(word).map(|command| command.argument) {
        Some(Argument::Step) => "the number of a step",
        Some(Argument::None) => "no argument is wanted",
        Some(_) => "nothing known by this name; Enter tries it all the same",
        None if word.parse::<u32>().is_ok() => "Enter looks at this step",
        None => "no such command",
    }
}

fn row(model: &Model, offer: &Offer, chosen: bool, width: u16) -> Line<'static> {
    let base = model.style(if chosen { Role::Selection } else { Role::Text });
    let mut spans = vec![Span::styled(if chosen { "▸ " } else { "  " }, model.style(Role::Key))];
    let (name, name_room) = (clip(&offer.shown, width.saturating_sub(2)), 18);
    for (at, letter) in (0u32..).zip(name.chars()) {
        let hit = offer.matched.binary_search(&at).is_ok();
        spans.push(Span::styled(
            letter.to_string(),
            if hit { base.patch(model.style(Role::Match)) } else { base },
        ));
    }
    let used = Span::raw(name.as_str()).width();
    if !offer.help.is_empty() {
        spans.push(Span::raw(" ".repeat(name_room - used.min(name_room - 1))));
        let room = width.saturating_sub(cells(name_room.max(used + 1) + 2));
        spans.push(Span::styled(clip(&offer.help, room), model.style(Role::Dim)));
    }
    Line::from(spans)
}
