//! Counts over the episodes with the same condition.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::distance_stats::DistanceStats;
use super::effort::Effort;
use super::error_examples::ErrorExamples;
use super::measures::MeasureSamples;
use super::provenance::Provenance;
use super::results::Results;
use super::role_stats::RoleStats;
use super::set_measures::MeasuredSet;
use super::verdict_stats::{VerdictStats, ending_of};
use mageyard_domain::{
    Amount, Cost, Digest, Prices, RepetitionThresholds, SetMeasure, SideRole, TokenTotals,
};
use mageyard_engine::{Distances, Ending, EpisodeSummary, Head, Mark};
use mageyard_statistics::{LevelSample, Repeat, mean, sample_mean, standard_error};

/// An episode that is judged: its marks are counted.
pub(super) struct JudgedEpisode {
    pub(super) head: Arc<Head>,
    pub(super) summary: EpisodeSummary,
    pub(super) distances: Option<Distances>,
    pub(super) level_group: Option<String>,
    /// The properties of its level.
    pub(super) level_properties: Vec<(&'static str, String)>,
    /// The measures of its environment.
    pub(super) measures: &'static [SetMeasure],
    /// The name of its level set.
    pub(super) set: String,
    /// The digest of what its level contains.
    pub(super) level: String,
}

/// What makes an episode one that was counted before: the settings, the level, the repeat and the seed.
type EpisodeKey = (Digest, String, u32, u64);

/// Whether the agent's own behaviour causes an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoppedBy {
    /// By what the agent did or did not do.
    Agent,
    /// By the task, a limit of costs, or a person.
    Other,
}

/// Every ending with its name in reports.
pub const ENDINGS: [(Ending, &str, StoppedBy); 14] = [
    (Ending::Won, "won", StoppedBy::Other),
    (Ending::Lost, "lost", StoppedBy::Other),
    (Ending::Finished, "finished", StoppedBy::Other),
    (Ending::PlanEnded, "plan ended", StoppedBy::Other),
    (Ending::Stood, "false finish", StoppedBy::Agent),
    (Ending::Unreadable, "parse error", StoppedBy::Agent),
    (Ending::ReplyCut, "reply cut", StoppedBy::Agent),
    (Ending::Refusal, "refusal", StoppedBy::Agent),
    (Ending::StepLimit, "step limit", StoppedBy::Agent),
    (Ending::TimeLimit, "time limit", StoppedBy::Agent),
    (Ending::Budget, "budget", StoppedBy::Other),
    (Ending::Repetition, "repetition limit", StoppedBy::Agent),
    (Ending::Stopped, "stopped by a person", StoppedBy::Other),
    (Ending::Abandoned, "abandoned", StoppedBy::Other),
];

/// The name of an ending in reports.
pub fn ending_name(ending: Ending) -> &'static str {
    ENDINGS.iter().find(|row| row.0 == ending).map_or("", |row| row.1)
}

/// Counts over the episodes of a group. Mixed episodes (edited by a person) are excluded.
#[derive(Debug, Default)]
pub struct GroupStats {
    /// The finished episodes that are counted.
    pub episodes: usize,
    /// The episodes that a person changed.
    pub mixed: usize,
    /// The episodes that can be resumed.
    pub unfinished: usize,
    /// The finished episodes that are left out, because one with the same level, repeat, seed and settings is counted.
    pub left_out: usize,
    /// The records of the level file that could not be played when the episodes were planned.
    pub left_out_records: usize,
    /// The counted episodes, and when each was started.
    counted: BTreeMap<EpisodeKey, u64>,
    /// The digests of the levels of the counted episodes.
    pub(super) levels: BTreeSet<String>,
    /// Known scores.
    pub scores: Vec<LevelSample>,
    /// 100 for each solved episode and 0 for each other one.
    pub(super) solved: Vec<LevelSample>,
    /// The marks and costs by which rows are compared.
    pub(super) measures: MeasureSamples,
    /// What verdicts count for measures of the whole set.
    pub measured: MeasuredSet,
    /// Known scores by the group of the level.
    pub(super) scores_by_level_group: BTreeMap<String, Vec<LevelSample>>,
    /// The errors with their first examples.
    pub errors: ErrorExamples,
    /// What the counted episodes took.
    pub effort: Effort,
    /// What produced the counted episodes.
    pub provenance: Provenance,
    /// What is computed when all episodes are known.
    pub results: Results,
    /// Scores relative to the published optimum, for levels that have one.
    pub published: Vec<f64>,
    /// The shares of the score that were lost, by the name of the loss.
    losses: BTreeMap<String, Vec<f64>>,
    /// What the terms of the reward earned, by their names.
    reward_terms: BTreeMap<String, Vec<f64>>,
    /// The scores after each step.
    pub(super) scores_by_step: Vec<Vec<LevelSample>>,
    /// Replies with a parse error.
    pub parse_errors: usize,
    /// Ignored list members and code blocks of replies.
    pub dropped: usize,
    /// Replies by the name of their ending, complete ones left out. Unfinished episodes count too: a reply may have
    /// stopped them.
    pub reply_endings: BTreeMap<String, usize>,
    /// Actions that did not change the state.
    pub ineffective: usize,
    /// Episodes with at least one such mark, in the order of `Mark::ALL`.
    marked: [usize; Mark::ALL.len()],
    /// The steps of the counted episodes.
    pub steps: u64,
    /// How the counted episodes were judged.
    pub verdicts: VerdictStats,
    /// Counted episodes by the name of their ending.
    pub endings: BTreeMap<&'static str, usize>,
    /// The thresholds of repetition that the counted episodes were judged with.
    pub thresholds: BTreeSet<RepetitionThresholds>,
    /// Distance counts, if distances were searched.
    pub distances: DistanceStats,
    /// Token usage of all episodes, including unfinished and mixed ones.
    pub spent: TokenTotals,
    /// The input tokens that requests probably have in common with the request before, of the episodes that know it.
    pub repeated: u64,
    /// By currency, what the known requests cost if a server reads the repeated tokens from a cache, and if it caches
    /// nothing; for models with a price of cached tokens.
    pub cache_costs: BTreeMap<String, (Amount, Amount)>,
    /// The side requests of all episodes by role, whose tokens and costs are part of the others.
    pub roles: BTreeMap<SideRole, RoleStats>,
    /// Cost by currency.
    pub costs: BTreeMap<String, Amount>,
    /// Episodes of whose cost no part is known.
    pub unknown_costs: usize,
    /// Requests whose cost is unknown, in all episodes.
    pub unknown_requests: usize,
}

impl GroupStats {
    /// Adds an episode with this identity of its settings; its marks and thresholds are those of the summary.
    pub(super) fn add(&mut self, episode: &JudgedEpisode, identity: Digest, address: &str, prices: &Prices) {
        let JudgedEpisode { head, summary, distances, level_group, .. } = episode;
        self.left_out_records = self.left_out_records.max(head.left_out);
        let cost = prices.episode_cost(head.model(), summary.spent, &summary.models);
        if summary.ending.is_some() && !summary.mixed {
            let key = (identity, episode.level.clone(), head.repeat.unwrap_or_default(), head.seed);
            match self.counted.get(&key).copied() {
                // A copy is the same episode; one that was played again has cost something.
                Some(started) if started == head.started => {
                    self.left_out += 1;
                    return;
                }
                Some(_) => {
                    self.left_out += 1;
                    self.add_caching(head, summary, prices);
                    self.add_cost(cost, summary, prices);
                    return;
                }
                None => drop(self.counted.insert(key, head.started)),
            }
        }
        self.add_caching(head, summary, prices);
        match summary.ending {
            _ if summary.mixed => self.mixed += 1,
            None => {
                self.unfinished += 1;
                self.count_reply_endings(summary);
            }
            Some(_) => {
                if let Some(distances) = distances {
                    self.distances.add(head, summary, distances);
                }
                self.effort.add(summary, &cost);
                self.measures.add(summary, &cost, |value| sample(episode, value));
                self.errors.add(summary, address);
                self.provenance.add(head, summary, address);
                self.count_episode(episode, &cost);
                if let (Some(group), Some(score)) = (level_group, summary.score) {
                    let scores = self.scores_by_level_group.entry(group.clone()).or_default();
                    scores.push(sample(episode, score));
                }
            }
        }
        self.add_cost(cost, summary, prices);
    }

    fn add_caching(&mut self, head: &Head, summary: &EpisodeSummary, prices: &Prices) {
        let Some(repeated) = summary.repeated else { return };
        self.repeated = self.repeated.saturating_add(repeated);
        let price = head.model().and_then(|model| prices.find(model));
        let Some(price) = price.filter(|price| price.cached.is_some()) else { return };
        let (with, without) = self.cache_costs.entry(price.currency.clone()).or_default();
        let usage = summary.spent_on_decisions().usage;
        *with = with.plus(price.cost_with_cache(usage, repeated));
        *without = without.plus(price.cost_without_cache(usage));
    }

    fn add_cost(&mut self, cost: Cost, summary: &EpisodeSummary, prices: &Prices) {
        let spent = summary.spent;
        self.spent = self.spent.plus(spent);
        for (role, totals) in &summary.roles {
            self.roles.entry(*role).or_default().add(totals, prices);
        }
        match cost {
            Cost::NoRequests => {}
            Cost::Unknown => {
                self.unknown_costs += 1;
                // Refused requests cost nothing, whatever the price.
                self.unknown_requests += spent.requests - spent.unanswered.refused;
            }
            Cost::Known { amount, currency, unknown } => {
                self.unknown_requests += unknown;
                let sum = self.costs.entry(currency).or_default();
                *sum = sum.plus(amount);
            }
        }
    }

    fn count_episode(&mut self, episode: &JudgedEpisode, cost: &Cost) {
        let summary = &episode.summary;
        self.episodes += 1;
        self.steps += u64::from(summary.steps);
        self.thresholds.insert(summary.thresholds);
        self.levels.insert(episode.level.clone());
        self.scores.extend(summary.score.map(|score| sample(episode, score)));
        self.solved.push(sample(episode, if summary.is_solved() { 100.0 } else { 0.0 }));
        self.published.extend(summary.published.as_ref().map(|published| published.score));
        self.parse_errors += summary.parse_errors;
        self.dropped += summary.dropped;
        self.add_parts_of_score(episode);
        self.count_reply_endings(summary);
        self.ineffective += summary.count(Mark::Unchanged);
        for (count, mark) in self.marked.iter_mut().zip(Mark::ALL) {
            *count += usize::from(summary.count(mark) > 0);
        }
        self.verdicts.add(summary);
        self.measured.add(episode, cost);
        if let Some(ending) = ending_of(summary) {
            *self.endings.entry(ending).or_default() += 1;
        }
    }

    fn add_parts_of_score(&mut self, episode: &JudgedEpisode) {
        let summary = &episode.summary;
        for (name, share) in &summary.losses {
            self.losses.entry(name.clone()).or_default().push(*share);
        }
        for (name, earned) in &summary.reward_terms {
            self.reward_terms.entry(name.clone()).or_default().push(*earned);
        }
        for (index, score) in summary.scores_by_step.iter().enumerate() {
            match self.scores_by_step.get_mut(index) {
                Some(scores) => scores.push(sample(episode, *score)),
                None => self.scores_by_step.push(vec![sample(episode, *score)]),
            }
        }
    }

    fn count_reply_endings(&mut self, summary: &EpisodeSummary) {
        for (name, count) in &summary.reply_endings {
            *self.reply_endings.entry(name.clone()).or_default() += count;
        }
    }

    /// The number of levels of the counted episodes.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// The mean of the known scores.
    pub fn score(&self) -> Option<f64> {
        sample_mean(&self.scores)
    }

    /// The standard error of the mean score.
    pub fn score_error(&self) -> Option<f64> {
        standard_error(&self.scores)
    }

    /// The mean share of the score that was lost, by the name of the loss, in percent.
    pub fn losses(&self) -> BTreeMap<&str, f64> {
        let share = |(name, shares): (_, &Vec<f64>)| Some((name, 100.0 * mean(shares.iter().copied())?));
        self.losses.iter().map(|(name, shares)| (name.as_str(), shares)).filter_map(share).collect()
    }

    /// The mean of what each term of the reward earned, by its name.
    pub fn reward_terms(&self) -> BTreeMap<&str, f64> {
        let of_term = |(name, earned): (_, &Vec<f64>)| Some((name, mean(earned.iter().copied())?));
        self.reward_terms.iter().map(|(name, earned)| (name.as_str(), earned)).filter_map(of_term).collect()
    }

    /// The percentage of solved episodes.
    pub fn success_rate(&self) -> Option<f64> {
        sample_mean(&self.solved)
    }

    /// The standard error of the success rate, in percentage points.
    pub fn success_error(&self) -> Option<f64> {
        standard_error(&self.solved)
    }

    /// The mean of the known published scores.
    pub fn published(&self) -> Option<f64> {
        mean(self.published.iter().copied())
    }

    /// Percentage of episodes with this mark; `None` if there are no episodes.
    pub fn marked(&self, mark: Mark) -> Option<f64> {
        self.share(self.marked[mark as usize])
    }

    /// This count as a percentage of the episodes; `None` if there are none.
    pub fn share(&self, count: usize) -> Option<f64> {
        let of = |count: usize| u32::try_from(count).map(f64::from).ok();
        (self.episodes > 0).then(|| Some(100.0 * of(count)? / of(self.episodes)?))?
    }

    /// The number of episodes with this ending.
    pub fn ended(&self, name: &str) -> usize {
        self.endings.get(name).copied().unwrap_or_default()
    }
}

/// A value of an episode, with its level and repeat.
fn sample(episode: &JudgedEpisode, value: f64) -> LevelSample {
    let head = &episode.head;
    let repeat = Repeat { number: head.repeat.unwrap_or_default(), seed: head.seed };
    LevelSample { level: episode.level.clone(), repeat, value }
}
