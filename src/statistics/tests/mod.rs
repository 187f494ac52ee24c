//! Tests of the statistics.

mod exact;
mod noise;
mod reference;
mod sequential;
mod several;

use super::*;

/// The range of scores.
const SCORES: Option<Interval> = Some(Interval { low: 0.0, high: 100.0 });

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
    let all = |s: &[LevelSample]| {
        (mean_interval(s, SCORES), best_of(s, SCORES), paired_difference(s, &forward, SCORES).interval)
    };
    assert_eq!(all(&forward), all(&backward));
}

#[test]
fn one_episode_has_no_interval_and_no_verdict() {
    let one = samples(&[("a", 4.0)]);
    assert_eq!(mean_interval(&one, SCORES), None);
    let difference = paired_difference(&one, &samples(&[("a", 1.0)]), SCORES);
    assert_eq!((difference.mean, difference.test.verdict()), (Some(3.0), Verdict::TooFew));
    assert_eq!(paired_difference(&one, &[], SCORES).mean, None);
    assert_eq!((wilson_interval(0.0, 0.0), share_interval(&[])), (None, None));
    assert!(best_of(&[], SCORES).is_empty());
}

#[test]
fn unpaired_levels_are_named() {
    let cell = samples(&[("a", 1.0), ("a", 2.0), ("b", 5.0), ("c", 7.0)]);
    let reference = samples(&[("a", 0.0), ("b", 5.0), ("d", 7.0)]);
    let difference = paired_difference(&cell, &reference, SCORES);
    let pairs: Vec<(&str, f64)> = difference.pairs.iter().map(|s| (s.level.as_str(), s.value)).collect();
    assert_eq!(pairs, [("a", 1.0), ("b", 0.0)]);
    assert_eq!(difference.unpaired.iter().map(String::as_str).collect::<Vec<_>>(), ["a", "c", "d"]);
    assert_eq!((difference.levels(), difference.test.verdict()), (2, Verdict::TooFew));
}

#[test]
fn repeats_with_the_same_number_are_paired_by_seed() {
    let sample =
        |seed, value| LevelSample { level: "a".to_owned(), repeat: Repeat { number: 1, seed }, value };
    let difference =
        paired_difference(&[sample(9, 30.0), sample(8, 10.0)], &[sample(1, 1.0), sample(2, 2.0)], SCORES);
    let values: Vec<f64> = difference.pairs.iter().map(|pair| pair.value).collect();
    assert_eq!(values, [9.0, 28.0]);
}

#[test]
fn fewer_than_six_levels_that_differ_are_too_few_pairs() {
    let cell = |levels: usize, differing: usize, value: f64| {
        let names: Vec<String> = (0..levels).map(|level| format!("level{level:02}")).collect();
        let values: Vec<(&str, f64)> = (0..)
            .zip(&names)
            .map(|(index, name)| (name.as_str(), if index < differing { value } else { 50.0 }))
            .collect();
        samples(&values)
    };
    let compared = |levels, differing| {
        paired_difference(&cell(levels, differing, 60.0), &cell(levels, levels, 50.0), SCORES)
    };
    let none = compared(20, 0);
    assert_eq!((none.test.verdict(), none.test.p), (Verdict::TooFew, 1.0));
    assert!(none.interval.is_some_and(|interval| interval.low < -10.0 && interval.high > 10.0));
    let five = compared(5, 5);
    assert_eq!((five.test.verdict(), five.test.p, five.differing), (Verdict::TooFew, 0.0625, 5));
    assert!(five.interval.is_some_and(|interval| interval.contains(0.0) && interval.contains(10.0)));
    let six = compared(6, 6);
    assert_eq!((six.test.verdict(), six.test.p), (Verdict::Different, 0.03125));
    assert!(
        six.interval.is_some_and(|interval| interval.high - interval.low > 20.0),
        "no spread is no certainty"
    );
    let corrected = DifferenceTest { corrected: 0.0625, ..six.test };
    assert_eq!(corrected.verdict(), Verdict::InsideNoise, "corrected for two tests");
    let unbounded = paired_difference(&cell(20, 1, 60.0), &cell(20, 20, 50.0), None);
    assert_eq!((unbounded.interval, unbounded.test.verdict()), (None, Verdict::TooFew));
}

#[test]
fn p_values_are_corrected_for_what_could_be_different() {
    let shifted = |levels: usize| {
        let names: Vec<String> = (0..levels).map(|level| format!("level{level}")).collect();
        let cell = |value: f64| samples(&names.iter().map(|name| (name.as_str(), value)).collect::<Vec<_>>());
        paired_difference(&cell(60.0), &cell(50.0), SCORES)
    };
    let [six, three, eight] = [6, 3, 8].map(shifted);
    let corrected = |differences: [&PairedDifference; 3], counted| {
        let mut tests = differences.map(|difference| difference.test);
        correct(&mut tests, counted);
        tests.map(|test| (test.corrected, test.verdict()))
    };
    let [noise, few, different] = [Verdict::InsideNoise, Verdict::TooFew, Verdict::Different];
    // 2/64, 2/8 and 2/256; three levels cannot be different, so two tests count.
    let found = [(2.0 / 64.0, different), (0.25, few), (4.0 / 256.0, different)];
    assert_eq!(corrected([&six, &three, &eight], Counted::Possible), found);
    let found = [(4.0 / 64.0, noise), (4.0 / 64.0, noise), (0.25, few)];
    assert_eq!(corrected([&six, &six, &three], Counted::Possible), found);
    let found = [(4.0 / 64.0, noise), (0.25, few), (6.0 / 256.0, different)];
    assert_eq!(corrected([&six, &three, &eight], Counted::All), found, "all three count");
}

#[test]
fn a_test_of_shares_says_what_could_be_seen() {
    let test = |one, other| DifferenceTest::of_shares(one, other, 1);
    let words = |test: DifferenceTest| test.words(|size| format!("{size:.1}"), "too few");
    assert_eq!(words(test((0, 5), (5, 5))), "different");
    assert_eq!(words(test((0, 5), (3, 5))), "inside noise (visible from 0.8)");
    assert_eq!(words(test((0, 3), (3, 3))), "too few");
    assert_eq!([0.25, 0.000_1].map(probability), ["0.250", "< 0.001"]);
}

#[test]
fn ends_do_not_leave_the_range_and_equal_scores_are_not_certain() {
    let cell = |scores: &[f64]| {
        let names: Vec<String> = (0..scores.len()).map(|level| format!("level{level:02}")).collect();
        let values: Vec<(&str, f64)> = names.iter().map(String::as_str).zip(scores.iter().copied()).collect();
        samples(&values)
    };
    // 1 - 0.025^(1/20): with this share of unsolved levels twenty are solved in a row in 2.5 % of experiments.
    let solved = mean_interval(&cell(&[100.0; 20]), SCORES).unwrap();
    assert!(close(solved.low, 100.0 * 0.025_f64.powf(1.0 / 20.0)) && close(solved.high, 100.0), "{solved:?}");
    assert_eq!(mean_interval(&cell(&[100.0; 20]), None), None, "nothing is known of other scores");
    let wide = mean_interval(&cell(&[99.0, 2.0, 97.0, 1.0, 95.0, 3.0, 98.0]), SCORES).unwrap();
    assert!(wide.low >= 0.0 && wide.high <= 100.0, "{wide:?}");
    // An optimum that is wrong: the score is outside, and so is the range.
    let outside = mean_interval(&cell(&[104.0, 104.0, 104.0]), SCORES).unwrap();
    assert!(outside.low < 50.0 && close(outside.high, 104.0), "{outside:?}");
}

#[test]
fn a_share_of_equal_repeats_counts_levels_and_not_episodes() {
    let unsolved: Vec<(&str, f64)> =
        ["a", "b", "c", "d"].iter().flat_map(|level| [(*level, 0.0); 5]).collect();
    let interval = share_interval(&samples(&unsolved)).unwrap();
    assert!(close(interval.low, 0.0) && close(interval.high, 1.0 - 0.025_f64.powf(0.25)), "{interval:?}");
    let once = share_interval(&samples(&unsolved[..5])).unwrap();
    assert_eq!(Some(once), wilson_interval(0.0, 5.0), "repeats of one level are independent of each other");
    // The clustered standard error is 0.5, as of one case, and two levels do not show how large it is.
    let half = share_interval(&samples(&[("a", 1.0), ("a", 1.0), ("b", 0.0), ("b", 0.0)])).unwrap();
    assert!(half.low < 0.01 && half.high > 0.99, "{half:?}");
}

#[test]
fn a_difference_between_levels_needs_more_levels_and_not_more_repeats() {
    let variation = Variation { between: 100.0, within: 100.0, assumed: false };
    assert!(matches!(repeats_needed(20.0, 10, variation), RepeatsNeeded::Repeats(1..4)));
    assert!(matches!(repeats_needed(2.0, 10, variation), RepeatsNeeded::Levels(380..420)));
    assert_eq!(repeats_needed(1e-6, 10, variation), RepeatsNeeded::OutOfReach);
    assert!(matches!(repeats_needed(5.0, 1, variation), RepeatsNeeded::Levels(_)), "one level shows nothing");
}
