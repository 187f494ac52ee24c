//! When an episode ends (`MageBench`, released code).

use crate::{FrameState, GameMode, Team};

/// Why an episode ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnding {
    /// The left team scored.
    Goal,
    /// The right team scored.
    Conceded,
    /// The right team has the ball.
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
    limit: u32,
}

impl EndWatch {
    /// Of an episode of at most this many frames that begins at 0:0.
    pub(super) fn new(limit: u32) -> Self {
        Self { score: [0; 2], limit }
    }

    /// Whether the episode ends with this frame, the `frame`-th. A stoppage in the frame in which the opponents got
    /// the ball is a loss.
    pub(super) fn frame(&mut self, frame: u32, after: &FrameState) -> Option<GameEnding> {
        let ending = self.goal(after).or_else(|| loss(after)).or_else(|| stoppage(after));
        self.score = after.score;
        ending.or((frame >= self.limit).then_some(GameEnding::Limit))
    }

    fn goal(&self, after: &FrameState) -> Option<GameEnding> {
        let [left, right] = self.score;
        if after.score[0] > left {
            return Some(GameEnding::Goal);
        }
        (after.score[1] > right).then_some(GameEnding::Conceded)
    }
}

fn loss(after: &FrameState) -> Option<GameEnding> {
    (after.owning_team() == Some(Team::Right)).then_some(GameEnding::Possession)
}

fn stoppage(after: &FrameState) -> Option<GameEnding> {
    let running = matches!(after.mode, GameMode::Normal | GameMode::KickOff);
    (!running).then_some(GameEnding::Out(after.mode))
}
