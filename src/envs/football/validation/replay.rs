//! Level 2 of the protocol: a recording through the rules, without physics.

use crate::envs::football::Ending;
use crate::envs::football::RewardRules;
use crate::envs::football::Rewards;
use crate::envs::football::SkipRules;
use crate::envs::football::Skipping;
use crate::envs::football::Stop;
use crate::envs::football::recording::RecordedEnd;
use crate::envs::football::recording::Trace;

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
    /// Why decisions ended, how often.
    pub stops: Vec<(Stop, u32)>,
}

/// The reward of a frame by the rules and in the recording.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReplayedReward {
    /// By the rules.
    pub terms: [f64; 6],
    /// In the recording.
    pub recorded: f64,
}

impl ReplayedReward {
    /// How far the rules are from the recording.
    pub fn difference(&self) -> f64 {
        (self.terms.iter().sum::<f64>() - self.recorded).abs()
    }

    /// Whether distances decide the reward: recordings round positions.
    pub fn is_rounded(&self) -> bool {
        self.terms[4] != 0.0 || self.terms[5] != 0.0
    }
}

/// Plays a recording through reward, ends and skipping as the released code defines them.
pub fn replay(trace: &Trace) -> Replay {
    let limit = if trace.summary.end == RecordedEnd::Time { 401 } else { 400 };
    let mut rewards = Rewards::with_limit(RewardRules::Coded, limit);
    let skip = if trace.summary.adaptive { SkipRules::Coded } else { SkipRules::Off };
    let mut decisions = Decisions::new(Skipping::new(skip));
    let mut end = None;
    let mut before = &trace.initial;
    let mut replayed = Vec::with_capacity(trace.frames.len());
    for (number, frame) in (1..).zip(&trace.frames) {
        decisions.frame(number, frame.action, before);
        let reward = rewards.frame(frame.action, &frame.state);
        replayed.push(ReplayedReward { terms: reward.terms, recorded: frame.reward });
        end = end.or(reward.ending.map(|ending| (number, named(ending, limit))));
        before = &frame.state;
    }
    decisions.finish(before);
    let Decisions { count, other, stops, .. } = decisions;
    Replay { end, decisions: count, other_action: other, rewards: replayed, stops }
}

/// The end as a recording names it.
fn named(ending: Ending, limit: u32) -> RecordedEnd {
    match ending {
        Ending::Goal => RecordedEnd::Goal,
        Ending::Conceded => RecordedEnd::OwnGoal,
        Ending::Possession => RecordedEnd::Possession,
        Ending::Out(mode) => RecordedEnd::Out(mode),
        Ending::Limit if limit == 401 => RecordedEnd::Time,
        Ending::Limit => RecordedEnd::Limit,
    }
}

/// Cuts frames into decisions: the first frame of each has the decision itself as its action.
struct Decisions {
    skipping: Skipping,
    count: u32,
    other: Option<u32>,
    stops: Vec<(Stop, u32)>,
}

impl Decisions {
    fn new(skipping: Skipping) -> Self {
        Self { skipping, count: 0, other: None, stops: Vec::new() }
    }

    fn frame(
        &mut self,
        number: u32,
        action: crate::envs::football::EngineAction,
        before: &crate::envs::football::FrameState,
    ) {
        let next = (self.count > 0).then(|| self.skipping.next(before, false));
        let expected = match next {
            Some(Ok(expected)) => expected,
            ended => {
                if let Some(Err(stop)) = ended {
                    self.stopped(stop);
                }
                self.count += 1;
                self.skipping.decide(action, before);
                self.skipping.next(before, false).unwrap_or(action)
            }
        };
        if expected != action {
            self.other = self.other.or(Some(number));
        }
    }

    fn finish(&mut self, last: &crate::envs::football::FrameState) {
        if self.count > 0 {
            let stop = self.skipping.next(last, true).err().unwrap_or(Stop::Over);
            self.stopped(stop);
        }
    }

    fn stopped(&mut self, stop: Stop) {
        match self.stops.iter_mut().find(|known| known.0 == stop) {
            Some(known) => known.1 += 1,
            None => self.stops.push((stop, 1)),
        }
    }
}
