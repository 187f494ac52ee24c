//! The scene that a recorded state begins with.

use mageyard_football::{FrameState, Placed, PlayerRole, Scene, Squad};

/// What the engine makes of one unit of a scene file, in public units: measured on the engine.
const OBSERVED: [f64; 2] = [1.011, 1.0163];

/// The scene whose first state is this one.
pub fn starting_scene(name: &str, initial: &FrameState) -> Scene {
    Scene {
        name: name.to_owned(),
        ball: [initial.ball[0], initial.ball[1]],
        left: placed(&initial.left, 1.0),
        right: placed(&initial.right, -1.0),
    }
}

/// The players in the frame of their own team.
fn placed(squad: &Squad, sign: f64) -> Vec<Placed> {
    let place = |([x, y], role): (&[f64; 2], &PlayerRole)| Placed {
        x: sign * x / OBSERVED[0],
        y: sign * y / OBSERVED[1],
        role: *role,
    };
    squad.positions().iter().zip(&squad.roles).map(place).collect()
}
