//! What a view shows beside the state.

use super::super::{FrameState, Team};
use super::camera::Focus;

/// What is shown beside the state of a frame. Never a reward.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shown {
    /// The number of the decision that is due, from 1.
    pub decision: u32,
    /// The frames after which the episode is cut off.
    pub limit: u32,
    /// The player of the agent's team to whom a pass is under way.
    pub receiver: Option<usize>,
    /// The team that scored in this frame.
    pub scorer: Option<Team>,
    /// Where the broadcast camera looks.
    pub focus: Focus,
}

impl Shown {
    /// What is shown at the beginning of an episode, with the camera on the action.
    pub fn first(state: &FrameState, limit: u32) -> Self {
        Self { decision: 1, limit, receiver: None, scorer: None, focus: Focus::on(state) }
    }
}
