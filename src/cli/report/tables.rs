//! The tables of a report and the corresponding JSON objects.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use serde_json::Value;
use serde_json::json;

use crate::cli::episode_output::request_fields;
use crate::cli::table::column_widths;
use crate::domain::Amount;
use crate::domain::EnvironmentSpec;
use crate::domain::Loss;
use crate::domain::RepetitionThresholds;
use crate::domain::ReplyEnding;
use crate::domain::UnansweredRequests;
use crate::engine::Mark;
use crate::lab::merged;
use crate::lab::report::AGENT;
use crate::lab::report::Comparison;
use crate::lab::report::Condition;
use crate::lab::report::DistanceStats;
use crate::lab::report::ENDINGS;
use crate::lab::report::ENVIRONMENT;
use crate::lab::report::GroupStats;
use crate::lab::report::Groups;
use crate::lab::report::LEVEL_SET;
use crate::lab::report::SETTING;
use crate::lab::report::StoppedBy;

type Rows = Vec<Vec<String>>;

/// The widest names of rows; wider ones are replaced by numbers.
const MAX_NAME_WIDTH: usize = 44;

/// A table with the number of its first columns that name the row.
pub(super) struct Table {
    pub(super) rows: Rows,
    pub(super) names: usize,
}

/// The rows of a report with their names.
pub(super) struct ReportTables<'a> {
    groups: &'a Groups,
    known: &'a [&'static dyn EnvironmentSpec],
    comparison: Comparison,
    /// The properties that name a row: the agent and what differs.
    names: Vec<String>,
    /// Whether rows have numbers, because their names are wide.
    numbered: bool,
}

impl<'a> ReportTables<'a> {
    pub(super) fn new(groups: &'a Groups, known: &'a [&'static dyn EnvironmentSpec]) -> Self {
        let comparison = Comparison::of(groups.keys());
        let differing = comparison.differing.iter().filter(|name| *name != AGENT).cloned();
        let names: Vec<String> = [AGENT.to_owned()].into_iter().chain(differing).collect();
        let mut report = Self { groups, known, comparison, names, numbered: false };
        let only_names = report.table(&[], |_, _| Some(Vec::new()));
        let width: usize = column_widths(&only_names.rows).iter().map(|width| width + 2).sum();
        report.numbered = width > MAX_NAME_WIDTH;
        report
    }

    /// The tables in their order; one without rows has only its titles.
    pub(super) fn tables(&self) -> Vec<Table> {
        let mut tables = vec![self.scores(), self.scores_by_step(), self.losses()];
        tables.extend([self.errors(), self.endings(), self.reply_endings()]);
        tables.extend([self.distances(), self.costs(), self.caching(), self.published()]);
        if self.numbered {
            tables.insert(0, self.legend());
        }
        tables
    }

    /// What all rows have in common, in one line.
    pub(super) fn common(&self) -> String {
        let levels: BTreeSet<usize> = self.groups.values().map(GroupStats::levels).collect();
        let levels = levels.first().filter(|_| levels.len() == 1).map(|count| format!("levels {count}"));
        let common = self.comparison.common.iter().map(|(name, value)| format!("{name} {value}"));
        let place = if self.groups.len() == 1 { "All episodes" } else { "In every row" };
        format!("{place}: {}", common.chain(levels).collect::<Vec<_>>().join(" · "))
    }

    /// A table: the names of the row, then these cells; a group without cells has no row.
    fn table(
        &self,
        titles: &[&str],
        cells: impl Fn(&Condition, &GroupStats) -> Option<Vec<String>>,
    ) -> Table {
        let row_names =
            if self.numbered { vec!["row".to_owned(), AGENT.to_owned()] } else { self.names.clone() };
        let names = row_names.len();
        let head = row_names.into_iter().chain(titles.iter().map(|title| (*title).to_owned()));
        let mut rows = vec![head.collect::<Vec<_>>()];
        for (number, (condition, stats)) in (1..).zip(self.groups) {
            let name = |name: &String| self.comparison.cell(condition, name);
            let names = if self.numbered {
                vec![number.to_string(), self.comparison.cell(condition, AGENT)]
            } else {
                self.names.iter().map(name).collect()
            };
            if let Some(cells) = cells(condition, stats) {
                rows.push(names.into_iter().chain(cells).collect());
            }
        }
        Table { rows, names }
    }

    /// The properties that differ, by the number of the row.
    fn legend(&self) -> Table {
        let titles: Vec<&str> = self.names.iter().skip(1).map(String::as_str).collect();
        let cells = |condition: &Condition| {
            self.names.iter().skip(1).map(|name| self.comparison.cell(condition, name)).collect()
        };
        self.table(&titles, |condition, _| Some(cells(condition)))
    }

    /// Scores, success rates, parse errors and endings.
    fn scores(&self) -> Table {
        let counts: BTreeSet<usize> = self.groups.values().map(GroupStats::levels).collect();
        let levels = counts.len() > 1;
        let titles = [
            "n",
            "levels",
            "score ± SE",
            "success ± SE",
            "parse errors",
            "ineffective",
            "dead",
            "other endings",
        ];
        let titles: Vec<&str> = titles.into_iter().filter(|title| levels || *title != "levels").collect();
        self.table(&titles, |_, stats| {
            let aside = [(stats.mixed, "mixed"), (stats.unfinished, "unfinished")];
            let aside = aside.iter().filter(|(count, _)| *count > 0);
            let aside = aside.map(|(count, name)| format!(" (+{count} {name})")).collect::<Vec<_>>().concat();
            let mut cells = vec![format!("{}{aside}", stats.episodes)];
            cells.extend(levels.then(|| stats.levels().to_string()));
            cells.extend([
                with_error(stats.score(), stats.score_error(), 2, ""),
                with_error(stats.success_rate(), stats.success_error(), 1, " %"),
                format!("{} in {} %", stats.parse_errors, percent(stats.marked(Mark::ParseError))),
                format!("{} of {} steps", stats.ineffective, stats.steps),
                format!("{} %", percent(stats.marked(Mark::Dead))),
                other_endings(stats),
            ]);
            Some(cells)
        })
    }

    /// The score after each step, for the groups whose environment has one.
    fn scores_by_step(&self) -> Table {
        let most = self.groups.values().map(|stats| stats.scores_by_step().len()).max().unwrap_or(0);
        let titles: Vec<String> = (1..=most).map(|step| format!("step {step}")).collect();
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let cell = |(score, count): (f64, usize)| format!("{score:.2} (n {count})");
        let mut table = self.table(&titles, |_, stats| {
            let cells: Vec<String> = stats.scores_by_step().into_iter().map(cell).collect();
            let missing = most - cells.len();
            let none = std::iter::repeat_n("–".to_owned(), missing);
            (missing < most).then(|| cells.into_iter().chain(none).collect())
        });
        retitle(&mut table, "score after");
        table
    }

    /// What part of the score was lost to what, for the groups whose environment says so (the table of the paper).
    fn losses(&self) -> Table {
        let kinds = self.kinds_of_loss();
        let titles: Vec<&str> = kinds.iter().map(|loss| loss.label).collect();
        let mut table = self.table(&titles, |_, stats| {
            let losses = stats.losses();
            let cell = |loss: &Loss| percent(losses.get(loss.name).copied());
            (!losses.is_empty()).then(|| kinds.iter().map(cell).collect())
        });
        retitle(&mut table, "score lost in %");
        table
    }

    /// The kinds of losses of the environments in the report, each once.
    fn kinds_of_loss(&self) -> Vec<Loss> {
        let mut kinds: Vec<Loss> = Vec::new();
        for environment in self.environments() {
            kinds.extend(environment.losses());
        }
        kinds.dedup();
        kinds
    }

    /// The environments in the report, each once.
    fn environments(&self) -> Vec<&'static dyn EnvironmentSpec> {
        let names: BTreeSet<&str> =
            self.groups.keys().map(|condition| condition.shown(ENVIRONMENT)).collect();
        self.known.iter().copied().filter(|spec| names.contains(spec.name())).collect()
    }

    /// The published scores of the level sets and settings in the report.
    pub(super) fn published_figures(&self) -> Table {
        let head = ["published", ENVIRONMENT, LEVEL_SET, SETTING, "score"].map(str::to_owned);
        let mut rows = vec![head.to_vec()];
        for spec in self.environments() {
            rows.extend(spec.published_figures().iter().map(|figure| {
                let set = format!("{}/{}", spec.name(), figure.level_set);
                let score = format!("{:.2}", figure.score);
                vec![figure.agent.to_owned(), spec.name().to_owned(), set, figure.setting.to_string(), score]
            }));
        }
        Table { rows, names: 1 }
    }

    /// The table of the paper: a column per environment, level set and setting, with IA/RA in each cell. Numbered rows
    /// have a single column.
    fn errors(&self) -> Table {
        let title = "IA/RA in % of episodes";
        let cell = |stats: &GroupStats| {
            [Mark::InvalidAction, Mark::RepeatedAction].map(|mark| percent(stats.marked(mark))).join("/")
        };
        if self.numbered {
            return self.table(&[title], |_, stats| Some(vec![cell(stats)]));
        }
        let with_set = self.comparison.differing.iter().any(|name| name == LEVEL_SET);
        let in_columns = [ENVIRONMENT, LEVEL_SET, SETTING];
        let names: Vec<&String> =
            self.names.iter().filter(|name| !in_columns.contains(&name.as_str())).collect();
        let columns: BTreeSet<String> =
            self.groups.keys().map(|condition| condition.column(with_set)).collect();
        let mut cells: BTreeMap<Vec<String>, BTreeMap<String, String>> = BTreeMap::new();
        for (condition, stats) in self.groups {
            let row = names.iter().map(|name| self.comparison.cell(condition, name)).collect();
            cells.entry(row).or_default().insert(condition.column(with_set), cell(stats));
        }
        let head = std::iter::once(title.to_owned()).chain(names.iter().skip(1).map(|name| (*name).clone()));
        let mut rows = vec![head.chain(columns.iter().cloned()).collect::<Vec<_>>()];
        for (row, cells) in cells {
            let found = columns.iter().map(|column| cells.get(column).cloned().unwrap_or_default());
            rows.push(row.into_iter().chain(found).collect());
        }
        Table { rows, names: names.len() }
    }

    /// The endings that the agent caused, in percent of episodes, and their total.
    fn endings(&self) -> Table {
        let own: Vec<&str> =
            ENDINGS.iter().filter(|row| row.2 == StoppedBy::Agent).map(|row| row.1).collect();
        let titles: Vec<&str> = own.iter().copied().chain(["total"]).collect();
        let mut table = self.table(&titles, |_, stats| {
            let all = own.iter().map(|name| stats.ended(name)).sum();
            let shares = own.iter().map(|name| percent(stats.share(stats.ended(name))));
            Some(shares.chain([percent(stats.share(all))]).collect())
        });
        retitle(&mut table, "stopped in % of episodes");
        table
    }

    /// The replies that did not end as complete ones, for the groups that have some.
    fn reply_endings(&self) -> Table {
        let titles = ReplyEnding::NAMES.map(|name| name.replace('_', " "));
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let mut table = self.table(&titles, |_, stats| {
            let counts = ReplyEnding::NAMES.map(|name| stats.reply_endings.get(name).copied().unwrap_or(0));
            (!stats.reply_endings.is_empty()).then(|| counts.map(|count| count.to_string()).to_vec())
        });
        retitle(&mut table, "replies that were");
        table
    }

    /// Extra moves and dead states, for the groups with distances.
    fn distances(&self) -> Table {
        self.table(&DistanceStats::TITLES, |_, stats| {
            (!stats.distances.is_empty()).then(|| stats.distances.cells().to_vec())
        })
    }

    /// Requests by outcome, token usage and cost of the groups that sent requests: the known part, and the number of
    /// requests whose part is unknown.
    fn costs(&self) -> Table {
        let titles = ["requests", "without a reply", "tokens in", "tokens out", "cost"];
        self.table(&titles, |_, stats| {
            let (spent, usage) = (stats.spent, stats.spent.usage);
            let known = |count: u64| format!("{count}{}", spent.unknown_text());
            let tokens = |count| if spent.is_unknown() { "unknown".to_owned() } else { known(count) };
            let unanswered = unanswered_text(spent.unanswered);
            let (input, output) = (tokens(usage.input), tokens(usage.output));
            let cells = vec![spent.requests.to_string(), unanswered, input, output, cost_text(stats)];
            (spent.requests > 0).then_some(cells)
        })
    }

    /// The input tokens that the server had cached, that it wrote into its cache, and that it could have cached.
    fn caching(&self) -> Table {
        self.table(
            &[
                "tokens cached",
                "cache writes",
                "repeated (estimate)",
                "cost with a cache (estimate)",
                "without a cache",
            ],
            |_, stats| {
                let (usage, repeated) = (stats.spent.usage, stats.repeated);
                let share = |count: u64| match (count.saturating_mul(100)).checked_div(usage.input) {
                    Some(percent) => format!("{count} ({percent} %)"),
                    None => count.to_string(),
                };
                let costs = |of: fn(&(Amount, Amount)) -> Amount| {
                    let costs = stats.cache_costs.iter();
                    let costs = costs.map(|(currency, both)| format!("{} {currency}", of(both).rounded()));
                    Some(costs.collect::<Vec<_>>().join(" + ")).filter(|text| !text.is_empty())
                };
                let (with, without) = (costs(|both| both.0), costs(|both| both.1));
                let or_unknown = |text: Option<String>| text.unwrap_or_else(|| "unknown".to_owned());
                let mut cells = vec![share(usage.cached), usage.cache_writes.to_string(), share(repeated)];
                cells.extend([or_unknown(with), or_unknown(without)]);
                (usage.cached + usage.cache_writes + repeated > 0).then_some(cells)
            },
        )
    }

    /// The score and the score relative to the published optimum, for the groups with such levels.
    fn published(&self) -> Table {
        let number =
            |mean: Option<f64>| mean.map_or_else(|| "unknown".to_owned(), |mean| format!("{mean:.2}"));
        self.table(&["score", "published score"], |_, stats| {
            let published =
                format!("{} over {} of {}", number(stats.published()), stats.published.len(), stats.episodes);
            (!stats.published.is_empty()).then(|| vec![number(stats.score()), published])
        })
    }
}

/// `3 (1 refused, 2 cancelled)`, or `0`.
fn unanswered_text(unanswered: UnansweredRequests) -> String {
    let UnansweredRequests { refused, failed, cancelled, lost } = unanswered;
    let counts = [(refused, "refused"), (failed, "failed"), (cancelled, "cancelled"), (lost, "lost")];
    let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    match counts.collect::<Vec<_>>().join(", ") {
        text if text.is_empty() => "0".to_owned(),
        text => format!("{} ({text})", unanswered.count()),
    }
}

/// The known part of the cost by currency, and the number of requests whose cost is unknown.
fn cost_text(stats: &GroupStats) -> String {
    let costs = stats.costs.iter().map(|(currency, amount)| format!("{} {currency}", amount.rounded()));
    let unknown = match stats.unknown_requests {
        0 => None,
        _ if stats.costs.is_empty() => Some("unknown".to_owned()),
        count => Some(format!("{count} unknown")),
    };
    costs.chain(unknown).collect::<Vec<_>>().join(" + ")
}

/// The object of a row; `names` are the properties in which the rows differ.
pub(super) fn object(condition: &Condition, sum: &GroupStats, differing: &[String]) -> Value {
    let counts = json!({
        "differs": differing, "episodes": sum.episodes, "levels": sum.levels(),
        "mixed": sum.mixed, "unfinished": sum.unfinished,
        "score": sum.score(), "score_se": sum.score_error(), "scored": sum.scores.len(),
        "success_rate": sum.success_rate(), "success_rate_se": sum.success_error(), "steps": sum.steps,
        "published_score": sum.published(), "published_scored": sum.published.len(),
        "losses": (!sum.losses().is_empty()).then(|| sum.losses()),
        "score_by_step": (!sum.scores_by_step().is_empty()).then(|| sum.scores_by_step().iter().map(|row| row.0).collect::<Vec<_>>()),
        "ren": sum.marked(Mark::NotRendered), "act": sum.marked(Mark::FailedInteraction),
        "parse_errors": sum.parse_errors, "reply_endings": sum.reply_endings, "ineffective": sum.ineffective,
        "parse": sum.marked(Mark::ParseError), "ia": sum.marked(Mark::InvalidAction),
        "ra": sum.marked(Mark::RepeatedAction), "same": sum.marked(Mark::Unchanged), "dead": sum.marked(Mark::Dead),
        "off_path": (!sum.distances.is_empty()).then(|| sum.marked(Mark::OffPath)),
        "endings": sum.endings, "thresholds": sum.thresholds,
        "costs": (sum.unknown_costs == 0 || !sum.costs.is_empty()).then_some(&sum.costs),
        "uncosted": sum.unknown_costs, "uncosted_requests": sum.unknown_requests,
        "tokens_repeated": sum.repeated,
        "distance": (!sum.distances.is_empty()).then(|| sum.distances.object()),
    });
    merged(merged(condition.fields().into(), counts), request_fields(sum.spent))
}

/// Sets the title of the column that names the agent.
fn retitle(table: &mut Table, title: &str) {
    if let Some(cell) = table.rows.first_mut().and_then(|head| head.iter_mut().find(|cell| *cell == AGENT)) {
        title.clone_into(cell);
    }
}

/// `87.50 ± 3.21`; without the error where it is unknown.
fn with_error(value: Option<f64>, error: Option<f64>, digits: usize, unit: &str) -> String {
    match (value, error) {
        (None, _) => "unknown".to_owned(),
        (Some(value), None) => format!("{value:.digits$}{unit}"),
        (Some(value), Some(error)) => format!("{value:.digits$} ± {error:.digits$}{unit}"),
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{share:.1}"))
}

/// The endings that the agent did not cause.
fn other_endings(sum: &GroupStats) -> String {
    let others = ENDINGS.iter().filter(|row| row.2 == StoppedBy::Other && sum.ended(row.1) > 0);
    others.map(|row| format!("{} {}", sum.ended(row.1), row.1)).collect::<Vec<_>>().join(", ")
}

/// The definitions of the errors with the thresholds that applied.
pub(super) fn definitions(groups: &Groups) -> Vec<String> {
    let held: BTreeSet<RepetitionThresholds> =
        groups.values().flat_map(|sum| sum.thresholds.iter().copied()).collect();
    let searched = groups.values().any(|sum| !sum.distances.is_empty());
    let line = |mark: Mark| {
        let held = if mark == Mark::RepeatedAction {
            held.iter().copied().collect()
        } else {
            vec![RepetitionThresholds::default()]
        };
        let words: Vec<String> = held.into_iter().map(|thresholds| mark.definition(thresholds)).collect();
        let differs = if words.len() > 1 { " (the episodes have different thresholds)" } else { "" };
        let rules = if mark == Mark::Dead && !searched {
            ", according to the rules alone (--distance also searches)"
        } else {
            ""
        };
        format!("{}: {}{rules}{differs}", mark.title(), words.join("; or "))
    };
    // Edits by a person are not counted here.
    let told = |mark: &Mark| match mark {
        Mark::Edited => false,
        Mark::OffPath => searched,
        Mark::RepeatedAction => !held.is_empty(),
        mark if Mark::OF_ENVIRONMENT.contains(mark) => {
            groups.values().any(|sum| sum.marked(*mark).is_some_and(|share| share > 0.0))
        }
        _ => true,
    };
    Mark::ALL.into_iter().filter(told).map(line).collect()
}
