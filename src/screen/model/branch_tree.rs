//! The state of the tree of branches.

use std::path::PathBuf;

use crate::requests::BranchRow;
use mageyard_config::Problem;

/// The tree, with its selected row.
#[derive(Clone, Debug)]
pub(crate) struct BranchTree {
    /// The journal whose branches are listed, which is selected first.
    pub(crate) journal: PathBuf,
    /// The rows, once they are known.
    pub(crate) rows: Option<Result<Vec<BranchRow>, Problem>>,
    selected: usize,
}

impl BranchTree {
    pub(crate) fn new(journal: PathBuf) -> Self {
        Self { journal, rows: None, selected: 0 }
    }

    /// The rows that are known.
    pub(crate) fn rows(&self) -> &[BranchRow] {
        self.rows.as_ref().and_then(|rows| rows.as_ref().ok()).map_or(&[], Vec::as_slice)
    }

    /// Takes the rows, and selects the one whose branches were asked for.
    pub(crate) fn set_rows(&mut self, rows: Result<Vec<BranchRow>, Problem>) {
        self.rows = Some(rows);
        let own = self.rows().iter().position(|row| row.journal == self.journal);
        self.selected = own.unwrap_or(0);
    }

    /// The index of the selected row.
    pub(crate) fn selected(&self) -> usize {
        self.selected.min(self.rows().len().saturating_sub(1))
    }

    /// Moves the selection; it stops at both ends.
    pub(crate) fn select_by(&mut self, by: isize) {
        let last = self.rows().len().saturating_sub(1);
        self.selected = self.selected().saturating_add_signed(by).min(last);
    }

    /// The selected row.
    pub(crate) fn selected_row(&self) -> Option<&BranchRow> {
        self.rows().get(self.selected())
    }
}
