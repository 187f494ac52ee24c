//! The 33 actions of the engine with their codes and names, and the 16 of them that an agent has.

use std::f64::consts::FRAC_1_SQRT_2;

/// An action of the engine (Google Research Football, full action set). The discriminant is its code.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EngineAction {
    /// Changes nothing: a direction that is held stays held.
    Idle = 0,
    /// Run left (sticky, as all directions).
    Left,
    /// Run up and left.
    TopLeft,
    /// Run up.
    Top,
    /// Run up and right.
    TopRight,
    /// Run right, towards the opponents' goal.
    Right,
    /// Run down and right.
    BottomRight,
    /// Run down.
    Bottom,
    /// Run down and left.
    BottomLeft,
    /// Pass over a long distance, on the ground (a button: it acts in this frame).
    LongPass,
    /// Pass high.
    HighPass,
    /// Pass over a short distance.
    ShortPass,
    /// Shoot at the goal.
    Shot,
    /// Start to sprint (sticky).
    Sprint,
    /// Let go of the direction.
    ReleaseDirection,
    /// Stop to sprint.
    ReleaseSprint,
    /// Slide at the ball.
    Sliding,
    /// Start to dribble (sticky).
    Dribble,
    /// Stop to dribble.
    ReleaseDribble,
    /// The engine's own AI acts in this frame; direction, sprint and dribble are cleared.
    BuiltinAi,
    /// The keeper runs out (sticky).
    KeeperRush,
    /// The controlled player presses the carrier (sticky).
    Pressure,
    /// A teammate presses the carrier (sticky).
    TeamPressure,
    /// Control another player.
    Switch,
    /// Let go of the button of the long pass.
    ReleaseLongPass,
    /// Let go of the button of the high pass.
    ReleaseHighPass,
    /// Let go of the button of the short pass.
    ReleaseShortPass,
    /// Let go of the button of the shot.
    ReleaseShot,
    /// Call the keeper back.
    ReleaseKeeperRush,
    /// Let go of the button of the slide.
    ReleaseSliding,
    /// Stop to press.
    ReleasePressure,
    /// Stop the pressure by a teammate.
    ReleaseTeamPressure,
    /// Let go of the button of the switch.
    ReleaseSwitch,
}

use EngineAction as A;

/// Every action in the order of the codes, with its name.
const ACTIONS: [(A, &str); 33] = [
    (A::Idle, "action_idle"),
    (A::Left, "action_left"),
    (A::TopLeft, "action_top_left"),
    (A::Top, "action_top"),
    (A::TopRight, "action_top_right"),
    (A::Right, "action_right"),
    (A::BottomRight, "action_bottom_right"),
    (A::Bottom, "action_bottom"),
    (A::BottomLeft, "action_bottom_left"),
    (A::LongPass, "action_long_pass"),
    (A::HighPass, "action_high_pass"),
    (A::ShortPass, "action_short_pass"),
    (A::Shot, "action_shot"),
    (A::Sprint, "action_sprint"),
    (A::ReleaseDirection, "action_release_direction"),
    (A::ReleaseSprint, "action_release_sprint"),
    (A::Sliding, "action_sliding"),
    (A::Dribble, "action_dribble"),
    (A::ReleaseDribble, "action_release_dribble"),
    (A::BuiltinAi, "action_builtin_ai"),
    (A::KeeperRush, "action_keeper_rush"),
    (A::Pressure, "action_pressure"),
    (A::TeamPressure, "action_team_pressure"),
    (A::Switch, "action_switch"),
    (A::ReleaseLongPass, "action_release_long_pass"),
    (A::ReleaseHighPass, "action_release_high_pass"),
    (A::ReleaseShortPass, "action_release_short_pass"),
    (A::ReleaseShot, "action_release_shot"),
    (A::ReleaseKeeperRush, "action_release_keeper_rush"),
    (A::ReleaseSliding, "action_release_sliding"),
    (A::ReleasePressure, "action_release_pressure"),
    (A::ReleaseTeamPressure, "action_release_team_pressure"),
    (A::ReleaseSwitch, "action_release_switch"),
];

impl EngineAction {
    /// The actions of the agent in the order of the prompt: directions, passes, shot, sprint and dribble with their
    /// releases (`MageBench`, released code and printed prompt).
    pub const AGENT: [Self; 16] = [
        A::Left,
        A::TopLeft,
        A::Top,
        A::TopRight,
        A::Right,
        A::BottomRight,
        A::Bottom,
        A::BottomLeft,
        A::LongPass,
        A::HighPass,
        A::ShortPass,
        A::Shot,
        A::Sprint,
        A::ReleaseSprint,
        A::Dribble,
        A::ReleaseDribble,
    ];

    /// The engine's code, 0 to 32.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The action with this code; none above 32.
    pub fn from_code(code: u8) -> Option<Self> {
        ACTIONS.get(usize::from(code)).map(|row| row.0)
    }

    /// The name with its prefix, such as `action_left`.
    pub fn name(self) -> &'static str {
        ACTIONS[usize::from(self.code())].1
    }

    /// The action with exactly this name, prefix included.
    pub fn named(name: &str) -> Option<Self> {
        ACTIONS.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// The unit vector of a direction in public axes: x right, y **down**; none for other actions.
    pub fn direction(self) -> Option<[f64; 2]> {
        const D: f64 = FRAC_1_SQRT_2;
        Some(match self {
            A::Left => [-1.0, 0.0],
            A::TopLeft => [-D, -D],
            A::Top => [0.0, -1.0],
            A::TopRight => [D, -D],
            A::Right => [1.0, 0.0],
            A::BottomRight => [D, D],
            A::Bottom => [0.0, 1.0],
            A::BottomLeft => [-D, D],
            _ => return None,
        })
    }

    /// Whether this is one of the three passes.
    pub fn is_pass(self) -> bool {
        matches!(self, A::LongPass | A::HighPass | A::ShortPass)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_lead_back_to_the_action() {
        for code in 0..33 {
            let action = A::from_code(code).unwrap();
            assert_eq!(action.code(), code);
            assert_eq!(A::named(action.name()), Some(action));
        }
        assert_eq!(A::from_code(33), None);
        assert_eq!((A::Shot.code(), A::BuiltinAi.code(), A::ReleaseSwitch.code()), (12, 19, 32));
    }

    #[test]
    fn directions_are_unit_vectors_with_y_down() {
        let directions: Vec<[f64; 2]> = A::AGENT.iter().filter_map(|action| action.direction()).collect();
        assert_eq!(directions.len(), 8);
        assert!(directions.iter().all(|[x, y]| (x.hypot(*y) - 1.0).abs() < 1e-12));
        assert_eq!(A::Top.direction(), Some([0.0, -1.0]));
    }
}
