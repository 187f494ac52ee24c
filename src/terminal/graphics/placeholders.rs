//! Pictures by Kitty's protocol: which pixels the terminal has, and which placeholder cells show them. Pixels are sent in
//! sheets, whose rows are the runs of cells that have changed: a cell that continues the one on its left needs half the
//! bytes of one that names its place.

use std::collections::{HashMap, HashSet};

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use super::kitty::KittyCell;
use super::patch::{NoBytes, PatchSource};
use super::placed::{LayerUpdate, PlacedPicture, WantedCell};
use super::sheets::{Sheets, sheet_patch};
use super::{kitty, passthrough};

/// The most sheets that a terminal keeps although none of their cells is shown.
pub(super) const KEPT: usize = 48;
/// The most sheets of which cells are shown; more are replaced by new ones.
const MOST_SHEETS: usize = 160;

/// What the terminal has and shows.
#[derive(Clone, Debug)]
pub(super) struct Placeholders {
    in_tmux: bool,
    sheets: Sheets,
    /// The sequences that delete what was forgotten.
    forgotten: String,
    /// What each cell of the screen shows: the hash of its pixels, and where the terminal has them.
    shown: HashMap<Position, (u64, KittyCell)>,
}

impl Placeholders {
    pub(super) fn new(in_tmux: bool, owner: u32) -> Self {
        // Outside of tmux a terminal has its own pictures for each window.
        let owner = if in_tmux { owner } else { 0 };
        Self { in_tmux, sheets: Sheets::new(owner), forgotten: String::new(), shown: HashMap::new() }
    }

    /// The terminal shows nothing. While tmux redraws it drops what it should hand on, so pixels are sent again then.
    pub(super) fn clear(&mut self) {
        self.shown.clear();
        if self.in_tmux {
            self.forgotten.push_str(&self.sheets.delete_all());
        }
    }

    /// The hash of the pixels that a cell shows.
    pub(super) fn shown_at(&self, at: Position) -> Option<u64> {
        self.shown.get(&at).map(|(hash, _)| *hash)
    }

    /// Sends the pixels that the terminal does not have, and writes the placeholders of all wanted cells.
    pub(super) fn place(
        &mut self,
        pictures: &[PlacedPicture<'_>],
        wanted: &[WantedCell],
        source: &mut dyn PatchSource,
        buffer: &mut Buffer,
    ) -> LayerUpdate {
        let mut update =
            LayerUpdate { sequences: std::mem::take(&mut self.forgotten), ..LayerUpdate::default() };
        let is_shown = |cell: &WantedCell| self.shown_at(cell.at) == Some(cell.hash);
        if self.sheets.len() > MOST_SHEETS + KEPT && !wanted.iter().all(is_shown) {
            update.sequences.push_str(&self.sheets.delete_all());
            self.shown.clear();
        }
        let runs = self.changed_runs(wanted);
        let unknown: Vec<&[WantedCell]> =
            runs.iter().copied().filter(|run| !self.sheets.have(run.iter().map(|cell| cell.hash))).collect();
        let mut sent = HashMap::new();
        match self.send(pictures, &unknown, source, (&mut update.sequences, &mut sent)) {
            Ok(()) => {}
            Err(NoBytes::Later) => update.is_late = true,
            Err(NoBytes::Failed(why)) => {
                let numbers: HashSet<usize> =
                    unknown.iter().flat_map(|run| run.iter()).map(|cell| cell.number).collect();
                update.failed = numbers.into_iter().map(|number| (number, why.clone())).collect();
            }
        }
        self.write(wanted, &sent, &update.failed, buffer);
        update.sequences.push_str(&self.forget_sheets());
        update.sequences = self.outside(&update.sequences);
        update
    }

    /// The runs of cells, from the left, that do not show what they should.
    fn changed_runs<'w>(&self, wanted: &'w [WantedCell]) -> Vec<&'w [WantedCell]> {
        let is_shown =
            |cell: &WantedCell| self.shown.get(&cell.at).is_some_and(|(hash, _)| *hash == cell.hash);
        let runs = wanted.chunk_by(|left, right| is_shown(left) == is_shown(right) && continues(left, right));
        let changed = runs.filter(|run| run.first().is_some_and(|cell| !is_shown(cell)));
        changed.flat_map(|run| run.chunks(usize::from(kitty::MOST_CELLS))).collect()
    }

    /// Sends these runs in sheets, and remembers where each cell is in them. An error says why that is not possible.
    fn send(
        &mut self,
        pictures: &[PlacedPicture<'_>],
        runs: &[&[WantedCell]],
        source: &mut dyn PatchSource,
        (sequences, sent): (&mut String, &mut HashMap<Position, KittyCell>),
    ) -> Result<(), NoBytes> {
        let hashes = |run: &[WantedCell]| run.iter().map(|cell| cell.hash).collect::<Vec<_>>();
        let mut starts: HashMap<Vec<u64>, KittyCell> = HashMap::new();
        let mut seen = HashSet::new();
        let rows: Vec<&[WantedCell]> = runs.iter().copied().filter(|run| seen.insert(hashes(run))).collect();
        let mut is_late = false;
        for rows in rows.chunks(usize::from(kitty::MOST_CELLS)) {
            let patch = sheet_patch(pictures, rows);
            let data = match source.bytes(&patch) {
                Ok(data) => data,
                Err(NoBytes::Later) => {
                    // The other sheets are asked for too.
                    is_late = true;
                    continue;
                }
                Err(failed) => return Err(failed),
            };
            let id = self.sheets.add(rows);
            sequences.push_str(&kitty::transmit(id, &data, patch.size));
            let starts_of =
                |(row, run): (u16, &&[WantedCell])| (hashes(run), KittyCell { id, row, column: 0 });
            starts.extend((0..).zip(rows).map(starts_of));
        }
        for run in runs {
            let Some(start) = starts.get(&hashes(run)) else { continue };
            let places = (start.column..).map(|column| KittyCell { column, ..*start });
            sent.extend(run.iter().map(|cell| cell.at).zip(places));
        }
        if is_late { Err(NoBytes::Later) } else { Ok(()) }
    }

    /// Writes the placeholders. A cell that shows what it should keeps its text, except where it continued another one.
    fn write(
        &mut self,
        wanted: &[WantedCell],
        sent: &HashMap<Position, KittyCell>,
        failed: &[(usize, String)],
        buffer: &mut Buffer,
    ) {
        let before = std::mem::take(&mut self.shown);
        let mut left: Option<(Position, KittyCell)> = None;
        for (index, cell) in wanted.iter().enumerate() {
            if failed.iter().any(|(number, _)| *number == cell.number) {
                continue;
            }
            let follows =
                left.filter(|(at, _)| at.y == cell.at.y && at.x + 1 == cell.at.x).map(|(_, cell)| cell);
            let kept = before.get(&cell.at).filter(|(hash, _)| *hash == cell.hash).map(|(_, place)| *place);
            let next = || follows.and_then(|left| self.sheets.next(left, cell.hash));
            let rest = || run_of(&wanted[index..]).map(|cell| cell.hash);
            let kept = kept.or_else(|| sent.get(&cell.at).copied());
            let Some(place) = kept.or_else(next).or_else(|| self.sheets.find(rest)) else { continue };
            if let Some(target) = buffer.cell_mut(cell.at) {
                target.set_symbol(&place.symbol(follows)).set_fg(place.color());
            }
            self.shown.insert(cell.at, (cell.hash, place));
            left = Some((cell.at, place));
        }
    }

    /// Deletes the oldest sheets of which no cell is shown, if there are too many.
    fn forget_sheets(&mut self) -> String {
        let used: HashSet<u32> = self.shown.values().map(|(_, place)| place.id).collect();
        self.sheets.delete_unused(&used, KEPT)
    }

    /// The sequences for the terminal outside of tmux. Each is wrapped alone, because tmux limits their length.
    fn outside(&self, sequences: &str) -> String {
        if !self.in_tmux {
            return sequences.to_owned();
        }
        sequences.split_inclusive(kitty::END).map(passthrough::wrap).collect()
    }

    /// The sequences that free what the terminal keeps.
    pub(super) fn leave(&mut self) -> String {
        self.shown.clear();
        let sequences = std::mem::take(&mut self.forgotten) + &self.sheets.delete_all();
        self.outside(&sequences)
    }

    #[cfg(test)]
    pub(super) fn sheet_count(&self) -> usize {
        self.sheets.len()
    }
}

/// Whether a cell is right of another one, in the picture too.
fn continues(left: &WantedCell, right: &WantedCell) -> bool {
    left.number == right.number && left.at.y == right.at.y && left.at.x + 1 == right.at.x
}

/// The cells from the first one on that continue each other.
fn run_of(cells: &[WantedCell]) -> impl Iterator<Item = &WantedCell> {
    let length = cells.windows(2).take_while(|pair| continues(&pair[0], &pair[1])).count();
    cells.iter().take(length + 1)
}
