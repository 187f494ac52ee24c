//! gym-sokoban's two arrays of a room and what they say together: `room_fixed` holds 0 wall, 1 floor,
//! 2 target; `room_state` 0 wall, 1 floor, 2 empty target, 3 box on target, 4 box off target, 5 player.

use super::super::board::Board;
use super::super::board::Look;
use super::super::xsb as boards;

/// The most squares of an array, so that a small file cannot ask for much.
pub(super) const SQUARES: usize = 4096;

/// An array of two dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Row by row.
    pub(super) cells: Vec<i64>,
}

impl Grid {
    fn size(&self) -> String {
        format!("{}x{}", self.rows, self.columns)
    }
}

/// The board of a room; what does not fit together is named by row and column.
pub(super) fn board(fixed: &Grid, state: &Grid) -> Result<Board, String> {
    if (fixed.rows, fixed.columns) != (state.rows, state.columns) {
        return Err(format!("room_fixed has {} squares and room_state {}", fixed.size(), state.size()));
    }
    let mut text = String::with_capacity(fixed.cells.len() + fixed.rows);
    for (at, (ground, moving)) in fixed.cells.iter().zip(&state.cells).enumerate() {
        if at > 0 && at % fixed.columns == 0 {
            text.push('\n');
        }
        text.push(letter(*ground, *moving).map_err(|why| {
            format!("row {}, column {}: {why}", at / fixed.columns + 1, at % fixed.columns + 1)
        })?);
    }
    boards::read_one(&text).map_err(|error| error.reason)
}

fn letter(fixed: i64, state: i64) -> Result<char, String> {
    Ok(match (fixed, state) {
        (0, 0) => '#',
        (1, 1) => ' ',
        (2, 2) => '.',
        (2, 3) => '*',
        (1, 4) => '$',
        (1, 5) => '@',
        (2, 5) => '+',
        (0..=2, 0..=5) => {
            return Err(format!("room_fixed is {fixed} and room_state {state}, which cannot both be"));
        }
        (0..=2, _) => return Err(format!("room_state is {state}; it goes from 0 to 5")),
        _ => return Err(format!("room_fixed is {fixed}; it goes from 0 to 2")),
    })
}

/// `room_fixed` and `room_state` of a board. What lies outside its walls is floor, as it is in XSB.
pub(super) fn arrays(board: &Board) -> [Vec<Vec<u8>>; 2] {
    let code = |look| match look {
        Look::Wall => (0, 0),
        Look::Floor => (1, 1),
        Look::Target => (2, 2),
        Look::BoxHome => (2, 3),
        Look::Box => (1, 4),
        Look::Player => (1, 5),
        Look::PlayerHome => (2, 5),
    };
    let looks: Vec<(u8, u8)> = board.ground.squares().map(|square| code(board.look(square))).collect();
    let rows = || looks.chunks(usize::from(board.ground.columns));
    [
        rows().map(|row| row.iter().map(|(fixed, _)| *fixed).collect()).collect(),
        rows().map(|row| row.iter().map(|(_, state)| *state).collect()).collect(),
    ]
}
