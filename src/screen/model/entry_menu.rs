//! The state of a dialog with lines of which some are entries: the selected entry and the scroll position.

use std::ops::Range;

/// The selected entry, and the first line that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EntryMenu {
    pub(crate) selected: usize,
    pub(crate) scroll: u16,
}

impl EntryMenu {
    /// The menu after the selection was moved by so many entries, scrolled into view. `entries` are the lines of each, in
    /// order, and `height` is how many lines are shown.
    #[must_use]
    pub(crate) fn moved(self, entries: &[Range<usize>], height: usize, by: isize) -> Self {
        let selected = self.selected.saturating_add_signed(by).min(entries.len().saturating_sub(1));
        let Some(lines) = entries.get(selected) else { return self };
        // What is above the first entry belongs to it.
        let first = if selected == 0 { 0 } else { lines.start };
        let scroll = usize::from(self.scroll).max(lines.end.saturating_sub(height)).min(first);
        Self { selected, scroll: u16::try_from(scroll).unwrap_or(u16::MAX) }
    }

    /// The menu at a scroll position, with the first entry that is shown there; at the last position the last one.
    pub(crate) fn at(entries: &[Range<usize>], scroll: u16, most: u16) -> Self {
        let last = entries.len().saturating_sub(1);
        let is_end = scroll == most && scroll > 0;
        let shown = entries.iter().position(|lines| lines.start >= usize::from(scroll));
        Self { selected: if is_end { last } else { shown.unwrap_or(last) }, scroll }
    }
}
