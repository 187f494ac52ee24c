//! The actions as an agent sees them: help texts for prompts, and keys for a person.

use super::settings::ActionSet;
use crate::EngineAction;
use mageyard_domain::{ActionSpace, ActionSpec};

use EngineAction as A;

/// The actions of a set.
pub(crate) fn space(set: ActionSet) -> ActionSpace {
    set.actions().into_iter().map(spec).collect()
}

fn spec(action: EngineAction) -> ActionSpec {
    let spec = ActionSpec::new(action.name(), help(action));
    match key(action) {
        Some(key) => spec.with_key(key),
        None => spec,
    }
}

fn help(action: EngineAction) -> &'static str {
    match action {
        A::Idle => "change nothing: a direction that is held stays held",
        A::Left => "run left, towards your own goal",
        A::TopLeft => "run up and left",
        A::Top => "run up",
        A::TopRight => "run up and right",
        A::Right => "run right, towards the opponents' goal",
        A::BottomRight => "run down and right",
        A::Bottom => "run down",
        A::BottomLeft => "run down and left",
        A::LongPass => "pass along the ground to a distant teammate in the direction you run",
        A::HighPass => "pass through the air to a teammate in the direction you run",
        A::ShortPass => "pass along the ground to a near teammate in the direction you run",
        A::Shot => "shoot at the opponents' goal; a held direction shifts the aim a little",
        A::Sprint => "begin to sprint: faster, with less control of the ball",
        A::ReleaseDirection => "stop running",
        A::ReleaseSprint => "stop sprinting",
        A::Sliding => "slide at the ball",
        A::Dribble => "begin to dribble: slower, and harder to rob of the ball",
        A::ReleaseDribble => "stop dribbling",
        A::BuiltinAi => "let the game's own player decide for this moment; held buttons are released",
        A::KeeperRush => "let your keeper run out at the ball (not simulated: no effect)",
        A::Pressure => "press the opponent with the ball",
        A::TeamPressure => "let a teammate press the opponent with the ball (not simulated: no effect)",
        A::Switch => "control another player",
        A::ReleaseLongPass => "release the button of the long pass",
        A::ReleaseHighPass => "release the button of the high pass",
        A::ReleaseShortPass => "release the button of the short pass",
        A::ReleaseShot => "release the button of the shot",
        A::ReleaseKeeperRush => "call your keeper back (not simulated: no effect)",
        A::ReleaseSliding => "release the button of the slide",
        A::ReleasePressure => "stop pressing",
        A::ReleaseTeamPressure => "stop the pressing of a teammate (not simulated: no effect)",
        A::ReleaseSwitch => "release the button of the switch",
    }
}

/// Arrows and the corner keys run; letters for the rest.
fn key(action: EngineAction) -> Option<&'static str> {
    Some(match action {
        A::Left => "left",
        A::TopLeft => "home",
        A::Top => "up",
        A::TopRight => "pageup",
        A::Right => "right",
        A::BottomRight => "pagedown",
        A::Bottom => "down",
        A::BottomLeft => "end",
        A::LongPass => "l",
        A::HighPass => "h",
        A::ShortPass => "s",
        A::Shot => "x",
        A::Sprint => "r",
        A::ReleaseSprint => "t",
        A::Dribble => "d",
        A::ReleaseDribble => "e",
        A::Idle => "i",
        A::ReleaseDirection => "o",
        A::BuiltinAi => "b",
        _ => return None,
    })
}
