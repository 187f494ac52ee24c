//! What rows are compared by beside the score: success, errors and cost, each in pairs of episodes as scores are.

use std::collections::BTreeMap;

use mageyard_domain::Cost;
use mageyard_engine::{EpisodeSummary, Mark};
use mageyard_statistics::{Interval, LevelSample, PairedDifference, paired_difference};

/// A measure of an episode beside its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Whether the level was solved.
    Success,
    /// Whether there was an invalid action.
    InvalidAction,
    /// Whether there was a repeated action.
    RepeatedAction,
    /// Whether there was a parse error.
    ParseError,
    /// What the episode cost, if all of it is known.
    Cost,
}

/// All of them, in the order of their columns.
pub const MEASURES: [Measure; 5] =
    [Measure::Success, Measure::InvalidAction, Measure::RepeatedAction, Measure::ParseError, Measure::Cost];

/// The range of percentages.
const PERCENT: Interval = Interval { low: 0.0, high: 100.0 };

impl Measure {
    /// Its name in tables.
    pub fn title(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::InvalidAction => "IA",
            Self::RepeatedAction => "RA",
            Self::ParseError => "parse errors",
            Self::Cost => "cost",
        }
    }

    /// Its name in JSON and CSV: that of the field whose difference it is.
    pub fn name(self) -> &'static str {
        match self {
            Self::Success => "success_rate",
            Self::InvalidAction => "ia",
            Self::RepeatedAction => "ra",
            Self::ParseError => "parse",
            Self::Cost => "cost",
        }
    }
}

/// The measures of episodes that are marks or costs.
#[derive(Debug, Default)]
pub(super) struct MeasureSamples {
    /// 100 for each episode with the mark and 0 for each other one.
    marks: BTreeMap<&'static str, Vec<LevelSample>>,
    /// By currency.
    costs: BTreeMap<String, Vec<LevelSample>>,
}

impl MeasureSamples {
    /// Adds an episode; `sample` makes a sample of a value.
    pub(super) fn add(&mut self, summary: &EpisodeSummary, cost: &Cost, sample: impl Fn(f64) -> LevelSample) {
        let marks = [
            (Measure::InvalidAction, Mark::InvalidAction),
            (Measure::RepeatedAction, Mark::RepeatedAction),
            (Measure::ParseError, Mark::ParseError),
        ];
        for (measure, mark) in marks {
            let value = if summary.count(mark) > 0 { 100.0 } else { 0.0 };
            self.marks.entry(measure.name()).or_default().push(sample(value));
        }
        if let Cost::Known { amount, currency, unknown: 0 } = cost
            && let Ok(amount) = amount.to_string().parse()
        {
            self.costs.entry(currency.clone()).or_default().push(sample(amount));
        }
    }

    fn of(&self, measure: Measure) -> &[LevelSample] {
        self.marks.get(measure.name()).map_or(&[], Vec::as_slice)
    }
}

/// A paired difference of a measure from the reference.
#[derive(Clone, Debug)]
pub struct MeasureDifference {
    /// What is compared.
    pub measure: Measure,
    /// `%`, or the currency.
    pub unit: String,
    /// The difference over the levels that both rows have. Its test is corrected for the number of comparisons by this measure
    /// in the report.
    pub paired: PairedDifference,
}

/// The differences of a row from its reference by all measures that both have, each with its samples of solved levels.
pub(super) fn measure_differences(
    (own, own_solved): (&MeasureSamples, &[LevelSample]),
    (other, other_solved): (&MeasureSamples, &[LevelSample]),
) -> Vec<MeasureDifference> {
    let difference = |measure, unit: &str, paired: PairedDifference| {
        let has_pairs = !paired.pairs.is_empty();
        has_pairs.then(|| MeasureDifference { measure, unit: unit.to_owned(), paired })
    };
    let compared = |measure| match measure {
        Measure::Success => {
            difference(measure, "%", paired_difference(own_solved, other_solved, Some(PERCENT)))
        }
        Measure::Cost => {
            let (currency, costs) =
                own.costs.iter().find(|(currency, _)| other.costs.contains_key(*currency))?;
            // A cost has no highest value.
            difference(measure, currency, paired_difference(costs, other.costs.get(currency)?, None))
        }
        mark => difference(mark, "%", paired_difference(own.of(mark), other.of(mark), Some(PERCENT))),
    };
    MEASURES.into_iter().filter_map(compared).collect()
}
