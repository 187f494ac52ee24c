//! A state with what belongs to it, as texts and facts say it.

use std::sync::Arc;

use crate::envs::football::Ending;
use crate::envs::football::FrameState;

/// What is known of an episode at a moment.
#[derive(Clone)]
pub(super) struct Seen {
    /// The name of the scene.
    pub(super) scene: Arc<str>,
    pub(super) state: FrameState,
    /// The decision that is due, from 1.
    pub(super) decision: u32,
    /// The frames played.
    pub(super) frames: u32,
    /// Why the episode is over, if it is.
    pub(super) ending: Option<Ending>,
    /// The terms of the reward, summed over the episode.
    pub(super) terms: [f64; 6],
}
