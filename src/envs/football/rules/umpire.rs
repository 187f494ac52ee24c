//! The rules of one episode as it goes on: the action of each frame of a decision, what the frames earned, and why the
//! episode ended. It plays no frame itself, so that a simulator and a process of the real engine are judged alike.

use super::ending::GameEnding;
use super::{FrameReward, RewardRules, Rewards, SkipRules, Skipping, Stop};
use crate::{EngineAction, FrameState};

/// What a decision did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decided {
    /// The frames that it took, 0 if the episode was over before.
    pub frames: u32,
    /// Why it ended.
    pub stop: Stop,
    /// The six terms of its reward, over its frames.
    pub terms: [f64; 6],
}

impl Decided {
    const NOTHING: Self = Self { frames: 0, stop: Stop::Over, terms: [0.0; 6] };

    /// Its reward.
    pub fn reward(&self) -> f64 {
        self.terms.iter().sum()
    }
}

/// An episode as the rules see it: plain data.
#[derive(Clone, Copy, Debug)]
pub struct Umpire {
    rewards: Rewards,
    skipping: Skipping,
    state: FrameState,
    ending: Option<GameEnding>,
    decided: Decided,
}

impl Umpire {
    /// Of an episode that begins in this state.
    pub fn new(first: FrameState, (reward, skip): (RewardRules, SkipRules)) -> Self {
        let rewards = Rewards::new(reward);
        let skipping = Skipping::new(skip);
        Self { rewards, skipping, state: first, ending: None, decided: Decided::NOTHING }
    }

    /// The state after the last frame.
    pub fn state(&self) -> &FrameState {
        &self.state
    }

    /// Why the episode is over, if it is.
    pub fn ending(&self) -> Option<GameEnding> {
        self.ending
    }

    /// The frames played.
    pub fn frames(&self) -> u32 {
        self.rewards.frames()
    }

    /// The newest decision, as far as it was played.
    pub fn decided(&self) -> &Decided {
        &self.decided
    }

    /// Begins a decision.
    pub fn begin(&mut self, action: EngineAction) {
        self.decided = Decided::NOTHING;
        if self.ending.is_none() {
            self.skipping.decide(action, &self.state);
        }
    }

    /// The action of the decision's next frame, which must then be judged; `None` if the decision is over.
    pub fn next_frame(&mut self) -> Option<EngineAction> {
        if self.ending.is_some() && self.decided.frames == 0 {
            return None;
        }
        match self.skipping.next(&self.state, self.ending.is_some()) {
            Ok(executed) => Some(executed),
            Err(stop) => {
                self.decided.stop = stop;
                None
            }
        }
    }

    /// Judges a frame: the action that was executed, and the state after it.
    pub fn judge(&mut self, executed: EngineAction, after: FrameState) -> FrameReward {
        self.state = after;
        let earned = self.rewards.frame(executed, &self.state);
        self.ending = earned.ending;
        self.decided.frames += 1;
        for (sum, term) in self.decided.terms.iter_mut().zip(earned.terms) {
            *sum += term;
        }
        earned
    }

    /// Plays a decision to its end: `frame` executes an action and returns the state after it.
    ///
    /// # Errors
    ///
    /// Those of `frame`. The frames before it were played.
    pub fn decide<E>(
        &mut self,
        action: EngineAction,
        mut frame: impl FnMut(EngineAction) -> Result<FrameState, E>,
    ) -> Result<Decided, E> {
        self.begin(action);
        while let Some(executed) = self.next_frame() {
            let after = frame(executed)?;
            self.judge(executed, after);
        }
        Ok(self.decided)
    }
}
