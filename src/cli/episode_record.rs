//! The objects `step` and `episode` of `run` and `view`.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::episode_output::Beside;
use super::records::{Record, RoleRecord, SideRecord, UsageFields};
use mageyard_domain::{ActionOdds, Judgement, Prices, PublishedScore, RewardTerms, Verdict};
use mageyard_engine::{Attempt, Distances, Ending, EpisodeSummary, Head, ServedChange, Step};
use mageyard_lab::{DistanceAfter, EpisodeFields};

/// A completed step (`run`, `view`).
#[derive(Serialize, JsonSchema)]
pub(super) struct StepRecord<'a> {
    #[serde(flatten)]
    pub(super) identity: EpisodeFields,
    /// Number of the step.
    step: u32,
    /// Action; null if the step passed without one.
    action: Option<String>,
    /// Reward of the step.
    reward: f64,
    /// Terms of the reward by name; null where the environment names none.
    #[schemars(with = "Option<BTreeMap<String, f64>>")]
    reward_terms: Option<&'a RewardTerms>,
    /// Sum of rewards so far.
    sum: f64,
    /// Whether a person changed the action, the reply, the state or the frame, or had the agent asked again.
    edited: bool,
    /// Whether the action did not finish or was dropped: effect unknown, reward 0.
    interrupted: bool,
    /// Whether the repetition limit refused the action, which was not carried out.
    over_limit: bool,
    /// How many list members that are not actions, or code blocks with an unknown label, were ignored in the replies.
    dropped: usize,
    /// Replies in order.
    replies: Vec<ReplyRecord<'a>>,
    /// Side requests of its decision and of its outcome, in order, whose requests and tokens are part of those below.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    side: Vec<SideRecord<'a>>,
    #[serde(flatten)]
    usage: UsageFields,
    #[serde(flatten)]
    distance: Option<&'a DistanceAfter>,
    #[serde(flatten)]
    oracle: Option<OracleFields>,
    /// What the analysis says of the state, as far as the environment can read it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    claims: Vec<ClaimRecord<'a>>,
}

impl Record for StepRecord<'_> {
    const TYPE: &'static str = "step";
}

/// A statement of an analysis about a state.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "claim")]
struct ClaimRecord<'a> {
    /// What is said, such as `player at row 2, column 3`.
    says: &'a str,
    /// Whether that is so.
    holds: bool,
}

/// The choice of the oracle.
#[derive(Serialize, JsonSchema)]
struct OracleFields {
    /// With `--oracle`: action of the solver.
    oracle: Option<String>,
}

/// A reply in a step.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "reply")]
struct ReplyRecord<'a> {
    /// `cut`, `refused`, `filtered`, `only_reasoning`, `tool_call`, `unmarked` or `unknown`; null if complete.
    ending: Option<&'a str>,
    /// The same as a sentence.
    why: Option<String>,
    /// Whether it was cancelled.
    cancelled: bool,
    /// Whether the agent was asked again, so that it does not count.
    replaced: bool,
    /// Ask whose reply a person picked.
    picked_from: Option<Arc<str>>,
    /// How many list members or code blocks were ignored.
    dropped: usize,
    /// The first twenty of them, each on one line and cut to 60 characters.
    dropped_words: Vec<String>,
    /// How many thoughts were taken from the text.
    thoughts: usize,
    /// What was repaired to read the response, as sentences.
    notes: &'a [String],
    /// Milliseconds from the last sending to the complete reply; for a person from the start of the step.
    latency_ms: Option<u32>,
    /// Odds of the action, if the server sent them.
    odds: Option<OddsRecord>,
}

/// How probable the text was that was read as the action (`model.top_logprobs`).
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "odds")]
pub(super) struct OddsRecord {
    /// From 0 to 1.
    p: f64,
    /// Most probable tokens in place of its first.
    first_token: Vec<TokenRecord>,
}

/// A token with its probability.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "token")]
struct TokenRecord {
    /// Text of the token.
    token: String,
    /// From 0 to 1.
    p: f64,
}

impl<'a> StepRecord<'a> {
    pub(super) fn new(identity: EpisodeFields, step: &'a Step, head: &'a Head, usage: UsageFields) -> Self {
        Self {
            identity,
            step: step.number,
            action: step.action.as_ref().map(ToString::to_string),
            reward: step.effect.as_ref().map_or(0.0, |effect| effect.reward),
            reward_terms: None,
            sum: step.returns.sum,
            edited: step.is_edited(),
            interrupted: step.is_interrupted(),
            over_limit: step.over_limit,
            dropped: step.dropped(),
            replies: step.attempts.iter().map(ReplyRecord::new).collect(),
            side: step.side.iter().map(|exchange| SideRecord::new(exchange, head)).collect(),
            usage,
            distance: None,
            oracle: None,
            claims: Vec::new(),
        }
    }

    /// With the terms of its reward and what was searched beside the step.
    pub(super) fn with_beside(self, beside: &Beside<'a>) -> Self {
        let oracle = beside.oracle.map(|said| OracleFields { oracle: said.action.clone() });
        let claims = beside.claims.iter().map(|claim| ClaimRecord { says: &claim.says, holds: claim.holds });
        Self { reward_terms: beside.terms, distance: beside.way, oracle, claims: claims.collect(), ..self }
    }
}

impl<'a> ReplyRecord<'a> {
    fn new(attempt: &'a Attempt) -> Self {
        let given = attempt.original();
        Self {
            ending: given.ending.name(),
            why: (!given.ending.is_complete()).then(|| given.ending.to_string()),
            cancelled: attempt.cancelled,
            replaced: attempt.replaced,
            picked_from: attempt.picked_from.clone(),
            dropped: attempt.dropped(),
            dropped_words: attempt.dropped_words(),
            thoughts: given.thoughts.len(),
            notes: &given.notes,
            latency_ms: given.latency_ms,
            odds: attempt.action_odds().as_ref().map(OddsRecord::from),
        }
    }
}

impl From<&ActionOdds> for OddsRecord {
    fn from(odds: &ActionOdds) -> Self {
        let first = odds.first.iter();
        let token =
            first.map(|(token, logprob)| TokenRecord { token: token.clone(), p: logprob.probability() });
        Self { p: odds.logprob.probability(), first_token: token.collect() }
    }
}

/// An episode (`run`, `view`, `sweep run`).
#[derive(Serialize, JsonSchema)]
pub(super) struct EpisodeRecord<'a> {
    #[serde(flatten)]
    identity: EpisodeFields,
    /// From 0 to 100; null without an optimum.
    score: Option<f64>,
    /// Highest sum of rewards.
    best: f64,
    /// Final sum of rewards.
    sum: f64,
    /// Highest possible sum.
    optimum: Option<f64>,
    /// Length of a shortest solution.
    shortest: Option<u32>,
    /// Completed steps.
    steps: u32,
    /// Why it ended; null if unfinished.
    #[schemars(with = "Option<String>")]
    ending: Option<Ending>,
    /// Whether the goal was reached.
    solved: bool,
    /// How the environment judged it; null if it does not.
    verdict: Option<VerdictRecord<'a>>,
    /// Whether a person intervened.
    mixed: bool,
    /// Duration.
    seconds: f64,
    /// Replies by ending, without complete ones.
    reply_endings: &'a BTreeMap<String, usize>,
    /// Replies that came from another model than those before them, by the name or fingerprint that the server gave.
    served_changes: Vec<ServedChangeRecord<'a>>,
    /// Further figures of the final state, by name.
    #[serde(skip_serializing_if = "Map::is_empty")]
    metrics: &'a Map<String, Value>,
    /// Side requests by role, whose requests and tokens are part of those below.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    roles: BTreeMap<&'static str, RoleRecord<'a>>,
    #[serde(flatten)]
    published: Option<PublishedFields>,
    #[serde(flatten)]
    distance: Option<FinalDistance>,
    #[serde(flatten)]
    usage: UsageFields,
}

impl Record for EpisodeRecord<'_> {
    const TYPE: &'static str = "episode";
}

/// How an environment judged an episode.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "verdict")]
pub(super) struct VerdictRecord<'a> {
    /// Whether the task is done in full; null if it was not judged.
    success: Option<bool>,
    /// What is right and wrong, a sentence each.
    feedback: &'a [String],
    /// Details of the environment.
    details: &'a Value,
    /// Why it was not judged; null if it was.
    not_judged: Option<&'a str>,
}

impl<'a> From<&'a Judgement> for VerdictRecord<'a> {
    fn from(judgement: &'a Judgement) -> Self {
        match judgement {
            Judgement::Verdict(Verdict { success, feedback, details, .. }) => {
                Self { success: Some(*success), feedback, details, not_judged: None }
            }
            Judgement::NotJudged(why) => {
                Self { success: None, feedback: &[], details: &Value::Null, not_judged: Some(why) }
            }
        }
    }
}

/// A reply that came from another model than those before it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "served_change")]
pub(super) struct ServedChangeRecord<'a> {
    /// Step of the reply.
    step: u32,
    /// Name and fingerprint before it.
    before: &'a str,
    /// Name and fingerprint after it.
    after: &'a str,
}

impl<'a> From<&'a ServedChange> for ServedChangeRecord<'a> {
    fn from(change: &'a ServedChange) -> Self {
        Self { step: change.step, before: &change.before, after: &change.after }
    }
}

/// The published optimum.
#[derive(Serialize, JsonSchema)]
struct PublishedFields {
    /// Published optimum of the level.
    published: f64,
    /// Published length of a shortest solution.
    published_steps: u32,
    /// Score relative to it.
    published_score: f64,
}

/// The distance of the final state.
#[derive(Serialize, JsonSchema)]
struct FinalDistance {
    /// With `--distance`: length of a shortest solution from the final state.
    remaining: Option<u32>,
    /// With `--distance`: extra moves.
    wasted: Option<u32>,
    /// With `--distance`: whether the final state is dead.
    lost: bool,
    /// With `--distance`: step that led to a dead state.
    lost_by: Option<u32>,
}

impl<'a> EpisodeRecord<'a> {
    pub(super) fn new(
        identity: EpisodeFields,
        summary: &'a EpisodeSummary,
        usage: UsageFields,
        prices: &Prices,
    ) -> Self {
        let optimum = summary.reference.as_ref();
        let published = summary.published.as_ref();
        Self {
            identity,
            score: summary.score,
            best: summary.returns.best,
            sum: summary.returns.sum,
            optimum: optimum.map(|optimum| optimum.best),
            shortest: optimum.map(|optimum| optimum.steps),
            steps: summary.steps,
            ending: summary.ending,
            solved: summary.is_solved(),
            verdict: summary.judgement.as_ref().map(VerdictRecord::from),
            mixed: summary.mixed,
            seconds: super::episode_output::seconds(summary),
            reply_endings: &summary.reply_endings,
            served_changes: summary.served_changes.iter().map(ServedChangeRecord::from).collect(),
            metrics: &summary.metrics,
            roles: RoleRecord::all(&summary.roles, prices),
            published: published.map(|PublishedScore { reference, score }| PublishedFields {
                published: reference.best,
                published_steps: reference.steps,
                published_score: *score,
            }),
            distance: None,
            usage,
        }
    }

    /// With the distance of the final state, if it was searched.
    pub(super) fn with_distances(self, distances: Option<&Distances>) -> Self {
        let steps = usize::try_from(self.steps).unwrap_or(usize::MAX);
        let distance = distances.map(|distances| {
            let DistanceAfter { remaining, wasted, lost, .. } = DistanceAfter::after(distances, steps);
            FinalDistance { remaining, wasted, lost, lost_by: distances.dead_step() }
        });
        Self { distance, ..self }
    }
}
