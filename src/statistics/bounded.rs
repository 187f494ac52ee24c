//! Intervals for means of values that have a range, such as scores from 0 to 100. Near the ends of the range, and where
//! few levels differ, a standard error says little: twenty solved levels of twenty have the error 0, although one of the
//! next twenty may well not be solved.

use super::distributions::{beta_quantile, normal_quantile, t_quantile};
use super::mean::{cluster_error, cluster_mean};
use super::{Interval, number};

/// With fewer levels than this that differ from the others, their spread says nothing: the least p value of a test that
/// flips their signs is 2/2^5, more than 0.05.
pub(super) const FEWEST_DIFFERING: usize = 6;

/// Means that differ by less are equal.
const EQUAL: f64 = 1e-9;

/// More independent cases than this are not assumed: the distribution is normal by then.
const MOST_CASES: f64 = 1e6;

/// How many clusters have another mean than most have. All of them if no two are equal: then it is the spread of a
/// continuous value, which few of them show.
pub(super) fn differing(clusters: &[Vec<f64>]) -> usize {
    let mut means: Vec<f64> = clusters.iter().filter_map(|values| cluster_mean(values)).collect();
    means.sort_by(f64::total_cmp);
    let runs = means.chunk_by(|one, other| (other - one).abs() < EQUAL);
    match runs.map(<[f64]>::len).max() {
        Some(1) | None => clusters.len(),
        Some(most) => clusters.len() - most,
    }
}

/// The range with the values that are outside it, such as scores against a published optimum that is wrong.
pub(super) fn range_with(range: Interval, clusters: &[Vec<f64>]) -> Interval {
    let wider = |range: Interval, value: &f64| range.hull(Interval { low: *value, high: *value });
    clusters.iter().flatten().fold(range, wider)
}

/// The interval of a mean within a range that contains all values, with this confidence: that of Clopper and Pearson (1934) for a share, with the
/// mean's place in the range as the share and with the number of independent cases that would have the same clustered
/// standard error (Korn and Graubard 1998, "Confidence intervals for proportions with small expected number of positive
/// counts estimated from survey data"; Parker et al. 2017 use it for all proportions of the NCHS). That number is
/// reduced by (z/t)², as the error is estimated from few levels, but to no less than the number of levels. What repeats of
/// a level have in common is seen only in the levels that differ from what most have, so with repeats t has their number as
/// its degrees of freedom. A mean of values inside the range varies less than a share does, so the number may be more than
/// the episodes, unless so few levels differ that their spread says nothing. If the error is 0, it is the number of levels.
///
/// `None` for fewer than two clusters.
pub(super) fn bounded_interval(clusters: &[Vec<f64>], range: Interval, confidence: f64) -> Option<Interval> {
    let all = clusters.concat();
    let width = range.high - range.low;
    let error = cluster_error(clusters)? / width;
    let share = (cluster_mean(&all)? - range.low) / width;
    let cases =
        if error < EQUAL { number(clusters.len()) } else { cases(clusters, share, error, confidence) };
    let within = clopper_pearson(share * cases, cases, confidence);
    Some(Interval { low: range.low + width * within.low, high: range.low + width * within.high })
}

/// The number of independent cases for this standard error of a share.
fn cases(clusters: &[Vec<f64>], share: f64, error: f64, confidence: f64) -> f64 {
    let levels = number(clusters.len());
    let differing = differing(clusters);
    let episodes = number(clusters.iter().map(Vec::len).sum());
    let most = if differing < FEWEST_DIFFERING { episodes } else { MOST_CASES };
    let estimated = (share * (1.0 - share) / error.powi(2)).min(most);
    let has_repeats = clusters.iter().any(|values| values.len() > 1);
    let df = if has_repeats { number(differing).clamp(1.0, levels - 1.0) } else { levels - 1.0 };
    let upper = 0.5 + confidence / 2.0;
    let reduced = normal_quantile(upper) / t_quantile(upper, df);
    (estimated * reduced.powi(2)).max(estimated.min(levels))
}

/// The interval of a share of which `count` of `n` cases were found, neither of them whole.
fn clopper_pearson(count: f64, n: f64, confidence: f64) -> Interval {
    let tail = (1.0 - confidence) / 2.0;
    let others = (n - count).max(0.0);
    let low = if count < EQUAL { 0.0 } else { beta_quantile(tail, count, others + 1.0) };
    let high = if others < EQUAL { 1.0 } else { beta_quantile(1.0 - tail, count + 1.0, others) };
    Interval { low, high }
}

/// The interval of a mean difference of values within a range of this width, if few levels differ. What is gained and
/// what is lost are two means from 0 to the width; each has an interval with half the error, so both hold together with
/// this confidence (Bonferroni).
pub(super) fn bounded_difference(clusters: &[Vec<f64>], width: f64, confidence: f64) -> Option<Interval> {
    let range = Interval { low: 0.0, high: width };
    let part = |sign: f64| {
        let values = |cluster: &Vec<f64>| cluster.iter().map(|value| (sign * value).max(0.0)).collect();
        let clusters: Vec<Vec<f64>> = clusters.iter().map(values).collect();
        bounded_interval(&clusters, range, f64::midpoint(1.0, confidence))
    };
    let gained = part(1.0)?;
    let lost = part(-1.0)?;
    Some(Interval { low: gained.low - lost.high, high: gained.high - lost.low })
}
