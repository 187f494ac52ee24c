//! MageBench's level files: a gym-sokoban environment as Python saved it, bare or in wrappers. The board
//! comes from its two arrays; its other attributes must agree with them.

use super::super::board::Board;
use super::numpy::{grid, number, numbers};
use super::pickle::{Id, Node, Pickle};
use super::{gym_arrays, pickle};
use mageyard_domain::{FileLocation, Level, LevelFormatError};

/// The most wrappers around the room.
const MAX_WRAPPERS: usize = 16;

pub(super) fn read(bytes: &[u8]) -> Result<Vec<Level>, LevelFormatError> {
    let pickle = pickle::load(bytes)?;
    let room = room(&pickle)?;
    let refuse = |id: Id, reason| LevelFormatError { location: FileLocation::Byte(pickle.byte(id)), reason };
    let part = |id, name| grid(&pickle, id).map_err(|why| refuse(id, format!("{name}: {why}")));
    let board = gym_arrays::board(&part(room.fixed, "room_fixed")?, &part(room.state, "room_state")?, None)
        .map_err(|why| refuse(room.state, why))?;
    check_attributes(&pickle, room.holder, &board).map_err(|why| refuse(room.holder, why))?;
    Ok(vec![Level::from_text(1, None, board.to_string())])
}

/// The nodes of a room in a pickle.
struct RoomNodes {
    holder: Id,
    fixed: Id,
    state: Id,
}

/// Finds the room: an environment, possibly in wrappers, a dictionary, or a bare pair of arrays.
fn room(pickle: &Pickle<'_>) -> Result<RoomNodes, LevelFormatError> {
    let mut holder = pickle.root();
    for _ in 0..MAX_WRAPPERS {
        if let (Some(fixed), Some(state)) =
            (pickle.attribute(holder, "room_fixed"), pickle.attribute(holder, "room_state"))
        {
            return Ok(RoomNodes { holder, fixed, state });
        }
        if let Node::Tuple(pair) | Node::List(pair) = pickle.node(holder)
            && let &[fixed, state] = pair.as_slice()
        {
            return Ok(RoomNodes { holder, fixed, state });
        }
        match ["env", "_env", "unwrapped"].iter().find_map(|name| pickle.attribute(holder, name)) {
            Some(inner) => holder = inner,
            None => break,
        }
    }
    let reason =
        "there is no environment with room_fixed and room_state in it, bare or in wrappers".to_owned();
    Err(LevelFormatError { location: FileLocation::Byte(pickle.byte(holder)), reason })
}

/// Checks the environment's other attributes against its arrays.
fn check_attributes(pickle: &Pickle<'_>, holder: Id, board: &Board) -> Result<(), String> {
    let field = |name| pickle.attribute(holder, name);
    let boxes = board.boxes().len();
    let (row, column) = board.ground.row_column(board.player);
    if let Some(said) = field("num_boxes").and_then(|id| number(pickle, id))
        && usize::try_from(said) != Ok(boxes)
    {
        return Err(format!("num_boxes is {said} and the room has {boxes} boxes"));
    }
    if let Some(said) = field("player_position").and_then(|id| numbers(pickle, id))
        && said != [i64::from(row) - 1, i64::from(column) - 1]
    {
        return Err(format!(
            "player_position is {said:?}, and the player is at row {row}, column {column}, counted from 1"
        ));
    }
    if let Some(limit) = field("max_steps").and_then(|id| number(pickle, id))
        && limit < 1
    {
        return Err(format!("max_steps is {limit}"));
    }
    field("box_mapping").map_or(Ok(()), |id| check_box_mapping(pickle, id, board))
}

/// Each target is mapped to the initial square of its box.
fn check_box_mapping(pickle: &Pickle<'_>, id: Id, board: &Board) -> Result<(), String> {
    let Node::Dict(pairs) = pickle.node(id) else { return Ok(()) };
    let boxes = board.boxes().len();
    if pairs.len() > boxes {
        return Err(format!("box_mapping maps {} targets and the room has {boxes} boxes", pairs.len()));
    }
    for (target, _) in pairs {
        let place = numbers(pickle, *target).unwrap_or_default();
        let square = board.ground.squares().find(|square| {
            let (row, column) = board.ground.row_column(*square);
            place == [i64::from(row) - 1, i64::from(column) - 1]
        });
        if !square.is_some_and(|square| board.ground.is_target(square)) {
            return Err(format!(
                "box_mapping has a target at {place:?}, counted from 0, and the room has none there"
            ));
        }
    }
    Ok(())
}
