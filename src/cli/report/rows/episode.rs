//! The row of an episode.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::marks::MarkColumns;
use super::roles::role_columns;
use crate::records::{Record, RequestFields};
use mageyard_domain::{Cost, Setting};
use mageyard_engine::{Ending, branch_name, utc_second};
use mageyard_report::EpisodeRow;

/// An episode (`report --rows episodes`). CSV has the same columns.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EpisodeRowRecord<'a> {
    /// Address for `view` and `replay`.
    address: &'a str,
    /// Name of the session.
    session: String,
    /// Number in the session; null outside a session.
    episode: Option<u32>,
    /// Repetition of the level; null in old journals.
    repeat: Option<u32>,
    /// Name of the branch; null for the episode itself.
    branch: Option<String>,
    /// Name of the environment.
    environment: &'a str,
    /// Reference of the level set.
    level_set: &'a str,
    /// Reference of the level.
    level: &'a str,
    /// Its title.
    level_title: Option<&'a str>,
    /// Digest of what it contains: equal for equal levels, also under other names.
    level_digest: String,
    /// Its group, such as `small-v0`; null where levels have none.
    level_group: Option<&'a str>,
    /// Name of the agent.
    agent: &'a str,
    /// Name of the model; null for other agents.
    model: Option<&'a str>,
    /// Models as the server returned them, separated by `;`.
    served_models: String,
    /// Engine, such as `football/grf`, if there are several.
    engine: Option<&'a str>,
    /// `online` or `global`.
    #[schemars(with = "String")]
    setting: Setting,
    /// Prompt variant; null, as AM and OM, for agents that send no requests.
    prompt: Option<&'a str>,
    /// Digest of its texts; null if nothing was sent.
    prompt_digest: Option<String>,
    /// Action memory.
    am: Option<u16>,
    /// Observation memory.
    om: Option<u16>,
    /// Reader rules with version.
    reader: &'a str,
    /// Random seed.
    seed: u64,
    /// A column for each other setting, named as in config.toml, such as `model.temperature`.
    #[serde(flatten)]
    settings: Map<String, Value>,
    /// Whether reports count it: finished, not changed by a person, and no copy of an earlier row.
    counted: bool,
    /// Why it ended; null if unfinished.
    #[schemars(with = "Option<String>")]
    ending: Option<Ending>,
    /// Whether a person intervened.
    mixed: bool,
    /// Whether the goal was reached.
    solved: bool,
    /// From 0 to 100; null without an optimum.
    score: Option<f64>,
    /// The same relative to the published optimum; null without one.
    published_score: Option<f64>,
    /// Final sum of rewards.
    sum: f64,
    /// Highest sum of rewards.
    best: f64,
    /// Highest possible sum.
    optimum: Option<f64>,
    /// Length of a shortest solution.
    shortest: Option<u32>,
    /// Completed steps.
    steps: u32,
    /// Replies with a parse error.
    parse_errors: usize,
    /// Ignored list members and code blocks.
    dropped_members: usize,
    /// How many steps have each mark.
    #[serde(flatten)]
    marks: MarkColumns<usize>,
    #[serde(flatten)]
    requests: RequestFields,
    /// Known part of the cost.
    cost: Option<f64>,
    /// Its currency.
    currency: Option<String>,
    /// Start in UTC.
    started: String,
    /// Duration with thinking and waiting.
    seconds: f64,
    /// Program with version.
    program: &'a str,
    /// A column for each further number of the environment: `losses.NAME`, `reward_terms.NAME`, `metrics.NAME`; and for
    /// side requests: `roles.NAME.requests`, `.replies`, `.reused`, `.unread`, `.unmetered`, `.tokens_in`, `.tokens_out`,
    /// `.cost`, `.currency`.
    #[serde(flatten)]
    parts: Map<String, Value>,
}

impl Record for EpisodeRowRecord<'_> {
    const TYPE: &'static str = "episode_row";
}

impl<'a> EpisodeRowRecord<'a> {
    /// The row of an episode with columns of its settings and of the parts of its score.
    pub(super) fn new(row: &'a EpisodeRow, settings: Map<String, Value>, parts: Map<String, Value>) -> Self {
        let EpisodeRow { head, summary, condition, .. } = row;
        let (cost, currency) = known_cost(&row.cost);
        let optimum = summary.reference.as_ref();
        Self {
            address: &row.address,
            session: row.id.session_name(),
            episode: row.id.number,
            repeat: head.repeat,
            branch: row.id.branch.map(branch_name),
            environment: &head.environment,
            level_set: &condition.level_set,
            level: &head.reference,
            level_title: head.title.as_deref(),
            level_digest: row.level_digest().to_string(),
            level_group: row.level_group.as_deref(),
            agent: &head.agent.name,
            model: head.model(),
            served_models: summary.served_models.iter().cloned().collect::<Vec<_>>().join(";"),
            engine: head.engine.as_deref(),
            setting: head.setting,
            prompt: row.condition.prompt.as_deref(),
            prompt_digest: row.prompt_digest().map(|digest| digest.to_string()),
            am: row.condition.am,
            om: row.condition.om,
            reader: &condition.reader,
            seed: head.seed,
            settings,
            counted: row.is_counted,
            ending: summary.ending,
            mixed: summary.mixed,
            solved: summary.is_solved(),
            score: summary.score,
            published_score: summary.published.as_ref().map(|published| published.score),
            sum: summary.returns.sum,
            best: summary.returns.best,
            optimum: optimum.map(|optimum| optimum.best),
            shortest: optimum.map(|optimum| optimum.steps),
            steps: summary.steps,
            parse_errors: summary.parse_errors,
            dropped_members: summary.dropped,
            marks: MarkColumns::of(row.has_distances, |mark| summary.count(mark)),
            requests: summary.spent.into(),
            cost,
            currency,
            started: utc_second(head.started),
            seconds: crate::episode_output::seconds(summary),
            program: &head.program,
            parts,
        }
    }
}

/// The known part of a cost as a number, and its currency.
pub(super) fn known_cost(cost: &Cost) -> (Option<f64>, Option<String>) {
    match cost {
        Cost::Known { amount, currency, .. } => (amount.to_string().parse().ok(), Some(currency.clone())),
        Cost::Unknown | Cost::NoRequests => (None, None),
    }
}

/// The numbers of an episode that only some environments have, by the names of their columns.
pub(super) fn parts_of_score(row: &EpisodeRow) -> Map<String, Value> {
    let summary = &row.summary;
    let losses = summary.losses.iter().map(|(name, share)| (format!("losses.{name}"), Value::from(*share)));
    let terms =
        summary.reward_terms.iter().map(|(name, sum)| (format!("reward_terms.{name}"), Value::from(*sum)));
    let metrics = summary.metrics.iter().filter(|(_, value)| !value.is_object() && !value.is_array());
    let metrics = metrics.map(|(name, value)| (format!("metrics.{name}"), value.clone()));
    losses.chain(terms).chain(metrics).chain(role_columns_of(row)).collect()
}

/// The columns of its side requests.
pub(super) fn role_columns_of(row: &EpisodeRow) -> Map<String, Value> {
    let costs = row.summary.roles.iter().zip(row.role_costs.values());
    costs.flat_map(|((role, totals), cost)| role_columns(*role, totals, cost)).collect()
}
