//! The objects of `fork`.

use schemars::JsonSchema;
use serde::Serialize;

use super::fork::parent_name;
use super::records::{ChangeRecord, Record};
use mageyard_engine::{Ending, Restored, Store};
use mageyard_lab::meeting_text;
use mageyard_lab::{Branch, EpisodeFields, EpisodeId, Expectation, ExpectationOutcome, ForkPlan};

/// A branch that was made, or would be with `--dry-run` (`fork SESSION#STEP`).
#[derive(Serialize, JsonSchema)]
pub(super) struct ForkRecord<'a> {
    #[serde(flatten)]
    pub(super) identity: EpisodeFields,
    /// Reference of the branch; with `--dry-run` of its parent.
    pub(super) run: String,
    /// Whether it was made.
    pub(super) made: bool,
    #[serde(flatten)]
    pub(super) facts: ForkFacts<'a>,
}

impl Record for ForkRecord<'_> {
    const TYPE: &'static str = "fork";
}

/// What a branch is.
#[derive(Serialize, JsonSchema)]
pub(super) struct ForkFacts<'a> {
    /// Step that it begins with.
    step: u32,
    /// How the environment reached the step: `exact`, `replayed` or `unsafe`.
    #[schemars(with = "String")]
    restored: Restored,
    /// What differs from the parent at this step.
    changes: Vec<ChangeRecord<'a>>,
    /// Replies before the step, which are not sent again.
    saved_requests: usize,
    /// Actions carried out again outside of this process.
    repeated_actions: usize,
    /// Hypothesis.
    why: Option<&'a str>,
    /// Condition that tests it.
    expect: Option<&'a str>,
}

impl<'a> ForkFacts<'a> {
    pub(super) fn new(
        step: u32,
        plan: &ForkPlan,
        changes: &'a [mageyard_engine::Change],
        (why, expect): (Option<&'a str>, Option<&'a str>),
    ) -> Self {
        Self {
            step,
            restored: plan.restored,
            changes: ChangeRecord::all(changes),
            saved_requests: plan.saved_requests,
            repeated_actions: plan.repeated_actions,
            why,
            expect,
        }
    }
}

/// An episode or a branch of it (`fork SESSION`).
#[derive(Serialize, JsonSchema)]
pub(super) struct BranchRecord<'a> {
    #[serde(flatten)]
    identity: EpisodeFields,
    /// Reference for `view`.
    run: String,
    /// Branch that it leaves, or `the episode`; this and the next four are null for the episode.
    parent: Option<String>,
    /// Step that it begins with.
    step: Option<u32>,
    /// How the environment reached that step.
    #[schemars(with = "Option<String>")]
    restored: Option<Restored>,
    /// Settings that differ from the parent at that step.
    changes: Option<Vec<ChangeRecord<'a>>>,
    /// Hypothesis.
    why: Option<&'a str>,
    /// Finished steps, those of its parent included.
    steps: u32,
    /// Sum of the rewards of its own steps.
    own_reward: f64,
    /// Why it ended; null if unfinished.
    #[schemars(with = "Option<String>")]
    ending: Option<Ending>,
    /// Score.
    score: Option<f64>,
    /// The result of the hypothesis; null if nothing is expected.
    expect: Option<ExpectationRecord<'a>>,
    /// First state of its own that an earlier branch or the episode has too.
    meets: Option<String>,
}

impl Record for BranchRecord<'_> {
    const TYPE: &'static str = "branch";
}

/// A condition that tests a hypothesis.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "expectation")]
struct ExpectationRecord<'a> {
    /// The condition.
    condition: &'a str,
    /// `came_true`, `not_true` (the branch is over), `open` or `unknown`.
    outcome: &'static str,
    /// Step that made it true.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    step: Option<u32>,
    /// What made it true or unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    facts: Option<&'a [String]>,
}

impl<'a> From<&'a Expectation> for ExpectationRecord<'a> {
    fn from(Expectation { condition, outcome }: &'a Expectation) -> Self {
        let (outcome, step, facts): (_, _, Option<&[String]>) = match outcome {
            ExpectationOutcome::CameTrue { step, facts } => ("came_true", Some(*step), Some(facts)),
            ExpectationOutcome::NotTrue => ("not_true", None, None),
            ExpectationOutcome::Open => ("open", None, None),
            ExpectationOutcome::Unknown { facts } => ("unknown", None, Some(facts)),
        };
        Self { condition, outcome, step, facts }
    }
}

impl<'a> BranchRecord<'a> {
    pub(super) fn new(branch: &'a Branch, store: &Store) -> Self {
        let parent = branch.head.parent.as_deref();
        Self {
            identity: EpisodeFields::of(&EpisodeId::of_journal(&branch.journal), &branch.head),
            run: store.reference(&branch.journal),
            parent: parent.map(parent_name),
            step: parent.map(|parent| parent.step),
            restored: parent.map(|parent| parent.restored),
            changes: parent.map(|parent| ChangeRecord::all(&parent.changes)),
            why: parent.and_then(|parent| parent.why.as_deref()),
            steps: branch.steps_done(),
            own_reward: branch.own_reward(),
            ending: branch.ending(),
            score: branch.summary.as_ref().and_then(|summary| summary.score),
            expect: branch.expectation.as_ref().map(ExpectationRecord::from),
            meets: branch.meeting.map(|meeting| meeting_text(&meeting)),
        }
    }
}
