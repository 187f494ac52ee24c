//! An episode with every frame.

use serde_json::Value;

use super::field::Field;
use super::{EpisodeSummary, RecordingError, state, summary};
use mageyard_football::{EngineAction, FrameState, PlayerRole};

/// An episode with every frame.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// The same without frames.
    pub summary: EpisodeSummary,
    /// The state before the first frame.
    pub initial: FrameState,
    /// The frames.
    pub frames: Vec<RecordedFrame>,
}

/// One frame.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RecordedFrame {
    /// The action that the engine executed.
    pub action: EngineAction,
    /// The reward.
    pub reward: f64,
    /// The state after it.
    pub state: FrameState,
}

/// Reads an episode.
///
/// # Errors
///
/// The field that is missing or wrong; also a list of frames of another length than `frames` says.
pub fn read_trace(text: &[u8]) -> Result<Trace, RecordingError> {
    let value: Value = serde_json::from_slice(text)?;
    let root = Field::root(&value);
    let summary = summary::read(&root)?;
    let roles = [state::roles(&root.key("roles_left")?)?, state::roles(&root.key("roles_right")?)?];
    let initial = state::read(&root.key("initial")?, &roles, 0)?;
    let steps = root.key("steps")?;
    let list = steps.list()?;
    if u32::try_from(list.len()) != Ok(summary.frames) {
        return Err(steps.length(list.len(), summary.frames as usize));
    }
    let frames = (1..).zip(list).map(|(number, step)| frame(&step, &roles, number));
    let frames = frames.collect::<Result<_, _>>()?;
    Ok(Trace { summary, initial, frames })
}

fn frame(
    step: &Field<'_>,
    roles: &[Vec<PlayerRole>; 2],
    number: u32,
) -> Result<RecordedFrame, RecordingError> {
    let act = step.key("act")?;
    let action = EngineAction::from_code(act.code()?);
    Ok(RecordedFrame {
        action: action.ok_or_else(|| act.needs("the code of an action, 0 to 32"))?,
        reward: step.key("rw")?.number()?,
        state: state::read(step, roles, number)?,
    })
}
