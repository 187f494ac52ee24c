//! The help: the focused pane first, then every command, all from the table of commands.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use crate::tui::command::COMMANDS;
use crate::tui::command::Command;
use crate::tui::command::Group;
use crate::tui::format::to_cells;
use crate::tui::keymap::action_key_name;
use crate::tui::model::EpisodeView;
use crate::tui::model::Model;
use crate::tui::theme::StyleRole;
use crate::tui::wrap::wrap;

/// Columns of the keys.
const KEYS_WIDTH: usize = 14;

fn modal_area(whole: Rect) -> Rect {
    super::centered_area(whole, 92, whole.height)
}

pub(super) fn draw(model: &Model, scroll: u16, whole: Rect, buf: &mut Buffer) {
    let title = format!("Help: {}", model.focus.name());
    let place = modal_area(whole);
    let lines = lines(model, place.width.saturating_sub(4));
    let foot = super::scroll_footer(lines.len(), place);
    let inner = super::draw_border(model, &title, foot, StyleRole::BorderFocus, place, buf);
    super::draw_overflow_marks(model, scroll, lines.len(), inner, buf);
    let shown: Vec<_> = lines.into_iter().skip(scroll.into()).take(inner.height.into()).collect();
    Text::from(shown).render(inner, buf);
}

pub(super) fn scroll_extent(model: &Model) -> (u16, u16) {
    let place = modal_area(Rect::from((Position::ORIGIN, model.size)));
    let (width, height) = (place.width.saturating_sub(4), place.height.saturating_sub(2));
    (to_cells(lines(model, width).len()).saturating_sub(height), height.max(1))
}

/// The full help at this width.
pub(super) fn lines(model: &Model, width: u16) -> Vec<Line<'static>> {
    let mut lines = wrap(model.focus.description(), width, &Span::raw(""), model.style(StyleRole::Text));
    let here = COMMANDS.iter().filter(|row| row.panes.contains(&model.focus));
    lines.extend(section(model, "This pane", here, width));
    lines.extend(actions(model, width));
    for group in Group::ALL {
        // Commands listed above are not repeated.
        let elsewhere = |row: &&Command| row.group == group && !row.panes.contains(&model.focus);
        lines.extend(section(model, group.title(), COMMANDS.iter().filter(elsewhere), width));
    }
    lines
}

fn section(
    model: &Model,
    title: &str,
    rows: impl Iterator<Item = &'static Command>,
    width: u16,
) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default(), super::heading(model, title)];
    lines.extend(rows.flat_map(|row| entry(model, row, width)));
    lines
}

/// The actions of the newest step with their parameters.
fn actions(model: &Model, width: u16) -> Vec<Line<'static>> {
    let specs = model.episode().map_or(&[][..], EpisodeView::action_specs);
    if specs.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Line::default(), super::heading(model, "Actions (a person plays them)")];
    for spec in specs {
        let key = spec.key.as_ref().and_then(|key| action_key_name(key)).unwrap_or_else(|| ":act".into());
        lines.extend(row(model, &key, &format!("{}: {}", spec.name, spec.help), width));
        for param in &spec.params {
            let optional = if param.required { "" } else { " (optional)" };
            let words = format!("  {}: {}, {}{optional}", param.name, param.help, param.kind);
            lines.extend(row(model, "", &words, width));
        }
    }
    lines
}

/// The keys, and beside them the name of the command and what it does.
fn entry(model: &Model, command: &Command, width: u16) -> Vec<Line<'static>> {
    let keys = model.appearance.keys.keys(command.id).join(" ");
    let keys = if keys.is_empty() { format!(":{}", command.name) } else { keys };
    row(model, &keys, &format!("{}: {}", command.name, command.help), width)
}

/// A text with keys in the margin.
fn row(model: &Model, keys: &str, words: &str, width: u16) -> Vec<Line<'static>> {
    let gutter = Span::raw(" ".repeat(KEYS_WIDTH));
    let mut lines = wrap(words, width, &gutter, model.style(StyleRole::Text));
    let keys = Span::styled(format!("{keys:<KEYS_WIDTH$}"), model.style(StyleRole::Key));
    lines.iter_mut().take(1).for_each(|line| line.spans[0] = keys.clone());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::pane::Pane;
    use crate::tui::testing;

    #[test]
    fn the_help_of_every_pane_lists_every_command_once() {
        for pane in Pane::ALL {
            let mut model = testing::model(120, 40);
            model.focus = pane;
            let text: Vec<String> = lines(&model, 80).iter().map(ToString::to_string).collect();
            for row in COMMANDS {
                let entry = |line: &&String| {
                    line.chars().skip(KEYS_WIDTH).collect::<String>().starts_with(&format!("{}: ", row.name))
                };
                assert_eq!(text.iter().filter(entry).count(), 1, "{}", row.name);
            }
        }
    }
}
