//! The table: three regions with piles of books. A move puts a book only on a larger one; in a start a larger book may
//! lie on a smaller one.

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Table {
    piles: [Pile; 3],
}

/// The books of a region from the bottom up. Entries past `count` are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Pile {
    books: [Book; MAX_BOOKS],
    count: usize,
}

impl Pile {
    /// The books from the bottom up.
    fn books(&self) -> &[Book] {
        self.books.get(..self.count).unwrap_or_default()
    }

    /// Takes a book out from wherever it lies.
    fn remove(&mut self, book: Book) {
        if let Some(place) = self.books().iter().position(|found| *found == book) {
            self.books.copy_within(place + 1.., place);
            self.count -= 1;
            self.books[self.count..].fill(0);
        }
    }

    /// Puts a book under the smaller ones on top. Ignored if the pile is full.
    fn insert(&mut self, book: Book) {
        if self.count < MAX_BOOKS {
            let smaller = self.books().iter().rev().take_while(|above| **above < book).count();
            let place = self.count - smaller;
            self.books.copy_within(place..MAX_BOOKS - 1, place + 1);
            self.books[place] = book;
            self.count += 1;
        }
    }
}

impl Table {
    /// A table from the region of each book, smallest first, with larger books below; only the first eight entries count.
    pub(super) fn new(given: &[Region]) -> Self {
        let mut table = Self::default();
        for (book, region) in (1..).zip(given.iter().take(MAX_BOOKS)) {
            table.piles[*region as usize].insert(book);
        }
        table
    }

    /// The table with this book on top of a region, whatever it lies on. Ignored if the table is full.
    #[must_use]
    pub(super) fn with_on_top(mut self, book: Book, region: Region) -> Self {
        let pile = &mut self.piles[region as usize];
        if let Some(place) = pile.books.get_mut(pile.count) {
            *place = book;
            pile.count += 1;
        }
        self
    }

    /// The number of books.
    pub(super) fn count(&self) -> Book {
        let books: usize = self.piles.iter().map(|pile| pile.count).sum();
        Book::try_from(books).unwrap_or_default()
    }

    /// The region of a book.
    pub(super) fn region_of(&self, book: Book) -> Region {
        let has = |region: &Region| self.piles[*region as usize].books().contains(&book);
        Region::ALL.into_iter().find(has).unwrap_or(Region::C)
    }

    /// Moves a book without checking the rules. It comes to lie under the smaller books on top of the region.
    pub(super) fn move_book(&mut self, book: Book, region: Region) {
        self.piles.iter_mut().for_each(|pile| pile.remove(book));
        self.piles[region as usize].insert(book);
    }

    /// The books of a region, top first.
    pub(super) fn pile(&self, region: Region) -> impl DoubleEndedIterator<Item = Book> {
        self.piles[region as usize].books().iter().rev().copied()
    }

    /// The top book of a region.
    pub(super) fn top(&self, region: Region) -> Option<Book> {
        self.pile(region).next()
    }

    /// Whether no book lies on a smaller one. A start may have such books (`MageBench`, supplement D.1); no move makes one.
    pub(super) fn is_ordered(&self) -> bool {
        self.piles.iter().all(|pile| pile.books().is_sorted_by(|below, above| below > above))
    }

    /// The number of books in place. A book is in place when it is in C and every larger book is in place
    /// below it; it never has to move again.
    pub(super) fn books_in_place(&self) -> Book {
        self.count() - self.largest_out_of_place().unwrap_or(0)
    }

    /// The largest book that is not in place.
    pub(super) fn largest_out_of_place(&self) -> Option<Book> {
        let mut bottom = self.pile(Region::C).rev();
        (1..=self.count()).rev().find(|book| bottom.next() != Some(*book))
    }

    /// The table with all books in place.
    pub(super) fn solved(&self) -> Self {
        Self::new(&vec![Region::C; usize::from(self.count())])
    }

    /// Whether all books are in place.
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
            ("A:\nB:\nC: 3 1 2", 1, Some(2)),
            ("A: 3\nB:\nC: 1 2", 0, Some(3)),
        ] {
            let table = table(text);
            assert_eq!((table.books_in_place(), table.largest_out_of_place()), (settled, astray), "{text}");
            assert_eq!(table.is_solved(), astray.is_none());
        }
    }

    #[test]
    fn a_book_goes_under_the_smaller_ones_on_top() {
        let mut table = table("A: 1 4 3\nB: 2\nC:");
        assert!(!table.is_ordered());
        table.move_book(2, Region::A);
        assert_eq!(table.to_string(), "A: 1 4 3 2\nB:\nC:");
        table.move_book(4, Region::B);
        assert_eq!(table.to_string(), "A: 1 3 2\nB: 4\nC:");
        table.move_book(1, Region::C);
        assert_eq!(table.to_string(), "A: 3 2\nB: 4\nC: 1");
        assert!(table.is_ordered());
        assert_eq!(table.solved().to_string(), "A:\nB:\nC: 4 3 2 1");
    }

    #[test]
    fn the_third_region_is_neither_of_the_two() {
        use Region::{A, B, C};
        for (one, other, third) in [(A, B, C), (B, A, C), (A, C, B), (C, B, A)] {
            assert_eq!(one.other_region(other), third);
        }
    }
}
