//! The row of a step.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::episode::known_cost;
use super::marks::MarkColumns;
use crate::records::{Record, RequestFields};
use mageyard_domain::Prices;
use mageyard_engine::{Head, MarkSet, Step};
use mageyard_report::EpisodeRow;

/// A completed step (`report --rows steps`). CSV has the same columns.
#[derive(Serialize, JsonSchema)]
pub(crate) struct StepRowRecord<'a> {
    /// Address of the episode, as in its row.
    address: &'a str,
    /// Number of the step.
    step: u32,
    /// Digest of the state that it begins with.
    state: String,
    /// Name of the agent that decided.
    agent: &'a str,
    /// Name of its model.
    model: Option<&'a str>,
    /// Prompt variant of its request.
    prompt: &'a str,
    /// Action memory.
    am: u16,
    /// Observation memory.
    om: u16,
    /// Action; null if the step passed without one.
    action: Option<String>,
    /// Reward of the step.
    reward: f64,
    /// Sum of rewards so far.
    sum: f64,
    /// Replies of the agent, with those that could not be read.
    attempts: usize,
    /// Of these, with a parse error.
    parse_errors: usize,
    /// Ignored list members and code blocks.
    dropped_members: usize,
    /// Whether it has each mark.
    #[serde(flatten)]
    marks: MarkColumns<bool>,
    /// Whether the action did not finish.
    interrupted: bool,
    #[serde(flatten)]
    requests: RequestFields,
    /// Known part of the cost.
    cost: Option<f64>,
    /// Its currency.
    currency: Option<String>,
    /// Milliseconds of the last reply, from the last sending; null if unknown.
    latency_ms: Option<u32>,
    /// A column for each number of side requests, as in the rows of episodes.
    #[serde(flatten)]
    roles: Map<String, Value>,
}

impl Record for StepRowRecord<'_> {
    const TYPE: &'static str = "step_row";
}

impl<'a> StepRowRecord<'a> {
    pub(super) fn new(
        row: &'a EpisodeRow,
        (step, head): (&'a Step, &Head),
        marks: MarkSet,
        prices: &Prices,
        roles: Map<String, Value>,
    ) -> Self {
        let spent = step.spent();
        let (cost, currency) = known_cost(&step.cost(head, prices));
        let version = step.attempts.iter().rev().find_map(|attempt| attempt.prompt_version.as_ref());
        Self {
            address: &row.address,
            step: step.number,
            state: step.state.to_string(),
            agent: &step.agent.name,
            model: step.agent.model.as_deref(),
            prompt: version.map_or(&row.head.prompt, |version| &version.prompt),
            am: step.window.am(),
            om: step.window.om(),
            action: step.action.as_ref().map(ToString::to_string),
            reward: step.effect.as_ref().map_or(0.0, |effect| effect.reward),
            sum: step.returns.sum,
            attempts: step.attempts.iter().filter(|attempt| attempt.counts()).count(),
            parse_errors: step.parse_errors(),
            dropped_members: step.dropped(),
            // Whether a single step left the shortest path is in no stored summary.
            marks: MarkColumns::of(false, |mark| marks.has(mark)),
            interrupted: step.is_interrupted(),
            requests: spent.into(),
            cost,
            currency,
            roles,
            latency_ms: step.last_reply().and_then(|reply| reply.original().latency_ms),
        }
    }
}
