//! A board of Sokoban, as far as the mistakes are about its boxes.

use std::collections::BTreeSet;

/// A square: row and column.
pub(super) type Square = (i32, i32);

/// The names of the actions with their directions.
pub(super) const WAYS: [(&str, Square); 4] =
    [("Up", (-1, 0)), ("Down", (1, 0)), ("Left", (0, -1)), ("Right", (0, 1))];

/// Where everything is.
#[derive(Clone)]
pub(super) struct Board {
    walls: BTreeSet<Square>,
    targets: BTreeSet<Square>,
    boxes: BTreeSet<Square>,
    player: Square,
}

pub(super) fn plus(one: Square, other: Square) -> Square {
    (one.0 + other.0, one.1 + other.1)
}

pub(super) fn opposite(name: &str) -> &'static str {
    match name {
        "Up" => "Down",
        "Down" => "Up",
        "Left" => "Right",
        _ => "Left",
    }
}

impl Board {
    /// A board in the usual characters.
    pub(super) fn parse(text: &str) -> Self {
        let mut board = Self { walls: [].into(), targets: [].into(), boxes: [].into(), player: (0, 0) };
        for (row, line) in (0..).zip(text.lines()) {
            for (column, letter) in (0..).zip(line.chars()) {
                board.put((row, column), letter);
            }
        }
        board
    }

    fn put(&mut self, square: Square, letter: char) {
        if letter == '#' {
            self.walls.insert(square);
        }
        if matches!(letter, '.' | '*' | '+') {
            self.targets.insert(square);
        }
        if matches!(letter, '$' | '*') {
            self.boxes.insert(square);
        }
        if matches!(letter, '@' | '+') {
            self.player = square;
        }
    }

    /// The square to which an action pushes a box, if it pushes one.
    pub(super) fn pushed_to(&self, name: &str) -> Option<Square> {
        let way = way(name);
        let from = plus(self.player, way);
        let to = plus(from, way);
        let is_free = !self.walls.contains(&to) && !self.boxes.contains(&to);
        (self.boxes.contains(&from) && is_free).then_some(to)
    }

    /// Whether an action only walks.
    pub(super) fn walks(&self, name: &str) -> bool {
        let to = plus(self.player, way(name));
        !self.walls.contains(&to) && !self.boxes.contains(&to)
    }

    /// Carries out an action.
    pub(super) fn act(&mut self, name: &str) {
        let next = plus(self.player, way(name));
        if let Some(to) = self.pushed_to(name) {
            self.boxes.remove(&next);
            self.boxes.insert(to);
            self.player = next;
        } else if self.walks(name) {
            self.player = next;
        }
    }

    /// Whether a box there is in a corner of walls and on no target.
    pub(super) fn is_stuck_corner(&self, square: Square) -> bool {
        let wall = |way: Square| self.walls.contains(&plus(square, way));
        let is_corner = (wall((-1, 0)) || wall((1, 0))) && (wall((0, -1)) || wall((0, 1)));
        is_corner && !self.targets.contains(&square)
    }

    /// Whether a box there stands beside another one along one wall, not both on targets.
    pub(super) fn is_pair_at_wall(&self, square: Square) -> bool {
        WAYS.iter().any(|(_, way)| {
            let other = plus(square, *way);
            let sides = [(way.1, way.0), (-way.1, -way.0)];
            let along = sides.iter().any(|side| {
                self.walls.contains(&plus(square, *side)) && self.walls.contains(&plus(other, *side))
            });
            let on_targets = self.targets.contains(&square) && self.targets.contains(&other);
            self.boxes.contains(&other) && along && !on_targets
        })
    }
}

fn way(name: &str) -> Square {
    WAYS.iter().find(|(own, _)| *own == name).unwrap().1
}
