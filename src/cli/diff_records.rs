//! The objects of `diff`.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::records::Record;
use mageyard_dialog::{PartDiff, TurnDiff, part_name, part_text, segment_name, word_text};
use mageyard_engine::{Ending, Episode, Store};
use mageyard_lab::{AnswerDifference, Choice, Divergence, EpisodeSettings, Repeats, step_reference};

/// The difference of two requests (`diff A#STEP B#STEP`). Pairs are the first and the second one.
#[derive(Serialize, JsonSchema)]
pub(super) struct RequestsRecord<'a> {
    /// First reference.
    pub(super) old: &'a str,
    /// Second reference.
    pub(super) new: &'a str,
    /// Whether the requests are equal.
    pub(super) equal: bool,
    /// Turns that only the first has.
    pub(super) turns_removed: usize,
    /// Turns that only the second has.
    pub(super) turns_added: usize,
    /// Turns that both have with other parts.
    pub(super) turns_changed: usize,
    /// Images of both.
    pub(super) images: [u32; 2],
    /// Input tokens of both; null where the server did not count.
    pub(super) tokens_in: [Option<u64>; 2],
    /// Output tokens of both.
    pub(super) tokens_out: [Option<u64>; 2],
    /// Cost of both, with the currency.
    pub(super) cost: [Option<String>; 2],
    /// Turns in order.
    pub(super) turns: Vec<TurnRecord<'a>>,
    /// Fields of the body besides the turns that differ.
    pub(super) parameters: Vec<ParameterRecord<'a>>,
}

impl Record for RequestsRecord<'_> {
    const TYPE: &'static str = "diff";
}

/// A turn of one or both requests.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "turn")]
pub(super) struct TurnRecord<'a> {
    /// Role.
    role: &'a str,
    /// Its number in the first.
    old: Option<usize>,
    /// Its number in the second.
    new: Option<usize>,
    /// Its parts.
    parts: Vec<PartRecord>,
}

/// A part of a turn.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "part")]
struct PartRecord {
    /// `same`, `removed`, `added` or `changed`.
    change: &'static str,
    /// Name of the part.
    part: String,
    /// Its text, unless `same`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    text: Option<String>,
}

/// A field of a request that differs.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "parameter")]
pub(super) struct ParameterRecord<'a> {
    /// Name of the field.
    name: &'a str,
    /// First value.
    old: Option<&'a Value>,
    /// Second value.
    new: Option<&'a Value>,
}

impl<'a> TurnRecord<'a> {
    pub(super) fn all(turns: &'a [TurnDiff]) -> Vec<Self> {
        let record = |turn: &'a TurnDiff| Self {
            role: &turn.role,
            old: turn.old,
            new: turn.new,
            parts: turn.parts.iter().map(PartRecord::from).collect(),
        };
        turns.iter().map(record).collect()
    }
}

impl From<&PartDiff> for PartRecord {
    fn from(part: &PartDiff) -> Self {
        let (change, part, text) = match part {
            PartDiff::Same(part) => ("same", part_name(part), None),
            PartDiff::Removed(part) => ("removed", part_name(part), Some(part_text(part))),
            PartDiff::Added(part) => ("added", part_name(part), Some(part_text(part))),
            PartDiff::Text(segment, words) => {
                let text = words.iter().map(word_text).collect();
                ("changed", segment_name(*segment).to_owned(), Some(text))
            }
        };
        Self { change, part, text }
    }
}

impl<'a> ParameterRecord<'a> {
    pub(super) fn all(parameters: &'a [(String, Option<Value>, Option<Value>)]) -> Vec<Self> {
        let record = |(name, old, new): &'a (String, Option<Value>, Option<Value>)| Self {
            name,
            old: old.as_ref(),
            new: new.as_ref(),
        };
        parameters.iter().map(record).collect()
    }
}

/// The first step at which two recordings differ (`diff A B`).
#[derive(Serialize, JsonSchema)]
pub(super) struct DivergenceRecord<'a> {
    /// The step; null if they are equal.
    step: Option<u32>,
    /// Whether only the action differs.
    same_state: Option<bool>,
    /// First later steps of both that begin in one state.
    meets: Option<[u32; 2]>,
    /// Side requests up to that step whose question or answer differs.
    answers: Vec<AnswerRecord<'a>>,
    /// Both recordings.
    sides: [SideRecord<'a>; 2],
}

impl Record for DivergenceRecord<'_> {
    const TYPE: &'static str = "divergence";
}

/// The answers of both recordings to a side request.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "answers")]
struct AnswerRecord<'a> {
    /// Number of the step.
    step: u32,
    /// Role that was asked.
    role: &'static str,
    /// First answer, or why there is none; null if the role was not asked.
    old: Option<&'a str>,
    /// Second answer.
    new: Option<&'a str>,
}

impl<'a> From<&'a AnswerDifference> for AnswerRecord<'a> {
    fn from(AnswerDifference { step, role, answers: [old, new] }: &'a AnswerDifference) -> Self {
        Self { step: *step, role: role.name(), old: old.as_deref(), new: new.as_deref() }
    }
}

/// A recording, and what it did at the step.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "side")]
struct SideRecord<'a> {
    /// Its reference.
    run: &'a str,
    /// Action at the step.
    action: Option<String>,
    /// Reward of the step.
    reward: Option<f64>,
    /// Reply at the step.
    reply: Option<String>,
    /// Steps of the recording.
    steps: u32,
    /// Why it ended.
    #[schemars(with = "Option<String>")]
    ending: Option<Ending>,
    /// Its sum of rewards.
    sum: f64,
}

impl<'a> DivergenceRecord<'a> {
    pub(super) fn new(
        found: Option<&Divergence>,
        answers: &'a [AnswerDifference],
        sides: [(&'a str, &Episode); 2],
    ) -> Self {
        let step = found.map(|found| found.step);
        Self {
            step,
            same_state: found.map(|found| found.is_same_state),
            meets: found.and_then(|found| found.meeting).map(|(old, new)| [old, new]),
            answers: answers.iter().map(AnswerRecord::from).collect(),
            sides: sides.map(|(run, episode)| SideRecord::new(run, episode, step)),
        }
    }
}

impl<'a> SideRecord<'a> {
    fn new(run: &'a str, episode: &Episode, step: Option<u32>) -> Self {
        let step = step.and_then(|step| episode.steps().numbered(step));
        Self {
            run,
            action: step.and_then(|step| step.action.as_ref().map(ToString::to_string)),
            reward: step.and_then(|step| step.effect.as_ref().map(|effect| effect.reward)),
            reply: step.and_then(|step| step.output().map(std::string::ToString::to_string)),
            steps: episode.steps_done(),
            ending: episode.ending(),
            sum: episode.returns().sum,
        }
    }
}

/// The repeats of one level with the same settings, and where they part (`diff SESSION`).
#[derive(Serialize, JsonSchema)]
pub(super) struct RepeatsRecord<'a> {
    #[serde(flatten)]
    settings: EpisodeSettings,
    /// Number of episodes.
    repeats: usize,
    /// First step at which they do not go on alike; this and the rest are null if all are equal.
    step: Option<u32>,
    /// Whether all are in one state there.
    same_state: Option<bool>,
    /// What was done at that step, the most frequent first.
    choices: Option<Vec<ChoiceRecord<'a>>>,
}

impl Record for RepeatsRecord<'_> {
    const TYPE: &'static str = "repeats";
}

/// What some repeats did.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "choice")]
struct ChoiceRecord<'a> {
    /// Action; null for none.
    action: Option<&'a str>,
    /// How many did it.
    count: usize,
    /// Of these, ended.
    ended: usize,
    /// Of these, solved.
    solved: usize,
    /// Mean of their sums of rewards.
    mean_sum: f64,
    /// References of the step.
    runs: Vec<String>,
}

impl<'a> RepeatsRecord<'a> {
    pub(super) fn new(cell: &'a Repeats, store: &Store) -> Self {
        let parting = cell.parting.as_ref();
        let choices = parting.map(|parting| {
            let choices = parting.choices.iter();
            choices.map(|choice| ChoiceRecord::new(choice, parting.step, store)).collect()
        });
        Self {
            settings: EpisodeSettings::of(&cell.head),
            repeats: cell.episodes,
            step: parting.map(|parting| parting.step),
            same_state: parting.map(|parting| parting.is_same_state),
            choices,
        }
    }
}

impl<'a> ChoiceRecord<'a> {
    fn new(choice: &'a Choice, step: u32, store: &Store) -> Self {
        let runs = choice.journals.iter().map(|journal| step_reference(&store.reference(journal), step));
        Self {
            action: choice.action.as_deref(),
            count: choice.journals.len(),
            ended: choice.ended,
            solved: choice.solved,
            mean_sum: choice.mean_sum,
            runs: runs.collect(),
        }
    }
}
