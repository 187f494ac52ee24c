//! How many frames one decision takes: the "auto-rendering" of `MageBench`, which repeats a direction while the way
//! is clear and plays a pass or a shot to its end.

use super::obstacle;
use super::stop::Stop;
use crate::{EngineAction, FrameState, Owner};

/// The most frames that repeat a direction.
const MOST_FRAMES: u32 = 10;

/// Which text defines skipping.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SkipRules {
    /// The released code.
    #[default]
    Coded,
    /// The printed paper.
    Printed,
    /// Each decision takes one frame.
    Off,
}

/// The frames of each decision of an episode.
#[derive(Clone, Copy, Debug)]
pub struct Skipping {
    rules: SkipRules,
    /// The last decision, except the first of the episode.
    last: Option<EngineAction>,
    /// The last direction.
    direction: EngineAction,
    begun: bool,
    /// The last frame's action.
    frame: Option<EngineAction>,
    action: EngineAction,
    plan: Plan,
    frames: u32,
}

/// What a decision does after its first frame.
#[derive(Clone, Copy, Debug)]
enum Plan {
    One,
    Repeat,
    /// Button and direction in turn while he has the ball, the engine's AI while it has no owner, until another one
    /// has it. Whether the last frame was the button.
    Kick(Owner, bool),
}

impl Skipping {
    /// At the start of an episode.
    pub fn new(rules: SkipRules) -> Self {
        Self {
            rules,
            last: None,
            direction: EngineAction::Right,
            begun: false,
            frame: None,
            action: EngineAction::Idle,
            plan: Plan::One,
            frames: 0,
        }
    }

    /// Begins a decision in this state.
    pub fn decide(&mut self, action: EngineAction, state: &FrameState) {
        self.plan = if self.begun { self.plan(action, state) } else { Plan::One };
        if self.begun {
            self.last = Some(action);
            if action.direction().is_some() {
                self.direction = action;
            }
        }
        (self.begun, self.action, self.frames) = (true, action, 0);
    }

    fn plan(&self, action: EngineAction, state: &FrameState) -> Plan {
        let repeats = match self.rules {
            SkipRules::Off => return Plan::One,
            SkipRules::Coded => self.last == Some(action),
            SkipRules::Printed => self.frame == Some(action),
        };
        let kicks = action.is_pass() || action == EngineAction::Shot;
        match state.owner {
            Some(owner) if kicks => Plan::Kick(owner, true),
            _ if repeats && action.direction().is_some() => Plan::Repeat,
            _ => Plan::One,
        }
    }

    /// The action of the decision's next frame, in the state before it. `over` says whether the episode has ended.
    ///
    /// # Errors
    ///
    /// Why the decision ends here. It has at least one frame.
    pub fn next(&mut self, state: &FrameState, over: bool) -> Result<EngineAction, Stop> {
        let action = if self.frames == 0 { self.action } else { self.following(state, over)? };
        self.frames += 1;
        self.frame = Some(action);
        Ok(action)
    }

    fn following(&mut self, state: &FrameState, over: bool) -> Result<EngineAction, Stop> {
        if over {
            return Err(Stop::Over);
        }
        match self.plan {
            Plan::One => Err(Stop::OneFrame),
            Plan::Repeat => self.repeat(state),
            Plan::Kick(kicker, pressed) => self.kick(state, kicker, pressed),
        }
    }

    fn repeat(&self, state: &FrameState) -> Result<EngineAction, Stop> {
        let stop = match self.rules {
            SkipRules::Printed => obstacle::opponent(state, 1..=5),
            _ => obstacle::edge(state).or_else(|| obstacle::opponent(state, 0..=5)),
        };
        match stop {
            Some(stop) => Err(stop),
            None if self.frames >= MOST_FRAMES => Err(Stop::TenFrames),
            None => Ok(self.action),
        }
    }

    /// Button and direction are a pair: who has the ball is tested after both.
    fn kick(&mut self, state: &FrameState, kicker: Owner, pressed: bool) -> Result<EngineAction, Stop> {
        if pressed {
            self.plan = Plan::Kick(kicker, false);
            return Ok(self.direction);
        }
        match state.owner {
            None => Ok(EngineAction::BuiltinAi),
            Some(owner) if owner != kicker => Err(Stop::BallOwned),
            Some(_) => {
                self.plan = Plan::Kick(kicker, true);
                Ok(self.action)
            }
        }
    }
}
