//! Boards edited by hand: boxes and the player are moved, walls and targets stay.

use super::board::Board;
use super::xsb;
use mageyard_domain::{MoveDirection, Observation, Piece, StateEditor};

/// Edits the board of a room, as XSB text.
#[derive(Debug)]
pub(super) struct BoardEditor;

impl StateEditor for BoardEditor {
    fn state(&self, observation: &Observation) -> Option<String> {
        observation.facts().get("board")?.as_str().map(str::to_owned)
    }

    fn pieces(&self, state: &str) -> Vec<Piece> {
        let squares = state.lines().enumerate().flat_map(|(line, row)| {
            row.chars().enumerate().filter_map(move |(column, c)| {
                let name = piece_name(c)?.to_owned();
                Some(Piece { name, line, column })
            })
        });
        squares.collect()
    }

    fn moved(&self, state: &str, piece: usize, direction: MoveDirection) -> Result<String, String> {
        let mut rows: Vec<Vec<char>> = state.lines().map(|row| row.chars().collect()).collect();
        let pieces = self.pieces(state);
        let Some(Piece { line, column, .. }) = pieces.get(piece) else {
            return Err(format!("the board has no piece {piece}"));
        };
        let (to_line, to_column) = match direction {
            MoveDirection::Left => (Some(*line), column.checked_sub(1)),
            MoveDirection::Right => (Some(*line), Some(column + 1)),
            MoveDirection::Up => (line.checked_sub(1), Some(*column)),
            MoveDirection::Down => (Some(line + 1), Some(*column)),
        };
        let moving = rows[*line][*column];
        let to = to_line.zip(to_column).and_then(|(line, column)| rows.get_mut(line)?.get_mut(column));
        let place = to.ok_or("the board ends there")?;
        *place = arrived(moving, *place)?;
        rows[*line][*column] = if "*+".contains(moving) { '.' } else { ' ' };
        Ok(rows.into_iter().map(String::from_iter).collect::<Vec<_>>().join("\n"))
    }
}

fn piece_name(c: char) -> Option<&'static str> {
    match c {
        '$' | '*' => Some("box"),
        '@' | '+' => Some("player"),
        _ => None,
    }
}

/// The character of a square onto which a piece has moved.
fn arrived(moving: char, square: char) -> Result<char, String> {
    let is_box = "$*".contains(moving);
    match square {
        '.' => Ok(if is_box { '*' } else { '+' }),
        ' ' | '-' | '_' => Ok(if is_box { '$' } else { '@' }),
        '#' => Err("a wall is there".to_owned()),
        other => Err(format!("a {} is there", piece_name(other).unwrap_or("piece"))),
    }
}

/// The board of this text, if it has the walls, the targets and the number of boxes of `now`.
pub(super) fn same_room(now: &Board, state: &str) -> Result<Board, String> {
    let board = xsb::read_one(state).map_err(|error| error.to_string())?;
    let old = &now.ground;
    let new = &board.ground;
    if (old.rows, old.columns) != (new.rows, new.columns) {
        return Err(format!(
            "the board has {} x {} squares, not {} x {}",
            old.rows, old.columns, new.rows, new.columns
        ));
    }
    if let Some(square) = old.squares().find(|square| old.is_wall(*square) != new.is_wall(*square)) {
        return Err(format!("the walls differ at {}", old.describe(square)));
    }
    if let Some(square) = old.squares().find(|square| old.is_target(*square) != new.is_target(*square)) {
        return Err(format!("the targets differ at {}", old.describe(square)));
    }
    if now.boxes().len() != board.boxes().len() {
        return Err(format!("the board has {} boxes, not {}", now.boxes().len(), board.boxes().len()));
    }
    if !old.is_inside(board.player) {
        return Err(format!("the player cannot be at {}, outside of the room", old.describe(board.player)));
    }
    Ok(Board::on(old.clone(), board.player, board.boxes().iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Room;
    use mageyard_domain::{Action, Level, Options, World};

    const BOARD: &str = "######\n#@$ .#\n#    #\n######";

    fn room() -> Room {
        Room::new(&Level::from_text(1, None, BOARD), &Options::new()).unwrap()
    }

    #[test]
    fn pieces_move_onto_free_squares_only() {
        let names: Vec<_> = BoardEditor.pieces(BOARD).into_iter().map(|piece| piece.name).collect();
        assert_eq!(names, ["player", "box"]);
        let down = BoardEditor.moved(BOARD, 1, MoveDirection::Down).unwrap();
        assert_eq!(down, "######\n#@  .#\n# $  #\n######");
        let right = BoardEditor.moved(BOARD, 1, MoveDirection::Right).unwrap();
        let goal = BoardEditor.moved(&right, 1, MoveDirection::Right).unwrap();
        assert_eq!(goal, "######\n#@  *#\n#    #\n######");
        let back = BoardEditor.moved(&goal, 1, MoveDirection::Left).unwrap();
        assert_eq!(back, right);
        for (piece, direction, why) in [
            (0, MoveDirection::Right, "a box is there"),
            (0, MoveDirection::Up, "a wall is there"),
            (1, MoveDirection::Left, "a player is there"),
            (2, MoveDirection::Left, "the board has no piece 2"),
        ] {
            assert_eq!(BoardEditor.moved(BOARD, piece, direction), Err(why.to_owned()));
        }
    }

    #[test]
    fn a_room_takes_a_state_with_its_own_walls_targets_and_boxes() {
        let mut room = room();
        let edited = BoardEditor.moved(BOARD, 1, MoveDirection::Right).unwrap();
        room.set_state(&edited).unwrap();
        assert_eq!(room.observe().facts()["board"], edited.as_str());
        room.step(&Action::plain("Right")).unwrap();
        assert_eq!(BoardEditor.state(&room.observe()).unwrap(), "######\n# @$.#\n#    #\n######");
    }

    #[test]
    fn another_room_is_refused_with_the_place_and_changes_nothing() {
        let mut room = room();
        let before = room.observe().digest();
        for (state, why) in [
            ("######\n#@$#.#\n#    #\n######", "the walls differ at row 2, column 4"),
            ("######\n#@$. #\n#    #\n######", "the targets differ at row 2, column 4"),
            ("#######\n#@$  .#\n#     #\n#######", "the board has 4 x 6 squares, not 4 x 7"),
            ("######\n#@@$.#\n#    #\n######", "more than one player"),
            ("", "the text has 0"),
        ] {
            let error = room.set_state(state).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
            assert_eq!(room.observe().digest(), before);
        }
    }
}
