//! What is counted over a set of questions, and the properties of levels by which the paper groups them.

use super::record::{About, Ground, Trajectory, Transition};
use mageyard_domain::{SetMeasure, Verdict};

/// The share of right answers.
const ACCURACY: SetMeasure =
    SetMeasure::percentage("accuracy", "accuracy %", |verdict| Some((share(verdict.success), 1.0)));

pub(super) const GROUND: &[SetMeasure] = &[
    ACCURACY,
    // Apart only where the kind of the click is judged too.
    SetMeasure::percentage("place", "place %", |verdict| Some((figure(verdict, "place")?, kind(verdict)?.1))),
    SetMeasure::percentage("kind", "kind %", kind),
];

pub(super) const IDM: &[SetMeasure] = &[
    ACCURACY,
    SetMeasure::ratio("edit_distance", "edit distance", |verdict| {
        Some((figure(verdict, "edit_distance")?, 1.0))
    }),
];

pub(super) const CRITIC: &[SetMeasure] = &[
    ACCURACY,
    SetMeasure::percentage("precision", "precision %", |verdict| {
        let (is, said) = truth(verdict)?;
        Some((is * said, said))
    }),
    SetMeasure::percentage("recall", "recall %", |verdict| {
        let (is, said) = truth(verdict)?;
        Some((is * said, is))
    }),
    SetMeasure::percentage("f1", "F1 %", |verdict| {
        let (is, said) = truth(verdict)?;
        Some((2.0 * is * said, is + said))
    }),
];

fn share(is: bool) -> f64 {
    if is { 1.0 } else { 0.0 }
}

fn figure(verdict: &Verdict, name: &str) -> Option<f64> {
    verdict.figures.get(name).copied()
}

fn kind(verdict: &Verdict) -> Option<(f64, f64)> {
    Some((figure(verdict, "kind")?, 1.0))
}

/// Whether the task was done, and whether the answer says so.
fn truth(verdict: &Verdict) -> Option<(f64, f64)> {
    Some((figure(verdict, "is_true")?, figure(verdict, "said_true")?))
}

/// The shares of a picture up to which an element is of a class, in percent, with its name.
const AREAS: [(f64, &str); 4] =
    [(0.1, "up to 0.1 %"), (1.0, "0.1 to 1 %"), (10.0, "1 to 10 %"), (f64::INFINITY, "over 10 %")];

pub(super) fn ground_properties(record: &Ground) -> Vec<(&'static str, String)> {
    let mut properties = about(&record.about);
    let Some((width, height)) = record.resolution else { return properties };
    properties.push(("resolution", format!("{width}x{height}")));
    let [left, top, right, bottom] = record.area.0;
    let share =
        100.0 * (right - left).max(0.0) * (bottom - top).max(0.0) / (f64::from(width) * f64::from(height));
    let class = AREAS.iter().find(|(most, _)| share <= *most);
    properties.extend(class.map(|(_, name)| ("area", (*name).to_owned())));
    properties
}

pub(super) fn idm_properties(record: &Transition) -> Vec<(&'static str, String)> {
    let mut properties = about(&record.about);
    properties.push(("form", if record.single { "single" } else { "multiple" }.to_owned()));
    properties
}

pub(super) fn critic_properties(record: &Trajectory) -> Vec<(&'static str, String)> {
    about(&record.about)
}

fn about(about: &About) -> Vec<(&'static str, String)> {
    let platform = about.platform.clone().map(|platform| ("platform", platform));
    let source = about.source.clone().map(|source| ("source", source));
    platform.into_iter().chain(source).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a measure over verdicts of `is_true` and `said_true`.
    fn value(name: &str, answers: &[(bool, bool)]) -> Option<f64> {
        let measure = CRITIC.iter().find(|measure| measure.name == name).unwrap();
        let verdict = |(is, said): &(bool, bool)| Verdict {
            success: is == said,
            figures: [("is_true", share(*is)), ("said_true", share(*said))]
                .map(|(name, value)| (name.to_owned(), value))
                .into(),
            ..Verdict::default()
        };
        let parts = answers.iter().filter_map(|answer| measure.parts(&verdict(answer), None));
        let (above, under) = parts.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        (under > 0.0).then(|| above / under)
    }

    /// Precision, recall and F1 from the four counts, as they are defined.
    fn by_counts(answers: &[(bool, bool)]) -> [Option<f64>; 4] {
        let count = |wanted: (bool, bool)| {
            f64::from(u32::try_from(answers.iter().filter(|one| **one == wanted).count()).unwrap())
        };
        let [tp, tn, fp, fn_] = [(true, true), (false, false), (false, true), (true, false)].map(count);
        let over = |above: f64, under: f64| (under > 0.0).then(|| above / under);
        let f1 = |precision: f64, recall: f64| {
            if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
        };
        let precision = over(tp, tp + fp);
        let recall = over(tp, tp + fn_);
        // The usual form needs both; the one by counts is the same where both are there.
        let f1 = precision.zip(recall).map(|(precision, recall)| f1(precision, recall));
        [over(tp + tn, tp + tn + fp + fn_), precision, recall, f1]
    }

    #[test]
    fn measures_are_those_of_an_independent_calculation() {
        let mut state = 7_u64;
        for length in 0..200_usize {
            let answers: Vec<(bool, bool)> = (0..length)
                .map(|_| {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 40 & 3 != 0, state >> 50 & 1 != 0)
                })
                .collect();
            let expected = by_counts(&answers);
            for (name, expected) in ["accuracy", "precision", "recall"].into_iter().zip(expected) {
                assert_near(name, value(name, &answers), expected);
            }
            if expected[3].is_some() {
                assert_near("f1", value("f1", &answers), expected[3]);
            }
        }
    }

    fn assert_near(name: &str, found: Option<f64>, expected: Option<f64>) {
        match (found, expected) {
            (Some(found), Some(expected)) => {
                assert!((found - expected).abs() < 1e-9, "{name}: {found}, {expected}");
            }
            (found, expected) => assert_eq!(found, expected, "{name}"),
        }
    }

    #[test]
    fn what_cannot_be_divided_is_undefined() {
        let all = |answers: &[(bool, bool)]| ["precision", "recall", "f1"].map(|name| value(name, answers));
        assert_eq!(all(&[]), [None; 3]);
        assert_eq!(all(&[(false, false)]), [None; 3], "one class, and no positive answer");
        assert_eq!(all(&[(true, false)]), [None, Some(0.0), Some(0.0)]);
        assert_eq!(all(&[(false, true)]), [Some(0.0), None, Some(0.0)]);
        assert_eq!(all(&[(true, true)]), [Some(1.0); 3]);
    }

    #[test]
    fn levels_have_the_properties_of_the_paper() {
        let record: serde_json::Map<_, _> = serde_json::from_str(
            r#"{"image": "a", "instruction": "b", "bbox": [0, 0, 10, 10], "resolution": [100, 100], "platform": "web"}"#,
        )
        .unwrap();
        let found = ground_properties(&Ground::read(&record).unwrap());
        let rows: Vec<(&str, &str)> = found.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(rows, [("platform", "web"), ("resolution", "100x100"), ("area", "0.1 to 1 %")]);
    }
}
