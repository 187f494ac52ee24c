//! What the calls of an ask need: tokens and money, before the first one is made. Tokens follow the rule of
//! [`mageyard_domain::TOKEN_ESTIMATE_RULE`]; the output is between the shortest readable reply and the limit of the settings.

use std::collections::BTreeMap;

use super::plan::AskPlan;
use mageyard_domain::{Amount, Usage, estimate_tokens};
use mageyard_lab::request_tokens;
use mageyard_sweep::{Bounds, CostBounds};

/// The longest reply if the settings have no limit, in tokens.
const UNLIMITED: u64 = 4000;

/// What calls need.
#[derive(Clone, Debug, Default)]
pub struct AskEstimate {
    /// The calls.
    pub calls: u64,
    /// Tokens of the requests.
    pub input: u64,
    /// Tokens of the replies.
    pub output: Bounds,
    /// The cost by currency.
    pub costs: Vec<CostBounds>,
    /// Models without a price.
    pub unpriced: Vec<String>,
}

impl AskPlan {
    /// What the calls need that are not made yet: of each variant so many.
    pub fn estimate(&self, left: &[u64]) -> AskEstimate {
        AskEstimate::of(self, left)
    }
}

impl AskEstimate {
    /// What both need.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let mut costs = self.costs;
        for cost in other.costs {
            add_cost(&mut costs, cost);
        }
        let mut unpriced = self.unpriced;
        unpriced.extend(other.unpriced);
        unpriced.sort();
        unpriced.dedup();
        Self {
            calls: self.calls.saturating_add(other.calls),
            input: self.input.saturating_add(other.input),
            output: self.output.plus(other.output),
            costs,
            unpriced,
        }
    }

    fn of(plan: &AskPlan, left: &[u64]) -> Self {
        let mut estimate = Self::default();
        let mut costs: BTreeMap<String, (Amount, Amount)> = BTreeMap::new();
        let shortest = shortest_reply(plan);
        for (index, (prepared, calls)) in plan.requests.iter().zip(left).enumerate() {
            let parts = prepared.request.messages.iter().flat_map(|message| &message.parts);
            let (tokens, _) = request_tokens(prepared.encoder.as_ref(), parts, Vec::new());
            let longest = plan.options(index).and_then(|options| options.get("max_tokens")?.as_u64());
            let reply = Bounds { lowest: shortest, highest: longest.unwrap_or(UNLIMITED).max(shortest) };
            let input = tokens.saturating_mul(*calls);
            let output = reply.times(*calls);
            estimate.calls = estimate.calls.saturating_add(*calls);
            estimate.input = estimate.input.saturating_add(input);
            estimate.output = estimate.output.plus(output);
            let model = prepared.model.model();
            match plan.prices.find(model) {
                Some(price) => {
                    let cost = |output| price.cost_of(Usage { input, output, ..Usage::default() });
                    let sum = costs.entry(price.currency.clone()).or_default();
                    *sum = (sum.0.plus(cost(output.lowest)), sum.1.plus(cost(output.highest)));
                }
                None if *calls > 0 && !estimate.unpriced.iter().any(|unpriced| unpriced == model) => {
                    estimate.unpriced.push(model.to_owned());
                }
                None => {}
            }
        }
        let known = |(currency, (lowest, highest))| CostBounds::Known { lowest, highest, currency };
        Self { costs: costs.into_iter().map(known).collect(), ..estimate }
    }
}

/// Adds a cost to that of the same currency.
fn add_cost(costs: &mut Vec<CostBounds>, cost: CostBounds) {
    let CostBounds::Known { lowest, highest, currency } = &cost else { return };
    for known in costs.iter_mut() {
        if let CostBounds::Known { lowest: low, highest: high, currency: own } = known
            && own == currency
        {
            (*low, *high) = (low.plus(*lowest), high.plus(*highest));
            return;
        }
    }
    costs.push(cost);
}

/// The tokens of the words around an action.
fn shortest_reply(plan: &AskPlan) -> u64 {
    let form = &plan.state.form;
    let space = &plan.state.step.space;
    estimate_tokens(form.write("", &[], space).chars().count(), []).max(1)
}
