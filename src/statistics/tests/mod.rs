//! Tests of the statistics.

mod exact;
mod noise;
mod reference;

use super::*;

/// Samples of levels with these values, repeats numbered from 1 within each level.
fn samples(values: &[(&str, f64)]) -> Vec<LevelSample> {
    let mut all: Vec<LevelSample> = Vec::new();
    for (level, value) in values {
        let before = all.iter().filter(|sample| sample.level == *level).count();
        let number = u32::try_from(before).unwrap() + 1;
        let repeat = Repeat { number, seed: u64::from(number) };
        all.push(LevelSample { level: (*level).to_owned(), repeat, value: *value });
    }
    all
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

#[test]
fn the_standard_error_of_single_levels_is_s_over_root_n() {
    let four = samples(&[("a", 0.0), ("b", 100.0), ("c", 100.0), ("d", 100.0)]);
    assert_eq!(sample_mean(&four), Some(75.0));
    // s = 50, n = 4.
    assert!(close(standard_error(&four).unwrap(), 25.0));
    assert_eq!(standard_error(&samples(&[("a", 1.0), ("b", 1.0)])), Some(0.0));
    assert_eq!(standard_error(&samples(&[("a", 1.0)])), None);
    assert_eq!((standard_error(&[]), sample_mean(&[])), (None, None));
}

#[test]
fn repeats_of_a_level_are_one_cluster() {
    // Perfect correlation within levels: as if each level had been played once.
    let doubled = samples(&[("a", 0.0), ("a", 0.0), ("b", 100.0), ("b", 100.0)]);
    assert!(close(standard_error(&doubled).unwrap(), 50.0));
    let single = samples(&[("a", 0.0), ("b", 100.0)]);
    assert!(close(standard_error(&single).unwrap(), 50.0));
    // Only one level: its episodes are the clusters.
    let one = samples(&[("a", 0.0), ("a", 100.0), ("a", 100.0), ("a", 100.0)]);
    assert!(close(standard_error(&one).unwrap(), 25.0));
}

#[test]
fn the_order_of_samples_does_not_matter() {
    let names: Vec<String> = (0..15).map(|level| format!("level{level}")).collect();
    let values: Vec<(&str, f64)> = names
        .iter()
        .zip(1..)
        .flat_map(|(name, n)| [(name.as_str(), f64::from(n % 7)), (name, 0.3)])
        .collect();
    let forward = samples(&values);
    let backward: Vec<LevelSample> = forward.iter().rev().cloned().collect();
    let all = |s: &[LevelSample]| (mean_interval(s), best_of(s), paired_difference(s, &forward).interval);
    assert_eq!(all(&forward), all(&backward));
}

#[test]
fn one_episode_has_no_interval_and_no_verdict() {
    let one = samples(&[("a", 4.0)]);
    assert_eq!(mean_interval(&one), None);
    let difference = paired_difference(&one, &samples(&[("a", 1.0)]));
    assert_eq!((difference.mean, difference.verdict()), (Some(3.0), Verdict::TooFew));
    assert_eq!(paired_difference(&one, &[]).mean, None);
    assert_eq!((wilson_interval(0.0, 0.0), share_interval(&[])), (None, None));
    assert!(best_of(&[]).is_empty());
}

#[test]
fn unpaired_levels_are_named() {
    let cell = samples(&[("a", 1.0), ("a", 2.0), ("b", 5.0), ("c", 7.0)]);
    let reference = samples(&[("a", 0.0), ("b", 5.0), ("d", 7.0)]);
    let difference = paired_difference(&cell, &reference);
    let pairs: Vec<(&str, f64)> = difference.pairs.iter().map(|s| (s.level.as_str(), s.value)).collect();
    assert_eq!(pairs, [("a", 1.0), ("b", 0.0)]);
    assert_eq!(difference.unpaired.iter().map(String::as_str).collect::<Vec<_>>(), ["a", "c", "d"]);
    assert_eq!((difference.levels(), difference.verdict()), (2, Verdict::InsideNoise));
}

#[test]
fn repeats_with_the_same_number_are_paired_by_seed() {
    let sample =
        |seed, value| LevelSample { level: "a".to_owned(), repeat: Repeat { number: 1, seed }, value };
    let difference =
        paired_difference(&[sample(9, 30.0), sample(8, 10.0)], &[sample(1, 1.0), sample(2, 2.0)]);
    let values: Vec<f64> = difference.pairs.iter().map(|pair| pair.value).collect();
    assert_eq!(values, [9.0, 28.0]);
}

#[test]
fn equal_results_everywhere_are_inside_noise_only_if_they_are_equal() {
    let cell = |value| samples(&[("a", value), ("b", value), ("c", value)]);
    assert_eq!(paired_difference(&cell(5.0), &cell(5.0)).verdict(), Verdict::InsideNoise);
    assert_eq!(paired_difference(&cell(5.0), &cell(4.0)).verdict(), Verdict::Different);
}

#[test]
fn a_share_of_equal_repeats_counts_levels_and_not_episodes() {
    let unsolved: Vec<(&str, f64)> =
        ["a", "b", "c", "d"].iter().flat_map(|level| [(*level, 0.0); 5]).collect();
    assert_eq!(share_interval(&samples(&unsolved)), wilson_interval(0.0, 4.0));
    let half = samples(&[("a", 1.0), ("a", 1.0), ("b", 0.0), ("b", 0.0)]);
    // The clustered standard error is 0.5, as of one case.
    let interval = share_interval(&half).unwrap();
    assert!(close(interval.low, wilson_interval(0.5, 1.0).unwrap().low));
}

#[test]
fn a_difference_between_levels_needs_more_levels_and_not_more_repeats() {
    let variation = Variation { between: 100.0, within: 100.0, assumed: false };
    assert!(matches!(repeats_needed(20.0, 10, variation), RepeatsNeeded::Repeats(1..4)));
    assert!(matches!(repeats_needed(2.0, 10, variation), RepeatsNeeded::Levels(380..420)));
    assert_eq!(repeats_needed(1e-6, 10, variation), RepeatsNeeded::OutOfReach);
    assert!(matches!(repeats_needed(5.0, 1, variation), RepeatsNeeded::Levels(_)), "one level shows nothing");
}
