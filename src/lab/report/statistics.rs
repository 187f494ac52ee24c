//! Means and standard errors of known values.

use std::collections::BTreeMap;

/// A value of an episode with its level.
pub(super) type Sample = (String, f64);

/// The arithmetic mean; `None` for no values.
pub(super) fn mean(values: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = u32::try_from(values.len()).ok().filter(|count| *count > 0)?;
    Some(values.sum::<f64>() / f64::from(count))
}

/// The mean of samples.
pub(super) fn sample_mean(samples: &[Sample]) -> Option<f64> {
    mean(samples.iter().map(|(_, value)| *value))
}

/// The standard error of the mean, clustered by level: episodes of the same level are not independent. With one
/// episode per level it is the usual s/√n (with n - 1 in the variance). If all episodes are of one level, each of
/// them is a cluster of its own. `None` for fewer than two episodes.
///
/// With g clusters and the deviations d of all n values from their mean it is
/// √(g / (g - 1) · Σ over clusters (Σ d)²) / n (Miller 2024, "Adding Error Bars to Evals", section 2.2, with the
/// small-sample factor).
pub(super) fn standard_error(samples: &[Sample]) -> Option<f64> {
    let mean = sample_mean(samples)?;
    let mut clusters: BTreeMap<&str, f64> = BTreeMap::new();
    for (level, value) in samples {
        *clusters.entry(level).or_default() += value - mean;
    }
    let sums: Vec<f64> = match clusters.len() {
        1 => samples.iter().map(|(_, value)| value - mean).collect(),
        _ => clusters.into_values().collect(),
    };
    let [n, g] =
        [samples.len(), sums.len()].map(|count| u32::try_from(count).map_or(f64::INFINITY, f64::from));
    let squares: f64 = sums.iter().map(|sum| sum * sum).sum();
    (g > 1.0).then(|| (squares * g / (g - 1.0)).sqrt() / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(values: &[(&str, f64)]) -> Vec<Sample> {
        values.iter().map(|(level, value)| ((*level).to_owned(), *value)).collect()
    }

    #[test]
    fn the_standard_error_of_single_levels_is_s_over_root_n() {
        let four = samples(&[("a", 0.0), ("b", 100.0), ("c", 100.0), ("d", 100.0)]);
        assert_eq!(sample_mean(&four), Some(75.0));
        // s = 50, n = 4.
        assert!((standard_error(&four).unwrap() - 25.0).abs() < 1e-9);
        assert_eq!(standard_error(&samples(&[("a", 1.0), ("b", 1.0)])), Some(0.0));
        assert_eq!(standard_error(&samples(&[("a", 1.0)])), None);
        assert_eq!((standard_error(&[]), sample_mean(&[])), (None, None));
    }

    #[test]
    fn repeats_of_a_level_are_one_cluster() {
        // Perfect correlation within levels: as if each level had been played once.
        let doubled = samples(&[("a", 0.0), ("a", 0.0), ("b", 100.0), ("b", 100.0)]);
        assert!((standard_error(&doubled).unwrap() - 50.0).abs() < 1e-9);
        let single = samples(&[("a", 0.0), ("b", 100.0)]);
        assert!((standard_error(&single).unwrap() - 50.0).abs() < 1e-9);
        // Only one level: its episodes are the clusters.
        let one = samples(&[("a", 0.0), ("a", 100.0), ("a", 100.0), ("a", 100.0)]);
        assert!((standard_error(&one).unwrap() - 25.0).abs() < 1e-9);
    }
}
