//! The frames of a decision, kept small: 16 bits a coordinate, so a frame has some two hundred bytes. People can replay
//! them; agents never get them.

use std::sync::Arc;

use crate::picture::Focus;
use crate::{FrameState, GameMode, MAX_PLAYERS, Owner, Squad, Sticky};

/// Steps of a place and of a movement in a public unit or metre: a place is exact to 2 mm, a movement to 1 mm a frame.
const PLACE: f64 = 28_000.0;
/// Steps of a height in metres.
const HEIGHT: f64 = 500.0;

/// The states after the frames of a decision, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Film {
    frames: Arc<[PackedFrame]>,
    /// Where the camera looked before them.
    focus: Option<Focus>,
    is_pass: bool,
}

/// A state of a film.
#[derive(Clone, Debug)]
pub(crate) struct PackedFrame {
    ball: [i16; 3],
    ball_movement: [i16; 3],
    owner: Option<Owner>,
    active: u8,
    sticky: Sticky,
    mode: GameMode,
    score: [u32; 2],
    places: [[[i16; 2]; MAX_PLAYERS]; 2],
    movements: [[[i16; 2]; MAX_PLAYERS]; 2],
    steps_left: u32,
}

impl Film {
    /// The film of these frames of a decision, which may be a pass. The camera looked there before them.
    pub(crate) fn new(frames: Vec<PackedFrame>, focus: Focus, is_pass: bool) -> Self {
        Self { frames: frames.into(), focus: Some(focus), is_pass }
    }

    /// Where the camera looked before the first frame.
    pub(crate) fn focus(&self) -> Option<Focus> {
        self.focus
    }

    /// Whether the decision is a pass.
    pub(crate) fn is_pass(&self) -> bool {
        self.is_pass
    }

    /// The states. What does not change during a decision is that of the last state.
    pub(crate) fn states(&self, last: &FrameState) -> impl Iterator<Item = FrameState> {
        self.frames.iter().map(|frame| frame.unpacked(last))
    }
}

impl PackedFrame {
    /// The frame of a state.
    pub(crate) fn of(state: &FrameState) -> Self {
        let squads = [&state.left, &state.right];
        let ground = |[x, y, _]: [f64; 3]| [packed(x, PLACE), packed(y, PLACE)];
        let ball = |values: [f64; 3]| {
            let [x, y] = ground(values);
            [x, y, packed(values[2], HEIGHT)]
        };
        Self {
            ball: ball(state.ball),
            ball_movement: ball(state.ball_movement),
            owner: state.owner,
            active: u8::try_from(state.active).unwrap_or(0),
            sticky: state.sticky,
            mode: state.mode,
            score: state.score,
            places: squads.map(|squad| squad.positions.map(|place| place.map(|value| packed(value, PLACE)))),
            movements: squads.map(|squad| squad.movements.map(|way| way.map(|value| packed(value, PLACE)))),
            steps_left: state.steps_left,
        }
    }

    fn unpacked(&self, last: &FrameState) -> FrameState {
        let ball = |[x, y, z]: [i16; 3]| [unpacked(x, PLACE), unpacked(y, PLACE), unpacked(z, HEIGHT)];
        let squad = |side: usize, squad: &Squad| Squad {
            positions: self.places[side].map(|place| place.map(|value| unpacked(value, PLACE))),
            movements: self.movements[side].map(|way| way.map(|value| unpacked(value, PLACE))),
            ..*squad
        };
        FrameState {
            ball: ball(self.ball),
            ball_movement: ball(self.ball_movement),
            owner: self.owner,
            active: usize::from(self.active),
            sticky: self.sticky,
            mode: self.mode,
            score: self.score,
            left: squad(0, &last.left),
            right: squad(1, &last.right),
            steps_left: self.steps_left,
            ..*last
        }
    }
}

/// In steps, at most what fits: the nets and the stands are inside.
#[expect(clippy::cast_possible_truncation, reason = "it is bounded")]
fn packed(value: f64, steps: f64) -> i16 {
    (value * steps).round().clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i16
}

fn unpacked(value: i16, steps: f64) -> f64 {
    f64::from(value) / steps
}
