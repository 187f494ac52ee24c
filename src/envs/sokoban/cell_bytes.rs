//! A board as bytes, one per square, a bit per kind of content. Fast rooms are stepped in place on these
//! bytes, and the painter reads them; equal bytes have equal tiles.

use super::board::{Board, Ground, Square};
use super::tiles::Tile;

pub(super) const WALL: u8 = 1;
pub(super) const BOX: u8 = 2;
pub(super) const TARGET: u8 = 4;
pub(super) const PLAYER: u8 = 8;
/// A wall that does not touch the inside.
const ROCK: u8 = 16;
/// Neither a wall nor reachable by the player.
const OUTSIDE: u8 = 32;
/// No square has this byte.
pub(super) const UNKNOWN: u8 = u8::MAX;

/// The bytes of the static part.
pub(super) fn static_bytes(ground: &Ground) -> Box<[u8]> {
    let target = |square| if ground.is_target(square) { TARGET } else { 0 };
    let byte = |square| match (ground.is_wall(square), ground.is_inside(square)) {
        (true, _) if touches_inside(ground, square) => WALL,
        (true, _) => WALL | ROCK,
        (false, true) => target(square),
        (false, false) => OUTSIDE | target(square),
    };
    ground.squares().map(byte).collect()
}

/// Adds boxes and player to static bytes.
pub(super) fn add_moving(board: &Board, cells: &mut [u8]) {
    for square in board.boxes() {
        cells[usize::from(*square)] |= BOX;
    }
    cells[usize::from(board.player)] |= PLAYER;
}

/// The tile of a byte. Walls that touch the inside are brick, all others plain rock, so that the room
/// stands out.
pub(super) fn tile(cell: u8) -> Tile {
    match (cell & (PLAYER | BOX), cell & TARGET != 0) {
        _ if cell & WALL != 0 => {
            if cell & ROCK == 0 {
                Tile::Wall
            } else {
                Tile::Rock
            }
        }
        (BOX, true) => Tile::BoxOnTarget,
        (BOX, false) => Tile::Box,
        (0, true) => Tile::Target,
        (0, false) if cell & OUTSIDE != 0 => Tile::Outside,
        (0, false) => Tile::Floor,
        (_, true) => Tile::PlayerOnTarget,
        (_, false) => Tile::Player,
    }
}

/// The number of a byte in gym-sokoban's `room_state`, and 6 for the player on a target, which gym-sokoban
/// cannot tell from the player on floor. Empty squares outside the walls are walls in gym-sokoban.
pub(super) fn room_state(cell: u8) -> u8 {
    match tile(cell) {
        Tile::Wall | Tile::Rock | Tile::Outside => 0,
        Tile::Floor => 1,
        Tile::Target => 2,
        Tile::BoxOnTarget => 3,
        Tile::Box => 4,
        Tile::Player => 5,
        Tile::PlayerOnTarget => 6,
    }
}

/// The number of a byte in gym-sokoban's `room_fixed`: 0 wall, 1 floor, 2 target.
pub(super) fn room_fixed(cell: u8) -> u8 {
    match room_state(cell) {
        0 => 0,
        _ if cell & TARGET != 0 => 2,
        _ => 1,
    }
}

fn touches_inside(ground: &Ground, square: Square) -> bool {
    let (row, column) = ground.row_column(square);
    let near = |place: u16, last: u16| place.saturating_sub(1).max(1)..=(place + 1).min(last);
    near(row, ground.rows).any(|row| {
        near(column, ground.columns).any(|column| ground.is_inside((row - 1) * ground.columns + column - 1))
    })
}
