//! Quotients of sums over episodes that are nested in levels, such as precision: the numerator and the denominator are both
//! counted, so a quotient is not the mean of anything.

use std::collections::BTreeMap;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::bounded::{FEWEST_DIFFERING, bounded_interval, differing};
use super::distributions::{normal_probability, t_quantile};
use super::interval::Interval;
use super::levels::Repeat;
use super::resampling::{RESAMPLES, SEED, below, sorted_quantile};
use super::{CONFIDENCE, number};

/// The share of resampled sets that must have a quotient.
const MOST_UNDEFINED: f64 = 0.05;

/// What an episode adds to a quotient.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioSample {
    /// The level's reference.
    pub level: String,
    /// The repeat.
    pub repeat: Repeat,
    /// What it adds to the numerator and to the denominator.
    pub parts: (f64, f64),
}

/// A quotient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// Its value.
    pub value: f64,
    /// Its interval; `None` with fewer than two levels and episodes, or if too many resampled sets have no quotient.
    pub interval: Option<Interval>,
}

/// The quotient of the sums; `None` if the denominators add up to 0: then it is undefined, and not 0.
///
/// The interval is between the expanded percentiles (Hesterberg 2015) of 2000 resampled sets: levels first, then the
/// repeats inside each. Resampled sets without a quotient do not count; if they are more than 5 %, there is no interval.
/// Of a share, whose numerators are at most their denominators, each end is the wider one of this interval and of the one for
/// values in a range, over the levels that have a denominator: near the ends resampling says too little. Where fewer than
/// six levels differ from the others it is that one alone, or `None` if it is not a share.
pub fn ratio(samples: &[RatioSample]) -> Option<Ratio> {
    let clusters = clusters(samples);
    let value = quotient(clusters.iter().flatten().copied())?;
    Some(Ratio { value, interval: interval(&clusters) })
}

fn quotient(parts: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (above, under) = parts.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    (under != 0.0).then(|| above / under)
}

/// The parts of each level by repeat, or of each episode alone if all are of one level.
fn clusters(samples: &[RatioSample]) -> Vec<Vec<(f64, f64)>> {
    let mut levels: BTreeMap<&str, Vec<&RatioSample>> = BTreeMap::new();
    for sample in samples {
        levels.entry(&sample.level).or_default().push(sample);
    }
    let parts = |mut samples: Vec<&RatioSample>| {
        samples.sort_by(|one, other| {
            let by_parts =
                || one.parts.0.total_cmp(&other.parts.0).then(one.parts.1.total_cmp(&other.parts.1));
            one.repeat.cmp(&other.repeat).then_with(by_parts)
        });
        samples.iter().map(|sample| sample.parts).collect::<Vec<_>>()
    };
    let mut clusters: Vec<_> = levels.into_values().map(parts).collect();
    if let [only] = clusters.as_mut_slice() {
        return std::mem::take(only).into_iter().map(|part| vec![part]).collect();
    }
    clusters
}

fn interval(clusters: &[Vec<(f64, f64)>]) -> Option<Interval> {
    let values: Vec<Vec<f64>> = clusters.iter().filter_map(|parts| own_quotients(parts)).collect();
    if values.len() < 2 {
        return None;
    }
    let is_share = clusters.iter().flatten().all(|(above, under)| (0.0..=*under).contains(above));
    let range = Interval { low: 0.0, high: 1.0 };
    let bounded = is_share.then(|| bounded_interval(&values, range, CONFIDENCE)).flatten();
    if differing(&values) < FEWEST_DIFFERING.min(values.len()) {
        return bounded;
    }
    let resampled = resampled_interval(clusters)?;
    Some(bounded.map_or(resampled, |bounded| bounded.hull(resampled)))
}

/// The quotients of the episodes of a level that have a denominator; `None` if there is none.
fn own_quotients(parts: &[(f64, f64)]) -> Option<Vec<f64>> {
    let values: Vec<f64> = parts.iter().filter(|part| part.1 != 0.0).map(|part| part.0 / part.1).collect();
    (!values.is_empty()).then_some(values)
}

fn resampled_interval(clusters: &[Vec<(f64, f64)>]) -> Option<Interval> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut values: Vec<f64> = (0..RESAMPLES).filter_map(|_| resampled(clusters, &mut random)).collect();
    let undefined = number(RESAMPLES - values.len()) / number(RESAMPLES);
    if undefined > MOST_UNDEFINED {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let t = t_quantile(0.5 + CONFIDENCE / 2.0, number(clusters.len()) - 1.0);
    let tail = normal_probability(-t);
    Some(Interval { low: sorted_quantile(&values, tail)?, high: sorted_quantile(&values, 1.0 - tail)? })
}

fn resampled(clusters: &[Vec<(f64, f64)>], random: &mut Xoshiro256PlusPlus) -> Option<f64> {
    let mut sum = (0.0, 0.0);
    for _ in clusters {
        let cluster = &clusters[below(clusters.len(), random)];
        for _ in cluster {
            let part = cluster[below(cluster.len(), random)];
            sum = (sum.0 + part.0, sum.1 + part.1);
        }
    }
    quotient(std::iter::once(sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(parts: &[(f64, f64)]) -> Vec<RatioSample> {
        let sample = |(index, parts): (usize, &(f64, f64))| RatioSample {
            level: format!("level {index}"),
            repeat: Repeat::default(),
            parts: *parts,
        };
        parts.iter().enumerate().map(sample).collect()
    }

    #[test]
    fn a_quotient_without_a_denominator_is_undefined() {
        assert_eq!(ratio(&[]), None);
        assert_eq!(ratio(&samples(&[(0.0, 0.0), (0.0, 0.0)])), None);
        let zero = ratio(&samples(&[(0.0, 1.0), (0.0, 1.0)])).unwrap();
        let interval = zero.interval.unwrap();
        assert_eq!((zero.value, interval.low), (0.0, 0.0));
        assert!(interval.high > 0.5, "two levels say little: {interval:?}");
    }

    #[test]
    fn one_level_with_a_denominator_has_no_interval() {
        let mut parts = vec![(0.0, 0.0); 20];
        parts[3] = (1.0, 1.0);
        assert_eq!(ratio(&samples(&parts)), Some(Ratio { value: 1.0, interval: None }));
    }

    #[test]
    fn an_interval_contains_the_quotient_and_narrows_with_more_levels() {
        let parts = |count: usize| -> Vec<(f64, f64)> {
            (0..count).map(|index| (f64::from(u8::from(index % 3 == 0)), 1.0)).collect()
        };
        let width = |count: usize| {
            let found = ratio(&samples(&parts(count))).unwrap();
            let interval = found.interval.unwrap();
            assert!(interval.contains(found.value));
            interval.high - interval.low
        };
        assert!(width(300) < width(30) / 2.0);
    }

    /// Of shares over as many episodes a level it is as wide as the interval of the share, or wider.
    #[test]
    fn right_answers_only_do_not_mean_certainty() {
        let all = ratio(&samples(&[(1.0, 1.0); 20])).unwrap();
        let interval = all.interval.unwrap();
        assert!((all.value - 1.0).abs() < 1e-12 && (0.82..0.85).contains(&interval.low), "{interval:?}");
        let distances = ratio(&samples(&[(3.0, 1.0); 20])).unwrap();
        assert_eq!((distances.value, distances.interval), (3.0, None), "no share, and no spread");
    }

    #[test]
    fn samples_in_another_order_give_the_same_numbers() {
        let mut all = samples(&[(1.0, 2.0), (0.0, 1.0), (3.0, 3.0), (1.0, 4.0)]);
        all[3].level = all[0].level.clone();
        let found = ratio(&all);
        all.reverse();
        assert_eq!(ratio(&all), found);
        assert!((found.unwrap().value - 0.5).abs() < 1e-12);
    }
}
