//! The help: the focused pane first, then every command, all from the table of commands. The selected entry can be run.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use crate::command::{Command, CommandId, Group, ScreenView, commands_in};
use crate::keymap::{action_key_name, join_keys};
use crate::layout::screen_dialog_area;
use crate::model::{EntryMenu, EpisodeView, Model};
use mageyard_domain::ActionSpec;
use mageyard_terminal::{StyleRole, to_cells, wrap};

/// Columns of the mark of the selected entry, and of the keys.
const MARK_WIDTH: usize = 2;
const KEYS_WIDTH: usize = 14;

/// What an entry of the help runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HelpTarget {
    Command(CommandId),
    /// An action of the person at the screen.
    Action(String),
}

/// The lines of the help, and the entries that can be run with their lines.
pub(crate) struct HelpPage {
    lines: Vec<Line<'static>>,
    pub(crate) entries: Vec<(HelpTarget, Range<usize>)>,
    /// The rows that show lines.
    pub(crate) height: usize,
}

impl HelpPage {
    /// The largest scroll position, and the lines of a page.
    pub(crate) fn extent(&self) -> (u16, u16) {
        (to_cells(self.lines.len().saturating_sub(self.height)), to_cells(self.height.max(1)))
    }
}

fn modal_area(whole: Rect) -> Rect {
    super::centered_area(whole, 80, whole.height)
}

pub(super) fn draw(model: &Model, menu: EntryMenu, whole: Rect, buf: &mut Buffer) {
    let title = format!("Help: {}", model.panes.focus.name());
    let place = modal_area(whole);
    let page = Pages { model, width: place.width.saturating_sub(4), selected: menu.selected }.page(place);
    let foot = "↑ ↓ select · Enter runs · Esc closes";
    let inner = super::draw_border(model, &title, foot, StyleRole::BorderFocus, place, buf);
    super::draw_overflow_marks(model, menu.scroll, page.lines.len(), inner, buf);
    let shown: Vec<_> = page.lines.into_iter().skip(menu.scroll.into()).take(inner.height.into()).collect();
    Text::from(shown).render(inner, buf);
}

/// The help on the screen of this model.
pub(super) fn page(model: &Model) -> HelpPage {
    let place = modal_area(screen_dialog_area(model));
    Pages { model, width: place.width.saturating_sub(4), selected: usize::MAX }.page(place)
}

/// Writes the help at a width.
struct Pages<'a> {
    model: &'a Model,
    width: u16,
    selected: usize,
}

impl Pages<'_> {
    fn page(&self, place: Rect) -> HelpPage {
        let Self { model, width, .. } = *self;
        let lines =
            wrap(model.panes.focus.description(), width, &Span::raw(""), model.style(StyleRole::Text));
        let mut page = HelpPage { lines, entries: Vec::new(), height: place.height.saturating_sub(2).into() };
        self.add_section(&mut page, "This pane", |row| row.panes.contains(&model.panes.focus));
        self.add_actions(&mut page);
        for group in Group::OF_EPISODE {
            // Commands listed above are not repeated.
            let elsewhere = |row: &Command| row.group == group && !row.panes.contains(&model.panes.focus);
            self.add_section(&mut page, group.title(), elsewhere);
        }
        page
    }

    fn add_section(&self, page: &mut HelpPage, title: &str, is_in: impl Fn(&Command) -> bool) {
        page.lines.extend([Line::default(), super::heading(self.model, title)]);
        for command in commands_in(ScreenView::Episode).filter(|row| is_in(row)) {
            let keys = join_keys(&self.model.keys(command.id));
            let keys = if keys.is_empty() { format!(":{}", command.name) } else { keys };
            let words = format!("{}: {}", command.name, command.help);
            self.add_entry(page, HelpTarget::Command(command.id), &keys, &words);
        }
    }

    /// The actions of the newest step with their parameters.
    fn add_actions(&self, page: &mut HelpPage) {
        let specs = self.model.episode().map_or(&[][..], EpisodeView::action_specs);
        if specs.is_empty() {
            return;
        }
        page.lines.extend([Line::default(), super::heading(self.model, "Actions (a person plays them)")]);
        let plays = self.model.episode().is_some_and(|viewed| viewed.is_human() && !viewed.is_over());
        for spec in specs {
            self.add_action(page, spec, plays);
        }
    }

    fn add_action(&self, page: &mut HelpPage, spec: &ActionSpec, plays: bool) {
        let key = spec.key.as_ref().and_then(|key| action_key_name(key)).unwrap_or_else(|| ":act".into());
        let words = format!("{}: {}", spec.name, spec.help);
        if plays {
            self.add_entry(page, HelpTarget::Action(spec.name.clone()), &key, &words);
        } else {
            page.lines.extend(self.row(&key, &words, false));
        }
        for param in &spec.params {
            let optional = if param.required { "" } else { " (optional)" };
            let words = format!("  {}: {}, {}{optional}", param.name, param.help, param.kind);
            page.lines.extend(self.row("", &words, false));
        }
    }

    /// The keys, and beside them the name and what it does.
    fn add_entry(&self, page: &mut HelpPage, target: HelpTarget, keys: &str, words: &str) {
        let rows = self.row(keys, words, page.entries.len() == self.selected);
        page.entries.push((target, page.lines.len()..page.lines.len() + rows.len()));
        page.lines.extend(rows);
    }

    /// A text with keys in the margin.
    fn row(&self, keys: &str, words: &str, selected: bool) -> Vec<Line<'static>> {
        let gutter = Span::raw(" ".repeat(MARK_WIDTH + KEYS_WIDTH));
        let role = if selected { StyleRole::Selection } else { StyleRole::Text };
        let mut lines = wrap(words, self.width, &gutter, self.model.style(role));
        let mark = if selected { "▸ " } else { "  " };
        let keys = Span::styled(format!("{mark}{keys:<KEYS_WIDTH$}"), self.model.style(StyleRole::Key));
        for line in lines.iter_mut().take(1) {
            line.spans[0] = keys.clone();
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pane::Pane;
    use crate::testing;

    #[test]
    fn the_help_of_every_pane_lists_every_command_once_and_its_own_first() {
        for pane in Pane::ALL {
            let mut model = testing::model(120, 40);
            model.panes.focus = pane;
            let page = page(&model);
            let listed: Vec<_> = page.entries.iter().map(|(target, _)| target.clone()).collect();
            for row in commands_in(ScreenView::Episode) {
                let count = listed.iter().filter(|target| **target == HelpTarget::Command(row.id)).count();
                assert_eq!(count, 1, "{}", row.name);
            }
            let HelpTarget::Command(first) = listed[0] else { panic!("an action comes first") };
            assert!(first.command().panes.contains(&pane), "{}", first.command().name);
        }
    }
}
