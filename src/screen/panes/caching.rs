//! How much of a request is at the beginning of the one before too, and what a cache of the server saves with that.

use crate::model::{EpisodeView, Model};
use mageyard_domain::{Price, SentRequest, Usage, repeated_tokens};
use mageyard_engine::Attempt;

/// The estimate for the first request of this step.
pub(super) fn estimate_of_first(model: &Model, viewed: &EpisodeView, number: u32) -> Option<String> {
    let attempts = &viewed.snapshot.steps.numbered(number)?.attempts;
    estimate(model, viewed, (number, attempts.iter().position(|attempt| attempt.sent.is_some())?))
}

/// The estimate for the request of an attempt, by its step and its index; `None` if its tokens are unknown, or if there
/// is no request before.
pub(crate) fn estimate(model: &Model, viewed: &EpisodeView, (number, index): (u32, usize)) -> Option<String> {
    let steps = &viewed.snapshot.steps;
    let step = steps.numbered(number)?;
    let (earlier, rest) = step.attempts.split_at_checked(index)?;
    let now = rest.first()?;
    let last_sent = |attempts: &[Attempt]| attempts.iter().rev().find_map(|attempt| attempt.sent.clone());
    let of_step_before = || last_sent(&steps.numbered(number.checked_sub(1)?)?.attempts);
    let before = last_sent(earlier).or_else(of_step_before)?;
    let price = step.agent.model.as_deref().and_then(|name| model.appearance.prices.find(name));
    Some(words(&before, now.sent.as_ref()?, now.usage?, price))
}

fn words(before: &SentRequest, request: &SentRequest, usage: Usage, price: Option<&Price>) -> String {
    let repeated = repeated_tokens(before, request, usage.input);
    let tokens = format!("~{repeated} of {} tokens as in the request before (estimate)", usage.input);
    let Some(price) = price.filter(|price| price.cached.is_some()) else { return tokens };
    let with = price.cost_with_cache(usage, repeated);
    let without = price.cost_without_cache(usage);
    format!("{tokens}: {} {} with a cache, {} without", with.rounded(), price.currency, without.rounded())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use mageyard_domain::{Rate, SentTurn};

    #[test]
    fn the_estimate_has_tokens_and_costs_where_the_price_is_known() {
        let turn = |letter: &str| Arc::new(SentTurn::new(letter.repeat(400), []));
        let request = |letters: &[&str]| SentRequest {
            turns: letters.iter().map(|letter| turn(letter)).collect(),
            ..SentRequest::default()
        };
        let before = request(&["a", "b"]);
        let now = request(&["a", "c"]);
        let usage = Usage { input: 1_000_000, ..Usage::default() };
        let tokens = "~500000 of 1000000 tokens as in the request before (estimate)";
        assert_eq!(words(&before, &now, usage, None), tokens);
        let rate = |text| Rate::parse(text).unwrap();
        let price = |cached| Price {
            input: rate("2"),
            output: rate("0"),
            cached,
            cache_write: None,
            currency: "USD".into(),
        };
        assert_eq!(words(&before, &now, usage, Some(&price(None))), tokens, "no price of cached tokens");
        let shown = words(&before, &now, usage, Some(&price(Some(rate("1")))));
        let cost = |usage| price(Some(rate("1"))).cost_of(usage).rounded();
        let half = cost(Usage { cached: 500_000, ..usage });
        let whole = cost(usage);
        assert_eq!(shown, format!("{tokens}: {half} USD with a cache, {whole} without"));
    }
}
