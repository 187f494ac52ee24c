//! The pixels that a terminal has by Kitty's protocol: sheets of cells, and where the pixels of a hash are.

use std::collections::{HashMap, HashSet};

use ratatui::layout::{Rect, Size};

use super::kitty::KittyCell;
use super::patch::Patch;
use super::placed::{PlacedPicture, WantedCell};
use super::{GraphicsProtocol, kitty};

/// The most places of the same pixels that are remembered.
const MOST_PLACES: usize = 12;

/// A picture that the terminal has.
#[derive(Clone, Debug)]
struct Sheet {
    id: u32,
    /// The hashes of its cells, row by row; rows may be shorter than others.
    rows: Vec<Vec<u64>>,
}

/// The sheets that the terminal has, oldest first.
#[derive(Clone, Debug)]
pub(super) struct Sheets {
    all: Vec<Sheet>,
    places: HashMap<u64, Vec<KittyCell>>,
    /// The highest byte of all numbers.
    owner: u32,
    last_number: u32,
}

impl Sheets {
    pub(super) fn new(owner: u32) -> Self {
        Self { all: Vec::new(), places: HashMap::new(), owner: owner & 0xff, last_number: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether all these pixels are there.
    pub(super) fn have(&self, mut hashes: impl Iterator<Item = u64>) -> bool {
        hashes.all(|hash| self.places.contains_key(&hash))
    }

    /// Adds a sheet with these rows and returns its number.
    pub(super) fn add(&mut self, rows: &[&[WantedCell]]) -> u32 {
        let id = self.next_id();
        for (row, cells) in (0..).zip(rows) {
            for (column, cell) in (0..).zip(cells.iter()) {
                let places = self.places.entry(cell.hash).or_default();
                if places.len() < MOST_PLACES {
                    places.push(KittyCell { id, row, column });
                }
            }
        }
        let rows = rows.iter().map(|cells| cells.iter().map(|cell| cell.hash).collect()).collect();
        self.all.push(Sheet { id, rows });
        id
    }

    /// The next number that no sheet has. There are fewer sheets than numbers.
    fn next_id(&mut self) -> u32 {
        let is_used = |number: u32| self.all.iter().any(|sheet| sheet.id & 0xff == number);
        let after = (1..=kitty::NUMBERS).map(|step| (self.last_number + step - 1) % kitty::NUMBERS + 1);
        let free = after.into_iter().find(|number| !is_used(*number));
        self.last_number = free.unwrap_or(1);
        self.owner << 24 | self.last_number
    }

    /// The cell right of this one, if it has these pixels.
    pub(super) fn next(&self, left: KittyCell, hash: u64) -> Option<KittyCell> {
        let next = KittyCell { column: left.column + 1, ..left };
        (self.hash(next) == Some(hash)).then_some(next)
    }

    /// The place from which most of these pixels follow each other; `None` if the first ones are nowhere.
    pub(super) fn find<I: Iterator<Item = u64>>(&self, hashes: impl Fn() -> I) -> Option<KittyCell> {
        let places = self.places.get(&hashes().next()?)?;
        let length = |place: &KittyCell| {
            let there = (place.column..).map(|column| self.hash(KittyCell { column, ..*place }));
            there.zip(hashes()).take_while(|(there, hash)| *there == Some(*hash)).count()
        };
        places.iter().copied().max_by_key(length)
    }

    fn hash(&self, place: KittyCell) -> Option<u64> {
        let sheet = self.all.iter().find(|sheet| sheet.id == place.id)?;
        sheet.rows.get(usize::from(place.row))?.get(usize::from(place.column)).copied()
    }

    /// Deletes the oldest sheets that are not in use until at most so many of them are left.
    pub(super) fn delete_unused(&mut self, used: &HashSet<u32>, most: usize) -> String {
        let unused: Vec<u32> =
            self.all.iter().map(|sheet| sheet.id).filter(|id| !used.contains(id)).collect();
        let excess = &unused[..unused.len().saturating_sub(most)];
        if excess.is_empty() {
            return String::new();
        }
        self.all.retain(|sheet| !excess.contains(&sheet.id));
        self.places.retain(|_, places| {
            places.retain(|place| !excess.contains(&place.id));
            !places.is_empty()
        });
        excess.iter().copied().map(kitty::delete).collect()
    }

    /// Deletes all sheets.
    pub(super) fn delete_all(&mut self) -> String {
        self.places.clear();
        self.all.drain(..).map(|sheet| kitty::delete(sheet.id)).collect()
    }
}

/// The pixels of a sheet with these rows.
pub(super) fn sheet_patch(pictures: &[PlacedPicture<'_>], rows: &[&[WantedCell]]) -> Patch {
    let cells = |count: usize| u16::try_from(count).unwrap_or(kitty::MOST_CELLS);
    let size = Size::new(cells(rows.iter().map(|cells| cells.len()).max().unwrap_or(0)), cells(rows.len()));
    let cell = pictures.first().map_or(Size::new(1, 1), |placed| placed.picture.cell());
    let part = |run: &&[WantedCell]| {
        let first = run.first()?;
        let placed = pictures.get(first.number)?;
        Some((placed.picture.clone(), Rect::new(first.part.x, first.part.y, cells(run.len()), 1)))
    };
    let parts = rows.iter().filter_map(part).collect();
    Patch { protocol: GraphicsProtocol::Kitty, size, cell, parts }
}
