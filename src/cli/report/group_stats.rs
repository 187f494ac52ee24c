//! What is counted, over the episodes of one agent in one environment and setting.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use super::distance_stats::DistanceStats;
use super::mean::mean;
use crate::domain::Amount;
use crate::domain::Cost;
use crate::domain::EnvironmentSpec;
use crate::domain::Prices;
use crate::domain::RepetitionThresholds;
use crate::domain::Setting;
use crate::domain::TokenTotals;
use crate::engine::Distances;
use crate::engine::Ending;
use crate::engine::Episode;
use crate::engine::ErrorAnalysis;
use crate::engine::Mark;
use crate::engine::analyze;

/// What is summed up together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group {
    pub(super) agent: String,
    /// The model in the seat, as its server spells it, where a model sits there.
    pub(super) model: Option<String>,
    pub(super) environment: String,
    pub(super) setting: Setting,
}

impl Group {
    pub(super) fn of(episode: &Episode) -> Self {
        let head = episode.head();
        let model = head.seated.get("name").and_then(|name| name.as_str()).map(str::to_owned);
        let (agent, environment) = (head.agent.clone(), head.environment.clone());
        Self { agent, model, environment, setting: head.setting }
    }

    /// Who it is in a table: the paper's rows are models.
    pub(super) fn agent_or_model(&self) -> &str {
        self.model.as_ref().unwrap_or(&self.agent)
    }

    /// The environment and the first letter of the setting, as the paper heads its columns.
    pub(super) fn column(&self) -> String {
        format!("{}-{:.1}", self.environment, self.setting.to_string())
    }
}

/// Whether an ending stops an agent for its own doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StoppedBy {
    Agent,
    Other,
}

/// Every ending with its name in reports.
pub(super) const ENDINGS: [(Ending, &str, StoppedBy); 10] = [
    (Ending::Won, "won", StoppedBy::Other),
    (Ending::Lost, "lost", StoppedBy::Other),
    (Ending::PlanEnded, "plan ended", StoppedBy::Other),
    (Ending::Stood, "false finish", StoppedBy::Agent),
    (Ending::Unreadable, "parse error", StoppedBy::Agent),
    (Ending::StepLimit, "step limit", StoppedBy::Agent),
    (Ending::TimeLimit, "time limit", StoppedBy::Agent),
    (Ending::Budget, "budget", StoppedBy::Other),
    (Ending::Repetition, "repetition limit", StoppedBy::Agent),
    (Ending::Abandoned, "abandoned", StoppedBy::Other),
];

/// Counts over the episodes of a group. Episodes in which a person intervened stay out.
#[derive(Debug, Default)]
pub(super) struct GroupStats {
    pub(super) episodes: usize,
    pub(super) mixed: usize,
    pub(super) unfinished: usize,
    pub(super) scores: Vec<f64>,
    /// Scores by what was published of the levels, where something was.
    pub(super) published: Vec<f64>,
    /// Replies that could not be read.
    pub(super) parse_errors: usize,
    /// Actions that left the state as it was.
    pub(super) ineffective: usize,
    /// Episodes in which at least one step has the mark, in the order of the marks.
    marked: [usize; Mark::ALL.len()],
    pub(super) steps: u64,
    pub(super) endings: BTreeMap<&'static str, usize>,
    pub(super) thresholds: BTreeSet<RepetitionThresholds>,
    /// The ways gone, where they were measured.
    pub(super) distances: DistanceStats,
    /// What requests took, of every episode, also of one that is not finished or that a person intervened in.
    pub(super) spent: TokenTotals,
    /// What they cost, by currency.
    pub(super) costs: BTreeMap<String, Amount>,
    /// Episodes whose cost is not known.
    pub(super) unknown_costs: usize,
}

impl GroupStats {
    /// Takes an episode, judged by these thresholds or by its own.
    pub(super) fn add(
        &mut self,
        episode: &Episode,
        kind: &dyn EnvironmentSpec,
        anew: Option<RepetitionThresholds>,
        prices: &Prices,
        distances: Option<&Distances>,
    ) {
        self.add_cost(prices.cost(episode.head().model(), episode.spent()), episode.spent());
        let thresholds = anew.unwrap_or(episode.head().conduct.thresholds);
        match episode.ending() {
            _ if episode.is_mixed() => self.mixed += 1,
            None => self.unfinished += 1,
            Some(ending) => {
                if let Some(distances) = distances {
                    self.distances.add(episode, distances);
                }
                self.steps += u64::from(episode.steps_done());
                self.thresholds.insert(thresholds);
                self.scores.extend(episode.score(kind));
                self.published.extend(episode.published(kind).map(|published| published.score));
                let judged = analyze(episode, kind, thresholds);
                self.count_episode(
                    ending,
                    &match distances {
                        Some(distances) => judged.with_distances(episode.steps(), distances),
                        None => judged,
                    },
                );
            }
        }
    }

    fn add_cost(&mut self, cost: Cost, spent: TokenTotals) {
        self.spent = self.spent.plus(spent);
        match cost {
            Cost::NoRequests => {}
            Cost::Unknown => self.unknown_costs += 1,
            Cost::Known(amount, currency) => {
                let sum = self.costs.entry(currency).or_default();
                *sum = sum.plus(amount);
            }
        }
    }

    fn count_episode(&mut self, ending: Ending, faults: &ErrorAnalysis) {
        self.episodes += 1;
        self.parse_errors += faults.parse_errors;
        self.ineffective += faults.count(Mark::Unchanged);
        for (count, mark) in self.marked.iter_mut().zip(Mark::ALL) {
            *count += usize::from(faults.count(mark) > 0);
        }
        let name = ENDINGS.iter().find(|row| row.0 == ending).map_or("", |row| row.1);
        *self.endings.entry(name).or_default() += 1;
    }

    /// The mean over the episodes whose score is known.
    pub(super) fn score(&self) -> Option<f64> {
        mean(&self.scores)
    }

    /// The mean by what was published, over the episodes of whose level something was.
    pub(super) fn published(&self) -> Option<f64> {
        mean(&self.published)
    }

    /// Episodes with this mark, in percent; `None` when there are no episodes.
    pub(super) fn marked(&self, mark: Mark) -> Option<f64> {
        self.share(self.marked[mark as usize])
    }

    /// So many episodes, in percent of all; `None` when there are none.
    pub(super) fn share(&self, count: usize) -> Option<f64> {
        let of = |count: usize| u32::try_from(count).map(f64::from).ok();
        (self.episodes > 0).then(|| Some(100.0 * of(count)? / of(self.episodes)?))?
    }

    /// How many episodes ended so.
    pub(super) fn ended(&self, name: &str) -> usize {
        self.endings.get(name).copied().unwrap_or_default()
    }
}
