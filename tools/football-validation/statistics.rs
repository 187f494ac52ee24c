//! Statistics of one and of two samples.

/// The mean; none of no values.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / count(values.len()))
}

/// The mean of the means of groups, and its standard error from the spread within the groups.
pub(crate) fn grouped_mean(groups: &[Vec<f64>]) -> Option<(f64, f64)> {
    let means: Vec<f64> = groups.iter().filter_map(|group| mean(group)).collect();
    let errors: f64 = groups.iter().filter_map(|group| variance_of_mean(group)).sum();
    // An empty sum is −0.
    Some((mean(&means)?, errors.abs().sqrt() / count(means.len())))
}

/// The squared standard error of a mean; none of fewer than two values.
fn variance_of_mean(values: &[f64]) -> Option<f64> {
    let average = mean(values).filter(|_| values.len() > 1)?;
    let squares: f64 = values.iter().map(|value| (value - average) * (value - average)).sum();
    Some(squares / count(values.len() - 1) / count(values.len()))
}

/// The largest distance of two cumulative distributions (Kolmogorov–Smirnov).
pub(crate) fn largest_distance(one: &[f64], other: &[f64]) -> Option<f64> {
    if one.is_empty() || other.is_empty() {
        return None;
    }
    let share = |values: &[f64], limit: f64| {
        count(values.iter().filter(|value| **value <= limit).count()) / count(values.len())
    };
    let distances = one.iter().chain(other).map(|limit| (share(one, *limit) - share(other, *limit)).abs());
    Some(distances.fold(0.0, f64::max))
}

/// Half the sum of the differences of the shares of each kind (total variation).
pub(crate) fn total_variation<K: PartialEq>(one: &[K], other: &[K]) -> Option<f64> {
    if one.is_empty() || other.is_empty() {
        return None;
    }
    let mut kinds: Vec<&K> = Vec::new();
    for kind in one.iter().chain(other) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let share = |values: &[K], kind: &K| {
        count(values.iter().filter(|value| *value == kind).count()) / count(values.len())
    };
    Some(kinds.iter().map(|kind| (share(one, kind) - share(other, kind)).abs()).sum::<f64>() / 2.0)
}

/// The correlation of the ranks of two paired samples (Spearman); none where one of them is constant.
pub(crate) fn rank_correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let one = ranks(&pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
    let other = ranks(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
    correlation(&one, &other)
}

/// The place of each value in the order, equal values sharing the mean of their places.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count();
        let equal = values.iter().filter(|other| *other == value).count();
        count(below) + count(equal + 1) / 2.0
    };
    values.iter().map(rank).collect()
}

fn correlation(one: &[f64], other: &[f64]) -> Option<f64> {
    let first = mean(one)?;
    let second = mean(other)?;
    let product: f64 = one.iter().zip(other).map(|(a, b)| (a - first) * (b - second)).sum();
    let spread =
        |values: &[f64], middle: f64| values.iter().map(|a| (a - middle) * (a - middle)).sum::<f64>();
    let spreads = (spread(one, first) * spread(other, second)).sqrt();
    (spreads > 0.0).then(|| product / spreads)
}

/// The value below which this share of the values lies, between neighbours in proportion; none of no values.
pub(crate) fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let place = share * count(last);
    let below = (0..last).rev().find(|index| count(*index) <= place).unwrap_or(0);
    let above = sorted[(below + 1).min(last)];
    Some(sorted[below] + (above - sorted[below]) * (place - count(below)))
}

/// A number of things as a float.
#[allow(clippy::cast_precision_loss, reason = "counts of frames and episodes fit exactly")]
pub(crate) fn count(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_of_groups_weigh_every_group_alike() {
        let (mean, error) = grouped_mean(&[vec![1.0, 3.0], vec![10.0, 10.0, 10.0, 10.0]]).unwrap();
        assert_eq!((mean, error), (6.0, 0.5));
        assert_eq!(grouped_mean(&[]), None);
    }

    #[test]
    fn distances_of_distributions() {
        assert_eq!(largest_distance(&[1.0, 2.0], &[1.0, 2.0]), Some(0.0));
        assert_eq!(largest_distance(&[1.0, 2.0], &[3.0]), Some(1.0));
        assert_eq!(total_variation(&['a', 'a'], &['a', 'b']), Some(0.5));
        assert_eq!(total_variation::<char>(&[], &['a']), None);
    }

    #[test]
    fn ranks_correlate_whatever_the_scale() {
        assert!((rank_correlation(&[(1.0, 1.0), (2.0, 10.0), (3.0, 100.0)]).unwrap() - 1.0).abs() < 1e-12);
        assert!((rank_correlation(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]).unwrap() + 1.0).abs() < 1e-12);
        assert_eq!(rank_correlation(&[(1.0, 2.0), (1.0, 3.0)]), None);
    }

    #[test]
    fn quantiles_lie_between_neighbours() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!([0.0, 0.5, 1.0].map(|share| quantile(&values, share)), [Some(1.0), Some(2.5), Some(4.0)]);
        assert_eq!((quantile(&[], 0.5), quantile(&[7.0], 0.5)), (None, Some(7.0)));
    }
}
