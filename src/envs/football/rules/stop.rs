//! Why decisions end.

/// Why a decision ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stop {
    /// It takes one frame.
    OneFrame,
    /// It took the most frames.
    TenFrames,
    /// An opponent is in the way.
    OpponentNear,
    /// A line of the pitch is near.
    Edge,
    /// A player got the ball after a pass or a shot.
    BallOwned,
    /// The episode is over.
    Over,
}
