//! The tables of a report and the corresponding JSON objects.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use serde_json::json;

use super::distance_stats::DistanceStats;
use super::group_stats::ENDINGS;
use super::group_stats::Group;
use super::group_stats::GroupStats;
use super::group_stats::StoppedBy;
use crate::domain::RepetitionThresholds;
use crate::engine::Mark;

type Groups = BTreeMap<Group, GroupStats>;
type Rows = Vec<Vec<String>>;

pub(super) fn object(group: &Group, sum: &GroupStats) -> serde_json::Value {
    json!({
        "agent": group.agent, "model": group.model,
        "environment": group.environment, "setting": group.setting,
        "episodes": sum.episodes, "mixed": sum.mixed, "unfinished": sum.unfinished,
        "score": sum.score(), "scored": sum.scores.len(), "steps": sum.steps,
        "published_score": sum.published(), "published_scored": sum.published.len(),
        "parse_errors": sum.parse_errors, "ineffective": sum.ineffective,
        "parse": sum.marked(Mark::ParseError), "ia": sum.marked(Mark::InvalidAction),
        "ra": sum.marked(Mark::RepeatedAction), "same": sum.marked(Mark::Unchanged), "dead": sum.marked(Mark::Dead),
        "off_path": (!sum.distances.is_empty()).then(|| sum.marked(Mark::OffPath)),
        "endings": sum.endings, "thresholds": sum.thresholds,
        "requests": sum.spent.requests, "unmetered": sum.spent.unmetered,
        "tokens_in": sum.spent.usage.input, "tokens_out": sum.spent.usage.output,
        "costs": (sum.unknown_costs == 0).then_some(&sum.costs), "uncosted": sum.unknown_costs,
        "distance": (!sum.distances.is_empty()).then(|| sum.distances.object()),
    })
}

/// One row per group: scores, parse errors and endings.
pub(super) fn scores(groups: &Groups) -> Rows {
    let titles = [
        "agent",
        "environment",
        "setting",
        "episodes",
        "score",
        "parse errors",
        "ineffective",
        "dead",
        "other endings",
    ];
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    for (group, sum) in groups {
        let aside = [(sum.mixed, "mixed"), (sum.unfinished, "unfinished")];
        let aside =
            aside.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!(" (+{count} {name})"));
        rows.push(vec![
            group.agent_or_model().to_owned(),
            group.environment.clone(),
            group.setting.to_string(),
            format!("{}{}", sum.episodes, aside.collect::<String>()),
            sum.score().map_or_else(|| "unknown".to_owned(), |score| format!("{score:.2}")),
            format!("{} in {} %", sum.parse_errors, percent(sum.marked(Mark::ParseError))),
            format!("{} of {} steps", sum.ineffective, sum.steps),
            format!("{} %", percent(sum.marked(Mark::Dead))),
            other_endings(sum),
        ]);
    }
    rows
}

/// One row per group with published optima: the score and the published score.
pub(super) fn published(groups: &Groups) -> Rows {
    let titles = ["agent", "environment", "setting", "score", "published score"];
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    let number = |mean: Option<f64>| mean.map_or_else(|| "unknown".to_owned(), |mean| format!("{mean:.2}"));
    for (group, sum) in groups.iter().filter(|(_, sum)| !sum.published.is_empty()) {
        rows.push(vec![
            group.agent_or_model().to_owned(),
            group.environment.clone(),
            group.setting.to_string(),
            number(sum.score()),
            format!("{} over {} of {}", number(sum.published()), sum.published.len(), sum.episodes),
        ]);
    }
    rows
}

/// The endings that the agent did not cause.
fn other_endings(sum: &GroupStats) -> String {
    let others = ENDINGS.iter().filter(|row| row.2 == StoppedBy::Other && sum.ended(row.1) > 0);
    others.map(|row| format!("{} {}", sum.ended(row.1), row.1)).collect::<Vec<_>>().join(", ")
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{share:.1}"))
}

/// The table of the paper: a row per agent, a column per environment and setting, IA/RA in each cell.
pub(super) fn errors(groups: &Groups) -> Rows {
    let heads: BTreeSet<String> = groups.keys().map(Group::column).collect();
    let agents: BTreeSet<&str> = groups.keys().map(Group::agent_or_model).collect();
    let mut rows =
        vec![["IA/RA in % of episodes".to_owned()].into_iter().chain(heads.iter().cloned()).collect()];
    for agent in agents {
        let cell = |head: &String| {
            let found =
                groups.iter().find(|(group, _)| group.agent_or_model() == agent && group.column() == *head);
            let shares = |sum: &GroupStats| {
                [Mark::InvalidAction, Mark::RepeatedAction].map(|mark| percent(sum.marked(mark)))
            };
            found.map_or_else(String::new, |(_, sum)| shares(sum).join("/"))
        };
        rows.push([agent.to_owned()].into_iter().chain(heads.iter().map(cell)).collect());
    }
    rows
}

/// The endings that the agent caused, in percent of episodes, and their total.
pub(super) fn endings(groups: &Groups) -> Rows {
    let own: Vec<&str> = ENDINGS.iter().filter(|row| row.2 == StoppedBy::Agent).map(|row| row.1).collect();
    let titles = ["stopped in % of episodes", ""].into_iter().chain(own.iter().copied()).chain(["total"]);
    let mut rows = vec![titles.map(str::to_owned).collect::<Vec<_>>()];
    for (group, sum) in groups {
        let all = own.iter().map(|name| sum.ended(name)).sum();
        let shares = own.iter().map(|name| percent(sum.share(sum.ended(name))));
        let names = [group.agent_or_model().to_owned(), group.column()].into_iter();
        rows.push(names.chain(shares).chain([percent(sum.share(all))]).collect());
    }
    rows
}

/// One row per group with distances: extra moves and dead states.
pub(super) fn distances(groups: &Groups) -> Rows {
    let titles = ["agent", "environment", "setting"].into_iter().chain(DistanceStats::TITLES);
    let mut rows = vec![titles.map(str::to_owned).collect::<Vec<_>>()];
    for (group, sum) in groups.iter().filter(|(_, sum)| !sum.distances.is_empty()) {
        let names = [group.agent_or_model().to_owned(), group.environment.clone(), group.setting.to_string()];
        rows.push(names.into_iter().chain(sum.distances.cells()).collect());
    }
    rows
}

/// Token usage and cost of the groups that sent requests; unknown as soon as a part of it is unknown.
pub(super) fn costs(groups: &Groups) -> Rows {
    let titles = ["requests", "", "count", "tokens in", "tokens out", "cost"];
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    for (group, sum) in groups.iter().filter(|(_, sum)| sum.spent.requests > 0) {
        let (spent, usage) = (sum.spent, sum.spent.usage);
        let unknown = format!("unknown ({} of {} requests)", spent.unmetered, spent.requests);
        let tokens = |count: u64| if spent.unmetered == 0 { count.to_string() } else { unknown.clone() };
        let costs: Vec<_> =
            sum.costs.iter().map(|(currency, amount)| format!("{} {currency}", amount.rounded())).collect();
        let cost = match sum.unknown_costs {
            0 => costs.join(" + "),
            1 => "unknown (1 episode)".to_owned(),
            count => format!("unknown ({count} episodes)"),
        };
        let (count, name) = (spent.requests.to_string(), group.agent_or_model().to_owned());
        rows.push(vec![name, group.column(), count, tokens(usage.input), tokens(usage.output), cost]);
    }
    rows
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
        _ => true,
    };
    Mark::ALL.into_iter().filter(told).map(line).collect()
}
