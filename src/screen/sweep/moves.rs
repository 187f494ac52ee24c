//! Moving the selection on a map and in lists.

use super::calls::Move;
use super::content::Content;
use super::page::Page;
use super::state::DashboardState;

impl DashboardState {
    /// Selects the place of the selected cell, in the map that has it.
    pub(super) fn select_on_map(&mut self, content: &Content) {
        let selected = self.selected;
        let found =
            content.maps.iter().enumerate().find_map(|(index, map)| Some((index, map.find(selected)?)));
        if let Some((map, place)) = found {
            (self.map, self.place) = (map, place);
        }
    }

    /// Shows the next map, or the previous one.
    pub(super) fn show_map(&mut self, content: &Content, by: isize) {
        let count = content.maps.len();
        if self.page(content) != Page::Map || count == 0 {
            return;
        }
        let by = if by < 0 { count - 1 } else { 1 };
        self.map = (self.map + by) % count;
        self.move_on_map(None, content);
    }

    /// Moves on the map; without a move it only keeps the place inside of it.
    pub(super) fn move_on_map(&mut self, to: Option<Move>, content: &Content) {
        let Some(map) = content.maps.get(self.map) else { return };
        let (row, column) = self.place;
        let (row, column) = match to {
            Some(Move::Up) => (row.saturating_sub(1), column),
            Some(Move::Down) => (row + 1, column),
            Some(Move::Left) => (row, column.saturating_sub(1)),
            Some(Move::Right) => (row, column + 1),
            Some(Move::First) => (0, 0),
            Some(Move::Last) => (usize::MAX, usize::MAX),
            Some(Move::PageUp) => (0, column),
            Some(Move::PageDown) => (usize::MAX, column),
            None => (row, column),
        };
        self.place =
            (row.min(map.rows.len().saturating_sub(1)), column.min(map.columns.len().saturating_sub(1)));
        if let Some(cell) = map.place(self.place).and_then(|place| place.cells.first()) {
            self.selected = *cell;
        }
    }

    /// Moves in the list of cells or of episodes; without a move it only selects a listed row.
    pub(super) fn move_in_list(&mut self, to: Option<Move>, content: &Content) {
        let rows = isize::try_from(self.rows.get().max(1)).unwrap_or(1);
        let by = match to {
            Some(Move::Down) => 1,
            Some(Move::Up) => -1,
            Some(Move::PageDown) => rows,
            Some(Move::PageUp) => -rows,
            Some(Move::First) => isize::MIN,
            Some(Move::Last) => isize::MAX,
            Some(Move::Left | Move::Right) | None => 0,
        };
        if self.page(content) == Page::Cell {
            let listed = content.episodes_of(self.selected).map(|cell| self.listed_episodes(cell));
            self.episode = moved(&listed.unwrap_or_default(), self.episode, by);
        } else {
            self.selected = moved(&self.listed(&content.view), self.selected, by);
        }
    }
}

/// The index after moving by this many listed ones.
fn moved(listed: &[usize], from: usize, by: isize) -> usize {
    let last = listed.len().saturating_sub(1);
    let at = listed.iter().position(|index| *index >= from).unwrap_or(last);
    let at = at.saturating_add_signed(by).min(last);
    listed.get(at).copied().unwrap_or_default()
}
