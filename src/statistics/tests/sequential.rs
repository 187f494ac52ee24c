//! Boundaries compared with published ones, and the error of the complete test by simulation.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;

fn boundaries(alpha: f64, spending: ErrorSpending, shares: &[f64]) -> Vec<f64> {
    sequential_looks(alpha, spending, shares).unwrap().iter().map(|look| look.z).collect()
}

fn near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (one, other) in found.iter().zip(expected) {
        assert!((one - other).abs() < 1.5e-4, "{found:?} and {expected:?}");
    }
}

fn fifths() -> Vec<f64> {
    (1..=5).map(|look| f64::from(look) / 5.0).collect()
}

/// The tables have four digits; the last one of 3.3569 is not exact: one integral over the first look gives 3.35701.
#[test]
fn boundaries_are_those_of_published_tables() {
    let obrien = boundaries(0.025, ErrorSpending::ObrienFleming, &fifths());
    near(&obrien, &[4.8769, 3.3569, 2.6803, 2.2898, 2.0310]);
    let pocock = boundaries(0.025, ErrorSpending::Pocock, &fifths());
    near(&pocock, &[2.4380, 2.4268, 2.4101, 2.3966, 2.3859]);
    // One look is an ordinary test.
    near(&boundaries(0.025, ErrorSpending::Pocock, &[1.0]), &[1.959_96]);
    near(&boundaries(0.05, ErrorSpending::ObrienFleming, &[1.0]), &[1.644_85]);
}

#[test]
fn looks_say_what_they_spend_and_refuse_what_is_not_a_plan() {
    let looks = sequential_looks(0.025, ErrorSpending::ObrienFleming, &[0.02, 0.5, 1.0]).unwrap();
    // So early nothing is significant.
    assert_eq!((looks[0].z, looks[0].nominal), (f64::INFINITY, 0.0));
    assert!((looks[1].spent - 0.001_525).abs() < 1e-6, "{looks:?}");
    assert!((looks[1].nominal - 0.001_525).abs() < 1e-6, "{looks:?}");
    assert_eq!(looks[2].spent, 0.025);
    for shares in [&[0.5, 0.5][..], &[0.0, 1.0], &[0.5, 1.1], &[f64::NAN]] {
        assert_eq!(sequential_looks(0.025, ErrorSpending::Pocock, shares), None);
    }
    assert_eq!(sequential_looks(0.0, ErrorSpending::Pocock, &[1.0]), None);
    assert_eq!(sequential_looks(0.7, ErrorSpending::Pocock, &[1.0]), None);
}

/// A standard normal value (Box and Muller 1958).
fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
    let mut uniform = || {
        let bits = u32::try_from(random.next_u64() >> 32).unwrap();
        (f64::from(bits) + 0.5) / 4_294_967_296.0
    };
    (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
}

#[test]
fn all_looks_together_keep_the_error_also_at_uneven_shares() {
    let shares = [0.1, 0.15, 0.45, 0.5, 0.97, 1.0];
    for spending in [ErrorSpending::ObrienFleming, ErrorSpending::Pocock] {
        let looks = sequential_looks(0.05, spending, &shares).unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut crossed = 0_u32;
        for _ in 0..100_000 {
            let mut motion = 0.0;
            let mut before = 0.0;
            crossed += u32::from(looks.iter().any(|look| {
                motion += (look.share - before).sqrt() * normal(&mut random);
                before = look.share;
                motion / look.share.sqrt() > look.z
            }));
        }
        let error = f64::from(crossed) / 100_000.0;
        // Three standard errors of a share of 5 % in 100,000 are 0.2 %.
        assert!((error - 0.05).abs() < 0.002, "{spending:?}: {error}");
    }
}

/// A sample for each value, each of a level of its own.
fn levels(values: &[f64]) -> Vec<LevelSample> {
    let sample = |(index, value): (usize, &f64)| LevelSample {
        level: format!("level{index}"),
        repeat: Repeat { number: 1, seed: 0 },
        value: *value,
    };
    values.iter().enumerate().map(sample).collect()
}

#[test]
fn a_statistic_of_many_levels_is_nearly_normal_and_its_bounds_are_those_of_student() {
    let values: Vec<f64> = (0..40).map(|index| if index % 2 == 0 { -7.0 } else { 5.0 }).collect();
    let test = MarginTest::of(&levels(&values), 4.0, Some(100.0)).unwrap();
    assert!(close(test.mean, -1.0));
    // t = 3 / 0.9608 = 3.1225 with 39 degrees of freedom, p = 0.00168.
    assert!((test.z.unwrap() - 2.932).abs() < 2e-3, "{test:?}");
    let bounds = test.bounds(0.025).unwrap();
    // t(0.975, 39) = 2.0227.
    assert!((bounds.interval.low - (-1.0 - 2.0227 * 0.9608)).abs() < 1e-3, "{bounds:?}");
    assert!(bounds.is_not_worse && !bounds.is_worse);
    assert!(!test.bounds(0.0005).unwrap().is_not_worse);
    let close_to_it = MarginTest::of(&levels(&values), 0.5, Some(100.0)).unwrap();
    assert!(!close_to_it.bounds(0.2).unwrap().is_worse);
    let far = MarginTest::of(
        &levels(&values.iter().map(|value| value - 20.0).collect::<Vec<_>>()),
        4.0,
        Some(100.0),
    );
    assert!(far.unwrap().bounds(0.001).unwrap().is_worse);
    assert_eq!(test.bounds(0.0), None);
    assert!((upper_tail(1.959_964) - 0.025).abs() < 1e-7);
}

#[test]
fn equal_episodes_need_enough_levels() {
    let equal = |count: usize| MarginTest::of(&levels(&vec![0.0; count]), 10.0, Some(100.0));
    assert_eq!(equal(1), None);
    let few = equal(10).unwrap();
    assert_eq!((few.z, few.bounds(0.025).unwrap().is_not_worse), (None, false));
    // 1 - 0.0125^(1/n) < 0.1 from 42 levels on.
    assert_eq!(few.levels_if_few_differ(0.025), Some(42));
    assert!(!equal(41).unwrap().bounds(0.025).unwrap().is_not_worse);
    assert!(equal(42).unwrap().bounds(0.025).unwrap().is_not_worse);
    // All worse by the same, which says nothing of a spread either.
    let worse = MarginTest::of(&levels(&[-100.0; 12]), 10.0, Some(100.0)).unwrap();
    assert_eq!(worse.z, None);
    assert!(worse.bounds(0.025).unwrap().is_worse);
    assert_eq!(worse.levels_if_few_differ(0.025), None);
    // Without a range nothing follows from few that differ.
    let endless = MarginTest::of(&levels(&[0.0; 50]), 10.0, None).unwrap();
    assert_eq!((endless.bounds(0.025), endless.levels_if_few_differ(0.025)), (None, None));
}

/// The share of simulated tests that find "not worse" where the true difference is minus the margin.
fn error_of(draw: impl Fn(&mut Xoshiro256PlusPlus) -> f64, margin: f64) -> f64 {
    let looks = sequential_looks(0.025, ErrorSpending::Pocock, &[0.25, 0.5, 0.75, 1.0]).unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut wrong = 0_u32;
    for _ in 0..2_000 {
        let values: Vec<f64> = (0..80).map(|_| draw(&mut random)).collect();
        wrong += u32::from((1..).zip(&looks).any(|(look, plan)| {
            let test = MarginTest::of(&levels(&values[..20 * look]), margin, Some(100.0)).unwrap();
            test.bounds(plan.nominal).unwrap().is_not_worse
        }));
    }
    f64::from(wrong) / 2_000.0
}

#[test]
fn a_difference_of_exactly_the_margin_is_rarely_found_to_be_smaller() {
    // Three standard errors of 2.5 % in 2,000 are 1 %.
    let smooth = error_of(|random| 20.0 * normal(random) - 10.0, 10.0);
    assert!(smooth < 0.035, "{smooth}");
    // Scores of solved and unsolved levels: 50 points lost in 25 %, gained in 5 % of the pairs.
    let steps = error_of(
        |random| match random.next_u64() % 20 {
            0..5 => -50.0,
            5 => 50.0,
            _ => 0.0,
        },
        10.0,
    );
    assert!(steps < 0.035, "{steps}");
    // Rare losses alone, for which t without the correction for skewness finds too many.
    let losses = error_of(|random| if random.next_u64() % 5 == 0 { -50.0 } else { 0.0 }, 10.0);
    assert!(losses < 0.035, "{losses}");
}

#[test]
fn power_is_that_of_the_remaining_pairs() {
    // Half of the pairs with z = 1.96: the trend goes to 2.77.
    let trend = conditional_power(1.96, 0.5, 1.96);
    assert!((trend - 0.8747).abs() < 1e-3, "{trend}");
    let predicted = predictive_power(1.96, 0.5, 1.96);
    assert!((predicted - 0.7917).abs() < 1e-3, "{predicted}");
    let more = further_pairs(1.5, 50, 1.96, 0.8).unwrap();
    let power = |all: u32| conditional_power(1.5, 50.0 / f64::from(all), 1.96);
    assert!(power(50 + more) >= 0.8 && power(50 + more - 1) < 0.8, "{more}");
    assert_eq!(further_pairs(-0.1, 50, 1.96, 0.8), None);
    assert_eq!(further_pairs(1e-6, 50, 1.96, 0.8), None);
}
