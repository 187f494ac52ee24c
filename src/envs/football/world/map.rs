//! The pitch as letters: own players `a` to `k`, opponents `A` to `K`, the controlled one `@`, the ball `*` where it is
//! alone. A character is 2.5 m wide and 5.1 m high; `[` and `]` are the goals.

use crate::envs::football::FrameState;
use crate::envs::football::Team;

const COLUMNS: usize = 44;
const ROWS: usize = 14;
/// The lines in public units.
const LINES: [f64; 2] = [1.011, 0.4306];

/// The map, a line per row.
pub(super) fn map(state: &FrameState) -> String {
    let mut cells = [[b'.'; COLUMNS]; ROWS];
    let mut put = |[x, y]: [f64; 2], letter: u8| {
        cells[cell(y, LINES[1], ROWS)][cell(x, LINES[0], COLUMNS)] = letter;
    };
    put([state.ball[0], state.ball[1]], b'*');
    for team in [Team::Right, Team::Left] {
        for (slot, place) in state.squad(team).positions().iter().enumerate() {
            put(*place, letter_byte(team, slot));
        }
    }
    if let Some(place) = state.left.positions().get(state.active) {
        put(*place, b'@');
    }
    let middle = ROWS / 2;
    let row = |(index, cells): (usize, &[u8; COLUMNS])| {
        let is_goal = index == middle || index + 1 == middle;
        let [left, right] = if is_goal { ['[', ']'] } else { ['|', '|'] };
        format!("{left}{}{right}\n", String::from_utf8_lossy(cells))
    };
    cells.iter().enumerate().map(row).collect()
}

/// The letter of a player.
pub(super) fn letter(team: Team, slot: usize) -> char {
    char::from(letter_byte(team, slot))
}

fn letter_byte(team: Team, slot: usize) -> u8 {
    let first = match team {
        Team::Left => b'a',
        Team::Right => b'A',
    };
    first + u8::try_from(slot.min(25)).unwrap_or(0)
}

/// The cell of a place between two lines; outside of them the nearest one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is bounded")]
fn cell(value: f64, line: f64, cells: usize) -> usize {
    let share = ((value + line) / (2.0 * line)).clamp(0.0, 1.0);
    #[expect(clippy::cast_precision_loss, reason = "a few cells")]
    let at = (share * cells as f64) as usize;
    at.min(cells - 1)
}
