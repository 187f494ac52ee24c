//! The rows of the score that are shown: which are open, and which one is selected.

use std::collections::BTreeSet;

use super::Model;
use crate::appearance::FrameView;
use mageyard_domain::{PairPlace, ScoreRow};

/// The indices that lead from the first rows to a row.
pub(crate) type RowPath = Vec<usize>;

/// The state of the rows. A path that does not exist at a step has no effect there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ScoreTree {
    selected: Option<RowPath>,
    open: BTreeSet<RowPath>,
}

/// A row that is shown.
#[derive(Clone, Debug)]
pub(crate) struct VisibleRow<'a> {
    pub(crate) path: RowPath,
    pub(crate) row: &'a ScoreRow,
    pub(crate) is_open: bool,
    pub(crate) is_selected: bool,
}

impl Model {
    /// The rows of the score of the shown step that are not within a closed row, in order.
    pub(crate) fn visible_rows(&self) -> Vec<VisibleRow<'_>> {
        let mut rows = Vec::new();
        if let Some(details) = self.details() {
            self.score.tree.collect(&details.score, &mut Vec::new(), &mut rows);
        }
        rows
    }

    /// Selects the row so many places below or above the selected one. The first move selects an end.
    pub(crate) fn move_row(&mut self, by: isize) {
        let rows = self.visible_rows();
        let Some(last) = rows.len().checked_sub(1) else { return };
        let to = match rows.iter().position(|row| row.is_selected) {
            Some(at) => at.saturating_add_signed(by).min(last),
            None if by < 0 => last,
            None => 0,
        };
        let path = rows.get(to).map(|row| row.path.clone());
        self.select_row(path);
    }

    /// Opens the selected row, or closes it; a row that is closed already selects the row that it belongs to.
    pub(crate) fn open_row(&mut self, open: bool) {
        let rows = self.visible_rows();
        let Some(row) = rows.iter().find(|row| row.is_selected) else { return self.move_row(1) };
        let mut path = row.path.clone();
        let is_open = row.is_open;
        let has_rows = !row.row.rows.is_empty();
        if open && has_rows {
            self.score.tree.open.insert(path);
        } else if !open && is_open {
            self.score.tree.open.remove(&path);
        } else if !open && path.len() > 1 {
            path.pop();
            self.select_row(Some(path));
        }
    }

    /// Selects a row, and the pair of boxes that it is about.
    fn select_row(&mut self, path: Option<RowPath>) {
        self.score.tree.selected = path;
        let rows = self.details().map_or(&[][..], |details| &details.score);
        let path = self.score.tree.selected.as_deref().unwrap_or_default();
        self.score.selected_pair = pair_of(rows, path);
        self.frame.page = self.score.selected_pair.map_or(self.frame.page, |place| place.page);
    }

    /// Selects a pair of boxes and its row, which is opened.
    pub(crate) fn select_pair(&mut self, place: PairPlace) {
        let rows = self.details().map_or(&[][..], |details| &details.score);
        let path = path_of(rows, place);
        (self.score.selected_pair, self.frame.page) = (Some(place), place.page);
        if let Some(path) = path {
            let all = (1..=path.len()).map(|end| path[..end].to_vec());
            self.score.tree.open.extend(all);
            self.score.tree.selected = Some(path);
        }
    }

    /// Selects the next or the previous pair of the shown boxes; false if none are shown.
    pub(crate) fn move_pair(&mut self, by: isize) -> bool {
        let Some(shown) = self.shown_view().filter(|_| self.frame.shown_as != FrameView::Text) else {
            return false;
        };
        let count = shown.view.boxes.as_ref().map_or(0, |boxes| boxes.pairs.len());
        let (Some(last), page) = (count.checked_sub(1), shown.index) else { return false };
        let pair = match self.selected_box() {
            Some(at) => at.saturating_add_signed(by).min(last),
            None if by < 0 => last,
            None => 0,
        };
        self.select_pair(PairPlace { page, pair });
        true
    }
}

impl ScoreTree {
    fn collect<'a>(&self, rows: &'a [ScoreRow], path: &mut RowPath, visible: &mut Vec<VisibleRow<'a>>) {
        for (index, row) in rows.iter().enumerate() {
            path.push(index);
            let is_open = self.open.contains(path);
            let is_selected = self.selected.as_ref() == Some(path);
            visible.push(VisibleRow { path: path.clone(), row, is_open, is_selected });
            if is_open {
                self.collect(&row.rows, path, visible);
            }
            path.pop();
        }
    }
}

/// The pair that a row is about, or the nearest row that it belongs to.
fn pair_of(rows: &[ScoreRow], path: &[usize]) -> Option<PairPlace> {
    let (first, rest) = path.split_first()?;
    let row = rows.get(*first)?;
    pair_of(&row.rows, rest).or(row.pair)
}

fn path_of(rows: &[ScoreRow], place: PairPlace) -> Option<RowPath> {
    (0..).zip(rows).find_map(|(index, row): (usize, _)| {
        let rest = if row.pair == Some(place) { Some(RowPath::new()) } else { path_of(&row.rows, place) };
        Some([vec![index], rest?].concat())
    })
}
