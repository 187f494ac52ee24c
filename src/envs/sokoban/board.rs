//! The board: a shared static part, and a moving part that is small and cheap to copy.
//!
//! Squares are numbered along the rows. The inside is closed off by walls (the parser checks this), so
//! every neighbour of an inside square is on the board, and neither the player nor a box can leave it.

use std::sync::Arc;

use smallvec::SmallVec;

/// A square's number, row by row from the top left, from 0.
pub(super) type Square = u16;

/// One of the four directions, in the order of the action space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
    /// One row up.
    Up,
    /// One row down.
    Down,
}

impl Direction {
    /// All four, in the order of the action space.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];

    /// The action's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "Left",
            Self::Right => "Right",
            Self::Up => "Up",
            Self::Down => "Down",
        }
    }

    /// The direction with this name.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.name() == name)
    }
}

/// The static part of a board: walls, targets and the inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ground {
    pub(super) rows: u16,
    pub(super) columns: u16,
    pub(super) walls: Box<[bool]>,
    pub(super) targets: Box<[bool]>,
    /// Squares that the player could reach if there were no boxes.
    pub(super) inside: Box<[bool]>,
}

impl Ground {
    pub(super) fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        0..self.rows * self.columns
    }

    /// The neighbour of an inside square.
    pub(super) fn neighbour(&self, square: Square, way: Direction) -> Square {
        match way {
            Direction::Left => square - 1,
            Direction::Right => square + 1,
            Direction::Up => square - self.columns,
            Direction::Down => square + self.columns,
        }
    }

    pub(super) fn is_wall(&self, square: Square) -> bool {
        self.walls[usize::from(square)]
    }

    pub(super) fn is_target(&self, square: Square) -> bool {
        self.targets[usize::from(square)]
    }

    pub(super) fn is_inside(&self, square: Square) -> bool {
        self.inside[usize::from(square)]
    }

    /// Row and column, from 1.
    pub(super) fn row_column(&self, square: Square) -> (u16, u16) {
        (square / self.columns + 1, square % self.columns + 1)
    }

    /// The square as `row 1, column 2`.
    pub(super) fn describe(&self, square: Square) -> String {
        let (row, column) = self.row_column(square);
        format!("row {row}, column {column}")
    }
}

/// The content of a square, as written and painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SquareContent {
    Wall,
    Floor,
    Target,
    Box,
    BoxOnTarget,
    Player,
    PlayerOnTarget,
}

/// A board at one moment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) ground: Arc<Ground>,
    pub(super) player: Square,
    /// In ascending order, so that equal boards are equal values.
    boxes: SmallVec<[Square; 8]>,
}

impl Clone for Board {
    fn clone(&self) -> Self {
        Self { ground: self.ground.clone(), player: self.player, boxes: self.boxes.clone() }
    }

    /// Allocates nothing where both boards share their ground.
    fn clone_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.ground, &other.ground) {
            self.ground = other.ground.clone();
        }
        self.player = other.player;
        self.boxes.clone_from(&other.boxes);
    }
}

impl Board {
    pub(super) fn new(ground: Ground, player: Square, boxes: impl IntoIterator<Item = Square>) -> Self {
        Self::on(Arc::new(ground), player, boxes)
    }

    /// A board that shares its static part with others.
    pub(super) fn on(ground: Arc<Ground>, player: Square, boxes: impl IntoIterator<Item = Square>) -> Self {
        let mut boxes: SmallVec<_> = boxes.into_iter().collect();
        boxes.sort_unstable();
        Self { ground, player, boxes }
    }

    pub(super) fn boxes(&self) -> &[Square] {
        &self.boxes
    }

    pub(super) fn has_box(&self, square: Square) -> bool {
        self.boxes.binary_search(&square).is_ok()
    }

    /// Moves the box from one square to another; does nothing where there is no box.
    pub(super) fn move_box(&mut self, from: Square, to: Square) {
        if let Ok(index) = self.boxes.binary_search(&from) {
            self.boxes[index] = to;
            self.boxes.sort_unstable();
        }
    }

    /// The number of boxes on targets.
    pub(super) fn boxes_on_target(&self) -> usize {
        self.boxes.iter().filter(|&&square| self.ground.is_target(square)).count()
    }

    pub(super) fn is_solved(&self) -> bool {
        self.boxes_on_target() == self.boxes.len()
    }

    pub(super) fn content(&self, square: Square) -> SquareContent {
        let home = self.ground.is_target(square);
        match (self.player == square, self.has_box(square)) {
            _ if self.ground.is_wall(square) => SquareContent::Wall,
            (true, _) if home => SquareContent::PlayerOnTarget,
            (true, _) => SquareContent::Player,
            (_, true) if home => SquareContent::BoxOnTarget,
            (_, true) => SquareContent::Box,
            _ if home => SquareContent::Target,
            _ => SquareContent::Floor,
        }
    }
}
