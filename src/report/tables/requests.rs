//! Tables of requests: how replies ended, tokens and costs, and what a cache saves.

use super::{ReportTables, Table, retitle};
use std::collections::BTreeMap;

use crate::RoleStats;
use mageyard_domain::{Amount, ReplyEnding, SideRole, TokenTotals, UnansweredRequests, Usage};

impl ReportTables<'_> {
    /// The replies that did not end as complete ones, for the groups that have some.
    pub(super) fn reply_endings(&self) -> Table {
        let titles = ReplyEnding::NAMES.map(|name| name.replace('_', " "));
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let mut table = self.table(&titles, |_, stats| {
            let counts = ReplyEnding::NAMES.map(|name| stats.reply_endings.get(name).copied().unwrap_or(0));
            (!stats.reply_endings.is_empty()).then(|| counts.map(|count| count.to_string()).to_vec())
        });
        retitle(&mut table, "replies that were");
        table
    }

    /// Requests by outcome, token usage and cost of the groups that sent requests: the known part, and the number of
    /// requests whose part is unknown.
    pub(super) fn costs(&self) -> Table {
        let titles = ["requests", "without a reply", "tokens in", "tokens out", "cost"];
        self.table(&titles, |_, stats| {
            let spent = stats.spent;
            let unanswered = unanswered_text(spent.unanswered);
            let [input, output] = tokens_text(spent);
            let cost = cost_text(&stats.costs, stats.unknown_requests);
            (spent.requests > 0).then(|| vec![spent.requests.to_string(), unanswered, input, output, cost])
        })
    }

    /// The side requests by role, for the groups that have some.
    pub(super) fn side_requests(&self) -> Table {
        let columns = ["requests", "tokens in", "tokens out", "cost", "reused", "unread"];
        let has = |role: &SideRole| self.groups.values().any(|stats| stats.roles.contains_key(role));
        let roles: Vec<SideRole> = SideRole::ALL.into_iter().filter(has).collect();
        let title = |role: &SideRole| columns.map(|column| format!("{role} {column}"));
        let titles: Vec<String> = roles.iter().flat_map(title).collect();
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        self.table(&titles, |_, stats| {
            let cells = |role: &SideRole| {
                let Some(RoleStats { requests, reused, unread, spent, costs, unknown_requests, .. }) =
                    stats.roles.get(role)
                else {
                    return vec!["–".to_owned(); columns.len()];
                };
                let [input, output] = tokens_text(*spent);
                let cost = cost_text(costs, *unknown_requests);
                vec![requests.to_string(), input, output, cost, reused.to_string(), unread.to_string()]
            };
            (!stats.roles.is_empty()).then(|| roles.iter().flat_map(cells).collect())
        })
    }

    /// The input tokens that the server had cached, that it wrote into its cache, and that it could have cached.
    pub(super) fn caching(&self) -> Table {
        self.table(
            &[
                "tokens cached",
                "cache writes",
                "repeated (estimate)",
                "cost with a cache (estimate)",
                "without a cache",
            ],
            |_, stats| {
                let usage = stats.spent.usage;
                let repeated = stats.repeated;
                let share = |count: u64| match (count.saturating_mul(100)).checked_div(usage.input) {
                    Some(percent) => format!("{count} ({percent} %)"),
                    None => count.to_string(),
                };
                let costs = |of: fn(&(Amount, Amount)) -> Amount| {
                    let costs = stats.cache_costs.iter();
                    let costs = costs.map(|(currency, both)| format!("{} {currency}", of(both).rounded()));
                    Some(costs.collect::<Vec<_>>().join(" + ")).filter(|text| !text.is_empty())
                };
                let with = costs(|both| both.0);
                let without = costs(|both| both.1);
                let or_unknown = |text: Option<String>| text.unwrap_or_else(|| "unknown".to_owned());
                let mut cells = vec![share(usage.cached), usage.cache_writes.to_string(), share(repeated)];
                cells.extend([or_unknown(with), or_unknown(without)]);
                (usage.cached + usage.cache_writes + repeated > 0).then_some(cells)
            },
        )
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

/// The tokens of requests and those of replies, and how many requests do not know them.
fn tokens_text(spent: TokenTotals) -> [String; 2] {
    let tokens = |of: fn(Usage) -> Usage| {
        let estimated = spent.estimated.map(of);
        let part = TokenTotals { estimated, ..spent };
        if part.is_unknown() {
            format!("unknown{}", part.estimate_text())
        } else {
            format!("{}{}", of(spent.usage).total(), part.unknown_text())
        }
    };
    [tokens(|usage| Usage { output: 0, ..usage }), tokens(|usage| Usage { input: 0, ..usage })]
}

/// The known part of the cost by currency, and the number of requests whose cost is unknown.
fn cost_text(costs: &BTreeMap<String, Amount>, unknown: usize) -> String {
    let known = costs.iter().map(|(currency, amount)| format!("{} {currency}", amount.rounded()));
    let unknown = match unknown {
        0 => None,
        _ if costs.is_empty() => Some("unknown".to_owned()),
        count => Some(format!("{count} unknown")),
    };
    known.chain(unknown).collect::<Vec<_>>().join(" + ")
}
