//! The worked example of `docs/webui.md`.

use super::super::{Rules, compare, explain, total};
use super::builder::{at, element, page, styled, target};
use crate::snapshot::{Element, Snapshot};

const CORNERS: [&str; 4] = [
    "border-top-left-radius",
    "border-top-right-radius",
    "border-bottom-right-radius",
    "border-bottom-left-radius",
];

fn round(element: Element, radii: [&str; 4]) -> Element {
    CORNERS.into_iter().zip(radii).fold(element, |element, (name, value)| styled(element, name, value))
}

fn pages() -> (Snapshot, Snapshot) {
    let wanted = styled(target("text", "color|border-radius|text|padding"), "color", "rgb(51, 102, 153)");
    let written = Element { w: 196.0, ..at(styled(element(), "color", "rgb(51, 110, 140)"), 52.0, 64.0) };
    (page(vec![round(wanted, ["12px"; 4])]), page(vec![round(written, ["8px", "12px", "12px", "12px"])]))
}

fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

#[test]
fn the_worked_example_has_its_published_numbers() {
    let (target, generated) = pages();
    let score = compare(&target, &generated, Rules::released());
    let explained = explain(&target, &generated, (0, 0), Rules::released()).unwrap();
    assert_near(explained.giou, 0.83482, 5e-6);
    assert_near(explained.position.value, 0.96070, 5e-6);
    let values: Vec<_> = explained.attributes.iter().map(|part| part.value).collect();
    assert_near(values[0].unwrap(), 0.97266, 5e-6);
    assert_near(values[1..5].iter().flatten().sum::<f64>() / 4.0, 0.91667, 5e-6);
    assert_eq!((values[5], values[6]), (Some(1.0), None));
    assert_near(score.pairs[0].score, 171.8384 / 182.8, 5e-7);
    assert_near(score.pairs[0].weight, 7334.045, 5e-4);
    assert_eq!((score.targets, score.shown, score.matched, score.zero, score.dropped), (1, 1, 1, 0, 0));
}

#[test]
fn the_worked_example_is_exact() {
    let (target, generated) = pages();
    let score = compare(&target, &generated, Rules::released());
    // Inclusive boxes: 201 x 101 and 197 x 101, overlap 189 x 97, hull 209 x 105.
    let position = 0.5 + 0.5 * (189.0 * 97.0) / (197.0 * 101.0);
    let colour = (1.0 + (1.0 - 8.0 / 256.0) + (1.0 - 13.0 / 256.0)) / 3.0;
    let radius = (3.0 + 8.0 / 12.0) / 4.0;
    let sum = colour * 30.0 + radius * 100.0 + 6.8 + position * 46.0;
    assert_near(score.pairs[0].score, sum / 182.8, 1e-12);
    assert_near(total(&[score], Rules::released()).aes, sum / 182.8, 1e-12);
}

#[test]
fn an_explanation_sums_to_one() {
    let (target, generated) = pages();
    for rules in [Rules::released(), Rules::paper()] {
        let explained = explain(&target, &generated, (0, 0), rules).unwrap();
        let lost: f64 = explained.attributes.iter().map(|part| part.lost).sum();
        assert_near(explained.score + lost + explained.position.lost, 1.0, 1e-12);
    }
    assert_eq!(explain(&target, &generated, (0, 1), Rules::released()), None);
}
