//! The messages of the process: a JSON object a line. What it answers is hostile until it is checked.

use serde::{Deserialize, Serialize};

use super::super::reported::ReportedState;
use super::super::sim::DIFFICULTY;
use super::super::{EngineAction, Placed, Scene};

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
    pub(super) state: Option<ReportedState>,
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
