//! The reward of each frame: six terms and the end.

use super::FRAME_LIMIT;
use super::coded::Coded;
use super::ending::{EndWatch, GameEnding};
use super::frame::Frame;
use super::printed::Printed;
use crate::{EngineAction, FrameState};

/// What a goal earns.
pub(crate) const GOAL: f64 = 40.0;

/// Which text defines the reward.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum RewardRules {
    /// The released code, which made the published numbers.
    #[default]
    Coded,
    /// The printed paper.
    Printed,
}

/// What a frame earned.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct FrameReward {
    /// Advance, opponents passed, goal, loss, pass received, shot; the scale of 20 is included.
    pub terms: [f64; 6],
    /// Why the episode ended with this frame, if it did.
    pub ending: Option<GameEnding>,
}

impl FrameReward {
    /// The sum of the terms.
    pub fn total(&self) -> f64 {
        self.terms.iter().sum()
    }
}

/// The rewards of an episode, frame by frame. The state before the first frame is not needed.
#[derive(Clone, Copy, Debug)]
pub struct Rewards {
    rules: Terms,
    end: EndWatch,
    frames: u32,
}

#[derive(Clone, Copy, Debug)]
enum Terms {
    Coded(Coded),
    Printed(Printed),
}

impl Rewards {
    /// The rewards of an episode of 400 frames.
    pub fn new(rules: RewardRules) -> Self {
        Self::with_limit(rules, FRAME_LIMIT)
    }

    /// The rewards of an episode of at most this many frames.
    pub fn with_limit(rules: RewardRules, limit: u32) -> Self {
        let rules = match rules {
            RewardRules::Coded => Terms::Coded(Coded::default()),
            RewardRules::Printed => Terms::Printed(Printed::default()),
        };
        Self { rules, end: EndWatch::new(limit), frames: 0 }
    }

    /// How many frames were played.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// The reward of the next frame: the action that the engine executed, which skipping may have chosen, and the
    /// state after it.
    pub fn frame(&mut self, executed: EngineAction, after: &FrameState) -> FrameReward {
        self.frames += 1;
        let ending = self.end.frame(self.frames, after);
        let frame = Frame { number: self.frames, executed, after, ending };
        let terms = match &mut self.rules {
            Terms::Coded(coded) => coded.frame(&frame),
            Terms::Printed(printed) => printed.frame(&frame),
        };
        FrameReward { terms, ending }
    }
}
