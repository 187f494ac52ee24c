//! The command palette: commands by name, then their argument, with completion.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::command::{Argument, called, find_command, find_family};
use crate::completions::completions;
use crate::model::{Completion, Model, Palette};
use mageyard_domain::sanitize;
use mageyard_engine::{Breakpoints, Condition};
use mageyard_terminal::{StyleRole, to_cells, truncate, wrap};

/// Columns of the names, and of the keys after them.
const NAME_WIDTH: usize = 18;
const KEYS_WIDTH: usize = 12;
/// The most rows shown at a time.
const MAX_ROWS: usize = 16;

pub(super) fn draw(model: &Model, palette: &Palette, whole: Rect, buf: &mut Buffer) {
    let offers = completions(model, palette);
    let rows = to_cells(offers.len().clamp(1, MAX_ROWS));
    let area = super::centered_area(whole, 80, whole.height);
    let width = area.width;
    let height = (rows + 4).min(whole.height.saturating_sub(2));
    let place = Rect { x: area.x, y: whole.y + whole.height.min(5) / 3, width, height };
    let foot = "Tab completes · ↑ ↓ select · Enter runs · Esc closes";
    let inner = super::draw_border(model, "Commands", foot, StyleRole::BorderFocus, place, buf);
    let mut lines = vec![input_line(model, palette, inner.width), caret_line(model, palette, inner.width)];
    lines.extend(offer_lines(
        model,
        palette,
        &offers,
        usize::from(inner.height.saturating_sub(2)),
        inner.width,
    ));
    Text::from(lines).render(inner, buf);
}

/// A caret under a mistake in a condition, if the whole input is visible. A condition that is not complete yet has none.
fn caret_line(model: &Model, palette: &Palette, width: u16) -> Line<'static> {
    let input = palette.input();
    let Some((command, text)) = called(input) else { return Line::default() };
    let start = input.len() - input.trim_end().len();
    let begin = input.len() - start - text.len();
    let written = || text.parse::<Breakpoints>().err().map(|error| error.span);
    let condition = || text.parse::<Condition>().err().map(|error| error.span);
    let place = match command.argument {
        Argument::Breaks => palette.refused_place().or_else(written),
        Argument::Condition if !text.is_empty() => condition(),
        _ => None,
    };
    let Some((place, before)) = place.and_then(|place| {
        let before = input.get(..begin + place.start)?;
        Some((place, before))
    }) else {
        return Line::default();
    };
    let is_typing = !palette.is_refused() && place.end >= text.len();
    let from = Span::raw(sanitize(before)).width();
    let wide = text.get(place).map_or(0, |place| Span::raw(sanitize(place)).width()).max(1);
    if is_typing || Span::raw(sanitize(input)).width() > usize::from(width.saturating_sub(2)) {
        return Line::default();
    }
    let caret = Span::styled("^".repeat(wide), model.style(StyleRole::Fault));
    Line::from(vec![Span::raw(" ".repeat(from + 1)), caret])
}

/// The end of the input, with a block as the cursor.
fn input_line(model: &Model, palette: &Palette, width: u16) -> Line<'static> {
    let shown = sanitize(palette.input()).into_owned();
    let room = usize::from(width.saturating_sub(2));
    let mut rest = shown.as_str();
    while Span::raw(rest).width() > room {
        rest = rest.grapheme_indices(true).nth(1).map_or("", |(at, _)| &rest[at..]);
    }
    Line::from(vec![
        Span::styled(":", model.style(StyleRole::Key)),
        Span::styled(rest.to_owned(), model.style(StyleRole::Text)),
        Span::styled("█", model.style(StyleRole::Key)),
    ])
}

fn offer_lines(
    model: &Model,
    palette: &Palette,
    offers: &[Completion],
    room: usize,
    width: u16,
) -> Vec<Line<'static>> {
    if offers.is_empty() {
        let text = action_text(model, palette).unwrap_or_else(|| empty_list_text(palette).to_owned());
        return wrap(&text, width, &Span::raw(""), model.style(StyleRole::Dim));
    }
    let from = palette.selected().saturating_sub(room.saturating_sub(1));
    let shown = offers.iter().enumerate().skip(from).take(room);
    shown.map(|(index, offer)| offer_line(model, offer, index == palette.selected(), width)).collect()
}

/// What Enter does with the line of an action, or why it is not one that can be played.
fn action_text(model: &Model, palette: &Palette) -> Option<String> {
    let line = palette.input().trim();
    let line = line.strip_prefix("act ").unwrap_or(line);
    let viewed = model.episode().filter(|viewed| viewed.names_action(line))?;
    let space = &viewed.snapshot.steps.last()?.space;
    Some(match space.parse_line(line) {
        Ok(action) => format!("Enter plays {action}"),
        Err(_) if space.parse_incomplete_line(line).is_some() => {
            "Enter opens a form for the missing arguments".to_owned()
        }
        Err(error) => error.to_string(),
    })
}

fn empty_list_text(palette: &Palette) -> &'static str {
    let word = palette.input().split(' ').next().unwrap_or_default();
    match called(palette.input()).map(|(command, _)| command.argument) {
        Some(Argument::Step) => "enter a step number",
        Some(Argument::None) => "takes no argument",
        Some(_) => "no match; Enter tries it anyway",
        None if word.parse::<u32>().is_ok() => "Enter shows this step",
        None => "no such command",
    }
}

fn offer_line(model: &Model, offer: &Completion, chosen: bool, width: u16) -> Line<'static> {
    let base = model.style(if chosen { StyleRole::Selection } else { StyleRole::Text });
    let mut spans = vec![Span::styled(if chosen { "▸ " } else { "  " }, model.style(StyleRole::Key))];
    let name = truncate(&offer.label, width.saturating_sub(2));
    for (at, letter) in (0u32..).zip(name.chars()) {
        let hit = offer.matched.binary_search(&at).is_ok();
        spans.push(Span::styled(
            letter.to_string(),
            if hit { base.patch(model.style(StyleRole::Match)) } else { base },
        ));
    }
    let mut line = Line::from(spans);
    if !offer.keys.is_empty() {
        pad(&mut line, NAME_WIDTH + 2);
        line.spans.push(Span::styled(offer.keys.clone(), model.style(StyleRole::Key)));
    }
    if !offer.help.is_empty() {
        let is_command = find_command(&offer.label).is_some() || find_family(&offer.label).is_some();
        pad(&mut line, if is_command { NAME_WIDTH + KEYS_WIDTH + 2 } else { NAME_WIDTH + 2 });
        let room = width.saturating_sub(to_cells(line.width()));
        // Of a command the group follows after a gap. It is shown in full or not.
        let is_long = to_cells(offer.help.width()) > room;
        let brief = offer.help.split("  ").next().filter(|_| is_command && is_long);
        let help = truncate(brief.unwrap_or(&offer.help), room);
        line.spans.push(Span::styled(help, model.style(StyleRole::Dim)));
    }
    line
}

/// Fills a line up to a column; what is longer is followed by a blank.
fn pad(line: &mut Line<'static>, column: usize) {
    line.spans.push(Span::raw(" ".repeat(column.saturating_sub(line.width()).max(1))));
}
