//! The state of the dashboard: which page is shown, what is selected on it, and what a command does.

use std::cell::Cell;
use std::path::PathBuf;

use crossterm::event::{KeyCode, KeyEvent};

use super::calls::{self, Call, Move};
use super::cell_episodes::CellEpisodes;
use super::content::Content;
use super::page::{EpisodeFilter, Page};
use super::sort::SortColumn;
use super::view::CellPhase;
use crate::command::CommandId;
use crate::keymap::{Bindings, key_name};
use crate::requests::SweepOrder;

/// What is selected and listed. It is kept while an episode is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DashboardState {
    pub(super) page: Page,
    /// The page from which the cell was opened.
    pub(super) from: Page,
    /// The index of the selected cell in the sweep.
    pub(super) selected: usize,
    /// The index of the map, and the selected row and column of it.
    pub(super) map: usize,
    pub(super) place: (usize, usize),
    /// The only state whose cells are listed.
    pub(super) only: Option<CellPhase>,
    /// What the table of cells is sorted by.
    pub(super) sort: SortColumn,
    /// The index of the selected running episode.
    pub(super) running: usize,
    /// The index of the selected episode of the open cell.
    pub(super) episode: usize,
    pub(super) filter: EpisodeFilter,
    /// What must be confirmed now.
    pub(super) confirms: Option<Confirmed>,
    /// The first line of the help, if it is open. Drawing keeps it inside of the help.
    pub(super) help: Cell<Option<usize>>,
    /// The rows of the list, known after the first drawing.
    pub(super) rows: Cell<usize>,
    /// A remark that is shown until the next key.
    pub(super) remark: String,
}

/// What must be confirmed before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Confirmed {
    /// Quitting, which stops the run.
    Quit,
    /// Cancelling the sweep for all workers.
    Cancel,
}

/// What the dashboard does after a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Nothing but another drawing.
    Draw,
    /// Show the episode of this journal.
    Show(PathBuf),
    /// Open the commands, with this typed already.
    Command(&'static str),
    /// Compare readers on the replies of what is selected.
    Readers,
    /// Order all workers of the sweep to do something.
    Order(SweepOrder),
    /// Go back to where the dashboard was opened from.
    Back,
    /// Show home.
    Home,
    /// Leave the dashboard.
    Quit,
    /// Leave as after Ctrl-C.
    Interrupt,
    /// Suspend the program.
    Suspend,
    /// Draw everything again.
    Redraw,
}

impl DashboardState {
    /// Shows a remark until the next key.
    pub(super) fn say(&mut self, remark: impl Into<String>) {
        self.remark = remark.into();
    }

    /// The page that is shown: without maps the table takes the place of the map.
    pub(super) fn page(&self, content: &Content) -> Page {
        if self.page == Page::Map && content.maps().is_empty() { Page::Table } else { self.page }
    }

    /// The cell whose episodes are listed.
    pub(super) fn open_cell(&self) -> Option<usize> {
        (self.page == Page::Cell).then_some(self.selected)
    }

    /// The indexes of the listed cells, in the order of the table.
    pub(super) fn listed(&self, content: &Content) -> Vec<usize> {
        let cells = content.view.cells.iter().enumerate();
        let listed = cells.filter(|(_, cell)| self.only.is_none_or(|state| cell.state == state));
        let mut listed: Vec<usize> = listed.map(|(index, _)| index).collect();
        self.sort.sort(&mut listed, content);
        listed
    }

    /// The indexes of the listed episodes.
    pub(super) fn listed_episodes(&self, cell: &CellEpisodes) -> Vec<usize> {
        let episodes = cell.episodes.iter().enumerate();
        episodes.filter(|(_, episode)| self.filter.lists(episode)).map(|(index, _)| index).collect()
    }

    /// Does what a key says.
    pub(super) fn press(&mut self, key: KeyEvent, keys: &Bindings, content: &Content) -> Outcome {
        let confirms = self.confirms.take();
        self.remark.clear();
        match confirms {
            Some(Confirmed::Quit) if key.code == KeyCode::Char('y') => return Outcome::Quit,
            Some(Confirmed::Cancel) if key.code == KeyCode::Char('y') => {
                return Outcome::Order(SweepOrder::Cancel);
            }
            Some(Confirmed::Cancel) => {
                self.say("the sweep was not cancelled");
                return Outcome::Draw;
            }
            Some(Confirmed::Quit) | None => {}
        }
        let is_confirmed = confirms.is_some();
        if let Some(id) = keys.command(key) {
            return calls::perform(self, id, Call { content, is_confirmed });
        }
        let help = keys.keys(CommandId::SweepHelp).into_iter().next().unwrap_or_default();
        self.remark = format!("{} is not bound; {help} lists the keys", key_name(key));
        Outcome::Draw
    }

    /// Scrolls the help, or closes it.
    pub(super) fn move_help(&mut self, to: Option<Move>) {
        let at = self.help.get().unwrap_or_default();
        let page = self.rows.get().max(1);
        self.help.set(to.map(|to| match to {
            Move::Down => at.saturating_add(1),
            Move::Up => at.saturating_sub(1),
            Move::PageDown => at.saturating_add(page),
            Move::PageUp => at.saturating_sub(page),
            Move::First => 0,
            Move::Last => usize::MAX,
            Move::Left | Move::Right => at,
        }));
    }

    /// Opens the selected cell, or shows the selected episode of the open one.
    pub(super) fn open(&mut self, content: &Content) -> Outcome {
        let page = self.page(content);
        if page == Page::Activity {
            let running = content.view.running.get(self.running);
            return running.map_or(Outcome::Draw, |episode| Outcome::Show(episode.journal.clone()));
        }
        if page == Page::Cell {
            let cell = content.episodes_of(self.selected);
            let episode = cell.and_then(|cell| cell.episodes.get(self.episode));
            return episode.map_or(Outcome::Draw, |episode| Outcome::Show(episode.journal.clone()));
        }
        if page == Page::Map {
            let place = content.maps().get(self.map).and_then(|map| map.place(self.place));
            let Some(cell) = place.and_then(|place| place.cells.first()) else {
                self.say("no cell of the sweep is here");
                return Outcome::Draw;
            };
            self.selected = *cell;
        }
        if content.view.cells.get(self.selected).is_some() {
            (self.from, self.page) = (page, Page::Cell);
            (self.episode, self.filter) = (0, EpisodeFilter::All);
        }
        Outcome::Draw
    }

    /// Goes back to the page before; from the first one to where the dashboard was opened from.
    pub(super) fn go_back(&mut self, content: &Content) -> Outcome {
        match self.page(content) {
            Page::Cell => self.page = self.from,
            Page::Table if self.only.is_some() => self.only = None,
            Page::Activity => self.page = Page::Map,
            Page::Table if !content.maps().is_empty() => self.page = Page::Map,
            Page::Table | Page::Map => return Outcome::Back,
        }
        Outcome::Draw
    }

    /// Switches from the map to the table, from there to what happens now, and back to the map.
    pub(super) fn switch(&mut self, content: &Content) {
        match self.page(content) {
            Page::Cell => self.page = self.from,
            Page::Map => self.page = Page::Table,
            Page::Table => self.page = Page::Activity,
            Page::Activity if content.maps().is_empty() => {
                self.page = Page::Table;
                self.say(NO_MAP);
            }
            Page::Activity => {
                self.page = Page::Map;
                self.select_on_map(content);
            }
        }
    }

    /// Sorts the table of cells by the next column, and at last as the plan is.
    pub(super) fn sort_next(&mut self) {
        self.sort = self.sort.next();
        self.say(format!("the table is sorted by {}", self.sort.name()));
    }

    /// The sweep or, where one is open, its cell, as verbs name them.
    pub(super) fn scope(&self, content: &Content) -> String {
        let view = &content.view;
        match self.open_cell().and_then(|cell| view.cells.get(cell)) {
            Some(cell) => format!("{}/{}", view.address, cell.name),
            None => view.address.clone(),
        }
    }

    /// Lists only the cells of the next state that has any, and at last all of them; or the next kind of episodes.
    pub(super) fn list_next(&mut self, content: &Content) {
        let page = self.page(content);
        let view = &content.view;
        match page {
            Page::Map | Page::Activity => {
                self.say("the table of cells and the list of episodes can be filtered");
            }
            Page::Cell => self.filter = self.filter.next(),
            Page::Table => {
                let next = CellPhase::ALL.iter().position(|state| Some(*state) == self.only);
                let has_cells = |state: &&CellPhase| view.count(**state) > 0;
                self.only = CellPhase::ALL.iter().skip(next.map_or(0, |at| at + 1)).find(has_cells).copied();
            }
        }
        if matches!(page, Page::Table | Page::Cell) {
            self.move_in_list(None, content);
        }
    }
}

/// Why there is no map.
const NO_MAP: &str = "this sweep has no map: no two of its cells differ in AM or OM only";
