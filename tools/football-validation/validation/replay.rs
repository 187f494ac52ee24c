//! Level 2 of the protocol: a recording through the rules, without physics.

use crate::recording::{RecordedEnd, Trace};
use mageyard_football::{
    EngineAction, FRAME_LIMIT, FrameState, GameEnding, RewardRules, Rewards, SkipRules, Skipping,
};

/// What one opponent passed earns.
const PASSED: f64 = 20.0 / 11.0;
/// Recorded positions are rounded to five decimals.
const ROUNDING: f64 = 1.01e-5;

/// A recording as the rules see it.
#[derive(Clone, PartialEq, Debug)]
pub struct Replay {
    /// The frame and the reason of the end; none where the rules see no end.
    pub end: Option<(u32, RecordedEnd)>,
    /// How many decisions the frames are.
    pub decisions: u32,
    /// The first frame whose action skipping would not have executed.
    pub other_action: Option<u32>,
    /// The reward of each frame.
    pub rewards: Vec<ReplayedReward>,
}

/// The reward of a frame by the rules and in the recording.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReplayedReward {
    /// By the rules.
    pub terms: [f64; 6],
    /// In the recording.
    pub recorded: f64,
    /// An opponent is level with the ball within the rounding of recordings, in this frame or the one before.
    pub level: bool,
}

impl ReplayedReward {
    /// How far the rules are from the recording. Where rounding hides whether an opponent is passed, one more or less
    /// makes no difference.
    pub fn difference(&self) -> f64 {
        let difference = (self.terms.iter().sum::<f64>() - self.recorded).abs();
        if self.level { difference.min((difference - PASSED).abs()) } else { difference }
    }

    /// Whether an opponent level with the ball makes a difference.
    pub fn is_count_rounded(&self) -> bool {
        self.level && (self.terms.iter().sum::<f64>() - self.recorded).abs() > PASSED / 2.0
    }

    /// Whether distances decide the reward: recordings round positions.
    pub fn is_rounded(&self) -> bool {
        self.terms[4] != 0.0 || self.terms[5] != 0.0
    }
}

/// Plays a recording through reward, ends and skipping as the released code defines them.
pub fn replay(trace: &Trace) -> Replay {
    let limit = if trace.summary.end == RecordedEnd::Time { FRAME_LIMIT + 1 } else { FRAME_LIMIT };
    let mut rewards = Rewards::with_limit(RewardRules::Coded, limit);
    let skip = if trace.summary.adaptive { SkipRules::Coded } else { SkipRules::Off };
    let mut decisions = Decisions { skipping: Skipping::new(skip), count: 0, other: None };
    let mut end = None;
    let mut before = &trace.initial;
    let mut replayed = Vec::with_capacity(trace.frames.len());
    for (number, frame) in (1..).zip(&trace.frames) {
        decisions.frame(number, frame.action, before);
        let reward = rewards.frame(frame.action, &frame.state);
        let level = is_level(before) || is_level(&frame.state);
        replayed.push(ReplayedReward { terms: reward.terms, recorded: frame.reward, level });
        end = end.or(reward.ending.map(|ending| (number, named(ending, limit))));
        before = &frame.state;
    }
    let Decisions { count, other, .. } = decisions;
    Replay { end, decisions: count, other_action: other, rewards: replayed }
}

fn is_level(state: &FrameState) -> bool {
    state.right.positions().iter().any(|opponent| (opponent[0] - state.ball[0]).abs() < ROUNDING)
}

/// The end as a recording names it.
fn named(ending: GameEnding, limit: u32) -> RecordedEnd {
    match ending {
        GameEnding::Limit if limit > FRAME_LIMIT => RecordedEnd::Time,
        other => other.into(),
    }
}

/// Cuts frames into decisions: the first frame of each has the decision itself as its action.
struct Decisions {
    skipping: Skipping,
    count: u32,
    other: Option<u32>,
}

impl Decisions {
    fn frame(&mut self, number: u32, action: EngineAction, before: &FrameState) {
        let following = if self.count > 0 { self.skipping.next(before, false).ok() } else { None };
        let expected = following.or_else(|| {
            self.count += 1;
            self.skipping.decide(action, before);
            self.skipping.next(before, false).ok()
        });
        if expected != Some(action) {
            self.other = self.other.or(Some(number));
        }
    }
}
