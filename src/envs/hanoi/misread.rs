//! Ways to see a table wrongly.

use std::sync::Arc;

use super::painter::Painter;
use super::palette::Style;
use super::shown_as::ShownAs;
use super::table::{Book, Region, Table};
use super::view::TableView;
use mageyard_domain::{Misreading, Observation};

pub(super) const MISREADINGS: &[Misreading] = &[
    Misreading { name: "regions", summary: "the piles of two regions are swapped" },
    Misreading {
        name: "missed",
        summary: "the smallest book is not seen, and the others are counted without it",
    },
    Misreading { name: "books", summary: "two books that differ by one in size are swapped" },
];

/// The table as it is seen wrongly in this way; `None` if it cannot be.
pub(super) fn misread(table: &Table, misreading: &str) -> Option<Table> {
    match misreading {
        "regions" => Some(swapped_regions(table)),
        "missed" => without_the_smallest(table),
        "books" => swapped_books(table),
        _ => None,
    }
}

/// A table that no level has, as an observation.
pub(super) fn shown(table: Table, with_goal: bool) -> Observation {
    let painter = Arc::new(Painter::new(1, true, Style::Wood));
    Observation::from_source(TableView { table, painter, with_goal, shown: ShownAs::Image })
}

/// The piles with each book in this region under this number; books without a number are left out.
fn changed(table: &Table, region: impl Fn(Region) -> Region, number: impl Fn(Book) -> Option<Book>) -> Table {
    let pile = |from: Region| table.pile(from).rev().map(move |book| (book, from));
    let books = Region::ALL.into_iter().flat_map(pile);
    books.fold(Table::default(), |changed, (book, from)| match number(book) {
        Some(book) => changed.with_on_top(book, region(from)),
        None => changed,
    })
}

/// The piles of A and C swapped, or those of A and B if A and C are empty.
fn swapped_regions(table: &Table) -> Table {
    let is_empty = |region| table.top(region).is_none();
    let other = if is_empty(Region::A) && is_empty(Region::C) { Region::B } else { Region::C };
    let swap = |region: Region| match region {
        Region::A => other,
        region if region == other => Region::A,
        region => region,
    };
    changed(table, swap, Some)
}

/// The books without the smallest; `None` if it is the only one.
fn without_the_smallest(table: &Table) -> Option<Table> {
    let rest = |book: Book| book.checked_sub(1).filter(|book| *book > 0);
    (table.count() > 1).then(|| changed(table, |region| region, rest))
}

/// Two books in the place of each other: the smallest two neighbours in size that are in different regions, or the smallest
/// two if all are in one. `None` for a single book.
fn swapped_books(table: &Table) -> Option<Table> {
    let pairs = 1..table.count();
    let apart = |book: &Book| table.region_of(*book) != table.region_of(*book + 1);
    let first = pairs.clone().find(apart).or_else(|| pairs.min())?;
    let swap = |book: Book| match book {
        book if book == first => first + 1,
        book if book == first + 1 => first,
        book => book,
    };
    Some(changed(table, |region| region, |book| Some(swap(book))))
}
