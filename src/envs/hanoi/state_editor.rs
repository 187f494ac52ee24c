//! Tables edited by hand: books are moved between regions, where the smaller one always lies on the larger one.

use super::level_text;
use super::table::{Book, Region, Table};
use mageyard_domain::{MoveDirection, Observation, Piece, StateEditor};

/// Edits the table, as the text of a level.
#[derive(Debug)]
pub(super) struct TableEditor;

impl StateEditor for TableEditor {
    fn state(&self, observation: &Observation) -> Option<String> {
        observation.facts().get("board")?.as_str().map(str::to_owned)
    }

    fn pieces(&self, state: &str) -> Vec<Piece> {
        let Ok(table) = level_text::read_one(state) else { return Vec::new() };
        books(&table)
            .map(|(book, line, column)| Piece { name: format!("book {book}"), line, column })
            .collect()
    }

    fn moved(&self, state: &str, piece: usize, direction: MoveDirection) -> Result<String, String> {
        let mut table = level_text::read_one(state).map_err(|error| error.to_string())?;
        let book = books(&table).nth(piece).map(|(book, ..)| book);
        let book = book.ok_or_else(|| format!("the table has no piece {piece}"))?;
        let region = table.region_of(book);
        let to = match (direction, region) {
            (MoveDirection::Left | MoveDirection::Up, Region::B) => Region::A,
            (MoveDirection::Left | MoveDirection::Up, Region::C)
            | (MoveDirection::Right | MoveDirection::Down, Region::A) => Region::B,
            (MoveDirection::Right | MoveDirection::Down, Region::B) => Region::C,
            (_, region) => return Err(format!("there is no region beyond {region}")),
        };
        table.move_book(book, to);
        Ok(table.to_string())
    }
}

/// The books in reading order, each with its line and column in the text of the table: `A: 3 1`.
fn books(table: &Table) -> impl Iterator<Item = (Book, usize, usize)> + '_ {
    Region::ALL.into_iter().enumerate().flat_map(|(line, region)| {
        let pile = table.pile(region).rev().enumerate();
        pile.map(move |(place, book)| (book, line, "A: ".len() + place * "3 ".len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::HanoiWorld;
    use mageyard_domain::{Level, Options, World};

    const TABLE: &str = "A: 3 1\nB: 2\nC:";

    #[test]
    fn books_move_between_regions_and_the_smaller_lies_above() {
        let pieces = TableEditor.pieces(TABLE);
        let places: Vec<_> = pieces.iter().map(|it| (it.name.as_str(), it.line, it.column)).collect();
        assert_eq!(places, [("book 3", 0, 3), ("book 1", 0, 5), ("book 2", 1, 3)]);
        assert_eq!(TableEditor.moved(TABLE, 0, MoveDirection::Right).unwrap(), "A: 1\nB: 3 2\nC:");
        assert_eq!(TableEditor.moved(TABLE, 2, MoveDirection::Down).unwrap(), "A: 3 1\nB:\nC: 2");
        let edge = TableEditor.moved(TABLE, 1, MoveDirection::Left);
        assert_eq!(edge, Err("there is no region beyond A".to_owned()));
        assert!(TableEditor.moved(TABLE, 3, MoveDirection::Left).is_err());
    }

    #[test]
    fn the_world_takes_a_table_with_as_many_books() {
        let level = Level::from_text(1, None, TABLE);
        let mut world = HanoiWorld::new(&level, &Options::new()).unwrap();
        world.set_state("A:\nB: 2\nC: 3 1").unwrap();
        assert_eq!(TableEditor.state(&world.observe()).unwrap(), "A:\nB: 2\nC: 3 1");
        let error = world.set_state("A: 2 1\nB:\nC:").unwrap_err().to_string();
        assert_eq!(error, "not a state of this level: the table has 3 books, not 2");
    }
}
