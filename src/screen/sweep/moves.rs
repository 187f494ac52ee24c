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
            content.maps().iter().enumerate().find_map(|(index, map)| Some((index, map.find(selected)?)));
        if let Some((map, place)) = found {
            (self.map, self.place) = (map, place);
        }
    }

    /// Shows the next map, or the previous one.
    pub(super) fn show_map(&mut self, content: &Content, by: isize) {
        let count = content.maps().len();
        if self.page(content) != Page::Map || count == 0 {
            return;
        }
        let by = if by < 0 { count - 1 } else { 1 };
        self.map = (self.map + by) % count;
        self.move_on_map(None, content);
    }

    /// Moves on the map; without a move it only keeps the place inside of it.
    pub(super) fn move_on_map(&mut self, to: Option<Move>, content: &Content) {
        let to = if self.leave_map(to, content) { None } else { to };
        let Some(map) = content.maps().get(self.map) else { return };
        let (row, column) = self.place;
        let (row, column) = match to {
            Some(Move::Up) => (row.saturating_sub(1), column),
            Some(Move::Down) => (row + 1, column),
            Some(Move::Left) => (row, column.saturating_sub(1)),
            Some(Move::Right) => (row, column.saturating_add(1)),
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

    /// Goes to the map beside, if a move leads out of this one to the left or right; whether it does.
    fn leave_map(&mut self, to: Option<Move>, content: &Content) -> bool {
        let maps = content.maps();
        let last = maps.get(self.map).map_or(0, |map| map.columns.len().saturating_sub(1));
        match to {
            Some(Move::Left) if self.place.1 == 0 && self.map > 0 => {
                self.map -= 1;
                self.place.1 = usize::MAX;
                true
            }
            Some(Move::Right) if self.place.1 >= last && self.map + 1 < maps.len() => {
                self.map += 1;
                self.place.1 = 0;
                true
            }
            _ => false,
        }
    }

    /// Moves among the running episodes.
    pub(super) fn move_in_running(&mut self, to: Move, content: &Content) {
        let last = content.view.running.len().saturating_sub(1);
        let page = self.rows.get().max(1);
        self.running = match to {
            Move::Up | Move::Left => self.running.saturating_sub(1),
            Move::Down | Move::Right => self.running + 1,
            Move::PageUp => self.running.saturating_sub(page),
            Move::PageDown => self.running.saturating_add(page),
            Move::First => 0,
            Move::Last => last,
        }
        .min(last);
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
            self.selected = moved(&self.listed(content), self.selected, by);
        }
    }
}

/// The index after moving by this many listed ones. From one that is not listed, it is the next one of the plan.
fn moved(listed: &[usize], from: usize, by: isize) -> usize {
    let last = listed.len().saturating_sub(1);
    let at = place_of(listed, from).unwrap_or(last);
    let at = at.saturating_add_signed(by).min(last);
    listed.get(at).copied().unwrap_or_default()
}

/// The place of an index in a list, or that of the next higher one.
pub(super) fn place_of(listed: &[usize], sought: usize) -> Option<usize> {
    let here = listed.iter().position(|index| *index == sought);
    let next =
        || listed.iter().enumerate().filter(|(_, index)| **index > sought).min_by_key(|(_, index)| **index);
    here.or_else(|| next().map(|(place, _)| place))
}
