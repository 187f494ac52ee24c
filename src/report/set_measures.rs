//! Measures of a set of episodes: quotients over what their verdicts count, of all levels or of those with some properties.

use super::group_stats::JudgedEpisode;
use mageyard_domain::{Cost, Judgement, SetMeasure};
use mageyard_statistics::{Ratio, RatioSample, Repeat, ratio};

/// Properties that levels have, with their values.
type LevelFilter<'a> = &'a [(&'a str, &'a str)];

/// The episodes of a group by what they add to each measure.
#[derive(Debug, Default)]
pub struct MeasuredSet {
    measures: &'static [SetMeasure],
    episodes: Vec<MeasuredEpisode>,
}

#[derive(Debug)]
struct MeasuredEpisode {
    level: String,
    repeat: Repeat,
    /// What it adds, in the order of the measures.
    parts: Vec<Option<(f64, f64)>>,
    properties: Vec<(&'static str, String)>,
}

/// A measure of a group.
#[derive(Clone, Copy, Debug)]
pub struct MeasuredValue {
    /// The measure.
    pub measure: &'static SetMeasure,
    /// The episodes that count.
    pub episodes: usize,
    /// Its value, with the factor of the measure; `None` if it is undefined.
    pub ratio: Option<Ratio>,
}

impl MeasuredSet {
    /// Adds an episode that was judged and has cost this.
    pub(super) fn add(&mut self, episode: &JudgedEpisode, cost: &Cost) {
        let Some(verdict) = episode.summary.judgement.as_ref().and_then(Judgement::verdict) else { return };
        if episode.measures.is_empty() {
            return;
        }
        self.measures = episode.measures;
        let head = &episode.head;
        let usd = known_usd(cost);
        self.episodes.push(MeasuredEpisode {
            level: episode.level.clone(),
            repeat: Repeat { number: head.repeat.unwrap_or_default(), seed: head.seed },
            parts: episode.measures.iter().map(|measure| measure.parts(verdict, usd)).collect(),
            properties: episode.level_properties.clone(),
        });
    }

    /// Every measure to which an episode adds something.
    pub(super) fn values(&self) -> Vec<MeasuredValue> {
        self.measures.iter().filter_map(|measure| self.value(measure.name, &[])).collect()
    }

    /// A measure over the levels that have all these properties; `None` if no episode counts.
    pub fn value(&self, name: &str, levels: LevelFilter<'_>) -> Option<MeasuredValue> {
        let index = self.measures.iter().position(|measure| measure.name == name)?;
        let measure = self.measures.get(index)?;
        let fits = |episode: &&MeasuredEpisode| {
            levels.iter().all(|(name, value)| {
                episode.properties.iter().any(|(own, found)| own == name && found.eq_ignore_ascii_case(value))
            })
        };
        let samples = self.episodes.iter().filter(fits).filter_map(|episode| {
            let parts = episode.parts.get(index).copied().flatten()?;
            Some(RatioSample { level: episode.level.clone(), repeat: episode.repeat, parts })
        });
        let samples: Vec<RatioSample> = samples.collect();
        (!samples.is_empty()).then(|| MeasuredValue {
            measure,
            episodes: samples.len(),
            ratio: ratio(&samples).map(|ratio| scaled(ratio, measure.factor)),
        })
    }
}

/// The cost in US dollars, if all of it is known.
fn known_usd(cost: &Cost) -> Option<f64> {
    match cost {
        Cost::Known { amount, currency, unknown: 0 } if currency == "USD" => amount.to_string().parse().ok(),
        _ => None,
    }
}

fn scaled(Ratio { value, interval }: Ratio, factor: f64) -> Ratio {
    Ratio { value: value * factor, interval: interval.map(|interval| interval.scaled(factor)) }
}

#[cfg(test)]
mod tests {
    use mageyard_domain::Amount;

    use super::*;

    #[test]
    fn only_a_whole_cost_in_dollars_is_known() {
        let known = |currency: &str, unknown| Cost::Known {
            amount: Amount::parse("0.25").unwrap(),
            currency: currency.to_owned(),
            unknown,
        };
        assert_eq!(known_usd(&known("USD", 0)), Some(0.25));
        for cost in [known("USD", 1), known("EUR", 0), Cost::Unknown, Cost::NoRequests] {
            assert_eq!(known_usd(&cost), None, "{cost:?}");
        }
    }
}
