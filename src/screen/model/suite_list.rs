//! The state of the list of suites.

use crate::requests::SuiteEntry;

/// The list; `None` as rows while it is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct SuiteList {
    pub(crate) rows: Option<Vec<SuiteEntry>>,
    selected: usize,
}

impl SuiteList {
    /// The list of these suites.
    pub(crate) fn of(rows: Vec<SuiteEntry>) -> Self {
        Self { rows: Some(rows), selected: 0 }
    }

    /// The rows, as far as they are known.
    pub(crate) fn rows(&self) -> &[SuiteEntry] {
        self.rows.as_deref().unwrap_or_default()
    }

    /// The index of the selected row.
    pub(crate) fn selected(&self) -> usize {
        self.selected.min(self.rows().len().saturating_sub(1))
    }

    /// The selected suite.
    pub(crate) fn selected_row(&self) -> Option<&SuiteEntry> {
        self.rows().get(self.selected())
    }

    /// Moves the selection; it stops at both ends.
    pub(crate) fn select_by(&mut self, by: isize) {
        let last = self.rows().len().saturating_sub(1);
        self.selected = self.selected().saturating_add_signed(by).min(last);
    }
}
