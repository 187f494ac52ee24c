//! What is known of the game after one frame (0.1 s), in the engine's public units: x to the right with the lines at
//! ±1.011, y **down** with the lines at ±0.4306, heights in metres, movements per frame. Recordings have the same.

use super::EngineAction;

/// The players of a full team.
pub const MAX_PLAYERS: usize = 11;

/// Metres of a public unit along and across the pitch.
pub const METRES: [f64; 2] = [54.4, 83.6];

/// A side. The agent plays on the left team, which attacks to the right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Team {
    /// The agent's team.
    Left,
    /// The opponents.
    Right,
}

impl Team {
    /// The opponents of this team.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// The role of a player. The discriminant is the engine's code.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlayerRole {
    /// Keeper.
    Gk = 0,
    /// Centre back.
    Cb,
    /// Left back.
    Lb,
    /// Right back.
    Rb,
    /// Defensive midfielder.
    Dm,
    /// Central midfielder.
    Cm,
    /// Left midfielder.
    Lm,
    /// Right midfielder.
    Rm,
    /// Attacking midfielder.
    Am,
    /// Centre forward.
    Cf,
}

const ROLES: [(PlayerRole, &str); 10] = [
    (PlayerRole::Gk, "GK"),
    (PlayerRole::Cb, "CB"),
    (PlayerRole::Lb, "LB"),
    (PlayerRole::Rb, "RB"),
    (PlayerRole::Dm, "DM"),
    (PlayerRole::Cm, "CM"),
    (PlayerRole::Lm, "LM"),
    (PlayerRole::Rm, "RM"),
    (PlayerRole::Am, "AM"),
    (PlayerRole::Cf, "CF"),
];

impl PlayerRole {
    /// The engine's code, 0 to 9.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The role with this code; none above 9.
    pub fn from_code(code: u8) -> Option<Self> {
        ROLES.get(usize::from(code)).map(|row| row.0)
    }

    /// The short name, such as `CB`.
    pub fn name(self) -> &'static str {
        ROLES[usize::from(self.code())].1
    }

    /// The role with exactly this short name.
    pub fn named(name: &str) -> Option<Self> {
        ROLES.iter().find(|row| row.1 == name).map(|row| row.0)
    }
}

/// What the game is doing. The discriminant is the engine's code.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameMode {
    /// Play goes on.
    Normal = 0,
    /// Before a kick-off.
    KickOff,
    /// The ball crossed a goal line.
    GoalKick,
    /// A foul.
    FreeKick,
    /// The ball crossed a goal line and a defender touched it last.
    Corner,
    /// The ball crossed a side line.
    ThrowIn,
    /// A foul in the area.
    Penalty,
}

impl GameMode {
    /// The engine's code, 0 to 6.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The mode with this code; none above 6.
    pub fn from_code(code: u8) -> Option<Self> {
        use GameMode as M;
        let modes = [M::Normal, M::KickOff, M::GoalKick, M::FreeKick, M::Corner, M::ThrowIn, M::Penalty];
        modes.get(usize::from(code)).copied()
    }
}

/// Who has the ball at his feet or in his hands; a flying ball has no owner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Owner {
    /// His team.
    pub team: Team,
    /// His index in the team.
    pub player: usize,
}

/// The flags that stay until they are released: eight directions from left clockwise, sprint, dribble.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sticky(pub [bool; 10]);

impl Sticky {
    /// The direction that is held.
    pub fn direction(self) -> Option<EngineAction> {
        let held = self.0[..8].iter().position(|held| *held)?;
        EngineAction::from_code(u8::try_from(held + 1).ok()?)
    }

    /// Whether sprint is on.
    pub fn sprint(self) -> bool {
        self.0[8]
    }

    /// Whether dribble is on.
    pub fn dribble(self) -> bool {
        self.0[9]
    }
}

/// One team. Only the first `count` elements of each array mean something.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Squad {
    /// How many players it has, at most [`MAX_PLAYERS`].
    pub count: usize,
    /// Where they are.
    pub positions: [[f64; 2]; MAX_PLAYERS],
    /// How far they moved in the last frame, public units a frame.
    pub movements: [[f64; 2]; MAX_PLAYERS],
    /// Their roles; the first is the keeper.
    pub roles: [PlayerRole; MAX_PLAYERS],
    /// How tired they are, 0 to 1.
    pub tired: [f64; MAX_PLAYERS],
}

impl Squad {
    /// A team without players.
    pub const EMPTY: Self = Self {
        count: 0,
        positions: [[0.0; 2]; MAX_PLAYERS],
        movements: [[0.0; 2]; MAX_PLAYERS],
        roles: [PlayerRole::Gk; MAX_PLAYERS],
        tired: [0.0; MAX_PLAYERS],
    };

    /// Where the players are.
    pub fn positions(&self) -> &[[f64; 2]] {
        &self.positions[..self.count]
    }
}

/// The game after one frame.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FrameState {
    /// The ball's centre: x, y and the height in metres.
    pub ball: [f64; 3],
    /// How far it moved in the last frame.
    pub ball_movement: [f64; 3],
    /// How it spins, as the engine reports it; recordings have none and read as zero.
    pub ball_rotation: [f64; 3],
    /// Who has the ball.
    pub owner: Option<Owner>,
    /// The index of the controlled player of the left team.
    pub active: usize,
    /// What the game is doing.
    pub mode: GameMode,
    /// Goals of the left and of the right team.
    pub score: [u32; 2],
    /// The held flags of the controlled player.
    pub sticky: Sticky,
    /// The agent's team.
    pub left: Squad,
    /// The opponents.
    pub right: Squad,
    /// Frames until the engine's own end: 401 − k after frame k.
    pub steps_left: u32,
}

impl FrameState {
    /// The players of a team.
    pub fn squad(&self, team: Team) -> &Squad {
        match team {
            Team::Left => &self.left,
            Team::Right => &self.right,
        }
    }

    /// The team that has the ball.
    pub fn owning_team(&self) -> Option<Team> {
        self.owner.map(|owner| owner.team)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_lead_back_to_roles_and_modes() {
        for code in 0..10 {
            let role = PlayerRole::from_code(code).unwrap();
            assert_eq!((role.code(), PlayerRole::named(role.name())), (code, Some(role)));
        }
        for code in 0..7 {
            assert_eq!(GameMode::from_code(code).unwrap().code(), code);
        }
        assert_eq!((PlayerRole::from_code(10), GameMode::from_code(7)), (None, None));
    }

    #[test]
    fn the_first_flag_is_the_direction_left() {
        let mut sticky = Sticky::default();
        assert_eq!(sticky.direction(), None);
        sticky.0[0] = true;
        assert_eq!(sticky.direction(), Some(EngineAction::Left));
    }
}
