//! The table in cells, for people: books as wide blocks with their numbers on three pegs, and the arrow of a move.

use super::rules::MOVES;
use super::table::{Book, Region, Table};
use mageyard_domain::{Action, CellDrawing, CellGrid, CellRole, Glyph};

/// The most columns of a region, and the most rows of a book.
const WIDEST: u16 = 36;
const THICKEST: u16 = 3;
/// The rows above the piles: the arrow of a move, and the tips of the pegs.
const ABOVE: u16 = 2;

/// A table as it is drawn.
#[derive(Debug)]
pub(super) struct TableDrawing(pub(super) Table);

/// Where things are in a grid.
struct Places {
    /// The columns of a region.
    region: i32,
    /// The rows of a book.
    thick: i32,
    /// The row below the lowest books.
    base: i32,
    books: Book,
}

impl CellDrawing for TableDrawing {
    fn draw(&self, columns: u16, rows: u16, action: Option<&Action>) -> CellGrid {
        let books = self.0.count();
        let region = (columns / 3).min(WIDEST);
        let thick = (rows.saturating_sub(1 + ABOVE) / u16::from(books.max(1))).clamp(1, THICKEST);
        let high = (thick * u16::from(books) + 1 + ABOVE).min(rows);
        let has_base = high > u16::from(books);
        let base = i32::from(high) - i32::from(has_base);
        let places = Places { region: region.into(), thick: thick.into(), base, books };
        let mut grid = CellGrid::new(region * 3, high);
        for region in Region::ALL {
            places.draw_region(&self.0, region, &mut grid);
        }
        let named = action.and_then(|action| MOVES.iter().find(|one| one.name == action.name));
        if let Some(one) = named.filter(|_| high >= u16::from(books) + 1 + ABOVE) {
            places.draw_move(one.from, one.to, &mut grid);
        }
        grid
    }
}

impl Places {
    /// The column of a peg.
    fn peg(&self, region: Region) -> i32 {
        self.region * region as i32 + self.region / 2
    }

    /// Draws the peg, the books on it, and the name of the region below them.
    fn draw_region(&self, table: &Table, region: Region, grid: &mut CellGrid) {
        let middle = self.peg(region);
        let pile: Vec<Book> = table.pile(region).rev().collect();
        let height = i32::try_from(pile.len()).unwrap_or(0) * self.thick;
        for y in 1..self.base - height {
            grid.put(middle, y, '│', CellRole::Line);
        }
        let in_place = table.count() - table.books_in_place();
        for (level, book) in (0..).zip(&pile) {
            let glyph =
                if region == Region::C && *book > in_place { Glyph::ObjectOnGoal } else { Glyph::Object };
            self.draw_book(middle, level, *book, glyph, grid);
        }
        let role = if region == Region::C { CellRole::Thing(Glyph::Goal) } else { CellRole::Line };
        let left = self.region * region as i32;
        for x in left + 1..left + self.region - 1 {
            grid.put(x, self.base, '═', role);
        }
        grid.write((middle, self.base), 1, region.letter(), role);
    }

    /// A block whose width grows with the size of the book, with its number in the middle.
    fn draw_book(&self, middle: i32, level: i32, book: Book, glyph: Glyph, grid: &mut CellGrid) {
        let most = (self.region / 2 - 1).max(1);
        let larger = i32::from(book) - 1;
        let half = 1 + (most - 1) * larger / (i32::from(self.books) - 1).max(1);
        let bottom = self.base - 1 - level * self.thick;
        for y in bottom + 1 - self.thick..=bottom {
            for x in middle - half..=middle + half {
                grid.put(x, y, '█', CellRole::Thing(glyph));
            }
        }
        let row = bottom - self.thick / 2;
        if half > 1 {
            grid.write((middle - 1, row), 3, "   ", CellRole::Text);
        }
        grid.write((middle, row), 1, &book.to_string(), CellRole::Text);
    }

    /// The arrow of a move above the piles.
    fn draw_move(&self, from: Region, to: Region, grid: &mut CellGrid) {
        let ends = [self.peg(from), self.peg(to)];
        let left = ends[0].min(ends[1]);
        for x in left + 1..left + (ends[0] - ends[1]).abs() {
            grid.put(x, 0, '-', CellRole::Action);
        }
        grid.put(ends[0], 0, '↑', CellRole::Action);
        grid.put(ends[1], 0, '↓', CellRole::Action);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::level_text::table;
    use super::*;

    fn drawn(text: &str, columns: u16, rows: u16, action: &str) -> String {
        TableDrawing(table(text)).draw(columns, rows, Some(&Action::plain(action))).text()
    }

    #[test]
    fn books_are_blocks_with_numbers_on_pegs() {
        let text = drawn("A: 3 1\nB: 2\nC:", 33, 6, "Put book in A to region C");
        let expected = [
            "     ↑---------------------↓",
            "     │          │          │",
            "     │          │          │",
            "    █1█         │          │",
            " ███ 3 ███    █ 2 █        │",
            " ════A════  ════B════  ════C════",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        let text = drawn("A:\nB:\nC: 2 1", 24, 10, "wait");
        let expected = [
            "",
            "    │       │       │",
            "    │       │      ███",
            "    │       │      █1█",
            "    │       │      ███",
            "    │       │    ███████",
            "    │       │    ██ 2 ██",
            "    │       │    ███████",
            " ═══A══  ═══B══  ═══C══",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn books_in_place_have_another_role_and_a_small_drawing_has_all_books() {
        let grid = TableDrawing(table("A: 1\nB:\nC: 3 2")).draw(60, 20, None);
        let roles = |glyph| grid.rows().flatten().filter(|cell| cell.role == CellRole::Thing(glyph)).count();
        assert!(roles(Glyph::ObjectOnGoal) > roles(Glyph::Object) && roles(Glyph::Object) > 0);
        let text = drawn("A: 8 7 6 5 4 3 2 1\nB:\nC:", 20, 8, "wait");
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        assert_eq!(digits, "12345678", "{text}");
    }

    proptest! {
        #[test]
        fn no_size_panics_and_the_drawing_fits(
            columns in 0_u16..210, rows in 0_u16..70, places in prop::collection::vec(0_usize..3, 1..9), at in 0_usize..6,
        ) {
            let places: Vec<Region> = places.into_iter().map(|place| Region::ALL[place]).collect();
            let drawing = TableDrawing(Table::new(&places));
            let grid = drawing.draw(columns, rows, Some(&Action::plain(MOVES[at].name)));
            prop_assert!(grid.columns() <= columns.into() && grid.rows().len() <= rows.into());
            let numbers = grid.text().chars().filter(char::is_ascii_digit).count();
            prop_assert!(columns < 20 || rows < 8 || numbers == places.len(), "{}", grid.text());
        }
    }
}
