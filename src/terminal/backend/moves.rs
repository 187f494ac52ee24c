//! The shortest sequence that moves the cursor.
//!
//! Moves to the left are not used: after the last column of a row the cursor is one column further left than it would be.

use std::fmt::Write as _;

use ratatui::layout::Position;

/// Appends the shortest sequence that moves the cursor; where it is may be unknown.
pub(super) fn push_move(text: &mut String, from: Option<Position>, to: Position) {
    // Writing to a string cannot fail.
    let _ = match shortest(from, to) {
        Move::None => Ok(()),
        Move::Right(1) => text.write_str("\x1b[C"),
        Move::Right(columns) => write!(text, "\x1b[{columns}C"),
        Move::Down(1) => text.write_str("\x1b[B"),
        Move::Down(rows) => write!(text, "\x1b[{rows}B"),
        Move::To(Position { x: 0, y }) => write!(text, "\x1b[{}H", y + 1),
        Move::To(Position { x, y }) => write!(text, "\x1b[{};{}H", y + 1, x + 1),
    };
}

/// The bytes of the shortest sequence.
pub(super) fn move_bytes(from: Option<Position>, to: Position) -> usize {
    match shortest(from, to) {
        Move::None => 0,
        Move::Right(1) | Move::Down(1) => 3,
        Move::Right(count) | Move::Down(count) => 3 + digits(count),
        Move::To(Position { x: 0, y }) => 3 + digits(y + 1),
        Move::To(Position { x, y }) => 4 + digits(y + 1) + digits(x + 1),
    }
}

enum Move {
    None,
    Right(u16),
    Down(u16),
    To(Position),
}

fn shortest(from: Option<Position>, to: Position) -> Move {
    match from {
        Some(from) if from == to => Move::None,
        Some(from) if from.y == to.y && from.x < to.x => Move::Right(to.x - from.x),
        Some(from) if from.x == to.x && from.y < to.y => Move::Down(to.y - from.y),
        _ => Move::To(to),
    }
}

fn digits(number: u16) -> usize {
    1 + number.checked_ilog10().map_or(0, |more| more as usize)
}
