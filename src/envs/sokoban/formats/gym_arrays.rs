//! gym-sokoban's two arrays of a room and the board they describe. `room_fixed`: 0 wall, 1 floor, 2 target.
//! `room_state`: 0 wall, 1 floor, 2 empty target, 3 box on target, 4 box off target, 5 player.

use super::super::board::Board;
use super::super::{cell_bytes, xsb as boards};

/// The most squares of an array, so that a small file cannot ask for much memory.
pub(super) const MAX_SQUARES: usize = 4096;

/// A two-dimensional array.
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

/// The board of a room. Errors name row and column. `outside` is 1 for each wall that is really nothing:
/// gym-sokoban has walls all around, where a level may have nothing.
pub(super) fn board(fixed: &Grid, state: &Grid, outside: Option<&Grid>) -> Result<Board, String> {
    for (name, other) in [("room_state", Some(state)), ("outside", outside)] {
        if let Some(other) = other.filter(|other| (other.rows, other.columns) != (fixed.rows, fixed.columns))
        {
            return Err(format!("room_fixed has {} squares and {name} {}", fixed.size(), other.size()));
        }
    }
    let open = |at: usize| outside.map_or(0, |outside| outside.cells[at]);
    let mut text = String::with_capacity(fixed.cells.len() + fixed.rows);
    for (at, (ground, moving)) in fixed.cells.iter().zip(&state.cells).enumerate() {
        if at > 0 && at % fixed.columns == 0 {
            text.push('\n');
        }
        text.push(letter(*ground, *moving, open(at)).map_err(|why| {
            format!("row {}, column {}: {why}", at / fixed.columns + 1, at % fixed.columns + 1)
        })?);
    }
    let board = boards::read_one(&text).map_err(|error| error.reason)?;
    let entered =
        board.ground.squares().find(|at| board.ground.is_inside(*at) && open(usize::from(*at)) == 1);
    match entered {
        Some(at) => Err(format!("{}: outside is 1, but the player can get there", board.ground.describe(at))),
        None => Ok(board),
    }
}

fn letter(fixed: i64, state: i64, outside: i64) -> Result<char, String> {
    Ok(match (fixed, state) {
        (0, 0) if outside == 1 => ' ',
        _ if outside != 0 => {
            return Err(format!(
                "outside is {outside}; it must be 1 for empty squares outside the walls, and 0 for others"
            ));
        }
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

/// Rows of numbers.
pub(super) type Rows = Vec<Vec<u8>>;

/// `room_fixed` and `room_state` of a board, and `outside` where the board has fewer walls than the arrays.
pub(super) fn arrays(board: &Board) -> ([Rows; 2], Option<Rows>) {
    let mut cells = cell_bytes::static_bytes(&board.ground);
    cell_bytes::add_moving(board, &mut cells);
    let rows = |number: &dyn Fn(usize, u8) -> u8| -> Rows {
        let numbers: Vec<u8> = cells.iter().enumerate().map(|(at, cell)| number(at, *cell)).collect();
        numbers.chunks(usize::from(board.ground.columns)).map(<[u8]>::to_vec).collect()
    };
    // In gym-sokoban the player hides a target below.
    let state = |_, cell: u8| cell_bytes::room_state(cell).min(5);
    let outside =
        |at: usize, cell: u8| u8::from(cell_bytes::room_state(cell) == 0 && !board.ground.walls[at]);
    let any = cells.iter().enumerate().any(|(at, cell)| outside(at, *cell) == 1);
    ([rows(&|_, cell| cell_bytes::room_fixed(cell)), rows(&state)], any.then(|| rows(&outside)))
}
