//! What all episodes of a comparison need, if none is left out.

use mageyard_config::Config;
use mageyard_domain::{Amount, TOKEN_ESTIMATE_RULE, with_thousands};
use mageyard_engine::Store;
use mageyard_lab::{Lab, LabError, Needs};
use mageyard_sweep::{ExpectedCost, PlanTimes, PlannedCell, SweepPlan, estimate_sweep, measured_times};

/// What the episodes need.
pub(super) struct ConfirmNeeds {
    /// The lowest and the highest that is possible.
    pub(super) bounds: Needs,
    expected: ExpectedCost,
    times: Vec<String>,
}

impl ConfirmNeeds {
    /// Estimates them as those of a sweep that has one cell with all levels for each window.
    pub(super) async fn of(
        lab: &Lab,
        plan: &SweepPlan,
        cells: &[Vec<usize>],
        config: &Config,
    ) -> Result<Self, LabError> {
        let of_window = |cells: &Vec<usize>| -> Option<PlannedCell> {
            let first = plan.cells.get(*cells.first()?)?;
            let levels = cells.iter().filter_map(|cell| plan.cells.get(*cell)?.levels.first().cloned());
            Some(PlannedCell { levels: levels.collect(), ..first.clone() })
        };
        let cells = cells.iter().filter_map(of_window).collect();
        let plan = SweepPlan { cells, ..plan.clone() };
        let estimate = estimate_sweep(lab, &plan).await?;
        let store = Store::new(config.store_folder());
        let times = PlanTimes::new(&plan, measured_times(lab, &plan, &store)?);
        let expected = ExpectedCost::of(&estimate, &times);
        Ok(Self { bounds: estimate.total(), expected, times: times.lines() })
    }

    /// The lines of a plan.
    pub(super) fn lines(&self) -> Vec<String> {
        let Needs { calls, input, output, cost, .. } = &self.bounds;
        if calls.highest == 0 {
            return vec!["no request is sent to a model".to_owned()];
        }
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let [calls, input, output] =
            [calls.highest, input.highest, output.highest].map(|one| with_thousands(one as f64));
        let cost = cost.words(|currency, _, highest| {
            let expected = self.expected.amount(currency).map(Amount::rounded);
            let expected = expected.map_or(String::new(), |amount| format!(", {amount} expected"));
            format!("{} {currency}{expected}", highest.rounded())
        });
        let all = format!(
            "all of them need at most {calls} calls, {input} input tokens and {output} output tokens; cost at most {cost}"
        );
        let rule =
            format!("tokens are estimated: {TOKEN_ESTIMATE_RULE}; failed tries and caching are not counted");
        std::iter::once(all)
            .chain(self.expected.line())
            .chain(self.times.iter().cloned())
            .chain([rule])
            .collect()
    }
}
