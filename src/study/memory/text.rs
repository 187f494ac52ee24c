//! The audit as text.

use std::collections::BTreeMap;

use super::audit::{MemoryAudit, ModelAudit, PartCost};
use mageyard_domain::{Price, Prices, Usage, count_noun, with_thousands};

/// Distances that have a row of their own; those behind are one row.
const ROWS: u32 = 12;

/// A table: its title row first.
pub type AuditTable = Vec<Vec<String>>;

/// What is said of the requests to one model: lines, and the tables below them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditText {
    /// The lines.
    pub lines: Vec<String>,
    /// The tables.
    pub tables: Vec<AuditTable>,
}

/// What is said of each model, in the order of names.
pub fn audit_text(audit: &MemoryAudit, prices: &Prices) -> Vec<AuditText> {
    audit.models.iter().map(|(name, model)| model_text(name, model, prices.find(name))).collect()
}

fn model_text(name: &str, model: &ModelAudit, price: Option<&Price>) -> AuditText {
    let name = if name.is_empty() { "without a model name" } else { name };
    let requests = count(model.requests, "request", "requests");
    let mut lines = vec![format!("{name}: {requests}, {}", model.usage)];
    if model.uncounted > 0 {
        let requests = count(model.uncounted, "request", "requests");
        lines.push(format!("the server counted no tokens of {requests}: theirs are estimated"));
    }
    if price.is_none() {
        lines.push(format!("the price of {name:?} is unknown, so there are no costs"));
    }
    lines.extend(again_line(model));
    lines.extend(cache_lines(model, price));
    let tables = [
        part_table(model, price),
        distance_table("output", &model.outputs, model, price),
        distance_table("frame", &model.frames, model, price),
    ];
    AuditText { lines, tables: tables.into_iter().filter(|table| table.len() > 1).collect() }
}

fn again_line(model: &ModelAudit) -> Option<String> {
    let whole = model.whole();
    (whole.tokens > 0).then(|| {
        let share = percent(whole.again, whole.tokens);
        format!("{share} of the input was in parts that an earlier request of the episode had")
    })
}

fn cache_lines(model: &ModelAudit, price: Option<&Price>) -> Vec<String> {
    if model.usage.input == 0 {
        return Vec::new();
    }
    let repeated = percent(model.repeated, model.usage.input);
    let cached = percent(model.usage.cached, model.usage.input);
    let mut lines = vec![format!(
        "{repeated} of the input was the beginning of the request before, which a cache of prompts can hold; {cached} was read from one"
    )];
    if let Some(price) = price {
        let [paid, without, with] = model.input_costs(price);
        let currency = &price.currency;
        let (paid, without, with) = (paid.rounded(), without.rounded(), with.rounded());
        lines.push(format!(
            "input: {paid} {currency} paid; {without} without a cache, {with} with one that holds all of that"
        ));
        if price.cached.is_none() {
            lines.push(
                "the price has no rate for cached tokens (`cached` in prices.toml), so a cache saves nothing"
                    .to_owned(),
            );
        }
    }
    lines
}

fn part_table(model: &ModelAudit, price: Option<&Price>) -> AuditTable {
    let mut parts: Vec<_> = model.parts.iter().collect();
    parts.sort_by_key(|(name, cost)| (std::cmp::Reverse(cost.tokens), **name));
    let rows = parts.into_iter().map(|(name, cost)| row((*name).to_owned(), *cost, model, price));
    [titles("part", price)].into_iter().chain(rows).collect()
}

fn distance_table(
    what: &str,
    by_distance: &BTreeMap<u32, PartCost>,
    model: &ModelAudit,
    price: Option<&Price>,
) -> AuditTable {
    let near = by_distance.range(..=ROWS).map(|(back, cost)| (steps_back(what, *back), *cost));
    let far = by_distance.range(ROWS + 1..).map(|(_, cost)| *cost).reduce(PartCost::plus);
    let far = far.map(|cost| (format!("{what}, more than {ROWS} steps back"), cost));
    let rows = near.chain(far).map(|(name, cost)| row(name, cost, model, price));
    [titles("by distance", price)].into_iter().chain(rows).collect()
}

fn steps_back(what: &str, back: u32) -> String {
    match back {
        0 => format!("{what} of the step"),
        1 => format!("{what}, 1 step back"),
        back => format!("{what}, {back} steps back"),
    }
}

fn titles(first: &str, price: Option<&Price>) -> Vec<String> {
    let cost = price.map(|price| format!("cost ({})", price.currency));
    let words = [first, "tokens", "share", "sent again"].map(str::to_owned);
    words.into_iter().chain(cost).collect()
}

/// The cost is that of the tokens without a cache.
fn row(name: String, cost: PartCost, model: &ModelAudit, price: Option<&Price>) -> Vec<String> {
    let input = Usage { input: cost.tokens, ..Usage::default() };
    let money = price.map(|price| price.cost_of(input).rounded());
    let share = percent(cost.tokens, model.whole().tokens);
    let again = percent(cost.again, cost.tokens);
    [name, thousands(cost.tokens), share, again].into_iter().chain(money).collect()
}

fn count(count: u64, one: &str, several: &str) -> String {
    count_noun(usize::try_from(count).unwrap_or(usize::MAX), one, several)
}

#[allow(clippy::cast_precision_loss, reason = "no sweep has 2^52 tokens")]
fn thousands(count: u64) -> String {
    with_thousands(count as f64)
}

/// A share in percent with one decimal.
fn percent(part: u64, whole: u64) -> String {
    let tenths = u128::from(part) * 1000 / u128::from(whole.max(1));
    format!("{}.{} %", tenths / 10, tenths % 10)
}
