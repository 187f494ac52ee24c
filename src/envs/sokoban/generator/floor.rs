//! The floor of a room for the reverse play: open squares numbered without gaps, with their neighbours,
//! targets and player.

use super::groups::Shape;
use super::random::RoomRandom;

/// An open square, numbered row by row; the number after the last is wall.
pub(super) type Cell = u16;

/// An empty cell.
pub(super) const FREE: u8 = 0;
/// A wall; the numbers between are boxes.
pub(super) const WALL: u8 = u8::MAX;

/// The floor with targets and player. Reused for every attempt, so that none allocates.
#[derive(Default)]
pub(super) struct Floor {
    /// The neighbours above, below, left and right.
    pub(super) neighbours: Vec<[Cell; 4]>,
    /// Row and column.
    pub(super) positions: Vec<(u16, u16)>,
    /// The target of each box.
    pub(super) targets: Vec<Cell>,
    pub(super) is_target: Vec<bool>,
    pub(super) player: Cell,
    /// The cell of each square of the room.
    numbers: Vec<Cell>,
    rest: Vec<Cell>,
}

impl Floor {
    /// Numbers the open squares.
    pub(super) fn number_cells(&mut self, shape: Shape, open: &[bool]) {
        let wall = Cell::try_from(open.iter().filter(|open| **open).count()).unwrap_or(Cell::MAX);
        self.numbers.clear();
        self.positions.clear();
        for (square, open) in open.iter().enumerate() {
            let next = Cell::try_from(self.positions.len()).unwrap_or(Cell::MAX);
            self.numbers.push(if *open { next } else { wall });
            if *open {
                self.positions.push(place(shape, square));
            }
        }
        self.neighbours.clear();
        for (row, column) in &self.positions {
            let number = |row: u16, column: u16| self.numbers[usize::from(row * shape.columns + column)];
            let row = *row;
            let column = *column;
            let near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)];
            self.neighbours.push(near.map(|(row, column)| number(row, column)));
        }
    }

    /// The number of open squares.
    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Puts the player and a target for each box on different squares; false if there is too little floor.
    pub(super) fn place_player_and_targets(&mut self, boxes: u8, draw: &mut RoomRandom) -> bool {
        let floor = self.len();
        if floor <= usize::from(boxes) + 1 {
            return false;
        }
        self.rest.clear();
        self.rest.extend((0_u16..).take(floor));
        self.is_target.clear();
        self.is_target.resize(floor, false);
        self.targets.clear();
        self.player = self.rest.remove(draw.below(floor));
        for _ in 0..boxes {
            let target = self.rest.remove(draw.below(self.rest.len()));
            self.targets.push(target);
            self.is_target[usize::from(target)] = true;
        }
        true
    }

    /// The Manhattan distance of two cells.
    pub(super) fn distance(&self, one: Cell, other: Cell) -> u32 {
        let one = self.positions[usize::from(one)];
        let other = self.positions[usize::from(other)];
        u32::from(one.0.abs_diff(other.0)) + u32::from(one.1.abs_diff(other.1))
    }
}

fn place(shape: Shape, square: usize) -> (u16, u16) {
    let columns = usize::from(shape.columns);
    let number = |side: usize| u16::try_from(side).unwrap_or(u16::MAX);
    (number(square / columns), number(square % columns))
}
