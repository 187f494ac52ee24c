//! A state with what belongs to it, as texts and facts say it.

use std::sync::Arc;

use super::settings::Engine;
use crate::{FrameState, GameEnding};

/// What is known of an episode at a moment.
#[derive(Clone)]
pub(super) struct Seen {
    /// Which program plays.
    pub(super) engine: Engine,
    /// Its version, where it has one of its own.
    pub(super) version: Option<Arc<str>>,
    /// The name of the scene.
    pub(super) scene: Arc<str>,
    pub(super) state: FrameState,
    /// The decision that is due, from 1.
    pub(super) decision: u32,
    /// The frames played.
    pub(super) frames: u32,
    /// Why the episode is over, if it is.
    pub(super) ending: Option<GameEnding>,
    /// The terms of the reward, summed over the episode.
    pub(super) terms: [f64; 6],
    /// How the game came back after its process had ended, if that must be said.
    pub(super) remark: Option<Arc<str>>,
    /// Whether the real engine has drawn the frame.
    pub(super) is_drawn: bool,
}
