//! The messages of the process: a JSON object a line. What it answers is hostile until it is checked.

use serde::{Deserialize, Serialize};

use super::super::sim::DIFFICULTY;
use super::super::{
    EngineAction, FrameState, GameMode, MAX_PLAYERS, Owner, Placed, PlayerRole, Scene, Squad, Sticky, Team,
};

/// An order to the process.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "order", rename_all = "lowercase")]
pub(super) enum Order {
    /// Begin a scene.
    Load { scenario: Scenario, seed: u32, difficulty: [f64; 2] },
    /// Play a frame with the action of this code.
    Step { action: u8 },
    /// Keep the present state.
    Save,
    /// Return to a kept state.
    Restore { saved: usize },
    /// Draw the present state: an answer with the frame, and then its bytes.
    Draw,
    /// Say what was used so far.
    Usage,
    /// End.
    Quit,
}

impl Order {
    pub(super) fn load(scene: &Scene, seed: u64) -> Self {
        Self::Load { scenario: Scenario::of(scene), seed: engine_seed(seed), difficulty: DIFFICULTY }
    }

    pub(super) fn step(action: EngineAction) -> Self {
        Self::Step { action: action.code() }
    }
}

/// The seed of the engine, which has 31 bits: smaller seeds stay, larger ones are folded.
pub(super) fn engine_seed(seed: u64) -> u32 {
    u32::try_from((seed ^ (seed >> 31) ^ (seed >> 62)) & 0x7fff_ffff).unwrap_or(0)
}

/// A scene as data: the ball, and role, x and y of each player.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Scenario {
    ball: [f64; 2],
    left: Vec<(&'static str, f64, f64)>,
    right: Vec<(&'static str, f64, f64)>,
}

impl Scenario {
    fn of(scene: &Scene) -> Self {
        let team = |players: &[Placed]| {
            players.iter().map(|player| (player.role.name(), player.x, player.y)).collect()
        };
        Self { ball: scene.ball, left: team(&scene.left), right: team(&scene.right) }
    }
}

/// An answer of the process, of which each has some fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Answer {
    /// The engine is loaded.
    pub(super) ready: Option<Ready>,
    /// Why the engine is missing.
    pub(super) absent: Option<String>,
    /// The order failed, and why.
    pub(super) error: Option<String>,
    pub(super) state: Option<State>,
    /// The number of a kept state.
    pub(super) saved: Option<usize>,
    /// A drawn frame, whose bytes follow the line.
    pub(super) frame: Option<Frame>,
    /// Seconds of processor time so far.
    pub(super) cpu: Option<f64>,
    /// The most memory so far in KiB.
    pub(super) memory: Option<u64>,
}

/// Which engine is loaded.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Ready {
    pub(super) version: String,
    pub(super) python: String,
}

/// A drawn frame: three bytes a pixel, rows from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Frame {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) bytes: usize,
}

impl Frame {
    /// The only frame that is accepted.
    pub(super) const ONLY: Self = Self { width: 1280, height: 720, bytes: 1280 * 720 * 3 };
}

/// A state as the engine reports it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct State {
    ball: [f64; 3],
    ball_direction: [f64; 3],
    ball_rotation: [f64; 3],
    owner: [i64; 2],
    active: i64,
    mode: u8,
    score: [u32; 2],
    sticky: Vec<u8>,
    left: Players,
    right: Players,
    steps_left: u32,
}

#[derive(Clone, Debug, Deserialize)]
struct Players {
    places: Vec<[f64; 2]>,
    movements: Vec<[f64; 2]>,
    roles: Vec<u8>,
    tired: Vec<f64>,
}

impl State {
    /// The state, if it can be one. An error names the field.
    pub(super) fn check(self) -> Result<FrameState, &'static str> {
        let left = self.left.check().ok_or("left needs 1 to 11 players")?;
        let right = self.right.check().ok_or("right needs 1 to 11 players")?;
        let owner = owner(self.owner, [left.count, right.count])?;
        let active = usize::try_from(self.active).ok().filter(|player| *player < left.count);
        Ok(FrameState {
            ball: self.ball,
            ball_movement: self.ball_direction,
            ball_rotation: self.ball_rotation,
            owner,
            active: active.ok_or("active names no player")?,
            mode: GameMode::from_code(self.mode).ok_or("mode is not 0 to 6")?,
            score: self.score,
            sticky: sticky(&self.sticky).ok_or("sticky has fewer than ten flags")?,
            left,
            right,
            steps_left: self.steps_left,
        })
    }
}

impl Players {
    fn check(&self) -> Option<Squad> {
        let count = self.places.len();
        let lengths = [self.movements.len(), self.roles.len(), self.tired.len()];
        if !(1..=MAX_PLAYERS).contains(&count) || lengths != [count; 3] {
            return None;
        }
        let mut squad = Squad { count, ..Squad::EMPTY };
        squad.positions[..count].copy_from_slice(&self.places);
        squad.movements[..count].copy_from_slice(&self.movements);
        squad.tired[..count].copy_from_slice(&self.tired);
        for (role, code) in squad.roles.iter_mut().zip(&self.roles) {
            *role = PlayerRole::from_code(*code)?;
        }
        Some(squad)
    }
}

/// The owner, if the ball has one.
fn owner([team, player]: [i64; 2], counts: [usize; 2]) -> Result<Option<Owner>, &'static str> {
    let unknown = "owner names no player";
    let (team, count) = match team {
        -1 => return Ok(None),
        0 => (Team::Left, counts[0]),
        1 => (Team::Right, counts[1]),
        _ => return Err(unknown),
    };
    let player = usize::try_from(player).ok().filter(|player| *player < count);
    Ok(Some(Owner { team, player: player.ok_or(unknown)? }))
}

/// The full action set has three more flags, which are left out.
fn sticky(flags: &[u8]) -> Option<Sticky> {
    let flags: &[u8; 10] = flags.first_chunk()?;
    Some(Sticky(flags.map(|flag| flag != 0)))
}
