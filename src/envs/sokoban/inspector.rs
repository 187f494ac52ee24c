//! What people see of an observation beside its parts: the move of an action, drawn onto the frame.

use serde_json::Value;

use super::board::Direction;
use mageyard_domain::{
    Action, ActionShape, DetailsError, Observation, ObservationDetails, ObservationInspector,
};

/// Reads the facts of an observation.
#[derive(Debug)]
pub(super) struct Inspector;

impl ObservationInspector for Inspector {
    fn inspect(&self, _observation: &Observation) -> Result<ObservationDetails, DetailsError> {
        Ok(ObservationDetails::default())
    }

    /// An arrow from the player to the next square.
    fn action_shapes(&self, observation: &Observation, action: &Action) -> Vec<ActionShape> {
        arrow(observation, action).into_iter().collect()
    }
}

fn arrow(observation: &Observation, action: &Action) -> Option<ActionShape> {
    let (_, picture) = observation.images().next()?;
    let rows = fact(observation, "rows")?;
    let columns = fact(observation, "columns")?;
    let player = observation.facts().get("player")?.as_array()?;
    let [row, column] = [0, 1].map(|axis| player.get(axis).and_then(Value::as_i64));
    // A recorded frame does not know its tiles.
    let side = |pixels: u32, squares: i64| i64::from(pixels).checked_div(squares).filter(|side| *side > 0);
    let wide = side(picture.width(), columns)?;
    let high = side(picture.height(), rows)?;
    // Rows and columns are counted from 1.
    let from = ((column? - 1) * wide + wide / 2, (row? - 1) * high + high / 2);
    let to = match Direction::from_name(&action.name)? {
        Direction::Left => (from.0 - wide, from.1),
        Direction::Right => (from.0 + wide, from.1),
        Direction::Up => (from.0, from.1 - high),
        Direction::Down => (from.0, from.1 + high),
    };
    Some(ActionShape::Arrow { from, to })
}

fn fact(observation: &Observation, name: &str) -> Option<i64> {
    observation.facts().get(name)?.as_i64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Room, xsb};
    use mageyard_domain::{Options, World};

    #[test]
    fn a_move_is_an_arrow_from_the_player_to_the_next_square() {
        let level = xsb::read("#####\n#@$.#\n#####\n").unwrap().remove(0);
        let mut room = Room::new(&level, &Options::new()).unwrap();
        let seen = room.observe();
        let shapes = |name: &str| Inspector.action_shapes(&seen, &Action::plain(name));
        assert_eq!(shapes("Right"), [ActionShape::Arrow { from: (24, 24), to: (40, 24) }]);
        assert_eq!(shapes("Up"), [ActionShape::Arrow { from: (24, 24), to: (24, 8) }]);
        assert_eq!(shapes("Wait"), []);
    }
}
