//! The table: three regions with books. A smaller book always lies on a larger one, so the region of each
//! book determines the state.

use std::fmt;

/// The most books on a table.
pub(super) const MAX_BOOKS: usize = 8;

/// The size of a book; 1 is the smallest.
pub(super) type Book = u8;

/// One of the three regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Region {
    A,
    B,
    C,
}

impl Region {
    pub(super) const ALL: [Self; 3] = [Self::A, Self::B, Self::C];

    /// The region's letter.
    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
        }
    }

    /// The third region, besides this one and `other`.
    pub(super) fn other_region(self, other: Self) -> Self {
        Self::ALL.into_iter().find(|region| *region != self && *region != other).unwrap_or(Self::C)
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.letter())
    }
}

/// Books on three regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Table {
    /// The region of each book, smallest first. Entries past `count` are C.
    regions: [Region; MAX_BOOKS],
    count: Book,
}

impl Table {
    /// A table from the region of each book, smallest first; only the first eight entries count.
    pub(super) fn new(given: &[Region]) -> Self {
        let mut regions = [Region::C; MAX_BOOKS];
        for (place, region) in regions.iter_mut().zip(given) {
            *place = *region;
        }
        Self { regions, count: Book::try_from(given.len().min(MAX_BOOKS)).unwrap_or_default() }
    }

    /// The number of books.
    pub(super) fn count(&self) -> Book {
        self.count
    }

    /// The region of a book.
    pub(super) fn region_of(&self, book: Book) -> Region {
        self.regions[usize::from(book) - 1]
    }

    /// Moves a book without checking the rules.
    pub(super) fn move_book(&mut self, book: Book, region: Region) {
        self.regions[usize::from(book) - 1] = region;
    }

    /// The books of a region, top first.
    pub(super) fn pile(&self, region: Region) -> impl DoubleEndedIterator<Item = Book> {
        (1..=self.count).filter(move |book| self.region_of(*book) == region)
    }

    /// The top book of a region.
    pub(super) fn top(&self, region: Region) -> Option<Book> {
        self.pile(region).next()
    }

    /// The number of books in place. A book is in place when it is in C and every larger book is in place
    /// below it; it never has to move again.
    pub(super) fn books_in_place(&self) -> Book {
        self.count - self.largest_out_of_place().unwrap_or(0)
    }

    /// The largest book that is not in place.
    pub(super) fn largest_out_of_place(&self) -> Option<Book> {
        (1..=self.count).rev().find(|book| self.region_of(*book) != Region::C)
    }

    /// Whether all books are in C.
    pub(super) fn is_solved(&self) -> bool {
        self.largest_out_of_place().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::super::level_text::table;
    use super::*;

    #[test]
    fn a_book_in_c_is_in_place_only_on_top_of_every_larger_one() {
        for (text, settled, astray) in [
            ("A: 3 2 1\nB:\nC:", 0, Some(3)),
            ("A: 3\nB:\nC: 2 1", 0, Some(3)),
            ("A: 1\nB: 2\nC: 3", 1, Some(2)),
            ("A:\nB: 2\nC: 3 1", 1, Some(2)),
            ("A: 1\nB:\nC: 3 2", 2, Some(1)),
            ("A:\nB:\nC: 3 2 1", 3, None),
        ] {
            let table = table(text);
            assert_eq!((table.books_in_place(), table.largest_out_of_place()), (settled, astray), "{text}");
            assert_eq!(table.is_solved(), astray.is_none());
        }
    }

    #[test]
    fn the_third_region_is_neither_of_the_two() {
        use Region::{A, B, C};
        for (one, other, third) in [(A, B, C), (B, A, C), (A, C, B), (C, B, A)] {
            assert_eq!(one.other_region(other), third);
        }
    }
}
