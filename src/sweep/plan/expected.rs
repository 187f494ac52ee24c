//! The cost that is expected of a plan, beside the range of what is possible: from the tokens of recorded episodes of the same
//! agent and model where there are some, else from usual numbers.

use std::collections::BTreeMap;

use super::times::PlanTimes;
use super::{CellEstimate, MeasuredTime, RoleEstimate, SweepEstimate, USUAL_REPLY};
use mageyard_domain::{Amount, Usage};

/// The expected cost of a plan.
pub struct ExpectedCost {
    /// By currency.
    amounts: BTreeMap<String, Amount>,
    /// The cells whose tokens were measured, and those whose are assumed.
    measured: usize,
    assumed: usize,
}

impl ExpectedCost {
    /// That of these cells. Cells without requests or a price are left out.
    pub fn of(needs: &SweepEstimate, times: &PlanTimes) -> Self {
        let mut sum = Self { amounts: BTreeMap::new(), measured: 0, assumed: 0 };
        for (cell, (episodes, time)) in needs.cells.iter().zip(times.measured()) {
            sum.add(cell, episodes, time);
            sum.add_roles(cell);
        }
        sum
    }

    fn add(&mut self, cell: &CellEstimate, episodes: usize, time: Option<&MeasuredTime>) {
        let Some(price) = cell.price.as_ref().filter(|_| cell.needs.calls.highest > 0) else { return };
        let measured = time.and_then(|time| measured_usage(time, episodes));
        *(if measured.is_some() { &mut self.measured } else { &mut self.assumed }) += 1;
        let amount = self.amounts.entry(price.currency.clone()).or_default();
        *amount = amount.plus(price.cost_of(measured.unwrap_or(cell.expected)));
    }

    /// Adds what side requests are expected to cost, which is never measured.
    fn add_roles(&mut self, cell: &CellEstimate) {
        for RoleEstimate { price, expected, .. } in &cell.roles {
            let Some(price) = price else { continue };
            let amount = self.amounts.entry(price.currency.clone()).or_default();
            *amount = amount.plus(price.cost_of(*expected));
        }
    }

    /// The amount in this currency.
    pub fn amount(&self, currency: &str) -> Option<Amount> {
        self.amounts.get(currency).copied()
    }

    /// Where it is from, as a line of a plan; `None` if nothing is expected.
    pub fn line(&self) -> Option<String> {
        let assumed = format!(
            "half of the way from a shortest solution to the limit of steps, one attempt each, replies of {USUAL_REPLY} tokens"
        );
        match (self.measured, self.assumed) {
            (0, 0) => None,
            (_, 0) => Some("Expected: the tokens of recorded episodes.".to_owned()),
            (0, _) => Some(format!("Expected: {assumed}.")),
            (measured, cells) => Some(format!(
                "Expected: the tokens of recorded episodes ({measured} cells); for {cells} cells {assumed}."
            )),
        }
    }
}

/// The tokens of so many episodes that are like the measured ones.
fn measured_usage(time: &MeasuredTime, episodes: usize) -> Option<Usage> {
    let (input, output) = time.tokens?;
    let episodes = f64::from(u32::try_from(episodes).ok()?);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is not negative")]
    let whole = |tokens: f64| (tokens * episodes).round() as u64;
    Some(Usage { input: whole(input), output: whole(output), ..Usage::default() })
}
