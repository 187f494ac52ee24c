//! Two requests compared: turns and segments aligned, words that changed, the images that only one has, and at the foot
//! tokens, images and cost.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use super::picture_pair::halves;
use crate::layout::screen_dialog_area;
use crate::model::{ComparedRequest, Model, RequestComparison};
use mageyard_dialog::{
    DiffCounts, PartDiff, TurnDiff, parameter_line, part_name, part_text, segment_name, word_text,
};
use mageyard_domain::Picture;
use mageyard_terminal::{StyleRole, count_of, to_cells, truncate, wrap};

/// The columns of the dialog, at most.
const MAX_WIDTH: u16 = 116;
/// The rows below the text: an empty one and two with figures.
const FOOT: u16 = 3;
/// The most rows of the images, their title included.
const MOST_IMAGE_ROWS: u16 = 13;
/// The least rows that are worth an image.
const LEAST_IMAGE_ROWS: u16 = 6;

fn modal_area(whole: Rect) -> Rect {
    super::centered_area(whole, MAX_WIDTH, whole.height)
}

/// The areas of the text, of the images, and of the foot.
fn areas(diff: &RequestComparison, whole: Rect) -> [Rect; 3] {
    let place = modal_area(whole);
    let inner = Rect {
        x: place.x + 2,
        y: place.y + 1,
        width: place.width.saturating_sub(4),
        height: place.height.saturating_sub(2),
    };
    let third = (inner.height / 3).min(MOST_IMAGE_ROWS);
    let images = if diff.shown().is_some() && third >= LEAST_IMAGE_ROWS { third } else { 0 };
    Layout::vertical([Constraint::Fill(1), Constraint::Length(images), Constraint::Length(FOOT)]).areas(inner)
}

pub(super) fn draw(model: &Model, diff: &RequestComparison, whole: Rect, buf: &mut Buffer) {
    let place = modal_area(whole);
    let images = if diff.images.len() > 1 { ", . images · " } else { "" };
    let foot = format!("{images}y copy · / search · j k scroll · Esc closes");
    super::draw_border(model, "Difference of two requests", &foot, StyleRole::BorderFocus, place, buf);
    let [text, images, foot] = areas(diff, whole);
    super::draw_lines(model, lines(model, diff, text.width), diff.scroll, text, buf);
    draw_titles(model, diff, images, buf);
    Text::from(foot_lines(model, diff, foot.width)).render(foot, buf);
}

/// The titles above the images.
fn draw_titles(model: &Model, diff: &RequestComparison, area: Rect, buf: &mut Buffer) {
    let Some(change) = diff.shown().filter(|_| area.height > 0) else { return };
    let number = format!("image {} of {}", diff.shown_images + 1, diff.images.len());
    let label = change.pair.as_ref().map_or_else(String::new, |pair| format!(", {}", pair.label()));
    let words = [
        format!("- {}{number}{label}", if change.old.is_none() { "none, " } else { "" }),
        if change.new.is_none() { "+ none".to_owned() } else { format!("+ {number}") },
    ];
    let roles = [StyleRole::CodeRemoved, StyleRole::CodeAdded];
    for ((half, words), role) in halves(area).into_iter().zip(words).zip(roles) {
        buf.set_string(half.x, half.y, truncate(&words, half.width), model.style(role));
    }
}

/// The images that are shown, with their areas.
pub(super) fn pictures<'a>(
    model: &Model,
    diff: &'a RequestComparison,
    whole: Rect,
) -> Vec<(&'a Arc<Picture>, Rect)> {
    let [_, area, _] = areas(diff, whole);
    let Some(change) = diff.shown().filter(|_| area.height > 1 && model.shows_pictures()) else {
        return Vec::new();
    };
    let below = |half: Rect| Rect { y: half.y + 1, height: half.height - 1, ..half };
    let both = [change.old.as_ref(), change.new.as_ref()].into_iter().zip(halves(area));
    both.filter_map(|(picture, half)| Some((picture?, below(half)))).collect()
}

/// The largest scroll position, and the lines of a page.
pub(crate) fn extent(model: &Model, diff: &RequestComparison) -> (u16, u16) {
    let [text, ..] = areas(diff, screen_dialog_area(model));
    let lines = lines(model, diff, text.width).len();
    (to_cells(lines).saturating_sub(text.height), text.height.max(1))
}

/// All lines, as they are drawn.
pub(super) fn shown_lines(model: &Model, diff: &RequestComparison) -> Vec<Line<'static>> {
    let [text, ..] = areas(diff, screen_dialog_area(model));
    lines(model, diff, text.width)
}

/// The difference as plain text, as the verb prints it.
pub(crate) fn text(model: &Model, diff: &RequestComparison) -> String {
    let head = [format!("--- {}", diff.old.name), format!("+++ {}", diff.new.name)];
    let lines = head.into_iter().chain(diff.diff.text_lines(false)).chain(figures(model, diff));
    lines.collect::<Vec<_>>().join("\n")
}

fn lines(model: &Model, diff: &RequestComparison, width: u16) -> Vec<Line<'static>> {
    let line = |words: String, role| Line::styled(truncate(&words, width), model.style(role));
    let mut lines = vec![
        line(format!("- {}", diff.old.name), StyleRole::CodeRemoved),
        line(format!("+ {}", diff.new.name), StyleRole::CodeAdded),
    ];
    if diff.diff.is_empty() {
        lines.push(line("the requests are equal".to_owned(), StyleRole::Ok));
    }
    lines.extend(diff.diff.turns.iter().flat_map(|turn| turn_lines(model, turn, width)));
    let parameters = diff.diff.parameters.iter().map(parameter_line);
    lines.extend(
        parameters.flat_map(|words| wrap(&words, width, &Span::raw("~ "), model.style(StyleRole::Warn))),
    );
    lines
}

fn turn_lines(model: &Model, turn: &TurnDiff, width: u16) -> Vec<Line<'static>> {
    if turn.is_same() {
        let words = truncate(&format!("  {}: equal", turn.title()), width);
        return vec![Line::styled(words, model.style(StyleRole::Dim))];
    }
    let mut lines = vec![Line::default(), super::heading(model, truncate(&turn.title(), width))];
    lines.extend(turn.parts.iter().flat_map(|part| part_lines(model, part, width)));
    lines
}

fn part_lines(model: &Model, part: &PartDiff, width: u16) -> Vec<Line<'static>> {
    let whole = |sign: &'static str, text: &str, role| {
        wrap(text, width, &Span::styled(sign, model.style(role)), model.style(role))
    };
    match part {
        PartDiff::Same(part) => whole("    ", &format!("{}: equal", part_name(part)), StyleRole::Dim),
        PartDiff::Removed(part) => whole("  - ", &part_text(part), StyleRole::CodeRemoved),
        PartDiff::Added(part) => whole("  + ", &part_text(part), StyleRole::CodeAdded),
        PartDiff::Text(segment, words) => {
            let text: String = words.iter().map(word_text).collect();
            let rows = whole("  ~ ", &format!("{}: {text}", segment_name(*segment)), StyleRole::Text);
            changed_words_lines(model, rows)
        }
    }
}

/// Gives the words between the signs of a change the style of that change, also over several rows.
pub(crate) fn changed_words_lines(model: &Model, rows: Vec<Line<'static>>) -> Vec<Line<'static>> {
    let mut role = StyleRole::Text;
    let mut color = |row: Line<'static>| {
        let mut spans = Vec::new();
        for (index, span) in row.spans.into_iter().enumerate() {
            if index == 0 {
                spans.push(span);
                continue;
            }
            let mut rest = span.content.as_ref();
            while let Some((at, sign, next)) = next_sign(rest, role) {
                // The signs have the style of the words between them.
                let end = if next == StyleRole::Text { at + sign.len() } else { at };
                spans.push(Span::styled(rest[..end].to_owned(), model.style(role)));
                (role, rest) = (next, &rest[end..]);
                if next != StyleRole::Text {
                    spans.push(Span::styled(sign.to_owned(), model.style(role)));
                    rest = &rest[sign.len()..];
                }
            }
            spans.push(Span::styled(rest.to_owned(), model.style(role)));
        }
        Line::from(spans)
    };
    rows.into_iter().map(&mut color).collect()
}

/// The next sign that changes the style: its place, itself, and the style after it.
fn next_sign(text: &str, role: StyleRole) -> Option<(usize, &'static str, StyleRole)> {
    let signs: &[(&'static str, StyleRole)] = match role {
        StyleRole::CodeRemoved => &[("-]", StyleRole::Text)],
        StyleRole::CodeAdded => &[("+}", StyleRole::Text)],
        _ => &[("[-", StyleRole::CodeRemoved), ("{+", StyleRole::CodeAdded)],
    };
    let found = signs.iter().filter_map(|(sign, next)| Some((text.find(sign)?, *sign, *next)));
    found.min_by_key(|(at, ..)| *at)
}

fn foot_lines(model: &Model, diff: &RequestComparison, width: u16) -> Vec<Line<'static>> {
    let lines =
        figures(model, diff).map(|words| Line::styled(truncate(&words, width), model.style(StyleRole::Dim)));
    std::iter::once(Line::default()).chain(lines).collect()
}

/// How many turns and images differ, and what both requests cost.
fn figures(model: &Model, diff: &RequestComparison) -> [String; 2] {
    let DiffCounts { removed, added, changed } = diff.diff.counts();
    let old = &diff.old;
    let new = &diff.new;
    let tokens = |side: &ComparedRequest| match side.spent.unmetered {
        0 => format!("{} in, {} out", side.spent.usage.input, side.spent.usage.output),
        _ => "not counted".to_owned(),
    };
    let cost = |side: &ComparedRequest| model.appearance.prices.cost(side.model(), side.spent).to_string();
    [
        format!(
            "{} removed, {added} added, {changed} changed · images {} -> {}",
            count_of(removed, "turn"),
            old.sent.images,
            new.sent.images
        ),
        format!("tokens {} -> {} · cost {} -> {}", tokens(old), tokens(new), cost(old), cost(new)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_between_signs_have_their_style_also_on_the_next_row() {
        let model = crate::testing::model(80, 24);
        let row = |text: &str| Line::from(vec![Span::raw("  ~ "), Span::raw(text.to_owned())]);
        let rows = changed_words_lines(&model, vec![row("a [-b c"), row("d-]{+e+} f")]);
        let told: Vec<Vec<(String, bool, bool)>> = rows
            .iter()
            .map(|row| {
                let is = |span: &Span<'_>, role| span.style == model.style(role);
                let words = row.spans.iter().skip(1).filter(|span| !span.content.is_empty());
                words
                    .map(|span| {
                        (
                            span.content.to_string(),
                            is(span, StyleRole::CodeRemoved),
                            is(span, StyleRole::CodeAdded),
                        )
                    })
                    .collect()
            })
            .collect();
        let text = |words: &str, removed, added| (words.to_owned(), removed, added);
        assert_eq!(told[0], [text("a ", false, false), text("[-", true, false), text("b c", true, false)]);
        assert_eq!(
            told[1],
            [
                text("d-]", true, false),
                text("{+", false, true),
                text("e+}", false, true),
                text(" f", false, false)
            ]
        );
    }
}
