//! Numbers over several cells and several repeats against `SciPy` and statsmodels, and what they say of small cases.

use serde_json::Value;

use super::reference::{data, f, rows, same_interval, samples as of_json};
use super::{SCORES, close, samples};
use crate::*;

fn levels(count: usize, value: impl Fn(usize) -> f64) -> Vec<LevelSample> {
    let names: Vec<String> = (0..count).map(|level| format!("level{level:02}")).collect();
    samples(&(0..).zip(&names).map(|(index, name)| (name.as_str(), value(index))).collect::<Vec<_>>())
}

fn zero(of: &[LevelSample]) -> Vec<LevelSample> {
    of.iter().map(|sample| LevelSample { value: 0.0, ..sample.clone() }).collect()
}

#[test]
fn levels_needed_are_those_of_scipy() {
    for row in rows(&data()["levels_needed"]) {
        let pairs = of_json(&row[1]);
        let found = levels_needed(f(&row[0]), &paired_difference(&pairs, &zero(&pairs), SCORES));
        let expected = row[2].as_u64().map_or(LevelsNeeded::OutOfReach, |levels| {
            LevelsNeeded::Levels(usize::try_from(levels).unwrap())
        });
        assert_eq!(found, Some(expected), "{}", row[0]);
    }
}

#[test]
fn levels_needed_are_those_that_make_the_difference_visible() {
    let pairs = levels(20, |index| f64::from(u8::try_from(index * 7 % 11).unwrap()));
    let paired = paired_difference(&pairs, &zero(&pairs), SCORES);
    let visible = paired.test.smallest_visible.unwrap();
    assert_eq!(levels_needed(visible + 1e-9, &paired), Some(LevelsNeeded::Levels(20)));
    assert_eq!(levels_needed(visible - 1e-9, &paired), Some(LevelsNeeded::Levels(21)));
    let few = levels(20, |index| if index < 5 { 30.0 } else { 0.0 });
    assert_eq!(levels_needed(5.0, &paired_difference(&few, &zero(&few), SCORES)), None, "five differ");
    let alike = levels(20, |_| 30.0);
    assert_eq!(levels_needed(5.0, &paired_difference(&alike, &zero(&alike), SCORES)), None, "no spread");
    let one = samples(&[("a", 1.0), ("a", 2.0), ("a", 3.0), ("a", 4.0), ("a", 5.0), ("a", 9.0)]);
    assert_eq!(levels_needed(5.0, &paired_difference(&one, &zero(&one), SCORES)), None, "one level");
}

#[test]
fn probabilities_of_being_best_are_those_of_numpy() {
    for case in data()["best"].as_array().unwrap() {
        let cells: Vec<Vec<LevelSample>> = case["cells"].as_array().unwrap().iter().map(of_json).collect();
        let cells: Vec<&[LevelSample]> = cells.iter().map(Vec::as_slice).collect();
        let found = probability_of_best(&cells).unwrap();
        let expected: Vec<f64> = case["shares"].as_array().unwrap().iter().map(f).collect();
        assert_eq!(found.shares.len(), expected.len());
        assert!(found.shares.iter().zip(&expected).all(|(one, other)| close(*one, *other)), "{found:?}");
    }
}

#[test]
fn the_best_cell_is_sought_on_the_levels_that_all_have() {
    let low = levels(6, |_| 10.0);
    let high = levels(4, |_| 20.0);
    let found = probability_of_best(&[&low, &high]).unwrap();
    assert_eq!((found.shares.as_slice(), found.levels), ([0.0, 1.0].as_slice(), 4));
    let equal = probability_of_best(&[&low, &low]).unwrap();
    assert_eq!(equal.shares, [0.5, 0.5]);
    assert_eq!(probability_of_best(&[&low]), None, "nothing to be better than");
    assert_eq!(probability_of_best(&[&low, &high[..1]]), None, "one level");
    assert_eq!(probability_of_best(&[]), None);
}

#[test]
fn variance_components_are_those_of_the_analysis_of_variance() {
    for row in rows(&data()["components"]) {
        let found = VarianceComponents::of(&of_json(&row[0])).unwrap();
        assert!(close(found.within, f(&row[1])) && close(found.between_estimate, f(&row[2])), "{found:?}");
    }
}

#[test]
fn a_negative_estimate_between_levels_counts_as_zero_and_is_marked() {
    let alike = samples(&[("a", 0.0), ("a", 100.0), ("b", 100.0), ("b", 0.0)]);
    let found = VarianceComponents::of(&alike).unwrap();
    // The means are equal, and the repeats have the variance 5000.
    assert!(close(found.within, 5000.0) && close(found.between_estimate, -2500.0), "{found:?}");
    assert_eq!((found.between(), found.is_negative(), found.share_between()), (0.0, true, Some(0.0)));
    let steady = samples(&[("a", 0.0), ("a", 0.0), ("b", 100.0), ("b", 100.0)]);
    let found = VarianceComponents::of(&steady).unwrap();
    assert!(close(found.between(), 5000.0) && !found.is_negative(), "{found:?}");
    assert_eq!(found.share_between(), Some(1.0));
    let equal = samples(&[("a", 7.0), ("a", 7.0), ("b", 7.0)]);
    assert_eq!(VarianceComponents::of(&equal).unwrap().share_between(), None);
    assert_eq!(VarianceComponents::of(&samples(&[("a", 1.0), ("b", 2.0)])), None, "no repeats");
    assert_eq!(VarianceComponents::of(&samples(&[("a", 1.0), ("a", 2.0)])), None, "one level");
}

#[test]
fn pass_hat_is_that_of_all_choices_of_repeats() {
    for case in data()["pass_hat"].as_array().unwrap() {
        let found = pass_hat(&of_json(&case["samples"]));
        let expected: &Vec<Value> = case["curve"].as_array().unwrap();
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!(close(found.mean, f(&expected["mean"])), "{found:?} {expected}");
            assert!(same_interval(found.band, &expected["band"]), "{found:?} {expected}");
        }
    }
}

#[test]
fn pass_hat_ends_where_a_level_has_fewer_repeats() {
    let level =
        |name, solved: usize, of: usize| (0..of).map(move |i| (name, if i < solved { 1.0 } else { 0.0 }));
    let all: Vec<(&str, f64)> = level("a", 3, 4).chain(level("b", 1, 3)).collect();
    let found: Vec<(usize, f64)> =
        pass_hat(&samples(&all)).iter().map(|point| (point.k, point.mean)).collect();
    // C(3,k)/C(4,k) and C(1,k)/C(3,k).
    let expected = [(1, f64::midpoint(0.75, 1.0 / 3.0)), (2, 0.25), (3, 0.125)];
    assert_eq!(found.len(), 3);
    assert!(
        found.iter().zip(expected).all(|(one, other)| one.0 == other.0 && close(one.1, other.1)),
        "{found:?}"
    );
    assert!(pass_hat(&[]).is_empty());
}

#[test]
fn levels_are_always_solved_never_or_split() {
    let all =
        [("a", 1.0), ("a", 1.0), ("b", 0.0), ("b", 0.0), ("c", 1.0), ("d", 1.0), ("d", 0.0), ("d", 0.0)];
    let more = [("e", 0.0), ("e", 1.0), ("f", 1.0), ("f", 1.0), ("f", 0.0), ("f", 1.0)];
    let found = RepeatedLevels::of(&samples(&[all.as_slice(), more.as_slice()].concat()));
    assert_eq!((found.always, found.never, found.once, found.repeated()), (1, 1, 1, 5));
    let split: Vec<(&str, usize, usize)> =
        found.split.iter().map(|level| (level.level.as_str(), level.solved, level.of)).collect();
    assert_eq!(split, [("e", 1, 2), ("d", 1, 3), ("f", 3, 4)], "the nearest to half first");
}

/// The counts of a question in two sets.
fn question(value: &Value) -> AnswerCounts {
    let counts = |value: &Value| {
        value.as_array().unwrap().iter().map(|n| usize::try_from(n.as_u64().unwrap()).unwrap()).collect()
    };
    AnswerCounts { one: counts(&value[0]), other: counts(&value[1]) }
}

#[test]
fn answers_are_compared_as_numpy_does() {
    for row in rows(&data()["answers"]) {
        let questions: Vec<AnswerCounts> = row[0].as_array().unwrap().iter().map(question).collect();
        let found = answers_test(&questions).unwrap();
        assert!(close(found.distance, f(&row[1])) && close(found.pooled, f(&row[2])), "{found:?} {row:?}");
        assert!(close(found.p, f(&row[3])), "{found:?} {row:?}");
    }
}

#[test]
fn equal_answers_have_no_distance_and_a_question_that_one_set_lacks_does_not_count() {
    let counts = |one: &[usize], other: &[usize]| AnswerCounts { one: one.to_vec(), other: other.to_vec() };
    let equal = answers_test(&[counts(&[3, 1], &[6, 2])]).unwrap();
    assert!(close(equal.distance, 0.0) && close(equal.p, 1.0), "{equal:?}");
    assert_eq!(answers_test(&[counts(&[3, 1], &[0, 0])]), None);
    assert_eq!(answers_test(&[]), None);
    let apart = [counts(&[5, 0], &[0, 5]), counts(&[0, 0], &[5, 0])];
    let found = answers_test(&apart).unwrap();
    // Of C(10, 5) = 252 ways two are as far apart: Fisher's exact test has the same value.
    assert!(close(found.distance, 1.0), "{found:?}");
    assert!((found.p - fisher_exact((5, 5), (0, 5))).abs() < 0.003, "{found:?}");
}

#[test]
fn a_change_everywhere_is_found_with_few_answers_to_each_question() {
    // Two answers each: once one of every kind, and once mostly the first kind.
    let spread = |number: usize| (0..4).map(|kind| usize::from((number + kind) % 4 < 2)).collect::<Vec<_>>();
    let question = |number: usize| AnswerCounts {
        one: spread(number),
        other: if number.is_multiple_of(5) { vec![0, 1, 1, 0] } else { vec![2, 0, 0, 0] },
    };
    let questions: Vec<AnswerCounts> = (0_usize..40).map(question).collect();
    let found = answers_test(&questions).unwrap();
    assert!(found.p < 0.001 && found.pooled <= found.distance, "{found:?}");
    let same: Vec<AnswerCounts> =
        (0..40).map(|number| AnswerCounts { one: spread(number), other: spread(number + 1) }).collect();
    let found = answers_test(&same).unwrap();
    assert!(found.p > 0.2, "other answers to each, and the same ones in all: {found:?}");
}

#[test]
fn corrected_p_values_are_those_of_statsmodels() {
    for row in rows(&data()["holm"]) {
        let values: Vec<f64> = row[0].as_array().unwrap().iter().map(f).collect();
        let expected: Vec<f64> = row[1].as_array().unwrap().iter().map(f).collect();
        assert!(holm(&values).iter().zip(&expected).all(|(one, other)| close(*one, *other)), "{row:?}");
    }
}

#[test]
fn a_margin_is_kept_only_if_the_whole_interval_is_above_it() {
    let verdict = |low: f64, high: f64| MarginVerdict::of(Some(Interval { low, high }), 0.1);
    assert_eq!(verdict(0.01, 0.3), MarginVerdict::Better);
    assert_eq!(verdict(0.0, 0.3), MarginVerdict::NotWorse, "zero is not excluded");
    assert_eq!(verdict(-0.09, 0.3), MarginVerdict::NotWorse);
    assert_eq!(verdict(-0.09, -0.01), MarginVerdict::NotWorse, "worse, and by less than the margin");
    assert_eq!(verdict(-0.1, 0.3), MarginVerdict::Undecided, "the margin is not excluded");
    assert_eq!(verdict(-0.2, 0.0), MarginVerdict::Undecided);
    assert_eq!(verdict(-0.2, -0.01), MarginVerdict::Worse);
    assert_eq!(verdict(-0.4, -0.2), MarginVerdict::Worse);
    assert_eq!(MarginVerdict::of(None, 0.1), MarginVerdict::Undecided);
    let kept =
        [MarginVerdict::Better, MarginVerdict::NotWorse, MarginVerdict::Worse, MarginVerdict::Undecided];
    assert_eq!(kept.map(MarginVerdict::is_kept), [true, true, false, false]);
}

#[test]
fn disagreement_beyond_that_within_each_set_is_unbiased() {
    let counts = |one: &[usize], other: &[usize]| AnswerCounts { one: one.to_vec(), other: other.to_vec() };
    for (one, other, wanted) in [
        (&[2, 0][..], &[0, 2][..], Some(1.0)),
        (&[3, 0], &[5, 0], Some(0.0)),
        // Answers differ in 5 of 9 pairs across, and in 2 of 3 and 2 of 3 within.
        (&[2, 1], &[1, 2], Some(5.0 / 9.0 - 2.0 / 3.0)),
        (&[1, 0], &[0, 2], None),
        (&[], &[], None),
    ] {
        let found = counts(one, other).disagreement();
        assert_eq!(found.is_some(), wanted.is_some(), "{one:?} {other:?}");
        assert!(found.zip(wanted).is_none_or(|(found, wanted)| close(found, wanted)), "{found:?} {wanted:?}");
    }
    let apart = vec![counts(&[2, 0], &[0, 2]); 4];
    // Of 6 ways to deal four answers out, 2 are as far apart; in four states 2^4 of 6^4.
    let p = disagreement_test(&apart).unwrap();
    assert!((p - (2.0_f64 / 6.0).powi(4)).abs() < 0.003, "{p}");
    assert!(close(disagreement_test(&vec![counts(&[3, 0], &[3, 0]); 9]).unwrap(), 1.0));
    assert_eq!(disagreement_test(&[counts(&[1], &[1])]), None);
    // The mean over all ways to deal four answers of two kinds out to two sets of two is 0.
    let deals = [(2, 0), (1, 1), (1, 1), (1, 1), (1, 1), (0, 2)];
    let mean: f64 =
        deals.iter().map(|(a, b)| counts(&[*a, *b], &[2 - a, 2 - b]).disagreement().unwrap()).sum();
    assert!(close(mean, 0.0), "{mean}");
}
