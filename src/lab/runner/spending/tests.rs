//! Limits of one process and of several.

use super::*;
use mageyard_domain::{Price, Rate, Usage};

fn totals(requests: usize, input: u64) -> TokenTotals {
    TokenTotals { requests, usage: Usage { input, ..Usage::default() }, ..TokenTotals::default() }
}

fn spent(model: &str, totals: TokenTotals) -> EpisodeSpent {
    EpisodeSpent { model: Some(model.to_owned()), totals, models: Vec::new() }
}

fn spending(limits: SpendingLimits) -> Spending {
    let rate = |text| Rate::parse(text).unwrap();
    let currency = "USD".to_owned();
    let price = Price { input: rate("10"), output: rate("20"), cached: None, cache_write: None, currency };
    Spending::new(limits, Prices(vec![("m".to_owned(), price)]))
}

#[test]
fn the_newest_totals_of_an_episode_replace_its_earlier_ones() {
    let spending = spending(SpendingLimits::default());
    for input in [100_000, 200_000] {
        spending.update(Path::new("s/0001/j"), spent("m", totals(1, input)));
    }
    spending.update(Path::new("s/0002/j"), spent("other", totals(3, 1)));
    spending.end(Path::new("s/0001/j"), spent("m", totals(2, 300_000)));
    let spent = spending.total();
    assert_eq!((spent.totals.requests, spent.totals.usage.input, spent.unknown), (5, 300_001, 3));
    assert_eq!(spent.costs["USD"], Amount::parse("3").unwrap());
    assert_eq!(spending.exhausted(), None);
}

#[test]
fn a_limit_is_reached_by_all_episodes_together() {
    let cost = spending(SpendingLimits { cost: Amount::parse("2").ok(), tokens: None });
    let tokens = spending(SpendingLimits { cost: None, tokens: Some(200_000) });
    for spending in [&cost, &tokens] {
        spending.end(Path::new("s/0001/j"), spent("m", totals(1, 150_000)));
        assert_eq!(spending.exhausted(), None);
        spending.update(Path::new("s/0002/j"), spent("m", totals(1, 50_000)));
    }
    assert_eq!(cost.exhausted().unwrap(), "the cost limit is reached: 2 of 2 USD");
    assert_eq!(tokens.exhausted().unwrap(), "the token limit is reached: 200000 of 200000 tokens");
}

#[test]
fn limits_can_be_changed_and_need_all_earlier_episodes() {
    let spending = spending(SpendingLimits::default());
    spending.end(Path::new("s/0001/j"), spent("m", totals(1, 150_000)));
    assert!(!spending.has_limits() && spending.exhausted().is_none());
    spending.set_limits(SpendingLimits { cost: None, tokens: Some(100_000) });
    assert_eq!(spending.exhausted().unwrap(), "the token limit is reached: 150000 of 100000 tokens");
    spending.set_limits(SpendingLimits { cost: None, tokens: Some(200_000) });
    assert!(spending.has_limits() && spending.exhausted().is_none());
    spending.note_uncounted("s/0002: damaged".to_owned());
    let why = spending.exhausted().unwrap();
    assert!(why.contains("no limit holds: s/0002: damaged"), "{why}");
    spending.set_limits(SpendingLimits::default());
    assert_eq!(spending.exhausted(), None);
}

#[test]
fn limits_count_what_other_processes_spend_and_each_episode_once() {
    let root = tempfile::tempdir().unwrap();
    let start = |process| {
        let limits = SpendingLimits { cost: None, tokens: Some(200_000) };
        let spending = spending(limits);
        spending.share(root.path().join("spending"), process, HashSet::from(["s".to_owned()])).unwrap();
        spending
    };
    let journal = Path::new("s/0001/journal.jsonl");
    let one = start("one");
    let two = start("two");
    one.update(journal, spent("m", totals(1, 120_000)));
    one.update(Path::new("other/0001/journal.jsonl"), spent("m", totals(1, 900_000)));
    assert!(one.exhausted().is_some(), "its own episodes count");
    assert_eq!((two.exhausted(), two.total().totals.usage.input), (None, 120_000), "another sweep does not");
    // The episode goes on in the other process.
    std::thread::sleep(std::time::Duration::from_millis(60));
    two.update(journal, spent("m", totals(2, 150_000)));
    let three = start("three");
    three.count(journal, spent("m", totals(2, 150_000)), false);
    assert_eq!(three.total().totals.usage.input, 150_000, "the newest totals of the episode");
    two.end(journal, spent("m", totals(3, 200_000)));
    std::thread::sleep(std::time::Duration::from_millis(110));
    assert_eq!(three.exhausted().unwrap(), "the token limit is reached: 200000 of 200000 tokens");
    three.count(journal, spent("m", totals(3, 200_000)), true);
    assert_eq!(three.total().totals.requests, 3);
}

#[test]
fn requests_of_unknown_cost_count_as_an_estimate() {
    let unknown = TokenTotals {
        unmetered: 1,
        estimated: Some(Usage { input: 50_000, output: 25_000, ..Usage::default() }),
        ..totals(2, 100_000)
    };
    let cost = spending(SpendingLimits { cost: Amount::parse("2").ok(), tokens: None });
    let tokens = spending(SpendingLimits { cost: None, tokens: Some(175_000) });
    for spending in [&cost, &tokens] {
        spending.count(Path::new("s/0001/j"), spent("m", unknown), false);
        assert_eq!(spending.total().unknown, 1, "it stays unknown");
    }
    let part = "are an estimate for requests whose tokens are unknown";
    assert_eq!(
        cost.exhausted().unwrap(),
        format!("the cost limit is reached: 2 of 2 USD, of which 1 {part}")
    );
    let reached = format!("the token limit is reached: 175000 of 175000 tokens, of which 75000 {part}");
    assert_eq!(tokens.exhausted().unwrap(), reached);
}

#[test]
fn what_was_spent_on_several_models_costs_each_its_price() {
    let limits = SpendingLimits { cost: Amount::parse("2").ok(), tokens: None };
    let spending = spending(limits);
    let models = [("m", 100_000), ("other", 50_000)]
        .map(|(model, input)| ModelTotals { model: Some(model.to_owned()), spent: totals(1, input) });
    let spent = EpisodeSpent { models: models.to_vec(), ..spent("m", totals(2, 150_000)) };
    spending.update(Path::new("s/0001/j"), spent);
    let spent = spending.total();
    assert_eq!((spent.costs["USD"], spent.unknown), (Amount::parse("1").unwrap(), 1));
}
