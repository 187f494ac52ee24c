//! Episodes without their frames.

use serde_json::Value;

use super::RecordingError;
use super::field::Field;
use mageyard_football::{GameEnding, GameMode};

/// What is known of an episode without its frames.
#[derive(Clone, PartialEq, Debug)]
pub struct EpisodeSummary {
    /// The scene's name.
    pub scenario: String,
    /// The policy's name.
    pub policy: String,
    /// The seed. With an odd one the engine mirrors the spin of the ball.
    pub seed: u64,
    /// Whether decisions skip frames.
    pub adaptive: bool,
    /// The sum of the rewards.
    pub reward: f64,
    /// The six terms of the reward.
    pub terms: [f64; 6],
    /// How many frames were played.
    pub frames: u32,
    /// How many decisions were taken.
    pub decisions: u32,
    /// Why it ended.
    pub end: RecordedEnd,
}

/// Why a recorded episode ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecordedEnd {
    /// The left team scored.
    Goal,
    /// The left team conceded.
    OwnGoal,
    /// The right team has the ball.
    Possession,
    /// Play was stopped.
    Out(GameMode),
    /// The recorder's 400 frames.
    Limit,
    /// The engine's own end, after frame 401.
    Time,
    /// Anything else.
    Other,
}

impl RecordedEnd {
    /// The end with this name in a recording.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "goal" => Self::Goal,
            "own_goal" => Self::OwnGoal,
            "possession" => Self::Possession,
            "limit" => Self::Limit,
            "time" => Self::Time,
            "other" => Self::Other,
            _ => Self::Out(GameMode::from_code(name.strip_prefix("out_mode_")?.parse().ok()?)?),
        })
    }

    /// The name in a recording.
    pub fn name(self) -> String {
        match self {
            Self::Goal => "goal".to_owned(),
            Self::OwnGoal => "own_goal".to_owned(),
            Self::Possession => "possession".to_owned(),
            Self::Limit => "limit".to_owned(),
            Self::Time => "time".to_owned(),
            Self::Other => "other".to_owned(),
            Self::Out(mode) => format!("out_mode_{}", mode.code()),
        }
    }
}

impl From<GameEnding> for RecordedEnd {
    fn from(ending: GameEnding) -> Self {
        match ending {
            GameEnding::Goal => Self::Goal,
            GameEnding::Conceded => Self::OwnGoal,
            GameEnding::Possession => Self::Possession,
            GameEnding::Out(mode) => Self::Out(mode),
            GameEnding::Limit => Self::Limit,
        }
    }
}

/// Reads a list of episodes without frames.
///
/// # Errors
///
/// The field that is missing or wrong.
pub fn read_summaries(text: &[u8]) -> Result<Vec<EpisodeSummary>, RecordingError> {
    let value: Value = serde_json::from_slice(text)?;
    let root = Field::root(&value);
    root.list()?.map(|episode| read(&episode)).collect()
}

/// Reads what a summary and a full trace have in common.
pub(super) fn read(field: &Field<'_>) -> Result<EpisodeSummary, RecordingError> {
    let end = field.key("end")?;
    Ok(EpisodeSummary {
        scenario: field.key("scenario")?.text()?.to_owned(),
        policy: field.key("policy")?.text()?.to_owned(),
        seed: field.key("seed")?.seed()?,
        adaptive: field.key("adaptive")?.flag()?,
        reward: field.key("reward")?.number()?,
        terms: field.key("terms")?.numbers()?,
        frames: field.key("frames")?.whole()?,
        decisions: field.key("calls")?.whole()?,
        end: RecordedEnd::named(end.text()?).ok_or_else(|| end.needs("the name of an end, such as goal"))?,
    })
}
