//! Scores of pages and their total: weights, what counts 0 and what is dropped, and where the points go.

use serde_json::json;

use super::super::{
    AesResult, PageScore, PageStatus, PaperRule, Rendering, Rules, compare, compare_after,
    failed_interaction, total,
};
use super::builder::{at, element, page, styled, target};
use super::values::released;
use crate::snapshot::Element;

const EXPONENT: f64 = 0.898_701_846_599_578_9;

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

fn sized(element: Element, w: f64, h: f64) -> Element {
    Element { w, h, ..element }
}

/// Two targets far apart: 200 by 100, and 50 by 20.
fn two() -> Vec<Element> {
    vec![target("text", "color"), sized(at(target("text", "color"), 40.0, 600.0), 50.0, 20.0)]
}

fn plain(elements: Vec<Element>) -> Vec<Element> {
    elements.into_iter().map(|element| Element { filter: None, evalby: None, ..element }).collect()
}

#[test]
fn pairs_weigh_a_little_less_than_their_area() {
    let found = compare(&page(two()), &page(plain(two())), released());
    let weights: Vec<f64> = found.pairs.iter().map(|pair| pair.weight).collect();
    assert_near(weights[0], 20_000_f64.powf(EXPONENT));
    assert_near(weights[1], 1_000_f64.powf(EXPONENT));
    assert_near(found.weight, weights[0] + weights[1]);
    assert_near(found.aes, 1.0);
}

#[test]
fn a_target_without_a_column_counts_zero() {
    let found = compare(&page(two()), &page(plain(two()[..1].to_vec())), released());
    let large = 20_000_f64.powf(EXPONENT);
    let small = 1_000_f64.powf(EXPONENT);
    assert_eq!((found.matched, found.zero, found.dropped), (1, 1, 0));
    assert_eq!(found.zero_targets, [1]);
    assert_near(found.aes, large / (large + small));
    assert_near(total(&[found], released()).losses.unmatched, small / (large + small));
}

#[test]
fn a_target_with_a_column_that_is_too_far_does_not_count_as_released() {
    // Another text, without overlap: a GIoU below 0 and a filter of -1.
    let far = Element { text: "Bye".to_owned(), ..at(element(), 900.0, 100.0) };
    let written = [plain(two()[..1].to_vec()), vec![far]].concat();
    let found = compare(&page(two()), &page(written.clone()), released());
    assert_eq!((found.matched, found.zero, found.dropped, found.dropped_targets.clone()), (1, 0, 1, vec![1]));
    assert_near(found.aes, 1.0);
    let counted = compare(&page(two()), &page(written), released().with(PaperRule::UnmatchedCount, true));
    assert_eq!((counted.matched, counted.zero, counted.dropped), (1, 1, 0));
    assert!(counted.aes < 0.95, "{}", counted.aes);
}

#[test]
fn an_empty_page_scores_zero() {
    for rules in [released(), Rules::paper()] {
        let found = compare(&page(two()), &page(vec![]), rules);
        assert_eq!((found.status, found.zero, found.aes), (PageStatus::Scored, 2, 0.0));
        assert_near(total(&[found], rules).losses.unmatched, 1.0);
    }
}

#[test]
fn a_page_without_targets_has_a_status_of_its_own() {
    let found = compare(&page(vec![element()]), &page(vec![element()]), released());
    assert_eq!((found.status, found.weight), (PageStatus::Empty, 0.0));
    let score = total(&[found], released());
    assert_eq!((score.aes, score.losses.unmatched), (0.0, 1.0));
    assert_eq!(total(&[], released()).aes, 0.0);
}

/// A page with the small target alone in another colour, beside one that is equal.
fn unequal_pages(rules: Rules) -> [PageScore; 2] {
    let equal = compare(&page(two()), &page(plain(two())), rules);
    let small = vec![two().remove(1)];
    let black = plain(small.clone()).into_iter().map(|one| styled(one, "color", "rgb(0, 0, 128)")).collect();
    [equal, compare(&page(small), &page(black), rules)]
}

#[test]
fn sub_pages_are_pooled_as_released_and_averaged_in_the_paper() {
    let pages = unequal_pages(released());
    let large = 20_000_f64.powf(EXPONENT);
    let small = 1_000_f64.powf(EXPONENT);
    let colour = 2.5 / 3.0;
    let second = (30.0 * colour + 46.0) / 76.0;
    assert_near(total(&pages, released()).aes, (large + small + small * second) / (large + 2.0 * small));
    let mean = released().with(PaperRule::MeanOfPages, true);
    assert_near(total(&pages, mean).aes, f64::midpoint(1.0, second));
}

#[test]
fn the_position_has_no_weight_in_the_paper() {
    let pages = unequal_pages(released().with(PaperRule::NoPositionWeight, true));
    assert_near(pages[1].aes, 2.5 / 3.0);
    // Nothing is compared, so the match is enough.
    let nothing = |rules| {
        let moved = at(element(), 50.0, 60.0);
        compare(&page(vec![target("text", "padding")]), &page(vec![moved]), rules).aes
    };
    assert_near(nothing(Rules::paper()), 1.0);
    // The position alone: 191 of 201 inclusive columns overlap.
    assert_near(nothing(released()), 0.5 + 0.5 * 191.0 / 201.0);
}

#[test]
fn a_failed_interaction_costs_the_weight_of_the_target_against_itself() {
    let failed = failed_interaction(None, &page(two()), released());
    let whole = compare(&page(two()), &page(plain(two())), released());
    assert_eq!((failed.status, failed.zero, failed.matched), (PageStatus::Act, 2, 0));
    assert_near(failed.weight, whole.weight);
    let score = total(&[whole.clone(), failed], released());
    assert_near(score.aes, 0.5);
    assert_near(score.losses.act, 0.5);
    assert_near(score.losses.sum(), 0.5);
}

#[test]
fn replies_without_code_and_pages_that_do_not_render_lose_everything() {
    let whole = compare(&page(two()), &page(plain(two())), released());
    for (status, par, ren) in [(PageStatus::Par, 1.0, 0.0), (PageStatus::Ren, 0.0, 1.0)] {
        let score = total(&[PageScore::without_score(status), whole.clone()], released());
        assert_eq!((score.aes, score.losses.par, score.losses.ren, score.losses.sum()), (0.0, par, ren, 1.0));
    }
    let score = total(&[whole, PageScore::without_score(PageStatus::TaskError)], released());
    assert_eq!((score.aes, score.task_error), (0.0, true));
}

#[test]
fn an_unchanged_target_is_not_scored_again_in_the_paper() {
    let with_html = |html: &str| Element { html: html.to_owned(), ..target("text", "color") };
    let before = page(vec![with_html("a"), at(with_html("b"), 40.0, 600.0)]);
    let after = page(vec![with_html("a"), at(with_html("c"), 40.0, 600.0)]);
    let skip = released().with(PaperRule::SkipUnchanged, true);
    let counts = |previous, target, rules| {
        let found = compare_after(previous, target, &page(plain(two())), rules);
        (found.status, found.matched, found.dropped)
    };
    assert_eq!(counts(Some(&before), &after, released()), (PageStatus::Scored, 2, 0));
    assert_eq!(counts(Some(&before), &after, skip), (PageStatus::Scored, 1, 1));
    assert_eq!(counts(None, &after, skip), (PageStatus::Scored, 2, 0));
    assert_eq!(counts(Some(&before), &before, skip), (PageStatus::Unchanged, 0, 2));
}

#[test]
fn a_result_has_everything_that_the_score_depends_on() {
    let rules = released().with(PaperRule::TextOverlap, true);
    let pages = vec![compare(&page(two()), &page(plain(two()[..1].to_vec())), rules).named("open")];
    let rendering = Rendering {
        viewport: [1920, 937],
        browser: "Chromium 148".to_owned(),
        fonts: vec!["DejaVu Sans".to_owned()],
    };
    let result = AesResult::new(pages, rules, rendering);
    let written = serde_json::to_value(&result).unwrap();
    assert_eq!((&written["mode"], &written["flags"]), (&json!("mixed"), &json!(["text_overlap"])));
    assert_eq!((&written["viewport"], &written["browser"]), (&json!([1920, 937]), &json!("Chromium 148")));
    let first = &written["pages"][0];
    assert_eq!(
        (&first["name"], &first["status"], &first["zero"]),
        (&json!("open"), &json!("scored"), &json!(1))
    );
    assert_eq!(first["pairs"], json!([[0, 0, 1.0, 20_000_f64.powf(EXPONENT)]]));
    assert_eq!(serde_json::from_value::<AesResult>(written).unwrap(), result);
}

#[test]
fn modes_have_names() {
    assert_eq!((released().mode(), Rules::paper().mode()), ("parity", "strict"));
    for rule in PaperRule::ALL {
        assert_eq!(PaperRule::named(rule.name()), Some(rule));
        assert_eq!(released().with(rule, true).flags().collect::<Vec<_>>(), [rule]);
        assert_eq!(released().with(rule, true).with(rule, false), released());
    }
    assert_eq!(PaperRule::named("nonsense"), None);
}
