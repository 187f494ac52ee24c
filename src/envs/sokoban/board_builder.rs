//! Builds a board from characters, and checks the player, the counts and the border.

use pathfinding::directed::bfs::bfs_reach;

use super::board::{Board, Ground, Square};

/// A board under construction.
pub(super) struct BoardBuilder {
    rows: usize,
    columns: usize,
    walls: Box<[bool]>,
    targets: Box<[bool]>,
    boxes: Vec<Square>,
    players: Vec<Square>,
}

impl BoardBuilder {
    pub(super) fn new(columns: usize, rows: usize) -> Self {
        let none = || vec![false; columns * rows].into_boxed_slice();
        Self { rows, columns, walls: none(), targets: none(), boxes: Vec::new(), players: Vec::new() }
    }

    /// Adds the characters of a row that begins at square `start`. An error is the column, from 0, and the
    /// reason.
    pub(super) fn add_row(&mut self, start: usize, row: &str) -> Result<(), (usize, String)> {
        let mut characters = row.chars().enumerate();
        characters.try_for_each(|(column, c)| self.add_square(start + column, c).map_err(|why| (column, why)))
    }

    /// Adds a square. The second letters of the format `.sok` are accepted, too.
    fn add_square(&mut self, at: usize, c: char) -> Result<(), String> {
        let square = Square::try_from(at).unwrap_or(Square::MAX);
        match c {
            '#' => self.walls[at] = true,
            '@' | '+' | 'p' | 'P' => self.players.push(square),
            '$' | '*' | 'b' | 'B' => self.boxes.push(square),
            '.' | 'o' | ' ' | '-' | '_' => {}
            c => return Err(unknown_character(c)),
        }
        self.targets[at] = "+*.PBo".contains(c);
        Ok(())
    }

    /// Checks the counts and returns the player's square. An error is the row, from 0, and the reason.
    pub(super) fn player(&self) -> Result<Square, (usize, String)> {
        let targets = self.targets.iter().filter(|target| **target).count();
        let place = |square: &Square| {
            let square = usize::from(*square);
            format!("row {}, column {}", square / self.columns + 1, square % self.columns + 1)
        };
        match (self.players.as_slice(), self.boxes.len()) {
            ([], _) => Err((0, "there is no player (@, or + on a target)".to_owned())),
            ([one, two, ..], _) => {
                let reason =
                    format!("there is more than one player: at {} and at {}", place(one), place(two));
                Err((usize::from(*two) / self.columns, reason))
            }
            (_, 0) => Err((0, "there is no box ($, or * on a target)".to_owned())),
            (_, boxes) if boxes != targets => {
                Err((0, format!("boxes and targets must be equal in number: {boxes} and {targets} here")))
            }
            ([player], _) => Ok(*player),
        }
    }

    /// The squares that the player could reach if there were no boxes. An error is a border square where
    /// the player could leave the board.
    pub(super) fn find_inside(&self, player: Square) -> Result<Box<[bool]>, usize> {
        let reached = bfs_reach(usize::from(player), |at| {
            let near = self.neighbours(*at).into_iter().flatten();
            near.filter(|next| !self.walls[*next])
        });
        let mut inside = vec![false; self.walls.len()].into_boxed_slice();
        for at in reached {
            self.neighbours(at).ok_or(at)?;
            inside[at] = true;
        }
        Ok(inside)
    }

    /// The neighbours of a square; `None` at the border.
    fn neighbours(&self, at: usize) -> Option<[usize; 4]> {
        let columns = self.columns;
        let column = at % self.columns;
        let is_border =
            at < columns || at + columns >= self.walls.len() || column == 0 || column + 1 == columns;
        (!is_border).then(|| [at - 1, at + 1, at - columns, at + columns])
    }

    pub(super) fn build(self, player: Square, inside: Box<[bool]>) -> Board {
        let side = |squares| u16::try_from(squares).unwrap_or(u16::MAX);
        let rows = side(self.rows);
        let columns = side(self.columns);
        let ground = Ground { rows, columns, walls: self.walls, targets: self.targets, inside };
        Board::new(ground, player, self.boxes)
    }
}

fn unknown_character(c: char) -> String {
    match c {
        '\t' => "a tab; boards are drawn with spaces, since the width of a tab is not defined".to_owned(),
        c => format!(
            "{c:?} is not a board character; they are # @ + $ * . (or p P b B o) and space, - or _ for floor"
        ),
    }
}
