//! When an episode ends (`MageBench`, released code).

use crate::envs::football::FrameState;
use crate::envs::football::GameMode;
use crate::envs::football::Team;

/// Why an episode ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The left team scored.
    Goal,
    /// The right team scored.
    Conceded,
    /// The other team has the ball.
    Possession,
    /// The engine stopped play: the ball is out, or a foul.
    Out(GameMode),
    /// The limit of frames was reached.
    Limit,
}

/// What decides whether the next frame is the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndWatch {
    score: [u32; 2],
    owner: Option<Team>,
    limit: u32,
}

impl EndWatch {
    /// Of an episode of at most this many frames that begins at 0:0 without an owner.
    pub(super) fn new(limit: u32) -> Self {
        Self { score: [0; 2], owner: None, limit }
    }

    /// Whether the episode ends with this frame, the `frame`-th.
    pub(super) fn frame(&mut self, frame: u32, after: &FrameState) -> Option<Ending> {
        let ending = self.goal(after).or_else(|| stoppage(after)).or_else(|| self.loss(after));
        self.score = after.score;
        self.owner = after.owning_team().or(self.owner);
        ending.or((frame >= self.limit).then_some(Ending::Limit))
    }

    fn goal(&self, after: &FrameState) -> Option<Ending> {
        let [left, right] = self.score;
        if after.score[0] > left {
            return Some(Ending::Goal);
        }
        (after.score[1] > right).then_some(Ending::Conceded)
    }

    /// A flying ball keeps the team that had it last.
    fn loss(&self, after: &FrameState) -> Option<Ending> {
        let changed = after.owning_team().is_some_and(|team| self.owner.is_some_and(|before| before != team));
        changed.then_some(Ending::Possession)
    }
}

fn stoppage(after: &FrameState) -> Option<Ending> {
    let running = matches!(after.mode, GameMode::Normal | GameMode::KickOff);
    (!running).then_some(Ending::Out(after.mode))
}
