//! What holds for all pages: with arbitrary strings as styles nothing fails, losses and score sum to 1, and in the
//! strict mode the score lies between 0 and 1.

use proptest::prelude::*;

use super::super::{PageStatus, PaperRule, Rules, compare, explain, failed_interaction, total};
use super::builder::{at, element, page, styled, target};
use crate::snapshot::{Element, PROPERTIES};

const NAMES: &str = "has_text|text|placeholder|value|src|type|class|color|background|border|border-radius|\
    border-top|border-bottom|outline|width|height|font-size|letter-spacing|font-family|text-shadow|box-shadow|\
    background-size|background-linear-gradient|padding|nonsense";

/// Strings near those of browsers, and others.
fn style() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "rgb(1, 2, 3)",
        "rgba(0, 0, 0, 0.5)",
        "rgba(9, 9, 9, 1)",
        "linear-gradient(",
        ")",
        "(",
        ", ",
        ",",
        " ",
        "px",
        "4px",
        "-2px",
        "1e999px",
        "nan",
        "inf",
        "inset",
        "none",
        "auto",
        "50%",
        "url(\"file:///pages/a.png\")",
        "rgb(",
        "rgba(",
        "_",
        "-",
        "ß",
        "\u{a0}",
    ]);
    prop_oneof![
        prop::collection::vec(piece, 0..7).prop_map(|pieces| pieces.concat()),
        (-9_i32..300).prop_map(|pixels| format!("{pixels}px")),
        (0_u16..300, 0_u16..300).prop_map(|(red, blue)| format!("rgb({red}, 0, {blue})")),
        any::<String>(),
    ]
}

fn any_element() -> impl Strategy<Value = Element> {
    let styles = prop::collection::vec(style(), PROPERTIES.len());
    let side = prop_oneof![Just(0.0), 0.0..400.0, Just(f64::from(f32::MAX))];
    let place = prop_oneof![-50.0..900.0, Just(-f64::from(f32::MAX)), Just(f64::from(f32::MAX))];
    (styles, (place.clone(), place), (side.clone(), side), "[a-c ]{0,24}", 0_u32..9, any::<bool>()).prop_map(
        |(styles, (x, y), (w, h), text, descendants, shown)| {
            let attributes = [("src".to_owned(), text.clone()), ("value".to_owned(), text.clone())].into();
            Element { x, y, w, h, descendants, text, styles, shown, attributes, ..element() }
        },
    )
}

fn filter() -> impl Strategy<Value = Option<String>> {
    let names: Vec<String> = NAMES.split('|').map(str::to_owned).collect();
    prop::option::weighted(0.8, prop::sample::select(names))
}

fn any_target() -> impl Strategy<Value = Element> {
    (any_element(), filter()).prop_map(|(element, filter)| Element {
        filter,
        evalby: Some(NAMES.to_owned()),
        ..element
    })
}

fn any_rules() -> impl Strategy<Value = Rules> {
    prop::collection::vec(any::<bool>(), PaperRule::ALL.len()).prop_map(|chosen| {
        let flags = PaperRule::ALL.into_iter().zip(chosen);
        flags.fold(Rules::released(), |rules, (rule, chosen)| rules.with(rule, chosen))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn arbitrary_styles_have_a_score_and_losses_that_sum_to_one(
        targets in prop::collection::vec(any_target(), 0..5),
        generated in prop::collection::vec(any_element(), 0..6),
        rules in prop_oneof![Just(Rules::released()), Just(Rules::paper()), any_rules()],
    ) {
        let wanted = page(targets);
        let written = page(generated);
        let found = compare(&wanted, &written, rules);
        prop_assert_eq!(found.targets, found.matched + found.zero + found.dropped);
        for pair in &found.pairs {
            let explained = explain(&wanted, &written, (pair.target, pair.generated), rules).unwrap();
            prop_assert_eq!(explained.score, pair.score);
            let lost: f64 = explained.attributes.iter().map(|part| part.lost).sum();
            let whole = explained.score + lost + explained.position.lost;
            prop_assert!((whole - 1.0).abs() < 1e-9 * explained.score.abs().max(1.0), "{}", whole);
        }
        let failed = failed_interaction(None, &wanted, rules);
        let score = total(&[found, failed], rules);
        let tolerance = 1e-9 * score.aes.abs().max(1.0);
        prop_assert!((score.aes + score.losses.sum() - 1.0).abs() < tolerance, "{:?}", score);
        let bounded = rules.has(PaperRule::BoundedLengths);
        prop_assert!(score.aes >= 0.0 && (!bounded || score.aes <= 1.0 + 1e-12), "{:?}", score);
    }
}

/// Targets in a grid without overlap, with different texts and styles.
fn grid(styles: &[(u8, u8)]) -> Vec<Element> {
    let one = |(index, (colour, radius)): (usize, &(u8, u8))| {
        let place = f64::from(u32::try_from(index).unwrap());
        let moved = at(target("text", "text|color|border-radius|width"), 40.0, 60.0 + 150.0 * place);
        let coloured = styled(moved, "color", &format!("rgb({colour}, 0, 0)"));
        let round = styled(coloured, "border-top-left-radius", &format!("{radius}px"));
        Element { text: format!("Item {index}"), ..round }
    };
    styles.iter().enumerate().map(one).collect()
}

fn copies(targets: &[Element]) -> Vec<Element> {
    targets.iter().map(|one| Element { filter: None, evalby: None, ..one.clone() }).collect()
}

fn aes(targets: &[Element], generated: Vec<Element>, rules: Rules) -> f64 {
    total(&[compare(&page(targets.to_vec()), &page(generated), rules)], rules).aes
}

/// A neutral element around another: the same box and text, one more descendant.
fn wrapper(inner: &Element) -> Element {
    Element { descendants: inner.descendants + 1, class: String::new(), ..inner.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn other_classes_and_neutral_wrappers_do_not_lower_the_score(
        styles in prop::collection::vec(any::<(u8, u8)>(), 1..6),
        other in prop::collection::vec(any::<(u8, u8)>(), 6),
        wrapped in prop::collection::vec(any::<bool>(), 6),
    ) {
        let targets = grid(&styles);
        for rules in [Rules::released(), Rules::paper()] {
            for written in [copies(&targets), copies(&grid(&other[..styles.len()]))] {
                let before = aes(&targets, written.clone(), rules);
                let changed = written.iter().zip(&wrapped).flat_map(|(one, wrapped)| {
                    let renamed = Element { class: "renamed".to_owned(), ..one.clone() };
                    wrapped.then(|| wrapper(one)).into_iter().chain([renamed])
                });
                prop_assert!(aes(&targets, changed.collect(), rules) >= before - 1e-12);
            }
        }
    }

    /// The generated page has a copy of each target, with any attributes. In general another partner may be more
    /// alike, because pairs are chosen by place and filter alone.
    #[test]
    fn removing_an_element_never_raises_the_strict_score(
        styles in prop::collection::vec(any::<(u8, u8)>(), 1..6),
        other in prop::collection::vec(any::<(u8, u8)>(), 6),
        removed in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
    ) {
        let targets = grid(&styles);
        let mut written = copies(&grid(&other[..styles.len()]));
        let mut before = aes(&targets, written.clone(), Rules::paper());
        for index in removed {
            if written.is_empty() { break }
            let _ = written.remove(index.index(written.len()));
            let after = aes(&targets, written.clone(), Rules::paper());
            prop_assert!(after <= before + 1e-12, "{} after {}", after, before);
            before = after;
        }
        prop_assert!(!written.is_empty() || before == 0.0);
    }

    /// One attribute of one element differs: the score loses exactly its share.
    #[test]
    fn a_perturbed_attribute_costs_what_the_formula_says(
        styles in prop::collection::vec(any::<(u8, u8)>(), 1..5),
        chosen in any::<prop::sample::Index>(),
        red in any::<u8>(),
        width in 1_u16..399,
    ) {
        let targets = grid(&styles);
        let index = chosen.index(targets.len());
        let share = 1.0 / f64::from(u32::try_from(targets.len()).unwrap());
        // The weights of text, colour, corners and width; released also the position.
        let weights = 6.8 + 30.0 + 100.0 + 31.92;
        let colour = 30.0 * (f64::from(styles[index].0) - f64::from(red)).abs() / 256.0 / 3.0;
        let length = 31.92 * ((f64::from(width) - 200.0).abs() / 200.0).min(1.0);
        for (rules, whole) in [(Rules::released(), weights + 46.0), (Rules::paper(), weights)] {
            for (property, value, lost) in
                [("color", format!("rgb({red}, 0, 0)"), colour), ("width", format!("{width}px"), length)]
            {
                let mut written = copies(&targets);
                written[index] = styled(written[index].clone(), property, &value);
                let found = aes(&targets, written, rules);
                prop_assert!((found - (1.0 - share * lost / whole)).abs() < 1e-12, "{} {}", property, found);
            }
        }
    }
}

#[test]
fn a_page_without_its_annotations_scores_one_in_both_modes() {
    let targets = grid(&[(1, 2), (3, 4), (5, 6)]);
    for rules in [Rules::released(), Rules::paper()] {
        let found = compare(&page(targets.clone()), &page(copies(&targets)), rules);
        assert_eq!((found.status, found.aes), (PageStatus::Scored, 1.0));
    }
}
