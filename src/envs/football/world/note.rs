//! The remark on a step for people: how many frames ran, why they stopped, and how the episode ended.

use crate::{Decided, GameEnding, GameMode, Stop};

/// The remark on a decision.
pub(crate) fn note(decided: &Decided, ending: Option<GameEnding>) -> String {
    if decided.frames == 0 {
        return "the episode is over, so nothing happens".to_owned();
    }
    let frames =
        if decided.frames == 1 { "1 frame".to_owned() } else { format!("{} frames", decided.frames) };
    match ending.map_or_else(|| stop_text(decided.stop), |ending| Some(ending_text(ending))) {
        Some(why) => format!("{frames}: {why}"),
        None => frames,
    }
}

/// Why a decision ended; a single frame needs no reason.
fn stop_text(stop: Stop) -> Option<&'static str> {
    match stop {
        Stop::OneFrame | Stop::Over => None,
        Stop::TenFrames => Some("the maximum for a repeated direction"),
        Stop::OpponentNear => Some("an opponent is near"),
        Stop::Edge => Some("a line is near"),
        Stop::BallOwned => Some("another player has the ball"),
    }
}

/// How an episode ended.
pub(super) fn ending_text(ending: GameEnding) -> &'static str {
    match ending {
        GameEnding::Goal => "goal",
        GameEnding::Conceded => "the opponents scored",
        GameEnding::Possession => "the opponents have the ball",
        GameEnding::Out(GameMode::GoalKick) => "goal kick: the ball crossed the goal line",
        GameEnding::Out(GameMode::FreeKick) => "foul",
        GameEnding::Out(GameMode::Corner) => "corner: the ball crossed the goal line",
        GameEnding::Out(GameMode::ThrowIn) => "throw-in: the ball crossed the side line",
        GameEnding::Out(GameMode::Penalty) => "foul in the area",
        GameEnding::Out(GameMode::Normal | GameMode::KickOff) => "the game was stopped",
        GameEnding::Limit => "the time of the scene is over",
    }
}
